// What Intersection works with: the parts of both surfaces that have to do with the overlap.
#pragma once

#include "base/union_find.h"
#include "collision/volume/intersection.h"

#include <limits>

namespace bristle::collision {

// One solid's triangles that the other's surface crosses, and which of their vertices are inside.
struct CrossedSurface {
    struct Crossed {
        uint32_t triangle;
        Vec3 corner;                   // in its plane, on the contour
        std::array<int32_t, 3> net{};  // of each edge run counter-clockwise: entries less exits
        std::array<bool, 3> is_cut{};  // has the edge crossings at all?
        std::array<Vec3, 3> cut{};     // … and where is one?
    };
    static constexpr uint8_t unknown = 0, outside = 1, inside = 2;

    std::vector<Crossed> crossed;
    std::vector<uint32_t> place;    // of every triangle, in `crossed`
    std::vector<uint8_t> where;     // of every vertex
    std::vector<uint32_t> known;    // vertices of which that is
    std::vector<uint32_t> node;     // of vertices inside, in `together`
    std::vector<uint32_t> inner;    // triangles all inside, where they had to be visited
    std::vector<uint8_t> is_inner;  // of every triangle
    std::vector<uint8_t> is_shell_crossed;

    void reset(const Solid&);
    void put(uint32_t vertex, uint8_t there);
};

struct Intersection::Impl {
    Crossings crossings;
    Placement at_a, b_in_a;
    CrossedSurface surface[2];

    // What belongs together: segments, then vertices inside.
    UnionFind together;
    struct Ends {
        uint64_t edge;  // solid in the upper half
        uint32_t triangle, segment;
        double along;
        bool enters;  // run from the lower vertex to the higher
    };
    std::vector<Ends> ends;
    Ends key_of(uint32_t segment, const CrossingSegment::End&) const;
    std::vector<uint32_t> contour_of_segment, region_of_segment, region_of_root;
    bool is_single = true;  // one contour, so one region

    struct Region {
        Vec3 origin;            // o, on its contour
        VolumeMoments moments;  // about it, in a's axes
    };
    std::vector<Region> regions;
    std::vector<uint32_t> order;

    std::vector<std::pair<size_t, uint32_t>>
        whole_shells;  // side and shell, all inside the other solid
    bool is_found = false;

    // The parts of an edge inside the other solid, from the lower vertex to the higher: part k runs from part_from[k]
    // to part_to[k]. `low` and `high` are its ends, or none if they are outside; crossings are in order, and those
    // that two triangles found count once.
    void find_parts(std::span<const Ends> on_edge, uint32_t low, uint32_t high);
    std::vector<uint32_t> part_from, part_to;

    Patches other;  // with the other shift

    void find(const Solid& a, const Solid& b, Shift, Patches&);
    void collect();
    void place_vertices(size_t side);
    void visit_inner(size_t side);
    void join();
    void join_along_edges();
    void join_holes(size_t side);
    uint32_t region_of(uint32_t node);
    void sum_crossed(size_t side);
    void sum_inner(size_t side);
    void sum_whole_shells();
    void fill_hollows();
    void write(Patches&);

    class MeshBuilder;  // intersection_mesh.cpp
};

}  // namespace bristle::collision
