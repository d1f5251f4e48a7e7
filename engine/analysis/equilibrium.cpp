// Static equilibrium (spec A14): RᵀQ = 0 on the constraints.
//
// Downhill by pseudo-transient continuation: with RᵀMR = 1,
//
//     (1/h² + Rᵀ(K + λΦqq)R) dz = RᵀQ ,       q ← q + R dz, back onto the constraints,
//
// which for small h is a short step along the acceleration from rest, and for large h Newton's step. 1/h² is
// never below what makes the matrix positive definite, so dz always does positive work.
//
// Where contacts or stops decide, the world is stepped instead, and stopped whenever its kinetic energy has
// passed a maximum: it has then fallen through a place of least potential energy.
#include <bristle/analysis.h>

#include "analysis/small_motion.h"
#include "lagrange/measures.h"
#include "step/world_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle {

using namespace analysis;
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double longest_step = 0.2;  // of the model's size, and rad
constexpr int most_iterations = 1000;
constexpr int most_steps = 100000;

double scaled_size(const lagrange::System& s, const VectorXd& x, bool is_force) {
    double largest = 0;
    for (uint32_t e = 0; e < s.entity_count; ++e) {
        const double scale = is_force ? s.scale[e] : 1 / s.scale[e];
        largest = std::max(largest, scale * x.segment<3>(3 * static_cast<Eigen::Index>(e)).norm());
    }
    return largest;
}

// The largest of the forces that act: weights, springs and motors, users' forces.
double largest_force(const lagrange::System& s, const state::State& state) {
    std::vector<Vec4> size(s.entity_count, Vec4{}), gradient(s.measure_terms.size(), Vec4{});
    const auto add = [&](uint32_t e, Vec4 force) { size[e][0] += std::sqrt(dot(force, force)); };
    for (uint32_t e = 0; e < s.entity_count; ++e) add(e, s.weight[e]);
    for (const lagrange::MeasureForce& f : s.forces) {
        const lagrange::MeasureValue y = evaluate_measure(s, f.measure, state, gradient.data());
        const double effort = evaluate_force(s, f, y, state.time, state).effort;
        const lagrange::Measure& m = s.measures[f.measure];
        for (uint32_t k = m.first; k < m.first + m.count; ++k)
            add(s.measure_terms[k].entity, effort * gradient[k]);
    }
    const std::vector<Vec4> users = entities_of(users_forces(s, state));
    for (uint32_t e = 0; e < s.entity_count; ++e) add(e, users[e]);
    return scaled_size(s, flat(size), true);
}

class Downhill {
  public:
    explicit Downhill(const World& world)
        : system_(WorldAccess::system(world)),
          equations_(system_),
          state_(WorldAccess::state(world)),
          mass_(mass_matrix(system_)) {
        std::fill(state_.velocity.begin(), state_.velocity.end(), Vec4{});
        std::fill(state_.acceleration.begin(), state_.acceleration.end(), Vec4{});
        hold_relations(equations_, state_);
    }

    Equilibrium run() {
        if (!close_rows(equations_, state_))
            throw SimulationError("find_equilibrium: the joints do not close");
        look();
        double best = unlimited;
        for (int i = 0;; ++i) {
            // Newton ends where rounding does.
            const bool good = residual_ <= 1e-9 || residual_ * load_ <= 1e-12 * rounding_load_;
            if (residual_ <= 1e-14 || (good && residual_ > 0.5 * best)) return finish(i);
            if (i == most_iterations)
                throw SimulationError(
                    fmt::format("find_equilibrium: after {} iterations the forces still differ by "
                                "{:.2g} of the "
                                "largest; something may be free to fall, or go on for ever",
                                i, residual_));
            best = residual_;
            advance();
        }
    }
    const state::State& state() const { return state_; }

  private:
    // Forces, multipliers and tangent where the mechanism is now.
    void look() {
        equations_.evaluate_rows(state_);
        const TangentSpace space(equations_, state_);
        motion_ = space.free_motions(mass_);
        applied_ = applied_force(equations_, state_);
        force_ = motion_.transpose() * applied_;
        const VectorXd unbalanced = mass_ * (motion_ * force_);
        store_multipliers(equations_, space.multipliers_for(applied_ - unbalanced), state_);
        equations_.evaluate_forces(state_, state_.force);
        rounding_load_ = scaled_size(system_, flat(equations_.load), true);
        load_ = largest_force(system_, state_);
        residual_ = load_ > 0 ? scaled_size(system_, unbalanced, true) / load_ : 0;
        const Resistance r = resistance_along(equations_, state_, motion_);
        rounding_ = r.rounding;
        if (motion_.cols() > 0) stiffness_.compute(0.5 * (r.stiffness + r.stiffness.transpose()));
    }

    void advance() {
        const VectorXd k = stiffness_.eigenvalues();
        const double weakest = std::max(0.0, -k.minCoeff());
        if (inertia_ < 0) {
            // At first as far as a tenth of the longest step by the force alone.
            inertia_ = scaled_size(system_, motion_ * force_, false) / (0.1 * longest_step);
        }
        for (int tries = 0; tries < 60; ++tries) {
            const double inertia =
                std::max({inertia_, 2 * weakest, 1e-12 * k.cwiseAbs().maxCoeff()});
            const VectorXd along = stiffness_.eigenvectors().transpose() * force_;
            const VectorXd dz =
                stiffness_.eigenvectors() * (along.array() / (inertia + k.array())).matrix();
            VectorXd step = motion_ * dz;
            const double length = scaled_size(system_, step, false);
            if (length > longest_step) step *= longest_step / length;
            if (try_step(step)) {
                inertia_ = inertia * 0.2;
                return;
            }
            inertia_ = std::max(inertia, 1e-9 * k.cwiseAbs().maxCoeff()) * 8;
        }
        throw SimulationError(
            "find_equilibrium: no small step from here goes downhill; the joints may lock, or a "
            "force "
            "may jump");
    }

    // Taken if the forces do work on the way, but for rounding.
    bool try_step(const VectorXd& step) {
        const state::State before = state_;
        const VectorXd applied_before = applied_;
        const auto move = entities_of(step);
        for (size_t e = 0; e < move.size(); ++e) state_.position[e] += move[e];
        if (!close_rows(equations_, state_)) {
            state_ = before;
            return false;
        }
        count_turns(equations_, state_);
        const VectorXd way = flat(state_.position) - flat(before.position);
        const VectorXd there = applied_force(equations_, state_);
        const double work = 0.5 * (applied_before + there).dot(way),
                     size = (applied_before.cwiseAbs() + there.cwiseAbs()).dot(way.cwiseAbs());
        if (!std::isfinite(work) || work < -1e-10 * size) {
            state_ = before;
            return false;
        }
        look();
        return true;
    }

    Equilibrium finish(int iterations) {
        Equilibrium out{iterations, true, residual_};
        if (motion_.cols() > 0)
            out.is_stable = stiffness_.eigenvalues().minCoeff() > 10 * rounding_;
        return out;
    }

    const lagrange::System& system_;
    lagrange::Equations equations_;
    state::State state_;
    MatrixXd mass_, motion_;
    VectorXd applied_, force_;
    Eigen::SelfAdjointEigenSolver<MatrixXd> stiffness_;
    double residual_ = 0, rounding_ = 0;
    double load_ = 0, rounding_load_ = 0;  // the second with what cancels in stiff springs
    double inertia_ = -1;                  // 1/h²
};

double kinetic_energy(const World& world) { return world.energy().kinetic; }

// What accelerates the bodies, over the largest force.
double unbalance(World& world) {
    const lagrange::System& s = WorldAccess::system(world);
    const state::State& state = WorldAccess::state(world);
    std::vector<Vec4> inertia(s.entity_count, Vec4{});
    WorldAccess::solver(world).equations().momentum_of(state.acceleration, inertia);
    const double load = largest_force(s, state);
    return load > 0 ? scaled_size(s, flat(inertia), true) / load : 0;
}

Equilibrium let_it_die_out(World& world) {
    constexpr double quiet = 1e-8;
    const state::State start = WorldAccess::state(world);
    const auto stop = [&] {
        state::State state = WorldAccess::state(world);
        std::fill(state.velocity.begin(), state.velocity.end(), Vec4{});
        state.time = start.time;
        state.steps = start.steps;
        WorldAccess::solver(world).refresh_acceleration(state);
        WorldAccess::set_state(world, state);
    };
    try {
        stop();
        double before = 0;
        int calm = 0;
        for (int i = 1; i <= most_steps; ++i) {
            world.step();
            const double now = kinetic_energy(world);
            calm = unbalance(world) < quiet ? calm + 1 : 0;
            if (calm >= 3) {
                const double residual = unbalance(world);
                stop();
                return {i, true, residual};
            }
            if (now < before) {
                stop();
                before = 0;
            } else {
                before = now;
            }
        }
    } catch (...) {
        WorldAccess::set_state(world, start);
        throw;
    }
    WorldAccess::set_state(world, start);
    throw SimulationError(fmt::format(
        "find_equilibrium: the motion did not die out in {} steps; something may be free to "
        "fall or slide, or a drive moves",
        most_steps));
}

}  // namespace

Equilibrium find_equilibrium(World& world) {
    const lagrange::System& s = WorldAccess::system(world);
    if (!s.model().limits().empty() || !s.stateful.empty()
        || WorldAccess::solver(world).equations().contacts.can_touch())
        return let_it_die_out(world);
    Downhill search(world);
    const Equilibrium out = search.run();
    WorldAccess::set_state(world, search.state());
    return out;
}

}  // namespace bristle
