// Impacts against closed forms, and a top whose friction turns it over: under both solvers, at the steps people use.
#include "validation/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation {
namespace {

constexpr double weight = 9.81;  // m/s²

// ---- Restitution, from 0 to 1 ------------------------------------------------------------------------------

// Balls dropped from heights that meet the floor anywhere in a step: how high they come again, as a speed.
double returned(double restitution, double fall, const Settings& settings) {
    Model m;
    const MaterialId s = m.add(Material{.restitution = restitution});
    const BodyId ball = m.add(Body::sphere(0.1, 1).at({0, 0, 0.1 + fall}));
    m.add(Shape{.body = ball, .geometry = Sphere{0.1}, .material = s});
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = s});
    World world(m, settings);
    const double down = std::sqrt(2 * fall / weight), step = step_of(settings);
    double highest = 0;
    bool rises = false;
    while (world.time() < down * (1 + 1.5 * restitution) + 3 * step) {
        world.step();
        const double up = world.twist(ball).linear.z;
        if (rises && up <= 0) break;
        rises |= up > 0;
        if (rises) highest = std::max(highest, world.pose(ball).position.z - 0.1);
    }
    return std::sqrt(highest / fall);
}

void restitution(Checks& check) {
    const auto judge_one = [&](const std::string& name, const Settings& settings) {
        for (double speed : {1.0, 2.0, 5.0}) {
            double worst = 0;
            for (int k = 0; k <= 10; ++k)
                for (int phase = 0; phase < 5; ++phase) {
                    const double at = speed + 0.013 * phase;
                    worst = std::max(
                        worst,
                        std::abs(returned(0.1 * k, at * at / (2 * weight), settings) - 0.1 * k));
                }
            check.below(name, fmt::format("restitution off at most, 0 to 1, {} m/s", speed), worst,
                        0.02);
        }
    };
    judge_one("ball dropped, 5 ms", AugmentedLagrangian{.step = 5e-3});
    judge_one("ball dropped, impulses, 5 ms", Impulse{.step = 5e-3});
}

// ---- Several at once -----------------------------------------------------------------------------------------

// A ball with 1 m/s meets four that touch, or are a millimetre apart. One after the other, the last one goes on alone; together, by Newton's
// law for five equal masses, v₁ + 4 v₂ = 1 and v₂ − v₁ = 1.
void row_of_balls(Checks& check) {
    const auto speeds = [](double gap, const Settings& settings) {
        Model m;
        m.gravity = {};
        const MaterialId s =
            m.add(Material{.restitution = 1, .static_friction = 0, .kinetic_friction = 0});
        std::array<double, 5> out{};
        for (int i = 0; i < 5; ++i) {
            const BodyId ball = m.add(Body::sphere(0.05, 1)
                                          .at({(0.1 + gap) * i - (i == 0 ? 0.0123 : 0), 0, 0})
                                          .moving({i == 0 ? 1.0 : 0.0, 0, 0}));
            m.add(Shape{.body = ball, .geometry = Sphere{0.05}, .material = s});
        }
        World world(m, settings);
        world.advance_to(0.2);
        for (uint32_t i = 0; i < 5; ++i) out[i] = world.twist(BodyId{i + 1}).linear.x;
        return out;
    };
    const Impulse in_turn{.step = 5e-3, .impacts = Impulse::Impacts::in_turn};
    for (double gap : {0.0, 1e-3}) {
        const std::array<double, 5> v = speeds(gap, in_turn);
        const std::string name =
            fmt::format("row of balls, {} mm apart, impulses in turn, 5 ms", 1e3 * gap);
        check.near(name, "first, m/s", 0, v[0], 1e-3);
        check.near(name, "last, m/s", 1, v[4], 1e-3);
    }
    const std::array<double, 5> v = speeds(0, Impulse{.step = 5e-3});
    check.near("row of balls that touch, impulses together, 5 ms", "first, m/s", -0.6, v[0], 1e-3);
    check.near("row of balls that touch, impulses together, 5 ms", "last, m/s", 0.4, v[4], 1e-3);
    // With room that the step resolves, it does not matter which.
    const std::array<double, 5> fine = speeds(1e-3, Impulse{.step = 2e-4});
    check.near("row of balls, 1 mm apart, impulses together, 0.2 ms", "last, m/s", 1, fine[4],
               1e-3);
}

// ---- A slider between two rails --------------------------------------------------------------------------------

// It has 1 mm of room on either side and comes with v: it meets a rail after c/v, and then every 2 c/(v eⁿ).
void clearance(Checks& check) {
    const double room = 1e-3, speed = 0.3, bounce = 0.5;
    Model m;
    m.gravity = {};
    const MaterialId s =
        m.add(Material{.restitution = bounce, .static_friction = 0, .kinetic_friction = 0});
    for (double side : {1.0, -1.0})
        m.add(Shape{.body = Model::ground(),
                    .geometry = Box{{4, 0.2, 0.2}},
                    .pose = {.position = {0, 0, side * (0.15 + room)}},
                    .material = s});
    const BodyId slider = m.add(Body::box({0.2, 0.1, 0.1}, 1).moving({0.5, 0, speed}));
    m.add(Shape{.body = slider, .geometry = Box{{0.2, 0.1, 0.1}}, .material = s});
    const double time = 0.1;
    double z = 0, v = speed, at = 0;
    for (double next = room / v; at + next < time; next = 2 * room / std::abs(v)) {
        at += next;
        z = v > 0 ? room : -room;
        v *= -bounce;
    }
    z += v * (time - at);
    const auto judge_one = [&](const std::string& with, const Settings& settings, double late) {
        World world(m, settings);
        double deepest = 0;
        while (world.time() < time - 1e-9) {
            world.step();
            deepest = std::max(deepest, std::abs(world.pose(slider).position.z) - room);
        }
        const std::string name = "slider with clearance" + with;
        const bool is_rigid = std::holds_alternative<Impulse>(settings);
        check.below(name, "deepest over its room", deepest / room, is_rigid ? 1e-3 : 0.2);
        check.near(name, "way along, m", 0.5 * time, world.pose(slider).position.x, 1e-6);
        if (!is_rigid) return;
        check.near(name, "speed across, m/s", v, world.twist(slider).linear.z, 0.1 * std::abs(v));
        check.near(name, "place across, m", z, world.pose(slider).position.z, late * std::abs(v));
    };
    // Bodies that are springs where they touch stay there for a while: they have fewer impacts.
    judge_one(", 1 ms", AugmentedLagrangian{.step = 1e-3}, 0);
    // Every impact up to a step late, and there are few.
    judge_one(", impulses, 1 ms", Impulse{.step = 1e-3}, 8e-3);
    judge_one(", impulses, 0.2 ms", Impulse{.step = 2e-4}, 2e-3);
}

// ---- Tippe top ----------------------------------------------------------------------------------------------------

// A ball whose centre of mass is beside its middle, on a floor that rubs by Coulomb's law: N follows from the height of its centre,
// z = R − a e_z. It turns over.
struct Top {
    double radius = 0.02, off = 0.006, mass = 6e-3, tilt = 0.1, spin = 155, friction = 0.3;
    double across = 131.0 / 350 * mass * radius * radius, along = 0.4 * mass * radius * radius;

    using State = std::array<double, 8>;  // velocity (x, y), axis, angular velocity
    State rate(const State& y) const {
        const Vec3 axis{y[2], y[3], y[4]}, w{y[5], y[6], y[7]}, swing = cross(w, axis);
        const Vec3 arm = off * axis - Vec3{0, 0, radius};
        const Vec3 slip = Vec3{y[0], y[1], -off * swing.z} + cross(w, arm);
        const double speed = std::hypot(slip.x, slip.y, 1e-5);
        const Vec3 push{-friction * slip.x / speed, -friction * slip.y / speed, 1};
        const auto turned = [&](Vec3 by) {
            return (1 / across) * by + (1 / along - 1 / across) * dot(axis, by) * axis;
        };
        const Vec3 momentum = across * w + (along - across) * dot(axis, w) * axis;
        const Vec3 by_one = turned(cross(arm, push)), free = turned(cross(momentum, w));
        const double rise = -off * (cross(free, axis) + cross(w, swing)).z,
                     rise_by_one = -off * cross(by_one, axis).z;
        const double pressed = (rise + weight) / (1 / mass - rise_by_one);
        const Vec3 spun = free + pressed * by_one;
        return {pressed * push.x / mass,
                pressed * push.y / mass,
                swing.x,
                swing.y,
                swing.z,
                spun.x,
                spun.y,
                spun.z};
    }
    Model model() const {
        Model m;
        const MaterialId s = m.add(
            Material{.restitution = 0, .static_friction = friction, .kinetic_friction = friction});
        Body body;
        body.mass = mass;
        body.inertia = Mat3::diagonal({across, across, along});
        const BodyId id = m.add(body.at({-off * std::sin(tilt), 0, radius - off * std::cos(tilt)},
                                        Quat::about({0, 1, 0}, tilt))
                                    .moving({}, {0, 0, spin}));
        m.add(Shape{.body = id,
                    .geometry = Sphere{radius},
                    .pose = {.position = {0, 0, off}},
                    .material = s});
        m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = s});
        return m;
    }
};

void top_that_turns_over(Checks& check) {
    const Top top;
    // When its axis passes the horizontal.
    Top::State y{0, 0, std::sin(top.tilt), 0, std::cos(top.tilt), 0, 0, top.spin};
    double exact = 0;
    for (; y[4] > 0 && exact < 2; exact += 1e-3)
        y = integrate(y, 1e-3, 50, [&](const Top::State& now) { return top.rate(now); });
    const auto time_with = [&](const Settings& settings) {
        World world(top.model(), settings);
        while (world.time() < 2 && world.pose(BodyId{1}).orientation.matrix()(2, 2) > 0)
            world.step();
        return world.time();
    };
    check.near("tippe top", "on its side after, s, 1 ms", exact,
               time_with(AugmentedLagrangian{.step = 1e-3}), 0.01);
    check.near("tippe top", "on its side after, s, 0.25 ms", exact,
               time_with(AugmentedLagrangian{.step = 2.5e-4}), 2.5e-3);
    check.near("tippe top", "on its side after, s, impulses, 1 ms", exact,
               time_with(Impulse{.step = 1e-3}), 0.015);
    check.near("tippe top", "on its side after, s, impulses, 0.25 ms", exact,
               time_with(Impulse{.step = 2.5e-4}), 4e-3);
}

}  // namespace

void validate_truth_impacts(Checks& check) {
    attempt(check, "restitution", [&] { restitution(check); });
    attempt(check, "row of balls", [&] { row_of_balls(check); });
    attempt(check, "clearance", [&] { clearance(check); });
    attempt(check, "tippe top", [&] { top_that_turns_over(check); });
}

}  // namespace bristle::validation
