// Models that several tests of contact start from.
#pragma once

#include <bristle/world.h>

#include "tests/support/surfaces.h"

namespace bristle::testing_support {

inline BodyId add_ball(Model& m, double radius, double mass, Vec3 at, Vec3 velocity = {},
                       Vec3 spin = {}, MaterialId material = {}) {
    const BodyId b = m.add(Body::sphere(radius, mass).at(at).moving(velocity, spin));
    m.add(Shape{.body = b, .geometry = Sphere{radius}, .material = material});
    return b;
}

inline BodyId add_box(Model& m, Vec3 size, double mass, Vec3 at, Vec3 velocity = {},
                      MaterialId material = {}) {
    const BodyId b = m.add(Body::box(size, mass).at(at).moving(velocity));
    m.add(Shape{.body = b, .geometry = Box{size}, .material = material});
    return b;
}

inline ShapeId add_floor(Model& m, MaterialId material = {}) {
    return m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = material});
}

// A flat floor of two triangles a cell; z = 0, from (x0, -half) to (x1, half).
inline TriangleMesh flat_sheet(double x0, double x1, double half, uint32_t cells) {
    TriangleMesh mesh;
    for (uint32_t i = 0; i <= cells; ++i)
        for (double y : {-half, half}) mesh.vertices.push_back({x0 + (x1 - x0) * i / cells, y, 0});
    for (uint32_t i = 0; i < cells; ++i) {
        const uint32_t a = 2 * i;
        mesh.triangles.push_back({a, a + 2, a + 3});
        mesh.triangles.push_back({a, a + 3, a + 1});
    }
    return mesh;
}

}  // namespace bristle::testing_support
