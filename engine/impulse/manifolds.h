// Contacts of a step as the solvers use them: manifolds of up to four points with one normal.
//
// What collision found is cut into manifolds and joined with what is remembered of the same points: impulses to
// start from, and the strain of friction. Friction is a bristle here too: a stuck point remembers how far it
// has been dragged, and is pulled back; so nothing creeps, on slopes or in houses of cards, however long it
// stands.
//
// Faces rub like faces: corners carry their load, but friction of a face that turns acts nearer to its middle than they are, by a share
// of their distance that detection knows (collision/contact_point.h). So each point rubs at p + (1 − share)(middle − p), the middle being
// that of the load of the last step. Sliding straight on, that changes nothing.
//
// Restitution. What strikes stops at the surface in one step, and leaves with ε times its speed in the next. Positions follow the
// velocities of a step's end, so these belong to the middle of a step (of a part of it, where it is swept), h/2 away from either end. Of a
// point that a step begins with gap g and approach u, and that weight pulls closer by a, the speed when it strikes is that of the parabola,
//
//   w² = (u + a h/2)² + 2 a g ,    and the next step's velocity    ε w − a h/2
//
// is that of the middle of a flight that begins with ε w: a ball that returns all of its speed comes back to the height it fell from,
// whatever the step, only up to a step later. (With u itself and ε u it lost up to 4 a h of 2 u.) What strikes more slowly than
// the resting speed stays: of 4 a h the flight would take ε 8 steps.
//
// Order: by pair of colliders, then as found. Everything is done in pieces that do not depend on threads.
#pragma once

#include "base/jobs.h"
#include "collision/scene.h"
#include "impulse/state.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bristle::impulse {

struct ManifoldPoint {
    Vec3 arm_a, arm_b;  // from the groups' centres
    Vec3 inward;        // m: friction acts so far beside it, in the tangent plane
    double gap;         // m, negative where they overlap
    double approach;    // m/s: normal velocity before the step, negative when closing
    double leaving;     // m/s: normal velocity to leave with, at the moment it does; 0: none
    double pull;        // m/s²: by which weight alone would bring them together
    double part;        // s: length of the parts of the step in which it was solved
    double bend
        [2];  // m/s along the tangents: slip of the step by arms that turn, beside that of velocities
    uint32_t feature;
    bool slides;
    bool has_left;  // its restitution has been given back in this step
    // Of the last step to start with, of this one when it is done.
    double impulse;  // normal
    double impact;   // m/s
    double held;     // J: what it may give back
    Vec3 friction;   // impulse, world
    Vec3 strain;     // world
    Vec3 total;      // impulse on a over the whole step, normal and friction; world
    double pressed;  // its normal part
    Vec3 torque;     // on a, of rolling and spinning resistance over the whole step

    // m/s, when it strikes in a step whose parts are known.
    double impact_speed() const {
        const double begin = pull * part / 2 - approach,
                     square = begin * begin + 2 * pull * std::max(gap, 0.0);
        return begin > 0 && square > 0 ? std::sqrt(square) : 0;
    }
};

struct Manifold {
    static constexpr uint32_t most_points = 4;
    uint32_t a, b;          // groups, one of them may be the ground (0)
    uint32_t first, count;  // points
    uint64_t pair;
    Vec3 normal, tangent[2];
    double static_friction, kinetic_friction, restitution;
    double rolling_resistance, spinning_resistance;  // m
    bool resists() const { return rolling_resistance > 0 || spinning_resistance > 0; }
};

class Manifolds {
  public:
    Manifolds(const Model&, const Groups&, std::span<const collision::SceneCollider>);

    std::vector<Manifold> manifolds;
    std::vector<ManifoldPoint> points;

    void build(const collision::CollisionScene&, const std::vector<GroupMotion>&,
               const std::vector<ContactImpulse>& remembered, double resting_speed, Jobs&);
    // What the solution of a step means for the next: who struck, and how fast. m/s that something should have left with but for
    // the resting speed, at most.
    double find_impacts(const Manifold&, double resting_speed);
    std::pair<uint32_t, uint32_t> groups_of(const ContactImpulse& c) const {
        return {group_of_collider_[c.pair >> 32], group_of_collider_[c.pair & 0xffffffffu]};
    }
    // What is remembered of them.
    void remember(const std::vector<GroupMotion>&, std::vector<ContactImpulse>& out, Jobs&) const;

  private:
    struct Surface {
        double static_friction, kinetic_friction, restitution;
        double rolling_resistance, spinning_resistance;
    };
    struct Count {
        uint32_t manifolds, points;
    };
    void fill(const collision::CollisionScene&, const std::vector<collision::ContactCandidate>&,
              Count at, const std::vector<GroupMotion>&, const std::vector<ContactImpulse>&,
              double resting_speed);

    Vec3 gravity_;
    void spread_friction(const Manifold&, double spread);

    std::optional<Vec3> plane_;
    std::vector<uint32_t> group_of_collider_;
    std::vector<Surface> surfaces_;  // of two materials
    size_t materials_;
    std::vector<Count> starts_;
};

}  // namespace bristle::impulse
