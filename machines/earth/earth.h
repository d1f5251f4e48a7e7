// Earth: ground that is dug, carried, dumped, heaped and driven on (docs/earth.md).
//
//     Earth earth;
//     earth.patches = {{.shape = site, .soil = loam()}};                 // height fields of the ground
//     earth.buckets = {bucket};                                          // bucket_shape.h
//     const EarthIds ids = add_earth(model, earth);
//     const EarthNow now(world, ids);
//     now.buckets[0].mass;  now.ledger.total();
//
// It is a process (bristle/process.h): after every step it cuts the ground where buckets went, tells their forces how the soil
// resists, moves what flies, lets slide what is steep, and presses down what wheels and feet stand on. A bucket feels patches by
// its forces alone: add_earth takes their groups from the masks of its body's shapes. Where material lands on other scenery a
// spare patch is laid there.
//
// All mass is in one ledger: ground, buckets, beds, what flies, and what fell beyond the edge of everything.
#pragma once

#include <bristle/world.h>

#include "machines/earth/bucket_shape.h"
#include "machines/earth/soil.h"

#include <optional>
#include <string>
#include <vector>

namespace bristle::machines {

struct Earth {
    // A height field of the ground, upright, that can be dug.
    struct Patch {
        ShapeId shape;
        Soil soil;
    };
    // A container on a body, or one that stands: its floor from low to high, in the body's frame, and how high its sides are.
    struct Bed {
        BodyId body;
        Vec3 low, high;            // m; low.z is the floor, high.z the top of the sides
        double tail_angle = 0.35;  // rad: leaning so far to −x it empties over that side
        std::string name = "bed";
    };
    // What rolls: the load of a tyre (add_tyre) presses the ground under it.
    struct Roller {
        ForceId tyre;
        double width = 0.4;  // m
    };
    // What stands or is pushed: a plate of the body's, whose contacts with the ground press it.
    struct Foot {
        BodyId body;
        Vec3 center;                       // of the plate's underside, in the body's frame
        double length = 0.5, width = 0.5;  // m, along the body's x and y
    };

    std::vector<Patch> patches;
    std::vector<Bucket> buckets;
    std::vector<Bed> beds;
    std::vector<Roller> rollers;
    std::vector<Foot> feet;
    // Patches that are laid where material lands: how many there may be, their points along a side, and the distance of two.
    uint32_t spare_patches = 8, spare_points = 41;
    double spare_spacing = 0.1;
    Soil spare_soil = loam();  // of what is dumped there
    // Of spare patches, and of declared ones whose group is the usual one; buckets leave it out.
    uint32_t group = 1u << 16;
    MaterialId material;  // of spare patches
    uint32_t seed = 1;    // of scatter
    int looks = 4000;     // at triangles that may slide, a patch and step
};

struct EarthIds {
    ProcessId process;
    std::vector<ForceId> dig_forces, loads;  // of every bucket
    std::vector<ForceId>
        bed_loads;  // of every bed; none (an id the model has not) of one that stands
    std::vector<ShapeId> spares;
};
// Throws InputError.
EarthIds add_earth(Model&, const Earth&);
void check(const Model&, const Earth::Patch&);
void check(const Model&, const Earth::Bed&);
void check(const Model&, const Earth::Roller&);
void check(const Model&, const Earth::Foot&);

// The earth of a model and what belongs to it, or nothing.
struct EarthOf {
    const Earth& earth;
    const EarthIds& ids;
};
std::optional<EarthOf> earth_of(const Model&);

struct Ledger {
    double ground = 0, buckets = 0, beds = 0, flight = 0,
           lost = 0;  // kg; the ground's above a datum
    double total() const { return ground + buckets + beds + flight + lost; }
};
struct BucketNow {
    double mass = 0, volume = 0;  // kg, m³ loose
    double most = 0;              // m³: what it can hold as it leans
    double angle = 0;             // rad: β of LUA 4.8.1
    double depth = 0, rake = 0;   // m, rad: of the edge, where it is in the soil
    double cut = 0, gained = 0;   // kg: in the last step
    double flow = 0;              // m³/s: of LUA (3.28), beside what was gained
    Vec3 center;                  // of the load, in the body's frame
    Vec3 force;                   // N: of the soil in the last step, world
};
struct EarthNow {
    EarthNow(const World&, const EarthIds&);
    Ledger ledger;
    std::vector<BucketNow> buckets;
    std::vector<double> beds;  // kg
    size_t spares_in_use = 0, parcels = 0, active_cells = 0;
};
// The load's shape of a bed: heights above its floor, along the body's x and y.
HeightField bed_heights(const World&, const EarthIds&, size_t bed);

}  // namespace bristle::machines
