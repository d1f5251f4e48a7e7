// Mechanisms whose joints say more than once what they hold, and a driven one, against closed forms.
#include "validation/elements.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace bristle::validation::elements {
namespace {

// ---- Redundant joints ------------------------------------------------------------------------------

void two_hinges(Checks& check) {
    const double mass = 6, width = 1, height = 0.8, thickness = 0.1;
    const double inertia =
        mass * (square(thickness) + square(width)) / 12 + mass * square(width / 2);
    Model model;
    const BodyId door =
        model.add(Body::box({width, height, thickness}, mass).at({width / 2, 0, 0}));
    const JointId left =
        model.add(Revolute{.a = ground, .b = door, .at = {0, -.3, 0}, .axis = y_axis});
    const JointId right =
        model.add(Revolute{.a = ground, .b = door, .at = {0, .3, 0}, .axis = y_axis});
    const double arm = mass * gravity * width / 2,
                 quarter = std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(inertia / arm);
    const double speed = std::sqrt(2 * arm / inertia);
    World world(model, stepping_into(quarter));
    check.near("two hinges", "degrees of freedom", 1, world.degrees_of_freedom(), 0);
    check.near("two hinges", "redundant constraints", 5, world.redundant_constraints(), 0);
    world.advance_to(quarter);
    check.near("two hinges", "angle at the quarter period", pi / 2, world.coordinate(left),
               lag(speed) * speed * quarter);
    check.relative("two hinges", "speed at the bottom", speed, world.coordinate_rate(right),
                   lag(speed));
    const Vec3 sum = world.reaction(left).force + world.reaction(right).force;
    check.relative("two hinges", "sum of the reactions",
                   mass * (gravity + square(speed) * width / 2), sum.z, 2 * lag(speed));

    Model standing;
    const BodyId leaf = standing.add(Body::box({width, thickness, 2}, mass).at({width / 2, 0, 0}));
    const JointId low =
        standing.add(Revolute{.a = ground, .b = leaf, .at = {0, 0, -.8}, .axis = z_axis});
    const JointId high =
        standing.add(Revolute{.a = ground, .b = leaf, .at = {0, 0, .8}, .axis = z_axis});
    World still(standing);
    still.advance_to(0.5);
    const Reaction a = still.reaction(low), b = still.reaction(high);
    const Vec3 moment =
        a.moment + b.moment + cross({0, 0, -.8}, a.force) + cross({0, 0, .8}, b.force);
    check.below("two hinges", "a door at rest: forces balance",
                norm(a.force + b.force - mass * gravity * z_axis) / (mass * gravity), exact);
    check.below("two hinges", "a door at rest: moments balance", norm(moment + arm * y_axis) / arm,
                exact);
}

// Three parallel cranks under one coupler: a pendulum of inertia n m L²/3 + M L².
void parallelogram(Checks& check) {
    const double length = 0.5, crank = 1, coupler = 3, lean = 1;
    Model model;
    const Vec3 arm{length * std::sin(lean), 0, -length * std::cos(lean)};
    const BodyId beam = model.add(Body::rod(arm, Vec3{2, 0, 0} + arm, coupler));
    JointId first;
    for (double x : {0.0, 0.7, 2.0}) {
        const Vec3 foot{x, 0, 0};
        const BodyId rod = model.add(Body::rod(foot, foot + arm, crank));
        const JointId hinge =
            model.add(Revolute{.a = ground, .b = rod, .at = foot, .axis = y_axis});
        model.add(Revolute{.a = rod, .b = beam, .at = foot + arm, .axis = y_axis});
        if (x == 0) first = hinge;
    }
    const double inertia = (3 * crank / 3 + coupler) * square(length),
                 weight = (3 * crank / 2 + coupler) * gravity * length;
    const double quarter = std::comp_ellint_1(std::sin(lean / 2)) * std::sqrt(inertia / weight);
    const double speed = std::sqrt(2 * weight / inertia * (1 - std::cos(lean)));
    // It turns nearly as fast as it oscillates: both fall behind.
    const double behind = lag(std::hypot(speed, std::sqrt(weight / inertia))) * speed * quarter;
    World world(model, stepping_into(quarter));
    check.near("three cranks", "degrees of freedom", 1, world.degrees_of_freedom(), 0);
    check.near("three cranks", "redundant constraints", 7, world.redundant_constraints(), 0);
    const double energy = world.energy().total();
    world.advance_to(quarter);
    check.near("three cranks", "angle at the quarter period", lean, world.coordinate(first),
               behind);
    check.relative("three cranks", "speed at the bottom", speed, world.coordinate_rate(first),
                   lag(speed));
    world.advance_to(2);
    check.below("three cranks", "energy drift over its swing",
                (world.energy().total() - energy) / (inertia * square(speed) / 2), lag(speed));
}

// Bennett's loop: opposite sides equal, every axis square to its two sides. Angles between
// neighbouring sides obey tan(A/2) tan(B/2) = cos((α + β)/2) / cos((β − α)/2), α and β being the twists.
struct Bennett {
    Vec3 a{.5, 0, 0}, b{.8 * std::cos(1.1), .8 * std::sin(1.1), .6}, c{-a.x, 0, 0},
        d{-b.x, -b.y, b.z};
    Vec3 axis_a = normalized(cross(b - a, d - a)), axis_b = normalized(cross(c - b, a - b));
    Vec3 axis_c = normalized(cross(d - c, b - c)), axis_d = normalized(cross(a - d, c - d));
    Model model;
    JointId at_a, at_b;

    Bennett() {
        const BodyId bc = model.add(Body::rod(b, c, 1)), cd = model.add(Body::rod(c, d, 1)),
                     da = model.add(Body::rod(d, a, 1));
        at_a = model.add(Revolute{.a = ground, .b = da, .at = a, .axis = axis_a});
        at_b = model.add(Revolute{.a = ground, .b = bc, .at = b, .axis = axis_b});
        model.add(Revolute{.a = bc, .b = cd, .at = c, .axis = axis_c});
        model.add(Revolute{.a = cd, .b = da, .at = d, .axis = axis_d});
    }
    double product() const {
        const double alpha = std::acos(dot(axis_a, axis_b)), beta = std::acos(dot(axis_b, axis_c));
        return std::cos((alpha + beta) / 2) / std::cos((beta - alpha) / 2);
    }
    static double between(Vec3 u, Vec3 v) { return std::atan2(norm(cross(u, v)), dot(u, v)); }
};

void bennett(Checks& check) {
    Bennett swinging;
    World swing(swinging.model);
    check.near("Bennett", "degrees of freedom", 1, swing.degrees_of_freedom(), 0);
    check.near("Bennett", "redundant constraints", 3, swing.redundant_constraints(), 0);
    const double start = swing.energy().total();
    double kinetic = 0;
    while (swing.time() < 2) {
        swing.step();
        kinetic = std::max(kinetic, swing.energy().kinetic);
    }
    check.below("Bennett", "energy drift over its swing",
                (swing.energy().total() - start) / kinetic, 1e-5);

    Bennett turning;
    turning.model.add(Drive{.joint = turning.at_a,
                            .control = Drive::Control::speed,
                            .target = [](double) { return 3.0; }});
    const double angle_a = Bennett::between(turning.b - turning.a, turning.d - turning.a);
    const double angle_b = Bennett::between(turning.a - turning.b, turning.c - turning.b),
                 product = turning.product();
    World world(turning.model);
    double worst = 0;
    while (world.time() < 1) {
        world.step();
        const double half = (angle_a + world.coordinate(turning.at_a)) / 2;
        const double expected = 2 * std::atan2(product * std::cos(half), std::sin(half));
        worst = std::max(worst, std::abs(std::remainder(
                                    angle_b - world.coordinate(turning.at_b) - expected, 2 * pi)));
    }
    check.near("Bennett", "turn of the drive", 3, world.coordinate(turning.at_a), exact);
    check.below("Bennett", "output angle, through the flat position", worst, kinematic);
}

void mobility(Checks& check) {
    const auto count = [&](const char* what, const Model& model, int freedoms, int redundant) {
        const World world(model);
        check.near("mobility", std::string(what) + ": degrees of freedom", freedoms,
                   world.degrees_of_freedom(), 0);
        check.near("mobility", std::string(what) + ": redundant constraints", redundant,
                   world.redundant_constraints(), 0);
    };
    Model free;
    free.add(Body::box({1, 2, 3}, 1));
    count("free body", free, 6, 0);
    Model pendulum;
    const BodyId box = pendulum.add(Body::box({1, .1, .1}, 1));
    pendulum.add(Revolute{.a = ground, .b = box, .at = {}, .axis = y_axis});
    count("pendulum", pendulum, 1, 0);
    Model four_bar;
    const Vec3 corner[] = {{}, {0, 0, 1}, {2, 0, 1.5}, {2.5, 0, 0}};
    BodyId last = ground;
    for (size_t i = 0; i < 3; ++i) {
        const BodyId bar = four_bar.add(Body::rod(corner[i], corner[i + 1], 1));
        four_bar.add(Revolute{.a = last, .b = bar, .at = corner[i], .axis = y_axis});
        last = bar;
    }
    four_bar.add(Revolute{.a = last, .b = ground, .at = corner[3], .axis = y_axis});
    count("four-bar", four_bar, 1, 3);
}

// ---- A driven mechanism ----------------------------------------------------------------------------

// Constant crank speed; the torque is the power of all masses over the crank's speed.
void slider_crank(Checks& check) {
    const double r = 0.1, l = 0.3, crank = 1, rod = 2, piston = 1.5, speed = 10;
    Model model;
    const BodyId arm = model.add(Body::rod({}, {r, 0, 0}, crank).moving({}, -speed * y_axis));
    const BodyId link = model.add(Body::rod({r, 0, 0}, {r + l, 0, 0}, rod));
    const BodyId slide = model.add(Body::box({.1, .1, .1}, piston).at({r + l, 0, 0}));
    // θ is positive from x to z, which is about −y.
    const JointId hub = model.add(Revolute{.a = ground, .b = arm, .at = {}, .axis = -y_axis});
    model.add(Revolute{.a = arm, .b = link, .at = {r, 0, 0}, .axis = y_axis});
    model.add(Revolute{.a = link, .b = slide, .at = {r + l, 0, 0}, .axis = y_axis});
    model.add(Prismatic{.a = ground, .b = slide, .at = {r + l, 0, 0}, .axis = x_axis});
    const DriveId drive = model.add(Drive{
        .joint = hub, .control = Drive::Control::speed, .target = [=](double) { return speed; }});
    World world(model);
    double position = 0, velocity = 0, acceleration = 0, torque = 0;
    while (world.time() < 0.7) {
        world.step();
        const double t = speed * world.time(), s = std::sin(t), c = std::cos(t),
                     reach = std::sqrt(l * l - r * r * s * s);
        // φ is the rod's slope below the line of the piston: l sin φ = r sin θ.
        const double turn = speed * r * c / reach,
                     bend = (square(turn) - square(speed)) * r * s / reach;
        const double x = r * c + reach;
        const Vec3 pin_v = speed * r * Vec3{-s, 0, c}, pin_a = -square(speed) * r * Vec3{c, 0, s};
        const double v = pin_v.x - turn * r * s, a = pin_a.x - bend * r * s - square(turn) * reach;
        const Vec3 rod_v{(pin_v.x + v) / 2, 0, pin_v.z / 2},
            rod_a{(pin_a.x + a) / 2, 0, pin_a.z / 2};
        const double power = piston * v * a + rod * dot(rod_v, rod_a + gravity * z_axis)
                           + rod * l * l / 12 * turn * bend + crank * gravity * pin_v.z / 2;
        position = std::max(position, std::abs(world.pose(slide).position.x - x) / r);
        velocity = std::max(velocity, std::abs(world.twist(slide).linear.x - v) / (r * speed));
        acceleration =
            std::max(acceleration, std::abs(world.acceleration(slide).x - a) / (r * square(speed)));
        torque = std::max(
            torque, std::abs(world.effort(drive) - power / speed) / (piston * square(r * speed)));
    }
    check.below("slider-crank", "piston's position over r", position, kinematic);
    check.below("slider-crank", "its velocity over r ω", velocity, kinematic);
    check.below("slider-crank", "its acceleration over r ω²", acceleration, 1e-6);
    check.below("slider-crank", "drive torque over m r² ω²", torque, 1e-6);
}

}  // namespace

void mechanisms(Checks& check) {
    run_cases(check, {{"two hinges", two_hinges},
                      {"three cranks", parallelogram},
                      {"Bennett", bennett},
                      {"mobility", mobility},
                      {"slider-crank", slider_crank}});
}

}  // namespace bristle::validation::elements
