// What the rows are in this step (mechanism.h has the equations).
#include <bristle/error.h>

#include "impulse/mechanism.h"
#include "impulse/numerics.h"
#include "mechanics/drives.h"
#include "mechanics/force_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

using Sides = JointGeometry::Sides;

// s of the header, of (h ω)².
double needed_damping(double square) {
    return std::clamp((square - calm_tension) / (great_tension - calm_tension), 0.0, 1.0);
}

[[noreturn]] void throw_no_number(const char* whose, uint32_t index, double time) {
    throw SimulationError(fmt::format("{} {}: what its function gives at t = {:.6g} s is no number",
                                      whose, index, time));
}

}  // namespace

// The largest s of both bodies.
double Mechanism::stiffen(const JointGeometry& j, Vec3 impulse, double h) {
    double most = 0;
    const auto look = [&](uint32_t group, Vec3 at) {
        if (group == 0) return;
        MovingGroup& p = now_[group];
        const Vec3 arm = p.frame.rotation.transposed() * (at - p.frame.position);
        const double stiffness = h * norm(impulse) * norm(arm),
                     square = stiffness / groups_[group].inertia_across(arm);
        const double share = needed_damping(square);
        p.stiffness += share * stiffness;
        most = std::max(
            {most, share, needed_damping(h * h * dot(p.angular_velocity, p.angular_velocity))});
    };
    look(j.group_a(), j.point_a(now_[j.group_a()].frame));
    look(j.group_b(), j.point_b(now_[j.group_b()].frame));
    return most;
}

void Mechanism::silence(const Element& e) {
    for (uint32_t r = e.first_row; r < e.first_row + e.row_count; ++r) {
        Row& row = rows_.rows[r];
        row.gain = row.offset = row.calm_offset = row.low = row.high = 0;
    }
}

void Mechanism::halt(const Element& e) {
    silence(e);
    for (uint32_t r = e.first_row; r < e.first_row + e.row_count; ++r) {
        Row& row = rows_.rows[r];
        row.impulse = row.total = row.work = 0;
    }
    if (e.kind == Element::Kind::limit)
        for (Stop& s : stops(e)) s.impact = s.next = s.held = 0;
}

void Mechanism::clear(Row& row) {
    for (uint32_t k = row.first; k < row.first + row.count; ++k)
        rows_.entries[k].linear = rows_.entries[k].angular = {};
}

// Adds a pair of bodies to a row.
void Mechanism::fill(Row& row, const Sides& s, uint32_t a, uint32_t b, double factor) {
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        RowEntry& e = rows_.entries[k];
        if (e.group == a) {
            e.linear += factor * s.linear_a;
            e.angular += factor * s.angular_a;
        }
        if (e.group == b) {
            e.linear += factor * s.linear_b;
            e.angular += factor * s.angular_b;
        }
    }
}

void Mechanism::coordinate_row(Row& row, JointId id, double factor) {
    const JointGeometry& j = joints_[id.index];
    fill(row, j.coordinate_row(now_[j.group_a()].frame, now_[j.group_b()].frame), j.group_a(),
         j.group_b(), factor);
}

double Mechanism::rate_of(const Row& row) const {
    double rate = 0;
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        const RowEntry& e = rows_.entries[k];
        rate +=
            dot(e.linear, now_[e.group].velocity) + dot(e.angular, now_[e.group].angular_velocity);
    }
    return rate;
}

double Mechanism::start_rate_of(const Row& row) const {
    double rate = 0;
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        const RowEntry& e = rows_.entries[k];
        rate += dot(e.linear, now_[e.group].start_velocity)
              + dot(e.angular, now_[e.group].start_angular_velocity);
    }
    return rate;
}

void Mechanism::weigh(Row& row) {
    double sum = 0;
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        const RowEntry& e = rows_.entries[k];
        const Group& g = groups_[e.group];
        const Vec3 turned = now_[e.group].frame.rotation.transposed() * e.angular;
        sum += g.inverse_mass * dot(e.linear, e.linear) + dot(turned, g.inverse_inertia * turned);
    }
    row.compliance = sum;
}

void Mechanism::set_hard(Row& row, double rate, double calm_rate, double low, double high) const {
    const bool is_stop = (low > -unlimited) != (high < unlimited);
    set_hard(row, rate, calm_rate, low, high, is_stop ? stop_hardness : hardness);
}

void Mechanism::set_hard(Row& row, double rate, double calm_rate, double low, double high,
                         double gain) const {
    row.gain = row.compliance > 0 ? gain / row.compliance : 0;
    row.offset = row.gain * rate;
    row.calm_offset = row.gain * calm_rate;
    row.low = low;
    row.high = high;
}

double Mechanism::share_of_end(const Row& row, double h, double stiffness) {
    const double square = h * h * stiffness * row.compliance;  // (h ω)²
    return square > 1 ? 1 - 1 / square : 0;
}

// Bent: how much further it is extended where the step is expected to end than J v tells, since arms turn.
void Mechanism::set_spring(Row& row, double h, const mechanics::Resistance& r, double rate,
                           double bent, double arms) {
    const double share = share_of_end(row, h, r.stiffness), told = row.offset - row.gain * rate;
    row.gain = std::max(0.0, h * (share * h * r.stiffness + r.damping));
    row.offset = row.calm_offset =
        -h * (r.effort + share * r.stiffness * bent) + h * r.damping * rate;
    row.low = -unlimited;
    row.high = unlimited;
    if (share > 0 && r.stiffness > 0)
        worst_error_ = std::max(worst_error_, std::abs(row.offset - row.gain * rate - told)
                                                  / (h * share * r.stiffness * arms));
}

// m: of both bodies; what holds centres has none, and is measured by the model.
double Mechanism::arms_of(const JointGeometry& j) const {
    const Placement &a = now_[j.group_a()].frame, &b = now_[j.group_b()].frame;
    const double arms = norm(j.point_a(a) - a.position) + norm(j.point_b(b) - b.position);
    return arms > 0 ? arms : groups_.model_size();
}

void Mechanism::evaluate_drive(Row* row, uint32_t i, double h, double time,
                               const std::vector<double>& memory) {
    const Drive& d = model_.drives()[i];
    const double* const m = &memory[first_drive_memory_ + drive_memory_size * i];
    const double most = h * d.max_effort, target = drive_target(i, time, memory);
    const Value y = value_of(d.joint, memory);
    for (int r = 0; r < (mechanics::is_hydraulic(d) ? 2 : 1); ++r) {
        clear(row[r]);
        coordinate_row(row[r], d.joint, 1);
        weigh(row[r]);
    }
    // The rate whose way the step goes: of what turns about, it is not the one that it begins with. An angle that is counted goes as far as
    // its rate says, and further than half a turn is not known.
    const bool goes_straight = joints_[d.joint.index].is_counted();
    const auto as_fast_as = [&](double rate) {
        return goes_straight ? rate : y.rate + rate - (y.ahead - y.now) / h;
    };
    if (d.control == Drive::Control::speed || mechanics::is_friction(d)) {
        set_hard(row[0], as_fast_as(target), target, -most, most);
    } else if (d.control == Drive::Control::position) {
        const double offset = mechanics::offset_after(m[reference_memory], h, step_);
        const double asked = (target - drive_target(i, time - h, memory)) / h;
        set_hard(row[0], y.rate + (target + offset - y.ahead) / h, asked, -most, most);
    } else {
        // No faster than it may ever be: where its linkage did not let it stay.
        const double back =
            as_fast_as(std::clamp((m[reference_memory] - y.now) / h, -d.max_speed, d.max_speed));
        const double calm = std::abs(m[reference_memory] - y.now) < h * d.max_speed ? 0 : back;
        const double asked = mechanics::asked_rate(d, target);
        if (asked > 0) {
            set_hard(row[0], as_fast_as(asked), asked, -unlimited, most, piston_hardness);
            set_hard(row[1], back, std::min(back, calm), 0, unlimited);
        } else if (asked < 0) {
            set_hard(row[0], as_fast_as(asked), asked, -most, unlimited, piston_hardness);
            set_hard(row[1], back, std::max(back, calm), -unlimited, 0);
        } else {
            set_hard(row[0], 0, 0, 0, 0);
            set_hard(row[1], back, calm, -unlimited, unlimited, stop_hardness);
        }
    }
}

Mechanism::Stop Mechanism::stop_of(const Row& row, uint32_t limit, int side, double gap, double h,
                                   const std::vector<double>& memory, double resting_speed,
                                   Closing closing) const {
    const double* const m = &memory[first_limit_memory_ + limit_memory_size * limit];
    const double sign = side == 0 ? 1 : -1, approach = sign * start_rate_of(row);
    Stop s{closing == Closing::exact, gap, approach, 0, std::max(0.0, sign * m[leaving_memory])};
    if (s.leaving > 0) s.held = m[held_memory];
    // A rate that jumped before tells of no pull.
    const double most = most_pull * std::abs(approach) / h;
    s.pull = std::clamp(-sign * m[acceleration_memory], -most, most);
    // What struck while it was there, or turns back where it is.
    const bool strikes = (gap <= 0 || closing == Closing::gentle) && gap + h * approach < 0
                      && approach < -resting_speed;
    if (strikes && !(s.leaving > 0)) s.leaving = -returned_[limit] * approach;
    return s;
}

void Mechanism::evaluate_limit(Row* row, uint32_t index, double h,
                               const std::vector<double>& memory, double resting_speed,
                               Closing closing) {
    const Limit& limit = model_.limits()[index];
    const Value y = value_of(limit.joint, memory);
    for (int side = 0; side < 2; ++side) {
        Row& r = row[side];
        clear(r);
        coordinate_row(r, limit.joint, 1);
        weigh(r);
        const double stop = side == 0 ? limit.min : limit.max, sign = side == 0 ? 1 : -1;
        Stop& s = stops_[size_t{2} * index + static_cast<size_t>(side)];
        if (!std::isfinite(stop)) {
            set_hard(r, 0, 0, 0, 0);
            s = {};
            continue;
        }
        const double gap = sign * (y.now - stop);
        s = stop_of(r, index, side, gap, h, memory, resting_speed, closing);
        double rate = y.rate + (stop - y.ahead) / h, calm = gap < 0 ? 0 : rate;
        if (s.leaving > 0) rate = calm = sign * std::max(sign * rate, s.leaving);
        set_hard(r, rate, calm, side == 0 ? 0 : -unlimited, side == 0 ? unlimited : 0);
    }
}

void Mechanism::evaluate_bushing(Row* row, const Bushing& b, double h) {
    const JointGeometry& j = bushing_frames_[static_cast<size_t>(&b - model_.bushings().data())];
    const MovingGroup &pa = now_[j.group_a()], &pb = now_[j.group_b()];
    const BushingState s = bushing_state(b, &MovingGroup::frame),
                       ahead = bushing_state(b, &MovingGroup::ahead);
    const double arms = arms_of(j);
    for (int k = 0; k < 3; ++k) {
        const Vec3 e = s.axes.column(k);
        clear(row[k]);
        fill(row[k],
             {-e, -cross(s.at - pa.frame.position, e), e, cross(s.at - pb.frame.position, e)},
             j.group_a(), j.group_b(), 1);
        weigh(row[k]);
        const double rate = rate_of(row[k]);
        set_spring(
            row[k], h,
            {b.stiffness[k] * s.shift[k] + b.damping[k] * rate, b.stiffness[k], b.damping[k]}, rate,
            ahead.shift[k] - s.shift[k] - h * rate, arms);
        Row& turn = row[3 + k];
        clear(turn);
        fill(turn, {{}, -e, {}, e}, j.group_a(), j.group_b(), 1);
        weigh(turn);
        const double spin = rate_of(turn);
        set_spring(turn, h,
                   {b.angular_stiffness[k] * s.tilt[k] + b.angular_damping[k] * spin,
                    b.angular_stiffness[k], b.angular_damping[k]},
                   spin, ahead.tilt[k] - s.tilt[k] - h * spin, 1);
    }
}

void Mechanism::evaluate_joint(Row* row, const Element& e, double h, Closing closing) {
    const JointGeometry& j = joints_[e.index];
    const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
    Sides sides[JointGeometry::most_rows];
    double ahead[JointGeometry::most_rows];
    double here[JointGeometry::most_rows];
    j.jacobian(a.frame, b.frame, sides);
    Vec3 impulse;
    for (uint32_t k = 0; k < e.row_count; ++k) impulse += row[k].impulse * sides[k].linear_b;
    const double tense = closing == Closing::positions ? 0 : stiffen(j, impulse, h);
    const double stiff = closing == Closing::gentle ? 1 : tense;
    is_tense_ |= tense > 0;
    j.errors(a.ahead, b.ahead, ahead);
    j.errors(a.frame, b.frame, here);
    const double arms = arms_of(j);
    for (uint32_t k = 0; k < e.row_count; ++k) {
        clear(row[k]);
        fill(row[k], sides[k], j.group_a(), j.group_b(), 1);
        weigh(row[k]);
        if (stiff == 0) worst_error_ = std::max(worst_error_, std::abs(ahead[k]) / arms);
        set_hard(row[k],
                 (1 - stiff) * (rate_of(row[k]) - ahead[k] / h)
                     - stiff * joint_error_reduction * here[k] / h,
                 (1 - stiff) * (rate_of(row[k]) - ahead[k] / h), -unlimited, unlimited);
    }
}

void Mechanism::evaluate_screw(Row& row, uint32_t joint, double h) {
    const Joint& s = model_.joints()[joint];
    const JointGeometry& j = joints_[joint];
    const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
    clear(row);
    fill(row, j.displacement_row(a.frame, b.frame), j.group_a(), j.group_b(), 1);
    fill(row, j.angle_row(a.frame, b.frame), j.group_a(), j.group_b(), -s.ratio);
    weigh(row);
    // The angle is known but for whole turns; the displacement tells which.
    double error = j.displacement(a.ahead, b.ahead) - s.ratio * j.angle(a.ahead, b.ahead)
                 - held_difference_[joint];
    error -= 2 * pi * s.ratio * std::round(error / (2 * pi * s.ratio));
    set_hard(row, rate_of(row) - error / h, 0, -unlimited, unlimited);
}

void Mechanism::evaluate_gear(Row& row, uint32_t gear, double h,
                              const std::vector<double>& memory) {
    const Joint& g = model_.joints()[gear];
    clear(row);
    coordinate_row(row, g.second, 1);
    coordinate_row(row, g.first, -g.ratio);
    weigh(row);
    const double error = value_of(g.second, memory).ahead
                       - g.ratio * value_of(g.first, memory).ahead - held_difference_[gear];
    set_hard(row, rate_of(row) - error / h, 0, -unlimited, unlimited);
}

// An effort along a joint's coordinate that falls with the rate.
void Mechanism::set_free(Row& row, double offset, double gain) {
    row.gain = gain;
    row.offset = row.calm_offset = offset;
    row.low = -unlimited;
    row.high = unlimited;
}

void Mechanism::evaluate(const Element& e, double h, double time, const std::vector<double>& memory,
                         double resting_speed, Closing closing) {
    Row* const row = &rows_.rows[e.first_row];
    const auto along_coordinate = [&](JointId joint) {
        clear(*row);
        coordinate_row(*row, joint, 1);
        weigh(*row);
    };
    const auto spring = [&](const auto& s, double x, double way, double arms) {
        const double rate = rate_of(*row);
        const mechanics::Resistance r = mechanics::resistance(s, x, rate, groups_.model_size());
        if (s.law && std::isfinite(x + rate) && !std::isfinite(r.effort + r.stiffness + r.damping))
            throw_no_number("law of spring", e.index, time);
        set_spring(*row, h, r, rate, way - h * rate, arms);
    };
    switch (e.kind) {
        case Element::Kind::joint: evaluate_joint(row, e, h, closing); break;
        case Element::Kind::screw: evaluate_screw(*row, e.index, h); break;
        case Element::Kind::gear: evaluate_gear(*row, e.index, h, memory); break;
        case Element::Kind::rotor: {
            const Coordinate& c = model_.coordinates()[e.index];
            along_coordinate(c.joint);
            const double inertia = c.inertia * c.ratio * c.ratio;
            set_free(*row, inertia * start_rate_of(*row), inertia);
            break;
        }
        case Element::Kind::drive: evaluate_drive(row, e.index, h, time, memory); break;
        case Element::Kind::limit:
            evaluate_limit(row, e.index, h, memory, resting_speed, closing);
            break;
        case Element::Kind::spring: {
            const JointGeometry& j = spring_ends_[e.index];
            const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
            clear(*row);
            fill(*row, j.coordinate_row(a.frame, b.frame), j.group_a(), j.group_b(), 1);
            weigh(*row);
            const Spring& s = model_.springs()[e.index];
            const double length = j.coordinate(a.frame, b.frame);
            spring(s, length - s.free_length, j.coordinate(a.ahead, b.ahead) - length, arms_of(j));
            break;
        }
        case Element::Kind::joint_spring: {
            const JointSpring& s = model_.joint_springs()[e.index];
            along_coordinate(s.joint);
            // What is counted goes as far as its rate says, and further than half a turn is not known.
            const Value y = value_of(s.joint, memory);
            spring(s, y.now - s.rest,
                   joints_[s.joint.index].is_counted() ? h * y.rate : y.ahead - y.now,
                   arms_of(joints_[s.joint.index]));
            break;
        }
        case Element::Kind::bushing: evaluate_bushing(row, model_.bushings()[e.index], h); break;
        case Element::Kind::motor: {
            const Motor& m = model_.motors()[e.index];
            along_coordinate(m.joint);
            const double effort = m.effort ? m.effort(time) : memory[first_motor_memory_ + e.index];
            if (!std::isfinite(effort)) throw_no_number("motor", e.index, time);
            set_free(*row, h * effort, h * mechanics::droop(effort, m.no_load_speed));
            break;
        }
        case Element::Kind::stateful: evaluate_stateful(row, e.index, h, memory); break;
    }
}

}  // namespace bristle::impulse
