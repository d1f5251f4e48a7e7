#include "console/interrupt.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace bristle::console {
namespace {

// A handler may only look at these.
std::atomic<int> received = 0;
constexpr size_t most_files = 4, longest_path = 4096;
std::array<std::atomic<bool>, most_files> is_unfinished;
std::array<std::array<char, longest_path>, most_files> unfinished;

std::atomic<int> waits = 0, waiting = 0;  // how many say so; the signal that does

void end_at_once(int number) {
    for (size_t i = 0; i < most_files; ++i)
        if (is_unfinished[i]) unlink(unfinished[i].data());
    _exit(128 + number);
}

extern "C" void on_signal(int number) {
    int none = 0;
    if (received.compare_exchange_strong(none, number)) return;
    if (waits > 0)
        waiting = number;
    else
        end_at_once(number);
}

}  // namespace

void catch_interrupts() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        const bool is_ignored = before.sa_handler == SIG_IGN;  // by nohup
        if (!is_ignored) sigaction(number, &action, nullptr);
    }
    // A file that may not grow any more is an error of that write.
    std::signal(SIGXFSZ, SIG_IGN);
}

int interrupt() { return received; }
int interrupt_exit_code() { return 128 + received; }

SignalsWait::SignalsWait() { ++waits; }
void SignalsWait::release() {
    if (!holds_) return;
    holds_ = false;
    if (--waits == 0 && waiting != 0) end_at_once(waiting);
}

UnfinishedFile::UnfinishedFile(const std::filesystem::path& path) {
    const std::string name = path.string();
    if (name.empty() || name.size() >= longest_path) return;
    for (size_t i = 0; i < most_files; ++i) {
        if (is_unfinished[i]) continue;
        name.copy(unfinished[i].data(), name.size());
        unfinished[i][name.size()] = 0;
        is_unfinished[i] = true;
        slot_ = i;
        return;
    }
}

UnfinishedFile::~UnfinishedFile() {
    if (slot_) is_unfinished[*slot_] = false;
}

}  // namespace bristle::console
