// The cross product with every component right to two units in its last place (Kahan), where the plain
// formula loses all digits for nearly parallel vectors: the normal of a sliver, the volume of a needle.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

#include <cmath>

namespace bristle::geometry {

// a b − c d
inline double difference_of_products(double a, double b, double c, double d) {
    const double cd = c * d;
    const double error = std::fma(-c, d, cd);
    return std::fma(a, b, -cd) + error;
}

inline Vec3 accurate_cross(Vec3 a, Vec3 b) {
    return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
            difference_of_products(a.x, b.y, a.y, b.x)};
}

}  // namespace bristle::geometry
