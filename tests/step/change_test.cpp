// Run-time changes (spec A13): what is left alone goes on as if nothing had happened.
#include <bristle/world.h>

#include "scenes/contacts.h"
#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

constexpr Vec3 y_axis{0, 1, 0};

double apart(const World& a, const World& b) {
    double worst = 0;
    for (uint32_t i = 1; i < a.model().bodies().size(); ++i)
        worst = std::max(worst, norm(a.pose({i}).position - b.pose({i}).position));
    return worst;
}

// ---- A change that changes nothing -------------------------------------------------------------------

struct Case {
    const char* name;
    Model model;
    double step, duration, allowed;
};

// A body on every kind of joint, with springs, bushings, rotors, gears and drives somewhere.
Model every_element() {
    Model m;
    const auto box = [&](const char* name, double x) {
        return m.add(Body::box({.2, .3, .4}, 2).at({x, 0, 0}).named(name));
    };
    const BodyId a = box("hinged", 0), b = box("sliding", 2), c = box("screwed", 4),
                 d = box("hung", 6), e = box("on a ball", 8), f = box("on a cross", 10),
                 g = box("on a plane", 12), h = box("telescope", 14), k = box("welded", 14.5);
    const JointId hinge = m.add(
        Revolute{.a = m.ground(), .b = a, .at = {-.2, 0, .1}, .axis = y_axis, .name = "hinge"});
    const JointId slide = m.add(
        Prismatic{.a = m.ground(), .b = b, .at = {2, 0, 0}, .axis = {.6, 0, -.8}, .name = "slide"});
    m.add(Gear{.first = hinge, .second = slide, .ratio = .3});
    m.add(Screw{.a = m.ground(), .b = c, .at = {4, 0, 0}, .axis = {0, 0, 1}, .lead = .7});
    m.add(Bushing{.a = m.ground(),
                  .b = d,
                  .at = {6, .1, .2},
                  .axes = Quat::about({1, 2, 3}, .4),
                  .stiffness = {2000, 3000, 4000},
                  .damping = {5, 6, 7},
                  .angular_stiffness = {20, 30, 40},
                  .angular_damping = {.1, .2, .3}});
    m.add(Spherical{.a = m.ground(), .b = e, .at = {7.8, 0, .2}});
    m.add(Spring{.a = m.ground(),
                 .b = e,
                 .at_a = {8, 0, 1},
                 .at_b = {8.1, 0, .2},
                 .stiffness = 300,
                 .damping = 1,
                 .free_length = .5});
    m.add(Universal{
        .a = m.ground(), .b = f, .at = {10, 0, .3}, .axis_a = {1, 0, 0}, .axis_b = y_axis});
    m.add(Planar{.a = m.ground(), .b = g, .at = {12, 0, 0}, .normal = {0, .6, .8}});
    const JointId strut = m.add(Distance{
        .a = m.ground(), .b = h, .at_a = {14, 0, 1}, .at_b = {14, 0, .2}, .name = "strut"});
    m.add(Fixed{.a = h, .b = k, .at = {14.2, 0, 0}});
    m.add(Drive{.joint = strut, .target = [](double t) { return .8 + .1 * std::sin(3 * t); }});
    m.add(Coordinate{.joint = hinge, .inertia = .01, .ratio = 5});
    m.add(JointSpring{.joint = slide, .stiffness = 100, .damping = 2, .rest = .05});
    return m;
}

std::vector<Case> cases() {
    using namespace scenes;
    return {
        {"four bars", four_bars(3).model, 1e-3, 1, 1e-9},
        {"double pendulum", double_pendulum().model, 1e-3, 1, 1e-9},
        {"Andrews", andrews().model, 1e-5, .02, 1e-9},
        {"flyball", flyball().model, 1e-3, 1, 1e-9},
        {"Dzhanibekov", dzhanibekov().model, 1e-3, 1, 1e-9},
        {"chain", chain(10, 10).model, 1e-3, 1, 1e-6},
        {"machine", machine15().model, 5e-3, 1, 1e-9},
        {"every element", every_element(), 1e-3, 1, 1e-8},
        {"block on incline", block_on_incline(pi / 6).model, 1e-3, 1, 1e-8},
        {"block that sticks", block_on_incline(pi / 9).model, 5e-3, 1, 1e-8},
        {"gripper", gripper(Gripper::Grip::force).model, 5e-3, 1, 1e-8},
        {"box stack", box_stack(3).model, 5e-3, 1, 1e-8},
        {"rolling", rolling_cylinder().model, 1e-3, 1, 1e-8},
        {"stick-slip", stick_slip().model, 1e-3, 1, 1e-8},
    };
}

TEST(Change, ThatChangesNothingIsNotFelt) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        World plain(c.model, {.step = c.step}), changed(c.model, {.step = c.step});
        plain.advance_to(c.duration / 2);
        changed.advance_to(c.duration / 2);
        const double before = plain.energy().total();
        std::vector<Reaction> reactions;
        for (uint32_t j = 0; j < c.model.joints().size(); ++j)
            reactions.push_back(changed.reaction({j}));
        std::vector<double> coordinates;
        for (uint32_t j = 0; j < c.model.joints().size(); ++j)
            coordinates.push_back(c.model.has_coordinate({j}) ? changed.coordinate({j}) : 0);

        changed.change([](Model&) {});
        EXPECT_LT(apart(plain, changed), 1e-12);
        EXPECT_NEAR(changed.energy().total(), before, 1e-9 * (1 + std::abs(before)));
        for (uint32_t j = 0; j < c.model.joints().size(); ++j) {
            const double size = 1 + norm(reactions[j].force) + norm(reactions[j].moment);
            EXPECT_LT(norm(changed.reaction({j}).force - reactions[j].force), 1e-5 * size) << j;
            EXPECT_LT(norm(changed.reaction({j}).moment - reactions[j].moment), 1e-5 * size) << j;
            if (c.model.has_coordinate({j})) {
                EXPECT_NEAR(changed.coordinate({j}), coordinates[j], 1e-11);
            }
        }
        plain.advance_to(c.duration);
        changed.advance_to(c.duration);
        EXPECT_DOUBLE_EQ(plain.time(), changed.time());
        EXPECT_LT(apart(plain, changed), c.allowed);
    }
}

// ---- Bodies and joints -------------------------------------------------------------------------------

TEST(Change, ABodyLetGoFliesOn) {
    Model m;
    const BodyId rod =
        m.add(Body::box({1, .1, .1}, 1).at({.5, 0, 0}).moving({0, 0, -1}, {0, 2, 0}));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = y_axis});
    World world(m);
    world.advance_to(.3);
    const Vec3 at = world.pose(rod).position, v = world.twist(rod).linear;
    const double turn = world.twist(rod).angular.y;
    world.change([&](Model& now) { now.remove(pin); });
    EXPECT_FALSE(world.model().contains(pin));
    EXPECT_THROW(world.reaction(pin), InputError);
    EXPECT_EQ(world.degrees_of_freedom(), 6);
    world.advance_to(.8);
    const Vec3 flown = at + .5 * v + Vec3{0, 0, -.5 * 9.81 * .25};
    EXPECT_LT(norm(world.pose(rod).position - flown), 1e-9);
    EXPECT_NEAR(world.twist(rod).angular.y, turn, 1e-5);
}

TEST(Change, ABodyIsCaughtInFlight) {
    Model m;
    const BodyId ball = m.add(Body::sphere(.1, 1).moving({1, 0, 0}));
    World world(m);
    world.advance_to(.1);
    JointId bar;
    world.change([&](Model& now) {
        const Vec3 at = now.bodies()[ball.index].position;
        bar =
            now.add(Distance{.a = now.ground(), .b = ball, .at_a = at + Vec3{0, 0, 1}, .at_b = at});
    });
    // Only the speed along the bar is lost.
    EXPECT_NEAR(world.twist(ball).linear.x, 1, 1e-12);
    EXPECT_NEAR(world.twist(ball).linear.z, 0, 1e-12);
    EXPECT_NEAR(world.reaction(bar).force.z, 9.81 + 1, 1e-9);
    const double energy = world.energy().total();
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate(bar), 1, 1e-9);
    EXPECT_NEAR(world.energy().total(), energy, 1e-5);
}

TEST(Change, IdsOfWhatStaysAreKept) {
    Model m;
    std::vector<BodyId> balls;
    for (int i = 0; i < 5; ++i) balls.push_back(m.add(Body::sphere(.1, 1).at({1. * i, 0, 0})));
    World world(m);
    world.advance_to(.1);
    world.change([&](Model& now) {
        now.remove(balls[1]);
        now.remove(balls[3]);
    });
    for (int i : {0, 2, 4}) EXPECT_NEAR(world.pose(balls[static_cast<size_t>(i)]).position.x, i, 0);
    EXPECT_THROW(world.pose(balls[1]), InputError);
    EXPECT_EQ(world.poses().size(), 6u);
    BodyId late;
    world.change([&](Model& now) { late = now.add(Body::sphere(.1, 1).at({9, 0, 0})); });
    EXPECT_EQ(late.index, 6u);
    EXPECT_EQ(world.twist(late).linear.z, 0);
    EXPECT_EQ(world.degrees_of_freedom(), 24);
}

TEST(Change, TurnsAreCountedOn) {
    Model m;
    const BodyId wheel = m.add(Body::cylinder(.3, .1, 1));
    const JointId axle = m.add(Revolute{.a = m.ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}});
    const DriveId motor = m.add(Drive{
        .joint = axle, .control = Drive::Control::speed, .target = [](double) { return 10; }});
    World world(m);
    for (int i = 1; i <= 5; ++i) {
        world.advance_to(i * .5);
        world.change([&](Model& now) { now.add(Body::point(1).at({5. + i, 0, 0})); });
        EXPECT_NEAR(world.coordinate(axle), 5 * i, 1e-8);
    }
    EXPECT_NEAR(world.effort(motor), 0, 1e-9);
    world.advance_to(3);
    EXPECT_NEAR(world.coordinate(axle), 30, 1e-8);
}

TEST(Change, CommandsAndLimitedDrivesGoOn) {
    Model m;
    const BodyId cart = m.add(Body::box({1, 1, 1}, 10));
    const JointId rail = m.add(Prismatic{.a = m.ground(), .b = cart, .at = {}, .axis = {1, 0, 0}});
    const DriveId pull =
        m.add(Drive{.joint = rail, .control = Drive::Control::speed, .max_effort = 20});
    World a(m), b(m);
    for (World* w : {&a, &b}) {
        w->command(pull, 5);
        w->advance_to(1);
    }
    EXPECT_NEAR(b.effort(pull), 20, 1e-9);
    b.change([](Model&) {});
    EXPECT_NEAR(b.effort(pull), 20, 1e-9);
    a.advance_to(4);
    b.advance_to(4);
    EXPECT_NEAR(b.twist(cart).linear.x, 5, 1e-9);
    EXPECT_NEAR(a.coordinate(rail), b.coordinate(rail), 1e-9);
}

TEST(Change, ALimitThatHoldsGoesOnHolding) {
    Model m;
    const BodyId flap = m.add(Body::box({1, .1, .1}, 1).at({.5, 0, 0}));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = flap, .at = {}, .axis = y_axis});
    const LimitId stop = m.add(Limit{.joint = pin, .max = .5});
    World world(m);
    world.advance_to(2);
    const double effort = world.effort(stop);
    EXPECT_LT(effort, -1);
    world.change([](Model& now) { now.add(Body::point(1)); });
    EXPECT_NEAR(world.effort(stop), effort, 1e-6);
    world.step();
    EXPECT_NEAR(world.effort(stop), effort, 1e-6);
    EXPECT_NEAR(world.coordinate(pin), .5, 1e-9);
}

TEST(Change, UserForcesKnowTheIdsTheyWereGiven) {
    Model m;
    const BodyId first = m.add(Body::point(1)), second = m.add(Body::point(1).at({1, 0, 0}));
    m.gravity = {};
    m.add(UserForce{.apply =
                        [second](const Kinematics& k, ForceSink& sink) {
                            EXPECT_GT(k.pose(second).position.x, .5);
                            sink.add_force(second, {0, 0, 1}, k.pose(second).position);
                        },
                    .bodies = {second}});
    World world(m);
    world.change([&](Model& now) { now.remove(first); });
    world.advance_to(1);
    EXPECT_NEAR(world.pose(second).position.z, .5, 1e-9);
    // One that reads what is gone says so, and nothing has happened.
    EXPECT_THROW(world.change([&](Model& now) { now.remove(second); }), InputError);
    EXPECT_NEAR(world.pose(second).position.z, .5, 1e-9);
}

TEST(Change, ThatFailsHasNotHappened) {
    World world(scenes::four_bars(2).model);
    world.advance_to(.2);
    const uint64_t hash = world.hash();
    const size_t bodies = world.model().bodies().size();
    EXPECT_THROW(world.change([](Model& now) {
        now.add(Body::point(1));
        throw std::runtime_error("no");
    }),
                 std::runtime_error);
    // A limit that is already passed cannot start.
    EXPECT_THROW(
        world.change([](Model& now) { now.add(Limit{.joint = {0}, .min = 100, .max = 101}); }),
        SimulationError);
    EXPECT_EQ(world.hash(), hash);
    EXPECT_EQ(world.model().bodies().size(), bodies);
    world.step();
}

TEST(Change, IsUndoneByAnEarlierSnapshot) {
    World world(scenes::box_stack(3).model, {.step = 5e-3});
    world.advance_to(.5);
    const Snapshot before = world.snapshot();
    world.advance_to(1);
    const uint64_t hash = world.hash();
    world.restore(before);
    world.change([](Model& now) { now.remove(BodyId{2}); });
    const Snapshot after = world.snapshot();
    world.advance_to(1);
    const uint64_t changed_hash = world.hash();
    EXPECT_NE(hash, changed_hash);
    world.restore(before);
    EXPECT_TRUE(world.model().contains(BodyId{2}));
    world.advance_to(1);
    EXPECT_EQ(world.hash(), hash);
    world.restore(after);
    EXPECT_FALSE(world.model().contains(BodyId{2}));
    world.advance_to(1);
    EXPECT_EQ(world.hash(), changed_hash);
}

TEST(Change, AWorldOfTheModelNowGoesOn) {
    World world(scenes::flyball().model);
    world.advance_to(.5);
    World other(world.model_now());
    EXPECT_EQ(other.time(), 0);
    EXPECT_LT(apart(world, other), 1e-12);
    EXPECT_NEAR(world.energy().total(), other.energy().total(), 1e-8);
}

// A bushing whose frames start apart pulls as one that was brought there.
TEST(Change, ABushingMayStartStrained) {
    Model m;
    m.gravity = {};
    const BodyId box = m.add(Body::box({.2, .3, .4}, 2).at({0, 0, .01}));
    m.add(Bushing{.a = m.ground(),
                  .b = box,
                  .at = {},
                  .at_b = Vec3{0, 0, .01},
                  .axes_b = Quat::about({0, 0, 1}, .02),
                  .stiffness = {100, 200, 300},
                  .angular_stiffness = {1, 2, 3}});
    const World world(m);
    EXPECT_NEAR(world.acceleration(box).z, -300 * .01 / 2, 1e-9);
    EXPECT_NEAR(world.energy().potential,
                .5 * 300 * .01 * .01 + .5 * 3 * std::sin(.02) * std::sin(.02), 1e-9);
}

// ---- Ten thousand steps ------------------------------------------------------------------------------

// A machine that nobody touches works on while everything around it comes and goes.
TEST(Change, TenThousandStepsWithAChangeEveryHundred) {
    Model m = scenes::machine15().model;
    m.add(Shape{.body = m.ground(), .geometry = Plane{}, .pose = {{0, 0, -20}, {}}});
    const AugmentedLagrangian settings{.step = 1e-3};
    World alone(m, settings), world(m, settings);
    const auto untouched = static_cast<uint32_t>(m.joints().size());
    std::vector<BodyId> guests;
    int arrivals = 0;
    std::vector<JointId> ties;
    std::vector<ForceId> springs;
    uint64_t dice = 1;
    const auto roll = [&](uint64_t sides) {
        dice = dice * 6364136223846793005ull + 1442695040888963407ull;
        return (dice >> 33) % sides;
    };
    const auto take = [&](auto& list) {
        const size_t i = roll(list.size());
        const auto id = list[i];
        list.erase(list.begin() + static_cast<ptrdiff_t>(i));
        return id;
    };
    for (int i = 1; i <= 10000; ++i) {
        alone.step();
        world.step();
        if (i % 100 != 0) continue;
        std::vector<Vec3> before;
        for (uint32_t j = 0; j < untouched; ++j) before.push_back(world.reaction({j}).force);
        world.change([&](Model& now) {
            std::erase_if(ties, [&](JointId id) { return !now.contains(id); });
            std::erase_if(springs, [&](ForceId id) { return !now.contains(id); });
            const uint64_t what = roll(6);
            if (what == 0 && guests.size() > 3) {
                now.remove(take(guests));
            } else if (what == 1 && !ties.empty()) {
                now.remove(take(ties));
            } else if (what == 2 && !springs.empty()) {
                now.remove(take(springs));
            } else if (what == 3 && guests.size() > 1) {
                const BodyId a = guests[roll(guests.size())], b = guests[roll(guests.size())];
                if (a == b) return;
                const Vec3 at_a = now.bodies()[a.index].position,
                           at_b = now.bodies()[b.index].position;
                springs.push_back(now.add(Spring{.a = a,
                                                 .b = b,
                                                 .at_a = at_a,
                                                 .at_b = at_b,
                                                 .stiffness = 5,
                                                 .damping = 1,
                                                 .free_length = .9 * norm(at_b - at_a)}));
            } else if (what == 4 && !guests.empty()) {
                const BodyId a = guests[roll(guests.size())];
                const Vec3 at = now.bodies()[a.index].position;
                ties.push_back(now.add(
                    Distance{.a = now.ground(), .b = a, .at_a = at + Vec3{0, 0, 1}, .at_b = at}));
            } else {
                guests.push_back(now.add(Body::sphere(.3, 1).at({-10. - ++arrivals, 0, -19})));
                now.add(Shape{.body = guests.back(), .geometry = Sphere{.3}});
            }
        });
        for (uint32_t j = 0; j < untouched; ++j)
            ASSERT_LT(norm(world.reaction({j}).force - before[j]), 1e-6 * (1000 + norm(before[j])))
                << "joint " << j << " at step " << i;
    }
    // Impacts among the guests weigh the whole step otherwise; but for that it would be 1e-10.
    for (uint32_t b = 1; b < m.bodies().size(); ++b)
        EXPECT_LT(norm(world.pose({b}).position - alone.pose({b}).position), 2e-3) << b;
}

}  // namespace
}  // namespace bristle::step
