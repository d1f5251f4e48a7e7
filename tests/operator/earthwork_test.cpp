// The arm as a leg.
#include "machines/operator/earthwork.h"

#include "tests/operator/run.h"
#include "tests/operator/site.h"

#include <gtest/gtest.h>

namespace bristle::machines {
namespace {

using testing_support::run;
using testing_support::Site;

// Half a metre: as high as a wheel's radius.
TEST(PullUp, ClimbsAStepThatTheWheelsAloneDoNot) {
    const std::string
        ground =
            "shapes:\n  ground: {type: plane, material: ground}\n"
            "  step: {type: box, size: [12, 8, 0.5], position: [8.2, 0, 0.25], material: ground}\n",
        folded = "boom_angle: 0.9, stick_angle: -2.3, bucket_angle: -1.4";
    Site wheels(folded, "", ground);
    Hands hands(wheels.excavator);
    hands.move(Control::pedal, 1);
    for (const Command& c : hands.take()) carry_out(wheels.world, c);
    wheels.world.advance_to(15);
    EXPECT_LT(wheels.world.pose(wheels.excavator.undercarriage).position.x, 1);

    Site site(folded, "", ground);
    Operator driver(site.world.model(), std::make_unique<PullUp>(4.5));
    const Progress p = run(site.world, driver, 90);
    EXPECT_EQ(p.state, Progress::State::done) << p.why;
    site.world.advance_to(site.world.time() + 3);
    const Pose machine = site.world.pose(site.excavator.undercarriage);
    EXPECT_GT(machine.position.x, 4.2);
    EXPECT_NEAR(machine.position.z, 0.46, 0.05);
    EXPECT_GT(machine.orientation.matrix()(2, 2), 0.99);
}

TEST(Profile, IsInterpolatedAndGoesOnAtItsEnds) {
    const std::vector<InPlane> profile{{4, -1}, {6, -0.5}, {7, 0}};
    EXPECT_EQ(height_of(profile, 3), -1);
    EXPECT_EQ(height_of(profile, 5), -0.75);
    EXPECT_EQ(height_of(profile, 6.5), -0.25);
    EXPECT_EQ(height_of(profile, 9), 0);
    EXPECT_EQ(height_of({}, 5), -unlimited);
}

TEST(Trench, RefusesAProfileOfOnePoint) {
    Site site;
    Operator driver(site.world.model(),
                    std::make_unique<Trench>(Trench::Plan{.bottom = {{5, -1}}}));
    const Progress p = run(site.world, driver, 5);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_EQ(p.why, "a profile has two points at least");
}

}  // namespace
}  // namespace bristle::machines
