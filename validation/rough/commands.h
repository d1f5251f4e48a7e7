// Somebody at the levers who does not care: targets that change at random.
#pragma once

#include <bristle/world.h>

#include "validation/rough/random.h"

#include <vector>

namespace bristle::validation::rough {

struct Lever {
    DriveId drive;
    double low, high;  // targets
};

class Commands {
  public:
    enum class Manner : uint8_t {
        any,     // any target, for 0.2 to 2 s
        violent  // mostly from one end to the other, for 0.2 to 0.6 s
    };
    Commands(uint64_t seed, Manner manner, std::vector<Lever> levers);
    void operator()(World&);

  private:
    Random random_;
    Manner manner_;
    std::vector<Lever> levers_;
    std::vector<double> until_;
};

}  // namespace bristle::validation::rough
