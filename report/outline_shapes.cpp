#include "report/outline_shapes.h"

#include "geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace bristle::report {
namespace {

constexpr size_t most_lines = 2500, most_mesh_edges = 600, most_field_lines = 24;

class Outliner {
  public:
    Outliner(Lines& lines, BodyId body, const PlanePatch& patch)
        : lines_(lines), body_(body), patch_(patch) {}

    void draw(const Geometry& geometry, const Pose& pose) {
        const Pose outer = pose_;
        pose_ = {outer * pose.position, outer.orientation * pose.orientation};
        std::visit([this](const auto& kind) { outline(kind); }, geometry);
        pose_ = outer;
    }

  private:
    void line(Vec3 from, Vec3 to) {
        lines_.push_back({body_, pose_ * from, pose_ * to, Segment::edge});
    }
    // Of a circle about `center` that starts towards u and goes on towards v.
    void arc(Vec3 center, Vec3 u, Vec3 v, double angle = 2 * pi) {
        const int pieces = std::max(1, static_cast<int>(std::lround(angle / (pi / 10))));
        const auto point = [&](int i) {
            const double a = angle * i / pieces;
            return center + std::cos(a) * u + std::sin(a) * v;
        };
        for (int i = 0; i < pieces; ++i) line(point(i), point(i + 1));
    }

    void outline(const Sphere& s) {
        const Vec3 x{s.radius, 0, 0}, y{0, s.radius, 0}, z{0, 0, s.radius};
        arc({}, x, y);
        arc({}, y, z);
        arc({}, z, x);
    }
    void outline(const Box& b) {
        const Vec3 half = 0.5 * b.size;
        for (int axis = 0; axis < 3; ++axis)
            for (const double v : {-1.0, 1.0})
                for (const double w : {-1.0, 1.0}) {
                    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
                    Vec3 from, to;
                    from[axis] = -half[axis];
                    to[axis] = half[axis];
                    from[j] = to[j] = v * half[j];
                    from[k] = to[k] = w * half[k];
                    line(from, to);
                }
    }
    void sides(double radius, double length) {
        const Vec3 half{0, 0, length / 2}, u{radius, 0, 0}, v{0, radius, 0};
        for (const double end : {-1.0, 1.0}) arc(end * half, u, v);
        for (const Vec3 side : {u, v, -u, -v}) line(side - half, side + half);
    }
    void outline(const Cylinder& c) {
        sides(c.radius, c.length);
        for (const double end : {-0.5, 0.5})
            line({0, 0, end * c.length}, {c.radius, 0, end * c.length});
    }
    void outline(const Capsule& c) {
        sides(c.radius, c.length);
        for (const double end : {-1.0, 1.0})
            for (const Vec3 side : {Vec3{c.radius, 0, 0}, Vec3{0, c.radius, 0}})
                arc({0, 0, end * c.length / 2}, side, {0, 0, end * c.radius}, pi);
    }
    void outline(const Plane&) {
        constexpr int cells = 6;
        for (int i = 0; i <= cells; ++i) {
            const double at = patch_.half * (2.0 * i / cells - 1);
            line(patch_.middle + Vec3{at, -patch_.half, 0},
                 patch_.middle + Vec3{at, patch_.half, 0});
            line(patch_.middle + Vec3{-patch_.half, at, 0},
                 patch_.middle + Vec3{patch_.half, at, 0});
        }
    }
    void outline(const Torus& t) {
        const double angle = t.arc == Torus::Arc::half ? pi : 2 * pi;
        const auto ring = [&](double radius, double z) {
            arc({0, 0, z}, {radius, 0, 0}, {0, radius, 0}, angle);
        };
        ring(t.radius - t.tube, 0);
        ring(t.radius + t.tube, 0);
        ring(t.radius, -t.tube);
        ring(t.radius, t.tube);
    }
    void outline(const ConvexPolyhedron& p) {
        const ConvexHull hull(p.points);
        for (const auto& edge : hull.edges())
            line(hull.vertices()[edge.a], hull.vertices()[edge.b]);
    }
    void outline(const HeightField& f) {
        const auto point = [&](uint32_t column, uint32_t row) {
            return Vec3{column * f.spacing_x, row * f.spacing_y,
                        f.heights[static_cast<size_t>(row) * f.columns + column]};
        };
        const auto stride = [](uint32_t count) {
            return std::max<uint32_t>(1, (count - 1) / most_field_lines);
        };
        const uint32_t by_column = stride(f.columns), by_row = stride(f.rows);
        const auto column_at = [&](uint32_t k) { return std::min(k * by_column, f.columns - 1); };
        const auto row_at = [&](uint32_t k) { return std::min(k * by_row, f.rows - 1); };
        const uint32_t across = (f.columns - 2) / by_column + 1, along = (f.rows - 2) / by_row + 1;
        for (uint32_t i = 0; i <= across; ++i)
            for (uint32_t j = 0; j <= along; ++j) {
                const Vec3 here = point(column_at(i), row_at(j));
                if (i < across) line(here, point(column_at(i + 1), row_at(j)));
                if (j < along) line(here, point(column_at(i), row_at(j + 1)));
            }
    }
    // The sharpest edges, open ones first.
    void outline(const Mesh& m) {
        struct Edge {
            Vec3 normal;  // of the first triangle
            double cosine = -2;
        };
        std::map<std::pair<uint32_t, uint32_t>, Edge> edges;
        const auto& vertices = m.surface->vertices;
        for (const auto& t : m.surface->triangles) {
            const Vec3 across =
                cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]]);
            const double area = norm(across);
            const Vec3 normal = area > 0 ? across / area : Vec3{};
            for (size_t k = 0; k < 3; ++k) {
                const auto key = std::minmax(t[k], t[(k + 1) % 3]);
                const auto [it, is_new] = edges.try_emplace(key, Edge{normal});
                if (!is_new) it->second.cosine = dot(it->second.normal, normal);
            }
        }
        std::vector<std::pair<double, std::pair<uint32_t, uint32_t>>> sharpest;
        // Neighbours in one plane have no edge between them.
        for (const auto& [ends, edge] : edges)
            if (edge.cosine < 1 - 1e-6) sharpest.emplace_back(edge.cosine, ends);
        std::sort(sharpest.begin(), sharpest.end());
        sharpest.resize(std::min(sharpest.size(), most_mesh_edges));
        for (const auto& [cosine, ends] : sharpest)
            line(vertices[ends.first], vertices[ends.second]);
    }
    void outline(const Compound& c) {
        for (const CompoundPart& part : c.parts) draw(part.geometry, part.pose);
    }

    Lines& lines_;
    BodyId body_;
    const PlanePatch& patch_;
    Pose pose_;
};

}  // namespace

void add_outline(Lines& lines, BodyId body, const Geometry& geometry, const Pose& pose,
                 const PlanePatch& patch) {
    Outliner(lines, body, patch).draw(geometry, pose);
}

void thin_out(Lines& lines) {
    if (lines.size() <= most_lines) return;
    const size_t stride = lines.size() / most_lines + 1;
    const auto links = static_cast<size_t>(std::count_if(
        lines.begin(), lines.end(), [](const Line& l) { return l.kind == Segment::link; }));
    const bool all_links = links < most_lines / 2;
    Lines kept;
    for (size_t i = 0; i < lines.size(); ++i)
        if ((all_links && lines[i].kind == Segment::link) || i % stride == 0)
            kept.push_back(lines[i]);
    lines = std::move(kept);
}

}  // namespace bristle::report
