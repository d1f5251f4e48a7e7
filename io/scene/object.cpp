#include "io/scene/object.h"

#include "base/suggest.h"
#include "io/read_file.h"
#include "io/scene/functions.h"
#include "io/scene/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace bristle::io {

Object::Object(Context& context, const Node& node, const Type& type, const std::string& short_key)
    : context_(context),
      node_(node),
      type_(type),
      values_(type.keys.size(), nullptr),
      mistakes_before_(context.mistakes.count()) {
    if (node.kind != Node::Kind::map && !short_key.empty()) {
        values_[*type.find(short_key)] = &node;
        return;
    }
    for (const auto& [key, value] : node.entries) {
        if (const auto index = type.find(key->text)) {
            values_[*index] = value;
            if (value->kind == Node::Kind::empty) fail(*value, type.keys[*index]);
            continue;
        }
        std::vector<std::string> names;
        for (const Key& k : type.keys) names.push_back(k.name);
        unknown(*key, names);
    }
    check_rules();
}

void Object::unknown(const Node& key, const std::vector<std::string>& known) const {
    if (const size_t colon = key.text.find(':');
        colon != std::string::npos && colon > 0 && colon + 1 < key.text.size()) {
        context_.mistakes.add(
            key.mark,
            fmt::format("'{}' has no blank behind its colon; expected '{}: {}'",
                        key.text.substr(0, 100), key.text.substr(0, std::min<size_t>(colon, 100)),
                        key.text.substr(colon + 1, 100)));
        return;
    }
    // What is left of [0, 0, 1] in round brackets, and of 1,5.
    if (!key.quoted && plain_number(key)) {
        context_.mistakes.add(
            key.mark,
            fmt::format("{} stands where a key should; expected a point in numbers, as in "
                        "1.5, and lists in square brackets",
                        key.text.substr(0, 100)));
        return;
    }
    std::string near = meant(key.text, known);
    const auto knows = [&](const char* word) {
        return std::find(known.begin(), known.end(), word) != known.end();
    };
    if ((key.text == "mass" || key.text == "density") && knows("body"))
        near = "; only bodies have one";
    if (key.text == "diameter" && knows("radius")) near = "; expected radius, half of it";
    context_.mistakes.add(key.mark,
                          fmt::format("unknown key '{}'{}", key.text.substr(0, 100),
                                      near.empty() ? "; expected " + joined(known, "or") : near));
}

void Object::check_rules() const {
    std::vector<std::string> missing;
    for (size_t i = 0; i < values_.size(); ++i)
        if (type_.keys[i].is_required() && values_[i] == nullptr)
            missing.push_back(type_.keys[i].name);
    // A misspelt key has been told; that it is missing follows from that.
    if (!missing.empty() && is_good()) {
        std::vector<std::string> examples;
        examples.reserve(missing.size());
        for (const std::string& name : missing) examples.push_back(name + ": " + key(name).example);
        context_.mistakes.add(
            node_.mark, fmt::format("{} missing; expected for example {}",
                                    joined(missing, "and") + (missing.size() > 1 ? " are" : " is"),
                                    joined(examples, "and")));
    }
    for (const auto& [kind, keys] : type_.rules) {
        if (!is_good()) return;
        std::vector<std::string> there;
        std::copy_if(keys.begin(), keys.end(), std::back_inserter(there),
                     [&](const auto& k) { return has(k); });
        const size_t given = there.size();
        if (kind == Rule::Kind::together && given > 0 && given < keys.size())
            context_.mistakes.add(node_.mark, fmt::format("only one of {} is given; expected both",
                                                          joined(keys, "and")));
        if ((kind == Rule::Kind::exactly_one || kind == Rule::Kind::at_least_one) && given == 0)
            context_.mistakes.add(
                node_.mark, fmt::format("{} is missing; expected one of them", joined(keys, "or")));
        if ((kind == Rule::Kind::exactly_one || kind == Rule::Kind::at_most_one) && given > 1)
            context_.mistakes.add(node_.mark,
                                  fmt::format("{} are {} given; expected one of them",
                                              joined(there, "and"), given == 2 ? "both" : "all"));
    }
}

const Key& Object::key(std::string_view name) const { return type_.keys[*type_.find(name)]; }

const Node* Object::find(std::string_view name) const { return values_[*type_.find(name)]; }

void Object::fail(const Node& node, const Key& key) const {
    if (key.name == "color" && node.kind == Node::Kind::empty) {
        context_.mistakes.add(node.mark,
                              "color is empty, for a # begins a remark; expected a name, or "
                              "\"#rrggbb\" in quotes");
        return;
    }
    context_.mistakes.add(
        node.mark, fmt::format("{} is {}; expected {}", key.name, describe(node), expected(key)));
}

double Object::in_range(double value, const Node& node, const Key& key) const {
    const bool is_whole = key.kind != Kind::integer || value == std::floor(value);
    if ((value > key.above || key.above < 0) && value >= key.least && value <= key.most && is_whole
        && (key.may_be_unlimited || std::isfinite(value)))
        return value;
    context_.mistakes.add(
        node.mark, fmt::format("{} is {}; expected {}", key.name, value,
                               std::isfinite(value) ? expected_number(key) : "a finite number"));
    return 1;
}

void Object::check_dimension(const Node& node, std::string_view what, const Measured& found,
                             const std::string& unit) const {
    if (!found) return;
    const std::vector<Dimension> wanted = dimensions_of(unit);
    if (wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const Dimension& w) {
            return fits(*found, w);
        }))
        return;
    context_.mistakes.add(node.mark,
                          fmt::format("{} is '{}', which is in {}; expected a number{}{}", what,
                                      node.text.substr(0, 100), unit_of(*found),
                                      unit.empty() ? " without a unit" : " in ", unit));
}

// 90 is no angle in rad that somebody writes down; what is computed, or says its unit, was meant so.
void Object::warn_of_degrees(const Node& node, std::string_view what,
                             const std::string& unit) const {
    if (unit != "rad" || node.kind != Node::Kind::scalar) return;
    const double plain = plain_number(node).value_or(0);
    if (std::abs(plain) < 7) return;
    context_.mistakes.warn(
        node.mark, fmt::format("{0} is {1} rad, {2:.3g} turns; write {1} deg if degrees are "
                               "meant, or {1} rad",
                               what, node.text, plain / (2 * pi)));
}

double Object::number_of(const Node& node, const Key& key) const {
    // They are 1 and 0 in expressions; alone they are an answer to another question.
    if (node.text == "true" || node.text == "false") {
        fail(node, key);
        return 1;
    }
    const auto plain = node.kind == Node::Kind::scalar ? plain_number(node) : std::nullopt;
    if (plain) {
        warn_of_degrees(node, key.name, key.unit);
        return in_range(*plain, node, key);
    }
    Measured dimension;
    const auto value = context_.value(node, key.name, expected_number(key), &dimension);
    // A direction may be a difference of places.
    if (key.kind != Kind::axis) check_dimension(node, key.name, dimension, key.unit);
    return value ? in_range(*value, node, key) : 1;
}

double Object::number(std::string_view name) const {
    const Key& k = key(name);
    if (const Node* node = find(name)) return number_of(*node, k);
    return k.is_required() || k.fallback->empty() ? 0 : Expression(*k.fallback, {})();
}

double Object::number(std::string_view name, const std::string& unit) const {
    const Node* node = find(name);
    if (node == nullptr) return number(name);
    Key of_this = key(name);
    of_this.unit = unit;
    return number_of(*node, of_this);
}

uint32_t Object::integer(std::string_view name) const {
    return static_cast<uint32_t>(number(name));
}

std::string Object::text(std::string_view name) const {
    const Node* node = find(name);
    return node == nullptr ? key(name).fallback.value_or("")
                           : context_.text(*node, name).value_or("");
}

size_t Object::word_index(std::string_view name) const {
    const Key& k = key(name);
    const Node* node = find(name);
    const auto written = node != nullptr ? context_.text(*node, name) : k.fallback;
    if (!written) return 0;
    const auto found = std::find(k.words.begin(), k.words.end(), *written);
    if (found != k.words.end()) return static_cast<size_t>(found - k.words.begin());
    const std::string near = meant(*written, k.words);
    context_.mistakes.add(node->mark,
                          fmt::format("{} is {}{}", name, describe(*node),
                                      near.empty() ? "; expected " + expected(k) : near));
    return 0;
}

// ---- Vectors and rotations ---------------------------------------------------------------------------

Vec3 Object::vector_of(const Node& node, const Key& key) const {
    if (node.kind != Node::Kind::list || node.entries.size() != 3) {
        fail(node, key);
        return {};
    }
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = number_of(*node.entries[static_cast<size_t>(i)].value, key);
    return v;
}

Vec3 Object::vector(std::string_view name) const {
    const Node* node = find(name);
    return node != nullptr ? vector_of(*node, key(name)) : Vec3{};
}

Vec3 Object::axis_of(const Node& node, const Key& key) const {
    static constexpr std::array<std::pair<const char*, Vec3>, 6> words{{{"x", {1, 0, 0}},
                                                                        {"y", {0, 1, 0}},
                                                                        {"z", {0, 0, 1}},
                                                                        {"-x", {-1, 0, 0}},
                                                                        {"-y", {0, -1, 0}},
                                                                        {"-z", {0, 0, -1}}}};
    for (const auto& [word, axis] : words)
        if (node.kind == Node::Kind::scalar && node.text == word) return axis;
    const Vec3 axis = vector_of(node, key);
    if (axis == Vec3{} && is_good()) {
        context_.mistakes.add(
            node.mark, fmt::format("{} has no length; expected {}", key.name, expected(key)));
        return {1, 0, 0};
    }
    return axis;
}

Vec3 Object::axis(std::string_view name) const {
    const Node* node = find(name);
    return node != nullptr ? axis_of(*node, key(name)) : Vec3{};
}

// Two directions of the frame: the first is kept, the second is turned into the plane across it.
Quat Object::frame_of(const Node& node, const Key& key) const {
    static constexpr std::string_view names = "xyz";
    static const Key axis_keys[] = {{"x", Kind::axis}, {"y", Kind::axis}, {"z", Kind::axis}};
    std::array<size_t, 2> which{};
    std::array<Vec3, 2> given;
    size_t count = 0;
    for (const auto& entry : node.entries) {
        const size_t at = entry.key->text.size() == 1 ? names.find(entry.key->text) : names.npos;
        if (at == names.npos) {
            unknown(*entry.key, {"x", "y", "z"});
            return {};
        }
        if (count < 2) {
            which[count] = at;
            given[count] = axis_of(*entry.value, axis_keys[at]);
        }
        ++count;
    }
    if (!is_good()) return {};
    if (count != 2) {
        fail(node, key);
        return {};
    }
    Vec3 axes[3];
    axes[which[0]] = normalized(given[0]);
    const Vec3 across = given[1] - dot(given[1], axes[which[0]]) * axes[which[0]];
    if (norm(across) < 1e-9 * norm(given[1])) {
        context_.mistakes.add(
            node.mark, fmt::format("{}: {} and {} are parallel; give two directions that are not",
                                   key.name, names[which[0]], names[which[1]]));
        return {};
    }
    axes[which[1]] = normalized(across);
    const size_t third = 3 - which[0] - which[1];
    axes[third] = cross(axes[(third + 1) % 3], axes[(third + 2) % 3]);
    Mat3 m;
    for (int row = 0; row < 3; ++row) m.row[row] = {axes[0][row], axes[1][row], axes[2][row]};
    return Quat::from(m);
}

Quat Object::turn_of(const Node& node, const Key& key) const {
    if (node.kind == Node::Kind::map
        && (node.find("x") != nullptr || node.find("y") != nullptr || node.find("z") != nullptr))
        return frame_of(node, key);
    const Node* const axis = node.kind == Node::Kind::map ? node.find("axis") : nullptr;
    const Node* const angle = node.kind == Node::Kind::map ? node.find("angle") : nullptr;
    if (node.kind == Node::Kind::map)
        for (const auto& entry : node.entries)
            if (entry.value != axis && entry.value != angle) unknown(*entry.key, {"axis", "angle"});
    if (axis == nullptr || angle == nullptr) {
        if (is_good()) fail(node, key);
        return {};
    }
    static const Key axis_key{"axis", Kind::axis};
    static const Key angle_key{"angle", Kind::number, "rad"};
    const Vec3 direction = axis_of(*axis, axis_key);
    const double turn = number_of(*angle, angle_key);
    if (!is_good()) return {};
    return Quat::about(direction, turn);
}

Quat Object::rotation(std::string_view name) const {
    const Node* node = find(name);
    const Key& k = key(name);
    if (node == nullptr) return {};
    if (node->kind != Node::Kind::list) return turn_of(*node, k);
    if (node->entries.empty()) {
        fail(*node, k);
        return {};
    }
    if (node->entries[0].value->kind == Node::Kind::map) {
        Quat q = turn_of(*node->entries[0].value, k);
        for (size_t i = 1; i < node->entries.size(); ++i)
            q = turn_of(*node->entries[i].value, k) * q;
        return q;
    }
    if (node->entries.size() != 4) {
        fail(*node, k);
        return {};
    }
    std::array<double, 4> q{};
    for (size_t i = 0; i < 4; ++i) q[i] = number_of(*node->entries[i].value, k);
    return {q[0], q[1], q[2], q[3]};
}

Mat3 Object::inertia(std::string_view name) const {
    const Node* node = find(name);
    const Key& k = key(name);
    if (node == nullptr) return {};
    if (node->kind != Node::Kind::list || node->entries.size() != 3) {
        fail(*node, k);
        return {};
    }
    if (node->entries[0].value->kind != Node::Kind::list)
        return Mat3::diagonal(vector_of(*node, k));
    Mat3 m;
    for (size_t i = 0; i < 3; ++i) m.row[i] = vector_of(*node->entries[i].value, k);
    return m;
}

std::vector<Vec3> Object::points(std::string_view name) const {
    const Node* node = find(name);
    std::vector<Vec3> list;
    if (node == nullptr) return list;
    if (node->kind != Node::Kind::list) fail(*node, key(name));
    static const Key point{"a point", Kind::vector, "m"};
    for (const auto& item : node->entries)
        if (node->kind == Node::Kind::list) list.push_back(vector_of(*item.value, point));
    return list;
}

std::vector<std::array<uint32_t, 3>> Object::triangles(std::string_view name) const {
    const Node* node = find(name);
    std::vector<std::array<uint32_t, 3>> list;
    if (node == nullptr) return list;
    if (node->kind != Node::Kind::list) {
        fail(*node, key(name));
        return list;
    }
    static const Key corner = Key{"the number of a vertex", Kind::integer}.between(
        0, std::numeric_limits<uint32_t>::max());
    for (const auto& [none, item] : node->entries) {
        if (item->kind != Node::Kind::list || item->entries.size() != 3) {
            context_.mistakes.add(item->mark,
                                  fmt::format("a triangle is {}; expected three numbers "
                                              "of vertices [i, j, k]",
                                              describe(*item)));
            continue;
        }
        auto& triangle = list.emplace_back();
        for (size_t i = 0; i < 3; ++i)
            triangle[i] = static_cast<uint32_t>(number_of(*item->entries[i].value, corner));
    }
    return list;
}

std::vector<std::array<double, 2>> Object::corners(std::string_view name) const {
    const Node* node = find(name);
    std::vector<std::array<double, 2>> list;
    if (node == nullptr) return list;
    if (node->kind != Node::Kind::list) {
        fail(*node, key(name));
        return list;
    }
    static const Key number{"a point", Kind::number, "m"};
    for (const auto& [none, item] : node->entries) {
        if (item->kind != Node::Kind::list || item->entries.size() != 2) {
            context_.mistakes.add(item->mark, fmt::format("a point is {}; expected two numbers "
                                                          "[x, z]",
                                                          describe(*item)));
            continue;
        }
        list.push_back({number_of(*item->entries[0].value, number),
                        number_of(*item->entries[1].value, number)});
    }
    return list;
}

std::optional<Vec3> Object::plane(std::string_view name) const {
    const Node* node = find(name);
    if (node == nullptr) return {};
    if (node->kind == Node::Kind::scalar && node->text == "false") return {};
    if (node->kind == Node::Kind::scalar && node->text == "true") return Vec3{0, 1, 0};
    return axis_of(*node, key(name));
}

std::vector<double> Object::numbers(std::string_view name) const {
    const Node* node = find(name);
    std::vector<double> list;
    if (node == nullptr) return list;
    if (node->kind != Node::Kind::list) fail(*node, key(name));
    static const Key number{"a value", Kind::number, "m"};
    for (const auto& item : node->entries)
        if (node->kind == Node::Kind::list) list.push_back(number_of(*item.value, number));
    return list;
}

// ---- References, functions, files ----------------------------------------------------------------------

uint32_t Object::reference(const Names& names, std::string_view name) const {
    const Node* node = find(name);
    if (node != nullptr) return context_.find(names, *node).value_or(UINT32_MAX);
    const auto& fallback = key(name).fallback;
    return fallback && !fallback->empty() ? 0 : UINT32_MAX;  // the ground; the default material
}
BodyId Object::body(std::string_view name) const { return {reference(context_.bodies, name)}; }
JointId Object::joint(std::string_view name) const { return {reference(context_.joints, name)}; }
MaterialId Object::material(std::string_view name) const {
    return {reference(context_.materials, name)};
}
ShapeId Object::shape(std::string_view name) const { return {reference(context_.shapes, name)}; }
ForceId Object::force(std::string_view name) const { return {reference(context_.forces, name)}; }
size_t Object::soil(std::string_view name) const { return reference(context_.soils, name); }

TableRows Object::table_of(const Node& node, const Key& key) const {
    TableRows rows;
    const Node* const list = node.entries.size() == 1 ? node.find("table") : nullptr;
    if (list == nullptr || list->kind != Node::Kind::list) {
        context_.mistakes.add(node.mark, fmt::format("{} is a map without a table; expected {}",
                                                     key.name, expected(key)));
        return rows;
    }
    static const Key number{"a value of the table", Kind::number, any_unit};
    for (const auto& item : list->entries) {
        if (item.value->kind != Node::Kind::list || item.value->entries.size() != 2) {
            context_.mistakes.add(item.value->mark,
                                  fmt::format("a row of the table is {}; expected two numbers",
                                              describe(*item.value)));
            continue;
        }
        const double x = number_of(*item.value->entries[0].value, number);
        const double y = number_of(*item.value->entries[1].value, number);
        if (is_good() && !rows.empty() && x <= rows.back().first)
            context_.mistakes.add(item.value->mark,
                                  "a row of the table does not come after the last; expected "
                                  "increasing first numbers");
        rows.emplace_back(x, y);
    }
    if (rows.size() < 2 && is_good())
        context_.mistakes.add(list->mark, "the table is too short; expected two rows or more");
    return rows;
}

TimeFunction Object::function(std::string_view name, const std::string& unit) const {
    const Node* node = find(name);
    if (node == nullptr) return {};
    const Key& k = key(name);
    if (node->kind == Node::Kind::map) {
        const auto rows = table_of(*node, k);
        return is_good() ? time_table(rows) : TimeFunction{};
    }
    const auto expression = context_.function(*node, name, expected(k), variables_of_time);
    if (!expression) return {};
    check_dimension(*node, name, expression->dimension(), unit);
    warn_of_degrees(*node, name, unit);
    if (!std::isfinite((*expression)(std::array{0.0})))
        context_.mistakes.add(node->mark, fmt::format("{} is {} at t = 0; expected a finite number",
                                                      name, (*expression)(std::array{0.0})));
    return time_function(*expression);
}

ForceLaw Object::law(std::string_view name) const {
    const Node* node = find(name);
    if (node == nullptr) return {};
    const Key& k = key(name);
    if (node->kind == Node::Kind::map) {
        const auto rows = table_of(*node, k);
        return is_good() ? table(rows) : ForceLaw{};
    }
    const auto expression = context_.function(*node, name, expected(k), variables_of_laws);
    return expression ? force_law(*expression) : ForceLaw{};
}

std::optional<Expression> Object::expression(std::string_view name, const std::string& expected,
                                             std::span<const char* const> variables,
                                             const std::string& unit) const {
    const Node* node = find(name);
    if (node == nullptr) return {};
    auto expression = context_.function(*node, name, expected, variables);
    if (!expression) return {};
    const Measured found = expression->has_units()
                             ? context_.dimension(*node, name, variables, *dimension_of(unit))
                             : expression->dimension();
    check_dimension(*node, name, found, unit);
    return expression;
}

std::vector<Expression> Object::functions(std::string_view name) const {
    const Node* node = find(name);
    if (node == nullptr) return {};
    const Key& k = key(name);
    if (node->kind != Node::Kind::list || node->entries.size() != 3) {
        fail(*node, k);
        return {};
    }
    std::vector<Expression> list;
    for (const auto& item : node->entries) {
        list.push_back(
            context_.function(*item.value, name, "a number or an expression", variables_of_points)
                .value_or(Expression(0)));
        check_dimension(*item.value, name, list.back().dimension(), k.unit);
    }
    return list;
}

namespace {

// Where a file is that is named in a folder.
std::filesystem::path reached(const Reach& reach, const std::filesystem::path& folder,
                              const std::filesystem::path& written) {
    if (reach.full_paths == Reach::FullPaths::as_written || !written.is_absolute())
        return (folder / written).lexically_normal();
    std::error_code error;
    std::filesystem::path full = written.lexically_normal();
    for (auto from = std::next(full.begin()); from != full.end(); ++from) {
        std::filesystem::path copy = reach.folders.front();
        for (auto part = from; part != full.end(); ++part) copy /= *part;
        if (std::filesystem::is_regular_file(copy, error)) return copy;
    }
    return full;
}

}  // namespace

std::filesystem::path Object::file(std::string_view name) const {
    const Node* node = find(name);
    if (node == nullptr) return {};
    const auto written = context_.text(*node, name);
    if (!written) return {};
    std::filesystem::path path = reached(context_.reach, context_.folder, *written);
    std::error_code error;
    const auto& folders = context_.reach.folders;
    if (!folders.empty() && std::none_of(folders.begin(), folders.end(), [&](const auto& folder) {
            return lies_in(path, folder);
        }))
        context_.mistakes.add(node->mark,
                              fmt::format("'{}' is outside the scene's folder; expected a file in "
                                          "it, or the folder to be allowed (--allow)",
                                          written->substr(0, 200)));
    else if (!std::filesystem::is_regular_file(path, error))
        context_.mistakes.add(node->mark,
                              fmt::format("there is no file {}; expected a path relative to the "
                                          "folder of this file",
                                          path.string()));
    return path;
}

}  // namespace bristle::io
