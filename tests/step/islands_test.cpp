// What only contact connects is stepped island by island: what happens in one is nothing to another, until they meet.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

namespace bristle::step {
namespace {

using namespace testing_support;

// Two heavy links on a post, with drives that can strike the ground with them.
struct Hammer {
    std::vector<DriveId> drives;
    std::vector<BodyId> bodies;
};
Hammer add_hammer(Model& m, Vec3 at) {
    Hammer out;
    BodyId last = Model::ground();
    for (int i = 0; i < 2; ++i) {
        const Vec3 from = at + Vec3{0.8 * i, 0, 0.6}, to = from + Vec3{0.8, 0, 0};
        const BodyId link = m.add(Body::rod(from, to, 8));
        m.add(Shape{.body = link,
                    .geometry = Capsule{0.05, 0.7},
                    .pose = {{}, Quat::about({0, 1, 0}, pi / 2)}});
        const JointId pin = m.add(Revolute{.a = last, .b = link, .at = from, .axis = {0, 1, 0}});
        out.drives.push_back(m.add(
            Drive{.joint = pin, .control = Drive::Control::speed, .max_effort = 400.0 - 250 * i}));
        out.bodies.push_back(link);
        last = link;
    }
    return out;
}

void strike_about(World& world, const Hammer& hammer, Random& random) {
    for (DriveId drive : hammer.drives) world.command(drive, random.uniform(-9, 9));
}

// A stack, a pair of balls that meet, a pendulum that sweeps a box along.
std::vector<BodyId> add_neighbours(Model& m, Vec3 at) {
    std::vector<BodyId> out;
    for (int i = 0; i < 3; ++i)
        out.push_back(add_box(m, {0.4, 0.4, 0.2}, 2, at + Vec3{0, 0, 0.1 + 0.2 * i}));
    out.push_back(add_ball(m, 0.1, 1, at + Vec3{2, 0, 0.5}, {0.5, 0, 0}));
    out.push_back(add_ball(m, 0.1, 1, at + Vec3{2.6, 0, 0.4}, {-0.5, 0, 0}));
    const Vec3 pin = at + Vec3{0, 2, 0.9};
    const BodyId rod = m.add(Body::rod(pin, pin + Vec3{0.8, 0, 0}, 3));
    m.add(Shape{
        .body = rod, .geometry = Capsule{0.04, 0.7}, .pose = {{}, Quat::about({0, 1, 0}, pi / 2)}});
    m.add(Revolute{.a = Model::ground(), .b = rod, .at = pin, .axis = {0, 1, 0}});
    out.push_back(rod);
    out.push_back(add_box(m, {0.2, 0.2, 0.2}, 1, at + Vec3{-0.1, 2, 0.1}));
    return out;
}

bool same_bits(const World& a, const World& b, const std::vector<BodyId>& bodies) {
    for (BodyId id : bodies) {
        const Pose p = a.pose(id), q = b.pose(id);
        const Twist v = a.twist(id), w = b.twist(id);
        if (std::memcmp(&p, &q, sizeof p) != 0 || std::memcmp(&v, &w, sizeof v) != 0) return false;
    }
    return true;
}

// A weight on oil that leaks, and one that stands on a leg: laws with a memory.
struct Oil : StatefulLaw {
    size_t memory_size() const override { return 1; }
    size_t input_count() const override { return 1; }
    void step(const LawStep& s) const override {
        const double share = 1 / (1 + 0.5 * s.step), stiffness = 1e6;
        s.memory[0] = s.effort[0] =
            share * (s.before[0] - stiffness * (s.end[0] - s.start[0]) + s.step * s.inputs[0]);
        s.stiffness[0] = share * stiffness;
    }
};
struct Leg : StatefulLaw {
    size_t memory_size() const override { return 1; }
    PointAim aim(size_t, const Pose& pose, const Twist&, std::span<const double>,
                 std::span<const double>, const Scenery& scenery) const override {
        PointAim aim{.at = pose.position};
        if (const auto hit = scenery.cast_ray(pose.position, {0, 0, -1}, 1)) {
            aim.at = hit->point;
            aim.noted[0] = 1 - hit->distance;
        }
        return aim;
    }
    void step(const LawStep& s) const override {
        s.memory[0] = s.aims[0].noted[0] - s.end[2];
        if (!(s.aims[0].noted[0] > 0)) return;
        s.effort[2] = 1e4 * s.memory[0] - 1e3 * s.end_rate[2];
        s.stiffness[8] = 1e4;
        s.damping[8] = 1e3;
    }
};

TEST(Islands, ForcesWithAMemoryAreOfWhatTheyActOn) {
    Model m;
    add_floor(m);
    const Hammer hammer = add_hammer(m, {});
    add_neighbours(m, {0, 5, 0});
    const BodyId weight = m.add(Body::box({0.1, 0.1, 0.1}, 20).at({20, 0, 2}));
    const JointId rail =
        m.add(Prismatic{.a = m.ground(), .b = weight, .at = {20, 0, 2}, .axis = {0, 0, 1}});
    const ForceId oil =
        m.add(StatefulForce{.law = std::make_shared<Oil>(), .joints = {rail}, .name = "oil"});
    const BodyId stilt = m.add(Body::box({0.1, 0.1, 0.1}, 10).at({25, 0, 1.3}));
    m.add(Prismatic{.a = m.ground(), .b = stilt, .at = {25, 0, 1.3}, .axis = {0, 0, 1}});
    const ForceId leg =
        m.add(StatefulForce{.law = std::make_shared<Leg>(), .points = {stilt}, .name = "leg"});
    World struck(m, AugmentedLagrangian{.step = 5e-3}), quiet(m, AugmentedLagrangian{.step = 5e-3}),
        wide(m, AugmentedLagrangian{.step = 5e-3, .threads = 4});
    Random random(3), again(3);
    for (int i = 0; i < 600; ++i) {
        if (i % 40 == 0) {
            strike_about(struck, hammer, random);
            strike_about(wide, hammer, again);
            for (World* world : {&struck, &quiet, &wide}) world->command(oil, 0, i);
        }
        for (World* world : {&struck, &quiet, &wide}) world->step();
        if (i == 300) struck.restore(struck.snapshot());
        ASSERT_TRUE(same_bits(struck, quiet, {weight, stilt})) << i;
        ASSERT_EQ(struck.memory(oil), quiet.memory(oil));
        ASSERT_EQ(struck.memory(leg), quiet.memory(leg));
        ASSERT_EQ(struck.efforts(leg), quiet.efforts(leg));
    }
    EXPECT_GT(struck.statistics().rough_steps, 0u);
    EXPECT_LT(quiet.statistics().rough_steps, struck.statistics().rough_steps);
    EXPECT_EQ(struck.hash(), wide.hash());
    EXPECT_NEAR(struck.efforts(leg)[2], 98.1, 1e-3);
    EXPECT_GT(struck.memory(oil)[0], 100);
}

TEST(Islands, WhatStrikesFarAwayChangesNoBit) {
    for (double step : {1e-3, 5e-3}) {
        Model m;
        add_floor(m);
        const Hammer hammer = add_hammer(m, {});
        const std::vector<BodyId> neighbours = add_neighbours(m, {12, 0, 0});
        World struck(m, {.step = step}), quiet(m, {.step = step});
        Random random(7);
        for (int i = 0; i < 600; ++i) {
            if (i % 20 == 0) strike_about(struck, hammer, random);
            struck.step();
            quiet.step();
            ASSERT_TRUE(same_bits(struck, quiet, neighbours)) << step << " s, step " << i;
        }
        const auto events = [](const World& w) {
            return w.statistics().rough_steps + w.statistics().impact_steps;
        };
        EXPECT_GT(events(struck), events(quiet) + 3) << step;
        EXPECT_FALSE(same_bits(struck, quiet, hammer.bodies));
    }
}

// What touches is one island: it must not stay as it was.
TEST(Islands, WhatIsMetIsMoved) {
    Model m;
    add_floor(m);
    const Hammer hammer = add_hammer(m, {});
    const BodyId box = add_box(m, {0.3, 0.3, 0.3}, 2, {1.2, 0, 0.15});
    World world(m, {.step = 5e-3});
    for (int i = 0; i < 100; ++i) world.step();
    const Vec3 before = world.pose(box).position;
    world.command(hammer.drives[0], 4);
    for (int i = 0; i < 200; ++i) world.step();
    EXPECT_GT(norm(world.pose(box).position - before), 0.004);
    for (const Contact& c : world.contacts()) EXPECT_LT(c.depth, 0.03);
}

// Bodies and pairs of bodies on ball joints, thrown at each other in a crowd.
Model crowd(uint64_t seed, bool has_floor) {
    Model m;
    if (!has_floor) m.gravity = {};
    if (has_floor) add_floor(m);
    Random random(seed);
    for (int i = 0; i < 12; ++i) {
        const Vec3 at{1.2 * (i % 4), 1.2 * (i / 4), has_floor ? random.uniform(0.3, 1.5) : 0};
        const Vec3 velocity = random.vector(0.5) - 0.9 * (at - Vec3{1.8, 1.2, at.z});
        if (i % 3 == 0) {
            add_ball(m, 0.2, random.uniform(0.5, 3), at, velocity, random.vector(5));
        } else if (i % 3 == 1) {
            add_box(m, {0.4, 0.3, 0.2}, random.uniform(0.5, 3), at, velocity);
        } else {
            const BodyId a = add_ball(m, 0.15, 1, at, velocity),
                         b = add_box(m, {0.3, 0.2, 0.2}, 1, at + Vec3{0.36, 0, 0}, velocity);
            m.add(Spherical{.a = a, .b = b, .at = at + Vec3{0.18, 0, 0}});
        }
    }
    return m;
}

TEST(Islands, GoOnWithTheSameBitsFromAnySnapshot) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        const Model m = crowd(seed, true);
        World world(m, {.step = 5e-3});
        Random random(seed);
        std::vector<Snapshot> taken;
        std::vector<int> at;
        for (int i = 0; i < 300; ++i) {
            if (random.chance(0.02)) {
                taken.push_back(world.snapshot());
                at.push_back(i);
            }
            world.step();
        }
        ASSERT_FALSE(taken.empty());
        // Backwards in one world, which remembers islands that are not those of then.
        World other(m, {.step = 5e-3});
        for (size_t k = taken.size(); k-- > 0;) {
            other.restore(taken[k]);
            for (int i = at[k]; i < 300; ++i) other.step();
            EXPECT_EQ(other.hash(), world.hash()) << "seed " << seed << " from step " << at[k];
        }
    }
}

TEST(Islands, HaveTheSameBitsOnAnyNumberOfThreads) {
    for (uint64_t seed = 21; seed <= 23; ++seed) {
        Model m = crowd(seed, true);
        std::vector<Hammer> hammers;
        for (int i = 0; i < 3; ++i) hammers.push_back(add_hammer(m, {0.0, 5.0 + 4 * i, 0}));
        for (int i = 0; i < 40; ++i)
            add_box(m, {0.3, 0.3, 0.3}, 1,
                    {8 + 0.8 * (i % 8), 0.8 * (i / 8), 0.16 + 0.3 * (i % 2)});
        std::vector<uint64_t> hashes;
        for (int threads : {1, 2, 4}) {
            World world(m, AugmentedLagrangian{.step = 5e-3, .threads = threads});
            Random random(seed);
            for (int i = 0; i < 200; ++i) {
                for (const Hammer& hammer : hammers)
                    if (i % 15 == 0) strike_about(world, hammer, random);
                world.step();
            }
            hashes.push_back(world.hash());
        }
        EXPECT_EQ(hashes[1], hashes[0]) << seed;
        EXPECT_EQ(hashes[2], hashes[0]) << seed;
    }
}

// Python's functions, for one, must not be called from anywhere else.
TEST(Islands, CallFunctionsOnTheThreadThatSteps) {
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<int> elsewhere = 0, calls = 0;
    Model m;
    for (int i = 0; i < 40; ++i) {
        const Vec3 at{2.0 * i, 0, 0};
        const BodyId rod = m.add(Body::rod(at, at + Vec3{1, 0, 0}, 1));
        const JointId pin =
            m.add(Revolute{.a = Model::ground(), .b = rod, .at = at, .axis = {0, 1, 0}});
        m.add(Drive{.joint = pin, .target = [&, here](double t) {
                        ++calls;
                        elsewhere += std::this_thread::get_id() != here;
                        return std::sin(t);
                    }});
    }
    World world(m, AugmentedLagrangian{.threads = 4});
    for (int i = 0; i < 100; ++i) world.step();
    EXPECT_GT(calls, 1000);
    EXPECT_EQ(elsewhere, 0);
}

Vec3 momentum(const World& world) {
    Vec3 sum;
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i)
        sum += world.model().bodies()[i].mass * world.twist({i}).linear;
    return sum;
}

TEST(Islands, KeepMomentumAndGainNothingWhileTheyMeetAndPart) {
    for (uint64_t seed = 11; seed <= 18; ++seed) {
        World world(crowd(seed, false), {.step = 5e-3});
        const Vec3 before = momentum(world);
        const double start = world.energy().total();
        double lowest = start, rise = 0;
        for (int i = 0; i < 400; ++i) {
            world.step();
            const double energy = world.energy().total() + world.energy().contact;
            lowest = std::min(lowest, energy);
            rise = std::max(rise, energy - lowest);
        }
        EXPECT_GT(world.statistics().impact_steps, 2u) << seed;
        EXPECT_LE(norm(momentum(world) - before), 1e-9 * (norm(before) + 10)) << seed;
        EXPECT_LE(rise, 1e-3 * start) << seed;
        EXPECT_LE(world.constraint_error().position, 1e-8) << seed;
    }
}

TEST(Islands, CountAStepOnce) {
    Model m;
    add_floor(m);
    const Hammer first = add_hammer(m, {}), second = add_hammer(m, {0, 9, 0});
    World world(m, {.step = 5e-3});
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        if (i % 10 == 0) {
            strike_about(world, first, random);
            strike_about(world, second, random);
        }
        world.step();
    }
    const StepStatistics s = world.statistics();
    EXPECT_EQ(s.steps, 300u);
    EXPECT_GT(s.rough_steps, 10u);
    EXPECT_LE(s.rough_steps, 300u);
    EXPECT_LE(s.impact_steps, 300u);
    EXPECT_NE(s.last_rough.why, RoughPlace::Why::nothing);
    EXPECT_LE(s.iterations, 300u * static_cast<uint64_t>(s.worst_iterations));
}

// What no step can mend is told, and nothing has happened: nowhere.
TEST(Islands, KeepTheWholeStateWhenOneFails) {
    Model m;
    add_floor(m);
    add_neighbours(m, {5, 0, 0});
    const BodyId rod = m.add(Body::rod({0, 0, 3}, {1, 0, 3}, 1));
    m.add(Prismatic{.a = Model::ground(), .b = rod, .at = {0, 0, 3}, .axis = {1, 0, 0}});
    m.add(
        Spring{.a = Model::ground(),
               .b = rod,
               .at_a = {-1, 0, 3},
               .at_b = {0, 0, 3},
               .free_length = 1,
               .law = [](double stretch, double) { return stretch > 0.02 ? std::nan("") : -9.0; }});
    World world(m, {.step = 5e-3});
    uint64_t before = 0;
    bool has_failed = false;
    for (int i = 0; i < 400 && !has_failed; ++i) {
        before = world.hash();
        try {
            world.step();
        } catch (const SimulationError&) {
            has_failed = true;
        }
    }
    ASSERT_TRUE(has_failed);
    EXPECT_EQ(world.hash(), before);
}

// What two mechanisms are wrong about at once is told once: the state before goes on when the cause is gone.
TEST(Islands, TellAnErrorOnce) {
    Model m;
    bool is_broken = true;
    for (int i = 0; i < 2; ++i) {
        const Vec3 at{0, 3.0 * i, 0};
        const BodyId rod = m.add(Body::rod(at, at + Vec3{1, 0, 0}, 1));
        m.add(Prismatic{.a = Model::ground(), .b = rod, .at = at, .axis = {1, 0, 0}});
        m.add(Spring{.a = Model::ground(),
                     .b = rod,
                     .at_a = at - Vec3{1, 0, 0},
                     .at_b = at,
                     .free_length = 1,
                     .law = [&](double, double) { return is_broken ? std::nan("") : -9.0; }});
    }
    is_broken = false;
    World world(m, {.step = 5e-3});
    world.step();
    is_broken = true;
    EXPECT_THROW(world.step(), SimulationError);
    is_broken = false;
    EXPECT_NO_THROW(world.step());
}

// A body that is fixed while it lies on something keeps no contact: neither side moves.
TEST(Islands, GoOnWhenWhatTouchesIsFixed) {
    Model m;
    add_floor(m);
    const std::vector<BodyId> bodies = add_neighbours(m, {});
    World world(m, {.step = 5e-3});
    for (int i = 0; i < 100; ++i) world.step();
    ASSERT_FALSE(world.contacts().empty());
    world.change([&](Model& model) {
        for (BodyId id : {bodies[0], bodies[1], bodies[6]})
            model.add(Fixed{.a = Model::ground(), .b = id});
    });
    const Pose fixed = world.pose(bodies[0]);
    for (int i = 0; i < 200; ++i) world.step();
    EXPECT_LT(norm(world.pose(bodies[0]).position - fixed.position), 1e-9);
}

// Whips that are too fast for a step, among loose things: where their shorter steps lead, others may be in the way.
TEST(Islands, OfWhipsAmongLooseThingsMeetThem) {
    uint64_t met = 0;
    for (uint64_t seed = 31; seed <= 54; ++seed) {
        Random random(seed);
        Model m;
        BodyId last = Model::ground();
        Vec3 at{0, 0, 2};
        for (int i = 0; i < 6; ++i) {
            const double length = 0.3, mass = 2 * std::pow(0.35, i);
            const Vec3 to = at + Vec3{length, 0, 0};
            Body rod = Body::rod(at, to, mass);
            rod.velocity = Vec3{0, 0, 4 + 9.0 * i} + random.vector(0.5);
            const BodyId link = m.add(rod);
            m.add(Shape{.body = link,
                        .geometry = Capsule{0.02, 0.24},
                        .pose = {{}, Quat::about({0, 1, 0}, pi / 2)}});
            m.add(Spherical{.a = last, .b = link, .at = at});
            last = link;
            at = to;
        }
        for (int i = 0; i < 12; ++i)
            add_box(m, {0.15, 0.15, 0.15}, 0.05, Vec3{0, 0, 2} + random.vector(2.2),
                    random.vector(2));
        World world(m, {.step = 10e-3});
        for (int i = 0; i < 150; ++i) world.step();
        for (uint32_t i = 1; i < m.bodies().size(); ++i)
            ASSERT_TRUE(std::isfinite(norm(world.pose({i}).position))) << seed;
        met += world.statistics().rough_steps;
    }
    EXPECT_GT(met, 100u);
}

}  // namespace
}  // namespace bristle::step
