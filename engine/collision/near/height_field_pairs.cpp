#include "collision/near/pairs.h"
#include "collision/near/surface.h"

namespace bristle::collision {

void collide_sphere_height_field(const Placed& a, const Placed& b, double margin,
                                 ContactPoints& out) {
    collide_sphere_surface(a, b, margin, out);
}
void collide_capsule_height_field(const Placed& a, const Placed& b, double margin,
                                  ContactPoints& out) {
    collide_capsule_surface(a, b, margin, out);
}
void collide_box_height_field(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_surface(a, b, margin, out);
}
void collide_cylinder_height_field(const Placed& a, const Placed& b, double margin,
                                   ContactPoints& out) {
    collide_convex_surface(a, b, margin, out);
}
void collide_convex_height_field(const Placed& a, const Placed& b, double margin,
                                 ContactPoints& out) {
    collide_convex_surface(a, b, margin, out);
}
void collide_torus_height_field(const Placed& a, const Placed& b, double margin,
                                ContactPoints& out) {
    collide_torus_surface(a, b, margin, out);
}

}  // namespace bristle::collision
