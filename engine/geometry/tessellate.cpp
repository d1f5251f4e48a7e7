#include "geometry/tessellate.h"

#include "geometry/convex_hull.h"

#include <cmath>

namespace bristle::geometry {
namespace {

void add(TriangleMesh& to, const TriangleMesh& part, const Pose& pose) {
    const auto first = static_cast<uint32_t>(to.vertices.size());
    for (Vec3 v : part.vertices) to.vertices.push_back(pose * v);
    for (const auto& t : part.triangles)
        to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

// A circle of the same area has this radius times that of the corners of a polygon with as many sides.
double corner_radius(double radius, int sides) {
    const double angle = 2 * pi / sides;
    return radius * std::sqrt(angle / std::sin(angle));
}

// Corners of rings that are joined one after the other; counter-clockwise seen from outside if each ring runs
// counter-clockwise seen from where the next one is.
class Rings {
  public:
    explicit Rings(int sides) : sides_(static_cast<uint32_t>(sides)) {}

    uint32_t add_point(Vec3 p) {
        mesh_.vertices.push_back(p);
        return static_cast<uint32_t>(mesh_.vertices.size() - 1);
    }
    uint32_t add_ring(double radius, double z) {
        const auto first = static_cast<uint32_t>(mesh_.vertices.size());
        for (uint32_t i = 0; i < sides_; ++i) {
            const double angle = 2 * pi * i / sides_;
            mesh_.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
        }
        return first;
    }
    void cap_below(uint32_t point, uint32_t ring) {
        for (uint32_t i = 0; i < sides_; ++i)
            mesh_.triangles.push_back({point, ring + (i + 1) % sides_, ring + i});
    }
    void cap_above(uint32_t ring, uint32_t point) {
        for (uint32_t i = 0; i < sides_; ++i)
            mesh_.triangles.push_back({ring + i, ring + (i + 1) % sides_, point});
    }
    void join(uint32_t lower, uint32_t upper) {
        for (uint32_t i = 0; i < sides_; ++i) {
            const uint32_t j = (i + 1) % sides_;
            mesh_.triangles.push_back({lower + i, lower + j, upper + j});
            mesh_.triangles.push_back({lower + i, upper + j, upper + i});
        }
    }
    TriangleMesh take() { return std::move(mesh_); }

  private:
    uint32_t sides_;
    TriangleMesh mesh_;
};

double volume_of(const TriangleMesh& mesh) {
    double volume = 0;
    for (const auto& t : mesh.triangles)
        volume += dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]])) / 6;
    return volume;
}

// Two halves of a ball, `length` apart.
TriangleMesh round_bar(double radius, double length, int sides) {
    const auto made = [&](double r) {
        Rings rings(sides);
        const int bands = sides / 4;
        uint32_t last = rings.add_point({0, 0, -length / 2 - r});
        for (int half : {0, 1})
            for (int i = 0; i <= bands; ++i) {
                // A ball has its equator once.
                if ((half == 0 && i == 0) || (half == 1 && i == bands)) continue;
                if (half == 1 && i == 0 && length == 0) continue;
                const double angle = (half == 0 ? i - bands : i) * pi / 2 / bands;
                const uint32_t ring =
                    rings.add_ring(r * std::cos(angle),
                                   r * std::sin(angle) + (half == 0 ? -length / 2 : length / 2));
                if (half == 0 && i == 1)
                    rings.cap_below(last, ring);
                else
                    rings.join(last, ring);
                last = ring;
            }
        rings.cap_above(last, rings.add_point({0, 0, length / 2 + r}));
        return rings.take();
    };
    const double wanted = pi * radius * radius * (4.0 / 3 * radius + length);
    double r = radius;
    for (int i = 0; i < 4; ++i) {
        // Newton on the volume, whose derivative is the surface of the smooth shape, nearly.
        const double surface = 2 * pi * r * (2 * r + length);
        r += (wanted - volume_of(made(r))) / surface;
    }
    return made(r);
}

TriangleMesh mesh_of(const Sphere& s, int sides) { return round_bar(s.radius, 0, sides); }
TriangleMesh mesh_of(const Capsule& c, int sides) { return round_bar(c.radius, c.length, sides); }

TriangleMesh mesh_of(const Box& b, int) {
    TriangleMesh m;
    const Vec3 h = 0.5 * b.size;
    for (int i = 0; i < 8; ++i)
        m.vertices.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    constexpr uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& f : faces) {
        m.triangles.push_back({f[0], f[1], f[2]});
        m.triangles.push_back({f[0], f[2], f[3]});
    }
    return m;
}

TriangleMesh mesh_of(const Cylinder& c, int sides) {
    Rings rings(sides);
    const double r = corner_radius(c.radius, sides), h = c.length / 2;
    const uint32_t bottom = rings.add_point({0, 0, -h}), low = rings.add_ring(r, -h),
                   high = rings.add_ring(r, h), top = rings.add_point({0, 0, h});
    rings.cap_below(bottom, low);
    rings.join(low, high);
    rings.cap_above(high, top);
    return rings.take();
}

TriangleMesh mesh_of(const Torus& t, int sides) {
    TriangleMesh m;
    const bool is_half = t.arc == Torus::Arc::half;
    const int rows = is_half ? sides / 2 + 1 : sides, around = std::max(8, sides / 4 * 2);
    const double ring = corner_radius(t.radius, sides), tube = corner_radius(t.tube, around);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < around; ++j) {
            const double u = 2 * pi * i / sides, v = 2 * pi * j / around;
            const double r = ring + tube * std::cos(v);
            m.vertices.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
        }
    const auto at = [&](int i, int j) {
        return static_cast<uint32_t>((i % rows) * around + j % around);
    };
    for (int i = 0; i < (is_half ? rows - 1 : rows); ++i)
        for (int j = 0; j < around; ++j) {
            m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    if (!is_half) return m;
    for (int j = 1; j + 1 < around; ++j) {
        m.triangles.push_back({at(0, 0), at(0, j), at(0, j + 1)});
        m.triangles.push_back({at(rows - 1, 0), at(rows - 1, j + 1), at(rows - 1, j)});
    }
    return m;
}

TriangleMesh mesh_of(const Plane&, int) { return {}; }

TriangleMesh mesh_of(const ConvexPolyhedron& p, int) {
    const ConvexHull hull(p.points);
    TriangleMesh m;
    m.vertices.assign(hull.vertices().begin(), hull.vertices().end());
    for (const ConvexHull::Face& f : hull.faces()) {
        const auto loop = hull.loop(f);
        for (size_t i = 1; i + 1 < loop.size(); ++i)
            m.triangles.push_back({loop[0], loop[i], loop[i + 1]});
    }
    return m;
}

TriangleMesh mesh_of(const HeightField& f, int) {
    TriangleMesh m;
    for (uint32_t row = 0; row < f.rows; ++row)
        for (uint32_t column = 0; column < f.columns; ++column)
            m.vertices.push_back({column * f.spacing_x, row * f.spacing_y,
                                  f.heights[size_t{row} * f.columns + column]});
    for (uint32_t row = 0; row + 1 < f.rows; ++row)
        for (uint32_t column = 0; column + 1 < f.columns; ++column) {
            const uint32_t i = row * f.columns + column, above = i + f.columns;
            m.triangles.push_back({i, i + 1, above + 1});
            m.triangles.push_back({i, above + 1, above});
        }
    return m;
}

TriangleMesh mesh_of(const Mesh& m, int) { return m.surface ? *m.surface : TriangleMesh{}; }

TriangleMesh mesh_of(const Compound& c, int sides) {
    TriangleMesh m;
    for (const CompoundPart& part : c.parts) add(m, tessellated(part.geometry, sides), part.pose);
    return m;
}

}  // namespace

TriangleMesh tessellated(const Geometry& geometry, int sides) {
    return std::visit([sides](const auto& g) { return mesh_of(g, sides); }, geometry);
}

}  // namespace bristle::geometry
