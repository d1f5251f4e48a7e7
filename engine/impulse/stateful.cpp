// Rows of stateful forces (mechanics/stateful.h).
#include <bristle/world.h>

#include "impulse/mechanism.h"
#include "impulse/numerics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle::impulse {

// All of a force's rows have entries of all groups that it moves.
void Mechanism::add_stateful_rows() {
    for (uint32_t i = 0; i < model_.stateful_forces().size(); ++i) {
        const StatefulForce& f = model_.stateful_forces()[i];
        std::vector<uint32_t> groups;
        for (JointId joint : f.joints)
            for (uint32_t g : {joints_[joint.index].group_a(), joints_[joint.index].group_b()})
                groups.push_back(g);
        for (BodyId body : f.points) groups.push_back(groups_.member(body).group);
        add_element(Element::Kind::stateful, i,
                    static_cast<uint32_t>(f.joints.size() + 3 * f.points.size()), groups, true);
    }
}

void Mechanism::make_stateful() {
    for (const StatefulForce& f : model_.stateful_forces()) {
        const size_t ways = f.joints.size() + 3 * f.points.size();
        stateful_.push_back({{f, memory_size_},
                             std::vector<Vec3>(f.points.size()),
                             std::vector<Vec3>(f.points.size()),
                             std::vector<double>(ways * ways + 1),
                             std::vector<double>(ways),
                             std::vector<double>(ways)});
        memory_size_ += mechanics::StatefulLayout::memory_size(f);
    }
}

void Mechanism::start_stateful(std::span<const GroupMotion> motion, double h, double end_time,
                               const std::vector<double>& memory, const Scenery* scenery) {
    stateful_step_ = h;
    stateful_end_ = end_time;
    for (Stateful& s : stateful_) {
        mechanics::StatefulStep& step = s.step;
        for (size_t k = 0; k < step.joints(); ++k) {
            const JointId joint = step.force().joints[k];
            for (uint32_t g : {joints_[joint.index].group_a(), joints_[joint.index].group_b()})
                place(g, motion[g], 0);
            step.start[k] = coordinate(joint, memory);
            step.start_rate[k] = rate(joint);
        }
        for (size_t p = 0; p < step.points(); ++p) {
            const GroupMember& m = groups_.member(step.force().points[p]);
            const GroupMotion& g = motion[m.group];
            const Mat3 rotation = g.orientation.matrix();
            const Vec3 offset = rotation * m.offset;
            PointAim& aim = step.aims[p];
            aim =
                step.law().aim(p, {g.position + offset, g.orientation * m.turn},
                               {g.velocity + cross(g.angular_velocity, offset), g.angular_velocity},
                               step.inputs(memory), step.memory(memory), *scenery);
            s.arms[p] = aim.at - g.position;
            const Vec3 velocity = g.velocity + cross(g.angular_velocity, aim.at - g.position);
            for (size_t k = 0; k < 3; ++k) {
                step.start[step.joints() + 3 * p + k] = 0;
                step.start_rate[step.joints() + 3 * p + k] = dot(aim.axis[k], velocity);
            }
        }
    }
}

namespace {

// R = L D Lᵀ, as far as R resists: where a pivot is not positive, D and what is below it are zero.
void decompose(std::vector<double>& lower, std::vector<double>& pivot, size_t n) {
    for (size_t a = 0; a < n; ++a) {
        double& d = pivot[a] = lower[a * n + a];
        const bool resists = d > no_pivot * lower[n * n];
        if (!resists) d = 0;
        for (size_t i = a + 1; i < n; ++i) lower[i * n + a] = resists ? lower[i * n + a] / d : 0;
        for (size_t i = a + 1; i < n; ++i)
            for (size_t j = a + 1; j <= i; ++j)
                lower[i * n + j] -= lower[i * n + a] * d * lower[j * n + a];
        lower[a * n + a] = 1;
    }
}

}  // namespace

// With the ways' gradients J as rows and F − R (J v − w*) as efforts, R = L D Lᵀ, the rows are Lᵀ J, each by itself:
//
//   Jᵀ (F − R (J v − w*)) = (Lᵀ J)ᵀ (L⁻¹ F − D (Lᵀ J v − Lᵀ w*))
void Mechanism::couple_ways(Row* row, Stateful& s, double h) {
    const size_t ways = s.step.ways();
    std::vector<double>& lower = s.lower;
    lower[ways * ways] = 0;  // the largest pivot there may be
    for (size_t a = 0; a < ways; ++a)
        for (size_t b = 0; b <= a; ++b) {
            lower[a * ways + b] = 0.5
                                * (s.step.resistance(a, b, stateful_step_)
                                   + s.step.resistance(b, a, stateful_step_));
            if (a == b) lower[ways * ways] = std::max(lower[ways * ways], lower[a * ways + a]);
        }
    decompose(lower, s.pivot, ways);
    for (size_t a = 0; a < ways; ++a) {
        double effort = s.step.effort[a], rate = s.step.end_rate[a];
        for (size_t b = 0; b < a; ++b) effort -= lower[a * ways + b] * s.along[b];
        s.along[a] = effort;
        for (size_t i = a + 1; i < ways; ++i) {
            const double share = lower[i * ways + a];
            if (share == 0) continue;
            rate += share * s.step.end_rate[i];
            // All rows have entries of the same groups, in the same order.
            for (uint32_t k = 0; k < row[a].count; ++k) {
                const RowEntry& from = rows_.entries[row[i].first + k];
                RowEntry& to = rows_.entries[row[a].first + k];
                to.linear += share * from.linear;
                to.angular += share * from.angular;
            }
        }
        if (s.pivot[a] > 0) weigh(row[a]);
        set_free(row[a], h * (effort + s.pivot[a] * rate), h * s.pivot[a]);
    }
}

// Of a part of a step the law is asked as if all of the step went on like it.
void Mechanism::evaluate_stateful(Row* row, uint32_t index, double h,
                                  const std::vector<double>& memory) {
    Stateful& s = stateful_[index];
    mechanics::StatefulStep& step = s.step;
    const size_t ways = step.ways();
    for (size_t k = 0; k < ways; ++k) {
        clear(row[k]);
        if (k < step.joints()) {
            const JointId joint = step.force().joints[k];
            coordinate_row(row[k], joint, 1);
            const Value y = value_of(joint, memory);
            step.end[k] = step.start[k] + stateful_step_ / h * (y.ahead - y.now);
            step.end_rate[k] = y.rate;
        } else {
            const size_t p = (k - step.joints()) / 3;
            const uint32_t group = groups_.member(step.force().points[p]).group;
            const Vec3 axis = step.aims[p].axis[(k - step.joints()) % 3];
            fill(row[k], {{}, {}, axis, cross(s.arms[p], axis)}, 0, group, 1);
            step.end_rate[k] = rate_of(row[k]);
            step.end[k] = stateful_step_ * step.end_rate[k];
        }
        weigh(row[k]);
    }
    step.ask(stateful_end_, stateful_step_, memory);
    const auto sum = [](const std::vector<double>& all) {
        return std::accumulate(all.begin(), all.end(), 0.0);
    };
    if (std::isfinite(sum(step.end) + sum(step.end_rate)) && !step.is_finite())
        throw SimulationError(
            fmt::format("stateful force '{}': what its law gives at t = {:.6g} s is no number",
                        step.force().name, stateful_end_));
    for (size_t k = 0; k < ways; ++k) {
        // What the last solution has there, as far as it moves what it acts on.
        const double off = h * step.effort[k] - impulse_along(row, s, k),
                     held = 1 + h * step.resistance(k, k, stateful_step_) * row[k].compliance;
        is_unsettled_ |= row[k].compliance * std::abs(off) > settled * std::max(held, 1.0);
    }
    couple_ways(row, s, h);
}

// Of the last solution, along a way: F = L λ.
double Mechanism::impulse_along(const Row* row, const Stateful& s, size_t way) const {
    double sum = row[way].impulse;
    for (size_t b = 0; b < way; ++b) sum += s.lower[way * s.step.ways() + b] * row[b].impulse;
    return sum;
}

void Mechanism::conclude_stateful(const Row* row, uint32_t index, double h,
                                  std::vector<double>& memory) {
    Stateful& s = stateful_[index];
    mechanics::StatefulStep& step = s.step;
    for (size_t k = 0; k < step.joints(); ++k) {
        const JointId joint = step.force().joints[k];
        step.end[k] = coordinate(joint, memory);
        step.end_rate[k] = rate(joint);
    }
    for (size_t p = 0; p < step.points(); ++p) {
        const MovingGroup& m = now_[groups_.member(step.force().points[p]).group];
        const Vec3 velocity = m.velocity + cross(m.angular_velocity, s.arms[p]);
        for (size_t k = 0; k < 3; ++k) {
            const size_t way = step.joints() + 3 * p + k;
            step.end_rate[way] = dot(step.aims[p].axis[k], velocity);
            step.end[way] = h * step.end_rate[way];
        }
    }
    step.ask(stateful_end_, h, memory);
    // A law that has no number even here remembers what it did; the next step tells whose fault that is.
    if (!step.is_finite()) {
        const auto before = step.memory(memory);
        std::copy(before.begin(), before.end(), step.memory_after.begin());
    }
    for (size_t k = 0; k < step.ways(); ++k) {
        step.effort[k] = row[k].total / h;
        for (size_t b = 0; b < k; ++b)
            // What an island that was halted has there is no number.
            if (row[b].total != 0)
                step.effort[k] += s.lower[k * step.ways() + b] * row[b].total / h;
    }
    for (size_t p = 0; p < step.points(); ++p)
        s.places[p] = now_[groups_.member(step.force().points[p]).group].frame.position + s.arms[p];
    step.keep(step.effort, s.places, memory);
}

void Mechanism::add_stateful_loads(const std::vector<double>& memory,
                                   std::vector<StatefulLoad>& out) const {
    for (const Stateful& s : stateful_) {
        const auto efforts = s.step.efforts(memory), places = s.step.places(memory);
        for (size_t k = 0; k < s.step.joints(); ++k) {
            const JointId id = s.step.force().joints[k];
            const JointGeometry& j = joints_[id.index];
            const MovingGroup &a = now_[j.group_a()], &b = now_[j.group_b()];
            const JointGeometry::Sides side = j.coordinate_row(a.frame, b.frame);
            const Joint& joint = model_.joints()[id.index];
            out.push_back({joint.a, efforts[k] * side.linear_a, a.frame.position,
                           efforts[k] * side.angular_a});
            out.push_back({joint.b, efforts[k] * side.linear_b, b.frame.position,
                           efforts[k] * side.angular_b});
        }
        for (size_t p = 0; p < s.step.points(); ++p) {
            const double* const f = &efforts[s.step.joints() + 3 * p];
            const double* const at = &places[3 * p];
            out.push_back(
                {s.step.force().points[p], {f[0], f[1], f[2]}, {at[0], at[1], at[2]}, {}});
        }
    }
}

}  // namespace bristle::impulse
