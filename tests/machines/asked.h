// A law that a test asks itself: what it is asked, and what it answers.
#pragma once

#include <bristle/stateful.h>

#include <vector>

namespace bristle::machines::testing_support {

struct Asked {
    Asked(const StatefulLaw& asked, size_t count)
        : law(asked), ways(count), before(asked.memory_size()), inputs(asked.input_count()) {
        law.start(before, inputs);
        for (auto* list : {&start, &start_rate, &end, &end_rate, &effort}) list->assign(ways, 0);
        memory = before;
    }
    void ask(double h) {
        stiffness.assign(ways * ways, 0);
        damping = stiffness;
        effort.assign(ways, 0);
        law.step({.time = h,
                  .step = h,
                  .inputs = inputs,
                  .before = before,
                  .aims = aims,
                  .start = start,
                  .start_rate = start_rate,
                  .end = end,
                  .end_rate = end_rate,
                  .memory = memory,
                  .effort = effort,
                  .stiffness = stiffness,
                  .damping = damping});
    }
    // −∂ effort i / ∂ x, x one of the numbers it is asked with.
    std::vector<double> slope(double& x, double by, double h) {
        const double at = x;
        x = at + by;
        ask(h);
        std::vector<double> out = effort;
        x = at - by;
        ask(h);
        for (size_t i = 0; i < ways; ++i) out[i] = -(out[i] - effort[i]) / (2 * by);
        x = at;
        return out;
    }
    const StatefulLaw& law;
    size_t ways;
    std::vector<PointAim> aims;
    std::vector<double> before, inputs, start, start_rate, end, end_rate, memory, effort, stiffness,
        damping;
};

}  // namespace bristle::machines::testing_support
