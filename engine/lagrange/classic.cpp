#include "lagrange/classic.h"

#include "mechanics/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::lagrange {
namespace {

// ω h of Baumgarte's terms when no frequency is given. An error Φ, hΦ̇ is multiplied in a step by
//     1 − c²/2   1 − cζ
//       −c²      1 − 2cζ        c = ωh,
// whose eigenvalues are within the unit circle for cζ < 1 and c < 4ζ. At c = ½, ζ = 1 they are 0.70 and
// 0.18: errors fade within some steps, and there is room for ζ up to 2.
constexpr double default_frequency_step = 0.5;
constexpr double apart = 0.1;  // of the model's size: joints that are open this far are not joints
constexpr int most_iterations = 12;

const char* name_of(const Settings& settings) {
    return std::holds_alternative<Baumgarte>(settings) ? "baumgarte"
         : std::holds_alternative<Penalty>(settings)   ? "penalty"
                                                       : "independent_coordinates";
}

template <class Element> std::string label(const Element& element, uint32_t index) {
    return element.name.empty() ? std::to_string(index) : "'" + element.name + "'";
}

void refuse(const Settings& settings, const std::string& what) {
    throw InputError(fmt::format("the formulation {} does not know {}; use augmented_lagrangian",
                                 name_of(settings), what));
}

}  // namespace

ClassicSolver::ClassicSolver(Solver& solver, const Settings& settings)
    : solver_(solver),
      equations_(solver.equations()),
      system_(solver.system()),
      matrix_(equations_.pattern()) {
    for (const Relation& r : system_.relations) {
        if (r.kind == Relation::Kind::drive) {
            const Drive& drive = system_.model().drives()[r.index];
            if (mechanics::is_hydraulic(drive))
                refuse(settings, "hydraulic drives, as drive " + label(drive, r.index));
            if (drive.max_effort < unlimited)
                refuse(settings, "drives of limited effort, as drive " + label(drive, r.index));
        }
        if (r.kind == Relation::Kind::limit_min || r.kind == Relation::Kind::limit_max)
            refuse(settings,
                   "limits, as limit " + label(system_.model().limits()[r.index], r.index));
    }
    if (!system_.stateful.empty())
        refuse(settings,
               "stateful forces, as force '" + system_.model().stateful_forces()[0].name + "'");
    if (equations_.contacts.can_touch())
        refuse(settings, "contacts, and the model's shapes can touch");
    if (const auto* s = std::get_if<Baumgarte>(&settings)) {
        frequency_ = s->frequency;
        damping_ = s->damping;
    } else if (const auto* p = std::get_if<Penalty>(&settings)) {
        frequency_ = p->frequency;
        damping_ = p->damping;
        is_penalty_ = true;
    } else {
        independent_.emplace(equations_);
    }
    if (frequency_ == 0) frequency_ = default_frequency_step / system_.settings.step;
    x_.assign(system_.entity_count, Vec4{});
    position_ = velocity_ = x_;
    held_.assign(system_.row_count(), 0);
    closure_held_.assign(system_.closures.size(), Vec4{});
}

void ClassicSolver::refresh(state::State& state) {
    if (independent_) independent_->start(state);
    equations_.time = state.time;
    solver_.set_targets(state, 0);
    if (!independent_) hold_stabilization(state);
    if (const char* reason = accelerate(state))
        throw SimulationError(fmt::format("at t = {:.6g} s {}", state.time, reason));
}

void ClassicSolver::step(state::State& state) {
    begin_ = state;
    const double h = system_.settings.step;
    const char* reason = nullptr;
    try {
        reason = attempt(state, h);
        if (reason && independent_) {
            state = begin_;
            solver_.set_targets(state, 0);
            if (independent_->choose_anew(state)) {
                ++solver_.statistics.coordinate_changes;
                begin_ = state;
                reason = attempt(state, h);
            }
        }
    } catch (...) {
        state = begin_;
        throw;
    }
    if (reason) {
        state = begin_;
        throw SimulationError(
            fmt::format("the step from t = {:.6g} s failed: {}; the state before it is kept",
                        state.time, reason));
    }
    state.time = static_cast<double>(++state.steps) * h;
    ++solver_.statistics.steps;
}

// The state's accelerations are those of the first stage: they are of this position, velocity and time.
const char* ClassicSolver::attempt(state::State& state, double h) {
    static constexpr std::array<double, 4> share = {1, 2, 2, 1};
    solver_.set_targets(state, 0);
    if (independent_) {
        if (independent_->keep_or_choose(state)) ++solver_.statistics.coordinate_changes;
    } else {
        hold_stabilization(state);
    }
    std::fill(position_.begin(), position_.end(), Vec4{});
    std::fill(velocity_.begin(), velocity_.end(), Vec4{});
    const auto move = [&](const std::vector<Vec4>& by, const std::vector<Vec4>& rate, double time) {
        for (uint32_t e = 0; e < system_.entity_count; ++e) {
            // In this order: `by` may be the velocity that is replaced.
            state.position[e] = fma(time, by[e], begin_.position[e]);
            state.velocity[e] = fma(time, rate[e], begin_.velocity[e]);
        }
    };
    for (size_t stage = 0;; ++stage) {
        for (uint32_t e = 0; e < system_.entity_count; ++e) {
            position_[e] = fma(share[stage] / 6, state.velocity[e], position_[e]);
            velocity_[e] = fma(share[stage] / 6, state.acceleration[e], velocity_[e]);
        }
        if (stage == 3) break;
        const double time = stage == 2 ? h : h / 2;
        move(state.velocity, state.acceleration, time);
        equations_.time = begin_.time + time;
        solver_.set_targets(begin_, time);
        if (const char* reason = accelerate(state)) return reason;
    }
    move(position_, velocity_, h);
    equations_.time = begin_.time + h;
    solver_.set_targets(begin_, h);
    if (independent_) {
        if (const char* reason = independent_->close(state)) return reason;
    } else {
        hold_stabilization(state);
    }
    if (const char* reason = accelerate(state)) return reason;
    if (!state::is_finite(state.position) || !state::is_finite(state.velocity)
        || !state::is_finite(state.acceleration))
        return "positions, velocities or accelerations are no longer finite; try a smaller step, "
               "and augmented_lagrangian where springs are stiff";
    equations_.evaluate_rows(state);
    if (!(equations_.largest_violation() < apart))
        return "joints are open by over a tenth of the model's size; try a smaller step, and "
               "augmented_lagrangian where springs are stiff";
    solver_.commit_modes(state, h);
    return nullptr;
}

// ---- Multipliers and penalty ---------------------------------------------------------------------

void ClassicSolver::hold_stabilization(const state::State& state) {
    equations_.evaluate_rows(state);
    const std::vector<double>& violation = equations_.violations();
    const std::vector<Vec4>& closure = equations_.closure_violations();
    const double stiffness = frequency_ * frequency_, damping = 2 * damping_ * frequency_;
    for (size_t i = 0; i < held_.size(); ++i) held_[i] = stiffness * violation[i];
    for (size_t i = 0; i < closure.size(); ++i) closure_held_[i] = stiffness * closure[i];
    equations_.evaluate_velocity_rows(state);
    for (size_t i = 0; i < held_.size(); ++i) held_[i] += damping * violation[i];
    for (size_t i = 0; i < closure.size(); ++i)
        closure_held_[i] = fma(damping, closure[i], closure_held_[i]);
}

const char* ClassicSolver::accelerate(state::State& state) {
    if (independent_) {
        ++solver_.statistics.factorizations;
        if (const char* reason = independent_->accelerate(state)) return reason;
    } else {
        solve_accelerations(state);
    }
    for (size_t i = 0; i < system_.relations.size(); ++i)
        if (equations_.relation[i].mode == RowMode::active)
            set_effort(state.memory, system_.relations[i],
                       -state.multiplier[system_.dots.size() + i]);
    return nullptr;
}

// Both equations at once by the augmented iteration,
//     (M + Jᵀ p J) Δq̈ = −(M q̈ + Jᵀλ − Q) − Jᵀ p c,   Δλ = p (c + J Δq̈),   c = J q̈ − γ + 2ζω Φ̇ + ω² Φ,
// which does not mind redundant rows. Its first round from λ = 0 is the penalty method.
void ClassicSolver::solve_accelerations(state::State& state) {
    const IntegratorWeights w{0, 0, 0, 1, 1};
    equations_.evaluate_rows(state);
    equations_.assemble_mass(matrix_);
    matrix_.factorize();
    ++solver_.statistics.factorizations;
    if (is_penalty_) {
        std::fill(state.acceleration.begin(), state.acceleration.end(), Vec4{});
        std::fill(state.multiplier.begin(), state.multiplier.end(), 0.0);
        std::fill(state.closure_multiplier.begin(), state.closure_multiplier.end(), Vec4{});
    }
    std::vector<double>& violation = equations_.violations();
    std::vector<Vec4>& closure = equations_.closure_violations();
    for (int i = 0; i < (is_penalty_ ? 1 : most_iterations); ++i) {
        equations_.evaluate_residual(state, w, state.acceleration, state.force);
        equations_.evaluate_acceleration_rows(state);
        for (size_t r = 0; r < held_.size(); ++r) violation[r] += held_[r];
        for (size_t c = 0; c < closure.size(); ++c) closure[c] += closure_held_[c];
        for (uint32_t e = 0; e < system_.entity_count; ++e) x_[e] = -equations_.residual[e];
        equations_.subtract_penalty_forces(1, x_.data());
        matrix_.solve(x_.data());
        equations_.update_multipliers(1, x_.data(), state);
        ++solver_.statistics.iterations;
        double change = 0, size = 0;
        for (uint32_t e = 0; e < system_.entity_count; ++e) {
            const double per_scale = 1 / (system_.scale[e] * system_.scale[e]);
            state.acceleration[e] += x_[e];
            change = std::max(change, dot(x_[e], x_[e]) * per_scale);
            size = std::max(size, dot(state.acceleration[e], state.acceleration[e]) * per_scale);
        }
        // A round leaves 1/p of its change, where the rows are independent.
        if (change <= 1e-18 * size) break;
    }
}

}  // namespace bristle::lagrange
