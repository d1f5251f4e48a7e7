#include "mechanics/drives.h"

#include <bristle/error.h>

#include "model/input_checks.h"

namespace bristle::mechanics {

double target_of(const Drive& drive, size_t index, double time, double command) {
    const double value = drive.target ? drive.target(time) : command;
    if (!std::isfinite(value))
        throw SimulationError(fmt::format("{}: its target at t = {:.6g} s is {}",
                                          model::label("drive", drive.name, index), time, value));
    return value;
}

}  // namespace bristle::mechanics
