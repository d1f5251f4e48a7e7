// The two spheres of the suite `conforming`: closed meshes of the unit sphere, the same for every engine.
//
// An icosahedron, each of its faces cut into f² triangles and their corners put on the sphere: 20 f² in all. The
// second sphere is turned by a rotation that has nothing to do with the icosahedron, so that no two triangles are
// parallel and no vertex meets an edge, and comes nearer by a little each time: nothing can be kept from the last.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace bristle::scenes::icosphere {

using Point = std::array<double, 3>;

struct Mesh {
    std::vector<Point> vertices;
    std::vector<std::array<uint32_t, 3>> triangles;  // counter-clockwise seen from outside
};

struct Case {
    const char* name;
    uint32_t frequency;  // f
    double distance;     // of the centres, in radii
    int repetitions;     // of which the median counts
};
constexpr Case cases[] = {
    {"spheres_1k_apart_1.9", 7, 1.9, 21},   {"spheres_10k_apart_1.9", 22, 1.9, 11},
    {"spheres_100k_apart_1.9", 71, 1.9, 5}, {"spheres_1k_apart_0.5", 7, 0.5, 21},
    {"spheres_10k_apart_0.5", 22, 0.5, 11}, {"spheres_100k_apart_0.5", 71, 0.5, 5}};

// Of the second sphere's centre along x, at repetition k.
inline double distance(const Case& c, int k) { return c.distance - 1e-4 * k; }

// Of the second sphere: by 0.5 rad about (1, 2, 3)/√14, row by row.
inline std::array<Point, 3> rotation() {
    const double x = 1 / std::sqrt(14.0), y = 2 * x, z = 3 * x;
    const double c = std::cos(0.5), s = std::sin(0.5), d = 1 - c;
    return {{{c + x * x * d, x * y * d - z * s, x * z * d + y * s},
             {x * y * d + z * s, c + y * y * d, y * z * d - x * s},
             {x * z * d - y * s, y * z * d + x * s, c + z * z * d}}};
}

namespace detail {

inline std::vector<Point> icosahedron_corners() {
    const double g = (1 + std::sqrt(5.0)) / 2;
    return {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
            {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
}
constexpr std::array<std::array<uint32_t, 3>, 20> icosahedron_faces = {
    {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

}  // namespace detail

inline Mesh make(uint32_t frequency) {
    const std::vector<Point> corners = detail::icosahedron_corners();
    Mesh mesh;
    // A vertex by how many parts of which corners it is made of: neighbouring faces find the same.
    std::map<std::array<uint32_t, 12>, uint32_t> known;
    const auto vertex = [&](const std::array<uint32_t, 3>& face, uint32_t i, uint32_t j) {
        std::array<uint32_t, 12> parts{};
        parts[face[0]] = frequency - i - j;
        parts[face[1]] = i;
        parts[face[2]] = j;
        const auto [at, is_new] =
            known.try_emplace(parts, static_cast<uint32_t>(mesh.vertices.size()));
        if (is_new) {
            Point p{};
            for (size_t c = 0; c < 12; ++c)
                for (size_t k = 0; k < 3; ++k) p[k] += parts[c] * corners[c][k];
            const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            for (double& x : p) x /= size;
            mesh.vertices.push_back(p);
        }
        return at->second;
    };
    for (const auto& face : detail::icosahedron_faces)
        for (uint32_t i = 0; i < frequency; ++i)
            for (uint32_t j = 0; i + j < frequency; ++j) {
                const uint32_t a = vertex(face, i, j), b = vertex(face, i + 1, j),
                               c = vertex(face, i, j + 1);
                mesh.triangles.push_back({a, b, c});
                if (i + j + 1 < frequency)
                    mesh.triangles.push_back({b, vertex(face, i + 1, j + 1), c});
            }
    return mesh;
}

// The same turned, and moved along x.
inline Mesh placed(Mesh mesh, double x) {
    const auto turn = rotation();
    for (Point& p : mesh.vertices) {
        Point q{};
        for (size_t r = 0; r < 3; ++r)
            q[r] = turn[r][0] * p[0] + turn[r][1] * p[1] + turn[r][2] * p[2];
        p = {q[0] + x, q[1], q[2]};
    }
    return mesh;
}

}  // namespace bristle::scenes::icosphere
