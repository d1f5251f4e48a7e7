// Bodies' motion from the entities, and forces on bodies to forces on entities.
#pragma once

#include "lagrange/system.h"
#include "state/state.h"

namespace bristle::lagrange {

// Of up to three orthonormal axes whose rates are those of a turn (or, with accelerations of axes at rest, its acceleration).
// About its only axis nothing turns.
template <typename V> V spin_of(const V axis[3], const V rate[3], size_t rank) {
    if (rank == 0) return V{};
    if (rank == 1) return cross(axis[0], rate[0]);
    if (rank == 2) return cross(axis[0], rate[0]) + dot(cross(axis[0], axis[1]), rate[1]) * axis[0];
    return 0.5 * (cross(axis[0], rate[0]) + cross(axis[1], rate[1]) + cross(axis[2], rate[2]));
}
// Whether a body of three axes has become its mirror image.
bool is_mirrored(const System&, const Vec4* position);
Mat3 group_rotation(const GroupFrame&, const Vec4* position);  // since the start
// Origin and three orthonormal axes of a group, as many of them represented by entities as it needs.
void group_axes(const GroupFrame&, const Vec4* position, Vec4& origin, Vec4 axis[3]);
Pose body_pose(const System&, const Vec4* position, BodyId);
Twist body_twist(const System&, const Vec4* position, const Vec4* velocity, BodyId);
// What a user force sees of a trial state, and of the contacts of the last step.
class EntityKinematics final : public Kinematics {
  public:
    EntityKinematics(const System& system, const Vec4* position, const Vec4* velocity, double time,
                     std::span<const state::ContactMemory> contacts)
        : system_(system),
          position_(position),
          velocity_(velocity),
          time_(time),
          contacts_(contacts) {}
    double time() const override { return time_; }
    Pose pose(BodyId id) const override { return body_pose(system_, position_, id); }
    Twist twist(BodyId id) const override { return body_twist(system_, position_, velocity_, id); }
    double normal_force(BodyId, std::optional<BodyId> against) const override;

  private:
    const System& system_;
    const Vec4 *position_, *velocity_;
    double time_;
    std::span<const state::ContactMemory> contacts_;
};
// Where a point and a direction of a body, given at the start, are now.
Vec3 carry_point(const System&, const Vec4* position, BodyId, Vec3 at_start);
Vec3 carry_axis(const System&, const Vec4* position, BodyId, Vec3 at_start);
// Velocity (or acceleration, given that) of the point of the body that is at `at` now.
Vec3 point_rate(const System&, const Vec4* position, const Vec4* rate, BodyId, Vec3 at);

// What a group needs to be moved as it is: sum of forces and moment about the world's origin of
// ∫ r̈ dm, exact for every rank of the frame.
struct Wrench {
    Vec3 force, moment;
};
Wrench inertia_force(const System&, const Vec4* position, const Vec4* acceleration, BodyId);

// Generalized momentum of a body that moves so: Σ ∫ Nᵀ ṙ dm.
void add_momentum(const System&, BodyId, const Twist& at_start, Vec4* momentum);

void apply_force(const System&, const Vec4* position, BodyId, Vec3 force, Vec3 at,
                 Vec4* generalized);
void apply_torque(const System&, const Vec4* position, BodyId, Vec3 torque, Vec4* generalized);

}  // namespace bristle::lagrange
