#include "console/interrupt.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace bristle::console {
namespace {

// A handler may only look at these.
std::atomic<int> received = 0;
std::atomic<bool> has_unfinished_file = false;
std::array<char, 4096> unfinished_file;

extern "C" void on_signal(int number) {
    int none = 0;
    if (received.compare_exchange_strong(none, number)) return;
    if (has_unfinished_file) unlink(unfinished_file.data());
    _exit(128 + number);
}

}  // namespace

void catch_interrupts() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
}

int interrupt() { return received; }
int interrupt_exit_code() { return 128 + received; }

UnfinishedFile::UnfinishedFile(const std::filesystem::path& path) {
    const std::string name = path.string();
    if (name.size() >= unfinished_file.size()) return;
    name.copy(unfinished_file.data(), name.size());
    unfinished_file[name.size()] = 0;
    has_unfinished_file = true;
}

UnfinishedFile::~UnfinishedFile() { has_unfinished_file = false; }

}  // namespace bristle::console
