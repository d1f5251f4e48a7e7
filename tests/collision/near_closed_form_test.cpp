// Pairs whose contacts can be written down by hand.
#include "collision/near/near.h"
#include "geometry/convex_hull.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace bristle::collision {
namespace {

Collider sphere(double radius) {
    Collider c{ColliderKind::sphere};
    c.radius = radius;
    return c;
}
Collider capsule(double radius, double half_length) {
    Collider c{ColliderKind::capsule};
    c.radius = radius;
    c.half_length = half_length;
    return c;
}
Collider cylinder(double radius, double half_length) {
    Collider c{ColliderKind::cylinder};
    c.radius = radius;
    c.half_length = half_length;
    return c;
}
Collider box(Vec3 half) {
    Collider c{ColliderKind::box};
    c.half = half;
    return c;
}
Collider convex(const ConvexHull& hull) {
    Collider c{ColliderKind::convex};
    c.hull = &hull;
    return c;
}
ConvexHull block(Vec3 half) {
    std::vector<Vec3> points;
    points.reserve(8);
    for (int i = 0; i < 8; ++i)
        points.push_back(
            {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    return ConvexHull(points);
}
const Collider plane{ColliderKind::plane};

Placed at(const Collider& c, Vec3 position, Quat turned = {}) {
    return {&c, turned.matrix(), position};
}
const Quat to_x = Quat::about({0, 1, 0}, pi / 2);  // turns z to x

ContactPoints contacts_of(const Placed& a, const Placed& b, double margin = 0) {
    ContactPoints out;
    collide(a, b, margin, out);
    return out;
}

constexpr double rounding = 1e-14;

void expect_contact(const ContactPoint& c, double depth, Vec3 normal, Vec3 on_a,
                    NormalOf normal_of) {
    EXPECT_NEAR(c.depth, depth, rounding);
    EXPECT_LT(norm(c.normal - normal), rounding);
    EXPECT_LT(norm(c.on_a - on_a), rounding);
    EXPECT_LT(norm(c.on_b - c.on_a - depth * normal), rounding);
    EXPECT_EQ(c.normal_of, normal_of);
}

TEST(NearClosedForm, SphereOnSphereTouchesOnTheLineOfCenters) {
    const Collider small = sphere(1), large = sphere(2);
    const ContactPoints c = contacts_of(at(small, {0, 0, 2.5}), at(large, {}));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.5, {0, 0, 1}, {0, 0, 1.5}, NormalOf::centers);
    EXPECT_EQ(c[0].curvature_a.first, 1);
    EXPECT_EQ(c[0].curvature_b.second, 0.5);
}

TEST(NearClosedForm, ConcentricSpheresSeparateByBothRadii) {
    const Collider small = sphere(1), large = sphere(2);
    const ContactPoints c = contacts_of(at(small, {1, 2, 3}), at(large, {1, 2, 3}));
    ASSERT_EQ(c.size(), 1u);
    EXPECT_EQ(c[0].depth, 3);
    EXPECT_EQ(norm(c[0].normal), 1);
}

TEST(NearClosedForm, SphereInABoxLeavesThroughTheNearestFace) {
    const Collider ball = sphere(0.1), crate = box({1, 2, 3});
    const ContactPoints c = contacts_of(at(ball, {0.5, 1.9, -1}), at(crate, {}));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.2, {0, 1, 0}, {0.5, 1.8, -1}, NormalOf::b);
    EXPECT_EQ(c[0].curvature_b.ball_radius(), Curvature::sharp);
}

TEST(NearClosedForm, SphereOnTheCornerOfABoxTurnsAboutTheCorner) {
    const Collider ball = sphere(1), crate = box({1, 1, 1});
    const double s = 1 / std::sqrt(3);
    const ContactPoints c =
        contacts_of(at(ball, Vec3{1, 1, 1} + 0.75 * Vec3{s, s, s}), at(crate, {}));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.25, {s, s, s}, Vec3{1, 1, 1} - 0.25 * Vec3{s, s, s}, NormalOf::centers);
    EXPECT_EQ(c[0].curvature_b.ball_radius(), 0);
}

TEST(NearClosedForm, SphereInACylinderLeavesByTheSmallerOfSideAndCap) {
    const Collider ball = sphere(0.1), can = cylinder(1, 2);
    ContactPoints c = contacts_of(at(ball, {0.75, 0, 1.5}), at(can, {}));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.35, {1, 0, 0}, {0.65, 0, 1.5}, NormalOf::centers);
    EXPECT_EQ(c[0].curvature_b.first, 1);
    EXPECT_EQ(c[0].curvature_b.second, 0);
    c = contacts_of(at(ball, {0.75, 0, -1.875}), at(can, {}));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.225, {0, 0, -1}, {0.75, 0, -1.775}, NormalOf::b);
}

TEST(NearClosedForm, SphereAtTheRimOfACylinderIsHeldByTheRim) {
    const Collider ball = sphere(1), can = cylinder(1, 2);
    const ContactPoints c = contacts_of(at(ball, {1.3, 0, 2.4}), at(can, {}));
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, 0.5, rounding);
    EXPECT_LT(norm(c[0].normal - Vec3{0.6, 0, 0.8}), rounding);
    EXPECT_EQ(c[0].curvature_b.first, Curvature::sharp);
    EXPECT_NEAR(c[0].curvature_b.second, 0.6, rounding);  // Meusnier
    EXPECT_EQ(c[0].normal_of, NormalOf::centers);
}

TEST(NearClosedForm, CrossedCapsulesTouchOnce) {
    const Collider rod = capsule(0.25, 1);
    const ContactPoints c = contacts_of(at(rod, {0.5, 0.25, 0.4}, to_x),
                                        at(rod, {0.5, 0.25, 0}, Quat::about({1, 0, 0}, pi / 2)));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.1, {0, 0, 1}, {0.5, 0.25, 0.15}, NormalOf::centers);
}

TEST(NearClosedForm, CapsulesWhoseAxesMeetSeparateAcrossBoth) {
    const Collider rod = capsule(0.25, 1);
    const ContactPoints c =
        contacts_of(at(rod, {}, to_x), at(rod, {}, Quat::about({1, 0, 0}, pi / 2)));
    ASSERT_EQ(c.size(), 1u);
    EXPECT_EQ(c[0].depth, 0.5);
    EXPECT_NEAR(std::abs(c[0].normal.z), 1, rounding);
}

TEST(NearClosedForm, ParallelCapsulesTouchAtBothEndsOfWhatTheyShare) {
    const Collider rod = capsule(0.25, 1);
    ContactPoints c = contacts_of(at(rod, {0.5, 0, 0.4}, to_x), at(rod, {0, 0, 0}, to_x));
    ASSERT_EQ(c.size(), 2u);
    std::sort(c.begin(), c.end(), [](const auto& x, const auto& y) { return x.on_a.x < y.on_a.x; });
    expect_contact(c[0], 0.1, {0, 0, 1}, {-0.5, 0, 0.15}, NormalOf::centers);
    expect_contact(c[1], 0.1, {0, 0, 1}, {1, 0, 0.15}, NormalOf::centers);
    EXPECT_NE(c[0].feature, c[1].feature);
}

TEST(NearClosedForm, CapsuleLyingOnAPlaneRestsOnBothEnds) {
    const Collider rod = capsule(0.25, 1);
    const ContactPoints c = contacts_of(at(rod, {0, 0, 0.2}, to_x), at(plane, {}));
    ASSERT_EQ(c.size(), 2u);
    for (const ContactPoint& p : c)
        expect_contact(p, 0.05, {0, 0, 1}, {p.on_a.x, 0, -0.05}, NormalOf::b);
    EXPECT_NEAR(std::abs(c[0].on_a.x - c[1].on_a.x), 2, rounding);
}

TEST(NearClosedForm, BoxOnAPlaneRestsOnFourCornersAndTiltedOnFewer) {
    const Collider crate = box({1, 1, 1});
    EXPECT_EQ(contacts_of(at(crate, {0, 0, 0.99}), at(plane, {}), 0.01).size(), 4u);
    const Quat on_edge = Quat::about({1, 0, 0}, pi / 4);
    EXPECT_EQ(contacts_of(at(crate, {0, 0, 1.4}, on_edge), at(plane, {}), 0.01).size(), 2u);
    const Quat on_corner = Quat::about({1, -1, 0}, std::atan(std::sqrt(2)));
    const ContactPoints c = contacts_of(at(crate, {0, 0, 1.7}, on_corner), at(plane, {}), 0.01);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, std::sqrt(3) - 1.7, rounding);
}

TEST(NearClosedForm, CylinderStandsOnFourPointsLiesOnTwoAndLeansOnOne) {
    const Collider can = cylinder(1, 2);
    EXPECT_EQ(contacts_of(at(can, {0, 0, 1.99}), at(plane, {}), 0.01).size(), 4u);
    const ContactPoints lying = contacts_of(at(can, {0, 0, 0.99}, to_x), at(plane, {}), 0.01);
    ASSERT_EQ(lying.size(), 2u);
    EXPECT_EQ(lying[0].curvature_a.first, 1);
    EXPECT_EQ(lying[0].curvature_a.second, 0);
    const Quat leaning = Quat::about({0, 1, 0}, pi / 4);
    const ContactPoints c = contacts_of(at(can, {0, 0, 2.1}, leaning), at(plane, {}), 0.01);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, 3 / std::sqrt(2) - 2.1, rounding);
}

TEST(NearClosedForm, BoxesCrossedEdgeToEdgeTouchInOnePoint) {
    const Collider crate = box({1, 1, 1});
    const Quat edge_up = Quat::about({1, 0, 0}, pi / 4), edge_down = Quat::about({0, 1, 0}, pi / 4);
    const ContactPoints c =
        contacts_of(at(crate, {0.25, -0.125, 2 * std::sqrt(2) - 0.1}, edge_down),
                    at(crate, {0, 0, 0}, edge_up));
    ASSERT_EQ(c.size(), 1u);
    expect_contact(c[0], 0.1, {0, 0, 1}, {0.25, 0, std::sqrt(2) - 0.1}, NormalOf::b);
    EXPECT_EQ(c[0].curvature_a.first, Curvature::sharp);
    EXPECT_EQ(c[0].curvature_a.second, 0);
    EXPECT_NEAR(std::abs(c[0].curvature_a.direction.x), 1,
                rounding);  // across a's edge, which is along y
}

TEST(NearClosedForm, CylinderPairsAgreeWithTheFormulasOfTheirSides) {
    const Collider can = cylinder(0.5, 2), wide = cylinder(1, 2);
    // Crossed: across both axes.
    ContactPoints c =
        contacts_of(at(can, {0, 0, 1.4}, to_x), at(wide, {}, Quat::about({1, 0, 0}, pi / 2)));
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, 0.1, rounding);
    EXPECT_LT(norm(c[0].normal - Vec3{0, 0, 1}), rounding);
    EXPECT_LT(norm(c[0].on_a - Vec3{0, 0, 0.9}), 1e-12);  // GJK stops at 1e-13 of the distance
    EXPECT_EQ(c[0].normal_of, NormalOf::centers);
    // Parallel: two points on the common line.
    c = contacts_of(at(can, {1.4, 0, 1}), at(wide, {}));
    ASSERT_EQ(c.size(), 2u);
    for (const ContactPoint& p : c) EXPECT_NEAR(p.depth, 0.1, 1e-12);
    // With one axis: out through the side, which is nearer than the caps.
    c = contacts_of(at(can, {}), at(wide, {}));
    ASSERT_FALSE(c.empty());
    EXPECT_NEAR(c[0].depth, 1.5, 1e-9);
    EXPECT_NEAR(c[0].normal.z, 0, 1e-9);
}

TEST(NearClosedForm, BoxConvexAndBlockAreTheSameShape) {
    const Vec3 half{1, 0.5, 0.25};
    const ConvexHull hull = block(half);
    const Collider as_box = box(half), as_hull = convex(hull), floor = box({3, 3, 1});
    const Quat turned = Quat::about({1, 2, 3}, 0.3);
    for (const double height : {1.2, 1.3, 1.5, 1.55}) {
        const Vec3 position{0.3, 0.2, height};
        const ContactPoints x = contacts_of(at(as_box, position, turned), at(floor, {}), 0.05);
        const ContactPoints y = contacts_of(at(as_hull, position, turned), at(floor, {}), 0.05);
        ASSERT_EQ(x.size(), y.size()) << height;
        double deepest_x = -1, deepest_y = -1;
        for (size_t i = 0; i < x.size(); ++i) {
            deepest_x = std::max(deepest_x, x[i].depth);
            deepest_y = std::max(deepest_y, y[i].depth);
        }
        EXPECT_NEAR(deepest_x, deepest_y, 1e-13) << height;
    }
}

TEST(NearClosedForm, SwappingThePairMirrorsTheContact) {
    const Collider ball = sphere(1), crate = box({1, 1, 1});
    const ContactPoints x = contacts_of(at(ball, {0, 0, 1.9}), at(crate, {}));
    const ContactPoints y = contacts_of(at(crate, {}), at(ball, {0, 0, 1.9}));
    ASSERT_EQ(x.size(), 1u);
    ASSERT_EQ(y.size(), 1u);
    EXPECT_EQ(x[0].on_a, y[0].on_b);
    EXPECT_EQ(x[0].on_b, y[0].on_a);
    EXPECT_EQ(x[0].normal, -y[0].normal);
    EXPECT_EQ(x[0].depth, y[0].depth);
    EXPECT_EQ(x[0].normal_of, NormalOf::b);
    EXPECT_EQ(y[0].normal_of, NormalOf::a);
    EXPECT_EQ(x[0].curvature_a.first, y[0].curvature_b.first);
}

TEST(NearClosedForm, TouchingExactlyIsAContactAndBeyondTheMarginIsNone) {
    const Collider crate = box({1, 1, 1});
    EXPECT_EQ(contacts_of(at(crate, {0, 0, 2}), at(crate, {}), 0).size(), 4u);
    EXPECT_EQ(contacts_of(at(crate, {0, 0, 2.5}), at(crate, {}), 0.5).size(), 4u);
    EXPECT_TRUE(contacts_of(at(crate, {0, 0, 2.5}), at(crate, {}), 0.49).empty());
}

TEST(NearClosedForm, WhatIsNotFiniteTouchesNothing) {
    const ConvexHull hull = block({1, 1, 1});
    const Collider shapes[] = {sphere(1),      capsule(1, 1), box({1, 1, 1}),
                               cylinder(1, 1), convex(hull),  plane};
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const Collider& a : shapes)
            for (const Collider& b : shapes) {
                Placed broken = at(a, {bad, 0, 0});
                EXPECT_TRUE(contacts_of(broken, at(b, {}), 1).empty());
                EXPECT_TRUE(contacts_of(at(b, {}), broken, 1).empty());
                broken = at(a, {});
                broken.rotation(1, 1) = bad;
                EXPECT_TRUE(contacts_of(broken, at(b, {}), 1).empty());
                EXPECT_TRUE(contacts_of(at(a, {}), at(b, {}), std::nan("")).empty());
            }
}

TEST(NearClosedForm, SizesWithoutSenseGiveFiniteContactsOrNone) {
    testing_support::Random random(11);
    const double numbers[] = {0, 1e-300, 1e-160, 1e-20, 1, 1e20, 1e160, 1e300};
    const auto number = [&] { return numbers[random.integer(0, 7)]; };
    const auto any_shape = [&] {
        switch (random.integer(0, 4)) {
            case 0: return sphere(number());
            case 1: return capsule(number(), number());
            case 2: return cylinder(number(), number());
            case 3: return box({number(), number(), number()});
            default: return plane;
        }
    };
    for (int i = 0; i < 100000; ++i) {
        const Collider x = any_shape(), y = any_shape();
        const Vec3 position{number(), number(), number()};
        const Quat turned = random.chance(0.3) ? Quat{} : random.rotation();
        for (const ContactPoint& c : contacts_of(at(x, position, turned), at(y, {}), number())) {
            ASSERT_TRUE(is_finite(c.on_a) && is_finite(c.on_b) && is_finite(c.normal)) << i;
            ASSERT_TRUE(std::isfinite(c.depth)) << i;
        }
    }
}

TEST(NearClosedForm, SceneryDoesNotTouchScenery) {
    EXPECT_TRUE(contacts_of(at(plane, {}), at(plane, {}), 1).empty());
}

}  // namespace
}  // namespace bristle::collision
