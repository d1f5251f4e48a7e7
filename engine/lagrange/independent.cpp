#include "lagrange/independent.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Of pivots against the largest. Rows that are redundant leave some 1e-13, by rounding and by what Newton
// leaves of the constraints; a four-bar within 1e-9 rad of its singular position is taken for singular.
constexpr double rank_share = 1e-9;
// Of dependent velocities over independent ones, in scaled coordinates. The best choice has about 1.
constexpr double most_gain = 2;
constexpr double position_tolerance = 1e-15;  // of the model's size
constexpr double position_failure = 1e-10;
constexpr int most_iterations = 20;

const char* const lost_rank =
    "the constraints lose rank, and dependent velocities are not determined: a singular position, "
    "or a step "
    "too large for the forces; try a smaller step or augmented_lagrangian";

}  // namespace

struct IndependentMotion::Dense {
    Equations& equations;
    const System& system;
    Eigen::Index columns, rows;
    uint32_t choice;      // where the state's memory tells independent columns, 1, from the others
    Vector column_scale;  // 1/√m: what a unit of a scaled coordinate is
    Vector row_scale;     // √effective mass
    Matrix mass;          // of scaled coordinates
    Matrix jacobian;      // of scaled rows and coordinates
    std::vector<Eigen::Index> dependent, independent;
    Eigen::ColPivHouseholderQR<Matrix> factors;  // of the dependent columns
    Matrix projection;                           // −R, its dependent rows: J_d⁺ J_i
    double left_over = 0;                        // of J_i that J_d does not span

    explicit Dense(Equations& e)
        : equations(e),
          system(e.system),
          columns(3 * Eigen::Index{e.system.entity_count}),
          rows(static_cast<Eigen::Index>(e.system.row_count() + 3 * e.system.closures.size())),
          choice(e.system.memory_size) {
        column_scale.resize(columns);
        for (Eigen::Index c = 0; c < columns; ++c)
            column_scale[c] = 1 / std::sqrt(system.diagonal_mass[static_cast<size_t>(c / 3)]);
        row_scale.resize(rows);
        Eigen::Index r = 0;
        const auto scale = [&](double penalty) {
            row_scale[r++] = std::sqrt(penalty / system.settings.penalty);
        };
        for (const DotRow& row : system.dots) scale(row.penalty);
        for (const Relation& row : system.relations) scale(row.penalty);
        for (const ClosureRow& row : system.closures)
            for (int k = 0; k < 3; ++k) scale(row.penalty);
        mass = Matrix::Zero(columns, columns);
        for (const MassTerm& m : system.mass)
            for (Eigen::Index k = 0; k < 3; ++k) {
                mass(3 * m.i + k, 3 * m.j + k) += m.mass;
                if (m.i != m.j) mass(3 * m.j + k, 3 * m.i + k) += m.mass;
            }
        for (const ScalarInertia& s : system.scalar_inertia)
            mass(3 * s.entity + s.component, 3 * s.entity + s.component) += s.inertia;
        mass = column_scale.asDiagonal() * mass * column_scale.asDiagonal();
    }

    void evaluate_jacobian(const state::State& state) {
        equations.evaluate_rows(state);
        jacobian.setZero(rows, columns);
        equations.visit_gradients([&](size_t row, uint32_t entity, Vec4 g) {
            for (int k = 0; k < 3; ++k)
                jacobian(static_cast<Eigen::Index>(row), 3 * Eigen::Index{entity} + k) += g[k];
        });
        auto row = static_cast<Eigen::Index>(system.row_count());
        for (const ClosureRow& c : system.closures) {
            for (uint32_t t = c.first; t < c.first + c.count; ++t)
                for (Eigen::Index k = 0; k < 3; ++k)
                    jacobian(row + k, 3 * Eigen::Index{system.closure_terms[t].entity} + k) +=
                        system.closure_terms[t].c;
            row += 3;
        }
        jacobian = row_scale.asDiagonal() * jacobian * column_scale.asDiagonal();
    }

    void recall(const state::State& state) {
        dependent.clear();
        independent.clear();
        for (Eigen::Index c = 0; c < columns; ++c)
            (state.memory[choice + static_cast<size_t>(c)] == 1 ? independent : dependent)
                .push_back(c);
    }

    // Of the position the Jacobian is of. False if the dependent columns are not independent of each other.
    bool factorize() {
        projection.resize(static_cast<Eigen::Index>(dependent.size()),
                          static_cast<Eigen::Index>(independent.size()));
        left_over = 0;
        if (dependent.empty()) {
            if (rows > 0 && columns > 0) left_over = jacobian.cwiseAbs().maxCoeff();
            return true;
        }
        factors.setThreshold(rank_share);
        factors.compute(jacobian(Eigen::all, dependent));
        const auto rank = static_cast<Eigen::Index>(dependent.size());
        if (factors.rank() < rank) return false;
        if (independent.empty()) return true;
        const Matrix turned =
            factors.householderQ().adjoint() * Matrix(jacobian(Eigen::all, independent));
        projection = factors.colsPermutation()
                   * factors.matrixR()
                         .topLeftCorner(rank, rank)
                         .triangularView<Eigen::Upper>()
                         .solve(turned.topRows(rank));
        if (rows > rank) left_over = turned.bottomRows(rows - rank).cwiseAbs().maxCoeff();
        return true;
    }

    double gain() const { return projection.size() == 0 ? 0 : projection.cwiseAbs().maxCoeff(); }

    // J_d⁺ of what the rows violate.
    Vector correction() {
        Vector violation(rows);
        std::copy(equations.violations().begin(), equations.violations().end(), violation.begin());
        auto row = static_cast<Eigen::Index>(system.row_count());
        for (const Vec4& c : equations.closure_violations())
            for (int k = 0; k < 3; ++k) violation[row++] = c[k];
        return factors.solve(row_scale.cwiseProduct(violation));
    }

    void subtract(const Vector& x, std::vector<Vec4>& from) const {
        for (size_t d = 0; d < dependent.size(); ++d)
            from[static_cast<size_t>(dependent[d] / 3)][dependent[d] % 3] -=
                column_scale[dependent[d]] * x[static_cast<Eigen::Index>(d)];
    }

    Vector scaled_residual() const {
        Vector out(columns);
        for (Eigen::Index c = 0; c < columns; ++c)
            out[c] = column_scale[c] * equations.residual[static_cast<size_t>(c / 3)][c % 3];
        return out;
    }
};

IndependentMotion::IndependentMotion(Equations& equations)
    : dense_(std::make_unique<Dense>(equations)) {}
IndependentMotion::~IndependentMotion() = default;

void IndependentMotion::make_room(state::State& state) const {
    state.memory.resize(dense_->choice + static_cast<size_t>(dense_->columns), 0);
}

void IndependentMotion::start(state::State& state) {
    const bool is_new = state.memory.size() == dense_->choice;
    make_room(state);
    if (is_new) choose_anew(state);
    dense_->recall(state);
}

bool IndependentMotion::keep_or_choose(state::State& state) {
    Dense& d = *dense_;
    d.recall(state);
    d.evaluate_jacobian(state);
    if (d.factorize() && d.gain() <= most_gain && d.left_over <= rank_share) return false;
    return choose_anew(state);
}

bool IndependentMotion::choose_anew(state::State& state) {
    Dense& d = *dense_;
    const std::vector<Eigen::Index> before = d.independent;
    d.evaluate_jacobian(state);
    std::fill(state.memory.begin() + d.choice, state.memory.end(), 1.0);
    if (d.rows > 0 && d.columns > 0) {
        Eigen::ColPivHouseholderQR<Matrix> all;
        all.setThreshold(rank_share);
        all.compute(d.jacobian);
        for (Eigen::Index i = 0; i < all.rank(); ++i)
            state.memory[d.choice + static_cast<size_t>(all.colsPermutation().indices()[i])] = 0;
    }
    d.recall(state);
    return d.independent != before;
}

const char* IndependentMotion::close(state::State& state) {
    Dense& d = *dense_;
    if (d.rows == 0) return nullptr;
    d.evaluate_jacobian(state);
    if (!d.factorize()) return lost_rank;
    double violation = d.equations.largest_violation();
    for (int i = 0; i < most_iterations && violation > position_tolerance && !d.dependent.empty();
         ++i) {
        d.subtract(d.correction(), state.position);
        d.equations.evaluate_rows(state);
        const double now = d.equations.largest_violation();
        if (!(now < violation) && now <= position_failure) break;
        violation = now;
    }
    if (!(d.equations.largest_violation() <= position_failure))
        return "dependent positions do not converge onto the constraints, as near singular "
               "positions; "
               "try a smaller step or augmented_lagrangian";
    return nullptr;
}

const char* IndependentMotion::accelerate(state::State& state) {
    Dense& d = *dense_;
    const IntegratorWeights w{0, 0, 0, 1, 1};
    d.evaluate_jacobian(state);
    if (!d.factorize()) return lost_rank;
    if (!d.dependent.empty()) {
        d.equations.evaluate_velocity_rows(state);
        d.subtract(d.correction(), state.velocity);
    }
    std::fill(state.acceleration.begin(), state.acceleration.end(), Vec4{});
    std::fill(state.multiplier.begin(), state.multiplier.end(), 0.0);
    std::fill(state.closure_multiplier.begin(), state.closure_multiplier.end(), Vec4{});
    d.equations.evaluate_acceleration_rows(state);
    if (!d.dependent.empty()) d.subtract(d.correction(), state.acceleration);  // a₀
    d.equations.evaluate_residual(state, w, state.acceleration, state.force);
    Vector residual = d.scaled_residual();  // M a₀ − Q
    if (!d.independent.empty()) {
        Matrix r = Matrix::Zero(d.columns, static_cast<Eigen::Index>(d.independent.size()));
        for (size_t i = 0; i < d.independent.size(); ++i)
            r(d.independent[i], static_cast<Eigen::Index>(i)) = 1;
        for (size_t i = 0; i < d.dependent.size(); ++i)
            r.row(d.dependent[i]) = -d.projection.row(static_cast<Eigen::Index>(i));
        const Matrix moved = d.mass * r;
        const Eigen::LLT<Matrix> reduced(r.transpose() * moved);
        if (reduced.info() != Eigen::Success)
            return "the mass of the independent coordinates is not positive";
        const Vector z = reduced.solve(-(r.transpose() * residual));
        const Vector q = r * z;
        for (Eigen::Index c = 0; c < d.columns; ++c)
            state.acceleration[static_cast<size_t>(c / 3)][c % 3] += d.column_scale[c] * q[c];
        residual += moved * z;
    }
    if (d.dependent.empty()) return nullptr;

    // Jᵀλ = Q − M q̈, the smallest λ that fits: of J_d = Q T Pᵀ it is −Q T⁻ᵀ Pᵀ of the dependent part.
    const auto rank = static_cast<Eigen::Index>(d.dependent.size());
    Vector multiplier = Vector::Zero(d.rows);
    multiplier.head(rank) =
        d.factors.matrixR()
            .topLeftCorner(rank, rank)
            .triangularView<Eigen::Upper>()
            .transpose()
            .solve(d.factors.colsPermutation().transpose() * Vector(-residual(d.dependent)));
    multiplier = d.factors.householderQ() * multiplier;
    multiplier = d.row_scale.cwiseProduct(multiplier);
    for (size_t i = 0; i < state.multiplier.size(); ++i)
        state.multiplier[i] = multiplier[static_cast<Eigen::Index>(i)];
    auto row = static_cast<Eigen::Index>(state.multiplier.size());
    for (Vec4& c : state.closure_multiplier)
        for (int k = 0; k < 3; ++k) c[k] = multiplier[row++];
    return nullptr;
}

}  // namespace bristle::lagrange
