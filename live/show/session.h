// A show on a thread of its own, at the pace of the clock. Everything here may be called from any thread.
//
// Orders wait in a bounded list and are carried out between steps, in order. Frames are left in one slot some
// 60 times a second of wall time: who looks gets the newest, who does not look costs nothing.
#pragma once

#include "live/clock/clock.h"
#include "live/show/show.h"
#include "live/wire/frame.h"
#include "live/wire/input.h"

#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace bristle::live {

struct Run {};
struct Pause {};
struct StepOnce {
    uint32_t count = 1;
};
struct SetSpeed {
    double speed = 1;
};
struct GoTo {
    double time = 0;  // s
};
struct Undo {};
struct Record {
    std::shared_ptr<Tape> tape;  // null: no longer
};
// On the session's thread, between steps.
struct LookAt {
    std::function<void(const Show&)> look;
};
using Order =
    std::variant<Run, Pause, StepOnce, SetSpeed, GoTo, Undo, Wishes, Record, LookAt, Input>;

// Called on the session's thread when an order is carried out; the error is empty if all went well.
using Done = std::function<void(const std::string& error)>;

enum class Scheduling : uint8_t { ordinary, real_time };
enum class Begin : uint8_t { running, paused };

class Session {
  public:
    struct Options {
        Scheduling scheduling = Scheduling::ordinary;
        Begin begin = Begin::running;
        // Told once if real-time scheduling was refused, and why.
        std::function<void(const std::string&)> warn;
    };
    Session(std::unique_ptr<Show>, Options);
    ~Session();  // stops the thread
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // False if too many wait already: nobody will be told.
    bool post(Order, Done = {});

    // The newest frame, if it is newer than the last one taken. One thread takes.
    bool take(Frame&);
    // What may have changed of the ground since it was taken last, if there is something to tell and it is of this revision of the
    // scene or of an older one.
    bool take_ground(uint32_t revision, GroundNews&);
    // Of the newest frame, or newer.
    std::shared_ptr<const wire::Scene> scene() const;
    ClockStatistics statistics() const;
    SolverStatistics solver() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
