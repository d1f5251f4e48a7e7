// How bodies and joints move in free motions, and how to tell such motions apart.
#pragma once

#include "lagrange/system.h"

#include <Eigen/Dense>

#include <vector>

namespace bristle::analysis {

// Twists of all bodies of a System in one motion.
using BodyMotion = std::vector<Twist>;

BodyMotion body_motion(const lagrange::System&, const Vec4* position,
                       const Eigen::VectorXd& entity_motion);

// Rates of a joint: relative turn about its axis and across it, then the same of the relative displacement of
// its two points. Turns are multiplied by `arm`, so that all are speeds. Six rows, a column a motion.
Eigen::MatrixXd joint_rates(const lagrange::System&, const Vec4* position, JointId,
                            const std::vector<BodyMotion>&, double arm);

// Combinations of motions, by columns, in each of which one rate of one joint is one and the rates so chosen
// for the others are zero. Joints come first, in their order; then, for what floats, bodies.
Eigen::MatrixXd separated(const lagrange::System&, const Vec4* position,
                          const std::vector<BodyMotion>&, double arm);

std::vector<BodyMotion> combined(const std::vector<BodyMotion>&, const Eigen::MatrixXd& by);

}  // namespace bristle::analysis
