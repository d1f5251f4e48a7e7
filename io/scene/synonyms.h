// What other programs call a thing, so that somebody who writes their word is told ours.
#pragma once

#include "base/suggest.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::io {

// "; did you mean 'revolute'?": the choice that is spelt nearly so, or means the same; or nothing.
inline std::string meant(std::string_view written, const std::vector<std::string>& choices) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"hinge", "revolute"},
        {"pin", "revolute"},
        {"rotational", "revolute"},
        {"ball", "spherical"},
        {"ball_joint", "spherical"},
        {"ball", "sphere"},
        {"slider", "prismatic"},
        {"slide", "prismatic"},
        {"linear", "prismatic"},
        {"weld", "fixed"},
        {"rigid", "fixed"},
        {"cardan", "universal"},
        {"cube", "box"},
        {"cuboid", "box"},
        {"block", "box"},
        {"disk", "cylinder"},
        {"disc", "cylinder"},
        {"ring", "torus"},
        {"floor", "plane"},
        {"ground", "plane"},
        {"terrain", "height_field"},
        {"heightmap", "height_field"},
        {"hull", "convex"},
        {"polyhedron", "convex"},
        {"damper", "spring"},
        {"torque", "motor"},
        {"velocity", "speed"},
        {"angle", "position"},
        {"servo", "position"},
        {"link", "rod"},
        {"bar", "rod"},
        {"beam", "rod"},
        {"mass", "point"},
        {"world", "ground"},
        // Keys.
        {"r", "radius"},
        {"dimensions", "size"},
        {"weight", "mass"},
        {"pos", "position"},
        {"orientation", "rotation"},
        {"omega", "angular_velocity"},
        {"body", "b"},
        {"child", "b"},
        {"parent", "a"},
        {"max_torque", "max_effort"},
        {"max_force", "max_effort"},
        {"torque", "effort"},
        {"force", "effort"},
        {"lower", "min"},
        {"upper", "max"},
        {"timestep", "step"},
        {"dt", "step"},
        {"rest_length", "free_length"},
        {"val", "value"},
        {"friction", "static_friction"},
        // Sections.
        {"time", "duration"},
        {"name", "title"},
        {"motors", "drives"},
        {"actuators", "drives"},
        {"springs", "forces"},
        {"dampers", "forces"},
        {"step", "solver"},
        {"constraints", "joints"},
        // Units.
        {"sec", "s"},
        {"second", "s"},
        {"seconds", "s"},
        {"minutes", "min"},
        {"metre", "m"},
        {"metres", "m"},
        {"meter", "m"},
        {"meters", "m"},
        {"inch", "in"},
        {"feet", "ft"},
        {"gr", "g"},
        {"pound", "lb"},
        {"pounds", "lb"},
        {"lbs", "lb"},
        {"degree", "deg"},
        {"degrees", "deg"},
        {"radians", "rad"},
        {"newton", "N"}};
    // Before what is only spelt nearly so: a motor is no rotor.
    for (const auto& [theirs, ours] : words)
        if (written == theirs && std::find(choices.begin(), choices.end(), ours) != choices.end())
            return "; did you mean '" + std::string(ours) + "'?";
    return base::suggestion(written, choices);
}

}  // namespace bristle::io
