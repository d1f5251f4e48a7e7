#include "live/show/simulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

namespace bristle::live {
namespace {

// Free balls with room between them, and where the one of this number is.
Vec3 place(int number) { return {0.3 * number, 0, 0}; }
io::Scene balls(int count, const Settings& solver) {
    io::Scene scene;
    scene.solver = solver;
    for (int i = 0; i < count; ++i) {
        const Geometry ball = Sphere{0.1};
        const std::string name = fmt::format("ball {}", i);
        const BodyId body = scene.model.add(Body::of(ball, 1000).named(name).at(place(i)));
        scene.model.add(Shape{.body = body, .geometry = ball, .name = name});
    }
    return scene;
}

// Seconds of a processor, of the quickest of some: the machine does other things too.
struct Times {
    double of_adding = HUGE_VAL, of_first_step = HUGE_VAL, of_step = HUGE_VAL;
};
template <class Work> void take_time(double& best, const Work& work) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
}
Times times_of_adding(const Settings& solver, int there, bool is_running) {
    Simulation simulation(balls(there, solver));
    Frame frame;
    Times best;
    for (int i = 0; i < 9; ++i) {
        take_time(best.of_adding, [&] {
            simulation.apply(AddBody{.geometry = Sphere{0.1}, .position = place(there + i)});
            simulation.fill(frame);
        });
        if (!is_running) continue;
        take_time(best.of_first_step, [&] { simulation.advance(); });
        take_time(best.of_step, [&] { simulation.advance(); });
    }
    return best;
}

// It once took a tenth of a second: everything of the model was built anew, and dearly.
class AddingABody : public testing::TestWithParam<Settings> {};
TEST_P(AddingABody, ToTwoThousandThatStandStillIsQuick) {
    const Times took = times_of_adding(GetParam(), 2000, false);
    fmt::print("adding {:.1f} ms\n", took.of_adding * 1e3);
    EXPECT_LT(took.of_adding, 0.040);  // 18 to 20 ms are usual
}
TEST_P(AddingABody, ToTwoThousandThatMoveIsQuick) {
    const Times took = times_of_adding(GetParam(), 2000, true);
    fmt::print("adding {:.1f} ms, the step after it {:.1f} ms, others {:.1f} ms\n",
               took.of_adding * 1e3, took.of_first_step * 1e3, took.of_step * 1e3);
    EXPECT_LT(took.of_adding + took.of_first_step - took.of_step, 0.080);
}
INSTANTIATE_TEST_SUITE_P(Solvers, AddingABody,
                         testing::Values(Settings{AugmentedLagrangian{}}, Settings{Impulse{}}));

}  // namespace
}  // namespace bristle::live
