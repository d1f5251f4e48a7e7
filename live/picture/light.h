// What colour a point of a picture has: sun and sky, shadows, ground.
#pragma once

#include "live/picture/raster.h"

#include <span>
#include <vector>

namespace bristle::live {

// A plane that is solid below, or a grid that lies on nothing: only its lines and the shadows on it are seen.
struct Floor {
    Vec3 point, normal;
    bool is_solid = true;
};

struct Surroundings {
    Vec3 middle;        // of what is seen
    double radius = 1;  // m, around it
    std::span<const Floor> floors;
    std::span<const Paint> paints;  // by what the raster calls `which`
};

Vec3 towards_the_sun();

class Light {
  public:
    Light(const Raster& seen, const Raster& from_the_sun, const Surroundings& around)
        : seen_(seen), sun_(from_the_sun), around_(around) {}

    // Linear.
    Vec3 color(uint32_t x, uint32_t y) const;

  private:
    Vec3 sky(uint32_t y) const;
    double sunlit(Vec3 at, Vec3 normal) const;  // 0 … 1
    Vec3 lit(const Paint&, Vec3 at, Vec3 normal, Vec3 way) const;
    Vec3 of_floor(const Floor&, Vec3 at, double away, Vec3 behind, double pixel) const;

    const Raster &seen_, &sun_;
    const Surroundings around_;
};

// As screens want it: 0 … 255 for each of three.
std::array<uint8_t, 3> screen_color(Vec3 linear);

}  // namespace bristle::live
