#include "machines/operator/travel.h"

#include "machines/operator/tip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr double settle = 1.4;                    // m: ℓ
constexpr double preview = 0.4;                   // s
constexpr double steering_rate = 0.6;             // rad/s: of a hand at the wheel
constexpr double cruise = 1.9, fast = 4.5;        // m/s: in the slow range, and in the fast one
constexpr double sideways = 0.13, braking = 0.6;  // m/s²
constexpr double room_for_fast = 14;              // m, straight ahead
constexpr double near = 0.12;                     // m: that is there
constexpr double margin = 14;                     // m, of the map around start and goal
constexpr double furthest = 150;                  // m: beyond, one would need a map
constexpr int most_replans = 4;
constexpr double blocked_after = 5;  // s
constexpr ArmAngles travel_angles{0.9, -1.4, -2.8};

Stand stand_of(const Excavator& e, const Pose& machine) {
    const Vec3 ahead = machine.orientation.matrix().column(0);
    const Vec3 rear = machine * Vec3{e.rear_axle, 0, 0};
    return {rear.x, rear.y, std::atan2(ahead.y, ahead.x)};
}

double wheel_angle(const Excavator& e, double curvature, double kingpin_y) {
    if (std::abs(curvature) < 1e-9) return 0;
    return std::atan(e.wheelbase / (1 / curvature - kingpin_y));
}

}  // namespace

double steering_for(const Excavator& e, double curvature) {
    const double most = 1 / (e.wheelbase / std::tan(e.steering_end) + e.kingpin_y);
    return wheel_angle(e, std::clamp(curvature, -most, most), e.kingpin_y);
}

double tightest_curvature(const Excavator& e) {
    return 0.75 / (e.wheelbase / std::tan(e.steering_end) + e.kingpin_y);
}

Footprint footprint(const Excavator& e) {
    // From the tail of the platform to the blade; beside the wheels half a metre is left.
    return {.ahead = {-0.2, 0.5 * e.wheelbase, e.wheelbase}, .radius = 1.75};
}

Travel::Travel(const Goal& goal, double patience)
    : Manoeuvre(fmt::format("travel to ({:.1f}, {:.1f})", goal.x, goal.y), patience), goal_(goal) {}

std::string Travel::phase() const {
    if (!is_ready_) return "lifts arm and supports";
    if (!route_) return "looks for a way";
    return fmt::format("drives to ({:.1f}, {:.1f}), {:.0f} m left", goal_.x, goal_.y,
                       std::max(0.0, length(*route_) - way_));
}

bool Travel::plan(const Seat& seat) {
    const Excavator& e = seat.machine;
    const Stand from = stand_of(e, seat.senses.machine);
    const Stand to{goal_.x + e.rear_axle * std::cos(goal_.heading),
                   goal_.y + e.rear_axle * std::sin(goal_.heading), goal_.heading};
    const MapArea area{std::min(from.x, to.x) - margin, std::min(from.y, to.y) - margin,
                       std::max(from.x, to.x) + margin, std::max(from.y, to.y) + margin};
    const SiteMap map(seat.world, e, area);
    // With room to spare, or as much as it needs.
    Footprint covered = footprint(e);
    route_.reset();
    for (const double spare : {0.35, 0.1}) {
        covered.radius = footprint(e).radius + spare;
        route_ = find_route(map, covered, from, to, {.curvature = tightest_curvature(e)});
        if (route_) break;
    }
    at_ = 0;
    way_ = moved_way_ = 0;
    moved_time_ = seat.senses.time;
    integral_ = 0;
    return route_.has_value();
}

// Blade and outriggers off the ground, the arm ahead and above what stands in the way: cabs of trucks are 3 m high.
bool Travel::make_ready(const Seat& seat) {
    const Excavator& e = seat.machine;
    const bool blade = seat.senses.blade < e.blade_stroke.shortest + 0.01,
               outriggers = seat.senses.outriggers < e.outrigger_stroke.shortest + 0.01;
    seat.hands.move(Control::blade, blade ? 0 : -1);
    seat.hands.move(Control::outriggers, outriggers ? 0 : -1);
    const std::optional<Cylinders> folded = e.arm.cylinders_at(travel_angles);
    const bool is_up = !folded || ArmServo(e).go(seat.senses, *folded, 0.06, seat.hands);
    // Not through what the arm may be in.
    const bool is_ahead = !is_up ? false : swing_to(e, seat.senses, 0, 0.04, seat.hands);
    if (!is_up) seat.hands.move(Control::swing, 0);
    seat.hands.move(Control::swing_brake, 0);
    return blade && outriggers && is_up && is_ahead;
}

double Travel::wanted_speed(size_t segment_end, double left) const {
    const Route& r = *route_;
    const bool may_be_fast = r[at_].direction > 0 && left > room_for_fast;
    double speed = may_be_fast ? fast : cruise;
    double ahead = 0;
    for (size_t i = at_; i < segment_end && ahead < room_for_fast; ++i) {
        ahead += std::hypot(r[i + 1].at.x - r[i].at.x, r[i + 1].at.y - r[i].at.y);
        const double bend = std::abs(r[i].curvature);
        if (bend < 1e-3) continue;
        const double there = std::sqrt(sideways / bend);
        speed = std::min(speed, std::sqrt(there * there + 2 * braking * ahead));
    }
    return std::min(speed, std::sqrt(2 * braking * std::max(0.0, left - 0.5 * near)));
}

void Travel::steer(const Seat& seat, const Stand& now, const RoutePoint& to) {
    const double c = std::cos(to.at.heading), s = std::sin(to.at.heading);
    const double left = -(now.x - to.at.x) * s + (now.y - to.at.y) * c,
                 turned = wrapped(now.heading - to.at.heading);
    const double curvature =
        to.curvature - left / (settle * settle) - 2 * to.direction * turned / settle;
    const double wanted = steering_for(seat.machine, curvature), step = steering_rate * seat.dt;
    steering_ = std::clamp(wanted, steering_ - step, steering_ + step);
    seat.hands.move(Control::steering, steering_);
}

void Travel::press(const Seat& seat, double wanted) {
    Hands& hands = seat.hands;
    const double speed = seat.senses.forward_speed, sign = wanted < 0 ? -1 : 1;
    const double missing = sign * (wanted - speed);
    integral_ = std::clamp(integral_ + 0.25 * missing * seat.dt, -0.1, 0.5);
    if (missing < -0.35) integral_ = std::min(integral_, 0.0);
    const double pressed = std::clamp(0.3 * missing + integral_, 0.0, 1.0);
    hands.move(Control::pedal, sign * pressed);
    hands.move(Control::service_brake, missing < -0.3 ? std::min(0.6, -0.5 * missing) : 0);
    hands.move(Control::parking_brake, 0);
    hands.move(Control::range, std::abs(wanted) > 2.2 ? 2 : 1);
}

Progress Travel::drive(const Seat& seat) {
    const Excavator& e = seat.machine;
    const Route& r = *route_;
    const Stand now = stand_of(e, seat.senses.machine);
    size_t end = at_;
    while (end + 1 < r.size() && r[end + 1].direction == r[at_].direction) ++end;
    // On along the route to the point abreast.
    const int direction = r[at_].direction;
    while (at_ < end) {
        const RoutePoint& next = r[at_ + 1];
        const double ahead = direction
                           * ((now.x - next.at.x) * std::cos(next.at.heading)
                              + (now.y - next.at.y) * std::sin(next.at.heading));
        if (ahead < 0) break;
        way_ += std::hypot(next.at.x - r[at_].at.x, next.at.y - r[at_].at.y);
        ++at_;
    }
    const RoutePoint& target = r[std::min(at_ + 1, end)];
    double left = 0;
    for (size_t i = at_ + 1; i < end; ++i)
        left += std::hypot(r[i + 1].at.x - r[i].at.x, r[i + 1].at.y - r[i].at.y);
    left += direction
          * ((target.at.x - now.x) * std::cos(target.at.heading)
             + (target.at.y - now.y) * std::sin(target.at.heading));
    if (left < near || is_stopping_) {
        is_stopping_ = std::abs(seat.senses.forward_speed) > 0.02;
        seat.hands.move(Control::pedal, 0);
        seat.hands.move(Control::service_brake, 1);
        integral_ = 0;
        if (is_stopping_) return {};
        if (end + 1 >= r.size()) return Progress::done();
        // To the other direction: wheels are turned while it stands.
        at_ = end + 1;
        moved_time_ = seat.senses.time;
        return {};
    }
    // Wheels take their time to turn: to the bend that comes.
    RoutePoint aim = target;
    const size_t soon = std::min(
        end, at_
                 + static_cast<size_t>(
                     1 + preview * std::abs(seat.senses.forward_speed) / RouteWishes{}.spacing));
    aim.curvature = r[soon].curvature;
    steer(seat, now, aim);
    const double off = std::hypot(now.x - target.at.x, now.y - target.at.y);
    // Wheels that are not turned yet, or a place beside the way, want less speed.
    const double turning = std::abs(steering_for(e, target.curvature) - steering_) > 0.15 ? 0.5 : 1;
    const double speed = std::max(0.12, turning * wanted_speed(end, left));
    press(seat, direction * (off > 0.8 ? std::min(speed, 0.8) : speed));
    if (off > 2.5 && left < 1e6) return Progress::failed("off its way");
    return {};
}

Progress Travel::go(const Seat& seat) {
    if (!std::isfinite(goal_.x + goal_.y + goal_.heading))
        return Progress::failed("the goal is no place");
    const Vec3 here = seat.senses.machine.position;
    if (!(std::hypot(goal_.x - here.x, goal_.y - here.y) < furthest))
        return Progress::failed(fmt::format("it is further than {:.0f} m", furthest));
    if (seat.senses.lean > 0.6) return Progress::failed("the machine is tipping");
    if (!is_ready_) {
        is_ready_ = make_ready(seat);
        if (!is_ready_) return {};
        seat.hands.let_go();
        seat.hands.move(Control::swing_brake, 1);
    }
    if (!route_ && !plan(seat)) return Progress::failed("there is no way");
    seat.hands.move(Control::axle_lock, 0);
    seat.hands.move(Control::throttle, 1);
    if (std::abs(way_ - moved_way_) > 0.1) {
        moved_way_ = way_;
        moved_time_ = seat.senses.time;
    }
    if (seat.senses.time < backing_until_) {
        seat.hands.move(Control::steering, steering_ = 0);
        press(seat, -0.6 * (*route_)[at_].direction);
        moved_time_ = seat.senses.time;
        is_backing_ = true;
        return {};
    }
    if (is_backing_) {
        is_backing_ = false;
        if (!plan(seat)) return Progress::failed("blocked, and there is no other way");
    }
    if (seat.senses.time - moved_time_ > blocked_after) {
        // Back a little, and look again: things may have been pushed.
        if (++replans_ > most_replans) return Progress::failed("blocked");
        backing_until_ = seat.senses.time + 3;
        return {};
    }
    Progress progress = drive(seat);
    if (progress.state == Progress::State::failed && ++replans_ <= most_replans && plan(seat))
        return {};
    if (progress.state == Progress::State::done) {
        const double off = std::hypot(seat.senses.machine.position.x - goal_.x,
                                      seat.senses.machine.position.y - goal_.y);
        if (off > 0.5)
            return ++replans_ <= most_replans && plan(seat)
                     ? Progress{}
                     : Progress::failed(fmt::format("{:.1f} m beside the goal", off));
        hold_still(seat.hands);
    }
    return progress;
}

}  // namespace bristle::machines
