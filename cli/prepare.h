// A scene as the command line wants it.
#pragma once

#include <bristle/scene.h>

#include "cli/commands.h"
#include "io/scene/quantities.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bristle::cli {

// A page may ask for less than who sits at the machine: its parameters decide how often loops turn.
enum class AskedBy : uint8_t { command_line, page };
// Reads the scene that is meant, with its parameters, step, duration and solver changed as wished. Says how far it is if that
// takes long. Throws InputError if the machine has no memory for it.
io::Scene load(const SceneOptions&, const io::Overrides& overrides,
               AskedBy = AskedBy::command_line);

uint64_t steps_of(const io::Scene&);

// Settings that analyses can work with: those of the augmented Lagrangian where the solver has no equations.
Settings with_equations(const Settings&);

// The quantities of all names, in order.
std::vector<io::Quantity> quantities_of(const Model&, const std::vector<std::string>& names);

void make_folder(const std::filesystem::path&);

// ---- Words of the command line --------------------------------------------------------------------

// `name=value`, each. Throws InputError.
std::vector<std::pair<std::string, std::string>> assignments_in(const std::vector<std::string>&);
// The same as the reader wants them: the last one of a name counts.
io::Overrides overrides_in(const std::vector<std::string>& assignments);

// What to say where a command was expected.
std::string no_such_command(const std::string& written, const std::vector<std::string>& commands);

// "a, b.point(1, 2, 3)" at the commas that are not in brackets.
std::vector<std::string> names_in(const std::string& list);

}  // namespace bristle::cli
