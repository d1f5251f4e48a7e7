#include "validation/rough/result.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace bristle::validation::rough {
namespace {

constexpr double depth_allowed = 0.1;  // of the body's extent

// Every figure once, for both ways.
template <class Row, class Visit> void each(Row& r, const Visit& visit) {
    visit("family", r.family);
    visit("subject", r.subject);
    visit("seed", r.seed);
    visit("step", r.step);
    visit("solver", r.solver);
    visit("asked_s", r.asked);
    visit("simulated_s", r.simulated);
    visit("error", r.error);
    visit("not_finite_s", r.not_finite);
    visit("too_slow_s", r.too_slow);
    visit("fastest", r.fastest);
    visit("fastest_allowed", r.fastest_allowed);
    visit("gain", r.gain);
    visit("gain_time", r.gain_time);
    visit("gain_by_end", r.gain_by_end);
    visit("gain_by_mean", r.gain_by_mean);
    visit("allowed_gain", r.allowed_gain);
    visit("strict", r.is_strict);
    visit("largest_energy", r.largest_energy);
    visit("work", r.work);
    visit("work_by_mean", r.work_by_mean);
    visit("depth", r.depth);
    visit("depth_share", r.depth_share);
    visit("depth_time", r.depth_time);
    visit("depth_where", r.depth_where);
    visit("start_depth", r.start_depth);
    visit("through", r.through);
    visit("through_time", r.through_time);
    visit("through_where", r.through_where);
    visit("joint_gap", r.joint_gap);
    visit("joint_gap_time", r.joint_gap_time);
    visit("joint_gap_allowed", r.joint_gap_allowed);
    visit("joint_gap_where", r.joint_gap_where);
    visit("mean_us", r.mean_us);
    visit("p999_us", r.p999_us);
    visit("worst_us", r.worst_us);
    visit("iterations", r.iterations);
    visit("worst_iterations", r.worst_iterations);
    visit("steps", r.steps);
    visit("retried", r.retried);
    visit("loose", r.loose);
}

}  // namespace

std::vector<std::string> Result::faults() const {
    std::vector<std::string> out;
    if (!error.empty()) out.emplace_back("error");
    if (not_finite >= 0) out.emplace_back("nan");
    if (too_slow >= 0) out.emplace_back("slow");
    if (!(fastest <= fastest_allowed)) out.emplace_back("fast");
    if (!(gain <= allowed_gain))
        out.emplace_back("gain");
    else if (is_strict && !(gain_by_end <= allowed_gain))
        out.emplace_back("gain-by-end");
    if (!(depth_share <= depth_allowed)) out.emplace_back("deep");
    if (through > 0) out.emplace_back("through");
    if (!(joint_gap <= joint_gap_allowed)) out.emplace_back("loops");
    return out;
}

nlohmann::ordered_json to_json(const Result& r) {
    nlohmann::ordered_json out;
    each(r, [&](const char* key, const auto& value) { out[key] = value; });
    out["faults"] = r.faults();
    return out;
}

Result result_of(const nlohmann::ordered_json& json) {
    Result out;
    each(out, [&](const char* key, auto& value) {
        using Value = std::remove_reference_t<decltype(value)>;
        // What is not finite is written as null.
        if constexpr (std::is_same_v<Value, double>)
            value = json.at(key).is_null() ? std::numeric_limits<double>::quiet_NaN()
                                           : json.at(key).get<double>();
        else
            value = json.at(key).get<Value>();
    });
    return out;
}

}  // namespace bristle::validation::rough
