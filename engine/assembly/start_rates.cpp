#include "assembly/start_rates.h"

#include <bristle/analysis.h>

#include "assembly/gaps.h"
#include "model/editor.h"
#include "model/input_checks.h"
#include "model/joint_kind.h"
#include "model/planar.h"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::assembly {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;
using Gradient = GapRow::Gradient;

// Over the effective mass: large beside one, so that few repetitions do, and small beside 1/rounding.
constexpr double penalty = 1e6;
constexpr int repetitions = 60;
// Of the fastest rate: what is left of a row that holds.
constexpr double held = 1e-9;
// Over mass times the square of the model's size: what turns without inertia are given.
constexpr double least_inertia = 1e-9;

class StartRates {
  public:
    explicit StartRates(const Model& model) : model_(model) {
        for (uint32_t i = 0; i < model.bodies().size(); ++i) {
            const Body& b = model.bodies()[i];
            centers_.push_back(Pose{b.position, b.orientation} * b.center);
        }
        measure_size();
        for (uint32_t i = 0; i < model.joints().size(); ++i)
            if (model.contains(JointId{i})) add_joint(i);
    }

    Vector solve() const;
    // That model, which may be a little out of its plane, with these.
    Model moving(Model, const Vector& velocities) const;

  private:
    // What b's and a's motion contribute, for a joint's coordinate.
    struct CoordinateRow {
        BodyId a, b;
        Gradient of_a, of_b;
    };

    void measure_size();
    void add_joint(uint32_t index);
    void begin_row(double rate, uint32_t joint);
    void add(BodyId, const Gradient&, double factor);
    void add(const CoordinateRow&, double factor);
    CoordinateRow displacement(const Joint&, Vec3 along) const;
    CoordinateRow angle(const Joint&) const;
    CoordinateRow coordinate(const Joint&) const;
    Sparse masses() const;
    Vector given() const;
    void complain(const Vector& left) const;

    const Model& model_;
    std::vector<Vec3> centers_;
    double size_ = 0, mean_mass_ = 0;
    std::vector<Eigen::Triplet<double>> entries_;
    std::vector<double> rates_;
    std::vector<uint32_t> joint_of_row_;
};

void StartRates::measure_size() {
    int count = 0;
    for (const Joint& j : model_.joints()) {
        if (!model::joins_bodies(j)) continue;
        for (const auto& [body, at] : {std::pair(j.a, j.at_a), std::pair(j.b, j.at_b)})
            if (body.index != 0) size_ = std::max(size_, norm(at - centers_[body.index]));
    }
    for (uint32_t i = 1; i < model_.bodies().size(); ++i) {
        if (!model_.contains(BodyId{i})) continue;
        mean_mass_ += model_.bodies()[i].mass;
        ++count;
    }
    if (!(size_ > 0)) size_ = 1;
    mean_mass_ = count > 0 ? mean_mass_ / count : 1;
}

void StartRates::begin_row(double rate, uint32_t joint) {
    rates_.push_back(rate);
    joint_of_row_.push_back(joint);
}

// Unknowns of a body: its centre's velocity over the size, and its spin.
void StartRates::add(BodyId body, const Gradient& g, double factor) {
    if (body == Model::ground()) return;
    const auto row = static_cast<int>(rates_.size()) - 1, first = 6 * static_cast<int>(body.index);
    for (int c = 0; c < 3; ++c) {
        entries_.emplace_back(row, first + c, factor * size_ * g.shift[c]);
        entries_.emplace_back(row, first + 3 + c, factor * g.turn[c]);
    }
}

void StartRates::add(const CoordinateRow& row, double factor) {
    add(row.a, row.of_a, factor);
    add(row.b, row.of_b, factor);
}

StartRates::CoordinateRow StartRates::displacement(const Joint& j, Vec3 along) const {
    return {j.a,
            j.b,
            {-along, -cross(j.at_b - centers_[j.a.index], along)},
            {along, cross(j.at_b - centers_[j.b.index], along)}};
}

StartRates::CoordinateRow StartRates::angle(const Joint& j) const {
    return {j.a, j.b, {{}, -j.axis}, {{}, j.axis}};
}

StartRates::CoordinateRow StartRates::coordinate(const Joint& j) const {
    if (j.type == JointType::turn_gauge) {
        const Vec3 about = model::turn_direction(j.axis, j.axis_b);
        return {j.a, j.b, {{}, -about}, {{}, about}};
    }
    switch (model::kind_of(j).coordinate) {
        case model::CoordinateKind::angle: return angle(j);
        case model::CoordinateKind::swing: {
            const Vec3 about = model::swing_direction(j.axis, j.axis_b);
            return {j.a, j.b, {{}, -about}, {{}, about}};
        }
        case model::CoordinateKind::length: {
            // The ends move apart along the line between them, each at its own arm.
            const Vec3 along = normalized(j.at_b - j.at_a);
            CoordinateRow row = displacement(j, along);
            row.of_a.turn = -cross(j.at_a - centers_[j.a.index], along);
            return row;
        }
        default: return displacement(j, j.axis);
    }
}

void StartRates::add_joint(uint32_t index) {
    const Joint& j = model_.joints()[index];
    if (model::is_gear(j)) {
        const Joint &first = model_.joints()[j.first.index],
                    &second = model_.joints()[j.second.index];
        begin_row(0, index);
        add(coordinate(second), 1);
        add(coordinate(first), -j.ratio);
        return;
    }
    const bool is_strut =
        model::kind_of(j).place == model::Place::distance && model_.is_acted_on({index});
    std::vector<GapRow> rows;
    if (!is_strut)
        JointGap(j, centers_[j.a.index], centers_[j.b.index])
            .append_rows({Mat3::identity(), centers_[j.a.index]},
                         {Mat3::identity(), centers_[j.b.index]}, rows);
    for (const GapRow& row : rows) {
        const double unit = row.is_length ? 1 / size_ : 1;
        begin_row(0, index);
        add(j.a, row.a, unit);
        add(j.b, row.b, unit);
    }
    if (model::kind_of(j).is_screw) {
        begin_row(0, index);
        add(displacement(j, j.axis), 1 / size_);
        add(angle(j), -j.ratio / size_);
    }
    if (!j.rate) return;
    const double unit = model::is_angular(j) ? 1 : 1 / size_;
    begin_row(unit * *j.rate, index);
    add(coordinate(j), unit);
}

Sparse StartRates::masses() const {
    const auto unknowns = static_cast<int>(6 * model_.bodies().size());
    std::vector<Eigen::Triplet<double>> entries;
    for (uint32_t i = 0; i < model_.bodies().size(); ++i) {
        const Body& body = model_.bodies()[i];
        const bool is_there = i > 0 && model_.contains(BodyId{i});
        const double mass = is_there ? body.mass / mean_mass_ : 1;
        const Mat3 axes = body.orientation.matrix();
        const Mat3 inertia = is_there ? axes * body.inertia * axes.transposed() : Mat3{};
        for (int r = 0; r < 3; ++r) {
            const int row = static_cast<int>(6 * i) + r;
            entries.emplace_back(row, row, mass);
            entries.emplace_back(row + 3, row + 3, least_inertia * mass);
            for (int c = 0; c < 3; ++c)
                entries.emplace_back(row + 3, static_cast<int>(6 * i) + 3 + c,
                                     inertia(r, c) / (mean_mass_ * size_ * size_));
        }
    }
    Sparse out(unknowns, unknowns);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

Vector StartRates::given() const {
    Vector out = Vector::Zero(static_cast<Eigen::Index>(6 * model_.bodies().size()));
    for (uint32_t i = 1; i < model_.bodies().size(); ++i) {
        const Body& b = model_.bodies()[i];
        const Vec3 arm = centers_[i] - b.position,
                   v = (b.velocity + cross(b.angular_velocity, arm)) / size_;
        out.segment<6>(6 * i) << v.x, v.y, v.z, b.angular_velocity.x, b.angular_velocity.y,
            b.angular_velocity.z;
    }
    return out;
}

// (M + p JᵀJ) d = p Jᵀ (b − J v), again until the rows hold. Every d is M⁻¹Jᵀ of some impulses, and so is their sum.
Vector StartRates::solve() const {
    Vector v = given();
    const auto rows = static_cast<int>(rates_.size());
    Sparse jacobian(rows, static_cast<int>(v.size()));
    jacobian.setFromTriplets(entries_.begin(), entries_.end());
    const Vector rates = Eigen::Map<const Vector>(rates_.data(), rows);
    const Sparse normal = masses() + penalty * Sparse(Sparse(jacobian.transpose()) * jacobian);
    const Eigen::SimplicialLDLT<Sparse> factors(normal);
    const double fastest = std::max(v.lpNorm<Eigen::Infinity>(), rates.lpNorm<Eigen::Infinity>());
    if (rows == 0 || fastest == 0) return v;
    Vector left = rates - jacobian * v;
    // Each repetition leaves 1/(1 + p σ²) of it.
    for (int i = 0; i < repetitions && left.lpNorm<Eigen::Infinity>() > 1e-14 * fastest; ++i) {
        v += factors.solve(penalty * (jacobian.transpose() * left));
        left = rates - jacobian * v;
    }
    if (left.lpNorm<Eigen::Infinity>() > held * fastest) complain(left);
    return v;
}

// Rows that cannot hold share what is left; the one to blame asks for a rate.
void StartRates::complain(const Vector& left) const {
    const Joint* worst = nullptr;
    double most = 0;
    for (size_t i = 0; i < rates_.size(); ++i) {
        const Joint& j = model_.joints()[joint_of_row_[i]];
        const double off = std::abs(left[static_cast<Eigen::Index>(i)]);
        if (!j.rate || off <= most) continue;
        most = off;
        worst = &j;
    }
    if (worst == nullptr) return;
    const auto index = static_cast<size_t>(worst - model_.joints().data());
    throw InputError(
        fmt::format("{}: its start rate of {:.6g} cannot be: the other joints and their rates "
                    "allow no such motion",
                    model::label("joint", worst->name, index), *worst->rate));
}

Model StartRates::moving(Model out, const Vector& velocities) const {
    for (uint32_t i = 1; i < out.bodies().size(); ++i) {
        Body& body = ModelEditor::bodies(out)[i];
        const Vector u = velocities.segment<6>(6 * i);
        body.angular_velocity = {u[3], u[4], u[5]};
        body.velocity = size_ * Vec3{u[0], u[1], u[2]}
                      - cross(body.angular_velocity, centers_[i] - model_.bodies()[i].position);
    }
    for (Joint& j : ModelEditor::joints(out)) j.rate.reset();
    return out;
}

}  // namespace

bool has_start_rates(const Model& model) {
    for (uint32_t i = 0; i < model.joints().size(); ++i)
        if (model.contains(JointId{i}) && model.joints()[i].rate) return true;
    return false;
}

Model with_start_rates(const Model& model) {
    const Model in_plane = model::kept_in_plane(model);
    const StartRates rates(in_plane);
    return rates.moving(model, rates.solve());
}

}  // namespace bristle::assembly

namespace bristle {

std::vector<StartChange> start_changes(const Model& model) {
    std::vector<StartChange> out;
    const auto is_given = [](const Body& b) {
        return b.velocity != Vec3{} || b.angular_velocity != Vec3{};
    };
    if (std::none_of(model.bodies().begin(), model.bodies().end(), is_given)) return out;
    const Model whole = model.is_assembled() ? model : assembled(model);
    const Model moving = assembly::with_start_rates(whole);
    for (uint32_t i = 1; i < whole.bodies().size(); ++i) {
        if (!model.contains(BodyId{i})) continue;
        const Body &given = whole.bodies()[i], &starts = moving.bodies()[i];
        const StartChange change{{i},
                                 {given.velocity, given.angular_velocity},
                                 {starts.velocity, starts.angular_velocity}};
        if (change.share() >= least_start_change) out.push_back(change);
    }
    return out;
}

std::string describe(const StartChange& change, const Model& model) {
    const auto text = [](const Twist& t) {
        return fmt::format("({:.3g}, {:.3g}, {:.3g}) m/s and ({:.3g}, {:.3g}, {:.3g}) rad/s",
                           t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y,
                           t.angular.z);
    };
    return fmt::format(
        "{} was given {} and starts with {}: its joints change {:.3g} % of it; give "
        "all bodies of a loop their velocities, or a joint its `rate`",
        model::label("body", model.bodies()[change.body.index].name, change.body.index),
        text(change.given), text(change.starts), 100 * change.share());
}

double StartChange::share() const {
    // Metres and radians a second are not compared: each with its own.
    const auto over = [](Vec3 change, Vec3 whole) {
        return norm(whole) > 0 ? norm(change) / norm(whole) : 0;
    };
    return std::max(over(starts.linear - given.linear, given.linear),
                    over(starts.angular - given.angular, given.angular));
}

}  // namespace bristle
