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
    const Index bodies = index(s.model.bodies().size()) - 1,
                rotors = index(s.model.coordinates().size());
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
        double& effort = state.memory[s.relations[i].memory + lagrange::effort_memory];
        double& multiplier = state.multiplier[s.dots.size() + i];
        effort = now.mode == lagrange::RowMode::active    ? -multiplier
               : now.mode == lagrange::RowMode::saturated ? now.effort
                                                          : 0;
        multiplier = -effort;
    }
}

// ---- Forces --------------------------------------------------------------------------------------

VectorXd users_forces(const lagrange::System& s, const state::State& state) {
    std::vector<Vec4> out(s.entity_count, Vec4{});
    UserForces sink(s, state.position.data(), out);
    const lagrange::EntityKinematics seen(s, state.position.data(), state.velocity.data(),
                                          state.time);
    for (const lagrange::UserForceElement& u : s.user_forces)
        s.model.user_forces()[u.index].apply(seen, sink);
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

Resistance resistance_along(lagrange::Equations& equations, const state::State& state,
                            const MatrixXd& motions) {
    const lagrange::System& s = equations.system;
    const Index n = 3 * index(s.entity_count), count = motions.cols();
    Resistance out{MatrixXd::Zero(count, count), MatrixXd::Zero(count, count), 0};
    std::vector<Vec4> gradient(s.measure_terms.size(), Vec4{});
    // Of every measure: the effort that its second derivative is multiplied with.
    std::vector<double> push(s.measures.size(), 0);
    double largest = 0;
    const auto add_stiffness = [&](const MatrixXd& part) {
        out.stiffness += part;
        if (count > 0) largest = std::max(largest, part.cwiseAbs().maxCoeff());
    };

    for (const lagrange::MeasureForce& f : s.forces) {
        const lagrange::Measure& m = s.measures[f.measure];
        const lagrange::MeasureValue y = evaluate_measure(s, f.measure, state, gradient.data());
        const lagrange::ForceValue value = evaluate_force(s, f, y, state.time, state);
        VectorXd along = VectorXd::Zero(count);
        for (uint32_t k = m.first; k < m.first + m.count; ++k)
            for (int c = 0; c < 3; ++c)
                along += gradient[k][c]
                       * motions.row(3 * index(s.measure_terms[k].entity) + c).transpose();
        add_stiffness(value.stiffness * along * along.transpose());
        out.damping += value.damping * along * along.transpose();
        push[f.measure] -= value.effort;
    }
    for (size_t i = 0; i < s.relations.size(); ++i)
        for (int k = 0; k < 2; ++k)
            if (s.relations[i].measure[k] != lagrange::none)
                push[s.relations[i].measure[k]] +=
                    s.relations[i].ratio[k] * state.multiplier[s.dots.size() + i];

    // λΦqq of a dot row is λ·scale·(a bᵀ + b aᵀ), times the unit matrix.
    for (size_t i = 0; i < s.dots.size(); ++i) {
        const lagrange::DotRow& row = s.dots[i];
        MatrixXd a = MatrixXd::Zero(3, count), b = a;
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const lagrange::DotTerm& t = s.dot_terms[k];
            a += t.a * motions.middleRows<3>(3 * index(t.entity));
            b += t.b * motions.middleRows<3>(3 * index(t.entity));
        }
        const MatrixXd product = a.transpose() * b;
        add_stiffness(state.multiplier[i] * row.scale * (product + product.transpose()));
    }

    // Second derivatives of measures, by differences of their gradients.
    for (Index k = 0; k < count; ++k) {
        const auto direction = entities_of(motions.col(k));
        const double epsilon = 1e-3 / std::max(largest_move(s, motions.col(k)), 1e-300);
        const auto moved = [&](double t) {
            state::State at = state;
            for (size_t e = 0; e < direction.size(); ++e) at.position[e] += t * direction[e];
            return at;
        };
        const auto pushes = [&](double t) {
            const state::State at = moved(t);
            VectorXd force = VectorXd::Zero(n);
            for (uint32_t m = 0; m < s.measures.size(); ++m) {
                if (push[m] == 0 || s.measures[m].kind == lagrange::Measure::Kind::scalar) continue;
                evaluate_measure(s, m, at, gradient.data());
                for (uint32_t i = s.measures[m].first;
                     i < s.measures[m].first + s.measures[m].count; ++i)
                    for (int c = 0; c < 3; ++c)
                        force[3 * index(s.measure_terms[i].entity) + c] += push[m] * gradient[i][c];
            }
            if (!s.user_forces.empty()) force -= users_forces(s, at);
            return force;
        };
        const VectorXd column = motions.transpose() * derivative(pushes, epsilon);
        out.stiffness.col(k) += column;
        if (count > 0) largest = std::max(largest, column.cwiseAbs().maxCoeff());
        if (s.user_forces.empty()) continue;
        const double faster = 1e-3 / std::max(largest_move(s, motions.col(k)), 1e-300);
        out.damping.col(k) += motions.transpose()
                            * derivative(
                                  [&](double t) {
                                      state::State at = state;
                                      for (size_t e = 0; e < direction.size(); ++e)
                                          at.velocity[e] += t * direction[e];
                                      return VectorXd(-users_forces(s, at));
                                  },
                                  faster);
    }
    out.rounding = 1e-13 * static_cast<double>(count) * largest;
    return out;
}

}  // namespace bristle::analysis
