// What of a scene can be simulated and is hardly meant: lengths in millimetres, a ball that falls through the floor, a
// step of five seconds. One sentence each, for `check`, `run` and the page; what is plainly wrong is a mistake and told
// by the reader.
#pragma once

#include <bristle/scene.h>

#include <string>
#include <vector>

namespace bristle::io {

// rad: torques do next to nothing under the augmented Lagrangian on what turns further in a step (docs/formulation.md).
inline constexpr double furthest_turn = 2.5;

// Each with its place in front, `file:line:column: warning: `, if it is of an object that is written in a file.
// By the numbers of the scene alone, within a millisecond for a thousand bodies.
std::vector<std::string> oddities(const Scene&);
// How it starts: velocities that joints change. `world` has not made a step.
std::vector<std::string> oddities_of_start(const World& world, const Scene&);
// The same for who reads lines: what has no place is told of `file`.
std::string as_warning(const std::string& file, const std::string& odd);

}  // namespace bristle::io
