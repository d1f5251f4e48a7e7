// The arm of a machine as its cylinders place it: kinematics and statics by World::guide.
//
//     Arm arm(model, parts_found(model));
//     arm.place({2.3, 2.5, 2.2});          // lengths of its cylinders, m
//     arm.tip();                           // of the bucket; ahead, left and up of the swing's axis
//     arm.forces();                        // that hold it in the cylinders, N
#pragma once

#include "machines/results/parts_found.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace bristle::machines {

inline constexpr size_t most_cylinders = 3;
using Lengths = std::array<double, most_cylinders>;  // of a loader the last does not count

enum class WithBucket : unsigned char { yes, no };

class Arm {
  public:
    // Without its bucket the arm ends at the bucket's pivot; a load hangs there, kg, or none.
    Arm(const Model&, PartsFound, WithBucket = WithBucket::yes, double load = 0);

    size_t count() const { return parts_.cylinders.size(); }
    const PartsFound& parts() const { return parts_; }
    // False if the cylinders cannot be so long; the arm is where it was, or on the way.
    bool place(const Lengths&);
    const Lengths& lengths() const { return lengths_; }
    Lengths at_shares(double boom, double stick, double bucket) const;  // of their strokes

    // Where points are: ahead, left and up of the swing's axis.
    Vec3 tip() const;
    Vec3 bucket_pivot() const;
    Vec3 center_of_mass() const;  // with the carrier
    double mass() const { return mass_; }
    Vec3 point(BodyId, Vec3 local) const;
    Pose pose(BodyId) const;  // in those axes
    // How fast the tip goes if one cylinder is lengthened by 1 m/s.
    Vec3 tip_rate(size_t cylinder);
    // N, positive where it is pushed longer: what carries the arm's weight and the load's.
    std::array<double, most_cylinders> forces() const;

    // The point of lengths that has the bucket's pivot there, beginning from near ones: boom and stick.
    bool reach(double radius, double height);

  private:
    void guide(const Lengths&, const Lengths& rates);

    PartsFound parts_;
    Axes axes_;
    std::vector<DriveId> drives_;
    std::optional<World> world_;
    Lengths lengths_{};
    double mass_ = 0;
};

}  // namespace bristle::machines
