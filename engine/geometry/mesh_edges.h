// The edges of a mesh, each with its triangles: a sorted list of half-edges.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bristle::geometry {

struct HalfEdge {
    uint32_t low, high;  // vertices
    uint32_t triangle;
    bool is_forward;  // runs from low to high

    auto edge() const { return std::pair(low, high); }
    bool operator<(const HalfEdge& o) const {
        return edge() != o.edge() ? edge() < o.edge() : triangle < o.triangle;
    }
    uint32_t from() const { return is_forward ? low : high; }
    uint32_t to() const { return is_forward ? high : low; }
};

// Of the triangles that counts(triangle) says yes to.
template <class Counts>
std::vector<HalfEdge> sorted_half_edges(const TriangleMesh& mesh, const Counts& counts) {
    std::vector<HalfEdge> half_edges;
    half_edges.reserve(3 * mesh.triangles.size());
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!counts(t)) continue;
        for (size_t i = 0; i < 3; ++i) {
            const uint32_t a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
            half_edges.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    }
    std::sort(half_edges.begin(), half_edges.end());
    return half_edges;
}

// All triangles at one edge after the other.
template <class Visit>
void for_each_edge(std::span<const HalfEdge> half_edges, const Visit& visit) {
    for (size_t i = 0, end = 0; i < half_edges.size(); i = end) {
        for (end = i + 1; end < half_edges.size(); ++end)
            if (half_edges[end].edge() != half_edges[i].edge()) break;
        visit(half_edges.subspan(i, end - i));
    }
}

}  // namespace bristle::geometry
