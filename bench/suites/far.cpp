#include "bench/suites/far.h"

#include "bench/cpu_time.h"
#include "bench/far/grid.h"
#include "collision/far/far_detection.h"

#include <cmath>

namespace bristle::bench {
namespace {

class Timer {
  public:
    template <class Work> auto run(const Work& work) {
        const double start = cpu_seconds(CpuTimeOf::thread);
        const auto result = work();
        const double taken = cpu_seconds(CpuTimeOf::thread) - start;
        sum_ += taken;
        worst_ = std::max(worst_, taken);
        ++count_;
        return result;
    }
    double mean_us() const { return 1e6 * sum_ / count_; }
    double worst_us() const { return 1e6 * worst_; }

  private:
    double sum_ = 0, worst_ = 0;
    int count_ = 0;
};

struct Method {
    const char* name;
    FarMethods methods;
    bool is_slow;        // quadratic, or nearly so, for these boxes
    double static_part;  // of the boxes
};

constexpr Method methods[] = {
    {"AABB trees (default)", {}, false, 0},
    {"sweep and prune", {.moving = FarMethods::Moving::sweep_and_prune}, true, 0},
    {"sphere hierarchy", {.moving = FarMethods::Moving::sphere_hierarchy}, true, 0},
    {"half static, AABB trees", {}, false, 0.5},
    {"half static, octree", {.scenery = FarMethods::Scenery::octree}, false, 0.5},
    {"half static, k-d tree", {.scenery = FarMethods::Scenery::kd_tree}, false, 0.5},
    {"half static, BSP tree", {.scenery = FarMethods::Scenery::bsp_tree}, false, 0.5},
};

// The walk as our methods see it. Static boxes stay where they start.
class Scene {
  public:
    Scene(size_t count, double static_part) : walk_(count), objects_(count), boxes_(count) {
        const auto fixed = static_cast<size_t>(static_part * static_cast<double>(count));
        for (size_t i = 0; i < count; ++i) {
            objects_[i].owner = static_cast<uint32_t>(i);
            objects_[i].is_static = i < fixed;
        }
        copy_boxes();
    }
    void advance() {
        walk_.advance();
        copy_boxes();
    }
    const far_boxes::Walk& walk() const { return walk_; }
    const std::vector<FarObject>& objects() const { return objects_; }
    const std::vector<Aabb>& boxes() const { return boxes_; }
    bool has_static() const { return objects_[0].is_static; }

  private:
    void copy_boxes() {
        constexpr double e = far_boxes::edge;
        for (size_t i = 0; i < boxes_.size(); ++i) {
            const auto& low = walk_.lows()[i];
            if (is_copied_ && objects_[i].is_static) continue;
            boxes_[i] = {{low[0], low[1], low[2]}, {low[0] + e, low[1] + e, low[2] + e}};
        }
        is_copied_ = true;
    }

    far_boxes::Walk walk_;
    std::vector<FarObject> objects_;
    std::vector<Aabb> boxes_;
    bool is_copied_ = false;
};

// How many pairs there are: by the grid, or, if some boxes stand still, by the default method.
class Reference {
  public:
    explicit Reference(const Scene& scene) { trees_.reset(scene.objects()); }
    size_t pairs(const Scene& scene) {
        if (!scene.has_static()) return grid_.find_pairs(scene.walk());
        trees_.update(scene.boxes());
        return trees_.pairs().size();
    }

  private:
    far_boxes::Grid grid_;
    FarDetection trees_;
};

FarRow row(const std::string& name, const std::string& engine, const std::string& setting,
           const Timer& timer, size_t pairs, double error) {
    return {name,
            engine,
            setting,
            timer.mean_us(),
            timer.worst_us(),
            static_cast<double>(pairs),
            error,
            "largest difference in the number of pairs"};
}

FarRow time_method(const std::string& name, size_t count, int steps, const Method& method) {
    Scene scene(count, method.static_part);
    Reference reference(scene);
    FarDetection far(method.methods);
    far.reset(scene.objects());
    Timer timer, unused;
    size_t pairs = 0;
    double error = 0;
    for (int step = -far_boxes::warm_up; step < steps; ++step) {
        scene.advance();
        pairs = (step < 0 ? unused : timer).run([&] {
            far.update(scene.boxes());
            return far.pairs().size();
        });
        const auto expected = static_cast<double>(reference.pairs(scene));
        error = std::max(error, std::abs(static_cast<double>(pairs) - expected));
    }
    return row(name, "bristle", method.name, timer, pairs, error);
}

FarRow time_grid(const std::string& name, size_t count, int steps) {
    far_boxes::Walk walk(count);
    far_boxes::Grid grid;
    Timer timer, unused;
    size_t pairs = 0;
    for (int step = -far_boxes::warm_up; step < steps; ++step) {
        walk.advance();
        pairs = (step < 0 ? unused : timer).run([&] { return grid.find_pairs(walk); });
    }
    return row(name, "plain grid", "boxes of one size, from scratch", timer, pairs, 0);
}

}  // namespace

std::vector<FarRow> bench_far(FarEffort effort) {
    std::vector<FarRow> rows;
    for (const auto& [name, count] : {std::pair{"far_10k", 10000}, std::pair{"far_100k", 100000}}) {
        const int steps = far_boxes::timed_steps(static_cast<size_t>(count));
        rows.push_back(time_grid(name, static_cast<size_t>(count), steps));
        for (const Method& method : methods) {
            if (method.is_slow && effort == FarEffort::quick) continue;
            rows.push_back(time_method(name, static_cast<size_t>(count),
                                       method.is_slow ? steps / 4 : steps, method));
        }
    }
    return rows;
}

}  // namespace bristle::bench
