// Assembly, equilibrium, kinematics, inverse dynamics, modes and mobility against closed forms.
#include "validation/analyses.h"

#include <bristle/analysis.h>

#include "lagrange/measures.h"
#include "scenes/linkages.h"
#include "scenes/mechanisms.h"
#include "step/world_access.h"
#include "validation/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::validation {
namespace {

// ---- Statics -------------------------------------------------------------------------------------

void hanging_masses(Checks& checks) {
    // n equal masses on n equal springs: each sags by all that hangs below it.
    constexpr int n = 6;
    constexpr double mass = 2, stiffness = 300, length = 0.2, g = 9.81;
    Model m;
    std::vector<BodyId> masses;
    for (int i = 0; i < n; ++i) {
        masses.push_back(m.add(Body::point(mass).at({0.05 * (i + 1), 0.02, -0.2 * (i + 1)})));
        m.add(Spring{.a = i ? masses[masses.size() - 2] : m.ground(),
                     .b = masses.back(),
                     .at_a = i ? m.bodies()[masses[masses.size() - 2].index].position : Vec3{},
                     .at_b = m.bodies()[masses.back().index].position,
                     .stiffness = stiffness,
                     .free_length = length});
    }
    World world(m);
    const Equilibrium e = find_equilibrium(world);
    double worst = 0, z = 0;
    for (int i = 0; i < n; ++i) {
        z -= length + (n - i) * mass * g / stiffness;
        worst = std::max(worst,
                         norm(world.pose(masses[static_cast<size_t>(i)]).position - Vec3{0, 0, z}));
    }
    checks.below("6 masses on springs", "positions at rest, m", worst, 1e-11);
    checks.near("6 masses on springs", "stable", 1, e.is_stable, 0);
}

// n equal rods between two pins: the horizontal force is everywhere the same, and the slope of a rod is the
// weight between its middle and the lowest point over it.
void hanging_chain(Checks& checks) {
    constexpr int n = 12;
    constexpr double length = 0.1, span = 0.8, weight = 0.5 * 9.81;
    const auto slope = [&](int i, double pull) { return weight * ((n - 1) / 2.0 - i) / pull; };
    const auto width = [&](double pull) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += length / std::hypot(1, slope(i, pull));
        return sum;
    };
    double low = 1e-3, high = 1e3;
    for (int i = 0; i < 200; ++i) (width((low + high) / 2) < span ? low : high) = (low + high) / 2;

    // Starts as an arc, assembled from rods that do not meet.
    Model m;
    BodyId last = m.ground();
    Vec3 end;
    std::vector<BodyId> rods;
    for (int i = 0; i < n; ++i) {
        const double x = span * i / n, z = -0.35 * std::sin(pi * i / n);
        const Vec3 from{x, 0, z},
            to = from + length * normalized(Vec3{1, 0, -std::cos(pi * (i + 0.5) / n)});
        rods.push_back(m.add(Body::rod(from, to, 0.5)));
        m.add(Revolute{
            .a = last, .b = rods.back(), .at = i ? end : from, .axis = {0, 1, 0}, .at_b = from});
        last = rods.back();
        end = to;
    }
    m.add(Revolute{
        .a = last, .b = m.ground(), .at = end, .axis = {0, 1, 0}, .at_b = Vec3{span, 0, 0}});
    World world(m);
    const Equilibrium e = find_equilibrium(world);
    Vec3 at;
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        worst = std::max(worst, norm(world.pose(rods[static_cast<size_t>(i)]).position - at));
        at += length * normalized(Vec3{1, 0, -slope(i, low)});
    }
    checks.below("chain of 12 rods", "joints at rest, m", worst, 1e-10);
    checks.relative("chain of 12 rods", "horizontal pull, N", low,
                    std::abs(world.reaction({0}).force.x), 1e-9);
    checks.near("chain of 12 rods", "stable", 1, e.is_stable, 0);
}

struct Cantilever {
    Model model;
    std::vector<BodyId> rods;
};
// Rods in a row along x; springs of EI/l in the joints, twice that at the wall, where only half a rod bends.
Cantilever cantilever(int n, double length, double mass, double bending, double gravity) {
    Cantilever c;
    c.model.gravity = {0, 0, -gravity};
    const double l = length / n;
    BodyId last = c.model.ground();
    for (int i = 0; i < n; ++i) {
        const Vec3 from{i * l, 0, 0};
        c.rods.push_back(c.model.add(Body::rod(from, from + Vec3{l, 0, 0}, mass / n)));
        const JointId joint =
            c.model.add(Revolute{.a = last, .b = c.rods.back(), .at = from, .axis = {0, 1, 0}});
        c.model.add(JointSpring{.joint = joint, .stiffness = (i ? 1 : 2) * bending / l});
        last = c.rods.back();
    }
    return c;
}

void sagging_rods(Checks& checks) {
    // Small against the length: Mᵢ = m g l (n − i)²/2 bends joint i, and the tip sags by Σ Mᵢ/kᵢ (n − i) l.
    constexpr int n = 20;
    constexpr double length = 2, mass = 4, bending = 50, g = 1e-4, l = length / n;
    Cantilever c = cantilever(n, length, mass, bending, g);
    World world(c.model);
    find_equilibrium(world);
    double sag = 0;
    for (int i = 0; i < n; ++i) {
        const double lever = n - i, moment = mass / n * g * l * lever * lever / 2;
        sag += moment / ((i ? 1 : 2) * bending / l) * lever * l;
    }
    checks.relative("cantilever of 20 rods", "sag of the tip, m", sag,
                    -world.point(c.rods.back(), {l, 0, 0}).z, 1e-8);

    // One rod on a spring that gives way far: k θ = ½ m g l cos θ.
    Cantilever one = cantilever(1, 1, 3, 2.5, 9.81);
    World single(one.model);
    find_equilibrium(single);
    double low = 0, high = pi / 2;
    for (int i = 0; i < 100; ++i) {
        const double t = (low + high) / 2;
        (5 * t < 0.5 * 3 * 9.81 * std::cos(t) ? low : high) = t;
    }
    checks.relative("rod on a weak spring", "angle, rad", low, single.coordinate({0}), 1e-11);
}

// ---- Kinematics ----------------------------------------------------------------------------------

void slider_crank(Checks& checks) {
    constexpr double r = 0.3, l = 1;
    const auto angle = [](double t) { return 2 * t + 0.3 * std::sin(3 * t); };
    auto s = scenes::slider_crank(r, l, angle);
    World world(s.model);
    double position = 0, speed = 0, acceleration = 0;
    for (int i = 0; i <= 72; ++i) {
        const double t = pi * i / 72;
        world.guide(t);
        const double p = angle(t), w = 2 + 0.9 * std::cos(3 * t), a = -2.7 * std::sin(3 * t);
        const double y = r * std::sin(p), u = std::sqrt(l * l - y * y);
        const double dy = r * std::cos(p), ddy = -y;  // by the angle
        const double du = -y * dy / u, ddu = -(dy * dy + y * ddy + du * du) / u;
        const double dx = -y + du, ddx = -r * std::cos(p) + ddu;
        position =
            std::max(position, std::abs(world.pose(s.slider).position.x - r * std::cos(p) - u));
        speed = std::max(speed, std::abs(world.twist(s.slider).linear.x - w * dx));
        acceleration =
            std::max(acceleration, std::abs(world.acceleration(s.slider).x - a * dx - w * w * ddx));
    }
    checks.below("slider-crank, a whole turn", "slider's position, m", position, 1e-10);
    checks.below("slider-crank, a whole turn", "slider's speed, m/s", speed, 1e-10);
    checks.below("slider-crank, a whole turn", "slider's acceleration, m/s2", acceleration, 1e-10);

    // The same with the crank's exact rates given: nothing is differentiated.
    acceleration = 0;
    for (int i = 0; i <= 72; ++i) {
        const double p = 2 * pi * (i / 72.0 + 1);
        world.guide(std::vector<DriveMotion>{{s.drive, p, 2, 0.7}});
        const double y = r * std::sin(p), u = std::sqrt(l * l - y * y), dy = r * std::cos(p);
        const double du = -y * dy / u, ddu = -(dy * dy - y * y + du * du) / u;
        acceleration =
            std::max(acceleration, std::abs(world.acceleration(s.slider).x - 0.7 * (du - y)
                                            - 4 * (ddu - r * std::cos(p))));
    }
    checks.below("slider-crank, rates given", "slider's acceleration, m/s2", acceleration, 1e-10);
}

void four_bar(Checks& checks) {
    const scenes::FourBar size;
    const double start = 0.4;
    auto s = scenes::four_bar(size, start, [](double t) { return t; });
    World world(s.model);
    double worst = 0;
    for (int i = 0; i <= 90; ++i) {
        const double t = 2 * pi * i / 90;
        world.guide(t);
        const double turned = size.rocker_angle(start + t) - size.rocker_angle(start);
        worst = std::max(worst, std::abs(std::remainder(world.coordinate(s.d) - turned, 2 * pi)));
    }
    checks.below("four-bar, a whole turn", "rocker by Freudenstein, rad", worst, 1e-10);
}

// ---- Inverse dynamics --------------------------------------------------------------------------------

// Three hinges, none parallel to the next but two; driven by torques, or by its own motion.
struct Arm {
    Model model;
    std::vector<JointId> joints;
    std::vector<BodyId> links;
};
Arm arm() {
    Arm out;
    Model& m = out.model;
    out.links = {m.add(Body::box({0.2, 0.2, 0.5}, 4).at({0, 0, 0.25})),
                 m.add(Body::box({0.6, 0.1, 0.1}, 3).at({0.3, 0.05, 0.5})),
                 m.add(Body::box({0.5, 0.08, 0.08}, 2).at({0.85, 0, 0.5}))};
    out.joints = {
        m.add(Revolute{.a = m.ground(), .b = out.links[0], .at = {}, .axis = {0, 0, 1}}),
        m.add(
            Revolute{.a = out.links[0], .b = out.links[1], .at = {0, 0, 0.5}, .axis = {0, 1, 0.2}}),
        m.add(Revolute{
            .a = out.links[1], .b = out.links[2], .at = {0.6, 0, 0.5}, .axis = {0, 1, 0}})};
    return out;
}

double torque(size_t joint, double t) {
    constexpr double size[] = {3, 20, 6}, rate[] = {2, 3, 5};
    return size[joint] * std::sin(rate[joint] * t + static_cast<double>(joint));
}

void inverse_dynamics(Checks& checks) {
    Arm pushed = arm(), guided = arm();
    std::vector<DriveId> drives;
    for (size_t i = 0; i < 3; ++i) {
        pushed.model.add(
            Motor{.joint = pushed.joints[i], .effort = [i](double t) { return torque(i, t); }});
        drives.push_back(guided.model.add(Drive{.joint = guided.joints[i]}));
    }
    World forward(pushed.model), inverse(guided.model);
    const System& s = WorldAccess::system(forward);
    double worst = 0, reaction = 0, largest = 0, largest_reaction = 0;
    for (int k = 1; k <= 100; ++k) {
        forward.advance_to(0.02 * k);
        // Accelerations as exact as the position and velocity allow, not as the step needs them.
        State state = WorldAccess::state(forward);
        WorldAccess::solver(forward).refresh_acceleration(state);
        WorldAccess::set_state(forward, state);
        std::vector<DriveMotion> motion;
        std::vector<Vec4> gradient(s.measure_terms.size());
        for (size_t i = 0; i < 3; ++i) {
            const uint32_t m = s.measure_of_joint[pushed.joints[i].index];
            const MeasureValue y = evaluate_measure(s, m, state, gradient.data());
            double acceleration = y.curvature;
            for (uint32_t t = s.measures[m].first; t < s.measures[m].first + s.measures[m].count;
                 ++t)
                acceleration += dot(gradient[t], state.acceleration[s.measure_terms[t].entity]);
            motion.push_back({drives[i], y.value, y.rate, acceleration});
        }
        inverse.guide(motion);
        for (size_t i = 0; i < 3; ++i) {
            const double known = torque(i, forward.time());
            largest = std::max(largest, std::abs(known));
            worst = std::max(worst, std::abs(inverse.effort(drives[i]) - known));
            const Vec3 force = forward.reaction(pushed.joints[i]).force;
            largest_reaction = std::max(largest_reaction, norm(force));
            reaction = std::max(reaction, norm(force - inverse.reaction(guided.joints[i]).force));
        }
    }
    checks.below("spatial arm of 3 links", "torques of a forward run, over the largest",
                 worst / largest, 1e-8);
    checks.below("spatial arm of 3 links", "reactions of a forward run, over the largest",
                 reaction / largest_reaction, 1e-8);
}

// ---- Assembly ------------------------------------------------------------------------------------

void assembly(Checks& checks) {
    const auto check = [&](const std::string& name, const Model& model, double displacement,
                           double turn, Vec3 axis = {}) {
        int bad = 0;
        double gap = 0;
        for (uint64_t seed = 1; seed <= 10; ++seed) {
            const Model rough = scenes::roughened(model, displacement, turn, seed, axis);
            const Model whole = assembled(rough);
            bad += !whole.is_assembled();
            gap = std::max(gap, scenes::largest_gap(rough, whole));
        }
        checks.below("assembly: " + name, "of 10 rough starts not assembled", bad, 0);
        checks.below("assembly: " + name, "largest gap, m", gap, 1e-12);
    };
    check("four-bar", scenes::four_bar({}, 0.8).model, 0.2, 0.4);
    check("slider-crank", scenes::slider_crank(0.3, 1, {}).model, 0.2, 0.4, {0, 1, 0});
    check("Andrews", scenes::andrews().model, 0.01, 0.3);
    check("Bennett", scenes::bennett(), 0.3, 0.4);
    check("RSSR", scenes::rssr(), 0.3, 0.5);
    check("Stewart platform", scenes::stewart().model, 0.2, 0.4);
}

}  // namespace

void validate_analyses(Checks& checks) {
    assembly(checks);
    hanging_masses(checks);
    hanging_chain(checks);
    sagging_rods(checks);
    slider_crank(checks);
    four_bar(checks);
    inverse_dynamics(checks);
    validate_small_motions(checks);
}

}  // namespace bristle::validation
