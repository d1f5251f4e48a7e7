// A case of rough use: a model, what is done to it step by step, and what can be said about it from outside.
#pragma once

#include <bristle/world.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bristle::validation::rough {

struct Case {
    std::string about;  // what the seed made of it, in a few words
    Model model;
    Settings settings;
    std::function<void(World&)> command;                // before every step
    std::function<double(double x, double y)> terrain;  // its height; none: no terrain
    double walls = unlimited;  // m: no body's centre gets further from the axis than this in x or y
    double fastest = 200;      // m/s: nothing here can be faster
    double settling = 0;       // s after a start in each other, until which depth is not judged
    bool starts_overlapping = false;
};

// Models from a seed.
struct Family {
    std::string name, about;
    Case (*make)(uint64_t seed);
    double seconds;                      // a run of the whole battery lasts so long, …
    int seeds;                           // … and there are so many
    double gate_seconds;                 // of the short battery, which has two
    std::vector<double> steps = {5e-3};  // s
};
const std::vector<Family>& families();

Case terrain(uint64_t seed);
Case obstacles(uint64_t seed);
Case drops(uint64_t seed);
Case rollovers(uint64_t seed);
Case strikes(uint64_t seed);
Case loose_20(uint64_t seed);
Case loose_50(uint64_t seed);
Case ragdolls(uint64_t seed);
Case chains(uint64_t seed);
Case overlaps(uint64_t seed);
Case mass_ratios(uint64_t seed);
Case squeezes(uint64_t seed);
Case narrow_walls(uint64_t seed);
Case arms(uint64_t seed);
Case stacks(uint64_t seed);
Case cards(uint64_t seed);
Case mechanisms(uint64_t seed);

// A scene of a file. Seed 0 leaves it as it is; others give random commands to its drives.
Case scene_case(const std::string& file, uint64_t seed, const std::string& solver, double step);

// Whether there is a drive that random commands can go to.
bool takes_commands(const Model&);

Settings settings_of(const std::string& solver, double step);

}  // namespace bristle::validation::rough
