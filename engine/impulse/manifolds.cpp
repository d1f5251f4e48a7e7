#include "impulse/manifolds.h"

#include "impulse/numerics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace bristle::impulse {
namespace {

// Where the next manifold ends: the same pair and normal, and no more than four.
size_t end_of_manifold(const std::vector<collision::ContactCandidate>& found, size_t first) {
    size_t end = first + 1;
    while (end < found.size() && end - first < Manifold::most_points
           && found[end].a == found[first].a && found[end].b == found[first].b
           && dot(found[end].point.normal, found[first].point.normal) > same_normal)
        ++end;
    return end;
}

// What is remembered of a point: by its feature, or, where that has changed its name (an edge that lies on an edge is
// now this one's corner, now the other's), what was at the same place.
template <class Memory>
const ContactImpulse* find_memory(Memory first, const std::vector<ContactImpulse>& remembered,
                                  const Manifold& m, const ManifoldPoint& p,
                                  const collision::ContactPoint& c) {
    const ContactImpulse* nearest = nullptr;
    double least = same_place * (norm(p.arm_a) + norm(p.arm_b));
    for (auto r = first; r != remembered.end() && r->pair == m.pair; ++r) {
        if (!(dot(m.normal, Vec3{r->normal[0], r->normal[1], r->normal[2]}) > 0.9)) continue;
        if (r->feature == c.feature) return &*r;
        const double distance = norm(r->point - 0.5 * (c.on_a + c.on_b));
        if (!(distance < least)) continue;
        least = distance;
        nearest = &*r;
    }
    return nearest;
}

Vec3 velocity_at(const GroupMotion& m, Vec3 arm) {
    return m.velocity + cross(m.angular_velocity, arm);
}

}  // namespace

Manifolds::Manifolds(const Model& model, const Groups& groups,
                     std::span<const collision::SceneCollider> colliders)
    : gravity_(model.gravity), materials_(model.materials().size()) {
    if (model.plane_normal) {
        plane_ = normalized(*model.plane_normal);
        gravity_ -= dot(gravity_, *plane_) * *plane_;
    }
    for (const collision::SceneCollider& c : colliders)
        group_of_collider_.push_back(groups.member(c.body).group);
    for (uint32_t a = 0; a < materials_; ++a)
        for (uint32_t b = 0; b < materials_; ++b) {
            const ContactLaw law = model.contact_law({a}, {b});
            surfaces_.push_back({law.static_friction, law.kinetic_friction, law.restitution,
                                 law.rolling_resistance, law.spinning_resistance});
        }
}

void Manifolds::build(const collision::CollisionScene& scene,
                      const std::vector<GroupMotion>& motion,
                      const std::vector<ContactImpulse>& remembered, double resting_speed,
                      Jobs& jobs) {
    const auto pieces = scene.pieces();
    starts_.resize(pieces.size() + 1);
    starts_[0] = {0, 0};
    for (size_t p = 0; p < pieces.size(); ++p) {
        Count at = starts_[p];
        for (size_t i = 0; i < pieces[p].size(); i = end_of_manifold(pieces[p], i)) ++at.manifolds;
        at.points += static_cast<uint32_t>(pieces[p].size());
        starts_[p + 1] = at;
    }
    manifolds.resize(starts_.back().manifolds);
    points.resize(starts_.back().points);
    jobs.run(static_cast<uint32_t>(pieces.size()), [&](uint32_t p) {
        fill(scene, pieces[p], starts_[p], motion, remembered, resting_speed);
    });
}

void Manifolds::fill(const collision::CollisionScene& scene,
                     const std::vector<collision::ContactCandidate>& found, Count at,
                     const std::vector<GroupMotion>& motion,
                     const std::vector<ContactImpulse>& remembered, double resting_speed) {
    if (found.empty()) return;
    const auto pair_of = [](const collision::ContactCandidate& e) {
        return uint64_t{e.a} << 32 | e.b;
    };
    auto memory =
        std::lower_bound(remembered.begin(), remembered.end(), pair_of(found[0]),
                         [](const ContactImpulse& c, uint64_t pair) { return c.pair < pair; });
    for (size_t i = 0; i < found.size();) {
        const size_t end = end_of_manifold(found, i);
        const collision::ContactCandidate& e = found[i];
        Manifold& m = manifolds[at.manifolds++];
        m.a = group_of_collider_[e.a];
        m.b = group_of_collider_[e.b];
        m.first = at.points;
        m.count = static_cast<uint32_t>(end - i);
        m.pair = pair_of(e);
        m.normal = e.point.normal;
        // In a plane friction has one direction; the other one is the normal of the plane, and stays idle.
        m.tangent[0] = plane_ ? cross(*plane_, m.normal) : any_perpendicular(m.normal);
        m.tangent[1] = cross(m.normal, m.tangent[0]);
        const auto colliders = scene.colliders();
        const auto material = [&](uint32_t collider, uint32_t face) {
            const MaterialId id = scene.material_of(colliders[collider], face);
            return id.index < materials_ ? id.index : 0;
        };
        const Surface& s =
            surfaces_[material(e.a, e.point.face_a) * materials_ + material(e.b, e.point.face_b)];
        m.static_friction = s.static_friction;
        m.kinetic_friction = s.kinetic_friction;
        m.restitution = s.restitution;
        m.rolling_resistance = s.rolling_resistance;
        m.spinning_resistance = s.spinning_resistance;

        while (memory != remembered.end() && memory->pair < m.pair) ++memory;
        std::array<const ContactImpulse*, Manifold::most_points> met{};
        const GroupMotion &a = motion[m.a], &b = motion[m.b];
        const Mat3 turn_b = b.orientation.matrix();
        const double pull = ((m.b != 0 ? 1 : 0) - (m.a != 0 ? 1 : 0)) * dot(m.normal, gravity_);
        for (; i < end; ++i) {
            const collision::ContactPoint& c = found[i].point;
            ManifoldPoint& p = points[at.points++];
            p = {};
            p.arm_a = c.on_a - a.position;
            p.arm_b = c.on_b - b.position;
            p.gap = -c.depth;
            // One point, but for what is still far apart.
            if (std::abs(p.gap) < 0.1 * (norm(p.arm_a) + norm(p.arm_b))) {
                const Vec3 middle = 0.5 * (c.on_a + c.on_b);
                p.arm_a = middle - a.position;
                p.arm_b = middle - b.position;
            }
            p.feature = c.feature;
            p.approach = dot(m.normal, velocity_at(a, p.arm_a) - velocity_at(b, p.arm_b));
            if (const ContactImpulse* r = find_memory(memory, remembered, m, p, c)) {
                p.impulse = r->impulse;
                p.impact = r->impact;
                // What one held two would not hold each: the first has it.
                if (std::find(met.begin(), met.end(), r) == met.end()) p.held = r->held;
                met[at.points - 1 - m.first] = r;
                p.slides = r->slides != 0;
                p.friction = {r->friction[0], r->friction[1], r->friction[2]};
                p.strain = turn_b * Vec3{r->strain[0], r->strain[1], r->strain[2]};
                p.friction -= dot(p.friction, m.normal) * m.normal;
                p.strain -= dot(p.strain, m.normal) * m.normal;
            }
            p.pull = pull;
            if (p.gap <= 0 && p.approach < -resting_speed)
                p.impact = std::max(p.impact, -p.approach);
            p.leaving = m.restitution * p.impact;
        }
        if (e.point.spread < 1) spread_friction(m, e.point.spread);
    }
}

void Manifolds::spread_friction(const Manifold& m, double spread) {
    double load = 0;
    for (uint32_t i = m.first; i < m.first + m.count; ++i) load += points[i].impulse;
    const auto share = [&](const ManifoldPoint& p) {
        return load > 0 ? p.impulse / load : 1.0 / m.count;
    };
    Vec3 middle;
    for (uint32_t i = m.first; i < m.first + m.count; ++i)
        middle += share(points[i]) * points[i].arm_a;
    for (uint32_t i = m.first; i < m.first + m.count; ++i) {
        const Vec3 way = (1 - spread) * (middle - points[i].arm_a);
        points[i].inward = way - dot(way, m.normal) * m.normal;
    }
}

double Manifolds::find_impacts(const Manifold& m, double resting_speed) {
    double lost = 0;
    for (uint32_t i = m.first; i < m.first + m.count; ++i) {
        ManifoldPoint& p = points[i];
        const bool has_left = std::exchange(p.impact, 0.0) > 0 || p.has_left;
        if (has_left || !(p.pressed > 0 && p.gap > 0 && p.approach < 0)) continue;
        const double speed = p.impact_speed();
        if (speed > resting_speed)
            p.impact = speed;
        else
            lost = std::max(lost, m.restitution * speed);
    }
    return lost;
}

void Manifolds::remember(const std::vector<GroupMotion>& motion, std::vector<ContactImpulse>& out,
                         Jobs& jobs) const {
    out.resize(points.size());
    const auto count = static_cast<uint32_t>(manifolds.size());
    jobs.run((count + manifolds_in_piece - 1) / manifolds_in_piece, [&](uint32_t piece) {
        const uint32_t end = std::min(count, (piece + 1) * manifolds_in_piece);
        for (uint32_t k = piece * manifolds_in_piece; k < end; ++k) {
            const Manifold& m = manifolds[k];
            const Mat3 to_b = motion[m.b].orientation.conjugate().matrix();
            for (uint32_t i = m.first; i < m.first + m.count; ++i) {
                const ManifoldPoint& p = points[i];
                const Vec3 strain = to_b * p.strain, at = motion[m.a].position + p.arm_a;
                const Vec3 torque = p.torque + cross(p.inward, p.total - p.pressed * m.normal);
                const auto f = [](double x) { return static_cast<float>(x); };
                out[i] = {m.pair,
                          p.feature,
                          p.slides ? 1u : 0u,
                          at,
                          {f(m.normal.x), f(m.normal.y), f(m.normal.z)},
                          f(p.gap),
                          f(p.impulse),
                          f(p.impact),
                          {f(p.friction.x), f(p.friction.y), f(p.friction.z)},
                          {f(strain.x), f(strain.y), f(strain.z)},
                          {f(p.total.x), f(p.total.y), f(p.total.z)},
                          {f(torque.x), f(torque.y), f(torque.z)},
                          p.held};
            }
        }
    });
}

}  // namespace bristle::impulse
