// `bristle excavator report`: what a machine can do, computed from its scene.
#pragma once

#include "cli/commands.h"

#include <string>

namespace bristle::cli {

struct ExcavatorReportOptions : SceneOptions {
    std::string out = "out";
    double spacing = 1.5;      // m, of the lift capacities
    double consumption = 220;  // g/kWh, of the engine
    double density = 835;      // kg/m³, of its fuel
    bool json = false, quiet = false;
};
int excavator_report(const ExcavatorReportOptions&);

}  // namespace bristle::cli
