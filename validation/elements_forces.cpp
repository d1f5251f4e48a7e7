// What acts in joints and between bodies, free bodies and the integrators, against closed forms.
#include "validation/elements.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace bristle::validation {
namespace {

using namespace elements;

TimeFunction constant(double value) {
    return [value](double) { return value; };
}

// A disc on a vertical shaft, and a slider on a rail.
struct Disc {
    Model model;
    BodyId body = model.add(Body::cylinder(.5, .1, 4));
    JointId shaft = model.add(Revolute{.a = ground, .b = body, .at = {}, .axis = z_axis});
    double inertia = 0.5;
};
struct Slider {
    double mass = 2;
    Model model;
    BodyId body;
    JointId rail;

    explicit Slider(Vec3 along, double speed = 0)
        : body(model.add(Body::box({.1, .1, .1}, mass).moving(speed * along))),
          rail(model.add(Prismatic{.a = ground, .b = body, .at = {}, .axis = along})) {}
};

// ---- Coordinates and drives ------------------------------------------------------------------------

void rotor(Checks& check) {
    const double inertia = 0.02, ratio = 5, torque = 1.5;
    Disc disc;
    disc.model.add(Coordinate{.joint = disc.shaft, .inertia = inertia, .ratio = ratio});
    disc.model.add(Motor{.joint = disc.shaft, .effort = constant(torque)});
    const double acceleration = torque / (disc.inertia + square(ratio) * inertia);
    World world(disc.model);
    world.advance_to(1);
    check.relative("coordinate", "angle with a rotor of ratio 5", acceleration / 2,
                   world.coordinate(disc.shaft), lag(acceleration));
    check.relative("coordinate", "kinetic energy", torque * world.coordinate(disc.shaft),
                   world.energy().kinetic, lag(acceleration));

    Slider lift(z_axis);
    lift.model.add(Coordinate{.joint = lift.rail, .inertia = inertia, .ratio = ratio});
    World falling(lift.model);
    falling.advance_to(1);
    const double fall = gravity * lift.mass / (lift.mass + square(ratio) * inertia);
    check.relative("coordinate", "fall of a mass with a rotor", -fall / 2,
                   falling.coordinate(lift.rail), exact);
}

void position_drive(Checks& check) {
    const double length = 1, mass = 2, swing = 0.8, pace = 4, inertia = mass * square(length) / 3;
    Model model;
    const BodyId rod = model.add(Body::rod({}, {length, 0, 0}, mass));
    const JointId pin = model.add(Revolute{.a = ground, .b = rod, .at = {}, .axis = -y_axis});
    const DriveId drive = model.add(
        Drive{.joint = pin, .target = [=](double t) { return swing * (1 - std::cos(pace * t)); }});
    World world(model);
    double angle = 0, effort = 0;
    while (world.time() < 1) {
        world.step();
        const double wave = swing * std::cos(pace * world.time()), theta = swing - wave;
        const double needed =
            inertia * square(pace) * wave + mass * gravity * length / 2 * std::cos(theta);
        angle = std::max(angle, std::abs(world.coordinate(pin) - theta));
        effort = std::max(effort,
                          std::abs(world.effort(drive) - needed) / (mass * gravity * length / 2));
    }
    check.below("position drive", "angle", angle, exact);
    check.below("position drive", "torque over mgL/2", effort, 1e-6);

    const World start(model);
    const double weight = mass * gravity,
                 lifting_force = weight + 3 * inertia * square(pace) * swing / (2 * length);
    check.relative("position drive", "reaction of its joint at the start", lifting_force,
                   start.reaction(pin).force.z, exact);
    check.below("position drive", "moment left to its joint",
                norm(start.reaction(pin).moment) / (weight * length), exact);

    Slider lift(z_axis);
    const DriveId jack = lift.model.add(Drive{.joint = lift.rail});
    World lifting(lift.model);
    lifting.advance_to(0.2);
    lifting.command(jack, 0.3);
    lifting.advance_to(1.2);
    check.near("position drive", "goes where it is told", 0.3, lifting.coordinate(lift.rail),
               exact);
    check.relative("position drive", "holds the weight", lift.mass * gravity, lifting.effort(jack),
                   1e-6);
}

// A jack that holds a horizontal rod by its end, then stretches by a fifth: the law of cosines has the angle.
void distance_drive(Checks& check) {
    const double length = 1, mass = 2, depth = 1, start = std::sqrt(square(length) + square(depth)),
                 stretch = 0.2, time = 1;
    const Vec3 end{length, 0, 0}, foot{0, 0, -depth};
    Model model;
    const BodyId rod = model.add(Body::rod({}, end, mass));
    const JointId pin = model.add(Revolute{.a = ground, .b = rod, .at = {}, .axis = -y_axis});
    const JointId jack = model.add(Distance{.a = ground, .b = rod, .at_a = foot, .at_b = end});
    const DriveId drive =
        model.add(Drive{.joint = jack, .target = [=](double t) {
                            return start + stretch * (1 - std::cos(pi * t / time)) / 2;
                        }});
    World world(model);
    world.advance_to(time);
    const double now = start + stretch,
                 cosine = (square(length) + square(depth) - square(now)) / (2 * length * depth);
    check.near("distance drive", "length", now, world.coordinate(jack), exact);
    check.near("distance drive", "angle of the rod", std::acos(cosine) - pi / 2,
               world.coordinate(pin), exact);
    // θ̈ from the second derivative of the law of cosines at rest, effort from its lever arm.
    const double lever = length * depth * std::sqrt(1 - square(cosine)) / now;
    const double bending = -stretch / 2 * square(pi / time) / lever;
    const double torque = mass * square(length) / 3 * bending
                        + mass * gravity * length / 2 * std::cos(std::acos(cosine) - pi / 2);
    check.relative("distance drive", "force of the jack", torque / lever, world.effort(drive),
                   1e-6);
}

// Takes hold within a step of the right time: an error of the acceleration times h².
void speed_drive(Checks& check) {
    const double torque = 2, speed = 2.501;
    Disc disc;
    const DriveId drive = disc.model.add(Drive{.joint = disc.shaft,
                                               .control = Drive::Control::speed,
                                               .target = constant(speed),
                                               .max_effort = torque});
    const double acceleration = torque / disc.inertia, ramp = speed / acceleration;
    World world(disc.model);
    world.advance_to(0.5);
    check.relative("speed drive", "speed on the ramp", acceleration * 0.5,
                   world.coordinate_rate(disc.shaft), lag(speed));
    check.relative("speed drive", "torque on the ramp", torque, world.effort(drive), exact);
    world.advance_to(1);
    check.near("speed drive", "angle after the ramp", speed - speed * ramp / 2,
               world.coordinate(disc.shaft), acceleration * square(step) + lag(speed));
    check.near("speed drive", "time of the ramp", ramp,
               2 * (1 - world.coordinate(disc.shaft) / speed), step);
    check.relative("speed drive", "speed after the ramp", speed, world.coordinate_rate(disc.shaft),
                   exact);

    Slider weak(z_axis);
    const double limit = 0.4 * weak.mass * gravity;
    const DriveId brake = weak.model.add(
        Drive{.joint = weak.rail, .control = Drive::Control::speed, .max_effort = limit});
    World slipping(weak.model);
    slipping.advance_to(1);
    check.relative("speed drive", "slip under too great a load", -0.3 * gravity,
                   slipping.coordinate(weak.rail), exact);
    check.relative("speed drive", "effort while slipping", limit, slipping.effort(brake), exact);

    Slider strong(z_axis);
    const DriveId hoist = strong.model.add(Drive{.joint = strong.rail,
                                                 .control = Drive::Control::speed,
                                                 .max_effort = 2 * strong.mass * gravity});
    World lifting(strong.model);
    lifting.advance_to(0.2);
    check.near("speed drive", "holds a load", 0, lifting.coordinate(strong.rail), exact);
    lifting.command(hoist, 0.5005);
    lifting.advance_to(1.2);
    // It can pull with mg more than the weight: gains g.
    check.near("speed drive", "rises as commanded", 0.5005 - square(0.5005) / (2 * gravity),
               lifting.coordinate(strong.rail), gravity * square(step));
    check.relative("speed drive", "effort when rising steadily", strong.mass * gravity,
                   lifting.effort(hoist), 1e-6);
}

// Overpowered for a while, then it brings the load to rest with all it has.
void recovering_drive(Checks& check) {
    // The load ends amid a step, where the trapezoidal rule has its impulse exactly.
    const double limit = 10, load = 16, until = 0.4995;
    Slider slider(x_axis);
    const DriveId drive = slider.model.add(
        Drive{.joint = slider.rail, .control = Drive::Control::speed, .max_effort = limit});
    slider.model.add(
        Motor{.joint = slider.rail, .effort = [=](double t) { return t < until ? -load : 0.0; }});
    World world(slider.model);
    world.advance_to(1);
    const double speed = (load - limit) / slider.mass * until;
    const double way = speed * until / 2 + square(speed) * slider.mass / (2 * limit);
    check.near("overpowered drive", "where it comes to rest", -way, world.coordinate(slider.rail),
               load / slider.mass * square(step));
    check.near("overpowered drive", "rests", 0, world.coordinate_rate(slider.rail), exact);
    check.near("overpowered drive", "effort at rest", 0, world.effort(drive), exact * limit);
}

// A drive that should stand still under the load F sin ωt slips from F sin ωt₁ = E until its speed
// m v = F (cos ωt₁ − cos ωt)/ω − E (t − t₁) is zero again, and sticks.
void stick_slip(Checks& check) {
    const double limit = 10, load = 16, pace = 2 * pi, time = 0.6;
    Slider slider(x_axis);
    const DriveId drive = slider.model.add(
        Drive{.joint = slider.rail, .control = Drive::Control::speed, .max_effort = limit});
    slider.model.add(
        Motor{.joint = slider.rail, .effort = [=](double t) { return load * std::sin(pace * t); }});
    const double slips = std::asin(limit / load) / pace;
    const auto speed = [&](double t) {
        return (load * (std::cos(pace * slips) - std::cos(pace * t)) / pace - limit * (t - slips))
             / slider.mass;
    };
    double early = 0.3, sticks = time;
    for (int i = 0; i < 60; ++i)
        (speed((early + sticks) / 2) > 0 ? early : sticks) = (early + sticks) / 2;
    const double span = sticks - slips;
    const double way = (load * std::cos(pace * slips) * span / pace
                        - load * (std::sin(pace * sticks) - std::sin(pace * slips)) / square(pace)
                        - limit * square(span) / 2)
                     / slider.mass;
    World world(slider.model);
    world.advance_to(0.3);
    check.relative("stick-slip", "speed while slipping", speed(0.3),
                   world.coordinate_rate(slider.rail), 1e-5);
    world.advance_to(time);
    check.near("stick-slip", "way of a slip", way, world.coordinate(slider.rail),
               load / slider.mass * square(step));
    check.near("stick-slip", "sticks", 0, world.coordinate_rate(slider.rail), exact);
    check.relative("stick-slip", "effort when it sticks", -load * std::sin(pace * time),
                   world.effort(drive), exact);
}

// ---- Limits ----------------------------------------------------------------------------------------

// A strike within a step is 1/h times harder to time than to judge in height: speed and height after it
// are asked for to second order.
void limit(Checks& check) {
    const double drop = 0.5;
    const auto dropped = [&](double restitution, double time) {
        Slider slider(z_axis);
        const LimitId stop =
            slider.model.add(Limit{.joint = slider.rail, .min = -drop, .restitution = restitution});
        World world(slider.model);
        world.advance_to(time);
        return std::tuple{world.coordinate(slider.rail) + drop, world.coordinate_rate(slider.rail),
                          world.effort(stop)};
    };
    const double strike = std::sqrt(2 * drop / gravity), weight = Slider(z_axis).mass * gravity;
    const auto [height, rate, effort] = dropped(0, 1);
    check.near("limit", "plastic: stays at the stop", 0, height, exact);
    check.near("limit", "plastic: at rest", 0, rate, exact);
    check.relative("limit", "plastic: carries the weight", weight, effort, exact);
    for (double e : {0.5, 1.0}) {
        const std::string kind = "restitution " + std::to_string(e).substr(0, 3);
        const double time = strike * (1 + e);
        const auto [up, speed, push] = dropped(e, time);
        check.relative("limit", kind + ": height of the rebound", square(e) * drop,
                       up + square(speed) / (2 * gravity), 1e-4);
        // At the top of the rebound: a speed left there is a time.
        check.near("limit", kind + ": time of the rebound", time, time + speed / gravity, step);
        check.near("limit", kind + ": pushes no more", 0, push, exact * weight);
    }
    const auto [bounced, left, carried] = dropped(0.5, 2);
    check.near("limit", "restitution 0.5: comes to rest", 0, std::abs(bounced) + std::abs(left),
               exact);
    check.relative("limit", "restitution 0.5: carries the weight", weight, carried, exact);
    const auto [up, speed, push] = dropped(1, 2);
    check.relative("limit", "restitution 1.0: height after three rebounds", drop,
                   up + square(speed) / (2 * gravity), 3e-4);
}

void pressed_limit(Checks& check) {
    // A force that grows to the weight at 0.5 s and beyond: z = (g/3)(t − 0.5)³ from then on.
    Slider lifted(z_axis);
    const double weight = lifted.mass * gravity;
    lifted.model.add(Limit{.joint = lifted.rail, .min = 0});
    lifted.model.add(
        Motor{.joint = lifted.rail, .effort = [=](double t) { return 2 * weight * t; }});
    World world(lifted.model);
    world.advance_to(1);
    check.relative("pressed limit", "rises when the push exceeds the weight", gravity / 24,
                   world.coordinate(lifted.rail), 1e-5);

    const double push = 10, stop = 0.1005;
    Slider slider(x_axis);
    const LimitId limit = slider.model.add(Limit{.joint = slider.rail, .max = stop});
    const DriveId drive = slider.model.add(Drive{.joint = slider.rail,
                                                 .control = Drive::Control::speed,
                                                 .target = constant(0.3),
                                                 .max_effort = push});
    World pressed(slider.model);
    pressed.advance_to(1);
    check.near("pressed limit", "holds against a drive", stop, pressed.coordinate(slider.rail),
               exact);
    check.relative("pressed limit", "effort of the drive", push, pressed.effort(drive), exact);
    check.relative("pressed limit", "effort of the stop", -push, pressed.effort(limit), exact);
}

// A rod let go from the horizontal and struck at 1 rad: ω² = (3g/L)(e² sin 1 + sin θ − sin 1) after it.
void pendulum_limit(Checks& check) {
    const double stop = 1, scale = 3 * gravity;
    for (double e : {0.0, 0.5, 1.0}) {
        Model model;
        const BodyId rod = model.add(Body::rod({}, {1, 0, 0}, 2));
        const JointId pin = model.add(Revolute{.a = ground, .b = rod, .at = {}, .axis = y_axis});
        const LimitId limit = model.add(Limit{.joint = pin, .max = stop, .restitution = e});
        World world(model);
        world.advance_to(0.4);
        const double back = square(world.coordinate_rate(pin)) / scale
                          - std::sin(world.coordinate(pin)) + std::sin(stop);
        check.near("limit on a pendulum",
                   "restitution " + std::to_string(e).substr(0, 3) + ": e² given back", square(e),
                   back / std::sin(stop), 1e-4);
        if (e == 0)
            check.relative("limit on a pendulum", "effort of the stop", -gravity * std::cos(stop),
                           world.effort(limit), exact);
    }
}

// Two rods turn as one about the ground, and the inner one is stopped. The outer one keeps its moment of
// momentum about the hinge: ω₂ = 2.5 ω + 1.5 e ω.
void impulse(Checks& check) {
    for (double e : {0.0, 0.5}) {
        const double spin = 1;
        Model model;
        model.gravity = {};
        const BodyId inner = model.add(Body::rod({}, {1, 0, 0}, 2).moving({}, spin * z_axis));
        const BodyId outer =
            model.add(Body::rod({1, 0, 0}, {2, 0, 0}, 2).moving(spin * y_axis, spin * z_axis));
        const JointId pin = model.add(Revolute{.a = ground, .b = inner, .at = {}, .axis = z_axis});
        model.add(Revolute{.a = inner, .b = outer, .at = {1, 0, 0}, .axis = z_axis});
        model.add(Limit{.joint = pin, .max = 0.2005, .restitution = e});
        World world(model);
        while (world.twist(outer).angular.z < 1.5 * spin && world.time() < 0.3) world.step();
        const std::string kind = "restitution " + std::to_string(e).substr(0, 3);
        check.near("impulse", kind + ": struck when", 0.2005, world.time(), step);
        check.near("impulse", kind + ": inner rod's speed", -e * spin, world.twist(inner).angular.z,
                   1e-5);
        check.near("impulse", kind + ": outer rod's speed", (2.5 + 1.5 * e) * spin,
                   world.twist(outer).angular.z, 1e-5);
    }
}

// ---- Springs ---------------------------------------------------------------------------------------

// x'' + 2 ζ ω x' + ω² x = 0 from x(0) = 0, x'(0) = v.
double damped(double omega, double zeta, double speed, double time) {
    const double ringing = omega * std::sqrt(1 - square(zeta));
    return speed / ringing * std::exp(-zeta * omega * time) * std::sin(ringing * time);
}

void spring(Checks& check) {
    const double mass = 2, stiffness = 200, damping = 1, length = 0.3, speed = 1;
    const double omega = std::sqrt(stiffness / mass),
                 zeta = damping / (2 * std::sqrt(stiffness * mass)), time = 2;
    Model model;
    const double still = -length - mass * gravity / stiffness;
    const BodyId bob = model.add(Body::point(mass).at({0, 0, still}).moving(-speed * z_axis));
    const ForceId coil = model.add(Spring{.a = ground,
                                          .b = bob,
                                          .at_a = {},
                                          .at_b = {0, 0, still},
                                          .stiffness = stiffness,
                                          .damping = damping,
                                          .free_length = length});
    World world(model);
    world.advance_to(time);
    check.near("spring", "damped oscillation over its amplitude",
               damped(omega, zeta, speed, time) * omega / speed,
               (still - world.pose(bob).position.z) * omega / speed, lag(omega) * omega * time);
    const double elongation = -world.pose(bob).position.z - length;
    check.relative("spring", "tension",
                   stiffness * elongation - damping * world.twist(bob).linear.z,
                   world.tension(coil), exact);

    const double rest = 0.5, twist = 20;
    Disc disc;
    const ForceId torsion =
        disc.model.add(JointSpring{.joint = disc.shaft, .stiffness = twist, .rest = rest});
    const double pace = std::sqrt(twist / disc.inertia);
    World turning(disc.model);
    turning.advance_to(time);
    // It also turns: the quickest turning is rest · ω.
    check.near("spring", "torsional oscillation", rest * (1 - std::cos(pace * time)),
               turning.coordinate(disc.shaft), rest * lag(pace) * pace * time);
    check.relative("spring", "resisting torque", twist * (turning.coordinate(disc.shaft) - rest),
                   turning.tension(torsion), exact);
}

// Time from the start at zero until the coordinate is zero after one period.
double measured_period(const World& world, JointId joint) {
    return world.time() - world.coordinate(joint) / world.coordinate_rate(joint);
}

void spring_laws(Checks& check) {
    const double soft = 50, hard = 800, speed = 1;
    Slider bilinear(x_axis, speed);
    bilinear.model.add(
        JointSpring{.joint = bilinear.rail, .law = table({{-1, -soft}, {0, 0}, {1, hard}})});
    const double period = pi * (std::sqrt(bilinear.mass / soft) + std::sqrt(bilinear.mass / hard));
    World world(bilinear.model);
    world.advance_to(period);
    check.relative("spring law", "period of a bilinear table", period,
                   measured_period(world, bilinear.rail), lag(std::sqrt(hard / bilinear.mass)));

    const double linear = 100, cubic = 2000;
    Slider duffing(x_axis, speed);
    duffing.model.add(JointSpring{.joint = duffing.rail, .law = [=](double x, double) {
                                      return linear * x + cubic * x * x * x;
                                  }});
    // m v² = α A² + β A⁴/2, T = 4 K(k) / √((α + β A²)/m), k² = β A² / 2(α + β A²).
    const double amplitude2 =
        (std::sqrt(square(linear) + 2 * cubic * duffing.mass * square(speed)) - linear) / cubic;
    const double top = linear + cubic * amplitude2,
                 modulus = std::sqrt(cubic * amplitude2 / (2 * top));
    const double duffing_period = 4 * std::comp_ellint_1(modulus) / std::sqrt(top / duffing.mass);
    World hardening(duffing.model);
    hardening.advance_to(duffing_period);
    check.relative("spring law", "period of a cubic spring", duffing_period,
                   measured_period(hardening, duffing.rail), lag(std::sqrt(top / duffing.mass)));
    check.relative("spring law", "energy of a cubic spring", duffing.mass * square(speed) / 2,
                   hardening.energy().total(), lag(std::sqrt(top / duffing.mass)));
}

void stiff_damper(Checks& check) {
    // c h/m = 50: the trapezoidal rule sums the decay to m v / c exactly.
    const double damping = 1e5;
    Slider slider(x_axis, 1);
    slider.model.add(JointSpring{.joint = slider.rail, .damping = damping});
    World world(slider.model);
    world.advance_to(1);
    check.relative("stiff damper", "stops after m v / c", slider.mass / damping,
                   world.coordinate(slider.rail), exact);
    check.near("stiff damper", "at rest", 0, world.coordinate_rate(slider.rail), exact);

    Slider sinking(z_axis);
    sinking.model.add(JointSpring{.joint = sinking.rail, .damping = damping});
    World creep(sinking.model);
    creep.advance_to(1);
    const double sink = sinking.mass * gravity / damping;
    check.relative("stiff damper", "creep under a weight", -sink * (1 - sinking.mass / damping),
                   creep.coordinate(sinking.rail), exact);
}

// A kilogram on a metre of wire, k h²/m up to 10,000, comes to rest: rounding of the wire's length,
// times its stiffness, must not keep the iteration from ending. The trapezoidal rule leaves
// 1 − 4ζ/(ωh) of the stiffest ringing a step, hence 3 s.
void stiff_spring(Checks& check) {
    const double mass = 1, length = 1;
    for (double stiffness : {1e6, 1e8, 1e10}) {
        Model model;
        const BodyId bob = model.add(Body::point(mass).at({0, 0, -length}));
        model.add(Spring{.a = ground,
                         .b = bob,
                         .at_a = {},
                         .at_b = {0, 0, -length},
                         .stiffness = stiffness,
                         .damping = 0.2 * std::sqrt(stiffness * mass),
                         .free_length = length});
        World world(model);
        std::string kind = "k = 1e" + std::to_string(std::lround(std::log10(stiffness)));
        try {
            world.advance_to(3);
        } catch (const SimulationError&) {
            kind += ", gave up";
        }
        check.near("stiff spring", kind + ": time reached", 3, world.time(), exact);
        check.near("stiff spring", kind + ": steps done again", 0,
                   static_cast<double>(world.statistics().retried_steps), 0);
        check.near("stiff spring", kind + ": sag over mg/k", 1,
                   (-length - world.pose(bob).position.z) * stiffness / (mass * gravity), 1e-3);
    }
}

void bushing(Checks& check) {
    const Vec3 stiffness{200, 400, 800}, damping{2, 3, 4}, angular_stiffness{2, 3, 5},
        angular_damping{.01, .02, .03};
    const Quat axes = Quat::about({1, 2, 3}, 0.7);
    const double time = 0.5, speed = 1e-2;
    for (int i = 0; i < 6; ++i) {
        const int k = i % 3;
        const bool turns = i >= 3;
        const Vec3 axis = axes.matrix().column(k);
        const Body box = Body::box({.3, .4, .5}, 2).at({}, axes);
        Model model;
        model.gravity = {};
        const BodyId body =
            model.add(turns ? box.moving({}, speed * axis) : box.moving(speed * axis));
        model.add(Bushing{.a = ground,
                          .b = body,
                          .at = {},
                          .axes = axes,
                          .stiffness = stiffness,
                          .damping = damping,
                          .angular_stiffness = angular_stiffness,
                          .angular_damping = angular_damping});
        const double inertia = turns ? box.inertia(k, k) : box.mass;
        const double omega = std::sqrt((turns ? angular_stiffness : stiffness)[k] / inertia);
        const double zeta = (turns ? angular_damping : damping)[k] / (2 * inertia * omega);
        World world(model);
        double worst = 0;
        while (world.time() < time) {
            world.step();
            const Pose pose = world.pose(body);
            const Quat turn = pose.orientation * axes.conjugate();
            const double now =
                turns ? 2 * dot(Vec3{turn.x, turn.y, turn.z}, axis) * (turn.w < 0 ? -1 : 1)
                      : dot(pose.position, axis);
            worst = std::max(
                worst, std::abs(now - damped(omega, zeta, speed, world.time())) * omega / speed);
        }
        // A turn is resisted as its sine: a share of the amplitude's square more.
        const double bound = (lag(omega) + (turns ? square(speed / omega) / 4 : 0)) * omega * time;
        check.below("bushing", std::string(turns ? "turning about " : "moving along ") + "xyz"[k],
                    worst, bound);
    }
}

void motor(Checks& check) {
    const double torque = 3, no_load = 4, time = 1;
    Disc disc;
    disc.model.add(
        Motor{.joint = disc.shaft, .effort = constant(torque), .no_load_speed = no_load});
    const double tau = disc.inertia * no_load / torque, share = 1 - std::exp(-time / tau);
    World world(disc.model);
    world.advance_to(time);
    check.relative("motor", "speed towards no load", no_load * share,
                   world.coordinate_rate(disc.shaft), lag(no_load));
    check.relative("motor", "angle towards no load", no_load * (time - tau * share),
                   world.coordinate(disc.shaft), lag(no_load));

    Slider slider(x_axis);
    const ForceId pusher = slider.model.add(Motor{.joint = slider.rail});
    World pushed(slider.model);
    pushed.command(pusher, 3);
    pushed.advance_to(0.5);
    pushed.command(pusher, -1);
    pushed.advance_to(1);
    // A command holds from the step that begins with it.
    const double first = 3 / slider.mass, second = -1 / slider.mass;
    check.relative("motor", "commanded force", first * .125 + first * .25 + second * .125,
                   pushed.coordinate(slider.rail), exact);
}

// ---- Users' forces and free bodies -----------------------------------------------------------------

void user_force(Checks& check) {
    const double mass = 2, drag = 3, time = 1;
    for (bool tangents : {false, true}) {
        Model model;
        model.gravity = {};
        const BodyId ball = model.add(Body::sphere(.1, mass).moving({1, 2, 3}));
        model.add(UserForce{.apply =
                                [=](const Kinematics& now, ForceSink& out) {
                                    out.add_force(ball, -drag * now.twist(ball).linear,
                                                  now.pose(ball).position);
                                },
                            .bodies = tangents ? std::vector{ball} : std::vector<BodyId>{}});
        World world(model);
        world.advance_to(time);
        const double decay = std::exp(-drag / mass * time);
        const char* kind = tangents ? "user force, tangents" : "user force";
        check.relative(kind, "speed under drag", 3 * decay, world.twist(ball).linear.z,
                       lag(drag / mass) * drag / mass * time);
        check.relative(kind, "way under drag", 3 * mass / drag * (1 - decay),
                       world.pose(ball).position.z, lag(drag / mass));
    }
    // k h²/m = 1000: the trapezoidal rule keeps the amplitude as well as a step is iterated.
    const double stiffness = 1000 * mass / square(step), start = 0.01;
    Model model;
    const BodyId ball = model.add(Body::sphere(.1, mass).at({start, 0, 0}));
    model.gravity = {};
    model.add(UserForce{.apply =
                            [=](const Kinematics& now, ForceSink& out) {
                                out.add_force(ball, -stiffness * now.pose(ball).position,
                                              now.pose(ball).position);
                            },
                        .bodies = {ball}});
    World world(model);
    double reach = 0;
    while (world.time() < time) {
        world.step();
        reach = std::max(reach, norm(world.pose(ball).position));
    }
    check.between("user force, tangents", "reach of a stiff spring over its start", 0.9,
                  reach / start, 1 + 1e-4);

    const double torque = 0.2;
    Model turning;
    const BodyId box = turning.add(Body::box({.3, .4, .5}, mass));
    turning.add(UserForce{.apply = [=](const Kinematics&, ForceSink& out) {
        out.add_torque(box, {0, 0, torque});
    }});
    World spinning(turning);
    spinning.advance_to(time);
    const double acceleration = torque / turning.bodies()[box.index].inertia(2, 2);
    const Quat q = spinning.pose(box).orientation;
    check.relative("user force", "turn under a constant torque", acceleration / 2 * square(time),
                   2 * std::atan2(q.z, q.w), lag(acceleration * time));
    check.relative("user force", "spin under a constant torque", acceleration * time,
                   spinning.twist(box).angular.z, 2 * lag(acceleration * time));
}

// The axis of a symmetric body goes about its moment of momentum at |L|/A, and the body about its axis at
// (1 − C/A) ω₃.
void free_body(Checks& check) {
    const Vec3 spin{1, 0, 4}, speed{1, 2, 3};
    const double time = 1;
    Model model;
    const Body top = Body::cylinder(.3, .1, 2).moving(speed, spin);
    const BodyId body = model.add(top);
    World world(model);
    const double energy = world.energy().kinetic;
    world.advance_to(time);
    const double across = top.inertia(0, 0), along = top.inertia(2, 2);
    const Vec3 momentum{across * spin.x, 0, along * spin.z};
    const Quat expected = Quat::about(momentum, norm(momentum) / across * time)
                        * Quat::about(z_axis, (1 - along / across) * spin.z * time);
    const Quat miss = world.pose(body).orientation * expected.conjugate();
    const double pace = norm(spin);
    check.below("free body", "attitude of a symmetric top, rad", 2 * norm({miss.x, miss.y, miss.z}),
                lag(pace) * pace * time);
    const Mat3 axes = world.pose(body).orientation.matrix();
    const Vec3 now = axes * (top.inertia * (axes.transposed() * world.twist(body).angular));
    check.below("free body", "moment of momentum", norm(now - momentum) / norm(momentum),
                lag(pace));
    const Vec3 fall = speed * time - gravity / 2 * square(time) * z_axis;
    check.below("free body", "parabola", norm(world.pose(body).position - fall), exact);
    check.relative("free body", "kinetic energy less the fall's",
                   energy - top.mass * (square(speed.z) - square(speed.z - gravity * time)) / 2,
                   world.energy().kinetic, lag(pace));
}

// ---- The integrators -------------------------------------------------------------------------------

// How late a rod let go from the horizontal is at 0.8 s, s.
double lateness(const AugmentedLagrangian& settings) {
    Model model;
    const BodyId rod = model.add(Body::rod({}, {1, 0, 0}, 2));
    const JointId pin = model.add(Revolute{.a = ground, .b = rod, .at = {}, .axis = y_axis});
    World world(model, settings);
    world.advance_to(0.8);
    const double k = std::sqrt(0.5), from_bottom = pi / 2 - world.coordinate(pin);
    return world.time()
         - (std::comp_ellint_1(k) - std::ellint_1(k, std::asin(std::sin(from_bottom / 2) / k)))
               * std::sqrt(2 / (3 * gravity));
}

// What is left of the energy of a spring far too stiff for the step, ωh = 100.
double ringing(const AugmentedLagrangian& settings, int steps) {
    Slider slider(x_axis);
    slider.model.add(JointSpring{.joint = slider.rail,
                                 .stiffness = slider.mass * square(100 / settings.step),
                                 .rest = 0.01});
    World world(slider.model, settings);
    const double start = world.energy().total();
    world.advance_to(steps * settings.step);
    return world.energy().total() / start;
}

// The same for the textbook recurrence of an oscillator, Chung and Hulbert (1993).
double promised_ringing(double inertia_share, double force_share, int steps) {
    const double gamma = 0.5 - inertia_share + force_share,
                 beta = square(1 + force_share - inertia_share) / 4, stiffness = square(100);
    double x = -1, v = 0, a = stiffness;
    for (int i = 0; i < steps; ++i) {
        const double coasting = x + v + (0.5 - beta) * a;
        const double next =
            -(inertia_share * a + stiffness * ((1 - force_share) * coasting + force_share * x))
            / (1 - inertia_share + stiffness * (1 - force_share) * beta);
        v += (1 - gamma) * a + gamma * next;
        x = coasting + beta * next;
        a = next;
    }
    return (square(v) + stiffness * square(x)) / stiffness;
}

void integrators(Checks& check) {
    struct Choice {
        const char* name;
        AugmentedLagrangian settings;
        double inertia_share, force_share;  // of the old values in the balance
        int steps;                          // until little is left
    };
    const double delta = AugmentedLagrangian{}.hht_delta;
    const auto alpha = [](double rho) {
        return AugmentedLagrangian{.integrator = Integrator::generalized_alpha,
                                   .rho_infinity = rho};
    };
    const Choice choices[] = {
        {"newmark", {}, 0, 0, 100},
        {"HHT", {.integrator = Integrator::hht}, 0, delta, 100},
        {"generalized-α 0.9", alpha(0.9), 0.8 / 1.9, 0.9 / 1.9, 100},
        {"generalized-α 0.5", alpha(0.5), 0, 0.5 / 1.5, 15},
    };
    for (const Choice& choice : choices) {
        for (Projection projection : {Projection::tangent, Projection::mass}) {
            AugmentedLagrangian settings = choice.settings;
            settings.projection = projection;
            const std::string name = std::string(choice.name)
                                   + (projection == Projection::mass ? ", mass projection" : "");
            AugmentedLagrangian coarse = settings, fine = settings;
            coarse.step = 4e-3;
            fine.step = 2e-3;
            check.between(name, "order of convergence", 1.8,
                          std::log2(lateness(coarse) / lateness(fine)), 2.2);
            check.below(name, "lateness of a pendulum at 0.8 s", lateness(settings),
                        2 * lag(std::sqrt(3 * gravity)) * 0.8);
            check.relative(name, "energy left of a too stiff spring",
                           promised_ringing(choice.inertia_share, choice.force_share, choice.steps),
                           ringing(settings, choice.steps), 1e-6);
        }
    }
}

// ---- Snapshots -------------------------------------------------------------------------------------

void snapshot(Checks& check) {
    Model model;
    const BodyId first = model.add(Body::rod({}, {1, 0, 0}, 1)),
                 second = model.add(Body::rod({1, 0, 0}, {2, 0, 0}, 1));
    const JointId pin = model.add(Revolute{.a = ground, .b = first, .at = {}, .axis = y_axis});
    const JointId elbow =
        model.add(Revolute{.a = first, .b = second, .at = {1, 0, 0}, .axis = y_axis});
    model.add(Limit{.joint = elbow, .min = -0.5, .max = 0.5, .restitution = 0.5});
    model.add(Drive{
        .joint = pin, .control = Drive::Control::speed, .target = constant(2), .max_effort = 20});
    model.add(Spring{.a = ground,
                     .b = second,
                     .at_a = {2, 0, 1},
                     .at_b = {2, 0, 0},
                     .stiffness = 50,
                     .damping = 1,
                     .free_length = 1});
    World world(model), other(model);
    world.advance_to(0.301);
    const Snapshot middle = world.snapshot();
    const uint64_t middle_hash = world.hash();
    world.advance_to(0.8);
    const uint64_t end = world.hash();
    world.restore(middle);
    check.near("snapshot", "same hash when restored", 1, world.hash() == middle_hash, 0);
    world.advance_to(0.8);
    check.near("snapshot", "same hash at the end", 1, world.hash() == end, 0);
    other.restore(middle);
    other.advance_to(0.8);
    check.near("snapshot", "same hash in another world", 1, other.hash() == end, 0);
    check.near("snapshot", "the hash tells states apart", 0, end == middle_hash, 0);
}

}  // namespace

void validate_element_forces(Checks& check) {
    struct Case {
        const char* name;
        void (*run)(Checks&);
    };
    static constexpr Case cases[] = {
        {"coordinate", rotor},
        {"position drive", position_drive},
        {"distance drive", distance_drive},
        {"speed drive", speed_drive},
        {"overpowered drive", recovering_drive},
        {"stick-slip", stick_slip},
        {"limit", limit},
        {"pressed limit", pressed_limit},
        {"limit on a pendulum", pendulum_limit},
        {"impulse", impulse},
        {"spring", spring},
        {"spring law", spring_laws},
        {"stiff damper", stiff_damper},
        {"stiff spring", stiff_spring},
        {"bushing", bushing},
        {"motor", motor},
        {"user force", user_force},
        {"free body", free_body},
        {"integrators", integrators},
        {"snapshot", snapshot},
    };
    for (const auto& [name, run] : cases) run_element_case(check, name, run);
}

}  // namespace bristle::validation
