// Hydraulics of a machine: an engine, a pump, and functions, each a valve with a cylinder or a motor (docs/machines.md).
//
//     Circuit circuit;
//     circuit.functions = {{.name = "boom", .joint = boom_cylinder, .area_a = 0.0227, .area_b = 0.0127, .stroke = 1.2}};
//     const ForceId oil = add_hydraulics(model, circuit);
//     world.command(oil, lever_of(0), 0.5);                       // −1 … 1: a pushes for positive ones
//     const double p = HydraulicsNow(circuit, world.memory(oil)).functions[0].pressure_a;
//
// One stateful force for the whole circuit: all functions drink from one pump. Its unknowns, engine speed, displacement of the pump
// and all pressures, are solved together by Newton's method with the rule of backward Euler, so that no oil is too stiff for a step.
// Pressures are above that of the air.
#pragma once

#include <bristle/model.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bristle::machines {

struct Oil {
    double bulk_modulus = 1.4e9;  // Pa
    double vapour = -0.9e5;       // Pa: where it parts from the piston
};

// Full torque up to the speed that is set, and none from `droop` of it beyond.
struct Engine {
    double power = 140e3;      // W
    double peak_torque = 900;  // N m
    double idle_speed = 84;    // rad/s, at no throttle …
    double rated_speed = 188;  // … and at full
    double droop = 0.08;
    double inertia = 4;          // kg m², with what turns along
    double drag = 50;            // N m at rated speed, in proportion to it: fan, friction
    TimeFunction throttle = {};  // 0 … 1, instead of commands
};

// Of variable displacement: it swivels towards the pressure of the highest load and a margin, not beyond its torque.
struct Pump {
    double max_flow = 360e-3 / 60;  // m³/s, at the engine's rated speed
    double power = 110e3;           // W, at that speed: beyond, it swivels back
    double margin = 20e5;           // Pa, above the load at no flow …
    double band = 6e5;              // … less at full flow
    double lag = 0.06;              // s, of its swivel
    double relief = 350e5;          // Pa
    double relief_slope = 2e-9;     // m³/s per Pa beyond
    double leak = 3e-12;            // m³/s per Pa, of the line
    double line_volume = 3e-3;      // m³, up to the valves
};

// A spool with four edges. Flows are those at full opening and a pressure drop of `drop`.
struct Valve {
    double drop = 14e5;                       // Pa
    double inlet_a = 4e-3, inlet_b = 4e-3;    // m³/s, from the pump
    double outlet_a = 4e-3, outlet_b = 4e-3;  // to the tank
    double regeneration = 0;  // from b into a while a is filled, if b has the higher pressure
    double dead_band = 0.08;  // share of the lever's way
    double lag = 0.04;        // s, of the spool
    double relief_a = 380e5, relief_b = 380e5;  // Pa: of either port, to the tank …
    double relief_slope = 2e-9;                 // … m³/s per Pa beyond
    double suction =
        1e-7;  // m³/s per Pa below the air's: from the tank, where a port would cavitate
};

// A cylinder, or with equal areas (m³/rad) and a stroke that does not count a motor.
struct HydraulicFunction {
    std::string name;
    JointId joint;                        // its coordinate grows when a is filled
    double area_a = 0, area_b = 0;        // m²
    double stroke = 0;                    // m; zero: a motor
    double retracted = 0;                 // the coordinate where the piston is at a's end
    double dead_a = 1e-3, dead_b = 1e-3;  // m³, of hoses and where the piston does not come
    double start_a = 0, start_b = 0;      // Pa: of a load that is held from the start
    double friction = 0;                  // N s/m
    Valve valve;
    TimeFunction lever = {};  // −1 … 1, instead of commands
};

struct Circuit {
    enum class Sharing : unsigned char {
        none,        // where the pump is at its end the lightest load takes what there is
        compensated  // all are slowed alike
    };
    Oil oil;
    Engine engine;
    Pump pump;
    Sharing sharing = Sharing::compensated;
    std::vector<HydraulicFunction> functions;
    int parts = 4;  // of a step, for the oil: it swings less than it should with fewer
    std::string name = "hydraulics";
};

inline constexpr size_t most_functions = 8;
inline constexpr size_t throttle = 0;  // input, 0 … 1; full at the start
constexpr size_t lever_of(size_t function) { return 1 + function; }

// Throws InputError. Stops at the ends of strokes are the user's.
ForceId add_hydraulics(Model&, const Circuit&);
// What a force is, or nothing: as it was added, with the joints that it has now.
std::optional<Circuit> circuit_of(const StatefulForce&);
// The simple choice: every function is a hydraulic drive (docs/elements.md) with the force of its larger piston area under relief
// pressure and the speed of the slower way: of what its valve lets through under the pump's margin. By function, named "hydraulics.boom".
std::vector<DriveId> add_guided_functions(Model&, const Circuit&);

// What a circuit's memory says.
struct HydraulicsNow {
    HydraulicsNow(const Circuit&, std::span<const double> memory);
    struct Function {
        double spool, pressure_a, pressure_b;  // Pa
    };
    double engine_speed;   // rad/s
    double displacement;   // 0 … 1 of the pump's
    double pump_flow;      // m³/s
    double pump_pressure;  // Pa
    std::vector<Function> functions;
};

}  // namespace bristle::machines
