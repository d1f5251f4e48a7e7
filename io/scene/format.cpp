#include "io/scene/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::io {
namespace {

using Keys = std::vector<Key>;

Key number(std::string name, std::string unit, std::string about, std::string example) {
    return {std::move(name), Kind::number, std::move(unit), std::move(about), std::move(example)};
}
Key vector(std::string name, std::string unit, std::string about, std::string example) {
    return {std::move(name), Kind::vector, std::move(unit), std::move(about), std::move(example)};
}
Key of(Kind kind, std::string name, std::string about, std::string example) {
    return {std::move(name), kind, "", std::move(about), std::move(example)};
}
Key word(std::string name, std::vector<std::string> words, std::string about) {
    Key key{std::move(name), Kind::word, "", std::move(about), words.back()};
    key.words = std::move(words);
    key.fallback = key.words.front();
    return key;
}
Key in(std::string section, std::string about, std::string example) {
    Key key{section, Kind::section, "", std::move(about), std::move(example)};
    key.section = std::move(section);
    key.fallback = "";
    return key;
}
Key unlimited(Key key, std::string fallback) {
    key.may_be_unlimited = true;
    key.fallback = std::move(fallback);
    return key;
}

Keys operator+(Keys a, const Keys& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Rule exactly_one(std::vector<std::string> keys) {
    return {Rule::Kind::exactly_one, std::move(keys)};
}
Rule at_least_one(std::vector<std::string> keys) {
    return {Rule::Kind::at_least_one, std::move(keys)};
}
Rule at_most_one(std::vector<std::string> keys) {
    return {Rule::Kind::at_most_one, std::move(keys)};
}
Rule together(std::vector<std::string> keys) { return {Rule::Kind::together, std::move(keys)}; }

// ---- Geometry and what is made of it ---------------------------------------------------------------

const Key position =
    vector("position", "m", "of the frame's origin", "[0, 0, 1]").or_else("[0, 0, 0]");
const Key rotation =
    of(Kind::rotation, "rotation", "of the frame: an axis and an angle, or [w, x, y, z]",
       "{axis: y, angle: 30 deg}")
        .optional();

std::vector<Type> geometries() {
    const Key radius = number("radius", "m", "", "0.1").positive();
    const auto with = [](Key key, std::string about) {
        key.about = std::move(about);
        return key;
    };
    const Key length = number("length", "m", "between the flat ends, along z", "0.5").positive();
    const Key tube = number("tube", "m", "radius of the tube", "0.02").positive();
    return {
        {"sphere",
         "a ball about the frame's origin",
         "{type: sphere, radius: 0.1}",
         {with(radius, "of the ball")}},
        {"box",
         "a block, its centre in the frame's origin",
         "{type: box, size: [1, 0.5, 0.2]}",
         {vector("size", "m", "full lengths of the edges", "[1, 0.5, 0.2]").positive()}},
        {"cylinder",
         "around z with flat ends, centred",
         "{type: cylinder, radius: 0.1, length: 0.5}",
         {with(radius, "of the round"), length}},
        {"capsule",
         "around z with round ends, centred",
         "{type: capsule, radius: 0.1, length: 0.5}",
         {with(radius, "of the round and the ends"),
          with(length, "between the centres of the ends").at_least(0)}},
        {"torus",
         "a ring around z",
         "{type: torus, radius: 0.5, tube: 0.1}",
         {with(radius, "from the centre to the tube's centre"), tube,
          word("arc", {"full", "half"}, "`half` keeps the side with y ≥ 0 and closes it")}},
        {"convex",
         "the convex hull of points",
         "{type: convex, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
         {of(Kind::points, "points", "at least four, in m",
             "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]")}},
        {"mesh",
         "triangles of a file (STL, OBJ, glTF)",
         "{type: mesh, file: bucket.stl, scale: 1 mm}",
         {of(Kind::file, "file", "relative to this file", "bucket.stl"),
          number("scale", "", "metres of a unit of the file", "0.001").or_else("1").positive(),
          number("merge_distance", "m", "vertices as near as this become one", "1e-6")
              .or_else("0")
              .at_least(0)}},
        {"compound",
         "several geometries as one; each counts in full where they overlap",
         "{type: compound, parts: [{type: sphere, radius: 0.1}, {type: box, size: [1, 0.1, 0.1]}]}",
         {[] {
             Key key = in("parts", "with a place each",
                          "[{type: sphere, radius: 0.1, position: [0, 0, 1]}]");
             key.fallback.reset();
             return key;
         }()}},
        {"chain_link",
         "two half rings joined by cylinders, in the x-y plane",
         "{type: chain_link, radius: 0.02, tube: 0.005, straight: 0.03}",
         {with(radius, "of the half rings, to the tube's centre"), tube,
          number("straight", "m", "length of the cylinders, along x", "0.03").at_least(0)}},
    };
}

std::vector<Type> surfaces() {
    const Key count = of(Kind::integer, "columns", "points along x", "50").at_least(2);
    Key rows = count;
    rows.name = "rows";
    rows.about = "points along y";
    return {
        {"plane", "z = 0 and everything below", "{type: plane}", {}},
        {"height_field",
         "heights over a grid; all below is solid",
         "{type: height_field, columns: 2, rows: 2, spacing: 1, heights: [0, 0, 0, 0.1]}",
         {count, rows,
          number("spacing", "m", "between points along x, and along y if spacing_y is not given",
                 "0.5")
              .positive(),
          number("spacing_y", "m", "between points along y", "0.5").optional().positive(),
          of(Kind::numbers, "heights", "in m, row by row", "[0, 0, 0, 0.1]")}},
    };
}

const Keys touching = {of(Kind::integer, "group", "bits of the groups it is in", "2")
                           .or_else("1")
                           .between(0, 0xffffffffu),
                       of(Kind::integer, "mask", "bits of the groups it can touch", "0xff")
                           .or_else("0xffffffff")
                           .between(0, 0xffffffffu)};

Section bodies() {
    const Keys motion = {
        vector("velocity", "m/s", "of the frame's origin at the start, world axes", "[1, 0, 0]")
            .or_else("[0, 0, 0]"),
        vector("angular_velocity", "rad/s", "at the start, world axes", "[0, 1, 0]")
            .or_else("[0, 0, 0]")};
    const Keys place = Keys{position, rotation} + motion;
    const Key mass = number("mass", "kg", "of the body", "2").positive();
    const Key density =
        number("density", "kg/m^3", "instead of the mass", "7800").optional().positive();
    Section s{
        "bodies", "body", Section::Form::named,
        "What moves. Their order is the order of ids. The ground is there without being written."};
    s.types = {{"", "a body by its mass, centre and inertia", "{mass: 3, inertia: [1, 2, 3]}",
                Keys{mass,
                     vector("center", "m", "of mass, in the body's frame", "[0, 0, 0.1]")
                         .or_else("[0, 0, 0]"),
                     Key{"inertia", Kind::inertia, "kg*m^2",
                         "about the centre, body axes: diagonal or 3×3", "[1, 2, 3]"}}
                    + place},
               {"point", "a mass without size", "{type: point, mass: 1, position: [0, 0, 1]}",
                Keys{mass} + place},
               {"rod",
                "slender, from its frame's origin along x",
                "{type: rod, from: [0, 0, 0], to: [0, 0, 1], mass: 1}",
                Keys{mass, vector("from", "m", "one end in the world", "[0, 0, 0]").optional(),
                     vector("to", "m", "the other end in the world", "[0, 0, 1]").optional(),
                     number("length", "m", "instead of from and to", "1").optional().positive()}
                    + place,
                {exactly_one({"from", "length"}), together({"from", "to"}),
                 at_most_one({"from", "position"}), at_most_one({"from", "rotation"})}}};
    const Keys solid = Keys{mass.optional(), density,
                            of(Kind::material, "material",
                               "makes the geometry also a shape, with the body's name", "steel")
                                .optional()}
                     + touching + place;
    for (Type type : geometries()) {
        type.about += "; homogeneous";
        type.example.back() = ',';
        type.example += " mass: 2}";
        type.keys = type.keys + solid;
        type.rules.push_back(exactly_one({"mass", "density"}));
        s.types.push_back(std::move(type));
    }
    return s;
}

Section shapes() {
    Section s{"shapes", "shape", Section::Form::named,
              "Geometry that can touch, on bodies. (A body of a geometry with a `material` has its "
              "shape already.)"};
    for (const auto& list : {surfaces(), geometries()})
        for (Type type : list) {
            type.keys =
                type.keys
                + Keys{of(Kind::body, "body", "it is on", "crank").or_else("ground"),
                       of(Kind::material, "material", "it is made of", "steel").or_else("default"),
                       position, rotation}
                + touching;
            s.types.push_back(std::move(type));
        }
    return s;
}

Section parts() {
    Section s{"parts", "part", Section::Form::list,
              "Pieces of a compound, each with its place in it."};
    for (const auto& list : {geometries(), surfaces()})
        for (Type type : list) {
            type.keys = type.keys + Keys{position, rotation};
            s.types.push_back(std::move(type));
        }
    return s;
}

// ---- Materials and contact ---------------------------------------------------------------------------

Keys friction_keys() {
    return {number("restitution", "", "speed after over speed before an impact", "0.5")
                .or_else("0.3")
                .between(0, 1),
            number("static_friction", "", "coefficient at rest", "0.7").or_else("0.6").at_least(0),
            number("kinetic_friction", "", "coefficient in motion, at most that at rest", "0.4")
                .or_else("0.6")
                .at_least(0),
            number("viscous_friction", "N*s/m", "force over sliding speed", "10")
                .or_else("0")
                .at_least(0),
            number("rolling_resistance", "m", "moment over normal force", "1e-3")
                .or_else("0")
                .at_least(0),
            number("spinning_resistance", "m", "moment over normal force", "1e-3")
                .or_else("0")
                .at_least(0)};
}

Section materials() {
    Section s{"materials", "material", Section::Form::named,
              "What shapes are made of. `default` is there without being written."};
    s.types = {
        {"", "", "{young: 2.1e11, static_friction: 0.5, kinetic_friction: 0.4}",
         Keys{number("young", "Pa", "elastic modulus; zero: estimated from masses and step",
                     "2.1e11")
                  .or_else("0")
                  .at_least(0),
              number("poisson", "", "Poisson's ratio", "0.3").or_else("0.3").between(-1, 0.5)}
             + friction_keys()}};
    return s;
}

Section contact_pairs() {
    Section s{"contact_pairs", "contact pair", Section::Form::list,
              "Laws of pairs of materials, instead of what the rules make of the two. The last one "
              "of a pair counts."};
    s.types = {
        {"", "", "{a: steel, b: rubber, stiffness: 1e7, restitution: 0.4}",
         Keys{of(Kind::material, "a", "one", "steel"),
              of(Kind::material, "b", "the other", "rubber"),
              word("normal", {"hunt_crossley", "lankarani_nikravesh", "kelvin_voigt"},
                   "law of the normal force"),
              word("damping", {"exact", "published"}, "`exact` returns its restitution"),
              number("stiffness", "N/m^exponent", "zero: from the elastic modulus", "1e7")
                  .or_else("0")
                  .at_least(0),
              number("elastic_modulus", "Pa", "of the pair (Hertz); zero: estimated", "1e11")
                  .or_else("0")
                  .at_least(0),
              number("exponent", "", "of the depth", "1.5").or_else("1.5").between(1, 10),
              number("damping_factor", "s/m", "instead of what restitution gives", "0.2")
                  .or_else("0")
                  .at_least(0),
              number("stick_speed", "m/s", "zero: estimated", "1e-3").or_else("0").at_least(0),
              number("stick_stiffness", "N/m", "zero: estimated", "1e6").or_else("0").at_least(0),
              number("stick_damping", "N*s/m", "zero: estimated", "100").or_else("0").at_least(0),
              number("stick_strain", "", "share of the bristle's strain kept while sliding", "1")
                  .or_else("1")
                  .between(0, 1)}
             + friction_keys()}};
    return s;
}

Section no_contact() {
    Section s{"no_contact", "pair", Section::Form::list,
              "Pairs of bodies that pass through each other."};
    s.types = {
        {"", "", "[crank, ball]", {of(Kind::pair, "pair", "the two bodies", "[crank, ball]")}}};
    s.short_key = "pair";
    return s;
}

// ---- Joints and what acts on them --------------------------------------------------------------------

Key axis(std::string name, std::string about) {
    return {std::move(name), Kind::axis, "", std::move(about), "y"};
}

const Keys two_bodies = {of(Kind::body, "a", "first body", "frame").or_else("ground"),
                         of(Kind::body, "b", "second body", "crank")};
const Keys two_points = {
    vector("at", "m", "point of the joint in the world at the start", "[0, 0, 0]").optional(),
    vector("at_b", "m", "b's side of it, where it does not start at a's", "[0, 0, 0.1]").optional(),
    vector("on_a", "m", "instead of at: point in a's frame", "[1, 0, 0]").optional(),
    vector("on_b", "m", "instead of at_b: point in b's frame", "[0, 0, 0]").optional()};
const std::vector<Rule> point_rules = {at_least_one({"at", "on_a", "on_b"}),
                                       at_most_one({"at", "on_a"}), at_most_one({"at_b", "on_b"})};

Type joint(std::string name, std::string about, std::string example, Keys more,
           std::vector<Rule> rules = {}) {
    Type type{std::move(name), std::move(about), std::move(example), two_bodies + two_points + more,
              point_rules};
    type.rules.insert(type.rules.end(), rules.begin(), rules.end());
    return type;
}

Section joints() {
    const auto directed = [](std::string name, std::string about, const std::string& word,
                             const Keys& more) {
        std::string example = fmt::format("{{type: {}, b: crank, at: [0, 0, 0], {}: y", name, word);
        for (const Key& key : more) example += fmt::format(", {}: {}", key.name, key.example);
        return joint(
            name, std::move(about), example + "}",
            Keys{axis(word, "in the world at the start").optional(),
                 axis(word + "_b", "b's, where it does not start along a's").optional(),
                 axis(word + "_on_a", "instead: in a's frame").optional(),
                 axis(word + "_on_b", "instead: in b's frame").optional()}
                + more,
            {at_least_one({word, word + "_on_a", word + "_on_b"}),
             at_most_one({word, word + "_on_a"}), at_most_one({word + "_b", word + "_on_b"})});
    };
    const auto guide = [](std::string name, std::string about, const std::string& word) {
        return joint(name, std::move(about),
                     fmt::format("{{type: {}, b: bead, at: [0, 0, 0], {}: x}}", name, word),
                     {axis(word, "in the world at the start").optional(),
                      axis(word + "_on_a", "instead: in a's frame").optional()},
                     {exactly_one({word, word + "_on_a"})});
    };
    Section s{"joints", "joint", Section::Form::named,
              "Points and axes are of the world at the start; `on_a` and its like are in the "
              "frames of the bodies."};
    s.types = {
        joint("fixed", "the bodies are one", "{type: fixed, a: frame, b: plate, at: [0, 0, 0]}",
              {}),
        directed("revolute", "turns about its axis", "axis", {}),
        directed("prismatic", "slides along its axis", "axis", {}),
        directed("cylindrical", "turns about and slides along its axis", "axis", {}),
        joint("spherical", "all turns", "{type: spherical, b: ball, at: [0, 0, 0]}", {}),
        joint("universal", "turns about an axis of a and one of b, perpendicular to each other",
              "{type: universal, a: input, b: output, at: [0, 0, 0], axis_a: y, axis_b: z}",
              {axis("axis_a", "fixed in a; in the world at the start"),
               axis("axis_b", "fixed in b; in the world at the start")}),
        directed("planar", "slides in a plane and turns about its normal", "normal", {}),
        guide("point_on_line", "the point of b stays on a line of a", "axis"),
        guide("point_on_plane", "the point of b stays in a plane of a", "normal"),
        {"distance",
         "a massless bar between two points; a strut, if something acts on its length",
         "{type: distance, b: ball, at_a: [0, 0, 1], at_b: [0, 0, 0]}",
         two_bodies
             + Keys{vector("at_a", "m", "a's end in the world at the start", "[0, 0, 1]")
                        .optional(),
                    vector("at_b", "m", "b's end in the world at the start", "[0, 0, 0]")
                        .optional(),
                    vector("on_a", "m", "instead: in a's frame", "[0, 0, 1]").optional(),
                    vector("on_b", "m", "instead: in b's frame", "[0, 0, 0]").optional(),
                    number("length", "m", "left out: as the points start", "1")
                        .optional()
                        .positive()},
         {exactly_one({"at_a", "on_a"}), exactly_one({"at_b", "on_b"})}},
        directed("screw", "turns about its axis and advances with the turn", "axis",
                 {number("lead", "m", "advance per turn", "5 mm")}),
        {"gear",
         "coordinate of the second = ratio × that of the first",
         "{type: gear, first: A, second: B, ratio: -2}",
         {of(Kind::joint, "first", "a joint above", "A"), of(Kind::joint, "second", "another", "B"),
          number("ratio", "", "of the coordinates, not zero", "-2").or_else("1")}},
        {"rack_and_pinion",
         "displacement of the rack = radius × angle of the pinion",
         "{type: rack_and_pinion, rack: slide, pinion: wheel, radius: 0.05}",
         {of(Kind::joint, "rack", "a prismatic joint above", "slide"),
          of(Kind::joint, "pinion", "a revolute joint above", "wheel"),
          number("radius", "m", "of the pinion, not zero", "0.05")}},
    };
    return s;
}

const Key acts_on = of(Kind::joint, "joint", "it acts on the coordinate of", "A");

Section drives() {
    Section s{"drives", "drive", Section::Form::named,
              "Prescribe a joint's coordinate, or its rate."};
    s.types = {{"",
                "",
                "{joint: A, control: speed, target: 2*pi, max_effort: 100}",
                {acts_on, word("control", {"position", "speed"}, "what is prescribed"),
                 of(Kind::function, "target",
                    "of time, in rad or m, per s for speed; left out: commanded", "2*pi")
                     .optional(),
                 unlimited(number("max_effort", "N or N*m", "that it may use", "100").positive(),
                           "unlimited")}}};
    return s;
}

Section limits() {
    Section s{"limits", "limit", Section::Form::named,
              "Stops at the ends of a joint's coordinate."};
    s.types = {{"",
                "",
                "{joint: A, min: -1, max: 1, restitution: 0.2}",
                {acts_on, unlimited(number("min", "rad or m", "lower end", "-1"), "-unlimited"),
                 unlimited(number("max", "rad or m", "upper end", "1"), "unlimited"),
                 number("restitution", "", "0 stays, 1 returns with the speed it came", "0.2")
                     .or_else("0")
                     .between(0, 1)}}};
    return s;
}

Section rotors() {
    Section s{"rotors", "rotor", Section::Form::named,
              "Inertia that turns with a joint, behind a gear."};
    s.types = {
        {"",
         "",
         "{joint: A, inertia: 0.1, ratio: 20}",
         {acts_on, number("inertia", "kg*m^2 or kg", "of the rotor", "0.1").positive(),
          number("ratio", "", "how much faster than the joint it turns", "20").or_else("1")}}};
    return s;
}

Section forces() {
    const auto at_least_zero = [](const char* name, const char* unit, const char* about,
                                  const char* example) {
        return number(name, unit, about, example).or_else("0").at_least(0);
    };
    const auto three = [](const char* name, const char* unit, const char* about,
                          const char* example) {
        return vector(name, unit, about, example).or_else("[0, 0, 0]").at_least(0);
    };
    Section s{"forces", "force", Section::Form::named, "Springs, motors and forces of your own."};
    s.types = {
        {"spring",
         "between two points",
         "{type: spring, b: crank, at_a: [0, 0, 1], at_b: [1, 0, 0], stiffness: 4530, free_length: "
         "0.07}",
         two_bodies
             + Keys{vector("at_a", "m", "a's end in the world at the start", "[0, 0, 1]")
                        .optional(),
                    vector("at_b", "m", "b's end in the world at the start", "[1, 0, 0]")
                        .optional(),
                    vector("on_a", "m", "instead: in a's frame", "[0, 0, 1]").optional(),
                    vector("on_b", "m", "instead: in b's frame", "[1, 0, 0]").optional(),
                    at_least_zero("stiffness", "N/m", "tension over elongation", "4530"),
                    at_least_zero("damping", "N*s/m", "tension over its rate", "10"),
                    at_least_zero("free_length", "m", "without tension", "0.07"),
                    of(Kind::law, "law",
                       "instead: tension in N from elongation x in m and rate v in m/s",
                       "100*x + 5*v^3")
                        .optional()},
         {exactly_one({"at_a", "on_a"}), exactly_one({"at_b", "on_b"}),
          at_most_one({"law", "stiffness"}), at_most_one({"law", "damping"})}},
        {"joint_spring",
         "along a joint's coordinate",
         "{type: joint_spring, joint: A, stiffness: 100}",
         {acts_on, at_least_zero("stiffness", "N/m or N*m/rad", "effort over coordinate", "100"),
          at_least_zero("damping", "N*s/m or N*m*s/rad", "effort over its rate", "1"),
          number("rest", "m or rad", "coordinate without effort", "0.1").or_else("0"),
          of(Kind::law, "law",
             "instead: resisting effort from x = coordinate − rest and its rate v",
             "{table: [[-1, -50], [1, 50]]}")
              .optional()},
         {at_most_one({"law", "stiffness"}), at_most_one({"law", "damping"})}},
        {"bushing", "six springs between two frames that coincide at the start",
         "{type: bushing, b: arm, at: [0, 0, 0], stiffness: [1e6, 1e6, 1e5]}",
         two_bodies
             + Keys{vector("at", "m", "in the world at the start", "[0, 0, 0]"),
                    of(Kind::rotation, "axes", "of the springs, in the world at the start",
                       "{axis: z, angle: 45 deg}")
                        .optional(),
                    three("stiffness", "N/m", "along its axes", "[1e6, 1e6, 1e5]"),
                    three("damping", "N*s/m", "along its axes", "[100, 100, 100]"),
                    three("angular_stiffness", "N*m/rad", "about its axes", "[1e3, 1e3, 0]"),
                    three("angular_damping", "N*m*s/rad", "about its axes", "[1, 1, 1]")}},
        {"motor",
         "an effort along a joint's coordinate",
         "{type: motor, joint: A, effort: 10*sin(t)}",
         {acts_on,
          of(Kind::function, "effort", "of time, in N or N m; left out: commanded", "10*sin(t)")
              .optional(),
          unlimited(
              number("no_load_speed", "rad/s or m/s", "where the effort has fallen to zero", "300")
                  .positive(),
              "unlimited")}},
        {"force",
         "a force on a point of a body, and a torque",
         "{type: force, body: crank, at: [0, 0, 1], force: [10*sin(t), 0, -2*vz]}",
         {of(Kind::body, "body", "it acts on", "crank"),
          vector("at", "m", "point in the body's frame", "[0, 0, 1]").or_else("[0, 0, 0]"),
          Key{"force", Kind::functions, "N", "world axes; of t, and x y z vx vy vz of the point",
              "[10*sin(t), 0, -2*vz]"}
              .optional(),
          Key{"torque", Kind::functions, "N*m", "world axes; likewise", "[0, 0, 1]"}.optional()},
         {at_least_one({"force", "torque"})}},
    };
    return s;
}

// ---- The file and how it is run ------------------------------------------------------------------------

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
              "unlimited")}},
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
          {bodies(), materials(), contact_pairs(), shapes(), parts(), no_contact(), joints(),
           drives(), limits(), rotors(), forces(), solver()},
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
    return {
        "",
        "A scene file is YAML, in SI units, z up. Only what is needed must be there.",
        "",
        {of(Kind::text, "title", "a line about it", "Four-bar linkage").optional(),
         of_section("include"), of_section("parameters"),
         vector("gravity", "m/s^2", "acceleration of what falls", "[0, 0, -1.62]")
             .or_else("[0, 0, -9.81]"),
         of_section("bodies"), of_section("materials"), of_section("contact_pairs"), friction,
         word("restitution_rule", rules, "how two materials' restitution makes one"),
         of_section("shapes"), of_section("no_contact"), of_section("joints"), of_section("drives"),
         of_section("limits"), of_section("rotors"), of_section("forces"), of_section("solver"),
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
    std::string text = key.unit.empty() ? "" : " in " + key.unit;
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
        case Kind::vector: return "three numbers [x, y, z]" + unit_and_range(key);
        case Kind::axis: return "x, y, z, -x, -y, -z or a direction [x, y, z]";
        case Kind::rotation: return "{axis: …, angle: …}, a list of these, or [w, x, y, z]";
        case Kind::inertia: return "[Ixx, Iyy, Izz] or three rows of three" + unit_and_range(key);
        case Kind::function: return "a number, an expression in t, or {table: [[t, value], …]}";
        case Kind::law: return "an expression in x and v, or {table: [[x, force], …]}";
        case Kind::functions: return "three numbers or expressions" + unit_and_range(key);
        case Kind::points: return "a list of points [x, y, z]";
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
