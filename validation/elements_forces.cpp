// Springs, motors, forces of the user and free bodies, against closed forms.
#include "validation/elements.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace bristle::validation::elements {
namespace {

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
                   static_cast<double>(world.statistics().rough_steps), 0);
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

}  // namespace

void forces(Checks& check) {
    run_cases(check, {{"spring", spring},
                      {"spring law", spring_laws},
                      {"stiff damper", stiff_damper},
                      {"stiff spring", stiff_spring},
                      {"bushing", bushing},
                      {"motor", motor},
                      {"user force", user_force},
                      {"free body", free_body}});
}

}  // namespace bristle::validation::elements
