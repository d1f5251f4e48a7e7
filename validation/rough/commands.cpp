#include "validation/rough/commands.h"

namespace bristle::validation::rough {

Commands::Commands(uint64_t seed, Manner manner, std::vector<Lever> levers)
    : random_(seed), manner_(manner), levers_(std::move(levers)), until_(levers_.size(), 0.0) {}

void Commands::operator()(World& world) {
    for (size_t i = 0; i < levers_.size(); ++i) {
        if (world.time() < until_[i]) continue;
        const auto [drive, low, high] = levers_[i];
        const bool is_violent = manner_ == Manner::violent;
        until_[i] = world.time() + random_.between(0.2, is_violent ? 0.6 : 2);
        double target = random_.between(low, high);
        if (is_violent && random_.chance(0.8)) target = random_.chance(0.5) ? low : high;
        if (low < 0 && high > 0 && random_.chance(0.1)) target = 0;
        world.command(drive, target);
    }
}

}  // namespace bristle::validation::rough
