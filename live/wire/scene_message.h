// What a viewer needs to know to draw and steer a scene.
//
// What has no shape is sketched from its inertia and its joints (io/sketch.h).
#pragma once

#include <bristle/scene.h>

#include "live/wire/protocol.pb.h"

namespace bristle::live {

// `model` is the scene's, or what it has become; bodies stand where it says.
wire::Scene scene_message(const io::Scene&, const Model& model, uint32_t revision);

}  // namespace bristle::live
