#include "console/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace bristle::console {

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string readable_time(double seconds) {
    if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
    const auto whole = std::llround(std::min(seconds, 1e15));
    if (whole < 6000) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress(To to) : to_(to), on_terminal_(isatty(STDERR_FILENO) != 0) {
    // Logs want few lines, and short runs none.
    if (!on_terminal_) next_ += std::chrono::seconds(2);
}

bool Progress::is_due() { return to_ != To::nowhere && Clock::now() >= next_; }

void Progress::show(double part, const std::string& text) {
    if (!is_due()) return;
    next_ =
        Clock::now() + (on_terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(2));
    const double elapsed = seconds_since(start_);
    const double left = elapsed / std::max(part, 1e-9) * (1 - part);
    const std::string line = fmt::format("{}, {} left", text, readable_time(left));
    if (!on_terminal_) {
        fmt::print(stderr, "{}\n", line);
        return;
    }
    winsize window{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    const int columns = known ? window.ws_col : 80;
    const int bar = std::clamp(columns - static_cast<int>(line.size()) - 4, 0, 40);
    const int filled = std::clamp(static_cast<int>(bar * part), 0, bar);
    std::string all = fmt::format("[{}{}] {}", std::string(static_cast<size_t>(filled), '='),
                                  std::string(static_cast<size_t>(bar - filled), ' '), line);
    // A line that wraps could not be rewritten.
    all.resize(std::min(all.size(), static_cast<size_t>(columns - 1)));
    const int length = static_cast<int>(all.size());
    fmt::print(stderr, "\r{}{}", all,
               std::string(static_cast<size_t>(std::max(0, width_ - length)), ' '));
    width_ = length;
    shown_ = true;
}

void Progress::finish() {
    if (on_terminal_ && shown_) fmt::print(stderr, "\n");
    shown_ = false;
}

}  // namespace bristle::console
