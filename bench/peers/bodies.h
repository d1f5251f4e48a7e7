#pragma once

#include "bench/body_cases.h"
#include "bench/peers/common.h"

// What the peers share for the suite `bodies`: a peer makes a simulation of a scene, with `step()` and
// `pose(i)`, and is timed on cases of bench/body_cases.h. Sleeping is off, one thread.

namespace bristle::bench::peers {

/// Of each peer, in a file of its own: prints its rows.
void run_bodies(const Report& report, const Arguments& arguments);

/// `make(scene, step)` builds the simulation and returns a pointer that owns it. What takes less than
/// `repeat_budget` is run three times, and the least time counts.
template <class Make>
void run_case(const Report& report, const many_bodies::Case& c, const std::string& setting,
              Make make) {
    const Entry entry{c.name, setting, ""};
    isolated(report, entry, [&] {
        const auto follow = [&] {
            const auto simulation = make(c.scene, c.step);
            return many_bodies::follow(c, *simulation, [] { return CpuStopwatch::now(); });
        };
        const many_bodies::Outcome first = follow();
        double time = first.time;
        for (int repetition = 0; repetition < 2 && first.spent < repeat_budget; ++repetition)
            time = std::min(time, follow().time);
        for (const many_bodies::Finding& finding : many_bodies::findings(c, first))
            report.row({c.name, setting + many_bodies::remark(first), finding.error_is}, time * 1e6,
                       finding.error);
    });
}

}  // namespace bristle::bench::peers
