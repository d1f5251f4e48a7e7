// All that persists from step to step of a world that the impulse solver moves. What is not here can be computed
// from it and the model.
#pragma once

#include "impulse/bodies.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristle::impulse {

// A point of contact. No padding: it is hashed by its bytes.
struct ContactImpulse {
    // Of the whole step, along the normal.
    double pressed() const {
        return double{normal[0]} * total[0] + double{normal[1]} * total[1]
             + double{normal[2]} * total[2];
    }
    uint64_t pair;      // colliders, a in the upper half
    uint32_t feature;   // which parts of them
    uint32_t slides;    // 1 or 0
    Vec3 point;         // world
    float normal[3];    // from b to a
    float gap;          // m, when the step began
    float impulse;      // along the normal, on a, of the last (sub)step
    float impact;       // m/s: that it struck with and has not yet bounced off
    float friction[3];  // impulse on a, of the last (sub)step; world
    float strain[3];    // m: how far a stuck point has been dragged; in the frame of b's group
    float total[3];     // impulse on a over the whole step, normal and friction; world
    // N m s on a, over the whole step: rolling and spinning resistance, and friction that acts beside the point; world
    float torque[3];
    double held;  // J: of what its island lost when it struck, and may be given back
};

struct ImpulseState {
    double time = 0;
    uint64_t steps = 0;
    std::vector<GroupMotion> motion;
    std::vector<double> memory;            // of drives, motors and counted angles
    std::vector<double> row_impulses;      // of every row of the mechanism, in the last (sub)step
    std::vector<ContactImpulse> contacts;  // of those awake, by pair …
    std::vector<ContactImpulse> resting;   // … and asleep

    std::vector<std::byte> bytes() const;
    // False, and nothing changed, if the bytes belong to a state of another model.
    bool assign(const std::vector<std::byte>&);
    uint64_t hash() const;
};

}  // namespace bristle::impulse
