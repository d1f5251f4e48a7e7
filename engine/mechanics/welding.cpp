#include "mechanics/welding.h"

#include "base/union_find.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <cmath>

namespace bristle::mechanics {
namespace {

void sum_mass(const Model& model, WeldedGroup& group) {
    for (BodyId id : group.bodies) {
        const Body& b = model.bodies()[id.index];
        group.mass += b.mass;
        group.center += b.mass * (Pose{b.position, b.orientation} * b.center);
    }
    group.center *= 1 / group.mass;
    for (BodyId id : group.bodies) {
        const Body& b = model.bodies()[id.index];
        const Mat3 r = b.orientation.matrix();
        const Vec3 d = Pose{b.position, b.orientation} * b.center - group.center;
        // ∫ x xᵀ dm = ½ tr(I) 1 − I
        const Mat3 own = 0.5 * b.inertia.trace() * Mat3::identity() - b.inertia;
        group.second_moment =
            group.second_moment + r * own * r.transposed() + b.mass * Mat3::outer(d, d);
    }
}

}  // namespace

Welding weld(const Model& model) {
    constexpr uint32_t none = 0xffffffffu;
    const auto& bodies = model.bodies();
    UnionFind welded(bodies.size());
    for (const Joint& j : model.joints())
        if (model::is_weld(j)) welded.unite(j.a.index, j.b.index);
    Welding out;
    out.group_of.assign(bodies.size(), none);
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        uint32_t& group = out.group_of[welded.find(i)];
        if (group == none) {
            group = static_cast<uint32_t>(out.groups.size());
            out.groups.emplace_back().is_ground = i == 0;
        }
        out.group_of[i] = group;
        out.groups[group].bodies.push_back({i});
    }
    for (WeldedGroup& group : out.groups)
        if (!group.is_ground) sum_mass(model, group);
    return out;
}

double model_size(const Model& model, const Welding& welding) {
    Vec3 low{unlimited, unlimited, unlimited}, high = -low;
    const auto stretch = [&](Vec3 p) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    };
    for (const WeldedGroup& group : welding.groups)
        if (!group.is_ground) stretch(group.center);
    for (const Joint& j : model.joints()) {
        if (!model::joins_bodies(j)) continue;
        stretch(j.at_a);
        stretch(j.at_b);
    }
    const double diagonal = norm(high - low);
    double size = std::isfinite(diagonal) && diagonal > 0 ? diagonal : 1;
    for (const WeldedGroup& group : welding.groups)
        if (!group.is_ground)
            size = std::max(size, std::sqrt(group.second_moment.trace() / group.mass));
    return size;
}

}  // namespace bristle::mechanics
