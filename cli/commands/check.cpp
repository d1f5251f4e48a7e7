// Reads and builds scenes, and says what is wrong or looks wrong.
#include <bristle/analysis.h>
#include <bristle/world.h>

#include "base/plain.h"
#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "io/oddities.h"
#include "io/scene/places.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace bristle::cli {
namespace {

struct Finding {
    std::vector<std::string> mistakes, warnings, notes;
    int degrees_of_freedom = 0, redundant = 0;
};

// Which bodies are one, by fixed joints: the same number.
std::vector<uint32_t> welded_groups(const Model& model) {
    std::vector<uint32_t> group(model.bodies().size());
    std::iota(group.begin(), group.end(), 0u);
    for (const Joint& j : model.joints())
        if (j.type == JointType::fixed)
            std::replace(group.begin(), group.end(), group[j.b.index], group[j.a.index]);
    return group;
}

// Whether two shapes never touch, whatever they do: see Shape.
bool never_touch(const Model& model, const std::vector<uint32_t>& group, const Shape& a,
                 const Shape& b) {
    const auto same = [&](BodyId p, BodyId q) {
        return (p == a.body && q == b.body) || (p == b.body && q == a.body);
    };
    if (group[a.body.index] == group[b.body.index]) return true;
    if ((a.group & b.mask) == 0 || (b.group & a.mask) == 0) return true;
    if (std::any_of(model.no_contacts().begin(), model.no_contacts().end(),
                    [&](const NoContact& n) { return same(n.a, n.b); }))
        return true;
    const bool with_ground = a.body == Model::ground() || b.body == Model::ground();
    return !with_ground
        && std::any_of(model.joints().begin(), model.joints().end(),
                       [&](const Joint& j) { return j.type < JointType::gear && same(j.a, j.b); });
}

// Edge of a cube of the same volume; nothing for what has none.
std::optional<double> size_of(const Geometry& geometry) {
    try {
        return std::cbrt(mass_properties(geometry).volume);
    } catch (const InputError&) {
        return {};
    }
}

void look_for_overlaps(const World& world, const io::Scene& scene, Finding& out) {
    const Model& model = world.model();
    const std::vector<uint32_t> group = welded_groups(model);
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        for (const ShapeId other : world.shapes_overlapping({i})) {
            const Shape &a = model.shapes()[i], &b = model.shapes()[other.index];
            if (other.index <= i || never_touch(model, group, a, b)) continue;
            const auto gap = world.closest_points({i}, other);
            const double size = std::min(size_of(a.geometry).value_or(unlimited),
                                         size_of(b.geometry).value_or(unlimited));
            // Contacts press shapes into each other by less than this; more was not meant.
            if (!gap || gap->distance > -0.01 * size) continue;
            const std::string &first = model.bodies()[a.body.index].name,
                              &second = model.bodies()[b.body.index].name;
            const BodyId moving = a.body == Model::ground() ? b.body : a.body;
            out.warnings.push_back(
                io::warning_at(scene, "body", model.bodies()[moving.index].name)
                + fmt::format("'{}' and '{}' start {:.3g} m inside each other and will be thrown "
                              "apart",
                              first, second, -gap->distance));
        }
}

// Scenery may be open; all else about a mesh was hardly meant.
void look_at_mesh(const std::string& place, const std::string& body, const TriangleMesh& mesh,
                  Finding& out) {
    constexpr size_t most = 3;
    const auto found = check(mesh).problems;
    std::vector<std::string> texts;
    for (const MeshReport::Problem& p : found)
        if (p.kind != MeshReport::Kind::open_edge) texts.push_back(p.text);
    if (texts.empty()) return;
    for (size_t i = 0; i < texts.size() && i < most; ++i)
        out.warnings.push_back(place + fmt::format("'{}', its mesh: {}", body, texts[i]));
    if (texts.size() > most)
        out.warnings.push_back(
            place + fmt::format("'{}', its mesh: … and {} more", body, texts.size() - most));
    const size_t left = check(repaired(mesh).mesh).problems.size();
    if (left < found.size())
        out.warnings.push_back(
            place
            + fmt::format("'{}': with `repair: safe` its mesh has {} of these {} problems", body,
                          left, found.size()));
}

void look_at_meshes(const io::Scene& scene, Finding& out) {
    std::set<const TriangleMesh*> seen;  // the same for many bodies, told once
    const auto look = [&](const auto& self, const std::string& place, const std::string& body,
                          const Geometry& geometry) -> void {
        if (const auto* mesh = std::get_if<Mesh>(&geometry)) {
            if (seen.insert(mesh->surface.get()).second)
                look_at_mesh(place, body, *mesh->surface, out);
        } else if (const auto* compound = std::get_if<Compound>(&geometry)) {
            for (const CompoundPart& part : compound->parts) self(self, place, body, part.geometry);
        }
    };
    for (const Shape& s : scene.model.shapes()) {
        const std::string& body = scene.model.bodies()[s.body.index].name;
        std::string place = io::warning_at(scene, "shape", s.name);
        if (place.empty()) place = io::warning_at(scene, "body", body);
        look(look, place, body, s.geometry);
    }
}

// What is so in most planar linkages in space, and harmless: no warning.
void look_for_redundancy(const World& world, Finding& out) {
    constexpr size_t most = 3;
    const Model& model = world.model();
    const std::vector<Mobility::Redundancy> all = mobility(world).redundancies;
    for (size_t i = 0; i < all.size() && i < most; ++i) {
        std::string implied;
        for (const JointId j : all[i].implied_by)
            implied +=
                fmt::format("{}'{}'", implied.empty() ? "" : ", ", model.joints()[j.index].name);
        out.notes.push_back(fmt::format(
            "{} of the {} conditions of joint '{}' follow from {}: its reactions are one choice of "
            "many",
            all[i].redundant, all[i].conditions, model.joints()[all[i].joint.index].name, implied));
    }
    if (all.size() > most)
        out.notes.push_back(
            fmt::format("… and so for {} other joints (`bristle info` tells)", all.size() - most));
}

Finding examine(const std::string& written, const CheckOptions& options) {
    Finding out;
    try {
        const io::Scene scene =
            load({.scene = written, .allow = options.allow}, overrides_in(options.set));
        if (scene.model.bodies().size() == 1) {
            out.mistakes.push_back(
                fmt::format("{}:1:1: there is no body; expected bodies: {{…}}", written));
            return out;
        }
        out.warnings = scene.warnings;
        if (!scene.model.is_assembled())
            out.warnings.emplace_back("the joints do not meet at the start; bodies are moved");
        const World world(scene.model, with_equations(scene.solver));
        out.degrees_of_freedom = world.degrees_of_freedom();
        out.redundant = world.redundant_constraints();
        if (out.redundant > 0 && scene.model.plane_normal)
            out.redundant = mobility(world).redundant_constraints;
        if (out.degrees_of_freedom == 0) out.warnings.emplace_back("nothing can move");
        look_for_overlaps(world, scene, out);
        look_at_meshes(scene, out);
        for (const auto& found : {io::oddities(scene), io::oddities_of_start(world, scene)})
            out.warnings.insert(out.warnings.end(), found.begin(), found.end());
        if (out.redundant > 0) look_for_redundancy(world, out);
    } catch (const io::SceneError& error) {
        out.mistakes = error.messages;
    } catch (const InputError& error) {
        out.mistakes.push_back(fmt::format("{}: {}", written, error.what()));
    } catch (const SimulationError& error) {
        out.mistakes.push_back(fmt::format("{}: {}", written, error.what()));
    }
    return out;
}

void print(const std::string& scene, const Finding& found, const std::string& verdict) {
    const std::string written = plain(scene);
    for (const std::string& mistake : found.mistakes) fmt::print(stderr, "{}\n", plain(mistake));
    for (const std::string& warning : found.warnings)
        fmt::print("{}\n", plain(io::as_warning(written, warning)));
    for (const std::string& note : found.notes) fmt::print("{}: note: {}\n", written, note);
    if (verdict == "bad") return;
    const size_t warnings = found.warnings.size();
    fmt::print("{}: {}, {} degree{} of freedom\n", written,
               warnings == 0 ? "good"
                             : fmt::format("can be run, with {} warning{}", warnings,
                                           warnings == 1 ? "" : "s"),
               found.degrees_of_freedom, found.degrees_of_freedom == 1 ? "" : "s");
}

}  // namespace

int check(const CheckOptions& options) {
    overrides_in(options.set);  // its mistakes are nobody's scene's
    bool all_good = true;
    for (const std::string& written : options.scenes) {
        const Finding found = examine(written, options);
        const std::string verdict = !found.mistakes.empty() ? "bad"
                                  : !found.warnings.empty() ? "odd"
                                                            : "good";
        all_good = all_good && verdict != "bad";
        if (options.json) {
            fmt::print("{}\n", json_line(nlohmann::ordered_json{{"scene", written},
                                                                {"verdict", verdict},
                                                                {"mistakes", found.mistakes},
                                                                {"warnings", found.warnings},
                                                                {"notes", found.notes},
                                                                {"dof", found.degrees_of_freedom},
                                                                {"redundant", found.redundant}}));
            continue;
        }
        print(written, found, verdict);
    }
    return all_good ? 0 : 2;
}

}  // namespace bristle::cli
