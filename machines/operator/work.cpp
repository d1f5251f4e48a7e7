#include "machines/operator/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr double from_above = 60;  // m

// Of the bucket, against the horizontal: in, along the ground, and full. Its floor at the teeth points 62° below the line to the
// teeth: so it cuts with some 30° of rake, and is level with its mouth up at −π.
constexpr double going_in = -0.95, coming_out = -2.05, carrying = -3.0, emptied = -1.1;
constexpr int parts_of_opening = 9;

// m: how far the arm reaches out, teeth or the bucket's pivot.
double furthest_of(const Excavator& e, const TipPose& tip) {
    return std::max(tip.reach, tip.reach - e.arm.tip.size() * std::cos(tip.attack));
}

// m, world: of what it stands on, about.
double foot(const Senses& s) { return s.machine.position.z; }

// N: a wheel that carries less is off the ground, as far as who sits above sees.
constexpr double unloaded = 3e3;
// rad: by which a machine leans more when it lifts itself by its arm.
constexpr double lifted = 0.012;

}  // namespace

double height_of(const std::vector<InPlane>& profile, double reach) {
    if (profile.empty()) return -unlimited;
    if (reach <= profile.front().x) return profile.front().z;
    for (size_t i = 1; i < profile.size(); ++i) {
        if (reach > profile[i].x) continue;
        const double share = (reach - profile[i - 1].x) / (profile[i].x - profile[i - 1].x);
        return profile[i - 1].z + share * (profile[i].z - profile[i - 1].z);
    }
    return profile.back().z;
}

double ground_at(const World& world, double x, double y) {
    const auto hit = world.scenery().cast_ray({x, y, from_above}, {0, 0, -1}, 2 * from_above);
    return hit ? hit->point.z : 0;
}

SwingWay swing_way(const Seat& seat, double angle, double reach) {
    const Senses& s = seat.senses;
    const double shorter = wrapped(angle - s.swing);
    SwingWay best;
    for (const double way : {shorter, shorter - std::copysign(2 * pi, shorter)}) {
        SwingWay found{.sign = way < 0 ? -1.0 : 1.0};
        for (double by = 0; by < std::abs(way); by += 0.12)
            for (double r = 2.8; r < reach + 0.5; r += 0.6) {
                const Vec3 p = s.world_point(seat.machine, s.swing + found.sign * by, r, 0);
                found.highest = std::max(found.highest, ground_at(seat.world, p.x, p.y));
            }
        // A metre and a half is passed over on any way.
        const double foot = s.machine.position.z;
        if (best.highest == -unlimited
            || std::max(found.highest, foot + 1.5) < std::max(best.highest, foot + 1.5))
            best = found;
    }
    return best;
}

double SwingWay::left(const Senses& s, double angle) const {
    const double shorter = wrapped(angle - s.swing);
    // Near the end it may have gone a little too far.
    return shorter * sign >= 0 || std::abs(shorter) < 0.5 ? shorter : shorter + sign * 2 * pi;
}

// ---- Standing ------------------------------------------------------------------------------------------------

Support::Support(How how, double patience)
    : Manoeuvre(
        how == How::retracted ? "lifts blade and outriggers" : "stands on blade and outriggers",
        patience),
      how_(how) {}

Progress Support::go(const Seat& seat) {
    const Excavator& e = seat.machine;
    const Senses& s = seat.senses;
    hold_still(seat.hands);
    seat.hands.move(Control::axle_lock, how_ == How::retracted ? 0 : 1);
    if (how_ == How::retracted) {
        const bool blade = s.blade < e.blade_stroke.shortest + 0.01,
                   outriggers = s.outriggers < e.outrigger_stroke.shortest + 0.01;
        seat.hands.move(Control::blade, blade ? 0 : -1);
        seat.hands.move(Control::outriggers, outriggers ? 0 : -1);
        return blade && outriggers ? Progress::done() : Progress{};
    }
    const double enough = how_ == How::wheels_off ? unloaded : 0.6 * 5e4;
    const bool front = std::max(s.wheel_load[0], s.wheel_load[1]) < enough
                    || s.blade > e.blade_stroke.longest - 0.01,
               rear = std::max(s.wheel_load[2], s.wheel_load[3]) < enough
                   || s.outriggers > e.outrigger_stroke.longest - 0.01;
    seat.hands.move(Control::blade, front ? 0 : 0.8);
    seat.hands.move(Control::outriggers, rear ? 0 : 0.8);
    if (!front || !rear) {
        settled_since_ = -1;
        return {};
    }
    if (settled_since_ < 0) settled_since_ = s.time;
    return s.time - settled_since_ > 0.5 ? Progress::done() : Progress{};
}

// ---- Reaching and following ------------------------------------------------------------------------------------

Reach::Reach(std::optional<double> swing, const TipPose& pose, double tolerance, double patience)
    : Manoeuvre("reaches", patience), swing_(swing), pose_(pose), tolerance_(tolerance) {}

Progress Reach::go(const Seat& seat) {
    const std::optional<Cylinders> lengths = seat.machine.arm.reached(pose_);
    if (!lengths) return Progress::failed("out of reach");
    const bool arm = ArmServo(seat.machine).go(seat.senses, *lengths, tolerance_, seat.hands);
    const bool swing = !swing_ || swing_to(seat.machine, seat.senses, *swing_, 0.03, seat.hands);
    return arm && swing ? Progress::done() : Progress{};
}

Follow::Follow(std::string name, std::vector<TipPath::Knot> knots, double patience)
    : Manoeuvre(std::move(name), patience), path_(std::move(knots)) {}

Progress Follow::go(const Seat& seat) {
    if (!servo_) {
        servo_.emplace(seat.machine);
        moved_time_ = seat.senses.time;
    }
    const TipPath::State state =
        path_.follow(seat.machine, seat.senses, *servo_, seat.dt, seat.hands);
    worst_ = std::max(worst_, path_.error());
    if (state == TipPath::State::out_of_reach) return Progress::failed("out of reach");
    if (state == TipPath::State::arrived) return Progress::done();
    if (path_.travelled() > moved_way_ + 0.02) {
        moved_way_ = path_.travelled();
        moved_time_ = seat.senses.time;
    }
    if (seat.senses.time - moved_time_ > 4) return Progress::failed("stalled");
    return {};
}

// ---- Digging ---------------------------------------------------------------------------------------------------

Dig::Dig(const Line& line, double patience) : Manoeuvre("digs", patience), line_(line) {}

std::string Dig::phase() const {
    static constexpr const char* names[] = {"goes to the cut", "digs", "curls", "lifts"};
    return names[static_cast<size_t>(phase_)];
}

void Dig::begin_cut(const Seat& seat) {
    const Senses& s = seat.senses;
    const auto at = [&](double reach) {
        Vec3 p = s.world_point(seat.machine, line_.swing, reach, 0);
        p.z = ground_at(seat.world, p.x, p.y);
        return p;
    };
    const auto deep = [&](double reach) {
        Vec3 p = at(reach);
        const double floor = line_.profile.empty() ? line_.floor : height_of(line_.profile, reach);
        p.z = std::max(p.z - line_.cut, std::min(floor, p.z));
        return p;
    };
    std::vector<TipPath::Knot> knots{{s.teeth, s.tip.attack + s.pitch(s.swing), 0.6}};
    // In at a slant, and along the ground as it is.
    Vec3 above = at(line_.far);
    above.z += 0.05;
    knots.push_back({above, going_in, 0.7});
    const double slant = std::min(0.7, 0.3 * (line_.far - line_.near));
    constexpr int parts = 6;
    for (int i = 0; i <= parts; ++i) {
        const double share = static_cast<double>(i) / parts;
        const Vec3 p = deep(line_.far - slant + share * (line_.near - line_.far + slant));
        knots.push_back({p, going_in - 0.25 + share * (coming_out - going_in + 0.25), 0.9});
    }
    path_.emplace(std::move(knots));
    servo_.emplace(seat.machine);
    stuck_since_ = -1;
    lean_ = s.lean;
}

Progress Dig::cut(const Seat& seat) {
    const Senses& s = seat.senses;
    const double before = path_->travelled();
    const TipPath::State state = path_->follow(seat.machine, s, *servo_, seat.dt, seat.hands);
    const bool is_full = s.load >= line_.wanted;
    if (state != TipPath::State::going || is_full) {
        phase_ = Phase::curl;
        phase_begin_ = s.time;
        return {};
    }
    const bool moves = path_->travelled() > before + 0.03 * seat.dt && s.lean < lean_ + lifted;
    if (moves)
        stuck_since_ = -1;
    else if (stuck_since_ < 0)
        stuck_since_ = s.time;
    if (stuck_since_ >= 0 && s.time - stuck_since_ > 0.3) {
        // Too hard, or it is the machine that moves: less deep.
        if (++raised_ > 12) {
            phase_ = Phase::curl;
            phase_begin_ = s.time;
            return {};
        }
        path_->raise(0.07);
        stuck_since_ = s.time;
    }
    return {};
}

// Curls while the boom eases what it presses against.
bool Dig::curl(const Seat& seat) const {
    const Senses& s = seat.senses;
    seat.hands.let_go();
    const double attack = s.tip.attack + s.pitch(s.swing);
    seat.hands.move(Control::bucket, 1);
    // With its mouth still upright it stays in the soil, or it would lose half of it; but it is not to lift the machine by its heel.
    const bool lifts_itself = s.lean > lean_ + lifted;
    seat.hands.move(Control::boom, lifts_itself ? 0.7 : attack < -2.3 ? 0.5 : 0.28);
    if (lifts_itself) seat.hands.move(Control::bucket, 0.3);
    const bool is_curled = attack < carrying && attack > -4.5;
    const bool at_end = s.cylinders[2] > seat.machine.arm.bucket.longest - 0.02;
    return is_curled || at_end || attack > 0.5;
}

Progress Dig::go(const Seat& seat) {
    const Senses& s = seat.senses;
    switch (phase_) {
        case Phase::approach: {
            Vec3 above = s.world_point(seat.machine, line_.swing, line_.far, 0);
            above.z = ground_at(seat.world, above.x, above.y) + 0.5;
            const Senses::Place place = s.place(seat.machine, above);
            const std::optional<Cylinders> lengths = seat.machine.arm.reached(
                {place.reach, place.height, going_in - s.pitch(line_.swing)}, 0.005);
            if (!lengths) return Progress::failed("the line is out of reach");
            // Down only where it is to go down: things lie beside.
            if (!from_) {
                from_ = s.swing;
                round_ = swing_way(seat, line_.swing, furthest_of(seat.machine, s.tip));
            }
            const double left = round_.left(s, line_.swing), off = std::abs(left);
            // As it is, a little up, out of what it was emptied into and over what is on the way; then the stick and the bucket, and the
            // boom last.
            const bool is_low = s.teeth.z < round_.highest + 0.6,
                       is_away = off < 0.5
                              || (std::abs(wrapped(s.swing - *from_)) > 0.4
                                  && round_.highest < foot(s) + 1);
            const Cylinders up{s.cylinders[0] + (is_low && !is_away ? 0.3 : 0.02), s.cylinders[1],
                               s.cylinders[2]},
                ready{std::max((*lengths)[0], s.cylinders[0]), (*lengths)[1], (*lengths)[2]};
            const bool is_there = ArmServo(seat.machine)
                                      .go(s,
                                          !is_away    ? up
                                          : off < 0.5 ? *lengths
                                                      : ready,
                                          0.04, seat.hands)
                               && off < 0.5;
            const bool may_swing =
                !is_low || is_away || s.cylinders[0] > seat.machine.arm.boom.longest - 0.02;
            const bool is_swung =
                swing_by(seat.machine, s, may_swing ? left : 0, 0.03, seat.hands) && may_swing;
            if (!is_there || !is_swung) return {};
            begin_cut(seat);
            phase_ = Phase::cut;
            return {};
        }
        case Phase::cut: return cut(seat);
        case Phase::curl:
            if (!curl(seat) && s.time - phase_begin_ < 6) return {};
            phase_ = Phase::lift;
            return {};
        case Phase::lift: break;
    }
    const double lifted = s.teeth.z - ground_at(seat.world, s.teeth.x, s.teeth.y);
    seat.hands.let_go();
    seat.hands.move(Control::boom, 1);
    if (s.tip.attack + s.pitch(s.swing) > carrying) seat.hands.move(Control::bucket, 0.4);
    load_ = s.load;
    if (lifted < line_.carry && s.cylinders[0] < seat.machine.arm.boom.longest - 0.02) return {};
    return Progress::done();
}

// ---- Dumping -----------------------------------------------------------------------------------------------------

Dump::Dump(const Target& target, double patience) : Manoeuvre("dumps", patience), target_(target) {}

std::string Dump::phase() const { return phase_ == Phase::carry ? "carries" : "dumps"; }

std::optional<Dump::Poses> Dump::poses(const Excavator& e, const Senses& s, const Target& target) {
    const Senses::Place place = s.place(e, target.over);
    const double pitch = s.pitch(place.swing), length = e.arm.tip.size();
    // On its way from level to open the teeth hang straight down once.
    const double pivot_height =
        s.place(e, {target.over.x, target.over.y, target.clear}).height + length + 0.35;
    // It is opened while the stick goes out, until what falls off the edge falls down onto the place. Its pivot keeps its height, so
    // that nothing comes down onto a side.
    for (const double tilt : {0.0, 0.15, 0.3}) {
        Poses out{.swing = place.swing};
        for (int i = 0; i <= parts_of_opening; ++i) {
            const double share = static_cast<double>(i) / parts_of_opening;
            const double attack = carrying + tilt + share * (emptied - carrying - tilt),
                         a = attack - pitch,
                         pivot_reach =
                             place.reach + (0.8 * std::min(1.0, share / 0.45) - 0.35) * length;
            out.way.push_back(
                {pivot_reach + length * std::cos(a), pivot_height + length * std::sin(a), a});
            if (!e.arm.reached(out.way.back(), 0.005)) break;
        }
        if (out.way.size() > parts_of_opening && e.arm.reached(out.way.back(), 0.005)) return out;
    }
    return {};
}

Progress Dump::go(const Seat& seat) {
    const Senses& s = seat.senses;
    if (phase_ == Phase::open) return open(seat);
    const std::optional<Poses> to = poses(seat.machine, s, target_);
    if (!to) return Progress::failed("the place is out of reach");
    load_before_ = s.load;
    // Up first, and over the place when nothing can be struck any more; if there is something high on the way, not before.
    const TipPose& closed = to->way.front();
    if (!round_) round_ = swing_way(seat, to->swing, furthest_of(seat.machine, closed));
    const double off = round_->left(s, to->swing), waiting = 0.6;  // rad before the place
    const bool is_up = s.tip.height > closed.height - 0.25;
    const bool arm =
        ArmServo(seat.machine).go(s, *seat.machine.arm.reached(closed), 0.05, seat.hands);
    double left = off;
    if (!is_up)
        left = std::abs(off) > waiting && round_->highest < foot(s) + 1
                 ? off - std::copysign(waiting, off)
                 : 0;
    const bool is_swung =
        swing_by(seat.machine, s, left, 0.05, seat.hands) && is_up && std::abs(off) < 0.07;
    if (!arm || !is_swung) return {};
    std::vector<TipPath::Knot> knots;
    for (const TipPose& p : to->way)
        knots.push_back({s.world_point(seat.machine, to->swing, p.reach, p.height),
                         p.attack + s.pitch(to->swing), 1.3});
    path_.emplace(std::move(knots));
    servo_.emplace(seat.machine);
    phase_ = Phase::open;
    return {};
}

Progress Dump::open(const Seat& seat) {
    seat.hands.move(Control::swing, 0);
    const TipPath::State state =
        path_->follow(seat.machine, seat.senses, *servo_, seat.dt, seat.hands);
    const bool is_empty = seat.senses.load < 0.03 * load_before_ + 5;
    if (state == TipPath::State::out_of_reach)
        return Progress::failed("cannot open the bucket there");
    if (!is_empty && state == TipPath::State::going) return {};
    if (!is_empty && open_since_ < 0) open_since_ = seat.senses.time;
    if (!is_empty && seat.senses.time - open_since_ < 2) return {};
    dumped_ = load_before_ - seat.senses.load;
    return Progress::done();
}

}  // namespace bristle::machines
