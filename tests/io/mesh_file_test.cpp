#include "io/mesh_file.h"

#include <bristle/error.h>

#include "io/mesh_reader.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>

namespace bristle::io {
namespace {

using testing_support::Random;

class MeshFile : public testing::Test {
  protected:
    MeshFile()
        : folder_(std::filesystem::temp_directory_path()
                  / ("bristle_mesh_" + std::to_string(getpid()) + '_'
                     + testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::create_directories(folder_);
    }
    ~MeshFile() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    TriangleMesh load(const std::string& name, const std::string& bytes) const {
        return load_mesh(write(name, bytes));
    }
    std::string error_of(const std::string& name, const std::string& bytes) const {
        try {
            load(name, bytes);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    void expect_error(const std::string& name, const std::string& bytes,
                      const std::string& part) const {
        EXPECT_NE(error_of(name, bytes).find(part), std::string::npos) << error_of(name, bytes);
    }

    std::filesystem::path folder_;
};

template <class Number> void put(std::string& bytes, Number number) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof number);
}

// A box from (0, 0, 0) to (1, 2, 3): its corners, and triangles counter-clockwise from outside.
const double corners[8][3] = {{0, 0, 0}, {0, 0, 3}, {0, 2, 0}, {0, 2, 3},
                              {1, 0, 0}, {1, 0, 3}, {1, 2, 0}, {1, 2, 3}};
const uint32_t triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                   {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                   {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};

std::string binary_stl(const std::string& header) {
    std::string bytes = header;
    bytes.resize(80, ' ');
    put(bytes, uint32_t{12});
    for (const auto& t : triangles) {
        for (int i = 0; i < 3; ++i) put(bytes, 0.0F);
        for (const uint32_t v : t)
            for (const double x : corners[v]) put(bytes, static_cast<float>(x));
        put(bytes, uint16_t{0});
    }
    return bytes;
}

std::string text_stl() {
    std::string text = "solid a box\n";
    for (const auto& t : triangles) {
        text += "  facet normal 0 0 0\r\n    outer loop\n";
        for (const uint32_t v : t)
            text += "      vertex " + std::to_string(corners[v][0]) + ' '
                  + std::to_string(corners[v][1]) + "  +" + std::to_string(corners[v][2]) + "e0\n";
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid a box\n";
}

// Four-sided faces, all ways to write a corner, and what is to be left out.
const char* const box_obj = R"(# a box
mtllib box.mtl
o box
v 0 0 0
v 0 0 3 1.0
v 0 2 0 0.5 0.5 0.5
v 0 2 3
v 1 0 0
v 1 0 3
v 1 2 0
v 1 2 3
vt 0 0
vn 1 0 0
g left
usemtl red
f 1 2 4 3
s off
f 5/1 7/1 8/1 6/1
f -8//1 -4//1 -3//1 -7//1   # backwards
f 3/1/1 4/1/1 \
  8/1/1 7/1/1
f 1 3 7 5
f 2 6 8 4)";

std::string box_buffer() {
    std::string bytes;
    for (const auto& c : corners)
        for (const double x : c) put(bytes, static_cast<float>(x));
    for (const auto& t : triangles)
        for (const uint32_t v : t) put(bytes, static_cast<uint16_t>(v));
    return bytes;
}

std::string base64(const std::string& bytes) {
    const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits =
                bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
        for (size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

// Of the box; the node's members and the buffer's uri are to be filled in.
std::string box_gltf(const std::string& node, const std::string& uri) {
    return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{)"
         + node + R"("mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
               {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
 "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
 "buffers": [{)"
         + (uri.empty() ? "" : "\"uri\": \"" + uri + "\", ") + R"("byteLength": 168}]})";
}

std::string data_uri(const std::string& bytes) {
    return "data:application/octet-stream;base64," + base64(bytes);
}

std::string glb(std::string json, const std::string& binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    put(bytes, uint32_t{2});
    put(bytes, static_cast<uint32_t>(28 + json.size() + binary.size()));
    put(bytes, static_cast<uint32_t>(json.size()));
    bytes += "JSON" + json;
    put(bytes, static_cast<uint32_t>(binary.size()));
    return bytes + std::string("BIN\0", 4) + binary;
}

const std::string tiny_png("\x89PNG\r\n\x1a\n not more than its beginning", 36);

// Three triangles of a tetrahedron, one without a material, one of glass, one with an image.
std::string painted_gltf(const std::string& image) {
    std::string bytes;
    for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F})
        put(bytes, x);
    for (const int v : {0, 2, 1, 0, 1, 3, 0, 3, 2, 0}) put(bytes, static_cast<uint16_t>(v));
    for (const float u : {0.F, 0.F, 1.F, 0.F, 0.F, 1.F, 1.F, 1.F}) put(bytes, u);
    const std::string one = R"({"attributes": {"POSITION": 0, "TEXCOORD_0": 4}, "indices": )";
    return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"mesh": 0, "scale": [2,2,2]}],
 "meshes": [{"primitives": [)"
         + one + "1}, " + one + R"(2, "material": 0}, )" + one + R"(3, "material": 1}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1,0.5,0,0.25], "roughnessFactor": 0.25}, "alphaMode": "BLEND",
                "doubleSided": true},
               {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "normalTexture": {"index": 0}, "alphaMode": "MASK"}],
 "textures": [{"source": 0}], "images": [{"uri": ")"
         + image + R"("}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
               {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
               {"bufferView": 1, "byteOffset": 6, "componentType": 5123, "count": 3, "type": "SCALAR"},
               {"bufferView": 1, "byteOffset": 12, "componentType": 5123, "count": 3, "type": "SCALAR"},
               {"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC2"}],
 "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 18},
                 {"buffer": 0, "byteOffset": 68, "byteLength": 32}],
 "buffers": [{"uri": ")"
         + data_uri(bytes) + R"(", "byteLength": 100}]})";
}

void expect_box(const TriangleMesh& mesh, double volume = 6, Vec3 center = {0.5, 1, 1.5}) {
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    const MeshReport report = check(mesh);
    ASSERT_TRUE(report.is_closed && report.is_usable)
        << (report.problems.empty() ? "" : report.problems[0].text);
    const auto p = mass_properties(Mesh{std::make_shared<const TriangleMesh>(mesh)});
    EXPECT_NEAR(p.volume, volume, 1e-12 * volume);
    EXPECT_LE(norm(p.center - center), 1e-12);
}

TEST_F(MeshFile, ReadsTheSameBoxFromEveryFormat) {
    expect_box(load("a.stl", text_stl()));
    expect_box(load("b.STL", binary_stl("made by a test")));
    expect_box(load("c.stl", binary_stl("solid but binary")));
    expect_box(load("d.obj", box_obj));
    expect_box(load("e.gltf", box_gltf("", data_uri(box_buffer()))));
    write("the box.bin", box_buffer());
    expect_box(load("f.gltf", box_gltf("", "the%20box.bin")));
    expect_box(load("g.glb", glb(box_gltf("", ""), box_buffer())));
}

TEST_F(MeshFile, KnowsTheFilesItIsMadeOf) {
    using Files = std::vector<std::filesystem::path>;
    const auto buffer = write("the box.bin", box_buffer());
    const auto apart = write("f.gltf", box_gltf("", "the%20box.bin"));
    const auto whole = write("e.gltf", box_gltf("", data_uri(box_buffer())));
    EXPECT_EQ(load_mesh_file(apart).files, (Files{apart, buffer}));
    EXPECT_EQ(load_mesh_file(whole).files, (Files{whole}));
}

TEST_F(MeshFile, PlacesGltfNodesByMatrixAndByParts) {
    const std::string uri = data_uri(box_buffer());
    // Turned by 90° about z, then moved: (x, y, z) → (10 − y, 20 + x, 30 + z).
    expect_box(
        load("a.gltf", box_gltf(R"("matrix": [0,1,0,0, -1,0,0,0, 0,0,1,0, 10,20,30,1],)", uri)), 6,
        {9, 20.5, 31.5});
    expect_box(
        load("b.gltf",
             box_gltf(R"("translation": [10,20,30], "rotation": [0,0,1,1e-300], "scale": [2,3,4],)",
                      uri)),
        144, {9, 17, 36});
    // cos and sin of the angle are 0.28 and 0.96.
    expect_box(load("e.gltf", box_gltf(R"("rotation": [0,0,0.6,0.8],)", uri)), 6,
               {-0.82, 0.76, 1.5});
    // A mirror turns the triangles round, and they are turned back.
    expect_box(load("c.gltf", box_gltf(R"("scale": [-1,1,1],)", uri)), 6, {-0.5, 1, 1.5});
    expect_box(load("d.gltf", box_gltf(R"("scale": [-1,-2,-1],)", uri)), 12, {-0.5, -2, -1.5});
}

TEST_F(MeshFile, FollowsTheGltfTreeOfTheDefaultSceneOnly) {
    std::string text =
        box_gltf(R"("translation": [5,0,0], "children": [1],)", data_uri(box_buffer()));
    const std::string more = R"("mesh": 0}, {"translation": [0,7,0], "mesh": 0}, {"mesh": 0}])";
    text.replace(text.find("\"mesh\": 0}]"), 11, more);
    const TriangleMesh mesh = load("tree.gltf", text);
    ASSERT_EQ(mesh.vertices.size(), 16u);
    EXPECT_EQ(mesh.vertices[0], (Vec3{5, 0, 0}));
    EXPECT_EQ(mesh.vertices[8], (Vec3{5, 7, 0}));
    std::string cycle = text;
    cycle.replace(cycle.find("\"translation\": [0,7,0]"), 22, "\"children\": [0]");
    expect_error("cycle.gltf", cycle, "/nodes/0: met twice");
}

TEST_F(MeshFile, ReadsEveryComponentTypeAndStrideOfGltf) {
    const auto text = [](int type, size_t stride, const std::string& bytes, bool normalized,
                         int mode) {
        return R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": )"
             + std::to_string(mode) + R"(}]}],
 "accessors": [{"bufferView": 0, "byteOffset": 4, "count": 4, "type": "VEC3", "componentType": )"
             + std::to_string(type) + R"(, "normalized": )" + (normalized ? "true" : "false")
             + R"(}],
 "bufferViews": [{"buffer": 0, "byteLength": )"
             + std::to_string(bytes.size()) + R"(, "byteStride": )" + std::to_string(stride)
             + R"(}], "buffers": [{"byteLength": 1, "uri": ")" + data_uri(bytes) + R"("}]})";
    };
    const double places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 3}};
    const auto expect_reads = [&](auto zero, int type, double unit, bool normalized) {
        using Number = decltype(zero);
        for (size_t stride : {size_t{12}, size_t{16}, size_t{40}}) {
            std::string bytes(4, 'x');
            for (const auto& p : places) {
                const size_t start = bytes.size();
                for (const double x : p) put(bytes, static_cast<Number>(x));
                bytes.resize(start + stride, 'x');
            }
            const TriangleMesh strip = load("strip.gltf", text(type, stride, bytes, normalized, 5));
            ASSERT_EQ(strip.vertices.size(), 4u);
            for (size_t i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c)
                    EXPECT_DOUBLE_EQ(strip.vertices[i][c], places[i][c] * unit);
            using Triangles = std::vector<std::array<uint32_t, 3>>;
            EXPECT_EQ(strip.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
            EXPECT_EQ(load("fan.gltf", text(type, stride, bytes, normalized, 6)).triangles,
                      (Triangles{{0, 1, 2}, {0, 2, 3}}));
        }
    };
    expect_reads(int8_t{}, 5120, 1, false);
    expect_reads(int8_t{}, 5120, 1.0 / 127, true);
    expect_reads(uint8_t{}, 5121, 1.0 / 255, true);
    expect_reads(int16_t{}, 5122, 1.0 / 32767, true);
    expect_reads(uint16_t{}, 5123, 1, false);
    expect_reads(uint16_t{}, 5123, 1.0 / 65535, true);
    expect_reads(uint32_t{}, 5125, 1, false);
    expect_reads(float{}, 5126, 1, false);
}

TEST_F(MeshFile, MergesVerticesThatAreNearIfAsked) {
    std::string text = text_stl();
    text.replace(text.find("vertex 0.000000"), 15, "vertex 0.000100");
    const auto file = write("near.stl", text);
    EXPECT_FALSE(check(load_mesh(file)).is_closed);
    EXPECT_FALSE(check(load_mesh(file, {.merge_distance = 1e-5})).is_closed);
    EXPECT_TRUE(check(load_mesh(file, {.merge_distance = 2e-4})).is_closed);
    EXPECT_THROW(load_mesh(file, {.merge_distance = -1}), InputError);
    EXPECT_THROW(load_mesh(file, {.merge_distance = std::nan("")}), InputError);
}

TEST_F(MeshFile, SaysWhereAFileIsWrong) {
    expect_error("a.ply", "ply", "a.ply: meshes are read from");
    EXPECT_THROW(load_mesh(folder_ / "none.stl"), InputError);
    EXPECT_THROW(load_mesh(folder_), InputError);
    expect_error("a.stl", "", "a.stl: byte 0: the file ends");
    expect_error("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
                 "a.stl:4: \"x\", expected a finite number");
    expect_error("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n",
                 "a.stl:4: end of the line");
    expect_error("a.stl", "solid a\nfacet\nouter hoop\n", "a.stl:3: \"hoop\", expected \"loop\"");
    expect_error("a.stl", "solid a\nendsolid a\n", "no triangle");
    std::string bytes = binary_stl("x");
    expect_error("a.stl", bytes.substr(0, 300), "a.stl: byte 80: 12 triangles announced");
    std::string huge(84, '\0');
    std::memset(huge.data() + 80, 0xff, 4);
    expect_error("a.stl", huge, "4294967295 triangles announced");
    const float nan = std::nanf("");
    std::memcpy(bytes.data() + 84 + 50 + 12, &nan, 4);
    expect_error("a.stl", bytes, "byte 146: corner 0 of triangle 1");

    expect_error("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
                 "a.obj:4: \"4\", expected a vertex from 1 to 3");
    expect_error("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "a.obj:4");
    expect_error("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "a.obj:4");
    expect_error("a.obj", "v 0 0 0\n\nf 1 1\n",
                 "a.obj:3: end of the line, expected the number of a vertex");
    expect_error("a.obj", "v 0 0 1e999\n", "a.obj:1");
    expect_error("a.obj", "hello\n", "a.obj:1: \"hello\"");

    const std::string uri = data_uri(box_buffer());
    expect_error("a.gltf", "{\n\"asset\": ]", "a.gltf:2: byte");
    expect_error("a.gltf", "{}", "no \"asset\"");
    const auto expect_broken = [&](const std::string& from, const std::string& to,
                                   const std::string& part) {
        std::string text = box_gltf("", uri);
        text.replace(text.find(from), from.size(), to);
        expect_error("a.gltf", text, part);
    };
    expect_broken("\"2.0\"", "\"1.0\"", "/asset/version: glTF 1.0, expected 2.0");
    expect_broken("\"count\": 8", "\"count\": 9", "/accessors/0: 9 elements");
    expect_broken("\"count\": 8", "\"count\": 18446744073709551615", "/accessors/0: ");
    expect_broken("\"count\": 8", "\"count\": 0", "/accessors/0: 0 elements");
    expect_broken("\"count\": 8", "\"count\": 7", "indices: index");
    expect_broken("\"count\": 8", "\"sparse\": {}, \"count\": 8", "/accessors/0: sparse");
    expect_broken("\"byteLength\": 96", "\"byteLength\": 169", "/bufferViews/0: 169 bytes");
    expect_broken("\"byteOffset\": 96", "\"byteOffset\": 18446744073709551600", "/bufferViews/1: ");
    expect_broken("5126", "5127", "/accessors/0/componentType");
    expect_broken("\"nodes\": [0]", "\"nodes\": [7]", "/nodes: element 7");
    expect_broken("\"scene\": 0", "\"scene\": -1", "/scene: expected a whole number");
    expect_broken("base64,", "base64,*", "/buffers/0/uri: a character");
    expect_broken(uri, "none.bin", "none.bin: there is no such file");
    expect_broken(uri, "/etc/passwd", "expected a file beside this one");
    expect_broken("\"scene\": 0", "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]",
                  "KHR_draco");
    expect_error("a.glb", glb(box_gltf("", ""), "").substr(0, 300), "bytes announced");
}

// Bytes changed, cut, repeated at random: a mesh whose indices are good, or an error, and soon.
// What is said to be there is: who draws it does not ask again.
void expect_whole(const Painting& painting) {
    for (const PaintedSurface& s : painting.surfaces) {
        const MeshPaint& p = s.paint;
        for (const auto& image : {p.color_image, p.surface_image, p.normal_image, p.glow_image})
            ASSERT_LT(image.value_or(0), painting.images.size() + (image ? 0 : 1));
        ASSERT_TRUE(s.image_places.empty() || s.image_places.size() == s.vertices.size());
        for (const auto& triangle : s.triangles)
            for (const uint32_t corner : triangle) ASSERT_LT(corner, s.vertices.size());
    }
}

TEST_F(MeshFile, KnowsHowGltfPaintsItsTriangles) {
    const auto read = load_mesh_file(write("painted.gltf", painted_gltf("skin.png")));
    EXPECT_FALSE(read.painting->surfaces.empty());
    // The image is missing: the rest is there, and it is told.
    ASSERT_EQ(read.warnings.size(), 1u);
    EXPECT_NE(read.warnings[0].find("skin.png"), std::string::npos) << read.warnings[0];
    EXPECT_TRUE(read.painting->images.empty());

    const auto skin = write("skin.png", tiny_png);
    const auto whole = load_mesh_file(write("painted.gltf", painted_gltf("skin.png")));
    EXPECT_TRUE(whole.warnings.empty());
    EXPECT_EQ(whole.files.back(), skin);
    EXPECT_EQ(whole.mesh.vertices.size(), 4u);  // where colours meet, what touches has one vertex
    const Painting& painting = *whole.painting;
    expect_whole(painting);
    ASSERT_EQ(painting.surfaces.size(), 3u);
    ASSERT_EQ(painting.images, std::vector<std::string>{tiny_png});
    // Without a material, then by materials. The node doubles sizes.
    EXPECT_EQ(painting.surfaces[0].paint.metalness, 1);
    EXPECT_TRUE(painting.surfaces[0].image_places.empty());
    const PaintedSurface& glass = painting.surfaces[1];
    EXPECT_EQ(glass.paint.color, (std::array<float, 4>{1, 0.5F, 0, 0.25F}));
    EXPECT_EQ(glass.paint.roughness, 0.25F);
    EXPECT_TRUE(glass.paint.is_clear && glass.paint.has_two_sides);
    const PaintedSurface& skinned = painting.surfaces[2];
    EXPECT_EQ(skinned.paint.color_image, 0u);
    EXPECT_EQ(skinned.paint.normal_image, 0u);
    EXPECT_EQ(skinned.paint.least_opacity, 0.5F);
    EXPECT_EQ(skinned.vertices[1], (std::array<float, 3>{2, 0, 0}));
    ASSERT_EQ(skinned.image_places.size(), 4u);
    EXPECT_EQ(skinned.image_places[2], (std::array<float, 2>{0, 1}));
}

TEST_F(MeshFile, PaintsNothingThatGltfSaysNothingOf) {
    EXPECT_FALSE(load_mesh_file(write("a.gltf", box_gltf("", data_uri(box_buffer())))).painting);
    EXPECT_FALSE(load_mesh_file(write("d.obj", box_obj)).painting);
}

TEST_F(MeshFile, LeavesOutImagesThatCannotBeDrawn) {
    const auto read = load_mesh_file(write("p.gltf", painted_gltf(data_uri("no image"))));
    ASSERT_EQ(read.warnings.size(), 1u);
    EXPECT_NE(read.warnings[0].find("no PNG, JPEG or WebP"), std::string::npos);
    EXPECT_FALSE(read.painting->surfaces[2].paint.color_image);
    // Nor those that lie elsewhere.
    EXPECT_EQ(load_mesh_file(write("p.gltf", painted_gltf("../secret.png"))).warnings.size(), 1u);
}

TEST_F(MeshFile, SurvivesBrokenFiles) {
    Random random(1);
    const std::vector<std::pair<std::string, std::string>> files = {
        {"a.stl", text_stl()},
        {"b.stl", binary_stl("solid")},
        {"c.obj", box_obj},
        {"d.gltf", box_gltf(R"("scale": [1,2,3], "children": [],)", data_uri(box_buffer()))},
        {"f.gltf", painted_gltf(data_uri(tiny_png))},
        {"e.glb", glb(box_gltf("", ""), box_buffer())}};
    const std::string spice = "0123456789-+.eE/\\#{}[]\",:\n \xff";
    size_t meshes = 0, errors = 0;
    for (int repeat = 0; repeat < 20'000; ++repeat) {
        const auto& [name, original] = files[static_cast<size_t>(repeat) % files.size()];
        std::string bytes = original;
        for (int change = random.integer(1, 4); change > 0 && !bytes.empty(); --change) {
            const auto at =
                static_cast<size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1));
            const auto length = static_cast<size_t>(random.integer(1, 30));
            switch (random.integer(0, 4)) {
                case 0: bytes[at] = static_cast<char>(random.integer(0, 255)); break;
                case 1:
                    bytes[at] = spice[static_cast<size_t>(
                        random.integer(0, static_cast<int>(spice.size()) - 1))];
                    break;
                case 2: bytes.erase(at, length); break;
                case 3: bytes.insert(at, bytes.substr(at / 2, length)); break;
                default: bytes.resize(std::max(at, bytes.size() - length)); break;
            }
        }
        const std::clock_t start = std::clock();  // of the processor: others may keep it busy
        try {
            // From memory: the file system would take most of the time.
            io::MeshFile read;
            if (name == "c.obj")
                read.mesh = read_obj(bytes, name);
            else if (name.ends_with(".stl"))
                read.mesh = read_stl(bytes, name);
            else
                read_gltf(bytes, name, read);
            const TriangleMesh& mesh = read.mesh;
            ++meshes;
            if (read.painting) expect_whole(*read.painting);
            for (const auto& t : mesh.triangles)
                for (const uint32_t v : t) ASSERT_LT(v, mesh.vertices.size());
            for (const Vec3 p : mesh.vertices) ASSERT_TRUE(is_finite(p));
        } catch (const InputError& error) {
            ++errors;
            ASSERT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
        ASSERT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1);
    }
    EXPECT_GT(meshes, 200u);
    EXPECT_GT(errors, 1000u);
}

}  // namespace
}  // namespace bristle::io
