#include "machines/operator/earthwork.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

// rad, against the horizontal: the floor leans by 8° and its heel is free.
constexpr double flat = -1.92;
// rad: the front wheels 0.6 m above the rear ones.
constexpr double nose_up = 0.21, tail_up = -0.02;

}  // namespace

// ---- Levelling ---------------------------------------------------------------------------------------------

Level::Level(const Line& line, double patience) : Manoeuvre("levels", patience), line_(line) {}

Progress Level::go(const Seat& seat) {
    const Senses& s = seat.senses;
    const auto at = [&](double reach, double height) {
        Vec3 p = s.world_point(seat.machine, line_.swing, reach, 0);
        p.z = height;
        return p;
    };
    if (!path_) {
        const Senses::Place above = s.place(seat.machine, at(line_.far, line_.far_height + 0.4));
        const std::optional<Cylinders> lengths = seat.machine.arm.reached(
            {above.reach, above.height, flat - s.pitch(line_.swing)}, 0.005);
        if (!lengths) return Progress::failed("the line is out of reach");
        const bool is_swung = swing_to(seat.machine, s, line_.swing, 0.03, seat.hands);
        const bool is_near = std::abs(wrapped(line_.swing - s.swing)) < 0.4;
        const bool is_there = is_near && ArmServo(seat.machine).go(s, *lengths, 0.03, seat.hands);
        if (!is_swung || !is_there) return {};
        path_.emplace(std::vector<TipPath::Knot>{
            {s.teeth, s.tip.attack + s.pitch(s.swing), 0.4},
            {at(line_.far, line_.far_height), flat, 0.4},
            {at(line_.near, line_.near_height), flat, line_.speed},
            {at(line_.near - 0.2, line_.near_height + 0.6), flat - 0.5, 0.8}});
        servo_.emplace(seat.machine);
        moved_time_ = s.time;
    }
    const TipPath::State state = path_->follow(seat.machine, s, *servo_, seat.dt, seat.hands);
    if (state == TipPath::State::out_of_reach) return Progress::failed("out of reach");
    if (state == TipPath::State::arrived) return Progress::done();
    const Senses::Place teeth = s.place(seat.machine, s.teeth);
    if (teeth.reach < line_.far - 0.3 && teeth.reach > line_.near + 0.1)
        worst_ = std::max(worst_, path_->error());
    if (path_->travelled() > moved_way_ + 0.02) {
        moved_way_ = path_->travelled();
        moved_time_ = s.time;
    }
    return s.time - moved_time_ > 4 ? Progress::failed("stalled") : Progress{};
}

// ---- A trench ------------------------------------------------------------------------------------------------

Trench::Trench(Plan plan, double patience)
    : Manoeuvre("digs a trench", patience), plan_(std::move(plan)) {}

std::string Trench::phase() const {
    return fmt::format("trench, pass {}: {}", passes_, now_ ? now_->phase() : "looks");
}

Progress Trench::begin_pass(const Seat& seat) {
    const Senses& s = seat.senses;
    const double first = plan_.bottom.front().x, last = plan_.bottom.back().x;
    double near = unlimited, far = -unlimited;
    for (double r = first; r <= last + 1e-9; r += 0.1) {
        const Vec3 p = s.world_point(seat.machine, plan_.swing, r, 0);
        if (ground_at(seat.world, p.x, p.y) < height_of(plan_.bottom, r) + plan_.tolerance)
            continue;
        near = std::min(near, r);
        far = std::max(far, r);
    }
    if (far < near) {
        if (is_levelled_) return Progress::done();
        is_levelled_ = true;
        phase_ = Phase::level;
        now_ = std::make_unique<Level>(Level::Line{.swing = plan_.swing,
                                                   .far = last,
                                                   .near = first,
                                                   .far_height = plan_.bottom.back().z,
                                                   .near_height = plan_.bottom.front().z});
        return {};
    }
    if (++passes_ > plan_.most_passes)
        return Progress::failed(fmt::format("{:.1f} m are still too high after {} passes",
                                            far - near, plan_.most_passes));
    // A bucket needs a metre and a half to fill.
    far = std::min(last, std::max(far, near + 1.5));
    near = std::max(first, std::min(near, far - 1.5));
    phase_ = Phase::dig;
    now_ = std::make_unique<Dig>(Dig::Line{.swing = plan_.swing,
                                           .far = far,
                                           .near = near,
                                           .cut = plan_.cut,
                                           .profile = plan_.bottom,
                                           .wanted = 1450});
    return {};
}

Progress Trench::go(const Seat& seat) {
    if (plan_.bottom.size() < 2) return Progress::failed("a profile has two points at least");
    if (phase_ == Phase::look) return begin_pass(seat);
    const Progress progress = now_->act(seat);
    if (progress.state == Progress::State::failed)
        return Progress::failed(now_->name() + ": " + progress.why);
    if (progress.state == Progress::State::going) return {};
    if (phase_ == Phase::dig || (phase_ == Phase::level && seat.senses.load > 100)) {
        phase_ = Phase::dump;
        now_ = std::make_unique<Dump>(plan_.heap);
    } else {
        phase_ = Phase::look;
    }
    return {};
}

// ---- The arm as a leg ------------------------------------------------------------------------------------------

PullUp::PullUp(double way, double patience) : Manoeuvre("pulls itself up", patience), way_(way) {}

std::string PullUp::phase() const {
    static constexpr const char* names[] = {"plants the bucket", "presses", "pulls", "lifts"};
    return fmt::format("pull {}: {}", pulls_ + 1, names[static_cast<size_t>(phase_)]);
}

void PullUp::turn_to(Phase phase, const Seat& seat) {
    phase_ = phase;
    phase_begin_ = seat.senses.time;
    seat.hands.let_go();
}

Progress PullUp::go(const Seat& seat) {
    const Excavator& e = seat.machine;
    const Senses& s = seat.senses;
    Hands& hands = seat.hands;
    if (!begin_at_) {
        begin_at_ = s.machine.position;
        turn_to(Phase::plant, seat);
    }
    if (s.lean > 0.5) return Progress::failed("the machine is tipping");
    const Vec3 ahead = s.machine.orientation.matrix().column(0);
    const double come = dot(s.machine.position - *begin_at_, ahead),
                 phase_time = s.time - phase_begin_,
                 nose = std::asin(std::clamp(ahead.z, -1.0, 1.0));
    hands.move(Control::range, 1);
    hands.move(Control::steering, 0);
    const bool drives = phase_ == Phase::pull;
    hands.move(Control::parking_brake, drives ? 0 : 1);
    hands.move(Control::service_brake, drives ? 0 : 1);
    // The front by pulling ahead; then the rear, the arm behind it, by pushing off.
    const double swing = is_behind_ ? pi : 0, lifted = is_behind_ ? tail_up - nose : nose - nose_up;
    switch (phase_) {
        case Phase::plant: {
            if (come > way_) {
                hold_still(hands);
                return Progress::done();
            }
            come_ = come;
            Vec3 p = s.world_point(e, swing, is_behind_ ? 5.2 : 7.2, 0);
            p.z = ground_at(seat.world, p.x, p.y) + 0.15;
            const Senses::Place place = s.place(e, p);
            const auto lengths = e.arm.reached({place.reach, place.height, -1.35 - s.pitch(swing)});
            if (!lengths) return Progress::failed("cannot reach the ground there");
            // Above what is around while it swings.
            const bool is_swung = swing_to(e, s, swing, 0.05, hands);
            const bool is_near = std::abs(wrapped(swing - s.swing)) < 0.3;
            const Cylinders above{std::max((*lengths)[0], s.cylinders[0]), (*lengths)[1],
                                  (*lengths)[2]};
            const bool arm = ArmServo(e).go(s, is_near ? *lengths : above, 0.05, hands);
            if (is_swung && arm) turn_to(Phase::press, seat);
            return {};
        }
        case Phase::press:
            // Until that end is above the step, or rises no more.
            hands.move(Control::boom, -1);
            if (lifted > 0 || phase_time > 5) turn_to(Phase::pull, seat);
            return {};
        case Phase::pull:
            hands.move(Control::pedal, 0.55);
            hands.move(Control::stick, is_behind_ ? -0.7 : 0.7);
            hands.move(Control::boom, std::clamp(12 * lifted, -0.8, 0.4));
            if ((is_behind_ ? s.tip.reach > 7.8 : s.tip.reach < 4.3) || phase_time > 9
                || come > way_) {
                turn_to(Phase::lift, seat);
                ++pulls_;
                // The rear wheels stand before the step.
                if (!is_behind_ && come < come_ + 0.1 && nose > 0.05) is_behind_ = true;
            }
            return {};
        case Phase::lift: break;
    }
    hands.move(Control::boom, 0.8);
    const double height = s.teeth.z - ground_at(seat.world, s.teeth.x, s.teeth.y);
    if (height > 0.8 || phase_time > 4) turn_to(Phase::plant, seat);
    return {};
}

}  // namespace bristle::machines
