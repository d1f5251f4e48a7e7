// How far a long computation is: one line that is rewritten on a terminal, a few plain lines elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace bristle::console {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);
// "42 s", "3 min 10 s", "2 h 5 min".
std::string readable_time(double seconds);

class Progress {
  public:
    enum class To { terminal_or_log, nowhere };
    explicit Progress(To to);

    // `part` of the whole is done; the text says what. Cheap: shows it at most ten times a second.
    bool is_due();
    void show(double part, const std::string& text);
    // Ends the line.
    void finish();

  private:
    To to_;
    bool on_terminal_, shown_ = false;
    int width_ = 0;
    Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace bristle::console
