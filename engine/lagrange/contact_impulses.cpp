// Contacts as those see them who find impulses: where they are, how they move, and what was made of them.
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle::lagrange {

Vec3 Contacts::spin_of(const ActiveContact& t, const Vec4* v) const {
    const Coupling& c = couplings_[t.coupling];
    Vec3 out;
    for (size_t k = 0; k < c.entity.size(); ++k) out += turning(t, k) * to_vec3(v[c.entity[k]]);
    return out;
}

void Contacts::subtract_impulse(const ActiveContact& t, Vec3 impulse, Vec3 torque,
                                Vec4* out) const {
    push(t, -to_vec4(impulse), out);
    if (torque == Vec3{}) return;
    const Coupling& c = couplings_[t.coupling];
    for (size_t k = 0; k < c.entity.size(); ++k)
        out[c.entity[k]] -= to_vec4(turning(t, k).transposed() * torque);
}

void Contacts::store_impulse(uint32_t index, const Pressed& p) {
    ActiveContact& t = touches_[index];
    const Vec3 n = to_vec3(t.normal);
    t.force = p.force;
    t.torque = p.torque;
    t.mean = {p.normal_force, 0};
    t.normal_force = p.normal_force;
    t.pressed = p.depth;
    t.slide = {};
    t.slide.strain = p.strain;
    t.slide.slips = p.slips;
    if (t.part == ActiveContact::Part::grip) {
        t.slide.strain += arm_of(t) * dot(n, p.turn_strain) * n;
    } else {
        t.roll.strain = in_plane(p.turn_strain, n);
        t.spin.strain = dot(n, p.turn_strain) * n;
    }
}

// Only where nothing that is struck, or joined to it, is pressed by something else: an impulse would press it further at once, and
// that is the law's to say.
void Contacts::find_strikes(const state::State& begin) {
    has_strikes_ = false;
    for (ActiveContact& t : touches_) {
        if (t.part == ActiveContact::Part::point) continue;
        set_struck(t, is_strike(t, begin, begin.velocity.data()));
        has_strikes_ |= t.is_struck;
    }
    if (!has_strikes_) return;
    find_clusters();
    unsigned count = 0;
    for (ActiveContact& t : touches_) {
        if (t.part == ActiveContact::Part::point) continue;
        const bool is_one = t.is_struck && struck_in_[root_of(t)] <= most_strikes;
        set_struck(t, is_one && count < most_strikes_in_all);
        count += is_one ? 1 : 0;
    }
    has_strikes_ = count > 0;
}

// A patch is struck as one: its grip takes the impulse, at the pressure's centroid.
void Contacts::set_struck(ActiveContact& t, bool is_struck) {
    t.is_struck = is_struck;
    if (t.part == ActiveContact::Part::grip)
        for (ActiveContact* point = &t - ActiveContact::grip_number; point != &t; ++point)
            point->is_struck = is_struck;
}

double Contacts::struck_depth(const ActiveContact& t) const {
    if (t.part != ActiveContact::Part::grip) return t.depth;
    const contact::Foundation& f = patches_[t.patch].foundation;
    return t.depth + f.deepest - f.mean;
}

// What the impulses drove into each other.
bool Contacts::find_further_strikes(const state::State& begin, const Vec4* velocity,
                                    const BlockLdlt& mass, std::vector<Vec4>& scratch) {
    weigh(mass, scratch);
    bool any = false;
    for (ActiveContact& t : touches_) {
        if (t.part == ActiveContact::Part::point) continue;
        if (t.is_struck ? !(struck_depth(t) > 0) : !(t.depth_before <= 0)) continue;
        if (!t.is_struck && !is_strike(t, begin, velocity)) continue;
        set_struck(t, true);
        any |= approach_speed(t, velocity) > slow_impact;
    }
    return any;
}

bool Contacts::is_pressed(const ActiveContact& t) {
    return t.part != ActiveContact::Part::grip && !t.is_lost && t.depth_before > 0;
}

uint32_t Contacts::root_of(const ActiveContact& t) {
    uint32_t a = system_.assembly[couplings_[t.coupling].entity[0]];
    while (cluster_[a] != a) a = cluster_[a] = cluster_[cluster_[a]];
    return a;
}

// Assemblies that are struck or pressed together.
void Contacts::find_clusters() {
    cluster_.resize(system_.assembly_count);
    std::iota(cluster_.begin(), cluster_.end(), 0u);
    for (const ActiveContact& t : touches_) {
        if (!t.is_struck && !is_pressed(t)) continue;
        const uint32_t a = root_of(t);
        for (uint32_t entity : couplings_[t.coupling].entity) {
            uint32_t b = system_.assembly[entity];
            while (cluster_[b] != b) b = cluster_[b];
            if (b != a) cluster_[b] = a;
        }
    }
    struck_in_.assign(system_.assembly_count, 0);
    for (const ActiveContact& t : touches_) {
        if (t.is_struck && t.part != ActiveContact::Part::point) ++struck_in_[root_of(t)];
        if (is_pressed(t)) struck_in_[root_of(t)] += most_strikes;
    }
}

// Without damping.
double Contacts::deepest_of_impact(const ActiveContact& t, double speed) const {
    const double energy = 0.5 * t.memory.mass * speed * speed;
    if (t.part != ActiveContact::Part::grip) return depth_that_stores(t.normal_law, energy);
    const contact::Foundation& f = patches_[t.patch].foundation;
    const double stored = t.memory.stiffness * f.area * f.mean * f.deepest / (f.order + 1);
    return f.deepest * std::pow(energy / stored, 1 / (f.order + 1));
}

bool Contacts::is_resolved(const ActiveContact& t, double speed) const {
    const double mass = t.memory.mass, deepest = deepest_of_impact(t, speed);
    const contact::NormalLaw& law =
        t.part == ActiveContact::Part::grip ? (&t - 1)->normal_law : t.normal_law;
    const double damping = std::max(law.factor * speed, law.viscous * deepest / (mass * speed));
    return impact_lasts * deepest > strike_steps * weights_.step * (1 + damping) * speed;
}

// Two bodies that did not touch, that meet fast, and that would part again too soon. Where nobody has said how stiff they are an
// impact takes no time, whatever the step.
bool Contacts::is_strike(const ActiveContact& t, const state::State& begin,
                         const Vec4* velocity) const {
    if (t.part == ActiveContact::Part::point || t.is_lost || !(struck_depth(t) > 0)) return false;
    const double speed = approach_speed(t, velocity), h = weights_.step;
    if (!(speed > std::max(slow_impact, 2 * usual_gravity() * h))) return false;
    if (!is_estimated(t) && is_resolved(t, speed)) return false;
    return std::none_of(
        begin.contacts.begin(), begin.contacts.end(), [&](const state::ContactMemory& m) {
            const uint32_t a = group_of(m.pair >> 32), b = group_of(m.pair & 0xffffffffu);
            return m.depth > 0 && h * norm(m.force) > hardly_touched * m.mass * speed
                && ((a == t.group_a && b == t.group_b) || (a == t.group_b && b == t.group_a));
        });
}

double Contacts::restitution_of(const ActiveContact& t, double speed) const {
    const ContactLaw& law = law_of(t);
    const double damping = damping_of(t);
    if (law.normal == ContactLaw::Normal::kelvin_voigt) return contact::voigt_restitution(damping);
    return contact::hertz_restitution(law.damping_factor > 0 ? law.damping_factor * speed
                                                             : damping);
}

void Contacts::store_strike(uint32_t index, Vec3 mean_force) {
    ActiveContact& t = touches_[index];
    t.force += mean_force;
    t.normal_force = t.mean.force = dot(to_vec3(t.normal), t.force);
}

void Contacts::hold_pressed() {
    for (ActiveContact& t : touches_)
        t.pressed = t.is_struck ? 0 : std::min(t.pressed, std::max(t.depth, 0.0));
}

void Contacts::weaken_strikes(double by) {
    for (ActiveContact& t : touches_)
        if (t.is_struck) t.force *= 1 - by;
}

// The normal has turned a little since the force was found.
void Contacts::keep_in_cone(ActiveContact& t) {
    if (t.part != ActiveContact::Part::whole) return;
    const Vec3 n = to_vec3(t.normal), along = dot(n, t.force) * n, across = t.force - along;
    const double most = t.sliding.static_friction * norm(along), size = norm(across);
    if (size > most) t.force = along + (most / size) * across;
}

// What lasted through the step goes on as it was; what came or went is no force of the next one yet.
void Contacts::settle_impulses() {
    for (ActiveContact& t : touches_) {
        const ActiveContact& whole = t.part == ActiveContact::Part::point ? t.grip() : t;
        const bool lasts = !t.is_lost && whole.depth > 0 && whole.depth_before > 0;
        keep_in_cone(t);
        t.share = lasts ? t.force : Vec3{};
        t.torque_share = lasts ? t.torque : Vec3{};
        t.end_force = to_vec4(t.share);
        t.end_torque = t.torque_share;
    }
    for (ActiveContact& t : touches_) settle_one(t);
    is_stepping_ = false;
}

}  // namespace bristle::lagrange
