// Joints, their reactions and the mechanisms made of them, against closed forms.
#include "validation/elements.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <tuple>

namespace bristle::validation {
namespace {

using namespace elements;

// About 1 ms, so that whole steps end at `time`.
AugmentedLagrangian stepping_into(double time) { return {.step = time / std::round(time / step)}; }

// How far a body has turned about an axis that its joint keeps, less than half a turn.
double turned(const World& world, BodyId body, Vec3 axis) {
    const Vec3 from = any_perpendicular(axis);
    const Mat3 start = world.model().bodies()[body.index].orientation.matrix();
    const Vec3 to = world.pose(body).orientation.matrix() * (start.transposed() * from);
    return std::atan2(dot(axis, cross(from, to)), dot(from, to));
}

// Downhill is +x tilted below the horizon.
struct Slope {
    double angle = pi / 6;
    Vec3 down{std::cos(angle), 0, -std::sin(angle)}, normal{std::sin(angle), 0, std::cos(angle)};
    Quat frame = Quat::about(y_axis, angle);
    double way(double time) const { return gravity * std::sin(angle) * time * time / 2; }
};

// A uniform rod let go from the horizontal, hinged at one end: θ'' = (3g/2L) cos θ.
struct HorizontalRod {
    double length = 1, mass = 2;
    double top_speed() const { return std::sqrt(3 * gravity / length); }
    double quarter_period() const {
        return std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(2 * length / (3 * gravity));
    }
};

// ---- Joints --------------------------------------------------------------------------------------

void revolute(Checks& check) {
    const HorizontalRod rod;
    const double weight = rod.mass * gravity, quarter = rod.quarter_period();
    Model model;
    const BodyId body = model.add(Body::rod({}, {rod.length, 0, 0}, rod.mass));
    const JointId pin = model.add(Revolute{.a = ground, .b = body, .at = {}, .axis = y_axis});
    World world(model, stepping_into(quarter));
    check.relative("revolute", "reaction when let go, mg/4", weight / 4,
                   world.reaction(pin).force.z, exact);
    world.advance_to(quarter);
    const double behind = pi / 2 - world.coordinate(pin), speed = world.coordinate_rate(pin);
    check.relative("revolute", "period", 4 * quarter, 4 * (quarter + behind / speed),
                   lag(rod.top_speed()));
    check.relative("revolute", "speed at the bottom", rod.top_speed(), speed, lag(rod.top_speed()));
    check.relative("revolute", "reaction at the bottom, 2.5 mg", 2.5 * weight,
                   world.reaction(pin).force.z, 2 * lag(rod.top_speed()));
    world.advance_to(2);
    check.below("revolute", "energy drift over mgL/2",
                world.energy().total() / (weight * rod.length / 2), lag(rod.top_speed()));

    Model hanging;
    const BodyId still = hanging.add(Body::rod({}, {0, 0, -rod.length}, rod.mass));
    const JointId hook = hanging.add(Revolute{.a = ground, .b = still, .at = {}, .axis = y_axis});
    World rest(hanging);
    rest.advance_to(0.5);
    check.below("revolute", "reaction at rest less mg",
                norm(rest.reaction(hook).force - Vec3{0, 0, weight}) / weight, exact);
    check.below("revolute", "moment at rest",
                norm(rest.reaction(hook).moment) / (weight * rod.length), exact);
}

void prismatic(Checks& check) {
    const Slope slope;
    const double mass = 3, ahead = 0.3, above = 0.2;
    Model model;
    const BodyId box = model.add(Body::box({.4, .2, .1}, mass).at({}, slope.frame));
    const JointId guide = model.add(Prismatic{.a = ground,
                                              .b = box,
                                              .at = ahead * slope.down + above * slope.normal,
                                              .axis = slope.down});
    World world(model);
    world.advance_to(1);
    check.relative("prismatic", "way down the slope", slope.way(1), world.coordinate(guide), exact);
    check.relative("prismatic", "speed", 2 * slope.way(1), world.coordinate_rate(guide), exact);
    const double across = mass * gravity * std::cos(slope.angle);
    const Reaction reaction = world.reaction(guide);
    check.below("prismatic", "reaction less mg cos α",
                norm(reaction.force - across * slope.normal) / across, exact);
    // The moment takes the reaction from the joint's point to the centre.
    const Vec3 moment = ahead * across * y_axis;
    check.below("prismatic", "its moment", norm(reaction.moment - moment) / norm(moment), exact);
}

void cylindrical(Checks& check) {
    const Slope slope;
    const double mass = 3, spin = 2;
    Model model;
    const BodyId body =
        model.add(Body::cylinder(.1, .4, mass).at({}, slope.frame).moving({}, spin * slope.down));
    const JointId sleeve =
        model.add(Cylindrical{.a = ground, .b = body, .at = {}, .axis = slope.down});
    World world(model);
    world.advance_to(1);
    check.relative("cylindrical", "way down the slope", slope.way(1), world.coordinate(sleeve),
                   exact);
    check.relative("cylindrical", "turn", spin, turned(world, body, slope.down), lag(spin));
    check.relative("cylindrical", "spin", spin, dot(world.twist(body).angular, slope.down),
                   lag(spin));
    const double across = mass * gravity * std::cos(slope.angle);
    check.below("cylindrical", "reaction less mg cos α",
                norm(world.reaction(sleeve).force - across * slope.normal) / across, exact);
}

// Steady turning about the vertical, leaning by β: Ω² (A − C) cos β = m g l, with the moments of inertia
// A across and C along the body about the pivot.
void cone(Checks& check, const char* name, Body body, double arm, double across, double along) {
    const double lean = 0.7, time = 1;
    const double turn = std::sqrt(body.mass * gravity * arm / ((across - along) * std::cos(lean)));
    const Vec3 center{arm * std::sin(lean), 0, -arm * std::cos(lean)}, omega = turn * z_axis;
    body.angular_velocity = omega;
    body.velocity = cross(omega, body.position);
    Model model;
    const BodyId id = model.add(body);
    const JointId ball = model.add(Spherical{.a = ground, .b = id, .at = {}});
    World world(model);
    world.advance_to(time);
    const Vec3 now = world.point(id, body.center);
    const double azimuth = turn * time;
    check.below(name, "lean kept", (now.z - center.z) / arm, lag(turn));
    check.near(name, "azimuth", 0, std::remainder(std::atan2(now.y, now.x) - azimuth, 2 * pi),
               lag(turn) * azimuth);
    const Vec3 inward{-now.x, -now.y, 0};
    const Vec3 expected = body.mass * (square(turn) * inward + gravity * z_axis);
    check.below(name, "reaction", norm(world.reaction(ball).force - expected) / norm(expected),
                2 * lag(turn));
}

void spherical(Checks& check) {
    const double lean = 0.7, length = 1, radius = 0.2, mass = 2;
    const Vec3 along{std::sin(lean), 0, -std::cos(lean)};
    cone(check, "spherical, rod", Body::rod({}, length * along, mass), length / 2,
         mass * length * length / 3, 0);
    const Body cylinder =
        Body::cylinder(radius, length, mass).at(length / 2 * along, Quat::about(y_axis, -lean));
    cone(check, "spherical, cylinder", cylinder, length / 2,
         cylinder.inertia(0, 0) + mass * length * length / 4, cylinder.inertia(2, 2));
}

void universal(Checks& check) {
    const double bend = 0.5, speed = 2 * pi;
    const Vec3 out{std::cos(bend), 0, std::sin(bend)};
    Model model;
    const BodyId first =
        model.add(Body::cylinder(.1, .6, 2).at({-.5, 0, 0}, Quat::about(y_axis, pi / 2)));
    const BodyId second =
        model.add(Body::cylinder(.2, .6, 5).at(.5 * out, Quat::about(y_axis, pi / 2 - bend)));
    const JointId bearing =
        model.add(Revolute{.a = ground, .b = first, .at = {-.8, 0, 0}, .axis = x_axis});
    model.add(Universal{.a = first, .b = second, .at = {}, .axis_a = z_axis, .axis_b = y_axis});
    const JointId output =
        model.add(Revolute{.a = ground, .b = second, .at = .8 * out, .axis = out});
    const DriveId drive =
        model.add(Drive{.joint = bearing, .control = Drive::Control::speed, .target = [=](double) {
                            return speed;
                        }});
    const double inertia = model.bodies()[second.index].inertia(2, 2);
    World world(model);
    const double sine2 = square(std::sin(bend)), cosine = std::cos(bend);
    double ratio_error = 0, torque_error = 0, turn_error = 0;
    while (world.time() < 1) {
        world.step();
        const double theta = speed * world.time(), below = 1 - sine2 * square(std::cos(theta)),
                     ratio = cosine / below;
        const double slope = -cosine * sine2 * std::sin(2 * theta) / square(below);
        ratio_error =
            std::max(ratio_error, std::abs(world.coordinate_rate(output) / speed - ratio));
        torque_error = std::max(
            torque_error, std::abs(world.effort(drive) - inertia * ratio * slope * square(speed)));
        const double turn = std::atan2(std::sin(theta), cosine * std::cos(theta));
        turn_error = std::max(turn_error,
                              std::abs(std::remainder(turn - turned(world, second, out), 2 * pi)));
    }
    check.below("universal", "Cardan's ratio over a turn", ratio_error, kinematic);
    check.below("universal", "angle over a turn", turn_error, kinematic);
    check.below("universal", "torque over I ω²", torque_error / (inertia * square(speed)), 1e-6);
    check.near("universal", "redundant constraints", 3, world.redundant_constraints(), 0);
}

void planar(Checks& check) {
    const Slope slope;
    const double mass = 3, spin = 2, drift = 0.5;
    Model model;
    const BodyId box = model.add(Body::box({.4, .2, .1}, mass)
                                     .at({}, slope.frame)
                                     .moving(drift * y_axis, spin * slope.normal));
    const JointId plane =
        model.add(Planar{.a = ground, .b = box, .at = {}, .normal = slope.normal});
    World world(model);
    world.advance_to(1);
    const Vec3 expected = slope.way(1) * slope.down + drift * y_axis;
    check.below("planar", "position", norm(world.pose(box).position - expected) / norm(expected),
                exact);
    check.relative("planar", "turn", spin, turned(world, box, slope.normal), lag(spin));
    const double across = mass * gravity * std::cos(slope.angle);
    check.below("planar", "reaction less mg cos α",
                norm(world.reaction(plane).force - across * slope.normal) / across, exact);
    check.below("planar", "moment", norm(world.reaction(plane).moment) / across, 1e-7);
}

// A bead on a straight wire that turns at constant speed: r = r₀ cosh ωt; the wire pushes with 2 m ω ṙ.
void point_on_line(Checks& check) {
    const double speed = 2, start = 0.2, mass = 0.5;
    Model model;
    const BodyId wire = model.add(Body::rod({}, {1, 0, 0}, 2));
    const BodyId bead =
        model.add(Body::point(mass).at({start, 0, 0}).moving({0, speed * start, 0}));
    const JointId hub = model.add(Revolute{.a = ground, .b = wire, .at = {}, .axis = z_axis});
    const JointId line =
        model.add(PointOnLine{.a = wire, .b = bead, .at = {start, 0, 0}, .axis = x_axis});
    model.add(Drive{
        .joint = hub, .control = Drive::Control::speed, .target = [=](double) { return speed; }});
    World world(model);
    world.advance_to(1);
    const Vec3 along{std::cos(speed), std::sin(speed), 0};
    check.relative("point on line", "way out on a turning wire", start * std::cosh(speed),
                   dot(world.pose(bead).position, along), 4 * lag(speed));
    const Vec3 push = 2 * mass * square(speed) * start * std::sinh(speed) * cross(z_axis, along)
                    + mass * gravity * z_axis;
    check.below("point on line", "push of the wire",
                norm(world.reaction(line).force - push) / norm(push), 1e-5);

    const Slope slope;
    Model tilted;
    const BodyId ball = tilted.add(Body::sphere(.1, mass));
    const JointId rail =
        tilted.add(PointOnLine{.a = ground, .b = ball, .at = {}, .axis = slope.down});
    World sliding(tilted);
    sliding.advance_to(1);
    check.relative("point on line", "way down a slope", slope.way(1),
                   dot(sliding.pose(ball).position, slope.down), exact);
    check.relative("point on line", "reaction mg cos α", mass * gravity * std::cos(slope.angle),
                   dot(sliding.reaction(rail).force, slope.normal), exact);
}

// A ladder between wall and floor: θ from the vertical, θ̇² = (3g/L)(cos θ₀ − cos θ).
void point_on_plane(Checks& check) {
    const double length = 2, mass = 4, start = 0.3;
    const Vec3 foot{length * std::sin(start), 0, 0}, head{0, 0, length * std::cos(start)};
    Model model;
    const BodyId ladder = model.add(Body::rod(foot, head, mass));
    const JointId floor =
        model.add(PointOnPlane{.a = ground, .b = ladder, .at = foot, .normal = z_axis});
    const JointId wall =
        model.add(PointOnPlane{.a = ground, .b = ladder, .at = head, .normal = x_axis});
    World world(model);
    world.advance_to(0.7);
    const Vec3 now = world.pose(ladder).position, top = world.point(ladder, {length, 0, 0});
    const double theta = std::atan2(now.x, top.z);
    const double rate2 = 3 * gravity / length * (std::cos(start) - std::cos(theta)),
                 rate = std::sqrt(rate2);
    const double bending = 1.5 * gravity / length * std::sin(theta);
    check.between("point on plane", "ladder leans by", 0.6, theta, 1.4);
    check.relative("point on plane", "its angular speed", rate, norm(world.twist(ladder).angular),
                   1e-5);
    check.relative(
        "point on plane", "push of the floor",
        mass * (gravity - length / 2 * (std::cos(theta) * rate2 + std::sin(theta) * bending)),
        world.reaction(floor).force.z, 1e-5);
    check.near("point on plane", "push of the wall over mg",
               length / 2 / gravity * (std::cos(theta) * bending - std::sin(theta) * rate2),
               world.reaction(wall).force.x / (mass * gravity), 1e-5);
    check.below("point on plane", "ends on their planes", std::abs(now.z) + std::abs(top.x), exact);
}

void distance(Checks& check) {
    const double half = 0.4, mass = 1.5, spin = 3;
    const Vec3 throw_speed{1, 0.5, 4};
    Model model;
    const BodyId a =
        model.add(Body::point(mass).at({-half, 0, 0}).moving(throw_speed - spin * half * y_axis));
    const BodyId b =
        model.add(Body::point(mass).at({half, 0, 0}).moving(throw_speed + spin * half * y_axis));
    const JointId bar =
        model.add(Distance{.a = a, .b = b, .at_a = {-half, 0, 0}, .at_b = {half, 0, 0}});
    World world(model);
    world.advance_to(1);
    const Vec3 center = 0.5 * (world.pose(a).position + world.pose(b).position),
               way = world.pose(b).position - center;
    check.below("distance", "parabola of a thrown pair",
                norm(center - throw_speed + gravity / 2 * z_axis), exact);
    check.near("distance", "turn of the pair", spin, std::atan2(way.y, way.x), lag(spin) * spin);
    check.relative("distance", "tension m ω² r", mass * square(spin) * half,
                   -dot(world.reaction(bar).force, way) / half, 2 * lag(spin));
    check.relative("distance", "length", 2 * half, world.coordinate(bar), exact);

    Model hung;
    const BodyId bob = hung.add(Body::point(mass).at({1, 0, 0}));
    hung.add(Distance{.a = ground, .b = bob, .at_a = {}, .at_b = {1, 0, 0}});
    const double quarter = std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(gravity),
                 speed = std::sqrt(2 * gravity);
    World swing(hung, stepping_into(quarter));
    swing.advance_to(quarter);
    check.near("distance", "pendulum at its quarter period", 0, swing.pose(bob).position.x,
               lag(speed) * speed * quarter);
    check.relative("distance", "its speed", speed, norm(swing.twist(bob).linear), lag(speed));
}

void fixed(Checks& check) {
    const HorizontalRod rod;
    const double weight = rod.mass * gravity, half = rod.length / 2;
    const auto two_halves = [&](auto root) {
        Model model;
        const BodyId inner = model.add(Body::rod({}, {half, 0, 0}, rod.mass / 2));
        const BodyId outer = model.add(Body::rod({half, 0, 0}, {2 * half, 0, 0}, rod.mass / 2));
        root.b = inner;
        const JointId first = model.add(root);
        const JointId weld = model.add(Fixed{.a = inner, .b = outer, .at = {half, 0, 0}});
        return std::tuple{World(model, stepping_into(rod.quarter_period())), first, weld};
    };
    auto [cantilever, wall, joint] = two_halves(Fixed{.a = ground, .at = {}});
    cantilever.advance_to(rod.quarter_period());
    const auto compare = [&](const char* quantity, const Reaction& r, Vec3 force, Vec3 moment) {
        check.below(
            "fixed", quantity,
            norm(r.force - force) / weight + norm(r.moment - moment) / (weight * rod.length),
            exact);
    };
    compare("cantilever: mg and mgL/2 at the wall", cantilever.reaction(wall), weight * z_axis,
            -weight * half * y_axis);
    compare("cantilever: mg/2 and mgL/8 in the middle", cantilever.reaction(joint),
            weight / 2 * z_axis, -weight * half / 4 * y_axis);

    auto [swing, pin, weld] = two_halves(Revolute{.a = ground, .at = {}, .axis = y_axis});
    compare("swing: −mg/16 and mgL/32 when let go", swing.reaction(weld), -weight / 16 * z_axis,
            weight * half / 16 * y_axis);
    swing.advance_to(rod.quarter_period());
    check.near("fixed", "two halves swing as one", pi / 2, swing.coordinate(pin),
               lag(rod.top_speed()) * rod.top_speed() * rod.quarter_period());
    check.relative("fixed", "speed at the bottom", rod.top_speed(), swing.coordinate_rate(pin),
                   lag(rod.top_speed()));
    // What hangs below the middle: m/2 (g + ω² 3L/4).
    check.relative("fixed", "pull in the middle at the bottom", weight * (0.5 + 9.0 / 8),
                   swing.reaction(weld).force.z, 2 * lag(rod.top_speed()));
}

void gear(Checks& check) {
    const double torque = 0.3, ratio = -0.5;
    Model model;
    const BodyId first = model.add(Body::cylinder(.3, .1, 2)),
                 second = model.add(Body::cylinder(.6, .1, 1).at({.9, 0, 0}));
    const JointId shaft = model.add(Revolute{.a = ground, .b = first, .at = {}, .axis = z_axis});
    const JointId driven =
        model.add(Revolute{.a = ground, .b = second, .at = {.9, 0, 0}, .axis = z_axis});
    const JointId mesh = model.add(Gear{.first = shaft, .second = driven, .ratio = ratio});
    model.add(Motor{.joint = shaft, .effort = [=](double) { return torque; }});
    const double own = model.bodies()[first.index].inertia(2, 2),
                 other = model.bodies()[second.index].inertia(2, 2);
    const double acceleration = torque / (own + square(ratio) * other);
    World world(model);
    world.advance_to(2);
    check.relative("gear", "angle", 2 * acceleration, world.coordinate(shaft),
                   lag(2 * acceleration));
    check.relative("gear", "speed", 2 * acceleration, world.coordinate_rate(shaft),
                   lag(2 * acceleration));
    check.relative("gear", "angle of the second", ratio * world.coordinate(shaft),
                   world.coordinate(driven), exact);
    check.relative("gear", "torque on the second", other * ratio * acceleration,
                   world.reaction(mesh).moment.z, lag(2 * acceleration));
}

void rack_and_pinion(Checks& check) {
    const double radius = 0.2, mass = 0.8;
    Model model;
    const BodyId rack = model.add(Body::box({.05, .05, 2}, mass).at({radius, 0, 0}));
    const BodyId pinion =
        model.add(Body::cylinder(radius, .1, 5).at({}, Quat::about(x_axis, pi / 2)));
    const JointId guide =
        model.add(Prismatic{.a = ground, .b = rack, .at = {radius, 0, 0}, .axis = z_axis});
    const JointId hub = model.add(Revolute{.a = ground, .b = pinion, .at = {}, .axis = y_axis});
    const JointId mesh = model.add(RackAndPinion{.rack = guide, .pinion = hub, .radius = radius});
    const double inertia = model.bodies()[pinion.index].inertia(2, 2);
    const double fall = gravity * mass / (mass + inertia / square(radius)), time = 0.5;
    World world(model);
    world.advance_to(time);
    check.relative("rack and pinion", "fall of the rack", -fall * square(time) / 2,
                   world.coordinate(guide), lag(fall * time / radius));
    check.relative("rack and pinion", "angle of the pinion", world.coordinate(guide) / radius,
                   world.coordinate(hub), exact);
    check.relative("rack and pinion", "force on the rack", mass * (gravity - fall),
                   world.reaction(mesh).force.z, lag(fall * time / radius));
}

// A nut that slides down its own lead: a (1 + I/(m r²)) = g, with r the advance per radian.
void screw(Checks& check) {
    const double lead = 0.5, advance = lead / (2 * pi), mass = 2, time = 0.6;
    Model model;
    const BodyId nut = model.add(Body::cylinder(.1, .1, mass));
    const JointId thread =
        model.add(Screw{.a = ground, .b = nut, .at = {}, .axis = z_axis, .lead = lead});
    const double inertia = model.bodies()[nut.index].inertia(2, 2);
    const double fall = gravity / (1 + inertia / (mass * square(advance)));
    World world(model);
    world.advance_to(time);
    const double bound = lag(fall * time / advance);
    check.relative("screw", "fall of the nut", -fall * square(time) / 2, world.coordinate(thread),
                   bound);
    check.near(
        "screw", "its turn", 0,
        std::remainder(turned(world, nut, z_axis) - world.coordinate(thread) / advance, 2 * pi),
        kinematic);
    check.relative("screw", "force along the thread", mass * (gravity - fall),
                   world.reaction(thread).force.z, bound);
    check.relative("screw", "moment of the thread", -inertia * fall / advance,
                   world.reaction(thread).moment.z, bound);
}

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

// A simulation that gives up is a failed check, not the end of the suite.
void run_element_case(Checks& check, const char* name, void (*run)(Checks&)) {
    try {
        run(check);
    } catch (const std::exception& error) {
        check.near(name, std::string("runs to its end: ") + error.what(), 1, 0, 0);
    }
}

void validate_elements(Checks& check) {
    struct Case {
        const char* name;
        void (*run)(Checks&);
    };
    static constexpr Case cases[] = {
        {"revolute", revolute},
        {"prismatic", prismatic},
        {"cylindrical", cylindrical},
        {"spherical", spherical},
        {"universal", universal},
        {"planar", planar},
        {"point on line", point_on_line},
        {"point on plane", point_on_plane},
        {"distance", distance},
        {"fixed", fixed},
        {"gear", gear},
        {"rack and pinion", rack_and_pinion},
        {"screw", screw},
        {"two hinges", two_hinges},
        {"three cranks", parallelogram},
        {"Bennett", bennett},
        {"mobility", mobility},
        {"slider-crank", slider_crank},
    };
    for (const auto& [name, run] : cases) run_element_case(check, name, run);
    validate_element_forces(check);
}

}  // namespace bristle::validation
