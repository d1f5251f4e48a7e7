#include "lagrange/prediction.h"

#include "lagrange/kinematics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

Vec4 sum_of(const Combination& c, const std::vector<Vec4>& entities, Vec4 constant) {
    for (const auto& t : c.terms) constant = fma(t.coefficient, entities[t.entity], constant);
    return constant;
}

struct PointMotion {
    Vec4 position, velocity, acceleration;
};
PointMotion motion_of(const Combination& c, const state::State& s) {
    return {sum_of(c, s.position, to_vec4(c.constant)), sum_of(c, s.velocity, Vec4{}),
            sum_of(c, s.acceleration, Vec4{})};
}

using Turn = Prediction::Turn;
Turn turn_of(const GroupFrame& frame, const state::State& s) {
    Vec4 axis[3], rate[3];
    const size_t rank = frame.axis.size();
    for (size_t k = 0; k < rank; ++k) {
        axis[k] = sum_of(frame.axis[k], s.position, to_vec4(frame.axis[k].constant));
        rate[k] = sum_of(frame.axis[k], s.velocity, Vec4{});
    }
    Turn turn{spin_of(axis, rate, rank), {}};
    for (size_t k = 0; k < rank; ++k)
        rate[k] = sum_of(frame.axis[k], s.acceleration, Vec4{}) - cross(turn.spin, rate[k]);
    turn.acceleration = spin_of(axis, rate, rank);
    return turn;
}

// What accelerations at both ends make of a rate at the beginning.
struct Newmark {
    const IntegratorWeights& w;
    Vec4 way(Vec4 rate, Vec4 before, Vec4 after) const {
        return fma(w.step, rate, fma(0.5 * w.step * w.step - w.beta_h2, before, w.beta_h2 * after));
    }
    Vec4 rate_after(Vec4 rate, Vec4 before, Vec4 after) const {
        return rate + fma(w.step - w.gamma_h, before, w.gamma_h * after);
    }
};

bool is_steady(const Turn& turn, double h) {
    return h * h * std::sqrt(dot(turn.acceleration, turn.acceleration)) < most_jerk;
}

class Rotation {
  public:
    explicit Rotation(Vec4 angle) : angle_(angle) {
        const double size = std::sqrt(dot(angle, angle));
        const auto sine_share = [](double x) { return x > 1e-5 ? std::sin(x) / x : 1 - x * x / 6; };
        const double half = sine_share(0.5 * size);
        first_ = sine_share(size);
        second_ = 0.5 * half * half;
    }
    Vec4 operator*(Vec4 r) const {
        const Vec4 turned = cross(angle_, r);
        return fma(first_, turned, fma(second_, cross(angle_, turned), r));
    }

    Mat3 matrix() const {
        const auto column = [&](double x, double y, double z) {
            return to_vec3(*this * Vec4{x, y, z, 0});
        };
        return Mat3::columns(column(1, 0, 0), column(0, 1, 0), column(0, 0, 1));
    }

  private:
    Vec4 angle_;
    double first_, second_;
};

}  // namespace

Prediction::Prediction(const System& system) : system_(system) {
    turns_.resize(system.turnings.size());
    const auto free_assembly = [&](uint32_t group) {
        const Combination& origin = system.frames[group].origin;
        if (origin.is_constant()) return none;
        const uint32_t a = system.assembly[origin.terms[0].entity];
        return system.is_grounded[a] ? none : a;
    };
    std::vector<uint32_t> groups(system.assembly_count), number(system.assembly_count, none);
    for (uint32_t g = 1; g < system.frames.size(); ++g)
        if (const uint32_t a = free_assembly(g); a != none) ++groups[a];
    // A body alone has its centre on a parabola as it is.
    for (uint32_t a = 0; a < system.assembly_count; ++a) {
        if (groups[a] < 2) continue;
        number[a] = static_cast<uint32_t>(floating_.size());
        floating_.emplace_back().assembly = a;
    }
    for (uint32_t g = 1; g < system.frames.size(); ++g) {
        const uint32_t a = free_assembly(g);
        if (a == none || number[a] == none) continue;
        floating_[number[a]].groups.push_back(g);
        floating_[number[a]].mass += system.group_mass[g];
    }
    for (uint32_t e = 0; e < system.entity_count; ++e) {
        const uint32_t i = number[system.assembly[e]];
        if (i == none) continue;
        if (system.kind[e] == Entity::Kind::point) floating_[i].points.push_back(e);
        if (system.kind[e] == Entity::Kind::vector) floating_[i].vectors.push_back(e);
    }
    floating_of_.reserve(system.turnings.size());
    for (const Turning& t : system.turnings) {
        const uint32_t a = assembly_of(system, t.group);
        floating_of_.push_back(a == none ? none : number[a]);
    }
}

void Prediction::start_parabolas(const state::State& begin, double h, state::State& out) {
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        const Vec4 a = begin.acceleration[e], v = begin.velocity[e];
        out.position[e] = fma(h, fma(0.5 * h, a, v), begin.position[e]);
        out.velocity[e] = fma(h, a, v);
        out.acceleration[e] = a;
    }
    fastest_ = 0;
}

void Prediction::start(const state::State& begin, const IntegratorWeights& w, state::State& out) {
    start_parabolas(begin, w.step, out);
    const double h = w.step;
    for (Floating& one : floating_) one.is_fast = false;
    for (size_t i = 0; i < system_.turnings.size(); ++i) {
        const Turn turn = turn_of(system_.frames[system_.turnings[i].group], begin);
        const double angle = h * std::sqrt(dot(turn.spin, turn.spin));
        turns_[i] = {turn, angle > least_turn && angle < most_turn && is_steady(turn, h)};
        if (!turns_[i].is_fast) continue;
        fastest_ = std::max(fastest_, angle);
        if (floating_of_[i] != none) floating_[floating_of_[i]].is_fast = true;
        place(system_.turnings[i], begin, turn, nullptr, w, out);
    }
    if (fastest_ > 0) keep_momentum(begin, w, out);
}

void Prediction::renew(const state::State& begin, const IntegratorWeights& w, state::State& state) {
    for (size_t i = 0; i < system_.turnings.size(); ++i) {
        if (!turns_[i].is_fast) continue;
        const Turn now = turn_of(system_.frames[system_.turnings[i].group], state);
        if (!is_steady(now, w.step)) continue;
        place(system_.turnings[i], begin, turns_[i].begin, &now.acceleration, w, state);
    }
    keep_momentum(begin, w, state);
}

void Prediction::keep_momentum(const state::State& begin, const IntegratorWeights& w,
                               state::State& out) const {
    const Newmark rule{w};
    for (const Floating& one : floating_) {
        if (!one.is_fast) continue;
        Vec4 way{}, rate{};
        for (uint32_t g : one.groups) {
            const PointMotion from = motion_of(system_.frames[g].origin, begin),
                              to = motion_of(system_.frames[g].origin, out);
            const double share = system_.group_mass[g] / one.mass;
            way += share
                 * (from.position + rule.way(from.velocity, from.acceleration, to.acceleration)
                    - to.position);
            rate += share
                  * (rule.rate_after(from.velocity, from.acceleration, to.acceleration)
                     - to.velocity);
        }
        for (uint32_t e : one.points) {
            out.position[e] += way;
            out.velocity[e] += rate;
        }
    }
}

// ω at the end, and the angle. Bodies keep what they do not get from torques in their momentum I ω, which turns far less than ω does
// of a top: so that is what the trapezoidal rule goes on with, where it is known how they resist.
Prediction::Path Prediction::path_of(const Turning& t, const state::State& begin, const Turn& turn,
                                     const Vec4* alpha, const IntegratorWeights& w) const {
    const Newmark rule{w};
    // The last term is what turns about changing axes do not commute by.
    const auto angle_to = [&](Vec4 omega) {
        return 0.5 * w.step * (turn.spin + omega)
             - (w.step * w.step / 12) * cross(turn.spin, omega);
    };
    const bool by_momentum =
        t.inertia.trace() > 0 && w.gamma_h == 0.5 * w.step && w.beta_h2 == 0.25 * w.step * w.step;
    if (!by_momentum) {
        const Vec4 at_end = alpha != nullptr ? *alpha : turn.acceleration;
        const Vec4 omega = rule.rate_after(turn.spin, turn.acceleration, at_end);
        return {rule.way(turn.spin, turn.acceleration, at_end)
                    - (w.step * w.step / 12) * cross(turn.spin, omega),
                omega, at_end};
    }
    const Mat3 start = group_rotation(system_.frames[t.group], begin.position.data());
    const Mat3 inertia = start * t.inertia * start.transposed(),
               inverse = start * t.inverse_inertia * start.transposed();
    const Vec3 spin = to_vec3(turn.spin), momentum = inertia * spin;
    const Vec3 torque = inertia * to_vec3(turn.acceleration) + cross(spin, momentum);
    Vec3 omega = spin + w.step * to_vec3(turn.acceleration), at_end{};
    for (int i = 0; i < path_rounds; ++i) {
        const Mat3 turned = Rotation(angle_to(to_vec4(omega))).matrix();
        const auto at = [&](const Mat3& m, Vec3 v) {
            return turned * (m * (turned.transposed() * v));
        };
        Vec3 mean = torque;
        if (alpha != nullptr)
            mean = 0.5 * (torque + at(inertia, to_vec3(*alpha)) + cross(omega, at(inertia, omega)));
        omega = at(inverse, momentum + w.step * mean);
        at_end = alpha != nullptr ? to_vec3(*alpha)
                                  : at(inverse, torque - cross(omega, at(inertia, omega)));
    }
    return {angle_to(to_vec4(omega)), to_vec4(omega), to_vec4(at_end)};
}

void Prediction::place(const Turning& t, const state::State& begin, const Turn& turn,
                       const Vec4* alpha_at_end, const IntegratorWeights& w,
                       state::State& out) const {
    const Newmark rule{w};
    const bool is_first = alpha_at_end == nullptr;
    const Path path = path_of(t, begin, turn, alpha_at_end, w);
    const Vec4 omega = path.spin, alpha = path.acceleration;
    const Rotation rotation(path.angle);
    const auto turned = [&](uint32_t e, Vec4 r, const PointMotion& base) {
        const Vec4 to = rotation * r, rate = cross(omega, to);
        const Vec4 acceleration = base.acceleration + cross(alpha, to) + cross(omega, rate);
        if (is_first) out.acceleration[e] = acceleration;
        const Vec4 further = out.acceleration[e] - acceleration;
        out.position[e] = fma(w.beta_h2, further, base.position + to);
        out.velocity[e] = fma(w.gamma_h, further, base.velocity + rate);
    };
    for (uint32_t e : t.vectors) turned(e, begin.position[e], PointMotion{});
    if (t.points.empty()) return;
    PointMotion from = motion_of(t.base, begin), to;
    if (t.base_is_own) {
        const Combination& origin = system_.frames[t.group].origin;
        from = motion_of(origin, begin);
        to.acceleration = is_first ? from.acceleration : sum_of(origin, out.acceleration, Vec4{});
        to.position = from.position + rule.way(from.velocity, from.acceleration, to.acceleration);
        to.velocity = rule.rate_after(from.velocity, from.acceleration, to.acceleration);
    } else {
        to = motion_of(t.base, out);
    }
    for (uint32_t e : t.points) turned(e, begin.position[e] - from.position, to);
}

}  // namespace bristle::lagrange
