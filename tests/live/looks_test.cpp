#include "live/show/simulation.h"
#include "live/wire/protocol.pb.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

TEST(Looks, ABodyWithVisualsIsSeenAsTheseAlone) {
    const Simulation show(io::parse_scene(R"(
bodies:
  wheel: {type: sphere, radius: 0.6, mass: 1, material: default}
  rod: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1, color: "#ff8000"}
  ball: {type: sphere, radius: 0.1, mass: 1, position: [3, 0, 0], material: rubber}
materials: {rubber: {}}
visuals:
  tyre: {type: cylinder, radius: 0.6, length: 0.4, body: wheel, finish: rubber}
  rim: {type: cylinder, radius: 0.3, length: 0.42, body: wheel, color: silver, finish: metal}
)"));
    const auto scene = show.scene();
    ASSERT_EQ(scene->parts_size(), 4);
    EXPECT_EQ(scene->parts(0).kind(), wire::Part::CYLINDER);
    EXPECT_EQ(scene->parts(0).finish(), wire::Part::RUBBER);
    EXPECT_EQ(scene->parts(1).color_size(), 3);
    // A ball of rubber looks like rubber by the name of its material; a sketch has the body's colour.
    EXPECT_EQ(scene->parts(2).kind(), wire::Part::SPHERE);
    EXPECT_EQ(scene->parts(2).finish(), wire::Part::RUBBER);
    EXPECT_TRUE(scene->parts(3).is_sketch());
    EXPECT_FLOAT_EQ(scene->parts(3).color(0), 1);
    EXPECT_FLOAT_EQ(scene->parts(3).color(2), 0);
}

TEST(Looks, ColoursThatAreNoneAreMistakes) {
    const auto said = [](const std::string& color) -> std::string {
        try {
            io::parse_scene("bodies: {a: {type: point, mass: 1, color: " + color + "}}\n");
        } catch (const io::SceneError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(said("orange"), "");
    EXPECT_EQ(said("\"#ff8000\""), "");
    EXPECT_NE(said("oragne").find("did you mean 'orange'?"), std::string::npos);
    EXPECT_NE(said("\"#ff80\"").find("#rrggbb"), std::string::npos);
}

TEST(Looks, TerrainComesFromAnExpression) {
    const io::Scene scene = io::parse_scene(
        "shapes: {hill: {type: height_field, columns: 3, rows: 2, spacing: 0.5, height: \"x + "
        "10*y\"}}\n");
    const auto& field = std::get<HeightField>(scene.model.shapes()[0].geometry);
    EXPECT_EQ(field.heights, (std::vector<double>{0, 0.5, 1, 5, 5.5, 6}));
    EXPECT_THROW(
        io::parse_scene("shapes: {hill: {type: height_field, columns: 3, rows: 2, spacing: 0.5, "
                        "height: sqrt(x - 0.4)}}\n"),
        io::SceneError);
}

}  // namespace
}  // namespace bristle::live
