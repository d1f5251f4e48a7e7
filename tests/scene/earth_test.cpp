// Earth in scene files: the same as in C++, written back to the same bits, and mistakes told at their place.
#include "machines/earth/earth.h"

#include <bristle/scene.h>

#include "io/scene/quantities.h"
#include "machines/parts/tyre.h"
#include "tests/scene/malformed.h"
#include "tests/scene/written_scene.h"

#include <gtest/gtest.h>

#include <fstream>

namespace bristle::io {
namespace {

// A bucket that is led down into the ground and along it, beside a wheel and a plate that press it; a box on the ground to dump on.
const std::string rig = R"scene(materials: {mud: {}}
shapes:
  field: {type: height_field, columns: 61, rows: 41, spacing: 0.1, height: "0.02*sin(3*x)",
                  material : mud
}
  yard: {type: height_field, columns: 3, rows: 3, spacing: 2, height: "0", position: [8, 0, 0]}
  lip: {type: box, body: bucket, size: [0.1, 1, 0.05], position: [-0.1, 0, 0]}
bodies:
  cart: {mass: 10, inertia: [1, 1, 1], position: [1.5, 2, 0.4]}
  lift: {mass: 10, inertia: [1, 1, 1], position: [1.5, 2, 0.4]}
  bucket: {mass: 600, inertia: [90, 90, 90], position: [1.5, 2, 0.4]}
  wheel: {mass: 300, inertia: [20, 30, 20], position: [5, 1, 0.5]}
  plate: {type: box, size: [0.6, 0.5, 0.1], mass: 900, position: [5, 3, 0.1], material: mud}
joints:
  x: {type: prismatic, b: cart, at: [1.5, 2, 0.4], axis: x}
  z: {type: prismatic, a: cart, b: lift, at: [1.5, 2, 0.4], axis: z}
  turn: {type: revolute, a: lift, b: bucket, at: [1.5, 2, 0.4], axis: y}
drives:
  along: {joint: x, control: speed, target: "if(t > 0.4, 0.8, 0)"}
  down: {joint: z, control: speed, target: "if(t < 0.4, -1.5, if(t > 2, 0.8, 0))"}
  curl: {joint: turn, control: speed, target: "if(t < 2, 0, -0.7)"}
forces:
  tyre: {type: tyre, wheel: wheel}
)scene";
const std::string its_earth = R"scene(earth:
  soils: {"wet sand": {like: sand, density: 2000, repose: 0.5, standing_angle: 30 deg, digging: printed}}
  patches: [{shape: field, soil: wet sand}, {shape: yard}]
  buckets:
    bucket:
      body: bucket
      hull: [[0, -0.5, 0], [-0.9, -0.5, 0], [-1.1, -0.5, 0.3], [-1.1, -0.5, 0.7], [0, 0.5, 0], [-0.9, 0.5, 0], [-1.1, 0.5, 0.3], [-1.1, 0.5, 0.7]]
      edge_left: [0, 0.5, 0]
      edge_right: [0, -0.5, 0]
      digging: [2, 0, 0]
      inside: [[0, 0, 0], [-0.9, 0, 0], [-1.1, 0, 0.3], [-1.1, 0, 0.7]]
  beds: {box: {low: [2, 5, 0], high: [4, 6, 0.8], tail_angle: 20 deg}, tray: {body: plate, low: [-0.2, -0.2, 0.05], high: [0.2, 0.2, 0.3]}}
  rollers: [{tyre: tyre, width: 0.3}]
  feet: [{body: plate, center: [0, 0, -0.05], length: 0.6}]
  spare: {patches: 3, points: 21, spacing: 0.15, soil: clay, material: mud}
  seed: 5
  looks: 900
)scene";

machines::Earth in_code(const Model& model) {
    machines::Soil wet = machines::sand();
    wet.name = "wet sand";
    wet.density = 2000;
    wet.repose = 0.5;
    wet.standing_angle = pi / 6;
    wet.digging = machines::Soil::Digging::printed;
    const auto shape = [&](const char* name) {
        for (uint32_t i = 0; i < model.shapes().size(); ++i)
            if (model.shapes()[i].name == name) return ShapeId{i};
        return ShapeId{};
    };
    machines::Earth e;
    e.patches = {{.shape = shape("field"), .soil = wet},
                 {.shape = shape("yard"), .soil = machines::loam()}};
    machines::Bucket b{.body = model.body("bucket")};
    b.edge_left = {0, 0.5, 0};
    b.edge_right = {0, -0.5, 0};
    b.inside = {{0, 0, 0}, {-0.9, 0, 0}, {-1.1, 0, 0.3}, {-1.1, 0, 0.7}};
    for (const double y : {-0.5, 0.5})
        for (Vec3 p : b.inside) b.hull.push_back({p.x, y, p.z});
    e.buckets = {b};
    e.beds = {{.body = Model::ground(),
               .low = {2, 5, 0},
               .high = {4, 6, 0.8},
               .tail_angle = 20 * pi / 180,
               .name = "box"},
              {.body = model.body("plate"),
               .low = {-0.2, -0.2, 0.05},
               .high = {0.2, 0.2, 0.3},
               .name = "tray"}};
    e.rollers = {{.tyre = model.force("tyre"), .width = 0.3}};
    e.feet = {{.body = model.body("plate"), .center = {0, 0, -0.05}, .length = 0.6}};
    e.spare_patches = 3;
    e.spare_points = 21;
    e.spare_spacing = 0.15;
    e.spare_soil = machines::clay();
    e.material = model.material("mud");
    e.seed = 5;
    e.looks = 900;
    return e;
}

TEST(EarthInFiles, IsThatOfCpp) {
    for (const std::string& solver : {std::string("solver: {step: 5 ms}\n"),
                                      std::string("solver: {type: impulse, step: 5 ms}\n")}) {
        const Scene scene = parse_scene(rig + its_earth + solver);
        Scene other = parse_scene(rig + solver);
        machines::add_earth(other.model, in_code(other.model));
        EXPECT_EQ(hash_after(scene.model, scene.solver, 600),
                  hash_after(other.model, other.solver, 600));
        // It digs.
        World world(scene.model, scene.solver);
        world.advance_to(2);
        EXPECT_GT(quantities(world.model(), "earth.bucket.mass").at(0).read(world), 100);
    }
}

TEST(EarthInFiles, IsWrittenBackToTheSameBits) {
    const Scene scene = parse_scene(rig + its_earth + "solver: {step: 5 ms}\n");
    const Scene again = written_and_read(scene);
    EXPECT_EQ(scene_text(again), scene_text(scene));
    EXPECT_EQ(hash_after(again.model, again.solver, 600),
              hash_after(scene.model, scene.solver, 600));
    // The usual one, and one without any patch.
    for (const char* const earth :
         {"earth: {patches: [{shape: field}]}\n", "earth: {patches: []}\n"}) {
        const Scene plain = parse_scene(rig + earth);
        EXPECT_TRUE(machines::earth_of(plain.model));
        EXPECT_EQ(scene_text(written_and_read(plain)), scene_text(plain));
    }
}

TEST(EarthInFiles, IsNotThereWithoutPatches) {
    const size_t from = its_earth.find("  patches"), to = its_earth.find("  buckets");
    const Scene scene = parse_scene(rig + its_earth.substr(0, from) + its_earth.substr(to));
    EXPECT_FALSE(machines::earth_of(scene.model));
    EXPECT_EQ(hash_after(scene.model, scene.solver, 20),
              hash_after(parse_scene(rig).model, scene.solver, 20));
}

TEST(EarthInFiles, IsAddedToByFilesThatInclude) {
    const auto folder = std::filesystem::temp_directory_path() / "bristle_earth_in_files";
    std::filesystem::create_directories(folder);
    const size_t patches = its_earth.find("  patches"), buckets = its_earth.find("  buckets");
    std::ofstream(folder / "machine.yaml")
        << rig << its_earth.substr(0, patches) << its_earth.substr(buckets);
    const std::string site = "include: [machine.yaml]\nearth:\n"
                           + its_earth.substr(patches, buckets - patches)
                           + "solver: {step: 5 ms}\n";
    const Scene scene = parse_scene(site, "site.yaml", folder);
    const Scene other = parse_scene(rig + its_earth + "solver: {step: 5 ms}\n");
    EXPECT_EQ(scene_text(scene), scene_text(other));
    std::filesystem::remove_all(folder);
}

TEST(EarthInFiles, CanBeReadByName) {
    const Scene scene = parse_scene(rig + its_earth);
    World world(scene.model, Settings(AugmentedLagrangian{.step = 5e-3}));
    world.advance_to(1.5);
    const auto earth = machines::earth_of(world.model());
    const machines::EarthNow now(world, earth->ids);
    const auto read = [&](const std::string& name) {
        return quantities(world.model(), "earth." + name).at(0).read(world);
    };
    EXPECT_EQ(read("ground"), now.ledger.ground);
    EXPECT_EQ(read("total"), now.ledger.total());
    EXPECT_EQ(read("bucket.mass"), now.buckets[0].mass);
    EXPECT_EQ(read("bucket.volume"), now.buckets[0].volume);
    EXPECT_EQ(read("bucket.depth"), now.buckets[0].depth);
    EXPECT_EQ(read("tray.mass"), now.beds[1]);
    EXPECT_EQ(quantities(world.model(), "earth.bucket.most").at(0).unit, "m³");
    EXPECT_THROW(quantities(world.model(), "earth.bucket.weight"), InputError);
}

TEST(EarthInFiles, WhatNoFileCanSayIsTold) {
    Model model = parse_scene(rig + its_earth).model;
    EXPECT_TRUE(unwritable(model).empty());
    model.add(Shape{.body = model.ground(), .geometry = Sphere{1}});
    ASSERT_EQ(unwritable(model).size(), 1u);
    EXPECT_NE(unwritable(model)[0].find("added after it"), std::string::npos);
    Model other = parse_scene(rig + its_earth).model;
    other.remove(other.body("plate"));
    ASSERT_EQ(unwritable(other).size(), 1u);
    EXPECT_NE(unwritable(other)[0].find("was removed"), std::string::npos);
}

TEST(EarthInFiles, TellsMistakesAtTheirPlace) {
    const std::string head =
        "shapes: {a: {type: box, size: [1, 1, 1]}, s: {type: height_field, "
        "columns: 2, rows: 2, spacing: 1, height: \"0\", rotation: {axis: x, "
        "angle: 0.1}}}\nbodies: {b: {type: point, mass: 1}}\nearth: ";
    const Malformed cases[] = {
        {"Misspelt", head + "{patchs: []}\n",
         "scene.yaml:3:9: unknown key 'patchs'; did you mean 'patches'?"},
        {"NotAMap", head + "5\n", "scene.yaml:3:8: earth is '5'; expected a map, {patches: […]}"},
        {"NoSuchShape", head + "{patches: [{shape: c}]}\n",
         "scene.yaml:3:27: unknown shape 'c'; expected the name of a shape that is defined "
         "before "
         "it is used"},
        {"NoHeightField", head + "{patches: [{shape: a}]}\n",
         "scene.yaml:3:19: earth: shape 'a' is no height field of the ground"},
        {"Leaning", head + "{patches: [{shape: s}]}\n",
         "scene.yaml:3:19: earth: shape 's' leans; a patch is upright"},
        {"NoSuchSoil", head + "{patches: [{shape: a, soil: peat}]}\n",
         "scene.yaml:3:36: unknown soil 'peat'; expected the name of a soil that is defined "
         "before "
         "it is used"},
        {"SoilOfOneNameTwice", head + "{soils: {clay: {}}}\n",
         "scene.yaml:3:17: there is a soil 'clay' already; expected a name of its own"},
        {"ImpossibleSoil", head + "{soils: {wet: {repose: 1, standing_angle: 0.5}}}\n",
         "scene.yaml:3:17: soil 'wet': standing_angle is 0.5; it must be between 1 and 1.5"},
        {"WrongUnit", head + "{soils: {wet: {cohesion: 3 m}}}\n",
         "scene.yaml:3:33: cohesion is '3 m', which is in m; expected a number in Pa"},
        {"EdgeWithoutLength",
         head
             + "{buckets: {k: {body: b, hull: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], edge_left: "
               "[0,0,0], "
               "edge_right: [0,0,0], digging: x, inside: [[0,0,0],[1,0,0],[1,0,1]]}}}\n",
         "scene.yaml:3:19: bucket 'k': its edge has no length"},
        {"EmptyBed", head + "{beds: {k: {low: [0, 0, 0], high: [1, 1, 0]}}}\n",
         "scene.yaml:3:16: earth: a bed's size is 0; it must be positive"},
        {"FootOnNothing", head + "{feet: [{body: ground}]}\n",
         "scene.yaml:3:16: earth: a foot has no body of the model"},
        {"SpareTooFew", head + "{spare: {points: 2}}\n",
         "scene.yaml:3:25: points is 2; expected an integer from 3 to 2000"},
    };
    for (const Malformed& c : cases) expect_mistakes(c);
}

}  // namespace
}  // namespace bristle::io
