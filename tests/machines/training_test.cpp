// Excavators side by side: the same bits from the same seeds, whatever the threads, and no heap in a step.
#include <bristle/error.h>
#include <bristle/scene.h>

#include "machines/training/excavator_tasks.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace bristle::machines {
namespace {

using testing_support::Random;

const io::Scene& site() {
    static const io::Scene scene =
        io::read_scene(std::string(SCENES_FOLDER) + "/parts/excavator-digging.yaml");
    return scene;
}

std::vector<float> any_levers(Random& random, const ExcavatorTasks& many, double size = 1) {
    std::vector<float> out(many.count() * many.action().size());
    for (float& lever : out) lever = static_cast<float>(random.uniform(-size, size));
    return out;
}

std::vector<uint64_t> hashes(const ExcavatorTasks& many) {
    std::vector<uint64_t> out;
    for (size_t i = 0; i < many.count(); ++i) out.push_back(many.world(i).hash());
    return out;
}

TEST(ExcavatorTasks, AreTheSameWhateverThreadsAndNeighbours) {
    for (const Task task : {Task::reach, Task::level, Task::fill}) {
        ExcavatorTasks alone(site().model, site().solver, {.task = task, .count = 3, .threads = 1}),
            together(site().model, site().solver, {.task = task, .count = 3, .threads = 3}),
            one(site().model, site().solver, {.task = task});
        alone.reset(9);
        together.reset(9);
        EXPECT_EQ(hashes(alone), hashes(together));
        Random random(3);
        for (int i = 0; i < 10; ++i) {
            const std::vector<float> levers = any_levers(random, alone);
            alone.step(levers);
            together.step(levers);
        }
        EXPECT_EQ(hashes(alone), hashes(together));
        for (size_t i = 0; i < 3; ++i) EXPECT_EQ(alone.rewards()[i], together.rewards()[i]);
        // One by itself does as it does among others with the same seed.
        alone.reset_one(1, 77);
        one.reset_one(0, 77);
        for (int i = 0; i < 4; ++i) {
            const std::vector<float> levers = any_levers(random, alone);
            alone.step(levers);
            const size_t width = one.action().size();
            one.step(std::span(levers).subspan(width, width));
        }
        EXPECT_EQ(alone.world(1).hash(), one.world(0).hash());
    }
}

TEST(ExcavatorTasks, BeginWhereTheTaskBegins) {
    ExcavatorTasks many(site().model, site().solver, {.task = Task::fill, .count = 8});
    many.reset(1);
    const auto at = [&](const char* name) {
        for (size_t i = 0; i < many.observation().size(); ++i)
            if (many.observation()[i].name == name) return i;
        return SIZE_MAX;
    };
    for (size_t i = 0; i < many.count(); ++i) {
        const auto seen = many.observations().subspan(i * many.observation().size());
        EXPECT_EQ(seen[at("load")], 0);
        EXPECT_GT(seen[at("tip up")], 0);  // over the ground
        EXPECT_LT(seen[at("tip up")], 0.1);
        EXPECT_GT(seen[at("tip ahead")], 0.5);
    }
}

// All levers from end to end at every action: what is seen stays within its bounds and rewards are numbers.
TEST(ExcavatorTasks, BearWildLevers) {
    for (const Task task : {Task::reach, Task::fill}) {
        ExcavatorTasks many(site().model, site().solver,
                            {.task = task,
                             .count = 4,
                             .threads = 2,
                             .steps_an_action = 5,
                             .time_limit = 2,
                             .at_end = TaskOptions::AtEnd::begins_anew});
        many.reset(2);
        Random random(8);
        for (int i = 0; i < 100; ++i) {
            std::vector<float> levers = any_levers(random, many, 3e38);
            many.step(levers);
            for (const float v : many.observations()) {
                ASSERT_TRUE(std::isfinite(v));
                ASSERT_LE(std::abs(v), 10);
            }
            for (const double r : many.rewards()) ASSERT_TRUE(std::isfinite(r));
        }
    }
}

TEST(ExcavatorTasks, WhatHasEndedStaysUntilItIsReset) {
    ExcavatorTasks one(site().model, site().solver, {.task = Task::level, .time_limit = 0.1});
    one.reset(1);
    const std::vector<float> still(3, 0.0F);
    one.step(still);
    EXPECT_EQ(one.truncated()[0], 0);
    one.step(still);
    EXPECT_EQ(one.truncated()[0], 1);
    const uint64_t hash = one.world(0).hash();
    one.step(still);
    EXPECT_EQ(one.world(0).hash(), hash);
    EXPECT_EQ(one.rewards()[0], 0);
}

TEST(ExcavatorTasks, RefuseWhatCannotBe) {
    const auto make = [](TaskOptions options) {
        ExcavatorTasks(site().model, site().solver, options);
    };
    EXPECT_THROW(make({.count = 0}), InputError);
    EXPECT_THROW(make({.threads = 0}), InputError);
    EXPECT_THROW(make({.steps_an_action = 0}), InputError);
    EXPECT_THROW(make({.time_limit = std::nan("")}), InputError);
    const io::Scene no_earth =
        io::parse_scene("include: [parts/excavator.yaml]\nshapes: {ground: {type: plane}}\n",
                        "bare", SCENES_FOLDER);
    EXPECT_THROW(ExcavatorTasks(no_earth.model, no_earth.solver, {.task = Task::fill}), InputError);
    ExcavatorTasks one(site().model, site().solver, {.task = Task::level});
    const std::vector<float> still(3, 0.0F);
    EXPECT_THROW(one.step(still), InputError);  // before a reset
    one.reset(1);
    const uint64_t hash = one.world(0).hash();
    const std::vector<float> broken{0, std::numeric_limits<float>::infinity(), 0};
    EXPECT_THROW(one.step(broken), InputError);
    EXPECT_THROW(one.step(std::span(still).first(2)), InputError);
    EXPECT_THROW(one.reset_one(1, 0), InputError);
    EXPECT_EQ(one.world(0).hash(), hash);
}

}  // namespace
}  // namespace bristle::machines
