// Tori against the distance of every point of their ring from the other shape.
#include "collision/near/near.h"
#include "collision/near/point_distance.h"
#include "geometry/convex_hull.h"
#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bristle::collision {
namespace {

using namespace testing_support;

Collider torus(double radius, double tube, bool is_half = false) {
    Collider c{};
    c.kind = ColliderKind::torus;
    c.radius = radius;
    c.tube = tube;
    c.is_half_torus = is_half;
    return c;
}
Collider plane() {
    Collider c{};
    c.kind = ColliderKind::plane;
    return c;
}
ContactPoints contacts(const Placed& a, const Placed& b, double margin) {
    ContactPoints out;
    collide(a, b, margin, out);
    return out;
}
double deepest(const ContactPoints& c) {
    double depth = -1e300;
    for (const ContactPoint& p : c) depth = std::max(depth, p.depth);
    return depth;
}
Vec3 ring_point(const Placed& t, double phi) {
    return t.to_world({t.collider->radius * std::cos(phi), t.collider->radius * std::sin(phi), 0});
}

// The least distance of ring points from the other shape: by samples, then golden section.
struct Least {
    double phi, distance;
};
template <class Distance>
Least least_along_ring(const Placed& t, int samples, const Distance& distance) {
    const bool is_half = t.collider->is_half_torus;
    const double length = is_half ? pi : 2 * pi;
    Least best{0, 1e300};
    for (int i = 0; i <= samples; ++i) {
        const double phi = length * i / samples, d = distance(ring_point(t, phi));
        if (d < best.distance) best = {phi, d};
    }
    double a = best.phi - length / samples, b = best.phi + length / samples;
    if (is_half) a = std::max(a, 0.0), b = std::min(b, pi);
    constexpr double golden = 0.6180339887498949;
    double c = b - golden * (b - a), d = a + golden * (b - a);
    double fc = distance(ring_point(t, c)), fd = distance(ring_point(t, d));
    for (int i = 0; i < 55; ++i) {
        if (fc < fd) {
            b = d, d = c, fd = fc, c = b - golden * (b - a), fc = distance(ring_point(t, c));
        } else {
            a = c, c = d, fc = fd, d = a + golden * (b - a), fd = distance(ring_point(t, d));
        }
    }
    return {c, std::min(fc, best.distance)};
}

class TorusOn : public testing::TestWithParam<ColliderKind> {};
TEST_P(TorusOn, IsAsDeepAsTheDeepestPointOfItsRing) {
    Random random(20 + static_cast<uint64_t>(GetParam()));
    int cases = 0, wrong = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        std::vector<Vec3> points;
        points.reserve(10);
        for (int i = 0; i < 10; ++i) points.push_back(random.vector(0.4));
        const ConvexHull hull(points);
        Collider c{};
        c.kind = GetParam();
        c.radius = random.uniform(0.15, 0.45);
        c.tube = random.uniform(0.05, 0.1);
        c.half_length = random.uniform(0.1, 0.5);
        c.half = {random.uniform(0.05, 0.5), random.uniform(0.05, 0.5), random.uniform(0.05, 0.5)};
        c.hull = &hull;
        const Collider ring =
            torus(random.uniform(0.2, 0.6), random.uniform(0.03, 0.15), trial % 3 == 0);
        const Placed x{&c, random.rotation().matrix(), random.vector(0.3)};
        Placed t{&ring, random.rotation().matrix(), x.position + random.vector(1)};
        const auto distance = [&](Vec3 p) { return distance_from(c, x.to_local(p)).distance; };
        Least least = least_along_ring(t, 360, distance);
        // Into touch, more or less.
        const Vec3 away =
            x.rotation * distance_from(c, x.to_local(ring_point(t, least.phi))).normal;
        t.position += (ring.tube - random.uniform(-0.01, 0.02) - least.distance) * away;
        least = least_along_ring(t, 360, distance);
        const double depth = ring.tube - least.distance;
        if (std::abs(depth) > 0.03) continue;
        // At an end the disc counts, not the ball.
        if (ring.is_half_torus && (least.phi < 1e-3 || least.phi > pi - 1e-3)) continue;
        ++cases;
        const auto out = contacts(t, x, 0.04);
        ASSERT_FALSE(out.empty());
        wrong += std::abs(deepest(out) - depth) > 1e-9 ? 1 : 0;
        for (const ContactPoint& p : out) {
            ASSERT_NEAR(norm(p.normal), 1, 1e-12);
            ASSERT_NEAR(dot(p.normal, p.on_b - p.on_a), p.depth, 1e-11);
            // Points it lies on are those of balls along the ring: inside the torus, if it is tilted.
            const bool is_lying = p.feature >= 8 && p.feature < 12;
            const double off = distance_from(ring, t.to_local(p.on_a)).distance;
            ASSERT_LT(off, 1e-9);
            ASSERT_GT(off, is_lying ? -0.5 * ring.tube : -1e-9);
        }
        if (GetParam() == ColliderKind::torus) continue;
        const auto other_way = contacts(x, t, 0.04);
        ASSERT_EQ(other_way.size(), out.size());
        ASSERT_EQ(other_way[0].normal, -out[0].normal);
    }
    EXPECT_GT(cases, 2000);
    EXPECT_LE(wrong, 1);  // two minima closer than 3° to each other
}
INSTANTIATE_TEST_SUITE_P(Kinds, TorusOn,
                         testing::Values(ColliderKind::sphere, ColliderKind::capsule,
                                         ColliderKind::box, ColliderKind::cylinder,
                                         ColliderKind::convex, ColliderKind::torus,
                                         ColliderKind::plane));

TEST(Torus, IsAsDeepInAMeshAsTheDeepestPointOfItsRing) {
    Random random(30);
    const MeshShape body(ball(10, 14, [](Vec3 d) { return 0.5 + 0.1 * std::sin(5 * d.x); }));
    const Placed x{&body.collider, random.rotation().matrix(), {0.1, 0.2, 0.3}};
    int cases = 0, wrong = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Collider ring = torus(random.uniform(0.2, 0.6), random.uniform(0.03, 0.15));
        Placed t{&ring, random.rotation().matrix(), x.position + random.vector(1)};
        const auto distance = [&](Vec3 p) {
            const Vec3 local = x.to_local(p);
            const double d = body.tree.nearest(local, 100).distance;
            return body.tree.contains(local) ? -d : d;
        };
        Least least = least_along_ring(t, 180, distance);
        const Vec3 p = ring_point(t, least.phi);
        const auto near = body.tree.nearest(x.to_local(p), 100);
        const Vec3 away = normalized(p - x.to_world(near.point)) * (least.distance < 0 ? -1 : 1);
        t.position += (ring.tube - random.uniform(-0.01, 0.02) - least.distance) * away;
        least = least_along_ring(t, 1440, distance);
        const double depth = ring.tube - least.distance;
        if (std::abs(depth) > 0.03) continue;
        ++cases;
        const auto out = contacts(t, x, 0.04);
        ASSERT_FALSE(out.empty());
        ASSERT_NEAR(deepest(out), depth, 2e-3 * ring.tube);
        wrong += std::abs(deepest(out) - depth) > 1e-9 ? 1 : 0;
    }
    EXPECT_GT(cases, 1200);
    EXPECT_LE(wrong, cases / 200);  // two minima closer than 0.7°, on two sides of an edge
}

TEST(Torus, LyingFlatItStandsOnFourPointsThatStay) {
    const Collider ring = torus(0.4, 0.05), ground = plane();
    const Placed b{&ground, Mat3::identity(), {}};
    Random random(31);
    for (int i = 0; i < 200; ++i) {
        const Mat3 turn = Quat::about({random.uniform(-1, 1), random.uniform(-1, 1), 0},
                                      i == 0 ? 0 : random.uniform(0, 1e-3))
                              .matrix();
        const auto out = contacts({&ring, turn, {1, 2, 0.049}}, b, 0.002);
        ASSERT_EQ(out.size(), 4u);
        double sum = 0;
        for (const ContactPoint& c : out) sum += static_cast<double>(c.feature);
        EXPECT_EQ(sum, 8 + 9 + 10 + 11);
        const double slope = std::hypot(turn(2, 0), turn(2, 1));
        EXPECT_NEAR(deepest(out), 0.001 + 0.4 * slope, 1e-15);
    }
    const MeshShape floor(random_sheet(random, 1, 9, 0.4, [](double, double) { return 0.0; }));
    const auto on_mesh = contacts({&ring, Mat3::identity(), {0, 0, 0.049}},
                                  {&floor.collider, Mat3::identity(), {}}, 0.002);
    ASSERT_EQ(on_mesh.size(), 4u);
    for (const ContactPoint& c : on_mesh) EXPECT_NEAR(c.depth, 0.001, 1e-14);
    const Collider half = torus(0.4, 0.05, true);
    EXPECT_EQ(contacts({&half, Mat3::identity(), {0, 0, 0.049}}, b, 0.002).size(), 3u);
}

TEST(Torus, ABallInTheHoleIsHeldAllAround) {
    const Collider ring = torus(0.4, 0.05);
    Collider ball{};
    ball.kind = ColliderKind::sphere;
    ball.radius = 0.6;
    const double depth = 0.002, height = std::sqrt(0.648 * 0.648 - 0.16);
    const auto out =
        contacts({&ball, Mat3::identity(), {0, 0, height}}, {&ring, Mat3::identity(), {}}, 0.001);
    ASSERT_EQ(out.size(), 4u);
    Vec3 sum;
    for (const ContactPoint& c : out) {
        EXPECT_NEAR(c.depth, depth, 1e-14);
        sum += c.normal;
    }
    EXPECT_NEAR(sum.x, 0, 1e-14);
    EXPECT_NEAR(sum.y, 0, 1e-14);
    EXPECT_GT(sum.z, 0);
}

TEST(Torus, AnArchStandsOnItsFlatEnds) {
    const Collider half = torus(0.4, 0.05, true), ground = plane();
    // y upward.
    const Mat3 upright = Mat3::columns({1, 0, 0}, {0, 0, 1}, {0, -1, 0});
    const auto out =
        contacts({&half, upright, {0, 0, -0.001}}, {&ground, Mat3::identity(), {}}, 0.0005);
    ASSERT_GE(out.size(), 6u);
    double low = 0, high = 0;
    for (const ContactPoint& c : out) {
        EXPECT_NEAR(c.depth, 0.001, 1e-14);
        low = std::min(low, c.on_a.x);
        high = std::max(high, c.on_a.x);
    }
    EXPECT_LT(low, -0.4);
    EXPECT_GT(high, 0.4);
}

TEST(Torus, AHalfTorusAndASphereTouchByTheDistanceFromTheSolid) {
    Random random(32);
    const Collider half = torus(0.4, 0.1, true);
    for (int i = 0; i < 30000; ++i) {
        Collider ball{};
        ball.kind = ColliderKind::sphere;
        ball.radius = random.uniform(0.02, 0.3);
        const Placed t{&half, random.rotation().matrix(), random.vector(1)};
        const Vec3 p = random.vector(0.7);
        const double d = distance_from(half, p).distance;
        if (d < 0) continue;
        const auto out = contacts({&ball, Mat3::identity(), t.to_world(p)}, t, 0.1);
        ASSERT_EQ(out.empty(), d > ball.radius + 0.1);
        if (!out.empty()) {
            ASSERT_NEAR(deepest(out), ball.radius - d, 1e-12);
        }
    }
}

// Two links, the second turned by 90° about x, pulled apart until they touch: inside of the one's half
// torus on inside of the other's, tube on tube.
TEST(Torus, LinksOfAChainHangInEachOther) {
    const double radius = 0.02, tube = 0.006, straight = 0.03, depth = 1e-5;
    const Collider half = torus(radius, tube, true);
    Collider bar{};
    bar.kind = ColliderKind::cylinder;
    bar.radius = tube;
    bar.half_length = straight / 2;
    const Mat3 crosswise = Quat::about({1, 0, 0}, pi / 2).matrix();
    // A link: half tori open towards each other at ±straight/2 along x, bars at ±radius along y.
    const auto link = [&](Vec3 at, const Mat3& turn) {
        const auto part = [&](const Collider& c, Vec3 local, const Mat3& r) {
            return Placed{&c, turn * r, at + turn * local};
        };
        const Mat3 right = Mat3::columns({0, -1, 0}, {1, 0, 0}, {0, 0, 1}),
                   left = Mat3::columns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1}),
                   along = Mat3::columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
        return std::vector<Placed>{
            part(half, {straight / 2, 0, 0}, right), part(half, {-straight / 2, 0, 0}, left),
            part(bar, {0, radius, 0}, along), part(bar, {0, -radius, 0}, along)};
    };
    const double pitch = straight + 2 * (radius - tube);
    const auto first = link({}, Mat3::identity());
    const auto second = link({pitch + depth, 0, 0}, crosswise);
    ContactPoints out;
    for (const Placed& a : first)
        for (const Placed& b : second) collide(a, b, 0, out);
    ASSERT_FALSE(out.empty());
    EXPECT_NEAR(deepest(out), depth, 1e-12);
    // The first is pulled after the second, and nothing pushes aside.
    for (const ContactPoint& c : out) EXPECT_NEAR(c.normal.x, 1, 1e-6);
    out.clear();
    const auto loose = link({pitch - 0.002, 0.0005, 0.0005}, crosswise);
    for (const Placed& a : first)
        for (const Placed& b : loose) collide(a, b, 0, out);
    EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace bristle::collision
