#include "io/scene/format.h"

#include "io/scene/format_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::io {
namespace {

// ---- The file and how it is run ------------------------------------------------------------------------

Key threads() {
    return of(Kind::integer, "threads", "to compute with; the results do not depend on it", "2")
        .or_else("1")
        .between(1, 64);
}

Keys impulse_keys() {
    const auto sleeping = [](const char* name, const char* unit, const char* value) {
        return number(name, unit, "what is slower may fall asleep", value)
            .or_else(value)
            .at_least(0);
    };
    return {
        number("step", "s", "of time", "5 ms").or_else("0.01").positive(),
        of(Kind::integer, "iterations", "of a step", "20").or_else("10").between(1, 10'000),
        word("correction", {"substeps", "baumgarte"},
             "how errors of position are mended: the step in parts, each solved once; or errors "
             "as velocities"),
        word("direct", {"where_it_pays", "never"},
             "whether parts with few loops are solved at once, by a factorization"),
        number("error_reduction", "", "of baumgarte's correction, per step", "0.4")
            .or_else("0.4")
            .between(0, 1),
        number("allowed_depth", "m", "of a contact, that baumgarte's correction leaves", "2 mm")
            .or_else("0.0005")
            .at_least(0),
        number("resting_speed", "m/s",
               "what touches more slowly does not bounce; left out: what falls for four steps, 4 g "
               "step",
               "0.5")
            .optional()
            .at_least(0),
        word("impacts", {"together", "in_turn"},
             "where several contacts are struck within a step: all leave at once, or one after the "
             "other"),
        unlimited(number("sleep_after", "s",
                         "what touches and is slow for so long falls asleep, until something "
                         "wakes it; unlimited: never",
                         "1")
                      .at_least(0),
                  "0.5"),
        sleeping("sleep_speed", "m/s", "0.03"),
        sleeping("sleep_spin", "rad/s", "0.06"),
        threads()};
}

Section solver() {
    const Key step = number("step", "s", "of time", "5 ms").or_else("0.001").positive();
    const Key damping =
        number("damping", "", "of the stabilization: 1 is critical", "1").or_else("1").at_least(0);
    const Key frequency =
        number("frequency", "rad/s", "of the stabilization; zero: 1/(10 step)", "100")
            .or_else("0")
            .at_least(0);
    Section s{"solver", "solver", Section::Form::one,
              "The formulation, as one word or with its settings."};
    s.types = {
        {"augmented_lagrangian",
         "index-3 augmented Lagrangian, with contact; needs no tuning",
         "{type: augmented_lagrangian, step: 5 ms}",
         {step, word("integrator", {"newmark", "hht", "generalized_alpha"}, "of time"),
          number("newmark_beta", "", "of newmark", "0.25").or_else("0.25").positive(),
          number("newmark_gamma", "", "of newmark; 0.5 dissipates nothing", "0.5")
              .or_else("0.5")
              .at_least(0.5),
          number("hht_delta", "", "of hht; 0 dissipates nothing, at most 1/3", "0.05")
              .or_else("0.05")
              .between(0, 1.0 / 3),
          number("rho_infinity", "", "of generalized_alpha; 1 dissipates nothing", "0.9")
              .or_else("0.9")
              .between(0, 1),
          word("projection", {"tangent", "mass"}, "of velocities and accelerations"),
          of(Kind::integer, "max_iterations", "of a step", "11").or_else("11").between(1, 1000),
          number("penalty", "", "times the effective mass of each constraint", "1e8")
              .or_else("1e8")
              .between(1e2, 1e12),
          unlimited(
              number("take_out_beyond", "m",
                     "bodies at rest and further than this from all that moves are not computed",
                     "50")
                  .positive(),
              "unlimited"),
          threads()}},
        {"baumgarte",
         "multipliers on accelerations, stabilized",
         "{type: baumgarte, frequency: 100}",
         {step, frequency, damping}},
        {"penalty",
         "springs and dampers instead of multipliers",
         "{type: penalty, penalty: 1e7}",
         {step,
          number("penalty", "", "over the effective mass of each constraint", "1e7")
              .or_else("1e7")
              .positive(),
          frequency, damping}},
        {"independent_coordinates",
         "projection onto independent velocities",
         "{type: independent_coordinates, step: 1 ms}",
         {step}},
        {"impulse", "impulses at velocities, with rigid contact: for piles of many bodies",
         "{type: impulse, iterations: 20}", impulse_keys()},
    };
    s.default_type = "augmented_lagrangian";
    s.short_key = "type";
    return s;
}

std::vector<Section> running_inputs() {
    Section include{"include", "file", Section::Form::list,
                    "Other scene files; their objects come first. They have their own parameters. "
                    "What they say "
                    "about `title`, `solver`, `duration` and `outputs` is left aside."};
    include.types = {{"",
                      "",
                      "{file: arm.yaml, prefix: \"left \", set: {length: 2}}",
                      {of(Kind::file, "file", "relative to this one", "arm.yaml"),
                       of(Kind::text, "prefix", "of all names it defines", "\"left \"").optional(),
                       of(Kind::values, "set", "its parameters", "{length: 2}").optional()}}};
    include.short_key = "file";
    Section parameters{"parameters", "parameter", Section::Form::named,
                       "Numbers with names, for all expressions. They can be set from outside "
                       "(`--set length=1.2`), and use earlier ones."};
    parameters.types = {
        {"",
         "",
         "{value: 2*length, unit: kg, about: of each bar}",
         {number("value", "", "a number or an expression", "2*length"),
          of(Kind::text, "unit", "for the reader: the value is SI", "kg").optional(),
          of(Kind::text, "about", "what it is", "of each bar").optional()}}};
    parameters.short_key = "value";
    return {include, parameters};
}

std::vector<Section> running_outputs() {
    Section outputs{"outputs", "outputs", Section::Form::one, "What `bristle run` writes."};
    outputs.types = {
        {"",
         "",
         "{every: 10 ms, quantities: [crank.position, energy.total]}",
         {number("every", "s", "between rows; left out: at most 4,000 rows", "10 ms")
              .optional()
              .positive(),
          in("quantities", "columns of the table", "[crank.position, energy.total]"),
          in("plots", "of the report", "[{x: crank.position.x, y: crank.position.z}]")}}};
    Section quantities{"quantities", "quantity", Section::Form::list, "Columns of the table."};
    quantities.types = {{"",
                         "",
                         "crank.position",
                         {of(Kind::text, "name", "see docs/scene.md", "crank.position")}}};
    quantities.short_key = "name";
    Section plots{"plots", "plot", Section::Form::list,
                  "Curves over time, or over another quantity."};
    plots.types = {{"",
                    "",
                    "{title: Path, x: crank.position.x, y: crank.position.z}",
                    {of(Kind::text, "title", "above it", "Path").optional(),
                     of(Kind::text, "x", "quantity; left out: time", "crank.position.x").optional(),
                     of(Kind::names, "y", "one quantity or a list, of one unit",
                        "[energy.kinetic, energy.potential]")}}};
    return {outputs, quantities, plots};
}

std::vector<Section> all_sections() {
    std::vector<Section> all;
    for (const auto& list :
         {running_inputs(),
          {bodies_format(), materials_format(), contact_pairs_format(), shapes_format(),
           visuals_format(), parts_format(), no_contact_format(), joints_format(), drives_format(),
           limits_format(), rotors_format(), forces_format()},
          machine_sections(),
          earth_sections(),
          {solver()},
          running_outputs()})
        all.insert(all.end(), list.begin(), list.end());
    const Key loop = of(Kind::loop, "for",
                        "repeats the entry: {i: n} is 0 … n−1, {i: [1, 5]} is 1 … 5", "{i: 10}")
                         .optional();
    for (Section& s : all)
        for (Type& type : s.types) {
            if (s.has_types() && !type.name.empty()) {
                Key key = of(Kind::text, "type", "of " + s.what, type.name);
                if (s.default_type == type.name) key = key.or_else(type.name);
                type.keys.insert(type.keys.begin(), key);
            }
            if (s.form != Section::Form::one && s.name != "parameters") type.keys.push_back(loop);
        }
    return all;
}

Type whole_scene() {
    const std::vector<std::string> rules = {"minimum", "geometric_mean", "mean", "maximum"};
    Key friction = word("friction_rule", rules, "how two materials' friction makes one");
    friction.fallback = "geometric_mean";
    const auto of_section = [](const char* name) {
        const Section& s = section(name);
        return in(
            name, s.about,
            s.form == Section::Form::list ? "[" + s.types[0].example + "]" : s.types[0].example);
    };
    return {"",
            "A scene file is YAML, in SI units, z up. Only what is needed must be there.",
            "",
            {of(Kind::text, "title", "a line about it", "Four-bar linkage").optional(),
             of_section("include"),
             of_section("parameters"),
             vector("gravity", "m/s^2", "acceleration of what falls", "[0, 0, -1.62]")
                 .or_else("[0, 0, -9.81]"),
             of(Kind::plane, "planar",
                "bodies move in one plane, and shapes are seen as their outlines in it", "true")
                 .or_else("false"),
             of_section("bodies"),
             of_section("materials"),
             of_section("contact_pairs"),
             friction,
             word("restitution_rule", rules, "how two materials' restitution makes one"),
             of_section("shapes"),
             of_section("visuals"),
             of_section("no_contact"),
             of_section("joints"),
             of_section("drives"),
             of_section("limits"),
             of_section("rotors"),
             of_section("forces"),
             of_section("earth"),
             of_section("solver"),
             number("duration", "s", "of the simulation", "10").or_else("10").positive(),
             of_section("outputs")}};
}

}  // namespace

Key Key::or_else(std::string value) const {
    Key key = *this;
    key.fallback = std::move(value);
    return key;
}
Key Key::positive() const {
    Key key = *this;
    key.above = 0;
    return key;
}
Key Key::at_least(double value) const {
    Key key = *this;
    key.above = -std::numeric_limits<double>::infinity();
    key.least = value;
    return key;
}
Key Key::between(double low, double high) const {
    Key key = at_least(low);
    key.most = high;
    return key;
}

std::optional<size_t> Type::find(std::string_view key) const {
    for (size_t i = 0; i < keys.size(); ++i)
        if (keys[i].name == key) return i;
    return {};
}

const Type* Section::find(std::string_view type) const {
    for (const Type& t : types)
        if (t.name == type) return &t;
    return nullptr;
}

const std::vector<Section>& sections() {
    static const std::vector<Section> all = all_sections();
    return all;
}

const Section& section(std::string_view name) {
    const auto found = std::find_if(sections().begin(), sections().end(),
                                    [&](const Section& s) { return s.name == name; });
    return *found;
}

const Type& scene_format() {
    static const Type type = whole_scene();
    return type;
}

std::string joined(const std::vector<std::string>& words, const char* last) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(" {} ", last)) + words[i];
    return text;
}

namespace {

// " in m above 0"
std::string unit_and_range(const Key& key) {
    std::string text = key.unit.empty() || key.unit == any_unit ? "" : " in " + key.unit;
    if (key.above == 0) return text + " above 0";
    if (key.least > key.above && key.most < std::numeric_limits<double>::infinity())
        return text + fmt::format(" from {:.10g} to {:.10g}", key.least, key.most);
    if (key.least > key.above) return text + fmt::format(" of at least {:.10g}", key.least);
    return text;
}

}  // namespace

std::string expected_number(const Key& key) {
    return (key.kind == Kind::integer ? "an integer" : "a number") + unit_and_range(key);
}

std::string expected(const Key& key) {
    switch (key.kind) {
        case Kind::number:
        case Kind::integer: return expected_number(key);
        case Kind::text: return "text";
        case Kind::word: return joined(key.words, "or");
        case Kind::body: return "the name of a body";
        case Kind::joint: return "the name of a joint";
        case Kind::material: return "the name of a material";
        case Kind::shape: return "the name of a shape";
        case Kind::force: return "the name of a force";
        case Kind::soil: return "the name of a soil: sand, loam, clay, gravel or one of soils";
        case Kind::vector: return "three numbers [x, y, z]" + unit_and_range(key);
        case Kind::axis: return "x, y, z, -x, -y, -z or a direction [x, y, z]";
        case Kind::rotation:
            return "{axis: …, angle: …}, two directions as {z: …, x: …}, a list of these, or [w, "
                   "x, y, z]";
        case Kind::inertia: return "[Ixx, Iyy, Izz] or three rows of three" + unit_and_range(key);
        case Kind::function: return "a number, an expression in t, or {table: [[t, value], …]}";
        case Kind::law: return "an expression in x and v, or {table: [[x, force], …]}";
        case Kind::functions: return "three numbers or expressions" + unit_and_range(key);
        case Kind::points: return "a list of points [x, y, z]";
        case Kind::triangles: return "a list of triangles [i, j, k], each by three of the vertices";
        case Kind::corners: return "a list of points [x, z]";
        case Kind::plane: return "true (the x-z plane) or its normal: x, y, z or [x, y, z]";
        case Kind::numbers: return "a list of numbers";
        case Kind::names: return "a name or a list of names";
        case Kind::pair: return "two bodies [a, b]";
        case Kind::file: return "the path of a file";
        case Kind::section: break;
        case Kind::loop: return "{i: n} or {i: [first, last]}";
        case Kind::values: return "{name: value, …}";
    }
    const Section& s = section(key.section);
    if (s.form == Section::Form::named) return fmt::format("a map of {}, {{name: …}}", s.name);
    if (s.form == Section::Form::list) return "a list";
    return "a map";
}

}  // namespace bristle::io
