// Many bodies by the impulse solver: the cases of bench/body_cases.h, which the peers run too, and what is
// only ours: threads, sleeping, time per contact.
#pragma once

#include <functional>
#include <string>

namespace bristle::bench {

struct BodiesRow {
    std::string name;  // of the case
    std::string setting;
    double time_us;  // of a step
    double error;
    std::string error_is;
};

enum class BodiesEffort { quick, full };  // quick leaves out the pile of 5,000
// The default setting of a case comes first.
void bench_bodies(BodiesEffort, const std::function<void(const BodiesRow&)>& print);

}  // namespace bristle::bench
