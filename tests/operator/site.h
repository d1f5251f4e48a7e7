// An excavator on a place of its own, and somebody in its seat.
#pragma once

#include <bristle/scene.h>
#include <bristle/world.h>

#include "machines/operator/excavator.h"

#include <fmt/format.h>

#include <string>

namespace bristle::testing_support {

struct Site {
    explicit Site(const std::string& set = {}, const std::string& more = {},
                  const std::string& ground = "shapes: {ground: {type: plane, material: ground}}\n")
        : scene(io::parse_scene(
            fmt::format("include: [{{file: parts/excavator.yaml, set: {{{}}}}}]\n"
                        "solver: {{type: augmented_lagrangian, step: 5e-3}}\n"
                        "materials: {{ground: {{restitution: 0, static_friction: 0.6, "
                        "kinetic_friction: 0.6}}}}\n"
                        "contact_pairs:\n"
                        "  - {{a: steel, b: ground, stiffness: 4e7, restitution: 0, "
                        "static_friction: 0.6, kinetic_friction: 0.6}}\n"
                        "  - {{a: rim, b: ground, stiffness: 2e7, restitution: 0, "
                        "static_friction: 0.6, kinetic_friction: 0.6}}\n"
                        "{}{}",
                        set, ground, more),
            "site", SCENES_FOLDER)),
          world(scene.model, scene.solver),
          excavator(world.model()) {}

    io::Scene scene;
    World world;
    machines::Excavator excavator;
};

}  // namespace bristle::testing_support
