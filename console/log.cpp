#include "console/log.h"

#include "base/plain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>

namespace bristle::console {
namespace {

constexpr size_t most_lines = 1000;
constexpr auto last_words = std::chrono::milliseconds(300);

}  // namespace

struct Log::Impl {
    explicit Impl(int to) : file(to) {}

    void write_lines() {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [this] { return is_ending || !lines.empty(); });
            if (lines.empty()) break;
            std::string line = std::move(lines.front());
            lines.pop_front();
            if (lines.empty() && dropped > 0) {
                line += fmt::format("bristle: {} lines were dropped here\n", dropped);
                dropped = 0;
            }
            lock.unlock();
            write(line);
            lock.lock();
        }
        is_over = true;
        changed.notify_all();
    }
    void write(std::string_view rest) const {
        while (!rest.empty()) {
            const ssize_t written = ::write(file, rest.data(), rest.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return;
            rest.remove_prefix(static_cast<size_t>(written));
        }
    }

    const int file;
    std::mutex mutex;  // held for moments only
    std::condition_variable changed;
    std::deque<std::string> lines;
    size_t dropped = 0;
    bool is_ending = false, is_over = false;
};

Log::Log(int file) : impl_(std::make_shared<Impl>(file)) {
    std::thread([impl = impl_] { impl->write_lines(); }).detach();
}

Log::~Log() {
    std::unique_lock lock(impl_->mutex);
    impl_->is_ending = true;
    impl_->changed.notify_all();
    impl_->changed.wait_for(lock, last_words, [this] { return impl_->is_over; });
}

void Log::tell(const std::string& line) {
    std::string text = fmt::format("bristle: {}\n", plain(line));
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->lines.size() >= most_lines) {
            ++impl_->dropped;
            return;
        }
        impl_->lines.push_back(std::move(text));
    }
    impl_->changed.notify_all();
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace bristle::console
