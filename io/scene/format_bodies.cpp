// Bodies, shapes and materials.
#include "io/scene/format_keys.h"

namespace bristle::io {
namespace {

// ---- Geometry and what is made of it ---------------------------------------------------------------

const Key position =
    vector("position", "m", "of the frame's origin", "[0, 0, 1]").or_else("[0, 0, 0]");
const Key rotation = of(Kind::rotation, "rotation",
                        "of the frame: an axis and an angle, two of its directions as {z: [0, 0, "
                        "1], x: [1, 1, 0]}, or [w, x, y, z]",
                        "{axis: y, angle: 30 deg}")
                         .optional();

std::vector<Type> geometries() {
    const Key radius = number("radius", "m", "", "0.1").positive();
    const auto with = [](Key key, std::string about) {
        key.about = std::move(about);
        return key;
    };
    const Key length = number("length", "m", "between the flat ends, along z", "0.5").positive();
    const Key thickness =
        number("thickness", "m", "across the plane", "0.1").or_else("0.1").positive();
    const Key tube = number("tube", "m", "radius of the tube", "0.02").positive();
    const Key wall = number("thickness", "m", "of the wall", "0.01").positive();
    const Key segments = of(Kind::integer, "segments", "flat parts of its round", "64")
                             .or_else("64")
                             .between(8, 1024);
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
        {"circle",
         "a disc in the plane of a planar scene (otherwise x-z)",
         "{type: circle, radius: 0.1}",
         {with(radius, "of the disc"), thickness}},
        {"polygon",
         "a convex plate in the plane of a planar scene (otherwise x-z)",
         "{type: polygon, points: [[0, 0], [1, 0], [0, 0.5]]}",
         {of(Kind::corners, "points",
             "corners in m, one after the other around it: to the right and up as seen along the "
             "normal, which is x and z for `planar: true`",
             "[[0, 0], [1, 0], [0, 0.5]]"),
          thickness}},
        {"mesh",
         "triangles of a file (STL, OBJ, glTF), or written here",
         "{type: mesh, file: bucket.stl, scale: 1 mm}",
         {of(Kind::file, "file", "relative to this file", "bucket.stl").optional(),
          of(Kind::points, "vertices", "instead of a file: corners of the triangles, in m",
             "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]")
              .optional(),
          of(Kind::triangles, "triangles",
             "of the vertices, counted from 0, counter-clockwise seen from outside",
             "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]")
              .optional(),
          of(Kind::names, "materials", "one for every triangle; left out: the shape's",
             "[steel, steel, steel, rubber]")
              .optional(),
          number("scale", "m", "of a unit of the file", "1 mm").or_else("1").positive(),
          number("merge_distance", "m", "vertices as near as this become one", "1e-6")
              .or_else("0")
              .at_least(0),
          of(Kind::integer, "spheres",
             "for volumetric contact: balls to pack into it instead of its triangles; zero: none",
             "1000")
              .or_else("0")
              .between(0, 10000000),
          word("repair", {"nothing", "safe"},
               "of the mesh: all that takes no guess; `bristle check` tells what is wrong with "
               "it")},
         {exactly_one({"file", "vertices"}), together({"vertices", "triangles"}),
          at_most_one({"file", "materials"}), at_most_one({"vertices", "merge_distance"})}},
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
        {"pipe",
         "a tube along z, touched from inside and outside: a mesh of triangles",
         "{type: pipe, radius: 0.1, thickness: 0.01, length: 1}",
         {with(radius, "of the inside"), wall, number("length", "m", "along z", "1").positive(),
          segments}},
        {"bowl",
         "half of a hollow ball below z = 0, open above: a mesh of triangles",
         "{type: bowl, radius: 0.3, thickness: 0.01}",
         {with(radius, "of the inside"), wall, segments}},
    };
}

std::vector<Type> surfaces() {
    const Key count = of(Kind::integer, "columns", "points along x; an image has its own", "50")
                          .between(2, 4000000)
                          .optional();
    Key rows = count;
    rows.name = "rows";
    rows.about = "points along y";
    return {
        {"plane", "z = 0 and everything below", "{type: plane}", {}},
        {"height_field",
         "heights over a grid, written down, or of an expression, a grey image or the points of a "
         "survey; all below is solid",
         "{type: height_field, columns: 2, rows: 2, spacing: 1, heights: [0, 0, 0, 0.1]}",
         {count, rows,
          number("spacing", "m", "between points along x, and along y if spacing_y is not given",
                 "0.5")
              .optional()
              .positive(),
          number("spacing_y", "m", "between points along y", "0.5").optional().positive(),
          number("size_x", "m", "instead of spacing: from the first point to the last", "20")
              .optional()
              .positive(),
          number("size_y", "m", "the same along y; else the spacing is that of x", "10")
              .optional()
              .positive(),
          of(Kind::numbers, "heights", "in m, row by row", "[0, 0, 0, 0.1]").optional(),
          of(Kind::text, "height", "instead: an expression in x and y, in m from the first point",
             "0.2*sin(x)*cos(2*y)")
              .optional(),
          of(Kind::file, "image",
             "instead: a grey PNG of 8 or 16 bits, a pixel a point; its left lower one is the "
             "first",
             "terrain/hills.png")
              .optional(),
          number("low", "m", "of an image: the height of black", "-2").optional(),
          number("high", "m", "of an image: the height of white", "12").optional(),
          of(Kind::file, "survey",
             "instead: a text (.csv) of x, y, z, a point a line; linear over Delaunay's triangles",
             "terrain/site.csv")
              .optional(),
          number("scale", "m", "of a survey: of a unit of its file", "1 mm").optional().positive(),
          number("start_x", "m", "of a survey: where in it the grid begins; else at its smallest x",
                 "100")
              .optional(),
          number("start_y", "m", "the same along y", "50").optional()},
         {exactly_one({"heights", "height", "image", "survey"}), at_most_one({"spacing", "size_x"}),
          at_most_one({"spacing_y", "size_y"}), together({"columns", "rows"}),
          together({"low", "high"}), together({"start_x", "start_y"})}},
    };
}

const Keys looks = {
    of(Kind::text, "color", "as it is seen: a name, or \"#rrggbb\" in quotes", "orange").optional(),
    word("finish", {"paint", "metal", "rubber", "glass", "earth", "concrete", "wood"},
         "how its surface looks")};

const Keys touching = {of(Kind::integer, "group", "bits of the groups it is in", "2")
                           .or_else("1")
                           .between(0, 0xffffffffu),
                       of(Kind::integer, "mask", "bits of the groups it can touch", "0xff")
                           .or_else("0xffffffff")
                           .between(0, 0xffffffffu)};

}  // namespace

Section bodies_format() {
    const Keys motion = {
        vector("velocity", "m/s", "of the frame's origin at the start, world axes", "[1, 0, 0]")
            .or_else("[0, 0, 0]"),
        vector("angular_velocity", "rad/s", "at the start, world axes", "[0, 1, 0]")
            .or_else("[0, 0, 0]")};
    const Keys place = Keys{position, rotation} + motion + looks;
    const Key mass = number("mass", "kg", "of the body", "2").positive();
    const Key density =
        number("density", "kg/m^3", "instead of the mass", "7800").optional().positive();
    const Key area_density =
        number("area_density", "kg/m^2", "of the outline, instead of the mass", "8")
            .optional()
            .positive();
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
        if (type.name == "circle" || type.name == "polygon") {
            type.keys = type.keys + Keys{area_density} + solid;
            type.rules.push_back(exactly_one({"mass", "density", "area_density"}));
        } else {
            type.keys = type.keys + solid;
            type.rules.push_back(exactly_one({"mass", "density"}));
        }
        s.types.push_back(std::move(type));
    }
    return s;
}

Section shapes_format() {
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
                + touching + looks;
            s.types.push_back(std::move(type));
        }
    return s;
}

Section visuals_format() {
    Section s{"visuals", "visual", Section::Form::named,
              "Geometry that is only seen. A body that has some is seen as these, and no longer as "
              "its shapes or what its "
              "inertia says."};
    for (const auto& list : {geometries(), surfaces()})
        for (Type type : list) {
            type.keys =
                type.keys
                + Keys{of(Kind::body, "body", "it is on", "crank").or_else("ground"),
                       position,
                       rotation,
                       of(Kind::body, "aim_body",
                          "a body whose point the geometry's z looks at, as the barrel of a "
                          "cylinder does to "
                          "its rod; about `position`, and instead of `rotation`",
                          "rocker")
                           .optional(),
                       vector("aim_at", "m", "that point, in that body's frame", "[0, 0, 0.2]")
                           .or_else("[0, 0, 0]"),
                       number("aim_along", "m", "how far towards it the geometry is", "0.6")
                           .or_else("0")}
                + looks;
            type.rules.push_back(at_most_one({"aim_body", "rotation"}));
            s.types.push_back(std::move(type));
        }
    return s;
}

Section parts_format() {
    Section s{"parts", "part", Section::Form::list,
              "Pieces of a compound, each with its place in it."};
    for (const auto& list : {geometries(), surfaces()})
        for (Type type : list) {
            type.keys = type.keys + Keys{position, rotation};
            s.types.push_back(std::move(type));
        }
    return s;
}

namespace {

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

}  // namespace

Section materials_format() {
    Section s{"materials", "material", Section::Form::named,
              "What shapes are made of. `default` is there without being written."};
    s.types = {
        {"", "", "{young: 2.1e11, static_friction: 0.5, kinetic_friction: 0.4}",
         Keys{number("young", "Pa", "elastic modulus; zero: estimated from masses and step",
                     "2.1e11")
                  .or_else("0")
                  .at_least(0),
              number("poisson", "", "Poisson's ratio", "0.3").or_else("0.3").between(-1, 0.5),
              number(
                  "foundation", "N/m^3",
                  "of an elastic layer: two materials that have one press by the volume they share",
                  "1e9")
                  .or_else("0")
                  .at_least(0)}
             + friction_keys()}};
    return s;
}

Section contact_pairs_format() {
    Section s{"contact_pairs", "contact pair", Section::Form::list,
              "Laws of pairs of materials, instead of what the rules make of the two. The last one "
              "of a pair counts."};
    s.types = {
        {"",
         "",
         "{a: steel, b: rubber, restitution: 0.4, static_friction: 0.8}",
         Keys{of(Kind::material, "a", "one", "steel"),
              of(Kind::material, "b", "the other", "rubber"),
              word("normal", {"hunt_crossley", "lankarani_nikravesh", "kelvin_voigt", "volumetric"},
                   "law of the normal force; `volumetric` is for solids, by the volume they share"),
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
              number("foundation", "N/m^3",
                     "pressure over thickness of a volumetric contact; zero: estimated", "1e9")
                  .or_else("0")
                  .at_least(0),
              word("spin", {"exact", "averaged", "published"},
                   "how a volumetric contact resists turning about its normal: by Coulomb's law at "
                   "every point, by its radius of gyration, or linear in the angular velocity"),
              number("stick_speed", "m/s", "zero: estimated", "1e-3").or_else("0").at_least(0),
              number("stick_stiffness", "N/m", "zero: estimated", "1e6").or_else("0").at_least(0),
              number("stick_damping", "N*s/m", "zero: estimated", "100").or_else("0").at_least(0),
              number("stick_strain", "", "share of the bristle's strain kept while sliding", "1")
                  .or_else("1")
                  .between(0, 1)}
             + friction_keys(),
         {{Rule::Kind::at_most_one, {"stiffness", "foundation"}}}}};
    return s;
}

Section no_contact_format() {
    Section s{"no_contact", "pair", Section::Form::list,
              "Pairs of bodies that pass through each other."};
    s.types = {
        {"", "", "[crank, ball]", {of(Kind::pair, "pair", "the two bodies", "[crank, ball]")}}};
    s.short_key = "pair";
    return s;
}

}  // namespace bristle::io
