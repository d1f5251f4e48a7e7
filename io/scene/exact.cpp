#include "io/scene/exact.h"

#include "model/input_checks.h"

#include <array>
#include <cmath>
#include <limits>

namespace bristle::io {
namespace {

using Four = std::array<double, 4>;

template <class F> Four searched(const Four& wanted, const F& normalize) {
    if (normalize(wanted) == wanted) return wanted;
    constexpr double ulp = std::numeric_limits<double>::epsilon() / 2;
    constexpr int ulps = 8, multiples = 4000;
    for (int i = 1; i < ulps + multiples; ++i) {
        // First a little longer or shorter, which keeps the numbers readable; then any length.
        const double by =
            i < ulps ? 1 + (i % 2 == 0 ? -1 : 2) * std::floor(0.5 * (i + 1)) * ulp : 1 + i / 4096.0;
        Four tried = wanted;
        for (double& x : tried) x *= by;
        if (normalize(tried) == wanted) return tried;
    }
    return wanted;
}

}  // namespace

Vec3 before_direction(Vec3 axis) {
    const Four found = searched({axis.x, axis.y, axis.z, 0}, [](const Four& v) {
        const Vec3 u = model::checked_direction("axis", "axis", {v[0], v[1], v[2]});
        return Four{u.x, u.y, u.z, 0};
    });
    return {found[0], found[1], found[2]};
}

Quat before_rotation(Quat rotation) {
    const Four found =
        searched({rotation.w, rotation.x, rotation.y, rotation.z}, [](const Four& v) {
            const Quat q = model::checked_rotation("rotation", "is", {v[0], v[1], v[2], v[3]});
            return Four{q.w, q.x, q.y, q.z};
        });
    return {found[0], found[1], found[2], found[3]};
}

double before_lead(double advance_per_radian) {
    const double lead = advance_per_radian * (2 * pi);
    for (const double end :
         {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()})
        for (double tried = lead, i = 0; i < 4; ++i, tried = std::nextafter(tried, end))
            if (tried / (2 * pi) == advance_per_radian) return tried;
    return lead;
}

}  // namespace bristle::io
