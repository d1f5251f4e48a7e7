// All that persists from step to step. What is not here can be computed from it and the model.
#pragma once

#include "math/simd.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristle::state {

// What a contact remembers from step to step; nothing but eight-byte numbers, so that its bytes can be
// hashed. Frames are those of the rigid group of shape b.
struct ContactMemory {
    uint64_t pair;             // colliders, a in the upper half
    uint64_t feature;          // which parts of them
    uint64_t bodies;           // a in the upper half
    Vec3 strain;               // of the bristle, in b's frame
    Vec3 roll;                 // strain of the rolling resistance, in b's frame
    double spin;               // strain of the spinning resistance, about the normal
    Vec3 share, torque_share;  // of the accelerations in this state, world axes
    Vec3 force, torque;        // mean of the last step, on a
    Vec3 point, normal;        // world
    Vec3 at_a, at_b;           // centres of the balls, or points of the faces; world
    Vec3 inward;               // from the point to where it rubs, along the face; world
    double depth, slip_speed;
    double impact_speed, mass, stiffness;
    double left_out;  // of the overlap, that does not count as depth
    double
        stored;  // J, by its normal spring: the next step finds no more there, however deep it is
    double strained;  // J, by its bristle
    double
        volume;  // of a patch, with its grip, negative for a gap; `roll` is its first moment about the area's centroid
    uint64_t flags;
};
enum ContactFlags : uint8_t {
    weighed_contact = 1,
    slipping_contact = 2,
    struck_contact = 4,
    patch_point = 8,  // one of the four that press for a patch …
    patch_grip = 16   // … and the one that rubs, after them in the list
};

// Of every entity; the fourth lane is nothing.
bool is_finite(const std::vector<Vec4>&);
// That lane is zero, and stays so: products of whole registers rely on it.
bool is_padded(const std::vector<Vec4>&);

struct State {
    double time = 0;
    uint64_t steps = 0;
    std::vector<Vec4> position, velocity, acceleration;  // of every entity
    std::vector<Vec4>
        force;  // constraint less applied force at the end of the last step (HHT, generalized-α)
    std::vector<double> multiplier;  // of every scalar row
    std::vector<Vec4> closure_multiplier;
    std::vector<double> memory;           // counted turns, modes of drives and limits, commands
    std::vector<ContactMemory> contacts;  // that were closed, by pair and feature
    // Of every assembly (lagrange/system.h), J: what it had, or has, in motion; what nobody put in, since that was last gone; and what
    // the rule of calm steps added and is to be taken off.
    std::vector<double> motion, surplus, astray;
    std::vector<double> restless;  // of the same: steps until it tries a calm one again
    std::vector<double> still;     // s: how long every assembly has been at rest

    std::vector<std::byte> bytes() const;
    // False, and nothing changed, if the bytes belong to a state of another shape. Only contacts and
    // times at rest may be more or fewer.
    bool assign(const std::vector<std::byte>&);
    uint64_t hash() const;
};

}  // namespace bristle::state
