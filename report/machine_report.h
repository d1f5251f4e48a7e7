// What a machine can do, as a page and as tables.
#pragma once

#include <bristle/scene.h>

#include "machines/results/machine_results.h"
#include "report/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace bristle::report {

// The arm's range with the machine in it; lift capacities, forces, margins, times, fuel.
Report machine_report(const io::Scene&, const machines::MachineResults&, const machines::Fuel&);

// Each table as a CSV file NAME-… in the folder; their paths.
std::vector<std::filesystem::path> write_machine_tables(const std::filesystem::path& folder,
                                                        const std::string& name,
                                                        const machines::MachineResults&);

// "4.13 *", in t, or "–" where the arm does not come; an asterisk where hydraulics limit it.
std::string lift_text(const machines::LiftCapacity&);

}  // namespace bristle::report
