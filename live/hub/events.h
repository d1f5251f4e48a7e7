// What the hub says by itself: the events of protocol.proto.
#pragma once

#include "live/clock/clock.h"
#include "live/devices/channels.h"
#include "live/show/show.h"
#include "live/wire/protocol.pb.h"

#include <map>
#include <string>
#include <vector>

namespace bristle::live {

wire::FromServer timing_event(const ClockStatistics&, const SolverStatistics&);
wire::FromServer controls_event(const Channels*);  // none: nothing can be steered
wire::FromServer watched_event(uint32_t number, const std::vector<std::string>& quantities);
wire::FromServer role_event(wire::Role, const std::string& why);
wire::FromServer recording_event(const std::string& file,
                                 const std::string& trouble = {});  // empty: nothing is recorded
wire::FromServer viewers_event(size_t count, bool has_operator);
wire::FromServer opening_event(const std::string& scene);
enum class Shown : uint8_t { first, again };
wire::FromServer opened_event(const std::string& scene, Shown);
struct FileReport {
    std::vector<std::string> mistakes, warnings;
    bool may_write = false;
    std::map<std::string, std::string> parameters;
};
wire::FromServer report_event(const FileReport&);
wire::FromServer failed_event(const std::string& scene, const std::string& error);
wire::FromServer closed_event(const std::string& scene);

}  // namespace bristle::live
