#include "impulse/bodies.h"

#include "impulse/numerics.h"
#include "math/symmetric_eigen.h"
#include "mechanics/added_inertia.h"
#include "mechanics/welding.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

Mat3 with_least_inertia(const Mat3& inertia, double mass, double arm) {
    const auto [values, axes] = symmetric_eigen(inertia);
    const double largest = std::max({values.x, values.y, values.z}),
                 radius = mechanics::point_radius_share * arm,
                 least =
                     largest > 0 ? mechanics::least_moment_share * largest : mass * radius * radius,
                 smallest = mechanics::smallest_moment_share * largest;
    Mat3 out;
    for (int k = 0; k < 3; ++k)
        out = out
            + std::max(values[k],
                       values[k] > mechanics::no_moment_share * largest ? smallest : least)
                  * Mat3::outer(axes.column(k), axes.column(k));
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
        if (!model::joins_bodies(j)) continue;
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

Vec3 spin_after(const Group& group, Vec3 before, double time) {
    const Mat3& inertia = group.inertia;
    const auto skew = [](Vec3 v) {
        return Mat3{{{{0, v.z, -v.y}, {-v.z, 0, v.x}, {v.y, -v.x, 0}}}};
    };
    // In parts so short that Newton's method finds the root it starts from.
    const double parts = std::clamp(std::ceil(time * norm(before) / longest_spin_part), 1.0, 100.0);
    const double part = time / parts;
    Vec3 spin = before;
    for (int k = 0; k < static_cast<int>(parts); ++k) {
        Vec3 after = spin;
        for (int i = 0; i < most_spin_iterations; ++i) {
            const Vec3 mean = 0.5 * (spin + after), momentum = inertia * mean;
            const Vec3 off = inertia * (after - spin) + part * cross(mean, momentum);
            const Mat3 slope = inertia + (0.5 * part) * (skew(mean) * inertia - skew(momentum));
            const Vec3 change = inverse(slope) * off;
            after -= change;
            if (norm(change) <= 1e-14 * norm(after)) break;
        }
        spin = after;
    }
    return is_finite(spin) ? spin : before;
}

Groups::Groups(const Model& model) {
    const auto& bodies = model.bodies();
    const mechanics::Welding welding = mechanics::weld(model);
    size_ = mechanics::model_size(model, welding);
    groups_.resize(welding.groups.size());
    members_.resize(bodies.size());
    std::vector<Quat> frame(groups_.size());
    for (uint32_t g = 0; g < groups_.size(); ++g) {
        const mechanics::WeldedGroup& welded = welding.groups[g];
        if (!welded.is_ground) {
            frame[g] = normalized(bodies[welded.bodies.front().index].orientation);
            groups_[g].mass = welded.mass;
            groups_[g].inertia = in_world(welded.inertia(), frame[g].conjugate().matrix());
        }
        for (BodyId id : welded.bodies) {
            const Body& b = bodies[id.index];
            members_[id.index] = {g, frame[g].conjugate().matrix() * (b.position - welded.center),
                                  frame[g].conjugate() * normalized(b.orientation)};
        }
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
