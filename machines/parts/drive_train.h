// What turns the wheels of a machine, and what stops them (docs/machines.md): a source with ranges, differentials that lock in part, and
// brakes in every hub.
//
//     DriveTrain train;
//     train.axles = {{.left = rear_left, .right = rear_right, .share = 0.5}, {.left = front_left, .right = front_right, .share = 0.5}};
//     const ForceId drive = add_drive_train(model, train);
//     world.command(drive, pedal, 0.6);          // −1 … 1: backwards, forwards
//     world.command(drive, range, 2);            // 0: neutral
//     world.command(drive, service_brake, 0.3);  // 0 … 1
//     world.command(drive, parking_brake, 1);
//
// Brakes and locks hold as springs that give way at their torque, and let go nothing below it.
#pragma once

#include <bristle/model.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bristle::machines {

// The most torque of all hubs together, and how fast they may turn.
struct Range {
    double torque = 60e3;  // N m
    double speed = 5;      // rad/s
};

// Hubs whose coordinates grow forwards.
struct Axle {
    JointId left, right;
    double share = 1;           // of the torque
    double lock_preload = 500;  // N m that both hubs may differ by besides what the road asks …
    double lock_share = 0.25;   // … and of the torque that is put in
};

enum DriveInput : size_t { pedal, range, service_brake, parking_brake, drive_inputs };

struct DriveTrain {
    double power = 100e3;  // W
    std::vector<Range> ranges = {{60e3, 5}, {20e3, 17}};
    std::vector<Axle> axles;
    double retarding = 4e3;        // N m of all hubs, at the range's speed, with the pedal let go
    double service_torque = 25e3;  // N m of a hub, at full brake
    double parking_torque = 20e3;  // N m of a hub
    double brake_windup =
        0.004;  // rad, at the torque where they give way: of pads, shafts and carriers
    double brake_calming = 0.02;  // s: damps it, in shares of its stiffness
    double lock_windup = 0.02;    // rad
    double start_range = 1, start_parked = 0;
    std::array<TimeFunction, drive_inputs> inputs = {};  // instead of commands
    std::string name = "drive train";
};

// Throws InputError.
ForceId add_drive_train(Model&, const DriveTrain&);
// What a force is, or nothing: as it was added, with the joints that it has now.
std::optional<DriveTrain> drive_train_of(const StatefulForce&);

}  // namespace bristle::machines
