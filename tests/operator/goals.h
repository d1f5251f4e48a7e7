// Random places on the site that it could stand at, reached one after the other.
#pragma once

#include <bristle/scene.h>

#include "io/scene/scene_files.h"
#include "machines/operator/travel.h"
#include "tests/operator/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle::testing_support {

inline void drive_to_random_goals(uint32_t seed, int count) {
    using namespace machines;
    const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
    World world(scene.model, scene.solver);
    const Excavator e(world.model());
    const SiteMap map(world, e, {-30, -30, 30, 30});
    const auto reachable = map.distances_to(12, 2, 2.1);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> x(-1, 1);
    const auto is_open = [&](const Travel::Goal& goal) {
        for (const double ahead : footprint(e).ahead) {
            const double way = e.rear_axle + ahead;
            if (map.is_soft(goal.x + way * std::cos(goal.heading),
                            goal.y + way * std::sin(goal.heading)))
                return false;
            if (map.clearance(goal.x + way * std::cos(goal.heading),
                              goal.y + way * std::sin(goal.heading))
                < 3)
                return false;
        }
        return map.at(reachable, goal.x, goal.y) < 1e5;
    };
    for (int i = 0; i < count; ++i) {
        Travel::Goal goal;
        do goal = {22 * x(random), 22 * x(random), pi * x(random)};
        while (!is_open(goal));
        Operator driver(world.model(), std::make_unique<Travel>(goal));
        const double begin = world.time();
        const Progress p = run(world, driver, 300);
        world.advance_to(world.time() + 2);
        const Vec3 at = world.pose(e.undercarriage).position,
                   ahead = world.pose(e.undercarriage).orientation.matrix().column(0);
        const std::string what = fmt::format(
            "goal {}: ({:.1f}, {:.1f}, {:.2f}) {} after {:.0f} s, {:.2f} m", i, goal.x, goal.y,
            goal.heading, p.why, world.time() - begin, std::hypot(at.x - goal.x, at.y - goal.y));
        EXPECT_EQ(p.state, Progress::State::done) << what;
        EXPECT_LT(std::hypot(at.x - goal.x, at.y - goal.y), 0.5) << what;
        EXPECT_LT(std::abs(wrapped(std::atan2(ahead.y, ahead.x) - goal.heading)), 0.2) << what;
        EXPECT_LT(norm(world.twist(e.undercarriage).linear), 0.05) << what;
    }
}

}  // namespace bristle::testing_support
