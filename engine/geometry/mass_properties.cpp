// Volume, centre and inertia: closed forms for primitives, exact integrals for what has flat faces, sums
// for compounds.
//
// All go through the moments up to the second,
//
//     V = ∫ dV,   m = ∫ x dV,   S = ∫ x xᵀ dV,   inertia = tr(S) 1 − S about the centre.
//
// A tetrahedron of the reference point and a triangle a, b, c (seen from that point) has, with
// d = a · (b × c) and s = a + b + c:  V = d/6,  m = d s/24,  S = d (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/120.
// Tetrahedra behind the triangles count negative, so the sum over a closed surface is its body (the
// divergence theorem). The reference decides the accuracy: it is a vertex for the volume and the
// centre, then the centre itself, so that nothing large cancels however far the body is from the origin.
#include <bristle/error.h>
#include <bristle/shape.h>

#include "geometry/accurate_cross.h"
#include "geometry/convex_hull.h"
#include "geometry/mesh_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace bristle {
namespace {

double square(double x) { return x * x; }

Mat3 inertia_of(const Mat3& second_moment) {
    return second_moment.trace() * Mat3::identity() - second_moment;
}

void demand_positive(double value, const char* shape, const char* what) {
    if (!(value > 0 && std::isfinite(value)))
        throw InputError(
            fmt::format("{}: its {} is {} m; it must be positive", shape, what, value));
}

// ---- Primitives, symmetric about their centres -------------------------------------------------

MassProperties properties_of(const Sphere& sphere) {
    demand_positive(sphere.radius, "sphere", "radius");
    const double r = sphere.radius, volume = 4 * pi / 3 * r * r * r;
    return {volume, {}, 0.4 * volume * r * r * Mat3::identity()};
}

MassProperties properties_of(const Box& box) {
    for (int i = 0; i < 3; ++i) demand_positive(box.size[i], "box", "size");
    const Vec3 s = box.size;
    const double volume = s.x * s.y * s.z;
    return {
        volume, {}, inertia_of(volume / 12 * Mat3::diagonal({s.x * s.x, s.y * s.y, s.z * s.z}))};
}

MassProperties properties_of(const Cylinder& cylinder) {
    demand_positive(cylinder.radius, "cylinder", "radius");
    demand_positive(cylinder.length, "cylinder", "length");
    const double r = cylinder.radius, l = cylinder.length, volume = pi * r * r * l;
    return {volume, {}, inertia_of(volume * Mat3::diagonal({r * r / 4, r * r / 4, l * l / 12}))};
}

// A cylinder and two half balls, whose centres are 3r/8 beyond its ends.
MassProperties properties_of(const Capsule& capsule) {
    demand_positive(capsule.radius, "capsule", "radius");
    if (!(capsule.length >= 0 && std::isfinite(capsule.length)))
        throw InputError(fmt::format("capsule: its length is {} m; it must be zero or positive",
                                     capsule.length));
    const double r = capsule.radius, l = capsule.length;
    const double middle = pi * r * r * l, ends = 4 * pi / 3 * r * r * r;
    const double across = middle * r * r / 4 + ends * r * r / 5;
    const double along = middle * l * l / 12 + ends * (r * r / 5 + square(l / 2) + 3 * r * l / 8);
    return {middle + ends, {}, inertia_of(Mat3::diagonal({across, across, along}))};
}

// With ρ the distance from the axis and A the disc of the tube around ρ = R: ∫ρ dA = R A,
// ∫ρ² dA = (R² + r²/4) A, ∫ρ³ dA = (R³ + 3Rr²/4) A, ∫z²ρ dA = R (r²/4) A. Half of it has its
// centre on the y axis, by ∫ sin φ dφ = 2 over the half turn.
MassProperties properties_of(const Torus& torus) {
    demand_positive(torus.radius, "torus", "radius");
    demand_positive(torus.tube, "torus", "tube");
    if (torus.tube > torus.radius)
        throw InputError(
            fmt::format("torus: its tube is {} m with a radius of {} m; the radius must "
                        "be at least the tube, or it cuts itself",
                        torus.tube, torus.radius));
    const double R = torus.radius, r = torus.tube, disc = pi * r * r;
    const bool is_half = torus.arc == Torus::Arc::half;
    const double turn = is_half ? pi : 2 * pi;
    const double volume = turn * R * disc;
    const double across = turn / 2 * (R * R * R + 0.75 * R * r * r) * disc;
    const double along = turn * R * r * r / 4 * disc;
    const double y = is_half ? 2 * (R * R + r * r / 4) / (pi * R) : 0;
    return {
        volume, {0, y, 0}, inertia_of(Mat3::diagonal({across, across - volume * y * y, along}))};
}

MassProperties properties_of(const Plane&) {
    throw InputError("plane: it has no volume; give the body its mass and inertia directly");
}

MassProperties properties_of(const HeightField&) {
    throw InputError("height field: it has no volume; give the body its mass and inertia directly");
}

// ---- Bodies with flat faces --------------------------------------------------------------------

using Triangle = std::array<uint32_t, 3>;

struct Moments {
    double volume = 0;
    Vec3 first;
    Mat3 second;
};

Moments moments_about(Vec3 reference, std::span<const Vec3> vertices,
                      std::span<const Triangle> triangles) {
    Moments sum;
    for (const Triangle& t : triangles) {
        const Vec3 a = vertices[t[0]] - reference, b = vertices[t[1]] - reference,
                   c = vertices[t[2]] - reference;
        // a · (b × c), by the edges at a: the cross product of a small triangle is small itself.
        const double d = dot(a, accurate_cross(b - a, c - a));
        const Vec3 s = a + b + c;
        sum.volume += d / 6;
        sum.first += d / 24 * s;
        sum.second =
            sum.second
            + d / 120
                  * (Mat3::outer(s, s) + Mat3::outer(a, a) + Mat3::outer(b, b) + Mat3::outer(c, c));
    }
    return sum;
}

MassProperties integrate(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                         const char* shape) {
    const Vec3 near = vertices[triangles[0][0]];
    const Moments rough = moments_about(near, vertices, triangles);
    if (!(rough.volume > 0 && std::isfinite(rough.volume)))
        throw InputError(fmt::format("{}: it encloses {} m³; a body needs a positive volume", shape,
                                     rough.volume));
    const Vec3 about = near + rough.first / rough.volume;
    const Moments fine = moments_about(about, vertices, triangles);
    const Vec3 left = fine.first / fine.volume;
    return {fine.volume, about + left,
            inertia_of(fine.second - fine.volume * Mat3::outer(left, left))};
}

MassProperties properties_of(const ConvexPolyhedron& polyhedron) {
    const ConvexHull hull(polyhedron.points);
    std::vector<Triangle> triangles;
    for (const ConvexHull::Face& face : hull.faces()) {
        const auto loop = hull.loop(face);
        for (size_t i = 2; i < loop.size(); ++i)
            triangles.push_back({loop[0], loop[i - 1], loop[i]});
    }
    return integrate(hull.vertices(), triangles, "convex polyhedron");
}

std::string first_problems(const MeshReport& report) {
    constexpr size_t shown = 5;
    std::string text;
    for (size_t i = 0; i < std::min(shown, report.problems.size()); ++i)
        text += "\n  " + report.problems[i].text;
    if (report.problems.size() > shown)
        text += fmt::format("\n  and {} more", report.problems.size() - shown);
    return text;
}

MassProperties properties_of(const Mesh& mesh) {
    if (!mesh.surface || mesh.surface->triangles.empty())
        throw InputError("mesh: it has no triangles, and so no volume");
    const MeshReport report = check_topology(*mesh.surface);
    if (!report.is_closed)
        throw InputError(
            "mesh: it has no volume, because its surface is not closed and turned "
            "outward everywhere:"
            + first_problems(report));
    return integrate(mesh.surface->vertices, mesh.surface->triangles, "mesh");
}

// ---- Compounds ---------------------------------------------------------------------------------

MassProperties properties_of(const Compound& compound) {
    if (compound.parts.empty()) throw InputError("compound: it has no parts, and so no volume");
    std::vector<MassProperties> parts;
    MassProperties sum;
    for (size_t i = 0; i < compound.parts.size(); ++i) {
        const CompoundPart& part = compound.parts[i];
        const Quat q = part.pose.orientation;
        const double length = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (!is_finite(part.pose.position) || !(length > 0) || !std::isfinite(length))
            throw InputError(
                fmt::format("compound: the pose of part {} is not one; its position must "
                            "be finite and its orientation a quaternion other than zero",
                            i));
        MassProperties p;
        try {
            p = mass_properties(part.geometry);
        } catch (const InputError& error) {
            throw InputError(fmt::format("compound, part {}: {}", i, error.what()));
        }
        const Mat3 rotation = q.matrix();
        parts.push_back({p.volume, part.pose.position + rotation * p.center,
                         rotation * p.inertia * rotation.transposed()});
        sum.volume += p.volume;
    }
    // From the first part's centre, so that it is accurate far from the origin.
    for (const MassProperties& p : parts)
        sum.center += p.volume / sum.volume * (p.center - parts[0].center);
    sum.center += parts[0].center;
    for (const MassProperties& p : parts) {
        const Vec3 arm = p.center - sum.center;
        sum.inertia = sum.inertia + p.inertia + p.volume * inertia_of(Mat3::outer(arm, arm));
    }
    return sum;
}

}  // namespace

MassProperties mass_properties(const Geometry& geometry) {
    return std::visit([](const auto& g) { return properties_of(g); }, geometry);
}

}  // namespace bristle
