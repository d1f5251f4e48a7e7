#include "io/scene/read_section.h"

#include "base/suggest.h"
#include "io/scene/synonyms.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::io {

namespace {

// `typ: box`: told as that, and not by all the keys that a body without a type does not have.
bool has_misspelt_type(Context& context, const Node& node, const Section& section) {
    if (node.kind != Node::Kind::map) return false;
    for (const auto& [key, value] : node.entries) {
        const auto is_known = [&, key = key](const Type& type) {
            return type.find(key->text).has_value();
        };
        if (std::any_of(section.types.begin(), section.types.end(), is_known)
            || base::nearest_name(key->text, {"type"}).empty())
            continue;
        context.mistakes.add(key->mark, fmt::format("unknown key '{}'; did you mean 'type'?",
                                                    key->text.substr(0, 100)));
        return true;
    }
    return false;
}

}  // namespace

const Type* type_of(Context& context, const Node& node, const Section& section) {
    if (!section.has_types()) return &section.types[0];
    const Node* written = node.kind == Node::Kind::map ? node.find("type") : nullptr;
    if (node.kind != Node::Kind::map && section.short_key == "type") written = &node;
    if (written == nullptr && has_misspelt_type(context, node, section)) return nullptr;
    if (written == nullptr) {
        if (const Type* type = section.find(section.default_type)) return type;
    }
    std::vector<std::string> names;
    for (const Type& type : section.types)
        if (!type.name.empty()) names.push_back(type.name);
    if (written == nullptr) {
        context.mistakes.add(node.mark, fmt::format("the {} has no type; expected {}", section.what,
                                                    joined(names, "or")));
        return nullptr;
    }
    const auto name = context.text(*written, "type");
    if (!name) return nullptr;
    if (const Type* type = section.find(*name); type != nullptr && !name->empty()) return type;
    const bool is_scenery =
        section.what == std::string_view("body") && (*name == "plane" || *name == "height_field");
    const std::string near =
        is_scenery ? "; it is a shape, which goes below `shapes`" : meant(*name, names);
    context.mistakes.add(written->mark,
                         fmt::format("unknown type of {} {}{}", section.what, describe(*written),
                                     near.empty() ? "; expected " + joined(names, "or") : near));
    return nullptr;
}

namespace {

bool is_form(Context& context, const Node& node, const Section& section) {
    const bool is_named = section.form == Section::Form::named;
    if (node.kind == Node::Kind::empty) {
        context.mistakes.follow();  // that it is empty has been told
        return false;
    }
    if (node.kind == (is_named ? Node::Kind::map : Node::Kind::list)) return true;
    context.mistakes.add(node.mark,
                         fmt::format("{} is {}; expected {}", section.name, describe(node),
                                     is_named ? "a map, {name: {…}, …}" : "a list, [{…}, …]"));
    return false;
}

bool is_object(Context& context, const Node& node, const Section& section) {
    if (node.kind == Node::Kind::map
        || (!section.short_key.empty() && node.kind != Node::Kind::empty))
        return true;
    context.mistakes.add(
        node.mark, fmt::format("a {} is {}; expected a map, {{…}}", section.what, describe(node)));
    return false;
}

const Node* loop_of(const Node& node) {
    return node.kind == Node::Kind::map ? node.find("for") : nullptr;
}

}  // namespace

void read_each(Context& context, const Node& list, const Section& section,
               const std::function<void(const Object&, const Node&)>& read) {
    if (!is_form(context, list, section)) return;
    for (const auto& [key, value] : list.entries) {
        if (!is_object(context, *value, section)) continue;
        const size_t before = context.mistakes.count();
        context.repeat(loop_of(*value), [&, value = value] {
            // One bad turn of a loop is enough: the others say the same.
            if (context.mistakes.count() != before) return;
            const Type* const type = type_of(context, *value, section);
            if (type == nullptr) return;
            const Object object(context, *value, *type, section.short_key);
            try {
                read(object, *value);
            } catch (const InputError& error) {
                context.mistakes.add(value->mark, error.what());
            }
        });
    }
}

void read_named(
    Context& context, const Node& map, const Section& section, Names& names,
    const std::function<std::optional<uint32_t>(const Object&, const std::string&)>& read) {
    if (!is_form(context, map, section)) {
        names.is_incomplete = true;
        return;
    }
    for (const auto& [key, value] : map.entries) {
        const size_t before = context.mistakes.count();
        size_t turns = 0;
        context.repeat(loop_of(*value), [&, key = key, value = value] {
            ++turns;
            const auto written = context.text(*key, "name");
            if (!written) {
                names.is_incomplete = true;
                return;
            }
            const std::string name = context.prefixes.front() + *written;
            if (name.size() > 200 || name.find('\n') != std::string::npos
                || std::any_of(name.begin(), name.end(), is_control)) {
                context.mistakes.add(key->mark,
                                     "a name is long or has a control character; expected "
                                     "one line of at most 200 letters");
                names.is_incomplete = true;
                return;
            }
            std::optional<uint32_t> id;
            // One bad turn of a loop is enough: the others say the same.
            if (context.mistakes.count() == before && is_object(context, *value, section)) {
                if (const Type* type = type_of(context, *value, section)) {
                    const Object object(context, *value, *type, section.short_key);
                    try {
                        id = read(object, name);
                    } catch (const InputError& error) {
                        context.mistakes.add(key->mark, error.what());
                    }
                }
            }
            if (context.mistakes.count() == before || !names.objects.contains(name))
                context.define(names, name, key->mark, id);
        });
        if (turns == 0 && context.mistakes.count() != before) names.is_incomplete = true;
    }
}

}  // namespace bristle::io
