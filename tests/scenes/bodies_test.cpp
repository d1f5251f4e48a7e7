// The scenes with many bodies start as they say: assembled, complete, and with nothing pressed into anything.
#include "scenes/bodies.h"

#include <bristle/world.h>

#include "scenes/plain/box_depth.h"
#include "scenes/plain/boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace bristle::scenes {
namespace {

// Of all boxes that move, as they start.
std::vector<plain::PlacedBox> boxes_of(const Model& model) {
    std::vector<plain::PlacedBox> out;
    for (const Shape& shape : model.shapes()) {
        const Box* box = std::get_if<Box>(&shape.geometry);
        if (box == nullptr || shape.body == Model::ground()) continue;
        const Body& body = model.bodies()[shape.body.index];
        const auto& [w, x, y, z] = body.orientation;
        const Vec3 p = body.position;
        out.push_back({{box->size.x, box->size.y, box->size.z}, {{p.x, p.y, p.z}, {w, {x, y, z}}}});
    }
    return out;
}

// Shapes that may touch and overlap by more than rounding, found by the engine's own queries.
size_t overlaps(const Model& model) {
    std::set<std::pair<uint32_t, uint32_t>> joined;
    for (const Joint& joint : model.joints()) {
        joined.insert({joint.a.index, joint.b.index});
        joined.insert({joint.b.index, joint.a.index});
    }
    const World world(model);
    size_t count = 0;
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        for (const ShapeId other : world.shapes_overlapping({i})) {
            const BodyId a = model.shapes()[i].body, b = model.shapes()[other.index].body;
            if (other.index < i || a == b || joined.contains({a.index, b.index})) continue;
            const auto apart = world.closest_points({i}, other);
            count += apart && apart->distance < -1e-12;
        }
    return count;
}

double top_of(const Model& model) {
    double top = 0;
    for (const auto& box : boxes_of(model))
        top = std::max(top, box.center[2] + box.reach({0, 0, 1}));
    return top;
}

TEST(Bodies, StackOfTwentyIsThatOfTheDocument) {
    const ManyBodies scene = stack(20);
    ASSERT_EQ(scene.bodies.size(), 20u);
    const Body& top = scene.model.bodies()[scene.bodies.back().index];
    EXPECT_DOUBLE_EQ(top.position.z, 9.75);
    EXPECT_DOUBLE_EQ(top.mass, 1);
    const ContactLaw law = scene.model.contact_law({1}, {1});
    EXPECT_DOUBLE_EQ(law.kinetic_friction, 0.25);
    EXPECT_DOUBLE_EQ(law.restitution, 0.25);
    EXPECT_LT(plain::depths(boxes_of(scene.model)).max, 1e-14);
}

TEST(Bodies, StackInAPlaneWeighsByArea) {
    const ManyBodies scene = stack(3, Motion::in_plane);
    EXPECT_TRUE(scene.model.plane_normal.has_value());
    const Body& box = scene.model.bodies()[scene.bodies[0].index];
    EXPECT_DOUBLE_EQ(box.mass, 2);
    EXPECT_DOUBLE_EQ(box.inertia(1, 1), 2 * 0.25 / 6);
}

TEST(Bodies, PyramidAndWallAreComplete) {
    EXPECT_EQ(pyramid(20).bodies.size(), 210u);
    EXPECT_DOUBLE_EQ(top_of(pyramid(20).model), 10);
    EXPECT_LT(plain::depths(boxes_of(pyramid(20).model)).max, 1e-14);
    // Every other course has one brick more, two of them halves.
    EXPECT_EQ(wall(10, 6).bodies.size(), 63u);
    EXPECT_NEAR(top_of(wall(10, 6).model), 1.2, 1e-14);
    EXPECT_LT(plain::depths(boxes_of(wall(10, 6).model)).max, 1e-14);
}

TEST(Bodies, PileStartsClear) {
    for (const int count : {1000, 5000}) {
        const ManyBodies scene = pile(count);
        EXPECT_EQ(scene.bodies.size(), static_cast<size_t>(count));
        const auto cubes = boxes_of(scene.model);
        EXPECT_EQ(plain::depths(cubes).pairs, 0u);
        for (const auto& cube : cubes) {
            ASSERT_LT(std::abs(cube.center[0]) + cube.reach({1, 0, 0}), 1.6);
            ASSERT_LT(std::abs(cube.center[1]) + cube.reach({0, 1, 0}), 1.6);
            ASSERT_GT(cube.center[2] - cube.reach({0, 0, 1}), 0);
        }
    }
    // Five shapes stand still: the walls and the floor.
    EXPECT_EQ(pile(100).model.shapes().size(), 105u);
    EXPECT_EQ(overlaps(pile(100).model), 0u);
}

TEST(Bodies, OfPilesAndTumblersStartInTheirRoom) {
    for (const auto& scene : {plain::pile(1000), plain::tumbler(250)})
        for (const auto& body : scene.bodies)
            ASSERT_TRUE(scene.room.contains(body.pose.position)) << body.name;
}

// A smaller pile is the lower part of a larger one.
TEST(Bodies, PileHasTheSamePosesInEveryProgram) {
    const auto poses = plain::pile_poses(1000);
    const ManyBodies scene = pile(200);
    for (size_t i = 0; i < 200; ++i) {
        const Body& cube = scene.model.bodies()[scene.bodies[i].index];
        ASSERT_EQ(cube.position.x, poses[i].position[0]);
        ASSERT_NEAR(cube.orientation.w, poses[i].orientation.w, 1e-15);  // it is normalized
    }
    // The first numbers, so that a changed generator is noticed.
    EXPECT_NEAR(poses[0].position[0], -1.2740715299662078, 1e-15);
    EXPECT_NEAR(poses[999].orientation.w, 0.99715149598230146, 1e-15);
}

TEST(Bodies, RagdollsAreWhole) {
    const ManyBodies scene = ragdolls(50);
    EXPECT_EQ(scene.bodies.size(), 550u);
    EXPECT_EQ(scene.joints.size(), 500u);
    EXPECT_EQ(scene.model.limits().size(), 200u);
    EXPECT_TRUE(scene.model.is_assembled());
    EXPECT_EQ(overlaps(scene.model), 0u);
    double mass = 0;
    const ManyBodies one = ragdolls(1);
    for (const BodyId body : one.bodies) mass += one.model.bodies()[body.index].mass;
    EXPECT_NEAR(mass, 73, 5);  // a grown man's
}

// The masses of scenes/plain/scene.h are those of the engine's own geometry.
TEST(Bodies, MassesAreThoseOfTheirShapes) {
    for (const ManyBodies& scene : {ragdolls(1), chains(1, 2), tumbler(3)})
        for (const Shape& shape : scene.model.shapes()) {
            if (shape.body == Model::ground()) continue;
            const Body& body = scene.model.bodies()[shape.body.index];
            const Body expected = Body::of(shape.geometry, 1000);
            EXPECT_NEAR(body.mass, expected.mass, 1e-12 * expected.mass) << body.name;
            EXPECT_LT(norm(expected.center), 1e-12) << body.name;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    EXPECT_NEAR(body.inertia(i, j), expected.inertia(i, j),
                                1e-12 * expected.inertia.trace())
                        << body.name << " " << i << j;
        }
}

TEST(Bodies, ChainsAndGridsAreAssembled) {
    const ManyBodies hanging = chains(3, 10);
    EXPECT_EQ(hanging.bodies.size(), 30u);
    EXPECT_EQ(hanging.joints.size(), 30u);
    EXPECT_TRUE(hanging.model.is_assembled());
    EXPECT_EQ(overlaps(hanging.model), 0u);
    // Each joint is at the end of both its links.
    for (const Joint& joint : hanging.model.joints()) {
        const Body& link = hanging.model.bodies()[joint.b.index];
        const Vec3 top = Pose{link.position, link.orientation} * Vec3{0, 0, 0.1};
        EXPECT_LT(norm(top - joint.at_b), 1e-14);
    }
    const ManyBodies net = joint_grid(10);
    EXPECT_EQ(net.bodies.size(), 100u);
    EXPECT_EQ(net.joints.size(), 182u);  // 2·10·9 between neighbours, two to the ground
    EXPECT_TRUE(net.model.is_assembled());
    EXPECT_EQ(overlaps(net.model), 0u);
}

TEST(Bodies, TumblerHoldsItsCubes) {
    const ManyBodies scene = tumbler(250);
    EXPECT_EQ(scene.bodies.size(), 251u);
    EXPECT_EQ(scene.model.drives().size(), 1u);
    EXPECT_EQ(overlaps(scene.model), 0u);
    for (const auto& cube : boxes_of(scene.model)) {
        ASSERT_LT(std::abs(cube.center[0]), 1.5);
        ASSERT_LT(std::abs(cube.center[1]), 0.5 * (3 * 0.28 + 0.04) - 0.1);
        ASSERT_LT(std::abs(cube.center[2]), 1.5);
    }
}

TEST(Bodies, CardsJustTouch) {
    for (const int storeys : {1, 2, 3, 5}) {
        const CardHouse house = card_house(storeys);
        const auto n = static_cast<size_t>(storeys);
        EXPECT_EQ(house.leaning.size(), n * (n + 1));
        EXPECT_EQ(house.laid.size(), n * (n - 1) / 2);
        const auto cards = boxes_of(house.model);
        EXPECT_EQ(plain::depths(cards).pairs, 0u);
        EXPECT_NEAR(top_of(house.model), house.ridge, 1e-14);
        // With all cards 2 gaps thicker, those that should touch do: partners at their ridge; ridges, two
        // edges each, and the laid cards above them; laid cards and the feet on them; laid neighbours.
        std::vector<plain::PlacedBox> thicker = cards;
        for (auto& card : thicker)
            for (double& half : card.half) half += 2 * house.gap;
        size_t expected = n * (n + 1) / 2;
        for (size_t pairs = 2; pairs <= n; ++pairs) {
            const size_t laid = pairs - 1;
            // Outer ridges bear with both edges; inner ones with one edge each under either card.
            expected += 2 * laid + 2 + 2 * laid + (laid - 1);
        }
        EXPECT_EQ(plain::depths(thicker).pairs, expected) << storeys;
    }
}

TEST(Bodies, LeaningCardsStandInBalance) {
    EXPECT_LT(std::tan(card_house(1).angle), card_house(1).model.materials()[1].static_friction);
}

TEST(Bodies, HeavyBoxRestsOnTheLightOne) {
    const HeavyOnLight scene = heavy_on_light(1000);
    const auto& bodies = scene.model.bodies();
    EXPECT_DOUBLE_EQ(bodies[scene.heavy.index].mass / bodies[scene.light.index].mass, 1000);
    EXPECT_LT(plain::depths(boxes_of(scene.model)).max, 1e-14);
}

TEST(Bodies, WeightOfTheChainIsThatOfItsLinks) {
    const WeightedChain scene = weighted_chain(100);
    EXPECT_EQ(scene.links.size(), 100u);
    EXPECT_EQ(scene.joints.size(), 101u);
    EXPECT_TRUE(scene.model.is_assembled());
    EXPECT_EQ(overlaps(weighted_chain(5).model), 0u);
    double links = 0;
    for (const BodyId link : scene.links) links += scene.model.bodies()[link.index].mass;
    EXPECT_NEAR(scene.model.bodies()[scene.weight.index].mass, links, 1e-12 * links);
    EXPECT_DOUBLE_EQ(scene.end.z, -20);
}

// The ball passes the wall within a step of a millisecond, so that only a swept test can see it.
TEST(Bodies, FastBallIsInFrontOfItsWall) {
    const FastBall scene = fast_ball();
    const Body& ball = scene.model.bodies()[scene.ball.index];
    EXPECT_LT(ball.position.x + scene.radius, scene.wall);
    EXPECT_GT(scene.speed * 1e-3, scene.thickness + 2 * scene.radius);
    EXPECT_EQ(overlaps(scene.model), 0u);
}

}  // namespace
}  // namespace bristle::scenes
