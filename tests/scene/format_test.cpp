// The table of the format: what is made from it is up to date, its examples can be read, and its defaults
// are those of C++.
#include "io/scene/format.h"

#include <bristle/scene.h>

#include "tests/scene/example_context.h"
#include "tests/scene/model_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

namespace bristle::io {
namespace {

std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(std::string(BRISTLE_SOURCE) + path).rdbuf();
    return text.str();
}

TEST(Format, DocumentsAreUpToDate) {
    // If not: cmake --build build/release --target scene_docs
    EXPECT_TRUE(content("/docs/scene.schema.json") == scene_schema());
    EXPECT_TRUE(content("/docs/scene-reference.md") == scene_reference());
}

TEST(Format, TheGuidesExampleCanBeRead) {
    const std::string page = content("/docs/scene.md"), start = "```yaml\n";
    const size_t from = page.find(start) + start.size();
    EXPECT_EQ(parse_scene(page.substr(from, page.find("```", from) - from)).model.joints().size(),
              4u);
}

TEST(Format, SaysEverythingOfEveryKey) {
    for (const Section& s : sections())
        for (const Type& type : s.types)
            for (const Key& key : type.keys) {
                EXPECT_FALSE(key.about.empty()) << s.name << " " << type.name << " " << key.name;
                EXPECT_FALSE(key.example.empty()) << s.name << " " << key.name;
            }
}

class Examples : public testing::Test {
  protected:
    Examples() {
        std::filesystem::create_directories(folder_);
        const char* const corners[] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
        std::ofstream mesh(folder_ / "bucket.stl");
        mesh << "solid s\n";
        for (const auto& face : {std::array{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}) {
            mesh << "facet normal 0 0 1\nouter loop\n";
            for (int corner : face) mesh << "vertex " << corners[corner] << "\n";
            mesh << "endloop\nendfacet\n";
        }
        mesh << "endsolid s\n";
        std::ofstream(folder_ / "arm.yaml") << "parameters: {length: 1}\n";
    }
    ~Examples() override { std::filesystem::remove_all(folder_); }
    Examples(const Examples&) = delete;
    Examples& operator=(const Examples&) = delete;

    // The example as an object of its section.
    static std::string scene_with(const Section& s, const std::string& example) {
        std::string text;
        for (const auto& [name, entries] : example_context)
            if (name != s.name && !entries.empty()) text += name + ":\n" + entries;
        const auto own = example_context.find(s.name);
        text += s.name + ":" + (s.form == Section::Form::one ? " " + example : "\n")
              + (own != example_context.end() ? own->second : "");
        if (s.form == Section::Form::named) text += "  example: " + example;
        if (s.form == Section::Form::list) text += "  - " + example;
        return text + "\n";
    }
    // Sections within others.
    static std::string whole(const Section& s, const std::string& example) {
        if (s.name == "parts")
            return scene_with(section("shapes"), "{type: compound, parts: [" + example + "]}");
        if (s.name == "quantities" || s.name == "plots")
            return scene_with(section("outputs"), "{" + s.name + ": [" + example + "]}");
        const auto part = [&](const std::string& text) {
            return scene_with(section("forces"), text);
        };
        const std::string functions =
            "functions: {f: {joint: slide, area_a: 1, area_b: 1, stroke: 1";
        if (s.name == "engine" || s.name == "pump" || s.name == "oil")
            return part("{type: hydraulics, " + s.name + ": " + example + ", " + functions + "}}}");
        if (s.name == "valve")
            return part("{type: hydraulics, " + functions + ", valve: " + example + "}}}");
        if (s.name == "functions")
            return part("{type: hydraulics, functions: {f: " + example + "}}");
        if (s.name == "magic_formula")
            return part("{type: tyre, wheel: crank, along: " + example + "}");
        if (s.name == "axles") return part("{type: drive_train, axles: [" + example + "]}");
        if (s.name == "ranges")
            return part("{type: drive_train, axles: [{left: A, right: B}], ranges: [" + example
                        + "]}");
        if (s.name == "soils" || s.name == "buckets" || s.name == "beds")
            return scene_with(section("earth"),
                              "{patches: [], " + s.name + ": {one: " + example + "}}");
        if (s.name == "patches" || s.name == "rollers" || s.name == "feet")
            return scene_with(section("earth"), "{" + s.name + ": [" + example + "]}");
        if (s.name == "spare")
            return scene_with(section("earth"), "{patches: [], spare: " + example + "}");
        return scene_with(s, example);
    }
    std::optional<Scene> read(const std::string& text) const {
        try {
            return parse_scene(text, "scene.yaml", folder_);
        } catch (const SceneError& error) {
            ADD_FAILURE() << text << error.what();
            return {};
        }
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("bristle_examples_{}", ::getpid());
};

std::string with(const std::string& example, const Key& key, const std::string& value) {
    return example.substr(0, example.size() - 1) + ", " + key.name + ": " + value + "}";
}

bool is_in_a_rule(const Type& type, const Key& key) {
    if (type.name == "height_field" && key.name == "scale")
        return true;  // of a survey, not of heights
    for (const Rule& rule : type.rules)
        for (const std::string& name : rule.keys)
            if (name == key.name) return true;
    return false;
}

bool is_in(const std::string& example, const Key& key) {
    return example.find("{" + key.name + ":") != std::string::npos
        || example.find(" " + key.name + ":") != std::string::npos;
}

TEST_F(Examples, OfEveryTypeAndKeyCanBeRead) {
    for (const Section& s : sections())
        for (const Type& type : s.types) {
            read(whole(s, type.example));
            if (type.example[0] != '{') continue;
            for (const Key& key : type.keys)
                if (key.kind != Kind::loop && !is_in(type.example, key) && !is_in_a_rule(type, key))
                    read(whole(s, with(type.example, key, key.example)));
        }
}

// Writing a default out changes nothing.
TEST_F(Examples, HaveTheDefaultsOfTheTable) {
    for (const Section& s : sections())
        for (const Type& type : s.types) {
            if (type.example[0] != '{') continue;
            const auto without = read(whole(s, type.example));
            if (!without) continue;
            for (const Key& key : type.keys) {
                if (!key.fallback || key.fallback->empty() || is_in(type.example, key)
                    || is_in_a_rule(type, key))
                    continue;
                const auto written = read(whole(s, with(type.example, key, *key.fallback)));
                if (written) {
                    EXPECT_EQ(text_of(written->model), text_of(without->model))
                        << s.name << " " << key.name;
                }
            }
        }
}

TEST(Format, HasTheDefaultsOfCpp) {
    const Scene scene = parse_scene("materials: {a: {}}\ncontact_pairs: [{a: a, b: a}]\n");
    Model model;
    const auto a = model.add(Material{.name = "a"});
    model.add(ContactPair{a, a, {}});
    EXPECT_EQ(text_of(scene.model), text_of(model));
    EXPECT_EQ(scene.duration, Scene{}.duration);
    const auto solver = [](const std::string& name) {
        return parse_scene("solver: " + name + "\n").solver;
    };
    const auto lagrangian = std::get<AugmentedLagrangian>(solver("augmented_lagrangian"));
    const AugmentedLagrangian d;
    EXPECT_EQ(lagrangian.step, d.step);
    EXPECT_EQ(lagrangian.integrator, d.integrator);
    EXPECT_EQ(lagrangian.newmark_beta, d.newmark_beta);
    EXPECT_EQ(lagrangian.newmark_gamma, d.newmark_gamma);
    EXPECT_EQ(lagrangian.hht_delta, d.hht_delta);
    EXPECT_EQ(lagrangian.rho_infinity, d.rho_infinity);
    EXPECT_EQ(lagrangian.projection, d.projection);
    EXPECT_EQ(lagrangian.max_iterations, d.max_iterations);
    EXPECT_EQ(lagrangian.penalty, d.penalty);
    EXPECT_EQ(lagrangian.take_out_beyond, d.take_out_beyond);
    EXPECT_EQ(lagrangian.threads, d.threads);
    const auto baumgarte = std::get<Baumgarte>(solver("baumgarte"));
    EXPECT_EQ(baumgarte.step, Baumgarte{}.step);
    EXPECT_EQ(baumgarte.frequency, Baumgarte{}.frequency);
    EXPECT_EQ(baumgarte.damping, Baumgarte{}.damping);
    const auto penalty = std::get<Penalty>(solver("penalty"));
    EXPECT_EQ(penalty.penalty, Penalty{}.penalty);
    EXPECT_EQ(penalty.step, Penalty{}.step);
    EXPECT_EQ(std::get<IndependentCoordinates>(solver("independent_coordinates")).step,
              IndependentCoordinates{}.step);
    const auto impulse = std::get<Impulse>(solver("impulse"));
    const Impulse i;
    EXPECT_EQ(impulse.step, i.step);
    EXPECT_EQ(impulse.iterations, i.iterations);
    EXPECT_EQ(impulse.correction, i.correction);
    EXPECT_EQ(impulse.direct, i.direct);
    EXPECT_EQ(impulse.error_reduction, i.error_reduction);
    EXPECT_EQ(impulse.allowed_depth, i.allowed_depth);
    EXPECT_EQ(impulse.resting_speed, i.resting_speed);
    EXPECT_EQ(impulse.impacts, i.impacts);
    EXPECT_EQ(impulse.sleep_after, i.sleep_after);
    EXPECT_EQ(impulse.sleep_speed, i.sleep_speed);
    EXPECT_EQ(impulse.sleep_spin, i.sleep_spin);
    EXPECT_EQ(impulse.threads, i.threads);
}

}  // namespace
}  // namespace bristle::io
