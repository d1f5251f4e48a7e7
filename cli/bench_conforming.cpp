#include "cli/bench_conforming.h"

#include "bench/icosphere.h"
#include "cli/cpu_time.h"
#include "collision/intersection.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace bristle::cli {
namespace {

std::shared_ptr<const TriangleMesh> sphere(uint32_t frequency) {
    const icosphere::Mesh made = icosphere::make(frequency);
    auto mesh = std::make_shared<TriangleMesh>();
    for (const auto& p : made.vertices) mesh->vertices.push_back({p[0], p[1], p[2]});
    mesh->triangles = made.triangles;
    return mesh;
}

// Of two unit spheres this far apart: two caps.
double smooth_volume(double distance) {
    const double height = 1 - distance / 2;
    return 2 * pi * height * height * (3 - height) / 3;
}

double total_volume(const Patches& found) {
    double volume = 0;
    for (const ContactPatch& patch : found.patches) volume += patch.volume;
    return volume;
}

struct Times {
    double first, median;  // µs
    double volume;         // at the first place
};

Times time_case(const icosphere::Case& c, const Solid& solid, int repetitions) {
    SolidPlacement second;
    const auto turn = icosphere::rotation();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            second.rotation(i, j) = turn[static_cast<size_t>(i)][static_cast<size_t>(j)];
    Intersection intersection;
    Patches found;
    Times times{};
    std::vector<double> taken;
    for (int k = 0; k < repetitions; ++k) {
        second.position.x = icosphere::distance(c, k % c.repetitions);
        found.clear();
        const double start = cpu_seconds(CpuTimeOf::thread);
        intersection.find(solid, {}, solid, second, found);
        taken.push_back(1e6 * (cpu_seconds(CpuTimeOf::thread) - start));
        if (k == 0) times.volume = total_volume(found);
    }
    times.first = taken[0];
    const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2);
    std::nth_element(taken.begin(), middle, taken.end());
    times.median = *middle;
    return times;
}

}  // namespace

void bench_conforming(ConformingEffort effort, const std::map<std::string, double>& volumes,
                      const std::function<void(const ConformingRow&)>& print) {
    for (const icosphere::Case& c : icosphere::cases) {
        const double start = cpu_seconds(CpuTimeOf::thread);
        const Solid solid(sphere(c.frequency));
        const double made = 1e6 * (cpu_seconds(CpuTimeOf::thread) - start);
        // Ours is faster, so more often in the same time.
        const Times times =
            time_case(c, solid, (effort == ConformingEffort::quick ? 3 : 10) * c.repetitions);
        const auto known = volumes.find(c.name);
        const double expected =
            known == volumes.end() ? smooth_volume(icosphere::distance(c, 0)) : known->second;
        const double error = std::abs(times.volume / expected - 1);
        const char* error_is = known == volumes.end()
                                 ? "relative error of the volume, of smooth spheres"
                                 : "relative error of the volume";
        print({c.name, "default", times.median, error, error_is});
        print({c.name, "the first time", times.first, error, error_is});
        print({c.name, "to make a solid of the mesh", made, NAN, ""});
    }
}

}  // namespace bristle::cli
