// What the records of a Linux input device mean, apart from where they come from.
#pragma once

#include "live/devices/device.h"

#include <linux/input.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bristle::live {

class EvdevDecoder {
  public:
    // What the device says it has: its axes with their ranges, its keys and buttons in the order of their codes.
    void add_axis(uint16_t code, const input_absinfo&);
    void add_key(uint16_t code);

    // False: records were lost (SYN_DROPPED), and the device must be asked where everything is.
    bool take(const input_event&, ControlSink&);
    void set_axis(uint16_t code, int32_t value, ControlSink&) const;
    void set_key(uint16_t code, bool is_down, ControlSink&) const;

  private:
    struct Axis {
        std::string name;
        double low, high, flat;
        bool is_pedal;  // 0 … 1 instead of −1 … 1
    };
    std::map<uint16_t, Axis> axes_;
    std::map<uint16_t, std::string> keys_;
    int buttons_ = 0;
    bool is_lost_ = false;  // until the next report
};

// All whole records there are; false: the file has ended. `lost` is set if records were lost.
bool read_events(int file, EvdevDecoder&, ControlSink&, bool& lost);

}  // namespace bristle::live
