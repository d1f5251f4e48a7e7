// The coordinate of a joint: an angle, a displacement, a length or a swing (model/joint_kind.h).
#pragma once

#include "model/joint_kind.h"

#include <cmath>

namespace bristle::mechanics {

// Where it starts. Angles go on from another world's if the model is one that goes on.
inline double start_value(const Joint& j) {
    switch (model::kind_of(j).coordinate) {
        case model::CoordinateKind::length: return norm(j.at_b - j.at_a);
        case model::CoordinateKind::angle: return j.start_angle;
        case model::CoordinateKind::swing: return model::swing_angle(j.axis, j.axis_b);
        default: return dot(j.at_b - j.at_a, j.axis);
    }
}
inline double start_value(const Model& model, JointId id) {
    return start_value(model.joints()[id.index]);
}

// Of an angle that is known but for whole turns, the one nearest to where it last was.
inline double counted(double angle, double last) {
    return angle + 2 * pi * std::round((last - angle) / (2 * pi));
}

// What gears and screws keep: second − ratio · first, of two coordinates, or of a screw's displacement and angle.
inline double held_difference(const Model& model, const Joint& j) {
    if (model::is_gear(j))
        return start_value(model, j.second) - j.ratio * start_value(model, j.first);
    return start_value(j) - j.ratio * j.start_angle;
}

}  // namespace bristle::mechanics
