// Numbers from a seed: the same on every machine and with every library, as a run must be found again.
#pragma once

#include <bristle/math.h>

#include <cmath>
#include <cstdint>

namespace bristle::validation::rough {

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) { next(); }

    // Splitmix64 (Steele, Lea, Flood 2014).
    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
    }
    // As likely between 1 and 10 as between 10 and 100.
    double magnitude(double low, double high) {
        return std::exp(between(std::log(low), std::log(high)));
    }
    bool chance(double probability) { return between(0, 1) < probability; }
    int whole(int low, int high) {  // both may come
        return low + static_cast<int>(next() % static_cast<uint64_t>(high - low + 1));
    }
    Vec3 direction() {
        const double z = between(-1, 1), angle = between(0, 2 * pi), r = std::sqrt(1 - z * z);
        return {r * std::cos(angle), r * std::sin(angle), z};
    }
    Quat orientation() { return Quat::about(direction(), between(0, 2 * pi)); }

  private:
    uint64_t state_;
};

}  // namespace bristle::validation::rough
