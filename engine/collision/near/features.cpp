#include "collision/near/features.h"

#include "geometry/convex_hull.h"

#include <algorithm>

namespace bristle::collision {

namespace {

using Kind = ConvexCore::Kind;

// Normals are accurate to far better than this (rad); what is closer to a face's is the face's.
constexpr double same_direction = 1e-6;

constexpr Curvature corner_curvature{Curvature::sharp, Curvature::sharp, {1, 0, 0}};

FaceChoice best_face_of_hull(const ConvexHull& hull, Vec3 u) {
    FaceChoice best;
    uint32_t index = 0;
    for (const ConvexHull::Face& face : hull.faces()) {
        const double alignment = dot(face.normal, u);
        if (alignment > best.alignment) best = {alignment, face.normal, index};
        ++index;
    }
    return best;
}

void add_box_face(const ConvexCore& core, const FaceChoice& face, Polygon& out) {
    const int k = static_cast<int>(face.index / 2), i = (k + 1) % 3, j = (k + 2) % 3;
    const double side = face.normal[k];
    constexpr int around[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (const auto& turn : around) {
        Vec3 sign;
        sign[k] = side;
        sign[i] = turn[0];
        sign[j] = side * turn[1];  // the other way round on the other side
        out.add({sign.x * core.half.x, sign.y * core.half.y, sign.z * core.half.z},
                (sign.x > 0 ? 1u : 0u) + (sign.y > 0 ? 2u : 0u) + (sign.z > 0 ? 4u : 0u));
    }
}

void add_cap(const ConvexCore& core, double side, RimDetail detail, Polygon& out) {
    const int count = static_cast<int>(detail), stride = 16 / count;
    for (int i = 0; i < count; ++i) {
        const int corner = (side > 0 ? i : count - i) % count * stride;
        const double angle = corner * (pi / 8);
        out.add(
            {core.radius * std::cos(angle), core.radius * std::sin(angle), side * core.half_length},
            static_cast<uint32_t>(corner) + (side > 0 ? 16u : 0u));
    }
}

void add_hull_face(const ConvexHull& hull, uint32_t index, Polygon& out) {
    const auto loop = hull.loop(index);
    // Clipping may add as many corners as it has cuts: half of the room is for those.
    const size_t stride = 1 + (loop.size() - 1) / (Polygon::capacity / 2);
    for (size_t i = 0; i < loop.size(); i += stride) out.add(hull.vertices()[loop[i]], loop[i]);
}

bool add_box_edge(const ConvexCore& core, Vec3 u, double slope, Polygon& out) {
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (std::abs(u[i]) < std::abs(u[k])) k = i;
    if (!(std::abs(u[k]) < slope)) return false;
    Vec3 p = core.support(u);
    for (const double side : {-1.0, 1.0}) {
        p[k] = side * core.half[k];
        out.add(p, side > 0 ? 1 : 0);
    }
    return true;
}

bool add_hull_edge(const ConvexHull& hull, Vec3 u, double slope, Polygon& out) {
    const uint32_t top = hull.support(u);
    uint32_t best = top;
    double flattest = slope;
    for (uint32_t v : hull.neighbors(top)) {
        const Vec3 along = hull.vertices()[v] - hull.vertices()[top];
        const double sine = std::abs(dot(along, u)) / norm(along);
        if (sine < flattest) {
            flattest = sine;
            best = v;
        }
    }
    if (best == top) return false;
    for (uint32_t v : {std::min(top, best), std::max(top, best)}) out.add(hull.vertices()[v], v);
    return true;
}

SupportFeature support_feature_of_box(Vec3 u) {
    int along = -1, across = -1, slanted = 0;
    uint32_t signs = 0;
    for (int k = 0; k < 3; ++k) {
        if (std::abs(u[k]) > same_direction) {
            ++slanted;
            across = k;
            if (u[k] > 0) signs |= 1u << k;
        } else {
            along = k;
        }
    }
    if (slanted == 1)
        return {SupportFeature::Kind::face, {}, 64 + 8 * static_cast<uint32_t>(across) + signs};
    if (slanted == 3) return {SupportFeature::Kind::corner, corner_curvature, signs};
    Vec3 edge;
    edge[along] = 1;
    return {SupportFeature::Kind::edge,
            {Curvature::sharp, 0, cross(edge, u)},
            32 + 8 * static_cast<uint32_t>(along) + signs};
}

SupportFeature support_feature_of_cylinder(const ConvexCore& core, Vec3 u) {
    const double across = std::sqrt(u.x * u.x + u.y * u.y);
    const uint32_t side = u.z > 0 ? 1 : 0;
    if (across < same_direction) return {SupportFeature::Kind::face, {}, side};
    const Vec3 around = Vec3{-u.y, u.x, 0} / across;
    if (std::abs(u.z) < same_direction)
        return {SupportFeature::Kind::round, {1 / core.radius, 0, around}, 2};
    // A rim seen from the side looks less curved (Meusnier).
    return {SupportFeature::Kind::edge,
            {Curvature::sharp, across / core.radius, cross(around, u)},
            3 + side};
}

SupportFeature support_feature_of_segment(const ConvexCore& core, Vec3 u) {
    const double k = 1 / core.ball;
    if (std::abs(u.z) < same_direction)
        return {SupportFeature::Kind::round, {k, 0, normalized(Vec3{-u.y, u.x, 0})}, 2};
    return {SupportFeature::Kind::round, {k, k, {1, 0, 0}}, u.z > 0 ? 1u : 0u};
}

SupportFeature support_feature_of_hull(const ConvexHull& hull, Vec3 u) {
    const FaceChoice face = best_face_of_hull(hull, u);
    if (norm(face.normal - u) < same_direction)
        return {SupportFeature::Kind::face, {}, 0x4000u + (face.index & 0x3fffu)};
    Polygon edge;
    if (!add_hull_edge(hull, u, same_direction, edge))
        return {SupportFeature::Kind::corner, corner_curvature, hull.support(u) & 0x1fffu};
    const auto ends = edge.view();
    const Vec3 along = normalized(ends[1].point - ends[0].point);
    return {SupportFeature::Kind::edge,
            {Curvature::sharp, 0, cross(along, u)},
            0x2000u + ((ends[0].name * 61 + ends[1].name) & 0x1fffu)};
}

}  // namespace

FaceChoice best_face(const ConvexCore& core, Vec3 u) {
    if (core.kind == Kind::hull) return best_face_of_hull(*core.hull, u);
    int k = 2;
    if (core.kind == Kind::box) {
        for (int i = 0; i < 2; ++i)
            if (std::abs(u[i]) > std::abs(u[k])) k = i;
    } else if (core.kind != Kind::cylinder) {
        return {};
    }
    FaceChoice face{std::abs(u[k]), {}, static_cast<uint32_t>(2 * k) + (u[k] > 0 ? 1u : 0u)};
    face.normal[k] = u[k] > 0 ? 1 : -1;
    return face;
}

void add_face(const ConvexCore& core, const FaceChoice& face, RimDetail detail, Polygon& out) {
    if (core.kind == Kind::box)
        add_box_face(core, face, out);
    else if (core.kind == Kind::cylinder)
        add_cap(core, face.normal.z, detail, out);
    else if (core.kind == Kind::hull)
        add_hull_face(*core.hull, face.index, out);
}

bool add_line(const ConvexCore& core, Vec3 u, double slope, Polygon& out) {
    if (core.kind == Kind::box) return add_box_edge(core, u, slope, out);
    if (core.kind == Kind::hull) return add_hull_edge(*core.hull, u, slope, out);
    if (core.kind != Kind::segment && core.kind != Kind::cylinder) return false;
    if (!(std::abs(u.z) < slope)) return false;
    const Vec3 middle = core.radius / std::sqrt(u.x * u.x + u.y * u.y) * Vec3{u.x, u.y, 0};
    out.add(middle - Vec3{0, 0, core.half_length}, 0);
    out.add(middle + Vec3{0, 0, core.half_length}, 1);
    return true;
}

double ball_along(const ConvexCore& core, Vec3 on_line, Vec3 u) {
    if (core.kind != Kind::segment) return core.ball;
    // Through the side, or through the end it slants to, `left` further along the axis.
    const double square = u.x * u.x + u.y * u.y, slant = std::abs(u.z);
    const double through_side = core.ball / std::sqrt(square);
    const double left = core.half_length - std::copysign(on_line.z, u.z * on_line.z);
    if (through_side * slant <= left) return through_side;
    const double end = std::max(left, 0.0);
    return end * slant + std::sqrt(std::max(0.0, core.ball * core.ball - end * end * square));
}

SupportFeature support_feature(const ConvexCore& core, Vec3 u) {
    switch (core.kind) {
        case Kind::point:
            return {SupportFeature::Kind::round, {1 / core.ball, 1 / core.ball, {1, 0, 0}}, 0};
        case Kind::segment: return support_feature_of_segment(core, u);
        case Kind::box: return support_feature_of_box(u);
        case Kind::cylinder: return support_feature_of_cylinder(core, u);
        case Kind::hull: return support_feature_of_hull(*core.hull, u);
        case Kind::points: break;
    }
    return {SupportFeature::Kind::corner, corner_curvature, 0};
}

}  // namespace bristle::collision
