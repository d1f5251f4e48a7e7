// Driving to places, around what is in the way.
#include "machines/operator/travel.h"

#include "tests/operator/goals.h"
#include "tests/operator/site.h"

namespace bristle::machines {
namespace {

using testing_support::run;
using testing_support::Site;

TEST(Travel, ReachesRandomGoalsOnTheSite) { testing_support::drive_to_random_goals(11, 3); }

TEST(Travel, SaysThatThereIsNoWayIntoAClosedYard) {
    Site site(
        "", "",
        "shapes:\n  ground: {type: plane, material: ground}\n"
        "  long wall {i}: {for: {i: 2}, type: box, size: [20, 0.3, 2], position: [20, 10*i - "
        "5, 1], material: ground}\n"
        "  short wall {i}: {for: {i: 2}, type: box, size: [0.3, 10, 2], position: [10 + 20*i, "
        "0, 1], material: ground}\n");
    Operator driver(site.world.model(), std::make_unique<Travel>(Travel::Goal{20, 0, 0}));
    const Progress p = run(site.world, driver, 60);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_EQ(p.why, "there is no way");
    // It never left.
    EXPECT_LT(norm(site.world.pose(site.excavator.undercarriage).position), 1);
}

TEST(Travel, TurnsRoundInAYardAndComesOutAgain) {
    Site site(
        "", "",
        "shapes:\n  ground: {type: plane, material: ground}\n"
        "  wall {i}: {for: {i: 2}, type: box, size: [24, 0.3, 2], position: [0, 16*i - 8, 1], "
        "material: ground}\n");
    Operator driver(site.world.model(), std::make_unique<Travel>(Travel::Goal{0, 0, pi}));
    const Progress p = run(site.world, driver, 240);
    EXPECT_EQ(p.state, Progress::State::done) << p.why;
    EXPECT_NEAR(std::abs(std::atan2(driver.senses().machine.orientation.matrix()(1, 0),
                                    driver.senses().machine.orientation.matrix()(0, 0))),
                pi, 0.2);
}

TEST(Travel, IsBlockedByAFenceItDidNotSee) {
    // A wall that is put there when it is on its way.
    Site site;
    Operator driver(site.world.model(), std::make_unique<Travel>(Travel::Goal{25, 0, 0}));
    while (site.world.pose(site.excavator.undercarriage).position.x < 6)
        run(site.world, driver, 0.1);
    site.world.change([](Model& model) {
        model.add(Shape{
            .body = Model::ground(), .geometry = Box{{0.5, 60, 2}}, .pose = {{17, 0, 1}, {}}});
    });
    const Progress p = run(site.world, driver, 120);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_NE(p.why.find("blocked"), std::string::npos) << p.why;
    site.world.advance_to(site.world.time() + 3);
    EXPECT_LT(norm(site.world.twist(site.excavator.undercarriage).linear), 0.1);
}

TEST(Travel, RefusesAGoalThatIsNoPlace) {
    Site site;
    for (const Travel::Goal& goal :
         {Travel::Goal{NAN, 0, 0}, Travel::Goal{0, 0, INFINITY}, Travel::Goal{1e9, 0, 0}}) {
        Operator driver(site.world.model(), std::make_unique<Travel>(goal));
        EXPECT_EQ(run(site.world, driver, 30).state, Progress::State::failed);
    }
}

// ---- Ways --------------------------------------------------------------------------------------------------

TEST(Route, IsContinuousAndNoTighterThanAsked) {
    Site site;
    const SiteMap map(site.world, site.excavator, {-40, -40, 40, 40});
    std::mt19937 random(7);
    std::uniform_real_distribution<double> x(-1, 1);
    for (int i = 0; i < 40; ++i) {
        const Stand from{25 * x(random), 25 * x(random), pi * x(random)},
            to{25 * x(random), 25 * x(random), pi * x(random)};
        const auto route = find_route(map, footprint(site.excavator), from, to);
        ASSERT_TRUE(route) << i;
        const RouteWishes wishes;
        EXPECT_LT(std::hypot(route->front().at.x - from.x, route->front().at.y - from.y), 1e-9);
        EXPECT_LT(std::hypot(route->back().at.x - to.x, route->back().at.y - to.y), 1e-6);
        EXPECT_LT(std::abs(wrapped(route->back().at.heading - to.heading)), 1e-6);
        for (size_t k = 1; k < route->size(); ++k) {
            const RoutePoint &a = (*route)[k - 1], &b = (*route)[k];
            const double way = std::hypot(b.at.x - a.at.x, b.at.y - a.at.y);
            EXPECT_LE(way, wishes.spacing + 1e-9);
            EXPECT_LE(std::abs(b.curvature), wishes.curvature + 1e-12);
            // Along its heading, forwards or backwards, and turning as it says.
            const double middle = a.at.heading + wrapped(b.at.heading - a.at.heading) / 2;
            const double along =
                b.direction
                * ((b.at.x - a.at.x) * std::cos(middle) + (b.at.y - a.at.y) * std::sin(middle));
            EXPECT_NEAR(along, way, 1e-6 + 1e-3 * way);
            EXPECT_NEAR(wrapped(b.at.heading - a.at.heading), b.curvature * b.direction * along,
                        1e-3 * way + 1e-9);
        }
        // Dubins' way forwards is a bound where nothing is in the way; backwards may be shorter.
        EXPECT_GE(length(*route), std::hypot(to.x - from.x, to.y - from.y) - 1e-6);
    }
}

TEST(SiteMap, KeepsTrueDistancesToThinThings) {
    Site site(
        "", "",
        "shapes:\n  ground: {type: plane, material: ground}\n"
        "  post: {type: cylinder, radius: 0.04, length: 2, position: [10.03, 0.04, 1], material: "
        "ground}\n");
    const SiteMap map(site.world, site.excavator, {-5, -12, 25, 12});
    for (double angle = 0; angle < 6; angle += 0.3)
        for (const double way : {1.0, 3.0, 6.0})
            EXPECT_NEAR(map.clearance(10 + way * std::cos(angle), way * std::sin(angle)), way, 0.4)
                << angle;
    // The machine is not in its own way.
    EXPECT_GT(map.clearance(0, 0), 4);
    EXPECT_EQ(map.clearance(1e6, 0), 0);
}

TEST(Steering, TurnsTheLeftWheelAsAckermannSays) {
    Site site;
    const Excavator& e = site.excavator;
    EXPECT_EQ(steering_for(e, 0), 0);
    const double left = steering_for(e, 0.12), right = steering_for(e, -0.12);
    EXPECT_NEAR(std::tan(left), e.wheelbase / (1 / 0.12 - e.kingpin_y), 1e-12);
    EXPECT_NEAR(std::tan(right), e.wheelbase / (-1 / 0.12 - e.kingpin_y), 1e-12);
    EXPECT_LE(steering_for(e, 10), e.steering_end + 1e-12);
}

}  // namespace
}  // namespace bristle::machines
