// Conforming contact (spec B4) in the published cases K3, K4 and K5: block, disc and cylinder on a floor, by the volumes
// they share with it. References are the closed forms of the benchmark set (refs. 13, 14 and 17).
//
// Bodies start as deep in the floor as they rest, since a fall of a step's length would count as an error of speed.
// The published real-time ratios are execution over simulated time, loading included; ours leave the loading out.
#include "validation/conforming.h"

#include <bristle/world.h>

#include "bench/cpu_time.h"
#include "geometry/tessellate.h"
#include "validation/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation {
namespace {

constexpr double gravity = 9.81, step = 1e-3, foundation = 1.7e6, degree = pi / 180;

struct Case {
    Model model;
    BodyId body;
};

// The slope is level, and gravity leans.
Case on_floor(const Geometry& geometry, const ContactLaw& law, double angle, double height,
              Quat orientation, Vec3 spin = {}) {
    Case c;
    c.model.gravity = {gravity * std::sin(angle), 0, -gravity * std::cos(angle)};
    const MaterialId material = c.model.add(Material{.name = "dry"});
    c.model.add(ContactPair{material, material, law});
    const MassProperties solid = mass_properties(geometry);
    c.body = c.model.add(Body{.mass = 1,
                              .inertia = (1 / solid.volume) * solid.inertia,
                              .position = {0, 0, height},
                              .orientation = orientation,
                              .angular_velocity = spin});
    c.model.add(Shape{.body = c.body, .geometry = geometry, .material = material});
    c.model.add(Shape{.body = c.model.ground(), .geometry = Plane{}, .material = material});
    return c;
}

ContactLaw volumetric(double friction, double restitution) {
    ContactLaw law;
    law.normal = ContactLaw::Normal::volumetric;
    law.foundation = foundation;
    law.restitution = restitution;
    law.static_friction = law.kinetic_friction = friction;
    return law;
}

// Of the processor's time to the simulated: the best of three, since others use the machine too.
double real_time_ratio(const Model& model, double simulated) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        World world(model, AugmentedLagrangian{.step = step});
        const double start = bench::cpu_seconds(bench::CpuTimeOf::thread);
        world.advance_to(simulated);
        best = std::min(best, (bench::cpu_seconds(bench::CpuTimeOf::thread) - start) / simulated);
    }
    return best;
}

// ---- K3 --------------------------------------------------------------------------------------------

constexpr double friction_of_block = 0.5;

Case block(double angle) {
    ContactLaw law = volumetric(friction_of_block, 0.1);
    law.stick_stiffness = 1e7;
    const double sunk = gravity * std::cos(angle) / (foundation * 0.5);
    return on_floor(Box{{1, 0.5, 0.5}}, law, angle, 0.25 - sunk, {});
}

void critical_angle(Checks& check) {
    const std::string name = "K3 critical angle";
    attempt(check, name, [&] {
        const auto slides = [&](double angle) {
            Case c = block(angle);
            World world(c.model, AugmentedLagrangian{.step = step});
            world.advance_to(4);
            return norm(world.twist(c.body).linear) > 1e-4;
        };
        double sticks = 25, moves = 28;
        while (moves - sticks > 0.01) {
            const double middle = 0.5 * (sticks + moves);
            (slides(middle * degree) ? moves : sticks) = middle;
        }
        check.near(name, "angle from which it slides, deg", std::atan(friction_of_block) / degree,
                   0.5 * (sticks + moves), 0.05);
    });
    attempt(check, name, [&] {
        Case c = block(26.52 * degree);
        World world(c.model, AugmentedLagrangian{.step = step});
        world.advance_to(1);
        const double rested = world.pose(c.body).position.x;
        world.advance_to(4);
        check.below(name, "creep in 3 s at 26.52 deg, m", world.pose(c.body).position.x - rested,
                    1e-9);
    });
}

void sliding_block(Checks& check) {
    const std::string name = "K3 block at 30 deg";
    attempt(check, name, [&] {
        const double angle = pi / 6, normal = gravity * std::cos(angle),
                     a = gravity * std::sin(angle) - friction_of_block * normal;
        Case c = block(angle);
        World world(c.model, AugmentedLagrangian{.step = step});
        // The layer lets it tilt until it has the moment of friction below the centre.
        const double tilt = friction_of_block * normal * 0.25 / (foundation * 0.5 / 12);
        double pitch = 0, others = 0;
        for (int i = 0; i < 4000; ++i) {
            world.step();
            const Quat q = world.pose(c.body).orientation;
            others = std::max({others, std::abs(2 * q.x), std::abs(2 * q.z)});
            // It takes some hundredths of a second to get there.
            if (world.time() > 0.1) pitch = std::max(pitch, std::abs(2 * q.y - tilt));
        }
        const Vec3 place = world.pose(c.body).position, speed = world.twist(c.body).linear;
        check.relative(name, "way in 4 s, m", 0.5 * a * 16, place.x, 1e-3);
        check.relative(name, "speed after 4 s, m/s", 4 * a, speed.x, 1e-3);
        check.below(name, "sideways, m", place.y, 1e-9);
        check.below(name, "roll and yaw, rad", others, 1e-6);
        check.below(name, "pitch beyond the elastic tilt, rad", pitch, 1e-6);
        const double sunk = normal / (foundation * 0.5);
        // Tilted, the middle of its face is less far below its own.
        check.relative(name, "sinks, m", sunk, 0.25 * std::cos(tilt) - place.z, 1e-6);
        check.below(name, "real-time ratio (published: 0.340)", real_time_ratio(c.model, 4), 0.02);
    });
}

// ---- K4 --------------------------------------------------------------------------------------------

void spinning_disc(Checks& check) {
    constexpr double friction = 0.6, radius = 0.25, start = 5 * pi;
    using Spin = ContactLaw::Spin;
    for (const Spin spin : {Spin::exact, Spin::averaged, Spin::published}) {
        const std::string name =
            fmt::format("K4 disc, {} law", spin == Spin::exact      ? "exact"
                                           : spin == Spin::averaged ? "averaged"
                                                                    : "published");
        attempt(check, name, [&] {
            ContactLaw law = volumetric(friction, 0.1);
            law.spin = spin;
            const double sunk = gravity / (foundation * pi * radius * radius);
            // Of 24 sides, as wide as a circle of the same area.
            const Mesh disc{
                std::make_shared<const TriangleMesh>(tessellated(Cylinder{radius, 0.05}, 24))};
            Case c = on_floor(disc, law, 0, 0.025 - sunk, {}, {0, 0, start});
            World world(c.model, AugmentedLagrangian{.step = step});
            const auto speed = [&] { return world.twist(c.body).angular.z; };
            if (spin == Spin::published) {
                for (const double time : {0.1, 0.5, 1.0}) {
                    world.advance_to(time);
                    check.relative(name, fmt::format("angular speed at {} s, rad/s", time),
                                   start * std::exp(-friction * gravity * time), speed(), 0.01);
                }
                return;
            }
            // As a straight line from its speed in the middle: the last instants are the bristle's.
            const double arm = spin == Spin::exact ? 2.0 / 3 * radius : radius / std::sqrt(2.0);
            const double inertia = 0.5 * radius * radius;
            double halfway = 0, at_rest = 0;
            while (world.time() < 1 - step / 2) {
                const double before = speed();
                world.step();
                if (halfway == 0 && speed() < 0.5 * start)
                    halfway = world.time() - step * (0.5 * start - speed()) / (before - speed());
                if (at_rest == 0 && speed() < 0.005 * start) at_rest = world.time();
            }
            const double stop = inertia * start / (friction * gravity * arm);
            check.relative(name, "half its speed after, s", 0.5 * stop, halfway, 0.002);
            check.relative(name, "stops after, s", stop, at_rest, 0.01);
            check.below(name, "angular speed at 1 s, rad/s", speed(), 1e-9);
            check.below(name, "wanders, m",
                        std::hypot(world.pose(c.body).position.x, world.pose(c.body).position.y),
                        1e-6);
            check.below(name, "real-time ratio (published: 1.315)", real_time_ratio(c.model, 1),
                        0.02);
        });
    }
}

// ---- K5 --------------------------------------------------------------------------------------------

void rolling_cylinder(Checks& check) {
    const std::string name = "K5 cylinder at 15 deg";
    attempt(check, name, [&] {
        constexpr double angle = 15 * degree, radius = 0.25;
        // Damping of the layer resists rolling too: none, to compare with what rolls freely.
        const double volume = gravity * std::cos(angle) / foundation;
        const double sunk = std::pow(0.75 * volume / std::sqrt(2 * radius), 2.0 / 3);
        Case c = on_floor(Cylinder{radius, 1}, volumetric(0.5, 1), angle, radius - sunk,
                          Quat::about({1, 0, 0}, pi / 2));
        World world(c.model, AugmentedLagrangian{.step = step});
        world.advance_to(3.5);
        const double a = 2.0 / 3 * gravity * std::sin(angle);
        check.relative(name, "speed after 3.5 s, m/s", 3.5 * a, world.twist(c.body).linear.x, 1e-3);
        check.relative(name, "way in 3.5 s, m", 0.5 * a * 3.5 * 3.5, world.pose(c.body).position.x,
                       1e-3);
        check.below(name, "sideways, m", world.pose(c.body).position.y, 1e-6);
        check.below(name, "real-time ratio (published: 0.540)", real_time_ratio(c.model, 3.5),
                    0.02);
    });
}

}  // namespace

void validate_conforming(Checks& check) {
    critical_angle(check);
    sliding_block(check);
    spinning_disc(check);
    rolling_cylinder(check);
    validate_conforming_solids(check);
}

}  // namespace bristle::validation
