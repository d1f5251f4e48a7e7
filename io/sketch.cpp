#include "io/sketch.h"

#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace bristle::io {
namespace {

constexpr double same_place = 1e-9;  // of the distance from the origin: two points that are one

// The box of even density with this mass and inertia: I_i = m (s_j² + s_k²) / 12.
Vec3 equivalent_box(const Body& body, Vec3 moments) {
    Vec3 size;
    for (int i = 0; i < 3; ++i) {
        const double rest = moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i];
        size[i] = std::sqrt(std::max(0.0, 6 * rest / body.mass));
    }
    return size;
}

// Of every body, in its frame: where joints and springs hold it, and how far its shapes reach.
struct Points {
    std::vector<std::vector<Vec3>> joints, shapes;

    explicit Points(const Model& model)
        : joints(model.bodies().size()), shapes(model.bodies().size()) {
        for (uint32_t i = 0; i < model.joints().size(); ++i) {
            const Joint& j = model.joints()[i];
            if (!model.contains(JointId{i}) || j.type >= JointType::gear) continue;
            add_joint(model, j.a, j.at_a);
            add_joint(model, j.b, j.at_b);
        }
        for (const Spring& s : model.springs()) {
            add_joint(model, s.a, s.at_a);
            add_joint(model, s.b, s.at_b);
        }
        for (uint32_t i = 0; i < model.shapes().size(); ++i) {
            const Shape& s = model.shapes()[i];
            if (!model.contains(ShapeId{i}) || s.body == Model::ground()) continue;
            for (const Vec3 p : extent_points(s.geometry))
                shapes[s.body.index].push_back(s.pose * p);
        }
    }

  private:
    void add_joint(const Model& model, BodyId body, Vec3 at) {
        if (body == Model::ground()) return;  // which may hold very many
        const Vec3 local = to_local(model.bodies()[body.index], at);
        auto& list = joints[body.index];
        const bool known = std::any_of(list.begin(), list.end(), [&](Vec3 p) {
            return norm(p - local) <= same_place * (1 + norm(local));
        });
        if (!known) list.push_back(local);
    }
};

class BodySketch {
  public:
    BodySketch(const Body& body, BodyId id, const Points& points, std::vector<SketchPart>& parts)
        : body_(body),
          id_(id),
          parts_(parts),
          joints_(points.joints[id.index]),
          shape_(points.shapes[id.index]) {}

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
        if (length == 0 || is_shown_by_shapes(inertia.axes, size)
            || (is_lamina && !joints_.empty()))
            return bars();
        if (length > 5 * width) return rod(inertia.axes.column(longest), length);
        if (length - thickness < 1e-6 * length)
            solid(Sphere{length * std::sqrt(5.0 / 12)}, {body_.center, {}});
        else
            solid(Box{size}, {body_.center, Quat::from(inertia.axes)});
        bars_to_joints_outside(inertia.axes, size);
    }

  private:
    // Shapes show a body if they reach as far as it does; feet or a ball at the end do not.
    bool is_shown_by_shapes(const Mat3& axes, Vec3 size) const {
        for (int i = 0; i < 3; ++i) {
            double low = 0, high = 0;
            for (const Vec3 p : shape_) {
                const double way = dot(p - body_.center, axes.column(i));
                low = std::min(low, way);
                high = std::max(high, way);
            }
            if (low > -0.3 * size[i] || high < 0.3 * size[i]) return false;
        }
        return true;
    }
    void bar(Vec3 from, Vec3 to) const { parts_.push_back({id_, Bar{from, to}}); }
    void solid(const Geometry& geometry, const Pose& pose) const {
        parts_.push_back({id_, Solid{geometry, pose}});
    }
    void rod(Vec3 along, double length) const {
        const Vec3 from = body_.center - 0.5 * length * along;
        bar(from, from + length * along);
        for (const Vec3 joint : joints_) {
            const double way = std::clamp(dot(joint - from, along), 0.0, length);
            const Vec3 foot = from + way * along;
            if (norm(joint - foot) > 1e-3 * length) bar(foot, joint);
        }
    }
    void bars() const {
        // Joints of a bar are joined directly; of more, each with the centre.
        if (joints_.size() == 2) return bar(joints_[0], joints_[1]);
        for (const Vec3 joint : joints_) {
            // A pin in the middle of what shapes show (a wheel, a plank) needs no ball to stand for it.
            const bool is_middle = norm(joint - body_.center) <= same_place * (1 + norm(joint));
            if (shape_.empty() || !is_middle) bar(body_.center, joint);
        }
        if (joints_.empty() && shape_.empty()) bar(body_.center, body_.center);
    }
    void bars_to_joints_outside(const Mat3& axes, Vec3 size) const {
        for (const Vec3 joint : joints_) {
            const Vec3 in_box = axes.transposed() * (joint - body_.center);
            bool outside = false;
            for (int i = 0; i < 3; ++i) outside |= std::abs(in_box[i]) > 0.55 * size[i];
            if (outside) bar(body_.center, joint);
        }
    }

    const Body& body_;
    BodyId id_;
    std::vector<SketchPart>& parts_;
    const std::vector<Vec3>&joints_, &shape_;
};

// ---- How far geometry reaches -----------------------------------------------------------------------------

struct Extent {
    std::vector<Vec3> points;

    void ring(double radius, double z) {
        for (const Vec3 side : {Vec3{radius, 0, 0}, Vec3{0, radius, 0}})
            for (const double end : {-1.0, 1.0}) points.push_back(end * side + Vec3{0, 0, z});
    }
    // Every so many, so that a large surface gives some hundreds.
    static size_t stride(size_t count) { return std::max<size_t>(1, count / 500); }

    void operator()(const Sphere& s) {
        ring(s.radius, 0);
        points.insert(points.end(), {{0, 0, s.radius}, {0, 0, -s.radius}});
    }
    void operator()(const Box& b) {
        for (const double x : {-0.5, 0.5})
            for (const double y : {-0.5, 0.5})
                for (const double z : {-0.5, 0.5})
                    points.push_back({x * b.size.x, y * b.size.y, z * b.size.z});
    }
    void operator()(const Capsule& c) {
        for (const double end : {-0.5, 0.5}) {
            ring(c.radius, end * c.length);
            points.push_back({0, 0, end * (c.length + 2 * c.radius)});
        }
    }
    void operator()(const Cylinder& c) {
        for (const double end : {-0.5, 0.5}) ring(c.radius, end * c.length);
    }
    void operator()(const Plane&) {}
    void operator()(const Torus& t) {
        const double far = t.radius + t.tube;
        points.insert(points.end(), {{far, 0, 0},
                                     {-far, 0, 0},
                                     {0, far, 0},
                                     {0, t.arc == Torus::Arc::half ? 0 : -far, 0},
                                     {t.radius, 0, t.tube},
                                     {t.radius, 0, -t.tube}});
    }
    void operator()(const ConvexPolyhedron& p) {
        points.insert(points.end(), p.points.begin(), p.points.end());
    }
    void operator()(const HeightField& f) {
        const size_t step = stride(f.heights.size());
        for (size_t i = 0; i < f.heights.size(); i += step) {
            const size_t row = i / f.columns, column = i % f.columns;
            points.push_back({static_cast<double>(column) * f.spacing_x,
                              static_cast<double>(row) * f.spacing_y, f.heights[i]});
        }
        points.push_back(
            {(f.columns - 1) * f.spacing_x, (f.rows - 1) * f.spacing_y, f.heights.back()});
    }
    void operator()(const Mesh& m) {
        const std::vector<Vec3>& vertices = m.surface->vertices;
        for (size_t i = 0; i < vertices.size(); i += stride(vertices.size()))
            points.push_back(vertices[i]);
    }
    void operator()(const Compound& c) {
        for (const CompoundPart& part : c.parts)
            for (const Vec3 p : extent_points(part.geometry)) points.push_back(part.pose * p);
    }
};

// ---- Bars with a thickness -------------------------------------------------------------------------------

constexpr double bar_thickness = 0.03;  // radius over the length of a long bar, …
constexpr double bar_fineness = 0.012;  // … over the size of the scene, at most …
constexpr double bar_least = 0.007;     // … and at least, for a chain of many is no hair

// From z to this direction, the shortest way.
Quat turn_from_z(Vec3 direction) {
    const Vec3 axis = cross({0, 0, 1}, direction);
    const double sine = norm(axis);
    if (sine < 1e-12) return direction.z > 0 ? Quat{} : Quat{0, 1, 0, 0};
    return Quat::about(axis, std::atan2(sine, direction.z));
}

// Bars of one mechanism are equally thick, so that a short one does not look like a wire.
double bar_radius(const std::vector<SketchPart>& sketch, double size) {
    std::vector<double> lengths;
    for (const SketchPart& s : sketch)
        if (const auto* bar = std::get_if<Bar>(&s.part))
            if (const double length = norm(bar->to - bar->from); length > 0)
                lengths.push_back(length);
    if (lengths.empty()) return bar_fineness * size;
    const auto long_one = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() * 3 / 4);
    std::nth_element(lengths.begin(), long_one, lengths.end());
    const double thinnest = std::min(bar_least * size, 4 * bar_thickness * *long_one);
    return std::clamp(bar_thickness * *long_one, thinnest, bar_fineness * size);
}

}  // namespace

std::vector<Vec3> extent_points(const Geometry& geometry) {
    Extent extent;
    std::visit(extent, geometry);
    return std::move(extent.points);
}

double waiting_level(const Model& model) {
    constexpr double depth = 1000;
    double lowest = 0;
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i})) lowest = std::min(lowest, model.bodies()[i].position.z);
    return lowest - depth;
}

bool waits(const HeightField& f, Vec3 position, double waiting_level) {
    return position.z + f.heights.front() < waiting_level;
}

Vec3 to_local(const Body& body, Vec3 at) {
    return body.orientation.matrix().transposed() * (at - body.position);
}

std::vector<SketchPart> sketch(const Model& model) {
    std::vector<SketchPart> parts;
    const Points points(model);
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i})) BodySketch(model.bodies()[i], {i}, points, parts).draw();
    return parts;
}

std::vector<SketchSolid> as_solids(const std::vector<SketchPart>& parts, double size) {
    std::vector<SketchSolid> out;
    const double radius = bar_radius(parts, size);
    for (const SketchPart& s : parts) {
        if (const auto* solid = std::get_if<Solid>(&s.part)) {
            out.push_back({s.body, solid->geometry, solid->pose});
            continue;
        }
        const Bar& bar = std::get<Bar>(s.part);
        const Vec3 way = bar.to - bar.from;
        const double length = norm(way);
        if (length > 0)
            out.push_back({s.body,
                           Capsule{radius, length},
                           {0.5 * (bar.from + bar.to), turn_from_z((1 / length) * way)}});
        else
            out.push_back({s.body, Sphere{2.5 * radius}, {bar.from, {}}});
    }
    return out;
}

}  // namespace bristle::io
