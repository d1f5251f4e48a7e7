// How far the two sides of a joint are apart, and how that changes when its bodies move.
//
// A joint gives rows: lengths in metres, and differences of unit vectors where directions must agree. Such a
// difference has its only minimum where the vectors are equal; a cross product would also be content with
// opposite ones. More rows than conditions (three for a direction, nine for a frame) do no harm.
#pragma once

#include "math/placement.h"
#include "model/joint_kind.h"

#include <vector>

namespace bristle::assembly {

struct GapRow {
    struct Gradient {
        Vec3 shift, turn;  // for a small displacement of the centre, and a small turn about it
    };
    double gap = 0;
    Gradient a, b;
    bool is_length = true;
};

// What a joint asks of its bodies, in their coordinates at the start.
class JointGap {
  public:
    JointGap(const Joint&, Vec3 center_a, Vec3 center_b);
    void append_rows(const Placement& a, const Placement& b, std::vector<GapRow>& out) const;

  private:
    model::Place place_;
    Vec3 arm_a_, arm_b_;  // from the centres
    Vec3 axis_;           // of a line, or normal of a plane, in a
    double length_ = 0;
    // Directions of a and b that become equal, and two that become perpendicular.
    std::vector<std::pair<Vec3, Vec3>> equal_, perpendicular_;
};

// The shortest turn that takes one unit vector to another.
Mat3 shortest_turn(Vec3 from, Vec3 to);
// exp of a rotation vector, and back.
Mat3 rotation_by(Vec3 angle);
Vec3 rotation_vector(const Mat3&);

}  // namespace bristle::assembly
