#include "lagrange/stateful.h"

#include "collision/scenery.h"
#include "lagrange/kinematics.h"
#include "lagrange/measures.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

constexpr double ahead = 0.5;  // φ of the header

}  // namespace

StatefulForces::StatefulForces(const System& s) : system_(s) {
    if (s.stateful.empty()) return;
    unit_.assign(s.entity_count, Vec4{});
    measure_.resize(s.measures.size());
    gradient_.resize(s.measure_terms.size());
    for (const StatefulElement& e : s.stateful) {
        Force f{.step = {s.model().stateful_forces()[e.index], e.memory}};
        const size_t ways = f.step.ways();
        f.gradient.assign(ways * e.entities.size(), Vec4{});
        for (auto* list : {&f.share, &f.mean, &f.end, &f.resistance}) list->assign(ways, 0);
        f.assembled.assign(ways * ways, 0);
        f.points.resize(f.step.points());
        f.places.resize(f.step.points());
        for (uint32_t m : e.measures)
            for (uint32_t k = 0; k < s.measures[m].count; ++k) {
                const uint32_t entity = s.measure_terms[s.measures[m].first + k].entity;
                f.slots.push_back(static_cast<uint32_t>(
                    std::lower_bound(e.entities.begin(), e.entities.end(), entity)
                    - e.entities.begin()));
            }
        forces_.push_back(std::move(f));
    }
}

void StatefulForces::start_memory(const System& s, state::State& state) {
    for (const StatefulElement& e : s.stateful)
        mechanics::StatefulStep(s.model().stateful_forces()[e.index], e.memory)
            .start_memory(state.memory);
}

// ---- Rows ------------------------------------------------------------------------------------------

StatefulForces::Rows StatefulForces::rows_of(const state::State& state) {
    for (const StatefulElement& e : system_.stateful)
        for (uint32_t m : e.measures)
            measure_[m] = evaluate_measure(system_, m, state, gradient_.data());
    return {measure_, gradient_};
}

void StatefulForces::place_rows(Force& f, const StatefulElement& e, const Rows& rows) const {
    const size_t count = e.entities.size();
    std::fill_n(f.gradient.begin(), count * e.measures.size(), Vec4{});
    size_t slot = 0;
    for (size_t i = 0; i < e.measures.size(); ++i) {
        const Measure& m = system_.measures[e.measures[i]];
        for (uint32_t k = m.first; k < m.first + m.count; ++k)
            f.gradient[i * count + f.slots[slot++]] = rows.gradient[k];
    }
}

void StatefulForces::start(const state::State& begin, const IntegratorWeights& w) {
    if (forces_.empty()) return;
    weights_ = w;
    lead_ = 0.5 * ahead * w.step;
    is_stepping_ = true;
    const Rows rows = rows_of(begin);
    const Vec4* const q = begin.position.data();
    const Vec4* const v = begin.velocity.data();
    for (size_t i = 0; i < forces_.size(); ++i) {
        Force& f = forces_[i];
        mechanics::StatefulStep& step = f.step;
        const StatefulElement& e = system_.stateful[i];
        f.is_asked = false;
        const auto shares = step.shares(begin.memory);
        for (size_t k = 0; k < step.joints(); ++k) {
            step.start[k] = rows.measure[e.measures[k]].value;
            step.start_rate[k] = rows.measure[e.measures[k]].rate;
            f.share[k] = shares[k];
        }
        for (size_t p = 0; p < step.points(); ++p) {
            const BodyId body = step.force().points[p];
            const Pose pose = body_pose(system_, q, body);
            const Twist twist = body_twist(system_, q, v, body);
            PointAim& aim = step.aims[p];
            aim = step.law().aim(p, pose, twist, step.inputs(begin.memory),
                                 step.memory(begin.memory), *system_.scenery);
            f.points[p] = {pose.position, aim.at - pose.position, twist.angular};
            const Vec3 rate = twist.linear + cross(twist.angular, f.points[p].arm);
            const size_t first = step.joints() + 3 * p;
            const Vec3 share{shares[first], shares[first + 1], shares[first + 2]};
            for (size_t k = 0; k < 3; ++k) {
                step.start[first + k] = 0;
                step.start_rate[first + k] = dot(aim.axis[k], rate);
                f.share[first + k] = dot(aim.axis[k], share);
            }
        }
    }
}

void StatefulForces::start_rough(const state::State& begin, double h) {
    start(begin, euler_weights(h));
    lead_ = 0;
}

void StatefulForces::stay(const state::State& begin, state::State& end, double h) {
    if (forces_.empty()) return;
    start_rough(begin, h);
    const Rows rows = rows_of(end);
    for (size_t i = 0; i < forces_.size(); ++i)
        ask(forces_[i], system_.stateful[i], end, rows, end.time);
    settle(end, end.time);
}

double StatefulForces::along(const Force& f, const StatefulElement& e, size_t way,
                             const Vec4* x) const {
    const Vec4* const g = &f.gradient[way * e.entities.size()];
    Vec4 sum_{};
    for (size_t k = 0; k < e.entities.size(); ++k) sum_ = fma(g[k], x[e.entities[k]], sum_);
    return sum(sum_);
}

void StatefulForces::add_force(const Force& f, const StatefulElement& e, size_t way, double effort,
                               Vec4* out) const {
    const Vec4* const g = &f.gradient[way * e.entities.size()];
    for (size_t k = 0; k < e.entities.size(); ++k)
        out[e.entities[k]] = fma(effort, g[k], out[e.entities[k]]);
}

// ---- Forces ----------------------------------------------------------------------------------------

void StatefulForces::find_ends(Force& f, const StatefulElement& e, const state::State& state,
                               const Rows& rows, double lead) {
    mechanics::StatefulStep& step = f.step;
    const auto set = [&](size_t way, double end, double rate) {
        end += lead * (rate - step.start_rate[way]);
        f.is_asked = f.is_asked && step.end[way] == end && step.end_rate[way] == rate;
        step.end[way] = end;
        step.end_rate[way] = rate;
    };
    for (size_t k = 0; k < step.joints(); ++k)
        set(k, rows.measure[e.measures[k]].value, rows.measure[e.measures[k]].rate);
    for (size_t p = 0; p < step.points(); ++p) {
        double end[3], rate[3];
        find_point_end(f, p, state, end, rate);
        for (size_t k = 0; k < 3; ++k) set(step.joints() + 3 * p + k, end[k], rate[k]);
    }
}

void StatefulForces::find_point_end(Force& f, size_t p, const state::State& state, double end[3],
                                    double rate[3]) const {
    const BodyId body = f.step.force().points[p];
    const Vec4* const q = state.position.data();
    const Twist twist = body_twist(system_, q, state.velocity.data(), body);
    const Force::Point& point = f.points[p];
    const Vec3 way = body_pose(system_, q, body).position - point.origin
                   + 0.5 * weights_.step * cross(point.spin + twist.angular, point.arm),
               velocity = twist.linear + cross(twist.angular, point.arm);
    for (size_t k = 0; k < 3; ++k) {
        end[k] = dot(f.step.aims[p].axis[k], way);
        rate[k] = dot(f.step.aims[p].axis[k], velocity);
    }
}

void StatefulForces::place_point(Force& f, const StatefulElement& e, size_t p, const Vec4* q) {
    const BodyId body = f.step.force().points[p];
    for (uint32_t entity : e.entities) unit_[entity] = Vec4{};
    apply_force(system_, q, body, {1, 0, 0}, body_pose(system_, q, body).position + f.points[p].arm,
                unit_.data());
    for (size_t k = 0; k < 3; ++k) {
        Vec4* const g = &f.gradient[(f.step.joints() + 3 * p + k) * e.entities.size()];
        for (size_t j = 0; j < e.entities.size(); ++j)
            g[j] = unit_[e.entities[j]][0] * to_vec4(f.step.aims[p].axis[k]);
    }
}

void StatefulForces::ask(Force& f, const StatefulElement& e, const state::State& state,
                         const Rows& rows, double time) {
    find_ends(f, e, state, rows, lead_);
    place_rows(f, e, rows);
    for (size_t p = 0; p < f.step.points(); ++p) place_point(f, e, p, state.position.data());
    if (f.is_asked) return;
    f.step.ask(time, weights_.step, state.memory);
    f.mean = f.step.effort;
    f.is_asked = true;
}

double StatefulForces::end_share(const Force& f, size_t way) const {
    const double gamma = weights_.gamma_h / weights_.step;
    return (f.mean[way] - (1 - gamma) * f.share[way]) / gamma;
}

void StatefulForces::subtract(const state::State& state, const Rows& rows, double time,
                              double factor, Vec4* out, Vec4* load) {
    for (size_t i = 0; i < forces_.size(); ++i) {
        Force& f = forces_[i];
        const mechanics::StatefulStep& step = f.step;
        const StatefulElement& e = system_.stateful[i];
        if (is_stepping_) {
            ask(f, e, state, rows, time);
            const double gamma = weights_.gamma_h / weights_.step;
            for (size_t k = 0; k < step.ways(); ++k) {
                const double effort = factor * end_share(f, k);
                // What is stiff rounds as the places it is the difference of.
                const double size = std::abs(effort)
                                  + std::abs(factor * step.stiffness[k * step.ways() + k]) / gamma
                                        * (std::abs(step.end[k]) + std::abs(step.start[k]));
                add_force(f, e, k, -effort, out);
                const Vec4* const g = &f.gradient[k * e.entities.size()];
                for (size_t j = 0; j < e.entities.size(); ++j)
                    load[e.entities[j]] += size * (g[j] < 0 ? -g[j] : g[j]);
            }
            continue;
        }
        place_rows(f, e, rows);
        const auto shares = step.shares(state.memory);
        const auto places = step.places(state.memory);
        for (size_t k = 0; k < step.joints(); ++k) add_force(f, e, k, -factor * shares[k], out);
        for (size_t p = 0; p < step.points(); ++p) {
            const double* const s = &shares[step.joints() + 3 * p];
            const double* const at = &places[3 * p];
            if (s[0] == 0 && s[1] == 0 && s[2] == 0) continue;
            apply_force(system_, state.position.data(), step.force().points[p],
                        -factor * Vec3{s[0], s[1], s[2]}, {at[0], at[1], at[2]}, out);
        }
    }
}

void StatefulForces::add_tangent(const state::State& state, const Rows& rows, double time,
                                 const IntegratorWeights& w, bool exact,
                                 const std::vector<uint32_t>& blocks, Block3* out) {
    if (!is_stepping_) return;
    const double factor = w.applied() * w.step,  // γh/γ
        way_per_rate = w.beta_h2 / w.gamma_h + lead_;
    for (size_t i = 0; i < forces_.size(); ++i) {
        Force& f = forces_[i];
        const StatefulElement& e = system_.stateful[i];
        ask(f, e, state, rows, time);
        const size_t ways = f.step.ways(), count = e.entities.size();
        for (size_t a = 0; a < ways; ++a)
            for (size_t b = 0; b < ways; ++b) {
                const double r = 0.5
                               * (f.step.resistance(a, b, way_per_rate)
                                  + f.step.resistance(b, a, way_per_rate));
                f.assembled[a * ways + b] = factor * (exact ? r : a == b ? std::max(r, 0.0) : 0);
            }
        const uint32_t* block = &blocks[e.first_block];
        for (size_t k = 0; k < count; ++k) {
            for (size_t l = 0; l <= k; ++l) {
                Block3& to = out[*block++];
                for (size_t b = 0; b < ways; ++b) {
                    Vec4 row{};
                    for (size_t a = 0; a < ways; ++a)
                        row = fma(f.assembled[a * ways + b], f.gradient[a * count + k], row);
                    const Vec4 column = f.gradient[b * count + l];
                    for (int c = 0; c < 3; ++c) to.column[c] = fma(column[c], row, to.column[c]);
                }
            }
        }
    }
}

// ---- Rough steps -----------------------------------------------------------------------------------

// What couples ways is taken to the diagonal, by the sums of rows: at least as much resistance, and never less than none.
void StatefulForces::assemble_resistance(double h, const std::vector<uint32_t>& blocks,
                                         Block3* out) {
    for (size_t i = 0; i < forces_.size(); ++i) {
        Force& f = forces_[i];
        const StatefulElement& e = system_.stateful[i];
        const size_t ways = f.step.ways(), count = e.entities.size();
        const uint32_t* block = &blocks[e.first_block];
        for (size_t a = 0; a < ways; ++a) {
            f.resistance[a] = 0;
            for (size_t b = 0; b < ways; ++b)
                f.resistance[a] += h * std::abs(f.step.resistance(a, b, h));
        }
        for (size_t k = 0; k < count; ++k)
            for (size_t l = 0; l <= k; ++l) {
                Block3& to = out[*block++];
                for (size_t a = 0; a < ways; ++a) {
                    const Vec4 row = f.resistance[a] * f.gradient[a * count + k];
                    for (int c = 0; c < 3; ++c)
                        to.column[c] = fma(f.gradient[a * count + l][c], row, to.column[c]);
                }
            }
    }
}

void StatefulForces::add_resistance(const Vec4* x, Vec4* out) const {
    for (size_t i = 0; i < forces_.size(); ++i)
        for (size_t k = 0; k < forces_[i].step.ways(); ++k)
            add_force(forces_[i], system_.stateful[i], k,
                      forces_[i].resistance[k] * along(forces_[i], system_.stateful[i], k, x), out);
}

void StatefulForces::conclude_impulses(const Vec4* change, double h) {
    for (size_t i = 0; i < forces_.size(); ++i)
        for (size_t k = 0; k < forces_[i].step.ways(); ++k)
            forces_[i].mean[k] -=
                forces_[i].resistance[k] / h * along(forces_[i], system_.stateful[i], k, change);
}

// ---- The end of a step -----------------------------------------------------------------------------

double StatefulForces::work(const state::State& state) {
    if (forces_.empty()) return 0;
    const Rows rows = rows_of(state);
    double work = 0;
    for (size_t i = 0; i < forces_.size(); ++i) {
        Force& f = forces_[i];
        find_ends(f, system_.stateful[i], state, rows, 0);
        for (size_t k = 0; k < f.step.ways(); ++k)
            work += f.mean[k] * (f.step.end[k] - f.step.start[k]);
    }
    return work;
}

void StatefulForces::settle(state::State& state, double time) {
    if (forces_.empty()) return;
    is_stepping_ = false;
    const Rows rows = rows_of(state);
    for (size_t i = 0; i < forces_.size(); ++i) {
        Force& f = forces_[i];
        const StatefulElement& e = system_.stateful[i];
        for (size_t k = 0; k < f.end.size(); ++k) f.end[k] = end_share(f, k);
        find_ends(f, e, state, rows, 0);
        f.step.ask(time, weights_.step, state.memory);
        f.is_asked = false;
        for (size_t p = 0; p < f.points.size(); ++p)
            f.places[p] =
                body_pose(system_, state.position.data(), f.step.force().points[p]).position
                + f.points[p].arm;
        f.step.keep(f.mean, f.places, state.memory);
    }
    share_means(state);
}

void StatefulForces::share_means(state::State& state) const {
    for (const Force& f : forces_) {
        const auto efforts = f.step.efforts(state.memory);
        std::copy(efforts.begin(), efforts.end(), f.step.shares(state.memory).begin());
    }
}

void StatefulForces::add_share_changes(Vec4* out) const {
    for (size_t i = 0; i < forces_.size(); ++i)
        for (size_t k = 0; k < forces_[i].step.ways(); ++k)
            add_force(forces_[i], system_.stateful[i], k, forces_[i].mean[k] - forces_[i].end[k],
                      out);
}

void StatefulForces::accept_share_changes(const Vec4* x, double factor, state::State& state) const {
    if (factor == 0) return;
    for (size_t i = 0; i < forces_.size(); ++i) {
        const Force& f = forces_[i];
        const size_t ways = f.step.ways();
        const auto shares = f.step.shares(state.memory);
        for (size_t a = 0; a < ways; ++a) {
            double resisted = 0;
            for (size_t b = 0; b < ways; ++b)
                resisted += f.assembled[a * ways + b] * along(f, system_.stateful[i], b, x);
            if (a < f.step.joints()) {
                shares[a] -= resisted;
                continue;
            }
            const size_t p = (a - f.step.joints()) / 3, k = (a - f.step.joints()) % 3;
            for (int c = 0; c < 3; ++c)
                shares[a - k + static_cast<size_t>(c)] -= resisted * f.step.aims[p].axis[k][c];
        }
    }
}

bool StatefulForces::is_finite() const {
    return std::all_of(forces_.begin(), forces_.end(),
                       [](const Force& f) { return f.step.is_finite(); });
}

std::string StatefulForces::fault() const {
    for (const Force& f : forces_)
        if (!f.step.is_finite()) return f.step.force().name;
    return {};
}

}  // namespace bristle::lagrange
