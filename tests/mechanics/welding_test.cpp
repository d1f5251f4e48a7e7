// Bodies that are welded together, and the model as it is now.
#include "mechanics/welding.h"

#include <bristle/world.h>

#include "tests/support/random.h"

#include <gtest/gtest.h>

namespace bristle::mechanics {
namespace {

using testing_support::Random;

TEST(Welding, GroundIsGroupZeroAndOthersGoByTheirFirstBody) {
    Model m;
    const BodyId a = m.add(Body::point(1)), b = m.add(Body::point(1)), c = m.add(Body::point(1)),
                 d = m.add(Body::point(1));
    m.add(Fixed{.a = d, .b = b, .at = {}});
    m.add(Fixed{.a = m.ground(), .b = c, .at = {}});
    const Welding w = weld(m);
    EXPECT_EQ(w.group_of, (std::vector<uint32_t>{0, 1, 2, 0, 2}));
    ASSERT_EQ(w.groups.size(), 3u);
    EXPECT_TRUE(w.groups[0].is_ground);
    EXPECT_EQ(w.groups[1].bodies, std::vector<BodyId>{a});
    EXPECT_EQ(w.groups[2].bodies, (std::vector<BodyId>{b, d}));
}

// Two halves of a box, turned anyhow, have the mass, centre and inertia of the box.
TEST(Welding, HalvesMakeAWhole) {
    Random random(7);
    for (int i = 0; i < 50; ++i) {
        const Vec3 size{random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)};
        const Quat turn = random.rotation();
        const Vec3 at = random.vector(3);
        Model whole, halves;
        whole.add(Body::box(size, 6).at(at, turn));
        const Vec3 half{size.x / 2, size.y, size.z}, aside = turn.matrix() * Vec3{size.x / 4, 0, 0};
        const BodyId left = halves.add(Body::box(half, 3).at(at - aside, turn)),
                     right = halves.add(Body::box(half, 3).at(at + aside, turn));
        halves.add(Fixed{.a = left, .b = right, .at = at});
        const Welding one = weld(whole), two = weld(halves);
        EXPECT_NEAR(one.groups[1].mass, two.groups[1].mass, 1e-12);
        EXPECT_NEAR(norm(one.groups[1].center - two.groups[1].center), 0, 1e-12);
        const Mat3 difference = one.groups[1].inertia() - two.groups[1].inertia();
        for (const Vec3& row : difference.row) EXPECT_NEAR(norm(row), 0, 1e-11);
        const Mat3 r = turn.matrix(),
                   known = r * whole.bodies()[1].inertia * r.transposed() - one.groups[1].inertia();
        for (const Vec3& row : known.row) EXPECT_NEAR(norm(row), 0, 1e-11);
    }
}

TEST(Welding, SizeOfNothingIsAMetre) {
    Model m;
    EXPECT_EQ(model_size(m, weld(m)), 1);
    m.add(Body::point(1));
    EXPECT_EQ(model_size(m, weld(m)), 1);
    m.add(Body::point(1).at({3, 4, 0}));
    EXPECT_EQ(model_size(m, weld(m)), 5);
}

// Both solvers carry a model to the same place when nothing has moved, and a world of it goes on.
TEST(ModelNow, IsTheModelWhereNothingMoves) {
    Random random(11);
    Model m;
    m.gravity = {};
    const BodyId a = m.add(Body::box({1, 2, 3}, 2).at(random.vector(1), random.rotation())),
                 b = m.add(Body::box({1, 1, 2}, 2).at(random.vector(1), random.rotation()));
    m.add(Revolute{.a = m.ground(), .b = a, .at = random.vector(1), .axis = random.direction()});
    m.add(Universal{
        .a = a, .b = b, .at = random.vector(1), .axis_a = {1, 0, 0}, .axis_b = {0, 1, 0}});
    m.add(Bushing{.a = a, .b = b, .at = random.vector(1), .axes = random.rotation()});
    m.add(Spring{.a = a, .b = b, .at_a = random.vector(1), .at_b = random.vector(1)});
    for (const Settings& settings : {Settings{AugmentedLagrangian{}}, Settings{Impulse{}}}) {
        const Model now = World(m, settings).model_now();
        for (size_t i = 0; i < m.joints().size(); ++i) {
            EXPECT_NEAR(norm(now.joints()[i].at_a - m.joints()[i].at_a), 0, 1e-12);
            EXPECT_NEAR(norm(now.joints()[i].axis - m.joints()[i].axis), 0, 1e-12);
            EXPECT_NEAR(norm(now.joints()[i].axis_b - m.joints()[i].axis_b), 0, 1e-12);
        }
        EXPECT_NEAR(norm(now.springs()[0].at_b - m.springs()[0].at_b), 0, 1e-12);
        EXPECT_NEAR(norm(now.bushings()[0].at - m.bushings()[0].at), 0, 1e-12);
    }
}

// A driven hinge counts its turns, and a world made of the model now goes on from the same angle.
TEST(ModelNow, KeepsCountedTurnsUnderBothSolvers) {
    for (const Settings& settings : {Settings{AugmentedLagrangian{}}, Settings{Impulse{}}}) {
        Model m;
        m.gravity = {};
        const BodyId wheel = m.add(Body::box({1, 1, 1}, 1));
        const JointId hinge = m.add(
            Revolute{.a = m.ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}, .name = "hinge"});
        m.add(Drive{.joint = hinge, .control = Drive::Control::speed, .target = 10.0});
        World world(m, settings);
        world.advance_to(3);
        EXPECT_NEAR(world.coordinate(hinge), 30, 0.2);
        EXPECT_NEAR(World(world.model_now(), settings).coordinate(hinge), world.coordinate(hinge),
                    1e-9);
    }
}

}  // namespace
}  // namespace bristle::mechanics
