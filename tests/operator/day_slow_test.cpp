// Whole days' work: a truck is loaded and the rest heaped up; a trench is dug to a profile.
#include <bristle/scene.h>

#include "io/scene/scene_files.h"
#include "machines/earth/earth.h"
#include "machines/operator/dig_and_load.h"
#include "machines/operator/earthwork.h"
#include "tests/operator/run.h"

#include <gtest/gtest.h>

namespace bristle::machines {
namespace {

using testing_support::run;

TEST(Day, OfTenMinutesWithoutAFailedStep) {
    const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
    World world(scene.model, scene.solver);
    auto job = std::make_unique<DigAndLoad>(world.model(), DigAndLoad::Wishes{});
    const DigAndLoad& work = *job;
    Operator driver(world.model(), std::move(job));
    const EarthIds& ids = earth_of(world.model())->ids;
    const double before = EarthNow(world, ids).ledger.total();
    const Progress p = run(world, driver, 600);
    EXPECT_EQ(p.state, Progress::State::going) << p.why;
    EXPECT_GE(work.tally().cycles, 20);
    EXPECT_LE(work.tally().failures, 2) << work.tally().last_failure;
    EXPECT_GT(work.tally().loaded + work.tally().heaped, 20e3);
    const EarthNow now(world, ids);
    EXPECT_GT(now.beds[0], 0.9 * work.tally().loaded);
    EXPECT_NEAR(now.ledger.total(), before, 1e-12 * before);
    EXPECT_EQ(world.statistics().held_steps, 0U);
    EXPECT_LT(world.statistics().rough_steps, 600U);
}

// A cut bank stands at 65°, teeth are half a metre apart from where the bucket's heel is: the ends are left out.
TEST(Trench, IsDugToItsProfile) {
    const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
    World world(scene.model, scene.solver);
    const Trench::Plan plan{.swing = 1.57,
                            .bottom = {{4.2, -0.5}, {6.2, -0.6}, {7.2, 0}},
                            .heap = {{-6.6, 1.2, 2}, 2.6}};
    std::vector<std::unique_ptr<Manoeuvre>> parts;
    parts.push_back(std::make_unique<Support>(Support::How::wheels_off));
    parts.push_back(std::make_unique<Trench>(plan));
    Operator driver(world.model(), std::make_unique<Sequence>("trench", std::move(parts)));
    const Progress p = run(world, driver, 600);
    EXPECT_EQ(p.state, Progress::State::done) << p.why;
    const Senses& s = driver.senses();
    for (double reach = 4.4; reach < 6.4; reach += 0.1) {
        const Vec3 q = s.world_point(driver.machine(), plan.swing, reach, 0);
        EXPECT_NEAR(ground_at(world, q.x, q.y), height_of(plan.bottom, reach), 0.2) << reach;
    }
}

}  // namespace
}  // namespace bristle::machines
