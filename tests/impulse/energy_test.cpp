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

// A drive that comes up to its speed, pushes, and runs into what it goes on pushing. Its work was its effort times the way of the step, h v₁: in a
// step in which it accelerated from rest that is twice what it did, and where it was stopped nearly nothing.
TEST(ImpulseEnergy, OfADriveThatStrikesIsItsWork) {
    for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never})
        for (double most : {5.0, 300.0, 1e5}) {
            Model m;
            const MaterialId dead = m.add(Material{.restitution = 0});
            const auto add_slider = [&](double at, double mass) {
                const BodyId box = m.add(Body::box({0.2, 0.2, 0.2}, mass).at({at, 0, 0}));
                m.add(Shape{.body = box, .geometry = Box{{0.2, 0.2, 0.2}}, .material = dead});
                return m.add(
                    Prismatic{.a = Model::ground(), .b = box, .at = {at, 0, 0}, .axis = x});
            };
            const JointId driven = add_slider(0, 3), pushed = add_slider(0.45, 20);
            const DriveId drive = m.add(Drive{.joint = driven,
                                              .control = Drive::Control::speed,
                                              .target = [](double) { return 1.5; },
                                              .max_effort = most});
            World world(m, Impulse{.step = 5e-3, .direct = direct});
            const double size = 0.5 * 23 * 1.5 * 1.5;
            // A contact gives by a ten-thousandth of what it changes; sweeps have single precision.
            const double rounding = 3e-5;
            double lowest = 0;
            while (world.time() < 3) {
                world.step();
                const double left = world.energy().total() - world.work(drive);
                EXPECT_LT(left, lowest + rounding * size) << most << " at " << world.time();
                if (world.coordinate(driven) < 0.2) {
                    EXPECT_GT(left, -rounding * size) << most;
                }
                lowest = std::min(lowest, left);
            }
            EXPECT_GT(world.coordinate_rate(pushed), most < 10 ? 0.3 : 1.49);
            EXPECT_LT(lowest, -0.1);
        }
}

// Told with where it is when the step ends, it rose by g h v at each bounce.
TEST(ImpulseEnergy, OfAnElasticBallStaysThroughItsBounces) {
    Model m;
    const MaterialId elastic = m.add(Material{.restitution = 1});
    const BodyId ball = m.add(Body::sphere(0.1, 2).at({0, 0, 1.1}));
    m.add(Shape{.body = ball, .geometry = Sphere{0.1}, .material = elastic});
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = elastic});
    World world(m, Impulse{.step = 10e-3});
    const double start = world.energy().total();
    double most = -1;
    while (world.time() < 20) {
        world.step();
        most = std::max(most, world.energy().total() - start);
    }
    EXPECT_LT(most, 1e-4 * 2 * 9.81);
    EXPECT_GT(world.energy().total() - start, -0.02 * 2 * 9.81);
}

// A piston runs into the stop of its joint, which is to return all: it does not go back, and they did not press against each other for 4 kJ of work.
TEST(ImpulseEnergy, OfAPistonAtItsStopIsNotLentByTheOil) {
    Model m;
    const BodyId box = m.add(Body::box({0.2, 0.2, 0.2}, 50));
    const JointId rail = m.add(Prismatic{.a = Model::ground(), .b = box, .at = {}, .axis = x});
    m.add(Limit{.joint = rail, .max = 0.3, .restitution = 0.8});
    const DriveId piston = m.add(Drive{.joint = rail,
                                       .control = Drive::Control::hydraulic,
                                       .target = [](double) { return 1.0; },
                                       .max_effort = 1e4,
                                       .max_speed = 1});
    World world(m, Impulse{.step = 5e-3});
    double lowest = 0;
    while (world.time() < 1) {
        world.step();
        const double left = world.energy().total() - world.work(piston);
        EXPECT_LT(left, lowest + 1e-3) << world.time();
        lowest = std::min(lowest, left);
    }
    EXPECT_NEAR(world.coordinate(rail), 0.3, 1e-6);
    EXPECT_LT(lowest, -25);  // what it had, and what it was pushed on with while it stopped
}

// A box swings about a bushing that is as good as a hinge. Arms turn within a step, by 0.2 mm at 5 ms, which its row did not know: 1e10 N/m stored 160 J of
// it, of the 49 J there were.
TEST(ImpulseEnergy, OfAStiffBushingIsNotThatOfTheTurnOfAStep) {
    for (const double stiffness : {1e6, 1e8, 1e10, 1e12}) {
        Model m;
        const BodyId box = m.add(Body::box({0.2, 0.2, 0.2}, 10).at({0.5, 0, 0}));
        m.add(Bushing{.a = Model::ground(),
                      .b = box,
                      .at = {},
                      .stiffness = {stiffness, stiffness, stiffness}});
        World world(m, Impulse{.step = 5e-3});
        const Change change = change_of_energy(world, 10);
        EXPECT_LT(change.gained, 1e-3) << stiffness;
        EXPECT_LT(change.lost, 5e-3) << stiffness;
    }
}

}  // namespace
}  // namespace bristle::impulse
