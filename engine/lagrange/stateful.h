// Stateful forces (bristle/stateful.h) in the augmented Lagrangian.
//
// A law gives the mean effort F̄ of a step. In the accelerations f₀ and f of its two ends it stands as shares with
// (1 − γ) f₀ + γ f = F̄, so that velocities change by h F̄ and no stiffness rings; afterwards f is made F̄ itself, and the
// accelerations follow by one solution with the matrix at hand. Of what is far stiffer than the step resolves the trapezoidal rule
// would turn the rate round in every step, for ever; so the law is asked a little beyond the end, and what it remembers at the very end,
//
//     ỹ = y + φ h/2 (ẏ − ẏ₀) ,   φ = ½
//
// which is of the order h² where motion is resolved, and turns rates round by −(1−φ)/(1+φ) where it is not. The tangent has the law's own
// derivatives,
//
//     R = (γh D + (βh² + φ γh²/2) K)/γ ,   T += Σ ½ (R + Rᵀ)ᵢⱼ gᵢ gⱼᵀ
//
// with g the gradient of a way: of a joint's coordinate, or of what of the body is at a point that goes along with its frame and does not
// turn, along an axis that stays as it was aimed. (A material point would carry the weight on a wheel round with it.)
#pragma once

#include "lagrange/integrator.h"
#include "lagrange/system.h"
#include "mechanics/stateful.h"
#include "state/state.h"

#include <span>
#include <vector>

namespace bristle::lagrange {

class StatefulForces {
  public:
    explicit StatefulForces(const System&);

    bool empty() const { return forces_.empty(); }
    static void start_memory(const System&, state::State&);

    // A step begins: points are aimed, and until it is settled or paused forces are what laws answer.
    void start(const state::State& begin, const IntegratorWeights&);
    // Of a rough step, which is implicit Euler's: the law is asked where it ends, and its answer is the force.
    void start_rough(const state::State& begin, double h);
    // Of a step in which nothing has moved after all.
    void stay(const state::State& begin, state::State& end, double h);
    // The same step by another rule.
    void weigh(const IntegratorWeights& w) { weights_ = w; }
    void pause(bool paused) { is_stepping_ = !paused; }
    bool is_stepping() const { return is_stepping_; }

    // Measures and their gradients, where the trial state is.
    struct Rows {
        std::span<const MeasureValue> measure;
        std::span<const Vec4> gradient;  // of every measure term
    };
    // out −= factor · force; of a step what laws answer in this state, otherwise the shares that it remembers.
    void subtract(const state::State&, const Rows&, double time, double factor, Vec4* out,
                  Vec4* load);
    // `exact`, or so that nothing is taken off the matrix. `blocks` are those of the rows.
    void add_tangent(const state::State&, const Rows&, double time, const IntegratorWeights&,
                     bool exact, const std::vector<uint32_t>& blocks, Block3* out);
    // Effort of the end of a way of a measure, for its curvature: visit(measure, effort).
    template <class Visit> void for_each_effort(const Visit& visit) const {
        for (size_t i = 0; i < forces_.size(); ++i)
            for (size_t k = 0; k < system_.stateful[i].measures.size(); ++k)
                visit(system_.stateful[i].measures[k], end_share(forces_[i], k));
    }

    // Of a rough step: efforts as they are asked for, falling with the change of velocity, each way by itself.
    void assemble_resistance(double h, const std::vector<uint32_t>& blocks, Block3* out);
    void add_resistance(const Vec4* x, Vec4* out) const;
    void conclude_impulses(const Vec4* change, double h);

    // J: of the mean efforts, on the way to this state.
    double work(const state::State&);
    // The step ends in this state: what laws remember goes into it, with mean efforts as shares.
    void settle(state::State&, double time);
    // Force that the accelerations do not have yet …
    void add_share_changes(Vec4* out) const;
    // … and what of it tangents have resisted; not if `factor` is zero.
    void accept_share_changes(const Vec4* x, double factor, state::State&) const;
    // In a copy of a state: as if the mean efforts were those of its very end.
    void share_means(state::State&) const;
    bool is_finite() const;
    // The name of a force that has no finite answer; empty if there is none.
    std::string fault() const;

  private:
    struct Force {
        mechanics::StatefulStep step;
        std::vector<Vec4> gradient;      // of every way, of every entity
        std::vector<double> share;       // of every way: f₀ …
        std::vector<double> mean, end;   // … F̄, and f in the step that is settled
        std::vector<double> assembled;   // ½ (R + Rᵀ) of the last tangent
        std::vector<double> resistance;  // of every way, of a rough step
        struct Point {
            Vec3 origin, arm,
                spin;  // of the body's frame when the step began; to the point; of the body
        };
        std::vector<Point> points;
        std::vector<Vec3> places;     // of points, where the step ends
        std::vector<uint32_t> slots;  // of every measure term, by measures: which of the entities
        bool is_asked = false;
    };
    double end_share(const Force&, size_t way) const;
    void find_ends(Force&, const StatefulElement&, const state::State&, const Rows&, double lead);
    void place_rows(Force&, const StatefulElement&, const Rows&) const;
    void ask(Force&, const StatefulElement&, const state::State&, const Rows&, double time);
    Rows rows_of(const state::State&);
    void add_force(const Force&, const StatefulElement&, size_t way, double effort,
                   Vec4* out) const;
    double along(const Force&, const StatefulElement&, size_t way, const Vec4* x) const;
    void place_point(Force&, const StatefulElement&, size_t point, const Vec4* position);
    void find_point_end(Force&, size_t point, const state::State&, double end[3],
                        double rate[3]) const;

    const System& system_;
    std::vector<Force> forces_;
    IntegratorWeights weights_{};
    bool is_stepping_ = false;
    double lead_ = 0;  // s: φ h/2
    std::vector<Vec4> unit_;
    std::vector<MeasureValue> measure_;  // of states that are not the trial one
    std::vector<Vec4> gradient_;
};

}  // namespace bristle::lagrange
