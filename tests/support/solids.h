// Closed meshes of up to a hundred triangles, for tests: all that can be a solid.
#pragma once

#include "scenes/plain/icosphere.h"
#include "tests/support/surfaces.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace bristle::testing_support {

inline TriangleMesh reversed(TriangleMesh mesh) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

inline TriangleMesh joined(std::initializer_list<TriangleMesh> parts) {
    TriangleMesh mesh;
    for (const TriangleMesh& part : parts) {
        const auto start = static_cast<uint32_t>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
        for (const auto& t : part.triangles)
            mesh.triangles.push_back({t[0] + start, t[1] + start, t[2] + start});
    }
    return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, const Mat3& by, Vec3 shift) {
    for (Vec3& p : mesh.vertices) p = by * p + shift;
    return mesh;
}
inline TriangleMesh moved(TriangleMesh mesh, Vec3 shift) {
    for (Vec3& p : mesh.vertices) p += shift;
    return mesh;
}

inline double volume_of(const TriangleMesh& mesh) {
    double sum = 0;
    const Vec3 o = mesh.vertices[0];
    for (const auto& t : mesh.triangles)
        sum +=
            dot(mesh.vertices[t[0]] - o, cross(mesh.vertices[t[1]] - o, mesh.vertices[t[2]] - o));
    return sum / 6;
}

inline double area_of(const TriangleMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[t[0]];
        sum += norm(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a)) / 2;
    }
    return sum;
}

inline TriangleMesh tetrahedron(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    TriangleMesh mesh{{a, b, c, d}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, {}};
    return volume_of(mesh) < 0 ? reversed(mesh) : mesh;
}

// From the low to the high corner.
inline TriangleMesh box_between(Vec3 low, Vec3 high) {
    return moved(block(0.5 * (high - low)), 0.5 * (low + high));
}

inline TriangleMesh sphere_of(uint32_t frequency) {
    const scenes::icosphere::Mesh made = scenes::icosphere::make(frequency);
    TriangleMesh mesh;
    for (const auto& p : made.vertices) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles = made.triangles;
    return mesh;
}

// Twice `around` times `across` triangles.
inline TriangleMesh ring(uint32_t around, uint32_t across, double tube) {
    TriangleMesh mesh;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t j = 0; j < across; ++j) {
            const double phi = 2 * pi * i / around, psi = 2 * pi * j / across;
            const double rho = 1 + tube * std::cos(psi);
            mesh.vertices.push_back(
                {rho * std::cos(phi), rho * std::sin(phi), tube * std::sin(psi)});
            const uint32_t i1 = (i + 1) % around, j1 = (j + 1) % across;
            mesh.triangles.push_back({i * across + j, i1 * across + j, i1 * across + j1});
            mesh.triangles.push_back({i * across + j, i1 * across + j1, i * across + j1});
        }
    return mesh;
}

// A polygon, counter-clockwise, every point of which its first corner sees, between two heights.
inline TriangleMesh extruded(const std::vector<Vec3>& polygon, double low, double high) {
    TriangleMesh mesh;
    const auto n = static_cast<uint32_t>(polygon.size());
    for (const Vec3 p : polygon) {
        mesh.vertices.push_back({p.x, p.y, low});
        mesh.vertices.push_back({p.x, p.y, high});
    }
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t a = 2 * i, b = 2 * ((i + 1) % n);
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
        if (i == 0 || i + 1 == n) continue;
        mesh.triangles.push_back({0, b, a});
        mesh.triangles.push_back({1, a + 1, b + 1});
    }
    return mesh;
}

inline TriangleMesh angle_bar() {  // an L, seen from its inner corner
    return extruded({{1, 1}, {1, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 1}}, 0, 1);
}

inline TriangleMesh prism(int corners) {
    std::vector<Vec3> polygon;
    for (int i = 0; i < corners; ++i)
        polygon.push_back({std::cos(2 * pi * i / corners), std::sin(2 * pi * i / corners), 0});
    return extruded(polygon, -0.7, 0.7);
}

// A star with as many points: between the tips its outline comes near the middle.
inline TriangleMesh star(int points, double inner) {
    TriangleMesh mesh;
    const auto n = 2 * static_cast<uint32_t>(points);
    for (double z : {-0.4, 0.4}) mesh.vertices.push_back({0, 0, z});
    for (uint32_t i = 0; i < n; ++i) {
        const double r = i % 2 == 0 ? 1 : inner, phi = 2 * pi * i / n;
        for (double z : {-0.4, 0.4})
            mesh.vertices.push_back({r * std::cos(phi), r * std::sin(phi), z});
        const uint32_t a = 2 + 2 * i, b = 2 + 2 * ((i + 1) % n);
        mesh.triangles.push_back({0, b, a});
        mesh.triangles.push_back({1, a + 1, b + 1});
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
    }
    return mesh;
}

// The faces between the cells that are filled and those that are not, of a grid of `size` cells each way. Closed, but
// four triangles may meet in an edge.
inline TriangleMesh cells(const std::vector<bool>& filled, int size) {
    TriangleMesh mesh;
    const auto at = [&](int x, int y, int z) {
        return x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < size
            && filled[static_cast<size_t>((z * size + y) * size + x)];
    };
    const auto corner = [&](int x, int y, int z) {
        return static_cast<uint32_t>((z * (size + 1) + y) * (size + 1) + x);
    };
    for (int z = 0; z <= size; ++z)
        for (int y = 0; y <= size; ++y)
            for (int x = 0; x <= size; ++x)
                mesh.vertices.push_back(
                    {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
    for (int z = 0; z < size; ++z)
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (!at(x, y, z)) continue;
                for (int axis = 0; axis < 3; ++axis)
                    for (int up : {0, 1}) {
                        const int step[3] = {axis == 0, axis == 1, axis == 2};
                        const int d = up ? 1 : -1;
                        if (at(x + d * step[0], y + d * step[1], z + d * step[2])) continue;
                        const auto c = [&](int u, int v) {
                            int at_corner[3];
                            at_corner[axis] = up;
                            at_corner[(axis + 1) % 3] = u;
                            at_corner[(axis + 2) % 3] = v;
                            return corner(x + at_corner[0], y + at_corner[1], z + at_corner[2]);
                        };
                        const uint32_t a = c(0, 0), b = c(1, 0), e = c(1, 1), f = c(0, 1);
                        if (up) {
                            mesh.triangles.push_back({a, b, e});
                            mesh.triangles.push_back({a, e, f});
                        } else {
                            mesh.triangles.push_back({a, e, b});
                            mesh.triangles.push_back({a, f, e});
                        }
                    }
            }
    return mesh;
}

constexpr int solid_kinds = 11;
// Of size one or so, around the origin, not turned.
inline TriangleMesh random_solid(Random& random, int kind) {
    switch (kind) {
        case 0: {
            for (;;) {
                TriangleMesh t = tetrahedron(random.vector(1), random.vector(1), random.vector(1),
                                             random.vector(1));
                if (volume_of(t) > 0.02) return t;
            }
        }
        case 1:
            return block({random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)});
        case 2: return prism(random.integer(3, 9));
        case 3: return sphere_of(1);
        case 4: return sphere_of(2);
        case 5:
            return ring(static_cast<uint32_t>(random.integer(3, 8)),
                        static_cast<uint32_t>(random.integer(3, 6)), random.uniform(0.1, 0.6));
        case 6: return moved(angle_bar(), {-0.8, -0.8, -0.5});
        case 7: return star(random.integer(3, 7), random.uniform(0.2, 0.6));
        case 8:  // two shells
            return joined({moved(random_solid(random, random.integer(0, 3)), {-1.8, 0, 0}),
                           moved(random_solid(random, random.integer(0, 3)), {1.8, 0, 0})});
        case 9: {  // a hollow
            const TriangleMesh outer = random_solid(random, random.integer(1, 3));
            const double share = random.uniform(0.2, 0.8);
            return joined(
                {outer, reversed(moved(outer, Mat3::diagonal({share, share, share}), {}))});
        }
        default:  // bumpy
            return ball(4, 6, [&](Vec3) { return random.uniform(0.4, 1); });
    }
}

}  // namespace bristle::testing_support
