#include "bench/suites/bodies.h"

#include <bristle/world.h>

#include "bench/body_cases.h"
#include "bench/cpu_time.h"
#include "scenes/bodies.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace bristle::bench {
namespace {

using scenes::ManyBodies, scenes::Motion;
using Print = std::function<void(const BodiesRow&)>;

constexpr double repeat_budget =
    2;  // s of CPU, above which a run is not repeated; as for the peers

// A scene in our engine, as many_bodies::follow wants it.
class Simulation {
  public:
    Simulation(const ManyBodies& scene, const Impulse& settings)
        : bodies_(scene.bodies), world_(scene.model, Settings{settings}) {}

    void step() { world_.step(); }
    plain::Pose pose(size_t i) const {
        const auto& [p, q] = world_.pose(bodies_[i]);
        return {{p.x, p.y, p.z}, {q.w, {q.x, q.y, q.z}}};
    }
    size_t contacts() const { return world_.contacts().size(); }

  private:
    std::vector<BodyId> bodies_;
    World world_;
};

double thread_seconds() { return cpu_seconds(CpuTimeOf::thread); }
double wall_seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

template <class Work> double seconds(const Work& work, double (*now)()) {
    const double start = now();
    work();
    return now() - start;
}

Impulse awake(double step) { return {.step = step, .sleep_after = unlimited}; }

// What a run of a case took, per step and per contact at its end.
struct Cost {
    double step = 0, contact = 0;  // s
};

// The errors of a case, as the peers' rows show them.
Cost time_case(const many_bodies::Case& c, Motion motion, const std::string& setting,
               const Impulse& settings, const Print& print) {
    const ManyBodies scene = scenes::build(c.scene, motion);
    Simulation simulation(scene, settings);
    const many_bodies::Outcome first = many_bodies::follow(c, simulation, thread_seconds);
    double time = first.time;
    for (int repetition = 0; repetition < 2 && first.spent < repeat_budget; ++repetition) {
        Simulation again(scene, settings);
        time = std::min(time, many_bodies::follow(c, again, thread_seconds).time);
    }
    const std::string remarked = setting + many_bodies::remark(first);
    for (const many_bodies::Finding& finding : many_bodies::findings(c, first))
        print({c.name, remarked, 1e6 * time, finding.error, finding.error_is});
    const auto contacts = static_cast<double>(simulation.contacts());
    if (c.judged == many_bodies::Case::Judged::by_depth)
        print({c.name, remarked, 1e6 * time, contacts, "contacts at the end"});
    return {time, time / contacts};
}

// A run that fails keeps its row, with the reason, and the others go on.
Cost time_default(const many_bodies::Case& c, Motion motion, const Print& print) {
    const char* setting = "default, 10 substeps";
    try {
        return time_case(c, motion, setting, awake(c.step), print);
    } catch (const std::runtime_error& error) {
        print({c.name, fmt::format("{}, failed: {}", setting, error.what()), NAN, NAN, ""});
        return {NAN, NAN};
    }
}

// Wall time with one thread and with two. The two worlds step in turn, so that what else the machine does
// slows both alike.
void time_threads(const many_bodies::Case& c, const Print& print) {
    const ManyBodies scene = scenes::build(c.scene);
    Impulse one = awake(c.step), two = one;
    two.threads = 2;
    Simulation alone(scene, one), together(scene, two);
    double alone_sum = 0, together_sum = 0;
    for (int k = 1; k <= c.steps; ++k) {
        const double a = seconds([&] { alone.step(); }, wall_seconds);
        const double b = seconds([&] { together.step(); }, wall_seconds);
        if (k <= c.steps - c.timed) continue;
        alone_sum += a;
        together_sum += b;
    }
    print({c.name, "1 thread, wall time", 1e6 * alone_sum / c.timed, NAN, ""});
    print({c.name, "2 threads, wall time", 1e6 * together_sum / c.timed, together_sum / alone_sum,
           "time over that with 1 thread"});
}

// What a settled pile costs when it may fall asleep.
void time_sleep(const many_bodies::Case& c, double awake_step, const Print& print) {
    Simulation simulation(scenes::build(c.scene), Impulse{.step = c.step});
    const int settle = 5 * c.steps;
    for (int k = 0; k < settle; ++k) simulation.step();
    const double time = seconds(
                            [&] {
                                for (int k = 0; k < c.timed; ++k) simulation.step();
                            },
                            thread_seconds)
                      / c.timed;
    print({c.name, fmt::format("may sleep, after {:g} s", settle * c.step), 1e6 * time,
           time / awake_step, "time over that awake"});
}

}  // namespace

void bench_bodies(BodiesEffort effort, const Print& print) {
    for (const auto& [c, has_planar] :
         {std::pair{many_bodies::stack_case(), true}, std::pair{many_bodies::pyramid_case(), true},
          std::pair{many_bodies::wall_case(), false},
          std::pair{many_bodies::ragdolls_case(), false},
          std::pair{many_bodies::chains_case(), false},
          std::pair{many_bodies::joint_grid_case(), true},
          std::pair{many_bodies::tumbler_case(), false}}) {
        time_default(c, Motion::in_space, print);
        if (has_planar) time_default(many_bodies::in_plane(c), Motion::in_plane, print);
    }
    const many_bodies::Case thousand = many_bodies::pile_case(1000);
    const Cost cost = time_default(thousand, Motion::in_space, print);
    time_threads(thousand, print);
    time_sleep(thousand, cost.step, print);
    if (effort == BodiesEffort::quick) return;
    const many_bodies::Case many = many_bodies::pile_case(5000);
    const Cost more = time_default(many, Motion::in_space, print);
    print({many.name, "default, 10 substeps", 1e6 * more.step, more.contact / cost.contact,
           "time per contact over that of pile_1000"});
    time_threads(many, print);
}

}  // namespace bristle::bench
