// A scene as the command line wants it.
#pragma once

#include "cli/commands.h"
#include "io/scene/quantities.h"
#include "io/scene/scene.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::cli {

// Reads the scene that is meant, with its parameters, step, duration and solver changed as wished.
io::Scene load(const SceneOptions&, const io::Overrides& overrides);

uint64_t steps_of(const io::Scene&);

// Settings that analyses can work with: those of the augmented Lagrangian where the solver has no equations.
Settings with_equations(const Settings&);

// The quantities of all names, in order.
std::vector<io::Quantity> quantities_of(const Model&, const std::vector<std::string>& names);

void make_folder(const std::filesystem::path&);

}  // namespace bristle::cli
