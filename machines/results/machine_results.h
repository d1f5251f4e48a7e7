// All that a machine is asked for (docs/excavator.md, "Report"), as far as it has the parts.
#pragma once

#include "machines/results/forces.h"
#include "machines/results/lift.h"
#include "machines/results/range.h"
#include "machines/results/work.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bristle::machines {

// The static margin while it swings once around.
struct StabilityCurve {
    std::string stance, arm;            // "wheels"; "stretched out on the ground"
    std::vector<double> swing, margin;  // rad
};

struct ResultsWanted {
    double spacing = 1.5;  // m, of the lift capacities
    // Before each part: its name. False: enough.
    std::function<bool(const char*)> tell = {};
};

struct MachineResults {
    PartsFound parts;
    double mass = 0;  // kg
    std::vector<Stance> stances;
    std::optional<WorkingRange> range;  // on wheels
    std::vector<LiftTable> lift;
    std::vector<ToolForce> forces;
    std::vector<double> pulls;  // N: of every force what a rope feels, with the oil of the model
    std::vector<StabilityCurve> stability;
    std::vector<FunctionTime> times;
    std::vector<Speed> speeds;
    std::optional<Cycle> cycle;
    std::vector<std::string> left_out;  // what, and why
    bool is_complete = true;            // or enough was said
};

// Throws InputError if the model is no such machine at all.
MachineResults machine_results(const Model&, const Settings&, const ResultsWanted& = {});

}  // namespace bristle::machines
