// What a scene looks like from one side, as filled outlines to be drawn one over the other.
#pragma once

#include <bristle/scene.h>

#include <array>
#include <span>
#include <vector>

namespace bristle::report {

struct SeenPart {
    BodyId body;
    std::vector<std::array<double, 2>> outline;  // along `right` and `up`, m
    std::array<int, 3> color{};                  // 0 … 255
    double near = 0;                             // m towards who looks
};

// Of these bodies, by their poses (of all bodies by id): visuals, or where a body has none its shapes; each by its convex
// outline. In the order to be drawn, the farthest first. Who looks has `right` to his right.
std::vector<SeenPart> side_view(const io::Scene&, std::span<const BodyId>,
                                std::span<const Pose> poses, Vec3 right, Vec3 up);

}  // namespace bristle::report
