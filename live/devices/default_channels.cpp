#include "live/devices/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace bristle::live {
namespace {

bool turns(const Model& model, JointId joint) {
    const JointType type = model.joints()[joint.index].type;
    return type == JointType::revolute || type == JointType::turn_gauge
        || type == JointType::swing_gauge;
}

// The next of 1, 2, 5, 10 … above: ends of a slider should be easy to read.
double round_up(double value) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double times : {1.0, 2.0, 5.0})
        if (value <= times * decade * (1 + 1e-9)) return times * decade;
    return 10 * decade;
}

// Ends of what a motor may be asked for, as it has none of its own: all the model's weight, at an arm of 1 m.
double effort_of(const Model& model) {
    double mass = 0;
    for (const Body& body : model.bodies()) mass += std::isfinite(body.mass) ? body.mass : 0;
    return mass > 0 ? round_up(mass * 9.81) : 1;
}

void set_ends_of_position(const Model& model, JointId joint, ChannelSettings& channel) {
    for (uint32_t i = 0; i < model.limits().size(); ++i) {
        const Limit& limit = model.limits()[i];
        if (!model.contains(LimitId{i}) || limit.joint != joint) continue;
        if (std::isfinite(limit.min)) channel.low = limit.min;
        if (std::isfinite(limit.max)) channel.high = limit.max;
    }
    if (channel.low >= channel.high) channel.low = channel.high - 1;
}

}  // namespace

ChannelSettings channel_of(const Model& model, DriveId id) {
    const Drive& drive = model.drives()[id.index];
    const bool is_angle = turns(model, drive.joint);
    ChannelSettings channel{
        .name = drive.name.empty() ? fmt::format("drive {}", id.index) : drive.name, .target = id};
    if (drive.control == Drive::Control::hydraulic) {
        channel.low = -1;
        channel.high = 1;
    } else if (drive.control == Drive::Control::speed) {
        channel.unit = is_angle ? "rad/s" : "m/s";
        channel.high = is_angle ? 1 : 0.5;
        channel.low = -channel.high;
    } else {
        channel.unit = is_angle ? "rad" : "m";
        channel.high = is_angle ? pi : 1;
        channel.low = -channel.high;
        set_ends_of_position(model, drive.joint, channel);
    }
    return channel;
}

ChannelSettings channel_of(const Model& model, ForceId id) {
    const Motor& motor = model.motors()[model.forces()[id.index].index];
    const double most = effort_of(model);
    return {.name = motor.name.empty() ? fmt::format("motor {}", id.index) : motor.name,
            .unit = turns(model, motor.joint) ? "N*m" : "N",
            .target = id,
            .low = -most,
            .high = most};
}

// Where it rests when nobody holds anything, and how far full deflection goes.
void set_default_scale(ChannelSettings& channel) {
    channel.center = std::clamp(0.0, channel.low, channel.high);
    channel.scale = std::max(channel.high - channel.center, channel.center - channel.low);
}

bool takes_commands(const Model& model, DriveId id) {
    const Drive& drive = model.drives()[id.index];
    return model.contains(id) && !drive.target && drive.control != Drive::Control::friction;
}
bool is_motor(const Model& model, ForceId id) {
    return model.contains(id) && model.forces()[id.index].kind == Model::ForceKind::motor;
}
bool takes_commands(const Model& model, ForceId id) {
    return is_motor(model, id) && !model.motors()[model.forces()[id.index].index].effort;
}

Mapping default_channels(const Model& model) {
    Mapping mapping;
    std::set<std::string> taken;
    const auto add = [&](ChannelSettings channel, const char* what) {
        if (!taken.insert(channel.name).second) {
            channel.name = fmt::format("{} {}", what, channel.name);
            taken.insert(channel.name);
        }
        set_default_scale(channel);
        mapping.channels.push_back(std::move(channel));
    };
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (takes_commands(model, DriveId{i})) add(channel_of(model, DriveId{i}), "drive");
    for (uint32_t i = 0; i < model.forces().size(); ++i)
        if (takes_commands(model, ForceId{i})) add(channel_of(model, ForceId{i}), "motor");
    return mapping;
}

}  // namespace bristle::live
