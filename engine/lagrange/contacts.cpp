// Contacts as they are found: candidates, what they remember, and the parameters of their laws.
#include "lagrange/contacts.h"

#include "lagrange/kinematics.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

double finite_or_zero(double radius) { return std::isfinite(radius) ? radius : 0; }

Sweep sweep_of(const collision::Curvature& c, Vec3 normal, Vec4 outward,
               const WidePlacement& frame) {
    const double most = c.largest(), least = c.first < c.second ? c.first : c.second;
    Sweep out;
    out.is_swept = std::isfinite(most) && most > 0 && least < slender_bend * most;
    if (!out.is_swept) return out;
    const Vec3 along = normalized(c.first < c.second ? c.direction : cross(normal, c.direction));
    out.along = coordinates(frame, to_vec4(along));
    out.outward = coordinates(frame, outward);
    out.bend = least == 0 ? 0 : 1 / (1 / least - 1 / most);
    return out;
}

}  // namespace

Contacts::Contacts(const System& system, std::shared_ptr<Detection> detection)
    : system_(system), detection_(std::move(detection)) {
    accounts_.reserve(room_for_contacts(system.frames.size()));
    if (system.model().shapes().empty()) return;
    slot_of_group_.assign(system.frames.size(), 0);
    groups_ = {0};
    for (uint32_t g = 1; g < system.frames.size(); ++g) {
        if (!detection_->has_shape(system.groups.empty() ? g : system.groups[g])) continue;
        slot_of_group_[g] = static_cast<uint32_t>(groups_.size());
        groups_.push_back(g);
    }
    frames_at(system.start.data(), frame_);
    frame_before_ = frame_;
    rotation_.resize(groups_.size());
    // Contact with the ground needs no new block: a group's own are reserved.
    for (uint32_t group : groups_)
        if (group != 0) coupling_of(group, 0);
    find_blocks(*system.blocks.pattern);
}

double Contacts::usual_gravity() const {
    const double g = norm(system_.model().gravity);
    return g > 0 ? g : 9.81;
}

// ---- Frames ----------------------------------------------------------------------------------------

void Contacts::frames_at(const Vec4* q, std::vector<WidePlacement>& out) const {
    out.resize(groups_.size());
    for (size_t i = 0; i < groups_.size(); ++i)
        group_axes(system_.frames[groups_[i]], q, out[i].origin, out[i].axis);
}

// ---- Couplings -------------------------------------------------------------------------------------

uint32_t Contacts::coupling_of(uint32_t group_a, uint32_t group_b) {
    const std::pair key(uint64_t{group_a} << 32 | group_b, 0u);
    const auto place = std::lower_bound(coupling_index_.begin(), coupling_index_.end(), key);
    if (place != coupling_index_.end() && place->first == key.first) return place->second;
    coupling_index_.insert(place, {key.first, static_cast<uint32_t>(couplings_.size())});
    Coupling c{group_a, group_b, {}, {}, {}, {}, {}};
    entities_.clear();
    for (uint32_t g : {group_a, group_b}) {
        entities_.add(system_.frames[g].origin);
        entities_.add(system_.frames[g].axis);
    }
    c.entity = entities_.sorted();
    const auto coefficients = [&](uint32_t group, double sign) {
        const GroupFrame& f = system_.frames[group];
        std::vector<Vec4> list(c.entity.size(), Vec4{});
        for (size_t e = 0; e < c.entity.size(); ++e) {
            const auto add = [&](const Combination& from, int lane) {
                for (const auto& t : from.terms)
                    if (t.entity == c.entity[e]) list[e][lane] += sign * t.coefficient;
            };
            add(f.origin, 0);
            for (size_t k = 0; k < f.axis.size(); ++k) add(f.axis[k], static_cast<int>(k) + 1);
        }
        return list;
    };
    c.a = coefficients(group_a, 1);
    c.b = coefficients(group_b, -1);
    couplings_.push_back(std::move(c));
    return static_cast<uint32_t>(couplings_.size() - 1);
}

// Pairs that touch now or did when the step began.
void Contacts::want_blocks(const state::State& begin) {
    wanted_.clear();
    const auto want = [&](uint32_t a, uint32_t b) {
        if (a != 0 && b != 0) wanted_.push_back(uint64_t{a} << 32 | b);
    };
    for (const ActiveContact& t : touches_) want(t.group_a, t.group_b);
    for (const state::ContactMemory& m : begin.contacts)
        want(group_of(m.pair >> 32), group_of(m.pair & 0xffffffffu));
    std::sort(wanted_.begin(), wanted_.end());
    wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
}

std::vector<std::pair<uint32_t, uint32_t>> Contacts::blocks_below() {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (uint64_t groups : wanted_) {
        const Coupling& c = couplings_[coupling_of(static_cast<uint32_t>(groups >> 32),
                                                   static_cast<uint32_t>(groups))];
        for (uint32_t k : c.entity)
            for (uint32_t l : c.entity)
                if (k > l) out.emplace_back(k, l);
    }
    return out;
}

void Contacts::find_blocks(const BlockPattern& pattern) {
    for (Coupling& c : couplings_) {
        c.block.clear();
        const uint64_t groups = uint64_t{c.group_a} << 32 | c.group_b;
        if (c.group_b != 0 && !std::binary_search(wanted_.begin(), wanted_.end(), groups)) continue;
        c.is_turned.clear();
        const size_t products = c.entity.size() * (c.entity.size() + 1) / 2;
        c.block.reserve(products);
        c.is_turned.reserve(products);
        for (size_t k = 0; k < c.entity.size(); ++k)
            for (size_t l = 0; l <= k; ++l) {
                const bool is_turned =
                    pattern.position_of(c.entity[k]) < pattern.position_of(c.entity[l]);
                c.block.push_back(is_turned ? pattern.index_of(c.entity[l], c.entity[k])
                                            : pattern.index_of(c.entity[k], c.entity[l]));
                c.is_turned.push_back(is_turned);
            }
    }
    placed_ = wanted_;
}

// ---- Candidates ------------------------------------------------------------------------------------

void Contacts::clear() {
    touches_.clear();
    patches_.clear();
    grip_edges_.clear();
    coefficient_.clear();
    has_strikes_ = false;
}

ActiveContact& Contacts::add_touch(uint32_t collider_a, uint32_t collider_b) {
    ActiveContact& t = touches_.emplace_back();
    t.pressed = unlimited;
    t.pair = uint64_t{collider_a} << 32 | collider_b;
    t.group_a = group_of(collider_a);
    t.group_b = group_of(collider_b);
    // A body and the ground: the body is first in the coupling, whatever the order of the shapes.
    t.coupling = t.group_a == 0 ? coupling_of(t.group_b, 0) : coupling_of(t.group_a, t.group_b);
    t.side = t.group_a == 0 ? -1 : 1;
    t.first_coefficient = static_cast<uint32_t>(coefficient_.size());
    coefficient_.resize(coefficient_.size() + couplings_[t.coupling].entity.size());
    t.first_rubbing = t.first_coefficient;
    return t;
}

void Contacts::recall(const state::State& state) {
    if (!can_touch()) return;
    is_stepping_ = false;
    clear();
    frames_at(state.position.data(), frame_);
    for (const state::ContactMemory& m : state.contacts) {
        ActiveContact& t =
            add_touch(static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
        t.feature = m.feature;
        t.memory = m;
        t.point = to_vec4(m.point);
        t.at_a = to_vec4(m.at_a);
        t.at_b = to_vec4(m.at_b);
        t.normal = to_vec4(m.normal);
        t.inward = to_vec4(m.inward);
        if (!(m.inward == Vec3{})) add_rubbing(t);
        t.local_a = coordinates(frame_[slot_of_group_[t.group_a]],
                                t.at_a - frame_[slot_of_group_[t.group_a]].origin);
        t.local_b = coordinates(frame_[slot_of_group_[t.group_b]],
                                t.at_b - frame_[slot_of_group_[t.group_b]].origin);
        set_coefficients(t);
    }
}

void Contacts::take(const Found& found, const state::State& begin, const state::State& predicted,
                    const IntegratorWeights& w) {
    weights_ = w;
    is_stepping_ = true;
    is_midpoint_ = false;
    frames_at(begin.position.data(), frame_before_);
    frames_at(predicted.position.data(), frame_);
    for (WidePlacement& f : frame_) make_orthonormal(f);
    clear();
    for (const collision::ContactCandidate& e : found.points) add_point(e, begin);
    add_patches(found, begin);
    for (ActivePatch& p : patches_) {
        p.grip.edges = {grip_edges_.data() + p.first_edge, p.edges};
        measure_grip(p.grip);
    }
    sort_touches();
    hand_on_strains(begin);
    release_lost(begin);
    sort_touches();
    want_blocks(begin);
    has_new_ = false;
    for (ActiveContact& t : touches_) {
        locate(t);
        if (t.is_lost) continue;
        t.found_depth = t.depth + t.left_out;
        has_new_ |= t.part != ActiveContact::Part::point && t.depth > 0
                 && !(t.memory.flags & state::weighed_contact);
        // How fast they come together when they first meet.
        if (t.is_new) {
            const double speed = approach_speed(t, begin.velocity.data());
            t.memory.impact_speed = std::isfinite(speed) ? std::max(speed, 0.0) : 0;
        }
        set_parameters(t);
    }
    spread_friction();
}

void Contacts::add_point(const collision::ContactCandidate& e, const state::State& begin) {
    const collision::SceneCollider &a = collider(e.a), &b = collider(e.b);
    ActiveContact& t = add_touch(e.a, e.b);
    t.feature = e.point.feature;
    const collision::ContactPoint& p = e.point;
    t.normal_of = p.normal_of;
    t.ball_a = finite_or_zero(p.curvature_a.ball_radius());
    t.ball_b = finite_or_zero(p.curvature_b.ball_radius());
    const WidePlacement &fa = frame_[slot_of_group_[t.group_a]],
                        &fb = frame_[slot_of_group_[t.group_b]];
    const Vec4 n = to_vec4(p.normal);
    // The side that has the normal is a plane there, the other a ball or a point.
    if (t.normal_of == collision::NormalOf::a) t.ball_a = 0;
    if (t.normal_of == collision::NormalOf::b) t.ball_b = 0;
    // The line between what is sharp, or deeper than its balls, turns round as they pass each other.
    if (t.normal_of == collision::NormalOf::centers
        && t.ball_a + t.ball_b <= std::max(p.depth, 0.0))
        t.normal_of = collision::NormalOf::space;
    t.local_a = coordinates(fa, to_vec4(p.on_a) + t.ball_a * n - fa.origin);
    t.local_b = coordinates(fb, to_vec4(p.on_b) - t.ball_b * n - fb.origin);
    t.local_normal = t.normal_of == collision::NormalOf::space
                       ? n
                       : coordinates(t.normal_of == collision::NormalOf::a ? fa : fb, n);
    t.normal = n;
    t.sweep_a.is_swept = t.sweep_b.is_swept = false;
    if (t.normal_of == collision::NormalOf::centers) {
        t.sweep_a = sweep_of(p.curvature_a, p.normal, -n, fa);
        t.sweep_b = sweep_of(p.curvature_b, p.normal, n, fb);
    }
    t.weight = p.weight;
    t.spread = p.spread;
    if (p.spread < 1) add_rubbing(t);
    t.curvature_a = p.curvature_a;
    t.curvature_b = p.curvature_b;
    t.material_a = scene().material_of(a, p.face_a).index;
    t.material_b = scene().material_of(b, p.face_b).index;
    t.length = std::min(a.bound_radius, b.bound_radius);
    t.thickness = std::min(a.thickness, b.thickness);
    remember(t, begin);
    t.before_a = point_of(frame_before_[slot_of_group_[t.group_a]], t.local_a);
    t.before_b = point_of(frame_before_[slot_of_group_[t.group_b]], t.local_b);
    Vec4 center_a = t.before_a, center_b = t.before_b;
    sweep(t, frame_before_, center_a, center_b);
    t.apart_before = center_a - center_b;
    t.depth_before = depth_before(t);
}

// Each is moved once: they are long.
void Contacts::sort_touches() {
    const auto before = [](const auto& a, const auto& b) {
        return std::pair(a.pair, a.feature) < std::pair(b.pair, b.feature);
    };
    if (std::is_sorted(touches_.begin(), touches_.end(), before)) return;
    order_.clear();
    for (uint32_t i = 0; i < touches_.size(); ++i)
        order_.push_back({touches_[i].pair, touches_[i].feature, i});
    std::sort(order_.begin(), order_.end(), before);
    sorted_.clear();
    sorted_.reserve(touches_.capacity());
    for (const Place& place : order_) sorted_.push_back(touches_[place.index]);
    touches_.swap(sorted_);
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
            if ((at < end && touches_[at].feature == memory->feature) || !(memory->depth > 0))
                continue;
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

// Contacts that are over: their share in the accelerations the step begins with is still to be undone.
void Contacts::release_lost(const state::State& begin) {
    const auto found = static_cast<ptrdiff_t>(touches_.size());
    for (const state::ContactMemory& m : begin.contacts) {
        const auto place = std::lower_bound(
            touches_.begin(), touches_.begin() + found, m,
            [](const ActiveContact& t, const state::ContactMemory& memory) {
                return std::pair(t.pair, t.feature) < std::pair(memory.pair, memory.feature);
            });
        const bool is_found = place != touches_.begin() + found && place->pair == m.pair
                           && place->feature == m.feature;
        if (is_found || (m.share == Vec3{} && m.torque_share == Vec3{})) continue;
        ActiveContact& t =
            add_touch(static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
        t.feature = m.feature;
        t.memory = m;
        t.is_lost = true;
        t.normal_of = collision::NormalOf::b;
        const WidePlacement &fa = frame_before_[slot_of_group_[t.group_a]],
                            &fb = frame_before_[slot_of_group_[t.group_b]];
        t.local_a = coordinates(fa, to_vec4(m.at_a) - fa.origin);
        t.local_b = coordinates(fb, to_vec4(m.at_b) - fb.origin);
        t.local_normal = coordinates(fb, to_vec4(m.normal));
        t.inward = to_vec4(m.inward);
        if (!(m.inward == Vec3{})) add_rubbing(t);
        t.compliance = 0;
    }
}

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

void Contacts::weigh(const BlockLdlt& mass, std::vector<Vec4>& x) {
    for (ActiveContact& t : touches_) {
        if (t.is_lost || t.part == ActiveContact::Part::point || !(t.depth > 0)
            || (t.memory.flags & state::weighed_contact))
            continue;
        const Coupling& c = couplings_[t.coupling];
        const double* const coefficient = &coefficient_[t.first_coefficient];
        std::fill(x.begin(), x.end(), Vec4{});
        for (size_t k = 0; k < c.entity.size(); ++k) x[c.entity[k]] = coefficient[k] * t.normal;
        const double mobility = mass.inverse_form(x.data());
        if (mobility > 0 && std::isfinite(mobility)) t.memory.mass = 1 / mobility;
        t.memory.flags |= state::weighed_contact;
        t.memory.stiffness = 0;
        set_parameters(t);
        resting_step_ = std::min(resting_step_, resting_step(t));
    }
}

}  // namespace bristle::lagrange
