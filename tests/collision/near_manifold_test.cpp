// Faces on faces: how many points, where, and that they are the same from step to step.
#include "collision/near/near.h"
#include "geometry/convex_hull.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace bristle::collision {
namespace {

using testing_support::Random;

Collider box(Vec3 half) {
    Collider c{ColliderKind::box};
    c.half = half;
    return c;
}
Collider cylinder(double radius, double half_length) {
    Collider c{ColliderKind::cylinder};
    c.radius = radius;
    c.half_length = half_length;
    return c;
}
Collider capsule(double radius, double half_length) {
    Collider c{ColliderKind::capsule};
    c.radius = radius;
    c.half_length = half_length;
    return c;
}

ContactPoints contacts_of(const Placed& a, const Placed& b, double margin) {
    ContactPoints out;
    collide(a, b, margin, out);
    return out;
}

std::set<uint32_t> features_of(const ContactPoints& contacts) {
    std::set<uint32_t> features;
    for (const ContactPoint& c : contacts) features.insert(c.feature);
    return features;
}

// The area that the points span, seen along z: what a manifold is for.
double area_of(const ContactPoints& contacts) {
    double largest = 0;
    for (const auto& p : contacts)
        for (const auto& q : contacts)
            for (const auto& r : contacts)
                for (const auto& s : contacts)
                    largest = std::max(largest,
                                       0.5 * std::abs(cross(r.on_a - p.on_a, s.on_a - q.on_a).z));
    return largest;
}

const Quat lying = Quat::about({0, 1, 0}, pi / 2);

TEST(NearManifold, OfTwoFacesIsTheirOverlap) {
    const Collider small = box({1, 1, 1}), large = box({2, 2, 1});
    const Mat3 turned = Quat::about({0, 0, 1}, 0.4).matrix();
    const Placed b{&large, Mat3::identity(), {}};
    const ContactPoints inside = contacts_of({&small, turned, {0.2, 0.1, 1.99}}, b, 0.02);
    ASSERT_EQ(inside.size(), 4u);
    EXPECT_NEAR(area_of(inside), 4, 1e-12);
    const ContactPoints half_over = contacts_of({&small, Mat3::identity(), {2, 0, 1.99}}, b, 0.02);
    ASSERT_EQ(half_over.size(), 4u);
    EXPECT_NEAR(area_of(half_over), 2, 1e-12);
    for (const ContactPoint& c : half_over) EXPECT_NEAR(c.depth, 0.01, 1e-12);
}

TEST(NearManifold, OfAnOctagonKeepsFourPointsOfNearlyAllItsArea) {
    const Collider a = box({1, 1, 1});
    const ContactPoints c = contacts_of({&a, Quat::about({0, 0, 1}, pi / 4).matrix(), {0, 0, 1.99}},
                                        {&a, Mat3::identity(), {}}, 0.02);
    ASSERT_EQ(c.size(), 4u);
    const double octagon = 8 * (std::sqrt(2) - 1);
    EXPECT_GT(area_of(c), 0.6 * octagon);
}

TEST(NearManifold, BelongsToTheFaceThatTheOthersCornersTouch) {
    const Collider small = box({1, 1, 1}), large = box({2, 2, 1});
    const ContactPoints c =
        contacts_of({&small, Quat::about({1, 0, 0}, 0.01).matrix(), {0, 0, 1.99}},
                    {&large, Mat3::identity(), {}}, 0.05);
    ASSERT_EQ(c.size(), 4u);
    for (const ContactPoint& p : c) {
        EXPECT_EQ(p.normal_of, NormalOf::b);
        EXPECT_EQ(p.normal, (Vec3{0, 0, 1}));
        EXPECT_EQ(p.curvature_b.largest(), 0);
        EXPECT_EQ(p.curvature_a.largest(), Curvature::sharp);
    }
}

TEST(NearManifold, OfACylinderOnABoxIsFourStandingAndTwoLying) {
    const Collider can = cylinder(0.5, 1), floor = box({4, 4, 1});
    const Placed b{&floor, Mat3::identity(), {}};
    EXPECT_EQ(contacts_of({&can, Mat3::identity(), {0, 0, 1.999}}, b, 0.01).size(), 4u);
    const ContactPoints c = contacts_of({&can, lying.matrix(), {0, 0, 1.499}}, b, 0.01);
    ASSERT_EQ(c.size(), 2u);
    EXPECT_NEAR(norm(c[0].on_a - c[1].on_a), 2, 1e-9);
    EXPECT_NEAR(c[0].curvature_a.first, 2, 1e-12);
    EXPECT_EQ(c[0].curvature_a.second, 0);
    EXPECT_EQ(c[0].normal_of, NormalOf::b);
}

TEST(NearManifold, OfACapsuleLyingOverTheEdgeOfABoxEndsAtTheEdge) {
    const Collider rod = capsule(0.25, 2), floor = box({1, 1, 1});
    ContactPoints c =
        contacts_of({&rod, lying.matrix(), {1, 0, 1.24}}, {&floor, Mat3::identity(), {}}, 0.01);
    ASSERT_EQ(c.size(), 2u);
    std::sort(c.begin(), c.end(), [](const auto& x, const auto& y) { return x.on_a.x < y.on_a.x; });
    EXPECT_NEAR(c[0].on_a.x, -1, 1e-9);
    EXPECT_NEAR(c[1].on_a.x, 1, 1e-9);
}

// One point at a time, now at this end and now at that, would hold nothing between two rollers that lie side by side.
TEST(NearManifold, OfRollersThatAreAskewIsAtBothEnds) {
    Random random(5);
    for (int k = 0; k < 300; ++k) {
        const double ra = random.uniform(0.05, 0.2), rb = random.uniform(0.05, 0.2),
                     depth = 0.02 * (ra + rb), askew = random.uniform(0.002, 0.05);
        const Collider a = k % 2 == 0 ? cylinder(ra, 0.2) : capsule(ra, 0.2),
                       b = cylinder(rb, random.uniform(0.2, 0.3));
        const Mat3 turn = random.rotation().matrix();
        const Vec3 apart{ra + rb - depth, 0, random.uniform(-0.05, 0.05)};
        const Placed at_b{&b, turn, random.vector(1)},
            at_a{&a, turn * Quat::about({1, 0, 0}, askew).matrix(), at_b.position + turn * apart};
        const ContactPoints found = contacts_of(at_a, at_b, 0.01);
        ASSERT_GE(found.size(), 2u) << k;
        double low = 1, high = -1;
        for (const ContactPoint& c : found) {
            // Of circles: along b's axis, and beside it.
            const Vec3 on_a = turn.transposed() * (c.on_a - at_b.position);
            const double z = on_a.z, beside = askew * (z - apart.z);
            const double expected = ra + rb - std::hypot(apart.x, beside);
            EXPECT_NEAR(c.depth, expected, 0.1 * (depth - expected) + 0.01 * depth) << k;
            low = std::min(low, z);
            high = std::max(high, z);
        }
        EXPECT_GT(high - low, 0.3) << k;
    }
}

// Bodies at rest move by a millionth from step to step: their contacts must be known again.
TEST(NearManifold, KeepsItsFeaturesThroughSmallMotions) {
    std::vector<Vec3> prism;
    for (int k = 0; k < 5; ++k)
        for (const double z : {-0.5, 0.5})
            prism.push_back({std::cos(1.2566 * k), std::sin(1.2566 * k), z});
    const ConvexHull hull(prism);
    Collider pentagon{ColliderKind::convex};
    pentagon.hull = &hull;
    const Collider crate = box({1, 0.8, 0.5}), can = cylinder(0.6, 0.5), rod = capsule(0.5, 1),
                   floor = box({3, 3, 1}), small = box({0.4, 0.3, 0.5}), plane{ColliderKind::plane};
    const Mat3 up = Mat3::identity(), over = lying.matrix();
    struct Rest {
        const char* name;
        Placed a, b;
        size_t points;
    };
    const Rest rests[] = {
        {"box on box", {&crate, up, {0.3, 0.1, 1.499}}, {&floor, up, {}}, 4},
        {"box half over box", {&crate, up, {3.1, 0.1, 1.499}}, {&floor, up, {}}, 4},
        {"box on smaller box", {&crate, up, {0.1, 0.05, 0.999}}, {&small, up, {}}, 4},
        {"prism on box", {&pentagon, up, {0.3, 0.1, 1.499}}, {&floor, up, {}}, 5},
        {"prism on prism", {&pentagon, up, {0.3, 0.1, 0.999}}, {&pentagon, up, {}}, 5},
        {"can on box", {&can, up, {0.3, 0.1, 1.499}}, {&floor, up, {}}, 5},
        {"can lying on box", {&can, over, {0.3, 0.1, 1.599}}, {&floor, up, {}}, 2},
        {"capsule on box", {&rod, over, {0.3, 0.1, 1.499}}, {&floor, up, {}}, 2},
        {"can on plane", {&can, up, {0.3, 0.1, 0.499}}, {&plane, up, {}}, 5},
        {"box on plane", {&crate, up, {0.3, 0.1, 0.499}}, {&plane, up, {}}, 4},
    };
    Random random(3);
    for (const Rest& rest : rests) {
        const auto near = [&] {
            Placed moved = rest.a;
            moved.position += random.vector(1e-6);
            moved.rotation = Quat::about(random.direction(), 1e-6).matrix() * moved.rotation;
            return contacts_of(moved, rest.b, 0.01);
        };
        const ContactPoints first = near();
        EXPECT_LE(first.size(), rest.points) << rest.name;
        EXPECT_GE(first.size(), std::min<size_t>(rest.points, 4)) << rest.name;
        for (int i = 0; i < 200; ++i) {
            const ContactPoints next = near();
            // One more may be the very deepest point, where that changes; the others stay.
            std::vector<uint32_t> changed;
            const auto before = features_of(first), now = features_of(next);
            std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                          std::back_inserter(changed));
            ASSERT_LE(changed.size(), rest.points == 5 ? 2u : 0u) << rest.name;
            ASSERT_EQ(features_of(next).size(), next.size()) << rest.name;
            // The same feature is the same place.
            std::map<uint32_t, Vec3> places;
            for (const ContactPoint& c : first) places[c.feature] = c.on_b;
            for (const ContactPoint& c : next) {
                const bool is_rolling =
                    c.feature >> 31 || c.feature == 64;  // the deepest point of a rim
                if (!is_rolling && places.count(c.feature)) {
                    ASSERT_LT(norm(places[c.feature] - c.on_b), 1e-4) << rest.name;
                }
            }
        }
    }
}

}  // namespace
}  // namespace bristle::collision
