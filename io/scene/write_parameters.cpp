#include "io/scene/write_parameters.h"

#include "io/output_file.h"
#include "io/read_file.h"
#include "io/scene/document.h"
#include "io/scene/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace bristle::io {
namespace {

// Where a mark is in the text.
size_t offset_of(const std::string& text, const Mark& mark) {
    size_t at = 0;
    for (uint32_t line = 1; line < mark.line; ++line) at = text.find('\n', at) + 1;
    return at + mark.column - 1;
}

const Node& value_of(const Document& document, const std::string& name) {
    const Node* const all = document.root != nullptr ? document.root->find("parameters") : nullptr;
    const Node* value = all != nullptr ? all->find(name) : nullptr;
    if (value != nullptr && value->kind == Node::Kind::map) value = value->find("value");
    if (value == nullptr || value->kind != Node::Kind::scalar)
        throw InputError(
            fmt::format("the file has no parameter '{}' with a value of its own", name));
    return *value;
}

// What can stand there without meaning anything else in YAML: a number, and a unit perhaps.
bool is_plain(const std::string& value) {
    const auto is_allowed = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0
            || std::string_view("+-.*/^() _").find(c) != std::string_view::npos;
    };
    if (value.empty() || value.size() > 100 || !std::all_of(value.begin(), value.end(), is_allowed))
        return false;
    try {
        return std::isfinite(Expression(value, {})());
    } catch (const ExpressionError&) {
        return false;
    }
}

}  // namespace

std::string with_parameters(const std::string& text, const Overrides& values) {
    Mistakes mistakes;
    const Document document = parse_document(text, mistakes.add_file("the file"), mistakes);
    if (mistakes.count() > 0) throw SceneError(mistakes.sorted());
    struct Change {
        size_t at, length;
        std::string value;
    };
    std::vector<Change> changes;
    for (const auto& [name, value] : values) {
        if (!is_plain(value))
            throw InputError(fmt::format("'{}' is no number that can be written for '{}'",
                                         value.substr(0, 100), name));
        const Node& node = value_of(document, name);
        const size_t at = offset_of(text, node.mark),
                     length = node.text.size() + (node.quoted ? 2 : 0);
        if (text.substr(at + (node.quoted ? 1 : 0), node.text.size()) != node.text)
            throw InputError(
                fmt::format("the value of '{}' is written in a way that is left to you", name));
        changes.push_back({at, length, value});
    }
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.at > b.at; });
    std::string out = text;
    for (const Change& c : changes) out.replace(c.at, c.length, c.value);
    return out;
}

void write_parameters(const std::filesystem::path& file, const Overrides& values) {
    // A link stays one: what it leads to is changed.
    const std::filesystem::path real = std::filesystem::canonical(file);
    const std::string changed = with_parameters(read_file(real, largest_document), values);
    OutputFile out(real, OutputFile::Kind::whole_or_nothing);
    out.write(changed);
    out.publish();
}

}  // namespace bristle::io
