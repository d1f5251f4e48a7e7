// Symptom: two bodies joined by a prismatic and a ball joint, which lock each other: the first step did
// not converge. Cause: the guide's rows say nothing that the ball did not; their gradient is rounding
// (1e-17), and the penalty, weighted with one over its square, became 1e41.
#include <bristle/world.h>

#include <gtest/gtest.h>

namespace bristle {
namespace {

TEST(RedundantJoints, ThatLockEachOtherOnMovingBodiesNeedNoTuning) {
    for (bool hinge_instead : {false, true}) {
        Model m;
        const BodyId a = m.add(Body::box({1, 0.3, 0.2}, 1).at({0.5, 0.1, 0}));
        const BodyId b = m.add(Body::box({0.7, 0.4, 0.3}, 2).at({1.1, 0.2, 0.3}));
        m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0.1, 1, 0.3}});
        m.add(Prismatic{.a = a, .b = b, .at = {0.8, 0.3, 0.1}, .axis = {0.76, 0.43, 0.49}});
        if (hinge_instead)
            m.add(Revolute{.a = a, .b = b, .at = {0.9, -0.1, 0.2}, .axis = {0.3, -0.4, 0.7}});
        else
            m.add(Spherical{.a = a, .b = b, .at = {0.9, -0.1, 0.2}});
        World locked(m);
        EXPECT_EQ(locked.degrees_of_freedom(), 1);
        EXPECT_EQ(locked.redundant_constraints(), hinge_instead ? 4 : 2);
        locked.advance_to(0.5);
        EXPECT_LE(locked.constraint_error().position, 1e-9);

        Model welded;
        for (BodyId id : {a, b}) welded.add(m.bodies()[id.index]);
        welded.add(Revolute{.a = welded.ground(), .b = a, .at = {}, .axis = {0.1, 1, 0.3}});
        welded.add(Fixed{.a = a, .b = b, .at = {}});
        World one(welded);
        one.advance_to(0.5);
        EXPECT_NEAR(norm(one.pose(b).position - locked.pose(b).position), 0, 1e-6);
    }
}

}  // namespace
}  // namespace bristle
