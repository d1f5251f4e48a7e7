// The one table of the scene format: every key with its kind, unit, default, range, meaning and example.
//
// The reader checks files by it, and the JSON Schema and the reference page are made from it; so they
// cannot disagree.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

enum class Kind : uint8_t {
    number,
    integer,
    text,
    word,      // one of a few
    body,      // names of objects
    joint,     //
    material,  //
    shape,     //
    force,     //
    soil,      //
    vector,
    axis,
    rotation,
    inertia,
    function,   // of time
    law,        // of elongation and rate
    functions,  // three, of time and the motion of a point
    points,
    triangles,  // three numbers of vertices each
    corners,    // points of a plane
    plane,      // true, or its normal
    numbers,
    names,    // one or a list
    pair,     // two bodies
    file,     // a path
    section,  // of its own: Key::section
    loop,     // for
    values    // a map of numbers
};

// Of a key whose values may measure anything.
inline constexpr const char* any_unit = "any unit";

struct Key {
    std::string name;
    Kind kind = Kind::number;
    std::string unit, about, example;
    std::optional<std::string> fallback = {};  // none: must be given; empty: may be left out
    std::vector<std::string> words = {};
    std::string section = {};
    double above = -std::numeric_limits<double>::infinity();
    double least = above, most = -above;
    bool may_be_unlimited = false;

    Key or_else(std::string value) const;
    Key optional() const { return or_else(""); }
    Key positive() const;
    Key at_least(double) const;
    Key between(double low, double high) const;
    bool is_required() const { return !fallback.has_value(); }
};

// Which keys go together, beyond those that must be given.
struct Rule {
    enum class Kind : uint8_t { exactly_one, at_least_one, at_most_one, together };
    Kind kind;
    std::vector<std::string> keys;
};

struct Type {
    std::string name;  // as in `type: sphere`; empty: there is only one, or it has no name
    std::string about, example;
    std::vector<Key> keys;
    std::vector<Rule> rules = {};

    std::optional<size_t> find(std::string_view key) const;
};

struct Section {
    enum class Form : uint8_t { named, list, one };
    std::string name, what;  // "bodies", "body"
    Form form = Form::named;
    std::string about;
    std::vector<Type> types;
    std::string default_type = {};  // where `type` may be left out
    std::string short_key = {};     // what is no map stands for this key

    bool has_types() const { return types.size() > 1; }
    const Type* find(std::string_view type) const;
};

const Type& scene_format();
const std::vector<Section>& sections();
const Section& section(std::string_view name);

// "a number in m", "a vector [x, y, z] in m".
std::string expected(const Key&);
// Of one number of it.
std::string expected_number(const Key&);
// "from and to", "mass or density".
std::string joined(const std::vector<std::string>& words, const char* last);

}  // namespace bristle::io
