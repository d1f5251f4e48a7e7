// Bringing joints together (spec A14).
//
// Unknowns are a displacement and a turn of every body, residuals r the gaps of all joints: lengths over the
// size of the model, and numbers. By Levenberg and Marquardt,
//
//     (JᵀJ + μ W) d = −Jᵀ r ,
//
// W being mass and inertia, so that of all ways to close the gaps a cheap one is taken, loops that are
// redundant do no harm, and a singular position does not send bodies far away. Then the bodies are drawn
// back to where they started, along what the joints leave free:
//
//     (JᵀJ + ν W) d = −Jᵀ r − ν W (x − x₀) ,      ν small.
//
// A start from which every small motion opens as many gaps as it closes (all in one line, axes opposite) is
// shaken by a little, always in the same way.
#include <bristle/analysis.h>

#include "assembly/gaps.h"
#include "assembly/put.h"
#include "model/editor.h"
#include "model/input_checks.h"
#include "model/joint_kind.h"
#include "model/planar.h"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace bristle {

using namespace assembly;
namespace {

constexpr double closed = 1e-12;      // gaps over the size, and angles
constexpr double largest_turn = 0.5;  // rad, of a body in one iteration
constexpr double drawing = 1e-9;      // ν, over the largest of JᵀJ

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

class Assembly {
  public:
    // A body that is `put` elsewhere begins there, and is drawn there; the others follow.
    Assembly(const Model& model, const AssemblyOptions& options,
             const std::optional<std::pair<BodyId, Pose>>& put = {});
    bool close();
    Model result() const;
    std::string complaint() const;

  private:
    using Placements = std::vector<Placement>;  // of centres of mass; rotations since the start
    struct Gaps {
        Vector value;
        Sparse jacobian;
        double cost = 0, largest = 0;
    };

    Gaps gaps_at(const Placements&) const;
    Placements moved(const Placements&, const Vector& by) const;
    Placements shaken(double amplitude) const;
    Vector moved_from_goal(const Placements&) const;
    Vector solve(const Gaps&, double damping, const Vector& pull) const;
    bool descend(Placements&);
    void draw_back();
    double way(const Placements& at) const;
    double turned(const Joint&) const;

    const Model& model_;
    const AssemblyOptions& options_;
    double size_ = 0;
    std::vector<int> first_;  // unknown of every body, −1: it stays
    int unknowns_ = 0;
    Vector weight_;
    std::vector<std::pair<uint32_t, JointGap>> joints_;
    Placements start_, goal_, now_, best_;
    double best_cost_ = unlimited;
    int iterations_ = 0;
    bool stalled_ = false;
    const bool is_put_;  // goes on from a place where all is together
};

Assembly::Assembly(const Model& model, const AssemblyOptions& options,
                   const std::optional<std::pair<BodyId, Pose>>& put)
    : model_(model),
      options_(options),
      first_(model.bodies().size(), -1),
      is_put_(put.has_value()) {
    for (BodyId id : options.keep)
        if (!model.contains(id))
            throw InputError(fmt::format("assembled: the model has no body {} to keep", id.index));
    double mean_mass = 0;
    int count = 0;
    for (uint32_t i = 0; i < model.bodies().size(); ++i) {
        const Body& body = model.bodies()[i];
        start_.push_back({Mat3::identity(), Pose{body.position, body.orientation} * body.center});
        if (i == 0 || !model.contains(BodyId{i})) continue;
        mean_mass += body.mass;
        ++count;
        if (std::find(options.keep.begin(), options.keep.end(), BodyId{i}) != options.keep.end())
            continue;
        first_[i] = unknowns_;
        unknowns_ += 6;
    }
    std::vector<double> arm(model.bodies().size(), 0);
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || !model::joins_bodies(j)) continue;
        joints_.emplace_back(i,
                             JointGap(j, start_[j.a.index].position, start_[j.b.index].position));
        for (auto [body, at] : {std::pair{j.a, j.at_a}, std::pair{j.b, j.at_b}}) {
            double& longest = arm[body.index];
            if (body.index != 0)
                longest = std::max(longest, norm(at - start_[body.index].position));
            size_ = std::max({size_, longest, norm(j.at_a - j.at_b)});
        }
    }
    for (const auto& [i, gap] : joints_)
        for (const auto& [k, other] : joints_)
            size_ = std::max(size_, norm(model.joints()[i].at_a - model.joints()[k].at_a));
    if (!(size_ > 0)) size_ = 1;
    weight_ = Vector::Ones(unknowns_);
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        if (first_[i] < 0) continue;
        // Masses far from the mean would only spoil the numbers.
        const double mass = std::clamp(model.bodies()[i].mass * count / mean_mass, 1e-2, 1e2);
        const double turn = std::clamp(arm[i] / size_, 0.1, 1.0);
        weight_.segment<3>(first_[i]).setConstant(mass);
        weight_.segment<3>(first_[i] + 3).setConstant(mass * turn * turn);
    }
    goal_ = start_;
    if (put) {
        const auto& [id, pose] = *put;
        const Body& body = model.bodies()[id.index];
        goal_[id.index] = {pose.orientation.matrix() * body.orientation.matrix().transposed(),
                           pose * body.center};
    }
    now_ = best_ = goal_;
}

Assembly::Gaps Assembly::gaps_at(const Placements& at) const {
    Gaps out;
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<double> values;
    std::vector<GapRow> rows;
    for (const auto& [index, joint] : joints_) {
        const Joint& j = model_.joints()[index];
        rows.clear();
        joint.append_rows(at[j.a.index], at[j.b.index], rows);
        for (const GapRow& row : rows) {
            const double unit = row.is_length ? 1 / size_ : 1;
            const auto line = static_cast<int>(values.size());
            values.push_back(unit * row.gap);
            for (auto [body, g] : {std::pair{j.a, &row.a}, std::pair{j.b, &row.b}}) {
                const int first = first_[body.index];
                if (first < 0) continue;
                for (int c = 0; c < 3; ++c) {
                    entries.emplace_back(line, first + c, unit * size_ * g->shift[c]);
                    entries.emplace_back(line, first + 3 + c, unit * g->turn[c]);
                }
            }
        }
    }
    out.value = Eigen::Map<Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
    out.jacobian.resize(static_cast<int>(values.size()), unknowns_);
    out.jacobian.setFromTriplets(entries.begin(), entries.end());
    out.cost = out.value.squaredNorm();
    out.largest = values.empty() ? 0 : out.value.lpNorm<Eigen::Infinity>();
    return out;
}

Assembly::Placements Assembly::moved(const Placements& at, const Vector& by) const {
    Placements out = at;
    for (size_t i = 0; i < out.size(); ++i) {
        const int f = first_[i];
        if (f < 0) continue;
        out[i].position += size_ * Vec3{by[f], by[f + 1], by[f + 2]};
        out[i].rotation = rotation_by({by[f + 3], by[f + 4], by[f + 5]}) * out[i].rotation;
    }
    return out;
}

Assembly::Placements Assembly::shaken(double amplitude) const {
    std::mt19937_64 random(20100);
    Vector by(unknowns_);
    for (int i = 0; i < unknowns_; ++i)
        by[i] = amplitude * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
    return moved(goal_, by);
}

Vector Assembly::moved_from_goal(const Placements& at) const {
    Vector out = Vector::Zero(unknowns_);
    for (size_t i = 0; i < at.size(); ++i) {
        if (first_[i] < 0) continue;
        const Vec3 shift = (at[i].position - goal_[i].position) / size_,
                   turn = rotation_vector(at[i].rotation * goal_[i].rotation.transposed());
        out.segment<6>(first_[i]) << shift.x, shift.y, shift.z, turn.x, turn.y, turn.z;
    }
    return out;
}

double Assembly::way(const Placements& at) const {
    return moved_from_goal(at).cwiseAbs2().dot(weight_);
}

// (JᵀJ + damping W) d = −Jᵀ r − damping W pull, no turn too large.
Vector Assembly::solve(const Gaps& gaps, double damping, const Vector& pull) const {
    Sparse normal = gaps.jacobian.transpose() * gaps.jacobian;
    Sparse diagonal(unknowns_, unknowns_);
    diagonal.reserve(Eigen::VectorXi::Constant(unknowns_, 1));
    for (int i = 0; i < unknowns_; ++i) diagonal.insert(i, i) = damping * weight_[i];
    normal += diagonal;
    const Eigen::SimplicialLDLT<Sparse> factors(normal);
    const Vector force =
        -(gaps.jacobian.transpose() * gaps.value) - damping * weight_.cwiseProduct(pull);
    Vector step = factors.solve(force);
    // Normal equations lose half of the digits; what is left of the force gives them back.
    step += factors.solve(force - normal * step);
    double turn = 0;
    for (int f = 0; f < unknowns_; f += 6) turn = std::max(turn, step.segment<3>(f + 3).norm());
    return turn > largest_turn ? Vector(largest_turn / turn * step) : step;
}

bool Assembly::descend(Placements& at) {
    Gaps gaps = gaps_at(at);
    const Vector still = Vector::Zero(unknowns_);
    double damping = 1e-2;
    int slow = 0;
    stalled_ = false;
    while (gaps.largest > closed / 10) {
        stalled_ = unknowns_ == 0;
        if (stalled_ || iterations_++ >= options_.max_iterations) break;
        const Vector step = solve(gaps, damping * std::min(1.0, gaps.cost) + 1e-14, still);
        const Placements trial = moved(at, step);
        Gaps there = gaps_at(trial);
        if (there.cost < gaps.cost) {
            slow = there.cost > 0.99 * gaps.cost ? slow + 1 : 0;
            at = trial;
            gaps = std::move(there);
            damping = std::max(damping / 5, 1e-6);
        } else {
            if (gaps.largest <= closed) break;
            damping *= 8;
            slow += 1;
        }
        if (slow >= 12) {
            stalled_ = true;
            break;
        }
    }
    if (gaps.cost < best_cost_) {
        best_cost_ = gaps.cost;
        best_ = at;
    }
    return gaps.largest <= closed;
}

void Assembly::draw_back() {
    Placements at = now_;
    for (int i = 0; i < 10; ++i) {
        const Gaps gaps = gaps_at(at);
        const Vector step = solve(gaps, drawing, moved_from_goal(at));
        at = moved(at, step);
        if (step.lpNorm<Eigen::Infinity>() < 1e-6) break;
    }
    const int spent = iterations_;
    if (descend(at) && way(at) < way(now_)) now_ = at;
    iterations_ = spent;
}

bool Assembly::close() {
    for (double amplitude : {0.0, 0.02, 0.1, 0.3, 0.6, 1.0}) {
        Placements at = amplitude > 0 ? shaken(amplitude) : goal_;
        if (descend(at)) {
            now_ = at;
            draw_back();
            return true;
        }
        if (iterations_ >= options_.max_iterations) break;
    }
    return false;
}

std::string Assembly::complaint() const {
    std::string list;
    int named = 0, apart = 0;
    std::vector<GapRow> rows;
    for (const auto& [index, joint] : joints_) {
        const Joint& j = model_.joints()[index];
        rows.clear();
        joint.append_rows(best_[j.a.index], best_[j.b.index], rows);
        double gap = 0, turn = 0;
        for (const GapRow& row : rows) (row.is_length ? gap : turn) += row.gap * row.gap;
        gap = std::sqrt(gap);
        turn = std::sqrt(turn);
        if (gap <= 1e-6 * size_ && turn <= 1e-6) continue;
        ++apart;
        if (named == 8) continue;
        ++named;
        std::string by;
        if (gap > 1e-6 * size_) by = fmt::format("{:.3g} m", gap);
        if (turn > 1e-6)
            by += fmt::format("{}{:.3g} degrees", by.empty() ? "" : " and ", turn * 180 / pi);
        list += fmt::format("{}{} ({}) by {}", list.empty() ? "" : ", ",
                            model::label("joint", j.name, index), to_string(j.type), by);
    }
    if (apart > named) list += fmt::format(" and {} more", apart - named);
    return fmt::format(
        "the model cannot be assembled: {} stay apart at the nearest place found. {}", list,
        stalled_
            ? "No motion of the bodies brings them closer: check the lengths, points and axes of "
              "that loop, and what is to be kept"
            : "They were still coming closer: start nearer, or allow more iterations");
}

// How far b has turned against a about the axis.
double Assembly::turned(const Joint& j) const {
    if (j.axis == Vec3{}) return 0;
    const Quat turn = Quat::from(now_[j.a.index].rotation.transposed() * now_[j.b.index].rotation);
    const double along = dot({turn.x, turn.y, turn.z}, j.axis);
    return std::remainder(2 * std::atan2(along, turn.w), 2 * pi);
}

Model Assembly::result() const {
    Model out = model_;
    const auto point = [&](BodyId id, Vec3 at) {
        return now_[id.index].position + now_[id.index].rotation * (at - start_[id.index].position);
    };
    const auto direction = [&](BodyId id, Vec3 d) { return now_[id.index].rotation * d; };
    for (uint32_t i = 1; i < out.bodies().size(); ++i) {
        Body& body = ModelEditor::bodies(out)[i];
        body.position = point({i}, body.position);
        body.orientation = Quat::from(now_[i].rotation * body.orientation.matrix());
    }
    for (Joint& j : ModelEditor::joints(out)) {
        if (model::is_gear(j)) continue;
        j.at_a = point(j.a, j.at_a);
        j.at_b = point(j.b, j.at_b);
        if (is_put_ && model::kind_of(j).has_angle()) j.start_angle += turned(j);
        if (j.axis == Vec3{}) {
            // Points only.
        } else if (model::is_gauge(j)) {
            j.axis = normalized(direction(j.a, j.axis));
            j.axis_b = normalized(direction(j.b, j.axis_b));
        } else if (model::kind_of(j).turn == model::Turn::crossed) {
            j.axis = direction(j.a, j.axis);
            j.axis_b = direction(j.b, j.axis_b);
            j.axis_b = normalized(j.axis_b - dot(j.axis, j.axis_b) * j.axis);
        } else {
            j.axis = j.axis_b = normalized(direction(j.a, j.axis));
        }
        if (model::kind_of(j).place == model::Place::point) j.at_b = j.at_a;
    }
    for (Spring& s : ModelEditor::springs(out)) {
        s.at_a = point(s.a, s.at_a);
        s.at_b = point(s.b, s.at_b);
    }
    // Its two frames coincide at the start, wherever that is, unless b's is given.
    for (Bushing& b : ModelEditor::bushings(out)) {
        b.at = point(b.a, b.at);
        b.axes = Quat::from(now_[b.a.index].rotation * b.axes.matrix());
        if (b.at_b) b.at_b = point(b.b, *b.at_b);
        if (b.axes_b) b.axes_b = Quat::from(now_[b.b.index].rotation * b.axes_b->matrix());
    }
    return out;
}

}  // namespace

namespace {

// As it was given, but for the places.
Model given_back(Model out, const Model& rough) {
    if (!rough.plane_normal) return out;
    auto& joints = ModelEditor::joints(out);
    joints.resize(rough.joints().size());
    for (size_t i = 0; i < joints.size(); ++i)
        if (rough.joints()[i].type == JointType::spherical) {
            joints[i].type = JointType::spherical;
            joints[i].axis = joints[i].axis_b = {};
        }
    ModelEditor::joints_are(out, rough);
    return out;
}

}  // namespace

Model assembled(const Model& rough, const AssemblyOptions& options) {
    if (options.max_iterations < 1)
        throw InputError(fmt::format("assembled: max_iterations is {}; it must be at least 1",
                                     options.max_iterations));
    const Model model = model::kept_in_plane(rough);
    Assembly assembly(model, options);
    if (!assembly.close()) throw SimulationError(assembly.complaint());
    return given_back(assembly.result(), rough);
}

Model assembly::put(const Model& whole, BodyId body, const Pose& pose) {
    const Model model = model::kept_in_plane(whole);
    AssemblyOptions options{.keep = {body}};
    Assembly exactly(model, options, std::pair(body, pose));
    if (exactly.close()) return given_back(exactly.result(), whole);
    // Its joints do not let it there: the nearest place they do.
    options.keep.clear();
    Assembly nearly(model, options, std::pair(body, pose));
    if (!nearly.close()) throw SimulationError(nearly.complaint());
    return given_back(nearly.result(), whole);
}

}  // namespace bristle
