#include "validation/rough/play.h"

#include <bristle/scene.h>

#include "validation/rough/account.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

namespace bristle::validation::rough {
namespace {

// A run is a process of its own, so others on the machine do not count.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Case case_of(const Run& run) {
    if (!run.file.empty()) return scene_case(run.file, run.seed, run.solver, run.step);
    for (const Family& family : families())
        if (family.name == run.family) {
            Case c = family.make(run.seed);
            c.settings = settings_of(run.solver, run.step);
            return c;
        }
    throw InputError("validate rough: there is no family '" + run.family + "'");
}

// Joints are equations of the augmented Lagrangian, and rows that give a little under impulses.
double joint_gap_allowed(const Settings& settings) {
    return std::holds_alternative<Impulse>(settings) ? 1e-3 : 1e-6;
}

void simulate(const Case& c, World& world, const Run& run, Result& result) {
    using Clock = std::chrono::steady_clock;
    Account account(c, world, result);
    const double start = processor_seconds(), step = step_of(c.settings);
    try {
        while (world.time() < run.seconds - step / 2) {
            if (c.command) c.command(world);
            const auto before = Clock::now();
            world.step();
            const std::chrono::duration<double> took = Clock::now() - before;
            if (!account.after_step(world, took.count())) break;
            // Two seconds of grace: the first steps are not yet typical.
            if (processor_seconds() - start > 2 + slowest * world.time()) {
                result.too_slow = world.time();
                break;
            }
        }
    } catch (const std::exception& error) {
        result.error = error.what();
    }
    account.close(world);
}

}  // namespace

Settings settings_of(const std::string& solver, double step) {
    io::Scene scene;
    io::change_solver(scene, solver, step);
    return scene.solver;
}

Result silent(const Run& run, const std::string& error) {
    Result result;
    result.family = run.family;
    result.subject = std::filesystem::path(run.file).stem();
    result.seed = run.seed;
    result.step = run.step;
    result.solver = run.solver;
    result.asked = run.seconds;
    result.error = error;
    result.is_strict = run.is_strict;
    return result;
}

Result play(const Run& run) {
    Result result = silent(run, "");
    try {
        const Case c = case_of(run);
        result.subject = c.about;
        result.joint_gap_allowed = joint_gap_allowed(c.settings);
        World world(c.model, c.settings);
        simulate(c, world, run, result);
    } catch (const std::exception& error) {
        result.error = std::string("does not start: ") + error.what();
    }
    return result;
}

}  // namespace bristle::validation::rough
