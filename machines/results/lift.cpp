#include "machines/results/lift.h"

#include <bristle/error.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr double weight = 1000;  // kg, of the arm that is loaded: forces grow in proportion

const PartsFound& with_stick(const PartsFound& parts) {
    if (!parts.has_stick())
        throw InputError(
            "ISO 10567 is about excavators: the machine has no stick pivot and stick cylinder");
    return parts;
}

}  // namespace

double LiftCapacity::rated() const {
    return std::min(tipping_share * tipping, hydraulic_share * hydraulic);
}
bool LiftCapacity::is_hydraulic() const {
    return hydraulic_share * hydraulic < tipping_share * tipping;
}

Lifting::Lifting(const Model& model, const PartsFound& parts)
    : bare_(model, with_stick(parts), WithBucket::no),
      loaded_(model, parts, WithBucket::no, weight),
      gravity_(norm(model.gravity)) {
    constexpr int n = 12;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const Lengths l = bare_.at_shares(static_cast<double>(i) / n,
                                              static_cast<double>(i % 2 == 0 ? j : n - j) / n, 0.5);
            if (bare_.place(l)) begins_.emplace_back(bare_.bucket_pivot(), l);
        }
}

bool Lifting::go_to(double radius, double height) {
    // From the nearest of many places; if it is at an end of a stroke the way may be barred, and another one does.
    std::vector<std::pair<double, const Lengths*>> near;
    for (const auto& [at, lengths] : begins_)
        near.emplace_back(std::hypot(at.x - radius, at.z - height), &lengths);
    const size_t tries = std::min<size_t>(near.size(), 4);
    std::partial_sort(near.begin(), near.begin() + static_cast<ptrdiff_t>(tries), near.end());
    for (size_t i = 0; i < tries; ++i)
        if (bare_.place(*near[i].second) && bare_.reach(radius, height))
            return loaded_.place(bare_.lengths());
    return false;
}

LiftCapacity Lifting::at(const Stance& s, double swing, double radius, double height) {
    LiftCapacity out{radius, height, false, 0, 0, {}, {}};
    if (!go_to(radius, height - s.height)) return out;
    out.is_reached = true;
    out.lengths = bare_.lengths();
    const double own = s.mass_below + bare_.mass();
    out.tipping = tipping_load(
        s, center_of_mass(s, bare_, swing), own,
        {radius * std::cos(swing), radius * std::sin(swing), height - s.height}, gravity_);
    const auto empty = bare_.forces(), full = loaded_.forces();
    out.hydraulic = unlimited;
    for (size_t i = 0; i < bare_.count(); ++i) {
        const ArmCylinder& c = bare_.parts().cylinders[i];
        const CylinderForce& most = i == 0 ? c.working : c.holding;
        const double by_load = (full[i] - empty[i]) / weight;
        // What does not feel the load does not limit it.
        if (std::abs(by_load) * weight < 1e-6 * std::max(1.0, std::abs(empty[i]))) continue;
        const double limit = by_load > 0 ? most.push : -most.pull;
        const double load = std::max(0.0, (limit - empty[i]) / by_load);
        if (load < out.hydraulic) {
            out.hydraulic = load;
            out.gives_way = c.name;
        }
    }
    return out;
}

LiftTable Lifting::table(const Stance& s, const char* over, double swing, double spacing) {
    double farthest = 0, lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (const auto& [at, lengths] : begins_) {
        farthest = std::max(farthest, at.x);
        lowest = std::min(lowest, at.z + s.height);
        highest = std::max(highest, at.z + s.height);
    }
    LiftTable out{s.name, over, swing, {}, {}, {}};
    for (double r = 2 * spacing; r <= farthest; r += spacing) out.radii.push_back(r);
    for (double h = std::floor(highest / spacing) * spacing; h >= lowest; h -= spacing)
        out.heights.push_back(std::abs(h) < 1e-9 ? 0 : h);
    for (const double h : out.heights)
        for (const double r : out.radii) out.capacities.push_back(at(s, swing, r, h));
    // Rows and columns that the arm never comes to say nothing.
    const auto reached = [&](size_t i) {
        for (size_t k = 0; k < out.radii.size(); ++k)
            if (out.at(i, k).is_reached) return true;
        return false;
    };
    for (size_t i = out.heights.size(); i-- > 0;)
        if (!reached(i)) {
            const auto begin =
                out.capacities.begin() + static_cast<ptrdiff_t>(i * out.radii.size());
            out.capacities.erase(begin, begin + static_cast<ptrdiff_t>(out.radii.size()));
            out.heights.erase(out.heights.begin() + static_cast<ptrdiff_t>(i));
        }
    return out;
}

}  // namespace bristle::machines
