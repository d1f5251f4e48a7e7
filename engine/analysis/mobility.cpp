// Degrees of freedom and redundant conditions (spec A14), from the rows of the joints' wrenches as
// ReactionSolver has them.
//
// Joint after joint, its rows are made orthogonal to those of the joints before it. What vanishes is a
// condition that follows from theirs; with which shares is read from the triangle that the orthogonalization
// leaves.
#include <bristle/analysis.h>

#include "analysis/freedoms.h"
#include "analysis/small_motion.h"
#include "lagrange/kinematics.h"
#include "lagrange/reactions.h"
#include "step/world_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle {

using namespace analysis;
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows of a joint over the twists of all bodies, moments about each body's frame and over the arm.
MatrixXd wrench_matrix(const lagrange::System& s, const Vec4* q, JointId id, double arm) {
    const auto rows = joint_rows(s, q, id);
    const auto bodies = static_cast<Index>(s.model().bodies().size());
    MatrixXd out = MatrixXd::Zero(static_cast<Index>(rows.size()), 6 * (bodies - 1));
    for (size_t r = 0; r < rows.size(); ++r) {
        for (const lagrange::WrenchRow::Side& side : rows[r].sides) {
            if (side.body.index == 0) continue;
            const Vec3 at = body_pose(s, q, side.body).position;
            const Vec3 moment = (side.moment - cross(at, side.force)) / arm;
            const Index first = 6 * (static_cast<Index>(side.body.index) - 1);
            for (int c = 0; c < 3; ++c) {
                out(static_cast<Index>(r), first + c) += side.force[c];
                out(static_cast<Index>(r), first + 3 + c) += moment[c];
            }
        }
    }
    return out;
}

class Independent {
  public:
    explicit Independent(Index size) : basis_(size, 0), triangle_(size, size) {
        triangle_.setZero();
    }

    Index rank() const { return basis_.cols(); }
    const MatrixXd& basis() const { return basis_; }

    // Takes rows in under this owner; combinations of them that were there already, by columns.
    MatrixXd add(const MatrixXd& rows, uint32_t owner) {
        if (rows.rows() == 0 || rows.cols() == 0) return {};
        const Index before = rank();
        MatrixXd known = rows * basis_, rest = rows - known * basis_.transpose();
        const MatrixXd again = rest * basis_;
        known += again;
        rest -= again * basis_.transpose();
        const Eigen::JacobiSVD<MatrixXd> svd(rest.transpose(),
                                             Eigen::ComputeThinU | Eigen::ComputeFullV);
        const Index fresh = (svd.singularValues().array() > tolerance_).count();
        basis_.conservativeResize(Eigen::NoChange, before + fresh);
        basis_.rightCols(fresh) = svd.matrixU().leftCols(fresh);
        for (Index k = 0; k < fresh; ++k) {
            triangle_.row(before + k).head(before) = svd.matrixV().col(k).transpose() * known;
            triangle_(before + k, before + k) = svd.singularValues()[k];
            owner_.push_back(owner);
        }
        return svd.matrixV().rightCols(rows.rows() - fresh);
    }

    // Whose rows a combination consists of.
    std::vector<uint32_t> owners_of(const VectorXd& combination) const {
        const Index r = rank();
        const VectorXd shares =
            triangle_.topLeftCorner(r, r).transpose().triangularView<Eigen::Upper>().solve(
                basis_.transpose() * combination);
        std::vector<uint32_t> out;
        for (Index k = 0; k < r; ++k)
            if (std::abs(shares[k]) > 1e-6) out.push_back(owner_[static_cast<size_t>(k)]);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

  private:
    static constexpr double tolerance_ = rank_tolerance;
    MatrixXd basis_, triangle_;
    std::vector<uint32_t> owner_;
};

// What a body of a planar model cannot do, whatever its joints: leave the plane, and turn out of it.
MatrixXd out_of_plane(Vec3 normal, Index columns, uint32_t body) {
    MatrixXd out = MatrixXd::Zero(3, columns);
    const Index first = 6 * (static_cast<Index>(body) - 1);
    const Vec3 across = any_perpendicular(normal), other = cross(normal, across);
    for (int c = 0; c < 3; ++c) {
        out(0, first + c) = normal[c];
        out(1, first + 3 + c) = across[c];
        out(2, first + 3 + c) = other[c];
    }
    return out;
}

// Of a joint's rows as many combinations as say something in the plane. The rows of the plane are of length one and across each other.
MatrixXd in_plane_part(const MatrixXd& own, const MatrixXd& plane) {
    if (own.rows() == 0)
        return own;  // a strut holds nothing, and what is empty has no largest element
    const MatrixXd left = own - own * plane.transpose() * plane;
    const Eigen::JacobiSVD<MatrixXd> svd(left.transpose(),
                                         Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Index count = (svd.singularValues().array() > rank_tolerance).count();
    return svd.singularValues().head(count).asDiagonal()
         * svd.matrixU().leftCols(count).transpose();
}

// A slender rod does not turn about itself, and a point does not turn at all.
MatrixXd idle_turns(const lagrange::System& s, const Vec4* q, uint32_t body) {
    const lagrange::GroupFrame& frame = s.frames[s.group_of[body]];
    const Index columns = 6 * (static_cast<Index>(s.model().bodies().size()) - 1),
                first = 6 * (static_cast<Index>(body) - 1) + 3;
    if (s.group_of[body] == 0 || frame.axis.size() >= 2) return MatrixXd(0, columns);
    MatrixXd out = MatrixXd::Zero(frame.axis.empty() ? 3 : 1, columns);
    if (frame.axis.empty()) {
        out.middleCols<3>(first).setIdentity();
    } else {
        const Vec3 along = carry_axis(s, q, {body}, frame.axis_start[0]);
        for (int c = 0; c < 3; ++c) out(0, first + c) = along[c];
    }
    return out;
}

std::vector<BodyMotion> motions_beside(const MatrixXd& basis) {
    const Index size = basis.rows(), free = size - basis.cols();
    MatrixXd rest = MatrixXd::Zero(size, free);
    rest.bottomRows(free).setIdentity();
    if (basis.cols() > 0) {
        const Eigen::HouseholderQR<MatrixXd> factors(basis);
        rest.applyOnTheLeft(factors.householderQ());
    }
    std::vector<BodyMotion> out;
    for (Index k = 0; k < free; ++k) {
        BodyMotion m(1);
        for (Index i = 0; i < size; i += 6)
            m.push_back({{rest(i, k), rest(i + 1, k), rest(i + 2, k)},
                         {rest(i + 3, k), rest(i + 4, k), rest(i + 5, k)}});
        out.push_back(std::move(m));
    }
    return out;
}

}  // namespace

Mobility mobility(const World& world) {
    const lagrange::System& s = WorldAccess::system(world);
    const Vec4* const q = WorldAccess::state(world).position.data();
    const auto bodies = WorldAccess::body_ids(world);
    const auto joints = WorldAccess::joint_ids(world);
    const double arm = s.size;
    Mobility out;
    Independent rows(6 * (static_cast<Index>(s.model().bodies().size()) - 1));
    // What keeps bodies in the plane of a planar model comes first, and is nobody's joint: of a joint only that counts which the
    // plane does not say anyhow.
    MatrixXd plane(0, rows.basis().rows());
    if (s.model().plane_normal) {
        plane.resize(3 * (static_cast<Index>(s.model().bodies().size()) - 1), Eigen::NoChange);
        for (uint32_t b = 1; b < s.model().bodies().size(); ++b)
            plane.middleRows<3>(3 * (static_cast<Index>(b) - 1)) =
                out_of_plane(normalized(*s.model().plane_normal), plane.cols(), b);
        rows.add(plane, lagrange::none);
    }
    for (uint32_t j = 0; j < joints.size(); ++j) {
        MatrixXd own = wrench_matrix(s, q, {j}, arm);
        if (plane.rows() > 0) own = in_plane_part(own, plane);
        const MatrixXd repeated = rows.add(own, j);
        if (repeated.cols() == 0) continue;
        out.redundant_constraints += static_cast<int>(repeated.cols());
        Mobility::Redundancy r{.joint = joints[j],
                               .conditions = static_cast<int>(own.rows()),
                               .redundant = static_cast<int>(repeated.cols())};
        std::vector<uint32_t> owners;
        for (Index k = 0; k < repeated.cols(); ++k)
            for (uint32_t owner : rows.owners_of(own.transpose() * repeated.col(k)))
                if (owner != j && owner != lagrange::none) owners.push_back(owner);
        std::sort(owners.begin(), owners.end());
        owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
        for (uint32_t owner : owners) r.implied_by.push_back(joints[owner]);
        out.redundancies.push_back(std::move(r));
    }
    for (uint32_t b = 1; b < s.model().bodies().size(); ++b)
        rows.add(idle_turns(s, q, b), lagrange::none);

    auto motions = motions_beside(rows.basis());
    for (BodyMotion& m : motions)
        for (Twist& t : m) t.angular = t.angular / arm;
    motions = combined(motions, separated(s, q, motions, arm));
    out.degrees_of_freedom = static_cast<int>(motions.size());
    for (const BodyMotion& m : motions) {
        Mobility::Freedom freedom;
        freedom.motion.resize(world.model().bodies().size());
        double largest = 0;
        const auto speed = [&](const Twist& t) {
            return std::max(norm(t.linear), arm * norm(t.angular));
        };
        for (const Twist& t : m) largest = std::max(largest, speed(t));
        for (size_t b = 0; b < m.size(); ++b) {
            freedom.motion[bodies[b].index] = m[b];
            if (speed(m[b]) > 1e-7 * largest) freedom.bodies.push_back(bodies[b]);
        }
        for (uint32_t j = 0; j < joints.size(); ++j)
            if (joint_rates(s, q, {j}, {m}, arm).cwiseAbs().maxCoeff() > 1e-7 * largest)
                freedom.joints.push_back(joints[j]);
        out.freedoms.push_back(std::move(freedom));
    }
    return out;
}

std::string explain(const Mobility& mobility, const World& world) {
    const Model& model = world.model();
    const auto name = [](const std::string& own, uint32_t index) {
        return own.empty() ? std::to_string(index) : "'" + own + "'";
    };
    const auto joint_name = [&](JointId id) {
        return name(model.joints()[id.index].name, id.index);
    };
    const auto list = [](const auto& ids, const auto& name_of) {
        constexpr size_t most = 8;
        std::string out;
        for (size_t i = 0; i < ids.size() && i < most; ++i)
            out += (i ? ", " : "") + name_of(ids[i]);
        if (ids.size() > most) out += fmt::format(" and {} more", ids.size() - most);
        return out;
    };
    const auto counted = [](int n, const char* one, const char* many) {
        return fmt::format("{} {}", n, n == 1 ? one : many);
    };
    std::string out = fmt::format(
        "{}, {}\n", counted(mobility.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
        counted(mobility.redundant_constraints, "redundant condition", "redundant conditions"));
    for (const auto& r : mobility.redundancies)
        out += fmt::format("joint {} ({}): {} of its {} conditions already follow{} from {}\n",
                           joint_name(r.joint), to_string(model.joints()[r.joint.index].type),
                           r.redundant, r.conditions, r.redundant == 1 ? "s" : "",
                           !r.implied_by.empty() ? list(r.implied_by, joint_name)
                           : model.plane_normal  ? "the plane"
                                                 : "its other ones");
    for (size_t i = 0; i < mobility.freedoms.size(); ++i) {
        const auto& f = mobility.freedoms[i];
        out += fmt::format("freedom {}: moves {} {}", i + 1,
                           f.bodies.size() == 1 ? "body" : "bodies", list(f.bodies, [&](BodyId id) {
                               return name(model.bodies()[id.index].name, id.index);
                           }));
        out += f.joints.empty()
                 ? std::string(" freely\n")
                 : fmt::format(" in {} {}\n", f.joints.size() == 1 ? "joint" : "joints",
                               list(f.joints, joint_name));
    }
    return out;
}

}  // namespace bristle
