#include "machines/parts/hydraulics.h"

#include <bristle/error.h>

#include "machines/parts/circuit_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

void check(const Circuit& c) {
    const auto fail = [](const std::string& what) { throw InputError("hydraulics: " + what); };
    const auto positive = [&](const std::string& name, double value) {
        if (!(value > 0) || !std::isfinite(value))
            fail(fmt::format("{} is {}; it must be positive and finite", name, value));
    };
    const auto not_negative = [&](const std::string& name, double value) {
        if (!(value >= 0) || !std::isfinite(value))
            fail(fmt::format("{} is {}; it must be finite and not negative", name, value));
    };
    positive("oil.bulk_modulus", c.oil.bulk_modulus);
    if (!(c.oil.vapour <= 0) || !std::isfinite(c.oil.vapour))
        fail(fmt::format("oil.vapour is {}; it must be finite and below zero", c.oil.vapour));
    const std::pair<const char*, double> numbers[] = {{"engine.power", c.engine.power},
                                                      {"engine.peak_torque", c.engine.peak_torque},
                                                      {"engine.idle_speed", c.engine.idle_speed},
                                                      {"engine.rated_speed", c.engine.rated_speed},
                                                      {"engine.droop", c.engine.droop},
                                                      {"engine.inertia", c.engine.inertia},
                                                      {"engine.drag", c.engine.drag},
                                                      {"pump.max_flow", c.pump.max_flow},
                                                      {"pump.power", c.pump.power},
                                                      {"pump.margin", c.pump.margin},
                                                      {"pump.band", c.pump.band},
                                                      {"pump.lag", c.pump.lag},
                                                      {"pump.relief", c.pump.relief},
                                                      {"pump.relief_slope", c.pump.relief_slope},
                                                      {"pump.line_volume", c.pump.line_volume}};
    for (const auto& [name, value] : numbers) positive(name, value);
    not_negative("pump.leak", c.pump.leak);
    if (c.engine.idle_speed > c.engine.rated_speed)
        fail(fmt::format("engine.idle_speed is {}, above engine.rated_speed, which is {}",
                         c.engine.idle_speed, c.engine.rated_speed));
    if (c.parts < 1) fail("a step has at least one part");
    if (c.functions.empty() || c.functions.size() > most_functions)
        fail(fmt::format("there are {} functions; a circuit has 1 to {}", c.functions.size(),
                         most_functions));
    for (const HydraulicFunction& f : c.functions) {
        const std::string of = "'" + f.name + "' ";
        const Valve& v = f.valve;
        const std::pair<const char*, double> sizes[] = {
            {"area_a", f.area_a}, {"area_b", f.area_b},   {"dead_a", f.dead_a},
            {"dead_b", f.dead_b}, {"valve.drop", v.drop}, {"valve.lag", v.lag}};
        for (const auto& [name, value] : sizes) positive(of + name, value);
        const std::pair<const char*, double> others[] = {{"stroke", f.stroke},
                                                         {"friction", f.friction},
                                                         {"valve.inlet_a", v.inlet_a},
                                                         {"valve.inlet_b", v.inlet_b},
                                                         {"valve.outlet_a", v.outlet_a},
                                                         {"valve.outlet_b", v.outlet_b},
                                                         {"valve.regeneration", v.regeneration},
                                                         {"valve.relief_a", v.relief_a},
                                                         {"valve.relief_b", v.relief_b},
                                                         {"valve.relief_slope", v.relief_slope},
                                                         {"valve.suction", v.suction}};
        for (const auto& [name, value] : others) not_negative(of + name, value);
        if (!(v.dead_band >= 0 && v.dead_band < 1))
            fail(of + fmt::format("valve.dead_band is {}; it is between 0 and 1", v.dead_band));
        if (!std::isfinite(f.retracted))
            fail(of + fmt::format("retracted is {}; it must be finite", f.retracted));
        for (const auto& [name, value] : {std::pair{"start_a", f.start_a}, {"start_b", f.start_b}})
            if (!(value > -c.oil.bulk_modulus) || !std::isfinite(value))
                fail(of
                     + fmt::format("{} is {}; no oil at all would be {}", name, value,
                                   -c.oil.bulk_modulus));
        if (f.stroke == 0 && f.area_a != f.area_b)
            fail(of
                 + fmt::format("area_b is {}; without a stroke it is a motor, and takes as much as "
                               "it gives: {}",
                               f.area_b, f.area_a));
    }
}

}  // namespace

ForceId add_hydraulics(Model& model, const Circuit& circuit) {
    check(circuit);
    StatefulForce force{.law = std::make_shared<CircuitLaw>(circuit),
                        .joints = {},
                        .points = {},
                        .name = circuit.name,
                        .inputs = {circuit.engine.throttle}};
    for (const HydraulicFunction& f : circuit.functions) force.inputs.push_back(f.lever);
    for (const HydraulicFunction& f : circuit.functions) force.joints.push_back(f.joint);
    return model.add(std::move(force));
}

std::optional<Circuit> circuit_of(const StatefulForce& force) {
    const auto* law = dynamic_cast<const CircuitLaw*>(force.law.get());
    if (law == nullptr) return {};
    Circuit circuit = law->circuit();
    for (size_t i = 0; i < circuit.functions.size(); ++i)
        circuit.functions[i].joint = force.joints[i];
    circuit.name = force.name;
    return circuit;
}

namespace {

// Through a valve fully open, by the pump's margin: Q²/inlet² · drop = margin − band Q/Q_max.
double flow_alone(const Circuit& c, double inlet, double drop) {
    if (inlet == 0) return 0;
    const double square = drop / (inlet * inlet), linear = c.pump.band / c.pump.max_flow;
    const double flow =
        (std::sqrt(linear * linear + 4 * square * c.pump.margin) - linear) / (2 * square);
    return std::min(flow, c.pump.max_flow);
}

}  // namespace

std::vector<DriveId> add_guided_functions(Model& model, const Circuit& circuit) {
    check(circuit);
    std::vector<DriveId> out;
    for (const HydraulicFunction& f : circuit.functions) {
        const double flow_a = flow_alone(circuit, f.valve.inlet_a, f.valve.drop),
                     flow_b = flow_alone(circuit, f.valve.inlet_b, f.valve.drop);
        out.push_back(
            model.add(Drive{.joint = f.joint,
                            .control = Drive::Control::hydraulic,
                            .target = f.lever,
                            .max_effort = circuit.pump.relief * std::max(f.area_a, f.area_b),
                            .max_speed = std::min(flow_a / f.area_a, flow_b / f.area_b),
                            .name = circuit.name + "." + f.name}));
    }
    return out;
}

HydraulicsNow::HydraulicsNow(const Circuit& c, std::span<const double> memory)
    : engine_speed(memory[engine_unknown]),
      displacement(memory[swivel_unknown]),
      pump_flow(c.pump.max_flow * displacement * engine_speed / c.engine.rated_speed),
      pump_pressure(real_pressure(c.oil, memory[line_unknown])) {
    for (size_t i = 0; i < c.functions.size(); ++i)
        functions.push_back({memory[spool_of(c.functions.size(), i)],
                             real_pressure(c.oil, memory[a_unknown(i)]),
                             real_pressure(c.oil, memory[b_unknown(i)])});
}

}  // namespace bristle::machines
