#include "lagrange/draft.h"

#include "base/assert.h"
#include "mechanics/coordinates.h"
#include "mechanics/stateful.h"

#include <cmath>
#include <set>

namespace bristle::lagrange {
namespace {

class Drafter {
  public:
    Drafter(std::shared_ptr<const Model> model, const AugmentedLagrangian& settings)
        : model_(*model) {
        draft_.natural = choose_coordinates(model_);
        draft_.system.shared_model = std::move(model);
        draft_.system.settings = settings;
        draft_.system.has_joints = !model_.joints().empty();
        draft_.system.size = draft_.natural.size;
        draft_.system.group_of = draft_.natural.group_of;
    }

    SystemDraft draft() {
        joint_rows();
        joint_measures();
        scalar_coordinates();
        relations();
        forces();
        return std::move(draft_);
    }

  private:
    // ---- Joints: what sharing did not already say ---------------------------------------------

    // A row of which nothing depends on the unknowns is redundant: the joints said it already.
    void dot_row(const Combination& a, const Combination& b, double target, double scale,
                 bool is_length) {
        const auto is_nothing = [&](const Combination& c) {
            return c.is_constant() && norm(c.constant) <= 1e-12 * draft_.natural.size;
        };
        if ((a.is_constant() && b.is_constant()) || is_nothing(a) || is_nothing(b)) return;
        draft_.dots.push_back({a, b, target, scale, is_length});
    }

    // b's point stays on the line through a's point along the axis of a.
    void on_line(const Joint& j) {
        const Combination way =
            draft_.natural.point(j.b, j.at_b) - draft_.natural.point(j.a, j.at_a);
        // The line may be drawn in either body if the axis is common; take the one with fewer entities.
        const bool axis_is_common = model::kind_of(j).turn != model::Turn::any;
        BodyId body = j.a;
        auto across = draft_.natural.perpendiculars(j.a, j.axis);
        if (axis_is_common) {
            const auto other = draft_.natural.perpendiculars(j.b, j.axis);
            const auto cost = [&](BodyId id, const std::vector<Vec3>& directions) {
                return directions.size() < 2
                         ? size_t(1000)
                         : draft_.natural.direction(id, directions[0]).terms.size();
            };
            if (cost(j.b, other) < cost(j.a, across)) {
                body = j.b;
                across = other;
            }
        }
        BRISTLE_DEMAND(!across.empty());
        const Vec3 u = across.front();
        const Vec3 v = cross(j.axis, u);
        dot_row(way, draft_.natural.direction(body, u), 0, 1, true);
        dot_row(way, draft_.natural.direction(body, v), 0, 1, true);
    }

    void on_plane(const Joint& j) {
        const Combination way =
            draft_.natural.point(j.b, j.at_b) - draft_.natural.point(j.a, j.at_a);
        dot_row(way, draft_.natural.direction(j.a, j.axis), 0, 1, true);
    }

    void joint_rows() {
        draft_.dots = std::move(draft_.natural.rigidity);
        for (uint32_t i = 0; i < model_.joints().size(); ++i) {
            const Joint& j = model_.joints()[i];
            const model::JointKind& kind = model::kind_of(j);
            if (kind.turn == model::Turn::crossed)
                dot_row(draft_.natural.direction(j.a, j.axis),
                        draft_.natural.direction(j.b, j.axis_b), 0, 1, false);
            if (kind.place == model::Place::line) on_line(j);
            if (kind.place == model::Place::plane) on_plane(j);
            if (kind.place == model::Place::distance && !model_.is_acted_on({i})) {
                const Combination way =
                    draft_.natural.point(j.b, j.at_b) - draft_.natural.point(j.a, j.at_a);
                dot_row(way, way, j.length * j.length, 0.5 / j.length, true);
            }
        }
    }

    // ---- Measures --------------------------------------------------------------------------------

    uint32_t add_measure(MeasureDraft draft) {
        draft_.measures.push_back(std::move(draft));
        return static_cast<uint32_t>(draft_.measures.size() - 1);
    }

    MeasureDraft displacement(const Joint& j) const {
        MeasureDraft m{.kind = Measure::Kind::dot, .is_length = true};
        m.part[0] = draft_.natural.point(j.b, j.at_b) - draft_.natural.point(j.a, j.at_a);
        m.part[1] = draft_.natural.direction(j.a, j.axis);
        return m;
    }

    MeasureDraft angle(const Joint& j) const {
        const auto from = draft_.natural.perpendiculars(j.a, j.axis),
                   to = draft_.natural.perpendiculars(j.b, j.axis);
        BRISTLE_DEMAND(!from.empty() && !to.empty());
        MeasureDraft m{.kind = Measure::Kind::angle};
        m.part[0] = draft_.natural.direction(j.a, from[0]);
        m.part[1] = draft_.natural.direction(j.b, to[0]);
        m.part[2] = draft_.natural.direction(j.a, j.axis);
        m.offset =
            std::atan2(dot(j.axis, cross(from[0], to[0])), dot(from[0], to[0])) - j.start_angle;
        m.start = j.start_angle;
        return m;
    }

    MeasureDraft azimuth(const Joint& j) const {
        MeasureDraft m{.kind = Measure::Kind::angle};
        m.part[0] = draft_.natural.direction(j.a, model::start_mark(j));
        m.part[1] = draft_.natural.direction(j.b, j.axis_b);
        m.part[2] = draft_.natural.direction(j.a, j.axis);
        m.offset = -j.start_angle;
        m.start = j.start_angle;
        return m;
    }

    MeasureDraft swing(const Joint& j) const {
        MeasureDraft m{.kind = Measure::Kind::swing};
        m.part[0] = draft_.natural.direction(j.a, j.axis);
        m.part[1] = draft_.natural.direction(j.b, j.axis_b);
        return m;
    }

    MeasureDraft length(BodyId a, BodyId b, Vec3 at_a, Vec3 at_b) const {
        MeasureDraft m{.kind = Measure::Kind::length, .is_length = true};
        m.part[0] = draft_.natural.point(b, at_b) - draft_.natural.point(a, at_a);
        return m;
    }

    void joint_measures() {
        draft_.system.measure_of_joint.assign(model_.joints().size(), none);
        const auto need = [&](JointId id) {
            uint32_t& measure = draft_.system.measure_of_joint[id.index];
            if (measure != none) return;
            const Joint& j = model_.joints()[id.index];
            switch (model::kind_of(j).coordinate) {
                case model::CoordinateKind::angle:
                    measure = add_measure(model::is_gauge(j) ? azimuth(j) : angle(j));
                    break;
                case model::CoordinateKind::swing: measure = add_measure(swing(j)); break;
                case model::CoordinateKind::length:
                    measure = add_measure(length(j.a, j.b, j.at_a, j.at_b));
                    break;
                default: measure = add_measure(displacement(j)); break;
            }
        };
        for (const auto& d : model_.drives()) need(d.joint);
        for (const auto& l : model_.limits()) need(l.joint);
        for (const auto& c : model_.coordinates()) need(c.joint);
        for (const auto& s : model_.joint_springs()) need(s.joint);
        for (const auto& m : model_.motors()) need(m.joint);
        for (const auto& f : model_.stateful_forces())
            for (JointId joint : f.joints) need(joint);
        for (const Joint& j : model_.joints()) {
            if (!model::is_gear(j)) continue;
            need(j.first);
            need(j.second);
        }
    }

    // Scalar unknowns live three to an entity.
    void scalar_coordinates() {
        const auto& coordinates = model_.coordinates();
        for (uint32_t i = 0; i < coordinates.size(); ++i) {
            const uint8_t component = i % 3;
            if (component == 0) {
                draft_.scalar_entities.push_back(
                    static_cast<uint32_t>(draft_.natural.entity_start.size()));
                draft_.natural.entity_start.push_back({});
                draft_.natural.entity_is_vector.push_back(true);
            }
            const uint32_t entity = draft_.scalar_entities.back();
            const uint32_t measure = draft_.system.measure_of_joint[coordinates[i].joint.index];
            draft_.natural.entity_start[entity][component] =
                coordinates[i].ratio * mechanics::start_value(model_, coordinates[i].joint);
            MeasureDraft own{
                .kind = Measure::Kind::scalar, .component = component, .scalar_entity = entity};
            own.is_length = draft_.measures[measure].is_length;
            const uint32_t scalar = add_measure(own);
            relate(Relation::Kind::equality, scalar, 1, measure, -coordinates[i].ratio, 0, i);
            draft_.system.scalar_inertia.push_back({entity, component, coordinates[i].inertia});
        }
    }

    // ---- Relations ---------------------------------------------------------------------------------

    uint32_t relate(Relation::Kind kind, uint32_t m0, double r0, uint32_t m1, double r1,
                    double target, uint32_t index) {
        Relation r{};
        r.kind = kind;
        r.measure[0] = m0;
        r.measure[1] = m1;
        r.ratio[0] = r0;
        r.ratio[1] = r1;
        r.target = target;
        r.index = index;
        r.memory = draft_.system.memory_size;
        r.command = none;
        r.unit = draft_.measures[m0].is_length ? 1 / draft_.natural.size : 1;
        draft_.system.memory_size += relation_memory_size;
        draft_.system.relations.push_back(r);
        return static_cast<uint32_t>(draft_.system.relations.size() - 1);
    }

    void relations() {
        for (uint32_t i = 0; i < model_.joints().size(); ++i) {
            const Joint& j = model_.joints()[i];
            if (model::is_gear(j)) {
                relate(Relation::Kind::equality, draft_.system.measure_of_joint[j.second.index], 1,
                       draft_.system.measure_of_joint[j.first.index], -j.ratio,
                       mechanics::held_difference(model_, j), i);
            } else if (model::kind_of(j).is_screw) {
                relate(Relation::Kind::equality, add_measure(displacement(j)), 1,
                       add_measure(angle(j)), -j.ratio, mechanics::held_difference(model_, j), i);
            }
        }
        for (uint32_t i = 0; i < model_.drives().size(); ++i) {
            draft_.system.drive_relation.push_back(relate(
                Relation::Kind::drive,
                draft_.system.measure_of_joint[model_.drives()[i].joint.index], 1, none, 0, 0, i));
            draft_.system.relations.back().command = draft_.system.memory_size++;
        }
        for (uint32_t i = 0; i < model_.limits().size(); ++i) {
            const Limit& l = model_.limits()[i];
            const uint32_t measure = draft_.system.measure_of_joint[l.joint.index];
            const auto stop = [&](Relation::Kind kind, double at) {
                return std::isfinite(at) ? relate(kind, measure, 1, none, 0, at, i) : none;
            };
            draft_.system.limit_relations.emplace_back(stop(Relation::Kind::limit_min, l.min),
                                                       stop(Relation::Kind::limit_max, l.max));
        }
    }

    // ---- Forces --------------------------------------------------------------------------------------

    void forces() {
        const auto linear = [](uint32_t measure, double k, double c, double rest) {
            MeasureForce f{};
            f.kind = MeasureForce::Kind::spring;
            f.measure = measure;
            f.stiffness = k;
            f.damping = c;
            f.rest = rest;
            return f;
        };
        for (const Model::ForceRef& ref : model_.forces()) {
            draft_.system.force_of_model.push_back(
                static_cast<uint32_t>(draft_.system.forces.size()));
            switch (ref.kind) {
                case Model::ForceKind::spring: {
                    const Spring& s = model_.springs()[ref.index];
                    MeasureForce f = linear(add_measure(length(s.a, s.b, s.at_a, s.at_b)),
                                            s.stiffness, s.damping, s.free_length);
                    f.law = s.law;
                    draft_.system.forces.push_back(std::move(f));
                    break;
                }
                case Model::ForceKind::joint_spring: {
                    const JointSpring& s = model_.joint_springs()[ref.index];
                    MeasureForce f = linear(draft_.system.measure_of_joint[s.joint.index],
                                            s.stiffness, s.damping, s.rest);
                    f.law = s.law;
                    draft_.system.forces.push_back(std::move(f));
                    break;
                }
                case Model::ForceKind::bushing: {
                    const Bushing& b = model_.bushings()[ref.index];
                    const Mat3 axes = b.axes.matrix();
                    Joint frame{.type = JointType::prismatic,
                                .a = b.a,
                                .b = b.b,
                                .at_a = b.at,
                                .at_b = b.at_b.value_or(b.at)};
                    for (int k = 0; k < 3; ++k) {
                        frame.axis = axes.column(k);
                        draft_.system.forces.push_back(linear(add_measure(displacement(frame)),
                                                              b.stiffness[k], b.damping[k], 0));
                    }
                    for (int k = 0; k < 3; ++k)
                        draft_.system.forces.push_back(linear(add_measure(tilt(b, axes, k)),
                                                              b.angular_stiffness[k],
                                                              b.angular_damping[k], 0));
                    break;
                }
                case Model::ForceKind::motor: {
                    const Motor& m = model_.motors()[ref.index];
                    MeasureForce f{};
                    f.kind = MeasureForce::Kind::motor;
                    f.measure = draft_.system.measure_of_joint[m.joint.index];
                    f.effort = m.effort;
                    f.no_load_speed = m.no_load_speed;
                    f.memory = draft_.system.memory_size++;
                    draft_.system.forces.push_back(std::move(f));
                    break;
                }
                case Model::ForceKind::user:
                    draft_.system.force_of_model.back() = none;
                    user_force(ref.index);
                    break;
                case Model::ForceKind::stateful:
                    draft_.system.force_of_model.back() = none;
                    stateful_force(ref.index);
                    break;
            }
        }
    }

    void user_force(uint32_t index) {
        UserForceElement u{.index = index, .entities = {}, .first_block = 0};
        std::set<uint32_t> entities;
        for (BodyId body : model_.user_forces()[index].bodies)
            entities.merge(entities_of(draft_.natural.groups[draft_.natural.group_of[body.index]]));
        u.entities.assign(entities.begin(), entities.end());
        draft_.system.user_forces.push_back(std::move(u));
    }

    void stateful_force(uint32_t index) {
        const StatefulForce& f = model_.stateful_forces()[index];
        StatefulElement s{index, draft_.system.memory_size, {}, {}, 0};
        for (JointId joint : f.joints)
            s.measures.push_back(draft_.system.measure_of_joint[joint.index]);
        draft_.system.memory_size += mechanics::StatefulLayout::memory_size(f);
        draft_.system.stateful.push_back(std::move(s));
    }

    // Sine of the turn about axis k: ½ (bᵢ·aⱼ − bⱼ·aᵢ) with (i, j, k) cyclic, up to second order.
    MeasureDraft tilt(const Bushing& bushing, const Mat3& axes, int k) const {
        const Vec3 i = axes.column((k + 1) % 3), j = axes.column((k + 2) % 3);
        const Mat3 axes_b = bushing.axes_b.value_or(bushing.axes).matrix();
        MeasureDraft m{.kind = Measure::Kind::dot};
        m.part[0] = draft_.natural.direction(bushing.b, axes_b.column((k + 1) % 3));
        m.part[1].add(0.5, draft_.natural.direction(bushing.a, j));
        m.part[2] = draft_.natural.direction(bushing.b, axes_b.column((k + 2) % 3));
        m.part[3].add(-0.5, draft_.natural.direction(bushing.a, i));
        return m;
    }

    const Model& model_;
    SystemDraft draft_;
};

}  // namespace

SystemDraft draft_system(Model model, const AugmentedLagrangian& settings) {
    return Drafter(std::make_shared<const Model>(std::move(model)), settings).draft();
}

}  // namespace bristle::lagrange
