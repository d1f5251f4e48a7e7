// Random numbers that are the same on every machine and library.
#pragma once

#include <bristle/math.h>

#include <cstdint>
#include <random>

namespace bristle::testing_support {

class Random {
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}

    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    int integer(int low, int high) {  // both ends included
        return low + static_cast<int>(engine_() % static_cast<uint64_t>(high - low + 1));
    }
    bool chance(double probability) { return uniform(0, 1) < probability; }
    Vec3 vector(double size) {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v = vector(1);
            if (norm(v) > 0.2 && norm(v) < 1) return normalized(v);
        }
    }
    Quat rotation() { return Quat::about(direction(), uniform(-pi, pi)); }

  private:
    std::mt19937_64 engine_;
};

}  // namespace bristle::testing_support
