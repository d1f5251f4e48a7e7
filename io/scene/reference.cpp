// The reference page of scene files, from the table of the format.
#include <bristle/scene.h>

#include "io/scene/expression.h"
#include "io/scene/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::io {
namespace {

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string codes(const std::vector<std::string>& words, const char* last) {
    std::vector<std::string> quoted;
    quoted.reserve(words.size());
    for (const std::string& word : words) quoted.push_back(code(word));
    return joined(quoted, last);
}

// A bar ends a cell of a table.
std::string cell(std::string text) {
    for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\\');
    return text;
}

std::string value_of(const Key& key) {
    if (key.kind != Kind::section) return expected(key);
    return fmt::format("[{0}](#{0})", key.section);
}

std::string table_of(const std::vector<const Key*>& keys) {
    std::string page =
        "| key | value | unit | default | meaning | example |\n| --- | --- | --- | --- | --- | --- "
        "|\n";
    for (const Key* key : keys) {
        Key bare = *key;
        bare.unit.clear();
        const std::string fallback = key->is_required()     ? "**must be given**"
                                   : key->fallback->empty() ? "–"
                                                            : code(*key->fallback);
        page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key->name, cell(value_of(bare)),
                            key->unit, fallback, cell(key->about), code(cell(key->example)));
    }
    return page + "\n";
}

std::string rules_of(const Type& type) {
    std::string text;
    for (const auto& [kind, keys] : type.rules) {
        switch (kind) {
            case Rule::Kind::exactly_one: text += "Exactly one of " + codes(keys, "and"); break;
            case Rule::Kind::at_least_one: text += "At least one of " + codes(keys, "and"); break;
            case Rule::Kind::at_most_one: text += "Not both " + codes(keys, "and"); break;
            case Rule::Kind::together: text += codes(keys, "and") + " together"; break;
        }
        text += ". ";
    }
    return text.empty() ? text : text + "\n\n";
}

bool same(const Key& a, const Key& b) {
    return a.name == b.name && a.about == b.about && a.fallback == b.fallback;
}

bool is_common(const Section& s, const Key& key) {
    return std::all_of(s.types.begin(), s.types.end(), [&](const Type& type) {
        const auto at = type.find(key.name);
        return at && same(type.keys[*at], key);
    });
}

std::string section_page(const Section& s) {
    const char* const form = s.form == Section::Form::named ? "A map of objects by name"
                           : s.form == Section::Form::list  ? "A list"
                                                            : "A map";
    std::string page = fmt::format("## {}\n\n{} {}.", s.name, s.about, form);
    if (!s.short_key.empty()) page += fmt::format(" What is no map stands for `{}`.", s.short_key);
    page += "\n\n";
    for (const Type& type : s.types) {
        std::vector<const Key*> keys;
        for (const Key& key : type.keys)
            if (key.name != "type" && (!s.has_types() || !is_common(s, key))) keys.push_back(&key);
        if (s.has_types())
            page +=
                fmt::format("### {}\n\n", type.name.empty() ? "Without a type" : code(type.name));
        if (!type.about.empty()) page += type.about + ".\n\n";
        page += fmt::format("    {}{}\n\n",
                            s.form == Section::Form::named  ? "name: "
                            : s.form == Section::Form::list ? "- "
                                                            : s.name + ": ",
                            type.example);
        if (!keys.empty()) page += table_of(keys);
        page += rules_of(type);
    }
    if (!s.has_types()) return page;
    std::vector<const Key*> common;
    for (const Key& key : s.types[0].keys)
        if (key.name != "type" && is_common(s, key)) common.push_back(&key);
    if (!common.empty()) page += "### All types\n\n" + table_of(common);
    return page;
}

std::string make_reference() {
    std::string page =
        "# Scene files: reference\n\n"
        "Made from the table in `io/scene/format.cpp` by `make_scene_docs`; [scene.md](scene.md) "
        "explains.\n\n"
        "## The file\n\n";
    page += scene_format().about + "\n\n";
    std::vector<const Key*> keys;
    for (const Key& key : scene_format().keys) keys.push_back(&key);
    page += table_of(keys);
    for (const Section& s : sections()) page += section_page(s);
    page += "## Units and functions\n\nAfter a number, multiplied by its value in SI:";
    for (const Unit& unit : units()) page += fmt::format(" `{}`", unit.name);
    page += ". Joined without blanks: `kg/m^3`, `N*s/m`.\n\nFunctions:";
    for (const std::string& name : function_names()) page += fmt::format(" `{}`", name);
    return page + ". Constants: `pi` `deg` `unlimited` `true` `false`.\n";
}

}  // namespace

const std::string& scene_reference() {
    static const std::string page = make_reference();
    return page;
}

}  // namespace bristle::io
