// Joints that say the same twice, or lock each other, move as the one joint they amount to.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <functional>

namespace bristle::step {
namespace {

struct Chain {
    Model model;
    BodyId a, b;
};

using Join = std::function<void(Chain&)>;

// Ground – ball – box – ? – box: both tumble.
Chain chain(const Join& join) {
    Chain c;
    c.a = c.model.add(Body::box({1, 0.3, 0.2}, 1).moving({0, 0.5, 0}, {0.3, 1, 0.5}));
    c.b = c.model.add(Body::box({1, 0.4, 0.3}, 2).at({1, 0.1, 0}).moving({0, 1, 0}, {0.3, 1, 0.5}));
    c.model.add(Spherical{.a = Model::ground(), .b = c.a, .at = {-0.5, 0.1, 0}});
    join(c);
    return c;
}

constexpr Vec3 middle{0.5, 0, 0}, u{0, 1, 0.3}, v{1, 0, 0.3};

Join fixed() {
    return [](Chain& c) { c.model.add(Fixed{.a = c.a, .b = c.b, .at = middle}); };
}
Join revolute(Vec3 at, Vec3 axis) {
    return [=](Chain& c) { c.model.add(Revolute{.a = c.a, .b = c.b, .at = at, .axis = axis}); };
}
Join prismatic(Vec3 at, Vec3 axis) {
    return [=](Chain& c) { c.model.add(Prismatic{.a = c.a, .b = c.b, .at = at, .axis = axis}); };
}
Join cylindrical(Vec3 at, Vec3 axis) {
    return [=](Chain& c) { c.model.add(Cylindrical{.a = c.a, .b = c.b, .at = at, .axis = axis}); };
}
Join spherical(Vec3 at) {
    return [=](Chain& c) { c.model.add(Spherical{.a = c.a, .b = c.b, .at = at}); };
}
Join planar(Vec3 at, Vec3 normal) {
    return [=](Chain& c) { c.model.add(Planar{.a = c.a, .b = c.b, .at = at, .normal = normal}); };
}
Join distance(Vec3 at_a, Vec3 at_b) {
    return [=](Chain& c) { c.model.add(Distance{.a = c.a, .b = c.b, .at_a = at_a, .at_b = at_b}); };
}
Join universal(Vec3 at, Vec3 axis_a, Vec3 axis_b) {
    return [=](Chain& c) {
        c.model.add(Universal{.a = c.a, .b = c.b, .at = at, .axis_a = axis_a, .axis_b = axis_b});
    };
}
Join both(Join first, Join second) {
    return [=](Chain& c) {
        first(c);
        second(c);
    };
}

struct Case {
    std::string name;
    Join redundant, plain;
    int surplus;
};

std::vector<Case> cases() {
    const Vec3 aside{0.4, 0.2, 0.1};
    return {
        {"TwoEqualHinges", both(revolute(middle, u), revolute(middle, u)), revolute(middle, u), 5},
        {"TwoHingesOnOneAxis", both(revolute(middle, u), revolute(middle + 0.4 * u, -u)),
         revolute(middle, u), 5},
        {"TwoEqualGuides", both(prismatic(middle, u), prismatic(aside, u)), prismatic(middle, u),
         5},
        {"TwoCrossedHinges", both(revolute(middle, u), revolute(aside, v)), fixed(), 4},
        {"TwoCrossedGuides", both(prismatic(middle, u), prismatic(aside, v)), fixed(), 4},
        {"TwoParallelSleeves", both(cylindrical(middle, u), cylindrical(aside, u)),
         prismatic(middle, u), 3},
        {"SleeveAndBallOnItsAxis", both(cylindrical(middle, u), spherical(middle + 0.2 * u)),
         revolute(middle, u), 2},
        {"TwoBalls", both(spherical(middle), spherical(middle + 0.5 * u)), revolute(middle, u), 1},
        {"TwoEqualPlanes", both(planar(middle, u), planar(aside, u)), planar(middle, u), 3},
        {"CrossAndHinge", both(universal(middle, {1, 0, 0}, u), revolute(middle, u)),
         revolute(middle, u), 4},
        {"HingeAndBarAlongIt", both(revolute(middle, u), distance(middle, middle + 0.3 * u)),
         revolute(middle, u), 1},
        {"GuideAndBall", both(prismatic(middle, u), spherical(aside)), fixed(), 2},
        {"GuideAndHinge", both(prismatic(middle, u), revolute(aside, v)), fixed(), 4},
        {"GuideAndBar", both(prismatic(middle, u), distance(aside, middle + u)), fixed(), 0},
        {"WeldAndHinge", both(fixed(), revolute(middle, u)), fixed(), 5},
        {"WeldAndBar", both(fixed(), distance(middle, aside)), fixed(), 1},
        {"WeldAndCross", both(fixed(), universal(middle, {1, 0, 0}, u)), fixed(), 4},
    };
}

class Redundant : public testing::TestWithParam<size_t> {};

TEST_P(Redundant, JointsMoveAsTheOneTheyAmountTo) {
    const Case c = cases()[GetParam()];
    const Chain redundant = chain(c.redundant), plain = chain(c.plain);
    World first(redundant.model), second(plain.model);
    EXPECT_EQ(first.redundant_constraints(), c.surplus);
    EXPECT_EQ(first.degrees_of_freedom(), second.degrees_of_freedom());
    for (double t : {0.001, 0.2, 0.5}) {
        first.advance_to(t);
        second.advance_to(t);
        EXPECT_LE(first.constraint_error().position, 1e-9);
        EXPECT_LE(first.constraint_error().velocity, 1e-9);
        for (BodyId id : {redundant.a, redundant.b}) {
            // Other coordinates make other errors: of second order in the step.
            EXPECT_NEAR(norm(first.pose(id).position - second.pose(id).position), 0, 1e-5)
                << "at " << t;
            EXPECT_NEAR(norm(first.acceleration(id) - second.acceleration(id)), 0,
                        1e-3 * (1 + norm(second.acceleration(id))))
                << "at " << t;
        }
        // What the joints carry together is what the one carries.
        Vec3 force;
        for (uint32_t j = 1; j < redundant.model.joints().size(); ++j)
            force += first.reaction({j}).force;
        EXPECT_NEAR(norm(force - second.reaction({1}).force), 0, 1e-3 * (1 + norm(force)))
            << "at " << t;
    }
    EXPECT_LE(first.statistics().average_iterations(), 3);
}

INSTANTIATE_TEST_SUITE_P(Case, Redundant, testing::Range(size_t{0}, cases().size()),
                         [](const auto& info) { return cases()[info.param].name; });

}  // namespace
}  // namespace bristle::step
