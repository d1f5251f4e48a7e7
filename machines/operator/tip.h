// How the operator's hands bring the teeth somewhere: levers from wanted speeds, and wanted speeds from where the teeth are to be.
//
// A valve with flow sharing lets through what its opening says, whatever the load, as long as the pump keeps up. So a lever is first
// set by the wanted speed (dead band, area, opening, the pump's margin at that flow), and corrected by what is seen:
//
//     v = v_wanted + k (l_wanted − l) + k_i ∫ (l_wanted − l) dt          for each cylinder's length l
//
// If all together want more than the pump gives, all are slowed alike, and so is the point that the teeth follow.
#pragma once

#include "machines/operator/excavator.h"

#include <array>
#include <vector>

namespace bristle::machines {

class ArmServo {
  public:
    explicit ArmServo(const Excavator& excavator) : excavator_(&excavator) {}

    // Keeps the cylinders at these lengths while they move at these rates, for dt. What share of the rates the pump can give.
    double follow(const Senses&, const Cylinders& lengths, const Cylinders& rates, double dt,
                  Hands&);
    // There, each as fast as it can; whether all are within a tolerance, m.
    bool go(const Senses&, const Cylinders& lengths, double tolerance, Hands&);
    void forget() { integral_ = {}; }

  private:
    double set_levers(const Cylinders& rates, Hands&) const;
    const Excavator* excavator_;
    Cylinders integral_{};
};

// Swings by what is left, left or right, or to an angle against the undercarriage, the shorter way; whether it is there and stands.
bool swing_by(const Excavator&, const Senses&, double left, double tolerance, Hands&);
bool swing_to(const Excavator&, const Senses&, double angle, double tolerance, Hands&);

// A line through places of the world that the teeth go along.
class TipPath {
  public:
    struct Knot {
        Vec3 point;          // world
        double attack = 0;   // rad: of the bucket against the horizontal
        double speed = 0.5;  // m/s: towards this knot
    };
    explicit TipPath(std::vector<Knot> knots);

    enum class State : uint8_t { going, arrived, out_of_reach };
    // Moves the point to be followed and the levers after it. It waits for teeth that do not keep up.
    State follow(const Excavator&, const Senses&, ArmServo&, double dt, Hands&);
    double error() const { return error_; }    // m: of the teeth, in the arm's plane
    double travelled() const { return way_; }  // m: of the point
    double length() const { return ends_.back(); }
    // Everything ahead is higher by so much: what resists too much is left to the next pass.
    void raise(double by);

  private:
    struct At {
        Vec3 point;
        double attack = 0, speed = 0;
    };
    At at(double way) const;
    double allowed_speed(double way) const;

    std::vector<Knot> knots_;
    std::vector<double> ends_;  // m, along the line, of every knot
    double way_ = 0, speed_ = 0, error_ = 0;
};

}  // namespace bristle::machines
