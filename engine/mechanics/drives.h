// What the target of a drive asks for, and what a piston behind a valve may do (spec D5).
//
// A position drive that is off its target returns to it: r = f(t) + offset · exp(−t/τ), τ being 20 steps. A speed drive
// and a piston are asked for a rate; the piston's is that share of its largest which the valve is open.
//
//   piston                effort along the command
//     locked                F … ∞         at rate 0, where it was stored
//     pushing               F             between
//     at speed             −∞ … F         at the rate the valve gives, which a helping load does not exceed
//
// with F the largest effort; a closed valve locks with any effort of either sign. What is stored follows the piston in the
// direction of the command only: it is a ratchet.
#pragma once

#include <bristle/model.h>

#include <algorithm>
#include <cmath>

namespace bristle::mechanics {

inline bool is_hydraulic(const Drive& drive) { return drive.control == Drive::Control::hydraulic; }
inline bool asks_for_rate(const Drive& drive) { return drive.control != Drive::Control::position; }

// Dry friction asks for a rate of zero, with what it may exert: a row while it holds, a constant effort against the motion
// while it slips.
inline bool is_friction(const Drive& drive) { return drive.control == Drive::Control::friction; }

// The value of its function of time, or of the command if it has none. Throws SimulationError if that is not finite.
double target_of(const Drive&, size_t index, double time, double command);

// The rate that a target means, of a drive that asks for one. A valve opens no further than fully.
inline double asked_rate(const Drive& drive, double target) {
    return is_hydraulic(drive) ? std::clamp(target, -1.0, 1.0) * drive.max_speed : target;
}

// What a drive remembers at first: a rate's coordinate, or how far a position is off its target.
inline double start_reference(const Drive& drive, double coordinate, double target) {
    return asks_for_rate(drive) ? coordinate : coordinate - target;
}

// Steps in which the offset of a position drive falls to 1/e: long beside the step, so that no command makes velocities
// jump; short beside what a person sees.
inline constexpr double return_steps = 20;
inline double return_time(double step) { return return_steps * step; }
inline double offset_after(double offset, double h, double step) {
    return offset * std::exp(-h / return_time(step));
}

// A command does not make the coordinate jump: the offset of a position drive takes up the difference, and fades.
inline void give_command(const Drive& drive, double& command, double& reference, double value) {
    if (drive.control == Drive::Control::position) reference += command - value;
    command = value;
}

// What a piston has stored, after a step that ended at `coordinate` with the valve open this way.
inline double stored_by(double opening, double stored, double coordinate) {
    if (opening > 0) return std::max(stored, coordinate);
    return opening < 0 ? std::min(stored, coordinate) : stored;
}

}  // namespace bristle::mechanics
