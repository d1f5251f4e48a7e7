// Parts of machines, as a file says them.
#include "io/scene/machine_fields.h"
#include "io/scene/sections.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

namespace bristle::io {
namespace {

using namespace machines;

template <class Part> void read_part(const Object& o, const char* key, Part& part) {
    read_nested(o, key, [&](const Object& inner) { read_fields(inner, part); });
}

bool turns(const Object& o, JointId joint) {
    const Model& model = o.context().scene.model;
    return o.is_good() && joint.index < model.joints().size()
        && model::is_angular(model.joints()[joint.index]);
}

HydraulicFunction read_function(const Object& o, const std::string& name) {
    HydraulicFunction f{.name = name, .joint = o.joint("joint")};
    const bool is_motor = turns(o, f.joint);
    read_fields(o, f, is_motor);
    read_part(o, "valve", f.valve);
    f.lever = o.function("lever", "");
    if (!o.is_good()) return f;
    if (is_motor && f.stroke > 0)
        throw InputError("a motor has no stroke; leave it out, or name a joint that slides");
    if (!is_motor && f.stroke == 0)
        throw InputError("stroke is missing; expected for example stroke: 1.2");
    return f;
}

std::optional<uint32_t> read_hydraulics(const Object& o, const std::string& name) {
    Context& context = o.context();
    const Node* const listed = o.find("functions");
    if (listed == nullptr) return {};  // that it is missing has been told
    Circuit circuit;
    circuit.name = name;
    read_part(o, "oil", circuit.oil);
    read_part(o, "pump", circuit.pump);
    read_nested(o, "engine", [&](const Object& engine) {
        read_fields(engine, circuit.engine);
        circuit.engine.throttle = engine.function("throttle", "");
    });
    circuit.sharing = o.word<Circuit::Sharing>("sharing");
    circuit.parts = static_cast<int>(o.integer("parts"));
    Names functions{"function"};
    const size_t prefix = context.prefixes.front().size();
    read_named(context, *listed, section("functions"), functions,
               [&](const Object& f, const std::string& full) -> std::optional<uint32_t> {
                   circuit.functions.push_back(read_function(f, full.substr(prefix)));
                   return static_cast<uint32_t>(circuit.functions.size() - 1);
               });
    const bool is_guided = o.integer("guided") != 0;
    if (!o.is_good()) return {};
    if (!is_guided) return add_hydraulics(context.scene.model, circuit).index;
    const std::vector<DriveId> drives = add_guided_functions(context.scene.model, circuit);
    for (const DriveId drive : drives)
        context.define(context.drives, context.scene.model.drives()[drive.index].name,
                       o.node().mark, drive.index);
    return {};
}

std::optional<uint32_t> read_tyre(const Object& o, const std::string& name) {
    Context& context = o.context();
    Tyre tyre;
    tyre.name = name;
    const BodyId wheel = o.body("wheel");
    if (o.has("axle")) tyre.axle = o.axis("axle");
    read_fields(o, tyre);
    read_part(o, "along", tyre.along);
    read_part(o, "across", tyre.across);
    tyre.tangential = o.word<Tyre::Tangential>("tangential");
    if (const Node* grip = o.find("grip")) {
        if (grip->kind != Node::Kind::map)
            context.mistakes.add(grip->mark, fmt::format("grip is {}; expected {{material: share}}",
                                                         describe(*grip)));
        else
            for (const auto& [key, value] : grip->entries) {
                const auto material = context.find(context.materials, *key);
                const auto share = context.value(*value, key->text, "a number above 0");
                if (material && share) tyre.grip.emplace_back(MaterialId{*material}, *share);
            }
    }
    if (!o.is_good()) return {};
    return add_tyre(context.scene.model, wheel, tyre).index;
}

std::optional<uint32_t> read_drive_train(const Object& o, const std::string& name) {
    Context& context = o.context();
    const Node* const listed = o.find("axles");
    if (listed == nullptr) return {};  // that it is missing has been told
    DriveTrain train;
    train.name = name;
    read_fields(o, train);
    const Section& ranges = section("ranges");
    if (const Node* node = o.find("ranges")) {
        train.ranges.clear();
        read_each(context, *node, ranges, [&](const Object& r, const Node&) {
            read_fields(r, train.ranges.emplace_back());
        });
    }
    read_each(context, *listed, section("axles"), [&](const Object& a, const Node&) {
        Axle& axle = train.axles.emplace_back(Axle{a.joint("left"), a.joint("right")});
        read_fields(a, axle);
    });
    static constexpr const char* words[] = {"pedal", "range", "service_brake", "parking_brake"};
    for (size_t i = 0; i < drive_inputs; ++i) train.inputs[i] = o.function(words[i], "");
    if (!o.is_good()) return {};
    return add_drive_train(context.scene.model, train).index;
}

std::optional<uint32_t> read_brake(const Object& o, const std::string& name) {
    Brake brake{.joint = o.joint("joint")};
    brake.name = name;
    read_fields(o, brake, turns(o, brake.joint));
    brake.lever = o.function("lever", "");
    if (!o.is_good()) return {};
    return add_brake(o.context().scene.model, brake).index;
}

}  // namespace

void read_nested(const Object& o, const char* key, const std::function<void(const Object&)>& read) {
    const Node* node = o.find(key);
    if (node == nullptr) return;
    const Section& s = section(o.type().keys[*o.type().find(key)].section);
    if (node->kind != Node::Kind::map) {
        if (node->kind == Node::Kind::empty)
            o.context().mistakes.follow();  // that it is empty has been told
        else
            o.context().mistakes.add(
                node->mark, fmt::format("{} is {}; expected a map, {{…}}", key, describe(*node)));
        return;
    }
    read(Object(o.context(), *node, s.types[0]));
}

bool is_machine_part(const std::string& type) {
    return type == "hydraulics" || type == "tyre" || type == "drive_train" || type == "brake";
}

std::optional<uint32_t> read_machine_part(const Object& o, const std::string& name) {
    const std::string& type = o.type().name;
    if (type == "hydraulics") return read_hydraulics(o, name);
    if (type == "tyre") return read_tyre(o, name);
    if (type == "drive_train") return read_drive_train(o, name);
    return read_brake(o, name);
}

}  // namespace bristle::io
