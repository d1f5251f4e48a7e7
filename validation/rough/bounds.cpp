#include "validation/rough/bounds.h"

#include <algorithm>

namespace bristle::validation::rough {
namespace {

template <class... Functions> struct Overloaded : Functions... { using Functions::operator()...; };
template <class... Functions> Overloaded(Functions...) -> Overloaded<Functions...>;

Bounds centred(Vec3 half) { return {-half, half}; }

}  // namespace

void Bounds::add(Vec3 p) {
    for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], p[i]);
        high[i] = std::max(high[i], p[i]);
    }
}

void Bounds::add(const Bounds& other, const Pose& pose) {
    if (other.low.x > other.high.x) return;
    for (int corner = 0; corner < 8; ++corner)
        add(pose
            * Vec3{corner & 1 ? other.high.x : other.low.x, corner & 2 ? other.high.y : other.low.y,
                   corner & 4 ? other.high.z : other.low.z});
}

double Bounds::thinnest() const {
    const Vec3 s = size();
    return std::min({s.x, s.y, s.z});
}

Bounds bounds_of(const Geometry& geometry) {
    const Bounds everywhere = centred({unlimited, unlimited, unlimited});
    return std::visit(Overloaded{[](const Sphere& s) {
                                     return centred({s.radius, s.radius, s.radius});
                                 },
                                 [](const Box& b) { return centred(b.size / 2); },
                                 [](const Capsule& c) {
                                     return centred({c.radius, c.radius, c.radius + c.length / 2});
                                 },
                                 [](const Cylinder& c) {
                                     return centred({c.radius, c.radius, c.length / 2});
                                 },
                                 [](const Torus& t) {
                                     return centred({t.radius + t.tube, t.radius + t.tube, t.tube});
                                 },
                                 [](const ConvexPolyhedron& c) {
                                     Bounds out;
                                     for (const Vec3 p : c.points) out.add(p);
                                     return out;
                                 },
                                 [](const Mesh& m) {
                                     Bounds out;
                                     for (const Vec3 p : m.surface->vertices) out.add(p);
                                     return out;
                                 },
                                 [](const Compound& c) {
                                     Bounds out;
                                     for (const CompoundPart& part : c.parts)
                                         out.add(bounds_of(part.geometry), part.pose);
                                     return out;
                                 },
                                 [&](const auto&) { return everywhere; }},
                      geometry);
}

Bounds bounds_of(const Model& model, BodyId body) {
    Bounds out;
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        if (model.shapes()[i].body == body && model.contains(ShapeId{i}))
            out.add(bounds_of(model.shapes()[i].geometry), model.shapes()[i].pose);
    return out;
}

Bounds moving_bounds(const Model& model) {
    Bounds out;
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        const Body& body = model.bodies()[i];
        out.add(bounds_of(model, {i}), {body.position, body.orientation});
    }
    return out;
}

}  // namespace bristle::validation::rough
