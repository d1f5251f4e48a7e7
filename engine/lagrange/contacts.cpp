#include "lagrange/contacts.h"

#include "contact/hertz.h"
#include "lagrange/kinematics.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle {
namespace {

// Estimated springs take this many steps a radian: LUA's N. The document says 5, and that fewer lead to
// numerical problems; the mean force over the step has none.
constexpr double normal_steps_per_radian = 2, stick_steps_per_radian = 2;
// A contact is resolved while the force of its spring moves it less than this share of the spring's own
// deflection in a step: h √(k/m) = 1.
constexpr double resolved = 0.5;
constexpr size_t most_coupled = 24;  // contacts: beyond, their coupling costs more than it gains
// A force that jumps by this much of the weight, of a spring whose own deflection in a step is this share
// of it: what is struck harder and resolved less is stepped by the midpoint rule.
constexpr double hard_impact = 2, soft_enough = 0.005;
constexpr double slow_impact = 0.1;         // m/s: faster ones are never taken as rest
constexpr double least_stick_speed = 0.05;  // of the speed friction takes away in a step
// Of a contact's force: by how much its share in the accelerations may be off. That moves nothing, but it
// misleads the next prediction; so it is put right, which costs a solve, or a factorization if much
// is wrong.
constexpr double negligible_share = 1e-9, wrong_share = 0.01;

Vec4 combine(const FrameAt& f, Vec4 w) {
    return fma(w[0], f.axis[0], fma(w[1], f.axis[1], w[2] * f.axis[2]));
}
Vec4 point_of(const FrameAt& f, Vec4 w) { return f.origin + combine(f, w); }
Vec4 coordinates(const FrameAt& f, Vec4 direction) {
    return Vec4{dot(f.axis[0], direction), dot(f.axis[1], direction), dot(f.axis[2], direction), 0};
}
// (1, w): what the coefficients of a coupling are multiplied with.
Vec4 homogeneous(Vec4 w) { return Vec4{1, w[0], w[1], w[2]}; }

// A predicted frame is a rotation only to second order, and after an impact not even that.
void make_orthonormal(FrameAt& f) {
    const auto unit = [](Vec4 v) { return v / broadcast(std::sqrt(dot(v, v))); };
    const double handed = dot(cross(f.axis[0], f.axis[1]), f.axis[2]) > 0 ? 1 : -1;
    const Vec4 x = unit(f.axis[0]), z = unit(cross(x, f.axis[1]));
    if (!(dot(z, z) > 0.5)) return;
    f.axis[0] = x;
    f.axis[1] = cross(z, x);
    f.axis[2] = handed * z;
}

// The rotation vector from one frame to the other.
Vec4 rotation_between(const FrameAt& from, const FrameAt& to) {
    Vec4 axis{};
    double cosine = -1;
    for (int k = 0; k < 3; ++k) {
        axis += cross(from.axis[k], to.axis[k]);
        cosine += dot(from.axis[k], to.axis[k]);
    }
    axis = 0.5 * axis;
    const double sine = std::sqrt(dot(axis, axis));
    return sine < 1e-9 ? axis : (std::atan2(sine, 0.5 * cosine) / sine) * axis;
}

// Gauss with pivoting on rows of n + 1 numbers, the last being the right-hand side and then the answer.
bool solve_dense(std::vector<double>& a, size_t n) {
    const auto row = [&](size_t i) { return &a[i * (n + 1)]; };
    for (size_t k = 0; k < n; ++k) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; ++i)
            if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
        if (!(std::abs(row(pivot)[k]) > 1e-3)) return false;
        if (pivot != k) std::swap_ranges(row(k), row(k) + n + 1, row(pivot));
        for (size_t i = k + 1; i < n; ++i) {
            const double factor = row(i)[k] / row(k)[k];
            for (size_t j = k; j <= n; ++j) row(i)[j] -= factor * row(k)[j];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; ++j) row(k)[n] -= row(k)[j] * row(j)[n];
        row(k)[n] /= row(k)[k];
    }
    return true;
}

double finite_or_zero(double radius) { return std::isfinite(radius) ? radius : 0; }

Vec3 in_plane(Vec3 v, Vec3 normal) { return v - dot(normal, v) * normal; }

Mat3 in_plane(const Mat3& m, Vec3 n) {
    const Mat3 t = Mat3::identity() - Mat3::outer(n, n);
    return t * m * t;
}

}  // namespace

Contacts::Contacts(const System& system) : system_(system) {
    const Model& model = system.model;
    if (model.shapes().empty()) return;
    std::vector<std::pair<uint32_t, uint32_t>> joined;
    for (const Joint& j : model.joints()) {
        if (j.type == JointType::gear) continue;
        const uint32_t a = system.group_of[j.a.index], b = system.group_of[j.b.index];
        if (a != 0 && b != 0) joined.emplace_back(a, b);
    }
    scene_.emplace(model, system.group_of, joined);

    const size_t count = model.materials().size();
    for (uint32_t a = 0; a < count; ++a) {
        laws_.emplace_back();
        damping_.emplace_back();
        for (uint32_t b = 0; b < count; ++b) {
            const ContactLaw law = model.contact_law({a}, {b});
            const double e = law.restitution;
            const bool exact = law.damping == ContactLaw::Damping::exact;
            double damping = 0;
            switch (law.normal) {
                case ContactLaw::Normal::hunt_crossley:
                    damping = exact ? exact_hertz_damping(e) : 1.5 * (1 - e);
                    break;
                case ContactLaw::Normal::lankarani_nikravesh:
                    damping = exact ? exact_hertz_damping(e) : 0.75 * (1 - e * e);
                    break;
                case ContactLaw::Normal::kelvin_voigt:
                    damping = exact ? exact_voigt_damping(e) : decrement_damping(e);
                    break;
            }
            laws_[a].push_back(law);
            damping_[a].push_back(damping);
        }
    }

    // The ground first, then every group that has a shape.
    slot_of_group_.assign(system.frames.size(), 0);
    groups_ = {0};
    for (BodyId body : scene_->bodies()) {
        const uint32_t group = system.group_of[body.index];
        if (group == 0 || slot_of_group_[group] != 0) continue;
        slot_of_group_[group] = static_cast<uint32_t>(groups_.size());
        groups_.push_back(group);
    }
    frames_at(system.start.data(), frame_);
    frame_before_ = frame_;
    rotation_.resize(groups_.size());
    for (BodyId body : scene_->bodies()) {
        const Body& b = model.bodies()[body.index];
        const FrameAt& f = frame_[slot_of_group_[system.group_of[body.index]]];
        const Mat3 axes = Mat3::columns(to_vec3(f.axis[0]), to_vec3(f.axis[1]), to_vec3(f.axis[2]));
        in_group_.push_back({axes.transposed() * b.orientation.matrix(),
                             axes.transposed() * (b.position - to_vec3(f.origin))});
    }
    // Contact with the ground needs no new block: a group's own are reserved.
    for (uint32_t group : groups_)
        if (group != 0) coupling_of(group, 0);
    find_blocks(system.blocks.pattern);
}

// ---- Frames ----------------------------------------------------------------------------------------

void Contacts::frames_at(const Vec4* q, std::vector<FrameAt>& out) const {
    out.resize(groups_.size());
    for (size_t i = 0; i < groups_.size(); ++i)
        group_axes(system_.frames[groups_[i]], q, out[i].origin, out[i].axis);
}

void Contacts::place(const std::vector<FrameAt>& frames, std::vector<Placement>& out) const {
    out.resize(in_group_.size());
    for (size_t i = 0; i < out.size(); ++i) {
        const BodyId body = scene_->bodies()[i];
        const FrameAt& f = frames[slot_of_group_[system_.group_of[body.index]]];
        const Mat3 axes = Mat3::columns(to_vec3(f.axis[0]), to_vec3(f.axis[1]), to_vec3(f.axis[2]));
        out[i] = {axes * in_group_[i].rotation, to_vec3(f.origin) + axes * in_group_[i].position};
    }
}

std::vector<Placed> Contacts::placed_at(const State& state) const {
    std::vector<Placed> out;
    if (!scene_) return out;
    std::vector<FrameAt> frames;
    std::vector<Placement> bodies;
    frames_at(state.position.data(), frames);
    place(frames, bodies);
    for (uint32_t i = 0; i < scene_->colliders().size(); ++i)
        out.push_back(scene_->placed(i, bodies));
    return out;
}

// ---- Couplings -------------------------------------------------------------------------------------

uint32_t Contacts::coupling_of(uint32_t group_a, uint32_t group_b) {
    for (uint32_t i = 0; i < couplings_.size(); ++i)
        if (couplings_[i].group_a == group_a && couplings_[i].group_b == group_b) return i;
    Coupling c{group_a, group_b, {}, {}, {}, {}};
    std::set<uint32_t> entities;
    for (uint32_t g : {group_a, group_b}) {
        const GroupFrame& f = system_.frames[g];
        for (const auto& t : f.origin.terms) entities.insert(t.entity);
        for (const auto& axis : f.axis)
            for (const auto& t : axis.terms) entities.insert(t.entity);
    }
    c.entity.assign(entities.begin(), entities.end());
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
    if (group_a != 0 && group_b != 0) needs_blocks_ = true;
    return static_cast<uint32_t>(couplings_.size() - 1);
}

std::vector<std::pair<uint32_t, uint32_t>> Contacts::blocks_below() const {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (const Coupling& c : couplings_)
        for (uint32_t k : c.entity)
            for (uint32_t l : c.entity)
                if (k > l) out.emplace_back(k, l);
    return out;
}

void Contacts::find_blocks(const BlockLdlt& pattern) {
    for (Coupling& c : couplings_) {
        c.block.clear();
        for (size_t k = 0; k < c.entity.size(); ++k)
            for (size_t l = 0; l <= k; ++l)
                c.block.push_back(pattern.index_of(c.entity[k], c.entity[l]));
    }
    needs_blocks_ = false;
}

// ---- Candidates ------------------------------------------------------------------------------------

void Contacts::clear() {
    touches_.clear();
    coefficient_.clear();
}

Touch& Contacts::add_touch(uint32_t collider_a, uint32_t collider_b) {
    const SceneCollider &a = scene_->colliders()[collider_a], &b = scene_->colliders()[collider_b];
    Touch& t = touches_.emplace_back();
    t.pair = uint64_t{collider_a} << 32 | collider_b;
    t.group_a = a.owner;
    t.group_b = b.owner;
    // A body and the ground: the body is first in the coupling, whatever the order of the shapes.
    t.coupling = a.owner == 0 ? coupling_of(b.owner, 0) : coupling_of(a.owner, b.owner);
    t.side = a.owner == 0 ? -1 : 1;
    t.first_coefficient = static_cast<uint32_t>(coefficient_.size());
    coefficient_.resize(coefficient_.size() + couplings_[t.coupling].entity.size());
    return t;
}

void Contacts::recall(const State& state) {
    if (!can_touch()) return;
    is_stepping_ = false;
    clear();
    frames_at(state.position.data(), frame_);
    for (const ContactMemory& m : state.contacts) {
        Touch& t = add_touch(static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
        t.feature = m.feature;
        t.memory = m;
        t.point = to_vec4(m.point);
        t.at_a = to_vec4(m.at_a);
        t.at_b = to_vec4(m.at_b);
        t.local_a = coordinates(frame_[slot_of_group_[t.group_a]],
                                t.at_a - frame_[slot_of_group_[t.group_a]].origin);
        t.local_b = coordinates(frame_[slot_of_group_[t.group_b]],
                                t.at_b - frame_[slot_of_group_[t.group_b]].origin);
        set_coefficients(t);
    }
}

void Contacts::detect(const State& begin, const State& predicted, const IntegratorWeights& w) {
    weights_ = w;
    is_stepping_ = true;
    is_midpoint_ = false;
    frames_at(begin.position.data(), frame_before_);
    frames_at(predicted.position.data(), frame_);
    for (FrameAt& f : frame_) make_orthonormal(f);
    place(frame_before_, before_);
    place(frame_, now_);
    scene_->detect(before_, now_);

    clear();
    for (const Encounter& e : scene_->encounters()) {
        const SceneCollider &a = scene_->colliders()[e.a], &b = scene_->colliders()[e.b];
        Touch& t = add_touch(e.a, e.b);
        t.feature = e.point.feature;
        const ContactPoint& p = e.point;
        t.normal_of = p.normal_of;
        t.ball_a = finite_or_zero(p.curvature_a.ball_radius());
        t.ball_b = finite_or_zero(p.curvature_b.ball_radius());
        const FrameAt &fa = frame_[slot_of_group_[a.owner]], &fb = frame_[slot_of_group_[b.owner]];
        const Vec4 n = to_vec4(p.normal);
        // The side that has the normal is a plane there, the other a ball or a point.
        if (t.normal_of == NormalOf::a) t.ball_a = 0;
        if (t.normal_of == NormalOf::b) t.ball_b = 0;
        t.local_a = coordinates(fa, to_vec4(p.on_a) + t.ball_a * n - fa.origin);
        t.local_b = coordinates(fb, to_vec4(p.on_b) - t.ball_b * n - fb.origin);
        t.local_normal = t.normal_of == NormalOf::space
                           ? n
                           : coordinates(t.normal_of == NormalOf::a ? fa : fb, n);
        t.normal = n;
        t.weight = p.weight;
        t.curvature_a = p.curvature_a;
        t.curvature_b = p.curvature_b;
        t.material_a = scene_->material_of(a, p.face_a).index;
        t.material_b = scene_->material_of(b, p.face_b).index;
        t.length = std::min(a.bound_radius, b.bound_radius);
        remember(t, begin);
        t.before_a = point_of(frame_before_[slot_of_group_[a.owner]], t.local_a);
        t.before_b = point_of(frame_before_[slot_of_group_[b.owner]], t.local_b);
        t.depth_before = depth_before(t);
    }
    release_lost(begin);
    const auto before = [](const Touch& a, const Touch& b) {
        return std::pair(a.pair, a.feature) < std::pair(b.pair, b.feature);
    };
    if (!std::is_sorted(touches_.begin(), touches_.end(), before))
        std::sort(touches_.begin(), touches_.end(), before);
    has_new_ = false;
    for (Touch& t : touches_) {
        locate(t);
        if (t.is_lost) continue;
        has_new_ |= t.depth > 0 && !(t.memory.flags & weighed_contact);
        // How fast they come together when they first meet.
        if (t.is_new) {
            const double speed = approach_speed(t, begin.velocity.data());
            t.memory.impact_speed = std::isfinite(speed) ? std::max(speed, 0.0) : 0;
        }
        set_parameters(t);
    }
}

// Contacts that are over: their share in the accelerations the step begins with is still to be undone.
void Contacts::release_lost(const State& begin) {
    const size_t found = touches_.size();
    for (const ContactMemory& m : begin.contacts) {
        const bool is_found =
            std::any_of(touches_.begin(), touches_.begin() + static_cast<ptrdiff_t>(found),
                        [&](const Touch& t) { return t.pair == m.pair && t.feature == m.feature; });
        if (is_found || (m.share == Vec3{} && m.torque_share == Vec3{})) continue;
        Touch& t = add_touch(static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
        t.feature = m.feature;
        t.memory = m;
        t.is_lost = true;
        t.normal_of = NormalOf::b;
        const FrameAt &fa = frame_before_[slot_of_group_[t.group_a]],
                      &fb = frame_before_[slot_of_group_[t.group_b]];
        t.local_a = coordinates(fa, to_vec4(m.at_a) - fa.origin);
        t.local_b = coordinates(fb, to_vec4(m.at_b) - fb.origin);
        t.local_normal = coordinates(fb, to_vec4(m.normal));
        t.compliance = 0;
    }
}

void Contacts::remember(Touch& t, const State& begin) const {
    const auto found = std::lower_bound(
        begin.contacts.begin(), begin.contacts.end(), std::pair(t.pair, t.feature),
        [](const ContactMemory& m, const auto& key) { return std::pair(m.pair, m.feature) < key; });
    t.is_new =
        found == begin.contacts.end() || found->pair != t.pair || found->feature != t.feature;
    if (!t.is_new) t.memory = *found;
    // What was open is new when it closes again, but for its share in the accelerations.
    if (!t.is_new && (found->depth > 0 || !(found->force == Vec3{}))) return;
    const Vec3 share = t.is_new ? Vec3{} : found->share,
               torque_share = t.is_new ? Vec3{} : found->torque_share;
    t.is_new = true;
    t.memory = {};
    t.memory.share = share;
    t.memory.torque_share = torque_share;
    t.memory.pair = t.pair;
    t.memory.feature = t.feature;
    t.memory.bodies = uint64_t{scene_->colliders()[t.pair >> 32].body.index} << 32
                    | scene_->colliders()[t.pair & 0xffffffffu].body.index;
    // Until it has been weighed: as if both bodies were alone and were struck at their centres.
    double mobility = 0;
    for (uint32_t g : {t.group_a, t.group_b})
        if (g != 0) mobility += 1 / system_.group_mass[g];
    t.memory.mass = 1 / mobility;
}

void Contacts::weigh(const BlockLdlt& mass, std::vector<Vec4>& x) {
    for (Touch& t : touches_) {
        if (t.is_lost || !(t.depth > 0) || (t.memory.flags & weighed_contact)) continue;
        const Coupling& c = couplings_[t.coupling];
        const double* const coefficient = &coefficient_[t.first_coefficient];
        std::fill(x.begin(), x.end(), Vec4{});
        for (size_t k = 0; k < c.entity.size(); ++k) x[c.entity[k]] = coefficient[k] * t.normal;
        mass.solve(x.data());
        double mobility = 0;
        for (size_t k = 0; k < c.entity.size(); ++k)
            mobility += coefficient[k] * dot(t.normal, x[c.entity[k]]);
        if (mobility > 0 && std::isfinite(mobility)) t.memory.mass = 1 / mobility;
        t.memory.flags |= weighed_contact;
        t.memory.stiffness = 0;
        set_parameters(t);
    }
}

void Contacts::set_parameters(Touch& t) const {
    const ContactLaw& law = laws_[t.material_a][t.material_b];
    const double damping = damping_[t.material_a][t.material_b];
    // Of the whole step, also while it is done in parts: a contact keeps its law.
    const double h = system_.settings.step, mass = t.memory.mass;
    const double g0 = norm(system_.model.gravity), g = g0 > 0 ? g0 : 9.81;
    const double period = stick_steps_per_radian * h;
    const bool is_voigt = law.normal == ContactLaw::Normal::kelvin_voigt;
    NormalLaw& n = t.normal_law;
    n.exponent = is_voigt ? 1 : law.exponent;
    double& stiffness = t.memory.stiffness;
    if (stiffness == 0) {
        if (law.stiffness > 0) {
            stiffness = law.stiffness;
        } else if (law.elastic_modulus > 0) {
            stiffness =
                hertz_stiffness(t.curvature_a, t.curvature_b, law.elastic_modulus, t.length);
        } else {
            // Under its own weight the spring it then is has the period that was asked for.
            const double rest = n.exponent * g * h * h * std::pow(normal_steps_per_radian, 2);
            stiffness = mass * g / std::pow(rest, n.exponent);
        }
    }
    n.stiffness = t.weight * stiffness;
    n.factor = n.viscous = 0;
    if (is_voigt) {
        n.viscous = 2 * damping * std::sqrt(n.stiffness * mass);
    } else if (law.damping_factor > 0) {
        n.factor = law.damping_factor;
    } else {
        // Floor of the impact speed. So slow, a contact rests: a/g is its damping under its weight, and
        // that should be critical, c = 2 √(k m). Slower than the weight makes it in a step no impact can
        // be told from rest.
        const double rest = std::pow(mass * g / n.stiffness, 1 / n.exponent),
                     frequency = std::sqrt(n.exponent * g / rest);
        const double slowest =
            damping * std::max(std::min(0.5 * g / frequency, slow_impact), 0.5 * g * h);
        n.factor = damping > 0 ? damping / std::max(t.memory.impact_speed, slowest) : 0;
    }
    BristleLaw& s = t.sliding;
    s.static_friction = law.static_friction;
    s.kinetic_friction = law.kinetic_friction;
    s.viscous = t.weight * law.viscous_friction;
    s.stiffness =
        law.stick_stiffness > 0 ? t.weight * law.stick_stiffness : mass / (period * period);
    s.damping =
        law.stick_damping > 0 ? t.weight * law.stick_damping : 2 * std::sqrt(s.stiffness * mass);
    s.stick_speed = stick_speed(law, mass * g, mass);
    s.strain_share = law.stick_strain;
    const auto turning = [&](double arm) {
        // Angles for lengths: the same bristle at the end of an arm.
        const double r = std::max({t.ball_a, t.ball_b, arm});
        return BristleLaw{s.stiffness * r * r, s.damping * r * r, s.stick_speed / r, arm, arm, 0,
                          s.strain_share};
    };
    t.rolling = law.rolling_resistance > 0 ? turning(law.rolling_resistance) : BristleLaw{};
    t.spinning = law.spinning_resistance > 0 ? turning(law.spinning_resistance) : BristleLaw{};
    t.compliance = weights_.beta_h2 / (weights_.gamma_h / weights_.step) / mass;
}

// Friction changes the speed by μ F h/m in a step. Much smaller stick speeds the step cannot tell from zero;
// and in an impact, where F is a hundred times the weight, they would make the force jump to and fro.
double Contacts::stick_speed(const ContactLaw& law, double normal_force, double mass) const {
    const double g0 = norm(system_.model.gravity), g = g0 > 0 ? g0 : 9.81;
    const double per_mass = std::max(normal_force / mass, g);
    const double stop = std::max(law.static_friction * per_mass * system_.settings.step, 1e-9);
    if (law.stick_speed == 0) return stick_steps_per_radian * stop;
    const double least = per_mass > 3 * g ? stick_steps_per_radian : least_stick_speed;
    return std::max(law.stick_speed, least * stop);
}

// ---- Where it is ---------------------------------------------------------------------------------

// The normal as the side that has it carries it; not for centres.
Vec4 Contacts::carried_normal(const Touch& t, const std::vector<FrameAt>& frames) const {
    if (t.normal_of == NormalOf::space) return t.local_normal;
    const uint32_t group = t.normal_of == NormalOf::a ? t.group_a : t.group_b;
    return combine(frames[slot_of_group_[group]], t.local_normal);
}

double Contacts::depth_before(const Touch& t) const {
    const Vec4 apart = t.before_a - t.before_b;
    const double distance = t.normal_of == NormalOf::centers
                              ? std::sqrt(dot(apart, apart))
                              : dot(carried_normal(t, frame_before_), apart);
    return t.ball_a + t.ball_b - distance;
}

// Normal, depth, point and the entities' shares in it.
void Contacts::locate(Touch& t) {
    const FrameAt &fa = frame_[slot_of_group_[t.group_a]], &fb = frame_[slot_of_group_[t.group_b]];
    t.at_a = point_of(fa, t.local_a);
    t.at_b = point_of(fb, t.local_b);
    const Vec4 apart = t.at_a - t.at_b;
    if (t.normal_of == NormalOf::centers) {
        const double distance = std::sqrt(dot(apart, apart));
        // Over a step the line of centres turns. Along its mean the force does the work −F̄ Δδ, and has no
        // moment about the centres.
        const Vec4 line = is_midpoint_ ? apart + t.before_a - t.before_b : apart;
        const double length = std::sqrt(dot(line, line));
        if (length > 0) t.normal = line / broadcast(length);
        t.depth = t.ball_a + t.ball_b - distance;
    } else {
        t.normal = carried_normal(t, frame_);
        t.depth = t.ball_a + t.ball_b - dot(t.normal, apart);
    }
    t.point = t.normal_of == NormalOf::b ? t.at_a - (t.ball_a - 0.5 * t.depth) * t.normal
                                         : t.at_b + (t.ball_b - 0.5 * t.depth) * t.normal;
    set_coefficients(t);
}

void Contacts::set_coefficients(Touch& t) {
    const FrameAt &fa = frame_[slot_of_group_[t.group_a]], &fb = frame_[slot_of_group_[t.group_b]];
    const Coupling& c = couplings_[t.coupling];
    double* const coefficient = &coefficient_[t.first_coefficient];
    const auto place = [&](uint32_t group, const FrameAt& f, Vec4 local, Vec4 at) {
        // A rod or a point has no moment of a force beside its axis: what touches it acts where the ball's
        // centre is.
        if (system_.frames[group].axis.size() < 3) return homogeneous(local);
        // Balls that have passed each other are pushed where they first met.
        const Vec4 arm = t.normal_of != NormalOf::space ? t.point - at
                       : group == t.group_a             ? -t.ball_a * t.normal
                                                        : t.ball_b * t.normal;
        if (!is_midpoint_) return homogeneous(local + coordinates(f, arm));
        const FrameAt& before = frame_before_[slot_of_group_[group]];
        return homogeneous(local + 0.5 * (coordinates(f, arm) + coordinates(before, arm)));
    };
    const Vec4 wa = place(t.group_a, fa, t.local_a, t.at_a),
               wb = place(t.group_b, fb, t.local_b, t.at_b);
    const Vec4 w1 = t.side > 0 ? wa : wb, w2 = t.side > 0 ? wb : wa;
    for (size_t k = 0; k < c.entity.size(); ++k) coefficient[k] = t.side * sum(c.a[k] * w1);
    if (c.group_b == 0) return;
    for (size_t k = 0; k < c.entity.size(); ++k) coefficient[k] += t.side * sum(c.b[k] * w2);
}

Vec4 Contacts::velocity_of(const Touch& t, const Vec4* v) const {
    const Coupling& c = couplings_[t.coupling];
    Vec4 out{};
    for (size_t k = 0; k < c.entity.size(); ++k)
        out = fma(coefficient_[t.first_coefficient + k], v[c.entity[k]], out);
    return out;
}

// Of the balls' centres, or the points of the faces: turning does not count.
double Contacts::approach_speed(const Touch& t, const Vec4* v) const {
    const Coupling& c = couplings_[t.coupling];
    const Vec4 w1 = homogeneous(t.side > 0 ? t.local_a : t.local_b),
               w2 = homogeneous(t.side > 0 ? t.local_b : t.local_a);
    Vec4 velocity{};
    for (size_t k = 0; k < c.entity.size(); ++k)
        velocity = fma(t.side * (sum(c.a[k] * w1) + sum(c.b[k] * w2)), v[c.entity[k]], velocity);
    return -dot(t.normal, velocity);
}

// ---- Forces --------------------------------------------------------------------------------------

void Contacts::evaluate(const Vec4* q) {
    frames_at(q, frame_);
    for (size_t i = 1; i < groups_.size(); ++i)
        rotation_[i] = rotation_between(frame_before_[i], frame_[i]);
    for (Touch& t : touches_) {
        locate(t);
        evaluate_force(t);
    }
    ++iteration_;
}

void Contacts::evaluate_force(Touch& t) {
    const double h = weights_.step;
    t.mean = mean_normal_force(t.normal_law, t.depth_before, t.depth, h);
    double normal_force = t.mean.force;
    if (iteration_ == 0 && t.compliance * t.mean.force > t.depth) {
        // The prediction may be a hundred times too deep. The law is taken where this contact alone would
        // end, and continued as a straight line.
        const double free = t.depth + t.compliance * dot(to_vec4(t.memory.share), t.normal);
        const double depth = local_depth(t.normal_law, t.depth_before, free, t.compliance, h);
        t.mean = mean_normal_force(t.normal_law, t.depth_before, depth, h);
        normal_force = t.mean.force;
        t.mean.force += t.mean.by_depth * (t.depth - depth);
    }
    if (iteration_ == 0) {
        t.expected_force = normal_force;
        t.sliding.stick_speed =
            stick_speed(laws_[t.material_a][t.material_b], normal_force, t.memory.mass);
    }
    const Vec3 n = to_vec3(t.normal);
    t.force = t.mean.force * n;
    t.tangent = t.mean.by_depth * Mat3::outer(n, n);
    t.torque = {};
    t.rounding = t.mean.by_depth * std::sqrt(dot(t.point, t.point));
    if (normal_force > 0)
        evaluate_friction(t, normal_force);
    else
        t.slide = {};
    const double gamma = weights_.gamma_h / h;
    const double carried = is_midpoint_ ? 0 : 1 - gamma;
    t.end_force = to_vec4((t.force - carried * t.memory.share) / gamma);
    t.end_torque = (t.torque - carried * t.memory.torque_share) / gamma;
}

void Contacts::evaluate_friction(Touch& t, double normal_force) {
    const uint32_t sa = slot_of_group_[t.group_a], sb = slot_of_group_[t.group_b];
    const FrameAt& fb = frame_[sb];
    // Of the material of a face, where the other side was halfway through the step.
    const auto way_of_face = [&](uint32_t slot, Vec4 other_way) {
        if (slot == 0) return Vec4{};
        const FrameAt &now = frame_[slot], &then = frame_before_[slot];
        const Vec4 w = 0.5
                     * (coordinates(now, t.point - now.origin)
                        + coordinates(then, t.point - other_way - then.origin));
        return point_of(now, w) - point_of(then, w);
    };
    const Vec4 moved_a = t.at_a - t.before_a, moved_b = t.at_b - t.before_b;
    const Vec4 way_a = t.normal_of == NormalOf::a
                         ? way_of_face(sa, moved_b)
                         : moved_a - t.ball_a * cross(rotation_[sa], t.normal);
    const Vec4 way_b = t.normal_of == NormalOf::b
                         ? way_of_face(sb, moved_a)
                         : moved_b + t.ball_b * cross(rotation_[sb], t.normal);
    const Vec3 n = to_vec3(t.normal);
    const double h = weights_.step;
    const Vec3 slip = in_plane(to_vec3(way_a - way_b), n);
    const Vec3 strain = in_plane(to_vec3(combine(fb, to_vec4(t.memory.strain))), n);
    const bool slipped = t.slide.slips;
    const Vec3 last_force = t.slide.force, last_slip = t.slip;
    t.slip = slip;
    t.strain = norm(strain + slip);
    t.slide = bristle_force(t.sliding, strain + slip, slip / h, normal_force, h);
    t.force += t.slide.force;
    t.tangent = t.tangent + in_plane(t.slide.newton, n);
    // The tangent is flat while it slips, and an iteration that jumps to and fro over the narrow range
    // where it sticks never gets into it. The chord to the last place on its other side leads there.
    if (iteration_ > 0 && (slipped != t.slide.slips || dot(last_force, t.slide.force) < 0)) {
        ++t.changes;
        t.calm = 0;
        t.other_slip = last_slip;
        t.other_force = last_force;
    } else {
        ++t.calm;
    }
    const Vec3 way = slip - t.other_slip;
    if (t.changes >= 2 && t.calm < 2 && dot(way, way) > 0) {
        const double chord = dot(t.other_force - t.slide.force, way) / dot(way, way),
                     tangent = dot(way, t.slide.newton * way) / dot(way, way);
        if (chord > tangent)
            t.tangent = t.tangent + ((chord - tangent) / dot(way, way)) * Mat3::outer(way, way);
    }
    t.rounding += t.slide.newton.trace() / 3 * std::sqrt(dot(t.point, t.point));
    t.slip_speed = norm(slip) / h;
    if (t.rolling.stiffness == 0 && t.spinning.stiffness == 0) return;

    const Vec3 turn = to_vec3(rotation_[sa] - rotation_[sb]);
    t.angular_tangent = {};
    if (t.rolling.stiffness > 0) {
        const Vec3 rolled = in_plane(turn, n);
        const Vec3 before = in_plane(to_vec3(combine(fb, to_vec4(t.memory.roll))), n);
        t.roll = bristle_force(t.rolling, before + rolled, rolled / h, normal_force, h);
        t.torque += t.roll.force;
        t.angular_tangent = in_plane(t.roll.newton, n);
    }
    if (t.spinning.stiffness > 0) {
        const Vec3 spun = dot(n, turn) * n;
        t.spin = bristle_force(t.spinning, t.memory.spin * n + spun, spun / h, normal_force, h);
        t.torque += t.spin.force;
        t.angular_tangent = t.angular_tangent + dot(n, t.spin.newton * n) * Mat3::outer(n, n);
    }
}

bool Contacts::is_hard(const Touch& t, double force) const {
    const double g0 = norm(system_.model.gravity), g = g0 > 0 ? g0 : 9.81;
    const bool comes_or_goes = (t.depth > 0) != (t.depth_before > 0);
    const double jump = std::abs(force - dot(t.memory.force, to_vec3(t.normal)));
    return (comes_or_goes || jump > hard_impact * t.memory.mass * g)
        && t.compliance * t.mean.by_depth > soft_enough;
}

bool Contacts::impacts() const {
    return std::any_of(touches_.begin(), touches_.end(), [&](const Touch& t) {
        return (t.memory.flags & struck_contact) != 0 || is_hard(t, t.expected_force);
    });
}

bool Contacts::changes() const {
    return std::any_of(touches_.begin(), touches_.end(), [](const Touch& t) {
        return (t.depth > 0) != (t.depth_before > 0)
            || t.slide.slips != ((t.memory.flags & slipping_contact) != 0) || t.is_lost;
    });
}

void Contacts::subtract_forces(double factor, Vec4* out, Vec4* load) const {
    for (const Touch& t : touches_) {
        const Vec4 force = factor * (is_stepping_ ? t.end_force : to_vec4(t.memory.share));
        const double size = std::sqrt(dot(force, force)) + (is_stepping_ ? t.rounding : 0);
        const Coupling& c = couplings_[t.coupling];
        const double* const coefficient = &coefficient_[t.first_coefficient];
        for (size_t k = 0; k < c.entity.size(); ++k) {
            out[c.entity[k]] = fma(-coefficient[k], force, out[c.entity[k]]);
            load[c.entity[k]] += broadcast(std::abs(coefficient[k]) * size);
        }
        const Vec3 torque = is_stepping_ ? t.end_torque : t.memory.torque_share;
        if (torque == Vec3{}) continue;
        for (size_t k = 0; k < c.entity.size(); ++k)
            out[c.entity[k]] -= factor * to_vec4(turning(t, k).transposed() * torque);
    }
}

// ∂(relative rotation)/∂(entity): ½ Σ c [axis]×.
Mat3 Contacts::turning(const Touch& t, size_t k) const {
    const Coupling& c = couplings_[t.coupling];
    const FrameAt &fa = frame_[slot_of_group_[c.group_a]], &fb = frame_[slot_of_group_[c.group_b]];
    Vec4 axis{};
    for (int i = 0; i < 3; ++i) axis += c.a[k][i + 1] * fa.axis[i] + c.b[k][i + 1] * fb.axis[i];
    const Vec3 v = 0.5 * t.side * to_vec3(axis);
    return {{{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}}};
}

void Contacts::add_tangent(double factor, bool with_falling, Block3* out) {
    if (touches_.empty()) return;
    factor *= weights_.beta_h2 / (weights_.gamma_h / weights_.step);
    added_mass_.assign(system_.entity_count, 0);
    for (Touch& t : touches_) {
        t.assembled_stiffness = 0;
        if (!(t.mean.by_depth > 0)) continue;
        t.assembled =
            with_falling ? t.tangent + in_plane(t.slide.falling, to_vec3(t.normal)) : t.tangent;
        t.angular_assembled = t.angular_tangent;
        t.assembled_stiffness = std::max(t.mean.by_depth, 0.5 * t.slide.newton.trace());
        const Coupling& c = couplings_[t.coupling];
        const double* const coefficient = &coefficient_[t.first_coefficient];
        Vec4 column[3];
        for (int i = 0; i < 3; ++i) column[i] = factor * to_vec4(t.assembled.column(i));
        const uint32_t* block = c.block.data();
        for (size_t k = 0; k < c.entity.size(); ++k)
            added_mass_[c.entity[k]] +=
                factor * coefficient[k] * coefficient[k] * t.assembled_stiffness;
        for (size_t k = 0; k < c.entity.size(); ++k)
            for (size_t l = 0; l <= k; ++l) {
                Block3& b = out[*block++];
                const double both = coefficient[k] * coefficient[l];
                for (int i = 0; i < 3; ++i) b.column[i] = fma(both, column[i], b.column[i]);
            }
        if (t.torque == Vec3{}) continue;
        block = c.block.data();
        for (size_t k = 0; k < c.entity.size(); ++k)
            for (size_t l = 0; l <= k; ++l) {
                Block3& b = out[*block++];
                const Mat3 m =
                    factor * (turning(t, k).transposed() * (t.angular_tangent * turning(t, l)));
                for (int i = 0; i < 3; ++i) b.column[i] += to_vec4(m.column(i));
            }
    }
}

void Contacts::couple_friction(const BlockLdlt& tangent, double factor, Vec4* x) {
    factor *= weights_.beta_h2 / (weights_.gamma_h / weights_.step);
    slipping_.clear();
    for (uint32_t i = 0; i < touches_.size(); ++i)
        if (touches_[i].mean.by_depth > 0
            && dot(touches_[i].slide.by_normal_force, touches_[i].slide.by_normal_force) > 0)
            slipping_.push_back(i);
    const size_t count = slipping_.size(), entities = system_.entity_count;
    if (count == 0 || count > most_coupled) return;
    slip_columns_.assign(count * entities, Vec4{});
    slip_matrix_.assign(count * (count + 1), 0);
    const auto along_normal = [&](const Touch& t, const Vec4* y) {
        return dot(t.normal, velocity_of(t, y));
    };
    for (size_t j = 0; j < count; ++j) {
        const Touch& t = touches_[slipping_[j]];
        const Coupling& c = couplings_[t.coupling];
        Vec4* const y = &slip_columns_[j * entities];
        const Vec4 push = factor * t.mean.by_depth * to_vec4(t.slide.by_normal_force);
        for (size_t k = 0; k < c.entity.size(); ++k)
            y[c.entity[k]] = coefficient_[t.first_coefficient + k] * push;
        tangent.solve(y);
        for (size_t i = 0; i < count; ++i)
            slip_matrix_[i * (count + 1) + j] =
                (i == j ? 1 : 0) + along_normal(touches_[slipping_[i]], y);
    }
    for (size_t i = 0; i < count; ++i)
        slip_matrix_[i * (count + 1) + count] = along_normal(touches_[slipping_[i]], x);
    if (!solve_dense(slip_matrix_, count)) return;
    for (size_t j = 0; j < count; ++j) {
        const double z = slip_matrix_[j * (count + 1) + count];
        for (size_t e = 0; e < entities; ++e) x[e] = fma(-z, slip_columns_[j * entities + e], x[e]);
    }
}

// ---- The end of a step -------------------------------------------------------------------------

// What a contact's share in the next accelerations should be.
Vec3 Contacts::share_after(const Touch& t, Vec3 velocity) const {
    const Vec3 n = to_vec3(t.normal);
    const double stiffest = std::max(t.mean.by_depth, t.slide.slips ? 0 : t.sliding.stiffness);
    if (t.compliance * stiffest > resolved)
        return t.depth > 0 && t.depth_before > 0 ? t.force : Vec3{};
    const NormalForce end = normal_force(t.normal_law, t.depth, -dot(n, velocity));
    if (!(end.force > 0)) return {};
    return end.force * n
         + bristle_force(t.sliding, t.slide.strain, in_plane(velocity, n), end.force, weights_.step)
               .force;
}

Contacts::Shares Contacts::settle(const State& state) {
    Shares shares = Shares::right;
    for (Touch& t : touches_) {
        const Vec3 n = to_vec3(t.normal);
        t.share = share_after(t, to_vec3(velocity_of(t, state.velocity.data())));
        t.torque_share = t.share == Vec3{} ? Vec3{} : t.torque;
        const double off = norm(t.share - to_vec3(t.end_force)), force = norm(t.force),
                     off_turn = norm(t.torque_share - t.end_torque), torque = norm(t.torque);
        const auto exceeds = [&](double part) {
            return off > part * force || off_turn > part * torque;
        };
        if (exceeds(wrong_share) && t.compliance * t.assembled_stiffness > resolved)
            shares = Shares::far_off;
        else if (shares == Shares::right && exceeds(negligible_share))
            shares = Shares::off;

        // An impact must not leave the bristle with more than it has been strained: that is energy.
        const double set = norm(t.slide.strain);
        if (is_midpoint_ && set > t.strain) t.slide.strain *= t.strain / set;
        const bool struck = is_midpoint_ && is_hard(t, t.mean.force);
        ContactMemory& m = t.memory;
        const FrameAt& fb = frame_[slot_of_group_[t.group_b]];
        m.strain = to_vec3(coordinates(fb, to_vec4(in_plane(t.slide.strain, n))));
        m.roll = to_vec3(coordinates(fb, to_vec4(in_plane(t.roll.strain, n))));
        m.spin = dot(n, t.spin.strain);
        m.share = to_vec3(t.end_force);
        m.torque_share = t.end_torque;
        m.force = t.force;
        m.torque = t.torque;
        m.point = to_vec3(t.point);
        m.normal = n;
        m.at_a = to_vec3(t.at_a);
        m.at_b = to_vec3(t.at_b);
        m.depth = t.depth;
        m.slip_speed = t.slip_speed;
        m.flags &= ~uint64_t{slipping_contact | struck_contact};
        if (t.slide.slips) m.flags |= slipping_contact;
        if (struck) m.flags |= struck_contact;
    }
    is_stepping_ = false;
    return shares;
}

void Contacts::add_share_changes(Vec4* out) const {
    for (const Touch& t : touches_) {
        const Vec4 change = to_vec4(t.share - t.memory.share);
        const Vec3 turn_change = t.torque_share - t.memory.torque_share;
        const Coupling& c = couplings_[t.coupling];
        for (size_t k = 0; k < c.entity.size(); ++k) {
            Vec4& x = out[c.entity[k]];
            x = fma(coefficient_[t.first_coefficient + k], change, x);
            if (!(turn_change == Vec3{})) x += to_vec4(turning(t, k).transposed() * turn_change);
        }
    }
}

void Contacts::accept_share_changes(const Vec4* x, double factor) {
    factor *= weights_.beta_h2 / (weights_.gamma_h / weights_.step);
    for (Touch& t : touches_) {
        t.memory.share = t.share;
        t.memory.torque_share = t.torque_share;
        if (factor == 0 || t.assembled_stiffness == 0) continue;
        t.memory.share -= factor * (t.assembled * to_vec3(velocity_of(t, x)));
        if (t.torque == Vec3{}) continue;
        const Coupling& c = couplings_[t.coupling];
        Vec3 turn;
        for (size_t k = 0; k < c.entity.size(); ++k)
            turn += turning(t, k) * to_vec3(x[c.entity[k]]);
        t.memory.torque_share -= factor * (t.angular_assembled * turn);
    }
}

void Contacts::commit(State& state) const {
    state.contacts.clear();
    for (const Touch& t : touches_)
        if (!t.is_lost && (t.depth > 0 || t.mean.force > 0 || !(t.memory.share == Vec3{})))
            state.contacts.push_back(t.memory);
}

}  // namespace bristle
