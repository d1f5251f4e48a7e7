#include <bristle/analysis.h>
#include <bristle/world.h>

#include "base/plain.h"
#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "cli/recordings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace bristle::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* to_string(Entity::Kind kind) {
    switch (kind) {
        case Entity::Kind::point: return "point";
        case Entity::Kind::vector: return "vector";
        case Entity::Kind::scalars: return "scalars";
    }
    return "";
}

std::string body_label(const Model& model, BodyId id) {
    const std::string& name = model.bodies()[id.index].name;
    return name.empty() ? fmt::format("body {}", id.index) : name;
}

std::string connected(const Model& model, const Joint& j) {
    if (j.type == JointType::gear)
        return fmt::format("{}, {}", model.joints()[j.first.index].name,
                           model.joints()[j.second.index].name);
    return fmt::format("{}, {}", body_label(model, j.a), body_label(model, j.b));
}

// What each freedom moves is found with dense matrices: minutes for thousands of coordinates.
bool is_small(const World& world) { return world.coordinates() <= 600; }
Mobility mobility_of(const World& world) { return is_small(world) ? mobility(world) : Mobility{}; }

// In a plane, what says more than that bodies stay there.
int redundant_in(const World& world) {
    return world.model().plane_normal && is_small(world) ? mobility(world).redundant_constraints
                                                         : world.redundant_constraints();
}

Json names_of(const auto& list) {
    Json names = Json::array();
    for (const auto& object : list) names.push_back(object.name);
    return names;
}

Json as_json(const io::Scene& scene, const World& world) {
    const Model& model = scene.model;
    Json out;
    out["scene"] = scene.name;
    out["title"] = scene.title;
    out["bodies"] = model.bodies().size() - 1;
    out["joints"] = model.joints().size();
    out["coordinates"] = world.coordinates();
    out["constraints"] = world.constraints();
    out["redundant"] = redundant_in(world);
    out["dof"] = world.degrees_of_freedom();
    out["duration"] = scene.duration;
    out["step"] = step_of(scene.solver);
    out["parameter_list"] = Json::array();
    for (const io::Parameter& p : scene.parameters)
        out["parameter_list"].push_back(
            {{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"about", p.about}});
    out["body_list"] = Json::array();
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        out["body_list"].push_back(
            {{"name", body_label(model, {i})}, {"mass", model.bodies()[i].mass}});
    out["joint_list"] = Json::array();
    for (const Joint& j : model.joints())
        out["joint_list"].push_back({{"name", j.name}, {"type", to_string(j.type)}});
    out["drive_list"] = names_of(model.drives());
    out["limit_list"] = names_of(model.limits());
    out["force_list"] = Json::array();
    for (uint32_t i = 0; i < model.forces().size(); ++i)
        out["force_list"].push_back(model.name(ForceId{i}));
    out["shape_list"] = names_of(model.shapes());
    out["entity_list"] = Json::array();
    for (const Entity& e : world.entities()) {
        Json row{{"kind", to_string(e.kind)}, {"value", {e.value.x, e.value.y, e.value.z}}};
        for (BodyId b : e.bodies) row["bodies"].push_back(body_label(model, b));
        out["entity_list"].push_back(row);
    }
    out["redundancy_list"] = Json::array();
    for (const Mobility::Redundancy& r : mobility_of(world).redundancies) {
        Json row{{"joint", model.joints()[r.joint.index].name},
                 {"conditions", r.conditions},
                 {"redundant", r.redundant},
                 {"implied_by", Json::array()}};
        for (const JointId j : r.implied_by)
            row["implied_by"].push_back(model.joints()[j.index].name);
        out["redundancy_list"].push_back(row);
    }
    out["files"] = Json::array();
    for (const auto& file : scene.files) out["files"].push_back(file.string());
    return out;
}

void print(const std::string& written, const io::Scene& scene, const World& world) {
    const Model& model = scene.model;
    fmt::print("{}{}{}\n", scene.name, scene.title.empty() ? "" : ": ", scene.title);
    const auto row = [](const char* name, const auto& value) {
        fmt::print("  {:<20}{}\n", name, value);
    };
    row("bodies", model.bodies().size() - 1);
    row("joints", model.joints().size());
    row("coordinates", world.coordinates());
    row("constraints", world.constraints());
    row("degrees of freedom", world.degrees_of_freedom());
    row("redundant", redundant_in(world));
    row("duration",
        fmt::format("{:.6g} s in steps of {:.6g} s", scene.duration, step_of(scene.solver)));
    if (!scene.parameters.empty()) fmt::print("parameters (--set name=value)\n");
    for (const io::Parameter& p : scene.parameters)
        fmt::print("  {:<20}{:<12.6g}{:<6}{}\n", p.name, p.value, p.unit, p.about);
    fmt::print("bodies\n");
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        fmt::print("  {:<20}{:.6g} kg\n", body_label(model, {i}), model.bodies()[i].mass);
    fmt::print("joints\n");
    for (const Joint& j : model.joints())
        fmt::print("  {:<20}{:<16}{}\n", j.name, to_string(j.type), connected(model, j));
    const auto list = [](const char* title, const Json& names) {
        if (!names.empty()) fmt::print("{}\n", title);
        for (const auto& name : names) fmt::print("  {}\n", name.get<std::string>());
    };
    list("drives", names_of(model.drives()));
    list("limits", names_of(model.limits()));
    fmt::print("freedom\n");
    if (is_small(world)) {
        std::istringstream lines(explain(mobility(world), world));
        for (std::string line; std::getline(lines, line);) fmt::print("  {}\n", line);
    } else {
        fmt::print("  {} freedoms, too many to tell what each of them moves\n",
                   world.degrees_of_freedom());
    }
    fmt::print("entities\n");
    for (const Entity& e : world.entities()) {
        std::string bodies;
        for (BodyId b : e.bodies) bodies += (bodies.empty() ? "" : ", ") + body_label(model, b);
        fmt::print("  {:<8} ({:+.4f}, {:+.4f}, {:+.4f})  {}\n", to_string(e.kind), e.value.x,
                   e.value.y, e.value.z, bodies);
    }
    fmt::print("`bristle info {} --quantities` lists what can be plotted and written\n",
               plain(written));
}

}  // namespace

int info(const InfoOptions& options) {
    if (is_recording(options.scene)) return info_about_recording(options);
    const io::Scene scene =
        load({.scene = options.scene, .allow = options.allow}, overrides_in(options.set));
    if (options.quantities) {
        const std::vector<std::string> names = io::quantity_names(scene.model);
        if (options.json)
            fmt::print("{}\n", json_line(Json{{"scene", scene.name}, {"quantities", names}}));
        else
            fmt::print("{}\n", fmt::join(names, "\n"));
        return 0;
    }
    const World world(scene.model, with_equations(scene.solver));
    if (options.json)
        fmt::print("{}\n", json_line(as_json(scene, world)));
    else
        print(options.scene, scene, world);
    return 0;
}

}  // namespace bristle::cli
