// Where energy is, and that what nothing but joints and weight moves keeps its own.
//
// Positions follow the velocities of a step's end, x₁ = x₀ + h v₁: these are the mean of the step, and belong to its middle (of what is swept:
// to that of its last part). So what World::energy tells is E = T(v) + V(x − h v/2), everything where it was when it had those velocities. It is
// the one that closes: with M (v₁ − v₀) = h M g + Jᵀλ,
//
//   T(v₁) − T(v₀) = (h M g + Jᵀλ)·(v₁ + v₀)/2 ,    V₁ − V₀ = −M g·(h v₁ − h (v₁ − v₀)/2) = −h M g·(v₁ + v₀)/2 ,
//   E₁ − E₀ = λ·J (v₁ + v₀)/2
//
// (of what goes from one way of solution to the other, weight acts from the one moment to the other) exactly, through impacts too: an impulse does its work along the mean of the velocities before and after. (T(v) + V(x) rises by g h v at each
// bounce, and an effort's impulse along h v₁ misses what it does while it changes the velocity.)
//
// Joints, whose directions are taken where the step begins or ends, do a little work, of h³. Of what only they and weight move that is put right
// in all velocities of an island alike, v ← v_c + s (v − v_c). Of one that hangs on the ground v_c is zero; of one that flies it is the motion as
// one rigid body of the same momentum, linear and angular, in which the rest has no part:
//
//   E(s) = T_c + s² (T − T_c) + h/2 Σ m g·(v_c + s (v − v_c)) − Σ m g·x ,   T_c = ½ M V² + ½ w·L ,   w = (Σ I + m (r² − r rᵀ))⁻¹ L
#include "impulse/numerics.h"
#include "impulse/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::impulse {
namespace {

bool moves_nothing(Mechanism::Element::Kind kind) {
    using Kind = Mechanism::Element::Kind;
    return kind == Kind::joint || kind == Kind::screw || kind == Kind::gear;
}

}  // namespace

bool ImpulseSolver::is_passive(uint32_t island) const {
    const auto elements = islands_.elements(island);
    return model_.user_forces().empty() && islands_.manifolds(island).empty() && !elements.empty()
        && std::all_of(elements.begin(), elements.end(),
                       [&](uint32_t e) { return moves_nothing(mechanism_.elements()[e].kind); });
}

bool ImpulseSolver::is_grounded_island(uint32_t island) const {
    const auto elements = islands_.elements(island);
    const auto touched = islands_.manifolds(island);
    return std::any_of(elements.begin(), elements.end(),
                       [&](uint32_t e) {
                           const Mechanism::Element& element = mechanism_.elements()[e];
                           for (uint32_t r = 0; r < element.row_count; ++r) {
                               const auto [a, b] = mechanism_.bodies_of(element, r);
                               if (groups_.member(a).group == 0 || groups_.member(b).group == 0)
                                   return true;
                           }
                           return false;
                       })
        || std::any_of(touched.begin(), touched.end(), [&](uint32_t k) {
               return contacts_.manifolds[k].a == 0 || contacts_.manifolds[k].b == 0;
           });
}

// As one rigid body, where the step ends.
ImpulseSolver::CommonMotion ImpulseSolver::common_motion(const ImpulseState& state,
                                                         uint32_t island) const {
    CommonMotion c;
    double mass = 0;
    for (uint32_t g : islands_.groups(island)) {
        mass += groups_[g].mass;
        c.centre += groups_[g].mass * (state.motion[g].position + way_[g]);
        c.velocity += groups_[g].mass * velocity_[g];
    }
    c.centre = c.centre / mass;
    c.velocity = c.velocity / mass;
    Vec3 momentum;
    Mat3 inertia;
    for (uint32_t g : islands_.groups(island)) {
        const Mat3 own = inertia_after(state, g);
        const Vec3 r = state.motion[g].position + way_[g] - c.centre;
        momentum += groups_[g].mass * cross(r, velocity_[g] - c.velocity) + own * spin_[g];
        inertia =
            inertia + own + groups_[g].mass * (dot(r, r) * Mat3::identity() - Mat3::outer(r, r));
    }
    c.spin = model_.plane_normal ? dot(plane_normal_, momentum)
                                       / dot(plane_normal_, inertia * plane_normal_) * plane_normal_
                                 : inverse(inertia) * momentum;
    c.turning = 0.5 * dot(c.spin, momentum);
    c.kinetic = 0.5 * mass * dot(c.velocity, c.velocity) + c.turning;
    return c;
}

Mat3 ImpulseSolver::inertia_after(const ImpulseState& state, uint32_t g) const {
    return in_world(groups_[g].inertia,
                    (turned_by(turn_[g]) * state.motion[g].orientation).matrix());
}

void ImpulseSolver::keep_energy(ImpulseState& state, uint32_t island, bool gives_back) {
    const auto groups = islands_.groups(island);
    const double half = settings_.step / 2;
    CommonMotion c = is_grounded_island(island) ? CommonMotion{} : common_motion(state, island);
    const auto common_velocity = [&](uint32_t g) {
        return c.velocity + cross(c.spin, state.motion[g].position + way_[g] - c.centre);
    };
    // kept: E of the step before, less what belongs to v_c and to where it is now; shift: h/2 Σ m g·(v − v_c)
    double kept = -c.kinetic, kinetic = -c.kinetic, shift = 0;
    // What it owed and its kinetic energy, and that of a fall of one step: what is less cannot be told from none.
    double owed_before = 0, kinetic_before = 0, of_a_fall = 0;
    for (uint32_t g : groups) {
        GroupMotion& m = state.motion[g];
        const double mass = groups_[g].mass;
        owed_before += std::exchange(m.astray, 0.0);
        kinetic_before += 0.5 * mass * dot(m.velocity, m.velocity)
                        + 0.5
                              * dot(m.angular_velocity, in_world(groups_[g].inertia, rotation_[g])
                                                            * m.angular_velocity);
        of_a_fall += 0.5 * mass * dot(model_.gravity, model_.gravity) * 4 * half * half;
        const Vec3 weight = mass * model_.gravity, common = common_velocity(g);
        kept += dot(weight, way_[g] + m.lag * m.velocity - half * common);
        kinetic += 0.5 * mass * dot(velocity_[g], velocity_[g])
                 + 0.5 * dot(spin_[g], inertia_after(state, g) * spin_[g]);
        shift += half * dot(weight, velocity_[g] - common);
    }
    kept += kinetic_before - owed_before;
    if (!(kinetic > 0)) return;
    const double root = std::max(shift * shift + 4 * kinetic * kept, 0.0),
                 most = gives_back ? std::sqrt(1 + most_given) : 1;
    const double share = std::clamp((std::sqrt(root) - shift) / (2 * kinetic), 0.0, most);
    // What there is not enough motion to pay for, it owes: a little. A little more than that its common turn pays.
    double owed = std::max(0.0, share * (share * kinetic + shift) - kept);
    const double most_owed = owed_share * kinetic_before,
                 most_paid = c.turning > 0 ? paid_share * kinetic_before : 0;
    if (owed > owed_before + of_a_fall + most_owed + most_paid) {
        hold(state, island);
        state.motion[groups[0]].astray = owed_before;
        return;
    }
    if (owed > most_owed && c.turning > 0) {
        const double paid = std::min(owed - most_owed, c.turning);
        c.spin = std::sqrt(1 - paid / c.turning) * c.spin;
        owed -= paid;
    }
    state.motion[groups[0]].astray = owed;
    for (uint32_t g : groups) {
        const Vec3 common = common_velocity(g);
        velocity_[g] = common + share * (velocity_[g] - common);
        spin_[g] = c.spin + share * (spin_[g] - c.spin);
    }
}

// Where it would go there is not the energy to be, or joints cannot be closed: it stays where it is, with a tenth of its speed less, until there
// is a way.
void ImpulseSolver::hold(const ImpulseState& state, uint32_t island) {
    for (uint32_t g : islands_.groups(island)) {
        way_[g] = turn_[g] = {};
        velocity_[g] = left_when_held * state.motion[g].velocity;
        spin_[g] = left_when_held * state.motion[g].angular_velocity;
    }
}

void ImpulseSolver::keep_energies(ImpulseState& state) {
    size_t candidate = 0;
    for (uint32_t island = 0; island < islands_.size(); ++island) {
        while (candidate < candidates_.size() && candidates_[candidate] < island) ++candidate;
        const bool is_direct = candidate < candidates_.size() && candidates_[candidate] == island
                            && iterations_[candidate] != not_direct;
        const bool is_free =
            islands_.manifolds(island).empty() && islands_.elements(island).empty();
        if (is_direct && is_stuck_[candidate] != 0)
            hold(state, island);
        else if (is_passive(island))
            keep_energy(state, island, is_direct);
        const double lag = is_free || is_direct ? settings_.step / 2 : lag_of_swept(island);
        for (uint32_t g : islands_.groups(island)) state.motion[g].lag = lag;
    }
}

}  // namespace bristle::impulse
