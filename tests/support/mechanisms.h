// Random trees and loops of 3 to 8 bodies, with random joints, geometry and inertias.
#pragma once

#include <bristle/model.h>

#include "lagrange/equations.h"
#include "tests/support/random.h"
#include "tests/support/rows.h"

#include <Eigen/Dense>

#include <vector>

namespace bristle::testing_support {

struct MechanismOptions {
    bool floats = false;    // nothing touches the ground, and there is no gravity
    int loops = -1;         // joints beyond a tree; −1: none to two
    bool slender = false;   // rods on ball joints among the boxes, and no loops
    bool centered = false;  // frames at the centres of mass
};

struct Mechanism {
    Model model;
    std::vector<BodyId> bodies;
    std::vector<JointId> joints;
};

// A body with a centre off its frame's origin and inertia axes off the frame's, but never thin.
inline Body random_body(Random& random, Vec3 near) {
    Body b = Body::box({random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)},
                       random.uniform(0.5, 3));
    const Mat3 r = random.rotation().matrix();
    b.inertia = r * b.inertia * r.transposed();
    b.inertia = 0.5 * (b.inertia + b.inertia.transposed());
    b.center = random.vector(0.2);
    return b.at(near + random.vector(0.3), random.rotation())
        .moving(random.vector(1), random.vector(2));
}

inline JointId add_joint(Model& m, JointType type, BodyId a, BodyId b, Vec3 at, Random& random) {
    const Vec3 u = random.direction();
    switch (type) {
        case JointType::fixed: return m.add(Fixed{.a = a, .b = b, .at = at});
        case JointType::revolute: return m.add(Revolute{.a = a, .b = b, .at = at, .axis = u});
        case JointType::prismatic: return m.add(Prismatic{.a = a, .b = b, .at = at, .axis = u});
        case JointType::cylindrical: return m.add(Cylindrical{.a = a, .b = b, .at = at, .axis = u});
        case JointType::spherical: return m.add(Spherical{.a = a, .b = b, .at = at});
        case JointType::universal:
            return m.add(
                Universal{.a = a, .b = b, .at = at, .axis_a = u, .axis_b = any_perpendicular(u)});
        case JointType::planar: return m.add(Planar{.a = a, .b = b, .at = at, .normal = u});
        case JointType::point_on_line:
            return m.add(PointOnLine{.a = a, .b = b, .at = at, .axis = u});
        case JointType::point_on_plane:
            return m.add(PointOnPlane{.a = a, .b = b, .at = at, .normal = u});
        case JointType::screw:
            return m.add(
                Screw{.a = a, .b = b, .at = at, .axis = u, .lead = random.uniform(0.2, 1)});
        default:
            return m.add(
                Distance{.a = a, .b = b, .at_a = at, .at_b = at + random.uniform(0.4, 1) * u});
    }
}

inline Mechanism random_mechanism(uint64_t seed, MechanismOptions options = {}) {
    constexpr JointType kinds[] = {
        JointType::revolute,    JointType::revolute,      JointType::prismatic,
        JointType::cylindrical, JointType::spherical,     JointType::universal,
        JointType::planar,      JointType::point_on_line, JointType::point_on_plane,
        JointType::distance,    JointType::screw,         JointType::fixed};
    Random random(seed * 7919 + 13);
    Mechanism out;
    Model& m = out.model;
    if (options.floats) m.gravity = {};
    const int count = random.integer(3, 8);
    std::vector<Vec3> place;
    std::vector<bool> is_rod;
    for (int i = 0; i < count; ++i) {
        const int parent =
            i == 0 || (!options.floats && random.chance(0.15)) ? -1 : random.integer(0, i - 1);
        const Vec3 from = parent < 0 ? Vec3{} : place[static_cast<size_t>(parent)];
        // A rod has no inertia about itself: nothing may hold it beside its line, or turn it.
        const bool on_rod = parent >= 0 && is_rod[static_cast<size_t>(parent)];
        const Vec3 at = on_rod ? from : from + 0.6 * random.direction();
        place.push_back(at + 0.6 * random.direction());
        is_rod.push_back(options.slender && random.chance(0.4));
        const bool balls = on_rod || is_rod.back();
        Body body = is_rod.back() ? Body::rod(at, place.back(), random.uniform(0.5, 3))
                                        .moving(random.vector(1), random.vector(2))
                                  : random_body(random, place.back());
        if (options.centered) body.center = {};
        out.bodies.push_back(m.add(body));
        if (parent < 0 && options.floats) continue;
        const BodyId base = parent < 0 ? m.ground() : out.bodies[static_cast<size_t>(parent)];
        out.joints.push_back(add_joint(m,
                                       balls ? JointType::spherical : kinds[random.integer(0, 11)],
                                       base, out.bodies.back(), at, random));
    }
    const int loops = options.slender   ? 0
                    : options.loops < 0 ? random.integer(0, 2)
                                        : options.loops;
    constexpr JointType ties[] = {JointType::distance, JointType::point_on_plane,
                                  JointType::point_on_line, JointType::spherical};
    for (int i = 0; i < loops; ++i) {
        const auto a = static_cast<size_t>(random.integer(0, count - 1)),
                   b = (a + 1 + static_cast<size_t>(random.integer(0, count - 2)))
                     % static_cast<size_t>(count);
        out.joints.push_back(add_joint(m, ties[random.integer(0, 3)], out.bodies[a], out.bodies[b],
                                       0.5 * (place[a] + place[b]), random));
    }
    return out;
}

// Unknowns less independent rows, at the start.
inline int entity_freedom(const Model& model) {
    const lagrange::System s = lagrange::build_system(model, {});
    lagrange::Equations equations(s);
    state::State state = resting_state(s);
    equations.evaluate_rows(state);
    const auto n = static_cast<Eigen::Index>(3 * s.entity_count);
    Eigen::MatrixXd j(static_cast<Eigen::Index>(s.row_count() + 3 * s.closures.size()), n);
    for (Eigen::Index k = 0; k < n; ++k) {
        std::fill(state.velocity.begin(), state.velocity.end(), Vec4{});
        state.velocity[static_cast<size_t>(k / 3)][k % 3] = 1;
        equations.evaluate_velocity_rows(state);
        const Rows column = violations(equations);
        for (size_t i = 0; i < column.size(); ++i) j(static_cast<Eigen::Index>(i), k) = column[i];
    }
    if (j.rows() == 0) return static_cast<int>(n);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(j);
    qr.setThreshold(1e-9);
    return static_cast<int>(n - qr.rank());
}

}  // namespace bristle::testing_support
