#include "analysis/small_motion.h"

#include "lagrange/kinematics.h"
#include "lagrange/measures.h"

#include <algorithm>
#include <cmath>

namespace bristle::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Index index(size_t i) { return static_cast<Index>(i); }
Index row_total(const lagrange::System& s) { return index(s.row_count() + 3 * s.closures.size()); }

void add(MatrixXd& matrix, Index row, uint32_t entity, Vec4 value) {
    for (int c = 0; c < 3; ++c) matrix(row, 3 * index(entity) + c) += value[c];
}

MatrixXd row_gradients(const lagrange::Equations& equations, const state::State& state) {
    const lagrange::System& s = equations.system;
    MatrixXd j = MatrixXd::Zero(row_total(s), 3 * index(s.entity_count));
    for (size_t i = 0; i < s.dots.size(); ++i) {
        const lagrange::DotRow& row = s.dots[i];
        Vec4 a = row.a0, b = row.b0;
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const lagrange::DotTerm& t = s.dot_terms[k];
            a = fma(t.a, state.position[t.entity], a);
            b = fma(t.b, state.position[t.entity], b);
        }
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const lagrange::DotTerm& t = s.dot_terms[k];
            add(j, index(i), t.entity, row.scale * fma(t.a, b, t.b * a));
        }
    }
    for (size_t i = 0; i < s.relations.size(); ++i) {
        const lagrange::Relation& r = s.relations[i];
        if (equations.relation[i].mode != lagrange::RowMode::active) continue;
        for (uint32_t k = r.first; k < r.first + r.count; ++k)
            add(j, index(s.dots.size() + i), s.relation_terms[k].entity,
                equations.relation_gradient(k));
    }
    for (size_t i = 0; i < s.closures.size(); ++i) {
        const lagrange::ClosureRow& row = s.closures[i];
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            for (int c = 0; c < 3; ++c)
                j(index(s.row_count() + 3 * i) + c, 3 * index(s.closure_terms[k].entity) + c) +=
                    s.closure_terms[k].c;
    }
    return j;
}

// How much bodies and rotors move: products of their speeds, turns times the size.
MatrixXd speed_products(const lagrange::System& s, const state::State& state,
                        const MatrixXd& motions) {
    const Index bodies = index(s.model().bodies().size()) - 1,
                rotors = index(s.model().coordinates().size());
    MatrixXd speeds = MatrixXd::Zero(6 * bodies + rotors, motions.cols());
    for (Index k = 0; k < motions.cols(); ++k) {
        const auto velocity = entities_of(motions.col(k));
        for (Index b = 0; b < bodies; ++b) {
            const Twist t = body_twist(s, state.position.data(), velocity.data(),
                                       {static_cast<uint32_t>(b + 1)});
            for (int c = 0; c < 3; ++c) {
                speeds(6 * b + c, k) = t.linear[c];
                speeds(6 * b + 3 + c, k) = s.size * t.angular[c];
            }
        }
        for (Index r = 0; r < rotors; ++r) {
            const lagrange::ScalarInertia& rotor = s.scalar_inertia[static_cast<size_t>(r)];
            speeds(6 * bodies + r, k) = s.size * velocity[rotor.entity][rotor.component];
        }
    }
    return speeds.transpose() * speeds;
}

class UserForces final : public ForceSink {
  public:
    UserForces(const lagrange::System& system, const Vec4* q, std::vector<Vec4>& out)
        : system_(system), q_(q), out_(out) {}
    void add_force(BodyId id, Vec3 force, Vec3 at) override {
        apply_force(system_, q_, id, force, at, out_.data());
    }
    void add_torque(BodyId id, Vec3 torque) override {
        apply_torque(system_, q_, id, torque, out_.data());
    }

  private:
    const lagrange::System& system_;
    const Vec4* q_;
    std::vector<Vec4>& out_;
};

// df/dt of a vector at zero, in error by ε⁴.
template <class F> VectorXd derivative(const F& f, double epsilon) {
    const VectorXd near = f(epsilon) - f(-epsilon), far = f(2 * epsilon) - f(-2 * epsilon);
    return (8 * near - far) / (12 * epsilon);
}

double largest_move(const lagrange::System& s, const VectorXd& motion) {
    double largest = 0;
    for (uint32_t e = 0; e < s.entity_count; ++e)
        largest = std::max(largest, motion.segment<3>(3 * index(e)).norm() / s.scale[e]);
    return largest;
}

}  // namespace

VectorXd flat(const std::vector<Vec4>& list) {
    VectorXd out(3 * index(list.size()));
    for (size_t e = 0; e < list.size(); ++e)
        for (int c = 0; c < 3; ++c) out[3 * index(e) + c] = list[e][c];
    return out;
}

std::vector<Vec4> entities_of(const VectorXd& list) {
    std::vector<Vec4> out;
    for (Index i = 0; i < list.size(); i += 3)
        out.push_back(Vec4{list[i], list[i + 1], list[i + 2], 0});
    return out;
}

MatrixXd mass_matrix(const lagrange::System& s) {
    const Index n = 3 * index(s.entity_count);
    MatrixXd mass = MatrixXd::Zero(n, n);
    for (const lagrange::MassTerm& m : s.mass)
        for (int c = 0; c < 3; ++c) {
            const Index i = 3 * index(m.i) + c, j = 3 * index(m.j) + c;
            mass(i, j) += m.mass;
            if (i != j) mass(j, i) += m.mass;
        }
    for (const lagrange::ScalarInertia& r : s.scalar_inertia) {
        const Index i = 3 * index(r.entity) + r.component;
        mass(i, i) += r.inertia;
    }
    return mass;
}

VectorXd row_violations(const lagrange::Equations& equations) {
    const lagrange::System& s = equations.system;
    VectorXd out(row_total(s));
    for (size_t i = 0; i < s.row_count(); ++i) out[index(i)] = equations.violations()[i];
    for (size_t i = 0; i < s.closures.size(); ++i)
        for (int c = 0; c < 3; ++c)
            out[index(s.row_count() + 3 * i) + c] = equations.closure_violations()[i][c];
    return out;
}

void hold_relations(lagrange::Equations& equations, const state::State& state) {
    const lagrange::System& s = equations.system;
    equations.time = state.time;
    for (size_t i = 0; i < s.relations.size(); ++i) {
        const lagrange::Relation& r = s.relations[i];
        const double* memory = &state.memory[r.memory];
        const auto mode =
            static_cast<lagrange::RowMode>(static_cast<int>(memory[lagrange::mode_memory]));
        const double target = r.kind == lagrange::Relation::Kind::drive
                                ? equations.measure_at(state, r.measure[0]).value
                                : r.target;
        equations.relation[i] = {mode, target, 0, 0, memory[lagrange::effort_memory]};
    }
}

// ---- Rows ----------------------------------------------------------------------------------------

TangentSpace::TangentSpace(const lagrange::Equations& equations, const state::State& state)
    : system_(equations.system), state_(state) {
    MatrixXd j = row_gradients(equations, state);
    column_scale_ = VectorXd::Ones(j.cols());
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        column_scale_.segment<3>(3 * index(e)).setConstant(system_.scale[e]);
    j = j * column_scale_.asDiagonal();
    row_scale_ = VectorXd::Ones(j.rows());
    for (Index i = 0; i < j.rows(); ++i)
        if (const double length = j.row(i).norm(); length > 0) row_scale_[i] = 1 / length;
    j = row_scale_.asDiagonal() * j;
    if (j.size() == 0) return;
    factors_.setThreshold(rank_tolerance);
    factors_.compute(j.transpose());
    rank_ = factors_.rank();
}

VectorXd TangentSpace::motion_with(const VectorXd& row_rates) const {
    if (rank_ == 0) return VectorXd::Zero(column_scale_.size());
    const VectorXd wanted =
        factors_.colsPermutation().transpose() * VectorXd(row_scale_.cwiseProduct(row_rates));
    VectorXd x = VectorXd::Zero(factors_.rows());
    x.head(rank_) = factors_.matrixQR()
                        .topLeftCorner(rank_, rank_)
                        .triangularView<Eigen::Upper>()
                        .transpose()
                        .solve(wanted.head(rank_));
    x.applyOnTheLeft(factors_.householderQ());
    return column_scale_.cwiseProduct(x);
}

VectorXd TangentSpace::multipliers_for(const VectorXd& force) const {
    if (rank_ == 0) return VectorXd::Zero(row_scale_.size());
    return row_scale_.cwiseProduct(
        VectorXd(factors_.solve(VectorXd(column_scale_.cwiseProduct(force)))));
}

MatrixXd TangentSpace::free_motions(const MatrixXd& mass) const {
    const Index n = column_scale_.size();
    if (n == rank_) return MatrixXd(n, 0);
    MatrixXd null = MatrixXd::Zero(n, n - rank_);
    null.bottomRows(n - rank_).setIdentity();
    if (rank_ > 0) null.applyOnTheLeft(factors_.householderQ());
    null = column_scale_.asDiagonal() * null;
    // What moves nothing, and what is orthogonal to it in kinetic energy.
    const Eigen::SelfAdjointEigenSolver<MatrixXd> moving(speed_products(system_, state_, null));
    const double unit = system_.size * system_.size;
    const Index idle = (moving.eigenvalues().array() <= 1e-14 * unit).count();
    const MatrixXd still = null * moving.eigenvectors().leftCols(idle);
    MatrixXd out = null * moving.eigenvectors().rightCols(n - rank_ - idle);
    if (out.cols() == 0) return out;
    if (idle > 0)
        out -=
            still * (still.transpose() * mass * still).llt().solve(still.transpose() * mass * out);
    const Eigen::LLT<MatrixXd> energy(out.transpose() * mass * out);
    return energy.matrixU().solve<Eigen::OnTheRight>(out);
}

bool close_rows(lagrange::Equations& equations, state::State& state) {
    constexpr double closed = 1e-14;
    double before = unlimited;
    for (int i = 0; i < 25; ++i) {
        equations.evaluate_rows(state);
        const double violation = equations.largest_violation();
        if (violation <= closed || (violation <= 1e-11 && violation > 0.3 * before)) return true;
        if (!(violation < 10) || (i > 6 && violation > 0.9 * before)) return false;
        before = violation;
        const auto step =
            entities_of(TangentSpace(equations, state).motion_with(row_violations(equations)));
        for (size_t e = 0; e < step.size(); ++e) state.position[e] -= step[e];
    }
    return false;
}

void count_turns(const lagrange::Equations& equations, state::State& state) {
    const lagrange::System& s = equations.system;
    for (size_t i = 0; i < s.measures.size(); ++i)
        if (s.measures[i].memory != lagrange::none)
            state.memory[s.measures[i].memory] = equations.measure[i].value;
}

void store_multipliers(const lagrange::Equations& equations, const VectorXd& multipliers,
                       state::State& state) {
    const lagrange::System& s = equations.system;
    for (size_t i = 0; i < s.row_count(); ++i) state.multiplier[i] = multipliers[index(i)];
    for (size_t i = 0; i < s.closures.size(); ++i)
        for (int c = 0; c < 3; ++c)
            state.closure_multiplier[i][c] = multipliers[index(s.row_count() + 3 * i) + c];
    for (size_t i = 0; i < s.relations.size(); ++i) {
        const lagrange::RelationNow& now = equations.relation[i];
        double& multiplier = state.multiplier[s.dots.size() + i];
        const double effort = now.mode == lagrange::RowMode::active    ? -multiplier
                            : now.mode == lagrange::RowMode::saturated ? now.effort
                                                                       : 0;
        set_effort(state.memory, s.relations[i], effort);
        multiplier = -effort;
    }
}

// ---- Forces --------------------------------------------------------------------------------------

VectorXd users_forces(const lagrange::System& s, const state::State& state) {
    std::vector<Vec4> out(s.entity_count, Vec4{});
    UserForces sink(s, state.position.data(), out);
    const lagrange::EntityKinematics seen(s, state.position.data(), state.velocity.data(),
                                          state.time, state.contacts);
    for (const lagrange::UserForceElement& u : s.user_forces)
        s.model().user_forces()[u.index].apply(seen, sink);
    return flat(out);
}

VectorXd applied_force(lagrange::Equations& equations, const state::State& state) {
    state::State bare = state;
    std::fill(bare.multiplier.begin(), bare.multiplier.end(), 0.0);
    std::fill(bare.closure_multiplier.begin(), bare.closure_multiplier.end(), Vec4{});
    std::fill(equations.load.begin(), equations.load.end(), Vec4{});
    equations.evaluate_forces(bare, bare.force);
    return -flat(bare.force);
}

namespace {

// The resistance of a state along some motions, part by part.
class ResistanceSum {
  public:
    ResistanceSum(const lagrange::System& system, const state::State& state,
                  const MatrixXd& motions)
        : s_(system),
          state_(state),
          motions_(motions),
          count_(motions.cols()),
          out_{MatrixXd::Zero(count_, count_), MatrixXd::Zero(count_, count_), 0},
          gradient_(s_.measure_terms.size(), Vec4{}),
          push_(s_.measures.size(), 0) {}

    Resistance sum() {
        add_forces();
        add_rows();
        for (Index k = 0; k < count_; ++k) add_curvatures(k);
        out_.rounding = 1e-13 * static_cast<double>(count_) * largest_;
        return std::move(out_);
    }

  private:
    void add_stiffness(const MatrixXd& part) {
        out_.stiffness += part;
        if (count_ > 0) largest_ = std::max(largest_, part.cwiseAbs().maxCoeff());
    }

    // Springs and dampers along their measures.
    void add_forces() {
        for (const lagrange::MeasureForce& f : s_.forces) {
            const lagrange::Measure& m = s_.measures[f.measure];
            const lagrange::MeasureValue y =
                evaluate_measure(s_, f.measure, state_, gradient_.data());
            const lagrange::ForceValue value = evaluate_force(s_, f, y, state_.time, state_);
            VectorXd along = VectorXd::Zero(count_);
            for (uint32_t k = m.first; k < m.first + m.count; ++k)
                for (int c = 0; c < 3; ++c)
                    along += gradient_[k][c]
                           * motions_.row(3 * index(s_.measure_terms[k].entity) + c).transpose();
            add_stiffness(value.stiffness * along * along.transpose());
            out_.damping += value.damping * along * along.transpose();
            push_[f.measure] -= value.effort;
        }
        for (size_t i = 0; i < s_.relations.size(); ++i)
            for (int k = 0; k < 2; ++k)
                if (s_.relations[i].measure[k] != lagrange::none)
                    push_[s_.relations[i].measure[k]] +=
                        s_.relations[i].ratio[k] * state_.multiplier[s_.dots.size() + i];
    }

    // λΦqq of a dot row is λ·scale·(a bᵀ + b aᵀ), times the unit matrix.
    void add_rows() {
        for (size_t i = 0; i < s_.dots.size(); ++i) {
            const lagrange::DotRow& row = s_.dots[i];
            MatrixXd a = MatrixXd::Zero(3, count_), b = a;
            for (uint32_t k = row.first; k < row.first + row.count; ++k) {
                const lagrange::DotTerm& t = s_.dot_terms[k];
                a += t.a * motions_.middleRows<3>(3 * index(t.entity));
                b += t.b * motions_.middleRows<3>(3 * index(t.entity));
            }
            const MatrixXd product = a.transpose() * b;
            add_stiffness(state_.multiplier[i] * row.scale * (product + product.transpose()));
        }
    }

    // What measures and users' forces push with.
    VectorXd pushes(const state::State& at) {
        VectorXd force = VectorXd::Zero(3 * index(s_.entity_count));
        for (uint32_t m = 0; m < s_.measures.size(); ++m) {
            const lagrange::Measure& measure = s_.measures[m];
            if (push_[m] == 0 || measure.kind == lagrange::Measure::Kind::scalar) continue;
            evaluate_measure(s_, m, at, gradient_.data());
            for (uint32_t i = measure.first; i < measure.first + measure.count; ++i)
                for (int c = 0; c < 3; ++c)
                    force[3 * index(s_.measure_terms[i].entity) + c] += push_[m] * gradient_[i][c];
        }
        if (!s_.user_forces.empty()) force -= users_forces(s_, at);
        return force;
    }

    // Second derivatives of measures and of users' forces along a motion, by differences.
    void add_curvatures(Index k) {
        const auto direction = entities_of(motions_.col(k));
        const double epsilon = 1e-3 / std::max(largest_move(s_, motions_.col(k)), 1e-300);
        const auto moved = [&](double t) {
            state::State at = state_;
            for (size_t e = 0; e < direction.size(); ++e) at.position[e] += t * direction[e];
            return pushes(at);
        };
        const VectorXd column = motions_.transpose() * derivative(moved, epsilon);
        out_.stiffness.col(k) += column;
        largest_ = std::max(largest_, column.cwiseAbs().maxCoeff());
        if (s_.user_forces.empty()) return;
        const auto faster = [&](double t) {
            state::State at = state_;
            for (size_t e = 0; e < direction.size(); ++e) at.velocity[e] += t * direction[e];
            return VectorXd(-users_forces(s_, at));
        };
        out_.damping.col(k) += motions_.transpose() * derivative(faster, epsilon);
    }

    const lagrange::System& s_;
    const state::State& state_;
    const MatrixXd& motions_;
    const Index count_;
    Resistance out_;
    std::vector<Vec4> gradient_;
    std::vector<double>
        push_;  // of every measure: the effort that its second derivative is multiplied with
    double largest_ = 0;
};

}  // namespace

Resistance resistance_along(lagrange::Equations& equations, const state::State& state,
                            const MatrixXd& motions) {
    return ResistanceSum(equations.system, state, motions).sum();
}

}  // namespace bristle::analysis
