#include "collision/near/features.h"
#include "collision/near/pairs.h"
#include "geometry/convex_hull.h"

#include <algorithm>

namespace bristle::collision {

namespace {

// a on the plane b.
class PlaneContacts {
  public:
    PlaneContacts(const Placed& a, const Placed& b, double margin, ContactPoints& out)
        : a_(a),
          normal_(b.rotation.column(2)),
          down_(-(a.rotation.transposed() * normal_)),
          center_height_(dot(normal_, a.position - b.position)),
          margin_(margin),
          out_(out),
          first_(out.size()) {}

    Vec3 down() const { return down_; }  // in a's frame
    // A point of a's surface, in a's frame. True if it is within the margin.
    bool add(Vec3 local, const Curvature& curvature, uint32_t feature) {
        const double depth = depth_of(local);
        if (!(depth >= -margin_)) return false;
        ContactPoint c;
        c.normal = normal_;
        c.depth = depth;
        c.on_a = a_.to_world(local);
        c.on_b = c.on_a + depth * normal_;
        c.curvature_a = curvature;
        c.curvature_a.direction = a_.rotation * curvature.direction;
        c.normal_of = NormalOf::b;
        c.feature = feature;
        out_.push_back(c);
        return true;
    }
    double depth_of(Vec3 local) const { return dot(down_, local) - center_height_; }
    double deepest() const {
        double deepest = -std::numeric_limits<double>::infinity();
        for (size_t i = first_; i < out_.size(); ++i) deepest = std::max(deepest, out_[i].depth);
        return deepest;
    }
    void reduce() { keep_four(out_, first_, normal_); }

  private:
    const Placed& a_;
    Vec3 normal_, down_;
    double center_height_, margin_;
    ContactPoints& out_;
    size_t first_;
};

// Of the size: four points of a rim are as deep as its lowest one up to a tilt of some 3e-4 rad.
constexpr double nearly_flat = 1e-4;
constexpr Curvature corner{Curvature::sharp, Curvature::sharp, {1, 0, 0}};

}  // namespace

void collide_sphere_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const double radius = a.collider->radius;
    PlaneContacts contacts(a, b, margin, out);
    contacts.add(radius * contacts.down(), {1 / radius, 1 / radius, {1, 0, 0}}, 0);
}

void collide_capsule_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    PlaneContacts contacts(a, b, margin, out);
    const ConvexCore core = ConvexCore::of(*a.collider);
    const Vec3 down = contacts.down();
    const double k = 1 / core.ball;
    Polygon axis;
    if (!add_line(core, down, 0.3, axis))  // it stands: its lower end only
        axis.add(core.support(down), down.z > 0 ? 1 : 0);
    for (const Polygon::Corner& c : axis.view())
        contacts.add(c.point + ball_along(core, c.point, down) * down, {k, k, {1, 0, 0}}, c.name);
}

void collide_box_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    PlaneContacts contacts(a, b, margin, out);
    const ConvexCore core = ConvexCore::of(*a.collider);
    if (!(contacts.depth_of(core.support(contacts.down())) >= -margin)) return;
    Polygon face;
    add_face(core, best_face(core, contacts.down()), RimDetail::coarse, face);
    for (const Polygon::Corner& c : face.view()) contacts.add(c.point, corner, c.name);
}

// Standing: four points of the rim that stay where they are on the cylinder; lying: the ends of the
// side line; and the deepest point of the rim if none of those is as deep.
void collide_cylinder_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    PlaneContacts contacts(a, b, margin, out);
    const ConvexCore core = ConvexCore::of(*a.collider);
    const Vec3 down = contacts.down(), lowest = core.support(down);
    if (!(contacts.depth_of(lowest) >= -margin)) return;
    const SupportFeature touch = support_feature(core, down);
    Polygon parts;
    const FaceChoice cap = best_face(core, down);
    const bool stands = cap.alignment > 0.9;
    if (stands) add_face(core, cap, RimDetail::coarse, parts);
    const bool lies = !stands && add_line(core, down, 0.3, parts);
    const Vec3 around = cross({0, 0, 1}, down);
    const Curvature curvature = lies ? Curvature{1 / core.radius, 0, normalized(around)} : corner;
    for (const Polygon::Corner& c : parts.view())
        contacts.add(c.point, curvature, c.name + (lies ? 32u : 0u));
    // m: of what stands nearly flat, the lowest point may be anywhere on the rim from one step to the next; the four do without it.
    const double equal = (stands ? nearly_flat : 1e-11) * (core.radius + core.half_length);
    if (!(contacts.deepest() >= contacts.depth_of(lowest) - equal))
        contacts.add(lowest, touch.curvature, 64);
}

void collide_convex_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    PlaneContacts contacts(a, b, margin, out);
    const ConvexHull& hull = *a.collider->hull;
    const uint32_t lowest = hull.support(contacts.down());
    if (!(contacts.depth_of(hull.vertices()[lowest]) >= -margin)) return;
    const FaceChoice face = best_face(ConvexCore::of(*a.collider), contacts.down());
    bool has_lowest = false;
    for (const uint32_t v : hull.loop(face.index)) {
        contacts.add(hull.vertices()[v], corner, v);
        has_lowest = has_lowest || v == lowest;
    }
    if (!has_lowest) contacts.add(hull.vertices()[lowest], corner, lowest);
    contacts.reduce();
}

}  // namespace bristle::collision
