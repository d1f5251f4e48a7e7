// Mechanisms written once: tests, validation, bench and examples all take them from here.
//
// Planar ones move in the x-z plane, z up, with hinge axes along y; so the (x, y) of a reference in
// the plane is (x, z) here.
#pragma once

#include <bristle/model.h>

#include <string>
#include <vector>

namespace bristle::scenes {

// A01: a point of 1 kg on a massless bar of 1 m, from (−1, 0) at rest.
struct Pendulum {
    Model model;
    BodyId mass;
};
Pendulum pendulum();

// A02: n square four-bars in a row, 2n + 1 slender rods of 1 m and 1 kg, upright, tops moving at 1 m/s.
struct FourBars {
    Model model;
    std::vector<BodyId> cranks, couplers;
};
FourBars four_bars(int n);

// A03: Andrews' seven-body mechanism.
struct Andrews {
    Model model;
    BodyId crank;   // OF
    JointId pivot;  // at O: its angle is β − β(0)
    double beta_start;
};
Andrews andrews();

// A05: the stiff flyball governor.
struct Flyball {
    Model model;
    BodyId slider;
    double slider_start;
};
Flyball flyball();

// A free body with inertias 1, 2, 3, spinning about the middle one.
struct Dzhanibekov {
    Model model;
    BodyId body;
};
Dzhanibekov dzhanibekov();

struct DoublePendulum {
    Model model;
    BodyId first, second;
};
DoublePendulum double_pendulum();

// A chain of slender rods hanging from the ground by ball joints, the last link `tip_ratio` times heavier.
struct Chain {
    Model model;
    std::vector<BodyId> links;
};
Chain chain(int links, double tip_ratio, double length = 0.1, double mass = 1);

// The 15-body machine of machine15.json: its chassis welded to the ground, with or without its bucket
// cylinder's drive, or standing on its wheels: spheres on a plane, friction 0.8.
struct Machine15 {
    enum class Variant : uint8_t { welded, welded_with_free_cylinder, on_wheels };
    Model model;
    BodyId chassis, bucket;
    struct Loop {
        BodyId rod, arm;
        Vec3 at_rod, at_arm;  // the two sides of a loop's ball joint, in the bodies' frames
    };
    std::vector<Loop> loops;
    std::vector<DriveId> cylinders;
};
Machine15 machine15(Machine15::Variant = Machine15::Variant::welded);
const char* machine15_data();  // the file itself, for programs of others

}  // namespace bristle::scenes
