// Volumetric contact in motion: what rests, strikes, rolls and is looked at, against closed forms and balances.
#include <bristle/world.h>

#include "contact/normal.h"
#include "geometry/tessellate.h"
#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

constexpr double foundation = 1e6, gravity = 9.81;

MaterialId soft(Model& m, double restitution = 0.1, double friction = 0.5, double damping = 0) {
    const MaterialId material = m.add(Material{.name = "soft"});
    ContactLaw law;
    law.normal = ContactLaw::Normal::volumetric;
    law.foundation = foundation;
    law.restitution = restitution;
    law.static_friction = law.kinetic_friction = friction;
    law.damping_factor = damping;
    m.add(ContactPair{material, material, law});
    return material;
}

struct Block {
    Model model;
    BodyId body;
    double sunk = gravity / (foundation * 0.5);  // of 1 kg on 1 m × 0.5 m

    explicit Block(double height_above_rest = 0, double restitution = 0.1) {
        const MaterialId material = soft(model, restitution);
        body =
            add_box(model, {1, 0.5, 0.5}, 1, {0, 0, 0.25 - sunk + height_above_rest}, {}, material);
        add_floor(model, material);
    }
};

Vec3 momentum(const World& world, std::initializer_list<BodyId> bodies) {
    Vec3 sum;
    for (BodyId b : bodies) sum += world.model().bodies()[b.index].mass * world.twist(b).linear;
    return sum;
}

Vec3 angular_momentum(const World& world, std::initializer_list<BodyId> bodies) {
    Vec3 sum;
    for (BodyId b : bodies) {
        const Body& body = world.model().bodies()[b.index];
        const Mat3 turn = world.pose(b).orientation.matrix();
        sum += body.mass * cross(world.pose(b).position, world.twist(b).linear)
             + turn * (body.inertia * (turn.transposed() * world.twist(b).angular));
    }
    return sum;
}

// ---- At rest ---------------------------------------------------------------------------------------

TEST(PatchContact, ABlockRestsWhereItsVolumeCarriesIt) {
    const Block block;
    World world(block.model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(0.5);
    EXPECT_NEAR(world.pose(block.body).position.z, 0.25 - block.sunk, 1e-12);

    const auto contacts = world.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    const double up = contacts[0].body_a == block.body ? 1 : -1;
    EXPECT_NEAR(up * contacts[0].force.z, gravity, 1e-8);
    EXPECT_NEAR(contacts[0].depth, block.sunk, 1e-12);
    EXPECT_NEAR(norm(contacts[0].torque), 0, 1e-8);

    const auto patches = world.patches();
    ASSERT_EQ(patches.size(), 1u);
    const Patch& p = patches[0];
    EXPECT_EQ(p.a, contacts[0].a);
    EXPECT_EQ(p.b, contacts[0].b);
    EXPECT_NEAR(p.volume, gravity / foundation, 1e-9 * p.volume);
    EXPECT_NEAR(p.area, 0.5, 1e-9);
    EXPECT_NEAR(p.pressure, gravity / 0.5, 1e-7);
    EXPECT_NEAR(up * p.normal.z, 1, 1e-12);
    EXPECT_NEAR(norm(p.torque), 0, 1e-8);
    EXPECT_FALSE(p.slips);
    // Seen against the normal the contour runs counter-clockwise: its vector area is the patch's.
    Vec3 area;
    for (const auto& s : p.contour) area += 0.5 * cross(s[0] - p.centroid, s[1] - p.centroid);
    EXPECT_LE(norm(area - p.area * p.normal), 1e-9);
}

TEST(PatchContact, RestsTheSameWhicheverShapeIsFirst) {
    Model model;
    const MaterialId material = soft(model);
    const double sunk = gravity / (foundation * 0.5);
    add_floor(model, material);
    const BodyId body =
        add_box(model, {1, 0.5, 0.5}, 1, {0.3, 0, 0.25 - sunk}, {0.5, 0, 0}, material);
    World world(model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(1);
    EXPECT_NEAR(world.pose(body).position.z, 0.25 - sunk, 1e-9);
    // v²/(2 μ g), but for the first step's friction.
    EXPECT_NEAR(world.pose(body).position.x, 0.3 + 0.25 / (2 * 0.5 * gravity), 2e-3);
    EXPECT_LE(norm(world.twist(body).linear), 1e-9);
}

TEST(PatchContact, WithoutAFoundationOneIsEstimated) {
    Model model;
    const MaterialId material = model.add(Material{.name = "any"});
    ContactLaw law;
    law.normal = ContactLaw::Normal::volumetric;
    model.add(ContactPair{material, material, law});
    const BodyId body = add_box(model, {1, 0.5, 0.5}, 1, {0, 0, 0.2501}, {}, material);
    add_floor(model, material);
    World world(model, AugmentedLagrangian{.step = 2e-3});
    world.advance_to(2);
    EXPECT_LE(norm(world.twist(body).linear), 1e-6);
    EXPECT_GT(world.pose(body).position.z, 0.249);
    EXPECT_LT(world.pose(body).position.z, 0.25);
}

// k V = m g with the volume of a cap: facets of a mesh are flatter than what is pressed in, and held it 16 % higher.
TEST(PatchContact, ABallSinksInAsItsCapSays) {
    for (const double radius : {0.02, 0.1, 1.0}) {
        Model model;
        const MaterialId material = soft(model);
        const double volume = gravity / foundation;  // of 1 kg
        double sunk = std::sqrt(volume / (pi * radius));
        for (int i = 0; i < 20; ++i)
            sunk -= (pi * sunk * sunk * (radius - sunk / 3) - volume)
                  / (pi * sunk * (2 * radius - sunk));
        const BodyId ball = add_ball(model, radius, 1, {0, 0, radius - sunk}, {}, {}, material);
        add_floor(model, material);
        World world(model, AugmentedLagrangian{.step = 1e-3});
        world.advance_to(0.5);
        EXPECT_NEAR(world.pose(ball).position.z, radius - sunk, 1e-6 * sunk) << radius;
    }
}

// ---- Impacts ---------------------------------------------------------------------------------------

TEST(PatchContact, ReturnsItsRestitution) {
    for (const double e : {0.2, 0.5, 0.8}) {
        Model model;
        model.gravity = {};
        const MaterialId material = soft(model, e);
        const BodyId body = add_box(model, {1, 0.5, 0.5}, 1, {0, 0, 0.251}, {0, 0, -1}, material);
        add_floor(model, material);
        World world(model, AugmentedLagrangian{.step = 2e-5});
        world.advance_to(0.02);
        // ω = 707 rad/s: 70 steps a radian.
        EXPECT_NEAR(world.twist(body).linear.z, e, 2e-3) << e;
        EXPECT_LE(norm(world.twist(body).angular), 1e-9);
    }
}

TEST(PatchContact, ElasticImpactsGainNoEnergyHoweverLongTheStep) {
    for (const double step : {5e-4, 5e-3})
        for (const double tilt : {0.0, 1e-3, 0.02, 0.3}) {
            Model model;
            const MaterialId material = soft(model, 1, 0);
            const BodyId body = model.add(
                Body::box({1, 0.5, 0.5}, 1).at({0, 0, 0.6}, Quat::about({0.3, 1, 0}, tilt)));
            model.add(Shape{.body = body, .geometry = Box{{1, 0.5, 0.5}}, .material = material});
            add_floor(model, material);
            World world(model, AugmentedLagrangian{.step = step});
            const double start = world.energy().total();
            double most = start;
            while (world.time() < 2) {
                world.step();
                most = std::max(most, world.energy().total());
            }
            // Of what it falls; what the layer stores is not in it, so that it may only be less.
            EXPECT_LE(most - start, 0.02 * gravity * 0.35) << "step " << step << ", tilt " << tilt;
        }
}

TEST(PatchContact, KeepsMomentumAndAngularMomentumOfTwoThatStrike) {
    Model model;
    model.gravity = {};
    const MaterialId material = soft(model, 0.5, 0.4);
    const BodyId a = add_box(model, {0.4, 0.4, 0.4}, 2, {0, 0, 0}, {1, 0.2, 0}, material),
                 b = add_box(model, {0.3, 0.6, 0.3}, 1, {0.36, 0.15, 0.1}, {-1, 0, 0.1}, material);
    World world(model, AugmentedLagrangian{.step = 1e-4});
    const Vec3 p = momentum(world, {a, b}), l = angular_momentum(world, {a, b});
    bool touched = false;
    while (world.time() < 0.2) {
        world.step();
        touched |= !world.contacts().empty();
    }
    EXPECT_TRUE(touched);
    EXPECT_LE(norm(momentum(world, {a, b}) - p), 1e-9);
    // The patch moves over both bodies within a step.
    EXPECT_LE(norm(angular_momentum(world, {a, b}) - l), 1e-4);
}

// ---- Rolling ---------------------------------------------------------------------------------------

TEST(PatchContact, DampingOfTheLayerResistsRolling) {
    const double radius = 0.25, a = 20;
    Model model;
    const MaterialId material = soft(model, 1, 0.5, a);
    const double volume = gravity / foundation;
    const double sunk = std::pow(0.75 * volume / std::sqrt(2 * radius), 2.0 / 3);
    const BodyId body = model.add(Body::cylinder(radius, 1, 1)
                                      .at({0, 0, radius - sunk}, Quat::about({1, 0, 0}, pi / 2))
                                      .moving({1, 0, 0}, {0, 1 / radius, 0}));
    // Of so many sides that it rolls evenly.
    const Mesh round{std::make_shared<const TriangleMesh>(tessellated(Cylinder{radius, 1}, 128))};
    model.add(Shape{.body = body, .geometry = round, .material = material});
    add_floor(model, material);
    World world(model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(0.2);
    const double start = world.twist(body).angular.y;
    // J of the region itself: it is that of a few facets.
    double inertia = 0;
    for (int i = 0; i < 1000; ++i) {
        world.step();
        const auto patches = world.patches();
        ASSERT_EQ(patches.size(), 1u);
        inertia += 1e-3 * patches[0].inertia(1, 1);
    }
    // V w²/5 of a parabola of half-width w = √(2 R d).
    EXPECT_NEAR(inertia / (volume * 2 * radius * sunk / 5), 1, 0.1);
    // (I + m R²) ω' = −k a J ω.
    const double expected = start * std::exp(-foundation * a * inertia / (1.5 * radius * radius));
    EXPECT_NEAR((start - world.twist(body).angular.y) / (start - expected), 1, 0.01);
}

// Damping that stands for a restitution is for impacts: a ball lost half of its speed to it in a second, and more or less with the step.
TEST(PatchContact, ABallOfSomeRestitutionRollsOn) {
    const double radius = 0.1;
    for (const double step : {5e-3, 1e-3})
        for (const double restitution : {0.1, 0.5}) {
            Model model;
            const MaterialId material = soft(model, restitution);
            const BodyId body =
                add_ball(model, radius, 1, {0, 0, radius}, {1, 0, 0}, {0, 1 / radius, 0}, material);
            add_floor(model, material);
            World world(model, AugmentedLagrangian{.step = step});
            world.advance_to(0.5);  // until it has sunk in
            const double start = world.twist(body).linear.x;
            world.advance_to(2.5);
            EXPECT_GE(world.twist(body).linear.x, 0.99 * start)
                << "step " << step << ", restitution " << restitution;
            EXPECT_GE(start, 0.95);
        }
}

// ---- What must go on as it was -----------------------------------------------------------------------

TEST(PatchContact, GoesOnFromASnapshotBitByBit) {
    const Block block(0.01, 0.5);
    World world(block.model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(0.06);
    const Snapshot snapshot = world.snapshot();
    world.advance_to(0.2);
    const uint64_t hash = world.hash();
    world.restore(snapshot);
    world.advance_to(0.2);
    EXPECT_EQ(world.hash(), hash);

    World other(block.model, AugmentedLagrangian{.step = 1e-3});
    other.advance_to(0.2);
    EXPECT_EQ(other.hash(), hash);
}

TEST(PatchContact, LookingChangesNothing) {
    const Block block(0.01, 0.5);
    World watched(block.model, AugmentedLagrangian{.step = 1e-3}),
        alone(block.model, AugmentedLagrangian{.step = 1e-3});
    for (int i = 0; i < 200; ++i) {
        watched.step();
        alone.step();
        watched.patches();
        watched.contacts();
    }
    EXPECT_EQ(watched.hash(), alone.hash());
}

TEST(PatchContact, ChangesOfTheModelLeaveItPressed) {
    const Block block;
    World world(block.model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(0.1);
    world.change([](Model& m) { m.add(Body::sphere(0.1, 1).at({0, 0, 50})); });
    ASSERT_EQ(world.contacts().size(), 1u);
    for (int i = 0; i < 50; ++i) {
        world.step();
        EXPECT_LE(norm(world.twist(block.body).linear), 1e-9);
    }
}

// ---- Bad input -------------------------------------------------------------------------------------

TEST(PatchContact, TwoFoundationsAreInSeries) {
    Model model;
    const MaterialId a = model.add(Material{.foundation = 2e6}),
                     b = model.add(Material{.foundation = 6e6}), c = model.add(Material{});
    const ContactLaw law = model.contact_law(a, b);
    EXPECT_EQ(law.normal, ContactLaw::Normal::volumetric);
    EXPECT_NEAR(law.foundation, 1.5e6, 1e-9);
    EXPECT_EQ(model.contact_law(a, c).normal, ContactLaw::Normal::hunt_crossley);
}

template <class Call> std::string message_of(const Call& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(PatchContact, RefusesWhatHasNoVolumeOrTwoLaws) {
    Model model;
    EXPECT_NE(message_of([&] { model.add(Material{.foundation = -1}); }).find("foundation"),
              std::string::npos);
    const MaterialId a = model.add(Material{.foundation = 1e6});
    ContactLaw law;
    law.foundation = 1e6;
    EXPECT_NE(message_of([&] {
                  model.add(ContactPair{a, a, law});
              }).find("volumetric"),
              std::string::npos);
    law.normal = ContactLaw::Normal::volumetric;
    law.stiffness = 1;
    EXPECT_NE(message_of([&] {
                  model.add(ContactPair{a, a, law});
              }).find("stiffness"),
              std::string::npos);
    add_box(model, {1, 1, 1}, 1, {0, 0, 1}, {}, a);
    model.add(Shape{.body = Model::ground(),
                    .geometry = HeightField{2, 2, 1, 1, {0, 0, 0, 0}},
                    .material = a,
                    .name = "hills"});
    const std::string message = message_of([&] { World world(model); });
    EXPECT_NE(message.find("hills"), std::string::npos) << message;
    EXPECT_NE(message.find("height field"), std::string::npos) << message;
}

// A mesh packed with balls far away on the same table: the box that slides on it is none of their business.
TEST(PatchContact, BallsAreForThoseWhoAskedForThem) {
    for (double step : {5e-3, 1e-3}) {
        Model m;
        const MaterialId s = m.add(Material{
            .restitution = 0, .static_friction = 0.3, .kinetic_friction = 0.3, .foundation = 1e8});
        const BodyId box = m.add(Body::box({0.4, 0.4, 0.1}, 5).at({0, 0, 0.05}).moving({2, 0, 0}));
        m.add(Shape{.body = box, .geometry = Box{{0.4, 0.4, 0.1}}, .material = s});
        const BodyId packed = m.add(Body::box({0.2, 0.2, 0.2}, 16).at({12, 0, 0.101}));
        Mesh mesh{std::make_shared<const TriangleMesh>(tessellated(Box{{0.2, 0.2, 0.2}}))};
        mesh.spheres = 100;
        m.add(Shape{.body = packed, .geometry = mesh, .material = s});
        m.add(Shape{.body = Model::ground(),
                    .geometry = Box{{20, 2, 0.5}},
                    .pose = {{7, 0, -0.25}, {}},
                    .material = s});
        World world(m, {.step = step});
        world.advance_to(1.2);
        EXPECT_NEAR(world.pose(box).position.x, 4 / (2 * 0.3 * 9.81), 5e-3) << step;
        EXPECT_NEAR(world.pose(box).position.z, 0.05, 1e-3) << step;
    }
}

}  // namespace
}  // namespace bristle::step
