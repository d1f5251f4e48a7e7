// The scene: which shapes meet, where, of what material; and that nothing passes another unseen.
#include "collision/scene.h"

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::collision {
namespace {

using namespace testing_support;

Placement at(Vec3 p, Quat q = {}) { return {q.matrix(), p}; }

struct Fixture {
    Model model;
    std::vector<uint32_t> owner{0};
    std::vector<std::pair<uint32_t, uint32_t>> joined;
    MeshTrees trees;

    BodyId body() {
        owner.push_back(static_cast<uint32_t>(owner.size()));
        return model.add(Body::sphere(1, 1));
    }
    CollisionScene scene() { return {model, owner, joined, trees}; }
};

TEST(Scene, FindsWhatTouchesAtTheEndOfTheStep) {
    Fixture f;
    const BodyId a = f.body(), b = f.body();
    f.model.add(Shape{.body = a, .geometry = Sphere{1}});
    f.model.add(Shape{.body = b, .geometry = Sphere{1}});
    CollisionScene scene = f.scene();
    EXPECT_TRUE(scene.can_touch());
    ASSERT_EQ(scene.bodies().size(), 2u);
    const std::vector<Placement> apart{at({}), at({5, 0, 0})}, close{at({}), at({1.9, 0, 0})};
    scene.detect(apart, apart);
    EXPECT_TRUE(scene.candidates().empty());
    scene.detect(close, close);
    ASSERT_EQ(scene.candidates().size(), 1u);
    const ContactCandidate& e = scene.candidates()[0];
    EXPECT_EQ(e.a, 0u);
    EXPECT_EQ(e.b, 1u);
    EXPECT_NEAR(e.point.depth, 0.1, 1e-12);
    EXPECT_NEAR(e.point.normal.x, -1, 1e-12);
    // And forgets it.
    scene.detect(apart, apart);
    EXPECT_TRUE(scene.candidates().empty());
}

TEST(Scene, PlacesShapesInTheirBodiesAndPartsInTheirShapes) {
    Fixture f;
    const BodyId a = f.body();
    const Quat turned = Quat::about({0, 0, 1}, pi / 2);
    f.model.add(Shape{
        .body = a,
        .geometry = Compound{{{Sphere{0.1}, {{1, 0, 0}, {}}},
                              {Compound{{{Sphere{0.2}, {{1, 0, 0}, {}}}}}, {{0, 0, 3}, turned}}}},
        .pose = {{0, 5, 0}, turned}});
    CollisionScene scene = f.scene();
    ASSERT_EQ(scene.colliders().size(), 2u);
    const std::vector<Placement> bodies{at({10, 0, 0}, turned)};
    // By hand: the body's turn takes the shape's (x, y) to (−y, x), and again for every pose.
    EXPECT_LE(norm(scene.placed(0, bodies).position - Vec3{10 - 5 - 1, 0, 0}), 1e-12);
    EXPECT_LE(norm(scene.placed(1, bodies).position - Vec3{10 - 5, -1, 3}), 1e-12);
    EXPECT_EQ(scene.colliders()[1].collider.radius, 0.2);
    for (const SceneCollider& c : scene.colliders()) EXPECT_EQ(c.shape, ShapeId{0});
    EXPECT_FALSE(scene.can_touch()) << "one body alone";
}

TEST(Scene, KnowsOwnersJoinsExceptionsAndMasks) {
    const auto meet = [](auto change) {
        Fixture f;
        const BodyId a = f.body(), b = f.body();
        Shape sa{.body = a, .geometry = Sphere{1}}, sb{.body = b, .geometry = Sphere{1}};
        change(f, sa, sb);
        f.model.add(sa);
        f.model.add(sb);
        CollisionScene scene = f.scene();
        const std::vector<Placement> close{at({}), at({1.9, 0, 0})};
        scene.detect(close, close);
        return !scene.candidates().empty();
    };
    EXPECT_TRUE(meet([](Fixture&, Shape&, Shape&) {}));
    EXPECT_FALSE(meet([](Fixture& f, Shape&, Shape&) { f.owner = {0, 1, 1}; })) << "welded";
    EXPECT_FALSE(meet([](Fixture& f, Shape&, Shape&) { f.joined = {{1, 2}}; }));
    EXPECT_FALSE(meet([](Fixture& f, Shape&, Shape&) { f.joined = {{2, 1}}; }));
    EXPECT_FALSE(meet([](Fixture& f, Shape&, Shape&) { f.model.add(NoContact{{1}, {2}}); }));
    EXPECT_FALSE(meet([](Fixture& f, Shape&, Shape&) { f.model.add(NoContact{{2}, {1}}); }));
    EXPECT_FALSE(meet([](Fixture&, Shape& a, Shape&) { a.mask = 2; }));
    EXPECT_FALSE(meet([](Fixture&, Shape&, Shape& b) { b.mask = 2; }));
    EXPECT_FALSE(meet([](Fixture&, Shape& a, Shape&) { a.group = 0; }));
    EXPECT_TRUE(meet([](Fixture&, Shape& a, Shape& b) {
        a.group = 8;
        a.mask = 16;
        b.group = 24;
        b.mask = 8;
    }));
}

TEST(Scene, TellsTheMaterialOfATriangle) {
    Fixture f;
    const MaterialId ice = f.model.add(Material{}), rubber = f.model.add(Material{});
    TriangleMesh mesh = flat_sheet(-1, 1, 1, 1);
    mesh.materials = {ice, rubber};
    f.model.add(Shape{.body = Model::ground(), .geometry = Mesh{share(mesh)}, .material = rubber});
    const BodyId a = f.body();
    f.model.add(Shape{.body = a, .geometry = Sphere{0.1}, .material = ice});
    CollisionScene scene = f.scene();
    EXPECT_EQ(scene.material_of(scene.colliders()[0], 0), ice);
    EXPECT_EQ(scene.material_of(scene.colliders()[0], 1), rubber);
    EXPECT_EQ(scene.material_of(scene.colliders()[0], 0xffffffffu), rubber)
        << "no face: the shape's";
    EXPECT_EQ(scene.material_of(scene.colliders()[1], 0), ice);
    for (const auto& [p, material] :
         {std::pair(Vec3{0.5, -0.5, 0.09}, ice), std::pair(Vec3{-0.5, 0.5, 0.09}, rubber)}) {
        const std::vector<Placement> bodies{at({}), at(p)};
        scene.detect(bodies, bodies);
        ASSERT_EQ(scene.candidates().size(), 1u);
        const ContactCandidate& e = scene.candidates()[0];
        EXPECT_EQ(scene.material_of(scene.colliders()[e.a], e.point.face_a), material);
    }
}

// A step that leads right through: the first touch counts, whatever the way, at any speed.
TEST(Scene, FollowsFastBodiesAlongTheirWay) {
    Random random(1);
    Fixture f;
    const BodyId bullet = f.body(), wall = f.body();
    f.model.add(Shape{.body = bullet, .geometry = Sphere{0.01}});
    f.model.add(Shape{.body = wall, .geometry = Box{{0.01, 2, 2}}});
    CollisionScene scene = f.scene();
    for (int i = 0; i < 500; ++i) {
        const Vec3 from{-random.uniform(0.02, 2), random.uniform(-0.9, 0.9),
                        random.uniform(-0.9, 0.9)},
            to{random.uniform(0.03, 2.5), random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9)};
        const std::vector<Placement> before{at(from), at({})}, now{at(to), at({})};
        scene.detect(before, now);
        ASSERT_FALSE(scene.candidates().empty()) << i;
        const ContactPoint& p = scene.candidates()[0].point;
        EXPECT_LT(p.normal.x, -0.99) << "it is pushed back to where it came from";
        EXPECT_GT(p.depth, to.x);
    }
}

// It touches already, and the step leads through: the contact it has is the one that counts.
TEST(Scene, KeepsHoldOfAFastBodyThatTouchesWhenTheStepBegins) {
    Fixture f;
    const BodyId bullet = f.body(), wall = f.body();
    f.model.add(Shape{.body = bullet, .geometry = Sphere{0.01}});
    f.model.add(Shape{.body = wall, .geometry = Box{{0.01, 2, 2}}});
    CollisionScene scene = f.scene();
    for (double depth : {1e-6, 1e-3, 4e-3}) {
        const std::vector<Placement> before{at({-0.015 + depth, 0, 0}), at({})},
            now{at({0.5, 0, 0}), at({})};
        scene.detect(before, now);
        ASSERT_FALSE(scene.candidates().empty()) << depth;
        EXPECT_LT(scene.candidates()[0].point.normal.x, -0.99);
    }
}

TEST(Scene, OfNotANumberHasNoEncounters) {
    Fixture f;
    const BodyId a = f.body(), b = f.body();
    f.model.add(Shape{.body = a, .geometry = Sphere{1}});
    f.model.add(Shape{.body = b, .geometry = Box{{1, 1, 1}}});
    f.model.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    CollisionScene scene = f.scene();
    for (double bad : {double(NAN), 1e300, double(INFINITY)}) {
        const std::vector<Placement> before{at({}), at({1, 0, 3}), at({0, 0, 3})},
            now{at({}), at({bad, 0, 0}), at({0, 0, 3})};
        scene.detect(before, now);
        for (const ContactCandidate& e : scene.candidates()) {
            EXPECT_TRUE(is_finite(e.point.normal));
            EXPECT_TRUE(std::isfinite(e.point.depth));
        }
    }
}

// The same placements give the same candidates in the same order, whatever was detected before.
TEST(Scene, HasNoMemory) {
    Random random(2);
    Fixture f;
    std::vector<Placement> bodies;
    for (int i = 0; i < 12; ++i) {
        f.model.add(Shape{.body = f.body(),
                          .geometry = i % 2 ? Geometry{Box{{1, 1, 1}}} : Geometry{Sphere{0.6}}});
        bodies.push_back(at(random.vector(1.2), random.rotation()));
    }
    CollisionScene fresh = f.scene(), used = f.scene();
    for (int i = 0; i < 20; ++i) {
        std::vector<Placement> other = bodies;
        for (Placement& p : other) p.position = random.vector(2);
        used.detect(other, other);
    }
    fresh.detect(bodies, bodies);
    used.detect(bodies, bodies);
    ASSERT_GT(fresh.candidates().size(), 5u);
    ASSERT_EQ(fresh.candidates().size(), used.candidates().size());
    for (size_t i = 0; i < fresh.candidates().size(); ++i) {
        const ContactCandidate &a = fresh.candidates()[i], &b = used.candidates()[i];
        EXPECT_TRUE(a.a == b.a && a.b == b.b && a.point.feature == b.point.feature);
        EXPECT_EQ(a.point.depth, b.point.depth);
        EXPECT_EQ(a.point.on_a, b.point.on_a);
        if (i > 0) {
            EXPECT_LE(std::pair(fresh.candidates()[i - 1].a, fresh.candidates()[i - 1].b),
                      std::pair(a.a, a.b));
        }
    }
}

}  // namespace
}  // namespace bristle::collision
