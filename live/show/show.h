// Something with a time that can be shown: a simulation, or a recording of one. A Session runs it at the
// clock's pace; without one it runs as fast as it can (`bristle record`). One thread at a time.
#pragma once

#include <bristle/error.h>

#include "live/show/past.h"
#include "live/show/tape.h"
#include "live/wire/frame.h"
#include "live/wire/ground.h"
#include "live/wire/input.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bristle::wire {
class Scene;  // protocol.proto
}

namespace bristle::live {

// What somebody looks at: it costs time, so it is only computed if asked for.
struct Looks {
    bool reactions = false;  // of joints, and tensions of springs
    bool contours = false;   // of patches
    bool volumes = false;    // that solids share
    bool operator==(const Looks&) const = default;
    Looks& operator|=(const Looks& o) {
        return *this = {reactions || o.reactions, contours || o.contours, volumes || o.volumes};
    }
};
struct Wishes {
    std::vector<std::string> quantities;  // names as in io/scene/quantities.h, one number each
    Looks looks;
    uint32_t number = 0;  // of this list: frames say which one they answer
};

// What the solver had to do, for those who watch.
struct SolverStatistics {
    uint64_t impact_steps = 0, rough_steps = 0, held_steps = 0;
    std::string last_rough;
};

struct Stopped : SimulationError {
    using SimulationError::SimulationError;
};

// Values of quantities at times, s: all of the first time, all of the second, …
struct Curves {
    std::vector<double> times, values;
};

class Show {
  public:
    virtual ~Show() = default;

    virtual double step_length() const = 0;  // s
    virtual double time() const = 0;
    virtual uint64_t step() const = 0;
    // What can be gone to: from the start to the latest there ever was (a simulation can go beyond).
    virtual double first_time() const = 0;
    virtual double last_time() const = 0;

    // One step. False at the end of a recording; throws SimulationError if it cannot go on.
    virtual bool advance() = 0;
    // To the step nearest to that time, within what there is. A simulation computes again from a keyframe
    // with the same inputs, so it comes to the same bits.
    virtual void go_to(double time) = 0;
    // From now on. Throws InputError, and then nothing has happened. What was ahead is forgotten.
    virtual void apply(const Input&) = 0;
    // Asked now and then in what may take long: whether to go on. If not, what was called throws Stopped, between two
    // inputs or steps.
    virtual void set_patience(const std::function<bool()>& /*goes_on*/) {}
    // Inputs are taken from the past.
    virtual bool is_repeating() const = 0;

    // From now on, to this tape; null: no longer. It is told the scene and a keyframe at once.
    virtual void record(std::shared_ptr<Tape>) = 0;

    virtual void wish(const Wishes&) = 0;  // throws InputError for a quantity that does not exist
    virtual void fill(Frame&) const = 0;   // all but the transport and the shared volumes
    virtual void fill_shared_volumes(Surface&) const = 0;  // may take long
    // Adds what may have changed of the ground after that version; the version now. After 0 that is what may differ from the scene.
    virtual uint64_t ground(uint64_t /*since*/, GroundNews&) const { return 0; }
    // Changes with the model: see Frame::revision.
    virtual std::shared_ptr<const wire::Scene> scene() const = 0;
    virtual uint64_t hash() const = 0;  // of the state

    // Nothing in a recording.
    virtual Past past() const { return {}; }
    // To the moment of that past through its inputs; for at most so many seconds of computing. False if it cannot be reached:
    // then it is at its start.
    virtual bool catch_up(const Past&, double /*seconds*/) { return false; }
    virtual SolverStatistics solver() const { return {}; }  // nothing in a recording

    // The last thing that was added or removed did not happen: all else is computed again without it, to the same moment if it takes
    // less than a second. Throws InputError if there is none.
    virtual void undo() { throw InputError("a recording cannot be changed"); }
    // How to find out what quantities were from the start up to now, anywhere and for at most so many seconds; on any thread.
    using Chronicle =
        std::function<Curves(const std::vector<std::string>& quantities, double seconds)>;
    virtual Chronicle chronicle() const { return {}; }  // nothing in a recording
};

}  // namespace bristle::live
