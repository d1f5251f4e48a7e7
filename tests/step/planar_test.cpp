// Planar models under the augmented Lagrangian: bodies stay in their plane, and move as they should in it.
#include <bristle/analysis.h>
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace bristle::step {
namespace {

constexpr Vec3 normal{0, 1, 0};

Model planar() {
    Model m;
    m.plane_normal = 2 * normal;
    return m;
}

// How far anything has left the plane, turned out of it, or moves out of it.
double out_of_plane(const World& world, const World& start) {
    double most = 0;
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i) {
        const BodyId id{i};
        const Vec3 n_before = start.pose(id).orientation.conjugate().matrix() * normal;
        most = std::max({most,
                         std::abs(dot(normal, world.pose(id).position - start.pose(id).position)),
                         norm(world.pose(id).orientation.matrix() * n_before - normal),
                         std::abs(dot(normal, world.twist(id).linear)),
                         norm(cross(normal, world.twist(id).angular))});
    }
    return most;
}

TEST(PlanarWorld, GivesEveryBodyThreeFreedoms) {
    Model m = planar();
    const BodyId box = m.add(Body::box({1, 1, 1}, 1));
    m.add(Body::rod(1, 1).at({3, 0, 0}));
    m.add(Body::point(1).at({5, 0, 0}));
    EXPECT_EQ(World(m).degrees_of_freedom(), 3 + 3 + 2);
    EXPECT_EQ(World(m).redundant_constraints(), 0);
    // A pin leaves its turn, a slide its way, and none repeats what the plane says.
    const BodyId arm = m.add(Body::box({1, 0.1, 0.1}, 1).at({7, 0, 0})),
                 slide = m.add(Body::box({1, 1, 1}, 1).at({0, 0, 5}));
    m.add(Spherical{.a = m.ground(), .b = arm, .at = {6.5, 0, 0}});
    m.add(Prismatic{.a = box, .b = slide, .at = {0, 0, 5}, .axis = {1, 0, 1}});
    World world(m);
    EXPECT_EQ(world.degrees_of_freedom(), 3 + 3 + 2 + 1 + 1);
    EXPECT_EQ(world.redundant_constraints(), 0);
    const Mobility mobile = mobility(world);
    EXPECT_EQ(mobile.degrees_of_freedom, 10);
    EXPECT_TRUE(mobile.redundancies.empty());
    EXPECT_EQ(world.model().joints().size(), 2u) << "what keeps it in the plane is not the user's";
}

TEST(PlanarWorld, KeepsBodiesInThePlaneHoweverTheyAreStruck) {
    Model m = planar();
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    // At different heights along the normal, oblique inertia, off their centres.
    for (int i = 0; i < 6; ++i) {
        Body b = Body::box({0.4, 0.4, 0.4}, 1).at({0.05 * i, 0.3 * i, 0.3 + 0.5 * i});
        b.inertia(0, 1) = b.inertia(1, 0) = 0.005;
        const BodyId id = m.add(b.moving({0.3, 0, 0}, {0, 0.5, 0}));
        m.add(Shape{.body = id, .geometry = Box{{0.4, 0.4, 0.4}}});
    }
    World world(m, AugmentedLagrangian{.step = 2e-3});
    const World start(m);
    world.advance_to(4);
    // m, 1, m/s and rad/s: what the constraints are satisfied to.
    EXPECT_LT(out_of_plane(world, start), 1e-8);
    for (uint32_t i = 1; i <= 6; ++i) {
        EXPECT_GT(world.pose(BodyId{i}).position.z, 0.19);
        EXPECT_LT(norm(world.twist(BodyId{i}).linear), 1e-3) << "it has come to rest";
    }
}

TEST(PlanarWorld, RollsADiscDownASlopeAsInTheBooks) {
    const double slope = 0.3, radius = 0.25;
    Model m = planar();
    const Quat tilted = Quat::about(normal, slope);
    m.add(Shape{.body = m.ground(), .geometry = Plane{}, .pose = {{}, tilted}});
    const Quat across = Quat::about({1, 0, 0}, pi / 2);
    const Vec3 up = tilted.matrix() * Vec3{0, 0, 1}, down = tilted.matrix() * Vec3{1, 0, 0};
    const BodyId disc = m.add(Body::cylinder(radius, 0.1, 2).at(radius * up, across));
    m.add(Shape{.body = disc, .geometry = Cylinder{radius, 0.1}});
    World world(m);
    world.advance_to(1);
    const double way = dot(down, world.pose(disc).position);
    // s = g sin α t² / 3 of a homogeneous disc; it first sinks in and has to find its grip, 0.3 %.
    EXPECT_NEAR(way, 9.81 * std::sin(slope) / 3, 0.003 * way);
    EXPECT_NEAR(dot(normal, world.twist(disc).angular) * radius,
                dot(down, world.twist(disc).linear), 1e-3);
}

TEST(PlanarWorld, SwingsAPinAsAHinge) {
    const auto end_of = [](bool is_planar) {
        Model m;
        if (is_planar) m.plane_normal = normal;
        const BodyId upper = m.add(Body::box({1, 0.1, 0.1}, 1).at({0.5, 0, 0})),
                     lower = m.add(Body::box({1, 0.1, 0.1}, 1).at({1.5, 0, 0}));
        if (is_planar) {
            m.add(Spherical{.a = m.ground(), .b = upper, .at = {}});
            m.add(Spherical{.a = upper, .b = lower, .at = {1, 0, 0}});
        } else {
            m.add(Revolute{.a = m.ground(), .b = upper, .at = {}, .axis = normal});
            m.add(Revolute{.a = upper, .b = lower, .at = {1, 0, 0}, .axis = normal});
        }
        World world(m);
        world.advance_to(1.5);
        return world.pose(lower).position;
    };
    EXPECT_EQ(end_of(true), end_of(false));
}

TEST(PlanarWorld, ChangesAndGoesOn) {
    Model m = planar();
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    const BodyId pinned = m.add(Body::box({1, 0.2, 0.2}, 1).at({0.5, 0, 2}));
    const JointId pin = m.add(Spherical{.a = m.ground(), .b = pinned, .at = {0, 0, 2}});
    World world(m);
    const World start(m);
    world.advance_to(0.5);
    const Snapshot before = world.snapshot();
    BodyId ball;
    world.change([&](Model& now) {
        EXPECT_EQ(now.joints().size(), 1u);
        EXPECT_EQ(now.joints()[pin.index].type, JointType::spherical);
        ball = now.add(Body::sphere(0.2, 1).at({3, 1, 0.2}));
        now.add(Shape{.body = ball, .geometry = Sphere{0.2}});
    });
    EXPECT_EQ(world.degrees_of_freedom(), 4);
    world.advance_to(1);
    EXPECT_NEAR(norm(world.pose(pinned).position - Vec3{0, 0, 2}), 0.5, 1e-9);
    EXPECT_NEAR(world.pose(ball).position.y, 1, 1e-9);
    world.restore(before);
    world.advance_to(1);
    World undisturbed(m);
    undisturbed.advance_to(1);
    EXPECT_EQ(world.pose(pinned), undisturbed.pose(pinned));
}

TEST(PlanarWorld, AssemblesInThePlane) {
    Model m = planar();
    // Roughly placed: the pin's other side is 0.3 m away, in the plane.
    const BodyId arm = m.add(Body::box({1, 0.1, 0.1}, 1).at({0.5, 0, 0})),
                 tip = m.add(Body::box({1, 0.1, 0.1}, 1).at({1.6, 0, 0.3}));
    m.add(Spherical{.a = m.ground(), .b = arm, .at = {}});
    m.add(Spherical{.a = arm, .b = tip, .at = {1, 0, 0}, .at_b = Vec3{1.1, 0, 0.3}});
    World world(m);
    EXPECT_EQ(world.model().joints().size(), 2u);
    EXPECT_EQ(world.model().joints()[1].type, JointType::spherical);
    EXPECT_NEAR(norm(world.point(arm, {0.5, 0, 0}) - world.point(tip, {-0.5, 0, 0})), 0, 1e-9);
    EXPECT_NEAR(world.pose(tip).position.y, 0, 1e-12);
    EXPECT_EQ(world.degrees_of_freedom(), 2);
}

TEST(PlanarWorld, RefusesWhatLeavesThePlane) {
    const auto message = [](const std::function<void(Model&, BodyId)>& make) {
        // The same whether it is known from the start that the model is planar.
        std::string at_once, at_last;
        for (std::string* text : {&at_once, &at_last}) {
            Model m;
            if (text == &at_once) m.plane_normal = normal;
            const BodyId body = m.add(Body::box({1, 1, 1}, 1).named("cart"));
            try {
                make(m, body);
                if (!m.plane_normal) m.plane_normal = normal;
                World world(m);
            } catch (const InputError& e) {
                *text = e.what();
            }
        }
        EXPECT_EQ(at_once, at_last);
        return at_once;
    };
    const auto says = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    says(message([](Model& m, BodyId) { m.plane_normal = Vec3{}; }), "plane_normal is (0, 0, 0)");
    says(message([](Model& m, BodyId) {
             m.plane_normal = Vec3{std::nan(""), 0, 1};
         }),
         "must be finite");
    says(message([](Model& m, BodyId b) {
             m.add(Revolute{.a = m.ground(), .b = b, .at = {}, .axis = {1, 0, 0}, .name = "hinge"});
         }),
         "joint 'hinge' (revolute): in a planar model its axis must be the normal");
    says(message([](Model& m, BodyId b) {
             m.add(Prismatic{.a = m.ground(), .b = b, .at = {}, .axis = {0, 1, 1}});
         }),
         "its axis must lie in the plane");
    says(message([](Model& m, BodyId b) {
             m.add(Cylindrical{.a = m.ground(), .b = b, .at = {}, .axis = {0, 1, 0}});
         }),
         "use a revolute joint");
    says(message([](Model& m, BodyId) {
             m.add(Body::point(1).moving({0, 1, 0}));
         }),
         "body 2: in a planar model its velocity must lie in the plane");
    says(message([](Model& m, BodyId) {
             m.add(Body::sphere(1, 1).at({3, 0, 0}).moving({}, {1, 1, 0}).named("top"));
         }),
         "body 'top': in a planar model it must turn about the normal");
    says(message([](Model& m, BodyId b) {
             m.add(Shape{.body = b, .geometry = HeightField{2, 2, 1, 1, {0, 0, 0, 0}}});
             m.add(Shape{.body = m.ground(), .geometry = Plane{}});
         }),
         "shape 0: a height field has no outline");
    EXPECT_EQ(message([](Model&, BodyId) {}), "");
}

}  // namespace
}  // namespace bristle::step
