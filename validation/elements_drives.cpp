// Drives and limits of joints, against closed forms.
#include "validation/elements.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace bristle::validation::elements {
namespace {

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

}  // namespace

void drives(Checks& check) {
    run_cases(check, {{"coordinate", rotor},
                      {"position drive", position_drive},
                      {"distance drive", distance_drive},
                      {"speed drive", speed_drive},
                      {"overpowered drive", recovering_drive},
                      {"stick-slip", stick_slip},
                      {"limit", limit},
                      {"pressed limit", pressed_limit},
                      {"limit on a pendulum", pendulum_limit},
                      {"impulse", impulse}});
}

}  // namespace bristle::validation::elements
