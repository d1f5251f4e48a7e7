#include <bristle/world.h>

#include "cli/commands.h"
#include "scenes/catalog.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bristle::cli {
namespace {

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

}  // namespace

int info(const InfoOptions& options) {
    const scenes::CatalogEntry* entry = scenes::find_scene(options.scene);
    if (entry == nullptr)
        throw InputError(fmt::format(
            "info: there is no scene '{}'; `bristle info --help` lists them", options.scene));
    const scenes::Scene scene = entry->build();
    const Model& model = scene.model;
    const World world(model, AugmentedLagrangian{.step = scene.step});
    const auto entities = world.entities();

    if (options.json) {
        nlohmann::ordered_json out;
        out["scene"] = entry->name;
        out["bodies"] = model.bodies().size() - 1;
        out["joints"] = model.joints().size();
        out["coordinates"] = world.coordinates();
        out["constraints"] = world.constraints();
        out["redundant"] = world.redundant_constraints();
        out["dof"] = world.degrees_of_freedom();
        for (uint32_t i = 1; i < model.bodies().size(); ++i)
            out["body_list"].push_back(
                {{"name", body_label(model, {i})}, {"mass", model.bodies()[i].mass}});
        for (const Joint& j : model.joints())
            out["joint_list"].push_back({{"name", j.name}, {"type", to_string(j.type)}});
        for (const Entity& e : entities) {
            nlohmann::ordered_json row{{"kind", to_string(e.kind)},
                                       {"value", {e.value.x, e.value.y, e.value.z}}};
            for (BodyId b : e.bodies) row["bodies"].push_back(body_label(model, b));
            out["entity_list"].push_back(row);
        }
        fmt::print("{}\n", out.dump());
        return 0;
    }
    fmt::print("{}: {}\n", entry->name, entry->about);
    fmt::print("  bodies              {}\n  joints              {}\n", model.bodies().size() - 1,
               model.joints().size());
    fmt::print("  coordinates         {}\n  constraints         {}\n", world.coordinates(),
               world.constraints());
    fmt::print("  degrees of freedom  {}\n  redundant           {}\n", world.degrees_of_freedom(),
               world.redundant_constraints());
    fmt::print("entities\n");
    for (const Entity& e : entities) {
        std::string bodies;
        for (BodyId b : e.bodies) bodies += (bodies.empty() ? "" : ", ") + body_label(model, b);
        fmt::print("  {:<8} ({:+.4f}, {:+.4f}, {:+.4f})  {}\n", to_string(e.kind), e.value.x,
                   e.value.y, e.value.z, bodies);
    }
    return 0;
}

}  // namespace bristle::cli
