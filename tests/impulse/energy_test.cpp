// What nothing but joints and weight moves keeps its energy under impulses, too.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

BodyId add_rod(Model& m, Vec3 from, Vec3 to, Vec3 spin, Vec3 velocity = {}) {
    return m.add(Body::rod(from, to, 1 + norm(to - from)).moving(velocity, spin));
}

struct Change {
    double lost = 0, gained = 0;
};

// The largest on the way, of the largest kinetic energy.
Change change_of_energy(World& world, double end) {
    const double start = world.energy().total();
    double most = world.energy().kinetic;
    Change change;
    while (world.time() < end) {
        world.step();
        change.lost = std::max(change.lost, start - world.energy().total());
        change.gained = std::max(change.gained, world.energy().total() - start);
        most = std::max(most, world.energy().kinetic);
    }
    return {change.lost / most, change.gained / most};
}

TEST(ImpulseEnergy, OfPendulumsStays) {
    for (int links : {1, 2, 3})
        for (double step : {10e-3, 2e-3}) {
            Model m;
            BodyId last = Model::ground();
            for (int i = 0; i < links; ++i) {
                const BodyId rod = add_rod(m, i * x, (i + 1) * x, 3 * y);
                m.add(Revolute{.a = last, .b = rod, .at = i * x, .axis = y});
                last = rod;
            }
            World world(m, Impulse{.step = step});
            const Change change = change_of_energy(world, 20);
            EXPECT_LT(change.gained, 1e-9) << links << ' ' << step;
            // Where it turns back there is no motion to give anything to.
            EXPECT_LT(change.lost, 1e-3) << links << ' ' << step;
        }
}

TEST(ImpulseEnergy, OfAFourBarStays) {
    Model m;
    const Vec3 a{}, b = 0.5 * z, c = 1.2 * x + 1.1 * z, d = 1.5 * x;
    const BodyId crank = add_rod(m, a, b, 6 * y), coupler = add_rod(m, b, c, {}),
                 rocker = add_rod(m, c, d, {});
    m.add(Revolute{.a = Model::ground(), .b = crank, .at = a, .axis = y});
    m.add(Revolute{.a = crank, .b = coupler, .at = b, .axis = y});
    m.add(Revolute{.a = coupler, .b = rocker, .at = c, .axis = y});
    m.add(Revolute{.a = rocker, .b = Model::ground(), .at = d, .axis = y});
    World world(m, Impulse{.step = 5e-3});
    const Change change = change_of_energy(world, 20);
    EXPECT_LT(change.gained, 1e-9);
    EXPECT_LT(change.lost, 0.1);
}

// Of what flies, and momentum with it.
TEST(ImpulseEnergy, OfATreeThatFliesStays) {
    Model m;
    m.gravity = {};
    const BodyId middle = m.add(Body::box({1, 0.6, 0.2}, 3).moving(x, 2 * y));
    const BodyId first = add_rod(m, 0.5 * x, 0.5 * x + z, 2 * y, x + cross(2 * y, 0.5 * x)),
                 second =
                     add_rod(m, -0.5 * x, -0.5 * x + y, 2 * y + 3 * z, x + cross(2 * y, -0.5 * x));
    m.add(Spherical{.a = middle, .b = first, .at = 0.5 * x});
    m.add(Revolute{.a = middle, .b = second, .at = -0.5 * x, .axis = z});
    World world(m, Impulse{.step = 10e-3});
    const Vec3 linear = world.momentum(), angular = world.angular_momentum({});
    const Change change = change_of_energy(world, 10);
    EXPECT_LT(change.gained, 1e-9);
    EXPECT_LT(change.lost, 1e-9);
    EXPECT_LT(norm(world.momentum() - linear), 1e-9 * norm(linear));
    EXPECT_LT(norm(world.angular_momentum({}) - angular), 0.05 * norm(angular));
}

// A stop, a spring or somebody's force is energy of another kind, and it is left alone.
TEST(ImpulseEnergy, OfADamperGoes) {
    Model m;
    const BodyId rod = add_rod(m, {}, x, {});
    const JointId pin = m.add(Revolute{.a = Model::ground(), .b = rod, .axis = y});
    m.add(JointSpring{.joint = pin, .damping = 1});
    World world(m, Impulse{.step = 5e-3});
    const double start = world.energy().total();
    world.advance_to(20);
    EXPECT_NEAR(world.energy().total(), start - 2 * 9.81 * 0.5, 0.05);
}

}  // namespace
}  // namespace bristle::impulse
