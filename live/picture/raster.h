// Which triangle is nearest in every point of a picture.
#pragma once

#include <bristle/math.h>

#include "live/picture/solid.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bristle::live {

// Where one looks from. Its axes are right, up and back, as columns.
struct Eye {
    Vec3 position;
    Mat3 axes;
    double tall = 1;    // half of the picture's height over the distance; of a parallel view, m
    double aspect = 1;  // width over height
    bool is_parallel = false;

    Vec3 local(Vec3 world) const { return axes.transposed() * (world - position); }
};
Eye looking_at(Vec3 from, Vec3 at, double tall, double aspect);

class Raster {
  public:
    static constexpr uint32_t nothing = std::numeric_limits<uint32_t>::max();

    Raster(uint32_t width, uint32_t height, const Eye& eye)
        : width_(width),
          height_(height),
          eye_(eye),
          depth_(size_t{width} * height, std::numeric_limits<float>::infinity()) {}
    // Also which one, and its normal: needed for a picture, not for a shadow.
    void keep_surfaces() {
        which_.assign(depth_.size(), nothing);
        normal_.resize(depth_.size());
    }

    void fill(const Solid&, const Pose&, uint32_t which);

    uint32_t width() const { return width_; }
    uint32_t height() const { return height_; }
    const Eye& eye() const { return eye_; }
    // Along the way one looks, m; infinite where nothing is.
    float depth(size_t i) const { return depth_[i]; }
    uint32_t which(size_t i) const { return which_[i]; }
    const std::array<float, 3>& normal(size_t i) const { return normal_[i]; }
    // Through the middle of a point of the picture: the way for a depth of 1 m.
    Vec3 ray(uint32_t x, uint32_t y) const;

  private:
    struct Corner {
        Vec3 at, normal;  // of the eye; of the world
    };
    void clip(const std::array<Corner, 3>&, uint32_t which);
    void fill(const std::array<Corner, 3>&, uint32_t which);

    uint32_t width_, height_;
    Eye eye_;
    std::vector<float> depth_;
    std::vector<uint32_t> which_;
    std::vector<std::array<float, 3>> normal_;
};

}  // namespace bristle::live
