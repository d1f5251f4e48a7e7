// Large scenes load in a moment.

#include <bristle/scene.h>

#include "tests/support/processor_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace bristle::io {
namespace {

using testing_support::processor_seconds;

const double most_seconds = testing_support::patient(2);

double seconds_to_read(const std::string& text, size_t bodies) {
    const double start = processor_seconds();
    const Scene scene = parse_scene(text);
    const double taken = processor_seconds() - start;
    EXPECT_EQ(scene.model.bodies().size(), bodies + 1);
    EXPECT_EQ(scene.model.shapes().size(), bodies + 1);
    std::printf("%zu bytes, %zu bodies: %.2f s\n", text.size(), bodies, taken);
    return taken;
}

TEST(LoadTime, OfTenThousandEntriesIsShort) {
    std::string text = "materials: {steel: {young: 2e11}}\nbodies:\n";
    for (int i = 0; i < 10'000; ++i)
        text += fmt::format(
            "  box {}: {{type: box, size: [0.1, 0.2, 0.3], density: 7800, position: [{}, {}, 0.5], "
            "rotation: "
            "{{axis: z, angle: 30 deg}}}}\n",
            i, i % 100, i / 100);
    text += "shapes:\n  floor: {type: plane, material: steel}\n";
    for (int i = 0; i < 10'000; ++i)
        text += fmt::format(
            "  box {0}: {{type: box, size: [0.1, 0.2, 0.3], body: box {0}, material: steel}}\n", i);
    EXPECT_LT(seconds_to_read(text, 10'000), most_seconds);
}

TEST(LoadTime, OfTenThousandTurnsIsShort) {
    const std::string text = R"(
parameters: {n: 10000}
bodies:
  box {i}: {for: {i: n}, type: box, size: [0.1, 0.2, 0.3], density: 7800, position: [i, floor(i/100), 0.5], material: default}
joints:
  pin {i}: {for: {i: n - 1}, type: revolute, a: "box {i}", b: "box {i + 1}", at: [i, 0, 0], axis: y}
drives:
  motor {i}: {for: {i: n - 1}, joint: "pin {i}", control: speed, target: sin(t)}
shapes: {floor: {type: plane}}
)";
    EXPECT_LT(seconds_to_read(text, 10'000), most_seconds);
}

// Every one of ten thousand names is wrong: the nearest is looked for a few times only.
TEST(LoadTime, OfTenThousandMistakesIsShort) {
    std::string text = "bodies: {\"body {i}\": {for: {i: 10000}, type: point, mass: 1}}\njoints:\n";
    for (int i = 0; i < 10'000; ++i)
        text += fmt::format("  j{0}: {{type: spherical, b: boby {0}, at: [0, 0, 0]}}\n", i);
    const double start = processor_seconds();
    EXPECT_THROW(parse_scene(text), SceneError);
    EXPECT_LT(processor_seconds() - start, most_seconds);
}

}  // namespace
}  // namespace bristle::io
