// Motion under the impulse solver: the hydraulic driver of K7, what both solvers must agree on, and the energy
// of the demos over ten minutes.
#include <bristle/scene.h>

#include "io/scene/scene_files.h"
#include "validation/impulse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace bristle::validation {
namespace {

// ---- K7 (GRI 5.2) ------------------------------------------------------------------------------------

// A spring from a wall to a small mass, and a piston that draws it to the other wall. When the piston has come to
// its effort, the mass takes the spring v √(m/k) further: 0.7 % of a metre.
struct Rig {
    static constexpr double stiffness = 200, free_length = 2, speed = 1;
    Rig(double mass, double max_effort) {
        model.gravity = {};
        slide = model.add(Body::sphere(0.05, mass).at({free_length, 0, 0}));
        model.add(Spring{.a = model.ground(),
                         .b = slide,
                         .at_a = {},
                         .at_b = {free_length, 0, 0},
                         .stiffness = stiffness,
                         .free_length = free_length});
        strut = model.add(Distance{
            .a = model.ground(), .b = slide, .at_a = {6, 0, 0}, .at_b = {free_length, 0, 0}});
        piston = model.add(Drive{.joint = strut,
                                 .control = Drive::Control::hydraulic,
                                 .max_effort = max_effort,
                                 .max_speed = speed});
    }
    double stretch(const World& world) const { return world.pose(slide).position.x - free_length; }
    Model model;
    BodyId slide;
    JointId strut;
    DriveId piston;
};

void hydraulic_driver(Checks& check, const std::string& solver, const Settings& settings) {
    for (const double most : {200.0, 400.0}) {
        const std::string name = fmt::format("K7 {} N, {}", most, solver);
        attempt(check, name, [&] {
            const Rig rig(0.01, most);
            World world(rig.model, settings);
            world.advance_to(0.2);
            check.below(name, "held at first, m", rig.stretch(world), 1e-6);
            world.command(rig.piston, -1);
            world.advance_to(0.4);
            const double early = rig.stretch(world);
            world.advance_to(0.9);
            check.relative(name, "contracts with, m/s", Rig::speed,
                           (rig.stretch(world) - early) / 0.5, 0.01);
            const double reach = most / Rig::stiffness;
            world.advance_to(reach + 1);
            const double stopped = rig.stretch(world);
            check.relative(name, "stretches the spring by, m", reach, stopped, 0.01);
            check.relative(name, "stall force, N", most, -world.effort(rig.piston), 0.01);
            world.advance_to(reach + 2);
            check.near(name, "a second later still by, m", stopped, rig.stretch(world), 1e-4);
            world.command(rig.piston, 1);
            world.advance_to(reach + 2.2);
            const double late = rig.stretch(world);
            double fastest = 0;
            while (world.time() < reach + 2.7 - step_of(settings) / 2) {
                world.step();
                fastest = std::max(fastest, world.coordinate_rate(rig.strut));
            }
            check.relative(name, "extends with, m/s", Rig::speed, (late - rig.stretch(world)) / 0.5,
                           0.01);
            check.relative(name, "at most, m/s", Rig::speed, fastest, 0.01);
        });
    }
}

// ---- Both solvers ------------------------------------------------------------------------------------

// A motion that is compared with a reference at instants.
struct Motion {
    std::string name;
    Model model;
    Impulse settings;
    std::function<void(World&)> start;
    std::function<double(const World&)> value;
    std::vector<double> times;
    std::vector<double> reference;  // empty: the augmented Lagrangian's at 0.1 ms
};

std::vector<double> instants(double first, double last, int count) {
    std::vector<double> out(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i)
        out[static_cast<size_t>(i)] = first + (last - first) * i / (count - 1);
    return out;
}

std::vector<double> values(const Motion& motion, const Settings& settings) {
    World world(motion.model, settings);
    if (motion.start) motion.start(world);
    std::vector<double> out;
    for (double t : motion.times) {
        world.advance_to(t);
        out.push_back(motion.value(world));
    }
    return out;
}

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

Motion pendulum() {
    Motion out{.name = "pendulum", .times = instants(0.1, 2, 20)};
    const BodyId rod = out.model.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin =
        out.model.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    out.value = [pin](const World& world) { return world.coordinate(pin); };
    return out;
}

// x = v t − μ g t²/2, until it stops at v²/(2 μ g).
Motion sliding_block() {
    const double friction = 0.3, speed = 3, g = 9.81;
    Motion out{.name = "sliding block", .times = instants(0.1, 2, 20)};
    const MaterialId of = out.model.add(
        Material{.restitution = 0, .static_friction = friction, .kinetic_friction = friction});
    const BodyId block =
        out.model.add(Body::box({0.6, 0.6, 0.2}, 1).at({0, 0, 0.1}).moving({speed, 0, 0}));
    out.model.add(Shape{.body = block, .geometry = Box{{0.6, 0.6, 0.2}}, .material = of});
    out.model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = of});
    out.value = [block](const World& world) { return world.pose(block).position.x; };
    for (double t : out.times) {
        t = std::min(t, speed / (friction * g));
        out.reference.push_back(speed * t - friction * g * t * t / 2);
    }
    return out;
}

// Falls 1 m, and comes back with e times its speed, again and again.
Motion bouncing_ball() {
    const double restitution = 0.7, height = 1, g = 9.81;
    Motion out{.name = "bouncing ball",
               .settings = {.resting_speed = 0},
               .times = instants(0.02, 1.4, 70)};
    const MaterialId of = out.model.add(
        Material{.restitution = restitution, .static_friction = 0, .kinetic_friction = 0});
    const BodyId ball = out.model.add(Body::sphere(0.1, 1).at({0, 0, 0.1 + height}));
    out.model.add(Shape{.body = ball, .geometry = Sphere{0.1}, .material = of});
    out.model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = of});
    out.value = [ball](const World& world) { return world.pose(ball).position.z - 0.1; };
    for (double t : out.times) {
        double at = std::sqrt(2 * height / g), speed = restitution * g * at;
        if (t < at) {
            out.reference.push_back(height - g * t * t / 2);
            continue;
        }
        for (; t > at + 2 * speed / g; speed *= restitution) at += 2 * speed / g;
        out.reference.push_back(speed * (t - at) - g * (t - at) * (t - at) / 2);
    }
    return out;
}

// With a mass that has to be set in motion and stopped.
Motion hydraulic_rig() {
    const Rig rig(5, 200);
    return {.name = "hydraulic rig",
            .model = rig.model,
            .settings = {},
            .start = [rig](World& world) { world.command(rig.piston, -1); },
            .value = [rig](const World& world) { return rig.stretch(world); },
            .times = instants(0.05, 2, 40),
            .reference = {}};
}

// The order from errors at h and h/4: events fall anywhere in a step, and two halvings even that out.
void agreement(Checks& check, Motion motion) {
    attempt(check, motion.name, [&] {
        if (motion.reference.empty())
            motion.reference = values(motion, AugmentedLagrangian{.step = 1e-4});
        const auto error = [&](double step) {
            motion.settings.step = step;
            return root_mean_square(values(motion, motion.settings), motion.reference);
        };
        check.below(motion.name, "error at 10 ms, m or rad", error(0.01), 0.02);
        const double coarse = error(0.005), fine = error(0.00125);
        check.between(motion.name, "order of the error in h", 0.8, std::log2(coarse / fine) / 2,
                      1.2);
    });
}

// ---- Energy of the demos (spec D7) -------------------------------------------------------------------

// What drives put in is taken off; friction, impacts and dampers only take.
void energy(Checks& check, const std::string& scene_name) {
    const std::string name = scene_name + ", 10 minutes";
    attempt(check, name, [&] {
        const io::Scene scene = io::read_scene(io::scene_file(scene_name));
        World world(scene.model, scene.solver);
        std::vector<double> last;
        for (const Drive& drive : scene.model.drives())
            last.push_back(world.coordinate(drive.joint));
        const double start = world.energy().total();
        double work = 0, most_work = 0, excess = 0;
        while (world.time() < 600) {
            world.step();
            for (uint32_t i = 0; i < last.size(); ++i) {
                const double y = world.coordinate(scene.model.drives()[i].joint);
                work += world.effort(DriveId{i}) * (y - last[i]);
                last[i] = y;
            }
            most_work = std::max(most_work, std::abs(work));
            excess = std::max(excess, world.energy().total() - work - start);
        }
        check.below(name, "energy above its start, over it",
                    excess / std::max(std::abs(start), most_work), 0.01);
    });
}

}  // namespace

void validate_impulse_motion(Checks& check) {
    hydraulic_driver(check, "impulses", Impulse{});
    hydraulic_driver(check, "augmented Lagrangian", AugmentedLagrangian{.step = 0.01});
    agreement(check, pendulum());
    agreement(check, sliding_block());
    agreement(check, bouncing_ball());
    agreement(check, hydraulic_rig());
    for (const char* scene : {"stack-of-20", "truck", "ragdoll", "seesaw", "hydraulic-rig"})
        energy(check, scene);
}

}  // namespace bristle::validation
