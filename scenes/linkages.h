// Linkages with known answers for kinematics, assembly and mobility. Planar ones move in the x-z plane.
#pragma once

#include <bristle/model.h>

#include <vector>

namespace bristle::scenes {

// Crank of radius r at the origin, rod of length l, slider on the x axis; starts stretched along x. The drive
// turns the crank counterclockwise seen from −y.
struct SliderCrank {
    Model model;
    BodyId crank, rod, slider;
    JointId pivot, slide;
    DriveId drive;
};
SliderCrank slider_crank(double radius, double length, TimeFunction angle);

// Four bars of revolute joints A, B, C, D: pivots A and D on the ground, `ground` apart along x; crank AB at
// this angle, coupler BC, rocker DC above.
struct FourBar {
    double crank = 0.4, coupler = 1.1, rocker = 0.8, ground = 1;
    // Of the rocker, for this angle of the crank (Freudenstein).
    double rocker_angle(double crank_angle) const;
};
struct FourBarModel {
    Model model;
    BodyId crank, coupler, rocker;
    JointId a, b, c, d;
    DriveId drive;
};
FourBarModel four_bar(const FourBar&, double start_angle, TimeFunction angle = {});

// Bennett's linkage: four skew hinges that move only because sin α / a = sin β / b.
Model bennett();
// Sarrus' linkage: a platform on two chains of three hinges goes straight up.
Model sarrus();
// Two cranks on skew axes with a coupler on ball joints.
Model rssr();
// A platform on six struts with ball joints at both ends; every strut is two bodies on a prismatic joint.
struct Stewart {
    Model model;
    BodyId platform;
    std::vector<JointId> struts;
};
Stewart stewart();

// Bodies displaced and turned by up to so much (m and rad), their sides of the joints with them. Turns are about
// the axis, or any if it is zero: what a prismatic or fixed joint cannot undo must not be done.
Model roughened(const Model&, double displacement, double turn, uint64_t seed, Vec3 axis = {});
// How far the sides of the joints are apart after bodies were moved from where `rough` has them to where
// `whole` has them: lengths in m, and sines of angles between axes.
double largest_gap(const Model& rough, const Model& whole);

}  // namespace bristle::scenes
