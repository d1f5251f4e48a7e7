#include "live/show/reach.h"

#include "io/sketch.h"
#include "live/show/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::live {
namespace {

constexpr double beyond = 0.25;  // of the box's size along each axis, to either side …
constexpr double least = 1e-6;   // … and of its largest one: points are told in single precision

struct Bounds {
    Vec3 low, high;
    void add(Vec3 p) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
};

// None of a surface, which has vertices instead, and of a plane, which has no end.
Geometry geometry_of(const wire::Part& part) {
    const auto size = [&](int i) { return static_cast<double>(part.size(i)); };
    switch (part.kind()) {
        case wire::Part::SPHERE: return Sphere{size(0)};
        case wire::Part::BOX: return Box{{size(0), size(1), size(2)}};
        case wire::Part::CAPSULE: return Capsule{size(0), size(1)};
        case wire::Part::CYLINDER: return Cylinder{size(0), size(1)};
        case wire::Part::TORUS: return Torus{size(0), size(1)};
        default: return Plane{};
    }
}

Pose pose_of(const wire::Part& part) {
    const auto p = [&](int i) { return static_cast<double>(part.pose(i)); };
    return {{p(0), p(1), p(2)}, {p(3), p(4), p(5), p(6)}};
}

void add_part(const wire::Scene& scene, const wire::Part& part, Bounds& box) {
    const Pose pose = pose_of(part);
    for (const Vec3 p : io::extent_points(geometry_of(part))) box.add(pose * p);
    if (part.kind() != wire::Part::SURFACE) return;
    const auto& vertices = scene.surfaces(static_cast<int>(part.surface())).vertices();
    for (int i = 0; i + 2 < vertices.size(); i += 3)
        box.add(pose * Vec3{vertices[i], vertices[i + 1], vertices[i + 2]});
}

}  // namespace

void check_reach(const wire::Scene& scene, const Model& model, const Grab& grab) {
    require(model, grab.body, "grab");
    const Body& body = model.bodies()[grab.body.index];
    Bounds box{body.center, body.center};
    box.add({});  // programs take hold of its origin
    for (const wire::Part& part : scene.parts()) {
        if (part.body() != grab.body.index) continue;
        if (part.kind() == wire::Part::PLANE) return;
        add_part(scene, part, box);
    }
    const Vec3 size = box.high - box.low;
    const double margin = least * std::max({size.x, size.y, size.z});
    for (int i = 0; i < 3; ++i) {
        const double most = beyond * size[i] + margin;
        if (grab.at[i] >= box.low[i] - most && grab.at[i] <= box.high[i] + most) continue;
        const auto text = [](Vec3 p) {
            return fmt::format("({:.3g}, {:.3g}, {:.3g})", p.x, p.y, p.z);
        };
        throw InputError(
            fmt::format("grab: the point {} m is far outside of '{}', which is seen from {} to {} "
                        "m: take hold of it where it is",
                        text(grab.at), body.name, text(box.low), text(box.high)));
    }
}

}  // namespace bristle::live
