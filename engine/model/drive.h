// What the target of a drive asks for.
#pragma once

#include <bristle/model.h>

#include <algorithm>

namespace bristle::model {

inline bool is_hydraulic(const Drive& drive) { return drive.control == Drive::Control::hydraulic; }

// The target is a rate, or a valve that makes one: it opens no further than fully.
inline bool asks_for_rate(const Drive& drive) { return drive.control != Drive::Control::position; }
inline double asked_rate(const Drive& drive, double target) {
    return is_hydraulic(drive) ? std::clamp(target, -1.0, 1.0) * drive.max_speed : target;
}

}  // namespace bristle::model
