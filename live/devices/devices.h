// Native devices: what is plugged into this machine or sends to it. Each has a thread of its own, so one that is
// slow, silent or broken keeps nobody waiting.
//
// A device that is not there, or is unplugged, is told once and looked for again every second; what it held is
// let go. What each kind understands is said in docs/inputs.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bristle::live {

inline constexpr double never = std::numeric_limits<double>::infinity();

// A joystick, gamepad, wheel or keyboard of the Linux kernel: by path, or the first whose name has this in it.
struct EvdevSettings {
    std::string name;
    std::filesystem::path path;
};
// Lines of text: name=value …, or values of these columns.
struct SerialSettings {
    std::filesystem::path path;
    uint32_t baud = 115'200;
    std::vector<std::string> columns;
    double timeout = never;  // s of silence after which its controls are let go
};
// Datagrams: a JSON object, or lines of name and value.
struct UdpSettings {
    std::string address = "127.0.0.1";
    uint16_t port = 0;
    double timeout = 0.5;  // s
    std::string token;     // that every datagram must have; empty: the listener says
};
struct DeviceSettings {
    std::string name;
    std::variant<EvdevSettings, SerialSettings, UdpSettings> kind;
};

// Called on the devices' threads. Must not wait for anything slow, nor throw.
struct DeviceListener {
    std::function<void(std::string_view device, std::string_view control, double value)> control;
    std::function<void(std::string_view device)> release;
    std::function<void(const std::string& what)> tell;  // for the user: found, lost, not understood
    // Whether a program with this token, or none, may steer now; without it, all may.
    std::function<bool(std::string_view token)> may_steer = {};
};

class Devices {
  public:
    Devices(const std::vector<DeviceSettings>&, const DeviceListener&);
    ~Devices();  // ends the threads
    Devices(const Devices&) = delete;
    Devices& operator=(const Devices&) = delete;

  private:
    class Worker;
    std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace bristle::live
