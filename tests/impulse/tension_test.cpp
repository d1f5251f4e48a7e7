// Joints under impulses are closed where every step ends, however taut or fast, and close without work.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

struct Seen {
    double open = 0;    // of the size, at most
    double gained = 0;  // of the most energy in motion
};
Seen watch(const Model& m, double step, double seconds) {
    World world(m, Impulse{.step = step, .sleep_after = unlimited});
    const double start = world.energy().total();
    double most = world.energy().kinetic, highest = start;
    Seen seen;
    while (world.time() < seconds) {
        world.step();
        seen.open = std::max(seen.open, world.constraint_error().position);
        most = std::max(most, world.energy().kinetic);
        highest = std::max(highest, world.energy().total());
    }
    seen.gained = (highest - start) / most;
    return seen;
}

// Light links that swing a heavy end: h ω of a link is far beyond what SHAKE is stable for.
Model sling(double rate, bool with_hinges) {
    Model m;
    BodyId last = Model::ground();
    const Vec3 axis{0, 1, 0};
    for (int i = 0; i < 5; ++i) {
        const Vec3 from{0.3 * i, 0, 0}, to{0.3 * (i + 1), 0, 0};
        const double mass = i == 4 ? 50 : 0.05 * (i + 1);
        const BodyId link =
            m.add(Body::rod(from, to, mass).moving(cross(rate * axis, from), rate * axis));
        if (with_hinges)
            m.add(Revolute{.a = last, .b = link, .at = from, .axis = axis});
        else
            m.add(Spherical{.a = last, .b = link, .at = from});
        last = link;
    }
    return m;
}

TEST(TautJoints, AreClosedWhereEveryStepEnds) {
    for (bool with_hinges : {true, false})
        for (double step : {0.002, 0.01})
            for (double rate : {2.0, 10.0, 30.0}) {
                const Seen seen = watch(sling(rate, with_hinges), step, 4);
                EXPECT_LT(seen.open, 1e-6) << rate << " rad/s, " << step << " s";
                EXPECT_LT(seen.gained, 1e-3) << rate << " rad/s, " << step << " s";
            }
}

// The same in a plane, where blocks are smaller.
TEST(TautJoints, AreClosedInAPlaneToo) {
    Model m = sling(20, true);
    m.plane_normal = Vec3{0, 1, 0};
    const Seen seen = watch(m, 0.01, 4);
    EXPECT_LT(seen.open, 1e-6);
    EXPECT_LT(seen.gained, 1e-3);
}

}  // namespace
}  // namespace bristle::impulse
