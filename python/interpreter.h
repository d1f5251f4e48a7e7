// The interpreter's lock, given up and taken, also while the interpreter ends.
//
// A thread that wants the lock of an interpreter that is ending is ended by Python, right there; through frames of C++ that is
// the end of the process, with a crash. So the end waits for all that computes, which is at most a step or so; a thread that
// comes back to begin another, or comes back too late, stays where it is until the process is gone.
#pragma once

#include <pybind11/pybind11.h>

namespace bristle::python {

// Without the lock as long as this lives.
class Unlocked {
  public:
    Unlocked();
    ~Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* state_ = nullptr;  // none: nobody else needs the lock any more
};

// With the lock as long as this lives, on any thread.
class Locked {
  public:
    Locked();
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    PyGILState_STATE state_;
};

// Called once, before others that ask to be called at the end: this comes after them.
void wait_at_the_end();

}  // namespace bristle::python
