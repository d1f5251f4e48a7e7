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
        {"mass", "point"}};
    if (std::string near = base::suggestion(written, choices); !near.empty()) return near;
    for (const auto& [theirs, ours] : words)
        if (written == theirs && std::find(choices.begin(), choices.end(), ours) != choices.end())
            return "; did you mean '" + std::string(ours) + "'?";
    return {};
}

}  // namespace bristle::io
