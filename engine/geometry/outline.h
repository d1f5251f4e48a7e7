// What a planar model sees of a shape: its outline in the plane (spec C2, D6).
//
// An outline is a convex core and a radius: a circle is one corner with a radius, a capsule that lies in
// the plane two, a polygon three or more without. So every pair is one of few tests (planar.h), and each
// is exact. It is made once, when the scene is built: bodies turn about the normal alone, so the outline
// keeps its form.
//
// Its coordinates are along two axes of the collider's frame that lie in the plane; corners go
// counter-clockwise seen against the normal, and edge i from corner i to the next one.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"
#include "math/simd.h"
#include "math/vec2.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bristle::geometry {

// The plane of a model: right-handed unit axes, the normal third.
struct PlaneFrame {
    Vec3 x, y, normal;

    explicit PlaneFrame(Vec3 normal_of_any_length);
    Vec2 flat(Vec3 p) const { return {dot(x, p), dot(y, p)}; }
    Vec3 lifted(Vec2 p) const { return p.x * x + p.y * y; }
};

struct Outline {
    // In the order the tests are looked up by.
    enum class Kind : uint8_t { circle, segment, polygon, half_plane };
    struct Edge {
        Vec2 from;
        Vec2 normal;  // unit, outward
        double offset = 0, length = 0;
    };

    // Four edges at once, the last one repeated.
    struct FourEdges {
        Vec4 normal_x, normal_y, offset;
    };

    Kind kind = Kind::circle;
    std::vector<Edge> edges;  // of a segment two, one on either side
    std::vector<FourEdges> fours;
    double radius = 0;
    double curvature_across = 0;  // 1/m, along the normal of the plane: of a ball, not of a disc
    // In the collider's frame. Of a half-plane x is its own normal, and all with x ≤ 0 is solid.
    Vec3 x, y;
    Vec2 low, high;        // what it fills
    double thickness = 0;  // m: the least width
};

// Of a geometry whose frame starts with this rotation. `where` names the shape; throws InputError if it has
// no outline: a mesh, or something oblique to the plane.
Outline outline_of(const Geometry&, const Mat3& rotation, const PlaneFrame&,
                   const std::string& where);

}  // namespace bristle::geometry
