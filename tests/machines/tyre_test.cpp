// Tyres against the formula they stand for, and what stands, rolls and brakes on them.
#include "machines/parts/tyre.h"

#include <bristle/world.h>

#include "tests/machines/asked.h"
#include "tests/machines/solvers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

namespace bristle::machines {
namespace {

using testing_support::solvers;

// A wheel under a load, drawn along at one speed and turned at another, its axle at an angle to the way.
struct Rig {
    static constexpr double mass = 3000;
    Rig(const Tyre& tyre, double speed, double spin, double angle) {
        model.add(Shape{.body = model.ground(), .geometry = Plane{}});
        const BodyId sled =
            model.add(Body::box({1, 1, 1}, 100).at({0, 0, 2}).moving({speed, 0, 0}));
        const BodyId fork =
            model.add(Body::box({1, 1, 1}, mass - 100).at({0, 0, 1}).moving({speed, 0, 0}));
        const Vec3 axle{-std::sin(angle), std::cos(angle), 0};
        wheel = model.add(Body::sphere(0.3, 100)
                              .at({0, 0, tyre.radius}, Quat::about({0, 0, 1}, angle))
                              .moving({speed, 0, 0}, spin * axle));
        const JointId way = model.add(
            Prismatic{.a = model.ground(), .b = sled, .at = {0, 0, 2}, .axis = {1, 0, 0}});
        model.add(Prismatic{.a = sled, .b = fork, .at = {0, 0, 1}, .axis = {0, 0, 1}});
        const JointId pin =
            model.add(Revolute{.a = fork, .b = wheel, .at = {0, 0, tyre.radius}, .axis = axle});
        model.add(Drive{.joint = way, .control = Drive::Control::speed, .target = speed});
        model.add(Drive{.joint = pin, .control = Drive::Control::speed, .target = spin});
        tread = add_tyre(model, wheel, tyre);
    }
    Model model;
    BodyId wheel;
    ForceId tread;
};

TEST(Tyre, RollsToTheMagicFormulaOfItsSlip) {
    const Tyre tyre;
    const double load = Rig::mass * 9.81, v = 5, radius = tyre.radius - load / tyre.stiffness / 3;
    for (const Settings& settings : solvers())
        for (const double kappa : {-1.0, -0.5, -0.1, -0.02, 0.0, 0.01, 0.05, 0.2}) {
            // Slip of what is faster: driven, of the tread.
            const double spin = kappa <= 0 ? (1 + kappa) * v / radius : v / (1 - kappa) / radius;
            const Rig rig(tyre, v, spin, 0);
            World world(rig.model, settings);
            world.advance_to(3);
            const TyreNow now(world.memory(rig.tread));
            EXPECT_NEAR(now.load, load, 1e-3 * load) << kappa;
            EXPECT_NEAR(now.slip_along, kappa, 5e-4) << kappa;
            EXPECT_NEAR(now.force_along, tyre.along.force(kappa, load), 0.006 * load) << kappa;
            EXPECT_NEAR(now.force_along, tyre.along.force(now.slip_along, now.load), 1e-6 * load);
            EXPECT_NEAR(now.force_across, 0, 1e-6 * load);
            EXPECT_NEAR(world.efforts(rig.tread)[0], now.force_along, 1e-3 * load);
        }
}

TEST(Tyre, CornersByTheMagicFormulaAndCombinesBothSlips) {
    const Tyre tyre;
    const double load = Rig::mass * 9.81, v = 5, radius = tyre.radius - load / tyre.stiffness / 3;
    for (const Settings& settings : solvers())
        for (const double angle : {-0.3, -0.05, 0.02, 0.1, 0.6}) {
            const double along = v * std::cos(angle);
            const Rig rig(tyre, v, along / radius, angle);
            World world(rig.model, settings);
            world.advance_to(3);
            const TyreNow now(world.memory(rig.tread));
            // The wheel points to the left of the way: it slides to its right, and is pushed to its left.
            const double slip = std::tan(angle);
            EXPECT_NEAR(now.slip_across, slip, 2e-3 * std::abs(slip)) << angle;
            EXPECT_NEAR(now.force_across, tyre.across.force(slip, load), 2e-3 * load) << angle;

            // Braked besides: less than either alone, and within the ellipse of both frictions.
            const Rig braked(tyre, v, 0.9 * along / radius, angle);
            World both(braked.model, settings);
            both.advance_to(3);
            const TyreNow of_both(both.memory(braked.tread));
            EXPECT_LT(std::abs(of_both.force_across), std::abs(now.force_across));
            EXPECT_LT(std::abs(of_both.force_along), std::abs(tyre.along.force(-0.1, load)));
            EXPECT_LT(std::pow(of_both.force_along / (tyre.along.friction * load), 2)
                          + std::pow(of_both.force_across / (tyre.across.friction * load), 2),
                      1.001);
        }
}

// After a step of the angle the force grows with the way, 1 − exp(−x/σ).
TEST(Tyre, TakesItsRelaxationLengthToCorner) {
    const Tyre tyre;
    for (const Settings& settings : solvers()) {
        const double v = 2, angle = 0.01,
                     radius = tyre.radius - Rig::mass * 9.81 / tyre.stiffness / 3;
        const Rig rig(tyre, v, v / radius, angle);
        World world(rig.model, settings);
        // Its load first: that is there after some tenths of a second, and the deflection then, too.
        for (double way : {0.1, 0.2, 0.4, 0.8}) {
            world.advance_to(way / v);
            const TyreNow now(world.memory(rig.tread));
            EXPECT_NEAR(now.slip_across / std::tan(angle),
                        1 - std::exp(-way / tyre.relaxation_across), 0.03)
                << way;
        }
    }
}

// Four wheels with brakes under a block; x forward, up a slope of the given gradient.
struct Cart {
    static constexpr double mass = 12000, wheel_mass = 150;
    static constexpr double parked = -1;  // hubs that cannot turn at all
    Cart(const Tyre& tyre, double gradient, double speed, Geometry ground = Plane{},
         Pose ground_pose = {}, double brake = 60e3) {
        MaterialId earth = model.add(Material{.name = "earth"});
        model.add(Shape{
            .body = model.ground(), .geometry = ground, .pose = ground_pose, .material = earth});
        const double slope = std::atan(gradient);
        model.gravity = 9.81 * Vec3{-std::sin(slope), 0, -std::cos(slope)};
        const double z = tyre.radius - mass * 9.81 / 4 / tyre.stiffness;
        body = model.add(
            Body::box({4, 2, 1}, mass - 4 * wheel_mass).at({0, 0, z + 0.5}).moving({speed, 0, 0}));
        for (const double x : {-1.4, 1.4})
            for (const double y : {-1.0, 1.0}) {
                const Vec3 at{x, y, z};
                const BodyId wheel =
                    model.add(Body::sphere(0.4, wheel_mass)
                                  .at(at)
                                  .moving({speed, 0, 0}, {0, speed / tyre.radius, 0}));
                if (brake == parked) {
                    model.add(Fixed{.a = body, .b = wheel, .at = at});
                } else {
                    const JointId pin =
                        model.add(Revolute{.a = body, .b = wheel, .at = at, .axis = {0, 1, 0}});
                    if (brake > 0)
                        model.add(Drive{.joint = pin,
                                        .control = Drive::Control::friction,
                                        .max_effort = brake});
                }
                wheels.push_back(wheel);
                treads.push_back(add_tyre(model, wheel, tyre));
            }
    }
    Model model;
    BodyId body;
    std::vector<BodyId> wheels;
    std::vector<ForceId> treads;
};

// Hubs that only friction holds are let go by 1e-8 of what they bear in every step of impulses: that is the brake's, not the tyre's.
TEST(Tyre, StandsOnASlopeOfSixtyPercentWithoutCreep) {
    struct Case {
        Settings settings;
        double brake, creep;
    };
    for (const Case& c : {Case{solvers()[0], 60e3, 1e-9}, Case{solvers()[0], Cart::parked, 1e-9},
                          Case{solvers()[1], Cart::parked, 1e-9}, Case{solvers()[1], 60e3, 3e-6}}) {
        const Cart cart({}, 0.6, 0, Plane{}, {}, c.brake);
        World world(cart.model, c.settings);
        world.advance_to(20);
        const Vec3 there = world.pose(cart.body).position;
        EXPECT_LT(std::abs(there.x), 0.2);
        world.advance_to(80);
        EXPECT_LT(norm(world.pose(cart.body).position - there), c.creep) << c.brake;
        EXPECT_EQ(world.statistics().rough_steps, 0u);
        double load = 0, held = 0;
        for (ForceId tread : cart.treads) {
            load += TyreNow(world.memory(tread)).load;
            held += TyreNow(world.memory(tread)).force_along;
        }
        const double slope = std::atan(0.6);
        EXPECT_NEAR(load, Cart::mass * 9.81 * std::cos(slope), 1);
        EXPECT_NEAR(held, Cart::mass * 9.81 * std::sin(slope), 1);
    }
}

TEST(Tyre, SlidesDownWhereTheGroundIsSlippery) {
    for (const Settings& settings : solvers()) {
        Tyre tyre;
        const double gradient = 0.6, grip = 0.4, slope = std::atan(gradient);
        tyre.grip = {{MaterialId{1}, grip}};
        const Cart cart(tyre, gradient, 0);
        World world(cart.model, settings);
        world.advance_to(3);
        // Locked: the formula at a slip of one.
        const MagicFormula wet{grip * tyre.along.friction, tyre.along.slip_stiffness,
                               tyre.along.shape, tyre.along.curvature};
        const double a = 9.81 * (std::sin(slope) - wet.force(1, 1) * std::cos(slope));
        EXPECT_NEAR(world.twist(cart.body).linear.x, -3 * a, 0.03 * 3 * a);
    }
}

TEST(Tyre, ThePrintedForceCreeps) {
    for (const Settings& settings : solvers()) {
        const Tyre tyre{.tangential = Tyre::Tangential::printed};
        const Cart cart(tyre, 0.3, 0);
        World world(cart.model, settings);
        world.advance_to(4);
        // μ v/√(v² + v₀²) = 0.3
        const double share = 0.3 / tyre.along.friction,
                     creep = tyre.printed_speed * share / std::sqrt(1 - share * share);
        EXPECT_NEAR(world.twist(cart.body).linear.x, -creep, 0.02 * creep);
    }
}

// With locked wheels: v²/(2 a), a by the formula at a slip of one.
TEST(Tyre, BrakesInTheDistanceOfItsFriction) {
    for (const Settings& settings : solvers()) {
        const Tyre tyre;
        const Cart cart(tyre, 0, 10);
        World world(cart.model, settings);
        double after = 0;
        while (world.twist(cart.body).linear.x > 1e-3 && (after = world.time()) < 5) world.step();
        const double exact = 100 / (2 * 9.81 * tyre.along.force(1, 1)),
                     way = world.pose(cart.body).position.x;
        // Less by what the tyres hold at their peak while they lock.
        EXPECT_LT(way, 1.005 * exact);
        EXPECT_GT(way, 0.95 * exact);
        const double there = way;
        world.advance_to(after + 5);
        // It swings back on its tyres, by what they were bent.
        EXPECT_NEAR(world.pose(cart.body).position.x, there, 0.07);
    }
}

TEST(Tyre, RollsOnForFree) {
    for (const Settings& settings : solvers()) {
        const Cart cart({}, 0, 8, Plane{}, {}, 0);
        World world(cart.model, settings);
        world.advance_to(1);
        const double v = world.twist(cart.body).linear.x;
        world.advance_to(11);
        EXPECT_NEAR(world.twist(cart.body).linear.x, v, 1e-3 * v);
        EXPECT_NEAR(world.pose(cart.body).position.y, 0, 1e-6);
    }
}

TEST(Tyre, FeelsHeightFieldsAndMeshesAsPlanes) {
    HeightField field{.columns = 21, .rows = 21, .spacing_x = 1, .spacing_y = 1};
    field.heights.assign(21 * 21, 0);
    const auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0}, {-20, 20, 0}};
    mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
    const std::vector<std::pair<Geometry, Pose>> grounds = {
        {Plane{}, {}}, {field, {{-10, -10, 0}, {}}}, {Mesh{mesh}, {}}};
    for (const Settings& settings : solvers()) {
        std::vector<double> far, high;
        for (const auto& [ground, pose] : grounds) {
            const Cart cart({}, 0, 4, ground, pose, 2000);
            World world(cart.model, settings);
            world.advance_to(1.2);
            far.push_back(world.pose(cart.body).position.x);
            high.push_back(world.pose(cart.body).position.z);
        }
        EXPECT_NEAR(far[1], far[0], 1e-9);
        EXPECT_NEAR(far[2], far[0], 1e-9);
        EXPECT_NEAR(high[1], high[0], 1e-9);
        EXPECT_NEAR(high[2], high[0], 1e-9);
    }
}

TEST(Tyre, ClimbsAKerbAndLandsFromTheAir) {
    for (const Settings& settings : solvers()) {
        Cart cart({}, 0, 3, Plane{}, {}, 0);
        cart.model.add(Shape{.body = cart.model.ground(),
                             .geometry = Box{{20, 20, 0.1}},
                             .pose = {{14, 0, 0.05}, {}}});
        World world(cart.model, settings);
        const double level = world.pose(cart.body).position.z;
        double highest = 0;
        while (world.time() < 5) {
            world.step();
            highest = std::max(highest, world.pose(cart.body).position.z);
        }
        EXPECT_GT(world.pose(cart.body).position.x, 6);
        EXPECT_NEAR(world.pose(cart.body).position.z, level + 0.1, 0.01);
        EXPECT_LT(highest, level + 0.3);
    }
}

struct LawOf {
    explicit LawOf(const Tyre& tyre) {
        add_tyre(model, model.add(Body::sphere(0.3, 100)), tyre);
        law = model.stateful_forces()[0].law;
    }
    Model model;
    std::shared_ptr<const StatefulLaw> law;
};

// Rolling, and what stands with more deflection than it can hold, or nearly stands: then less of it is kept, of what is calmed too.
TEST(Tyre, TellsTheDerivativesOfItsForces) {
    for (const auto tangential : {Tyre::Tangential::magic_formula, Tyre::Tangential::printed})
        for (const auto& [speed, along, across, up] : {std::tuple{0.4, 0.02, -0.03, 0.1},
                                                       {0.4, 0.11, -0.03, 0.1},
                                                       {0.4, 0.2, 0.3, 0.1},
                                                       {0.0, -0.06, 0.05, 0.1},
                                                       {0.0, 0.3, -0.4, -0.1},
                                                       {0.4, 0.3, -0.4, -12},
                                                       {3.0, 0.3, 0.1, -12}}) {
            const LawOf tyre({.tangential = tangential});
            testing_support::Asked asked(*tyre.law, 3);
            asked.aims = {{.at = {}, .noted = {0.04, speed, 0.9}}};
            asked.before = {along, across, 3e4, 0, 0, 0, 0};
            asked.end = {-0.002, 0.004, -0.003};
            asked.end_rate = {up, 0.05, -0.04};
            asked.ask(5e-3);
            const testing_support::Asked at = asked;
            for (size_t j = 0; j < 3; ++j) {
                const std::vector<double> stiffness = asked.slope(asked.end[j], 1e-7, 5e-3),
                                          damping = asked.slope(asked.end_rate[j], 1e-5, 5e-3);
                for (size_t i = 0; i < 3; ++i) {
                    EXPECT_NEAR(at.stiffness[3 * i + j], stiffness[i], 2) << along << i << j;
                    EXPECT_NEAR(at.damping[3 * i + j], damping[i], 0.1) << along << i << j;
                }
            }
            EXPECT_GT(at.effort[0], 1e4);
        }
}

struct Nothing : Scenery {
    std::optional<SceneryHit> cast_ray(Vec3, Vec3, double) const override { return {}; }
};

// Where no ray had met the ground it counted as 1.5 radii away, with no grip: who went farther in a step was given a load in the air, and
// a tread of infinite slip.
TEST(Tyre, CarriesNothingWhereThereIsNoGround) {
    const LawOf tyre({});
    testing_support::Asked asked(*tyre.law, 3);
    asked.aims = {tyre.law->aim(0, {{0, 0, 1}, {}}, {}, {}, asked.before, Nothing{})};
    for (const double down : {0.01, 0.5, 1.0, 1e3, 1e300}) {
        asked.before = {0.01, 0.02, 3e4, 0, 0, 0, 0};
        asked.end = {-down, 0.1, 0.1};
        asked.end_rate = {-down / 5e-3, 1, 2};
        asked.ask(5e-3);
        for (const auto* list : {&asked.effort, &asked.stiffness, &asked.damping, &asked.memory})
            for (const double x : *list) EXPECT_EQ(x, 0) << down;
    }
}

// A wheel that falls and turns falls as what has no tyre, at any speed; and lands, from as high as a step is long.
TEST(Tyre, FallsFreelyAndLands) {
    for (const double speed : {20.0, 100.0, 400.0})
        for (const double step : {5e-3, 2e-2})
            for (const Settings& settings : solvers(step)) {
                Model model;
                const BodyId wheel = model.add(Body::cylinder(0.5, 0.4, 150)
                                                   .at({}, Quat::about({1, 0, 0}, pi / 2))
                                                   .moving({-speed, 3, -speed}, {0, 5, 0}));
                add_tyre(model, wheel, {.axle = {0, 0, 1}});
                World world(model, settings);
                world.advance_to(1);
                EXPECT_NEAR(world.pose(wheel).position.z, -speed - 0.5 * 9.81, 0.2) << speed;
                EXPECT_NEAR(norm(world.twist(wheel).linear - Vec3{-speed, 3, -speed - 9.81}), 0,
                            1e-6)
                    << speed;
            }
    const auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0}, {-20, 20, 0}};
    mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
    for (const double speed : {20.0, 50.0})
        for (const double step : {5e-3, 2e-2})
            for (const Settings& settings : solvers(step))
                for (int i = 0; i < 7; ++i) {
                    Model model;
                    model.add(Shape{.body = model.ground(), .geometry = Mesh{mesh}});
                    const double high = 0.6 + speed * (0.1 + step * i / 7);
                    const BodyId wheel =
                        model.add(Body::cylinder(0.5, 0.4, 150)
                                      .at({0, 0, high}, Quat::about({1, 0, 0}, pi / 2))
                                      .moving({0, 0, -speed}));
                    add_tyre(model, wheel, {.axle = {0, 0, 1}, .stiffness = 5e6, .damping = 5e4});
                    World world(model, settings);
                    double fastest = 0;
                    while (world.time() < 0.5) {
                        world.step();
                        fastest = std::max(fastest, world.twist(wheel).linear.z);
                    }
                    // Back up, and not faster than it came.
                    EXPECT_LT(fastest, speed + 1) << speed << ' ' << step << ' ' << i;
                    EXPECT_GT(world.pose(wheel).position.z, 0.3)
                        << speed << ' ' << step << ' ' << i;
                }
}

// The peak of a formula that is flat was looked for up to a slip of 10 and some: what stood was left with less than it could hold.
TEST(Tyre, StandsWithWhatItsFormulaHoldsAtMost) {
    for (const MagicFormula& f : {MagicFormula{},
                                  {.shape = 1.3, .curvature = 0.97},
                                  {.shape = 1.05, .curvature = 0.9},
                                  {.shape = 1.1, .curvature = 1},
                                  {.shape = 2, .curvature = -3},
                                  {.shape = 0.9}}) {
        const LawOf tyre({.along = f, .across = f});
        double highest = 0;
        for (double slip = 1e-3; slip < 1e4; slip *= 1.001)
            highest = std::max(highest, f.force(slip, 1));
        testing_support::Asked asked(*tyre.law, 3);
        asked.aims = {{.at = {}, .noted = {0.05, 0, 1}}};
        asked.before = {500, 0, 0, 0, 0, 0, 0};
        asked.ask(5e-3);
        EXPECT_NEAR(asked.effort[1] / asked.effort[0], highest, 1e-3 * highest) << f.shape;
    }
}

TEST(Tyre, IsRestoredToTheSameBits) {
    for (const Settings& settings : solvers()) {
        const Cart cart({}, 0.2, 3);
        World world(cart.model, settings);
        world.advance_to(0.5);
        const Snapshot kept = world.snapshot();
        world.advance_to(1.5);
        const uint64_t then = world.hash();
        world.restore(kept);
        world.advance_to(1.5);
        EXPECT_EQ(world.hash(), then);
    }
}

TEST(Tyre, RefusesNumbersThatAreNone) {
    Model m;
    const BodyId wheel = m.add(Body::sphere(0.3, 100));
    EXPECT_THROW(add_tyre(m, wheel, {.radius = 0}), InputError);
    EXPECT_THROW(add_tyre(m, wheel, {.axle = {}}), InputError);
    EXPECT_THROW(add_tyre(m, m.ground(), {}), InputError);
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    // Beyond these the force is against the slip.
    for (const double bad : {1.001, nan, infinity, -infinity}) {
        EXPECT_THROW(add_tyre(m, wheel, {.along = {.curvature = bad}}), InputError) << bad;
        EXPECT_THROW(add_tyre(m, wheel, {.across = {.curvature = bad}}), InputError) << bad;
    }
    for (const double bad : {2.001, 0.0, nan})
        EXPECT_THROW(add_tyre(m, wheel, {.along = {.shape = bad}}), InputError) << bad;
    for (const double bad : {-1.0, nan, infinity}) {
        EXPECT_THROW(add_tyre(m, wheel, {.damping = bad}), InputError) << bad;
        EXPECT_THROW(add_tyre(m, wheel, {.calming = bad}), InputError) << bad;
        EXPECT_THROW(add_tyre(m, wheel, {.grip = {{{}, bad}}}), InputError) << bad;
    }
    EXPECT_THROW(add_tyre(m, wheel, {.axle = {nan, 0, 1}}), InputError);
}

}  // namespace
}  // namespace bristle::machines
