// Bodies as the impulse solver moves them: what is welded together is one.
//
// A *group* is a set of bodies that fixed joints connect (mechanics/welding.h). It moves as (x, q, v, ω): its centre of mass and a frame that starts as that of its first body.
//
//   v⁺ = v + h f/m + impulses/m           semi-implicit Euler (GRI 4.3): positions follow the new velocities
//   L  = I ω                              angular momentum is what is kept: turning changes I, not L
//
// In free flight ω is taken at the middle of the step, I_mid⁻¹ L with I_mid turned by h ω/2. That conserves L
// exactly and keeps ω between L/I_max and L/I_min whatever the step: the gyroscopic term cannot explode,
// without the damping of an implicit rule.
//
// What is held or touched is turned by others too, and L is not kept: a small part of it that falls on the axis of a slender body
// would make it spin, by I_max/I_min times as much. There ω is kept in the body's own axes, in which Euler's equations
//
//   I (ω₁ − ω₀) = h (I ω̄) × ω̄ + impulses ,   ω̄ = (ω₀ + ω₁)/2
//
// have no such quotient, since no moment of inertia is larger than the sum of the two others. The gyroscopic term has no power over
// ω̄, and neither have joints: energy is kept. Where the solution is repeated until joints are closed (direct.h), ω₁ is that of the
// solution before; otherwise, and where it turns fast, that of a body nothing acts on, which joints then project: that loses a little. (The
// turn of the step is about ω itself, which is therefore the same in the axes of both its ends.)
//
// Inertia that a body does not have is made up, so that there is an inverse (mechanics/added_inertia.h).
#pragma once

#include <bristle/model.h>

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::impulse {

struct Group {
    double mass = 0, inverse_mass = 0;
    Mat3 inertia, inverse_inertia;  // about the centre, in the group's frame
    double plane_inertia = 0;       // of a planar model, about its normal
    bool is_round = false;          // the same about every axis

    // Against turning an arm of this direction (in the group's frame) aside: the mean about the axes across it.
    double inertia_across(Vec3 arm) const {
        if (plane_inertia > 0) return plane_inertia;
        const double square = dot(arm, arm);
        return 0.5 * (inertia.trace() - (square > 0 ? dot(arm, inertia * arm) / square : 0));
    }
};

// All that persists of a group's motion. Nothing but doubles: it is hashed by its bytes.
struct GroupMotion {
    Vec3 position;  // of the centre of mass
    Quat orientation;
    Vec3 velocity, angular_velocity;
    double still = 0;  // s: how long it has been slow; negative: asleep
    // The step before which its island is not solved directly, because that failed.
    double swept_until = 0;
    double lag =
        0;  // s: its velocities are those of so long before it was where it is (energy.cpp)
    double falls = 0;  // 1: nothing but weight moved it in the last step
    // J, that an island which only joints and weight move gained in a step and had not the motion to pay for.
    double astray = 0;

    bool is_asleep() const { return still < 0; }
};

struct GroupMember {
    uint32_t group = 0;
    Vec3 offset;  // of the body's frame from the group's centre, in the group's frame
    Quat turn;    // of the body in the group's frame
};

class Groups {
  public:
    explicit Groups(const Model&);

    size_t size() const { return groups_.size(); }
    const Group& operator[](size_t i) const { return groups_[i]; }
    std::span<const GroupMember> members() const { return members_; }  // by body
    const GroupMember& member(BodyId id) const { return members_[id.index]; }
    double model_size() const { return size_; }  // m
    std::vector<uint32_t> owners() const;

    std::vector<GroupMotion> start(const Model&) const;

  private:
    double size_ = 1;
    std::vector<Group> groups_;
    std::vector<GroupMember> members_;
};

// Of a body that nothing acts on, in its own axes, a time later.
Vec3 spin_after(const Group&, Vec3 spin, double time);

// The rotation by this vector: angle and axis in one.
Quat turned_by(Vec3 rotation_vector);
Quat normalized(Quat);
inline Mat3 in_world(const Mat3& of_body, const Mat3& rotation) {
    return rotation * of_body * rotation.transposed();
}
Mat3 inverse(const Mat3&);

}  // namespace bristle::impulse
