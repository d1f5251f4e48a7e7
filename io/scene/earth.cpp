// Earth, as files say it.
#include "io/scene/earth.h"

#include <bristle/error.h>

#include "io/scene/machine_fields.h"
#include "io/scene/sections.h"

#include <fmt/format.h>

namespace bristle::io {
namespace {

using namespace machines;

// As Context::soils numbers them, and as the words of `like` go.
std::vector<Soil> known_soils() { return {loam(), sand(), clay(), gravel()}; }

void read_soils(Context& context, EarthSoFar& so_far, const Node& node) {
    read_named(context, node, section("soils"), context.soils,
               [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
                   Soil soil = known_soils()[o.word<size_t>("like")];
                   soil.name = name;
                   read_fields(o, soil);
                   soil.digging = o.word<Soil::Digging>("digging");
                   if (!o.is_good()) return {};
                   check(soil);
                   so_far.soils.push_back(soil);
                   return static_cast<uint32_t>(so_far.soils.size() - 1);
               });
}

void read_buckets(Context& context, EarthSoFar& so_far, const Node& node) {
    read_named(context, node, section("buckets"), so_far.buckets,
               [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
                   Bucket b{.name = name,
                            .body = o.body("body"),
                            .hull = o.points("hull"),
                            .edge_left = o.vector("edge_left"),
                            .edge_right = o.vector("edge_right"),
                            .digging = o.axis("digging"),
                            .inside = o.points("inside"),
                            .edge_thickness = o.number("edge_thickness")};
                   if (!o.is_good()) return {};
                   check(context.scene.model, b);
                   so_far.earth.buckets.push_back(std::move(b));
                   return static_cast<uint32_t>(so_far.earth.buckets.size() - 1);
               });
}

void read_beds(Context& context, EarthSoFar& so_far, const Node& node) {
    read_named(context, node, section("beds"), so_far.beds,
               [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
                   const Earth::Bed bed{.body = o.body("body"),
                                        .low = o.vector("low"),
                                        .high = o.vector("high"),
                                        .tail_angle = o.number("tail_angle"),
                                        .name = name};
                   if (!o.is_good()) return {};
                   check(context.scene.model, bed);
                   so_far.earth.beds.push_back(bed);
                   return static_cast<uint32_t>(so_far.earth.beds.size() - 1);
               });
}

// What has no name: patches, rollers, feet.
template <class Part, class Read>
void read_list(const Object& earth, const char* key, std::vector<Part>& list, const Read& read) {
    const Node* const node = earth.find(key);
    if (node == nullptr) return;
    Context& context = earth.context();
    read_each(context, *node, section(key), [&](const Object& o, const Node&) {
        Part part = read(o);
        if (!o.is_good()) return;
        check(context.scene.model, part);
        list.push_back(std::move(part));
    });
}

}  // namespace

void read_earth(Context& context, const Node& node) {
    if (!context.earth) {
        context.earth = std::make_shared<EarthSoFar>();
        context.earth->soils = known_soils();
        context.earth->mark = node.mark;
    }
    EarthSoFar& so_far = *context.earth;
    Earth& earth = so_far.earth;
    const Section& format = section("earth");
    if (node.kind != Node::Kind::map) {
        if (node.kind == Node::Kind::empty)
            context.mistakes.follow();  // that it is empty has been told
        else
            context.mistakes.add(
                node.mark,
                fmt::format("earth is {}; expected a map, {{patches: […]}}", describe(node)));
        return;
    }
    const Object o(context, node, format.types[0]);
    if (const Node* soils = o.find("soils")) read_soils(context, so_far, *soils);
    if (const Node* buckets = o.find("buckets")) read_buckets(context, so_far, *buckets);
    if (const Node* beds = o.find("beds")) read_beds(context, so_far, *beds);
    const auto soil_of = [&](const Object& part) {
        const size_t soil = part.soil("soil");
        return soil < so_far.soils.size() ? so_far.soils[soil] : Soil{};
    };
    so_far.has_patches |= o.has("patches");
    read_list(o, "patches", earth.patches, [&](const Object& p) {
        return Earth::Patch{.shape = p.shape("shape"), .soil = soil_of(p)};
    });
    read_list(o, "rollers", earth.rollers, [](const Object& r) {
        return Earth::Roller{.tyre = r.force("tyre"), .width = r.number("width")};
    });
    read_list(o, "feet", earth.feet, [](const Object& f) {
        return Earth::Foot{.body = f.body("body"),
                           .center = f.vector("center"),
                           .length = f.number("length"),
                           .width = f.number("width")};
    });
    read_nested(o, "spare", [&](const Object& spare) {
        earth.spare_patches = spare.integer("patches");
        earth.spare_points = spare.integer("points");
        earth.spare_spacing = spare.number("spacing");
        earth.spare_soil = soil_of(spare);
        earth.material = spare.material("material");
    });
    if (o.has("seed")) earth.seed = o.integer("seed");
    if (o.has("looks")) earth.looks = static_cast<int>(o.integer("looks"));
}

void finish_earth(Context& context) {
    if (!context.earth || !context.earth->has_patches || context.mistakes.count() > 0) return;
    Model& model = context.scene.model;
    try {
        const EarthIds ids = add_earth(model, context.earth->earth);
        for (const auto* list : {&ids.dig_forces, &ids.loads, &ids.bed_loads})
            for (const ForceId id : *list)
                if (model.contains(id))
                    context.define(context.forces, model.name(id), context.earth->mark, id.index);
    } catch (const InputError& error) {
        context.mistakes.add(context.earth->mark, error.what());
    }
}

}  // namespace bristle::io
