// What contacts remember of the step before, and which of them detection does not find again.
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

void Contacts::remember(ActiveContact& t, const state::State& begin) const {
    const auto found =
        std::lower_bound(begin.contacts.begin(), begin.contacts.end(), std::pair(t.pair, t.feature),
                         [](const state::ContactMemory& m, const auto& key) {
                             return std::pair(m.pair, m.feature) < key;
                         });
    t.is_new =
        found == begin.contacts.end() || found->pair != t.pair || found->feature != t.feature;
    if (!t.is_new) t.memory = *found;
    t.strained_before = t.memory.strained;
    // What was open is new when it closes again, but for its share in the accelerations.
    if (!t.is_new && (found->depth > 0 || !(found->force == Vec3{}))) return;
    const state::ContactMemory last = t.memory;
    t.is_new = true;
    t.memory = {};
    t.memory.share = last.share;
    t.memory.torque_share = last.torque_share;
    t.memory.depth = last.depth;
    t.memory.point = last.point;
    t.memory.normal = last.normal;
    t.memory.pair = t.pair;
    t.memory.feature = t.feature;
    t.memory.bodies = uint64_t{collider(t.pair >> 32).body.index} << 32
                    | collider(t.pair & 0xffffffffu).body.index;
    // Until it has been weighed: as if both bodies were alone and were struck at their centres.
    double mobility = 0;
    for (uint32_t g : {t.group_a, t.group_b})
        if (g != 0) mobility += 1 / system_.group_mass[g];
    t.memory.mass = 1 / mobility;
}

// Contacts of the last step that are not found. Either they are over, and their share in the accelerations the step begins with is still
// to be undone; or they last.
void Contacts::find_lost(const state::State& begin) {
    const auto found = static_cast<ptrdiff_t>(touches_.size());
    for (const state::ContactMemory& m : begin.contacts) {
        const auto place = std::lower_bound(
            touches_.begin(), touches_.begin() + found, m,
            [](const ActiveContact& t, const state::ContactMemory& memory) {
                return std::pair(t.pair, t.feature) < std::pair(memory.pair, memory.feature);
            });
        const bool is_found = place != touches_.begin() + found && place->pair == m.pair
                           && place->feature == m.feature;
        if (is_found) continue;
        add_lost(m);
        ActiveContact& t = touches_.back();
        if (lasts(t, begin, static_cast<size_t>(found)))
            keep(t);
        else if (m.share == Vec3{} && m.torque_share == Vec3{})
            touches_.pop_back();
    }
}

// A point of each body, where it was pushed.
void Contacts::add_lost(const state::ContactMemory& m) {
    ActiveContact& t =
        add_touch(static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
    t.feature = m.feature;
    t.memory = m;
    t.is_lost = true;
    t.normal_of = collision::NormalOf::b;
    const WidePlacement &fa = frame_before_[slot_of_group_[t.group_a]],
                        &fb = frame_before_[slot_of_group_[t.group_b]];
    const Vec4 n = to_vec4(m.normal), on_a = to_vec4(m.point),
               on_b = fma(m.depth + m.left_out, n, on_a);
    t.local_a = coordinates(fa, on_a - fa.origin);
    t.local_b = coordinates(fb, on_b - fb.origin);
    t.local_normal = coordinates(fb, n);
    t.inward = to_vec4(m.inward);
    if (!(m.inward == Vec3{})) add_rubbing(t);
    t.compliance = 0;
    locate(t);
}

// Which of many points are found where faces, edges and corners lie on each other nearly in parallel depends on the last digits of a
// pose: a box that rests on bumpy ground would lose and get touches in every step, and never come to rest. So what is still pressed lasts
// as long as its bodies touch elsewhere and hardly move against each other, and it has not slipped since it was found.
bool Contacts::lasts(const ActiveContact& t, const state::State& begin, size_t found) const {
    constexpr uint64_t never = state::patch_point | state::patch_grip | state::shared_contact;
    const state::ContactMemory& m = t.memory;
    if ((m.flags & never) != 0 || !(m.flags & state::weighed_contact) || !(m.depth > 0))
        return false;
    const collision::SceneCollider &a = collider(m.pair >> 32), &b = collider(m.pair & 0xffffffffu);
    const double length = std::min(a.bound_radius, b.bound_radius),
                 slow = rest_speed * usual_gravity() * system_.settings.step;
    const Vec3 velocity = to_vec3(velocity_of(t, begin.velocity.data())),
               spin = spin_of(t, begin.velocity.data());
    if (!(norm(velocity) + norm(spin) * length <= slow)) return false;
    const Vec3 slipped = in_plane(to_vec3(t.at_a - t.at_b), to_vec3(t.normal));
    if (!(norm(slipped) <= rest_slip * length)) return false;
    const bool touch =
        std::any_of(touches_.begin(), touches_.begin() + static_cast<ptrdiff_t>(found),
                    [&](const ActiveContact& other) {
                        return other.group_a == t.group_a && other.group_b == t.group_b
                            && other.depth_before > 0;
                    });
    const double near = m.depth + m.left_out + rest_slip * length;
    return touch && Detection::is_ground_at(a, to_vec3(t.at_a), near)
        && Detection::is_ground_at(b, to_vec3(t.at_b), near);
}

void Contacts::keep(ActiveContact& t) {
    const collision::SceneCollider &a = collider(t.pair >> 32), &b = collider(t.pair & 0xffffffffu);
    t.is_lost = false;
    t.is_kept = true;
    t.material_a = a.material.index;
    t.material_b = b.material.index;
    t.weight = t.spread = 1;
    t.length = std::min(a.bound_radius, b.bound_radius);
    t.thickness = std::min(a.thickness, b.thickness);
    t.strained_before = t.memory.strained;
    t.before_a = point_of(frame_before_[slot_of_group_[t.group_a]], t.local_a);
    t.before_b = point_of(frame_before_[slot_of_group_[t.group_b]], t.local_b);
    t.apart_before = t.before_a - t.before_b;
    t.depth_before = depth_before(t);
}

// Of many points on one face four are taken, and it may be others in the next step (a tube that stands on its end). Those that were as
// deep before are strained as those were in whose place they come, and hold no more between them: else what stands on a slope would creep.
void Contacts::hand_on_strains(const state::State& begin) {
    auto memory = begin.contacts.begin();
    for (size_t first = 0; first < touches_.size();) {
        const uint64_t pair = touches_[first].pair;
        size_t end = first;
        const auto comes_late = [](const ActiveContact& t) {
            return t.is_new && t.part == ActiveContact::Part::whole && t.depth_before > 0;
        };
        int count = 0;
        for (; end < touches_.size() && touches_[end].pair == pair; ++end)
            count += comes_late(touches_[end]) ? 1 : 0;
        while (memory != begin.contacts.end() && memory->pair < pair) ++memory;
        Vec3 strain;
        double strained = 0;
        int gone = 0;
        size_t at = first;
        for (; count > 0 && memory != begin.contacts.end() && memory->pair == pair; ++memory) {
            while (at < end && touches_[at].feature < memory->feature) ++at;
            const bool is_here =
                at < end && touches_[at].feature == memory->feature && !touches_[at].is_lost;
            if (is_here || !(memory->depth > 0)) continue;
            strain += memory->strain;
            strained += memory->strained;
            ++gone;
        }
        if (gone > 0) {
            const double share = 1.0 / std::max(count, gone);
            for (size_t i = first; i < end; ++i) {
                if (!comes_late(touches_[i])) continue;
                touches_[i].memory.strain = share * strain;
                touches_[i].strained_before = share * strained;
            }
        }
        first = end;
    }
}

}  // namespace bristle::lagrange
