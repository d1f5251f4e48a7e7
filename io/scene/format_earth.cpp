// Earth: soils, patches of the ground that can be dug, and what of machines digs, carries and presses it.
#include "io/scene/format_keys.h"
#include "io/scene/machine_fields.h"
#include "machines/earth/earth.h"

#include <fmt/format.h>

namespace bristle::io {

using namespace machines;

template <> std::span<const Field<Soil>> fields_of() {
    static constexpr Field<Soil> fields[] = {
        {"density", &Soil::density, "kg/m^3", Bound::positive, "as it lies undisturbed"},
        {"swell", &Soil::swell, "", Bound::not_negative, "loose volume over that, less one"},
        {"compaction", &Soil::compaction, "", Bound::share,
         "volume over that, once it is pressed as far as it goes"},
        {"cohesion", &Soil::cohesion, "Pa", Bound::not_negative, "c of c + σ tan φ"},
        {"friction_angle", &Soil::friction_angle, "rad", Bound::not_negative, "φ of it"},
        {"adhesion", &Soil::adhesion, "Pa", Bound::not_negative, "to steel"},
        {"steel_friction_angle", &Soil::steel_friction_angle, "rad", Bound::not_negative,
         "along steel"},
        {"repose", &Soil::repose, "rad", Bound::positive, "angle of a heap"},
        {"standing_angle", &Soil::standing_angle, "rad", Bound::positive,
         "of a bank that was cut; not below repose"},
        {"carry_cohesive", &Soil::carry_cohesive, any_unit, Bound::not_negative,
         "k_c of Bekker's p = (k_c/b + k_φ) zⁿ, N/m^(n+1)"},
        {"carry_frictional", &Soil::carry_frictional, any_unit, Bound::positive,
         "k_φ of it, N/m^(n+2)"},
        {"carry_exponent", &Soil::carry_exponent, "", Bound::positive, "n of it"},
        {"stiffness", &Soil::stiffness, "N/m", Bound::positive,
         "with which it gives way to a tool before it fails"},
        {"printed_along", &Soil::printed_along, "", Bound::not_negative, "μ_dig of LUA (3.23)"},
        {"printed_across", &Soil::printed_across, any_unit, Bound::not_negative,
         "μ_cp of it, N s/m^(n+1)"},
        {"printed_empty", &Soil::printed_empty, any_unit, Bound::not_negative,
         "σ₁ of it, N s/m^(n+1)"},
        {"printed_load", &Soil::printed_load, any_unit, Bound::not_negative,
         "σ₂ of it, N s/m^(n+1+3m)"},
        {"printed_load_power", &Soil::printed_load_power, "", Bound::not_negative, "m of it"},
        {"printed_depth_power", &Soil::printed_depth_power, "", Bound::positive, "n of it"}};
    return fields;
}

namespace {

Section soils_format() {
    Section s{"soils", "soil", Section::Form::named,
              "Of earth: what differs from one of the four there are. What is left out is that "
              "one's."};
    Keys keys = {word("like", {"loam", "sand", "clay", "gravel"}, "which of them it is like")};
    const Soil usual = loam();
    for (const Field<Soil>& f : fields_of<Soil>()) {
        Key key = number(f.name, f.unit, f.about, fmt::format("{:.4g}", usual.*f.value)).optional();
        switch (f.bound) {
            case Bound::given:
            case Bound::positive: key = key.positive(); break;
            case Bound::not_negative: key = key.at_least(0); break;
            case Bound::share: key = key.between(0, 1); break;
            case Bound::any: break;
        }
        keys.push_back(key);
    }
    keys.push_back(word("digging", {"earthmoving", "printed"},
                        "how a bucket is resisted: by the fundamental equation of earthmoving, or "
                        "by LUA (3.23)"));
    s.types = {{"", "", "{like: clay, density: 1950}", std::move(keys)}};
    return s;
}

Section patches_format() {
    Section s{"patches", "patch", Section::Form::list,
              "Of earth: height fields of the ground, upright, that can be dug."};
    s.types = {{"",
                "",
                "{shape: field, soil: sand}",
                {of(Kind::shape, "shape", "a height field on the ground", "field"),
                 of(Kind::soil, "soil", "it is of", "sand").or_else("loam")}}};
    return s;
}

const std::string bucket_example =
    "{body: crank, hull: [[0, -0.5, 0], [1, -0.5, 0], [0, -0.5, 0.8], [0, 0.5, 0], [1, 0.5, 0], "
    "[0, 0.5, 0.8]], edge_left: [1, 0.5, 0], edge_right: [1, -0.5, 0], digging: x, inside: [[1, 0, "
    "0], [0, 0, 0.1], [0, 0, 0.8]]}";

Section buckets_format() {
    Section s{"buckets", "bucket", Section::Form::named,
              "Of earth: what digs and holds it. All points are in the body's frame."};
    s.types = {
        {"",
         "",
         bucket_example,
         {of(Kind::body, "body", "it is on", "crank"),
          of(Kind::points, "hull", "what goes through the soil: their convex hull",
             "[[0, -0.5, 0], [1, -0.5, 0], [0, -0.5, 0.8], [0, 0.5, 0], [1, 0.5, 0], [0, 0.5, "
             "0.8]]"),
          vector("edge_left", "m", "one end of the cutting edge", "[1, 0.5, 0]"),
          vector("edge_right", "m", "its other end", "[1, -0.5, 0]"),
          of(Kind::axis, "digging", "along its floor, out over the edge", "x"),
          of(Kind::points, "inside", "from the edge along floor and back to the rim, both included",
             "[[1, 0, 0], [0, 0, 0.1], [0, 0, 0.8]]"),
          number("edge_thickness", "m", "of teeth or lip", "0.04").or_else("0.03").positive()}}};
    return s;
}

Section beds_format() {
    Section s{"beds", "bed", Section::Form::named,
              "Of earth: containers that are loaded, such as a truck's."};
    s.types = {
        {"",
         "",
         "{body: plate, low: [-2, -1, 0], high: [2, 1, 0.8]}",
         {of(Kind::body, "body", "it is on", "plate").or_else("ground"),
          vector("low", "m", "a corner of its floor, in the body's frame", "[-2, -1, 0]"),
          vector("high", "m", "the opposite corner, at the top of its sides", "[2, 1, 0.8]"),
          number("tail_angle", "rad", "leaning so far to −x it empties over that side", "20 deg")
              .or_else("0.35")
              .positive()}}};
    return s;
}

Section rollers_format() {
    Section s{"rollers", "roller", Section::Form::list,
              "Of earth: wheels that press it and leave ruts."};
    s.types = {{"",
                "",
                "{tyre: front tyre, width: 0.5}",
                {of(Kind::force, "tyre", "of the wheel", "front tyre"),
                 number("width", "m", "of the tread", "0.5").or_else("0.4").positive()}}};
    return s;
}

Section feet_format() {
    Section s{"feet", "foot", Section::Form::list,
              "Of earth: plates that stand on it or are pushed against it."};
    s.types = {{"",
                "",
                "{body: plate, length: 0.4, width: 0.3}",
                {of(Kind::body, "body", "it is on, whose shape touches the ground", "plate"),
                 vector("center", "m", "of its underside, in the body's frame", "[0, 0, -0.05]")
                     .or_else("[0, 0, 0]"),
                 number("length", "m", "along the body's x", "0.4").or_else("0.5").positive(),
                 number("width", "m", "along its y", "0.3").or_else("0.5").positive()}}};
    return s;
}

Section spare_format() {
    const Earth usual;
    const auto value = [](const auto& v) { return fmt::format("{}", v); };
    Section s{"spare", "spare", Section::Form::one,
              "Of earth: patches that are laid where material lands on other scenery."};
    s.types = {{"",
                "",
                "{patches: 4, soil: sand}",
                {of(Kind::integer, "patches", "how many there may be", "4")
                     .or_else(value(usual.spare_patches))
                     .between(0, 1000),
                 of(Kind::integer, "points", "of each, along a side", "41")
                     .or_else(value(usual.spare_points))
                     .between(3, 2000),
                 number("spacing", "m", "of their points", "0.1")
                     .or_else(value(usual.spare_spacing))
                     .positive(),
                 of(Kind::soil, "soil", "of what is dumped there", "sand").or_else("loam"),
                 of(Kind::material, "material", "it is made of", "steel").or_else("default")}}};
    return s;
}

Section earth_format() {
    const Earth usual;
    Section s{
        "earth", "earth", Section::Form::one,
        "Ground that is dug, carried, dumped and driven on: see [earth](earth.md). Files that "
        "are included add to it; without `patches` in any file nothing of it is made, so that "
        "a machine can stand on a floor, too."};
    s.types = {
        {"",
         "",
         "{seed: 3, looks: 2000}",
         {in("soils", "besides sand, loam, clay, gravel", "{mud: {like: clay, density: 1950}}"),
          in("patches", "what can be dug", "[{shape: field, soil: sand}]"),
          in("buckets", "what digs", "{bucket: " + bucket_example + "}"),
          in("beds", "what is loaded", "{bed: {body: plate, low: [-2, -1, 0], high: [2, 1, 0.8]}}"),
          in("rollers", "wheels", "[{tyre: front tyre}]"), in("feet", "plates", "[{body: plate}]"),
          in("spare", "patches laid where material lands", "{patches: 4, soil: sand}"),
          of(Kind::integer, "seed", "of what scatters", "3")
              .or_else(fmt::format("{}", usual.seed))
              .between(0, 0xffffffffu),
          of(Kind::integer, "looks", "at triangles that may slide, a patch and step", "2000")
              .or_else(fmt::format("{}", usual.looks))
              .between(1, 10'000'000)}}};
    return s;
}

}  // namespace

std::vector<Section> earth_sections() {
    return {earth_format(), soils_format(),   patches_format(), buckets_format(),
            beds_format(),  rollers_format(), feet_format(),    spare_format()};
}

}  // namespace bristle::io
