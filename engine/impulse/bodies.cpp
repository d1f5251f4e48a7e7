#include "impulse/bodies.h"

#include "base/union_find.h"
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

// Of its largest; see the header.
constexpr double least_share = 1e-3;
// Radius of gyration of what has no extent at all, over the longest arm at which something holds it: small enough not to
// be noticed beside the mass at that arm (1e-5 of its inertia).
constexpr double point_share = 0.003;

Mat3 with_least_inertia(const Mat3& inertia, double mass, double arm) {
    const auto [values, axes] = symmetric_eigen(inertia);
    const double largest = std::max({values.x, values.y, values.z}), radius = point_share * arm,
                 least = largest > 0 ? least_share * largest : mass * radius * radius;
    Mat3 out;
    for (int k = 0; k < 3; ++k)
        out = out + std::max(values[k], least) * Mat3::outer(axes.column(k), axes.column(k));
    return out;
}

// m: how far from its body's centre of mass a joint or spring holds it, at most; 1 if nothing does.
std::vector<double> longest_arms(const Model& model) {
    std::vector<double> arm(model.bodies().size());
    const auto look = [&](BodyId id, Vec3 at) {
        const Body& b = model.bodies()[id.index];
        const Vec3 center = Pose{b.position, b.orientation} * b.center;
        arm[id.index] = std::max(arm[id.index], norm(at - center));
    };
    for (const Joint& j : model.joints()) {
        if (j.type == JointType::gear) continue;
        look(j.a, j.at_a);
        look(j.b, j.at_b);
    }
    for (const Spring& s : model.springs()) {
        look(s.a, s.at_a);
        look(s.b, s.at_b);
    }
    for (double& a : arm)
        if (!(a > 0)) a = 1;
    return arm;
}

bool is_round(const Mat3& m) {
    const double mean = m.trace() / 3;
    double off = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) off = std::max(off, std::abs(m(i, j) - (i == j ? mean : 0)));
    return off <= 1e-9 * mean;
}

}  // namespace

Quat turned_by(Vec3 w) {
    const double angle = norm(w);
    // sin(x/2)/x, with its series where the quotient would lose digits.
    const double s = angle > 1e-4 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
    return {std::cos(angle / 2), s * w.x, s * w.y, s * w.z};
}

Quat normalized(Quat q) {
    const double s = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

Mat3 inverse(const Mat3& m) {
    const Vec3 a = m.column(0), b = m.column(1), c = m.column(2);
    const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    const double determinant = dot(a, bc);
    return {{{bc / determinant, ca / determinant, ab / determinant}}};
}

Groups::Groups(const Model& model) {
    const auto& bodies = model.bodies();
    UnionFind welded(bodies.size());
    for (const Joint& j : model.joints())
        if (j.type == JointType::fixed) welded.unite(j.a.index, j.b.index);

    members_.resize(bodies.size());
    std::vector<uint32_t> group_of_root(bodies.size(), 0);
    groups_.emplace_back();
    for (uint32_t i = 1; i < bodies.size(); ++i) {
        const uint32_t root = welded.find(i);
        if (root == 0) continue;
        if (group_of_root[root] == 0) {
            group_of_root[root] = static_cast<uint32_t>(groups_.size());
            groups_.emplace_back();
        }
        members_[i].group = group_of_root[root];
    }
    std::vector<Vec3> center(groups_.size());
    std::vector<Quat> frame(groups_.size());
    std::vector<bool> has_frame(groups_.size());
    const auto center_of = [](const Body& b) { return Pose{b.position, b.orientation} * b.center; };
    has_frame[0] = true;
    for (uint32_t i = 1; i < bodies.size(); ++i) {
        const uint32_t g = members_[i].group;
        if (g == 0) continue;
        groups_[g].mass += bodies[i].mass;
        center[g] += bodies[i].mass * center_of(bodies[i]);
        if (!has_frame[g]) frame[g] = normalized(bodies[i].orientation);
        has_frame[g] = true;
    }
    for (size_t g = 1; g < groups_.size(); ++g) center[g] = center[g] / groups_[g].mass;
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        const uint32_t g = members_[i].group;
        const Body& b = bodies[i];
        members_[i].turn = frame[g].conjugate() * normalized(b.orientation);
        const Mat3 to_group = frame[g].conjugate().matrix();
        members_[i].offset = to_group * (b.position - center[g]);
        if (g == 0) continue;
        const Vec3 arm = to_group * (center_of(b) - center[g]);
        groups_[g].inertia = groups_[g].inertia + in_world(b.inertia, members_[i].turn.matrix())
                           + b.mass * (dot(arm, arm) * Mat3::identity() - Mat3::outer(arm, arm));
    }
    const std::vector<double> arms = longest_arms(model);
    std::vector<double> arm(groups_.size());
    for (uint32_t i = 1; i < bodies.size(); ++i)
        arm[members_[i].group] = std::max(arm[members_[i].group], arms[i]);
    for (size_t g = 1; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        group.inertia = with_least_inertia(group.inertia, group.mass, arm[g]);
        group.inverse_inertia = inverse(group.inertia);
        group.inverse_mass = 1 / group.mass;
        group.is_round = is_round(group.inertia);
        if (!model.plane_normal) continue;
        // Nothing turns it but about the normal, which stays what it is in the group's frame.
        const Vec3 n = frame[g].conjugate().matrix() * normalized(*model.plane_normal);
        group.plane_inertia = dot(n, group.inertia * n);
        group.inverse_inertia = (1 / group.plane_inertia) * Mat3::outer(n, n);
        group.is_round = true;
    }
}

std::vector<uint32_t> Groups::owners() const {
    std::vector<uint32_t> out;
    for (const GroupMember& m : members_) out.push_back(m.group);
    return out;
}

std::vector<GroupMotion> Groups::start(const Model& model) const {
    std::vector<GroupMotion> out(groups_.size());
    std::vector<bool> is_placed(groups_.size());
    is_placed[0] = true;  // the ground is where it is
    for (uint32_t i = 1; i < members_.size(); ++i) {
        const GroupMember& m = members_[i];
        if (is_placed[m.group]) continue;
        is_placed[m.group] = true;
        const Body& b = model.bodies()[i];
        GroupMotion& g = out[m.group];
        g.orientation = normalized(b.orientation) * m.turn.conjugate();
        const Vec3 arm = g.orientation.matrix() * -m.offset;
        g.position = b.position + arm;
        g.angular_velocity = b.angular_velocity;
        g.velocity = b.velocity + cross(b.angular_velocity, arm);
    }
    return out;
}

}  // namespace bristle::impulse
