#include "collision/near/convex.h"
#include "collision/near/pairs.h"
#include "collision/near/surface.h"

#include <algorithm>
#include <limits>

namespace bristle::collision {

void collide_sphere_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_sphere_surface(a, b, margin, out);
}
void collide_capsule_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_capsule_surface(a, b, margin, out);
}
void collide_convex_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_surface(a, b, margin, out);
}
void collide_cylinder_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_surface(a, b, margin, out);
}
void collide_torus_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_torus_surface(a, b, margin, out);
}

namespace {

// Corners of the mesh below another surface. `below(corner, normal, depth)` says whether, and along which
// outward normal of the other surface how deep; `enter` prunes boxes of the tree.
template <class Enter, class Below>
void collide_corners(const Placed& mesh, const Enter& enter, const Below& below, double margin,
                     ContactPoints& out) {
    const TriangleTree& tree = *mesh.collider->tree;
    const size_t first = out.size();
    tree.in_boxes(enter, [&](uint32_t triangle) {
        const auto corners = tree.corners(triangle);
        for (size_t k = 0; k < 3; ++k) {
            Vec3 normal;
            double depth = 0;
            const Vec3 corner = mesh.to_world(corners[k]);
            if (!below(corner, normal, depth) || !(depth >= -margin)) continue;
            ContactPoint c;
            c.normal = -normal;
            c.on_b = corner;
            c.on_a = corner + depth * normal;
            c.depth = depth;
            c.curvature_b = {Curvature::sharp, Curvature::sharp, any_perpendicular(normal)};
            c.curvature_a = {0, 0, any_perpendicular(normal)};
            c.normal_of = NormalOf::a;
            c.feature = tree.face(triangle).vertex[k];
            c.face_b = triangle;
            out.push_back(c);
        }
        // Kept short on the way: the four that stay of a part may not be the four of all, but always
        // include the deepest.
        if (out.size() > first + 256) keep_four(out, first, out[first].normal);
    });
    if (out.size() == first) return;
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, out.end(), [](const ContactPoint& x, const ContactPoint& y) {
        return x.feature != y.feature ? x.feature < y.feature : x.face_b < y.face_b;
    });
    out.erase(std::unique(begin, out.end(),
                          [](const ContactPoint& x, const ContactPoint& y) {
                              return x.feature == y.feature;
                          }),
              out.end());
    keep_four(out, first, out[first].normal);
}

}  // namespace

void collide_plane_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Vec3 up = a.rotation.column(2), in_mesh = b.rotation.transposed() * up;
    const double offset = dot(up, a.position - b.position);
    const auto enter = [&](Vec3 low, Vec3 high) {
        double lowest = 0;
        for (int i = 0; i < 3; ++i) lowest += in_mesh[i] * (in_mesh[i] > 0 ? low[i] : high[i]);
        return lowest <= offset + margin;
    };
    const auto below = [&](Vec3 corner, Vec3& normal, double& depth) {
        normal = up;
        depth = dot(up, a.position - corner);
        return true;
    };
    collide_corners(b, enter, below, margin, out);
}

void collide_height_field_mesh(const Placed& a, const Placed& b, double margin,
                               ContactPoints& out) {
    const Surface field(*a.collider);
    const double top = a.collider->top;
    const Vec3 up = b.rotation.transposed() * a.rotation.column(2);
    const double offset = dot(a.rotation.column(2), a.position - b.position) + top;
    const auto enter = [&](Vec3 low, Vec3 high) {
        double lowest = 0;
        for (int i = 0; i < 3; ++i) lowest += up[i] * (up[i] > 0 ? low[i] : high[i]);
        return lowest <= offset + margin;
    };
    const auto below = [&](Vec3 corner, Vec3& normal, double& depth) {
        Facet f;
        const Vec3 p = a.to_local(corner);
        if (!field.facet_over(p, f)) return false;
        normal = a.rotation * f.normal;
        depth = -dot(f.normal, p - f.corner[0]);
        return true;
    };
    collide_corners(b, enter, below, margin, out);
}

}  // namespace bristle::collision
