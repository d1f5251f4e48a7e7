#include "live/devices/device_evdev.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

namespace bristle::live {
namespace {

struct Name {
    uint16_t code;
    const char* name;
};

constexpr std::array<Name, 18> axis_names{{{ABS_X, "x"},
                                           {ABS_Y, "y"},
                                           {ABS_Z, "z"},
                                           {ABS_RX, "rx"},
                                           {ABS_RY, "ry"},
                                           {ABS_RZ, "rz"},
                                           {ABS_THROTTLE, "throttle"},
                                           {ABS_RUDDER, "rudder"},
                                           {ABS_WHEEL, "wheel"},
                                           {ABS_GAS, "gas"},
                                           {ABS_BRAKE, "brake"},
                                           {ABS_HAT0X, "hat x"},
                                           {ABS_HAT0Y, "hat y"},
                                           {ABS_HAT1X, "hat 1 x"},
                                           {ABS_HAT1Y, "hat 1 y"},
                                           {ABS_TILT_X, "tilt x"},
                                           {ABS_TILT_Y, "tilt y"},
                                           {ABS_PRESSURE, "pressure"}}};

// As browsers call them (KeyboardEvent.key in small letters), so that a mapping serves both.
constexpr std::array<Name, 81> key_names{{
    {KEY_A, "a"},
    {KEY_B, "b"},
    {KEY_C, "c"},
    {KEY_D, "d"},
    {KEY_E, "e"},
    {KEY_F, "f"},
    {KEY_G, "g"},
    {KEY_H, "h"},
    {KEY_I, "i"},
    {KEY_J, "j"},
    {KEY_K, "k"},
    {KEY_L, "l"},
    {KEY_M, "m"},
    {KEY_N, "n"},
    {KEY_O, "o"},
    {KEY_P, "p"},
    {KEY_Q, "q"},
    {KEY_R, "r"},
    {KEY_S, "s"},
    {KEY_T, "t"},
    {KEY_U, "u"},
    {KEY_V, "v"},
    {KEY_W, "w"},
    {KEY_X, "x"},
    {KEY_Y, "y"},
    {KEY_Z, "z"},
    {KEY_0, "0"},
    {KEY_1, "1"},
    {KEY_2, "2"},
    {KEY_3, "3"},
    {KEY_4, "4"},
    {KEY_5, "5"},
    {KEY_6, "6"},
    {KEY_7, "7"},
    {KEY_8, "8"},
    {KEY_9, "9"},
    {KEY_MINUS, "-"},
    {KEY_EQUAL, "="},
    {KEY_LEFTBRACE, "["},
    {KEY_RIGHTBRACE, "]"},
    {KEY_SEMICOLON, ";"},
    {KEY_APOSTROPHE, "'"},
    {KEY_GRAVE, "`"},
    {KEY_BACKSLASH, "\\"},
    {KEY_COMMA, ","},
    {KEY_DOT, "."},
    {KEY_SLASH, "/"},
    {KEY_SPACE, "space"},
    {KEY_ENTER, "enter"},
    {KEY_KPENTER, "enter"},
    {KEY_TAB, "tab"},
    {KEY_BACKSPACE, "backspace"},
    {KEY_ESC, "escape"},
    {KEY_LEFTSHIFT, "shift"},
    {KEY_RIGHTSHIFT, "shift"},
    {KEY_LEFTCTRL, "control"},
    {KEY_RIGHTCTRL, "control"},
    {KEY_LEFTALT, "alt"},
    {KEY_UP, "arrowup"},
    {KEY_DOWN, "arrowdown"},
    {KEY_LEFT, "arrowleft"},
    {KEY_RIGHT, "arrowright"},
    {KEY_PAGEUP, "pageup"},
    {KEY_PAGEDOWN, "pagedown"},
    {KEY_HOME, "home"},
    {KEY_END, "end"},
    {KEY_INSERT, "insert"},
    {KEY_DELETE, "delete"},
    {KEY_CAPSLOCK, "capslock"},
    {KEY_F1, "f1"},
    {KEY_F2, "f2"},
    {KEY_F3, "f3"},
    {KEY_F4, "f4"},
    {KEY_F5, "f5"},
    {KEY_F6, "f6"},
    {KEY_F7, "f7"},
    {KEY_F8, "f8"},
    {KEY_F9, "f9"},
    {KEY_F10, "f10"},
    {KEY_F11, "f11"},
    {KEY_F12, "f12"},
}};

template <size_t Size> std::string name_of(const std::array<Name, Size>& names, uint16_t code) {
    for (const Name& name : names)
        if (name.code == code) return name.name;
    return std::to_string(code);
}

bool is_button(uint16_t code) {
    return (code >= BTN_MISC && code < KEY_OK) || (code >= BTN_TRIGGER_HAPPY && code < KEY_MAX);
}

}  // namespace

void EvdevDecoder::add_axis(uint16_t code, const input_absinfo& info) {
    axes_[code] = {.name = "axis " + name_of(axis_names, code),
                   .low = double(info.minimum),
                   .high = double(info.maximum),
                   .flat = double(info.flat),
                   .is_pedal = code == ABS_GAS || code == ABS_BRAKE || code == ABS_PRESSURE};
}

void EvdevDecoder::add_key(uint16_t code) {
    keys_[code] =
        is_button(code) ? fmt::format("button {}", buttons_++) : "key " + name_of(key_names, code);
}

void EvdevDecoder::set_axis(uint16_t code, int32_t value, ControlSink& sink) const {
    const auto found = axes_.find(code);
    if (found == axes_.end() || found->second.high <= found->second.low) return;
    const Axis& axis = found->second;
    if (axis.is_pedal) {
        sink.control(axis.name, std::clamp((value - axis.low) / (axis.high - axis.low), 0.0, 1.0));
        return;
    }
    const double middle = (axis.low + axis.high) / 2;
    // `flat` is how far a stick may rest beside its middle, as its driver says.
    const double position =
        std::abs(value - middle) <= axis.flat ? 0 : (value - middle) / (axis.high - middle);
    sink.control(axis.name, std::clamp(position, -1.0, 1.0));
}

void EvdevDecoder::set_key(uint16_t code, bool is_down, ControlSink& sink) const {
    if (const auto found = keys_.find(code); found != keys_.end())
        sink.control(found->second, is_down ? 1 : 0);
}

bool EvdevDecoder::take(const input_event& event, ControlSink& sink) {
    if (event.type == EV_SYN && event.code == SYN_DROPPED) is_lost_ = true;
    if (event.type == EV_SYN && event.code == SYN_REPORT && is_lost_) {
        is_lost_ = false;
        return false;
    }
    if (is_lost_) return true;
    if (event.type == EV_ABS) set_axis(event.code, event.value, sink);
    if (event.type == EV_KEY) set_key(event.code, event.value != 0, sink);
    return true;
}

bool read_events(int file, EvdevDecoder& decoder, ControlSink& sink, bool& lost) {
    std::array<input_event, 64> events{};
    for (;;) {
        const ssize_t size = ::read(file, events.data(), sizeof events);
        if (size < 0) return errno == EAGAIN || errno == EINTR;
        if (size == 0) return false;
        const size_t count = size_t(size) / sizeof(input_event);
        for (size_t i = 0; i < count; ++i)
            if (!decoder.take(events[i], sink)) lost = true;
        if (count < events.size()) return true;
    }
}

}  // namespace bristle::live
