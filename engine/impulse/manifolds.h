// Contacts of a step as the solvers use them: manifolds of up to four points with one normal.
//
// What collision found is cut into manifolds and joined with what is remembered of the same points: impulses to
// start from, and the strain of friction. Friction is a bristle here too: a stuck point remembers how far it
// has been dragged, and is pulled back; so nothing creeps, on slopes or in houses of cards, however long it
// stands.
//
// Order: by pair of colliders, then as found. Everything is done in pieces that do not depend on threads.
#pragma once

#include "base/jobs.h"
#include "collision/scene.h"
#include "impulse/state.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bristle::impulse {

struct ManifoldPoint {
    Vec3 arm_a, arm_b;  // from the groups' centres
    double gap;         // m, negative where they overlap
    double approach;    // m/s: normal velocity before the step, negative when closing
    double bounce;      // m/s: normal velocity to leave with; 0: none
    uint32_t feature;
    bool slides;
    // Of the last step to start with, of this one when it is done.
    double impulse;  // normal
    double impact;   // m/s
    Vec3 friction;   // impulse, world
    Vec3 strain;     // world
    Vec3 total;      // impulse on a over the whole step, normal and friction; world
    double pressed;  // its normal part
};

struct Manifold {
    static constexpr uint32_t most_points = 4;
    uint32_t a, b;          // groups, one of them may be the ground (0)
    uint32_t first, count;  // points
    uint64_t pair;
    Vec3 normal, tangent[2];
    double static_friction, kinetic_friction, restitution;
};

class Manifolds {
  public:
    Manifolds(const Model&, const Groups&, std::span<const collision::SceneCollider>);

    std::vector<Manifold> manifolds;
    std::vector<ManifoldPoint> points;

    void build(const collision::CollisionScene&, const std::vector<GroupMotion>&,
               const std::vector<ContactImpulse>& remembered, double resting_speed, Jobs&);
    std::pair<uint32_t, uint32_t> groups_of(const ContactImpulse& c) const {
        return {group_of_collider_[c.pair >> 32], group_of_collider_[c.pair & 0xffffffffu]};
    }
    // What is remembered of them.
    void remember(const std::vector<GroupMotion>&, std::vector<ContactImpulse>& out, Jobs&) const;

  private:
    struct Surface {
        double static_friction, kinetic_friction, restitution;
    };
    struct Count {
        uint32_t manifolds, points;
    };
    void fill(const collision::CollisionScene&, const std::vector<collision::ContactCandidate>&,
              Count at, const std::vector<GroupMotion>&, const std::vector<ContactImpulse>&,
              double resting_speed);

    std::optional<Vec3> plane_;
    std::vector<uint32_t> group_of_collider_;
    std::vector<Surface> surfaces_;  // of two materials
    size_t materials_;
    std::vector<Count> starts_;
};

}  // namespace bristle::impulse
