#include "lagrange/strikes.h"

#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

// m x = b, m symmetric; of a contact that cannot move one way, a little is added.
Vec3 solve(Mat3 m, Vec3 b) {
    m = m + (1e-9 * m.trace()) * Mat3::identity();
    const Vec3 c0 = m.column(0), c1 = m.column(1), c2 = m.column(2), c12 = cross(c1, c2);
    return Vec3{dot(b, c12), dot(c0, cross(b, c2)), dot(c0, cross(c1, b))} / dot(c0, c12);
}

}  // namespace

Strikes::Strikes(Equations& equations) : equations_(equations) {
    strikes_.reserve(most_strikes);
    rows_.reserve(equations.system.relations.size());
}

void Strikes::clear() {
    strikes_.clear();
    longest_ = 0;
    rows_.clear();
}

void Strikes::add_row(uint32_t relation, double low, double high) {
    rows_.push_back({relation, low, high, 0});
}

void Strikes::add_strikes(const state::State& begin, const state::State& state, double step) {
    const Contacts& contacts = equations_.contacts;
    for (uint32_t i = 0; i < contacts.touches().size(); ++i) {
        const ActiveContact& t = contacts.touches()[i];
        const double depth = contacts.struck_depth(t);
        if (!t.is_struck || t.part == ActiveContact::Part::point || !(depth > 0)) continue;
        Strike s{};
        s.touch = i;
        s.normal = to_vec3(t.normal);
        s.before = to_vec3(contacts.velocity_of(t, state.velocity.data()));
        s.friction = t.sliding.kinetic_friction;
        const double now = contacts.approach_speed(t, state.velocity.data()),
                     then = contacts.approach_speed(t, begin.velocity.data());
        if (!(now > 0)) continue;
        // Back to where they met, at a speed that has grown evenly: depth = now τ − ½ growth τ².
        const double growth = (now - then) / step;
        const double root = now * now - 2 * growth * depth;
        s.remaining = root > 0 ? 2 * depth / (now + std::sqrt(root)) : depth / now;
        s.remaining = std::min(s.remaining, 2 * step);
        const double speed = std::max(now - growth * s.remaining, 0.0);
        const double restitution = contacts.restitution_of(t, speed);
        s.aim = restitution * speed;
        if (s.aim > growth * s.remaining) {
            s.before += (now - speed) * s.normal;
        } else {
            // It would be back within the step: it rests.
            s.aim = 0;
            s.remaining = depth / now;
        }
        longest_ = std::max(longest_, s.remaining);
        strikes_.push_back(s);
    }
    // Those that met first take what they can: others of the same bodies may then not meet at all.
    std::sort(strikes_.begin(), strikes_.end(), [](const Strike& a, const Strike& b) {
        return a.remaining != b.remaining ? a.remaining > b.remaining : a.touch < b.touch;
    });
}

void Strikes::find_columns(const BlockLdlt& matrix) {
    const Contacts& contacts = equations_.contacts;
    const size_t entities = equations_.system.entity_count;
    columns_.assign(count_ * entities, Vec4{});
    for (size_t i = 0; i < strikes_.size(); ++i)
        for (size_t k = 0; k < 3; ++k)
            contacts.subtract_impulse(contacts.touches()[strikes_[i].touch],
                                      {k == 0 ? -1.0 : 0, k == 1 ? -1.0 : 0, k == 2 ? -1.0 : 0}, {},
                                      &columns_[(3 * i + k) * entities]);
    for (size_t i = 0; i < rows_.size(); ++i)
        equations_.add_relation_impulse(rows_[i].relation, 1,
                                        &columns_[(3 * strikes_.size() + i) * entities]);
    mobility_.resize(count_ * count_);
    for (size_t j = 0; j < count_; ++j) {
        Vec4* const column = &columns_[j * entities];
        matrix.solve(column);
        double* const out = &mobility_[j * count_];
        for (size_t i = 0; i < strikes_.size(); ++i) {
            const Vec4 v = contacts.velocity_of(contacts.touches()[strikes_[i].touch], column);
            for (int k = 0; k < 3; ++k) out[3 * i + static_cast<size_t>(k)] = v[k];
        }
        for (size_t i = 0; i < rows_.size(); ++i)
            out[3 * strikes_.size() + i] = equations_.relation_rate(rows_[i].relation, column);
    }
}

Vec3 Strikes::rate_of(size_t strike) const {
    return {rate_[3 * strike], rate_[3 * strike + 1], rate_[3 * strike + 2]};
}

void Strikes::push(size_t first, Vec3 change, int count) {
    const double by[3] = {change.x, change.y, change.z};
    for (int k = 0; k < count; ++k) {
        if (by[k] == 0) continue;
        impulse_[first + k] += by[k];
        const double* const column = &mobility_[(first + k) * count_];
        for (size_t i = 0; i < count_; ++i) rate_[i] += by[k] * column[i];
    }
}

Mat3 Strikes::mobility_of(size_t strike) const {
    Mat3 out;
    const size_t first = 3 * strike;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            out(i, k) = mobility_[(first + static_cast<size_t>(k)) * count_ + first
                                  + static_cast<size_t>(i)];
    return out;
}

// What this contact alone would need beside all others, from the rate it would have without.
Vec3 Strikes::impulse_of(const Strike& s, size_t number, Vec3 rate) const {
    const Mat3 mobility = mobility_of(number);
    const Vec3 n = s.normal;
    const double along_normal = dot(n, mobility * n), missing = s.aim - dot(n, rate);
    if (!(missing > 0) || !(along_normal > 0)) return {};
    // Sticking, if that takes no more than friction has.
    const Vec3 stick = solve(mobility, missing * n - in_plane(rate, n));
    const double pressing = dot(n, stick);
    if (pressing > 0 && norm(stick - pressing * n) <= s.friction * pressing) return stick;
    // Slipping, against the way it would slip without.
    const Vec3 slip = in_plane(rate + (missing / along_normal) * (mobility * n), n);
    const double speed = norm(slip);
    const Vec3 along = n - (speed > 0 ? s.friction / speed : 0) * slip;
    const double gained = dot(n, mobility * along);
    // Friction that lifts the contact off, or wedges it in: as if it did not.
    return (missing / std::max(gained, 0.5 * along_normal)) * along;
}

void Strikes::sweep() {
    impulse_.assign(count_, 0);
    rate_ = start_;
    for (int round = 0; round < strike_sweeps; ++round) {
        double changed = 0, whole = 0;
        for (size_t i = 0; i < strikes_.size(); ++i) {
            const size_t first = 3 * i;
            const Vec3 had{impulse_[first], impulse_[first + 1], impulse_[first + 2]};
            push(first, -had, 3);
            const Vec3 has = impulse_of(strikes_[i], i, rate_of(i));
            push(first, has, 3);
            changed = std::max(changed, norm(has - had));
            whole = std::max(whole, norm(has));
        }
        hold_rows(1);
        if (changed <= strike_change * whole) break;
    }
}

// As they were, within their impulses over a time.
void Strikes::hold_rows(double time) {
    for (size_t i = 0; i < rows_.size(); ++i) {
        const size_t at = 3 * strikes_.size() + i;
        const double mobility = mobility_[at * count_ + at], had = impulse_[at];
        if (!(mobility > 0)) continue;
        const double has =
            std::clamp(had - rate_[at] / mobility, time * rows_[i].low, time * rows_[i].high);
        push(at, {has - had, 0, 0}, 1);
        impulse_[at] = has;
    }
}

// Every contact, as if it alone had been struck, is by now as far apart as its change of speed has made it since. Where others have
// done that already (of two ends of a rod the first), it need not be pushed.
void Strikes::find_places() {
    pressed_ = impulse_;
    for (size_t i = 0; i < strikes_.size(); ++i) {
        Strike& s = strikes_[i];
        const Vec3 p{impulse_[3 * i], impulse_[3 * i + 1], impulse_[3 * i + 2]};
        const double pressing = dot(s.normal, p);
        s.lift = dot(s.normal, rate_of(i) - s.before) * s.remaining;
        s.along = pressing > 0 ? p / pressing : s.normal;
        s.shift = 0;
    }
    impulse_.assign(count_, 0);
    rate_.assign(count_, 0);
    for (int round = 0; round < strike_sweeps; ++round) {
        double changed = 0, whole = 0;
        for (size_t i = 0; i < strikes_.size(); ++i) {
            Strike& s = strikes_[i];
            const double gained = dot(s.normal, mobility_of(i) * s.along);
            if (!(gained > 0)) continue;
            const double had = s.shift;
            s.shift = std::max(0.0, had + (s.lift - dot(s.normal, rate_of(i))) / gained);
            push(3 * i, (s.shift - had) * s.along, 3);
            changed = std::max(changed, std::abs(s.shift - had));
            whole = std::max(whole, s.shift);
        }
        hold_rows(longest_);
        if (changed <= strike_change * whole) break;
    }
}

void Strikes::resolve(const state::State& begin, state::State& state, const BlockLdlt& matrix,
                      double step) {
    add_strikes(begin, state, step);
    if (!(longest_ > 0)) return;
    count_ = 3 * strikes_.size() + rows_.size();
    find_columns(matrix);
    start_.assign(count_, 0);  // rows: changes of their rates
    for (size_t i = 0; i < strikes_.size(); ++i) {
        const Vec3 u = strikes_[i].before;
        start_[3 * i] = u.x;
        start_[3 * i + 1] = u.y;
        start_[3 * i + 2] = u.z;
    }
    sweep();
    find_places();
    const size_t entities = equations_.system.entity_count;
    for (size_t j = 0; j < count_; ++j) {
        const Vec4* const column = &columns_[j * entities];
        if (pressed_[j] == 0 && impulse_[j] == 0) continue;
        for (size_t e = 0; e < entities; ++e) {
            state.velocity[e] = fma(pressed_[j], column[e], state.velocity[e]);
            state.position[e] = fma(impulse_[j], column[e], state.position[e]);
        }
    }
    for (size_t i = 0; i < rows_.size(); ++i) rows_[i].impulse = pressed_[3 * strikes_.size() + i];
    for (size_t i = 0; i < strikes_.size(); ++i)
        equations_.contacts.store_strike(
            strikes_[i].touch,
            (1 / step) * Vec3{pressed_[3 * i], pressed_[3 * i + 1], pressed_[3 * i + 2]});
}

}  // namespace bristle::lagrange
