#include "machines/operator/tip.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr std::array<Control, 3> arm_controls{Control::boom, Control::stick, Control::bucket};

// 1/s: a spool lags 40 ms and the pump 60 ms; a third of their inverse leaves room.
constexpr double gain = 2.5, integral_gain = 1.5;
constexpr double most_integral = 0.06;  // m/s

// Of the swing, whose motor moves some 1.2e5 kg m² with 60 kN m: half of that is left to wind and slopes.
constexpr double swing_acceleration = 0.45, swing_gain = 0.6, swing_braking = 3;  // rad/s²
constexpr double swing_delay = 0.25, swing_settling = 0.6;                        // s
constexpr double swing_creep = 0.06;                                              // rad

constexpr double tip_acceleration = 0.5;  // m/s²
// m: teeth this far from the point they follow are waited for.
constexpr double patience = 0.25;

}  // namespace

double ArmServo::set_levers(const Cylinders& rates, Hands& hands) const {
    const Excavator& e = *excavator_;
    double flow = 0, share = 1;
    for (size_t i = 0; i < rates.size(); ++i) {
        const LeverLaw& law = e.lever(arm_controls[i]);
        flow += law.flow(rates[i]);
        const double most = rates[i] > 0 ? law.forwards : law.backwards;
        if (std::abs(rates[i]) > most) share = std::min(share, most / std::abs(rates[i]));
    }
    if (flow > 0) share = std::min(share, 0.97 * e.pump_flow / flow);
    const double drop = e.drop_at(share * flow);
    for (size_t i = 0; i < rates.size(); ++i)
        hands.move(arm_controls[i], std::abs(rates[i]) < 2e-4
                                        ? 0
                                        : e.lever(arm_controls[i]).lever(share * rates[i], drop));
    return share;
}

double ArmServo::follow(const Senses& s, const Cylinders& lengths, const Cylinders& rates,
                        double dt, Hands& hands) {
    Cylinders wanted{};
    for (size_t i = 0; i < wanted.size(); ++i) {
        const double error = lengths[i] - s.cylinders[i];
        // One that is far behind does not need what it had in mind before.
        if (std::abs(error) < 0.05)
            integral_[i] = std::clamp(integral_[i] + integral_gain * error * dt, -most_integral,
                                      most_integral);
        wanted[i] = rates[i] + gain * error + integral_[i];
    }
    return set_levers(wanted, hands);
}

bool ArmServo::go(const Senses& s, const Cylinders& lengths, double tolerance, Hands& hands) {
    forget();
    Cylinders wanted{};
    bool is_there = true;
    for (size_t i = 0; i < wanted.size(); ++i) {
        const LeverLaw& law = excavator_->lever(arm_controls[i]);
        const double error = lengths[i] - s.cylinders[i];
        if (std::abs(error) > tolerance) is_there = false;
        wanted[i] = std::abs(error) < 0.3 * tolerance
                      ? 0
                      : std::clamp(2.5 * error, -law.backwards, law.forwards);
    }
    // Each for itself: the slow one does not hold up the others.
    const Excavator& e = *excavator_;
    double flow = 0;
    for (size_t i = 0; i < wanted.size(); ++i) flow += e.lever(arm_controls[i]).flow(wanted[i]);
    const double drop = e.drop_at(flow);
    for (size_t i = 0; i < wanted.size(); ++i)
        hands.move(arm_controls[i], e.lever(arm_controls[i]).lever(wanted[i], drop));
    return is_there;
}

bool swing_to(const Excavator& e, const Senses& s, double angle, double tolerance, Hands& hands) {
    return swing_by(e, s, wrapped(angle - s.swing), tolerance, hands);
}

bool swing_by(const Excavator& e, const Senses& s, double error, double tolerance, Hands& hands) {
    const double size = std::abs(error);
    const LeverLaw& law = e.lever(Control::swing);
    if (size < tolerance && std::abs(s.swing_rate) < 0.03) {
        hands.move(Control::swing, 0);
        return true;
    }
    // It answers late: what counts is where it will be by then.
    const double later = error - swing_delay * s.swing_rate, left = std::abs(later);
    const double rate = std::copysign(
        std::min({law.forwards, std::sqrt(2 * swing_acceleration * left), left / swing_settling}),
        later);
    // Half closed, a valve hardly brakes: what is too fast is to be closed well before.
    const double missing = rate - s.swing_rate;
    double wanted = rate + (missing * rate < 0 ? swing_braking : swing_gain) * missing;
    // Never against the way it goes: the closed valve brakes. Near the end it creeps, and the oil has time to calm down.
    if (size < swing_creep) wanted = std::abs(s.swing_rate) < 0.08 ? rate : 0;
    if (wanted * s.swing_rate < 0 && std::abs(s.swing_rate) > 0.03) wanted = 0;
    hands.move(Control::swing, law.lever(std::clamp(wanted, -law.backwards, law.forwards)));
    return false;
}

// ---- A line ----------------------------------------------------------------------------------------------

TipPath::TipPath(std::vector<Knot> knots) : knots_(std::move(knots)), ends_{0} {
    for (size_t i = 1; i < knots_.size(); ++i) {
        // A bucket that only turns goes along its own arc of half a metre a radian.
        const double way = norm(knots_[i].point - knots_[i - 1].point),
                     turn = 0.5 * std::abs(knots_[i].attack - knots_[i - 1].attack);
        ends_.push_back(ends_.back() + std::max({way, turn, 1e-6}));
    }
}

TipPath::At TipPath::at(double way) const {
    size_t i = 1;
    while (i + 1 < ends_.size() && way > ends_[i]) ++i;
    if (i >= knots_.size()) return {knots_[0].point, knots_[0].attack, knots_[0].speed};
    const double share = std::clamp((way - ends_[i - 1]) / (ends_[i] - ends_[i - 1]), 0.0, 1.0);
    return {knots_[i - 1].point + share * (knots_[i].point - knots_[i - 1].point),
            knots_[i - 1].attack + share * (knots_[i].attack - knots_[i - 1].attack),
            knots_[i].speed};
}

// Slow enough for the end, and for corners.
double TipPath::allowed_speed(double way) const {
    double speed = std::sqrt(2 * tip_acceleration * std::max(0.0, length() - way)) + 0.01;
    for (size_t i = 1; i + 1 < knots_.size(); ++i) {
        if (ends_[i] < way) continue;
        const Vec3 in = knots_[i].point - knots_[i - 1].point,
                   out = knots_[i + 1].point - knots_[i].point;
        const double sizes = norm(in) * norm(out);
        const double straight = sizes > 0 ? std::max(0.0, dot(in, out) / sizes) : 0;
        const double corner = 0.08 + knots_[i].speed * straight * straight;
        speed =
            std::min(speed, std::sqrt(corner * corner + 2 * tip_acceleration * (ends_[i] - way)));
    }
    return speed;
}

TipPath::State TipPath::follow(const Excavator& e, const Senses& s, ArmServo& servo, double dt,
                               Hands& hands) {
    const auto pose_at = [&](double way) -> TipPose {
        const At now = at(way);
        const Senses::Place place = s.place(e, now.point);
        // What lies behind the swing's axis counts as reach below zero.
        const double away = std::abs(wrapped(place.swing - s.swing)) > pi / 2 ? -1 : 1;
        return {away * place.reach, place.height, now.attack - s.pitch(s.swing)};
    };
    const TipPose wanted = pose_at(way_);
    const std::optional<Cylinders> lengths = e.arm.reached(wanted);
    if (!lengths) {
        hands.let_go();
        return State::out_of_reach;
    }
    error_ = std::hypot(wanted.reach - s.tip.reach, wanted.height - s.tip.height);
    const double ahead = std::min(way_ + 1e-3, length()), step = ahead - way_;
    Cylinders rates{};
    if (step > 0 && speed_ > 0) {
        const TipPose then = pose_at(ahead);
        const double f = speed_ / step;
        if (const auto r = e.arm.rates_at(
                wanted, {f * (then.reach - wanted.reach), f * (then.height - wanted.height),
                         f * (then.attack - wanted.attack)}))
            rates = *r;
    }
    const double share = servo.follow(s, *lengths, rates, dt, hands);
    if (way_ >= length()) return State::arrived;
    const double hold = std::clamp(2 - 2 * error_ / patience, 0.0, 1.0);
    const double allowed = std::min(at(way_).speed, allowed_speed(way_)) * hold;
    speed_ = std::min(allowed, speed_ + tip_acceleration * dt);
    // What the pump cannot give is not asked for at the next moment.
    if (share < 1) speed_ *= std::max(share, 0.5);
    way_ = std::min(way_ + speed_ * dt, length());
    return State::going;
}

void TipPath::raise(double by) {
    const At now = at(way_);
    std::vector<Knot> ahead{{now.point, now.attack, now.speed}};
    for (size_t i = 0; i < knots_.size(); ++i)
        if (ends_[i] > way_) ahead.push_back(knots_[i]);
    for (Knot& knot : ahead) knot.point.z += by;
    const double speed = speed_;
    *this = TipPath(std::move(ahead));
    speed_ = speed;
}

}  // namespace bristle::machines
