// Where a step ends if nothing changes: what Newton's method starts from, and the motion that the integrator's error is
// measured from.
//
// Newmark's rule says q = q̂ + βh² q̈ and q̇ = q̂̇ + γh q̈. With any motion f that begins as the mechanism does, f(0) = q₀, ḟ(0) = q̇₀,
// f̈(0) = q̈₀, these are, but for the third derivative of f,
//
//     q = f(h) + βh² (q̈ − f̈(h)),    q̇ = ḟ(h) + γh (q̈ − f̈(h))
//
// and the error is h³/12 of the third derivative of q − f instead of q. The plain choice of f is a parabola for every entity.
// It serves points; but a vector that turns with ω has the third derivative −ω² q̇. So a wheel turned by 2 atan(hω/2) in a step
// instead of hω, and a torque on it lost (hω)²/2 of its effect, because what it did at the beginning was counted
// along where the wheel pointed then. So f turns what turns, of a group with ω₀, α₀ at the beginning and α at the end by
//
//     ω = I⁻¹ (I₀ ω₀ + h/2 (τ₀ + τ)),   τ = I α + ω × I ω,   φ = h/2 (ω₀ + ω) − h²/12 ω₀ × ω
//     f(h) = b + R r,   ḟ = ḃ + ω × Rr,   f̈ = b̈ + α × Rr + ω × (ω × Rr),   R = exp φ,   I = R I₀ Rᵀ
//
// for every entity that was made for the group, at r from its base b. The base belongs to a group before, or to the ground; or it is
// the group's own, and the centre of mass moves by the plain rule. The last term of φ is what turns about different axes do not
// commute by (Magnus). Momentum I ω instead of ω, because that of a fast top turns far less. The rule is the trapezoidal
// one on the rotation group then, symmetric in time; energy comes and goes and does not drift. (Of rods, and with other β and γ,
// Newmark's rule for ω and φ themselves.)
//
// α at the end is not known at first: τ₀ stands for τ, and it is renewed with Newton's iterations. Until then it is explicit, and gains
// energy, by hω/2 of the change.
//
// Slow turns are left on their parabolas, which cost one iteration less.
#pragma once

#include "lagrange/integrator.h"
#include "lagrange/numerics.h"
#include "lagrange/system.h"
#include "state/state.h"

namespace bristle::lagrange {

class Prediction {
  public:
    explicit Prediction(const System&);

    // What a step with these weights starts from.
    void predict(const state::State& begin, const IntegratorWeights& w, state::State& out) {
        if (w.is_midpoint || w.inertia != 1 || w.force != 1)
            start_parabolas(begin, w.step, out);
        else
            start(begin, w, out);
    }
    // Every entity on its parabola: what the midpoint rule and the other relatives of Newmark's start from.
    void start_parabolas(const state::State& begin, double h, state::State&);
    // The motion f above.
    void start(const state::State& begin, const IntegratorWeights&, state::State&);
    // The same with what is known by now, after some iterations, of the accelerations at the end. Each time, what is wrong with
    // it becomes hω/2 of what it was.
    bool gains_by_renewal(int iterations) const {
        double left = fastest_;
        for (int i = 0; i < iterations; ++i) left *= fastest_;
        return iterations < most_renewals && left > worth_renewal;
    }
    void renew(const state::State& begin, const IntegratorWeights&, state::State&);

    struct Turn {
        Vec4 spin, acceleration;
    };
    // Assemblies of several bodies that no joint holds to the ground.
    struct Floating {
        uint32_t assembly = 0;
        std::vector<uint32_t> groups, points, vectors;
        double mass = 0;
        bool is_fast = false;  // something of it is, in this step
    };
    const std::vector<Floating>& floating() const { return floating_; }

  private:
    struct Path {
        Vec4 angle, spin, acceleration;  // the last two at the end
    };
    // With the angular acceleration at the end, or none if that is not known yet.
    Path path_of(const Turning&, const state::State& begin, const Turn&, const Vec4* alpha,
                 const IntegratorWeights&) const;
    void place(const Turning&, const state::State& begin, const Turn&, const Vec4* alpha,
               const IntegratorWeights&, state::State& out) const;

    // The centre of what flies freely keeps to Newmark's rule itself, so that joint forces cancel in its momentum.
    void keep_momentum(const state::State& begin, const IntegratorWeights&, state::State&) const;

    const System& system_;
    std::vector<Floating> floating_;
    std::vector<uint32_t> floating_of_;  // every turning; or none
    // Of every turning, in this step.
    struct Start {
        Turn begin;
        bool is_fast;
    };
    std::vector<Start> turns_;
    double fastest_ = 0;  // hω of those that are
};

}  // namespace bristle::lagrange
