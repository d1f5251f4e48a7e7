// A scene as a file: the order of its parts, how it is run, and what no file can say.
#include <bristle/scene.h>

#include "io/output_file.h"
#include "io/scene/writing.h"
#include "model/editor.h"
#include "model/input_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace bristle::io {
namespace {

// ---- What no file can say ------------------------------------------------------------------------------

template <class Signature> bool is_opaque(const Described<Signature>& f) {
    return f && f.text().empty();
}

constexpr const char* instead_of_function =
    "is a function in code, which no file can say; give a number, a table or an expression "
    "(io::time_function; in Python bristle.function)";
constexpr const char* instead_of_law =
    "is a function in code, which no file can say; give a table or an expression (io::force_law; "
    "in "
    "Python bristle.law)";
constexpr const char* instead_of_force =
    "is a function in code, which no file can say; say it by expressions (io::point_force; in "
    "Python "
    "bristle.point_force)";

std::string stateful_complaint(const StatefulForce& f, const std::string& where) {
    if (!can_write(f)) return fmt::format("{}: its law is code, which no file can say", where);
    if (std::any_of(f.inputs.begin(), f.inputs.end(),
                    [](const TimeFunction& input) { return is_opaque(input); }))
        return fmt::format("{}: an input {}", where, instead_of_function);
    return {};
}

std::string complaint(const Model& model, Model::ForceRef ref, const std::string& where) {
    switch (ref.kind) {
        case Model::ForceKind::spring:
            if (is_opaque(model.springs()[ref.index].law))
                return fmt::format("{}: its law {}", where, instead_of_law);
            break;
        case Model::ForceKind::joint_spring:
            if (is_opaque(model.joint_springs()[ref.index].law))
                return fmt::format("{}: its law {}", where, instead_of_law);
            break;
        case Model::ForceKind::motor:
            if (is_opaque(model.motors()[ref.index].effort))
                return fmt::format("{}: its effort {}", where, instead_of_function);
            break;
        case Model::ForceKind::user: {
            const auto& text = model.user_forces()[ref.index].text;
            if (!text) return fmt::format("{}: it {}", where, instead_of_force);
            if (!model.contains(text->body))
                return fmt::format("{}: its body was removed; remove it, too", where);
            break;
        }
        case Model::ForceKind::stateful:
            return stateful_complaint(model.stateful_forces()[ref.index], where);
        case Model::ForceKind::bushing: break;
    }
    return {};
}

// ---- How it is run -------------------------------------------------------------------------------------

struct SettingsEntry {
    Entry operator()(const AugmentedLagrangian& s) const {
        return of("augmented_lagrangian")
            .number("step", s.step)
            .word("integrator", s.integrator)
            .number("newmark_beta", s.newmark_beta)
            .number("newmark_gamma", s.newmark_gamma)
            .number("hht_delta", s.hht_delta)
            .number("rho_infinity", s.rho_infinity)
            .word("projection", s.projection)
            .number("max_iterations", s.max_iterations)
            .number("penalty", s.penalty)
            .number("take_out_beyond", s.take_out_beyond)
            .number("threads", s.threads);
    }
    Entry operator()(const Baumgarte& s) const {
        return of("baumgarte")
            .number("step", s.step)
            .number("frequency", s.frequency)
            .number("damping", s.damping);
    }
    Entry operator()(const Penalty& s) const {
        return of("penalty")
            .number("step", s.step)
            .number("penalty", s.penalty)
            .number("frequency", s.frequency)
            .number("damping", s.damping);
    }
    Entry operator()(const IndependentCoordinates& s) const {
        return of("independent_coordinates").number("step", s.step);
    }
    Entry operator()(const Impulse& s) const {
        Entry entry = of("impulse");
        if (s.resting_speed) entry.number("resting_speed", *s.resting_speed);
        return entry.number("step", s.step)
            .number("iterations", s.iterations)
            .word("correction", s.correction)
            .word("direct", s.direct)
            .number("error_reduction", s.error_reduction)
            .number("allowed_depth", s.allowed_depth)
            .word("impacts", s.impacts)
            .number("sleep_after", s.sleep_after)
            .number("sleep_speed", s.sleep_speed)
            .number("sleep_spin", s.sleep_spin)
            .number("threads", s.threads);
    }
    static Entry of(const char* type) { return Entry(*section("solver").find(type)); }
};

std::string quantities_text(const std::vector<std::string>& list) {
    std::string text = "[";
    for (const std::string& name : list) text += (text.size() > 1 ? ", " : "") + written(name);
    return text + "]";
}

void write_outputs(Lines& lines, const Scene& scene) {
    if (scene.output_step == 0 && scene.quantities.empty() && scene.plots.empty()) return;
    lines.line("outputs:");
    if (scene.output_step > 0) lines.line("  every: " + exact_text(scene.output_step));
    if (!scene.quantities.empty()) lines.line("  quantities: " + quantities_text(scene.quantities));
    if (scene.plots.empty()) return;
    lines.line("  plots:");
    for (const ScenePlot& plot : scene.plots) {
        Entry entry(section("plots").types[0]);
        if (!plot.title.empty()) entry.put("title", written(plain_line(plot.title)));
        if (!plot.x.empty()) entry.put("x", written(plot.x));
        lines.line("    - " + entry.put("y", quantities_text(plot.y)).text());
    }
}

// Every word of the table, in its order.
std::string word_of(const char* key, size_t index) {
    return scene_format().keys[*scene_format().find(key)].words[index];
}

// ---- A model without a file ------------------------------------------------------------------------------

void give_names(Model& model, const FileNames& names) {
    const auto give = [](auto& list, const std::vector<std::string>& given) {
        for (size_t i = 0; i < list.size(); ++i) list[i].name = given[i];
    };
    give(ModelEditor::bodies(model), names.bodies);
    give(ModelEditor::joints(model), names.joints);
    give(ModelEditor::drives(model), names.drives);
    give(ModelEditor::limits(model), names.limits);
    give(ModelEditor::coordinates(model), names.rotors);
    give(ModelEditor::shapes(model), names.shapes);
    for (size_t i = 0; i < model.forces().size(); ++i) {
        const auto [kind, index] = model.forces()[i];
        switch (kind) {
            case Model::ForceKind::spring:
                ModelEditor::springs(model)[index].name = names.forces[i];
                break;
            case Model::ForceKind::joint_spring:
                ModelEditor::joint_springs(model)[index].name = names.forces[i];
                break;
            case Model::ForceKind::bushing:
                ModelEditor::bushings(model)[index].name = names.forces[i];
                break;
            case Model::ForceKind::motor:
                ModelEditor::motors(model)[index].name = names.forces[i];
                break;
            case Model::ForceKind::user:
                ModelEditor::user_forces(model)[index].name = names.forces[i];
                break;
            case Model::ForceKind::stateful:
                ModelEditor::stateful_forces(model)[index].name = names.forces[i];
                break;
        }
    }
}

// What a file may be called after.
std::string file_word(const std::string& title) {
    std::string word;
    for (const char c : title.substr(0, 60)) {
        const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (is_plain)
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!word.empty() && word.back() != '-')
            word += '-';
    }
    while (!word.empty() && word.back() == '-') word.pop_back();
    return word.empty() ? "model" : word;
}

}  // namespace

std::vector<std::string> unwritable(const Model& model) {
    std::vector<std::string> list;
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (model.contains(DriveId{i}) && is_opaque(model.drives()[i].target))
            list.push_back(fmt::format("{}: its target {}",
                                       model::label("drive", model.drives()[i].name, i),
                                       instead_of_function));
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        if (!model.contains(ForceId{i}) || is_of_earth(model, ForceId{i})) continue;
        std::string text =
            complaint(model, model.forces()[i], model::label("force", model.name(ForceId{i}), i));
        if (!text.empty()) list.push_back(std::move(text));
    }
    if (std::string text = earth_complaint(model); !text.empty()) list.push_back(std::move(text));
    return list;
}

std::string scene_text(const Scene& scene) {
    const std::vector<std::string> unsaid = unwritable(scene.model);
    if (!unsaid.empty()) throw InputError(fmt::format("{}", fmt::join(unsaid, "\n")));
    const Model& model = scene.model;
    const FileNames names(model);
    Lines lines;
    if (!scene.title.empty()) lines.line("title: " + written(plain_line(scene.title)));
    lines.line("gravity: " + written(model.gravity));
    if (model.plane_normal) lines.line("planar: " + written(*model.plane_normal));
    lines.line("friction_rule: "
               + word_of("friction_rule", static_cast<size_t>(model.friction_rule)));
    lines.line("restitution_rule: "
               + word_of("restitution_rule", static_cast<size_t>(model.restitution_rule)));
    write_materials(lines, model, names);
    write_bodies(lines, model, names);
    write_shapes(lines, model, names);
    write_joints(lines, model, names);
    write_forces(lines, model, names);
    write_earth(lines, model, names);
    lines.line("solver: " + std::visit(SettingsEntry{}, scene.solver).text());
    lines.line("duration: " + exact_text(scene.duration));
    write_outputs(lines, scene);
    return lines.text();
}

void write_scene(const Scene& scene, const std::filesystem::path& file) {
    const std::string text = scene_text(scene);
    OutputFile out(file, OutputFile::Kind::whole_or_nothing);
    try {
        out.write(text);
        out.publish();
    } catch (const std::runtime_error& error) {
        throw InputError(error.what());
    }
}

Scene scene_of(const Model& model, const Settings& settings, const std::string& title) {
    Scene scene;
    scene.name = file_word(title);
    scene.title = plain_line(title);
    scene.model = model;
    scene.solver = settings;
    scene.unsaid = unwritable(model);
    if (scene.unsaid.empty()) {
        scene = parse_scene(scene_text(scene), scene.name + ".yaml");
    } else {
        give_names(scene.model, FileNames(model));
    }
    return scene;
}

}  // namespace bristle::io
