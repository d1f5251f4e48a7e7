// Every pair of kinds that near detection knows, one function each; near.cpp has the table.
//
// The first named kind is a's. Contacts are appended to `out`, those with depth ≥ −margin only. A pose
// that is not finite never gets here: `collide` looks first.
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"

namespace bristle::collision {

// Spheres and capsules, in closed form (primitive_pairs.cpp).
void collide_sphere_sphere(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_sphere_capsule(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_sphere_box(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_sphere_cylinder(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_sphere_convex(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_capsule_capsule(const Placed& a, const Placed& b, double margin, ContactPoints& out);

// Planes (plane_pairs.cpp).
void collide_sphere_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_capsule_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_box_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_cylinder_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_convex_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out);

// By fifteen axes (box_box.cpp).
void collide_box_box(const Placed& a, const Placed& b, double margin, ContactPoints& out);

// Any two of capsule, box, cylinder, convex by their support mappings (convex_pairs.cpp).
void collide_convex_shapes(const Placed& a, const Placed& b, double margin, ContactPoints& out);

// Tori (torus_pairs.cpp, ring.h).
void collide_sphere_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_capsule_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_box_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_cylinder_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_convex_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_torus_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_torus_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out);

// Height fields (height_field_pairs.cpp).
void collide_sphere_height_field(const Placed& a, const Placed& b, double margin,
                                 ContactPoints& out);
void collide_capsule_height_field(const Placed& a, const Placed& b, double margin,
                                  ContactPoints& out);
void collide_box_height_field(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_cylinder_height_field(const Placed& a, const Placed& b, double margin,
                                   ContactPoints& out);
void collide_convex_height_field(const Placed& a, const Placed& b, double margin,
                                 ContactPoints& out);
void collide_torus_height_field(const Placed& a, const Placed& b, double margin,
                                ContactPoints& out);

// Meshes (mesh_pairs.cpp); `collide_convex_mesh` serves boxes too, `collide_plane_mesh` has the mesh
// as b like all others, so its normal points from the mesh to the plane.
void collide_sphere_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_capsule_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_convex_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_cylinder_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_torus_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_plane_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_height_field_mesh(const Placed& a, const Placed& b, double margin, ContactPoints& out);

}  // namespace bristle::collision
