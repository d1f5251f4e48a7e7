// Published mechanisms with default settings. Points in the plane (x, y) of a reference are (x, z) here.
#include "scenes/mechanisms.h"

#include <bristle/world.h>

#include "validation/checks.h"
#include "validation/references.h"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace bristle::validation {

// θ'' = a sin θ for all cranks, θ from the vertical; by Runge-Kutta of order 4 with tiny steps.
std::pair<double, double> exact_four_bars(int n, double time) {
    const double a = 9.81 * 3 * (3 * n + 1) / (2.0 * (4 * n + 1));
    double theta = 0, omega = 1;
    const int steps = 20000;
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
        const double k1 = omega, l1 = a * std::sin(theta);
        const double k2 = omega + h / 2 * l1, l2 = a * std::sin(theta + h / 2 * k1);
        const double k3 = omega + h / 2 * l2, l3 = a * std::sin(theta + h / 2 * k2);
        const double k4 = omega + h * l3, l4 = a * std::sin(theta + h * k3);
        theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return {std::sin(theta), std::cos(theta)};
}

namespace {

double distance(Vec3 p, double x, double z) { return std::hypot(p.x - x, p.z - z); }

double observed_order(double coarse, double fine) {
    return std::log2(std::abs(coarse) / std::abs(fine));
}

// Errors at h and h/2 of something that runs for a while: the error itself and how fast it falls.
template <class ErrorAt>
void error_and_order(Checks& checks, const std::string& name, const std::string& quantity, double h,
                     double bound, const ErrorAt& error_at) {
    const double coarse = error_at(h), fine = error_at(h / 2);
    checks.below(name, quantity, coarse, bound);
    checks.between(name, "observed order", 1.8, observed_order(coarse, fine), 2.2);
}

void pendulum(Checks& checks) {
    error_and_order(checks, "A01 pendulum", "position at 1 s, relative", 1e-3, 1e-3, [](double h) {
        auto scene = scenes::pendulum();
        World world(scene.model, {.step = h});
        world.advance_to(1);
        return distance(world.pose(scene.mass).position, 0.986291751132, -0.165010853126);
    });
    auto scene = scenes::pendulum();
    World world(scene.model);
    world.advance_to(10);
    const Vec3 p = world.pose(scene.mass).position;
    checks.near("A01 pendulum", "x at 10 s", -0.275087462576, p.x, 1e-3);
    checks.near("A01 pendulum", "y at 10 s", -0.961419205099, p.z, 1e-3);
}

struct FourBarsRun {
    double energy_error, position_error, iterations, position_violation;
    double velocity_violation_singular,
        velocity_violation;  // within 5° of a singular position, elsewhere
};

FourBarsRun run_four_bars(int n, double h, double time) {
    auto scene = scenes::four_bars(n);
    World world(scene.model, {.step = h});
    const double start = world.energy().total();
    FourBarsRun out{};
    const auto steps = static_cast<int>(std::lround(time / h));
    for (int i = 0; i < steps; ++i) {
        world.step();
        out.energy_error = std::max(out.energy_error, std::abs(world.energy().total() - start));
        const ConstraintError c = world.constraint_error();
        out.position_violation = std::max(out.position_violation, c.position);
        const bool singular =
            std::abs(world.point(scene.cranks[0], {1, 0, 0}).z) < std::sin(pi / 36);
        double& velocity = singular ? out.velocity_violation_singular : out.velocity_violation;
        velocity = std::max(velocity, c.velocity);
    }
    const auto [x, z] = exact_four_bars(n, time);
    out.position_error = distance(world.point(scene.cranks[0], {1, 0, 0}), x, z);
    out.iterations = world.statistics().average_iterations();
    return out;
}

void four_bars(Checks& checks) {
    for (int n : {1, 2, 10, 40}) {
        const std::string name = fmt::format("A02 {} four-bars", n);
        error_and_order(checks, name, "B0 at 1 s", 1e-3, 1e-3,
                        [&](double h) { return run_four_bars(n, h, 1).position_error; });
    }
    for (double h : {1e-3, 5e-3}) {
        const FourBarsRun run = run_four_bars(40, h, 10);
        const std::string name = fmt::format("A02 40 four-bars, 10 s, {} ms", h * 1e3);
        checks.below(name, "largest energy error, J", run.energy_error, h < 2e-3 ? 0.1 : 1);
        if (h < 2e-3) checks.below(name, "B0, m", run.position_error, 2e-4);
        checks.below(name, "iterations a step", run.iterations, 3);
        checks.below(name, "position constraints / size", run.position_violation, 1e-9);
        checks.below(name, "velocity constraints / speed, singular",
                     run.velocity_violation_singular, 1e-5);
        checks.below(name, "velocity constraints / speed, elsewhere", run.velocity_violation, 1e-9);
    }
}

void andrews(Checks& checks) {
    const auto error = [](double h) {
        auto scene = scenes::andrews();
        World world(scene.model, {.step = h});
        world.advance_to(0.03);
        return std::abs(world.coordinate(scene.pivot) + scene.beta_start - 15.8107711951536);
    };
    const double coarse = error(1e-5), middle = error(5e-6);
    checks.below("A03 Andrews", "beta(0.03) at 10 us, rad", coarse, 3e-4);
    checks.between("A03 Andrews", "observed order", 1.8, observed_order(coarse, middle), 2.2);
    checks.below("A03 Andrews", "beta(0.03) at 0.1 us, rad", error(1e-7), 3e-8);
}

void flyball(Checks& checks) {
    const auto slider = [](double h, double time) {
        auto scene = scenes::flyball();
        World world(scene.model, {.step = h});
        world.advance_to(time);
        return world.pose(scene.slider).position.z;
    };
    const double s1 = 0.501420922, a = slider(1e-3, 1), b = slider(5e-4, 1), c = slider(2.5e-4, 1);
    checks.below("A05 flyball", "s at 1 s, relative", (a - s1) / s1, 1e-5);
    // The reference's own inertias differ by some 1e-7 from those of boxes, as much as our error at
    // 0.5 ms: so the order is taken from three steps instead.
    checks.between("A05 flyball", "observed order", 1.8, observed_order(a - b, b - c), 2.2);
    checks.relative("A05 flyball", "s at 10 s", 0.619622917, slider(1e-3, 10), 1e-4);
}

void dzhanibekov(Checks& checks) {
    // Quaternion at 1 s of the reference.
    const Quat exact{-0.801132112366, 0.0017634283589, 0.598439944052, 0.00733908842398};
    error_and_order(checks, "Dzhanibekov", "attitude at 1 s, rad", 1e-3, 1e-3, [&](double h) {
        auto scene = scenes::dzhanibekov();
        World world(scene.model, {.step = h});
        world.advance_to(1);
        const Quat off = exact.conjugate() * world.pose(scene.body).orientation;
        return 2 * std::sqrt(off.x * off.x + off.y * off.y + off.z * off.z);
    });
    auto scene = scenes::dzhanibekov();
    World world(scene.model);
    const double energy = world.energy().total();
    const auto momentum = [&] {
        const Mat3 r = world.pose(scene.body).orientation.matrix();
        return norm(
            r * (Mat3::diagonal({1, 2, 3}) * (r.transposed() * world.twist(scene.body).angular)));
    };
    const double before = momentum();
    world.advance_to(20);
    checks.relative("Dzhanibekov", "energy after 20 s", energy, world.energy().total(), 1e-3);
    checks.relative("Dzhanibekov", "angular momentum after 20 s", before, momentum(), 1e-3);
}

void double_pendulum(Checks& checks) {
    const auto error = [](double h, double time, double x, double z) {
        auto scene = scenes::double_pendulum();
        World world(scene.model, {.step = h});
        world.advance_to(time);
        return distance(world.pose(scene.second).position, x, z) / 2;
    };
    error_and_order(checks, "double pendulum", "second mass at 1 s, relative", 1e-3, 1e-3,
                    [&](double h) { return error(h, 1, -1.44481884994, -1.32179446138); });
    checks.below("double pendulum", "second mass at 2 s, relative",
                 error(1e-3, 2, -1.434124817, -1.129870196), 1e-3);
    checks.below("double pendulum", "second mass at 5 s, relative",
                 error(1e-3, 5, -1.550778469, -1.075912735), 2e-2);
}

void heavy_tip(Checks& checks) {
    for (double h : {1e-3, 5e-3}) {
        auto scene = scenes::chain(10, 1000);
        World world(scene.model, {.step = h});
        world.advance_to(5);
        const std::string name = fmt::format("chain, tip 1000:1, {} ms", h * 1e3);
        checks.below(name, "most iterations in a step", world.statistics().worst_iterations, 10);
        checks.below(name, "steps done again", static_cast<double>(world.statistics().rough_steps),
                     0);
        checks.below(name, "position constraints / size", world.constraint_error().position, 1e-9);
    }
}

void machine(Checks& checks) {
    for (bool free : {false, true}) {
        for (double h : {1e-3, 5e-3}) {
            auto scene =
                scenes::machine15(free ? scenes::Machine15::Variant::welded_with_free_cylinder
                                       : scenes::Machine15::Variant::welded);
            World world(scene.model, {.step = h});
            double gap = 0, velocity = 0;
            const auto steps = static_cast<int>(std::lround(10 / h));
            for (int i = 0; i < steps; ++i) {
                world.step();
                for (const auto& loop : scene.loops)
                    gap = std::max(gap, norm(world.point(loop.rod, loop.at_rod)
                                             - world.point(loop.arm, loop.at_arm)));
                velocity = std::max(velocity, world.constraint_error().velocity);
            }
            const std::string name =
                fmt::format("machine, {}{} ms", free ? "free cylinder, " : "", h * 1e3);
            checks.below(name, "loop gap, m", gap, 1e-9);
            checks.below(name, "velocity constraints / speed", velocity, 1e-9);
            if (!free)
                checks.below(name, "bucket at 10 s, m",
                             distance(world.pose(scene.bucket).position, 4.90938, 2.90411), 1e-4);
        }
    }
}

}  // namespace

void validate_mechanisms(Checks& checks) {
    pendulum(checks);
    four_bars(checks);
    andrews(checks);
    flyball(checks);
    dzhanibekov(checks);
    double_pendulum(checks);
    heavy_tip(checks);
    machine(checks);
}

}  // namespace bristle::validation
