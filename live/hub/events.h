// What the hub says by itself, as text. docs/live.md lists all of it.
#pragma once

#include "live/clock/clock.h"
#include "live/devices/channels.h"

#include <string>
#include <vector>

namespace bristle::live {

std::string timing_event(const ClockStatistics&);
std::string controls_event(const Channels*);  // none: nothing can be steered
std::string watched_event(uint32_t number, const std::vector<std::string>& quantities);
std::string role_event(const char* role, const std::string& why);
std::string recording_event(const std::string& file);  // empty: nothing is recorded
std::string viewers_event(size_t count, bool has_operator);
// "opening", "opened", "failed" or "closed".
std::string scene_event(const char* event, const std::string& scene, const std::string& error = {});

}  // namespace bristle::live
