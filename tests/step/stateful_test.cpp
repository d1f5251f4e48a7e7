// Forces with a memory, under both solvers: laws whose motion is known.
#include <bristle/analysis.h>
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bristle::step {
namespace {

// A column of oil that carries what a joint presses into it: p' = −k v − leak · p + input, effort p. By the rule of backward Euler.
struct Column : StatefulLaw {
    double stiffness = 0, leak = 0;
    Column(double k, double l) : stiffness(k), leak(l) {}
    size_t memory_size() const override { return 1; }
    size_t input_count() const override { return 1; }
    void step(const LawStep& s) const override {
        const double share = 1 / (1 + leak * s.step);
        s.memory[0] = s.effort[0] =
            share * (s.before[0] - stiffness * (s.end[0] - s.start[0]) + s.step * s.inputs[0]);
        s.stiffness[0] = share * stiffness;
    }
};

// One volume of oil behind two pistons of the same area: what one gives way the other takes.
struct SharedColumn : StatefulLaw {
    double stiffness;
    explicit SharedColumn(double k) : stiffness(k) {}
    size_t memory_size() const override { return 1; }
    void step(const LawStep& s) const override {
        s.memory[0] = s.before[0] - stiffness * (s.end[0] - s.start[0] + s.end[1] - s.start[1]);
        for (size_t i = 0; i < 2; ++i) {
            s.effort[i] = s.memory[0];
            for (size_t j = 0; j < 2; ++j) s.stiffness[2 * i + j] = stiffness;
        }
    }
};

// A leg that stands on scenery below its body, with a spring and a damper along its normal.
struct Leg : StatefulLaw {
    double length = 1, stiffness = 1e4, damping = 1e3;
    size_t memory_size() const override { return 1; }  // how far it is pressed
    PointAim aim(size_t, const Pose& pose, const Twist&, std::span<const double>,
                 std::span<const double>, const Scenery& scenery) const override {
        PointAim aim{.at = pose.position};
        const auto hit = scenery.cast_ray(pose.position, {0, 0, -1}, length);
        if (!hit) return aim;
        aim.at = hit->point;
        const Vec3 n = hit->normal, along = any_perpendicular(n);
        aim.axis = {n, along, cross(n, along)};
        aim.noted[0] = length - hit->distance;
        return aim;
    }
    void step(const LawStep& s) const override {
        if (!(s.aims[0].noted[0] > 0)) {
            s.memory[0] = 0;
            return;
        }
        s.memory[0] = s.aims[0].noted[0] - s.end[0];
        s.effort[0] = stiffness * s.memory[0] - damping * s.end_rate[0];
        s.stiffness[0] = stiffness;
        s.damping[0] = damping;
    }
};

struct Nothing : StatefulLaw {
    size_t memory_size() const override { return 1; }
    void step(const LawStep& s) const override {
        s.effort[0] = s.time > 0.0995 ? std::numeric_limits<double>::quiet_NaN() : 0;
    }
};

struct Lift {
    explicit Lift(std::shared_ptr<const StatefulLaw> law, double mass = 2) {
        body = model.add(Body::box({0.1, 0.1, 0.1}, mass));
        rail = model.add(
            Prismatic{.a = model.ground(), .b = body, .at = {0, 0, 0}, .axis = {0, 0, 1}});
        oil = model.add(
            StatefulForce{.law = std::move(law), .joints = {rail}, .points = {}, .name = "oil"});
    }
    Model model;
    BodyId body;
    JointId rail;
    ForceId oil;
};

std::vector<Settings> solvers(double h) {
    return {AugmentedLagrangian{.step = h}, Impulse{.step = h},
            Impulse{.step = h, .direct = Impulse::Direct::never}};
}

// z'' = −g + p/m, p' = −k z': a mass on a spring that begins without load; the rule is of first order.
TEST(Stateful, SwingsLikeTheSpringItIsWithAnErrorOfFirstOrder) {
    const double k = 200, m = 2, w = std::sqrt(k / m), end = 0.5;
    const double exact = -9.81 / (w * w) * (1 - std::cos(w * end));
    for (size_t solver = 0; solver < 3; ++solver) {
        std::vector<double> error;
        for (double h : {2e-3, 1e-3, 5e-4}) {
            Lift lift(std::make_shared<Column>(k, 0));
            World world(lift.model, solvers(h)[solver]);
            world.advance_to(end);
            error.push_back(std::abs(world.coordinate(lift.rail) - exact));
            EXPECT_NEAR(world.memory(lift.oil)[0], -k * world.coordinate(lift.rail), 1e-6);
        }
        EXPECT_LT(error[0], 0.03 * std::abs(exact)) << solver;
        EXPECT_NEAR(error[0] / error[1], 2, 0.1) << solver;
        EXPECT_NEAR(error[1] / error[2], 2, 0.1) << solver;
    }
}

TEST(Stateful, HoldsHoweverStiffItIs) {
    for (double k : {1e6, 1e9, 1e12})
        for (size_t solver = 0; solver < 3; ++solver) {
            Lift lift(std::make_shared<Column>(k, 0));
            World world(lift.model, solvers(5e-3)[solver]);
            world.advance_to(1);
            EXPECT_NEAR(world.memory(lift.oil)[0], 2 * 9.81, 1e-2) << k << " " << solver;
            EXPECT_NEAR(world.efforts(lift.oil)[0], 2 * 9.81, 1e-2) << k << " " << solver;
            EXPECT_NEAR(world.coordinate(lift.rail), -2 * 9.81 / k, 1e-2 * 2 * 9.81 / k);
            EXPECT_EQ(world.statistics().rough_steps, 0u);
            EXPECT_NEAR(world.reaction(lift.rail).force.z, 0, 1e-6);
        }
}

// Rough steps once gave twice the mean effort less the last one: what was stiff was thrown, faster in every step.
TEST(Stateful, HoldsInRoughStepsTooAndTellsTheForceItWas) {
    const double h = 5e-3, mass = 2;
    for (double k : {1e3, 1e6, 1e9, 1e12}) {
        Lift lift(std::make_shared<Column>(k, 0), mass);
        // What these do, which a spring that is hardly there makes a part of the same assembly, is a rough step for all.
        const MaterialId rough = lift.model.add(Material{.restitution = 0.5});
        BodyId last = lift.body;
        for (int i = 0; i < 6; ++i) {
            const BodyId crate = lift.model.add(
                Body::box({0.3, 0.3, 0.3}, 1 + i).at({3 + 0.07 * i, 0.05 * i, 0.3 + 0.1 * i}));
            lift.model.add(
                Shape{.body = crate, .geometry = Box{{0.3, 0.3, 0.3}}, .material = rough});
            lift.model.add(Spring{.a = last, .b = crate, .stiffness = 1e-9});
            last = crate;
        }
        lift.model.add(Shape{.body = lift.model.ground(), .geometry = Plane{}, .material = rough});
        World world(lift.model, AugmentedLagrangian{.step = h});
        uint64_t rough_steps = 0;
        double fastest = 0;
        for (int i = 0; i < 400; ++i) {
            const double before = world.twist(lift.body).linear.z;
            world.step();
            const double after = world.twist(lift.body).linear.z;
            fastest = std::max(fastest, std::abs(after));
            if (world.statistics().rough_steps == rough_steps) continue;
            rough_steps = world.statistics().rough_steps;
            // What the crates gain is taken off all of their assembly: some per cent, at times.
            const double effort = world.efforts(lift.oil)[0], weight = mass * 9.81;
            EXPECT_NEAR(mass * (after - before), h * (effort - weight),
                        0.1 * h * (std::abs(effort) + weight))
                << k << " " << i;
        }
        EXPECT_GE(rough_steps, 20u) << k;
        EXPECT_LE(fastest, std::max(0.05, 1.01 * 9.81 / std::sqrt(k / mass))) << k;
        if (k > 1e3) {
            EXPECT_NEAR(world.efforts(lift.oil)[0], mass * 9.81, 0.1) << k;
        }
    }
}

// p = (input − k v)/leak in the long run: it rises at the speed of its pump.
TEST(Stateful, FollowsItsInput) {
    const double k = 1e8, m = 2, speed = 0.1;
    for (size_t solver = 0; solver < 2; ++solver) {
        Lift lift(std::make_shared<Column>(k, 0), m);
        World world(lift.model, solvers(5e-3)[solver]);
        world.advance_to(0.5);
        const double before = world.coordinate(lift.rail);
        world.command(lift.oil, 0, k * speed);
        EXPECT_EQ(world.inputs(lift.oil)[0], k * speed);
        world.advance_to(1.5);
        EXPECT_NEAR(world.coordinate(lift.rail) - before, speed, 1e-4);
        EXPECT_THROW(world.command(lift.oil, 1, 0), InputError);
        EXPECT_THROW(world.command(lift.oil, 0, NAN), InputError);
    }
}

TEST(Stateful, WaysThatShareOilAreSolvedTogether) {
    for (size_t solver = 0; solver < 2; ++solver) {
        Lift lift(std::make_shared<SharedColumn>(1e9), 3);
        Model& m = lift.model;
        m.remove(lift.oil);
        const BodyId other = m.add(Body::box({0.1, 0.1, 0.1}, 1).at({1, 0, 0}));
        const JointId rail =
            m.add(Prismatic{.a = m.ground(), .b = other, .at = {1, 0, 0}, .axis = {0, 0, 1}});
        const ForceId oil = m.add(StatefulForce{.law = std::make_shared<SharedColumn>(1e9),
                                                .joints = {lift.rail, rail},
                                                .points = {},
                                                .name = "oil"});
        World world(m, solvers(5e-3)[solver]);
        world.advance_to(0.5);
        // A balance: the heavier falls with (3 − 1)/(3 + 1) g, and the pressure is that of a rope, 2 · 3 · 1/(3 + 1) g.
        const double a = 0.5 * 9.81;
        EXPECT_NEAR(world.twist(lift.body).linear.z, -0.5 * a, 1e-5) << solver;
        EXPECT_NEAR(world.twist(other).linear.z, 0.5 * a, 1e-5) << solver;
        EXPECT_NEAR(world.memory(oil)[0], 1.5 * 9.81, 5e-3) << solver;
        if (solver == 0) {
            EXPECT_LE(world.statistics().worst_iterations, 6);
        }
    }
}

struct Hopper {
    explicit Hopper(double slope) {
        model.add(Shape{.body = model.ground(),
                        .geometry = Plane{},
                        .pose = {{}, Quat::about({0, 1, 0}, slope)}});
        body = model.add(Body::box({0.1, 0.1, 0.1}, 10).at({0, 0, 1.2}));
        model.add(Prismatic{.a = model.ground(), .b = body, .at = {0, 0, 1.2}, .axis = {0, 0, 1}});
        leg = model.add(StatefulForce{
            .law = std::make_shared<Leg>(), .joints = {}, .points = {body}, .name = "leg"});
    }
    Model model;
    BodyId body;
    ForceId leg;
};

TEST(Stateful, PointsFeelSceneryAndPushAgainstIt) {
    for (const double slope : {0.0, 0.3})
        for (size_t solver = 0; solver < 2; ++solver) {
            Hopper hopper(slope);
            World world(hopper.model, solvers(5e-3)[solver]);
            world.advance_to(3);
            // Upward the force is weight: cos(slope) of it, on a leg that is pressed by Δ cos(slope) along the normal …
            const double weight = 98.1, force = weight / std::cos(slope);
            const std::vector<double> f = world.efforts(hopper.leg);
            EXPECT_NEAR(f[2], weight, 1e-6) << slope << " " << solver;
            EXPECT_NEAR(f[0], force * std::sin(slope), 1e-6) << slope << " " << solver;
            EXPECT_NEAR(world.pose(hopper.body).position.z, 1 - force / 1e4, 1e-6);
            EXPECT_FALSE(world.is_asleep(hopper.body));
        }
}

TEST(Stateful, IsInSnapshotsAndTheHash) {
    for (size_t solver = 0; solver < 2; ++solver) {
        Lift lift(std::make_shared<Column>(1e5, 0.3));
        World world(lift.model, solvers(5e-3)[solver]), other(lift.model, solvers(5e-3)[solver]);
        world.advance_to(0.2);
        world.command(lift.oil, 0, 50);
        const Snapshot kept = world.snapshot();
        world.advance_to(0.4);
        const uint64_t then = world.hash();
        world.restore(kept);
        EXPECT_EQ(world.inputs(lift.oil)[0], 50);
        world.advance_to(0.4);
        EXPECT_EQ(world.hash(), then);
        other.restore(kept);
        other.advance_to(0.4);
        EXPECT_EQ(other.hash(), then);
        world.command(lift.oil, 0, 51);
        EXPECT_NE(world.hash(), then);
    }
}

TEST(Stateful, KeepsItsMemoryWhenTheModelChanges) {
    for (size_t solver = 0; solver < 2; ++solver) {
        Lift lift(std::make_shared<Column>(1e5, 0.3));
        World world(lift.model, solvers(5e-3)[solver]);
        world.command(lift.oil, 0, 7);
        world.advance_to(0.2);
        const double before = world.memory(lift.oil)[0];
        world.change([](Model& m) { m.add(Body::box({1, 1, 1}, 1).at({5, 0, 0})); });
        EXPECT_EQ(world.memory(lift.oil)[0], before);
        EXPECT_EQ(world.inputs(lift.oil)[0], 7);
        world.change([&](Model& m) { m.remove(lift.rail); });
        EXPECT_FALSE(world.model().contains(lift.oil));
        EXPECT_THROW(static_cast<void>(world.memory(lift.oil)), InputError);
        world.advance_to(0.3);
    }
}

TEST(Stateful, KeepsItsBodiesAwake) {
    for (size_t solver = 0; solver < 2; ++solver) {
        Lift lift(std::make_shared<Column>(1e6, 0));
        World world(lift.model, solvers(5e-3)[solver]);
        world.advance_to(5);
        EXPECT_FALSE(world.is_asleep(lift.body));
        world.command(lift.oil, 0, 1e5);
        world.step();
        EXPECT_GT(world.twist(lift.body).linear.z, 0.05);
    }
}

TEST(Stateful, ALawThatIsNotANumberKeepsTheLastGoodState) {
    for (size_t solver = 0; solver < 2; ++solver) {
        Lift lift(std::make_shared<Nothing>());
        World world(lift.model, solvers(5e-3)[solver]);
        EXPECT_THROW(world.advance_to(1), SimulationError);
        EXPECT_NEAR(world.time(), 0.095, 1e-9);
        EXPECT_TRUE(is_finite(world.pose(lift.body).position));
    }
}

TEST(Stateful, IsRefusedWhereItIsNotKnown) {
    Lift lift(std::make_shared<Column>(1e6, 0));
    EXPECT_THROW(World(lift.model, Baumgarte{}), InputError);
    World world(lift.model);
    EXPECT_THROW(static_cast<void>(linearize(world)), InputError);
    EXPECT_THROW(static_cast<void>(modes(world)), InputError);
    EXPECT_THROW(world.guide(1), InputError);
    EXPECT_THROW(static_cast<void>(world.tension(lift.oil)), InputError);
    EXPECT_THROW(world.command(lift.oil, 1.0), InputError);
    const ForceId spring = lift.model.add(JointSpring{.joint = lift.rail, .stiffness = 1});
    World sprung(lift.model);
    EXPECT_THROW(static_cast<void>(sprung.memory(spring)), InputError);
    EXPECT_THROW(static_cast<void>(sprung.efforts(spring)), InputError);
    EXPECT_THROW(sprung.command(spring, 0, 1), InputError);
    Model m;
    EXPECT_THROW(m.add(StatefulForce{}), InputError);
    EXPECT_THROW(m.add(StatefulForce{.law = std::make_shared<Column>(1, 1)}), InputError);
}

}  // namespace
}  // namespace bristle::step
