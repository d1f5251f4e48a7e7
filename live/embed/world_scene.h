// A world of a program as a scene that can be shown and recorded.
#pragma once

#include <bristle/scene.h>

#include "live/record/recorder.h"

#include <memory>

namespace bristle::live {

struct WorldScene {
    std::shared_ptr<const io::Scene> scene;
    Recorder::Origin origin;   // where it begins
    bool begins_anew = false;  // at time zero, for the world's model was changed
};

// With the looks of another scene of the same model, if there is one.
WorldScene scene_of(const World&, const std::string& title, const io::Scene* seen_as = nullptr);

}  // namespace bristle::live
