// What soil does to a bucket within a step: it resists, and it is carried. Two stateful forces, told between steps what is to be told
// (digging.h): so both are implicit in the motion.
//
// **Resistance** acts at the edge and at the foot, where the shell stands on soil, each along three axes: ahead, up (perpendicular to
// it), aside. Every axis has a bristle,
//
//     F = clamp(F₀ − k way, −R₊, R₋)
//
// with R the resistance in that direction: of the soil ahead, behind, below, above and beside. It holds at rest, yields at R, and lets go
// nothing below it, also while R changes with the ground: what it stores is F²/2k, which only falls where R cuts it off. (A bristle that
// follows the way up to a given strain, with the force R times that, loses some whenever R goes up and down: what stood on
// it sank.) Besides, what resists ahead pulls the edge down as the wedge does, speed adds c v², and the printed law has dampers along
// and across.
//
// k is the soil's, but no more than a light tool of mass m bears in a step h: m/h². Stiffer than that the bristle passes from one
// limit to the other within a step, and no solution settles: what falls on soil was thrown off it. It gives way by g h² then. Where
// the edge cuts ahead, the shell comes over soil that was cut and not pressed: what pressed it up fades over its own length.
//
// **Load** is a point mass m in the bucket: m g − (m v − p)/h, p the momentum it had, so that momentum is kept also while m
// changes: what comes in was at rest, what leaves takes its share.
#pragma once

#include <bristle/model.h>

namespace bristle::machines {

enum DigInput : size_t {
    edge_place,                    // three numbers, in the body's frame
    foot_place = edge_place + 3,   // likewise
    ahead_axis = foot_place + 3,   // likewise, of the world
    ahead_limit = ahead_axis + 3,  // N: of the edge …
    back_limit,
    down_limit,
    up_limit,
    side_limit,
    down_share,    // that pulls it down, over what resists ahead
    speed_factor,  // N s²/m²: besides, ahead
    foot_limit,    // N: of the foot, below it
    foot_grip,     // friction under it, over that
    along_damping,
    across_damping,  // N s/m: of the edge, along and across `ahead`
    dig_inputs
};
enum DigMemory : size_t {
    bristle_memory,                     // N: of six ways
    force_memory = bristle_memory + 6,  // N: of all, in the last step
    dig_memory = force_memory + 6
};
// `length`: of the shell, m.
ForceId add_dig_force(Model&, BodyId bucket, double stiffness, double length, std::string name);

enum LoadInput : size_t { load_place, load_mass = load_place + 3, load_inputs };
enum LoadMemory : size_t { carried_mass, carried_momentum, load_memory = carried_momentum + 3 };
ForceId add_load(Model&, BodyId, std::string name);

}  // namespace bristle::machines
