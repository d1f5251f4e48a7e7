#include "mechanics/model_now.h"

#include "model/editor.h"
#include "model/joint_kind.h"

namespace bristle::mechanics {
namespace {

Body moved(Body body, const Pose& pose, const Twist& twist) {
    body.position = pose.position;
    body.orientation = pose.orientation;
    body.velocity = twist.linear;
    body.angular_velocity = twist.angular;
    return body;
}

// `from` is the joint of the compact model, where ids and places are those of the solver.
void carry(Joint& to, const Joint& from, JointId id, bool is_acted_on, const PartsNow& now) {
    const model::JointKind& kind = model::kind_of(to);
    to.rate.reset();  // the bodies' velocities have it
    to.at_a = now.point(from.a, from.at_a);
    to.at_b = kind.place == model::Place::point ? to.at_a : now.point(from.b, from.at_b);
    if (kind.turn == model::Turn::crossed || model::is_gauge(to)) {
        to.axis = now.axis(from.a, from.axis);
        to.axis_b = now.axis(from.b, from.axis_b);
    } else if (norm(to.axis) > 0) {
        to.axis = to.axis_b = now.axis(now.bearer(from), from.axis);
    }
    if (kind.coordinate == model::CoordinateKind::angle)
        to.start_angle = now.coordinate(id);
    else if (kind.has_angle())
        to.start_angle = now.angle(id);
    // A strut is as long as it is; a bar as long as it was.
    if (kind.place == model::Place::distance && is_acted_on) to.length = norm(to.at_b - to.at_a);
}

}  // namespace

Model model_now(const Model& start, const model::CompactModel& compact, const PartsNow& now) {
    Model out = start;
    for (uint32_t i = 1; i < compact.bodies.to_model.size(); ++i) {
        Body& body = ModelEditor::bodies(out)[compact.bodies.to_model[i]];
        body = moved(std::move(body), now.pose({i}), now.twist({i}));
    }
    for (uint32_t i = 0; i < compact.joints.to_model.size(); ++i) {
        const Joint& from = compact.model.joints()[i];
        if (!model::is_gear(from))
            carry(ModelEditor::joints(out)[compact.joints.to_model[i]], from, {i},
                  compact.model.is_acted_on({i}), now);
    }
    for (uint32_t i = 0; i < compact.forces.to_model.size(); ++i) {
        const auto [kind, k] = compact.model.forces()[i];
        const uint32_t to = out.forces()[compact.forces.to_model[i]].index;
        if (kind == Model::ForceKind::spring) {
            const Spring& from = compact.model.springs()[k];
            Spring& spring = ModelEditor::springs(out)[to];
            spring.at_a = now.point(from.a, from.at_a);
            spring.at_b = now.point(from.b, from.at_b);
        } else if (kind == Model::ForceKind::bushing) {
            const Bushing& from = compact.model.bushings()[k];
            Bushing& bushing = ModelEditor::bushings(out)[to];
            bushing.at = now.point(from.a, from.at);
            bushing.axes = now.axes(from.a, from.axes);
            bushing.at_b = now.point(from.b, from.at_b.value_or(from.at));
            bushing.axes_b = now.axes(from.b, from.axes_b.value_or(from.axes));
        }
    }
    return out;
}

}  // namespace bristle::mechanics
