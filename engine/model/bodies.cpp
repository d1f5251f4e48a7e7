#include <bristle/model.h>

#include <fmt/format.h>

namespace bristle {
namespace {

Body with(double mass, Vec3 center, Vec3 inertia) {
    Body body;
    body.mass = mass;
    body.center = center;
    body.inertia = Mat3::diagonal(inertia);
    return body;
}

}  // namespace

Body Body::point(double mass) { return with(mass, {}, {}); }

Body Body::rod(double length, double mass) {
    const double i = mass * length * length / 12;
    return with(mass, {length / 2, 0, 0}, {0, i, i});
}

Body Body::rod(Vec3 from, Vec3 to, double mass) {
    const double length = norm(to - from);
    if (!(length > 0)) throw InputError("rod: its two ends coincide; give two different points");
    const Vec3 x = (to - from) / length, z = any_perpendicular(x);
    return rod(length, mass).at(from, Quat::from(Mat3::columns(x, cross(z, x), z)));
}

Body Body::box(Vec3 s, double mass) {
    const double k = mass / 12;
    return with(
        mass, {},
        {k * (s.y * s.y + s.z * s.z), k * (s.x * s.x + s.z * s.z), k * (s.x * s.x + s.y * s.y)});
}

Body Body::sphere(double radius, double mass) {
    const double i = 0.4 * mass * radius * radius;
    return with(mass, {}, {i, i, i});
}

Body Body::cylinder(double radius, double length, double mass) {
    const double across = mass * (3 * radius * radius + length * length) / 12;
    return with(mass, {}, {across, across, mass * radius * radius / 2});
}

Body Body::of(const Geometry& geometry, double density) {
    if (!(density > 0) || !std::isfinite(density))
        throw InputError(fmt::format("density is {}; it must be positive and finite", density));
    const MassProperties p = mass_properties(geometry);
    Body body;
    body.mass = density * p.volume;
    body.center = p.center;
    body.inertia = density * p.inertia;
    return body;
}

Body Body::named(std::string n) const {
    Body body = *this;
    body.name = std::move(n);
    return body;
}

Body Body::at(Vec3 p, Quat q) const {
    Body body = *this;
    body.position = p;
    body.orientation = q;
    return body;
}

Body Body::moving(Vec3 linear, Vec3 angular) const {
    Body body = *this;
    body.velocity = linear;
    body.angular_velocity = angular;
    return body;
}

}  // namespace bristle
