#include "analysis/freedoms.h"

#include "analysis/small_motion.h"
#include "lagrange/kinematics.h"
#include "model/joint_kind.h"

#include <cmath>

namespace bristle::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

BodyMotion body_motion(const lagrange::System& s, const Vec4* q, const Eigen::VectorXd& motion) {
    const auto velocity = entities_of(motion);
    BodyMotion out;
    for (uint32_t b = 0; b < s.model().bodies().size(); ++b)
        out.push_back(body_twist(s, q, velocity.data(), {b}));
    return out;
}

MatrixXd joint_rates(const lagrange::System& s, const Vec4* q, JointId id,
                     const std::vector<BodyMotion>& motions, double arm) {
    const Joint& j = s.model().joints()[id.index];
    MatrixXd out = MatrixXd::Zero(6, static_cast<Index>(motions.size()));
    if (!model::joins_bodies(j)) return out;
    const Vec3 axis = norm(j.axis) > 0 ? carry_axis(s, q, j.a, j.axis) : Vec3{1, 0, 0};
    const Vec3 u = any_perpendicular(axis), v = cross(axis, u);
    const auto velocity = [&](BodyId body, Vec3 at, const BodyMotion& m) {
        const Vec3 from = body_pose(s, q, body).position;
        return m[body.index].linear + cross(m[body.index].angular, at - from);
    };
    const Vec3 at_a = carry_point(s, q, j.a, j.at_a), at_b = carry_point(s, q, j.b, j.at_b);
    // A point of a plane or line may be far from where it started: compare where b's side is now.
    const Vec3 place_a = model::kind_of(j).place == model::Place::distance ? at_a : at_b;
    for (size_t k = 0; k < motions.size(); ++k) {
        const BodyMotion& m = motions[k];
        const Vec3 turn = arm * (m[j.b.index].angular - m[j.a.index].angular);
        const Vec3 shift = velocity(j.b, at_b, m) - velocity(j.a, place_a, m);
        int row = 0;
        for (const Vec3& rate : {turn, shift})
            for (const Vec3& along : {axis, u, v})
                out(row++, static_cast<Index>(k)) = dot(rate, along);
    }
    return out;
}

std::vector<BodyMotion> combined(const std::vector<BodyMotion>& motions, const MatrixXd& by) {
    std::vector<BodyMotion> out(static_cast<size_t>(by.cols()));
    for (size_t k = 0; k < out.size(); ++k) {
        out[k].resize(motions.empty() ? 0 : motions[0].size());
        for (size_t i = 0; i < motions.size(); ++i) {
            const double c = by(static_cast<Index>(i), static_cast<Index>(k));
            for (size_t b = 0; b < out[k].size(); ++b) {
                out[k][b].linear += c * motions[i][b].linear;
                out[k][b].angular += c * motions[i][b].angular;
            }
        }
    }
    return out;
}

// Gauss and Jordan on columns: a row whose entry is left in some free column makes that column its own.
MatrixXd separated(const lagrange::System& s, const Vec4* q, const std::vector<BodyMotion>& motions,
                   double arm) {
    const auto count = static_cast<Index>(motions.size());
    MatrixXd by = MatrixXd::Identity(count, count);
    Index done = 0;
    const auto take = [&](const RowVectorXd& row, double unit) {
        if (done == count) return;
        RowVectorXd now = row * by;
        Index pivot = 0;
        const double largest = now.tail(count - done).cwiseAbs().maxCoeff(&pivot);
        if (!(largest > 1e-6 * row.norm()) || !(largest > 0)) return;
        pivot += done;
        by.col(pivot).swap(by.col(done));
        std::swap(now[pivot], now[done]);
        by.col(done) *= unit / now[done];
        now[done] = unit;
        for (Index k = 0; k < count; ++k)
            if (k != done) by.col(k) -= now[k] / unit * by.col(done);
        ++done;
    };
    double largest = 0;
    for (const BodyMotion& m : motions)
        for (const Twist& t : m)
            largest = std::max({largest, norm(t.linear), arm * norm(t.angular)});
    const auto take_all = [&](const MatrixXd& rows) {
        // Rates that are rounding belong to no freedom. The first three rows are turns.
        for (Index r = 0; r < rows.rows(); ++r)
            if (rows.row(r).cwiseAbs().maxCoeff() > 1e-7 * largest)
                take(rows.row(r), r < 3 ? arm : 1.0);
    };
    if (count == 0) return by;
    for (uint32_t j = 0; j < s.model().joints().size(); ++j)
        take_all(joint_rates(s, q, {j}, motions, arm));
    for (uint32_t b = 1; b < s.model().bodies().size() && done < count; ++b) {
        MatrixXd rows(6, count);
        for (Index k = 0; k < count; ++k) {
            const Twist& t = motions[static_cast<size_t>(k)][b];
            rows.col(k) << arm * t.angular.x, arm * t.angular.y, arm * t.angular.z, t.linear.x,
                t.linear.y, t.linear.z;
        }
        take_all(rows);
    }
    return by;
}

}  // namespace bristle::analysis
