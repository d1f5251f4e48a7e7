// What of a scene can be simulated and is hardly meant: lengths in millimetres, a ball that falls through the floor, a
// step of five seconds. One sentence each, for `check`, `run` and the page; what is plainly wrong is a mistake and told
// by the reader.
#pragma once

#include <bristle/scene.h>

#include <string>
#include <vector>

namespace bristle::io {

// By the numbers of the scene alone, within a millisecond for a thousand bodies.
std::vector<std::string> oddities(const Scene&);
// How it starts: velocities that joints change. `world` has not made a step.
std::vector<std::string> oddities_of_start(const World& world, const Scene&);

}  // namespace bristle::io
