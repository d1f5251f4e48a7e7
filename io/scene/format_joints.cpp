// Joints, what acts on them, and forces.
#include "io/scene/format_keys.h"

#include <fmt/format.h>

namespace bristle::io {
namespace {

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

// Between two bodies, or those of a joint above.
const Keys gauged_bodies = {of(Kind::body, "a", "first body", "frame").or_else("ground"),
                            of(Kind::body, "b", "second body", "crank").optional(),
                            of(Kind::joint, "of",
                               "instead of the bodies: those of a joint above, with its point and "
                               "axis",
                               "A")
                                .optional()};

Type gauge(std::string name, std::string about, std::string example, const Keys& more,
           const std::vector<Rule>& rules = {}) {
    Type type{std::move(name),
              std::move(about),
              std::move(example),
              gauged_bodies + more,
              {exactly_one({"b", "of"}), at_most_one({"a", "of"})}};
    type.rules.insert(type.rules.end(), rules.begin(), rules.end());
    return type;
}

Type joint(std::string name, std::string about, std::string example, const Keys& more,
           const std::vector<Rule>& rules = {}) {
    Type type{std::move(name), std::move(about), std::move(example), two_bodies + two_points + more,
              point_rules};
    type.rules.insert(type.rules.end(), rules.begin(), rules.end());
    return type;
}

}  // namespace

Section joints_format() {
    const auto directed = [](std::string name, std::string about, const std::string& word,
                             const Keys& more) {
        std::string example = fmt::format("{{type: {}, b: crank, at: [0, 0, 0], {}: y", name, word);
        for (const Key& key : more)
            if (key.is_required()) example += fmt::format(", {}: {}", key.name, key.example);
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
    const Key start_angle =
        number("start_angle", "rad",
               "what its angle starts at: of a motion that goes on from another", "2*pi")
            .or_else("0");
    const auto rate = [](std::string unit, std::string of) {
        return number("rate", std::move(unit),
                      "how fast its " + of + " starts; left out: as the bodies' velocities have it",
                      "2")
            .optional();
    };
    const Key turns = rate("rad/s", "angle"), slides = rate("m/s", "displacement");
    Section s{"joints", "joint", Section::Form::named,
              "Points and axes are of the world at the start; `on_a` and its like are in the "
              "frames of the bodies."};
    s.types = {
        joint("fixed", "the bodies are one", "{type: fixed, a: frame, b: plate, at: [0, 0, 0]}",
              {}),
        directed("revolute", "turns about its axis", "axis", {start_angle, turns}),
        directed("prismatic", "slides along its axis", "axis", {slides}),
        directed("cylindrical", "turns about and slides along its axis", "axis",
                 {start_angle, slides}),
        joint("spherical", "all turns", "{type: spherical, b: ball, at: [0, 0, 0]}", {}),
        joint("universal", "turns about an axis of a and one of b, perpendicular to each other",
              "{type: universal, a: input, b: output, at: [0, 0, 0], axis_a: y, axis_b: z}",
              {axis("axis_a", "fixed in a; in the world at the start"),
               axis("axis_b", "fixed in b; in the world at the start")}),
        directed("planar", "slides in a plane and turns about its normal", "normal", {start_angle}),
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
                        .positive(),
                    rate("m/s", "length")},
         {exactly_one({"at_a", "on_a"}), exactly_one({"at_b", "on_b"})}},
        directed("screw", "turns about its axis and advances with the turn", "axis",
                 {number("lead", "m", "advance per turn", "5 mm"), start_angle, slides}),
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
        gauge(
            "turn_gauge",
            "holds nothing: the angle at which b's mark is seen about an axis of a, to be driven, "
            "limited or measured",
            "{type: turn_gauge, b: crank, axis: z}",
            {axis("axis", "of a, in the world at the start; left out: that of the joint")
                 .optional(),
             axis("mark",
                  "of b, across the axis; left out: some perpendicular, of a cross the "
                  "other axis")
                 .optional(),
             word("side", {"a", "b"}, "of a universal joint: which of its axes").or_else("a"),
             start_angle, turns},
            {at_least_one({"axis", "of"})}),
        gauge("swing_gauge",
              "holds nothing: the angle between an axis of a and one of b; a limit of it is a cone",
              "{type: swing_gauge, b: crank, axis: z}",
              {axis("axis", "of a, in the world at the start; left out: that of the joint")
                   .optional(),
               axis("axis_b", "of b; left out: along a's").optional()},
              {at_least_one({"axis", "of"})}),
        gauge("slide_gauge", "holds nothing: how far b's point is along an axis of a",
              "{type: slide_gauge, b: crank, at: [0, 0, 0], axis: x}",
              {vector("at", "m", "the point at the start; left out: that of the joint", "[0, 0, 0]")
                   .optional(),
               vector("at_b", "m", "b's side of it, where it does not start at a's", "[0, 0, 0.1]")
                   .optional(),
               axis("axis", "of a, in the world at the start; left out: that of the joint")
                   .optional(),
               slides},
              {at_least_one({"axis", "of"}), at_least_one({"at", "of"})}),
    };
    return s;
}

namespace {

const Key acts_on = of(Kind::joint, "joint", "it acts on the coordinate of", "A");

}  // namespace

Section drives_format() {
    Section s{"drives", "drive", Section::Form::named,
              "Prescribe a joint's coordinate, or its rate. A hydraulic drive is a piston behind a "
              "valve: see [elements](elements.md#hydraulic-drives). Friction is dry: see "
              "[elements](elements.md#dry-friction)."};
    s.types = {
        {"",
         "",
         "{joint: A, control: hydraulic, max_effort: 100, max_speed: 0.2}",
         {acts_on,
          word("control", {"position", "speed", "hydraulic", "friction"},
               "what is prescribed; friction holds and resists with max_effort"),
          of(Kind::function, "target",
             "of time, in rad or m, per s for speed, -1 … 1 for hydraulic; left out: commanded",
             "2*pi")
              .optional(),
          unlimited(number("max_effort", "N or N*m", "that it may use", "100").positive(),
                    "unlimited"),
          number("max_speed", "m/s or rad/s", "of a hydraulic drive, its valve fully open", "0.2")
              .or_else("0")
              .at_least(0)}}};
    return s;
}

Section limits_format() {
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

Section rotors_format() {
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

Section forces_format() {
    const auto at_least_zero = [](const char* name, const char* unit, const char* about,
                                  const char* example) {
        return number(name, unit, about, example).or_else("0").at_least(0);
    };
    const auto three = [](const char* name, const char* unit, const char* about,
                          const char* example) {
        return vector(name, unit, about, example).or_else("[0, 0, 0]").at_least(0);
    };
    Section s{"forces", "force", Section::Form::named,
              "Springs, motors, forces of your own, and parts of machines."};
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
        {"bushing",
         "six springs between two frames that coincide at the start, unless b's is given",
         "{type: bushing, b: arm, at: [0, 0, 0], stiffness: [1e6, 1e6, 1e5]}",
         two_bodies
             + Keys{vector("at", "m", "in the world at the start", "[0, 0, 0]"),
                    of(Kind::rotation, "axes", "of the springs, in the world at the start",
                       "{axis: z, angle: 45 deg}")
                        .optional(),
                    vector("at_b", "m", "b's side of the point, where it does not start at a's",
                           "[0, 0, 0.01]")
                        .optional(),
                    of(Kind::rotation, "axes_b", "b's side of the axes, likewise",
                       "{axis: z, angle: 46 deg}")
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
          Key{"force", Kind::functions, "N",
              "world axes; of t, of x y z vx vy vz of the point, and of n, the normal force of the "
              "body's contacts over the last step",
              "[10*sin(t), 0, -2*vz]"}
              .optional(),
          Key{"torque", Kind::functions, "N*m", "world axes; likewise", "[0, 0, 1]"}.optional()},
         {at_least_one({"force", "torque"})}},
    };
    for (Type& part : machine_types()) s.types.push_back(std::move(part));
    return s;
}

}  // namespace bristle::io
