#include "live/hub/events.h"

#include "live/wire/fields.h"

namespace bristle::live {
namespace {

Json figures(const Histogram& h) {
    return {{"count", h.count()},
            {"mean", h.mean()},
            {"p50", h.percentile(50)},
            {"p99", h.percentile(99)},
            {"max", h.largest()}};
}

}  // namespace

std::string timing_event(const ClockStatistics& s) {
    return to_text({{"event", "timing"},
                    {"ticks", s.ticks},
                    {"steps", s.steps},
                    {"overruns", s.overruns},
                    {"slips", s.slips},
                    {"slipped", 1e-9 * static_cast<double>(s.slipped)},
                    {"wake_up", figures(s.wake_up)},
                    {"compute", figures(s.compute)},
                    {"lag", figures(s.lag)},
                    {"overrun", figures(s.overrun)}});
}

std::string controls_event(const Channels* channels) {
    Json event = {{"event", "controls"}, {"channels", Json::array()}};
    for (const char* device : {"keyboard", "gamepad", "mouse"})
        event[device] = channels == nullptr ? Json::array() : Json(channels->controls(device));
    if (channels != nullptr)
        for (const ChannelInfo& c : channels->list())
            event["channels"].push_back({{"name", c.name},
                                         {"unit", c.unit},
                                         {"low", c.low},
                                         {"high", c.high},
                                         {"value", c.value}});
    return to_text(event);
}

std::string watched_event(uint32_t number, const std::vector<std::string>& quantities) {
    return to_text({{"event", "watched"}, {"number", number}, {"quantities", quantities}});
}

std::string role_event(const char* role, const std::string& why) {
    return to_text({{"event", "role"}, {"role", role}, {"why", why}});
}

std::string recording_event(const std::string& file) {
    return to_text({{"event", "recording"}, {"on", !file.empty()}, {"file", file}});
}

std::string viewers_event(size_t count, bool has_operator) {
    return to_text({{"event", "viewers"}, {"count", count}, {"operator", has_operator}});
}

std::string scene_event(const char* event, const std::string& scene, const std::string& error) {
    Json json = {{"event", event}, {"scene", scene}};
    if (!error.empty()) json["error"] = error;
    return to_text(json);
}

}  // namespace bristle::live
