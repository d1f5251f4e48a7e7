// What a run of the battery showed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bristle::validation::rough {

struct Result {
    std::string family, subject;  // the subject is a scene, or what the seed made
    uint64_t seed = 0;
    double step = 0;  // s
    std::string solver;
    double asked = 0, simulated = 0;  // s

    std::string error;                        // of the simulation; empty: it ran to its end
    double not_finite = -1;                   // s: when; negative: never
    double too_slow = -1;                     // s: when it was given up
    double fastest = 0, fastest_allowed = 0;  // m/s

    // J; how they are taken is said in docs/rough.md.
    double gain = 0, gain_time = 0;  // drives having done the most they can have
    double gain_by_end = 0,
           gain_by_mean = 0;  // by their efforts at the end of steps, by mean efforts
    double allowed_gain = 0, largest_energy = 0;
    bool is_strict = false;  // the gain by efforts at the end of steps counts too
    double work = 0, work_by_mean = 0;

    double depth = 0, depth_share = 0, depth_time = 0;  // m, of the body's extent that way, s
    std::string depth_where;
    double start_depth = 0;  // m, after the first step
    uint64_t through = 0;    // looks that found a body's centre behind a surface
    double through_time = 0;
    std::string through_where;
    double joint_gap = 0, joint_gap_time = 0, joint_gap_allowed = 0;  // m, s
    std::string joint_gap_where;

    double mean_us = 0, p999_us = 0, worst_us = 0;
    double iterations = 0;  // a step
    int worst_iterations = 0;
    uint64_t steps = 0, retried = 0, loose = 0;

    // What is wrong, a word each; none: it passed.
    std::vector<std::string> faults() const;
};

nlohmann::ordered_json to_json(const Result&);
Result result_of(const nlohmann::ordered_json&);

}  // namespace bristle::validation::rough
