// What every joint promises, read from the bodies' poses alone.
#include <bristle/world.h>

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

Vec3 carried(const World& world, BodyId id, Vec3 at) {
    const Body& body = world.model().bodies()[id.index];
    return world.pose(id) * (body.orientation.matrix().transposed() * (at - body.position));
}

Mat3 turned(const World& world, BodyId id) {
    return world.pose(id).orientation.matrix()
         * world.model().bodies()[id.index].orientation.matrix().transposed();
}

// How far the joint's parts have come apart.
double gap(const World& world, const Joint& j) {
    const Mat3 ra = turned(world, j.a), rb = turned(world, j.b);
    const Vec3 at_a = carried(world, j.a, j.at_a), at_b = carried(world, j.b, j.at_b),
               way = at_b - at_a;
    const Vec3 axis = ra * j.axis, axis_of_b = rb * j.axis_b;
    const double apart = norm(way), beside = norm(way - dot(way, axis) * axis),
                 above = std::abs(dot(way, axis));
    const double tilted = norm(cross(axis, axis_of_b));
    const Mat3 relative = ra.transposed() * rb;
    double twisted = 0;
    for (int k = 0; k < 3; ++k)
        twisted = std::max(twisted, norm(relative.column(k) - Mat3::identity().column(k)));
    switch (j.type) {
        case JointType::fixed: return std::max(apart, twisted);
        case JointType::revolute: return std::max(apart, tilted);
        case JointType::prismatic: return std::max(beside, twisted);
        case JointType::cylindrical: return std::max(beside, tilted);
        case JointType::spherical: return apart;
        case JointType::universal: return std::max(apart, std::abs(dot(axis, axis_of_b)));
        case JointType::planar: return std::max(above, tilted);
        case JointType::point_on_line: return beside;
        case JointType::point_on_plane: return above;
        case JointType::distance: return std::abs(apart - norm(j.at_b - j.at_a));
        case JointType::screw: {
            const Vec3 u = any_perpendicular(j.axis), v = relative * u;
            const double angle = std::atan2(dot(j.axis, cross(u, v)), dot(u, v));
            double slip = std::fmod(dot(way, axis) - j.ratio * angle, 2 * pi * j.ratio);
            slip = std::min(std::abs(slip), std::abs(std::abs(slip) - 2 * pi * j.ratio));
            return std::max({beside, tilted, slip});
        }
        // These hold no two bodies together: they compare angles and ways.
        case JointType::gear:
        case JointType::turn_gauge:
        case JointType::swing_gauge:
        case JointType::slide_gauge: break;
    }
    return 0;
}

class Joints : public testing::TestWithParam<int> {};

TEST_P(Joints, HoldTheirBodiesTogether) {
    const Mechanism m = random_mechanism(static_cast<uint64_t>(GetParam()));
    World world(m.model);
    for (int i = 0; i < 20; ++i) {
        world.advance_to(0.02 * i);
        for (const Joint& j : m.model.joints())
            EXPECT_LE(gap(world, j), 1e-9) << to_string(j.type) << " at " << world.time();
    }
}

TEST_P(Joints, LetNothingMoveThatTheyHold) {
    // Velocities of the bodies' frames against the difference of poses over a short step.
    const Mechanism m = random_mechanism(static_cast<uint64_t>(GetParam()));
    World world(m.model, {.step = 1e-5});
    world.advance_to(1e-3);
    std::vector<Pose> was;
    for (BodyId b : m.bodies) was.push_back(world.pose(b));
    world.step();
    std::vector<Twist> twist;
    for (BodyId b : m.bodies) twist.push_back(world.twist(b));
    world.step();
    for (size_t i = 0; i < m.bodies.size(); ++i) {
        const Pose now = world.pose(m.bodies[i]);
        const Vec3 velocity = (now.position - was[i].position) / 2e-5;
        const Mat3 difference = now.orientation.matrix() * was[i].orientation.matrix().transposed();
        const Vec3 spin =
            Vec3{difference(2, 1) - difference(1, 2), difference(0, 2) - difference(2, 0),
                 difference(1, 0) - difference(0, 1)}
            / 4e-5;
        // Third derivatives times h² / 6, and rounding over h.
        EXPECT_NEAR(norm(velocity - twist[i].linear), 0, 1e-6 * (1 + norm(velocity)));
        EXPECT_NEAR(norm(spin - twist[i].angular), 0, 1e-6 * (1 + norm(spin)));
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, Joints, testing::Range(1, 31));

// All kinds between a carrier that tumbles and a body, one at a time, with the freedom they leave.
TEST(Joint, LeavesTheFreedomItsNameSays) {
    const std::pair<JointType, int> kinds[] = {
        {JointType::fixed, 0},       {JointType::revolute, 1},      {JointType::prismatic, 1},
        {JointType::cylindrical, 2}, {JointType::spherical, 3},     {JointType::universal, 2},
        {JointType::planar, 3},      {JointType::point_on_line, 4}, {JointType::point_on_plane, 5},
        {JointType::distance, 5},    {JointType::screw, 1}};
    for (auto [type, freedom] : kinds) {
        for (uint64_t seed = 1; seed <= 5; ++seed) {
            Random random(seed);
            Model m;
            const BodyId a = m.add(random_body(random, {})),
                         b = m.add(random_body(random, {1, 0, 0}));
            add_joint(m, type, a, b, {0.5, 0.1, 0.2}, random);
            World world(m);
            EXPECT_EQ(world.degrees_of_freedom(), 6 + freedom) << to_string(type);
            EXPECT_EQ(world.redundant_constraints(), 0) << to_string(type);
            world.advance_to(0.3);
            EXPECT_LE(gap(world, m.joints()[0]), 1e-9) << to_string(type);
        }
    }
}

}  // namespace
}  // namespace bristle::step
