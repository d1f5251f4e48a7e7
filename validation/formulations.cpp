// The formulations of spec A10 on the published mechanisms: what each reaches at the same step, and its known
// weaknesses, which are checked from both sides so that a change in either direction shows.
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "validation/checks.h"
#include "validation/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

namespace bristle::validation {
namespace {

enum Kind : uint8_t { lagrangian, baumgarte, penalty, independent };
constexpr Kind all_kinds[] = {lagrangian, baumgarte, penalty, independent};
constexpr const char* kind_name[] = {"augmented Lagrangian", "Baumgarte", "penalty", "independent"};

Settings settings(Kind kind, double step) {
    switch (kind) {
        case baumgarte: return Baumgarte{.step = step};
        case penalty: return Penalty{.step = step};
        case independent: return IndependentCoordinates{.step = step};
        default: return AugmentedLagrangian{.step = step};
    }
}

// A mechanism, how long it runs, and how far it then is from where it should be.
struct Problem {
    std::string name;
    Model model;
    double time;
    std::function<double(const World&)> error;
};

double distance(Vec3 p, double x, double z) { return std::hypot(p.x - x, p.z - z); }

Problem pendulum() {
    auto s = scenes::pendulum();
    return {"A01", s.model, 1, [s](const World& w) {
                return distance(w.pose(s.mass).position, 0.986291751132, -0.165010853126);
            }};
}
Problem double_pendulum() {
    auto s = scenes::double_pendulum();
    return {"double pendulum", s.model, 1, [s](const World& w) {
                return distance(w.pose(s.second).position, -1.44481884994, -1.32179446138);
            }};
}
Problem four_bars(int n, double time) {
    auto s = scenes::four_bars(n);
    return {fmt::format("A02 N={}", n), s.model, time, [=](const World& w) {
                const auto [x, z] = exact_four_bars(n, time);
                return distance(w.point(s.cranks[0], {1, 0, 0}), x, z);
            }};
}
Problem andrews() {
    auto s = scenes::andrews();
    return {"A03", s.model, 0.03, [s](const World& w) {
                return std::abs(w.coordinate(s.pivot) + s.beta_start - 15.8107711951536);
            }};
}
Problem flyball() {
    auto s = scenes::flyball();
    return {"A05", s.model, 1, [s](const World& w) {
                return std::abs(w.pose(s.slider).position.z - 0.501420922) / 0.501420922;
            }};
}

struct Run {
    double error = 0, energy = 0, position = 0,
           velocity = 0;  // largest on the way but for the first
    double failed_at = unlimited;
};

Run run(const Problem& problem, const Settings& settings) {
    World world(problem.model, settings);
    const double start = world.energy().total();
    Run out;
    try {
        const auto steps = std::lround(problem.time / step_of(settings));
        for (long i = 0; i < steps; ++i) {
            world.step();
            const ConstraintError c = world.constraint_error();
            out.position = std::max(out.position, c.position);
            out.velocity = std::max(out.velocity, c.velocity);
            out.energy = std::max(out.energy, std::abs(world.energy().total() - start));
        }
    } catch (const SimulationError&) {
        out.failed_at = world.time();
    }
    out.error = problem.error(world);
    return out;
}

std::string title(const Problem& problem, Kind kind) {
    return fmt::format("{}, {}", problem.name, kind_name[kind]);
}

// ---- All at the same step ------------------------------------------------------------------------

struct Bounds {
    double error[4];  // of each kind
    double energy[4];
};

void compare(Checks& checks, const Problem& problem, double step, const Bounds& bounds) {
    for (Kind kind : all_kinds) {
        const Run r = run(problem, settings(kind, step));
        checks.below(title(problem, kind), fmt::format("position, {} ms", step * 1e3), r.error,
                     bounds.error[kind]);
        if (bounds.energy[kind] > 0)
            checks.below(title(problem, kind), "largest energy error, J", r.energy,
                         bounds.energy[kind]);
        checks.below(title(problem, kind), "position constraints / size", r.position,
                     kind == penalty       ? 1e-8
                     : kind == independent ? 1e-14
                                           : 1e-9);
    }
}

void accuracy(Checks& checks) {
    compare(checks, pendulum(), 1e-3, {{1e-5, 2e-11, 5e-11, 1e-11}, {1e-4, 5e-11, 1e-9, 2e-10}});
    compare(checks, double_pendulum(), 1e-3,
            {{2e-5, 1e-10, 2e-10, 2e-10}, {5e-4, 1e-9, 1e-8, 1e-8}});
    for (int n : {1, 2, 10, 40})
        compare(checks, four_bars(n, 1), 1e-3,
                {{5e-5, 2e-10, 2e-6, 1e-8}, {0.02, 5e-7, 2e-4, 5e-6}});
    compare(checks, andrews(), 1e-5, {{3e-4, 3e-9, 2e-8, 3e-8}, {}});
}

// Steps at which the error is far from rounding, and from what the penalty leaves.
void order(Checks& checks) {
    const std::pair<Problem, double> problems[] = {
        {pendulum(), 8e-3}, {double_pendulum(), 8e-3}, {four_bars(1, 0.4), 1.6e-2}};
    for (const auto& [problem, h] : problems)
        for (Kind kind : all_kinds) {
            const double coarse = run(problem, settings(kind, h)).error,
                         fine = run(problem, settings(kind, h / 2)).error;
            const double expected = kind == lagrangian ? 2 : 4;
            // The penalty leaves 4h²λ/α besides.
            const double share = kind == penalty ? 0.15 : 0.1;
            checks.between(title(problem, kind), "observed order", (1 - share) * expected,
                           std::log2(coarse / fine), (1 + share) * expected);
        }
}

// ---- What each is known for ----------------------------------------------------------------------

// Largest violation in the first and the last two seconds of twenty.
std::pair<double, double> drift(const Settings& settings) {
    auto scene = scenes::pendulum();
    World world(scene.model, settings);
    std::pair<double, double> out{};
    while (world.time() < 20 - step_of(settings) / 2) {
        world.step();
        const double now = world.constraint_error().position;
        if (world.time() < 2) out.first = std::max(out.first, now);
        if (world.time() > 18) out.second = std::max(out.second, now);
    }
    return out;
}

void drifting(Checks& checks) {
    const auto [begin, end] = drift(Baumgarte{.step = 8e-3});
    checks.between("A01, Baumgarte, 8 ms", "violation in 20 s: bounded, not zero", 1e-12, end,
                   1e-9);
    checks.between("A01, Baumgarte, 8 ms", "its growth", 0.5, end / begin, 2);
    const auto [free_begin, free_end] = drift(Baumgarte{.step = 8e-3, .frequency = 1e-3});
    checks.between("A01, no stabilization, 8 ms", "growth of the violation", 20,
                   free_end / free_begin, 1e6);
}

// Errors of the constraints grow from step to step beyond ωζh = 1.
void stability(Checks& checks) {
    const double h = 1e-3;
    const Problem problem = double_pendulum();
    for (double damping : {0.5, 1.0, 2.0}) {
        const auto at = [&](double share) {
            return run(problem, Baumgarte{h, share / (damping * h), damping});
        };
        const std::string name = fmt::format("stability, Baumgarte, ζ = {}", damping);
        checks.below(name, "ωζh = 0.98: position", at(0.98).error, 1e-9);
        checks.between(name, "ωζh = 1.05: fails at, s", 0, at(1.05).failed_at, 1);
    }
}

void penalties(Checks& checks) {
    const Problem problem = double_pendulum();
    const auto at = [&](double alpha) { return run(problem, Penalty{.penalty = alpha}); };
    for (double alpha : {1e2, 1e3, 1e4, 1e5}) {
        const Run less = at(alpha), more = at(10 * alpha);
        checks.between("penalty, double pendulum",
                       fmt::format("violation at {:.0e} over ten times that", alpha), 9,
                       less.position / more.position, 11);
        checks.between("penalty, double pendulum",
                       fmt::format("error at {:.0e} over ten times that", alpha), 9,
                       less.error / more.error, 11);
    }
    // Rounding is multiplied by the penalty: the best one is in between.
    checks.between("penalty, double pendulum", "error at 1e12 over that at 1e7", 1e2,
                   at(1e12).error / at(1e7).error, 1e6);
}

// Stiff forces bound the step of an explicit rule, whatever the formulation: a governor's spring with a damper.
void stiffness(Checks& checks) {
    const Problem problem = flyball();
    for (Kind kind : all_kinds) {
        const Run coarse = run(problem, settings(kind, 1e-3));
        if (kind == lagrangian)
            checks.below(title(problem, kind), "s at 1 s, 1 ms, relative", coarse.error, 1e-5);
        else
            checks.between(title(problem, kind), "1 ms: fails at, s", 0, coarse.failed_at, 0.1);
        checks.below(title(problem, kind), "s at 1 s, 0.25 ms, relative",
                     run(problem, settings(kind, 2.5e-4)).error, 1e-6);
    }
}

// Ten singular positions in 10 s. A quarter of the step should divide the error by 256; where rows are nearly
// dependent, penalties and independent coordinates leave errors that no smaller step reduces.
void singular(Checks& checks) {
    const auto gain = [](int n, Kind kind, double time) {
        const Problem problem = four_bars(n, time);
        return run(problem, settings(kind, 4e-3)).error / run(problem, settings(kind, 1e-3)).error;
    };
    const auto check = [&](int n, Kind kind, double low, double high) {
        checks.between(fmt::format("singular, {}", kind_name[kind]),
                       fmt::format("B0 of N={} at 10 s, 4 ms over 1 ms", n), low, gain(n, kind, 10),
                       high);
    };
    for (Kind kind : {baumgarte, independent})
        checks.between(fmt::format("singular, {}", kind_name[kind]),
                       "B0 of N=1 at 0.4 s, before the first", 200, gain(1, kind, 0.4), 350);
    for (int n : {1, 2}) check(n, baumgarte, 200, 1500);
    check(2, penalty, 0, 30);
    check(1, independent, 0, 30);
    for (Kind kind : all_kinds)
        checks.below(title(four_bars(2, 10), kind), "B0 at 10 s, 1 ms",
                     run(four_bars(2, 10), settings(kind, 1e-3)).error, 1e-3);
}

// Of the fastest of some batches, so that other programs do not count.
double seconds_per_step(const Model& model, const Settings& settings, int steps) {
    using Clock = std::chrono::steady_clock;
    World world(model, settings);
    for (int i = 0; i < 3; ++i) world.step();
    double best = unlimited;
    for (int batch = 0; batch < 8; ++batch) {
        const auto start = Clock::now();
        for (int i = 0; i < steps; ++i) world.step();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / steps);
    }
    return best;
}

void cost(Checks& checks) {
    for (Kind kind : all_kinds) {
        const auto at = [&](int n) {
            return seconds_per_step(scenes::four_bars(n).model, settings(kind, 1e-3),
                                    kind == independent ? 8 : 20);
        };
        const double growth = at(40) / at(10);
        checks.between(fmt::format("cost, {}", kind_name[kind]), "40 over 10 four-bars",
                       kind == independent ? 8 : 2, growth, kind == independent ? 80 : 8);
    }
}

}  // namespace

void validate_formulations(Checks& checks) {
    accuracy(checks);
    order(checks);
    drifting(checks);
    stability(checks);
    penalties(checks);
    stiffness(checks);
    singular(checks);
    cost(checks);
}

}  // namespace bristle::validation
