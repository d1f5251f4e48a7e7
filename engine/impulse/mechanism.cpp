#include "impulse/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

// Gain of a hard row over its effective mass: what is left of a violation is a hundred-millionth. Of one with bounds
// it is less, because Newton's method has to find the narrow strip where it is between them.
constexpr double hardness = 1e8, bounded_hardness = 1e5;
// A position drive comes back to its target with a time constant of so many steps (Drive).
constexpr double return_steps = 20;
// Of an error, mended per step in joints under great tension; and (h ω)² below which they are closed exactly.
constexpr double error_reduction = 0.2, gentle = 0.1;

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

}  // namespace

// ---- What there is -----------------------------------------------------------------------------------

Mechanism::Mechanism(const Model& model, const Groups& groups, double step)
    : model_(model), groups_(groups), return_time_(return_steps * step) {
    using Kind = Element::Kind;
    now_.resize(groups.size());
    for (Placed& p : now_) p.frame.rotation = p.ahead.rotation = Mat3::identity();
    const auto& joints = model_.joints();
    for (uint32_t i = 0; i < joints.size(); ++i)
        joints_.emplace_back(model_, groups,
                             joints[i].type == JointType::gear
                                 ? Joint{.a = Model::ground(), .b = Model::ground()}
                                 : joints[i],
                             joints[i].type == JointType::distance && model_.is_acted_on({i}));
    const auto ends = [&](JointId id) {
        return std::pair(joints_[id.index].group_a(), joints_[id.index].group_b());
    };
    const auto start_value = [&](JointId id) {
        const Joint& j = joints[id.index];
        if (j.type == JointType::distance) return norm(j.at_b - j.at_a);
        return j.type == JointType::revolute ? j.start_angle : dot(j.at_b - j.at_a, j.axis);
    };
    coupling_start_.resize(joints.size());
    for (uint32_t i = 0; i < joints.size(); ++i) {
        const Joint& j = joints[i];
        const auto [a, b] = ends({i});
        if (j.type == JointType::gear) {
            const auto [a1, b1] = ends(j.first);
            const auto [a2, b2] = ends(j.second);
            add_element(Kind::gear, i, 1, {a1, b1, a2, b2}, false);
            coupling_start_[i] = start_value(j.second) - j.ratio * start_value(j.first);
            continue;
        }
        const auto rows = static_cast<uint32_t>(joints_[i].rows());
        if (rows > 0) add_element(Kind::joint, i, rows, {a, b}, false);
        if (j.type == JointType::screw) {
            add_element(Kind::screw, i, 1, {a, b}, false);
            coupling_start_[i] = start_value({i}) - j.ratio * j.start_angle;
        }
    }
    for (uint32_t i = 0; i < model_.coordinates().size(); ++i) {
        const auto [a, b] = ends(model_.coordinates()[i].joint);
        add_element(Kind::rotor, i, 1, {a, b}, false);
    }
    for (uint32_t i = 0; i < model_.drives().size(); ++i) {
        const Drive& d = model_.drives()[i];
        const auto [a, b] = ends(d.joint);
        element_of_drive_.push_back(add_element(Kind::drive, i,
                                                d.control == Drive::Control::hydraulic ? 2 : 1,
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
    std::sort(moving_.begin(), moving_.end());
    moving_.erase(std::unique(moving_.begin(), moving_.end()), moving_.end());
    is_moved_.resize(groups.size());
    for (uint32_t g : moving_) is_moved_[g] = true;
    first_drive_memory_ = static_cast<uint32_t>(joints.size());
    first_motor_memory_ =
        first_drive_memory_ + drive_memory_size * static_cast<uint32_t>(model_.drives().size());
    memory_size_ = first_motor_memory_ + static_cast<uint32_t>(model_.motors().size());
}

uint32_t Mechanism::add_element(Element::Kind kind, uint32_t index, uint32_t rows,
                                std::initializer_list<uint32_t> groups, bool moves_by_itself) {
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
        return GroupFrameAt{start[g].position, start[g].orientation.matrix()};
    };
    const auto value = [&](JointId id) {
        const JointGeometry& j = joints_[id.index];
        return j.coordinate(frame(j.group_a()), frame(j.group_b()));
    };
    for (uint32_t i = 0; i < joints_.size(); ++i) memory[i] = value({i});
    for (uint32_t i = 0; i < model_.drives().size(); ++i) {
        const Drive& d = model_.drives()[i];
        double* const m = &memory[first_drive_memory_ + drive_memory_size * i];
        m[reference_memory] = value(d.joint);
        if (d.control == Drive::Control::position)
            m[reference_memory] -= d.target ? d.target(time) : 0;
    }
    return memory;
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

void Mechanism::retarget(std::vector<double>& memory, DriveId id, double value) const {
    double& now = command(memory, id);
    // The reference of a position drive does not jump: the difference fades.
    if (model_.drives()[id.index].control == Drive::Control::position)
        memory[first_drive_memory_ + drive_memory_size * id.index + reference_memory] +=
            now - value;
    now = value;
}

// ---- Where it is -------------------------------------------------------------------------------------

void Mechanism::place(uint32_t group, const GroupMotion& m, double h) {
    expect(group, m, m.velocity, m.angular_velocity, h);
}

void Mechanism::expect(uint32_t group, const GroupMotion& m, Vec3 velocity, Vec3 spin, double h) {
    Placed& p = now_[group];
    p.frame = {m.position, m.orientation.matrix()};
    p.ahead = h > 0 ? GroupFrameAt{m.position + h * velocity,
                                   (turned_by(h * spin) * m.orientation).matrix()}
                    : p.frame;
    p.velocity = velocity;
    p.angular_velocity = spin;
    p.start_velocity = m.velocity;
    p.start_angular_velocity = m.angular_velocity;
    p.stiffness = 0;
}

// s of the header.
double Mechanism::stiffen(const JointGeometry& j, Vec3 impulse, double h) {
    double most = 0;
    const auto look = [&](uint32_t group, Vec3 at) {
        if (group == 0) return;
        Placed& p = now_[group];
        const Vec3 arm = p.frame.rotation.transposed() * (at - p.frame.position);
        const double stiffness = h * norm(impulse) * norm(arm),
                     square = stiffness / groups_[group].inertia_across(arm);
        p.stiffness += std::min(1.0, square) * stiffness;
        most = std::max({most, square, h * h * dot(p.angular_velocity, p.angular_velocity)});
    };
    look(j.group_a(), j.point_a(now_[j.group_a()].frame));
    look(j.group_b(), j.point_b(now_[j.group_b()].frame));
    return std::min(1.0, most);
}

double Mechanism::counted(JointId id, double angle, const std::vector<double>& memory) const {
    if (!joints_[id.index].is_counted()) return angle;
    return angle + 2 * pi * std::round((memory[id.index] - angle) / (2 * pi));
}

double Mechanism::coordinate(JointId id, const std::vector<double>& memory) const {
    const JointGeometry& j = joints_[id.index];
    return counted(id, j.coordinate(now_[j.group_a()].frame, now_[j.group_b()].frame), memory);
}

double Mechanism::rate_along(const Sides& s, const Placed& a, const Placed& b) {
    return dot(s.linear_a, a.velocity) + dot(s.angular_a, a.angular_velocity)
         + dot(s.linear_b, b.velocity) + dot(s.angular_b, b.angular_velocity);
}

double Mechanism::rate(JointId id) const {
    const JointGeometry& j = joints_[id.index];
    const Placed &a = now_[j.group_a()], &b = now_[j.group_b()];
    return rate_along(j.coordinate_row(a.frame, b.frame), a, b);
}

Mechanism::Value Mechanism::value_of(JointId id, const std::vector<double>& memory) const {
    const JointGeometry& j = joints_[id.index];
    const Placed &a = now_[j.group_a()], &b = now_[j.group_b()];
    const double now = counted(id, j.coordinate(a.frame, b.frame), memory);
    double ahead = j.coordinate(a.ahead, b.ahead);
    if (j.is_counted()) ahead += 2 * pi * std::round((now - ahead) / (2 * pi));
    return {now, ahead, rate(id)};
}

// ---- Rows --------------------------------------------------------------------------------------------

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
    const bool is_bounded = low > -unlimited || high < unlimited;
    row.gain = row.compliance > 0 ? (is_bounded ? bounded_hardness : hardness) / row.compliance : 0;
    row.offset = row.gain * rate;
    row.calm_offset = row.gain * calm_rate;
    row.low = low;
    row.high = high;
}

void Mechanism::set_spring(Row& row, double h, double force, double stiffness, double damping,
                           double rate) const {
    const double square = h * h * stiffness * row.compliance;  // (h ω)²
    const double share = square > 1 ? 1 - 1 / square : 0;
    row.gain = std::max(0.0, h * (share * h * stiffness + damping));
    row.offset = row.calm_offset = -h * force + h * damping * rate;
    row.low = -unlimited;
    row.high = unlimited;
}

double Mechanism::drive_target(uint32_t drive, double time,
                               const std::vector<double>& memory) const {
    const Drive& d = model_.drives()[drive];
    const double value =
        d.target ? d.target(time) : memory[first_drive_memory_ + drive_memory_size * drive];
    if (!std::isfinite(value))
        throw SimulationError(
            fmt::format("drive {}: its target at t = {:.6g} s is {}",
                        d.name.empty() ? std::to_string(drive) : "'" + d.name + "'", time, value));
    return d.control == Drive::Control::hydraulic ? std::clamp(value, -1.0, 1.0) : value;
}

void Mechanism::evaluate_drive(Row* row, uint32_t i, double h, double time,
                               const std::vector<double>& memory) {
    const Drive& d = model_.drives()[i];
    const double* const m = &memory[first_drive_memory_ + drive_memory_size * i];
    const double most = h * d.max_effort, target = drive_target(i, time, memory);
    const Value y = value_of(d.joint, memory);
    for (int r = 0; r < (d.control == Drive::Control::hydraulic ? 2 : 1); ++r) {
        clear(row[r]);
        coordinate_row(row[r], d.joint, 1);
        weigh(row[r]);
    }
    if (d.control == Drive::Control::speed) {
        set_hard(row[0], target, target, -most, most);
    } else if (d.control == Drive::Control::position) {
        const double offset = m[reference_memory] * std::exp(-h / return_time_);
        const double asked = (target - drive_target(i, time - h, memory)) / h;
        set_hard(row[0], y.rate + (target + offset - y.ahead) / h, asked, -most, most);
    } else {
        const double back = y.rate + (m[reference_memory] - y.ahead) / h;
        const double calm = std::abs(m[reference_memory] - y.now) < h * d.max_speed ? 0 : back;
        if (target > 0) {
            set_hard(row[0], target * d.max_speed, target * d.max_speed, -unlimited, most);
            set_hard(row[1], back, std::min(back, calm), 0, unlimited);
        } else if (target < 0) {
            set_hard(row[0], target * d.max_speed, target * d.max_speed, -most, unlimited);
            set_hard(row[1], back, std::max(back, calm), -unlimited, 0);
        } else {
            set_hard(row[0], 0, 0, 0, 0);
            set_hard(row[1], back, calm, -unlimited, unlimited);
        }
    }
}

void Mechanism::evaluate_limit(Row* row, const Limit& limit, double h,
                               const std::vector<double>& memory, double resting_speed) {
    const Value y = value_of(limit.joint, memory);
    for (int side = 0; side < 2; ++side) {
        Row& r = row[side];
        clear(r);
        coordinate_row(r, limit.joint, 1);
        weigh(r);
        const double stop = side == 0 ? limit.min : limit.max, sign = side == 0 ? 1 : -1;
        if (!std::isfinite(stop)) {
            set_hard(r, 0, 0, 0, 0);
            continue;
        }
        double rate = y.rate + (stop - y.ahead) / h;
        const double start_rate = start_rate_of(r);
        const bool strikes =
            sign * (y.now + h * start_rate - stop) < 0 && sign * start_rate < -resting_speed;
        if (strikes && limit.restitution > 0) rate = -limit.restitution * start_rate;
        const bool is_beyond = sign * (y.now - stop) < 0;
        set_hard(r, rate, is_beyond ? 0 : rate, side == 0 ? 0 : -unlimited,
                 side == 0 ? unlimited : 0);
    }
}

Mechanism::BushingState Mechanism::bushing_state(const Bushing& b) const {
    const JointGeometry& j = bushing_frames_[static_cast<size_t>(&b - model_.bushings().data())];
    const auto world = [&](BodyId id, const Quat& axes) {
        const GroupMember& member = groups_.member(id);
        return now_[member.group].frame.rotation * member.turn.matrix()
             * model_.bodies()[id.index].orientation.conjugate().matrix() * axes.matrix();
    };
    BushingState s;
    s.axes = world(b.a, b.axes);
    const Mat3 other = world(b.b, b.axes_b.value_or(b.axes));
    s.at = j.point_b(now_[j.group_b()].frame);
    const Vec3 way = s.at - j.point_a(now_[j.group_a()].frame);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, n = (k + 2) % 3;
        s.shift[k] = dot(s.axes.column(k), way);
        // Sine of the turn about axis k, up to second order.
        s.tilt[k] =
            0.5 * (dot(other.column(i), s.axes.column(n)) - dot(other.column(n), s.axes.column(i)));
    }
    return s;
}

void Mechanism::evaluate_bushing(Row* row, const Bushing& b, double h) {
    const JointGeometry& j = bushing_frames_[static_cast<size_t>(&b - model_.bushings().data())];
    const Placed &pa = now_[j.group_a()], &pb = now_[j.group_b()];
    const BushingState s = bushing_state(b);
    for (int k = 0; k < 3; ++k) {
        const Vec3 e = s.axes.column(k);
        clear(row[k]);
        fill(row[k],
             {-e, -cross(s.at - pa.frame.position, e), e, cross(s.at - pb.frame.position, e)},
             j.group_a(), j.group_b(), 1);
        weigh(row[k]);
        const double rate = rate_of(row[k]);
        set_spring(row[k], h, b.stiffness[k] * s.shift[k] + b.damping[k] * rate, b.stiffness[k],
                   b.damping[k], rate);
        Row& turn = row[3 + k];
        clear(turn);
        fill(turn, {{}, -e, {}, e}, j.group_a(), j.group_b(), 1);
        weigh(turn);
        const double spin = rate_of(turn);
        set_spring(turn, h, b.angular_stiffness[k] * s.tilt[k] + b.angular_damping[k] * spin,
                   b.angular_stiffness[k], b.angular_damping[k], spin);
    }
}

void Mechanism::evaluate(const Element& e, double h, double time, const std::vector<double>& memory,
                         double resting_speed, Closing closing) {
    Row* const row = &rows_.rows[e.first_row];
    const auto spring = [&](const auto& s, double rest, double now, double rate) {
        const double x = now - rest;
        if (!s.law)
            return set_spring(*row, h, s.stiffness * x + s.damping * rate, s.stiffness, s.damping,
                              rate);
        const double dx = 1e-6 * (1e-3 + std::abs(x)), dv = 1e-5 * (1 + std::abs(rate));
        set_spring(*row, h, s.law(x, rate), (s.law(x + dx, rate) - s.law(x - dx, rate)) / (2 * dx),
                   (s.law(x, rate + dv) - s.law(x, rate - dv)) / (2 * dv), rate);
    };
    switch (e.kind) {
        case Element::Kind::joint: {
            const JointGeometry& j = joints_[e.index];
            const Placed &a = now_[j.group_a()], &b = now_[j.group_b()];
            Sides sides[JointGeometry::most_rows];
            double ahead[JointGeometry::most_rows];
            double here[JointGeometry::most_rows];
            j.jacobian(a.frame, b.frame, sides);
            Vec3 impulse;
            for (uint32_t k = 0; k < e.row_count; ++k)
                impulse += row[k].impulse * sides[k].linear_b;
            const double tense = stiffen(j, impulse, h);
            const double stiff = closing == Closing::exact ? tense : 1;
            j.errors(a.ahead, b.ahead, ahead);
            j.errors(a.frame, b.frame, here);
            const double arms = norm(j.point_a(a.frame) - a.frame.position)
                              + norm(j.point_b(b.frame) - b.frame.position);
            for (uint32_t k = 0; k < e.row_count; ++k) {
                clear(row[k]);
                fill(row[k], sides[k], j.group_a(), j.group_b(), 1);
                weigh(row[k]);
                if (stiff < gentle)
                    worst_error_ = std::max(worst_error_, std::abs(ahead[k]) / arms);
                set_hard(row[k],
                         (1 - stiff) * (rate_of(row[k]) - ahead[k] / h)
                             - stiff * error_reduction * here[k] / h,
                         (1 - stiff) * (rate_of(row[k]) - ahead[k] / h), -unlimited, unlimited);
            }
            break;
        }
        case Element::Kind::screw: {
            const Joint& s = model_.joints()[e.index];
            const JointGeometry& j = joints_[e.index];
            const Placed &a = now_[j.group_a()], &b = now_[j.group_b()];
            clear(*row);
            fill(*row, j.displacement_row(a.frame, b.frame), j.group_a(), j.group_b(), 1);
            fill(*row, j.angle_row(a.frame, b.frame), j.group_a(), j.group_b(), -s.ratio);
            weigh(*row);
            // The angle is known but for whole turns; the displacement tells which.
            double error = j.displacement(a.ahead, b.ahead) - s.ratio * j.angle(a.ahead, b.ahead)
                         - coupling_start_[e.index];
            error -= 2 * pi * s.ratio * std::round(error / (2 * pi * s.ratio));
            set_hard(*row, rate_of(*row) - error / h, 0, -unlimited, unlimited);
            break;
        }
        case Element::Kind::gear: {
            const Joint& g = model_.joints()[e.index];
            clear(*row);
            coordinate_row(*row, g.second, 1);
            coordinate_row(*row, g.first, -g.ratio);
            weigh(*row);
            const double error = value_of(g.second, memory).ahead
                               - g.ratio * value_of(g.first, memory).ahead
                               - coupling_start_[e.index];
            set_hard(*row, rate_of(*row) - error / h, 0, -unlimited, unlimited);
            break;
        }
        case Element::Kind::rotor: {
            const Coordinate& c = model_.coordinates()[e.index];
            clear(*row);
            coordinate_row(*row, c.joint, 1);
            weigh(*row);
            row->gain = c.inertia * c.ratio * c.ratio;
            row->offset = row->calm_offset = row->gain * start_rate_of(*row);
            row->low = -unlimited;
            row->high = unlimited;
            break;
        }
        case Element::Kind::drive: evaluate_drive(row, e.index, h, time, memory); break;
        case Element::Kind::limit:
            evaluate_limit(row, model_.limits()[e.index], h, memory, resting_speed);
            break;
        case Element::Kind::spring: {
            const JointGeometry& j = spring_ends_[e.index];
            const Placed &a = now_[j.group_a()], &b = now_[j.group_b()];
            clear(*row);
            fill(*row, j.coordinate_row(a.frame, b.frame), j.group_a(), j.group_b(), 1);
            weigh(*row);
            const Spring& s = model_.springs()[e.index];
            spring(s, s.free_length, j.coordinate(a.frame, b.frame), rate_of(*row));
            break;
        }
        case Element::Kind::joint_spring: {
            const JointSpring& s = model_.joint_springs()[e.index];
            clear(*row);
            coordinate_row(*row, s.joint, 1);
            weigh(*row);
            spring(s, s.rest, coordinate(s.joint, memory), rate_of(*row));
            break;
        }
        case Element::Kind::bushing: evaluate_bushing(row, model_.bushings()[e.index], h); break;
        case Element::Kind::motor: {
            const Motor& m = model_.motors()[e.index];
            clear(*row);
            coordinate_row(*row, m.joint, 1);
            weigh(*row);
            const double effort = m.effort ? m.effort(time) : memory[first_motor_memory_ + e.index];
            row->gain = h * std::abs(effort) / m.no_load_speed;
            row->offset = row->calm_offset = h * effort;
            row->low = -unlimited;
            row->high = unlimited;
            break;
        }
    }
}

void Mechanism::conclude(const Element& e, double h, double time,
                         std::vector<double>& memory) const {
    if (e.kind == Element::Kind::joint || e.kind == Element::Kind::drive) {
        const JointId id =
            e.kind == Element::Kind::joint ? JointId{e.index} : model_.drives()[e.index].joint;
        memory[id.index] = coordinate(id, memory);
    }
    if (e.kind != Element::Kind::drive) return;
    const Drive& d = model_.drives()[e.index];
    double* const m = &memory[first_drive_memory_ + drive_memory_size * e.index];
    const Row* const row = &rows_.rows[e.first_row];
    const double y = memory[d.joint.index];
    if (d.control == Drive::Control::hydraulic) {
        m[effort_memory] = (row[0].impulse + row[1].impulse) / h;
        const double target = drive_target(e.index, time, memory);
        if (target > 0) m[reference_memory] = std::max(m[reference_memory], y);
        if (target < 0) m[reference_memory] = std::min(m[reference_memory], y);
        return;
    }
    m[effort_memory] = row->impulse / h;
    if (d.control == Drive::Control::speed) return;
    m[reference_memory] *= std::exp(-h / return_time_);
    // Pushed off, it goes on from where it is.
    if (std::abs(row->impulse) >= h * d.max_effort * (1 - 1e-12))
        m[reference_memory] = y - drive_target(e.index, time, memory);
}

// ---- What can be read --------------------------------------------------------------------------------

double Mechanism::effort(DriveId id, const std::vector<double>& memory) const {
    return memory[first_drive_memory_ + drive_memory_size * id.index + effort_memory];
}

double Mechanism::spring_length(uint32_t spring) const {
    const JointGeometry& j = spring_ends_[spring];
    return j.coordinate(now_[j.group_a()].frame, now_[j.group_b()].frame);
}

double Mechanism::tension(Model::ForceRef ref, const std::vector<double>& memory) const {
    const auto effort = [](const auto& s, double x, double rate) {
        return s.law ? s.law(x, rate) : s.stiffness * x + s.damping * rate;
    };
    if (ref.kind == Model::ForceKind::joint_spring) {
        const JointSpring& s = model_.joint_springs()[ref.index];
        return effort(s, coordinate(s.joint, memory) - s.rest, rate(s.joint));
    }
    const Spring& s = model_.springs()[ref.index];
    const JointGeometry& j = spring_ends_[ref.index];
    const Placed &a = now_[j.group_a()], &b = now_[j.group_b()];
    const Sides row = j.coordinate_row(a.frame, b.frame);
    return effort(s, spring_length(ref.index) - s.free_length, rate_along(row, a, b));
}

double Mechanism::effort(LimitId id, double h) const {
    const Row* const row = &rows_.rows[elements_[element_of_limit_[id.index]].first_row];
    return (row[0].impulse + row[1].impulse) / h;
}

double Mechanism::stored_energy(const std::vector<double>& memory) const {
    double sum = 0;
    const auto add = [&](const auto& s, double x) {
        if (!s.law) {
            sum += 0.5 * s.stiffness * x * x;
            return;
        }
        // The work against the law at rest, by Simpson's rule.
        constexpr int n = 64;
        double work = 0;
        for (int i = 0; i <= n; ++i)
            work += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * s.law(x * i / n, 0);
        sum += work * x / (3 * n);
    };
    for (uint32_t i = 0; i < model_.springs().size(); ++i)
        add(model_.springs()[i], spring_length(i) - model_.springs()[i].free_length);
    for (const JointSpring& s : model_.joint_springs())
        add(s, coordinate(s.joint, memory) - s.rest);
    for (const Bushing& b : model_.bushings()) {
        const BushingState now = bushing_state(b);
        for (int k = 0; k < 3; ++k)
            sum += 0.5 * b.stiffness[k] * now.shift[k] * now.shift[k]
                 + 0.5 * b.angular_stiffness[k] * now.tilt[k] * now.tilt[k];
    }
    return sum;
}

std::pair<BodyId, BodyId> Mechanism::bodies_of(const Element& e) const {
    const auto of_joint = [&](JointId id) {
        return std::pair(model_.joints()[id.index].a, model_.joints()[id.index].b);
    };
    switch (e.kind) {
        case Element::Kind::joint:
        case Element::Kind::screw: return of_joint({e.index});
        case Element::Kind::gear: return of_joint(model_.joints()[e.index].second);
        case Element::Kind::rotor: return of_joint(model_.coordinates()[e.index].joint);
        case Element::Kind::drive: return of_joint(model_.drives()[e.index].joint);
        case Element::Kind::limit: return of_joint(model_.limits()[e.index].joint);
        case Element::Kind::spring:
            return {model_.springs()[e.index].a, model_.springs()[e.index].b};
        case Element::Kind::joint_spring: return of_joint(model_.joint_springs()[e.index].joint);
        case Element::Kind::bushing:
            return {model_.bushings()[e.index].a, model_.bushings()[e.index].b};
        case Element::Kind::motor: return of_joint(model_.motors()[e.index].joint);
    }
    return {};
}

}  // namespace bristle::impulse
