#include "live/picture/solid.h"

#include "live/wire/ground.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace bristle::live {
namespace {

constexpr int around = 32;             // sides of what is round
constexpr double crease = 0.75;        // cosine: faces that meet more sharply have an edge
constexpr int coil_turns = 9;          // of a spring
constexpr int coil_corners = 12;       // of a turn
constexpr double wire_of_coil = 0.16;  // radius of the wire over that of the coil

// ---- Solids ----------------------------------------------------------------------------------------------

class Builder {
  public:
    explicit Builder(Solid& solid) : solid_(solid) {}

    void triangle(const std::array<Vec3, 3>& corners, const std::array<Vec3, 3>& normals) {
        solid_.corners.push_back(corners);
        solid_.normals.push_back(normals);
    }
    // Between two neighbouring points of two lines, with their normals.
    struct Point {
        Vec3 at, normal;
    };
    void quad(const Point& a, const Point& b, const Point& c, const Point& d) {
        triangle({a.at, b.at, c.at}, {a.normal, b.normal, c.normal});
        triangle({a.at, c.at, d.at}, {a.normal, c.normal, d.normal});
    }
    void flat(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, Vec3 normal) {
        quad({a, normal}, {b, normal}, {c, normal}, {d, normal});
    }

    void box(Vec3 size) {
        for (int k = 0; k < 3; ++k)
            for (const double side : {-1.0, 1.0}) {
                Vec3 normal, u, v;
                normal[k] = side;
                u[(k + 1) % 3] = 0.5 * size[(k + 1) % 3];
                v[(k + 2) % 3] = 0.5 * side * size[(k + 2) % 3];
                const Vec3 middle = 0.5 * size[k] * normal;
                flat(middle - u - v, middle + u - v, middle + u + v, middle - u + v, normal);
            }
    }
    // A surface of revolution about z: rings of (radius, z) with normals (across, along) of their own.
    struct Ring {
        double radius, z, across, along;
    };
    void revolve(const std::vector<Ring>& rings) {
        const auto at = [](const Ring& r, int i) {
            const double angle = 2 * pi * i / around, c = std::cos(angle), s = std::sin(angle);
            return Point{{r.radius * c, r.radius * s, r.z}, {r.across * c, r.across * s, r.along}};
        };
        for (size_t k = 0; k + 1 < rings.size(); ++k)
            for (int i = 0; i < around; ++i)
                quad(at(rings[k], i), at(rings[k], i + 1), at(rings[k + 1], i + 1),
                     at(rings[k + 1], i));
    }
    void cylinder(double radius, double length) {
        const double h = 0.5 * length;
        revolve({{0, -h, 0, -1}, {radius, -h, 0, -1}});
        revolve({{radius, -h, 1, 0}, {radius, h, 1, 0}});
        revolve({{radius, h, 0, 1}, {0, h, 0, 1}});
    }
    // Two halves of a ball with a cylinder between them.
    void capsule(double radius, double length) {
        std::vector<Ring> rings;
        for (int k = 0; k <= around / 2 + 1; ++k) {
            const bool is_upper = 2 * k > around / 2;
            const double angle = pi * ((is_upper ? k - 1 : k) / (0.5 * around) - 0.5);
            const double c = std::cos(angle), s = std::sin(angle);
            rings.push_back({radius * c, radius * s + (is_upper ? 0.5 : -0.5) * length, c, s});
        }
        revolve(rings);
    }
    void torus(double radius, double tube, bool is_half) {
        const auto at = [&](int i, int k) {
            const double u = (is_half ? pi : 2 * pi) * i / around, v = 2 * pi * k / around;
            const Vec3 out{std::cos(u), std::sin(u), 0};
            const Vec3 normal = std::cos(v) * out + Vec3{0, 0, std::sin(v)};
            return Point{radius * out + tube * normal, normal};
        };
        for (int i = 0; i < around; ++i)
            for (int k = 0; k < around; ++k)
                quad(at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
    }
    void surface(const wire::Surface&);

  private:
    Solid& solid_;
};

// Faces that meet smoothly share a normal, those that do not have an edge.
void Builder::surface(const wire::Surface& from) {
    const auto vertex = [&](int i) {
        const int at = 3 * static_cast<int>(from.triangles(i));
        return Vec3{from.vertices(at), from.vertices(at + 1), from.vertices(at + 2)};
    };
    const int faces = from.triangles_size() / 3;
    std::vector<Vec3> areas(faces), units(faces);
    std::map<std::tuple<double, double, double>, std::vector<int>> around_point;
    for (int f = 0; f < faces; ++f) {
        const Vec3 a = vertex(3 * f), b = vertex(3 * f + 1), c = vertex(3 * f + 2);
        areas[f] = cross(b - a, c - a);
        units[f] = areas[f] / std::max(norm(areas[f]), 1e-300);
        for (const Vec3 p : {a, b, c}) around_point[{p.x, p.y, p.z}].push_back(f);
    }
    for (int f = 0; f < faces; ++f) {
        std::array<Vec3, 3> corners, normals;
        for (int k = 0; k < 3; ++k) {
            const Vec3 p = corners[k] = vertex(3 * f + k);
            Vec3 sum;
            for (const int other : around_point[{p.x, p.y, p.z}])
                if (dot(units[f], units[other]) > crease) sum += areas[other];
            const double length = norm(sum);
            normals[k] = length > 0 ? sum / length : units[f];
        }
        triangle(corners, normals);
    }
}

void shape(const wire::Scene& scene, const wire::Part& part, Builder& build) {
    const auto size = [&](int i) { return i < part.size_size() ? part.size(i) : 0.0; };
    switch (part.kind()) {
        case wire::Part::SPHERE: return build.capsule(size(0), 0);
        case wire::Part::BOX: return build.box({size(0), size(1), size(2)});
        case wire::Part::CAPSULE: return build.capsule(size(0), size(1));
        case wire::Part::CYLINDER: return build.cylinder(size(0), size(1));
        case wire::Part::TORUS: return build.torus(size(0), size(1), size(2) > 0);
        case wire::Part::FIELD: {
            const wire::Field& field = scene.fields(int(part.surface()));
            if (!field.is_away()) build.surface(surface_of(field, heights_of(field)));
            return;
        }
        case wire::Part::SURFACE: return build.surface(scene.surfaces(int(part.surface())));
        default: return;
    }
}

void put_at(const Pose& pose, Solid& solid) {
    const Mat3 turn = pose.orientation.matrix();
    for (auto& corners : solid.corners)
        for (Vec3& p : corners) p = pose.position + turn * p;
    for (auto& normals : solid.normals)
        for (Vec3& n : normals) n = turn * n;
}

// ---- Paint -------------------------------------------------------------------------------------------------

Vec3 of_hex(uint32_t rgb) {
    return linear_color({(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0});
}

// The page's: web/src/view/palette.ts and finish.ts.
constexpr uint32_t bodies[] = {0x3d7ebf, 0xe58a3c, 0x4ba56b, 0xcf5350, 0x8570c4,
                               0x2ea3a1, 0xddb03f, 0xc4648f, 0x5f86a0, 0xa57a52};
constexpr uint32_t scenery = 0xb4bac2, sketched = 0xbcc6d2;
struct FinishLook {
    uint32_t color;  // of what has none of its own; 0: that of its body
    double shine, metal;
};
constexpr FinishLook finishes[] = {{0, 0.35, 0},       {0xb9c0c8, 0.8, 0.7}, {0x2c2e31, 0.08, 0},
                                   {0xa9cbdc, 1, 0.1}, {0x94805f, 0, 0},     {0xb1afa9, 0.03, 0},
                                   {0xb58855, 0.2, 0}};

// Without its images.
Paint paint_of(const wire::Paint& from) {
    const double rough = from.roughness();
    Paint paint{.shine = (1 - rough) * (1 - rough), .metal = from.metalness() * (1 - 0.7 * rough)};
    if (from.color_size() == 4) paint.color = {from.color(0), from.color(1), from.color(2)};
    return paint;
}

Paint paint_of(const wire::Scene& scene, const wire::Part& part) {
    if (part.has_paint()) return paint_of(scene.paints(static_cast<int>(part.paint())));
    // A recording may be of a newer program, with finishes that this one does not know.
    const FinishLook& finish =
        finishes[wire::Part::Finish_IsValid(part.finish()) ? part.finish() : wire::Part::PAINT];
    Paint paint{.shine = finish.shine, .metal = finish.metal};
    const bool is_plain_sketch = part.is_sketch() && part.finish() == wire::Part::PAINT;
    if (is_plain_sketch) paint.metal = 0.35;
    if (part.color_size() == 3)
        paint.color = linear_color({part.color(0), part.color(1), part.color(2)});
    else if (finish.color != 0)
        paint.color = of_hex(finish.color);
    else if (part.body() == 0)
        paint.color = of_hex(part.is_sketch() ? sketched : scenery);
    else {
        const Vec3 own = of_hex(bodies[(part.body() - 1) % std::size(bodies)]);
        paint.color = is_plain_sketch ? 0.55 * of_hex(sketched) + 0.45 * own : own;
    }
    return paint;
}

}  // namespace

Vec3 linear_color(Vec3 srgb) {
    Vec3 out;
    for (int i = 0; i < 3; ++i)
        out[i] = srgb[i] <= 0.04045 ? srgb[i] / 12.92 : std::pow((srgb[i] + 0.055) / 1.055, 2.4);
    return out;
}

Pose pose_of(const wire::Part& part) {
    if (part.pose_size() != 7) return {};
    const auto p = [&](int i) { return static_cast<double>(part.pose(i)); };
    return {{p(0), p(1), p(2)}, {p(3), p(4), p(5), p(6)}};
}

std::vector<DrawnPart> drawn_parts(const wire::Scene& scene) {
    std::vector<DrawnPart> out;
    for (uint32_t i = 0; i < static_cast<uint32_t>(scene.parts_size()); ++i) {
        const wire::Part& part = scene.parts(static_cast<int>(i));
        if (part.kind() == wire::Part::PLANE || scene.bodies(int(part.body())).is_gone()) continue;
        DrawnPart drawn{
            .body = part.body(), .part = i, .solid = {}, .paint = paint_of(scene, part)};
        Builder build(drawn.solid);
        shape(scene, part, build);
        Pose pose = pose_of(part);
        if (part.has_aim_body() && part.aim_at_size() == 3) {
            const Vec3 at{part.aim_at(0), part.aim_at(1), part.aim_at(2)};
            drawn.aim = DrawnPart::Aim{pose.position, part.aim_body(), at, part.aim_along()};
            pose.position = {};
        }
        put_at(pose, drawn.solid);
        out.push_back(std::move(drawn));
    }
    return out;
}

Pose DrawnPart::pose(std::span<const Pose> poses) const {
    const Pose of_body = body < poses.size() ? poses[body] : Pose{};
    if (!aim || aim->body >= poses.size()) return of_body;
    const Vec3 from = of_body * aim->from, way = poses[aim->body] * aim->at - from;
    const double length = norm(way);
    if (!(length > 0)) return {from, of_body.orientation};
    // The shortest turn of z to it.
    const Vec3 z = (1 / length) * way, axis = cross({0, 0, 1}, z);
    const double half = std::sqrt(std::max(0.5 * (1 + z.z), 0.0));
    const Quat turn =
        half > 1e-6 ? Quat{half, 0.5 / half * axis.x, 0.5 / half * axis.y, 0} : Quat{0, 1, 0, 0};
    return {from + aim->along * z, turn};
}

Solid solid_of(const wire::Surface& surface, const Pose& pose) {
    Solid solid;
    Builder(solid).surface(surface);
    put_at(pose, solid);
    return solid;
}

Solid clod(Vec3 at, double radius) {
    Solid solid;
    Builder build(solid);
    for (int side = 0; side < 8; ++side) {
        const Vec3 x{side & 1 ? -1.0 : 1.0, 0, 0}, y{0, side & 2 ? -1.0 : 1.0, 0},
            z{0, 0, side & 4 ? -1.0 : 1.0};
        const bool is_turned = dot(cross(x, y), z) < 0;
        build.triangle(
            {at + radius * x, at + radius * (is_turned ? z : y), at + radius * (is_turned ? y : z)},
            {x, is_turned ? z : y, is_turned ? y : z});
    }
    return solid;
}

Vec3 unpacked_color(uint32_t color) { return of_hex(color != 0 ? color : 0x7d6142); }

Solid coil(Vec3 from, Vec3 to, double radius) {
    Solid solid;
    Builder build(solid);
    const double length = norm(to - from);
    if (length <= 0) return solid;
    const Vec3 along = (to - from) / length, u = any_perpendicular(along), v = cross(along, u);
    const int count = coil_turns * coil_corners;
    const auto ring = [&](int i, int k) {
        const double share = double(i) / count, angle = 2 * pi * i / coil_corners;
        // Its ends are in its axis.
        const double wide = radius * std::clamp(8 * std::min(share, 1 - share), 0.0, 1.0);
        const Vec3 out = std::cos(angle) * u + std::sin(angle) * v;
        const double turn = 2 * pi * k / 6;
        const Vec3 normal = std::cos(turn) * out + std::sin(turn) * along;
        const Vec3 middle = from + share * (to - from) + wide * out;
        return Builder::Point{middle + wire_of_coil * radius * normal, normal};
    };
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 6; ++k)
            build.quad(ring(i, k), ring(i + 1, k), ring(i + 1, k + 1), ring(i, k + 1));
    return solid;
}

}  // namespace bristle::live
