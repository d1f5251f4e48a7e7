// Buckets in the ground, with all that becomes of what they dig.
#include "machines/earth/earth.h"

#include <bristle/error.h>

#include "machines/earth/bucket_laws.h"
#include "machines/earth/earthmoving.h"
#include "machines/parts/tyre.h"
#include "tests/machines/asked.h"
#include "tests/machines/solvers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle::machines {
namespace {

using testing_support::Asked;
using testing_support::solvers;

HeightField flat(uint32_t columns, uint32_t rows, double spacing) {
    HeightField f{.columns = columns,
                  .rows = rows,
                  .spacing_x = spacing,
                  .spacing_y = spacing,
                  .heights = {}};
    f.heights.assign(size_t{columns} * rows, 0);
    return f;
}

// A bucket of a metre, its floor along x, its mouth upwards where it stands level; the frame at the middle of its edge.
Bucket bucket_on(BodyId body) {
    Bucket b{.body = body};
    b.edge_left = {0, 0.5, 0};
    b.edge_right = {0, -0.5, 0};
    b.digging = {1, 0, 0};
    b.inside = {{0, 0, 0}, {-0.9, 0, 0}, {-1.1, 0, 0.3}, {-1.1, 0, 0.7}};
    for (const double y : {-0.5, 0.5})
        for (Vec3 p : b.inside) b.hull.push_back({p.x, y, p.z});
    return b;
}

// A bucket led along x and z and turned about y, or left to fall.
struct Rig {
    explicit Rig(const Soil& soil, Vec3 at = {3, 3, 0.5}, double pitch = 0, bool is_led = true) {
        ground = model.add(Shape{.body = model.ground(), .geometry = flat(121, 61, 0.1)});
        const BodyId cart = model.add(Body::box({1, 1, 1}, 10).at(at));
        const BodyId lift = model.add(Body::box({1, 1, 1}, 10).at(at));
        body = model.add(Body::box({1, 1, 1}, 600).at(at, Quat::about({0, 1, 0}, pitch)));
        const JointId x =
            model.add(Prismatic{.a = model.ground(), .b = cart, .at = at, .axis = {1, 0, 0}});
        const JointId z = model.add(Prismatic{.a = cart, .b = lift, .at = at, .axis = {0, 0, 1}});
        const JointId turn = model.add(Revolute{.a = lift, .b = body, .at = at, .axis = {0, 1, 0}});
        if (is_led) {
            ways = {model.add(Drive{.joint = x, .control = Drive::Control::speed}),
                    model.add(Drive{.joint = z, .control = Drive::Control::speed}),
                    model.add(Drive{.joint = turn, .control = Drive::Control::speed})};
        } else {
            model.add(Drive{.joint = turn, .control = Drive::Control::speed});
            push = model.add(Motor{.joint = x});
            press = model.add(Motor{.joint = z});
        }
        earth.patches = {{.shape = ground, .soil = soil}};
        earth.buckets = {bucket_on(body)};
    }
    void build() { ids = add_earth(model, earth); }
    Model model;
    ShapeId ground;
    BodyId body;
    std::vector<DriveId> ways;
    ForceId push, press;
    Earth earth;
    EarthIds ids;
};

void lead(World& world, const Rig& rig, double x, double z, double turn, double time) {
    world.command(rig.ways[0], x);
    world.command(rig.ways[1], z);
    world.command(rig.ways[2], turn);
    world.advance_to(world.time() + time);
}

// ---- The laws ------------------------------------------------------------------------------------------

TEST(BucketLaws, DerivativesOfResistanceAgreeWithDifferences) {
    Model m;
    const BodyId body = m.add(Body::box({1, 1, 1}, 100));
    const ForceId id = add_dig_force(m, body, 1e6, "dig");
    const StatefulLaw& law = *m.stateful_forces()[m.forces()[id.index].index].law;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> x(-1, 1);
    for (int i = 0; i < 200; ++i) {
        Asked asked(law, 6);
        asked.aims.resize(2);
        for (size_t k = ahead_limit; k < dig_inputs; ++k) asked.inputs[k] = 1e4 * (1.1 + x(random));
        asked.inputs[foot_grip] = 0.4;
        asked.inputs[down_share] = x(random);
        for (size_t k = 0; k < 6; ++k) {
            asked.before[bristle_memory + k] = 1e4 * x(random);
            asked.before[force_memory + k] = 1e4 * x(random);
            asked.end[k] = 0.006 * x(random);
            asked.end_rate[k] = x(random);
        }
        asked.ask(5e-3);
        const auto stiffness = asked.stiffness, damping = asked.damping;
        for (size_t k = 0; k < 6; ++k) {
            const auto by_way = asked.slope(asked.end[k], 1e-8, 5e-3);
            const auto by_rate = asked.slope(asked.end_rate[k], 1e-5, 5e-3);
            for (size_t e = 0; e < 6; ++e) {
                EXPECT_NEAR(stiffness[6 * e + k], by_way[e], 1e-6 * 1e6) << e << " " << k;
                EXPECT_NEAR(damping[6 * e + k], by_rate[e], 1e-3 * 1e4) << e << " " << k;
            }
        }
    }
}

TEST(BucketLaws, LoadsKeepTheirMomentumWhileTheirMassChanges) {
    for (const Settings& settings : solvers()) {
        Model m;
        m.gravity = {};
        const BodyId body = m.add(Body::sphere(0.5, 100).moving({2, 0, 0}));
        const ForceId load = add_load(m, body, "load");
        World world(m, settings);
        world.command(load, load_mass, 300);
        world.advance_to(0.1);
        // At rest before: 100 kg at 2 m/s take 300 kg along.
        EXPECT_NEAR(world.twist(body).linear.x, 0.5, 2e-3);
        const double v = world.twist(body).linear.x;
        world.command(load, load_mass, 100);
        world.advance_to(0.2);
        EXPECT_NEAR(world.twist(body).linear.x, v, 2e-3);
        world.command(load, load_mass, 0);
        world.advance_to(0.3);
        EXPECT_NEAR(world.twist(body).linear.x, v, 2e-3);
    }
}

TEST(BucketLaws, LoadsWeighAndSwing) {
    for (const Settings& settings : solvers()) {
        // 50 kg in a light body on a pivot, 1 m off: a pendulum of √(g/l).
        Model m;
        const BodyId body = m.add(Body::sphere(0.2, 1));
        m.add(Revolute{.a = m.ground(), .b = body, .at = {0, 0, 0}, .axis = {0, 1, 0}});
        const ForceId load = add_load(m, body, "load");
        World world(m, settings);
        world.command(load, load_place, std::sin(0.05));
        world.command(load, load_place + 2, -std::cos(0.05));
        world.command(load, load_mass, 50);
        const double period = 2 * pi / std::sqrt(9.81);
        world.advance_to(period / 2);
        const Vec3 at = world.point(body, {std::sin(0.05), 0, -std::cos(0.05)});
        EXPECT_NEAR(at.x, -std::sin(0.05), 5e-3);
    }
}

TEST(BucketShapes, HoldWhatTheirOutlineHolds) {
    const BucketShape shape(bucket_on(BodyId{1}));
    EXPECT_NEAR(shape.width(), 1, 1e-15);
    EXPECT_GT(dot(shape.opening(), Vec3{0, 0, 1}), 0.7);
    // Flat on top (no repose), level at the edge: nothing, for its floor is as low as the edge; tipped back by 45° some.
    EXPECT_NEAR(shape.most({0, 0, 1}, 1e-9).volume, 0, 1e-3);
    const double c = std::sqrt(0.5);
    EXPECT_NEAR(shape.most({c, 0, c}, 1e-9).volume, 0.215,
                0.002);  // the outline below the rim, by hand
    EXPECT_GT(shape.capacity(0.6), shape.capacity(1e-9) + 0.1);
    // Mouth down: nothing.
    EXPECT_EQ(shape.most({0, 0, -1}, 0.6).volume, 0);
    // What is asked for is there, and its centre within.
    for (const double volume : {0.05, 0.2, 0.35}) {
        const auto load = shape.load({c, 0, c}, 0.6, volume);
        EXPECT_EQ(load.volume, volume);
        EXPECT_GT(load.center.z, 0);
        EXPECT_LT(load.center.x, 0);
        EXPECT_GT(load.center.x, -1.1);
        EXPECT_NEAR(load.center.y, 0, 1e-12);
    }
    // β comes down from π as it is emptied over its edge.
    EXPECT_NEAR(shape.angle(shape.opening()), pi, 1e-12);
    EXPECT_NEAR(shape.angle(-shape.opening()), 0, 1e-12);
    const Vec3 to_edge = normalized(shape.edge() - shape.rim());
    EXPECT_NEAR(shape.angle(-to_edge), pi / 2, 1e-12);
    EXPECT_NEAR(shape.angle(to_edge), -pi / 2, 1e-9);
}

// ---- Digging -------------------------------------------------------------------------------------------

TEST(Earth, TheBucketGainsWhatTheCutRemoves) {
    for (const Settings& settings : solvers())
        for (const double speed : {0.003, 0.2, 4.0, 60.0}) {
            Rig rig(loam(), {2, 3, -0.2}, 0.1);
            rig.earth.spare_patches = 0;
            rig.build();
            World world(rig.model, settings);
            const double before = EarthNow(world, rig.ids).ledger.total();
            double gained = 0, cut = 0;
            world.command(rig.ways[0], speed);
            for (int i = 0; i < 40 && world.pose(rig.body).position.x < 8; ++i) {
                world.step();
                const EarthNow now(world, rig.ids);
                gained += now.buckets[0].gained;
                cut += now.buckets[0].cut;
                ASSERT_NEAR(now.ledger.total(), before, 1e-12 * before) << speed;
                ASSERT_NEAR(now.ledger.buckets, gained, 1e-9 * (1 + gained));
            }
            EXPECT_GT(cut, 10) << speed;
            EXPECT_GT(gained, 0.2 * std::min(cut, 500.0)) << speed;
        }
}

// Force of the soil at speed: that of the wedge at this depth and rake.
TEST(Earth, ResistsAsTheFundamentalEquationSays) {
    for (const Settings& settings : solvers())
        for (const Soil& soil : {sand(), loam(), clay(), gravel()})
            for (const double depth : {0.15, 0.3})
                for (const double rake : {0.3, 0.7, 1.1}) {
                    const double speed = 0.05;
                    // No slides or pushed heaps before the edge: what is told is the depth it sees.
                    Rig rig(soil, {3, 3, -depth}, rake);
                    rig.earth.spare_patches = 0;
                    rig.build();
                    World world(rig.model, settings);
                    lead(world, rig, speed, 0, 0, 0.5);
                    const EarthNow now(world, rig.ids);
                    const double load =
                        now.buckets[0].mass * 9.81 / BucketShape(rig.earth.buckets[0]).floor();
                    const Failure f = wedge_failure(
                        soil, {.depth = now.buckets[0].depth, .rake = rake, .surcharge = load});
                    EXPECT_NEAR(now.buckets[0].rake, rake, 0.02);
                    EXPECT_NEAR(now.buckets[0].depth, depth, 0.5 * depth);
                    // The foot's friction acts besides.
                    const std::vector<double> m = world.memory(rig.ids.dig_forces[0]);
                    EXPECT_NEAR(-m[force_memory], f.ahead + 4 * f.by_speed * speed * speed,
                                0.03 * f.ahead)
                        << soil.name << " " << depth << " " << rake;
                }
}

// Pushed with less than the soil resists it stands, at any load below, without creep; with more it goes.
TEST(Earth, HoldsAtRestWithoutCreepAndYieldsBeyond) {
    for (const Settings& settings : solvers()) {
        Rig rig(loam(), {3, 3, -0.25}, 0.6, false);
        rig.build();
        World world(rig.model, settings);
        world.command(rig.press, 610 * 9.81);  // weightless
        world.advance_to(0.1);
        const double limit = world.inputs(rig.ids.dig_forces[0])[ahead_limit];
        ASSERT_GT(limit, 1500);
        world.command(rig.push, 0.7 * limit);
        world.advance_to(4);
        const double there = world.pose(rig.body).position.x;
        EXPECT_LT(there, 3.02);
        world.advance_to(34);
        EXPECT_NEAR(world.pose(rig.body).position.x, there, 1e-8);
        world.command(rig.push, 3 * limit);
        world.advance_to(35);
        EXPECT_GT(world.pose(rig.body).position.x, there + 0.2);
    }
}

// Set down on its floor it sinks until the soil carries it, and stays.
TEST(Earth, StandsOnItsFloorAsBekkerSays) {
    for (const Settings& settings : solvers()) {
        Rig rig(clay(), {3, 3, 0.05}, 0, false);
        rig.build();
        World world(rig.model, settings);
        world.command(rig.press, -40e3);
        world.advance_to(3);
        const double z = world.pose(rig.body).position.z;
        const double load = 40e3 + 620 * 9.81;
        // As if all of it stood on the floor of 0.9 m².
        const double sinkage = clay().sinkage(load / 0.9, 0.9);
        EXPECT_LT(z, 0);
        EXPECT_GT(z, -3 * sinkage - 0.03);
        world.advance_to(20);
        EXPECT_NEAR(world.pose(rig.body).position.z, z, 1e-4);
    }
}

TEST(Earth, ThePrintedForceIsThatOfTheDocument) {
    Soil soil = sand();
    soil.digging = Soil::Digging::printed;
    for (const Settings& settings : solvers()) {
        Rig rig(soil, {3, 3, -0.2}, 0.5);
        rig.earth.spare_patches = 0;
        rig.build();
        World world(rig.model, settings);
        lead(world, rig, 0.3, 0, 0, 0.5);
        const EarthNow now(world, rig.ids);
        const double d = now.buckets[0].depth, v = 0.3 * std::cos(0.5);
        const double along =
            (soil.printed_empty + soil.printed_load * now.buckets[0].volume) * d * v;
        const std::vector<double> m = world.memory(rig.ids.dig_forces[0]);
        EXPECT_NEAR(-m[force_memory], along, 0.03 * along);
        const double across = soil.printed_across * d * 0.3 * std::sin(0.5);
        EXPECT_NEAR(std::abs(m[force_memory + 1]), across, 0.05 * across + m[force_memory + 4]);
        lead(world, rig, 0, 0, 0, 0.3);
        const std::vector<double> rest = world.memory(rig.ids.dig_forces[0]);
        EXPECT_NEAR(rest[force_memory], 0, 1e-3 * along);
        EXPECT_GT(now.buckets[0].flow, 0);
    }
}

// ---- Dumping -------------------------------------------------------------------------------------------

// Digs, lifts, and turns out its load where there is no patch: one is laid there, and all is in the ledger.
TEST(Earth, DumpsOntoPatchesThatAreLaidOnDemand) {
    for (const Settings& settings : solvers()) {
        Rig rig(sand(), {2, 3, -0.25}, 0.2);
        rig.model.add(
            Shape{.body = rig.model.ground(), .geometry = Plane{}, .pose = {{0, 0, -1}, {}}});
        rig.build();
        World world(rig.model, settings);
        const double before = EarthNow(world, rig.ids).ledger.total();
        lead(world, rig, 1, 0, 0, 1.5);
        lead(world, rig, 1, 0.5, -0.8, 1);
        const double loaded = EarthNow(world, rig.ids).buckets[0].mass;
        EXPECT_GT(loaded, 150);
        lead(world, rig, 0, 1.5, 0, 1);
        lead(world, rig, 4, 0, 0, 2.5);
        ASSERT_GT(world.pose(rig.body).position.x, 13);
        lead(world, rig, 0, 0, 2, 1.4);
        lead(world, rig, 0, 0, 0, 4);
        const EarthNow now(world, rig.ids);
        EXPECT_LT(now.buckets[0].mass, 1);
        EXPECT_EQ(now.parcels, 0u);
        EXPECT_GE(now.spares_in_use, 1u);
        EXPECT_EQ(now.ledger.lost, 0);
        EXPECT_NEAR(now.ledger.total(), before, 1e-12 * before);
        // A heap stands there, on the plane.
        const auto hit =
            world.scenery().cast_ray({world.pose(rig.body).position.x, 3, 5}, {0, 0, -1}, 10);
        ASSERT_TRUE(hit);
        double top = -1;
        for (double x = 11; x < 17; x += 0.05)
            for (double y = 1; y < 5; y += 0.05)
                top = std::max(top, world.scenery().cast_ray({x, y, 5}, {0, 0, -1}, 10)->point.z);
        EXPECT_GT(top, -0.8);
        // Only what the mouth lets go: discharge is over within a few seconds, and there is a β at which it began.
        EXPECT_LT(now.buckets[0].angle, 7 * pi / 9);
    }
}

TEST(Earth, LoadsATruckAndTipsIt) {
    for (const Settings& settings : solvers()) {
        Rig rig(gravel(), {3, 3, 4}, 0);
        rig.model.add(
            Shape{.body = rig.model.ground(), .geometry = Plane{}, .pose = {{0, 0, -0.5}, {}}});
        const BodyId truck = rig.model.add(Body::box({4, 2.4, 1}, 5000).at({20, 3, 1}));
        const JointId hinge = rig.model.add(
            Revolute{.a = rig.model.ground(), .b = truck, .at = {18, 3, 1}, .axis = {0, -1, 0}});
        const DriveId tip =
            rig.model.add(Drive{.joint = hinge, .control = Drive::Control::position});
        rig.earth.beds = {{.body = truck, .low = {-2, -1.2, 0}, .high = {2, 1.2, 0.8}}};
        rig.build();
        World world(rig.model, settings);
        const double before = EarthNow(world, rig.ids).ledger.total();
        lead(world, rig, 0, -4.1, 0, 1.05);
        lead(world, rig, 1, 0, 0, 1);
        lead(world, rig, 0.5, 0.5, -0.8, 1);
        lead(world, rig, 0, 3, 0, 1.2);
        lead(world, rig, 5.2, 0, 0, 3);
        lead(world, rig, 0, 0, 2, 1.4);
        lead(world, rig, 0, 0, 0, 2);
        const EarthNow loaded(world, rig.ids);
        EXPECT_GT(loaded.beds[0], 100) << world.pose(rig.body).position.x;
        EXPECT_NEAR(loaded.ledger.total(), before, 1e-12 * before);
        EXPECT_NEAR(world.memory(rig.ids.bed_loads[0])[carried_mass], loaded.beds[0], 1e-9);
        world.command(tip, 0.9);
        world.advance_to(world.time() + 12);
        const EarthNow tipped(world, rig.ids);
        EXPECT_LT(tipped.beds[0], 0.1 * loaded.beds[0]);
        EXPECT_NEAR(tipped.ledger.total(), before, 1e-12 * before);
    }
}

// ---- Ruts ----------------------------------------------------------------------------------------------

TEST(Earth, WheelsSinkOnceAndLeaveRuts) {
    for (const Settings& settings : solvers()) {
        Model model;
        const ShapeId ground =
            model.add(Shape{.body = model.ground(), .geometry = flat(81, 21, 0.1)});
        const BodyId wheel = model.add(Body::cylinder(0.5, 0.4, 3000).at({1, 1, 0.5}));
        const BodyId fork = model.add(Body::box({1, 1, 1}, 10).at({1, 1, 0.5}));
        const JointId x = model.add(
            Prismatic{.a = model.ground(), .b = fork, .at = {1, 1, 0.5}, .axis = {1, 0, 0}});
        const BodyId slider = model.add(Body::box({1, 1, 1}, 10).at({1, 1, 0.5}));
        model.add(Prismatic{.a = fork, .b = slider, .at = {1, 1, 0.5}, .axis = {0, 0, 1}});
        model.add(Revolute{.a = slider, .b = wheel, .at = {1, 1, 0.5}, .axis = {0, 1, 0}});
        const DriveId way = model.add(Drive{.joint = x, .control = Drive::Control::speed});
        const ForceId tyre = add_tyre(model, wheel, {.axle = {0, 1, 0}});
        Earth earth;
        earth.patches = {{.shape = ground, .soil = sand()}};
        earth.rollers = {{.tyre = tyre}};
        earth.spare_patches = 0;
        const EarthIds ids = add_earth(model, earth);
        World world(model, settings);
        const double before = EarthNow(world, ids).ledger.total();
        world.advance_to(1);
        world.command(way, 1);
        world.advance_to(6);
        EXPECT_NEAR(EarthNow(world, ids).ledger.total(), before, 1e-12 * before);
        const auto depth = [&] { return -world.height_field(ground).heights[10 * 81 + 40]; };
        const double once = depth();
        EXPECT_GT(once, 0.01);
        EXPECT_LT(once, 0.15);
        EXPECT_LT(std::abs(world.height_field(ground).heights[2 * 81 + 40]), 0.01);
        world.command(way, -1);
        world.advance_to(11);
        EXPECT_LT(depth(), 1.25 * once);
        EXPECT_NEAR(EarthNow(world, ids).ledger.total(), before, 1e-12 * before);
    }
}

TEST(Earth, FeetSinkUntilTheyAreCarried) {
    for (const Settings& settings : solvers()) {
        Model model;
        const ShapeId ground =
            model.add(Shape{.body = model.ground(), .geometry = flat(41, 41, 0.1)});
        const BodyId pad = model.add(Body::box({0.5, 0.5, 0.1}, 4000).at({2, 2, 0.05}));
        model.add(Shape{.body = pad, .geometry = Box{{0.5, 0.5, 0.1}}});
        Earth earth;
        earth.patches = {{.shape = ground, .soil = loam()}};
        earth.feet = {{.body = pad, .center = {0, 0, -0.05}}};
        earth.spare_patches = 0;
        const EarthIds ids = add_earth(model, earth);
        World world(model, settings);
        const double before = EarthNow(world, ids).ledger.total();
        world.advance_to(3);
        const double sunk = 0.05 - world.pose(pad).position.z;
        EXPECT_NEAR(sunk, loam().sinkage(4000 * 9.81 / 0.25, 0.5), 0.015);
        EXPECT_NEAR(EarthNow(world, ids).ledger.total(), before, 1e-12 * before);
    }
}

// ---- Rough use -----------------------------------------------------------------------------------------

// Random motions, wild ones too; mass is kept, snapshots go on with the same bits.
TEST(Earth, KeepsItsMassThroughRandomDigging) {
    for (const Settings& settings : solvers())
        for (const unsigned seed : {1u, 2u, 3u}) {
            const Soil soils[] = {sand(), loam(), clay(), gravel()};
            Rig rig(soils[seed % 4], {4, 3, 0.4}, 0.1);
            if (seed != 2)
                rig.model.add(Shape{
                    .body = rig.model.ground(), .geometry = Plane{}, .pose = {{0, 0, -2}, {}}});
            rig.build();
            World world(rig.model, settings), other(rig.model, settings);
            const double before = EarthNow(world, rig.ids).ledger.total();
            std::mt19937 random(seed);
            std::uniform_real_distribution<double> x(-1, 1);
            uint64_t then = 0;
            for (int i = 0; i < 120; ++i) {
                const double wild = i % 10 == 9 ? 20 : 1;
                const Vec3 at = world.pose(rig.body).position;
                lead(world, rig, wild * (1.5 * x(random) + 0.3 * (6 - at.x)),
                     0.8 * x(random) - 1.5 * (at.z + 0.1), 2 * x(random), 0.15);
                const EarthNow now(world, rig.ids);
                ASSERT_NEAR(now.ledger.total(), before, 1e-12 * before) << seed << " " << i;
                ASSERT_TRUE(is_finite(now.buckets[0].force));
                if (i == 60) {
                    const Snapshot s = world.snapshot();
                    other.restore(Snapshot(s.origin(), s.equations(), s.bytes()));
                    EXPECT_EQ(other.hash(), world.hash());
                    world.advance_to(world.time() + 0.5);
                    other.advance_to(other.time() + 0.5);
                    then = world.hash();
                    EXPECT_EQ(other.hash(), then);
                }
            }
            EXPECT_NE(world.hash(), then);
        }
}

TEST(Earth, RefusesWhatItCannotBe) {
    Model model;
    const ShapeId plane = model.add(Shape{.body = model.ground(), .geometry = Plane{}});
    Earth earth;
    earth.patches = {{.shape = plane, .soil = sand()}};
    EXPECT_THROW(add_earth(model, earth), InputError);
    earth.patches = {{.shape = ShapeId{7}, .soil = sand()}};
    EXPECT_THROW(add_earth(model, earth), InputError);
    earth.patches.clear();
    earth.buckets = {Bucket{}};
    EXPECT_THROW(add_earth(model, earth), InputError);
    earth.buckets.clear();
    earth.beds = {{.body = model.ground()}};
    EXPECT_THROW(add_earth(model, earth), InputError);
}

}  // namespace
}  // namespace bristle::machines
