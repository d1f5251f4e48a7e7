// Pictures of a world without a browser, a window or a graphics card: the same parts in the same colours as the page
// draws, with a sun and its shadows.
//
//     Painter painter(scene);
//     Picture now = painter.paint(world.poses());
//     write_png(now, "now.png");
//
// By the processor alone: a triangle is filled where it is the nearest, then every point is lit once. A graphics library
// would be faster and was left out: it needs a display, or drivers, where a script or a test has neither.
#pragma once

#include <bristle/scene.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bristle {

struct PictureOptions {
    uint32_t width = 960, height = 540;  // pixels, 16 … 8192
    // From where one looks, seen from the middle of the scene: only its direction counts. Zero: across the plane of a
    // mechanism that moves in one, otherwise aslant.
    Vec3 from = {};
    double distance = 0;  // m from the middle; zero: all of it is in the picture
};

struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint8_t> rgb;  // rows from above, three bytes a pixel
};

class Painter {
  public:
    // Throws InputError for a size that is none.
    explicit Painter(const io::Scene&, const PictureOptions& = {});
    ~Painter();
    Painter(Painter&&) noexcept;
    Painter& operator=(Painter&&) noexcept;

    // What has moved there shall be in the picture, too; poses are those of World::poses.
    void keep_in_picture(std::span<const Pose>);
    // Of a world of the scene: height fields as they are now, and what its processes show. It is known as what changed since it was
    // asked for last, so what is drawn later is taken in the same order.
    struct Ground;
    std::shared_ptr<const Ground> ground_of(const World&);
    void take_ground(const Ground&);
    Picture paint(std::span<const Pose>) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A PNG file's bytes.
std::string png_of(const Picture&);
void write_png(const Picture&, const std::filesystem::path& file);

}  // namespace bristle
