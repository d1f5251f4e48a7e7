#include "impulse/sweeps.h"

#include "impulse/numerics.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace bristle::impulse {
namespace {

float f(double x) { return static_cast<float>(x); }

// A part of a step changes a fast body's velocity by less than a rounding of it, or not many: what is left out is kept for the
// next time (Kahan's sum). A torque of 0.02 N m on a flywheel at 3,000 rpm had no effect at all.
template <class T> void add_and_carry(T& sum, T& carry, T term) {
    const T rest = term + carry, next = sum + rest;
    carry = rest - (next - sum);
    sum = next;
}

// Of an implicit spring; see the header.
struct Scales {
    double rate, mass_scale, impulse_scale;  // rate over 1/h
};
constexpr Scales softness(double zeta) {
    const double omega = 2 * pi * periods, a1 = 2 * zeta + omega, a = omega * a1;
    return {omega / a1, a / (1 + a), 1 / (1 + a)};
}
constexpr Scales contact_softness = softness(contact_damping),
                 joint_softness = softness(joint_damping);

WideVec3 times(const Wide (&m)[6], const WideVec3& v) {
    return {fma(m[0], v.x, fma(m[3], v.y, m[4] * v.z)), fma(m[3], v.x, fma(m[1], v.y, m[5] * v.z)),
            fma(m[4], v.x, fma(m[5], v.y, m[2] * v.z))};
}

}  // namespace

// ---- Colours -------------------------------------------------------------------------------------------

void Sweeps::paint(const StepView& step, const Work& work) {
    used_colors_.assign(work.groups.size() + 1, 0);
    painted_.clear();
    bucket_.assign((most_colors + 1) * Manifold::most_points + 1, 0);
    const auto bucket_of = [&](const Painted& p) {
        // Large manifolds first, so that lanes of a block have about as many points.
        return p.color * Manifold::most_points + Manifold::most_points
             - step.contacts.manifolds[p.manifold].count;
    };
    for (uint32_t k : work.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        const uint32_t a = m.a == 0 ? 0 : number_[m.a], b = m.b == 0 ? 0 : number_[m.b];
        const uint32_t used = (a == 0 ? 0 : used_colors_[a]) | (b == 0 ? 0 : used_colors_[b]);
        const auto color = static_cast<uint32_t>(std::countr_one(used));
        if (color < most_colors) {
            used_colors_[a] |= 1u << color;
            used_colors_[b] |= 1u << color;
        }
        painted_.push_back({k, std::min(color, most_colors)});
        ++bucket_[bucket_of(painted_.back()) + 1];
    }
    for (size_t i = 1; i < bucket_.size(); ++i) bucket_[i] += bucket_[i - 1];
    sorted_.resize(painted_.size());
    colors_.clear();
    blocks_.clear();
    has_rest_ = false;
    // Blocks of every colour: eight abreast, in the last one alone.
    uint32_t first_point = 0;
    std::vector<uint32_t>& next = bucket_;
    const auto color_begin = [&](uint32_t c) {
        return c == 0 ? 0 : next[c * Manifold::most_points];
    };
    uint32_t begin[most_colors + 2];
    for (uint32_t c = 0; c <= most_colors; ++c) begin[c] = color_begin(c);
    begin[most_colors + 1] = static_cast<uint32_t>(painted_.size());
    for (const Painted& p : painted_) sorted_[next[bucket_of(p)]++] = p.manifold;
    for (uint32_t c = 0; c <= most_colors; ++c) {
        const uint32_t width = c == most_colors ? 1 : lanes;
        const auto first_block = static_cast<uint32_t>(blocks_.size());
        for (uint32_t i = begin[c]; i < begin[c + 1]; i += width) {
            Manifolds8& block = blocks_.emplace_back();
            block.count = 0;
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                const bool is_used = lane < width && i + lane < begin[c + 1];
                block.source[lane] = is_used ? sorted_[i + lane] : none;
                if (is_used)
                    block.count =
                        std::max(block.count, step.contacts.manifolds[sorted_[i + lane]].count);
            }
            block.first = first_point;
            first_point += block.count;
        }
        if (blocks_.size() == first_block) continue;
        colors_.push_back({first_block, static_cast<uint32_t>(blocks_.size())});
        has_rest_ = c == most_colors;
    }
    points_.resize(first_point);
    const bool any_resists =
        std::any_of(work.manifolds.begin(), work.manifolds.end(),
                    [&](uint32_t k) { return step.contacts.manifolds[k].resists(); });
    turnings_.assign(any_resists ? first_point : 0, Turning{});
}

template <class Each> void Sweeps::for_each_color(Jobs& jobs, const Each& each) {
    for (size_t c = 0; c < colors_.size(); ++c) {
        const uint32_t begin = colors_[c].begin, end = colors_[c].end;
        const bool is_rest = has_rest_ && c + 1 == colors_.size();
        if (is_rest || end - begin <= blocks_in_piece) {
            for (uint32_t i = begin; i < end; ++i) each(i);
            continue;
        }
        jobs.run((end - begin + blocks_in_piece - 1) / blocks_in_piece, [&](uint32_t piece) {
            const uint32_t last = std::min(end, begin + (piece + 1) * blocks_in_piece);
            for (uint32_t i = begin + piece * blocks_in_piece; i < last; ++i) each(i);
        });
    }
}

// ---- Blocks of eight -----------------------------------------------------------------------------------

Sweeps::Motion8 Sweeps::load(const std::vector<BodyFloats>& from, const Manifolds8& block) const {
    Wide a[8], b[8];
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        a[lane] = (Wide)_mm256_load_ps(from[block.a[lane]].linear);
        b[lane] = (Wide)_mm256_load_ps(from[block.b[lane]].linear);
    }
    transpose(a);
    transpose(b);
    return {{a[0], a[1], a[2]}, {a[4], a[5], a[6]}, {b[0], b[1], b[2]}, {b[4], b[5], b[6]}};
}

void Sweeps::save(const Motion8& m, const Manifolds8& block) {
    const Wide zero{};
    Wide a[8] = {m.va.x, m.va.y, m.va.z, zero, m.wa.x, m.wa.y, m.wa.z, zero};
    Wide b[8] = {m.vb.x, m.vb.y, m.vb.z, zero, m.wb.x, m.wb.y, m.wb.z, zero};
    transpose(a);
    transpose(b);
    // The ground is everybody's: it is not written.
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        if (block.a[lane] != 0) _mm256_store_ps(velocity_[block.a[lane]].linear, (__m256)a[lane]);
        if (block.b[lane] != 0) _mm256_store_ps(velocity_[block.b[lane]].linear, (__m256)b[lane]);
    }
}

void Sweeps::warm_start(const Manifolds8& block) {
    Motion8 m = load(velocity_, block);
    const Point* const points = &points_[block.first];
    WideVec3 sum{}, moment_a{}, moment_b{};
    for (uint32_t i = 0; i < block.count; ++i) {
        const Point& p = points[i];
        const WideVec3 impulse = add(add(p.impulse * block.normal, p.friction[0], block.tangent[0]),
                                     p.friction[1], block.tangent[1]);
        sum = sum + impulse;
        moment_a = moment_a + cross(p.arm_a, impulse);
        moment_b = moment_b + cross(p.arm_b, impulse);
        // Beside the point: (i₀ t₀ + i₁ t₁) × (f₀ t₀ + f₁ t₁) = (i₀ f₁ − i₁ f₀) n.
        WideVec3 turn = (p.inward[0] * p.friction[1] - p.inward[1] * p.friction[0]) * block.normal;
        if (block.resists) {
            const Wide* const resisted = turnings_[block.first + i].impulse;
            turn = add(add(add(turn, resisted[0], block.tangent[0]), resisted[1], block.tangent[1]),
                       resisted[2], block.normal);
        }
        moment_a = moment_a + turn;
        moment_b = moment_b + turn;
    }
    m.va = add(m.va, block.inverse_mass_a, sum);
    m.vb = subtract(m.vb, block.inverse_mass_b, sum);
    m.wa = m.wa + times(block.inertia_a, moment_a);
    m.wb = m.wb - times(block.inertia_b, moment_b);
    save(m, block);
}

void Sweeps::resist_turning(const Manifolds8& block, Motion8& m) {
    const auto limited = [](Wide square, Wide bound) {
        return min(wide(1), bound / sqrt(max(square, wide(1e-30f))));
    };
    for (uint32_t i = 0; i < block.count; ++i) {
        Turning& t = turnings_[block.first + i];
        const Wide pressed = points_[block.first + i].impulse;
        const WideVec3 spin = m.wa - m.wb;
        const WideVec3* const axis[3] = {&block.tangent[0], &block.tangent[1], &block.normal};
        Wide next[3];
        for (int k = 0; k < 3; ++k)
            next[k] = fnma(block.turning_mass[k], dot(spin, *axis[k]), t.impulse[k]);
        const Wide rolling =
                       limited(fma(next[0], next[0], next[1] * next[1]), block.rolling * pressed),
                   spinning = limited(next[2] * next[2], block.spinning * pressed);
        WideVec3 change{};
        for (int k = 0; k < 3; ++k) {
            next[k] = next[k] * (k < 2 ? rolling : spinning);
            change = add(change, next[k] - t.impulse[k], *axis[k]);
            t.impulse[k] = next[k];
        }
        m.wa = m.wa + times(block.inertia_a, change);
        m.wb = m.wb - times(block.inertia_b, change);
    }
}

template <bool mends>
void Sweeps::solve_manifolds(Manifolds8& block, float inverse_h, const Softness& soft) {
    Motion8 m = load(velocity_, block);
    const Motion8 d = load(moved_, block);
    Point* const points = &points_[block.first];
    const Wide zero{}, inverse_step = wide(inverse_h);
    const auto apply = [&](const Point& p, const WideVec3& impulse) {
        m.va = add(m.va, block.inverse_mass_a, impulse);
        m.vb = subtract(m.vb, block.inverse_mass_b, impulse);
        m.wa = m.wa + times(block.inertia_a, cross(p.arm_a, impulse));
        m.wb = m.wb - times(block.inertia_b, cross(p.arm_b, impulse));
    };
    const auto between = [](const Motion8& of, const Point& p) {
        return (of.va + cross(of.wa, p.arm_a)) - (of.vb + cross(of.wb, p.arm_b));
    };
    for (uint32_t i = 0; i < block.count; ++i) {
        Point& p = points[i];
        // Beside the point by i: (w × i)·t₀ = −i₁ w·n, (w × i)·t₁ = i₀ w·n.
        const auto across = [&](const Motion8& of, Wide(&out)[2]) {
            const WideVec3 slip = between(of, p);
            const Wide spin = dot(of.wa - of.wb, block.normal);
            out[0] = fnma(p.inward[1], spin, dot(slip, block.tangent[0]));
            out[1] = fma(p.inward[0], spin, dot(slip, block.tangent[1]));
        };
        Wide rate[2];
        across(m, rate);
        if constexpr (mends) {
            Wide drag[2];
            across(d, drag);
            for (int t = 0; t < 2; ++t)
                rate[t] = fma(wide(pulled_back) * inverse_step, p.strain[t] + drag[t], rate[t]);
        }
        Wide next[2];
        for (int t = 0; t < 2; ++t) next[t] = fnma(p.tangent_mass[t], rate[t], p.friction[t]);
        const Wide bound = block.friction * p.impulse;
        const Wide square = fma(next[0], next[0], next[1] * next[1]);
        // Lanes without friction have a zero over a zero: the tiny number makes it a zero.
        const Wide scale = min(wide(1), bound / sqrt(max(square, wide(1e-30f))));
        WideVec3 impulse{};
        Wide turn[2];
        for (int t = 0; t < 2; ++t) {
            next[t] = next[t] * scale;
            impulse = add(impulse, next[t] - p.friction[t], block.tangent[t]);
            turn[t] = next[t] - p.friction[t];
            p.friction[t] = next[t];
        }
        apply(p, impulse);
        const WideVec3 moment = (p.inward[0] * turn[1] - p.inward[1] * turn[0]) * block.normal;
        m.wa = m.wa + times(block.inertia_a, moment);
        m.wb = m.wb - times(block.inertia_b, moment);
    }
    if (block.resists) resist_turning(block, m);
    for (uint32_t i = 0; i < block.count; ++i) {
        Point& p = points[i];
        const Wide gap = p.gap + dot(between(d, p), block.normal);
        const Wide rate = dot(between(m, p), block.normal);
        const Wide apart = gap * inverse_step;
        Wide wanted, mass = p.mass, left = p.impulse;
        if constexpr (mends) {
            const Wide mending =
                max(wide(soft.rate) * min(gap + wide(soft.allowed), zero), wide(-soft.fastest));
            const Wide is_apart = less(zero, gap);
            wanted = choose(is_apart, apart, min(mending, zero - p.bounce));
            mass = choose(is_apart, mass, mass * wide(soft.mass_scale));
            left = choose(is_apart, left, left * wide(1 - soft.impulse_scale));
        } else {
            // What leaves in this part is apart already.
            wanted = choose(less(zero, gap), apart, zero - p.bounce);
            wanted = choose(less(zero, p.impulse * p.bounce), zero - p.bounce, wanted);
        }
        const Wide next = max(fnma(mass, rate + wanted, left), zero);
        const Wide change = next - p.impulse;
        p.impulse = next;
        apply(p, change * block.normal);
    }
    save(m, block);
}

// ---- Rows of the mechanism -----------------------------------------------------------------------------

void Sweeps::prepare_rows(const StepView& step, const Work& work, Mechanism& mechanism,
                          const std::vector<double>& memory, double h, double time,
                          double resting_speed) {
    for (uint32_t g : work.groups) {
        if (!mechanism.has(g)) continue;
        const BodyFloats &d = moved_[number_[g]], &v = velocity_[number_[g]];
        const GroupMotion& start = step.motion[g];
        GroupMotion now = start;
        now.position += Vec3{d.linear[0], d.linear[1], d.linear[2]};
        now.orientation = turned_by({d.angular[0], d.angular[1], d.angular[2]}) * start.orientation;
        now.velocity = {v.linear[0], v.linear[1], v.linear[2]};
        now.angular_velocity = {v.angular[0], v.angular[1], v.angular[2]};
        mechanism.place(g, now, h);
    }
    rows_.clear();
    for (uint32_t e : work.elements) {
        const Mechanism::Element& element = mechanism.elements()[e];
        mechanism.evaluate(element, h, time, memory, resting_speed, Mechanism::Closing::gentle);
        for (uint32_t r = 0; r < element.row_count; ++r) rows_.push_back(element.first_row + r);
    }
    start_rates_.clear();
    for (uint32_t r : rows_) start_rates_.push_back(rate_of(mechanism, mechanism.rows().rows[r]));
}

void Sweeps::apply(const Mechanism& mechanism, const Row& row, double impulse) {
    if (impulse == 0) return;
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        const RowEntry& e = mechanism.rows().entries[k];
        BodyFloats &v = velocity_[number_[e.group]], &carry = carry_[number_[e.group]];
        const Vec3 linear = mechanism.inverse_mass(e.group) * impulse * e.linear,
                   angular = row_inverse_inertia_[number_[e.group]] * (impulse * e.angular);
        for (int c = 0; c < 3; ++c) {
            add_and_carry(v.linear[c], carry.linear[c], f(linear[c]));
            add_and_carry(v.angular[c], carry.angular[c], f(angular[c]));
        }
    }
}

double Sweeps::rate_of(const Mechanism& mechanism, const Row& row) const {
    double rate = 0;
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        const RowEntry& e = mechanism.rows().entries[k];
        const BodyFloats& v = velocity_[number_[e.group]];
        rate += dot(e.linear, Vec3{v.linear[0], v.linear[1], v.linear[2]})
              + dot(e.angular, Vec3{v.angular[0], v.angular[1], v.angular[2]});
    }
    return rate;
}

// Of a part, when it is done.
void Sweeps::count_work(Mechanism& mechanism) const {
    for (size_t i = 0; i < rows_.size(); ++i) {
        Row& row = mechanism.rows().rows[rows_[i]];
        row.total += row.impulse;
        if (row.is_joint || row.impulse == 0) continue;
        row.work += row.impulse * (start_rates_[i] + rate_of(mechanism, row)) / 2;
    }
}

void Sweeps::warm_start_rows(const Mechanism& mechanism) {
    for (uint32_t r : rows_)
        apply(mechanism, mechanism.rows().rows[r], mechanism.rows().rows[r].impulse);
}

void Sweeps::solve_rows(Mechanism& mechanism, bool mends) {
    for (uint32_t r : rows_) {
        Row& row = mechanism.rows().rows[r];
        if (row.low == 0 && row.high == 0) continue;
        const double rate = rate_of(mechanism, row);
        double change = ((mends ? row.offset : row.calm_offset) - row.gain * rate - row.impulse)
                      / (1 + row.gain * row.compliance);
        // A joint gives a little, like a contact: impulses that were not yet right would otherwise be carried from
        // part to part and swing up.
        if (mends && row.is_joint)
            change =
                joint_softness.mass_scale * change - joint_softness.impulse_scale * row.impulse;
        const double next = std::clamp(row.impulse + change, row.low, row.high);
        apply(mechanism, row, next - row.impulse);
        row.impulse = next;
    }
}

// ---- The step ------------------------------------------------------------------------------------------

// Velocities when the step begins, and what forces add to them in each part.
void Sweeps::load_bodies(const StepView& step, const Work& work, int parts) {
    const auto bodies = static_cast<uint32_t>(work.groups.size()) + 1;
    number_.resize(step.groups.size());
    velocity_.assign(bodies, BodyFloats{});
    moved_.assign(bodies, BodyFloats{});
    push_.assign(bodies, BodyFloats{});
    carry_.assign(bodies, BodyFloats{});
    row_inverse_inertia_.resize(bodies);
    for (uint32_t i = 1; i < bodies; ++i) {
        const uint32_t g = work.groups[i - 1];
        number_[g] = i;
        const Vec3 v = step.motion[g].velocity, w = step.motion[g].angular_velocity;
        const Vec3 dv = (step.free_velocity[g] - v) / parts, dw = (step.free_spin[g] - w) / parts;
        for (int c = 0; c < 3; ++c) {
            velocity_[i].linear[c] = f(v[c]);
            velocity_[i].angular[c] = f(w[c]);
            carry_[i].linear[c] = f(v[c] - velocity_[i].linear[c]);
            carry_[i].angular[c] = f(w[c] - velocity_[i].angular[c]);
            push_[i].linear[c] = f(dv[c]);
            push_[i].angular[c] = f(dw[c]);
        }
        row_inverse_inertia_[i] = step.inverse_inertia[g];
    }
}

namespace {

template <class Visit>
void for_each_row(std::span<const uint32_t> elements, Mechanism& mechanism, const Visit& visit) {
    for (uint32_t e : elements) {
        const Mechanism::Element& element = mechanism.elements()[e];
        for (uint32_t r = 0; r < element.row_count; ++r)
            visit(mechanism.rows().rows[element.first_row + r]);
    }
}

}  // namespace

Sweeps::Softness Sweeps::softness(const SweepSettings& settings, double h) {
    Softness soft{};
    soft.fastest = f(fastest_mending);
    if (settings.relaxes) {
        soft.rate = f(contact_softness.rate / h);
        soft.mass_scale = f(contact_softness.mass_scale);
        soft.impulse_scale = f(contact_softness.impulse_scale);
        soft.allowed = 0;
    } else {
        soft.rate = f(settings.error_reduction / h);
        soft.mass_scale = 1;
        soft.impulse_scale = 0;
        soft.allowed = f(settings.allowed_depth);
    }
    return soft;
}

void Sweeps::solve(const StepView& step, const Work& work, Mechanism& mechanism,
                   const std::vector<double>& memory, double time, double resting_speed,
                   const SweepSettings& settings, Jobs& jobs) {
    const auto bodies = static_cast<uint32_t>(work.groups.size()) + 1;
    const int parts = settings.parts;
    const double h = step.step / parts;
    load_bodies(step, work, parts);
    paint(step, work);
    for_each_color(jobs, [&](uint32_t i) { fill(step, i, parts); });
    for_each_row(work.elements, mechanism, [&](Row& row) {
        row.impulse /= parts;
        row.total = row.work = 0;
    });

    const Softness soft = softness(settings, h);
    const auto for_each_body = [&](const auto& each) {
        jobs.run((bodies + bodies_in_piece - 1) / bodies_in_piece, [&](uint32_t piece) {
            const uint32_t end = std::min(bodies, (piece + 1) * bodies_in_piece);
            for (uint32_t i = std::max(1u, piece * bodies_in_piece); i < end; ++i) each(i);
        });
    };
    const float inverse_h = f(1 / h);
    for (int part = 0; part < parts; ++part) {
        prepare_rows(step, work, mechanism, memory, h, time - (parts - 1 - part) * h,
                     resting_speed);
        for_each_body([&](uint32_t i) {
            add_and_carry(*reinterpret_cast<Wide*>(velocity_[i].linear),
                          *reinterpret_cast<Wide*>(carry_[i].linear),
                          *reinterpret_cast<const Wide*>(push_[i].linear));
        });
        warm_start_rows(mechanism);
        for_each_color(jobs, [&](uint32_t i) { warm_start(blocks_[i]); });
        for (int pass = 0; pass < settings.passes; ++pass) {
            solve_rows(mechanism, true);
            for_each_color(jobs,
                           [&](uint32_t i) { solve_manifolds<true>(blocks_[i], inverse_h, soft); });
        }
        for_each_body([&](uint32_t i) {
            Wide& d = *reinterpret_cast<Wide*>(moved_[i].linear);
            d = fma(wide(f(h)), *reinterpret_cast<const Wide*>(velocity_[i].linear), d);
        });
        if (settings.relaxes) {
            solve_rows(mechanism, false);
            for_each_color(
                jobs, [&](uint32_t i) { solve_manifolds<false>(blocks_[i], inverse_h, soft); });
        }
        count_work(mechanism);
        for (Point& p : points_) p.count();
        for (Turning& t : turnings_)
            for (int k = 0; k < 3; ++k) t.sum[k] = t.sum[k] + t.impulse[k];
    }
    for_each_color(jobs, [&](uint32_t i) { unload(step, i, parts); });
    for_each_row(work.elements, mechanism, [&](Row& row) { row.impulse *= parts; });
    for (uint32_t i = 1; i < bodies; ++i) {
        const uint32_t g = work.groups[i - 1];
        for (int c = 0; c < 3; ++c) {
            step.velocity[g][c] = double(velocity_[i].linear[c]) + double(carry_[i].linear[c]);
            step.spin[g][c] = double(velocity_[i].angular[c]) + double(carry_[i].angular[c]);
        }
        step.way[g] = {moved_[i].linear[0], moved_[i].linear[1], moved_[i].linear[2]};
        step.turn[g] = {moved_[i].angular[0], moved_[i].angular[1], moved_[i].angular[2]};
    }
}

}  // namespace bristle::impulse
