#include "report/outline.h"

#include "io/sketch.h"
#include "report/outline_shapes.h"

#include <algorithm>
#include <cmath>

namespace bristle::report {
namespace {

// ---- The whole model ------------------------------------------------------------------------------------

// A line between points of two bodies: springs and massless bars.
struct Tie {
    BodyId a, b;
    Vec3 from, to;
    Segment kind;
};

std::vector<Tie> ties_of(const Model& model) {
    std::vector<Tie> ties;
    const auto add = [&](BodyId a, BodyId b, Vec3 at_a, Vec3 at_b, Segment kind) {
        ties.push_back({a, b, io::to_local(model.bodies()[a.index], at_a),
                        io::to_local(model.bodies()[b.index], at_b), kind});
    };
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (model.contains(JointId{i}) && j.type == JointType::distance)
            add(j.a, j.b, j.at_a, j.at_b, Segment::link);
    }
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        const Model::ForceRef force = model.forces()[i];
        if (!model.contains(ForceId{i}) || force.kind != Model::ForceKind::spring) continue;
        const Spring& s = model.springs()[force.index];
        add(s.a, s.b, s.at_a, s.at_b, Segment::spring);
    }
    return ties;
}

struct Box3 {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    void add(Vec3 p) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    bool is_empty() const { return !(low.x <= high.x); }
};

// Everything but planes, which have no end: they are drawn where the rest is.
Lines lines_of(const Model& model) {
    Lines lines;
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        if (model.contains(ShapeId{i}) && !std::holds_alternative<Plane>(s.geometry))
            add_outline(lines, s.body, s.geometry, s.pose, {});
    }
    for (const io::SketchPart& sketched : io::sketch(model)) {
        if (const auto* bar = std::get_if<io::Bar>(&sketched.part))
            lines.push_back({sketched.body, bar->from, bar->to, Segment::link});
        else if (const auto* solid = std::get_if<io::Solid>(&sketched.part))
            add_outline(lines, sketched.body, solid->geometry, solid->pose, {});
    }
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type >= JointType::gear) continue;
        if (j.a == Model::ground()) lines.push_back({j.a, j.at_a, j.at_a, Segment::link});
        if (j.b == Model::ground()) lines.push_back({j.b, j.at_b, j.at_b, Segment::link});
    }
    return lines;
}

void add_planes(const Model& model, std::span<const Instant> snapshots, Lines& lines) {
    Box3 seen;
    for (const Instant& now : snapshots)
        for (const Line& line : lines)
            for (const Vec3 p : {line.from, line.to}) seen.add(now.poses[line.body.index] * p);
    if (seen.is_empty()) seen.add({});
    const Vec3 middle = 0.5 * (seen.low + seen.high);
    const double half = std::max(0.6 * norm(seen.high - seen.low), 1e-3);
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        if (!model.contains(ShapeId{i}) || !std::holds_alternative<Plane>(s.geometry)) continue;
        const Body& body = model.bodies()[s.body.index];
        const Vec3 in_body = io::to_local(body, middle);
        const Vec3 in_plane =
            s.pose.orientation.matrix().transposed() * (in_body - s.pose.position);
        add_outline(lines, s.body, s.geometry, s.pose,
                    {.middle = {in_plane.x, in_plane.y, 0}, .half = half});
    }
}

// ---- Where to look from -------------------------------------------------------------------------------

struct View {
    Vec3 right, up;
    std::string name;
};

View choose_view(std::span<const Instant> snapshots, const Lines& lines) {
    Vec3 way;
    for (const Line& line : lines)
        for (const Vec3 p : {line.from, line.to}) {
            Box3 path;
            for (const Instant& now : snapshots) path.add(now.poses[line.body.index] * p);
            if (path.is_empty()) continue;
            for (int i = 0; i < 3; ++i) way[i] = std::max(way[i], path.high[i] - path.low[i]);
        }
    // What moves less than this part of the rest is not worth a slanted view.
    const double little = 0.02 * std::max({way.x, way.y, way.z});
    if (way.y <= little) return {{1, 0, 0}, {0, 0, 1}, "x to the right, z up"};
    if (way.x <= little) return {{0, 1, 0}, {0, 0, 1}, "y to the right, z up"};
    if (way.z <= little) return {{1, 0, 0}, {0, 1, 0}, "from above: x to the right, y up"};
    const double turn = pi / 6, height = pi / 7;
    const Vec3 right{std::cos(turn), std::sin(turn), 0};
    const Vec3 away{-std::sin(turn), std::cos(turn), 0};
    return {right, std::sin(height) * away + std::cos(height) * Vec3{0, 0, 1}, "aslant, z up"};
}

}  // namespace

void draw_motion(const Model& model, std::span<const Instant> snapshots, Report& report) {
    Lines lines = lines_of(model);
    thin_out(lines);
    const View view = choose_view(snapshots, lines);
    add_planes(model, snapshots, lines);
    const std::vector<Tie> ties = ties_of(model);
    report.view = view.name;
    for (const Line& line : lines) report.segment_kinds.push_back(line.kind);
    for (const Tie& tie : ties) report.segment_kinds.push_back(tie.kind);
    for (const Instant& now : snapshots) {
        Frame frame{now.time, {}};
        const auto add = [&](Vec3 a, Vec3 b) {
            frame.segments.push_back(
                {dot(view.right, a), dot(view.up, a), dot(view.right, b), dot(view.up, b)});
        };
        for (const Line& line : lines) {
            const Pose& pose = now.poses[line.body.index];
            add(pose * line.from, pose * line.to);
        }
        for (const Tie& tie : ties)
            add(now.poses[tie.a.index] * tie.from, now.poses[tie.b.index] * tie.to);
        report.animation.push_back(std::move(frame));
    }
}

}  // namespace bristle::report
