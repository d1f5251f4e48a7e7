// Triangle meshes for tests: floors cut up at random, balls, blocks, pipes.
#pragma once

#include <bristle/shape.h>

#include "geometry/collider.h"
#include "geometry/triangle_tree.h"
#include "tests/support/random.h"

#include <functional>
#include <memory>

namespace bristle::testing_support {

inline std::shared_ptr<const TriangleMesh> share(TriangleMesh mesh) {
    return std::make_shared<const TriangleMesh>(std::move(mesh));
}

// A mesh, its tree, and the collider of both.
struct MeshShape {
    TriangleTree tree;
    Collider collider{};

    explicit MeshShape(TriangleMesh mesh) : tree(share(std::move(mesh))) {
        collider.kind = ColliderKind::mesh;
        collider.tree = &tree;
    }
    MeshShape(const MeshShape&) = delete;
    MeshShape& operator=(const MeshShape&) = delete;
};

// The rectangle [-size, size]² cut into triangles along random lines and random diagonals; the height of
// a vertex is height(x, y). `evenness` 0 makes slivers.
inline TriangleMesh random_sheet(Random& random, double size, int cuts, double evenness,
                                 const std::function<double(double, double)>& height) {
    const auto places = [&] {
        std::vector<double> p{-size};
        for (int i = 1; i < cuts; ++i) {
            const double even = -size + 2 * size * i / cuts;
            const double room = 2 * size / cuts * (1 - evenness) * 0.499;
            p.push_back(even + random.uniform(-room, room));
        }
        p.push_back(size);
        return p;
    };
    const std::vector<double> xs = places(), ys = places();
    TriangleMesh mesh;
    for (double y : ys)
        for (double x : xs) mesh.vertices.push_back({x, y, height(x, y)});
    const auto columns = static_cast<uint32_t>(xs.size());
    for (uint32_t r = 0; r + 1 < columns; ++r)
        for (uint32_t c = 0; c + 1 < columns; ++c) {
            const uint32_t a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
            if (random.chance(0.5)) {
                mesh.triangles.push_back({a, b, e});
                mesh.triangles.push_back({a, e, d});
            } else {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({b, e, d});
            }
        }
    return mesh;
}

inline TriangleMesh block(Vec3 half) {
    TriangleMesh mesh;
    for (unsigned i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {(i & 1u ? 1 : -1) * half.x, (i & 2u ? 1 : -1) * half.y, (i & 4u ? 1 : -1) * half.z});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

// A closed ball of meridians and parallels; radius(direction) may make it bumpy.
inline TriangleMesh ball(int parallels, int meridians, const std::function<double(Vec3)>& radius) {
    TriangleMesh mesh;
    const auto add = [&](double theta, double phi) {
        const Vec3 d = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                        std::cos(theta)};
        mesh.vertices.push_back(radius(d) * d);
    };
    add(0, 0);
    for (int i = 1; i < parallels; ++i)
        for (int j = 0; j < meridians; ++j) add(pi * i / parallels, 2 * pi * j / meridians);
    add(pi, 0);
    const auto m = static_cast<uint32_t>(meridians),
               last = 1 + (static_cast<uint32_t>(parallels) - 1) * m;
    const auto at = [&](uint32_t i, uint32_t j) { return 1 + (i - 1) * m + j % m; };
    for (uint32_t j = 0; j < m; ++j) {
        mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
        mesh.triangles.push_back({last, at(static_cast<uint32_t>(parallels) - 1, j + 1),
                                  at(static_cast<uint32_t>(parallels) - 1, j)});
        for (uint32_t i = 1; i + 1 < static_cast<uint32_t>(parallels); ++i) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return mesh;
}

// A pipe along y seen from inside, radius around its axis, facets all around.
inline TriangleMesh pipe(double radius, double length, int facets) {
    TriangleMesh mesh;
    for (int i = 0; i < facets; ++i) {
        const double phi = 2 * pi * i / facets;
        for (double y : {-length / 2, length / 2})
            mesh.vertices.push_back({radius * std::cos(phi), y, radius * std::sin(phi)});
    }
    for (uint32_t i = 0; i < static_cast<uint32_t>(facets); ++i) {
        const uint32_t a = 2 * i, b = 2 * ((i + 1) % static_cast<uint32_t>(facets));
        mesh.triangles.push_back({a, b + 1, a + 1});
        mesh.triangles.push_back({a, b, b + 1});
    }
    return mesh;
}

}  // namespace bristle::testing_support
