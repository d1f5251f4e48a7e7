// The world as Python holds it.
//
// Long calls give up the interpreter's lock, so other threads could reach the world in the middle of a step,
// and so could a Python force. Both are refused: `idle` is the only way to the world.
//
// `poses` and `twists` are arrays of the handle, not of the world: a change of the model may move the world's,
// and an array that Python still holds must stay in memory. After every step the arrays that somebody holds
// are written again, so they always show the present.
#pragma once

#include <bristle/scene.h>

#include "python/casters.h"

#include <memory>
#include <vector>

namespace bristle::python {

class WorldHandle {
  public:
    explicit WorldHandle(World world, std::shared_ptr<const io::Scene> seen_as = {})
        : world_(std::move(world)), seen_as_(std::move(seen_as)) {}

    // The scene it was made of, for its colours and visuals; or nothing.
    const std::shared_ptr<const io::Scene>& seen_as() const { return seen_as_; }

    // Nobody else reaches the world while this lives.
    class Busy {
      public:
        explicit Busy(const WorldHandle& handle) : handle_(handle) {
            handle.idle();
            handle.is_busy_ = true;
        }
        ~Busy() { handle_.is_busy_ = false; }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;
        const World& world() const { return handle_.world_; }

      private:
        const WorldHandle& handle_;
    };

    const World& idle() const;

    void step();
    // Stops for Ctrl-C within a few milliseconds, after a whole step.
    void advance_to(double time, const py::object& each_step, const py::object& self);
    // Runs something long that may call back; the arrays follow.
    template <class Work> auto run(const Work& work);

    py::array poses();
    py::array twists();
    void refresh();

    // A world, with a UserWarning for every body that its joints do not let start as it was given.
    static WorldHandle with_warnings(const Model&, const Settings&,
                                     std::shared_ptr<const io::Scene> seen_as = {});

  private:
    World world_;
    std::shared_ptr<const io::Scene> seen_as_;
    mutable bool is_busy_ = false;  // written and read only with the lock
    std::shared_ptr<std::vector<Pose>> poses_;
    std::shared_ptr<std::vector<Twist>> twists_;
};

template <class Work> auto WorldHandle::run(const Work& work) {
    struct Refresh {
        WorldHandle& world;
        ~Refresh() { world.refresh(); }
    } refresh{*this};
    const Busy busy(*this);
    const Unlocked unlocked;
    return work(world_);
}

}  // namespace bristle::python
