#include "report/side_view.h"

#include "geometry/tessellate.h"
#include "machines/results/stance.h"

#include <algorithm>
#include <cmath>

namespace bristle::report {
namespace {

constexpr int sides = 24;  // of what is round

std::array<int, 3> color_of(const io::Look& look) {
    if (look.color.size() == 3) {
        std::array<int, 3> out{};
        for (size_t i = 0; i < 3; ++i)
            out[i] = static_cast<int>(std::lround(255 * std::clamp(look.color[i], 0.0F, 1.0F)));
        return out;
    }
    switch (look.finish) {
        case io::Finish::rubber: return {38, 38, 40};
        case io::Finish::metal: return {138, 143, 150};
        case io::Finish::glass: return {158, 192, 214};
        case io::Finish::wood: return {166, 124, 82};
        default: return {176, 182, 190};
    }
}

// Of the frame of what looks at a point of another body: the shortest turn of z to it, as the viewer has it.
Pose aimed(const io::Visual& v, std::span<const Pose> poses) {
    const Vec3 from = poses[v.body.index] * v.pose.position,
               way = poses[v.aim->body.index] * v.aim->at - from;
    const double length = norm(way);
    if (!(length > 0)) return {from, poses[v.body.index].orientation};
    const Vec3 z = way / length, axis = cross({0, 0, 1}, z);
    const double half = std::sqrt(std::max(0.5 * (1 + z.z), 0.0));
    const Quat turn =
        half > 1e-6 ? Quat{half, 0.5 / half * axis.x, 0.5 / half * axis.y, 0} : Quat{0, 1, 0, 0};
    return {from + v.aim->along * z, turn};
}

}  // namespace

std::vector<SeenPart> side_view(const io::Scene& scene, std::span<const BodyId> bodies,
                                std::span<const Pose> poses, Vec3 right, Vec3 up) {
    const Vec3 towards = cross(right, up);
    std::vector<SeenPart> out;
    const auto is_one = [&](BodyId b) {
        return std::find(bodies.begin(), bodies.end(), b) != bodies.end();
    };
    const auto add = [&](BodyId body, const Geometry& geometry, const Pose& frame, const Pose& pose,
                         const io::Look& look) {
        SeenPart part{body, {}, color_of(look), -HUGE_VAL};
        for (const Vec3 v : geometry::tessellated(geometry, sides).vertices) {
            const Vec3 p = frame * (pose * v);
            part.outline.push_back({dot(p, right), dot(p, up)});
            part.near = std::max(part.near, dot(p, towards));
        }
        part.outline = machines::convex_border(std::move(part.outline));
        if (part.outline.size() > 2) out.push_back(std::move(part));
    };
    std::vector<bool> has_visuals(scene.model.bodies().size(), false);
    for (const io::Visual& v : scene.visuals) {
        has_visuals[v.body.index] = true;
        if (!is_one(v.body)) continue;
        if (v.aim)
            add(v.body, v.geometry, aimed(v, poses), {{}, v.pose.orientation}, v.look);
        else
            add(v.body, v.geometry, poses[v.body.index], v.pose, v.look);
    }
    for (uint32_t i = 0; i < scene.model.shapes().size(); ++i) {
        const Shape& s = scene.model.shapes()[i];
        if (!scene.model.contains(ShapeId{i}) || has_visuals[s.body.index] || !is_one(s.body))
            continue;
        const auto look = scene.shape_looks.find(i);
        add(s.body, s.geometry, poses[s.body.index], s.pose,
            look == scene.shape_looks.end() ? io::Look{} : look->second);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const SeenPart& a, const SeenPart& b) { return a.near < b.near; });
    return out;
}

}  // namespace bristle::report
