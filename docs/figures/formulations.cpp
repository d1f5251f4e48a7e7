// Numbers for docs/formulations.md, one JSON object a line:
//
//     formulations order      error of the double pendulum at 1 s over the step
//     formulations singular   constraints and energy of two four-bars on the way, 4 ms
//     formulations penalty    violation and error over the penalty
//     formulations table      the comparison: time a step and errors at the same step
#include <bristle/world.h>

#include "scenes/mechanisms.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

using namespace bristle;

namespace {

Settings settings(int kind, double step) {
    switch (kind) {
        case 1: return Baumgarte{.step = step};
        case 2: return Penalty{.step = step};
        case 3: return IndependentCoordinates{.step = step};
        default: return AugmentedLagrangian{.step = step};
    }
}
const char* const names[] = {"augmented Lagrangian", "Baumgarte", "penalty",
                             "independent coordinates"};

double double_pendulum_error(const Settings& settings, double* violation = nullptr) {
    const auto scene = scenes::double_pendulum();
    World world(scene.model, settings);
    while (world.time() < 1 - step_of(settings) / 2) {
        world.step();
        if (violation) *violation = std::max(*violation, world.constraint_error().position);
    }
    const Vec3 p = world.pose(scene.second).position;
    return std::hypot(p.x + 1.44481884994, p.z + 1.32179446138);
}

void order() {
    for (int kind = 0; kind < 4; ++kind)
        for (double h : {2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4})
            std::printf("{\"name\":\"%s\",\"step\":%g,\"error\":%.3g}\n", names[kind], h,
                        double_pendulum_error(settings(kind, h)));
}

void singular() {
    for (int kind = 0; kind < 4; ++kind) {
        const auto scene = scenes::four_bars(2);
        World world(scene.model, settings(kind, 4e-3));
        const double start = world.energy().total();
        for (int i = 0; i < 750; ++i) {
            world.step();
            std::printf("{\"name\":\"%s\",\"time\":%.4g,\"velocity\":%.3g,\"energy\":%.3g}\n",
                        names[kind], world.time(), world.constraint_error().velocity,
                        std::abs(world.energy().total() - start));
        }
    }
}

void penalty() {
    for (int power = 4; power <= 24; ++power) {
        const double alpha = std::pow(10, 0.5 * power);
        double violation = 0;
        const double error = double_pendulum_error(Penalty{.penalty = alpha}, &violation);
        std::printf("{\"penalty\":%.4g,\"violation\":%.3g,\"error\":%.3g}\n", alpha, violation,
                    error);
    }
}

// ---- The comparison ------------------------------------------------------------------------------

void row(const char* problem, const Model& model, double step, double time, int kind,
         const std::function<double(const World&)>& error) {
    using Clock = std::chrono::steady_clock;
    const auto steps = std::lround(time / step);
    double energy = 0, position = 0, velocity = 0, fastest = 1;
    World timed(model, settings(kind, step)), world(model, settings(kind, step));
    for (long i = 0; i < std::min<long>(steps, 1000); i += 20) {
        const auto begin = Clock::now();
        for (int k = 0; k < 20; ++k) timed.step();
        fastest =
            std::min(fastest, std::chrono::duration<double>(Clock::now() - begin).count() / 20);
    }
    const double start = world.energy().total();
    for (long i = 0; i < steps; ++i) {
        world.step();
        energy = std::max(energy, std::abs(world.energy().total() - start));
        position = std::max(position, world.constraint_error().position);
        velocity = std::max(velocity, world.constraint_error().velocity);
    }
    std::printf(
        "{\"problem\":\"%s\",\"name\":\"%s\",\"time_us\":%.3g,\"error\":%.2g,\"energy\":%.2g,"
        "\"position\":%.2g,\"velocity\":%.2g}\n",
        problem, names[kind], 1e6 * fastest, error(world), energy, position, velocity);
}

void table() {
    for (int kind = 0; kind < 4; ++kind) {
        const auto scene = scenes::pendulum();
        row("A01, 1 ms", scene.model, 1e-3, 1, kind, [&](const World& w) {
            const Vec3 p = w.pose(scene.mass).position;
            return std::hypot(p.x - 0.986291751132, p.z + 0.165010853126);
        });
    }
    // Where the cranks' tops are at 1 s, from the exact motion.
    struct Size {
        int n;
        double x, z;
    };
    for (const Size& s :
         {Size{1, -0.260712675184, -0.965416439159}, Size{10, 0, 0}, Size{40, 0, 0}})
        for (int kind = 0; kind < 4; ++kind) {
            const auto scene = scenes::four_bars(s.n);
            // The others have no stored reference: multipliers at a tenth of the step are exact enough.
            Vec3 exact{s.x, 0, s.z};
            if (s.n > 1) {
                World fine(scene.model, Baumgarte{.step = 5e-4});
                fine.advance_to(1);
                exact = fine.point(scene.cranks[0], {1, 0, 0});
            }
            char name[32];
            std::snprintf(name, sizeof name, "A02 N=%d, 1 ms", s.n);
            row(name, scene.model, 1e-3, 1, kind, [&](const World& w) {
                return norm(w.point(scene.cranks[0], {1, 0, 0}) - exact);
            });
        }
    for (int kind = 0; kind < 4; ++kind) {
        const auto scene = scenes::andrews();
        row("A03, 10 us", scene.model, 1e-5, 0.03, kind, [&](const World& w) {
            return std::abs(w.coordinate(scene.pivot) + scene.beta_start - 15.8107711951536);
        });
    }
}

}  // namespace

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    if (std::strcmp(what, "order") == 0)
        order();
    else if (std::strcmp(what, "singular") == 0)
        singular();
    else if (std::strcmp(what, "penalty") == 0)
        penalty();
    else if (std::strcmp(what, "table") == 0)
        table();
    else
        return 2;
}
