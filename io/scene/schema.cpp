// The JSON Schema of scene files, from the table of the format: for editors and other programs.
#include <bristle/scene.h>

#include "io/scene/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bristle::io {
namespace {

using Json = nlohmann::ordered_json;

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

// Numbers may be expressions: text, which only the reader can judge.
Json number(const Key& key) {
    Json bare = {{"type", key.kind == Kind::integer ? "integer" : "number"}};
    if (std::isfinite(key.above)) bare["exclusiveMinimum"] = key.above;
    if (std::isfinite(key.least)) bare["minimum"] = key.least;
    if (std::isfinite(key.most)) bare["maximum"] = key.most;
    return {{"anyOf", {bare, reference("expression")}}};
}

Json list(const Json& items, size_t count) {
    return {{"type", "array"}, {"items", items}, {"minItems", count}, {"maxItems", count}};
}

Json map_of(const Json& values) { return {{"type", "object"}, {"additionalProperties", values}}; }

Json value(const Key& key) {
    switch (key.kind) {
        case Kind::number:
        case Kind::integer: return number(key);
        case Kind::text:
        case Kind::body:
        case Kind::joint:
        case Kind::material:
        case Kind::shape:
        case Kind::force:
        case Kind::soil: return reference("name");
        case Kind::file: return {{"type", "string"}};
        case Kind::word: return {{"enum", key.words}};
        case Kind::vector: return list(number(key), 3);
        case Kind::axis: return reference("axis");
        case Kind::rotation: return reference("rotation");
        case Kind::inertia: return {{"anyOf", {reference("vector"), list(reference("vector"), 3)}}};
        case Kind::function:
        case Kind::law: return {{"anyOf", {reference("number"), reference("table")}}};
        case Kind::functions: return reference("vector");
        case Kind::points:
            return {{"type", "array"}, {"items", reference("vector")}, {"minItems", 3}};
        case Kind::triangles:
            return {{"type", "array"}, {"items", list({{"type", "integer"}, {"minimum", 0}}, 3)}};
        case Kind::corners:
            return {{"type", "array"}, {"items", list(reference("number"), 2)}, {"minItems", 3}};
        case Kind::plane: return {{"anyOf", {{{"type", "boolean"}}, reference("axis")}}};
        case Kind::numbers: return {{"type", "array"}, {"items", reference("number")}};
        case Kind::names:
            return {{"anyOf",
                     {reference("name"),
                      {{"type", "array"}, {"items", reference("name")}, {"minItems", 1}}}}};
        case Kind::pair: return list(reference("name"), 2);
        case Kind::loop: {
            Json loop = map_of({{"anyOf", {reference("number"), list(reference("number"), 2)}}});
            loop["minProperties"] = 1;
            return loop;
        }
        case Kind::values: return map_of(reference("number"));
        case Kind::section: break;
    }
    return reference(key.section);
}

Json property(const Key& key) {
    Json json = value(key);
    std::string text = key.about;
    if (!key.unit.empty()) text += fmt::format("{}[{}]", text.empty() ? "" : " ", key.unit);
    if (key.fallback && !key.fallback->empty()) text += ". Default: " + *key.fallback;
    json["description"] = text + ". Example: " + key.example;
    return json;
}

Json required(const std::vector<std::string>& keys) { return {{"required", keys}}; }

Json rule(const Rule& r) {
    Json each = Json::array();
    for (const std::string& key : r.keys) each.push_back(required({key}));
    switch (r.kind) {
        case Rule::Kind::exactly_one: return {{"oneOf", each}};
        case Rule::Kind::at_least_one: return {{"anyOf", each}};
        case Rule::Kind::at_most_one: return {{"not", required(r.keys)}};
        case Rule::Kind::together: break;
    }
    Json all = Json::object();
    for (const std::string& key : r.keys) all[key] = r.keys;
    return {{"dependentRequired", all}};
}

Json object(const Type& type) {
    Json json = {{"type", "object"}, {"description", type.about}, {"properties", Json::object()}};
    std::vector<std::string> needed;
    for (const Key& key : type.keys) {
        json["properties"][key.name] = property(key);
        if (key.is_required()) needed.push_back(key.name);
    }
    if (!type.name.empty()) json["properties"]["type"] = {{"const", type.name}};
    json["additionalProperties"] = false;
    if (!needed.empty()) json["required"] = needed;
    for (const Rule& r : type.rules) json["allOf"].push_back(rule(r));
    return json;
}

// One of the types, chosen by `type`: so an editor can say what that type lacks.
Json any_type(const Section& s) {
    Json names = Json::array(), cases = Json::array();
    for (const Type& type : s.types) {
        const Json test = {{"required", {"type"}},
                           {"properties", {{"type", {{"const", type.name}}}}}};
        if (!type.name.empty()) {
            names.push_back(type.name);
            cases.push_back({{"if", test}, {"then", object(type)}});
        }
        if (type.name == s.default_type)
            cases.push_back({{"if", {{"not", required({"type"})}}}, {"then", object(type)}});
    }
    Json json = {{"type", "object"}, {"properties", {{"type", {{"enum", names}}}}}};
    if (s.find(s.default_type) == nullptr) json["required"] = {"type"};
    json["allOf"] = cases;
    return json;
}

Json definition(const Section& s) {
    Json item = s.has_types() ? any_type(s) : object(s.types[0]);
    if (!s.short_key.empty()) {
        const Type& type = s.types[0];
        Json words = Json::array();
        for (const Type& t : s.types) words.push_back(t.name);
        const Json short_form =
            s.has_types() ? Json{{"enum", words}} : value(type.keys[*type.find(s.short_key)]);
        item = {{"anyOf", {short_form, item}}};
    }
    Json json = s.form == Section::Form::named ? map_of(item)
              : s.form == Section::Form::list  ? Json{{"type", "array"}, {"items", item}}
                                               : item;
    json["description"] = s.about;
    return json;
}

std::string make_schema() {
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "Bristle scene, version 1"}};
    schema.update(object(scene_format()));
    Json& defs = schema["$defs"];
    defs["expression"] = {{"type", "string"},
                          {"minLength", 1},
                          {"description", "arithmetic, with units after numbers"}};
    defs["number"] = number({});
    defs["name"] = {{"type", {"string", "number"}}};
    defs["vector"] = list(reference("number"), 3);
    defs["axis"] = {
        {"anyOf", {{{"enum", {"x", "y", "z", "-x", "-y", "-z"}}}, reference("vector")}}};
    defs["turn"] = {{"type", "object"},
                    {"properties", {{"axis", reference("axis")}, {"angle", reference("number")}}},
                    {"required", {"axis", "angle"}},
                    {"additionalProperties", false}};
    Json two = {{"type", "object"},
                {"minProperties", 2},
                {"maxProperties", 2},
                {"additionalProperties", false}};
    for (const char* name : {"x", "y", "z"}) two["properties"][name] = reference("axis");
    defs["turn"] = {{"anyOf", {defs["turn"], two}}};
    defs["rotation"] = {{"anyOf",
                         {reference("turn"),
                          list(reference("number"), 4),
                          {{"type", "array"}, {"items", reference("turn")}, {"minItems", 1}}}}};
    defs["table"] = {
        {"type", "object"},
        {"properties",
         {{"table",
           {{"type", "array"}, {"items", list(reference("number"), 2)}, {"minItems", 2}}}}},
        {"required", {"table"}},
        {"additionalProperties", false}};
    for (const Section& s : sections()) defs[s.name] = definition(s);
    return schema.dump(1) + "\n";
}

}  // namespace

const std::string& scene_schema() {
    static const std::string schema = make_schema();
    return schema;
}

}  // namespace bristle::io
