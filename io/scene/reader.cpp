// Files, parameters and the order in which a scene is read.
#include "base/plain.h"
#include "base/suggest.h"
#include "io/read_file.h"
#include "io/scene/places.h"
#include "io/scene/sections.h"
#include "io/scene/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::io {
namespace {

constexpr size_t most_files = 10'000, deepest_include = 30;

// A parameter that is set from outside the file.
struct Setting {
    std::optional<double> value;  // or
    std::string expression;
    Mark mark;  // where it is set
};
using Given = std::map<std::string, Setting>;

class Reader {
  public:
    Reader(Scene& scene, Mistakes& mistakes, const Reach& reach, const Extent& extent = {})
        : context_{mistakes, scene, reach, extent} {}

    // The file that is run.
    void read(const Document&, const std::filesystem::path& file, const Given& given);
    const Document& document(const std::filesystem::path& path, const std::string& name);
    // Takes the names along: the last thing to ask for.
    std::shared_ptr<const Places> places();

  private:
    void read_file(const Document&, const std::filesystem::path& folder, const Given&);
    bool is_included() const { return open_.size() > 1; }
    bool read_parameters(const Node*, const Given&);
    void read_parameter(const Object&, const std::string& name, const Node& key, const Setting*);
    void check_unit(const Node& value, const Parameter&, const Measured& found, Measured& said);
    void warn_of_unit(const Node& unit);
    void read_includes(const Node&);
    void include(const Object&);
    void read_sections(const Object& scene);
    void note_sections(const Object& scene);

    Context context_;
    std::map<std::string, Mark> sections_;  // where they stand
    std::map<std::filesystem::path, Document> documents_;
    std::vector<std::filesystem::path> open_;  // this file, and before it those that include it
};

std::filesystem::path full_path(const std::filesystem::path& path) {
    std::error_code error;
    auto result = std::filesystem::weakly_canonical(path, error);
    return error ? path : result;
}

void Reader::read(const Document& document, const std::filesystem::path& file, const Given& given) {
    open_.push_back(full_path(file));
    read_file(document, file.parent_path(), given);
    open_.pop_back();
    if (context_.mistakes.count() == 0) check_quantities(context_);
}

void Reader::read_file(const Document& document, const std::filesystem::path& folder,
                       const Given& given) {
    auto outer_folder = std::exchange(context_.folder, folder);
    // Moved and not copied: a loop around an include keeps its place in them.
    auto outer_symbols = std::exchange(context_.symbols, {});
    if (document.root != nullptr && document.root->kind != Node::Kind::map) {
        context_.mistakes.add(document.root->mark,
                              fmt::format("the file is {}; expected a map of sections, as in "
                                          "bodies: {{…}}",
                                          describe(*document.root)));
    } else if (document.root != nullptr) {
        const Object scene(context_, *document.root, scene_format());
        // Without parameters every expression would be a mistake.
        if (read_parameters(scene.find("parameters"), given)) {
            // Circles and polygons of included files lie in the plane of the one that includes them.
            const auto plane = scene.plane("planar");
            if (plane) context_.scene.model.plane_normal = plane;
            if (const Node* node = scene.find("include")) read_includes(*node);
            if (plane) context_.scene.model.plane_normal = plane;
            read_sections(scene);
        }
    }
    context_.folder = std::move(outer_folder);
    context_.symbols = std::move(outer_symbols);
}

void Reader::read_sections(const Object& scene) {
    Model& model = context_.scene.model;
    const auto section = [&](const char* key, void (*read)(Context&, const Node&)) {
        if (const Node* node = scene.find(key)) read(context_, *node);
    };
    if (scene.has("gravity")) model.gravity = scene.vector("gravity");
    if (scene.has("friction_rule")) model.friction_rule = scene.word<Combine>("friction_rule");
    if (scene.has("restitution_rule"))
        model.restitution_rule = scene.word<Combine>("restitution_rule");
    section("materials", read_materials);
    section("contact_pairs", read_contact_pairs);
    section("bodies", read_bodies);
    section("shapes", read_shapes);
    section("visuals", read_visuals);
    section("no_contact", read_no_contact);
    section("joints", read_joints);
    section("drives", read_drives);
    section("limits", read_limits);
    section("rotors", read_rotors);
    section("forces", read_forces);
    section("earth", read_earth);
    if (is_included()) return;  // the rest is of the file that is run
    context_.scene.title = scene.text("title");
    context_.scene.duration = scene.number("duration");
    finish_earth(context_);
    section("solver", read_solver);
    section("outputs", read_outputs);
    note_sections(scene);
}

void Reader::note_sections(const Object& scene) {
    for (const char* key : {"gravity", "duration"})
        if (const Node* node = scene.find(key)) sections_[key] = node->mark;
    for (const auto& [key, inside] : {std::pair("solver", "step"), std::pair("outputs", "every")}) {
        const Node* const node = scene.find(key);
        if (const Node* value = node != nullptr ? node->find(inside) : nullptr)
            sections_[inside] = value->mark;
    }
}

std::shared_ptr<const Places> Reader::places() {
    auto places = std::make_shared<Places>();
    places->files = context_.mistakes.files();
    places->sections = std::move(sections_);
    for (Names* names : {&context_.bodies, &context_.materials, &context_.joints, &context_.drives,
                         &context_.limits, &context_.rotors, &context_.forces, &context_.shapes})
        places->kinds.push_back(std::move(*names));
    return places;
}

// ---- Parameters ----------------------------------------------------------------------------------------

namespace {

// Whether what is known of a value contradicts what the file says of its unit.
bool set_as_said(const Measured& found, const Measured& said) {
    return !found || !said || fits(*found, *said);
}

}  // namespace

void Reader::check_unit(const Node& value, const Parameter& parameter, const Measured& found,
                        Measured& said) {
    if (!set_as_said(found, said))
        context_.mistakes.add(
            value.mark,
            fmt::format("{} is '{}', which is in {}; expected {}, its unit", parameter.name,
                        value.text.substr(0, 100), unit_of(*found), parameter.unit));
    const Unit* const unit = find_unit(parameter.unit);
    if (unit != nullptr && unit->times != unit->over && !found)
        context_.mistakes.add(
            value.mark,
            fmt::format("{0} is {1} in SI, that is {1} {2}, whatever its unit says; expected "
                        "value: {3} {4}, unit: {2}",
                        parameter.name, parameter.value, unit_of(unit->dimension),
                        value.text.substr(0, 100), parameter.unit));
    if (found) said = found;
}

// It may be any word, for who reads it; one that is nearly a unit was meant to be one.
void Reader::warn_of_unit(const Node& unit) {
    const bool is_word = std::all_of(unit.text.begin(), unit.text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    if (!is_word) return;
    std::vector<std::string> names;
    names.reserve(units().size());
    for (const Unit& known : units()) names.emplace_back(known.name);
    if (const std::string near = meant(unit.text, names); !near.empty())
        context_.mistakes.warn(unit.mark, fmt::format("unit '{}' is not known, and not checked{}",
                                                      unit.text.substr(0, 100), near));
}

void Reader::read_parameter(const Object& o, const std::string& name, const Node& key,
                            const Setting* setting) {
    Parameter parameter{name, o.text("about"), o.text("unit"), 0};
    Measured dimension = o.has("unit") ? dimension_of(parameter.unit) : Measured();
    if (o.has("unit") && !dimension) warn_of_unit(*o.find("unit"));
    if (const Node* value = o.find("value")) {
        Measured found;
        parameter.value = context_.value(*value, name, "a number", &found).value_or(0);
        check_unit(*value, parameter, found, dimension);
        if (!std::isfinite(parameter.value))
            context_.mistakes.add(value->mark, fmt::format("{} is {}; expected a finite number",
                                                           name, parameter.value));
    }
    if (setting != nullptr) {
        if (setting->value) {
            parameter.value = *setting->value;
        } else {
            try {
                const Expression expression(setting->expression, context_.symbols);
                parameter.value = expression();
                if (!set_as_said(expression.dimension(), dimension))
                    context_.mistakes.add(
                        key.mark, fmt::format("{} is set to '{}', which is in {}; expected {}",
                                              name, setting->expression.substr(0, 100),
                                              unit_of(*expression.dimension()), parameter.unit));
            } catch (const ExpressionError& error) {
                context_.mistakes.add(
                    key.mark, fmt::format("{} is set to '{}', letter {}: {}", name,
                                          setting->expression.substr(0, 100), error.column + 1,
                                          error.what()));
            }
        }
        if (!std::isfinite(parameter.value))
            context_.mistakes.add(key.mark, fmt::format("{} is set to {}; expected a finite number",
                                                        name, parameter.value));
    }
    context_.symbols[name] = {o.is_good() ? parameter.value : NAN, dimension};
    if (!is_included()) context_.scene.parameters.push_back(std::move(parameter));
}

bool Reader::read_parameters(const Node* node, const Given& given) {
    std::vector<std::string> names;
    if (node != nullptr && node->kind != Node::Kind::map) {
        context_.mistakes.add(
            node->mark,
            fmt::format("parameters is {}; expected a map, {{name: value, …}}", describe(*node)));
        return false;
    }
    const Section& parameters = section("parameters");
    if (node != nullptr)
        for (const auto& [key, value] : node->entries) {
            names.push_back(key->text);
            if (!is_free_name(key->text)) {
                context_.mistakes.add(
                    key->mark,
                    fmt::format("a parameter '{}'; expected a name of letters, digits and _ that "
                                "no function has",
                                key->text.substr(0, 100)));
                continue;
            }
            const auto setting = given.find(key->text);
            read_parameter(Object(context_, *value, parameters.types[0], parameters.short_key),
                           key->text, *key, setting != given.end() ? &setting->second : nullptr);
        }
    for (const auto& [name, setting] : given) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string near = suggestion(name, names);
        const Mark mark = setting.value || node == nullptr ? setting.mark : node->mark;
        context_.mistakes.add(mark,
                              fmt::format("no parameter '{}' to set{}", name.substr(0, 100),
                                          !near.empty()   ? near
                                          : names.empty() ? "; the file has none"
                                                          : "; expected " + joined(names, "or")));
    }
    return true;
}

// ---- Includes -------------------------------------------------------------------------------------------

const Document& Reader::document(const std::filesystem::path& path, const std::string& name) {
    const auto [at, is_new] = documents_.try_emplace(path);
    if (!is_new) return at->second;
    const uint32_t file = context_.mistakes.add_file(name);
    try {
        at->second = parse_document(io::read_file(path, largest_document), file, context_.mistakes);
    } catch (const SceneError&) {
        throw;
    } catch (const InputError& error) {
        context_.mistakes.add({file}, error.what());
    }
    context_.scene.files.push_back(path);
    return at->second;
}

void Reader::include(const Object& o) {
    const Node& where = *o.find("file");
    const std::filesystem::path path = o.file("file");
    const std::string prefix = o.text("prefix");
    Given given;
    if (const Node* set = o.find("set")) {
        if (set->kind != Node::Kind::map)
            context_.mistakes.add(
                set->mark, fmt::format("set is {}; expected {{name: value, …}}", describe(*set)));
        else
            for (const auto& [key, value] : set->entries)
                given[key->text] = {context_.value(*value, key->text, "a number").value_or(NAN), "",
                                    key->mark};
    }
    if (!o.is_good()) return;
    const std::filesystem::path target = full_path(path);
    if (std::find(open_.begin(), open_.end(), target) != open_.end()) {
        std::string chain;
        for (const auto& file : open_) chain += file.filename().string() + " → ";
        context_.mistakes.add(
            where.mark, fmt::format("the file includes itself ({}{}); expected no circle", chain,
                                    target.filename().string()));
        return;
    }
    if (open_.size() >= deepest_include || ++context_.included > most_files) {
        context_.mistakes.add(where.mark,
                              fmt::format("too many files; at most {} in all and {} in each other",
                                          most_files, deepest_include));
        return;
    }
    const Document& read = document(target, path.string());
    context_.unfolded += read.root != nullptr ? read.root->size : 0;
    if (context_.unfolded > most_nodes) {
        context_.mistakes.add(
            where.mark, fmt::format("all included files together have more than {} values; a file "
                                    "that is included often is to be short",
                                    most_nodes));
        return;
    }
    open_.push_back(target);
    auto prefixes = context_.prefixes;
    if (!prefix.empty()) prefixes.insert(prefixes.begin(), prefixes.front() + prefix);
    std::swap(prefixes, context_.prefixes);
    read_file(read, path.parent_path(), given);
    std::swap(prefixes, context_.prefixes);
    open_.pop_back();
}

void Reader::read_includes(const Node& node) {
    const size_t before = context_.mistakes.count();
    read_each(context_, node, section("include"), [&](const Object& o, const Node&) {
        if (o.is_good()) include(o);
    });
    if (context_.mistakes.count() == before) return;
    for (Names* names : {&context_.bodies, &context_.materials, &context_.joints})
        names->is_incomplete = true;
}

Given given_by(const Overrides& overrides) {
    Given given;
    for (const auto& [name, expression] : overrides) given[name] = {{}, expression, {}};
    return given;
}

std::string joined_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace

SceneError::SceneError(std::vector<std::string> list)
    : InputError(joined_lines(list)), messages(std::move(list)) {}

Scene read_scene(const std::filesystem::path& file, const Overrides& overrides, const Reach& reach,
                 const Extent& extent) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        throw SceneError(
            {fmt::format("{}: there is no such file; expected a scene in YAML", file.string())});
    Scene scene;
    scene.name = plain(file.stem().string());
    Mistakes mistakes;
    Reader reader(scene, mistakes, reach, extent);
    reader.read(reader.document(file, file.string()), file, given_by(overrides));
    if (mistakes.count() > 0) throw SceneError(mistakes.sorted());
    scene.warnings = mistakes.warnings();
    scene.places = reader.places();
    return scene;
}

Scene parse_scene(const std::string& text, const std::string& file,
                  const std::filesystem::path& folder, const Overrides& overrides,
                  const Extent& extent) {
    Scene scene;
    scene.name = plain(std::filesystem::path(file).stem().string());
    Mistakes mistakes;
    const uint32_t index = mistakes.add_file(file);
    Reader reader(scene, mistakes, {}, extent);
    reader.read(parse_document(text, index, mistakes),
                folder / std::filesystem::path(file).filename(), given_by(overrides));
    if (mistakes.count() > 0) throw SceneError(mistakes.sorted());
    scene.warnings = mistakes.warnings();
    scene.places = reader.places();
    return scene;
}

}  // namespace bristle::io
