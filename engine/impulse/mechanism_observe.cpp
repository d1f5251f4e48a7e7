// What can be read of the mechanism, with its groups placed.
#include "impulse/mechanism.h"
#include "mechanics/force_laws.h"

namespace bristle::impulse {

using Sides = JointGeometry::Sides;

double Mechanism::effort(DriveId id, const std::vector<double>& memory) const {
    return memory[first_drive_memory_ + drive_memory_size * id.index + effort_memory];
}

double Mechanism::work(DriveId id, const std::vector<double>& memory) const {
    return memory[first_drive_memory_ + drive_memory_size * id.index + work_memory];
}

double Mechanism::spring_length(uint32_t spring) const {
    const JointGeometry& j = spring_ends_[spring];
    return j.coordinate(now_[j.group_a()].frame, now_[j.group_b()].frame);
}

double Mechanism::tension(Model::ForceRef ref, const std::vector<double>& memory) const {
    const auto effort = [&](const auto& s, double x, double rate) {
        return mechanics::resistance(s, x, rate, groups_.model_size()).effort;
    };
    if (ref.kind == Model::ForceKind::joint_spring) {
        const JointSpring& s = model_.joint_springs()[ref.index];
        return effort(s, coordinate(s.joint, memory) - s.rest, rate(s.joint));
    }
    const Spring& s = model_.springs()[ref.index];
    const JointGeometry& j = spring_ends_[ref.index];
    const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
    const Sides row = j.coordinate_row(a.frame, b.frame);
    return effort(s, spring_length(ref.index) - s.free_length, rate_along(row, a, b));
}

double Mechanism::effort(LimitId id, double h) const {
    const Row* const row = &rows_.rows[elements_[element_of_limit_[id.index]].first_row];
    return (row[0].impulse + row[1].impulse) / h;
}

// Where velocities belong (energy.cpp), as far as the spring is taken at the beginning of a step; what is taken at its end was there then.
double Mechanism::stored_energy(const std::vector<double>& memory, double h) {
    const auto since = [&](const Row& row, double stiffness) {
        double way = 0;
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const RowEntry& e = rows_.entries[k];
            const MovingGroup& g = now_[e.group];
            way += g.lag * (dot(e.linear, g.velocity) + dot(e.angular, g.angular_velocity));
        }
        return (1 - share_of_end(row, h, stiffness)) * way;
    };
    double sum = 0;
    for (const Element& e : elements_) {
        if (e.kind < Element::Kind::spring || e.kind > Element::Kind::bushing) continue;
        evaluate(e, h, 0, memory, 0, Closing::gentle);
        const Row* const row = &rows_.rows[e.first_row];
        const auto stored = [&](const auto& s, double x) {
            const double stiffness =
                mechanics::resistance(s, x, rate_of(*row), groups_.model_size()).stiffness;
            return mechanics::stored_energy(s, x - since(*row, stiffness));
        };
        if (e.kind == Element::Kind::spring)
            sum += stored(model_.springs()[e.index],
                          spring_length(e.index) - model_.springs()[e.index].free_length);
        if (e.kind == Element::Kind::joint_spring) {
            const JointSpring& s = model_.joint_springs()[e.index];
            sum += stored(s, coordinate(s.joint, memory) - s.rest);
        }
        if (e.kind != Element::Kind::bushing) continue;
        const Bushing& b = model_.bushings()[e.index];
        const BushingState now = bushing_state(b, &MovingGroup::frame);
        const auto half_square = [&](double stiffness, double x, const Row& along) {
            const double then = x - since(along, stiffness);
            return 0.5 * stiffness * then * then;
        };
        for (int k = 0; k < 3; ++k)
            sum += half_square(b.stiffness[k], now.shift[k], row[k])
                 + half_square(b.angular_stiffness[k], now.tilt[k], row[3 + k]);
    }
    take_worst_error();
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
        case Element::Kind::stateful: return bodies_of(e, 0);
    }
    return {};
}

std::pair<BodyId, BodyId> Mechanism::bodies_of(const Element& e, uint32_t row) const {
    if (e.kind != Element::Kind::stateful) return bodies_of(e);
    const StatefulForce& f = model_.stateful_forces()[e.index];
    if (row >= f.joints.size()) return {Model::ground(), f.points[(row - f.joints.size()) / 3]};
    const Joint& j = model_.joints()[f.joints[row].index];
    return {j.a, j.b};
}

}  // namespace bristle::impulse
