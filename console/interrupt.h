// Ctrl-C, SIGTERM, SIGQUIT and a terminal that is closed (SIGHUP): the first asks to end well, a second ends at once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace bristle::console {

// From here to the end of the program the first signal only sets a flag. A second removes the file that is being
// written and ends the program.
void catch_interrupts();
// The signal that came, or zero.
int interrupt();
// What a shell would say of a program that this signal ended: 130 after Ctrl-C.
int interrupt_exit_code();

// Until this goes away, or is released, a second signal waits: while a file is made, and is not yet told as an UnfinishedFile.
class SignalsWait {
  public:
    SignalsWait();
    ~SignalsWait() { release(); }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;
    void release();

  private:
    bool holds_ = true;
};

// A file that is removed if the program is ended before this goes away. No name: none. One thread makes these.
class UnfinishedFile {
  public:
    explicit UnfinishedFile(const std::filesystem::path&);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  private:
    std::optional<size_t> slot_;
};

}  // namespace bristle::console
