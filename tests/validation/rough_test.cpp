// The books that rough use is judged by, against energies that are known.
#include "scenes/mechanisms.h"
#include "validation/rough/account.h"
#include "validation/rough/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::validation::rough {
namespace {

// Of the reference implementation, seed 0; the first number is left out.
TEST(RoughUse, DrawsTheNumbersOfSplitmix) {
    Random random(0);
    EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4u);
    EXPECT_EQ(random.next(), 0x06c45d188009454fu);
}

TEST(RoughUse, CountsARiseFromALowThatLastsAndNotFromADip) {
    Rise rise;
    for (const double e : {10.0, 10.0, 10.0, 2.0, 2.0, 10.0, 10.0}) rise.add(e, e, 0);
    EXPECT_EQ(rise.largest(), 0);
    for (const double e : {4.0, 4.0, 4.0, 9.0}) rise.add(e, e, 1);
    EXPECT_EQ(rise.largest(), 5);
    EXPECT_EQ(rise.time(), 1);
}

TEST(RoughUse, CountsOnlyWhatIsAboveTheUncertaintyOfBoth) {
    Rise rise;
    for (int i = 0; i < 3; ++i) rise.add(4, 6, 0);
    rise.add(7, 9, 1);
    EXPECT_EQ(rise.largest(), 1);
}

// A contact of known law, its mean force being the discrete gradient of docs/contact.md: what it stores is always
// between the bounds, damped or not, resolved by the step or not.
TEST(RoughUse, BoundsWhatAContactStores) {
    Model model;
    const BodyId ball = model.add(Body::sphere(0.1, 1));
    const ShapeId a = model.add(Shape{.body = ball, .geometry = Sphere{0.1}}),
                  b = model.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    const double k = 1e6;
    const auto stored = [&](double depth) { return k * std::pow(depth, 2.5) / 2.5; };
    const double rounding = 1e-9 * stored(0.02);  // of the most there is
    for (const double damping : {0.0, 0.5, 5.0})
        for (const double step : {1e-4, 1e-3, 5e-3}) {
            StoredEnergy account(model);
            double before = 0;
            for (double t = step; t < 0.1; t += step) {
                const double depth = 0.01 + 0.01 * std::sin(70 * t), way = depth - before;
                const double force = way == 0 ? 0 : (stored(depth) - stored(before)) / way;
                account.update(
                    {Contact{.a = a,
                             .b = b,
                             .body_a = ball,
                             .body_b = Model::ground(),
                             .normal = {0, 0, 1},
                             .depth = depth,
                             .force = {0, 0, std::max(0.0, force * (1 + damping * way / step))}}});
                EXPECT_LE(account.least(), stored(depth) + rounding);
                EXPECT_GE(account.most(), stored(depth) - rounding);
                before = depth;
            }
            account.update({});
            EXPECT_EQ(account.most(), 0);
        }
}

TEST(RoughUse, KnowsTheWorkOfAMotorAndOfADriveAtItsLimit) {
    for (const bool by_drive : {false, true}) {
        Model model;
        model.gravity = {};
        const BodyId block = model.add(Body::box({1, 1, 1}, 2));
        const JointId slide =
            model.add(Prismatic{.a = Model::ground(), .b = block, .at = {}, .axis = {1, 0, 0}});
        if (by_drive)
            model.add(Drive{
                .joint = slide, .control = Drive::Control::speed, .target = 100, .max_effort = 3});
        else
            model.add(Motor{.joint = slide, .effort = 3});
        World world(model, AugmentedLagrangian{.step = 5e-3});
        Work work(world);
        while (world.time() < 1) {
            world.step();
            work.update(world, 5e-3);
        }
        EXPECT_NEAR(work.by_end(), world.energy().kinetic, 1e-9);
        EXPECT_NEAR(work.at_most(), world.energy().kinetic, 1e-9);
    }
}

TEST(RoughUse, SeesJointsThatHold) {
    const auto machine = scenes::machine15();
    World world(machine.model, AugmentedLagrangian{.step = 5e-3});
    const JointGaps gaps(machine.model);
    world.advance_to(0.1);
    EXPECT_LT(gaps.worst(world).distance, 1e-9);
}

}  // namespace
}  // namespace bristle::validation::rough
