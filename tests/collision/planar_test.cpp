// Outlines in the plane against a second method: the Minkowski difference of their corners, all of them.
#include "collision/near/planar.h"

#include "collision/near/near.h"
#include "collision/scene.h"
#include "tests/support/random.h"
#include "tests/support/scaled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle::collision {
namespace {

using testing_support::Random;
using testing_support::scaled;

constexpr double infinite = std::numeric_limits<double>::infinity();

// ---- The oracle --------------------------------------------------------------------------------------

double segment_distance(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 along = b - a;
    const double square = dot(along, along);
    const double t = square > 0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0;
    return norm(p - a - t * along);
}

// Of a point from the convex hull of some, negative inside: every line through two of them that has all the
// others on one side is an edge.
double hull_distance(Vec2 p, const std::vector<Vec2>& points) {
    double outside = infinite, inside = infinite, extent = 0;
    for (Vec2 a : points)
        for (Vec2 b : points) {
            outside = std::min(outside, segment_distance(p, a, b));
            const double length = norm(b - a);
            extent = std::max(extent, length);
            if (!(length > 0)) continue;
            const Vec2 outward = -left_of(b - a) / length;
            double highest = -infinite;
            for (Vec2 q : points) highest = std::max(highest, dot(outward, q - a));
            if (highest <= 1e-12 * length) inside = std::min(inside, -dot(outward, p - a));
        }
    // A hull that is but a line has no inside.
    return inside > 1e-14 * extent && inside < infinite ? -inside : outside;
}

std::vector<Vec2> corners_of(const FlatPlaced& p) {
    std::vector<Vec2> out;
    for (const Outline::Edge& e : p.outline->edges) out.push_back(p.position + p.turn(e.from));
    return out;
}

// Signed distance of two outlines; `shift` moves a.
double distance_of(const FlatPlaced& a, const FlatPlaced& b, Vec2 shift = {}) {
    std::vector<Vec2> difference;
    for (Vec2 p : corners_of(a))
        for (Vec2 q : corners_of(b)) difference.push_back(p + shift - q);
    return hull_distance({}, difference) - a.outline->radius - b.outline->radius;
}
double distance_of(Vec2 p, const FlatPlaced& b) {
    return hull_distance(p, corners_of(b)) - b.outline->radius;
}

// ---- Random outlines ---------------------------------------------------------------------------------

const PlaneFrame xz({0, 1, 0});

Outline outline(const Geometry& g, const Mat3& rotation = Mat3::identity(),
                const PlaneFrame& plane = xz) {
    return outline_of(g, rotation, plane, "shape 'test'");
}
ConvexPolyhedron prism(const std::vector<Vec2>& corners) {
    ConvexPolyhedron out;
    for (Vec2 p : corners)
        for (double y : {-0.5, 0.5}) out.points.push_back({p.x, y, p.y});
    return out;
}
ConvexPolyhedron random_prism(Random& random, double size) {
    std::vector<Vec2> corners;
    const int count = random.integer(3, 9);
    for (int i = 0; i < count; ++i) {
        const double angle = random.uniform(0, 2 * pi);
        corners.push_back(size * Vec2{std::cos(angle), random.uniform(0.3, 1) * std::sin(angle)});
    }
    corners.push_back({1.1 * size, 0});
    return prism(corners);
}
Outline random_outline(Random& random, double size) {
    const Mat3 upright = Quat::about({1, 0, 0}, pi / 2).matrix();
    switch (random.integer(0, 4)) {
        case 0: return outline(Sphere{size});
        case 1: return outline(Cylinder{size, 1}, upright);
        case 2: return outline(Capsule{size * random.uniform(0.05, 0.6), size});
        case 3: return outline(Box{{size, 1, size * random.uniform(0.1, 1)}});
        default: return outline(random_prism(random, size));
    }
}
FlatPlaced placed(const Outline& o, Vec2 at, double angle = 0) {
    return {&o, at, {std::cos(angle), std::sin(angle)}};
}
ContactPoints contacts(const FlatPlaced& a, const FlatPlaced& b, double margin = 0) {
    ContactPoints out;
    collide_flat(a, b, xz, 0.25, margin, out);
    return out;
}

double extent(const Outline& o) { return norm(o.high - o.low); }

struct Pair {
    Outline outline[2];
    FlatPlaced a, b;
    double size, rounding;
};

// Overlapping a little, much or not at all; often parallel, or touching just so.
void make(Random& random, Pair& pair) {
    const double size = std::pow(10, random.uniform(-2, 2));
    for (Outline& o : pair.outline) o = random_outline(random, size * random.uniform(0.2, 2));
    const Vec2 origin = size * Vec2{random.uniform(-3, 3), random.uniform(-3, 3)};
    const double angle = random.uniform(-pi, pi);
    const double turn = random.chance(0.5) ? random.uniform(-pi, pi)
                      : random.chance(0.5)
                          ? 0
                          : std::pow(10, random.uniform(-13, -1)) + (random.chance(0.5) ? pi : 0);
    pair.a = placed(pair.outline[0], origin, angle);
    pair.size = extent(pair.outline[0]) + extent(pair.outline[1]);
    const double toward =
        random.chance(0.5) ? random.uniform(-pi, pi) : angle + pi / 2 * random.integer(0, 3);
    const Vec2 direction{std::cos(toward), std::sin(toward)};
    double apart = 0;
    pair.b = placed(pair.outline[1], origin, angle + turn);
    const double near_zero = random.chance(0.3) ? std::pow(10, random.uniform(-14, -2)) : 1;
    const double wanted = near_zero * random.uniform(-0.3, 0.1) * pair.size;
    // By bisection along the direction; the distance grows from the same centre outwards.
    double low = 0, high = 2 * pair.size;
    for (int i = 0; i < 60; ++i) {
        apart = 0.5 * (low + high);
        pair.b.position = origin + apart * direction;
        (distance_of(pair.a, pair.b) < wanted ? low : high) = apart;
    }
    pair.rounding = 1e-12 * (norm(origin) + pair.size);
}

Vec2 flat(Vec3 p) { return xz.flat(p); }

TEST(Planar, FindsTheDepthOfEveryPair) {
    Random random(1);
    Pair pair;
    int touching = 0, apart = 0, doubles = 0;
    for (int i = 0; i < scaled(20000); ++i) {
        make(random, pair);
        const double distance = distance_of(pair.a, pair.b);
        const double margin = random.chance(0.5) ? 0 : 0.05 * pair.size;
        const ContactPoints found = contacts(pair.a, pair.b, margin);
        if (std::abs(distance - margin) < pair.rounding) continue;
        ASSERT_EQ(!found.empty(), distance < margin)
            << i << " distance " << distance << " kinds " << int(pair.outline[0].kind)
            << int(pair.outline[1].kind);
        ASSERT_LE(found.size(), 2u);
        if (found.empty()) continue;
        ++(distance < 0 ? touching : apart);
        doubles += found.size() == 2;
        double deepest = -infinite;
        for (const ContactPoint& c : found) {
            deepest = std::max(deepest, c.depth);
            // The record holds together, in the plane and at the height that was asked for.
            ASSERT_NEAR(norm(c.normal), 1, 1e-14);
            ASSERT_EQ(c.normal.y, 0);
            ASSERT_NEAR(c.on_a.y, 0.25, 1e-15);
            ASSERT_NEAR(c.on_b.y, 0.25, 1e-15);
            ASSERT_LE(norm(c.on_b - c.on_a - c.depth * c.normal), pair.rounding) << i;
            ASSERT_GE(c.depth, -margin);
        }
        // Corners nearer than 1e-10 of an edge count as over it.
        ASSERT_NEAR(deepest, -distance, 2e-10 * pair.size) << i;
        // Along the normal they come apart by as much, and no more.
        const Vec2 n = flat(found[0].normal);
        if (distance < 0) {
            ASSERT_NEAR(distance_of(pair.a, pair.b, deepest * n), 0, 2e-10 * pair.size) << i;
        }
    }
    EXPECT_GT(touching, scaled(5000));
    EXPECT_GT(apart, scaled(1000));
    EXPECT_GT(doubles, scaled(2000));
}

// A clipped edge ends inside the other outline, and an end of a round one is that of the ball there; all
// others are on their outlines.
TEST(Planar, PutsPointsOnTheOutlines) {
    Random random(2);
    Pair pair;
    for (int i = 0; i < scaled(5000); ++i) {
        make(random, pair);
        for (const ContactPoint& c : contacts(pair.a, pair.b, 0.05 * pair.size)) {
            const double on_a = distance_of(flat(c.on_a), pair.a),
                         on_b = distance_of(flat(c.on_b), pair.b);
            ASSERT_LE(on_a, 2e-10 * pair.size) << i;
            ASSERT_LE(on_b, 2e-10 * pair.size) << i;
            if (c.curvature_a.first == Curvature::sharp
                || pair.outline[0].kind == Outline::Kind::circle) {
                ASSERT_NEAR(on_a, 0, 2e-10 * pair.size) << i;
            }
            if (c.curvature_b.first == Curvature::sharp
                || pair.outline[1].kind == Outline::Kind::circle) {
                ASSERT_NEAR(on_b, 0, 2e-10 * pair.size) << i;
            }
        }
    }
}

TEST(Planar, SaysTheSameFromTheOtherSide) {
    Random random(3);
    Pair pair;
    for (int i = 0; i < scaled(5000); ++i) {
        make(random, pair);
        const ContactPoints there = contacts(pair.a, pair.b, 0.01 * pair.size),
                            back = contacts(pair.b, pair.a, 0.01 * pair.size);
        const auto deepest = [](const ContactPoints& list) {
            double most = -infinite;
            for (const ContactPoint& c : list) most = std::max(most, c.depth);
            return most;
        };
        if (there.empty() || back.empty()) {
            ASSERT_GE(distance_of(pair.a, pair.b), (0.01 - 1e-9) * pair.size);
            continue;
        }
        ASSERT_NEAR(deepest(there), deepest(back), 2e-10 * pair.size) << i;
    }
}

TEST(Planar, AgreesWithBoxesInSpace) {
    Random random(4);
    for (int i = 0; i < scaled(2000); ++i) {
        const Vec3 sizes[2] = {{random.uniform(0.2, 2), 10, random.uniform(0.2, 2)},
                               {random.uniform(0.2, 2), 10, random.uniform(0.2, 2)}};
        Collider boxes[2] = {{ColliderKind::box}, {ColliderKind::box}};
        for (size_t k = 0; k < 2; ++k) boxes[k].half = 0.5 * sizes[k];
        const Outline outlines[2] = {outline(Box{sizes[0]}), outline(Box{sizes[1]})};
        const auto turned = [&] {
            return Quat::about({0, 1, 0}, random.uniform(-pi, pi)).matrix();
        };
        const Placed a{&boxes[0], turned(), {}},
            b{&boxes[1], turned(), {random.uniform(-1.2, 1.2), 0, random.uniform(-1.2, 1.2)}};
        ContactPoints space;
        const ContactPoints plane =
            contacts(flattened(outlines[0], a, xz), flattened(outlines[1], b, xz));
        collide(a, b, 0, space);
        ASSERT_EQ(space.empty(), plane.empty()) << i;
        if (space.empty()) continue;
        const auto deeper = [](const ContactPoint& p, const ContactPoint& q) {
            return p.depth < q.depth;
        };
        const ContactPoint deepest = *std::max_element(plane.begin(), plane.end(), deeper),
                           known = *std::max_element(space.begin(), space.end(), deeper);
        ASSERT_NEAR(deepest.depth, known.depth, 1e-9) << i;
        ASSERT_LE(norm(deepest.normal - known.normal), 1e-9) << i;
    }
}

// ---- By hand -----------------------------------------------------------------------------------------

// (along x, along z) as coordinates of the plane.
Vec2 xz_point(double x, double z) { return xz.flat({x, 0, z}); }

TEST(Planar, SetsABoxOnABoxOnTwoPoints) {
    const Outline wide = outline(Box{{2, 1, 1}}), narrow = outline(Box{{1, 1, 1}});
    // The narrow one 1 mm deep in the wide one, and 0.75 m to the right: half of it is over it.
    const ContactPoints found = contacts(placed(narrow, xz_point(0.75, 0.999)), placed(wide, {}));
    ASSERT_EQ(found.size(), 2u);
    std::set<double> where;
    for (const ContactPoint& c : found) {
        EXPECT_NEAR(c.depth, 1e-3, 1e-15);
        EXPECT_LE(norm(c.normal - Vec3{0, 0, 1}), 1e-15);
        EXPECT_NEAR(c.on_a.z, 0.499, 1e-15);
        EXPECT_NEAR(c.on_b.z, 0.5, 1e-15);
        where.insert(std::round(1e9 * c.on_a.x) / 1e9);
        // On the left the narrow one's corner is on the wide one's edge, on the right the other way round.
        const bool is_left = c.on_a.x < 0.5;
        EXPECT_EQ(c.normal_of, is_left ? NormalOf::b : NormalOf::a);
        EXPECT_EQ(c.curvature_a.first, is_left ? Curvature::sharp : 0);
        EXPECT_EQ(c.curvature_b.first, is_left ? 0 : Curvature::sharp);
    }
    EXPECT_EQ(where, (std::set<double>{0.25, 1}));
}

TEST(Planar, KnowsItsContactsAgainWhileAStackSways) {
    const Outline box = outline(Box{{0.5, 0.5, 0.5}});
    Random random(5);
    std::set<uint32_t> known;
    for (int i = 0; i < 1000; ++i) {
        // Either may be the one whose edge separates more, and their corners change places.
        const double tilt = 1e-4 * random.uniform(-1, 1), shift = 1e-3 * random.uniform(-1, 1);
        const ContactPoints found = contacts(placed(box, xz_point(shift, 0.4999), tilt),
                                             placed(box, {}, 1e-4 * random.uniform(-1, 1)), 1e-3);
        ASSERT_EQ(found.size(), 2u);
        for (const ContactPoint& c : found) known.insert(c.feature);
    }
    EXPECT_EQ(known.size(), 2u);
}

TEST(Planar, RollsACircleFromAnEdgeOverACorner) {
    const Outline box = outline(Box{{2, 1, 2}}), ball = outline(Sphere{0.5});
    const auto at = [&](double x, double z) {
        const ContactPoints found = contacts(placed(ball, xz_point(x, z)), placed(box, {}), 0.1);
        EXPECT_EQ(found.size(), 1u);
        return found.at(0);
    };
    const ContactPoint on_edge = at(0.9, 1.45), on_corner = at(1.3, 1.4), inside = at(0.2, 0.9);
    EXPECT_NEAR(on_edge.depth, 0.05, 1e-15);
    EXPECT_EQ(on_edge.normal_of, NormalOf::b);
    EXPECT_NEAR(on_corner.depth, 0, 1e-15);
    EXPECT_LE(norm(on_corner.normal - Vec3{0.6, 0, 0.8}), 1e-15);
    EXPECT_EQ(on_corner.normal_of, NormalOf::centers);
    EXPECT_EQ(on_corner.curvature_b.first, Curvature::sharp);
    EXPECT_EQ(on_corner.curvature_a.first, 2);
    EXPECT_NEAR(inside.depth, 0.6, 1e-15);
    EXPECT_LE(norm(inside.normal - Vec3{0, 0, 1}), 1e-15);
    EXPECT_NE(on_edge.feature, on_corner.feature);
}

TEST(Planar, LaysACapsuleOnTwoPointsAndStandsItOnOne) {
    const Outline capsule = outline(Capsule{0.1, 1}, Quat::about({0, 1, 0}, pi / 2).matrix());
    const Outline ground = outline(Plane{});
    ASSERT_EQ(capsule.kind, Outline::Kind::segment);
    const double along_x = std::atan2(xz_point(1, 0).y, xz_point(1, 0).x),
                 along_z = std::atan2(xz_point(0, 1).y, xz_point(0, 1).x);
    const FlatPlaced floor = placed(ground, {}, along_z);
    const ContactPoints lying = contacts(placed(capsule, xz_point(0, 0.09), along_x), floor),
                        standing = contacts(placed(capsule, xz_point(0, 0.59), along_z), floor);
    ASSERT_EQ(lying.size(), 2u);
    for (const ContactPoint& c : lying) {
        EXPECT_NEAR(c.depth, 0.01, 1e-15);
        EXPECT_NEAR(std::abs(c.on_a.x), 0.5, 1e-15);
        EXPECT_NEAR(c.on_b.z, 0, 1e-15);
        EXPECT_NEAR(c.curvature_a.first, 10, 1e-14);
    }
    ASSERT_EQ(standing.size(), 1u);
    EXPECT_NEAR(standing[0].depth, 0.01, 1e-15);
}

TEST(Planar, SurvivesWhatIsDegenerate) {
    const Outline circle = outline(Sphere{0.5}), box = outline(Box{{1, 1, 1}}),
                  capsule = outline(Capsule{0.25, 1}), ground = outline(Plane{});
    const ContactPoints concentric = contacts(placed(circle, {}), placed(circle, {}));
    ASSERT_EQ(concentric.size(), 1u);
    EXPECT_EQ(concentric[0].depth, 1);
    EXPECT_NEAR(norm(concentric[0].normal), 1, 1e-15);
    const ContactPoints identical = contacts(placed(box, {}), placed(box, {}));
    ASSERT_FALSE(identical.empty());
    for (const ContactPoint& c : identical) EXPECT_EQ(c.depth, 1);
    for (const ContactPoint& c : contacts(placed(capsule, {}), placed(capsule, {})))
        EXPECT_EQ(c.depth, 0.5);
    const ContactPoints in_corner =
        contacts(placed(circle, {0.5, 0.5}), placed(box, {}));  // its centre on a corner
    ASSERT_EQ(in_corner.size(), 1u);
    EXPECT_EQ(in_corner[0].depth, 0.5);
    // Corner on corner, and capsules one behind the other.
    const ContactPoints corners = contacts(placed(box, {1, 1}), placed(box, {}));
    ASSERT_EQ(corners.size(), 1u);
    EXPECT_NEAR(corners[0].depth, 0, 1e-15);
    const ContactPoints in_line = contacts(placed(capsule, {1.4, 0}), placed(capsule, {}));
    ASSERT_EQ(in_line.size(), 1u);
    EXPECT_NEAR(in_line[0].depth, 0.1, 1e-15);
    EXPECT_TRUE(contacts(placed(capsule, {1.6, 0}), placed(capsule, {})).empty());
    EXPECT_TRUE(contacts(placed(ground, {}), placed(ground, {})).empty());

    const double bad[] = {std::nan(""), infinite, -infinite, 1e200};
    for (const Outline* a : {&circle, &box, &capsule, &ground})
        for (const Outline* b : {&circle, &box, &capsule, &ground})
            for (double value : bad)
                for (const FlatPlaced& p : {placed(*a, {value, 0}), placed(*a, {0, value}),
                                            FlatPlaced{a, {}, {value, 1}}})
                    for (const auto& list :
                         {contacts(p, placed(*b, {}), 1), contacts(placed(*b, {}), p, 1)})
                        for (const ContactPoint& c : list) {
                            EXPECT_TRUE(is_finite(c.on_a) && is_finite(c.on_b));
                            EXPECT_TRUE(is_finite(c.normal) && std::isfinite(c.depth));
                        }
}

// ---- Outlines ----------------------------------------------------------------------------------------

TEST(Planar, TakesTheHullOfAPolyhedronAndNoCornerTwice) {
    // A prism with corners on its edges and points inside, seen along its axis; and turned in space.
    std::vector<Vec2> corners{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    corners.push_back({1, 1});
    Random random(6);
    for (int i = 0; i < 200; ++i) {
        const Mat3 turn = i == 0 ? Mat3::identity() : random.rotation().matrix();
        ConvexPolyhedron turned = prism(corners);
        for (Vec3& p : turned.points) p = turn.transposed() * p;
        const Outline o = outline(turned, turn);
        ASSERT_EQ(o.edges.size(), 4u) << i;
        for (const Outline::Edge& e : o.edges) ASSERT_NEAR(e.length, 2, 1e-12);
        ASSERT_NEAR(o.thickness, 2, 1e-12);
    }
}

TEST(Planar, SeesTheSameInEveryPlane) {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        const Mat3 turn = random.rotation().matrix();
        const PlaneFrame plane(3 * (turn * Vec3{0, 1, 0}));
        const Mat3 own = turn * Quat::about({0, 1, 0}, random.uniform(-pi, pi)).matrix();
        const Geometry shapes[] = {Box{{1, 2, 0.5}}, Capsule{0.2, 1}, random_prism(random, 1)};
        for (const Geometry& g : shapes) {
            const Outline there = outline(g, own, plane), here = outline(g);
            ASSERT_EQ(there.kind, here.kind);
            ASSERT_EQ(there.edges.size(), here.edges.size());
            ASSERT_NEAR(there.thickness, here.thickness, 1e-12);
        }
    }
}

TEST(Planar, RefusesWhatHasNoOutline) {
    const auto message = [](const Geometry& g, const Mat3& rotation = Mat3::identity()) {
        try {
            outline(g, rotation);
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const Mat3 oblique = Quat::about({1, 1, 1}, 0.3).matrix();
    const auto surface = std::make_shared<TriangleMesh>();
    for (const Geometry& g :
         {Geometry(Box{{1, 1, 1}}), Geometry(Capsule{0.1, 1}), Geometry(Cylinder{0.1, 1}),
          Geometry(Plane{}), Geometry(Torus{1, 0.1})}) {
        EXPECT_NE(message(g, oblique).find("shape 'test'"), std::string::npos);
        EXPECT_NE(message(g, oblique).find("turn the shape"), std::string::npos);
    }
    EXPECT_NE(message(Mesh{surface}).find("a mesh has no outline"), std::string::npos);
    EXPECT_NE(message(HeightField{2, 2, 1, 1, {0, 0, 0, 0}}).find("a height field has no outline"),
              std::string::npos);
    EXPECT_NE(message(Torus{1, 0.1, Torus::Arc::half}).find("half-torus"), std::string::npos);
    EXPECT_EQ(message(Torus{1, 0.1}, Quat::about({1, 0, 0}, pi / 2).matrix()), "");
}

// ---- In a scene ----------------------------------------------------------------------------------------

struct PlanarScene {
    Model model;
    std::vector<uint32_t> owner{0};
    MeshTrees trees;

    PlanarScene() { model.plane_normal = Vec3{0, 2, 0}; }
    BodyId body(Vec3 at) {
        owner.push_back(static_cast<uint32_t>(owner.size()));
        return model.add(Body::sphere(1, 1).at(at));
    }
    CollisionScene scene() { return {model, owner, {}, trees}; }
};
Placement at(Vec3 p, double angle = 0) { return {Quat::about({0, 1, 0}, angle).matrix(), p}; }

TEST(PlanarScene, LetsBodiesMeetHoweverFarApartAlongTheNormal) {
    PlanarScene f;
    const BodyId low = f.body({0, -3, 0}), high = f.body({0, 5, 0});
    f.model.add(Shape{.body = low, .geometry = Sphere{0.5}});
    f.model.add(Shape{.body = high, .geometry = Box{{1, 0.1, 1}}});
    f.model.add(Shape{.body = f.model.ground(), .geometry = Plane{}});
    CollisionScene scene = f.scene();
    const std::vector<Placement> now{at({}), at({0, -3, 1.45}), at({0, 5, 0.5})};
    scene.detect(now, now);
    double between = 0, ground = 0;
    for (const ContactCandidate& e : scene.candidates()) {
        if (e.a == 0 && e.b == 1) {
            // Halfway between the two.
            EXPECT_NEAR(e.point.on_a.y, 1, 1e-14);
            EXPECT_NEAR(e.point.depth, 0.05, 1e-14);
            ++between;
        } else {
            EXPECT_EQ(e.b, 2u);
            EXPECT_NEAR(e.point.on_a.y, 5, 1e-14) << "the ground is at any height";
            ++ground;
        }
    }
    EXPECT_EQ(between, 1);
    EXPECT_EQ(ground, 2);
}

TEST(PlanarScene, FollowsAFastCircleThroughAThinWall) {
    PlanarScene f;
    const BodyId ball = f.body({-1, 0, 0});
    f.model.add(Shape{.body = ball, .geometry = Sphere{0.05}});
    f.model.add(Shape{.body = f.model.ground(), .geometry = Box{{0.01, 1, 2}}});
    CollisionScene scene = f.scene();
    const std::vector<Placement> before{at({}), at({-1, 0, 0})}, after{at({}), at({4, 0, 0})};
    scene.detect(before, after);
    ASSERT_FALSE(scene.candidates().empty());
    const ContactPoint& p = scene.candidates()[0].point;
    EXPECT_NEAR(p.normal.x, -1, 1e-12) << "back to where it came from";
    EXPECT_GT(p.depth, 3.9);
}

TEST(PlanarScene, TakesCompoundsApart) {
    PlanarScene f;
    const BodyId body = f.body({});
    f.model.add(Shape{.body = body,
                      .geometry = Compound{{{Sphere{0.1}, {{1, 0, 0}, {}}},
                                            {Box{{0.2, 1, 0.2}}, {{-1, 0.3, 0}, {}}}}}});
    f.model.add(
        Shape{.body = f.model.ground(), .geometry = Box{{4, 1, 1}}, .pose = {{0, 0, -0.6}}});
    CollisionScene scene = f.scene();
    const std::vector<Placement> now{at({}), at({})};
    scene.detect(now, now);
    EXPECT_EQ(scene.candidates().size(), 3u) << "one of the ball, two of the box";
}

TEST(PlanarScene, NamesTheShapeItCannotFlatten) {
    PlanarScene f;
    f.model.plane_normal.reset();
    f.model.add(Shape{
        .body = f.body({}), .geometry = HeightField{2, 2, 1, 1, {0, 0, 0, 0}}, .name = "hills"});
    f.model.plane_normal = Vec3{0, 1, 0};
    EXPECT_THROW(
        {
            try {
                f.scene();
            } catch (const InputError& e) {
                EXPECT_NE(std::string(e.what()).find("shape 'hills'"), std::string::npos);
                throw;
            }
        },
        InputError);
}

}  // namespace
}  // namespace bristle::collision
