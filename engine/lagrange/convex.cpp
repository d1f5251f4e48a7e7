#include "lagrange/convex.h"

#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

// A force against a strained bristle, bounded: −w, or −limit w/|w|.
struct Rubbing {
    Vec3 force, strain, along;
    double slope;  // of the force, by a way across it
    bool slips;

    // −∂force/∂way
    Mat3 resistance() const {
        if (!slips) return slope * Mat3::identity();
        return slope * (Mat3::identity() - Mat3::outer(along, along));
    }
};
Rubbing rub(double stiffness, double damping, double limit, Vec3 strain, Vec3 way, double h) {
    const Vec3 u = strain + way, w = stiffness * u + (damping / h) * way;
    const double size = norm(w), per_way = stiffness + damping / h;
    if (size <= limit) return {-w, u, {}, per_way, false};
    const Vec3 along = w / size;
    const Vec3 left = stiffness > 0 ? (limit / stiffness) * along : Vec3{};
    // What slips leaves the bristle no longer than it was pulled.
    const double longest = norm(u);
    return {-limit * along, norm(left) > longest ? longest * along : left, along,
            per_way * limit / size, true};
}

}  // namespace

ConvexProblem::ConvexProblem(Equations& equations, BlockLdlt& matrix)
    : equations_(equations), contacts_(equations.contacts), matrix_(matrix) {
    linear_.resize(equations.system.entity_count);
    direction_ = product_ = linear_;
    rows_.reserve(equations.system.relations.size());
    presses_.reserve(room_for_contacts(equations.system.frames.size()));
    base_.reserve(matrix.blocks().size());
}

void ConvexProblem::start(const state::State& begin, const state::State& state, double step) {
    step_ = step;
    rows_.clear();
    presses_.clear();
    const auto touches = contacts_.touches();
    for (uint32_t i = 0; i < touches.size(); ++i)
        if (!touches[i].is_lost && !touches[i].is_struck) add_press(i);
    equations_.assemble_impulses(begin, state, step, matrix_);
    base_.assign(matrix_.blocks().begin(), matrix_.blocks().end());
}

void ConvexProblem::add_press(uint32_t index) {
    const ActiveContact& t = contacts_.touches()[index];
    Press& p = presses_.emplace_back();
    p.touch = index;
    p.points = t.part == ActiveContact::Part::grip ? 4 : 0;
    p.normal = to_vec3(t.normal);
    p.law = t.part == ActiveContact::Part::grip ? contact::NormalLaw{} : t.normal_law;
    p.depth = t.depth;
    p.depth_before = t.depth_before;
    p.limit = std::max(0.0, dot(t.memory.force, p.normal));
    if (t.part == ActiveContact::Part::point) return;
    const bool slipped = (t.memory.flags & state::slipping_contact) != 0;
    p.stiffness = t.sliding.stiffness;
    p.damping = t.sliding.damping;
    p.friction = slipped ? t.sliding.kinetic_friction : t.sliding.static_friction;
    const SlipNow now = contacts_.slip_of(t);
    p.slip = now.slip;
    p.strain = now.strain;
    p.turn = now.turn;
    p.turn_strain = now.turn_strain;
    p.rolling = t.rolling;
    p.spinning = t.spinning;
    if (t.part != ActiveContact::Part::grip) return;
    const double arm = contacts_.arm_of(t);
    p.spinning = t.sliding;
    p.spinning.stiffness *= arm * arm;
    p.spinning.damping *= arm * arm;
    p.spinning.static_friction = p.friction * arm;
}

// ---- The laws ------------------------------------------------------------------------------------

contact::NormalForce ConvexProblem::force_at(const Press& p, double depth) const {
    return contact::normal_force(p.law, depth, (depth - p.depth_before) / step_);
}

// For a search impulses are enough; the last evaluation before matrices are assembled has the rest, too.
template <ConvexProblem::Wanted wanted>
void ConvexProblem::evaluate_press(Press& p, Vec3 rate, Vec3 spin) const {
    constexpr bool all = wanted == Wanted::all;
    const double h = step_;
    const Vec3 n = p.normal;
    const contact::NormalForce normal = force_at(p, p.depth - h * dot(n, rate));
    p.normal_force = normal.force;
    p.impulse = h * normal.force * n;
    if (all) {
        p.resistance = h * h * (normal.by_depth + normal.by_rate / h) * Mat3::outer(n, n);
        p.turn_resistance = {};
    }
    p.torque_impulse = {};
    p.slips = false;
    if (!(p.friction > 0) && !p.turns()) return;
    const Rubbing slide = rub(p.stiffness, p.damping, p.friction * p.limit, p.strain,
                              p.slip + h * in_plane(rate, n), h);
    p.impulse += h * slide.force;
    if (all) p.resistance = p.resistance + h * h * in_plane(slide.resistance(), n);
    p.new_strain = slide.strain;
    p.slips = slide.slips && p.limit > 0;
    if (!p.turns()) return;
    const Vec3 turn = p.turn + h * spin;
    const Rubbing roll =
        rub(p.rolling.stiffness, p.rolling.damping, p.rolling.static_friction * p.limit,
            in_plane(p.turn_strain, n), in_plane(turn, n), h);
    const Rubbing twist =
        rub(p.spinning.stiffness, p.spinning.damping, p.spinning.static_friction * p.limit,
            dot(n, p.turn_strain) * n, dot(n, turn) * n, h);
    p.torque_impulse = h * (roll.force + twist.force);
    p.new_turn_strain = roll.strain + twist.strain;
    if (all)
        p.turn_resistance = h * h * in_plane(roll.resistance(), n)
                          + h * h * dot(n, twist.resistance() * n) * Mat3::outer(n, n);
}

void ConvexProblem::evaluate_row(EffortRow& r, double rate) const {
    r.impulse = r.base;
    r.resistance = 0;
    for (const EffortRow::Part& p : r.part) {
        const double free = p.start + p.gain * (p.rate - rate);
        r.impulse += std::clamp(free, p.low, p.high);
        if (free > p.low && free < p.high) r.resistance += p.gain;
    }
}

// ---- Newton's method -----------------------------------------------------------------------------

void ConvexProblem::rates_along(const Vec4* direction) {
    for (Press& p : presses_) {
        const ActiveContact& t = contacts_.touches()[p.touch];
        p.rate_change = to_vec3(contacts_.velocity_of(t, direction));
        p.spin_change = p.turns() ? contacts_.spin_of(t, direction) : Vec3{};
    }
    for (EffortRow& r : rows_) r.rate_change = equations_.relation_rate(r.relation, direction);
}

// The slope of Π along the direction.
double ConvexProblem::slope_at(double share, double linear, double quadratic) {
    double slope = linear + share * quadratic;
    for (Press& p : presses_) {
        evaluate_press<Wanted::impulse>(p, p.rate + share * p.rate_change,
                                        p.spin + share * p.spin_change);
        slope -= dot(p.impulse, p.rate_change) + dot(p.torque_impulse, p.spin_change);
    }
    for (EffortRow& r : rows_) {
        evaluate_row(r, r.rate + share * r.rate_change);
        slope -= r.impulse * r.rate_change;
    }
    return slope;
}

// All laws at the rates of now.
void ConvexProblem::evaluate() {
    for (Press& p : presses_) evaluate_press<Wanted::all>(p, p.rate, p.spin);
    for (EffortRow& r : rows_) evaluate_row(r, r.rate);
}

// out = linear − Σ Nᵀ impulse.
void ConvexProblem::gradient(const Vec4* linear, Vec4* out) const {
    std::copy_n(linear, linear_.size(), out);
    for (const Press& p : presses_)
        contacts_.subtract_impulse(contacts_.touches()[p.touch], p.impulse, p.torque_impulse, out);
    for (const EffortRow& r : rows_) equations_.add_relation_impulse(r.relation, -r.impulse, out);
}

void ConvexProblem::assemble() {
    std::copy(base_.begin(), base_.end(), matrix_.blocks().begin());
    Block3* const out = matrix_.blocks().data();
    for (const Press& p : presses_)
        if (!(p.resistance == Mat3{}))
            contacts_.add_resistance(contacts_.touches()[p.touch], p.resistance, p.turn_resistance,
                                     out);
    for (const EffortRow& r : rows_)
        if (r.resistance > 0) equations_.add_relation_resistance(r.relation, r.resistance, out);
}

// Where the slope along the direction is nearly zero; it rises from a start that is negative.
double ConvexProblem::search(double start, double linear, double quadratic) {
    const double enough = flat_enough * std::abs(start);
    double low = 0, high = 1, low_slope = start, high_slope = slope_at(1, linear, quadratic);
    for (int i = 0; i < most_search && high_slope < -enough; ++i) {
        low = high;
        low_slope = high_slope;
        high *= 2;
        high_slope = slope_at(high, linear, quadratic);
    }
    if (high_slope <= enough) return high;
    double share = high;
    for (int i = 0; i < most_search; ++i) {
        // The secant where it makes progress, the middle where it does not.
        const double secant = low - low_slope * (high - low) / (high_slope - low_slope);
        const double inset = 0.1 * (high - low);
        share = i % 3 == 2 ? 0.5 * (low + high) : std::clamp(secant, low + inset, high - inset);
        const double slope = slope_at(share, linear, quadratic);
        if (std::abs(slope) <= enough) break;
        if (slope < 0) {
            low = share;
            low_slope = slope;
        } else {
            high = share;
            high_slope = slope;
        }
    }
    return share;
}

void ConvexProblem::renew_limits() {
    for (EffortRow& r : rows_)
        for (EffortRow::Part& p : r.part)
            if (p.is_bounded())
                p.start = std::clamp(p.start + p.gain * (p.rate - r.rate), p.low, p.high);
    for (size_t i = 0; i < presses_.size(); ++i) {
        Press& p = presses_[i];
        p.limit = p.normal_force;
        for (size_t k = i - p.points; k < i; ++k) p.limit += presses_[k].normal_force;
    }
}

int ConvexProblem::solve(const std::vector<Vec4>& v, const std::vector<Vec4>& b,
                         std::vector<Vec4>& d) {
    const size_t count = linear_.size();
    std::fill(d.begin(), d.end(), Vec4{});
    std::copy(b.begin(), b.end(), linear_.begin());  // A d + b
    for (EffortRow& r : rows_) r.rate = equations_.relation_rate(r.relation, v.data());
    for (Press& p : presses_) p.rate = p.spin = {};
    evaluate();
    double moved = 0;
    int iteration = 0;
    while (iteration < most_convex_iterations) {
        ++iteration;
        assemble();
        matrix_.factorize();
        gradient(linear_.data(), direction_.data());
        double decrement = 0;
        product_ = direction_;
        for (Vec4& x : direction_) x = -x;
        matrix_.solve(direction_.data());
        for (size_t e = 0; e < count; ++e) decrement -= dot(direction_[e], product_[e]);
        if (!(decrement > 0)) break;
        equations_.multiply_impulses(direction_.data(), product_.data());
        double linear = 0, quadratic = 0;
        for (size_t e = 0; e < count; ++e) {
            linear += dot(linear_[e], direction_[e]);
            quadratic += dot(product_[e], direction_[e]);
        }
        rates_along(direction_.data());
        const double share = search(-decrement, linear, quadratic);
        for (size_t e = 0; e < count; ++e) {
            d[e] += share * direction_[e];
            linear_[e] += share * product_[e];
        }
        for (Press& p : presses_) {
            p.rate += share * p.rate_change;
            p.spin += share * p.spin_change;
        }
        for (EffortRow& r : rows_) r.rate += share * r.rate_change;
        moved += share * share * quadratic;
        if (iteration <= most_renewed_limits) renew_limits();
        if (decrement <= convex_share * moved) break;
        evaluate();
    }
    return iteration;
}

void ConvexProblem::store_contact_forces() {
    for (const Press& p : presses_) {
        contacts_.store_impulse(p.touch, {p.impulse / step_, p.torque_impulse / step_,
                                          p.points ? p.limit : p.normal_force, solved_depth(p),
                                          p.new_strain, p.new_turn_strain, p.slips});
    }
}

bool ConvexProblem::has_moved_on() const {
    return std::any_of(presses_.begin(), presses_.end(), [this](const Press& p) {
        const ActiveContact& t = contacts_.touches()[p.touch];
        return p.normal_force > 0 && std::abs(t.depth - p.depth) > moved_share * t.length;
    });
}

void ConvexProblem::add_held_depths(Block3* matrix) const {
    for (const Press& p : presses_) {
        const ActiveContact& t = contacts_.touches()[p.touch];
        const contact::NormalForce f = force_at(p, std::max(t.depth, solved_depth(p)));
        if (!(f.force > 0)) continue;
        const Vec3 n = to_vec3(t.normal);
        contacts_.add_resistance(
            t, (step_ * step_ * (f.by_depth + f.by_rate / step_)) * Mat3::outer(n, n), {}, matrix);
    }
}

void ConvexProblem::push_to_depths(Vec4* out) const {
    for (const Press& p : presses_) {
        const ActiveContact& t = contacts_.touches()[p.touch];
        const double more = force_at(p, t.depth).force - p.normal_force;
        if (more != 0)
            contacts_.subtract_impulse(t, (-step_ * step_ * more) * to_vec3(t.normal), {}, out);
    }
}

}  // namespace bristle::lagrange
