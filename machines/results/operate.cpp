#include "machines/results/operate.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::machines {

Operated::Operated(const Model& model, PartsFound parts, const Settings& settings)
    : parts_(std::move(parts)), world_(model, settings) {
    for (const ArmCylinder& c : parts_.cylinders)
        if (!c.lever)
            throw InputError(fmt::format(
                "nothing moves joint '{}': give it a function of a hydraulics force, or a "
                "hydraulic drive",
                c.name));
}

void Operated::let_go() {
    for (size_t i = 0; i < parts_.cylinders.size(); ++i) lever(i, 0);
}

bool Operated::lead(const Lengths& to, double most) {
    // Full lever from a twelfth of the stroke on, no less than opens the valves; there within a thousandth.
    const double end = world_.time() + most;
    std::array<bool, most_cylinders> is_there{};
    while (world_.time() < end) {
        bool all = true;
        for (size_t i = 0; i < parts_.cylinders.size(); ++i) {
            const ArmCylinder& c = parts_.cylinders[i];
            const double missing = (to[i] - length(i)) / (c.longest - c.shortest);
            is_there[i] = std::abs(missing) < (is_there[i] ? 3e-3 : 1e-3);
            const double push = std::clamp(12 * missing, -1.0, 1.0);
            lever(i, is_there[i] ? 0 : push + std::copysign(0.1 * (1 - std::abs(push)), push));
            all &= is_there[i];
        }
        if (all) {
            let_go();
            return true;
        }
        world_.step();
    }
    let_go();
    return false;
}

double Operated::time_to(size_t cylinder, double to, double most) {
    const double begin = world_.time(), way = to > length(cylinder) ? 1 : -1;
    lever(cylinder, way);
    while (world_.time() < begin + most) {
        world_.step();
        if (way * (length(cylinder) - to) < 0) continue;
        lever(cylinder, 0);
        return world_.time() - begin;
    }
    lever(cylinder, 0);
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace bristle::machines
