// All that is not contact as rows: joints, gears, rotors, drives, limits, springs, bushings and motors.
//
// Which rows there are, and between which groups, is settled once; a step fills in what they are now. Where a
// coordinate y of a joint is concerned, with J its gradient and y₊ = y(q ⊕ h v₀) where it would go by itself:
//
//   joint         J v = J v₀ − Φ₊/h, again from the velocity that gave if Φ is not zero there
//   drive         J v = the rate that is asked for, or J v₀ + (r − y₊)/h;  |λ| ≤ h · effort
//   hydraulic     J v = ± speed with λ ≤ h · effort one way, any the other; and a stop at what it has won (D5)
//   limit         J v ≥ J v₀ + (min − y₊)/h, λ ≥ 0;  in the step after an impact J v ≥ what it leaves with
//   rotor         λ = −I ratio² J (v − v₀)
//   spring        λ = −h (F + θ k (x₊ − x − h J v₀) + θ k h J v + d J (v − v₀)), x its extension
//   stateful      λ = h (F − R J (v − v*)), F and R what its law answers where the velocity v* leads (mechanics/stateful.h);
//                 rows are combinations of its ways, in which R is diagonal
//
// Tension in joints makes a body stiff against turning (the geometric stiffness λ Φqq): a link of inertia I and length l
// in a chain of tension T swings with ω² = T l / I, and a rule that takes the direction of T where the step begins
// explodes beyond h ω = 2. So with s rising from 0 at h ω = 1 to 1 at (h ω)² = 3, T being that of the step before, a joint holds
//
//   J v = (1 − s) (J v₀ − Φ₊/h) − s ε Φ/h
//
// SHAKE while that is safe, which keeps energy, and the dissipative rule of GRI (36) where it is not; and turning is
// resisted by h² T l · s as an implicit spring would.
//
// What strikes a stop is treated as what strikes a surface (manifolds.h): it arrives there in one step and leaves in the next with ε w − a h/2,
// w² = (u + a h/2)² + 2 a g. What pulls it to the stop, a, is known from the rates of the last two steps: a hinge turns by the weight of all that
// hangs on it. (Leaving from where it was, up to h u before the stop, it came back from there: as if ε were larger by h a/u.) In the parts of a step
// that is swept this is too little to matter, and it turns back where it is.
//
// A spring is taken at the beginning of the step (θ = 0), which is symplectic and keeps energy, while h ω < 1
// allows; beyond that it is weighted towards the end, θ = 1 − 1/(h ω)², and stays stable however stiff.
#pragma once

#include "impulse/joints.h"
#include "mechanics/force_laws.h"
#include "mechanics/stateful.h"

#include <utility>

namespace bristle::impulse {

class Mechanism {
  public:
    Mechanism(const Model&, const Groups&, double step);

    struct Element {
        enum class Kind : uint8_t {
            joint,
            screw,
            gear,
            rotor,
            drive,
            limit,
            spring,
            joint_spring,
            bushing,
            motor,
            stateful
        } kind;
        uint32_t index;  // in the model, among its kind
        uint32_t first_row, row_count;
        bool moves_by_itself;  // a function of time may start it: it must not sleep
    };

    std::span<const Element> elements() const { return elements_; }
    Rows& rows() { return rows_; }
    const Rows& rows() const { return rows_; }
    // Moving groups that are in some row, increasing.
    std::span<const uint32_t> groups() const { return moving_; }
    bool has(uint32_t group) const { return is_moved_[group]; }
    double inverse_mass(uint32_t group) const { return groups_[group].inverse_mass; }
    const JointGeometry& joint(JointId id) const { return joints_[id.index]; }

    // Counted angles, references and commands.
    std::vector<double> start_memory(std::span<const GroupMotion>, double time) const;
    double& command(std::vector<double>& memory, DriveId) const;
    double& command(std::vector<double>& memory, uint32_t motor) const;
    double command(const std::vector<double>& memory, uint32_t motor) const;
    void carry_drive(std::vector<double>& memory, DriveId, const Mechanism& from,
                     const std::vector<double>& its_memory, DriveId its) const;
    void carry_limit(std::vector<double>& memory, LimitId, const Mechanism& from,
                     const std::vector<double>& its_memory, LimitId its) const;
    void retarget(std::vector<double>& memory, DriveId, double value) const;
    std::span<double> stateful_memory(std::vector<double>& memory, uint32_t index) const;
    void carry_stateful(std::vector<double>& memory, uint32_t index, const Mechanism& from,
                        const std::vector<double>& its_memory, uint32_t its) const;

    // Where groups are when the (sub)step begins; those that are not in rows do not matter.
    void place(uint32_t group, const GroupMotion&, double h);
    // Of a group whose elements have been evaluated: to be added to its inertia as if it stood still.
    double added_stiffness(uint32_t group) const { return now_[group].stiffness; }
    // Equations are taken where the step ends with this velocity, which is thought to be near the solution.
    void expect(uint32_t group, const GroupMotion&, Vec3 velocity, Vec3 spin, double h);
    // A step of length h begins: where all ways of stateful forces are, and where their points act.
    void start_stateful(std::span<const GroupMotion>, double h, double end_time,
                        const std::vector<double>& memory, const Scenery*);
    // Whether some law answered otherwise than the last solution had it, since the last time this was asked.
    bool take_unsettled() { return std::exchange(is_unsettled_, false); }
    // Fills in the rows of an element for a step of length h that ends at `time`.
    // Joints are closed where the step ends if they are solved exactly; sweeps, which leave errors, mend them
    // gently.
    // Or only errors of position count, where groups are placed.
    enum class Closing : uint8_t { exact, gentle, positions };
    void evaluate(const Element&, double h, double time, const std::vector<double>& memory,
                  double resting_speed, Closing);
    // How far joints were off where the step was expected to end, over the lengths of their arms, since the
    // last time this was asked.
    double take_worst_error() { return std::exchange(worst_error_, 0.0); }
    // Whether some joint could not be closed exactly for its tension, since the last time this was asked.
    bool take_tension() { return std::exchange(is_tense_, false); }
    // The rows of an element ask for nothing.
    void silence(const Element&);
    // After a solution that was none: as if it had asked for nothing.
    void halt(const Element&);
    // One side of a limit in a step; rates are those of the joint's coordinate, negative towards the stop.
    struct Stop {
        bool arrives;  // what strikes does so at the end of the step, and leaves in the next
        double gap, approach;  // where the step begins
        double pull;           // by which it comes ever faster
        double leaving;        // what it leaves with in this step; 0: it does not
        double impact = 0;     // rate that it struck with in this step …
        double next = 0;       // … what it leaves with in the next …
        double held = 0;       // … and J that it may be given back
    };
    std::span<Stop, 2> stops(const Element& limit) {
        return std::span<Stop, 2>(&stops_[size_t{2} * limit.index], 2);
    }
    // After the solution: who struck, and how fast.
    void find_impacts(const Element& limit, double h, double resting_speed);
    // Afterwards, with the groups placed where they are now: efforts and work of a step h long, references follow; and then, of all
    // of them, angles are counted.
    void conclude(const Element&, double h, double time, std::vector<double>& memory);
    void count_angle(const Element&, std::vector<double>& memory) const;

    // What can be read of it, by groups placed at rest (h = 0).
    double coordinate(JointId, const std::vector<double>& memory) const;
    double rate(JointId) const;
    double angle(JointId) const;  // −π … π
    double effort(DriveId, const std::vector<double>& memory) const;
    double work(DriveId, const std::vector<double>& memory) const;
    double effort(LimitId, double h) const;
    // Of a spring; resisting effort of a joint spring.
    double tension(Model::ForceRef, const std::vector<double>& memory) const;
    double spring_length(uint32_t spring) const;
    double stored_energy(const std::vector<double>& memory, double h);  // in springs
    // The bodies an element acts on.
    std::pair<BodyId, BodyId> bodies_of(const Element&) const;
    // Of one of its rows, if its rows act on different ones.
    std::pair<BodyId, BodyId> bodies_of(const Element&, uint32_t row) const;
    // What stateful forces did in the last step, with groups placed.
    struct StatefulLoad {
        BodyId body;
        Vec3 force, at, torque;
    };
    void add_stateful_loads(const std::vector<double>& memory,
                            std::vector<StatefulLoad>& out) const;
    const Placement& frame(uint32_t group) const { return now_[group].frame; }

  private:
    struct MovingGroup {
        Placement frame, ahead;                       // now, and where it would go by itself
        Vec3 velocity, angular_velocity;              // expected
        Vec3 start_velocity, start_angular_velocity;  // when the step begins
        double stiffness = 0;                         // kg m²: h² T l of all joints, times s
        double lag = 0;                               // s
    };
    struct Value {
        double now, ahead, rate;
    };
    struct BushingState {
        Mat3 axes;  // of a's side
        Vec3 at, shift, tilt;
    };
    enum DriveMemory : uint8_t {
        command_memory,
        reference_memory,
        effort_memory,
        work_memory,
        drive_memory_size
    };
    enum LimitMemory : uint8_t {
        acceleration_memory,
        leaving_memory,  // along the coordinate
        held_memory,
        limit_memory_size
    };

    void lay_out_memory();
    uint32_t add_element(Element::Kind, uint32_t index, uint32_t rows,
                         const std::vector<uint32_t>& groups, bool moves_by_itself);
    void fill(Row&, const JointGeometry::Sides&, uint32_t a, uint32_t b, double factor);
    void clear(Row&);
    double stiffen(const JointGeometry&, Vec3 impulse, double h);
    double rate_of(const Row&) const;
    double start_rate_of(const Row&) const;
    static double rate_along(const JointGeometry::Sides&, const MovingGroup& a,
                             const MovingGroup& b);
    void weigh(Row&);
    void set_hard(Row&, double rate, double calm_rate, double low, double high) const;
    void set_hard(Row&, double rate, double calm_rate, double low, double high, double gain) const;
    void set_spring(Row&, double h, const mechanics::Resistance&, double rate, double bent,
                    double arms);
    static double share_of_end(const Row&, double h, double stiffness);
    double arms_of(const JointGeometry&) const;
    static void set_free(Row&, double offset, double gain);
    double within_stops(JointId, double place) const;
    Value value_of(JointId, const std::vector<double>& memory) const;
    void coordinate_row(Row&, JointId, double factor);
    void evaluate_joint(Row*, const Element&, double h, Closing);
    void evaluate_screw(Row&, uint32_t joint, double h);
    void evaluate_gear(Row&, uint32_t gear, double h, const std::vector<double>& memory);
    void evaluate_drive(Row*, uint32_t drive, double h, double time, const std::vector<double>&);
    void evaluate_limit(Row*, uint32_t limit, double h, const std::vector<double>&,
                        double resting_speed, Closing);
    Stop stop_of(const Row&, uint32_t limit, int side, double gap, double h,
                 const std::vector<double>&, double resting_speed, Closing) const;
    void conclude_drive(const Element&, double h, double time, std::vector<double>& memory) const;
    void conclude_limit(const Element&, double h, std::vector<double>& memory) const;
    BushingState bushing_state(const Bushing&, Placement MovingGroup::*where) const;
    void evaluate_bushing(Row*, const Bushing&, double h);
    struct Stateful {
        mechanics::StatefulStep step;
        std::vector<Vec3> places,
            arms;  // of points: where the step ends, from the groups' centres; as the step began
        // L, D and L⁻¹ F of the rows there are (stateful.cpp); after L the largest that D may be.
        std::vector<double> lower, pivot, along;
    };
    void add_stateful_rows();
    void make_stateful();
    void couple_ways(Row*, Stateful&, double h);
    double impulse_along(const Row*, const Stateful&, size_t way) const;
    void evaluate_stateful(Row*, uint32_t index, double h, const std::vector<double>& memory);
    void conclude_stateful(const Row*, uint32_t index, double h, std::vector<double>& memory);
    double drive_target(uint32_t drive, double time, const std::vector<double>& memory) const;
    double counted(JointId, double angle, const std::vector<double>& memory) const;

    const Model model_;
    const Groups& groups_;
    std::vector<JointGeometry> joints_;
    std::vector<JointGeometry> spring_ends_;  // a distance between the ends of every spring
    std::vector<JointGeometry> bushing_frames_;
    std::vector<Element> elements_;
    std::vector<uint32_t> element_of_drive_, element_of_limit_;
    std::vector<double> held_difference_;  // of gears and screws
    Rows rows_;
    std::vector<uint32_t> moving_;
    std::vector<bool> is_moved_;  // of every group: it is in some row
    double step_;                 // s
    double worst_error_ = 0;
    bool is_tense_ = false;
    std::vector<Stateful> stateful_;
    double stateful_step_ = 0, stateful_end_ = 0;  // s: of the whole step
    bool is_unsettled_ = false;
    std::vector<MovingGroup> now_;
    std::vector<Stop> stops_;  // two of every limit
    // Restitution of every limit. A piston behind a valve does not go back: its oil and the stop would press against each other.
    std::vector<double> returned_;
    uint32_t first_drive_memory_ = 0, first_limit_memory_ = 0, first_motor_memory_ = 0,
             memory_size_ = 0;
};

}  // namespace bristle::impulse
