#include "impulse/mechanism.h"

#include "mechanics/coordinates.h"
#include "mechanics/drives.h"
#include "mechanics/force_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

using Sides = JointGeometry::Sides;

// A joint that only serves to measure between two points.
Joint measuring(JointType type, BodyId a, BodyId b, Vec3 at_a, Vec3 at_b, Vec3 axis) {
    Joint j;
    j.type = type;
    j.a = a;
    j.b = b;
    j.at_a = at_a;
    j.at_b = at_b;
    j.axis = j.axis_b = axis;
    return j;
}

bool is_piston(const Model& model, JointId joint) {
    return std::any_of(model.drives().begin(), model.drives().end(), [&](const Drive& d) {
        return d.joint == joint && mechanics::is_hydraulic(d);
    });
}

}  // namespace

// ---- What there is -----------------------------------------------------------------------------------

Mechanism::Mechanism(const Model& model, const Groups& groups, double step)
    : model_(model), groups_(groups), step_(step) {
    using Kind = Element::Kind;
    now_.resize(groups.size());
    for (MovingGroup& p : now_) p.frame.rotation = p.ahead.rotation = Mat3::identity();
    const auto& joints = model_.joints();
    for (uint32_t i = 0; i < joints.size(); ++i)
        joints_.emplace_back(model_, groups,
                             model::is_gear(joints[i])
                                 ? Joint{.a = Model::ground(), .b = Model::ground()}
                                 : joints[i],
                             model_.is_acted_on({i}));
    const auto ends = [&](JointId id) {
        return std::pair(joints_[id.index].group_a(), joints_[id.index].group_b());
    };
    held_difference_.resize(joints.size());
    for (uint32_t i = 0; i < joints.size(); ++i) {
        const Joint& j = joints[i];
        const auto [a, b] = ends({i});
        if (model::is_gear(j)) {
            const auto [a1, b1] = ends(j.first);
            const auto [a2, b2] = ends(j.second);
            add_element(Kind::gear, i, 1, {a1, b1, a2, b2}, false);
            held_difference_[i] = mechanics::held_difference(model_, j);
            continue;
        }
        const auto rows = static_cast<uint32_t>(joints_[i].rows());
        if (rows > 0) add_element(Kind::joint, i, rows, {a, b}, false);
        if (model::kind_of(j).is_screw) {
            add_element(Kind::screw, i, 1, {a, b}, false);
            held_difference_[i] = mechanics::held_difference(model_, j);
        }
    }
    for (uint32_t i = 0; i < model_.coordinates().size(); ++i) {
        const auto [a, b] = ends(model_.coordinates()[i].joint);
        add_element(Kind::rotor, i, 1, {a, b}, false);
    }
    for (uint32_t i = 0; i < model_.drives().size(); ++i) {
        const Drive& d = model_.drives()[i];
        const auto [a, b] = ends(d.joint);
        element_of_drive_.push_back(add_element(Kind::drive, i, mechanics::is_hydraulic(d) ? 2 : 1,
                                                {a, b}, bool(d.target)));
    }
    for (uint32_t i = 0; i < model_.limits().size(); ++i) {
        const auto [a, b] = ends(model_.limits()[i].joint);
        element_of_limit_.push_back(add_element(Kind::limit, i, 2, {a, b}, false));
    }
    for (uint32_t i = 0; i < model_.springs().size(); ++i) {
        const Spring& s = model_.springs()[i];
        spring_ends_.emplace_back(
            model_, groups, measuring(JointType::distance, s.a, s.b, s.at_a, s.at_b, {}), true);
        add_element(Kind::spring, i, 1, {spring_ends_[i].group_a(), spring_ends_[i].group_b()},
                    false);
    }
    for (uint32_t i = 0; i < model_.joint_springs().size(); ++i) {
        const auto [a, b] = ends(model_.joint_springs()[i].joint);
        add_element(Kind::joint_spring, i, 1, {a, b}, false);
    }
    for (uint32_t i = 0; i < model_.bushings().size(); ++i) {
        const Bushing& s = model_.bushings()[i];
        bushing_frames_.emplace_back(model_, groups,
                                     measuring(JointType::prismatic, s.a, s.b, s.at,
                                               s.at_b.value_or(s.at), s.axes.matrix().column(0)),
                                     true);
        add_element(Kind::bushing, i, 6,
                    {bushing_frames_[i].group_a(), bushing_frames_[i].group_b()}, false);
    }
    for (uint32_t i = 0; i < model_.motors().size(); ++i) {
        const auto [a, b] = ends(model_.motors()[i].joint);
        add_element(Kind::motor, i, 1, {a, b}, bool(model_.motors()[i].effort));
    }
    add_stateful_rows();
    std::sort(moving_.begin(), moving_.end());
    moving_.erase(std::unique(moving_.begin(), moving_.end()), moving_.end());
    is_moved_.resize(groups.size());
    for (uint32_t g : moving_) is_moved_[g] = true;
    lay_out_memory();
}

void Mechanism::lay_out_memory() {
    stops_.resize(2 * model_.limits().size());
    for (const Limit& l : model_.limits())
        returned_.push_back(is_piston(model_, l.joint) ? 0 : l.restitution);
    const auto room = [](uint32_t each, size_t count) {
        return each * static_cast<uint32_t>(count);
    };
    first_drive_memory_ = room(1, joints_.size());
    first_limit_memory_ = first_drive_memory_ + room(drive_memory_size, model_.drives().size());
    first_motor_memory_ = first_limit_memory_ + room(limit_memory_size, model_.limits().size());
    memory_size_ = first_motor_memory_ + room(1, model_.motors().size());
    make_stateful();
}

uint32_t Mechanism::add_element(Element::Kind kind, uint32_t index, uint32_t rows,
                                const std::vector<uint32_t>& groups, bool moves_by_itself) {
    elements_.push_back(
        {kind, index, static_cast<uint32_t>(rows_.rows.size()), rows, moves_by_itself});
    std::vector<uint32_t> moving;
    for (uint32_t g : groups)
        if (g != 0 && std::find(moving.begin(), moving.end(), g) == moving.end())
            moving.push_back(g);
    for (uint32_t r = 0; r < rows; ++r) {
        rows_.rows.push_back({static_cast<uint32_t>(rows_.entries.size()),
                              static_cast<uint32_t>(moving.size()), 0, 0, 0, 0, 0,
                              kind <= Element::Kind::gear, 0, 0});
        for (uint32_t g : moving) rows_.entries.push_back({g, {}, {}});
    }
    moving_.insert(moving_.end(), moving.begin(), moving.end());
    return static_cast<uint32_t>(elements_.size()) - 1;
}

std::vector<double> Mechanism::start_memory(std::span<const GroupMotion> start, double time) const {
    std::vector<double> memory(memory_size_, 0);
    const auto frame = [&](uint32_t g) {
        return Placement{start[g].orientation.matrix(), start[g].position};
    };
    const auto value = [&](JointId id) {
        const JointGeometry& j = joints_[id.index];
        return j.coordinate(frame(j.group_a()), frame(j.group_b()));
    };
    for (uint32_t i = 0; i < joints_.size(); ++i) memory[i] = value({i});
    for (uint32_t i = 0; i < model_.drives().size(); ++i) {
        const Drive& d = model_.drives()[i];
        double* const m = &memory[first_drive_memory_ + drive_memory_size * i];
        m[reference_memory] = mechanics::start_reference(
            d, value(d.joint), mechanics::asks_for_rate(d) ? 0 : drive_target(i, time, memory));
    }
    for (const Stateful& s : stateful_) s.step.start_memory(memory);
    return memory;
}

std::span<double> Mechanism::stateful_memory(std::vector<double>& memory, uint32_t index) const {
    return {&memory[stateful_[index].step.first_memory()],
            mechanics::StatefulLayout::memory_size(model_.stateful_forces()[index])};
}

void Mechanism::carry_stateful(std::vector<double>& memory, uint32_t index, const Mechanism& from,
                               const std::vector<double>& its_memory, uint32_t its) const {
    const auto to = stateful_memory(memory, index);
    std::copy_n(&its_memory[from.stateful_[its].step.first_memory()], to.size(), to.begin());
}

double& Mechanism::command(std::vector<double>& memory, DriveId id) const {
    return memory[first_drive_memory_ + drive_memory_size * id.index + command_memory];
}
double& Mechanism::command(std::vector<double>& memory, uint32_t motor) const {
    return memory[first_motor_memory_ + motor];
}

double Mechanism::command(const std::vector<double>& memory, uint32_t motor) const {
    return memory[first_motor_memory_ + motor];
}

void Mechanism::carry_drive(std::vector<double>& memory, DriveId to, const Mechanism& from,
                            const std::vector<double>& its_memory, DriveId its) const {
    std::copy_n(&its_memory[from.first_drive_memory_ + drive_memory_size * its.index],
                drive_memory_size, &memory[first_drive_memory_ + drive_memory_size * to.index]);
}

void Mechanism::carry_limit(std::vector<double>& memory, LimitId to, const Mechanism& from,
                            const std::vector<double>& its_memory, LimitId its) const {
    std::copy_n(&its_memory[from.first_limit_memory_ + limit_memory_size * its.index],
                limit_memory_size, &memory[first_limit_memory_ + limit_memory_size * to.index]);
}

void Mechanism::retarget(std::vector<double>& memory, DriveId id, double value) const {
    mechanics::give_command(
        model_.drives()[id.index], command(memory, id),
        memory[first_drive_memory_ + drive_memory_size * id.index + reference_memory], value);
}

// ---- Where it is -------------------------------------------------------------------------------------

void Mechanism::place(uint32_t group, const GroupMotion& m, double h) {
    expect(group, m, m.velocity, m.angular_velocity, h);
}

void Mechanism::expect(uint32_t group, const GroupMotion& m, Vec3 velocity, Vec3 spin, double h) {
    MovingGroup& p = now_[group];
    p.frame = {m.orientation.matrix(), m.position};
    p.ahead =
        h > 0 ? Placement{(turned_by(h * spin) * m.orientation).matrix(), m.position + h * velocity}
              : p.frame;
    p.velocity = velocity;
    p.angular_velocity = spin;
    p.start_velocity = m.velocity;
    p.start_angular_velocity = m.angular_velocity;
    p.stiffness = 0;
    p.lag = m.lag;
}

double Mechanism::counted(JointId id, double angle, const std::vector<double>& memory) const {
    if (!joints_[id.index].is_counted()) return angle;
    return mechanics::counted(angle, memory[id.index]);
}

double Mechanism::coordinate(JointId id, const std::vector<double>& memory) const {
    const JointGeometry& j = joints_[id.index];
    return counted(id, j.coordinate(now_[j.group_a()].frame, now_[j.group_b()].frame), memory);
}

double Mechanism::rate_along(const Sides& s, const MovingGroup& a, const MovingGroup& b) {
    return dot(s.linear_a, a.velocity) + dot(s.angular_a, a.angular_velocity)
         + dot(s.linear_b, b.velocity) + dot(s.angular_b, b.angular_velocity);
}

double Mechanism::rate(JointId id) const {
    const JointGeometry& j = joints_[id.index];
    const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
    return rate_along(j.coordinate_row(a.frame, b.frame), a, b);
}

double Mechanism::angle(JointId id) const {
    const JointGeometry& j = joints_[id.index];
    return std::remainder(j.angle(now_[j.group_a()].frame, now_[j.group_b()].frame), 2 * pi);
}

Mechanism::Value Mechanism::value_of(JointId id, const std::vector<double>& memory) const {
    const JointGeometry& j = joints_[id.index];
    const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
    const double now = counted(id, j.coordinate(a.frame, b.frame), memory);
    double ahead = j.coordinate(a.ahead, b.ahead);
    if (j.is_counted()) ahead = mechanics::counted(ahead, now);
    return {now, ahead, rate(id)};
}

double Mechanism::drive_target(uint32_t drive, double time,
                               const std::vector<double>& memory) const {
    return mechanics::target_of(model_.drives()[drive], drive, time,
                                memory[first_drive_memory_ + drive_memory_size * drive]);
}

Mechanism::BushingState Mechanism::bushing_state(const Bushing& b,
                                                 Placement MovingGroup::*where) const {
    const JointGeometry& j = bushing_frames_[static_cast<size_t>(&b - model_.bushings().data())];
    const auto world = [&](BodyId id, const Quat& axes) {
        const GroupMember& member = groups_.member(id);
        return (now_[member.group].*where).rotation * member.turn.matrix()
             * model_.bodies()[id.index].orientation.conjugate().matrix() * axes.matrix();
    };
    BushingState s;
    s.axes = world(b.a, b.axes);
    const Mat3 other = world(b.b, b.axes_b.value_or(b.axes));
    s.at = j.point_b(now_[j.group_b()].*where);
    const Vec3 way = s.at - j.point_a(now_[j.group_a()].*where);
    for (int k = 0; k < 3; ++k) {
        s.shift[k] = dot(s.axes.column(k), way);
        s.tilt[k] = mechanics::tilt(s.axes, other, k);
    }
    return s;
}

void Mechanism::count_angle(const Element& e, std::vector<double>& memory) const {
    const auto count = [&](JointId id) { memory[id.index] = coordinate(id, memory); };
    // A joint counts its own; a gauge has no rows, and is counted by what acts on it.
    const auto count_gauge = [&](JointId id) {
        if (model::is_gauge(model_.joints()[id.index])) count(id);
    };
    switch (e.kind) {
        case Element::Kind::joint: count({e.index}); break;
        case Element::Kind::drive: count(model_.drives()[e.index].joint); break;
        case Element::Kind::limit: count_gauge(model_.limits()[e.index].joint); break;
        case Element::Kind::rotor: count_gauge(model_.coordinates()[e.index].joint); break;
        case Element::Kind::joint_spring: count_gauge(model_.joint_springs()[e.index].joint); break;
        case Element::Kind::motor: count_gauge(model_.motors()[e.index].joint); break;
        case Element::Kind::stateful:
            for (JointId joint : model_.stateful_forces()[e.index].joints) count_gauge(joint);
            break;
        case Element::Kind::gear:
            count_gauge(model_.joints()[e.index].first);
            count_gauge(model_.joints()[e.index].second);
            break;
        default: break;
    }
}

// What is won beyond a stop would press against it, ever harder.
double Mechanism::within_stops(JointId joint, double place) const {
    for (const Limit& l : model_.limits())
        if (l.joint == joint) place = std::clamp(place, l.min, l.max);
    return place;
}

void Mechanism::conclude(const Element& e, double h, double time, std::vector<double>& memory) {
    if (e.kind == Element::Kind::stateful)
        conclude_stateful(&rows_.rows[e.first_row], e.index, h, memory);
    if (e.kind == Element::Kind::drive) conclude_drive(e, h, time, memory);
    if (e.kind == Element::Kind::limit) conclude_limit(e, h, memory);
}

void Mechanism::find_impacts(const Element& e, double h, double resting_speed) {
    const double restitution = returned_[e.index];
    for (int side = 0; side < 2; ++side) {
        Stop& s = stops(e)[static_cast<size_t>(side)];
        s.impact = s.next = 0;
        const bool strikes = s.arrives && s.gap > 0 && s.approach < 0 && !(s.leaving > 0)
                          && rows_.rows[e.first_row + static_cast<uint32_t>(side)].total != 0;
        const double begin = s.pull * h / 2 - s.approach,
                     square = begin * begin + 2 * s.pull * s.gap;
        if (!strikes || !(begin > 0) || !(square > resting_speed * resting_speed)) continue;
        s.impact = std::sqrt(square);
        s.next = std::max(0.0, restitution * s.impact - s.pull * h / 2);
    }
}

void Mechanism::conclude_limit(const Element& e, double h, std::vector<double>& memory) const {
    double* const m = &memory[first_limit_memory_ + limit_memory_size * e.index];
    const Stop *const low = &stops_[size_t{2} * e.index], *const high = low + 1;
    const bool has_low = std::isfinite(model_.limits()[e.index].min);
    const double pull =
        (rate(model_.limits()[e.index].joint) - (has_low ? low->approach : -high->approach)) / h;
    m[acceleration_memory] = std::isfinite(pull) ? pull : 0;  // of what was halted it may be none
    m[leaving_memory] = low->next - high->next;
    m[held_memory] = low->held + high->held;
}

void Mechanism::conclude_drive(const Element& e, double h, double time,
                               std::vector<double>& memory) const {
    const Drive& d = model_.drives()[e.index];
    double* const m = &memory[first_drive_memory_ + drive_memory_size * e.index];
    const Row* const row = &rows_.rows[e.first_row];
    const bool is_hydraulic = mechanics::is_hydraulic(d);
    const double y = coordinate(d.joint, memory);
    m[effort_memory] = (row[0].total + (is_hydraulic ? row[1].total : 0)) / h;
    m[work_memory] += row[0].work + (is_hydraulic ? row[1].work : 0);
    if (is_hydraulic) {
        m[reference_memory] = within_stops(
            d.joint,
            mechanics::stored_by(drive_target(e.index, time, memory), m[reference_memory], y));
        return;
    }
    if (mechanics::asks_for_rate(d)) return;
    m[reference_memory] = mechanics::offset_after(m[reference_memory], h, step_);
    // Pushed off, it goes on from where it is.
    if (std::abs(row->impulse) >= h * d.max_effort * (1 - 1e-12))
        m[reference_memory] = y - drive_target(e.index, time, memory);
}

}  // namespace bristle::impulse
