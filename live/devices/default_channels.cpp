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

namespace {

const StatefulForce* stateful(const Model& model, ForceId id) {
    const Model::ForceRef ref = model.forces()[id.index];
    const bool is_one = model.contains(id) && ref.kind == Model::ForceKind::stateful;
    return is_one ? &model.stateful_forces()[ref.index] : nullptr;
}

// Where its law starts it.
double start_of(const StatefulForce& force, size_t input) {
    std::vector<double> memory(force.law->memory_size()), inputs(force.law->input_count());
    force.law->start(memory, inputs);
    return inputs[input];
}

}  // namespace

ChannelSettings channel_of(const Model& model, ForceInput id) {
    const StatefulForce& force = *stateful(model, id.force);
    const LawInput input = force.law->inputs()[id.input];
    return {
        .name = force.name + "." + input.name, .target = id, .low = input.low, .high = input.high};
}

std::vector<std::pair<std::string, ForceInput>> inputs_of(const Model& model) {
    std::vector<std::pair<std::string, ForceInput>> all;
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        const StatefulForce* const force = stateful(model, ForceId{i});
        if (force == nullptr) continue;
        const std::vector<LawInput> inputs = force->law->inputs();
        for (uint32_t k = 0; k < inputs.size(); ++k)
            all.emplace_back(force->name + "." + inputs[k].name, ForceInput{ForceId{i}, k});
    }
    return all;
}

// Where it rests when nobody holds anything, and how far full deflection goes.
void set_default_scale(const Model& model, ChannelSettings& channel) {
    double rest = 0;
    if (const auto* input = std::get_if<ForceInput>(&channel.target))
        rest = start_of(*stateful(model, input->force), input->input);
    channel.center = std::clamp(rest, channel.low, channel.high);
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

bool takes_commands(const Model& model, ForceInput id) {
    const StatefulForce* const force = stateful(model, id.force);
    return force != nullptr && force->is_commanded(id.input);
}

Mapping default_channels(const Model& model) {
    Mapping mapping;
    std::set<std::string> taken;
    const auto add = [&](ChannelSettings channel, const char* what) {
        if (!taken.insert(channel.name).second) {
            channel.name = fmt::format("{} {}", what, channel.name);
            taken.insert(channel.name);
        }
        set_default_scale(model, channel);
        mapping.channels.push_back(std::move(channel));
    };
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (takes_commands(model, DriveId{i})) add(channel_of(model, DriveId{i}), "drive");
    for (uint32_t i = 0; i < model.forces().size(); ++i)
        if (takes_commands(model, ForceId{i})) add(channel_of(model, ForceId{i}), "motor");
    for (const auto& [name, input] : inputs_of(model))
        if (takes_commands(model, input)) add(channel_of(model, input), "input");
    return mapping;
}

}  // namespace bristle::live
