// Between free bodies contact exchanges momentum and makes none: third law, angular momentum, energy.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

struct Momentum {
    Vec3 linear, angular;  // about the origin
};

Momentum momentum_of(const World& world) {
    Momentum out;
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i) {
        const Body& b = world.model().bodies()[i];
        const Pose pose = world.pose({i});
        const Mat3 r = pose.orientation.matrix();
        const Vec3 p = b.mass * world.point_velocity({i}, b.center);
        out.linear += p;
        out.angular += cross(pose * b.center, p)
                     + r * (b.inertia * (r.transposed() * world.twist({i}).angular));
    }
    return out;
}

// Bodies of all kinds thrown at each other, spinning, with friction.
Model crowd(uint64_t seed, ContactLaw law) {
    Random random(seed);
    Model m;
    m.gravity = {};
    const MaterialId material = m.add(Material{});
    m.add(ContactPair{material, material, law});
    const Geometry kinds[] = {
        Sphere{0.3}, Box{{0.5, 0.4, 0.6}}, Capsule{0.2, 0.4}, Cylinder{0.25, 0.5},
        ConvexPolyhedron{{{0.4, 0, 0}, {-0.2, 0.3, 0}, {-0.2, -0.3, 0}, {0, 0, 0.4}}}};
    for (int i = 0; i < 6; ++i) {
        const Geometry& g = kinds[(i + seed) % 5];
        const Vec3 at =
            1.2 * Vec3{double(i % 2) - 0.5, double(i / 2 % 2) - 0.5, double(i / 4) - 0.5};
        const BodyId b =
            m.add(Body::of(g, 1000)
                      .at(at, random.rotation())
                      .moving(-random.uniform(1, 3) * at + random.vector(0.2), random.vector(4)));
        m.add(Shape{.body = b, .geometry = g, .material = material});
    }
    return m;
}

const ContactLaw laws[] = {
    {.elastic_modulus = 1e8, .static_friction = 0, .kinetic_friction = 0},
    {.stiffness = 1e7, .restitution = 0.5},
    {.restitution = 0.8, .static_friction = 0.9, .kinetic_friction = 0.3},
    {.normal = ContactLaw::Normal::kelvin_voigt,
     .stiffness = 1e6,
     .rolling_resistance = 0.02,
     .spinning_resistance = 0.02},
};

class Collisions : public testing::TestWithParam<std::tuple<uint64_t, size_t>> {};

TEST_P(Collisions, KeepMomentumAndAngularMomentum) {
    const auto [seed, law] = GetParam();
    World world(crowd(seed, laws[law]), {.step = 1e-3});
    const Momentum before = momentum_of(world);
    double size = 0, angular_size = 0;
    for (size_t i = 1; i < world.model().bodies().size(); ++i) {
        const Body& b = world.model().bodies()[i];
        size += b.mass * norm(b.velocity);
        angular_size += b.mass * norm(b.velocity) * norm(b.position);
    }
    size_t touched = 0;
    for (int i = 0; i < 600; ++i) {
        world.step();
        touched += world.contacts().size();
    }
    ASSERT_GT(touched, 5u) << "they never met";
    const Momentum after = momentum_of(world);
    // Whatever the iteration leaves, each force acts on both: only rounding is lost.
    EXPECT_LE(norm(after.linear - before.linear), 1e-12 * size);
    // Equal and opposite forces at one point make no moment; but the point is the one where the step ends, and
    // what turns on the way to it is lost.
    EXPECT_LE(norm(after.angular - before.angular), 1e-3 * angular_size);
}

INSTANTIATE_TEST_SUITE_P(OfEveryLaw, Collisions,
                         testing::Combine(testing::Range<uint64_t>(1, 6),
                                          testing::Range<size_t>(0, 4)));

// What angular momentum is lost is the integrator's own: with the step it goes away.
TEST(CollisionOfTwo, LosesAngularMomentumOnlyWithTheStep) {
    double lost[2];
    for (int i = 0; i < 2; ++i) {
        Model m;
        m.gravity = {};
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s, s, {.stiffness = 1e6, .restitution = 0.6}});
        add_ball(m, 0.3, 2, {0, 0, 0}, {1, 0, 0}, {0, 3, 1}, s);
        add_ball(m, 0.2, 1, {0.7, 0.2, 0}, {-1, 0, 0.2}, {2, 0, 1}, s);
        World world(m, {.step = i == 0 ? 2e-3 : 1e-4});
        const Momentum before = momentum_of(world);
        world.advance_to(0.5);
        lost[i] = norm(momentum_of(world).angular - before.angular);
    }
    EXPECT_LT(lost[0], 2e-3);
    EXPECT_LT(lost[1], 0.05 * lost[0]) << lost[0];
}

TEST(CollisionOfTwo, ReturnsItsRestitutionAndSharesMomentum) {
    for (double e : {0.2, 0.5, 0.8, 1.0}) {
        Model m;
        m.gravity = {};
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s, s, {.stiffness = 1e7, .restitution = e}});
        const BodyId a = add_ball(m, 0.1, 3, {0, 0, 0}, {2, 0, 0}, {}, s),
                     b = add_ball(m, 0.1, 1, {0.201, 0, 0}, {-1, 0, 0}, {}, s);
        World world(m, {.step = 1e-5});
        do world.step();
        while (world.time() < 5e-4 || !world.contacts().empty());
        const double va = world.twist(a).linear.x, vb = world.twist(b).linear.x;
        EXPECT_NEAR(vb - va, e * 3, 2e-3 * 3);
        EXPECT_NEAR(3 * va + vb, 5, 1e-9);
        EXPECT_LE(world.energy().kinetic, 0.5 * (3 * 4 + 1) * (1 + 1e-9));
    }
}

// Third law: what the contact did to each body is what it says, one plus, one minus; of an impact that is over within a step as of
// one that lasts for many.
TEST(CollisionOfTwo, HasTheImpulseThatContactsReport) {
    for (double stiffness : {0.0, 1e4}) {
        SCOPED_TRACE(testing::Message() << "stiffness " << stiffness);
        Model m;
        m.gravity = {};
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s, s, {.stiffness = stiffness}});
        const BodyId a = add_ball(m, 0.3, 2, {0, 0, 0}, {1, 0, 0}, {0, 3, 1}, s),
                     b = add_box(m, {0.4, 0.4, 0.4}, 1, {0.7, 0.1, 0.05}, {-1, 0, 0}, s);
        // In a soft contact forces are those of the end of the step, and bodies turn meanwhile.
        const double h = 1e-3, allowed = stiffness > 0 ? 1e-3 : 2e-5;
        World world(m, {.step = h});
        int touched = 0;
        for (int i = 0; i < 500; ++i) {
            const Vec3 va = world.twist(a).linear, vb = world.twist(b).linear;
            world.step();
            Vec3 on_a, on_b;
            for (const Contact& c : world.contacts()) {
                (c.body_a == a ? on_a : on_b) += c.force;
                (c.body_b == a ? on_a : on_b) -= c.force;
                EXPECT_TRUE((c.body_a == a && c.body_b == b) || (c.body_a == b && c.body_b == a));
                ++touched;
            }
            const double size = norm(on_a) + (stiffness > 0 ? 1e-2 : 1e-6);
            EXPECT_LE(norm(2 / h * (world.twist(a).linear - va) - on_a), allowed * size) << i;
            EXPECT_LE(norm(1 / h * (world.twist(b).linear - vb) - on_b), allowed * size) << i;
        }
        EXPECT_GE(touched, stiffness > 0 ? 10 : 1);
        EXPECT_LT(world.twist(a).linear.x, world.twist(b).linear.x);
    }
}

}  // namespace
}  // namespace bristle::step
