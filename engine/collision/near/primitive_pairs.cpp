#include "collision/near/convex.h"
#include "collision/near/manifold.h"
#include "collision/near/pairs.h"
#include "geometry/convex_hull.h"

#include <algorithm>

namespace bristle::collision {

namespace {

Curvature ball(double radius) { return {1 / radius, 1 / radius, {1, 0, 0}}; }
constexpr Curvature corner{Curvature::sharp, Curvature::sharp, {1, 0, 0}};

// Where a surface is nearest to a sphere's centre: in the surface's frame, which is b's.
struct Foot {
    Vec3 point;
    Vec3 outward;     // unit
    double distance;  // of the centre, negative inside
    Curvature curvature;
    NormalOf normal_of;
    uint32_t feature;
};

void add_sphere_contact(const Placed& sphere, const Placed& b, const Foot& foot, double margin,
                        ContactPoints& out) {
    const double radius = sphere.collider->radius, depth = radius - foot.distance;
    if (!(depth >= -margin)) return;
    ContactPoint c;
    c.normal = b.rotation * foot.outward;
    c.depth = depth;
    c.on_a = sphere.position - radius * c.normal;
    c.on_b = b.to_world(foot.point);
    c.curvature_a = ball(radius);
    c.curvature_b = foot.curvature;
    c.curvature_b.direction = b.rotation * foot.curvature.direction;
    c.normal_of = foot.normal_of;
    c.feature = foot.feature;
    out.push_back(c);
}

// Nearest point of a capsule. On the axis every direction is as good: x.
Foot foot_on_capsule(const Collider& capsule, Vec3 center) {
    const double z = std::clamp(center.z, -capsule.half_length, capsule.half_length);
    const Vec3 off = center - Vec3{0, 0, z};
    const double distance = norm(off);
    const Vec3 outward = distance > 0 ? off / distance : Vec3{1, 0, 0};
    const double k = 1 / capsule.radius;
    const bool is_side = z == center.z;
    return {Vec3{0, 0, z} + capsule.radius * outward,
            outward,
            distance - capsule.radius,
            Curvature{k, is_side ? 0 : k, is_side ? cross({0, 0, 1}, outward) : Vec3{1, 0, 0}},
            NormalOf::centers,
            0};
}

Foot foot_inside_box(Vec3 half, Vec3 center) {
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (half[i] - std::abs(center[i]) < half[k] - std::abs(center[k])) k = i;
    Foot foot{center, {}, std::abs(center[k]) - half[k], {}, NormalOf::b, 0};
    foot.outward[k] = std::copysign(1.0, center[k]);
    foot.point[k] = foot.outward[k] * half[k];
    foot.feature = 27u + 2u * static_cast<uint32_t>(k) + (foot.outward[k] > 0 ? 1u : 0u);
    return foot;
}

Foot foot_on_box(Vec3 half, Vec3 center) {
    Vec3 nearest = center;
    uint32_t feature = 0, power = 1;
    int outside = 0, inside = 0;
    for (int k = 0; k < 3; ++k, power *= 3) {
        nearest[k] = std::clamp(center[k], -half[k], half[k]);
        if (nearest[k] == center[k]) {
            inside = k;
        } else {
            ++outside;
            feature += power * (center[k] > 0 ? 2u : 1u);
        }
    }
    const Vec3 off = center - nearest;
    const double distance = norm(off);
    if (!(distance > 0)) return foot_inside_box(half, center);
    Foot foot{nearest, off / distance, distance, {}, NormalOf::b, feature};
    if (outside == 3) foot.curvature = corner;
    if (outside == 2) {
        Vec3 edge;
        edge[inside] = 1;
        foot.curvature = {Curvature::sharp, 0, cross(edge, foot.outward)};
    }
    if (outside > 1) foot.normal_of = NormalOf::centers;
    return foot;
}

Foot foot_on_cylinder(const Collider& cylinder, Vec3 center) {
    const double radius = cylinder.radius, half = cylinder.half_length;
    const double across = std::sqrt(center.x * center.x + center.y * center.y);
    const Vec3 radial = across > 0 ? Vec3{center.x, center.y, 0} / across : Vec3{1, 0, 0};
    const Vec3 around = cross({0, 0, 1}, radial);
    const double side = std::copysign(1.0, center.z);
    const double beyond_side = across - radius, beyond_cap = std::abs(center.z) - half;
    const Vec3 on_side = radius * radial + Vec3{0, 0, center.z};
    if (beyond_side > 0 && beyond_cap > 0) {
        const double distance = std::hypot(beyond_side, beyond_cap);
        const Vec3 outward = (beyond_side * radial + Vec3{0, 0, side * beyond_cap}) / distance;
        const Curvature rim{Curvature::sharp, (beyond_side / distance) / radius,
                            cross(around, outward)};
        return {radius * radial + Vec3{0, 0, side * half},
                outward,
                distance,
                rim,
                NormalOf::centers,
                side > 0 ? 3u : 2u};
    }
    if (beyond_side > beyond_cap)
        return {on_side, radial, beyond_side, {1 / radius, 0, around}, NormalOf::centers, 4};
    return {{center.x, center.y, side * half},
            {0, 0, side},
            beyond_cap,
            {},
            NormalOf::b,
            side > 0 ? 1u : 0u};
}

// ---- Capsule on capsule --------------------------------------------------------------------------

// Two points on the axes of two capsules, in the frame of a; u and v are the axes, s and t along them.
struct AxisPair {
    double s, t;
    Vec3 apart;  // from b's to a's
    double square;
};

struct Axes {
    Vec3 center;  // of b
    Vec3 v;
    double half_a, half_b;

    AxisPair at(double s, double t) const {
        const Vec3 apart = Vec3{0, 0, s} - (center + t * v);
        return {s, t, apart, dot(apart, apart)};
    }
    AxisPair from_a(double s) const {
        return at(s, std::clamp(dot(Vec3{0, 0, s} - center, v), -half_b, half_b));
    }
    AxisPair from_b(double t) const {
        return at(std::clamp((center + t * v).z, -half_a, half_a), t);
    }
};

AxisPair nearest_of_axes(const Axes& axes) {
    AxisPair best = axes.from_a(axes.half_a);
    const auto consider = [&](const AxisPair& pair) {
        if (pair.square < best.square) best = pair;
    };
    consider(axes.from_a(-axes.half_a));
    consider(axes.from_b(axes.half_b));
    consider(axes.from_b(-axes.half_b));
    const double square_sine = axes.v.x * axes.v.x + axes.v.y * axes.v.y;
    if (square_sine > 0) {
        // Written so that only parallel axes lose digits, and none to where b is along a.
        const double across = axes.center.x * axes.v.x + axes.center.y * axes.v.y;
        const double s = axes.center.z - axes.v.z * (across / square_sine);
        const AxisPair first = axes.from_a(std::clamp(s, -axes.half_a, axes.half_a));
        consider(first);
        consider(axes.from_b(first.t));
    }
    return best;
}

// From b's to a's nearest point. Across an axis that has its nearest point inside: exactly so, for axes
// that nearly meet know it only from rounding.
Vec3 normal_between(const Axes& axes, const AxisPair& pair) {
    const Vec3 u{0, 0, 1}, v = axes.v, both = cross(u, v);
    const bool inside_a = std::abs(pair.s) < axes.half_a, inside_b = std::abs(pair.t) < axes.half_b;
    const double sine = norm(both), scale = axes.half_a + axes.half_b + norm(axes.center);
    Vec3 n = pair.apart;
    if (inside_a && inside_b && sine > 1e-12)
        n = dot(both, n) < 0 ? -both : both;
    else if (inside_a)
        n -= dot(u, n) * u;
    else if (inside_b)
        n -= dot(v, n) * v;
    const double length = norm(n);
    if (length > 1e-14 * scale) return n / length;
    return sine > 1e-12 ? both / sine : any_perpendicular(v);
}

}  // namespace

void collide_sphere_sphere(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const double radius = b.collider->radius;
    const Vec3 off = b.rotation.transposed() * (a.position - b.position);
    const double distance = norm(off);
    if (!(distance - radius - a.collider->radius <= margin)) return;
    const Vec3 outward = distance > 0 ? off / distance : Vec3{0, 0, 1};
    add_sphere_contact(
        a, b, {radius * outward, outward, distance - radius, ball(radius), NormalOf::centers, 0},
        margin, out);
}

void collide_sphere_capsule(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    add_sphere_contact(a, b, foot_on_capsule(*b.collider, b.to_local(a.position)), margin, out);
}

void collide_sphere_box(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    add_sphere_contact(a, b, foot_on_box(b.collider->half, b.to_local(a.position)), margin, out);
}

void collide_sphere_cylinder(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    add_sphere_contact(a, b, foot_on_cylinder(*b.collider, b.to_local(a.position)), margin, out);
}

void collide_sphere_convex(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const ConvexHull& hull = *b.collider->hull;
    const Vec3 center = b.to_local(a.position);
    const double radius = a.collider->radius;
    double highest = -std::numeric_limits<double>::infinity();
    uint32_t above = 0, index = 0;
    for (const ConvexHull::Face& face : hull.faces()) {
        const double height = dot(face.normal, center) - face.offset;
        if (height > radius + margin) return;
        if (height > highest) {
            highest = height;
            above = index;
        }
        ++index;
    }
    if (highest <= 0) {
        const Vec3 outward = hull.faces()[above].normal;
        add_sphere_contact(a, b,
                           {center - highest * outward, outward, highest, {}, NormalOf::b, above},
                           margin, out);
        return;
    }
    const RelativePose pose(a, b);
    const ConvexDistance nearest = convex_distance(
        ConvexCore::of(*a.collider), ConvexCore::of(*b.collider), pose, radius + margin);
    if (nearest.is_near) add_manifold(a, b, pose, nearest, margin, out);
}

void collide_capsule_capsule(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const RelativePose pose(a, b);
    const Axes axes{pose.position, pose.rotation.column(2), a.collider->half_length,
                    b.collider->half_length};
    const AxisPair nearest = nearest_of_axes(axes);
    const double reach = a.collider->radius + b.collider->radius + margin;
    if (!(nearest.square <= reach * reach)) return;
    ConvexDistance deepest;
    deepest.distance = std::sqrt(nearest.square);
    deepest.normal = normal_between(axes, nearest);
    deepest.on_a = {0, 0, nearest.s};
    deepest.on_b = deepest.on_a - deepest.distance * deepest.normal;
    deepest.is_near = true;
    add_manifold(a, b, pose, deepest, margin, out);
}

}  // namespace bristle::collision
