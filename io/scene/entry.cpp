#include "io/scene/entry.h"

#include "io/scene/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace bristle::io {
namespace {

// To the last bit: minus zero is another number.
bool is_same(double a, double b) {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

bool is_number(const std::string& text) {
    try {
        return text == exact_text(Expression(text, {})());
    } catch (const ExpressionError&) {
        return false;
    }
}

bool is_simple(const std::string& text) {
    static constexpr const char* other_meaning[] = {"true", "false", "null", "yes", "no", "on",
                                                    "off",  "y",     "n",    "inf", "nan"};
    const auto is_letter = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    if (text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return false;
    if (!std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || c == ' ' || c == '-'; }))
        return false;
    std::string small = text;
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    return is_letter(text.back())
        && std::none_of(std::begin(other_meaning), std::end(other_meaning),
                        [&](const char* word) { return small == word; });
}

}  // namespace

std::string written(Vec3 v) {
    return fmt::format("[{}, {}, {}]", exact_text(v.x), exact_text(v.y), exact_text(v.z));
}
std::string written(Quat q) {
    return fmt::format("[{}, {}, {}, {}]", exact_text(q.w), exact_text(q.x), exact_text(q.y),
                       exact_text(q.z));
}
std::string written(const std::string& text) {
    if (is_simple(text) || is_number(text)) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

Entry::Entry(const Type& type) : type_(type) {
    if (!type.name.empty()) text_ = "type: " + type.name;
}

const Key& Entry::key(std::string_view name) const { return type_.keys[*type_.find(name)]; }

Entry& Entry::put(std::string_view name, const std::string& text) {
    if (!text_.empty()) text_ += ", ";
    text_ += key(name).name + ": " + text;
    return *this;
}

Entry& Entry::name(std::string_view name, const std::string& text) {
    return key(name).fallback == text ? *this : put(name, written(text));
}

Entry& Entry::number(std::string_view name, double value) {
    const auto& fallback = key(name).fallback;
    if (fallback && !fallback->empty() && is_same(value, Expression(*fallback, {})())) return *this;
    return put(name, exact_text(value));
}

Entry& Entry::vector(std::string_view name, Vec3 value) {
    const bool is_default = key(name).fallback == "[0, 0, 0]" && is_same(value.x, 0)
                         && is_same(value.y, 0) && is_same(value.z, 0);
    return is_default ? *this : put(name, written(value));
}

Entry& Entry::rotation(std::string_view name, Quat value) {
    const bool is_none =
        is_same(value.w, 1) && is_same(value.x, 0) && is_same(value.y, 0) && is_same(value.z, 0);
    return is_none ? *this : put(name, written(value));
}

Entry& Entry::word_at(std::string_view name, size_t index) {
    const Key& k = key(name);
    return k.fallback == k.words[index] ? *this : put(name, k.words[index]);
}

}  // namespace bristle::io
