// The model as it is now: bodies, joints and forces carried to where they are, so that a world of it goes on from there.
#pragma once

#include "model/compact.h"

namespace bristle::mechanics {

// Where a solver has the parts of the compact model; points and axes are given where they start.
class PartsNow {
  public:
    virtual ~PartsNow() = default;
    virtual Pose pose(BodyId) const = 0;
    virtual Twist twist(BodyId) const = 0;
    virtual Vec3 point(BodyId, Vec3 at) const = 0;
    virtual Vec3 axis(BodyId, Vec3 axis) const = 0;
    virtual Quat axes(BodyId, Quat axes) const = 0;
    // Of the two bodies that have the joint's axis in common, the one to carry it.
    virtual BodyId bearer(const Joint& joint) const { return joint.a; }
    virtual double coordinate(JointId) const = 0;  // turns counted
    virtual double angle(JointId) const = 0;       // −π … π
};

// `start` is the model the compact one was made of.
Model model_now(const Model& start, const model::CompactModel&, const PartsNow&);

}  // namespace bristle::mechanics
