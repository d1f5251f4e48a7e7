#include "python/interpreter.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace bristle::python {
namespace {

namespace py = pybind11;

// The longest that the end waits: for a step that takes longer the process does not stay.
constexpr auto longest_wait = std::chrono::seconds(5);

struct Door {
    std::mutex mutex;  // never held by who waits for the lock
    std::condition_variable changed;
    int working = 0;    // threads that gave up the lock and will want it again
    int returning = 0;  // of those and others, that wait for the lock right now
    bool is_ending = false, is_closed = false;
    std::thread::id last;  // that ends it, and goes on alone
};
// Never destroyed: threads may look at it until the process is gone.
Door& door() {
    static auto* const one = new Door;
    return *one;
}

[[noreturn]] void stay() {
    for (;;) pause();
}

// Whoever wants the lock says so, unless the door is closed.
void begin_to_return() {
    std::unique_lock guard(door().mutex);
    if (door().is_closed) {
        guard.unlock();
        stay();
    }
    ++door().returning;
}
void returned(int working) {
    const std::lock_guard guard(door().mutex);
    --door().returning;
    door().working -= working;
    door().changed.notify_all();
}

// With the lock, before Python is taken apart.
void close_door() {
    const py::gil_scoped_release unlocked;
    std::unique_lock guard(door().mutex);
    door().is_ending = true;
    door().last = std::this_thread::get_id();
    door().changed.wait_for(guard, longest_wait, [] { return door().working == 0; });
    door().is_closed = true;
    door().changed.wait(guard, [] { return door().returning == 0; });
}

}  // namespace

Unlocked::Unlocked() {
    bool is_late = false;
    {
        const std::lock_guard guard(door().mutex);
        is_late = door().is_ending;
        if (is_late && door().last == std::this_thread::get_id()) return;
        if (!is_late) ++door().working;
    }
    state_ = PyEval_SaveThread();
    if (is_late) stay();
}

Unlocked::~Unlocked() {
    if (state_ == nullptr) return;
    begin_to_return();
    PyEval_RestoreThread(state_);
    returned(1);
}

Locked::Locked() {
    const bool has_it = PyGILState_Check() != 0;
    if (!has_it) begin_to_return();
    state_ = PyGILState_Ensure();
    if (!has_it) returned(0);
}

Locked::~Locked() { PyGILState_Release(state_); }

void wait_at_the_end() {
    py::module_::import("atexit").attr("register")(py::cpp_function(close_door));
}

}  // namespace bristle::python
