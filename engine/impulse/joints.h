// Joints as rows.
//
// A joint's equations Φ = 0 are solved for where the step ends. With v₀ the velocity when it begins,
//
//   Φ(q ⊕ h v) ≈ Φ(q ⊕ h v₀) + h J (v − v₀) = 0     ⇒     J v = J v₀ − Φ(q ⊕ h v₀)/h
//
// so errors do not pile up, and the turning of arms within the step (the centrifugal term, which J v = 0 with
// Baumgarte's correction leaves out) is in it: the rule is SHAKE's, and a pendulum keeps its energy.
//
// Where side a and side b of a joint are is kept in the frames of their groups. In a planar model only the rows
// that the plane leaves are made.
#pragma once

#include "impulse/bodies.h"
#include "impulse/rows.h"
#include "math/placement.h"
#include "model/joint_kind.h"

#include <optional>
#include <span>
#include <vector>

namespace bristle::impulse {

class JointGeometry {
  public:
    JointGeometry(const Model&, const Groups&, const Joint&, bool is_free_in_length);

    static constexpr int most_rows = 6;
    int rows() const { return rows_; }
    uint32_t group_a() const { return group_a_; }
    uint32_t group_b() const { return group_b_; }
    bool is_counted() const { return kind_.coordinate == model::CoordinateKind::angle; }

    void errors(const Placement& a, const Placement& b, double* out) const;
    // Of every row: what b's motion contributes, and a's.
    struct Sides {
        Vec3 linear_a, angular_a, linear_b, angular_b;
    };
    void jacobian(const Placement& a, const Placement& b, Sides* out) const;

    // Angle (−π … π, about a's axis), displacement, length or swing.
    double coordinate(const Placement& a, const Placement& b) const;
    Sides coordinate_row(const Placement& a, const Placement& b) const;
    double displacement(const Placement& a, const Placement& b) const;
    double angle(const Placement& a, const Placement& b) const;
    Sides displacement_row(const Placement& a, const Placement& b) const;
    Sides angle_row(const Placement& a, const Placement& b) const;
    Vec3 point_a(const Placement& a) const { return a.position + a.rotation * at_a_; }
    Vec3 point_b(const Placement& b) const { return b.position + b.rotation * at_b_; }
    Vec3 axis_a(const Placement& a) const { return a.rotation * axis_in_a_; }
    Vec3 axis_b(const Placement& b) const { return b.rotation * axis_in_b_; }

  private:
    void add_directions();

    model::JointKind kind_;
    uint32_t group_a_, group_b_;
    Vec3 at_a_, at_b_;            // in the groups' frames, from their centres
    Vec3 axis_in_a_, axis_in_b_;  // the joint's axis on either side
    Vec3 mark_in_a_, mark_in_b_;  // perpendicular to it: they meet at angle zero
    Mat3 turn_;                   // b's frame in a's, while nothing has turned
    double length_ = 0, start_angle_ = 0;
    bool is_azimuth_ =
        false;  // the angle of a turn gauge: b's mark may leave the plane across the axis
    std::optional<Vec3> plane_;  // the normal of a planar model …
    Vec3 normal_in_a_;           // … which does not turn in a's frame

    // The rows, in this order.
    std::vector<Vec3> world_;  // point on point, along directions of the world
    std::vector<Vec3> fixed_;  // point on line or plane, along directions fixed in a
    int align_ = 0;            // b's axis along a's: two rows, about directions perpendicular to it
    std::vector<Vec3> orient_;  // no turn about these directions of a
    bool is_crossed_ = false;   // axes of a universal joint
    bool has_length_ = false;
    int rows_ = 0;
};

}  // namespace bristle::impulse
