#include "collision/near/manifold.h"

#include "collision/near/features.h"

#include <algorithm>

namespace bristle::collision {

namespace {

enum class Side : uint8_t { a, b };

// A reference must look along the normal to within 8°. A cylinder that stands more than 26° off its cap,
// or lies more than 17° off its side, touches with its rim only.
constexpr double reference_alignment = 0.99, cap_alignment = 0.9, line_slope = 0.3;
// Sharp lines must be within 1e-3 rad, or their ends would be beside each other rather than opposite. Round ones may be askew, and
// beside each other by a share of the sum of their radii: there they touch as circles do.
constexpr double parallel_lines = 1e-3, round_lines = 0.1, most_beside = 0.2;

bool is_round(const ConvexCore& core) {
    return core.kind == ConvexCore::Kind::segment || core.kind == ConvexCore::Kind::cylinder;
}

class Manifold {
  public:
    Manifold(const Placed& a, const Placed& b, const RelativePose& pose,
             const ConvexDistance& deepest, double margin, ContactPoints& out)
        : placed_{&a, &b},
          core_{ConvexCore::of(*a.collider), ConvexCore::of(*b.collider)},
          pose_(pose),
          deepest_(deepest),
          normal_(a.rotation * deepest.normal),
          outward_{-deepest.normal, pose.turn_to_b(deepest.normal)},
          margin_(margin),
          out_(out),
          first_(out.size()) {}

    // True if the overlap is as deep as the two shapes are.
    bool add_overlap() {
        const FaceChoice face[2] = {best_face(core_[0], outward_[0]),
                                    best_face(core_[1], outward_[1])};
        // Faces that are equally good: a's, whatever the rounding.
        const int reference = face[1].alignment > face[0].alignment + 1e-6 ? 1 : 0;
        if (!(face[reference].alignment > reference_alignment)) return add_line_overlap();
        add_face_overlap(reference, face);
        keep_four(out_, first_, normal_);
        double reached = -std::numeric_limits<double>::infinity();
        for (size_t i = first_; i < out_.size(); ++i) reached = std::max(reached, out_[i].depth);
        return reached >= core_[0].ball + core_[1].ball - deepest_.distance - tolerance();
    }
    void add_deepest();

  private:
    void to_a(int side, Polygon& polygon) const {
        if (side == 0) return;
        for (int i = 0; i < polygon.size; ++i) {
            Vec3& p = polygon.corners[static_cast<size_t>(i)].point;
            p = pose_.to_a(p);
        }
    }

    // m: depths that differ by less are equal.
    double tolerance() const {
        double extent = norm(pose_.position);
        for (const ConvexCore& core : core_)
            extent = std::max({extent, core.radius, core.half_length, core.ball, core.half.x});
        return 1e-11 * extent;
    }
    double ball_from(int side, Vec3 core) const {
        if (core_[side].kind != ConvexCore::Kind::segment) return core_[side].ball;
        return ball_along(core_[side], side == 1 ? pose_.to_b(core) : core, outward_[side]);
    }
    void add_face_overlap(int reference, const FaceChoice (&face)[2]);
    bool add_line_overlap();
    ContactPoint* add_circles(Vec3 on_line, Vec3 on_other, const Vec3 (&along)[2],
                              uint32_t feature);
    void describe(ContactPoint*) const;
    bool add_incident(int incident, const FaceChoice& face, const Polygon& reference, Vec3 looking,
                      Polygon& out) const;
    ContactPoint* add_contact(const Vec3 (&core)[2], const double (&ball)[2], uint32_t feature);
    Curvature world_curvature(int side, Curvature c) const {
        c.direction = placed_[side]->rotation * c.direction;
        return c;
    }

    const Placed* placed_[2];
    ConvexCore core_[2];
    const RelativePose& pose_;
    const ConvexDistance& deepest_;
    Vec3 normal_;      // in the world
    Vec3 outward_[2];  // of each, in its own frame
    double margin_;
    ContactPoints& out_;
    size_t first_;
};

double extent_of(const Polygon& polygon) {
    double extent = 0;
    for (const auto& c : polygon.view())
        extent = std::max(extent, norm(c.point - polygon.corners[0].point));
    return extent;
}

// `ball`: how far the surface is from the core's point, along the normal.
ContactPoint* Manifold::add_contact(const Vec3 (&core)[2], const double (&ball)[2],
                                    uint32_t feature) {
    const double depth = dot(deepest_.normal, core[1] - core[0]) + ball[0] + ball[1];
    if (!(depth >= -margin_)) return nullptr;
    ContactPoint c;
    c.normal = normal_;
    c.depth = depth;
    c.on_a = placed_[0]->to_world(core[0] - ball[0] * deepest_.normal);
    c.on_b = placed_[0]->to_world(core[1] + ball[1] * deepest_.normal);
    c.normal_of = NormalOf::b;
    c.feature = feature;
    out_.push_back(c);
    return &out_.back();
}

// Is the circle of the cap inside the polygon, seen along its normal?
bool contains_cap(const Polygon& polygon, Vec3 looking, Vec3 center, double radius) {
    const auto view = polygon.view();
    for (size_t i = 0; i < view.size(); ++i) {
        const Vec3 side =
            normalized(cross(view[(i + 1) % view.size()].point - view[i].point, looking));
        if (!(dot(side, center - view[i].point) <= -radius)) return false;
    }
    return true;
}

bool Manifold::add_incident(int incident, const FaceChoice& face, const Polygon& reference,
                            Vec3 looking, Polygon& out) const {
    const ConvexCore& core = core_[incident];
    const Vec3 outward = outward_[incident];
    if (core.kind == ConvexCore::Kind::segment) {
        if (!add_line(core, outward, line_slope, out)) return false;
    } else if (core.kind == ConvexCore::Kind::cylinder) {
        if (face.alignment >= cap_alignment) {
            const Vec3 local = core.half_length * face.normal;
            const Vec3 center = incident == 1 ? pose_.to_a(local) : local;
            const bool is_inside = contains_cap(reference, looking, center, core.radius);
            add_face(core, face, is_inside ? RimDetail::coarse : RimDetail::fine, out);
        } else if (!add_line(core, outward, line_slope, out)) {
            return false;
        }
    } else {
        add_face(core, face, RimDetail::fine, out);
    }
    to_a(incident, out);
    return out.size > 0;
}

// Of a corner of the overlap, on the side that is laid over the reference.
SupportFeature support_feature_of_corner(const ConvexCore& core, const Polygon& overlap, size_t i,
                                         Vec3 outward, Vec3 outward_local) {
    const Polygon::Corner &c = overlap.corners[i],
                          &next = overlap.corners[(i + 1) % static_cast<size_t>(overlap.size)];
    SupportFeature touch;
    const bool is_line = core.kind == ConvexCore::Kind::segment
                      || (core.kind == ConvexCore::Kind::cylinder && overlap.size <= 2);
    if (is_line) {
        const double radius = core.radius + core.ball;
        const Vec3 around = normalized(Vec3{-outward_local.y, outward_local.x, 0});
        touch = {SupportFeature::Kind::round, {1 / radius, 0, around}, 0};
    } else if (c.name < 1024) {
        touch.curvature = {Curvature::sharp, Curvature::sharp, {1, 0, 0}};
    } else if (c.name >> 11 < 1024) {
        touch.kind = SupportFeature::Kind::edge;
        touch.curvature = {Curvature::sharp, 0, cross(next.point - c.point, outward)};
    } else {
        touch.kind = SupportFeature::Kind::face;  // a corner of the reference inside it
    }
    return touch;
}

void Manifold::add_face_overlap(int reference, const FaceChoice (&face)[2]) {
    const int incident = 1 - reference;
    const Vec3 looking = reference == 0 ? -deepest_.normal : deepest_.normal;
    Polygon frame, overlap;
    add_face(core_[reference], face[reference], RimDetail::fine, frame);
    to_a(reference, frame);
    if (!add_incident(incident, face[incident], frame, looking, overlap)) return;
    const double tolerance = 1e-10 * extent_of(frame);
    const auto view = frame.view();
    for (size_t i = 0; i < view.size(); ++i) {
        const Vec3 side =
            normalized(cross(view[(i + 1) % view.size()].point - view[i].point, looking));
        clip(overlap, side, dot(side, view[i].point), tolerance, static_cast<uint32_t>(i));
    }
    const Vec3 plane = reference == 0 ? face[0].normal : pose_.rotation * face[1].normal;
    const uint32_t tag = (face[reference].index & 255u) << 23 | (reference == 1 ? 1u << 22 : 0u);
    for (size_t i = 0; i < static_cast<size_t>(overlap.size); ++i) {
        const Polygon::Corner& c = overlap.corners[i];
        const double along = dot(plane, view[0].point - c.point) / dot(plane, deepest_.normal);
        const Vec3 opposite = c.point + along * deepest_.normal;
        Vec3 core[2];
        core[reference] = opposite;
        core[incident] = c.point;
        double ball[2] = {core_[0].ball, core_[1].ball};
        ball[incident] = ball_from(incident, c.point);
        ContactPoint* const contact = add_contact(core, ball, tag + c.name);
        if (contact == nullptr) continue;
        const SupportFeature touch =
            support_feature_of_corner(core_[incident], overlap, i, -looking, outward_[incident]);
        (incident == 0 ? contact->curvature_a : contact->curvature_b) =
            world_curvature(incident, touch.curvature);
        const bool turned = touch.kind == SupportFeature::Kind::face;
        if (turned)
            (reference == 0 ? contact->curvature_a : contact->curvature_b) = {
                Curvature::sharp, Curvature::sharp, {1, 0, 0}};
        contact->normal_of = (reference == 0) != turned ? NormalOf::a : NormalOf::b;
    }
}

NormalOf normal_of(const SupportFeature& a, const SupportFeature& b) {
    using Kind = SupportFeature::Kind;
    if (b.kind == Kind::face) return NormalOf::b;
    if (a.kind == Kind::face) return NormalOf::a;
    return a.kind == Kind::edge && b.kind == Kind::edge ? NormalOf::b : NormalOf::centers;
}

// The lines may be a little askew, and then their ends are not quite opposite: an end that is near the
// deepest point gives way to it.
bool Manifold::add_line_overlap() {
    const double most_askew =
        is_round(core_[0]) || is_round(core_[1]) ? round_lines : parallel_lines;
    Polygon line[2];
    for (int side = 0; side < 2; ++side) {
        if (!add_line(core_[side], outward_[side], most_askew, line[side])) return false;
        to_a(side, line[side]);
    }
    const Vec3 origin = line[0].corners[0].point,
               along = normalized(line[0].corners[1].point - origin),
               other = normalized(line[1].corners[1].point - line[1].corners[0].point);
    const double askew = norm(cross(along, other));
    if (!(askew < most_askew)) return false;
    const double end = dot(along, line[0].corners[1].point - origin), tolerance = 1e-10 * end;
    clip(line[1], -along, -dot(along, origin), tolerance, 0);
    clip(line[1], along, dot(along, origin) + end, tolerance, 1);
    const bool are_parallel = std::max({askew, std::abs(dot(along, deepest_.normal)),
                                        std::abs(dot(other, deepest_.normal))})
                            < parallel_lines;
    double nearest = 0.1 * extent_of(line[1]);
    for (const Polygon::Corner& c : line[1].view())
        nearest = std::min(nearest, norm(c.point - deepest_.on_b));
    bool has_deepest = false;
    for (const Polygon::Corner& c : line[1].view()) {
        const bool is_deepest = !has_deepest && norm(c.point - deepest_.on_b) <= nearest;
        has_deepest = has_deepest || is_deepest;
        const Vec3 opposite = origin + dot(along, c.point - origin) * along;
        const uint32_t feature = (255u << 23) + c.name;
        if (is_deepest)
            describe(add_contact({deepest_.on_a, deepest_.on_b}, {core_[0].ball, core_[1].ball},
                                 feature));
        else if (are_parallel)
            describe(add_contact({opposite, c.point},
                                 {ball_from(0, opposite), ball_from(1, c.point)}, feature));
        else
            describe(add_circles(opposite, c.point, {along, other}, feature));
    }
    return has_deepest;
}

// Through points of two lines that are not parallel, each circle about its axis; what is sharp has none.
ContactPoint* Manifold::add_circles(Vec3 on_line, Vec3 on_other, const Vec3 (&along)[2],
                                    uint32_t feature) {
    Vec3 center[2] = {on_line, on_other};
    double radius[2] = {0, 0};
    for (size_t i = 0; i < 2; ++i) {
        if (!is_round(core_[i])) continue;
        const Vec3 out = core_[i].radius * normalized({outward_[i].x, outward_[i].y, 0});
        center[i] -= i == 0 ? out : pose_.rotation * out;
        radius[i] = core_[i].radius + core_[i].ball;
    }
    const Vec3 way = center[0] - center[1], normal = normalized(way);
    const double sum = radius[0] + radius[1];
    if (!(norm(cross(way, deepest_.normal)) <= most_beside * sum)
        || !(dot(normal, deepest_.normal) > 0))
        return nullptr;
    const auto surface = [&](size_t i) {
        return radius[i] * normalized(normal - dot(normal, along[i]) * along[i]);
    };
    const Vec3 on_a = center[0] - surface(0), on_b = center[1] + surface(1);
    const double depth = dot(normal, on_b - on_a);
    // No deeper than the deepest, as the rim of a thin disc would be.
    if (!(depth >= -margin_ && depth <= core_[0].ball + core_[1].ball - deepest_.distance))
        return nullptr;
    ContactPoint c;
    c.normal = placed_[0]->rotation * normal;
    c.depth = depth;
    c.on_a = placed_[0]->to_world(on_a);
    c.on_b = placed_[0]->to_world(on_b);
    c.feature = feature;
    out_.push_back(c);
    return &out_.back();
}

void Manifold::describe(ContactPoint* contact) const {
    if (contact == nullptr) return;
    const SupportFeature a = support_feature(core_[0], outward_[0]),
                         b = support_feature(core_[1], outward_[1]);
    contact->curvature_a = world_curvature(0, a.curvature);
    contact->curvature_b = world_curvature(1, b.curvature);
    contact->normal_of = normal_of(a, b);
}

void Manifold::add_deepest() {
    describe(add_contact({deepest_.on_a, deepest_.on_b}, {core_[0].ball, core_[1].ball},
                         1u << 31 | support_feature(core_[0], outward_[0]).name << 16
                             | support_feature(core_[1], outward_[1]).name));
}

}  // namespace

void add_manifold(const Placed& a, const Placed& b, const RelativePose& pose,
                  const ConvexDistance& deepest, double margin, ContactPoints& out) {
    Manifold manifold(a, b, pose, deepest, margin, out);
    if (!manifold.add_overlap()) manifold.add_deepest();
}

bool add_overlap(const Placed& a, const Placed& b, const RelativePose& pose,
                 const ConvexDistance& deepest, double margin, ContactPoints& out) {
    const size_t first = out.size();
    if (Manifold(a, b, pose, deepest, margin, out).add_overlap()) return true;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    return false;
}

}  // namespace bristle::collision
