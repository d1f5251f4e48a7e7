#include "cli/outline.h"

#include "cli/outline_shapes.h"
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace bristle::cli {
namespace {

constexpr double same_place = 1e-9;  // of the model's size: two points that are one

// ---- Bodies without a shape ---------------------------------------------------------------------------

// The box of even density with this mass and inertia: I_i = m (s_j² + s_k²) / 12.
Vec3 equivalent_box(const Body& body, Vec3 moments) {
    Vec3 size;
    for (int i = 0; i < 3; ++i) {
        const double rest = moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i];
        size[i] = std::sqrt(std::max(0.0, 6 * rest / body.mass));
    }
    return size;
}

class BodyDrawing {
  public:
    // `lines` has the outlines of the body's shapes already.
    BodyDrawing(const Model& model, BodyId id, Lines& lines)
        : body_(model.bodies()[id.index]), id_(id), lines_(lines) {
        const Pose pose{body_.position, body_.orientation};
        const Mat3 to_body = pose.orientation.matrix().transposed();
        const auto add_if = [&](bool is_on_body, Vec3 at) {
            if (is_on_body) add_joint(to_body * (at - pose.position));
        };
        for (uint32_t i = 0; i < model.joints().size(); ++i) {
            const Joint& j = model.joints()[i];
            if (!model.contains(JointId{i}) || j.type == JointType::gear) continue;
            add_if(j.a == id, j.at_a);
            add_if(j.b == id, j.at_b);
        }
        for (const Spring& s : model.springs()) {
            add_if(s.a == id, s.at_a);
            add_if(s.b == id, s.at_b);
        }
        for (const Line& line : lines)
            if (line.body == id)
                for (const Vec3 p : {line.from, line.to})
                    shape_reach_ = std::max(shape_reach_, norm(p - body_.center));
    }

    void draw() const {
        const SymmetricEigen inertia = symmetric_eigen(body_.inertia);
        const Vec3 size = equivalent_box(body_, inertia.values);
        int longest = 0;
        for (int i = 1; i < 3; ++i)
            if (size[i] > size[longest]) longest = i;
        const double one = size[(longest + 1) % 3], other = size[(longest + 2) % 3];
        const double length = size[longest], width = std::max(one, other),
                     thickness = std::min(one, other);
        const bool is_lamina = thickness < 1e-3 * length && width > 1e-3 * length;
        // Shapes show a body, unless they are only its feet.
        if (length == 0 || shape_reach_ > 0.4 * length || (is_lamina && !joints_.empty()))
            return bars();
        if (length > 5 * width) return rod(inertia.axes.column(longest), length);
        if (length - thickness < 1e-6 * length)
            outline(Sphere{length * std::sqrt(5.0 / 12)}, {body_.center, {}});
        else
            outline(Box{size}, {body_.center, Quat::from(inertia.axes)});
        bars_to_joints_outside(inertia.axes, size);
    }

  private:
    void add_joint(Vec3 at) {
        const bool known = std::any_of(joints_.begin(), joints_.end(), [&](Vec3 p) {
            return norm(p - at) <= same_place * (1 + norm(at));
        });
        if (!known) joints_.push_back(at);
    }
    void line(Vec3 from, Vec3 to) const { lines_.push_back({id_, from, to, Segment::link}); }
    void outline(const Geometry& geometry, const Pose& pose) const {
        add_outline(lines_, id_, geometry, pose, {});
    }
    void rod(Vec3 along, double length) const {
        const Vec3 from = body_.center - 0.5 * length * along;
        line(from, from + length * along);
        for (const Vec3 joint : joints_) {
            const double way = std::clamp(dot(joint - from, along), 0.0, length);
            const Vec3 foot = from + way * along;
            if (norm(joint - foot) > 1e-3 * length) line(foot, joint);
        }
    }
    void bars() const {
        // Joints of a bar are joined directly; of more, each with the centre.
        if (joints_.size() == 2) return line(joints_[0], joints_[1]);
        for (const Vec3 joint : joints_) line(body_.center, joint);
        if (joints_.empty() && shape_reach_ == 0) line(body_.center, body_.center);
    }
    void bars_to_joints_outside(const Mat3& axes, Vec3 size) const {
        for (const Vec3 joint : joints_) {
            const Vec3 in_box = axes.transposed() * (joint - body_.center);
            bool outside = false;
            for (int i = 0; i < 3; ++i) outside |= std::abs(in_box[i]) > 0.55 * size[i];
            if (outside) line(body_.center, joint);
        }
    }

    const Body& body_;
    BodyId id_;
    Lines& lines_;
    std::vector<Vec3> joints_;
    double shape_reach_ = 0;  // m, from the centre
};

// ---- The whole model ------------------------------------------------------------------------------------

// A line between points of two bodies: springs and massless bars.
struct Tie {
    BodyId a, b;
    Vec3 from, to;
    Segment kind;
};

Vec3 to_local(const Body& body, Vec3 at) {
    return body.orientation.matrix().transposed() * (at - body.position);
}

std::vector<Tie> ties_of(const Model& model) {
    std::vector<Tie> ties;
    const auto add = [&](BodyId a, BodyId b, Vec3 at_a, Vec3 at_b, Segment kind) {
        ties.push_back({a, b, to_local(model.bodies()[a.index], at_a),
                        to_local(model.bodies()[b.index], at_b), kind});
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
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i})) BodyDrawing(model, {i}, lines).draw();
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type == JointType::gear) continue;
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
        const Vec3 in_body = to_local(body, middle);
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
    const View view = choose_view(snapshots, lines);
    add_planes(model, snapshots, lines);
    thin_out(lines);
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

}  // namespace bristle::cli
