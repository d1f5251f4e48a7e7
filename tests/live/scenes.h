// Small scenes for tests of live sessions.
#pragma once

#include <bristle/scene.h>

namespace bristle::live {

// A pendulum that a motor can turn, a block on the floor, a cart with a drive.
inline io::Scene workshop() {
    return io::parse_scene(R"(
bodies:
  arm: {type: rod, from: [0, 0, 2], to: [1, 0, 2], mass: 2}
  block: {type: box, size: [0.4, 0.3, 0.2], mass: 5, position: [3, 0, 0.1]}
  cart: {type: box, size: [0.5, 0.5, 0.5], mass: 3, position: [-2, 0, 1]}
shapes:
  floor: {type: plane}
  block: {type: box, body: block, size: [0.4, 0.3, 0.2]}
joints:
  pin: {type: revolute, b: arm, at: [0, 0, 2], axis: y}
  rail: {type: prismatic, b: cart, at: [-2, 0, 1], axis: x}
drives:
  push: {joint: rail, control: speed}
forces:
  wind: {type: motor, joint: pin}
solver: {step: 2 ms}
)",
                           "workshop");
}

}  // namespace bristle::live
