// Combinations of entities, and material points and directions as such.
#include "lagrange/coordinates.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

Combination& Combination::add(double factor, const Combination& other) {
    constant += factor * other.constant;
    // What cancels but for rounding is zero: as a term it would cost as much as any other, and as the
    // only one left it would make a constraint of nothing.
    double largest = 0;
    for (const Term& t : terms) largest = std::max(largest, std::abs(t.coefficient));
    for (const Term& t : other.terms) largest = std::max(largest, std::abs(factor * t.coefficient));
    decltype(terms) sum;
    const Term *i = terms.begin(), *j = other.terms.begin();
    while (i != terms.end() || j != other.terms.end()) {
        if (j == other.terms.end() || (i != terms.end() && i->entity < j->entity)) {
            sum.push_back(*i++);
        } else if (i == terms.end() || j->entity < i->entity) {
            sum.push_back({j->entity, factor * j->coefficient});
            ++j;
        } else {
            const double c = i->coefficient + factor * j->coefficient;
            if (std::abs(c) > 1e-12 * largest) sum.push_back({i->entity, c});
            ++i;
            ++j;
        }
    }
    terms = std::move(sum);
    return *this;
}

Vec3 Combination::at(const std::vector<Vec3>& entities) const {
    Vec3 value = constant;
    for (const Term& t : terms) value += t.coefficient * entities[t.entity];
    return value;
}

const std::vector<uint32_t>& EntitySet::sorted() {
    std::sort(entities_.begin(), entities_.end());
    entities_.erase(std::unique(entities_.begin(), entities_.end()), entities_.end());
    return entities_;
}

Combination NaturalCoordinates::point(BodyId body, Vec3 at) const {
    const uint32_t g = group_of[body.index];
    if (g == 0) return {at, {}};
    for (const NamedNode& node : nodes[g])
        if (!node.is_vector && norm(node.start - at) <= same_place * size) return node.now;
    const RigidGroup& group = groups[g];
    Combination now = group.origin;
    for (size_t k = 0; k < group.axes.size(); ++k)
        now.add(dot(group.axes[k], at - group.center), group.axis_now[k]);
    return now;
}

Combination NaturalCoordinates::direction(BodyId body, Vec3 axis) const {
    const uint32_t g = group_of[body.index];
    if (g == 0) return {axis, {}};
    for (const NamedNode& node : nodes[g]) {
        if (!node.is_vector || norm(cross(node.start, axis)) > same_direction) continue;
        Combination now;
        return now.add(dot(node.start, axis) > 0 ? 1 : -1, node.now);
    }
    const RigidGroup& group = groups[g];
    Combination now;
    for (size_t k = 0; k < group.axes.size(); ++k)
        now.add(dot(group.axes[k], axis), group.axis_now[k]);
    return now;
}

std::vector<Vec3> NaturalCoordinates::perpendiculars(BodyId body, Vec3 axis) const {
    const uint32_t g = group_of[body.index];
    std::vector<std::pair<size_t, Vec3>> found;
    const auto consider = [&](Vec3 direction) {
        direction = direction - dot(direction, axis) * axis;
        if (norm(direction) < 0.1) return;
        direction = normalized(direction);
        found.emplace_back(this->direction(body, direction).terms.size(), direction);
    };
    for (const NamedNode& node : nodes[g])
        if (node.is_vector) consider(node.start);
    for (Vec3 a : groups[g].axes) consider(a);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Vec3> out;
    out.reserve(found.size());
    for (const auto& f : found) out.push_back(f.second);
    return out;
}

}  // namespace bristle::lagrange
