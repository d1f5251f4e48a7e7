// Who put the energy of a step in.
//
//     gain = ΔT + Δ(stored by contacts) − work of weight, springs and users' forces − work of drives
//
// Friction, damping and impacts make it negative; positive is what nobody put in: discretization in calm steps, where it comes
// and goes, and a step gone wrong otherwise. The sum of gains above its own minimum, the surplus, is kept in the state; a little
// below zero, so that it can pay for depths that contacts had left out. A calm step that would take it beyond
// a small share of the energy in motion is not accepted; from the rough step, which comes next, what is beyond is taken off the
// velocities.
#include "lagrange/kinematics.h"
#include "lagrange/measures.h"
#include "lagrange/numerics.h"
#include "lagrange/observe.h"
#include "lagrange/solver.h"
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::lagrange {

// By the trapezoidal rule, which is the calm step's own.
double Solver::work_of_forces(const state::State& state) {
    double work = 0;
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        work += dot(system_.weight[e], state.position[e] - begin_.position[e]);
    // Along the measure: on the chord of what turns by φ an effort would do sin φ of its work.
    for (const MeasureForce& f : system_.forces) {
        const MeasureValue before = equations_.measure_at(begin_, f.measure);
        const MeasureValue after = equations_.measure_at(state, f.measure);
        work += 0.5 * (after.value - before.value)
              * (evaluate_force(system_, f, before, begin_.time, begin_).effort
                 + evaluate_force(system_, f, after, state.time, state).effort);
    }
    work += equations_.stateful.work(state);
    for (const UserForceElement& u : system_.user_forces) {
        equations_.time = begin_.time;
        equations_.evaluate_user_force(u, begin_.position.data(), begin_.velocity.data(),
                                       force_before_);
        equations_.time = state.time;
        equations_.evaluate_user_force(u, state.position.data(), state.velocity.data(),
                                       force_after_);
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            work += 0.5
                  * dot(force_before_[e] + force_after_[e], state.position[e] - begin_.position[e]);
    }
    return work;
}

double Solver::way_of(size_t relation, const state::State& state) {
    const uint32_t measure = system_.relations[relation].measure[0];
    return equations_.measure_at(state, measure).value
         - equations_.measure_at(begin_, measure).value;
}

// Along the way, and in the jumps of the velocity that ended it.
void Solver::find_work(const state::State& state) {
    for (uint32_t relation : system_.drive_relation)
        work_[relation] = mean_effort_[relation] * way_of(relation, state) + jump_work_[relation];
}

// Of a projection by x, P x = −w Jᵀ p (violation + J x): an impulse, times the mean of the rates before and after. Where a target has a
// kink, that is all the work that is done.
void Solver::count_jump(const state::State& state, double weight) {
    for (uint32_t relation : system_.drive_relation) {
        const double impulse = -weight * equations_.multiplier_change(relation, 1, x_.data());
        if (impulse != 0)
            jump_work_[relation] += impulse
                                  * (equations_.relation_rate(relation, state.velocity.data())
                                     + 0.5 * equations_.relation_rate(relation, x_.data()));
    }
}

double Solver::work_of_drives() const {
    double work = 0;
    for (uint32_t relation : system_.drive_relation) work += work_[relation];
    return work;
}

void Solver::count_work(state::State& state) {
    for (uint32_t relation : system_.drive_relation)
        state.memory[system_.relations[relation].memory + work_memory] += work_[relation];
    if (!events_) return;
    for (size_t i = 0; i < system_.relations.size(); ++i)
        if (system_.relations[i].kind != Relation::Kind::equality)
            state.memory[system_.relations[i].memory + told_effort_memory] =
                effort_range(i).clamp(mean_effort_[i]);
}

double Solver::energy_gain(const state::State& state) {
    return kinetic_energy(system_, state) - kinetic_energy(system_, begin_) - work_of_forces(state)
         - work_of_drives() + equations_.contacts.stored_now()
         - equations_.contacts.stored_before();
}

void Solver::find_calm_efforts(const state::State& state) {
    std::fill(jump_work_.begin(), jump_work_.end(), 0.0);
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const RelationNow& now = equations_.relation[i];
        const size_t row = system_.dots.size() + i;
        mean_effort_[i] = now.mode == RowMode::inactive  ? 0
                        : now.mode == RowMode::saturated ? now.effort
                        : equations_.is_midpoint()
                            ? -state.multiplier[row]
                            : 0.5
                                  * (begin_.memory[system_.relations[i].memory + effort_memory]
                                     - state.multiplier[row]);
    }
}

// Energy that small gains are small against: of motion, now or not long ago; not what is gained.
double Solver::count_motion(state::State& state, double gain) {
    const double before = kinetic_energy(system_, begin_), after = kinetic_energy(system_, state);
    const double now = before + std::clamp(after - std::max(gain, 0.0), 0.0, after);
    const double step = system_.settings.step;
    state.motion[0] = std::max(now, (1 - step / motion_memory) * begin_.motion[0]);
    return state.motion[0] + resting_energy_;
}

// What losses of before may pay for.
double Solver::credit_of(const state::State& state) const {
    return std::clamp(-state.surplus[0], 0.0, credit * (state.motion[0] + resting_energy_));
}

// While a step lasts, the accounts of an island are the first assembly's.
void Solver::join_accounts(state::State& state) const {
    for (uint32_t a = 1; a < system_.assembly_count; ++a) {
        state.motion[0] += std::exchange(state.motion[a], 0);
        state.surplus[0] += std::exchange(state.surplus[a], 0);
        state.restless[0] = std::max(state.restless[0], std::exchange(state.restless[a], 0));
    }
}

// Then they are everybody's again, in proportion to what each has, or had, in motion: nothing is gained or lost by meeting and parting.
void Solver::part_accounts(state::State& state) {
    if (system_.assembly_count < 2) return;
    find_kinetic(state.velocity, kinetic_of_);
    double whole = 0;
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        whole += kinetic_of_[a] += backup_.motion[a] + resting_energy_of_[a];
    const double motion = state.motion[0], surplus = state.surplus[0];
    for (uint32_t a = 0; a < system_.assembly_count; ++a) {
        const double share = whole > 0 ? kinetic_of_[a] / whole : 1.0 / system_.assembly_count;
        state.motion[a] = share * motion;
        state.surplus[a] = share * surplus;
        state.restless[a] = state.restless[0];
    }
}

void Solver::find_kinetic(const std::vector<Vec4>& velocity,
                          std::vector<double>& of_assembly) const {
    std::fill(of_assembly.begin(), of_assembly.end(), 0.0);
    for (const MassTerm& m : system_.mass)
        of_assembly[system_.assembly[m.i]] +=
            (m.i == m.j ? 0.5 : 1.0) * m.mass * dot(velocity[m.i], velocity[m.j]);
    for (const ScalarInertia& c : system_.scalar_inertia) {
        const double v = velocity[c.entity][c.component];
        of_assembly[system_.assembly[c.entity]] += 0.5 * c.inertia * v * v;
    }
}

// The motion of assemblies that fly as if each were one rigid body of the same momentum, linear and angular: into x_, zero of all
// others. What is left of their velocities has no momentum, and no part in the energy of this motion.
void Solver::find_common_motion(const state::State& state) {
    std::fill(x_.begin(), x_.end(), Vec4{});
    const std::vector<Prediction::Floating>& all = prediction_.floating();
    if (all.empty()) return;
    for (size_t i = 0; i < all.size(); ++i) {
        flight_[i] = {};
        for (uint32_t g : all[i].groups) {
            Vec4 origin, axis[3];
            group_axes(system_.frames[g], state.position.data(), origin, axis);
            flight_[i].center += system_.group_mass[g] / all[i].mass * origin;
        }
    }
    // visit(flight, entity, its place about the centre)
    const auto for_each = [&](auto&& visit) {
        for (size_t i = 0; i < all.size(); ++i) {
            for (uint32_t e : all[i].points)
                visit(flight_[i], e, state.position[e] - flight_[i].center);
            for (uint32_t e : all[i].vectors) visit(flight_[i], e, state.position[e]);
        }
    };
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
        for_each([&](Flight&, uint32_t e, Vec4 arm) { x_[e] = cross(to_vec4(axis), arm); });
        equations_.momentum_of(x_, pull_);
        for_each([&](Flight& f, uint32_t e, Vec4 arm) {
            f.inertia = f.inertia + Mat3::outer(to_vec3(cross(arm, pull_[e])), axis);
        });
    }
    equations_.momentum_of(state.velocity, pull_);
    for_each([&](Flight& f, uint32_t e, Vec4 arm) { f.momentum += cross(arm, pull_[e]); });
    for (size_t i = 0; i < all.size(); ++i) {
        Flight& f = flight_[i];
        for (uint32_t e : all[i].points) f.velocity += 1 / all[i].mass * pull_[e];
        // Of what lies on a line there is no inertia about it.
        const auto [moments, axes] = math::symmetric_eigen(f.inertia);
        for (int k = 0; k < 3; ++k)
            if (moments[k] > 1e-9 * f.inertia.trace()) {
                const Vec4 axis = to_vec4(axes.column(k));
                f.spin += dot(axis, f.momentum) / moments[k] * axis;
            }
    }
    for_each([&](Flight& f, uint32_t e, Vec4 arm) { x_[e] = cross(f.spin, arm); });
    for (size_t i = 0; i < all.size(); ++i)
        for (uint32_t e : all[i].points) x_[e] += flight_[i].velocity;
}

// Of a mechanism that nothing but weight moves the energy stays as it was, but for the error of the rule. It is put right step by
// step, for every assembly by itself, in all its velocities alike: they stay on the constraints. Of one that flies, in those besides its
// motion as a whole: momentum stays as it is. That error is of h³, and so is what puts it right: the rule stays one of second order.
// False where that is too much to be an error.
bool Solver::keep_energy(state::State& state, const IntegratorWeights& w) {
    // Shorter steps could stand for this one.
    const double trusted = w.step * most_parts > 1.5 * system_.settings.step ? trusted_gain : 1;
    // A rule that is chosen for its damping is not given back what it takes.
    const double most =
        w.inertia == 1 && w.force == 1 && w.gamma_h == 0.5 * w.step ? most_given : 0;
    find_kinetic(begin_.velocity, gain_of_);
    find_kinetic(state.velocity, kinetic_of_);
    double gain = 0;
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        gain_of_[a] = kinetic_of_[a] - gain_of_[a];
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        gain_of_[system_.assembly[e]] -=
            dot(system_.weight[e], state.position[e] - begin_.position[e]);
    for (double g : gain_of_) gain += g;
    const double scale = count_motion(state, gain);
    find_common_motion(state);
    find_kinetic(x_, common_of_);
    for (uint32_t a = 0; a < system_.assembly_count; ++a) {
        const double kinetic = kinetic_of_[a] - common_of_[a];
        kinetic_of_[a] = 1;
        if (!is_kept_[a]) continue;
        double& astray = state.astray[a];
        astray += gain_of_[a];
        if (std::abs(gain_of_[a]) > trusted * scale) return false;
        if (!(kinetic > 0)) continue;
        // Where it turns back there is little to be changed. That waits; but what comes late looks like a gain, and is kept small.
        const double wanted = std::clamp(kinetic - astray, 0.0, (1 + most) * kinetic);
        astray = std::max(astray - (kinetic - wanted), -credit * scale);
        if (astray > credit * scale) return false;
        kinetic_of_[a] = std::sqrt(wanted / kinetic);
    }
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        state.velocity[e] = fma(kinetic_of_[system_.assembly[e]], state.velocity[e] - x_[e], x_[e]);
    return true;
}

// What the rule errs by where a drive makes velocities jump is that drive's work. Returns what is left.
double Solver::attribute_to_jumps(double gain) {
    double jumps = 0;
    for (uint32_t relation : system_.drive_relation) jumps += std::abs(jump_work_[relation]);
    const double part = std::min(gain, jump_share * jumps);
    if (!(part > 0)) return gain;
    for (uint32_t relation : system_.drive_relation)
        work_[relation] += part * std::abs(jump_work_[relation]) / jumps;
    return gain - part;
}

bool Solver::accepts_gain(state::State& state) {
    find_work(state);
    if (equations_.contacts.has_patches()) {
        weaken_patches(state);
        return true;
    }
    if (!is_guarded_ && equations_.contacts.empty()) return energy_is_right_;
    const double gain = attribute_to_jumps(energy_gain(state) + spent_),
                 scale = count_motion(state, gain);
    // All that a stateful force takes is its work, damping too, and nothing is a loss that could pay for the errors of the rule: so
    // these are forgotten as motion is.
    const double kept = equations_.stateful.empty() ? 1 : 1 - system_.settings.step / motion_memory;
    const double surplus = std::max(-credit * scale, kept * state.surplus[0] + gain);
    if (gain > 0 && surplus > calm_surplus * scale) return false;
    state.surplus[0] = surplus;
    return true;
}

// Where a patch returned more than it took, by an impulse P back through joints: P u − ½ P² n·N A⁻¹Nᵀn is what is too much.
void Solver::weaken_patches(state::State& state) {
    Contacts& contacts = equations_.contacts;
    const double allowed = calm_surplus * count_motion(state, 0);
    bool is_factorized = false;
    for (uint32_t i = 0; i < contacts.touches().size(); ++i) {
        const ActiveContact& t = contacts.touches()[i];
        if (t.part != ActiveContact::Part::grip || t.is_lost) continue;
        const double excess = Contacts::overdrawn(t) - allowed;
        if (!(excess > 0)) continue;
        if (!is_factorized) factorize_mass(state);
        is_factorized = true;
        const Vec3 n = to_vec3(t.normal);
        std::fill(x_.begin(), x_.end(), Vec4{});
        contacts.subtract_impulse(t, -n, {}, x_.data());
        mass_.solve(x_.data());
        const double mobility = dot(t.normal, contacts.velocity_of(t, x_.data())),
                     speed = dot(t.normal, contacts.velocity_of(t, state.velocity.data()));
        if (!(speed > 0) || !(mobility > 0)) continue;
        const double impulse =
            (speed - std::sqrt(std::max(speed * speed - 2 * mobility * excess, 0.0))) / mobility;
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            state.velocity[e] = fma(-impulse, x_[e], state.velocity[e]);
        contacts.weaken_patch(i, impulse * (speed - 0.5 * mobility * impulse),
                              impulse / system_.settings.step * n);
    }
}

// Of velocities that jumped from others, and positions with them: as much as gained energy, then or in the step as a whole.
// T(v − η d) is a parabola.
void Solver::take_back_gain(state::State& state, const std::vector<Vec4>& position,
                            const std::vector<Vec4>& velocity) {
    find_work(state);
    const double after = kinetic_energy(system_, state), in_step = energy_gain(state) + spent_;
    x_ = state.velocity;
    state.velocity = velocity;
    const double before = kinetic_energy(system_, state);
    double work = 0;
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        work += dot(system_.weight[e], state.position[e] - position[e]);
        state.velocity[e] = x_[e] - velocity[e];
    }
    const double jump = kinetic_energy(system_, state),
                 gain = std::max(after - before - work, in_step);
    std::swap(x_, state.velocity);
    if (!(gain > 0) || !(jump > 0)) return;
    const double slope = after - before + jump;
    const double share =
        (slope - std::sqrt(std::max(slope * slope - 4 * jump * gain, 0.0))) / (2 * jump);
    if (!(share > 0)) return;
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        state.velocity[e] = fma(-share, x_[e], state.velocity[e]);
    equations_.contacts.weaken_strikes(share);
}

// Assemblies that may have gained in a rough step: those that touch something, or are driven or stopped. What else there is goes on
// as it did.
void Solver::find_suspects() {
    std::fill(is_suspect_.begin(), is_suspect_.end(), uint8_t{0});
    for (const ActiveContact& t : equations_.contacts.touches())
        for (uint32_t group : {t.group_a, t.group_b})
            for (const auto& term : system_.frames[group].origin.terms)
                is_suspect_[system_.assembly[term.entity]] = 1;
    for (const Relation& r : system_.relations)
        if (r.kind != Relation::Kind::equality)
            for (uint32_t k = r.first; k < r.first + r.count; ++k)
                is_suspect_[system_.assembly[system_.relation_terms[k].entity]] = 1;
    if (std::find(is_suspect_.begin(), is_suspect_.end(), 1) == is_suspect_.end())
        std::fill(is_suspect_.begin(), is_suspect_.end(), uint8_t{1});
}

void Solver::take_off_gain(state::State& state) {
    find_suspects();
    find_kinetic(state.velocity, kinetic_of_);
    double kinetic = 0;
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        if (is_suspect_[a]) kinetic += kinetic_of_[a];
    // What was given to make bodies part is paid by what is in motion.
    const double gain =
        energy_gain(state) + spent_ + std::min(equations_.contacts.given(), kinetic);
    const double scale = count_motion(state, gain), allowed = calm_surplus * scale;
    double& surplus = state.surplus[0];
    surplus = std::max(-credit * scale, surplus + gain);
    if (!(surplus > allowed)) return;
    // More than is in motion: then springs were pressed in by nobody.
    double excess = surplus - allowed;
    if (excess > kinetic) excess = equations_.contacts.take_back(excess);
    surplus = allowed + excess;
    if (!(excess > 0) || !(kinetic > 0)) return;
    const double taken = std::min(excess, kinetic);
    const double share = std::sqrt(1 - taken / kinetic);
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        if (is_suspect_[system_.assembly[e]]) state.velocity[e] = share * state.velocity[e];
    surplus -= taken;
}

}  // namespace bristle::lagrange
