// Lines to standard error that never hold up or end the one who tells them.
//
// A terminal that is stopped, a pipe that nobody reads and a disk that is full are ordinary. Lines go into a short queue,
// and a thread of the log's own writes them; those that find the queue full are dropped, and their number is told when
// there is room again. What cannot be written is forgotten.
#pragma once

#include <memory>
#include <string>

namespace bristle::console {

class Log {
  public:
    explicit Log(int file = 2);
    // Waits a moment for what is left, no longer.
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    void tell(const std::string& line);  // from any thread

  private:
    struct Impl;
    std::shared_ptr<Impl>
        impl_;  // shared with the thread, which may outlive this in a write that never ends
};

// A reader of our output that goes away is an error of that write, and not the end of the program.
void ignore_broken_pipes();

}  // namespace bristle::console
