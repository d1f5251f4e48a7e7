// Somebody at work in a world, for at most so long.
#pragma once

#include "machines/operator/operator.h"

#include <functional>

namespace bristle::testing_support {

inline machines::Progress run(World& world, machines::Operator& driver, double seconds,
                              const std::function<void()>& look = {}) {
    using State = machines::Progress::State;
    const double end = world.time() + seconds;
    while (world.time() < end && driver.progress().state == State::going) {
        for (const machines::Command& c : driver.act(world)) machines::carry_out(world, c);
        if (look) look();
        world.step();
    }
    return driver.progress();
}

}  // namespace bristle::testing_support
