// The families, and cases from scene files.
#include <bristle/scene.h>

#include "validation/rough/case.h"
#include "validation/rough/commands.h"

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {"terrain", "a machine over a bumpy height field or mesh", terrain, 600, 60, 30},
        {"obstacles", "a machine among fixed blocks, posts, steps and walls", obstacles, 600, 40,
         30},
        {"drops", "a machine dropped 2 m, turning", drops, 60, 60, 10},
        {"rollovers", "a machine upside down, or pushed over", rollovers, 120, 40, 15},
        {"strikes", "a bucket struck into the ground and loose things", strikes, 300, 40, 15},
        {"narrow", "a machine between walls that leave no room for it", narrow_walls, 300, 30, 15},
        {"loose-20", "20 loose things in a bucket that is carried, swung and tipped", loose_20, 120,
         20, 4},
        {"loose-50", "50 of them", loose_50, 120, 20, 1},
        {"ragdolls", "dolls with stops in their joints, thrown at each other", ragdolls, 60, 60, 5},
        {"chains", "bars on ball joints, and links of wire, swung with loads", chains, 120, 60, 10},
        {"overlaps", "12 bodies that start in each other", overlaps, 60, 60, 10},
        {"mass-ratios", "heavy on light, light between heavy, to 1 : 100,000", mass_ratios, 60, 60,
         10},
        {"squeezes", "grippers, wedges and presses driven hard", squeezes, 300, 60, 20},
        {"arms", "drives and stops, targets beyond them, no contact", arms, 600, 100, 60},
        {"stacks", "5 to 20 boxes struck by a ball", stacks, 60, 40, 10},
        {"cards", "houses of cards, some struck", cards, 60, 40, 5},
        {"mechanisms",
         "joints and weight and nothing else, thin, redundant, fast",
         mechanisms,
         60,
         2000,
         10,
         {1e-3, 2e-3, 5e-3, 10e-3}},
    };
    return all;
}

namespace {

// The target would have to jump where nothing limits the effort.
bool takes_commands(const Drive& drive) { return drive.max_effort < unlimited; }

// Blocks on two feet of 1 mm that stand for an even face: how deep such a foot is says nothing.
bool stands_on_points(const std::string& scene) {
    return scene == "mass-spring-friction" || scene == "stick-slip";
}

}  // namespace

bool takes_commands(const Model& model) {
    return std::any_of(model.drives().begin(), model.drives().end(),
                       [](const Drive& d) { return takes_commands(d); });
}

Case scene_case(const std::string& file, uint64_t seed, const std::string& solver, double step) {
    io::Scene scene = io::read_scene(file);
    const bool is_impulse = std::holds_alternative<Impulse>(scene.solver);
    const bool has_it = solver == (is_impulse ? "impulse" : "augmented_lagrangian");
    io::change_solver(scene, has_it ? "" : solver, step);
    Case c{.about = scene.name, .model = scene.model, .settings = scene.solver};
    if (stands_on_points(scene.name)) c.settling = unlimited;
    if (seed == 0) return c;
    std::vector<Lever> levers;
    for (uint32_t i = 0; i < scene.model.drives().size(); ++i) {
        Drive drive = scene.model.drives()[i];
        if (!takes_commands(drive)) continue;
        // What the scene itself asks for tells what is much; if that is nothing, 0.3 m/s, rad/s, m or rad are moderate.
        const double own = drive.target ? std::abs(drive.target(1)) : 0;
        const double most = drive.control == Drive::Control::hydraulic ? 1 : std::max(own, 0.3);
        drive.target = {};
        c.model.remove(DriveId{i});
        levers.push_back({c.model.add(drive), -most, most});
    }
    c.about += ", commanded";
    c.command = Commands(seed, Commands::Manner::any, levers);
    return c;
}

}  // namespace bristle::validation::rough
