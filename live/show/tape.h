// What a simulation tells about itself, in order, to whoever keeps it: the recorder.
#pragma once

#include <bristle/world.h>

#include "live/wire/frame.h"
#include "live/wire/ground.h"
#include "live/wire/input.h"

#include <cstdint>
#include <memory>
#include <string>

namespace bristle::wire {
class Scene;  // protocol.proto
}

namespace bristle::live {

// Called on the simulation's thread: must not wait for anything slow.
class Tape {
  public:
    virtual ~Tape() = default;
    virtual void scene(
        const std::shared_ptr<const wire::Scene>&) = 0;  // at first, and after each change
    virtual void input(const InputAt&) = 0;
    // Inputs from this step on, and states after it, did not happen.
    virtual void rewind(uint64_t to_step) = 0;
    virtual void frame(const Frame&) = 0;  // some 60 a simulated second
    // What may have changed of the ground, before the frame that shows it; at first, what may differ from the scene.
    virtual void ground(GroundNews) {}
    virtual void keyframe(uint64_t step, double time, uint64_t hash, Snapshot) = 0;

    // Why nothing is kept any more; empty if all is well. From any thread.
    virtual std::string trouble() const { return {}; }
    // Nothing follows. Takes its time; throws what went wrong, also before. Not on the simulation's thread.
    virtual void finish() {}
};

}  // namespace bristle::live
