// Who falls asleep, and who wakes them.
#include "impulse/solver.h"

#include <algorithm>

namespace bristle::impulse {

bool ImpulseSolver::wake_touched(ImpulseState& state) {
    bool any = false;
    for (const Manifold& m : contacts_.manifolds)
        for (uint32_t g : {m.a, m.b})
            if (state.motion[g].is_asleep()) {
                wake_island(state, state.motion[g].still);
                any = true;
            }
    if (any) exchange_contacts(state);
    return any;
}

void ImpulseSolver::wake_island(ImpulseState& state, double still) const {
    for (GroupMotion& m : state.motion)
        if (m.still == still) m.still = 0;
}

void ImpulseSolver::wake(ImpulseState& state, uint32_t group) {
    if (!state.motion[group].is_asleep()) return;
    wake_island(state, state.motion[group].still);
    exchange_contacts(state);
}

void ImpulseSolver::wake_joint(ImpulseState& state, JointId id) {
    wake(state, mechanism_.joint(id).group_a());
    wake(state, mechanism_.joint(id).group_b());
}

void ImpulseSolver::wake_in(ImpulseState& state, const Aabb& box) {
    if (!scene_) return;
    for (const collision::SceneCollider& c : scene_->colliders()) {
        const GroupMember& m = groups_.member(c.body);
        if (m.group == 0 || !state.motion[m.group].is_asleep()) continue;
        const Pose at = pose(state, c.body);
        const Vec3 center = at * (c.in_body.position + c.in_body.rotation * c.bound_center);
        if (geometry::reaches(center, c.bound_radius, box)) wake(state, m.group);
    }
}

// Contacts of those who fell asleep go to rest, and those of the awakened come back.
void ImpulseSolver::exchange_contacts(ImpulseState& state) {
    const auto rests = [&](const ContactImpulse& c) {
        const auto [a, b] = contacts_.groups_of(c);
        return state.motion[a].is_asleep() || state.motion[b].is_asleep();
    };
    awake_contacts_.clear();
    resting_contacts_.clear();
    for (const auto* list : {&state.contacts, &state.resting})
        for (const ContactImpulse& c : *list)
            (rests(c) ? resting_contacts_ : awake_contacts_).push_back(c);
    const auto by_pair = [](const ContactImpulse& x, const ContactImpulse& y) {
        return std::pair(x.pair, x.feature) < std::pair(y.pair, y.feature);
    };
    std::sort(awake_contacts_.begin(), awake_contacts_.end(), by_pair);
    std::sort(resting_contacts_.begin(), resting_contacts_.end(), by_pair);
    std::swap(state.contacts, awake_contacts_);
    std::swap(state.resting, resting_contacts_);
}

void ImpulseSolver::look_for_rest(ImpulseState& state) {
    if (!(settings_.sleep_after < unlimited)) return;
    bool any = false;
    for (size_t island = 0; island < islands_.size(); ++island) {
        double least = unlimited;
        // What a drive or motor moves may be meant to be slow.
        const auto elements = islands_.elements(island);
        const bool is_driven = std::any_of(elements.begin(), elements.end(), [&](uint32_t e) {
            using Kind = Mechanism::Element::Kind;
            const Kind kind = mechanism_.elements()[e].kind;
            return kind == Kind::drive || kind == Kind::motor || kind == Kind::stateful;
        });
        const double slow = settings_.step * (is_driven ? 0.01 : 1);
        for (uint32_t g : islands_.groups(island)) {
            GroupMotion& m = state.motion[g];
            // How far it got tells more than the velocity it ended with, in which sweeps leave some noise.
            const bool is_slow = norm(way_[g]) < settings_.sleep_speed * slow
                              && norm(turn_[g]) < settings_.sleep_spin * slow;
            m.still = is_slow ? m.still + settings_.step : 0;
            least = std::min(least, m.still);
        }
        if (least < settings_.sleep_after || !model_.user_forces().empty()) continue;
        if (std::any_of(elements.begin(), elements.end(),
                        [&](uint32_t e) { return mechanism_.elements()[e].moves_by_itself; }))
            continue;
        any = true;
        for (uint32_t g : islands_.groups(island)) {
            GroupMotion& m = state.motion[g];
            m.velocity = m.angular_velocity = {};
            acceleration_[g] = {};
            m.still = -1.0 - islands_.groups(island)[0];
        }
    }
    if (any) exchange_contacts(state);
}

}  // namespace bristle::impulse
