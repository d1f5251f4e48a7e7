// A brake in a joint that a lever sets (docs/machines.md): of a platform that swings, a shaft, or what locks an axle that oscillates.
//
//     const ForceId lock = add_brake(model, {.joint = pivot, .effort = 200e3});
//     world.command(lock, brake_lever, 1);      // 0 … 1: open, set
//
// It holds as a spring that gives way at its effort, times what it is set by; below that it lets nothing go.
#pragma once

#include <bristle/model.h>

#include <optional>
#include <string>

namespace bristle::machines {

struct Brake {
    JointId joint;
    double effort = 20e3;     // N m or N, when it is set
    double windup = 0.002;    // rad or m, at which it gives way
    double calming = 0.02;    // s: damps it, in shares of its stiffness
    double start = 0;         // 0 … 1, how it is set at the start
    TimeFunction lever = {};  // instead of commands
    std::string name = "brake";
};

inline constexpr size_t brake_lever = 0;

// Throws InputError.
ForceId add_brake(Model&, const Brake&);
// What a force is, or null: as it was added, on the joint that it has now.
std::optional<Brake> brake_of(const StatefulForce&);

}  // namespace bristle::machines
