#include "scenes/outline.h"

#include <cmath>

namespace bristle::scenes {
namespace {

class Outliner {
  public:
    Outliner(Scene& scene, BodyId body, double plane_from, double plane_to)
        : scene_(scene), body_(body), plane_from_(plane_from), plane_to_(plane_to) {}

    void draw(const Geometry& geometry, const Pose& pose) {
        const Pose outer = pose_;
        pose_ = {at(pose.position), outer.orientation * pose.orientation};
        std::visit([this](const auto& kind) { lines(kind); }, geometry);
        pose_ = outer;
    }

  private:
    Vec3 at(Vec3 local) const { return pose_.position + pose_.orientation.matrix() * local; }
    void line(Vec3 from, Vec3 to) { scene_.links.push_back({body_, at(from), at(to)}); }
    // Of a circle about `center` that starts towards u and goes on towards v.
    void arc(Vec3 center, Vec3 u, Vec3 v, double angle) {
        const int pieces = std::max(1, static_cast<int>(std::lround(angle / (pi / 6))));
        const auto point = [&](int i) {
            const double a = angle * i / pieces;
            return center + std::cos(a) * u + std::sin(a) * v;
        };
        for (int i = 0; i < pieces; ++i) line(point(i), point(i + 1));
    }

    void lines(const Sphere& s) {
        arc({}, {s.radius, 0, 0}, {0, 0, s.radius}, 2 * pi);
        line({}, {s.radius, 0, 0});
    }
    void lines(const Box& b) {
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
    void lines(const Cylinder& c) {
        const Vec3 u{c.radius, 0, 0}, v{0, c.radius, 0};
        for (const double z : {-c.length / 2, c.length / 2}) arc({0, 0, z}, u, v, 2 * pi);
        for (const Vec3 side : {u, v, -u, -v})
            line(side - Vec3{0, 0, c.length / 2}, side + Vec3{0, 0, c.length / 2});
        line({}, u);
    }
    void lines(const Plane&) { line({plane_from_, 0, 0}, {plane_to_, 0, 0}); }
    void lines(const Torus& t) {
        const double angle = t.arc == Torus::Arc::half ? pi : 2 * pi;
        const auto ring = [&](double radius, double z) {
            arc({0, 0, z}, {radius, 0, 0}, {0, radius, 0}, angle);
        };
        ring(t.radius - t.tube, 0);
        ring(t.radius + t.tube, 0);
        ring(t.radius, -t.tube);
        ring(t.radius, t.tube);
    }
    void lines(const Compound& c) {
        for (const CompoundPart& part : c.parts) draw(part.geometry, part.pose);
    }
    void lines(const Capsule&) {}
    void lines(const ConvexPolyhedron&) {}
    void lines(const HeightField&) {}
    void lines(const Mesh&) {}

    Scene& scene_;
    BodyId body_;
    double plane_from_, plane_to_;
    Pose pose_;
};

}  // namespace

void add_outlines(Scene& scene, double plane_from, double plane_to) {
    for (const Shape& shape : scene.model.shapes())
        Outliner(scene, shape.body, plane_from, plane_to).draw(shape.geometry, shape.pose);
}

}  // namespace bristle::scenes
