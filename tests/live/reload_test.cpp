#include "io/scene/write_parameters.h"
#include "live/hub/file_watch.h"
#include "live/show/simulation.h"

#include <gtest/gtest.h>

#include <fstream>

namespace bristle::live {
namespace {

const std::string arm = R"(parameters: {length: {value: 0.8, unit: m}}
bodies: {arm: {type: rod, from: [0, 0, 0], to: [length, 0, 0], mass: 1}}
joints: {A: {type: revolute, b: arm, at: [0, 0, 0], axis: y}}
)";

TEST(Reload, ANewSimulationComesToTheSameMomentThroughTheSameInputs) {
    const io::Scene scene = io::parse_scene(arm);
    Simulation old(scene);
    for (int i = 0; i < 100; ++i) old.advance();
    old.apply(Grab{.body = {1}, .at = {0.8, 0, 0}, .to = {0, 0, 1}});
    for (int i = 0; i < 100; ++i) old.advance();
    Simulation again(scene);
    EXPECT_TRUE(again.catch_up(old.past(), 10));
    EXPECT_EQ(again.hash(), old.hash());
    EXPECT_EQ(again.time(), old.time());
}

TEST(Reload, WithAnotherStepTheMomentIsTheSame) {
    Simulation old(io::parse_scene(arm));
    for (int i = 0; i < 100; ++i) old.advance();
    Simulation again(io::parse_scene(arm + "solver: {step: 5 ms}\n"));
    EXPECT_TRUE(again.catch_up(old.past(), 10));
    EXPECT_NEAR(again.time(), 0.1, 1e-12);
}

TEST(Reload, BeginsAnewWhereItCannotGetThereOrInputsWouldMeanSomethingElse) {
    Simulation old(io::parse_scene(arm));
    old.apply(Grab{.body = {1}, .at = {}, .to = {0, 0, 1}});
    for (int i = 0; i < 1000; ++i) old.advance();
    Simulation no_time(io::parse_scene(arm));
    EXPECT_FALSE(no_time.catch_up(old.past(), 0));
    EXPECT_EQ(no_time.time(), 0);
    EXPECT_FALSE(no_time.is_repeating());
    Simulation other(io::parse_scene("bodies: {other: {type: point, mass: 1}}\n"));
    EXPECT_FALSE(other.catch_up(old.past(), 10));
    EXPECT_EQ(other.time(), 0);
}

TEST(Reload, TellsOnceThatAFileWasSavedAndWhenItIsComplete) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "watched.yaml";
    const auto save = [&](const std::string& text) { std::ofstream(file) << text; };
    save("a");
    FileWatch watch({file});
    EXPECT_FALSE(watch.has_changed());
    save("ab");
    EXPECT_FALSE(watch.has_changed());  // it may still be written
    save("abc");
    EXPECT_FALSE(watch.has_changed());
    EXPECT_TRUE(watch.has_changed());
    EXPECT_FALSE(watch.has_changed());
    // Saved while the first one was read: another watch, made after that, knows only what was known then.
    save("abcd");
    FileWatch next({file});
    next.take_over(watch);
    EXPECT_TRUE(next.has_changed());
    std::filesystem::remove(file);
    EXPECT_FALSE(next.has_changed());
    EXPECT_TRUE(next.has_changed());
}

TEST(Reload, WritesValuesOfParametersAndNothingElse) {
    const std::string text =
        "# mine\nparameters:\n  a: 1  # one\n  b: {about: two, value: 2*3, unit: m}\n";
    EXPECT_EQ(io::with_parameters(text, {{"a", "1.5"}, {"b", "40 mm"}}),
              "# mine\nparameters:\n  a: 1.5  # one\n  b: {about: two, value: 40 mm, unit: m}\n");
    for (const char* bad : {"1\nbodies: {}", "1, unit: kg", "x", "", "1/0"})
        EXPECT_THROW(io::with_parameters(text, {{"a", bad}}), InputError) << bad;
    EXPECT_THROW(io::with_parameters(text, {{"c", "1"}}), InputError);
}

}  // namespace
}  // namespace bristle::live
