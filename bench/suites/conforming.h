// The volume two meshes share: the spheres of scenes/plain/icosphere.h, which the peers run too.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace bristle::bench {

struct ConformingRow {
    std::string name;  // of the case
    std::string setting;
    double time_us;  // CPU time to find volume, centroid, inertia and contour: the median
    double error;
    std::string error_is;
};

enum class ConformingEffort { quick, full };  // quick repeats less often
// The default setting of a case comes first. `volumes` has the exact volumes of the cases that a peer found; without
// one the volume of the smooth spheres is the measure.
void bench_conforming(ConformingEffort, const std::map<std::string, double>& volumes,
                      const std::function<void(const ConformingRow&)>& print);

}  // namespace bristle::bench
