#include "live/hub/events.h"

namespace bristle::live {
namespace {

void put(wire::Figures& figures, const Histogram& h) {
    figures.set_count(h.count());
    figures.set_mean(h.mean());
    figures.set_p50(h.percentile(50));
    figures.set_p99(h.percentile(99));
    figures.set_max(h.largest());
}

template <class List> void put(List& list, const std::vector<std::string>& names) {
    list.Assign(names.begin(), names.end());
}

}  // namespace

wire::FromServer timing_event(const ClockStatistics& s, const SolverStatistics& solver) {
    wire::FromServer event;
    wire::Timing& timing = *event.mutable_timing();
    timing.set_ticks(s.ticks);
    timing.set_steps(s.steps);
    timing.set_overruns(s.overruns);
    timing.set_slips(s.slips);
    timing.set_slipped(1e-9 * static_cast<double>(s.slipped));
    put(*timing.mutable_wake_up(), s.wake_up);
    put(*timing.mutable_compute(), s.compute);
    put(*timing.mutable_lag(), s.lag);
    put(*timing.mutable_overrun(), s.overrun);
    timing.set_impact_steps(solver.impact_steps);
    timing.set_rough_steps(solver.rough_steps);
    timing.set_held_steps(solver.held_steps);
    timing.set_last_rough(solver.last_rough);
    return event;
}

wire::FromServer controls_event(const Channels* channels) {
    wire::FromServer event;
    wire::Controls& controls = *event.mutable_controls();
    if (channels == nullptr) return event;
    put(*controls.mutable_keyboard(), channels->controls("keyboard"));
    put(*controls.mutable_gamepad(), channels->controls("gamepad"));
    put(*controls.mutable_mouse(), channels->controls("mouse"));
    for (const ChannelInfo& c : channels->list()) {
        wire::Channel& channel = *controls.add_channels();
        channel.set_name(c.name);
        channel.set_unit(c.unit);
        channel.set_low(c.low);
        channel.set_high(c.high);
        channel.set_value(c.value);
    }
    return event;
}

wire::FromServer watched_event(uint32_t number, const std::vector<std::string>& quantities) {
    wire::FromServer event;
    event.mutable_watched()->set_number(number);
    put(*event.mutable_watched()->mutable_quantities(), quantities);
    return event;
}

wire::FromServer role_event(wire::Role role, const std::string& why) {
    wire::FromServer event;
    event.mutable_role()->set_role(role);
    event.mutable_role()->set_why(why);
    return event;
}

wire::FromServer recording_event(const std::string& file, const std::string& trouble) {
    wire::FromServer event;
    wire::Recording& recording = *event.mutable_recording();
    if (!file.empty()) recording.set_file(file);
    if (!trouble.empty()) recording.set_trouble(trouble);
    return event;
}

wire::FromServer viewers_event(size_t count, bool has_operator) {
    wire::FromServer event;
    event.mutable_viewers()->set_count(static_cast<uint32_t>(count));
    event.mutable_viewers()->set_has_operator(has_operator);
    return event;
}

wire::FromServer opening_event(const std::string& scene) {
    wire::FromServer event;
    event.mutable_opening()->set_scene(scene);
    return event;
}

wire::FromServer report_event(const FileReport& about) {
    wire::FromServer event;
    wire::Report& report = *event.mutable_report();
    put(*report.mutable_mistakes(), about.mistakes);
    put(*report.mutable_warnings(), about.warnings);
    report.set_may_write(about.may_write);
    report.mutable_parameters()->insert(about.parameters.begin(), about.parameters.end());
    return event;
}

wire::FromServer opened_event(const std::string& scene, Shown how) {
    wire::FromServer event;
    event.mutable_opened()->set_scene(scene);
    event.mutable_opened()->set_again(how == Shown::again);
    return event;
}

wire::FromServer failed_event(const std::string& scene, const std::string& error) {
    wire::FromServer event;
    event.mutable_failed()->set_scene(scene);
    event.mutable_failed()->set_error(error);
    return event;
}

wire::FromServer closed_event(const std::string& scene) {
    wire::FromServer event;
    event.mutable_closed()->set_scene(scene);
    return event;
}

}  // namespace bristle::live
