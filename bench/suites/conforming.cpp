#include "bench/suites/conforming.h"

#include <bristle/world.h>

#include "bench/cpu_time.h"
#include "collision/volume/intersection.h"
#include "scenes/plain/icosphere.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace bristle::bench {
namespace {

std::shared_ptr<const TriangleMesh> sphere(uint32_t frequency) {
    const scenes::icosphere::Mesh made = scenes::icosphere::make(frequency);
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

double total_volume(const collision::Patches& found) {
    double volume = 0;
    for (const collision::ContactPatch& patch : found.patches) volume += patch.volume;
    return volume;
}

struct Times {
    double first, median;  // µs
    double volume;         // at the first place
};

Times time_case(const scenes::icosphere::Case& c, const Solid& solid, int repetitions) {
    Placement second;
    const auto turn = scenes::icosphere::rotation();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            second.rotation(i, j) = turn[static_cast<size_t>(i)][static_cast<size_t>(j)];
    collision::Intersection intersection;
    collision::Patches found;
    Times times{};
    std::vector<double> taken;
    for (int k = 0; k < repetitions; ++k) {
        second.position.x = scenes::icosphere::distance(c, k % c.repetitions);
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

// K3: the block at 30 degrees, a step of 1 ms; by the volume it shares with the floor, or on four small spheres.
double time_block(bool on_spheres) {
    Model model;
    const double angle = pi / 6;
    model.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
    const MaterialId material = model.add(Material{
        .static_friction = 0.5, .kinetic_friction = 0.5, .foundation = on_spheres ? 0 : 3.4e6});
    const BodyId block = model.add(Body::box({1, 0.5, 0.5}, 1).at({0, 0, 0.25}));
    if (on_spheres)
        for (const double x : {-0.49, 0.49})
            for (const double y : {-0.24, 0.24})
                model.add(Shape{.body = block,
                                .geometry = Sphere{0.01},
                                .pose = {{x, y, -0.24}, {}},
                                .material = material});
    else
        model.add(Shape{.body = block, .geometry = Box{{1, 0.5, 0.5}}, .material = material});
    model.add(Shape{.body = model.ground(), .geometry = Plane{}, .material = material});
    World world(model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(0.5);
    double best = 1e9;
    for (int part = 0; part < 10; ++part) {
        const double start = cpu_seconds(CpuTimeOf::thread);
        for (int i = 0; i < 300; ++i) world.step();
        best = std::min(best, 1e6 * (cpu_seconds(CpuTimeOf::thread) - start) / 300);
    }
    return best;
}

}  // namespace

void bench_conforming(ConformingEffort effort, const std::map<std::string, double>& volumes,
                      const std::function<void(const ConformingRow&)>& print) {
    for (const scenes::icosphere::Case& c : scenes::icosphere::cases) {
        const double start = cpu_seconds(CpuTimeOf::thread);
        const Solid solid(sphere(c.frequency));
        const double made = 1e6 * (cpu_seconds(CpuTimeOf::thread) - start);
        // Ours is faster, so more often in the same time.
        const Times times =
            time_case(c, solid, (effort == ConformingEffort::quick ? 3 : 10) * c.repetitions);
        const auto known = volumes.find(c.name);
        const double expected = known == volumes.end()
                                  ? smooth_volume(scenes::icosphere::distance(c, 0))
                                  : known->second;
        const double error = std::abs(times.volume / expected - 1);
        const char* error_is = known == volumes.end()
                                 ? "relative error of the volume, of smooth spheres"
                                 : "relative error of the volume";
        print({c.name, "default", times.median, error, error_is});
        print({c.name, "the first time", times.first, error, error_is});
        print({c.name, "to make a solid of the mesh", made, NAN, ""});
    }
    const double by_volume = time_block(false), by_points = time_block(true);
    print({"block_on_slope", "a step, by volume", by_volume, by_volume / by_points,
           "time over that on four spheres"});
    print({"block_on_slope", "a step, on four spheres", by_points, NAN, ""});
}

}  // namespace bristle::bench
