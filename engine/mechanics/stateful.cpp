#include "mechanics/stateful.h"

#include <bristle/error.h>

#include <algorithm>
#include <cmath>

namespace bristle {

void StatefulLaw::start(std::span<double>, std::span<double>) const {}

std::vector<LawInput> StatefulLaw::inputs() const {
    std::vector<LawInput> list;
    for (size_t i = 0; i < input_count(); ++i) list.push_back({"input " + std::to_string(i)});
    return list;
}

double StatefulLaw::read(size_t, std::span<const double>) const { return 0; }

PointAim StatefulLaw::aim(size_t, const Pose& pose, const Twist&, std::span<const double>,
                          std::span<const double>, const Scenery&) const {
    return {.at = pose.position};
}

namespace mechanics {

StatefulLayout::StatefulLayout(const StatefulForce& force, uint32_t first_memory)
    : first_(first_memory),
      inputs_(force.law->input_count()),
      memory_(force.law->memory_size()),
      joints_(force.joints.size()),
      points_(force.points.size()) {}

StatefulStep::StatefulStep(const StatefulForce& force, uint32_t first_memory)
    : StatefulLayout(force, first_memory), force_(force) {
    aims.resize(points());
    memory_after.resize(force.law->memory_size());
    inputs_then.resize(force.law->input_count());
    for (auto* list : {&start, &start_rate, &end, &end_rate, &effort}) list->resize(ways());
    for (auto* list : {&stiffness, &damping}) list->resize(ways() * ways());
}

uint32_t StatefulLayout::memory_size(const StatefulForce& f) {
    const size_t ways = f.joints.size() + 3 * f.points.size();
    return static_cast<uint32_t>(f.law->input_count() + f.law->memory_size() + 2 * ways
                                 + 3 * f.points.size());
}

void StatefulStep::start_memory(std::vector<double>& all) const {
    law().start(memory(all), inputs(all));
    const auto first = inputs(all);
    for (size_t i = 0; i < first.size(); ++i)
        if (!force_.is_commanded(i)) first[i] = force_.inputs[i](0);
}

void StatefulStep::ask(double time, double step, const std::vector<double>& all) {
    for (auto* list : {&effort, &stiffness, &damping}) std::fill(list->begin(), list->end(), 0.0);
    const auto commanded = inputs(all);
    for (size_t i = 0; i < commanded.size(); ++i)
        inputs_then[i] = force_.is_commanded(i) ? commanded[i] : force_.inputs[i](time);
    law().step({.time = time,
                .step = step,
                .inputs = inputs_then,
                .before = memory(all),
                .aims = aims,
                .start = start,
                .start_rate = start_rate,
                .end = end,
                .end_rate = end_rate,
                .memory = memory_after,
                .effort = effort,
                .stiffness = stiffness,
                .damping = damping});
}

Vec3 StatefulStep::force_at(size_t point) const {
    Vec3 out;
    for (size_t k = 0; k < 3; ++k) out += effort[joints() + 3 * point + k] * aims[point].axis[k];
    return out;
}

bool StatefulStep::is_finite() const {
    double sum = 0;
    for (const auto* list : {&memory_after, &effort, &stiffness, &damping})
        for (double x : *list) sum += 0 * x;
    return sum == 0;
}

void StatefulStep::keep(std::span<const double> of_ways, std::span<const Vec3> at,
                        std::vector<double>& all) const {
    std::copy(memory_after.begin(), memory_after.end(), memory(all).begin());
    std::copy(inputs_then.begin(), inputs_then.end(), inputs(all).begin());
    const auto efforts_now = efforts(all), places_now = places(all);
    std::copy_n(of_ways.begin(), joints(), efforts_now.begin());
    for (size_t p = 0; p < points(); ++p) {
        Vec3 sum;
        for (size_t k = 0; k < 3; ++k) sum += of_ways[joints() + 3 * p + k] * aims[p].axis[k];
        for (int c = 0; c < 3; ++c) {
            efforts_now[joints() + 3 * p + static_cast<size_t>(c)] = sum[c];
            places_now[3 * p + static_cast<size_t>(c)] = at[p][c];
        }
    }
}

}  // namespace mechanics
}  // namespace bristle
