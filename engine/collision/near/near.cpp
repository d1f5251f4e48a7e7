#include "collision/near/near.h"

#include "collision/near/pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::collision {

namespace {

using Collide = void (*)(const Placed&, const Placed&, double, ContactPoints&);

// Row: kind of a, column: kind of b. Below the diagonal a pair is looked up in the other order. Nothing
// for scenery against scenery, and for two meshes, which touch in regions, not in points.
constexpr Collide table[collider_kinds][collider_kinds] = {
    // clang-format off
    //            sphere                 capsule                 box                    cylinder                 convex                 torus                   plane                   height field                   mesh
    /* sphere  */{collide_sphere_sphere, collide_sphere_capsule, collide_sphere_box,    collide_sphere_cylinder, collide_sphere_convex, collide_sphere_torus,   collide_sphere_plane,   collide_sphere_height_field,   collide_sphere_mesh},
    /* capsule */{nullptr,               collide_capsule_capsule,collide_convex_shapes, collide_convex_shapes,   collide_convex_shapes, collide_capsule_torus,  collide_capsule_plane,  collide_capsule_height_field,  collide_capsule_mesh},
    /* box     */{nullptr,               nullptr,                collide_box_box,       collide_convex_shapes,   collide_convex_shapes, collide_box_torus,      collide_box_plane,      collide_box_height_field,      collide_convex_mesh},
    /* cylinder*/{nullptr,               nullptr,                nullptr,               collide_convex_shapes,   collide_convex_shapes, collide_cylinder_torus, collide_cylinder_plane, collide_cylinder_height_field, collide_cylinder_mesh},
    /* convex  */{nullptr,               nullptr,                nullptr,               nullptr,                 collide_convex_shapes, collide_convex_torus,   collide_convex_plane,   collide_convex_height_field,   collide_convex_mesh},
    /* torus   */{nullptr,               nullptr,                nullptr,               nullptr,                 nullptr,               collide_torus_torus,    collide_torus_plane,    collide_torus_height_field,    collide_torus_mesh},
    /* plane   */{nullptr,               nullptr,                nullptr,               nullptr,                 nullptr,               nullptr,                nullptr,                nullptr,                       collide_plane_mesh},
    /* field   */{nullptr,               nullptr,                nullptr,               nullptr,                 nullptr,               nullptr,                nullptr,                nullptr,                       collide_height_field_mesh},
    /* mesh    */{nullptr,               nullptr,                nullptr,               nullptr,                 nullptr,               nullptr,                nullptr,                nullptr,                       nullptr},
    // clang-format on
};

bool is_finite(const Placed& p) {
    return bristle::is_finite(p.position) && bristle::is_finite(p.rotation.row[0])
        && bristle::is_finite(p.rotation.row[1]) && bristle::is_finite(p.rotation.row[2]);
}

void swap_sides(ContactPoint& c) {
    std::swap(c.on_a, c.on_b);
    std::swap(c.curvature_a, c.curvature_b);
    std::swap(c.face_a, c.face_b);
    c.normal = -c.normal;
    if (c.normal_of != NormalOf::centers)
        c.normal_of = c.normal_of == NormalOf::a ? NormalOf::b : NormalOf::a;
}

// Sizes of 1e200 are finite and their squares are not.
bool is_finite(const ContactPoint& c) {
    return bristle::is_finite(c.on_a) && bristle::is_finite(c.on_b) && bristle::is_finite(c.normal)
        && std::isfinite(c.depth);
}

// Corners of a rectangle or ends of a line have the second moments of the whole at 1/√3 of their distance; four points of a disc's
// rim at 1/√2. A disc that turns in place is held by ⅔ of its radius: between the two. (`validate truth` slides and spins one.)
constexpr double spread_of_corners = 0.5773502691896258, spread_of_rim = 0.69;

bool has_faces(ColliderKind kind) {
    return kind == ColliderKind::capsule || kind == ColliderKind::box
        || kind == ColliderKind::cylinder || kind == ColliderKind::convex
        || kind == ColliderKind::plane;
}

// Meshes and height fields may stand on feet, which are no face.
double spread_of(const Collider& a, const Collider& b, std::ptrdiff_t points) {
    if (points < 2 || !has_faces(a.kind) || !has_faces(b.kind)) return 1;
    const bool is_round = a.kind == ColliderKind::cylinder || b.kind == ColliderKind::cylinder;
    return is_round && points > 2 ? spread_of_rim : spread_of_corners;
}

}  // namespace

void collide(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    if (!is_finite(a) || !is_finite(b)) return;
    const bool is_swapped = a.collider->kind > b.collider->kind;
    const Placed &first = is_swapped ? b : a, &second = is_swapped ? a : b;
    const Collide pair = table[static_cast<size_t>(first.collider->kind)]
                              [static_cast<size_t>(second.collider->kind)];
    if (pair == nullptr) return;
    const auto old = static_cast<std::ptrdiff_t>(out.size());
    pair(first, second, margin, out);
    out.erase(std::remove_if(out.begin() + old, out.end(),
                             [](const ContactPoint& c) { return !is_finite(c); }),
              out.end());
    if (is_swapped) std::for_each(out.begin() + old, out.end(), swap_sides);
    const double spread = spread_of(*a.collider, *b.collider, out.end() - out.begin() - old);
    for (auto c = out.begin() + old; c != out.end(); ++c) c->spread = spread;
}

}  // namespace bristle::collision
