// Named channels: what a person or a program steers with (spec H2).
//
// A control is something of a device that has a value: "key w" (0 or 1), "axis 0" (−1 … 1), "button 3"
// (0 … 1). A mapping file says which controls move which channel, and what a channel does: docs/inputs.md.
//
//     channels:
//       boom: {drive: boom cylinder, scale: 0.3 m/s, deadband: 0.05, curve: 1.5}
//     devices:
//       keyboard: {w: boom, s: -boom}
//       gamepad: {axis 1: -boom}
//
// The positions of all controls on a channel add up, x = Σ gain · position, clipped to −1 … 1; then
//
//     y = sign(x) · (max(0, |x| − deadband) / (1 − deadband))^curve
//     value = center + scale · y, clipped to low … high
//
// Without a file every drive or motor that takes commands is a channel of its own name. All sources end in
// `set` or `control`: a human, a program and a hardware controller are the same to the simulation.
// May be called from any thread.
#pragma once

#include "live/devices/devices.h"
#include "live/wire/input.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::live {

struct ChannelInfo {
    std::string name, unit;
    double low = -1, high = 1;  // in that unit
    double value = 0;
};

class Channels {
  public:
    explicit Channels(const Model&);
    // Throws InputError that names file and line.
    Channels(const Model&, const std::filesystem::path& mapping);
    // The same of a text; messages name `file`.
    Channels(const Model&, const std::string& text, const std::string& file);
    ~Channels();

    std::vector<ChannelInfo> list() const;
    // In the channel's unit; clipped to its ends. Throws InputError for a name that is not there or a
    // value that is not finite.
    Input set(std::string_view channel, double value);
    // What a control's new value means: nothing, or commands. Controls that are unknown, and values that are not
    // finite, mean nothing.
    std::vector<Input> control(std::string_view device, std::string_view control, double value);
    // Everything a device holds is let go: it was unplugged, or its connection lost.
    std::vector<Input> release(std::string_view device);
    // The controls of a device that mean something, for the page to know which keys to send.
    std::vector<std::string> controls(std::string_view device) const;
    // Native ones of the mapping, for `Devices`.
    const std::vector<DeviceSettings>& devices() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// The native devices of the mapping, at work: what they do is given as inputs, on their threads. `tell` is for the
// user: a device was found, lost, or not understood; `may_steer` as in DeviceListener.
std::unique_ptr<Devices> connect_devices(const std::shared_ptr<Channels>&,
                                         const std::function<void(const Input&)>& give,
                                         std::function<void(const std::string&)> tell,
                                         std::function<bool(std::string_view)> may_steer = {});

// inputs/<name>.yaml beside the scene, or empty if there is none.
std::filesystem::path default_mapping(const std::filesystem::path& scene_file);

}  // namespace bristle::live
