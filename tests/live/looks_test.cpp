#include "live/show/simulation.h"
#include "live/wire/protocol.pb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

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

// Its triangles are seen as the file paints them, in one part a material, wherever the mesh is used; unless a colour is given.
TEST(Looks, AMeshLooksAsItsFilePaintsIt) {
    const std::filesystem::path folder = testing::TempDir();
    std::ofstream(folder / "two.gltf") << R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}, {"attributes": {"POSITION": 0}, "material": 1}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0.5}}, {"emissiveFactor": [0, 1, 0]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36, "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
    const Simulation show(io::parse_scene(R"(
bodies:
  a: {type: point, mass: 1}
  b: {type: point, mass: 1}
visuals:
  one: {type: mesh, file: two.gltf, body: a}
  large: {type: mesh, file: two.gltf, scale: 2, body: b}
  red: {type: mesh, file: two.gltf, body: b, color: red}
shapes:
  ground: {type: mesh, file: two.gltf}
)",
                                          "scene", folder));
    const auto scene = show.scene();
    ASSERT_EQ(scene->parts_size(), 7);  // two, two, one and two
    ASSERT_EQ(scene->paints_size(), 4);
    EXPECT_EQ(scene->surfaces_size(), 5);
    for (const int i : {0, 1, 2, 3, 5, 6}) ASSERT_TRUE(scene->parts(i).has_paint()) << i;
    EXPECT_FALSE(scene->parts(4).has_paint());
    EXPECT_EQ(scene->parts(5).paint(), scene->parts(0).paint());
    EXPECT_EQ(scene->parts(6).surface(), scene->parts(1).surface());
    EXPECT_FLOAT_EQ(scene->paints(0).metalness(), 0.5);
    EXPECT_FLOAT_EQ(scene->paints(1).glow(1), 1);
    EXPECT_FLOAT_EQ(scene->surfaces(0).vertices(3), 1);
    EXPECT_FLOAT_EQ(scene->surfaces(static_cast<int>(scene->parts(2).surface())).vertices(3), 2);
}

// The page cannot tell by its name whether a drive turns something.
TEST(Looks, QuantitiesHaveTheirUnits) {
    const Simulation show(io::parse_scene(R"(
bodies: {arm: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1}}
joints: {A: {type: revolute, b: arm, at: [0, 0, 0], axis: y}}
drives: {motor: {joint: A, target: 1}}
)"));
    const auto scene = show.scene();
    ASSERT_EQ(scene->units_size(), scene->quantities_size());
    std::map<std::string, std::string> units;
    for (int i = 0; i < scene->units_size(); ++i) units[scene->quantities(i)] = scene->units(i);
    EXPECT_EQ(units["motor.effort"], "N m");
    EXPECT_EQ(units["A.coordinate"], "rad");
    EXPECT_EQ(units["arm.position.x"], "m");
}

TEST(Looks, MotionInALevelPlaneIsSeenFromAbove) {
    const Simulation show(io::parse_scene(R"(
gravity: [0, 0, 0]
bodies: {arm: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1}}
joints: {A: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}
)"));
    ASSERT_EQ(show.scene()->look_along_size(), 3);
    EXPECT_EQ(show.scene()->look_along(2), -1);
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
