#include "live/devices/channels.h"

#include <bristle/error.h>

#include "base/suggest.h"
#include "live/devices/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace bristle::live {

struct Channels::Impl {
    struct Control {
        double value = 0;
        std::vector<Binding> bindings;
    };
    struct Lever {  // a control that moves a channel
        const Control* control;
        double gain;
    };
    struct Channel {
        ChannelSettings settings;
        double value = 0;
        std::vector<Lever> levers;
        std::string owner;  // device whose value it has
    };
    using Controls = std::map<std::string, Control, std::less<>>;

    explicit Impl(Mapping mapping) : devices(std::move(mapping.devices)) {
        for (ChannelSettings& settings : mapping.channels) {
            Channel& channel = channels.emplace_back();
            channel.value = settings.center;
            channel.settings = std::move(settings);
        }
        for (Binding& binding : mapping.bindings) {
            Control& control = controls[binding.device][binding.control];
            if (binding.kind == Binding::Kind::position)
                channels[binding.channel].levers.push_back({&control, binding.gain});
            control.bindings.push_back(std::move(binding));
        }
    }

    static double shaped(const Channel& channel) {
        const ChannelSettings& is = channel.settings;
        double x = 0;
        for (const Lever& lever : channel.levers) x += lever.gain * lever.control->value;
        x = std::clamp(x, -1.0, 1.0);
        const double beyond = std::max(0.0, std::abs(x) - is.deadband) / (1 - is.deadband);
        const double y = std::copysign(std::pow(beyond, is.curve), x);
        return std::clamp(is.center + is.scale * y, is.low, is.high);
    }

    static Input command(Channel& channel, double value) {
        channel.value = value + 0.0;  // no −0: the same value is the same bits
        if (const DriveId* drive = std::get_if<DriveId>(&channel.settings.target))
            return CommandDrive{*drive, channel.value};
        if (const ForceInput* lever = std::get_if<ForceInput>(&channel.settings.target))
            return CommandInput{lever->force, lever->input, channel.value};
        return CommandMotor{std::get<ForceId>(channel.settings.target), channel.value};
    }

    static void change(Channel& channel, double value, std::vector<Input>& inputs) {
        if (value != channel.value) inputs.push_back(command(channel, value));
    }

    mutable std::mutex mutex;
    std::vector<Channel> channels;
    std::map<std::string, Controls, std::less<>> controls;
    std::vector<DeviceSettings> devices;
};

Channels::Channels(const Model& model) : impl_(std::make_unique<Impl>(default_channels(model))) {}
Channels::Channels(const Model& model, const std::filesystem::path& mapping)
    : impl_(std::make_unique<Impl>(read_mapping(model, mapping))) {}
Channels::Channels(const Model& model, const std::string& text, const std::string& file)
    : impl_(std::make_unique<Impl>(parse_mapping(model, text, file))) {}
Channels::~Channels() = default;

std::vector<ChannelInfo> Channels::list() const {
    const std::lock_guard lock(impl_->mutex);
    std::vector<ChannelInfo> all;
    for (const Impl::Channel& channel : impl_->channels) {
        const ChannelSettings& is = channel.settings;
        all.push_back(
            {is.name, is.unit, is.low / is.factor, is.high / is.factor, channel.value / is.factor});
    }
    return all;
}

Input Channels::set(std::string_view name, double value) {
    if (!std::isfinite(value))
        throw InputError(
            fmt::format("channel '{}' was set to {}; expected a finite number", name, value));
    const std::lock_guard lock(impl_->mutex);
    for (Impl::Channel& channel : impl_->channels) {
        const ChannelSettings& is = channel.settings;
        if (is.name != name) continue;
        channel.owner.clear();
        return Impl::command(channel, std::clamp(value * is.factor, is.low, is.high));
    }
    std::vector<std::string> names;
    for (const Impl::Channel& channel : impl_->channels) names.push_back(channel.settings.name);
    throw InputError(fmt::format(
        "there is no channel '{}'{}", name.substr(0, 100),
        names.empty() ? "; nothing of this scene takes commands" : suggestion(name, names)));
}

std::vector<Input> Channels::control(std::string_view device, std::string_view name, double value) {
    std::vector<Input> inputs;
    if (!std::isfinite(value)) return inputs;
    const std::lock_guard lock(impl_->mutex);
    const auto controls = impl_->controls.find(device);
    if (controls == impl_->controls.end()) return inputs;
    const auto found = controls->second.find(name);
    if (found == controls->second.end()) return inputs;
    Impl::Control& control = found->second;
    const double before = std::exchange(control.value, std::clamp(value, -1.0, 1.0));
    for (const Binding& binding : control.bindings) {
        Impl::Channel& channel = impl_->channels[binding.channel];
        const ChannelSettings& is = channel.settings;
        if (binding.kind == Binding::Kind::value) {
            channel.owner = device;
            Impl::change(channel, std::clamp(value * is.factor, is.low, is.high), inputs);
        } else if (control.value != before) {
            channel.owner.clear();
            Impl::change(channel, Impl::shaped(channel), inputs);
        }
    }
    return inputs;
}

std::vector<Input> Channels::release(std::string_view device) {
    std::vector<Input> inputs;
    const std::lock_guard lock(impl_->mutex);
    const auto controls = impl_->controls.find(device);
    if (controls == impl_->controls.end()) return inputs;
    std::vector<bool> is_held(impl_->channels.size());
    for (auto& [name, control] : controls->second) {
        for (const Binding& binding : control.bindings) {
            const bool holds = binding.kind == Binding::Kind::value
                                 ? impl_->channels[binding.channel].owner == device
                                 : control.value != 0;
            if (holds) is_held[binding.channel] = true;
        }
        control.value = 0;
    }
    for (size_t i = 0; i < is_held.size(); ++i) {
        if (!is_held[i]) continue;
        impl_->channels[i].owner.clear();
        Impl::change(impl_->channels[i], Impl::shaped(impl_->channels[i]), inputs);
    }
    return inputs;
}

std::vector<std::string> Channels::controls(std::string_view device) const {
    std::vector<std::string> names;
    const auto found = impl_->controls.find(device);
    if (found == impl_->controls.end()) return names;
    for (const auto& [name, control] : found->second) names.push_back(name);
    return names;
}

const std::vector<DeviceSettings>& Channels::devices() const { return impl_->devices; }

std::unique_ptr<Devices> connect_devices(const std::shared_ptr<Channels>& channels,
                                         const std::function<void(const Input&)>& give,
                                         std::function<void(const std::string&)> tell,
                                         std::function<bool(std::string_view)> may_steer) {
    const DeviceListener listener{
        .control =
            [channels, give](std::string_view device, std::string_view control, double value) {
                for (const Input& input : channels->control(device, control, value)) give(input);
            },
        .release =
            [channels, give](std::string_view device) {
                for (const Input& input : channels->release(device)) give(input);
            },
        .tell = std::move(tell),
        .may_steer = std::move(may_steer)};
    return std::make_unique<Devices>(channels->devices(), listener);
}

std::filesystem::path default_mapping(const std::filesystem::path& scene_file) {
    const auto file = scene_file.parent_path() / "inputs" / (scene_file.stem().string() + ".yaml");
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) ? file : std::filesystem::path{};
}

}  // namespace bristle::live
