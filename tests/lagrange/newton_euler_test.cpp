// An independent way to the accelerations at the start: Newton and Euler for every body, with the joints'
// rows differentiated by differences, solved densely. Nothing of natural coordinates is in it.
#include "lagrange/kinematics.h"
#include "lagrange/reactions.h"
#include "lagrange/solver.h"
#include "tests/support/mechanisms.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace bristle::lagrange {
namespace {

using namespace testing_support;

Eigen::Vector3d eigen(Vec3 v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d eigen(const Mat3& m) {
    Eigen::Matrix3d out;
    for (int i = 0; i < 3; ++i) out.row(i) = eigen(m.row[static_cast<size_t>(i)]).transpose();
    return out;
}
Eigen::Matrix3d skew(Vec3 a) {
    Eigen::Matrix3d s;
    s << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
    return s;
}

class NewtonEuler : public testing::TestWithParam<int> {
  protected:
    // A random mechanism with gears between what can be geared, and springs.
    static Model make(int seed) {
        Mechanism m = random_mechanism(static_cast<uint64_t>(seed));
        std::vector<JointId> coordinates;
        for (JointId j : m.joints)
            if (m.model.has_coordinate(j) && m.model.joints()[j.index].type != JointType::distance)
                coordinates.push_back(j);
        if (seed % 3 == 0 && coordinates.size() >= 2)
            m.model.add(Gear{.first = coordinates[0], .second = coordinates[1], .ratio = -0.7});
        if (seed % 2 == 0)
            m.model.add(Spring{.a = m.bodies[0],
                               .b = m.bodies[2],
                               .at_a = {0.3, 0, 0.5},
                               .at_b = {1, 2, 0.5},
                               .stiffness = 50,
                               .damping = 4,
                               .free_length = 1});
        return m.model;
    }

    NewtonEuler()
        : system(build_system(make(GetParam()), {})),
          solver(system),
          bodies(system.model().bodies().size() - 1) {
        solver.initialize(state);
        solve();
    }

    // Rows as functionals on (velocity of the body's point at the world's origin, angular velocity).
    Eigen::MatrixXd rows_at(double t) const {
        const std::vector<Vec4> q = moved(state.position, t, state.velocity);
        std::vector<WrenchRow> all;
        for (uint32_t j = 0; j < system.model().joints().size(); ++j)
            for (WrenchRow& row : joint_rows(system, q.data(), {j})) all.push_back(std::move(row));
        Eigen::MatrixXd g = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(all.size()),
                                                  static_cast<Eigen::Index>(6 * bodies));
        for (size_t r = 0; r < all.size(); ++r) {
            for (const auto& side : all[r].sides) {
                if (side.body.index == 0) continue;
                const auto at = static_cast<Eigen::Index>(6 * (side.body.index - 1));
                g.block<1, 3>(static_cast<Eigen::Index>(r), at) += eigen(side.force).transpose();
                g.block<1, 3>(static_cast<Eigen::Index>(r), at + 3) +=
                    eigen(side.moment).transpose();
            }
        }
        return g;
    }

    void solve() {
        const auto n = static_cast<Eigen::Index>(6 * bodies);
        const double e = 1e-3;
        rows = rows_at(0);
        const Eigen::MatrixXd rates =
            (8 * (rows_at(e) - rows_at(-e)) - (rows_at(2 * e) - rows_at(-2 * e))) / (12 * e);
        Eigen::VectorXd velocity(n), convective(n), load(n);
        Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
        // v̇ₒ = a − α × c − ω × v with a of the centre: x = shift · (a, α) + convective
        Eigen::MatrixXd shift = Eigen::MatrixXd::Identity(n, n);
        for (uint32_t i = 1; i <= bodies; ++i) {
            const auto at = static_cast<Eigen::Index>(6 * (i - 1));
            const Body& body = system.model().bodies()[i];
            const Pose pose = body_pose(system, state.position.data(), {i});
            const Twist twist =
                body_twist(system, state.position.data(), state.velocity.data(), {i});
            const Vec3 c = pose * body.center, w = twist.angular,
                       v = twist.linear + cross(w, c - pose.position);
            const Mat3 r = pose.orientation.matrix(), inertia = r * body.inertia * r.transposed();
            velocity.segment<3>(at) = eigen(v - cross(w, c));
            velocity.segment<3>(at + 3) = eigen(w);
            convective.segment<3>(at) = -eigen(cross(w, v));
            convective.segment<3>(at + 3).setZero();
            shift.block<3, 3>(at, at + 3) = skew(c);
            mass.block<3, 3>(at, at) = body.mass * Eigen::Matrix3d::Identity();
            mass.block<3, 3>(at + 3, at + 3) = eigen(inertia);
            load.segment<3>(at) = eigen(body.mass * system.model().gravity);
            load.segment<3>(at + 3) = -eigen(cross(w, inertia * w));
            centers.push_back(c);
            twists.push_back(twist);
        }
        add_springs(load);
        rate_error = (rows * velocity).norm();
        const Eigen::MatrixXd g =
            rows * shift;  // on (a, α); its transpose gives forces, and moments about centres
        const Eigen::Index m = g.rows();
        Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + m, n + m);
        kkt << mass, -g.transpose(), g, Eigen::MatrixXd::Zero(m, m);
        Eigen::VectorXd right(n + m);
        right << load, -(rates * velocity + rows * convective);
        const Eigen::VectorXd x = kkt.completeOrthogonalDecomposition().solve(right);
        residual = (kkt * x - right).norm() / (1 + right.norm());
        motion = x.head(n);
        multipliers = x.tail(m);
    }

    void add_springs(Eigen::VectorXd& load) const {
        for (const Spring& s : system.model().springs()) {
            const auto velocity = [&](BodyId id, Vec3 at) {
                const Twist& t = twists[id.index - 1];
                return t.linear
                     + cross(t.angular, at - body_pose(system, state.position.data(), id).position);
            };
            const double length = norm(s.at_b - s.at_a);
            const Vec3 u = (s.at_b - s.at_a) / length;
            const double tension =
                s.stiffness * (length - s.free_length)
                + s.damping * dot(u, velocity(s.b, s.at_b) - velocity(s.a, s.at_a));
            const auto push = [&](BodyId id, Vec3 at, Vec3 force) {
                const auto k = static_cast<Eigen::Index>(6 * (id.index - 1));
                load.segment<3>(k) += eigen(force);
                load.segment<3>(k + 3) += eigen(cross(at - centers[id.index - 1], force));
            };
            push(s.a, s.at_a, tension * u);
            push(s.b, s.at_b, -tension * u);
        }
    }

    System system;
    Solver solver;
    state::State state;
    size_t bodies;
    std::vector<Vec3> centers;
    std::vector<Twist> twists;
    Eigen::MatrixXd rows;
    Eigen::VectorXd motion, multipliers;
    double rate_error = 0, residual = 0;
};

TEST_P(NewtonEuler, GivesTheAccelerationsOfTheStart) {
    ASSERT_LE(rate_error, 1e-8) << "the start's velocities break the joints";
    ASSERT_LE(residual, 1e-9);
    for (uint32_t i = 1; i <= bodies; ++i) {
        const auto at = static_cast<Eigen::Index>(6 * (i - 1));
        const Vec3 a{motion(at), motion(at + 1), motion(at + 2)},
            alpha{motion(at + 3), motion(at + 4), motion(at + 5)};
        const Vec3 origin = body_pose(system, state.position.data(), {i}).position,
                   arm = origin - centers[i - 1], w = twists[i - 1].angular;
        const Vec3 known = a + cross(alpha, arm) + cross(w, cross(w, arm));
        const Vec3 mine =
            point_rate(system, state.position.data(), state.acceleration.data(), {i}, origin);
        EXPECT_NEAR(norm(mine - known), 0, 1e-8 * (1 + norm(known))) << "body " << i;
        // A second point tells the angular acceleration too.
        const Vec3 other = centers[i - 1] + Vec3{0.3, -0.2, 0.4}, reach = other - centers[i - 1];
        const Vec3 there = a + cross(alpha, reach) + cross(w, cross(w, reach));
        EXPECT_NEAR(
            norm(point_rate(system, state.position.data(), state.acceleration.data(), {i}, other)
                 - there),
            0, 1e-8 * (1 + norm(there)))
            << "body " << i;
    }
}

TEST_P(NewtonEuler, GivesTheReactionsWhereTheyAreDetermined) {
    if (ReactionSolver(system).mobility(state.position.data()).redundant_constraints > 0) return;
    std::vector<Reaction> mine;
    ReactionSolver(system).solve(state, mine);
    Eigen::Index row = 0;
    for (uint32_t j = 0; j < system.model().joints().size(); ++j) {
        const Joint& joint = system.model().joints()[j];
        Vec3 force, moment;
        for (const WrenchRow& r : joint_rows(system, state.position.data(), {j})) {
            for (const auto& side : r.sides) {
                if (!(side.body == joint.b)) continue;
                force += multipliers(row) * side.force;
                moment += multipliers(row) * side.moment;
            }
            ++row;
        }
        if (joint.type == JointType::gear) continue;
        moment -= cross(joint.at_b, force);
        EXPECT_NEAR(norm(mine[j].force - force), 0, 1e-6 * (1 + multipliers.norm()))
            << to_string(joint.type);
        EXPECT_NEAR(norm(mine[j].moment - moment), 0, 1e-6 * (1 + multipliers.norm()))
            << to_string(joint.type);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, NewtonEuler, testing::Range(1, 61));

}  // namespace
}  // namespace bristle::lagrange
