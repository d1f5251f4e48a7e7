// Who is solved how: thin islands directly, the others by sweeps.
#include "impulse/numerics.h"
#include "impulse/solver.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {

IslandView ImpulseSolver::parts_of(size_t candidate) const {
    const uint32_t island = candidates_[candidate];
    return {
        islands_.groups(island),
        islands_.manifolds(island),
        {rows_.data() + row_start_[candidate], row_start_[candidate + 1] - row_start_[candidate]}};
}

int ImpulseSolver::most_iterations(const IslandView& parts) const {
    return settings_.iterations * (parts.rows.empty() ? 1 : mechanism_factor);
}

template <int N>
void ImpulseSolver::solve_directly(const StepView& step,
                                   std::vector<std::unique_ptr<DirectSolver<N>>>& solvers) {
    for (size_t i = 0; i < candidates_.size(); ++i)
        if (auto& own = solvers[first_group(i)]; !own) own = std::make_unique<DirectSolver<N>>();
    jobs_->run(static_cast<uint32_t>(candidates_.size()), [&](uint32_t i) {
        if (!is_open_[i]) return;
        const IslandView parts = parts_of(i);
        DirectSolver<N>& own = *solvers[first_group(i)];
        const int count = own.prepare(step, parts)
                            ? own.solve(step, parts, most_iterations(parts), plane_normal_)
                            : DirectSolver<N>::failed;
        iterations_[i] = count == DirectSolver<N>::failed ? not_direct : iterations_[i] + count;
    });
}

template <int N>
void ImpulseSolver::calm_directly(const StepView& step,
                                  std::vector<std::unique_ptr<DirectSolver<N>>>& solvers) {
    jobs_->run(static_cast<uint32_t>(candidates_.size()), [&](uint32_t i) {
        if (iterations_[i] == not_direct) return;
        DirectSolver<N>& own = *solvers[first_group(i)];
        const IslandView parts = parts_of(i);
        const int count = own.calm(step, parts, most_iterations(parts));
        if (count == DirectSolver<N>::failed) return take_back(step, i);
        iterations_[i] += count;
        if (settings_.impacts == Impulse::Impacts::in_turn)
            own.strike_in_turn(step, parts, resting_speed_, settings_.iterations);
    });
}

// As if it had not been solved: for sweeps, with nothing to start from.
void ImpulseSolver::take_back(const StepView& step, size_t candidate) {
    iterations_[candidate] = not_direct;
    const IslandView parts = parts_of(candidate);
    for (uint32_t g : parts.groups) {
        velocity_[g] = step.motion[g].velocity;
        spin_[g] = step.motion[g].angular_velocity;
    }
    for (uint32_t k : parts.manifolds) {
        const Manifold& m = contacts_.manifolds[k];
        for (uint32_t i = m.first; i < m.first + m.count; ++i) {
            contacts_.points[i].impulse = 0;
            contacts_.points[i].friction = {};
        }
    }
}

// Resists turning by what tension in the joints does (mechanism.h).
void ImpulseSolver::stiffen(uint32_t g) {
    const double added = mechanism_.added_stiffness(g);
    if (!(added > 1e-9 * inertia_[g].trace())) return;
    const Vec3 momentum = inertia_[g] * free_spin_[g];
    inertia_[g] = inertia_[g] + added * Mat3::identity();
    inverse_inertia_[g] = model_.plane_normal
                            ? (1 / dot(plane_normal_, inertia_[g] * plane_normal_))
                                  * Mat3::outer(plane_normal_, plane_normal_)
                            : inverse(inertia_[g]);
    free_spin_[g] = inverse_inertia_[g] * momentum;
}

// With the gyroscopic term between the spin it had and that of the last solution. True if that is another.
bool ImpulseSolver::renew_free_spin(const GroupMotion& m, uint32_t g) {
    if (!turns(groups_[g], m.angular_velocity) && !turns(groups_[g], spin_[g])) return false;
    const Mat3 inertia = in_world(groups_[g].inertia, rotation_[g]);
    const Vec3 mean = 0.5 * (m.angular_velocity + spin_[g]), had = free_spin_[g];
    const double h = settings_.step;
    // Faster than that it does not settle, and the spin of a body alone does.
    if (h * norm(m.angular_velocity) > fastest_renewed || h * norm(mean) > fastest_renewed)
        return false;
    free_spin_[g] = inverse_inertia_[g]
                  * (inertia * m.angular_velocity + h * cross(inertia * mean, mean)
                     + (model_.user_forces().empty() ? Vec3{} : h * users_torque_[g]));
    return norm(free_spin_[g] - had) > same_spin * norm(mean);
}

// The rows of an island, taken where its present velocities lead.
void ImpulseSolver::evaluate(const ImpulseState& state, uint32_t island) {
    const double h = settings_.step;
    for (uint32_t g : islands_.groups(island))
        if (mechanism_.has(g)) mechanism_.expect(g, state.motion[g], velocity_[g], spin_[g], h);
    for (uint32_t e : islands_.elements(island))
        mechanism_.evaluate(mechanism_.elements()[e], h, state.time + h, state.memory,
                            resting_speed_, Mechanism::Closing::exact);
}

void ImpulseSolver::solve(const ImpulseState& state) {
    for (size_t r = 0; r < state.row_impulses.size(); ++r)
        mechanism_.rows().rows[r].impulse = state.row_impulses[r];
    if (scenery_) scenery_->refresh();
    mechanism_.start_stateful(state.motion, settings_.step, state.time + settings_.step,
                              state.memory, scenery_.get());
    sort_islands(state);
    enter(Stage::direct);
    const int direct = solve_thin_islands(state);
    enter(Stage::sweeps);
    const int swept = sweep_others(state);
    const int most = std::max(direct, swept);
    statistics.iterations += static_cast<uint64_t>(most);
    statistics.worst_iterations = std::max(statistics.worst_iterations, most);
}

bool ImpulseSolver::is_swept_with_care(uint32_t island) const {
    return settings_.direct == Impulse::Direct::where_it_pays
        && islands_.groups(island).size() <= small_island;
}

// s: half a part. What is kept in energy belongs to the middle of the step all the same.
double ImpulseSolver::lag_of_swept(uint32_t island) const {
    const double half = settings_.step / 2;
    if (settings_.correction != Impulse::Correction::substeps || is_passive(island)) return half;
    return half / (settings_.iterations * (is_swept_with_care(island) ? careful_factor : 1));
}

// Small islands that could be solved directly but for their contacts (a house of cards before it has settled) are
// worth more sweeps than there are in a pile.
void ImpulseSolver::leave_to_sweeps(const ImpulseState& state, uint32_t island) {
    Swept& to = !is_swept_with_care(island)       ? swept_
              : islands_.elements(island).empty() ? lot_for_next()
                                                  : careful_;
    const auto append = [](std::vector<uint32_t>& list, std::span<const uint32_t> from) {
        list.insert(list.end(), from.begin(), from.end());
    };
    append(to.groups, islands_.groups(island));
    append(to.manifolds, islands_.manifolds(island));
    append(to.elements, islands_.elements(island));
    // Its velocities will be those of the last part, not of the middle.
    const double half = settings_.step / 2, lag = lag_of_swept(island);
    for (uint32_t g : islands_.groups(island)) {
        const GroupMotion& m = state.motion[g];
        const double before = settings_.step + shift_of_fall(m, half),
                     now = settings_.step + shift_of_fall(m, lag);
        free_velocity_[g] += (now / before - 1) * (free_velocity_[g] - m.velocity);
    }
}

// Sweeps start from what they found themselves. Rows that hold the same thing twice may press against each other in a direct solution,
// exactly balanced; what single precision makes of it is not.
void ImpulseSolver::forget_direct_solution(const ImpulseState& state, uint32_t island) {
    const auto groups = islands_.groups(island);
    const auto steps = static_cast<double>(state.steps);
    if (std::all_of(groups.begin(), groups.end(),
                    [&](uint32_t g) { return state.motion[g].swept_until == steps; }))
        return;
    for (uint32_t e : islands_.elements(island)) {
        const Mechanism::Element& element = mechanism_.elements()[e];
        for (uint32_t r = 0; r < element.row_count; ++r)
            mechanism_.rows().rows[element.first_row + r].impulse = 0;
    }
}

// Which islands are candidates for a direct solution, with their rows at the velocities they have.
void ImpulseSolver::sort_islands(const ImpulseState& state) {
    candidates_.clear();
    is_tense_.clear();
    rows_.clear();
    row_start_.assign(1, 0);
    lot_count_ = 0;
    for (Swept* swept : {&swept_, &careful_})
        for (auto* list : {&swept->groups, &swept->manifolds, &swept->elements}) list->clear();
    for (uint32_t island = 0; island < islands_.size(); ++island) {
        if (islands_.manifolds(island).empty() && islands_.elements(island).empty()) continue;
        const auto groups = islands_.groups(island);
        if (settings_.direct == Impulse::Direct::never
            || groups.size() > DirectSolver<6>::most_bodies
            || std::any_of(groups.begin(), groups.end(), [&](uint32_t g) {
                   return state.motion[g].swept_until > static_cast<double>(state.steps);
               })) {
            leave_to_sweeps(state, island);
            continue;
        }
        candidates_.push_back(island);
        for (uint32_t g : islands_.groups(island)) {
            velocity_[g] = state.motion[g].velocity;
            spin_[g] = state.motion[g].angular_velocity;
        }
        mechanism_.take_tension();
        evaluate(state, island);
        is_tense_.push_back(mechanism_.take_tension() ? 1 : 0);
        for (uint32_t e : islands_.elements(island)) {
            const Mechanism::Element& element = mechanism_.elements()[e];
            for (uint32_t r = 0; r < element.row_count; ++r) rows_.push_back(element.first_row + r);
        }
        row_start_.push_back(static_cast<uint32_t>(rows_.size()));
        for (uint32_t g : islands_.groups(island))
            if (mechanism_.has(g)) stiffen(g);
    }
}

// The most iterations that one of them took. Those that cannot be solved so are left to sweeps.
int ImpulseSolver::solve_thin_islands(const ImpulseState& state) {
    const StepView step = view(state);
    iterations_.assign(candidates_.size(), 0);
    is_open_.assign(candidates_.size(), 1);
    is_stuck_.assign(candidates_.size(), 0);
    const int most_rounds =
        model_.stateful_forces().empty() ? most_linearizations : most_law_linearizations;
    for (int again = 0; again < most_rounds; ++again) {
        if (model_.plane_normal)
            solve_directly(step, planar_);
        else
            solve_directly(step, direct_);
        // Joints that are not closed where this velocity leads are taken from there once more.
        bool any = false;
        for (size_t i = 0; i < candidates_.size(); ++i) {
            is_open_[i] = is_open_[i] && iterations_[i] != not_direct
                       && !islands_.elements(candidates_[i]).empty();
            if (!is_open_[i]) continue;
            mechanism_.take_worst_error();
            mechanism_.take_unsettled();
            evaluate(state, candidates_[i]);
            is_open_[i] = mechanism_.take_worst_error() > closed;
            is_open_[i] |= mechanism_.take_unsettled() ? 1 : 0;
            is_tense_[i] |= mechanism_.take_tension() ? 1 : 0;
            for (uint32_t g : islands_.groups(candidates_[i]))
                is_open_[i] |= renew_free_spin(state.motion[g], g);
            any |= is_open_[i] != 0;
        }
        if (!any) break;
    }
    if (model_.plane_normal)
        calm_directly(step, planar_);
    else
        calm_directly(step, direct_);
    close_joints(state);
    int most = 0;
    for (size_t i = 0; i < candidates_.size(); ++i) {
        if (iterations_[i] == not_direct) {
            forget_direct_solution(state, candidates_[i]);
            leave_to_sweeps(state, candidates_[i]);
            continue;
        }
        count_work(state, candidates_[i]);
        most = std::max(most, iterations_[i]);
        statistics.factorizations += static_cast<uint64_t>(iterations_[i]);
    }
    return most;
}

int ImpulseSolver::sweep_others(const ImpulseState& state) {
    int most = 0;
    for (const Swept* swept : {&swept_, &careful_}) {
        if (swept->groups.empty()) continue;
        const int iterations = settings_.iterations * (swept == &careful_ ? careful_factor : 1);
        sweep(state, *swept, iterations, sweeps_, *jobs_);
        most = std::max(most, iterations);
    }
    if (lot_count_ == 0) return most;
    const int iterations = settings_.iterations * careful_factor;
    while (lot_sweeps_.size() < lot_count_) lot_sweeps_.push_back(std::make_unique<Sweeps>());
    jobs_->run(static_cast<uint32_t>(lot_count_),
               [&](uint32_t i) { sweep(state, lots_[i], iterations, *lot_sweeps_[i], alone_); });
    return std::max(most, iterations);
}

// Full enough for the lanes of a register, and many enough for the threads.
ImpulseSolver::Swept& ImpulseSolver::lot_for_next() {
    if (lot_count_ == 0 || lots_[lot_count_ - 1].groups.size() >= groups_in_lot) {
        if (lots_.size() == lot_count_) lots_.emplace_back();
        Swept& next = lots_[lot_count_++];
        for (auto* list : {&next.groups, &next.manifolds, &next.elements}) list->clear();
    }
    return lots_[lot_count_ - 1];
}

void ImpulseSolver::sweep(const ImpulseState& state, const Swept& swept, int iterations,
                          Sweeps& sweeps, Jobs& jobs) {
    const bool in_parts = settings_.correction == Impulse::Correction::substeps;
    sweeps.solve(view(state), {swept.groups, swept.manifolds, swept.elements}, mechanism_,
                 state.memory, state.time + settings_.step, resting_speed_,
                 {in_parts ? iterations : 1, in_parts ? 1 : iterations, in_parts,
                  settings_.error_reduction, settings_.allowed_depth},
                 jobs);
}

}  // namespace bristle::impulse
