// Where the surfaces of two solids pass through each other: pairs of triangles and the segments they share.
//
// All is in a's frame; b's vertices are taken there once, so that every question about them is about the same
// doubles. Signs are those of b shifted infinitesimally (geometry/shifted_sides.h): then two triangles share
// nothing or one segment, each end of which is where an edge of one passes through the other.
//
// A segment belongs to the border of the part of a's triangle that is inside b, with that part on its left seen from
// outside a; for b's triangle it is run the other way. The signs tell which end is first: where the edge of
// a's triangle, run counter-clockwise, enters b, the segment ends and the border goes on along the edge.
#pragma once

#include "geometry/shifted_sides.h"
#include "geometry/solid.h"
#include "math/placement.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle::collision {

struct CrossingSegment {
    struct End {
        Vec3 point;
        uint8_t solid;       // whose edge: 0 for a, 1 for b
        bool enters;         // the other solid, run counter-clockwise round its triangle
        uint32_t half_edge;  // of the triangle of this segment
        double along;        // 0 … 1, from the lower vertex of the edge to the higher
    };
    std::array<uint32_t, 2> triangle;  // of a and of b
    std::array<End, 2> end;            // from, to
};

class Crossings {
  public:
    // With b shifted one way, or the other.
    void find(const Solid& a, const Solid& b, const Placement& b_in_a,
              Shift shift_of_b = Shift::second);
    // Did the shift decide anything?
    bool had_ties() const { return had_ties_; }

    std::span<const CrossingSegment> segments() const { return segments_; }
    const Solid& solid(size_t side) const { return *solid_[side]; }
    // In a's frame.
    Vec3 vertex(size_t side, uint32_t v) { return side == 0 ? solid_[0]->vertices()[v] : moved(v); }
    // Is a vertex of one solid inside the other?
    bool is_inside(size_t side, uint32_t v);

  private:
    Vec3 moved(uint32_t v) {
        if (moved_in_[v] != round_) {
            moved_in_[v] = round_;
            moved_[v] = place_.rotation * solid_[1]->vertices()[v] + place_.position;
        }
        return moved_[v];
    }
    void cross(uint32_t t, uint32_t u);
    CrossingSegment::End end_of(size_t side, uint32_t half_edge, bool enters, double from,
                                double to);

    const Solid* solid_[2] = {};
    Placement place_;
    std::vector<Vec3> moved_;
    std::vector<uint32_t> moved_in_;
    uint32_t round_ = 0;
    Shift shift_ = Shift::second;
    bool had_ties_ = false;
    std::vector<CrossingSegment> segments_;
    struct NodePair {
        uint32_t a, b;
        TreeBox box_a, box_b;
    };
    std::vector<NodePair> stack_;
};

}  // namespace bristle::collision
