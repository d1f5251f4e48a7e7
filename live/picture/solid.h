// What is drawn, as triangles with normals.
#pragma once

#include <bristle/math.h>

#include "live/wire/protocol.pb.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bristle::live {

// Three corners each, in the frame of a body, and the normals there.
struct Solid {
    std::vector<std::array<Vec3, 3>> corners, normals;
};

struct Paint {
    Vec3 color;        // linear
    double shine = 0;  // of its highlight, 0 … 1
    double metal = 0;  // how far it mirrors the sky in its own colour, 0 … 1
};

struct DrawnPart {
    // Of one that looks at a point of another body: from where, in its own.
    struct Aim {
        Vec3 from;
        uint32_t body = 0;
        Vec3 at;
        double along = 0;  // m
    };
    uint32_t body = 0;
    uint32_t part = 0;  // of the scene's
    Solid solid;
    Paint paint;
    std::optional<Aim> aim = {};
    // Of the frame that the solid is given in, by the poses of the bodies.
    Pose pose(std::span<const Pose> poses) const;
};

// Of all parts in their order, but for planes and what belongs to bodies that are gone.
std::vector<DrawnPart> drawn_parts(const wire::Scene&);

// Of triangles, smooth where they meet smoothly; placed in the body.
Solid solid_of(const wire::Surface&, const Pose&);

// Something small that is loose, in the world.
Solid clod(Vec3 at, double radius);
// Of a number as in wire::FieldPlace, linear.
Vec3 unpacked_color(uint32_t);

// A spring as it is seen, from one point to another, in the world.
Solid coil(Vec3 from, Vec3 to, double radius);

Pose pose_of(const wire::Part&);
// Of a colour as it is written, 0 … 1.
Vec3 linear_color(Vec3 srgb);

}  // namespace bristle::live
