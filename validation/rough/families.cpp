// The families, and cases from scene files.
#include <bristle/scene.h>

#include "validation/rough/case.h"
#include "validation/rough/commands.h"

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {"terrain", "a machine over a bumpy height field or mesh", terrain, 600, 60, 10},
        {"obstacles", "a machine among fixed blocks, posts, steps and walls", obstacles, 600, 40,
         10},
        {"drops", "a machine dropped 2 m, turning", drops, 60, 60, 5},
        {"rollovers", "a machine upside down, or pushed over", rollovers, 120, 40, 5},
        {"strikes", "a bucket struck into the ground and loose things", strikes, 300, 40, 5},
        {"narrow", "a machine between walls that leave no room for it", narrow_walls, 300, 30, 5},
        {"loose-20", "20 loose things in a bucket that is carried, swung and tipped", loose_20, 120,
         20, 3},
        {"loose-50", "50 of them", loose_50, 120, 20, 1},
        {"ragdolls", "dolls with stops in their joints, thrown at each other", ragdolls, 60, 60, 3},
        {"chains", "bars on ball joints, and links of wire, swung with loads", chains, 120, 60, 3},
        {"overlaps", "12 bodies that start in each other", overlaps, 60, 60, 3},
        {"mass-ratios", "heavy on light, light between heavy, to 1 : 100,000", mass_ratios, 60, 60,
         3},
        {"squeezes", "grippers, wedges and presses driven hard", squeezes, 300, 60, 5},
        {"arms", "drives and stops, targets beyond them, no contact", arms, 600, 100, 10},
        {"stacks", "5 to 20 boxes struck by a ball", stacks, 60, 40, 3},
        {"cards", "houses of cards, some struck", cards, 60, 40, 3},
    };
    return all;
}

Case scene_case(const std::string& file, uint64_t seed, const std::string& solver, double step) {
    io::Scene scene = io::read_scene(file);
    const bool is_impulse = std::holds_alternative<Impulse>(scene.solver);
    const bool has_it = solver == (is_impulse ? "impulse" : "augmented_lagrangian");
    io::change_solver(scene, has_it ? "" : solver, step);
    Case c{.about = scene.name, .model = scene.model, .settings = scene.solver};
    if (seed == 0) return c;
    // The drives get random targets instead of their own: what fits a length or an angle that the file's drive would
    // reach is not known, so speeds are moderate and positions near.
    std::vector<Lever> levers;
    for (uint32_t i = 0; i < scene.model.drives().size(); ++i) {
        Drive drive = scene.model.drives()[i];
        const bool is_valve = drive.control == Drive::Control::hydraulic;
        const bool is_limited = drive.max_effort < unlimited;
        const double own = drive.target ? std::abs(drive.target(1)) : 0;
        if (!is_limited) continue;  // it would have to jump
        drive.target = {};
        c.model.remove(DriveId{i});
        const double most = is_valve ? 1 : std::max(own, 0.3);
        levers.push_back({c.model.add(drive), -most, most});
    }
    c.about += ", commanded";
    c.command = Commands(seed, Commands::Manner::any, levers);
    return c;
}

}  // namespace bristle::validation::rough
