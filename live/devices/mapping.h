// What a mapping file says (docs/inputs.md), checked against the model.
#pragma once

#include <bristle/model.h>

#include "live/devices/devices.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bristle::live {

// An input of a stateful force.
struct ForceInput {
    ForceId force;
    uint32_t input = 0;
    bool operator==(const ForceInput&) const = default;
};

// SI, but for what `unit` says about numbers that go in and out.
struct ChannelSettings {
    std::string name, unit;
    double factor = 1;  // of the unit
    std::variant<DriveId, ForceId, ForceInput> target;
    double low = -1, high = 1;
    double center = 0, scale = 1;  // value = center + scale · shaped position
    double deadband = 0, curve = 1;
};

struct Binding {
    // A control's position −1 … 1 times the gain adds to the channel's; or its value is the channel's, in its unit.
    enum class Kind : uint8_t { position, value };
    Kind kind = Kind::position;
    std::string device, control;
    size_t channel = 0;
    double gain = 1;
};

struct Mapping {
    std::vector<ChannelSettings> channels;
    std::vector<Binding> bindings;
    std::vector<DeviceSettings> devices;
};

// Whether it is there, is a motor, and has no function of time.
bool takes_commands(const Model&, DriveId);
bool takes_commands(const Model&, ForceId);
bool is_motor(const Model&, ForceId);
// Of all stateful forces, as `force.input`; those that follow functions of time, too.
std::vector<std::pair<std::string, ForceInput>> inputs_of(const Model&);
bool takes_commands(const Model&, ForceInput);
ChannelSettings channel_of(const Model&, ForceInput);
// A channel of its own name, with ends that make sense.
ChannelSettings channel_of(const Model&, DriveId);
ChannelSettings channel_of(const Model&, ForceId);
// It rests at zero, or as near as it can, and an input where its law starts it; full deflection reaches both ends.
void set_default_scale(const Model&, ChannelSettings&);
// Every drive and motor that takes commands, by its own name.
Mapping default_channels(const Model&);
// Throws InputError with a line a mistake, each `file:line:column: what is wrong; what was expected`.
Mapping read_mapping(const Model&, const std::filesystem::path&);
Mapping parse_mapping(const Model&, const std::string& text, const std::string& file);

}  // namespace bristle::live
