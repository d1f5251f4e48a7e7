// The convex hull of a set of points, as collision wants it: few large faces, and a quick support.
//
// Topology by exact arithmetic. The points are rounded to a grid of 2⁻⁴⁰ of their extent (hull_grid.h; for the
// decisions only: the vertices keep the numbers they came with). Grid coordinates are integers of 41 bits,
// so the orientation of four points is a 127-bit integer: signs are never wrong, and quickhull on
// triangles (exact_hull.h) cannot meet a contradiction, whatever lies on a line, in a plane or twice in
// one place. Quickhull in floating point with faces merged on the way lost: its repairs are longer than
// all of this, and still heuristics.
//
// Then faces are merged (hull_faces.h). Contact between faces clips polygons, and one face cut into slivers gives
// as many normals as slivers. Vertices closer than the tolerance become one. Triangles join a face if
// their corners are within the tolerance of its plane and the face stays a convex polygon to within the
// tolerance; vertices that are inside a face or on a straight edge afterwards are dropped. So the hull
// may be smaller than the true one by about the tolerance: what numbers stored as `float` are worth.
//
// V − E + F = 2 always holds; every vertex has at least three faces, every face at least three vertices.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"
#include "math/simd.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

struct HullPolygon;  // hull_faces.h

class ConvexHull {
  public:
    struct Face {
        Vec3 normal;    // unit, outward
        double offset;  // normal · x ≤ offset for all x of the hull, within the tolerance
        uint32_t loop_start, loop_size;
    };
    // From a to b, counter-clockwise around `left` and clockwise around `right`.
    struct Edge {
        uint32_t a, b;
        uint32_t left, right;  // faces
    };

    // Throws InputError if there are fewer than four points, one is not finite, or all lie in a plane.
    explicit ConvexHull(std::span<const Vec3> points);

    std::span<const Vec3> vertices() const { return vertices_; }
    std::span<const Face> faces() const { return faces_; }
    std::span<const Edge> edges() const { return edges_; }
    // The vertices of a face, counter-clockwise seen from outside.
    std::span<const uint32_t> loop(const Face& face) const {
        return std::span(loops_).subspan(face.loop_start, face.loop_size);
    }
    std::span<const uint32_t> loop(uint32_t face) const { return loop(faces_[face]); }
    // The vertices that share an edge with this one, counter-clockwise seen from outside.
    std::span<const uint32_t> neighbors(uint32_t vertex) const {
        return std::span(neighbors_)
            .subspan(neighbor_start_[vertex],
                     neighbor_start_[vertex + 1] - neighbor_start_[vertex]);
    }

    // The vertex farthest in a direction of any length; always a vertex, even for NaN. Never allocates.
    uint32_t support(Vec3 direction) const;
    // The same by climbing from a vertex known to be near, as from the step before.
    uint32_t support(Vec3 direction, uint32_t start) const;

    double tolerance() const { return tolerance_; }  // m: how far faces may be from flat

  private:
    struct FourVertices {
        Vec4 x, y, z;
    };

    void set_faces(std::span<const Vec3> points, std::span<const HullPolygon> polygons);
    void set_edges();
    void set_support();
    void set_climb();
    uint32_t scan(Vec3 direction) const;

    std::vector<Vec3> vertices_;
    std::vector<Face> faces_;
    std::vector<Edge> edges_;
    std::vector<uint32_t> loops_;
    std::vector<uint32_t> neighbor_start_;  // vertices + 1
    std::vector<uint32_t> neighbors_;
    std::vector<FourVertices> fours_;  // the vertices again, to be scanned; the last is repeated
    // Where to go from a vertex, if there are too many to scan: along the edges and along the diagonals
    // that the exact hull has. Without those, a merged face's slight hollows would end the climb.
    std::vector<uint32_t> climb_start_, climb_;
    std::vector<uint32_t> starts_;  // where to climb from, for every cell of a cube of directions
    double tolerance_ = 0;
};

}  // namespace bristle::geometry
