// Modes and mobility against closed forms.
#include <bristle/analysis.h>

#include "scenes/linkages.h"
#include "validation/analyses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation {
namespace {

constexpr double g = 9.81;

void pendulums(Checks& checks) {
    Model point;
    const BodyId mass = point.add(Body::point(2).at({0, 0, -0.7}));
    point.add(Distance{.a = point.ground(), .b = mass, .at_a = {}, .at_b = {0, 0, -0.7}});
    for (const Mode& mode : modes(World(point)))
        checks.relative("point pendulum", "frequency, Hz", std::sqrt(g / 0.7) / (2 * pi),
                        mode.frequency, 1e-12);

    // The whole body: I about the hinge and the distance of the centre.
    Model rod;
    const BodyId body = rod.add(Body::rod({}, {0, 0, -1.2}, 3));
    rod.add(Revolute{.a = rod.ground(), .b = body, .at = {}, .axis = {0, 1, 0}});
    checks.relative("rod as a pendulum", "frequency, Hz", std::sqrt(1.5 * g / 1.2) / (2 * pi),
                    modes(World(rod)).at(0).frequency, 1e-12);

    // Two equal points on equal bars, ω² = (2 ∓ √2) g/l, each in two planes.
    Model two;
    const BodyId upper = two.add(Body::point(1).at({0, 0, -1})),
                 lower = two.add(Body::point(1).at({0, 0, -2}));
    two.add(Distance{.a = two.ground(), .b = upper, .at_a = {}, .at_b = {0, 0, -1}});
    two.add(Distance{.a = upper, .b = lower, .at_a = {0, 0, -1}, .at_b = {0, 0, -2}});
    const auto found = modes(World(two));
    checks.near("double pendulum", "number of modes", 4, static_cast<double>(found.size()), 0);
    for (size_t k : {0, 1, 2, 3}) {
        const double omega = std::sqrt((2 + (k < 2 ? -1 : 1) * std::sqrt(2)) * g);
        checks.relative("double pendulum", "frequency, Hz", omega / (2 * pi), found.at(k).frequency,
                        1e-12);
    }
    // Upside down it falls: e^(√(3g/2l) t).
    Model up;
    const BodyId top = up.add(Body::rod({}, {0, 0, 1.2}, 3));
    up.add(Revolute{.a = up.ground(), .b = top, .at = {}, .axis = {0, 1, 0}});
    checks.relative("rod upside down", "growth, 1/s", std::sqrt(1.5 * g / 1.2),
                    modes(World(up)).at(0).eigenvalue.real(), 1e-12);
}

void row_of_masses(Checks& checks) {
    constexpr int n = 30;
    constexpr double mass = 0.4, stiffness = 900;
    Model m;
    m.gravity = {};
    std::vector<BodyId> bodies{m.ground()};
    const auto place = [](int i) { return Vec3{0.1 * i, 0, 0}; };
    for (int i = 1; i <= n; ++i) {
        bodies.push_back(m.add(Body::sphere(0.02, mass).at(place(i))));
        m.add(Prismatic{.a = m.ground(), .b = bodies.back(), .at = place(i), .axis = {1, 0, 0}});
    }
    bodies.push_back(m.ground());
    for (int i = 0; i <= n; ++i)
        m.add(Spring{.a = bodies[static_cast<size_t>(i)],
                     .b = bodies[static_cast<size_t>(i) + 1],
                     .at_a = place(i),
                     .at_b = place(i + 1),
                     .stiffness = stiffness,
                     .free_length = 0.1});
    const auto found = modes(World(m));
    double worst = 0;
    for (int k = 1; k <= n; ++k) {
        const double omega = 2 * std::sqrt(stiffness / mass) * std::sin(k * pi / (2 * (n + 1)));
        worst = std::max(
            worst, std::abs(2 * pi * found.at(static_cast<size_t>(k - 1)).frequency / omega - 1));
    }
    checks.below("30 masses and 31 springs", "all frequencies, relative", worst, 1e-11);
}

void beam(Checks& checks) {
    constexpr double length = 1.5, mass = 3, bending = 200;
    const double exact = 1.875104068711961 * 1.875104068711961 / (2 * pi)
                       * std::sqrt(bending / (mass / length)) / (length * length);
    double before = 0;
    for (int n : {4, 8, 16, 32, 64}) {
        Model m;
        m.gravity = {};
        const double l = length / n;
        BodyId last = m.ground();
        for (int i = 0; i < n; ++i) {
            const Vec3 from{i * l, 0, 0};
            const BodyId rod = m.add(Body::rod(from, from + Vec3{l, 0, 0}, mass / n));
            const JointId joint =
                m.add(Revolute{.a = last, .b = rod, .at = from, .axis = {0, 1, 0}});
            m.add(JointSpring{.joint = joint, .stiffness = (i ? 1 : 2) * bending / l});
            last = rod;
        }
        const double error = std::abs(modes(World(m)).at(0).frequency / exact - 1);
        const std::string name = fmt::format("cantilever of {} rods", n);
        checks.below(name, "first frequency against Euler-Bernoulli", error, 0.5 / n / n);
        if (before > 0)
            checks.between(name, "observed order in 1/n", 1.9, std::log2(before / error), 2.1);
        before = error;
    }
}

void damped(Checks& checks) {
    for (double ratio : {0.05, 0.7, 2.0}) {
        constexpr double mass = 3, stiffness = 120;
        const double omega = std::sqrt(stiffness / mass);
        Model m;
        const BodyId body = m.add(Body::sphere(0.1, mass));
        m.add(Prismatic{.a = m.ground(), .b = body, .at = {}, .axis = {1, 0, 0}});
        m.add(Spring{.a = m.ground(),
                     .b = body,
                     .at_a = {-1, 0, 0},
                     .at_b = {},
                     .stiffness = stiffness,
                     .damping = 2 * ratio * omega * mass,
                     .free_length = 1});
        const auto found = modes(World(m));
        const std::string name = fmt::format("oscillator, damping {}", ratio);
        if (ratio < 1) {
            checks.relative(name, "eigenvalue, real part", -ratio * omega,
                            found.at(0).eigenvalue.real(), 1e-12);
            checks.relative(name, "eigenvalue, imaginary part",
                            omega * std::sqrt(1 - ratio * ratio), found.at(0).eigenvalue.imag(),
                            1e-12);
            checks.relative(name, "damping ratio", ratio, found.at(0).damping_ratio, 1e-12);
        } else {
            const double root = std::sqrt(ratio * ratio - 1);
            checks.relative(name, "slow eigenvalue", -omega * (ratio - root),
                            found.at(0).eigenvalue.real(), 1e-12);
            checks.relative(name, "fast eigenvalue", -omega * (ratio + root),
                            found.at(1).eigenvalue.real(), 1e-12);
        }
    }
}

void freedoms(Checks& checks) {
    const auto check = [&](const std::string& name, const Model& model, int freedom,
                           int redundant) {
        const World world(model);
        const Mobility found = mobility(world);
        checks.near("mobility: " + name, "degrees of freedom", freedom, found.degrees_of_freedom,
                    0);
        checks.near("mobility: " + name, "redundant conditions", redundant,
                    found.redundant_constraints, 0);
        checks.near("mobility: " + name, "as the world counts them", world.degrees_of_freedom(),
                    found.degrees_of_freedom, 0);
        checks.near("mobility: " + name, "redundancy as the world counts it",
                    world.redundant_constraints(), found.redundant_constraints, 0);
    };
    check("four-bar", scenes::four_bar({}, 0.8).model, 1, 3);
    check("Bennett", scenes::bennett(), 1, 3);
    check("Sarrus", scenes::sarrus(), 1, 1);
    check("RSSR, coupler spins", scenes::rssr(), 2, 0);
    check("Stewart platform", scenes::stewart().model, 6, 0);

    Model door;
    const BodyId leaf = door.add(Body::box({0.8, 0.05, 2}, 20).at({0.4, 0, 1}));
    for (double z : {0.3, 1.7})
        door.add(Revolute{.a = door.ground(), .b = leaf, .at = {0, 0, z}, .axis = {0, 0, 1}});
    check("door on two hinges", door, 1, 5);

    Model loose;
    loose.add(Body::box({1, 1, 1}, 1));
    loose.add(Body::box({1, 1, 1}, 1).at({3, 0, 0}));
    check("two free boxes", loose, 12, 0);

    // A parallelogram with a third, equal crank: every bar is a box, so each hinge has five conditions.
    Model p;
    const BodyId bar = p.add(Body::box({2, 0.1, 0.1}, 1).at({1, 0, 1}));
    for (double x : {0.0, 1.0, 2.0}) {
        const BodyId crank = p.add(Body::box({0.1, 0.1, 1}, 1).at({x, 0, 0.5}));
        p.add(Revolute{.a = p.ground(), .b = crank, .at = {x, 0, 0}, .axis = {0, 1, 0}});
        p.add(Revolute{.a = crank, .b = bar, .at = {x, 0, 1}, .axis = {0, 1, 0}});
    }
    check("parallelogram of three cranks", p, 1, 7);
}

}  // namespace

void validate_small_motions(Checks& checks) {
    pendulums(checks);
    row_of_masses(checks);
    beam(checks);
    damped(checks);
    freedoms(checks);
}

}  // namespace bristle::validation
