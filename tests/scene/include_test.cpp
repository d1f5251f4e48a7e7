// Scenes of several files.
#include <bristle/scene.h>

#include "tests/scene/model_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace bristle::io {
namespace {

class Files : public testing::Test {
  protected:
    Files() {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~Files() override { std::filesystem::remove_all(folder_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    std::string message(const std::string& name) const {
        try {
            read_scene(folder_ / name);
        } catch (const SceneError& error) {
            std::string text = error.what();
            const std::string start = folder_.string() + "/";
            for (size_t at = 0; (at = text.find(start)) != std::string::npos;)
                text.erase(at, start.size());
            return text;
        }
        return "none";
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path()
        / fmt::format("bristle_{}_{}",
                      testing::UnitTest::GetInstance()->current_test_info()->name(), ::getpid());
};

TEST_F(Files, AreIncludedWithPrefixesAndParameters) {
    write("parts/materials.yaml",
          "materials: {steel: {young: 2.1e11}}\nduration: 99\ntitle: Materials\n");
    write("parts/arm.yaml", R"(
include: [materials.yaml]
parameters: {length: 1, offset: length/2}
bodies:
  upper: {type: rod, length: length, mass: 1}
  lower: {type: sphere, radius: 0.1, mass: 1, position: [offset, 0, 0], material: steel}
joints:
  elbow: {type: spherical, a: upper, b: lower, at: [0, 0, 0]}
)");
    write("robot.yaml", R"(
title: Robot
parameters: {n: 2}
include:
  - parts/materials.yaml
  - {for: {i: n}, file: parts/arm2.yaml, prefix: "arm {i} ", set: {length: 2 + i}}
bodies: {hand: {type: point, mass: 1}}
joints: {grip: {type: spherical, a: arm 1 lower, b: hand, at: [0, 0, 0]}}
)");
    write("parts/arm2.yaml", R"(
parameters: {length: 1, offset: length/2}
bodies:
  upper: {type: rod, length: length, mass: 1}
  lower: {type: sphere, radius: 0.1, mass: 1, position: [offset, 0, 0], material: steel}
joints:
  elbow: {type: spherical, a: upper, b: lower, at: [0, 0, 0]}
)");
    Model model;
    const auto steel = model.add(Material{.name = "steel", .young = 2.1e11});
    BodyId last;
    for (int i = 0; i < 2; ++i) {
        const std::string prefix = fmt::format("arm {} ", i);
        const auto upper = model.add(Body::rod(2 + i, 1).named(prefix + "upper"));
        last = model.add(Body::sphere(0.1, 1).named(prefix + "lower").at({(2 + i) / 2.0, 0, 0}));
        model.add(Shape{
            .body = last, .geometry = Sphere{0.1}, .material = steel, .name = prefix + "lower"});
        model.add(Spherical{.a = upper, .b = last, .at = {}, .name = prefix + "elbow"});
    }
    const auto hand = model.add(Body::point(1).named("hand"));
    model.add(Spherical{.a = last, .b = hand, .at = {}, .name = "grip"});
    const Scene scene = read_scene(folder_ / "robot.yaml");
    EXPECT_EQ(text_of(scene.model), text_of(model));
    EXPECT_EQ(scene.title, "Robot");
    EXPECT_EQ(scene.name, "robot");
    EXPECT_EQ(scene.duration, 10);
    EXPECT_EQ(scene.parameters.size(), 1u);
    EXPECT_EQ(scene.files.size(), 3u);
    EXPECT_EQ(read_scene(folder_ / "parts/arm.yaml").model.materials().size(), 2u);
}

TEST_F(Files, ThatIncludeEachOtherAreRefused) {
    write("a.yaml", "include: [b.yaml]\n");
    write("b.yaml", "include: [sub/c.yaml]\n");
    write("sub/c.yaml", "include: [../a.yaml]\n");
    EXPECT_EQ(message("a.yaml"),
              "sub/c.yaml:1:11: the file includes itself (a.yaml → b.yaml → c.yaml → a.yaml); "
              "expected no circle");
    write("self.yaml", "include: [self.yaml]\n");
    EXPECT_EQ(
        message("self.yaml"),
        "self.yaml:1:11: the file includes itself (self.yaml → self.yaml); expected no circle");
}

TEST_F(Files, TellTheirOwnMistakesOnce) {
    write("arm.yaml", "bodies: {upper: {type: rod, lenght: 1, mass: 1}}\n");
    write("robot.yaml", R"(
include: [{file: arm.yaml, prefix: left}, {file: arm.yaml, prefix: right, set: {size: 1}}, {file: none.yaml}]
joints: {A: {type: spherical, a: leftupper, b: unknown, at: [0, 0, 0]}}
duration: 0
)");
    EXPECT_EQ(message("robot.yaml"),
              "robot.yaml:2:81: no parameter 'size' to set; the file has none\n"
              "robot.yaml:2:99: there is no file none.yaml; expected a path relative to the folder "
              "of this file\n"
              "robot.yaml:4:11: duration is 0; expected a number in s above 0\n"
              "arm.yaml:1:29: unknown key 'lenght'; did you mean 'length'?");
}

// A loop without its variable in an included file was told as a file that is included twice, for both make an object of the same
// place again.
TEST_F(Files, ThatAreIncludedTwiceAreKnownFromLoopsInThem) {
    write("part.yaml", "bodies: {p: {type: point, mass: 1}}\n");
    write("both.yaml", "include: [part.yaml, part.yaml]\n");
    EXPECT_EQ(message("both.yaml"),
              "part.yaml:1:10: part.yaml is included more than once and makes body 'p' again; "
              "expected a prefix with each");
    write("loop.yaml", "bodies: {p: {for: {i: 2}, type: point, mass: 1}}\n");
    write("one.yaml", "include: [loop.yaml]\n");
    EXPECT_EQ(
        message("one.yaml"),
        "loop.yaml:1:10: the loop makes body 'p' twice; expected a name with its variable, as "
        "in 'p {i}'");
}

TEST_F(Files, ThatAreNotThereAreTold) {
    EXPECT_EQ(message("none.yaml"), "none.yaml: there is no such file; expected a scene in YAML");
    EXPECT_EQ(message("."), ".: there is no such file; expected a scene in YAML");
}

TEST_F(Files, OfMeshesAreReadScaledAndShared) {
    write("tetrahedron.obj",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("broken.obj", "v 0 0 zero\n");
    write("scene.yaml", R"(
bodies: {a: {type: mesh, file: tetrahedron.obj, scale: 2, density: 100, material: default}}
shapes:
  b: {type: mesh, file: tetrahedron.obj, scale: 2, body: a}
  c: {type: mesh, file: tetrahedron.obj}
)");
    const Scene scene = read_scene(folder_ / "scene.yaml");
    EXPECT_NEAR(scene.model.bodies()[1].mass, 100 * 8.0 / 6, 1e-12);
    const auto surface = [&](size_t i) {
        return std::get<Mesh>(scene.model.shapes()[i].geometry).surface;
    };
    EXPECT_EQ(surface(0), surface(1));
    EXPECT_EQ(surface(2)->vertices[1], (Vec3{1, 0, 0}));
    EXPECT_EQ(scene.files.size(), 3u);
    write("bad.yaml", "shapes: {a: {type: mesh, file: broken.obj}}\n");
    EXPECT_EQ(message("bad.yaml").substr(0, 14), "bad.yaml:1:32:");
}

// One triangle turned round, one missing: no body, until it is repaired.
TEST_F(Files, OfMeshesAreRepairedIfThatIsWanted) {
    write("broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 4 3\n");
    const auto scene = [&](const char* repair) {
        write("scene.yaml", fmt::format("bodies: {{a: {{type: mesh, file: broken.obj, repair: {}, "
                                        "density: 6, material: default}}}}\n",
                                        repair));
        return read_scene(folder_ / "scene.yaml");
    };
    EXPECT_THROW(scene("nothing"), InputError);
    EXPECT_NEAR(scene("safe").model.bodies()[1].mass, 1, 1e-12);
}

// 2^30 files, each read twice by the one above, would never end.
TEST_F(Files, ThatMultiplyAreLimited) {
    for (int i = 0; i < 25; ++i)
        write(
            fmt::format("{}.yaml", i),
            fmt::format("include: [{{file: {0}.yaml, prefix: a}}, {{file: {0}.yaml, prefix: b}}]\n",
                        i + 1));
    write("25.yaml", "duration: 1\n");
    EXPECT_NE(message("0.yaml").find("too many files; at most 10000 in all and 30 in each other"),
              std::string::npos);
}

// A hundred aliases of a hundred aliases …
TEST_F(Files, ThatUnfoldWithoutEndAreRefused) {
    std::string text = "parameters:\n  a0: &a0 [1]\n";
    for (int i = 1; i < 12; ++i) {
        text += fmt::format("  a{0}: &a{0} [", i);
        for (int k = 0; k < 100; ++k) text += fmt::format("*a{}, ", i - 1);
        text += "]\n";
    }
    write("bomb.yaml", text);
    EXPECT_NE(message("bomb.yaml").find("the file unfolds to more than 10000000 values"),
              std::string::npos);
}

}  // namespace
}  // namespace bristle::io
