// Parts of machines: hydraulics, tyres, drive trains, brakes. They are types of force, so that a file keeps the order of all forces.
#include "io/scene/format_keys.h"
#include "io/scene/machine_fields.h"

#include <fmt/format.h>

namespace bristle::io {

using namespace machines;

template <> std::span<const Field<Oil>> fields_of() {
    static constexpr Field<Oil> fields[] = {
        {"bulk_modulus", &Oil::bulk_modulus, "Pa", Bound::positive, "with air and hoses"},
        {"vapour", &Oil::vapour, "Pa", Bound::any,
         "pressure where it parts from the piston, above that of the air"}};
    return fields;
}
template <> std::span<const Field<Engine>> fields_of() {
    static constexpr Field<Engine> fields[] = {
        {"power", &Engine::power, "W", Bound::positive, "at rated speed"},
        {"peak_torque", &Engine::peak_torque, "N*m", Bound::positive, "below that"},
        {"idle_speed", &Engine::idle_speed, "rad/s", Bound::positive, "at no throttle"},
        {"rated_speed", &Engine::rated_speed, "rad/s", Bound::positive, "at full throttle"},
        {"droop", &Engine::droop, "", Bound::positive,
         "share of its speed beyond, where its torque has fallen to nothing"},
        {"inertia", &Engine::inertia, "kg*m^2", Bound::positive, "with what turns along"},
        {"drag", &Engine::drag, "N*m", Bound::not_negative, "at rated speed: fan, friction"}};
    return fields;
}
template <> std::span<const Field<Pump>> fields_of() {
    static constexpr Field<Pump> fields[] = {
        {"max_flow", &Pump::max_flow, "m^3/s", Bound::positive, "at the engine's rated speed"},
        {"power", &Pump::power, "W", Bound::positive, "beyond which it swivels back"},
        {"margin", &Pump::margin, "Pa", Bound::positive, "above the highest load, at no flow"},
        {"band", &Pump::band, "Pa", Bound::positive, "by how much the margin is less at full flow"},
        {"lag", &Pump::lag, "s", Bound::positive, "of its swivel"},
        {"relief", &Pump::relief, "Pa", Bound::positive, "of its line"},
        {"relief_slope", &Pump::relief_slope, "m^3/s/Pa", Bound::positive, "of the relief valve"},
        {"leak", &Pump::leak, "m^3/s/Pa", Bound::not_negative, "of the line"},
        {"line_volume", &Pump::line_volume, "m^3", Bound::positive, "up to the valves"}};
    return fields;
}
template <> std::span<const Field<Valve>> fields_of() {
    static constexpr Field<Valve> fields[] = {
        {"drop", &Valve::drop, "Pa", Bound::positive, "at which it lets these flows through"},
        {"inlet_a", &Valve::inlet_a, "m^3/s", Bound::not_negative, "from the pump into a"},
        {"inlet_b", &Valve::inlet_b, "m^3/s", Bound::not_negative, "from the pump into b"},
        {"outlet_a", &Valve::outlet_a, "m^3/s", Bound::not_negative, "from a to the tank"},
        {"outlet_b", &Valve::outlet_b, "m^3/s", Bound::not_negative, "from b to the tank"},
        {"regeneration", &Valve::regeneration, "m^3/s", Bound::not_negative,
         "from b into a while a is filled"},
        {"dead_band", &Valve::dead_band, "", Bound::share, "share of the lever's way"},
        {"lag", &Valve::lag, "s", Bound::positive, "of the spool"},
        {"relief_a", &Valve::relief_a, "Pa", Bound::positive, "of a to the tank"},
        {"relief_b", &Valve::relief_b, "Pa", Bound::positive, "of b to the tank"},
        {"relief_slope", &Valve::relief_slope, "m^3/s/Pa", Bound::positive, "of both"},
        {"suction", &Valve::suction, "m^3/s/Pa", Bound::not_negative,
         "from the tank, below the air's pressure"}};
    return fields;
}
template <> std::span<const Field<HydraulicFunction>> fields_of() {
    using F = HydraulicFunction;
    static constexpr Field<F> fields[] = {
        {"area_a", &F::area_a, "m^2 or m^3/rad", Bound::given,
         "that pushes the coordinate up; of a motor what it takes a radian"},
        {"area_b", &F::area_b, "m^2 or m^3/rad", Bound::given, "that pushes it down"},
        {"stroke", &F::stroke, "m", Bound::not_negative, "left out: a motor"},
        {"retracted", &F::retracted, "m", Bound::any, "coordinate where the piston is at a's end"},
        {"dead_a", &F::dead_a, "m^3", Bound::positive, "of hoses, and where the piston stays out"},
        {"dead_b", &F::dead_b, "m^3", Bound::positive, "the same of b"},
        {"start_a", &F::start_a, "Pa", Bound::any, "pressure at the start: of a load that is held"},
        {"start_b", &F::start_b, "Pa", Bound::any, "the same of b"},
        {"friction", &F::friction, "N*s/m or N*m*s/rad", Bound::not_negative, "viscous"}};
    return fields;
}
template <> std::span<const Field<MagicFormula>> fields_of() {
    using F = MagicFormula;
    static constexpr Field<F> fields[] = {
        {"friction", &F::friction, "", Bound::positive, "peak of force over load"},
        {"slip_stiffness", &F::slip_stiffness, "", Bound::positive, "slope at no slip, over load"},
        {"shape", &F::shape, "", Bound::positive, "C of the formula"},
        {"curvature", &F::curvature, "", Bound::any, "E of the formula"}};
    return fields;
}
template <> std::span<const Field<Tyre>> fields_of() {
    static constexpr Field<Tyre> fields[] = {
        {"radius", &Tyre::radius, "m", Bound::positive, "without load"},
        {"stiffness", &Tyre::stiffness, "N/m", Bound::positive, "against the ground"},
        {"damping", &Tyre::damping, "N*s/m", Bound::not_negative, "likewise"},
        {"relaxation_along", &Tyre::relaxation_along, "m", Bound::positive, "length, forwards"},
        {"relaxation_across", &Tyre::relaxation_across, "m", Bound::positive, "sideways"},
        {"calming", &Tyre::calming, "s", Bound::not_negative,
         "damps the tread of a tyre that stands, in shares of its stiffness"},
        {"calm_speed", &Tyre::calm_speed, "m/s", Bound::positive, "up to which it does"},
        {"printed_speed", &Tyre::printed_speed, "m/s", Bound::positive,
         "of half the printed friction"}};
    return fields;
}
template <> std::span<const Field<Range>> fields_of() {
    static constexpr Field<Range> fields[] = {
        {"torque", &Range::torque, "N*m", Bound::given, "of all hubs together"},
        {"speed", &Range::speed, "rad/s", Bound::given, "of the hubs, at most"}};
    return fields;
}
template <> std::span<const Field<Axle>> fields_of() {
    static constexpr Field<Axle> fields[] = {
        {"share", &Axle::share, "", Bound::share, "of the torque; all together are 1"},
        {"lock_preload", &Axle::lock_preload, "N*m", Bound::positive,
         "that both hubs may differ by besides what the road asks"},
        {"lock_share", &Axle::lock_share, "", Bound::not_negative, "and of the torque put in"}};
    return fields;
}
template <> std::span<const Field<DriveTrain>> fields_of() {
    using F = DriveTrain;
    static constexpr Field<F> fields[] = {
        {"power", &F::power, "W", Bound::positive, "of the source"},
        {"retarding", &F::retarding, "N*m", Bound::not_negative,
         "of all hubs at the range's speed, with the pedal let go"},
        {"service_torque", &F::service_torque, "N*m", Bound::positive, "of a hub, at full brake"},
        {"parking_torque", &F::parking_torque, "N*m", Bound::positive, "of a hub"},
        {"brake_windup", &F::brake_windup, "rad", Bound::positive,
         "of pads, shafts and carriers where brakes give way"},
        {"brake_calming", &F::brake_calming, "s", Bound::not_negative,
         "damps them, in shares of their stiffness"},
        {"lock_windup", &F::lock_windup, "rad", Bound::positive, "of the locks"},
        {"start_range", &F::start_range, "", Bound::not_negative, "0: neutral; 1 is the first"},
        {"start_parked", &F::start_parked, "", Bound::share, "parking brake, 0 … 1"}};
    return fields;
}
template <> std::span<const Field<Brake>> fields_of() {
    static constexpr Field<Brake> fields[] = {
        {"effort", &Brake::effort, "N or N*m", Bound::given, "that it holds when it is set"},
        {"windup", &Brake::windup, "m or rad", Bound::positive, "at which it gives way"},
        {"calming", &Brake::calming, "s", Bound::not_negative,
         "damps it, in shares of its stiffness"},
        {"start", &Brake::start, "", Bound::share, "how it is set at the start, 0 … 1"}};
    return fields;
}

std::string unit_on(const char* unit, bool turns) {
    const std::string_view all = unit;
    const size_t at = all.find(" or ");
    if (at == std::string_view::npos) return unit;
    return std::string(turns ? all.substr(at + 4) : all.substr(0, at));
}

namespace {

// The keys of a part's numbers; what they are if they are left out is told by the part itself.
template <class Part> Keys keys_of() {
    const Part usual{};
    Keys keys;
    for (const Field<Part>& f : fields_of<Part>()) {
        const std::string value = fmt::format("{}", usual.*f.value);
        Key key = number(f.name, f.unit, f.about, value);
        switch (f.bound) {
            case Bound::given: keys.push_back(key.positive()); continue;
            case Bound::positive: key = key.positive(); break;
            case Bound::not_negative: key = key.at_least(0); break;
            case Bound::share: key = key.between(0, 1); break;
            case Bound::any: break;
        }
        keys.push_back(key.or_else(value));
    }
    return keys;
}

template <class Part> Section part_of(const char* name, const char* about) {
    Section s{name, name, Section::Form::one, about};
    s.types = {{"", "", "{}", keys_of<Part>()}};
    return s;
}

Key nested(const char* name, const char* section, const char* about, const char* example) {
    Key key = in(section, about, example);
    key.name = name;
    return key;
}

Key commanded(const char* name, const char* about, const char* example) {
    return of(Kind::function, name, std::string(about) + "; left out: commanded", example)
        .optional();
}

Section oil_format() {
    Section s = part_of<Oil>("oil", "Of a circuit.");
    s.types[0].example = "{bulk_modulus: 1.4e9}";
    return s;
}
Section engine_format() {
    Section s = part_of<Engine>("engine", "Of a circuit: full torque up to the speed that is set.");
    s.types[0].example = "{power: 140 kW, rated_speed: 1800 rpm}";
    s.types[0].keys.push_back(commanded("throttle", "of time, 0 … 1", "1"));
    return s;
}
Section pump_format() {
    Section s =
        part_of<Pump>("pump", "Of a circuit: of variable displacement, by the highest load.");
    s.types[0].example = "{max_flow: 0.006, relief: 350 bar}";
    return s;
}
Section valve_format() {
    Section s = part_of<Valve>(
        "valve", "Of a function: a spool with four edges, and their flows fully open.");
    s.types[0].example = "{inlet_a: 0.004, outlet_b: 0.003}";
    return s;
}

Section functions_format() {
    Section s{"functions", "function", Section::Form::named,
              "Of a circuit: cylinders, and motors in joints that turn. Their names are those of "
              "their levers."};
    s.types = {
        {"", "", "{joint: slide, area_a: 0.0227, area_b: 0.0127, stroke: 1.2}",
         Keys{of(Kind::joint, "joint", "its coordinate grows when a is filled", "A")}
             + keys_of<HydraulicFunction>()
             + Keys{nested("valve", "valve", "between pump, function and tank", "{inlet_a: 0.004}"),
                    commanded("lever", "of time, −1 … 1", "sin(t)")}}};
    return s;
}

Type hydraulics_format() {
    Key sharing = word("sharing", {"none", "compensated"},
                       "where the pump is at its end the lightest load takes what there is, or all "
                       "are slowed alike");
    sharing.fallback = "compensated";
    Type type = {
        "hydraulics",
        "an engine, a pump and all that drinks from it: see [machines](machines.md#hydraulics)",
        "{type: hydraulics, functions: {boom: {joint: slide, area_a: 0.0227, area_b: 0.0127, "
        "stroke: 1.2}}}",
        {of(Kind::integer, "guided",
            "1: every function is a hydraulic drive of its own instead, called after both", "1")
             .or_else("0")
             .between(0, 1),
         nested("engine", "engine", "that turns the pump", "{power: 140 kW}"),
         nested("pump", "pump", "of all functions", "{relief: 350 bar}"),
         nested("oil", "oil", "in all of it", "{bulk_modulus: 1.4e9}"), sharing,
         of(Kind::integer, "parts", "of a step, for the oil", "8")
             .or_else(fmt::format("{}", Circuit{}.parts))
             .between(1, 1000),
         of(Kind::section, "functions", "what drinks from the pump",
            "{boom: {joint: slide, area_a: 0.0227, area_b: 0.0127, stroke: 1.2}}")}};
    type.keys.back().section = "functions";
    return type;
}

Section magic_formula_format() {
    Section s = part_of<MagicFormula>(
        "magic_formula", "D sin(C atan(B s − E (B s − atan B s))) of a tyre's slip s.");
    s.types[0].example = "{friction: 0.9}";
    return s;
}

Type tyre_format() {
    return {
        "tyre",
        "of a wheel on scenery: see [machines](machines.md#tyres). The wheel's own shape, if it "
        "has one, "
        "must leave scenery out",
        "{type: tyre, wheel: crank, radius: 0.5}",
        Keys{of(Kind::body, "wheel", "that it is on", "crank"),
             of(Kind::axis, "axle", "about which it turns, in the wheel's frame", "y").or_else("y")}
            + keys_of<Tyre>()
            + Keys{nested("along", "magic_formula", "forwards", "{friction: 0.9}"),
                   nested("across", "magic_formula",
                          "sideways. Default: {friction: 0.8, slip_stiffness: 9, shape: 1.3, "
                          "curvature: -0.8}",
                          "{friction: 0.9}"),
                   word("tangential", {"magic_formula", "printed"},
                        "how it holds along the ground; printed: LUA (4.9), which creeps"),
                   of(Kind::values, "grip", "share of friction on materials of the ground",
                      "{steel: 0.4}")
                       .optional()}};
}

Section ranges_format() {
    Section s{"ranges", "range", Section::Form::list, "Of a drive train, from the slowest."};
    s.types = {{"", "", "{torque: 60e3, speed: 5}", keys_of<Range>()}};
    for (Key& key : s.types[0].keys) key.example = key.name == "speed" ? "5" : "60e3";
    return s;
}

Section axles_format() {
    Section s{"axles", "axle", Section::Form::list,
              "Of a drive train. The coordinates of their hubs grow forwards."};
    s.types = {{"", "", "{left: A, right: B}",
                Keys{of(Kind::joint, "left", "hub", "A"), of(Kind::joint, "right", "hub", "B")}
                    + keys_of<Axle>()}};
    return s;
}

Type drive_train_format() {
    Type type = {"drive_train",
                 "what turns wheels, and stops them: see [machines](machines.md#drive-train)",
                 "{type: drive_train, axles: [{left: A, right: B}]}",
                 Keys{of(Kind::section, "axles", "that it drives", "[{left: A, right: B}]"),
                      nested("ranges", "ranges",
                             "left out: 60 kN m up to 5 rad/s and 20 kN m up to 17 rad/s",
                             "[{torque: 60e3, speed: 5}]")}
                     + keys_of<DriveTrain>()
                     + Keys{commanded("pedal", "of time, −1 … 1", "0.5"),
                            commanded("range", "of time; 0: neutral", "2"),
                            commanded("service_brake", "of time, 0 … 1", "0.5"),
                            commanded("parking_brake", "of time, 0 … 1", "1")}};
    type.keys.front().section = "axles";
    return type;
}

Type brake_format() {
    return {"brake", "in a joint, set by a lever: see [machines](machines.md#brakes)",
            "{type: brake, joint: A, effort: 20e3}",
            Keys{of(Kind::joint, "joint", "that it holds", "A")} + keys_of<Brake>()
                + Keys{commanded("lever", "of time, 0 … 1", "1")}};
}

}  // namespace

std::vector<Section> machine_sections() {
    return {engine_format(), pump_format(),          oil_format(),   functions_format(),
            valve_format(),  magic_formula_format(), axles_format(), ranges_format()};
}
std::vector<Type> machine_types() {
    return {hydraulics_format(), tyre_format(), drive_train_format(), brake_format()};
}

}  // namespace bristle::io
