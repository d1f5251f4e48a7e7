// Patches: four points that press, and a grip that rubs with the sum of their forces.
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

constexpr auto grip_number = ActiveContact::grip_number;
// Of the stick speed: slower slip has less than a millionth of its friction from sliding, whatever its direction.
constexpr double slow_slip = 1e-3;
constexpr double same_slip_direction = 1e-13;  // friction differs by as much
// No linear pressure has its centroid further from the middle, in arms.
constexpr double largest_offset = 1.7320508075688772;

// A point's spring grows as the region does (volumetric.h): with the n-th power of its depth, which is n times the thickness t there.
// Both its force and its stiffness are then those of the layer where it was found, and it ends where the solids part. A point that
// carries little beside the others has no depth of its own to tell: it is linear.
constexpr double least_share = 0.3;
double order_of_point(const contact::Foundation& f, int i) {
    return f.thickness(i) > least_share * f.mean ? f.order : 1;
}
// Depth of point i where its thickness is so much, and the other way.
double depth_at(const contact::Foundation& f, int i, double thickness) {
    const double n = order_of_point(f, i), found = f.thickness(i);
    return n == 1 || !(thickness > 0) ? thickness : n * found * std::pow(thickness / found, 1 / n);
}
double thickness_at(const contact::Foundation& f, int i, double depth) {
    const double n = order_of_point(f, i), found = f.thickness(i);
    return n == 1 || !(depth > 0) ? depth : found * std::pow(depth / (n * found), n);
}

}  // namespace

// ---- As it is found --------------------------------------------------------------------------------

ActiveContact& Contacts::add_part(const collision::PatchCandidate& e, ActiveContact::Part part,
                                  uint64_t number, Vec3 at, double depth,
                                  const state::State& begin) {
    const collision::SceneCollider &a = collider(e.a), &b = collider(e.b);
    ActiveContact& t = add_touch(e.a, e.b);
    t.part = part;
    t.patch = static_cast<uint32_t>(patches_.size() - 1);
    t.feature = e.patch.feature * ActiveContact::features + number;
    // Scenery keeps the plane where it is.
    t.normal_of = a.owner == 0 ? collision::NormalOf::a : collision::NormalOf::b;
    const WidePlacement &fa = frame_[slot_of_group_[t.group_a]],
                        &fb = frame_[slot_of_group_[t.group_b]];
    const Vec4 n = to_vec4(e.patch.normal), half = 0.5 * depth * n;
    t.local_a = coordinates(fa, to_vec4(at) - half - fa.origin);
    t.local_b = coordinates(fb, to_vec4(at) + half - fb.origin);
    t.local_normal = coordinates(t.normal_of == collision::NormalOf::a ? fa : fb, n);
    t.normal = n;
    t.weight = 1;
    t.material_a = scene().material_of(a, e.patch.face_a).index;
    t.material_b = scene().material_of(b, e.patch.face_b).index;
    t.length = std::min(a.bound_radius, b.bound_radius);
    t.thickness = std::min(a.thickness, b.thickness);
    remember(t, begin);
    t.memory.flags |= part == ActiveContact::Part::grip ? state::patch_grip : state::patch_point;
    t.before_a = point_of(frame_before_[slot_of_group_[t.group_a]], t.local_a);
    t.before_b = point_of(frame_before_[slot_of_group_[t.group_b]], t.local_b);
    t.material_before = depth_before(t);
    return t;
}

// A region keeps its number, and with it its bristle, while it moves: it has that of the nearest one remembered, the largest
// region choosing first. What is further away than a good part of the smaller body is another region.
void Contacts::add_patches(const Found& all, const state::State& begin) {
    const auto pair_of = [](const collision::PatchCandidate& e) {
        return uint64_t{e.a} << 32 | e.b;
    };
    const auto found = all.patches;
    for (size_t i = 0; i < found.size(); ++i) {
        if (i == 0 || pair_of(found[i]) != pair_of(found[i - 1])) taken_.clear();
        const auto first = std::lower_bound(
            begin.contacts.begin(), begin.contacts.end(), pair_of(found[i]),
            [](const state::ContactMemory& m, uint64_t pair) { return m.pair < pair; });
        const auto last = std::find_if(
            first, begin.contacts.end(),
            [&](const state::ContactMemory& m) { return m.pair != pair_of(found[i]); });
        collision::PatchCandidate e = found[i];
        e.patch.feature = number_of(e, {first, last});
        taken_.push_back(e.patch.feature);
        add_patch(e, all.contour.data(), begin);
    }
}

uint32_t Contacts::number_of(const collision::PatchCandidate& e,
                             std::span<const state::ContactMemory> of_pair) const {
    const auto is_taken = [&](uint32_t number) {
        return std::find(taken_.begin(), taken_.end(), number) != taken_.end();
    };
    const auto number = [](const state::ContactMemory& m) {
        return static_cast<uint32_t>(m.feature / ActiveContact::features);
    };
    double nearest = 0.25 * std::min(collider(e.a).bound_radius, collider(e.b).bound_radius);
    const state::ContactMemory* same = nullptr;
    for (const state::ContactMemory& m : of_pair) {
        const double distance = norm(m.point - e.patch.centroid);
        if (!(m.flags & state::patch_grip) || is_taken(number(m)) || !(distance < nearest))
            continue;
        nearest = distance;
        same = &m;
    }
    if (same != nullptr) return number(*same);
    for (uint32_t free = 0;; ++free)
        if (!is_taken(free)
            && std::none_of(of_pair.begin(), of_pair.end(),
                            [&](const state::ContactMemory& m) { return number(m) == free; }))
            return free;
}

void Contacts::add_patch(const collision::PatchCandidate& e,
                         const collision::ContourSegment* contour, const state::State& begin) {
    const uint32_t material_a = scene().material_of(collider(e.a), e.patch.face_a).index,
                   material_b = scene().material_of(collider(e.b), e.patch.face_b).index;
    ActivePatch& p = patches_.emplace_back();
    p.first_edge = static_cast<uint32_t>(grip_edges_.size());
    p.foundation = contact::foundation_of(e.patch);
    p.grip = grip_of(e.patch, p.foundation, detection_->law(material_a, material_b).spin, contour,
                     grip_edges_);
    p.edges = static_cast<uint32_t>(grip_edges_.size()) - p.first_edge;

    const contact::Foundation& f = p.foundation;
    ActiveContact& grip =
        add_part(e, ActiveContact::Part::grip, grip_number, p.grip.center, f.mean, begin);
    const bool is_new = grip.is_new;
    const state::ContactMemory memory = grip.memory;
    // A new one may have been here all the time, or come from afar: as its material did.
    grip.depth_before = is_new ? grip.material_before : memory.volume / f.area;
    grip.point_before = is_new ? 0.5 * (grip.before_a + grip.before_b) : to_vec4(memory.point);
    const WidePlacement& fb = frame_[slot_of_group_[grip.group_b]];
    const Vec3 moment = to_vec3(combine(fb, to_vec4(memory.roll)));
    const double mean = grip.depth_before;
    double tilt[2];
    for (int k = 0; k < 2; ++k) {
        tilt[k] = f.arm[k] > 0 ? dot(moment, f.axis[k]) / (f.area * f.arm[k]) : 0;
        const double most = largest_offset * mean;
        if (mean > 0) tilt[k] = std::clamp(tilt[k], -most, most);
    }
    for (int i = 0; i < 4; ++i) {
        ActiveContact& t = add_part(e, ActiveContact::Part::point, static_cast<uint64_t>(i),
                                    f.at(i), depth_at(f, i, f.thickness(i)), begin);
        t.depth_before = is_new ? t.material_before
                                : depth_at(f, i,
                                           mean + contact::Foundation::sign(i, 0) * tilt[0]
                                               + contact::Foundation::sign(i, 1) * tilt[1]);
    }
    spread_memory(&touches_.back() - 3, f);
}

// The volume is remembered, so a force goes on as it was while the area changes. What the layer stores does
// not: spread over less, the same volume stores more. Where a step resolves the motion that is of second
// order; in an impact the area of the prediction may be many times that of the end. Then the layer begins
// with what it had.
double Contacts::kept_depth(const ActiveContact* points) const {
    double before = 0, now = 0;
    for (int i = 0; i < 4; ++i) {
        before += points[i].memory.stored;
        now += stored_energy(points[i].normal_law, points[i].depth_before);
    }
    return before < now ? std::pow(before / now, 1 / (points->normal_law.exponent + 1)) : 1;
}

void Contacts::use_midpoint() {
    is_midpoint_ = true;
    for (ActiveContact& grip : touches_) {
        if (grip.part != ActiveContact::Part::grip || grip.is_new) continue;
        ActiveContact* const points = &grip - grip_number;
        const double kept = kept_depth(points);
        for (int i = 0; i < 4; ++i)
            if (points[i].depth_before > 0) points[i].depth_before *= kept;
    }
}

// The axes of the area turn as they please, those of a disc all the time, and with them the points. So what four
// points remember is taken as one force with its moment about their middle, and spread over the new ones.
void Contacts::spread_memory(ActiveContact* points, const contact::Foundation& f) const {
    const Vec3 n = to_vec3(points->normal);
    const WidePlacement &then = frame_before_[slot_of_group_[points->group_b]],
                        &now = frame_[slot_of_group_[points->group_b]];
    Vec3 middle, share_moment, force_moment;
    double share = 0, force = 0;
    for (int i = 0; i < 4; ++i) middle += 0.25 * points[i].memory.point;
    for (int i = 0; i < 4; ++i) {
        const state::ContactMemory& m = points[i].memory;
        const double s = dot(m.normal, m.share), p = dot(m.normal, m.force);
        share += s;
        force += p;
        share_moment += s * (m.point - middle);
        force_moment += p * (m.point - middle);
    }
    const auto carried = [&](Vec3 v) {
        return to_vec3(combine(now, coordinates(then, to_vec4(v))));
    };
    share_moment = carried(share_moment);
    force_moment = carried(force_moment);
    for (int i = 0; i < 4; ++i) {
        double s = share / 4, p = force / 4;
        for (int k = 0; k < 2; ++k) {
            if (!(f.arm[k] > 0)) continue;
            const double per_arm = contact::Foundation::sign(i, k) / (4 * f.arm[k]);
            s += per_arm * dot(share_moment, f.axis[k]);
            p += per_arm * dot(force_moment, f.axis[k]);
        }
        points[i].memory.share = s * n;
        points[i].memory.force = p * n;
    }
}

void Contacts::set_patch_parameters(ActiveContact* parts) const {
    ActiveContact& grip = parts[grip_number];
    const ContactLaw& law = law_of(grip);
    const double mass = grip.memory.mass;
    double& foundation = grip.memory.stiffness;
    if (foundation == 0) {
        // A layer over the smaller body's size that under its weight rests as deep as other springs do.
        const double spring = mass * usual_gravity() / estimated_rest(grip, 1);
        foundation = law.foundation > 0 ? law.foundation : spring / (grip.length * grip.length);
    }
    const contact::Foundation& f = patches_[grip.patch].foundation;
    const double stiffness = foundation * f.area;
    const double factor = damping_factor(grip, stiffness, 1);
    const double compliance = weights_.beta_h2 / (weights_.gamma_h / weights_.step) / mass;
    for (int i = 0; i < 4; ++i) {
        ActiveContact& t = parts[i];
        t.memory.mass = mass / 4;
        t.memory.stiffness = foundation;
        const double n = order_of_point(f, i),
                     power = n == 1 ? 1 : f.thickness(i) / std::pow(n * f.thickness(i), n);
        t.normal_law = {0.25 * stiffness * power, n, factor, 0};
        t.compliance = 4 * compliance;
    }
    grip.normal_law = {};
    grip.sliding = sliding_law(grip);
    grip.compliance = compliance;
}

// ---- Forces ----------------------------------------------------------------------------------------

void Contacts::evaluate_patch(ActiveContact* parts) {
    ActiveContact& grip = parts[grip_number];
    if (grip.is_struck) {
        for (ActiveContact* t = parts; t <= &grip; ++t) set_end_forces(*t);
        return;
    }
    const contact::Foundation& f = patches_[grip.patch].foundation;
    // How far the material came together: in the middle, and over the arms, with the levers of damping. Damping
    // that follows from a restitution is for impacts: what rolls puts material in before the middle and takes it out behind it, which the
    // layer as a whole does not do over its arms.
    double middle = 0, over[2] = {}, of_layer[2] = {};
    for (int i = 0; i < 4; ++i) {
        const double way = 0.25 * (parts[i].depth - parts[i].material_before),
                     grown = 0.25 * (parts[i].depth - parts[i].depth_before);
        middle += way;
        for (int k = 0; k < 2; ++k) {
            over[k] += contact::Foundation::sign(i, k) * way;
            of_layer[k] += contact::Foundation::sign(i, k) * grown;
        }
    }
    double* const rocks = patches_[grip.patch].rocks;
    const bool has_given_damping = law_of(grip).damping_factor > 0;
    for (int k = 0; k < 2; ++k) {
        rocks[k] =
            has_given_damping || over[k] == 0 ? 1 : std::clamp(of_layer[k] / over[k], 0.0, 1.0);
        over[k] *= rocks[k];
    }
    grip.mean = {};
    grip.normal_force = grip.expected_force = 0;
    for (int i = 0; i < 4; ++i) {
        ActiveContact& t = parts[i];
        const double way = middle + contact::Foundation::sign(i, 0) * f.lever[0] * over[0]
                         + contact::Foundation::sign(i, 1) * f.lever[1] * over[1];
        press(t, way / weights_.step);
        set_end_forces(t);
        grip.mean.force += t.mean.force;
        grip.mean.by_depth += t.mean.by_depth;
        grip.normal_force += t.normal_force;
    }
    if (iteration_ == 0) {
        grip.expected_force = grip.normal_force;
        grip.sliding.stick_speed = stick_speed(law_of(grip), grip.normal_force, grip.memory.mass);
    }
    grip.force = grip.torque = grip.torque_by_normal_force = {};
    grip.tangent = grip.angular_tangent = {};
    grip.rounding = 0;
    if (grip.normal_force > 0)
        evaluate_grip(grip);
    else
        grip.slide = {};
    set_end_forces(grip);
}

// Of the material at the patch, which moves on over it: a wheel that rolls does not slip.
Vec3 Contacts::grip_slip(const ActiveContact& t) const {
    const auto way_of = [&](uint32_t slot) {
        const WidePlacement &now = frame_[slot], &then = frame_before_[slot];
        const Vec4 lever = 0.5 * ((t.point - now.origin) + (t.point_before - then.origin));
        return now.origin - then.origin + cross(rotation_[slot], lever);
    };
    return in_plane(to_vec3(way_of(slot_of_group_[t.group_a]) - way_of(slot_of_group_[t.group_b])),
                    to_vec3(t.normal));
}

// What slides and turns at once: vectors whose part along n is the arm times an angle.
void Contacts::evaluate_grip(ActiveContact& t) {
    const contact::Grip& grip = patches_[t.patch].grip;
    const uint32_t sa = slot_of_group_[t.group_a], sb = slot_of_group_[t.group_b];
    const double h = weights_.step, arm = grip.arm;
    const Vec3 n = to_vec3(t.normal);
    const double turn = dot(n, to_vec3(rotation_[sa] - rotation_[sb]));
    const bool is_published = grip.spin == ContactLaw::Spin::published;
    Vec3 slip = grip_slip(t);
    Vec3 strain = in_plane(to_vec3(combine(frame_[sb], to_vec4(t.memory.strain))), n);
    t.slip_speed = norm(slip) / h;
    if (!is_published) {
        slip += arm * turn * n;
        strain += arm * t.memory.spin * n;
    }
    const Mat3 stiffness = slide(t, slip, strain, direction_of(t, slip / h));
    t.force = in_plane(t.slide.force, n);
    t.tangent = in_plane(stiffness, n);
    t.rounding = t.slide.newton.trace() / 3 * std::sqrt(dot(t.point, t.point));
    double resisting = arm * arm * dot(n, stiffness * n);
    double torque = arm * dot(n, t.slide.force);
    double by_normal_force = arm * dot(n, t.slide.by_normal_force);
    if (is_published) {
        by_normal_force = -t.sliding.kinetic_friction * grip.gyration2 * turn / h;
        torque = t.normal_force * by_normal_force;
        resisting = t.sliding.kinetic_friction * t.normal_force * grip.gyration2 / h;
    }
    t.torque = torque * n;
    t.torque_by_normal_force = by_normal_force * n;
    t.angular_tangent = resisting * Mat3::outer(n, n);
}

contact::SlipDirection Contacts::direction_of(const ActiveContact& t, Vec3 speed) {
    ActivePatch& p = patches_[t.patch];
    const double size = norm(speed);
    if (p.edges == 0 || size < slow_slip * t.sliding.stick_speed)
        return contact::plain_direction(speed);
    const Vec3 n = to_vec3(t.normal), x = normalized(in_plane(p.foundation.axis[0], n)),
               y = cross(n, x);
    const Vec3 along = Vec3{dot(x, speed), dot(y, speed), dot(n, speed)} / size;
    if (!(norm(along - p.asked) < same_slip_direction)) {
        p.asked = along;
        p.answer = grip_direction(p.grip, along);
    }
    const Mat3 axes = Mat3::columns(x, y, n);
    return {axes * p.answer.along, (1 / size) * (axes * p.answer.by_speed * axes.transposed())};
}

// By what motion the normal force of a contact changes, for motions y of the entities.
double Contacts::along_normal(const ActiveContact& t, const Vec4* y) const {
    if (t.part != ActiveContact::Part::grip) return dot(t.normal, velocity_of(t, y));
    double sum = 0;
    for (const ActiveContact* p = &t - 4; p != &t; ++p)
        sum += p->mean.by_depth * dot(p->normal, velocity_of(*p, y));
    return sum / t.mean.by_depth;
}

// ---- The end of a step -----------------------------------------------------------------------------

// What the parts' shares in the next accelerations should be.
void Contacts::find_patch_shares(ActiveContact* parts, const state::State& state) {
    ActiveContact& grip = parts[grip_number];
    if (grip.is_struck) {
        for (ActiveContact* t = parts; t <= &grip; ++t) t->share = t->torque_share = {};
        return;
    }
    const contact::Foundation& f = patches_[grip.patch].foundation;
    const Vec3 n = to_vec3(grip.normal);
    double rate[4], middle = 0, over[2] = {}, normal = 0;
    for (int i = 0; i < 4; ++i) {
        rate[i] = -dot(parts[i].normal, velocity_of(parts[i], state.velocity.data()));
        middle += 0.25 * rate[i];
        for (int k = 0; k < 2; ++k)
            over[k] +=
                0.25 * patches_[grip.patch].rocks[k] * contact::Foundation::sign(i, k) * rate[i];
    }
    for (int i = 0; i < 4; ++i) {
        ActiveContact& t = parts[i];
        if (is_unresolved(t, t.mean.by_depth)) {
            t.share = t.depth > 0 && t.depth_before > 0 ? t.force : Vec3{};
        } else {
            const double approach = middle + contact::Foundation::sign(i, 0) * f.lever[0] * over[0]
                                  + contact::Foundation::sign(i, 1) * f.lever[1] * over[1];
            t.share = normal_force(t.normal_law, t.depth, approach).force * n;
        }
        t.torque_share = {};
        normal += dot(n, t.share);
    }
    grip.share = grip.torque_share = {};
    if (!(normal > 0)) return;
    const bool sticks = !grip.slide.slips && grip.slide.newton.trace() > 0;
    grip.torque_share = grip.torque;
    if (is_unresolved(grip, sticks ? grip.sliding.stiffness : 0)) {
        grip.share = grip.force;
        return;
    }
    const Vec3 slip = in_plane(to_vec3(velocity_of(grip, state.velocity.data())), n);
    Vec3 speed = slip;
    if (patches_[grip.patch].grip.spin != ContactLaw::Spin::published)
        speed += dot(n, grip.slip) / weights_.step * n;
    grip.share = in_plane(bristle_force(grip.sliding, grip.slide.strain, speed, normal,
                                        weights_.step, direction_of(grip, speed))
                              .force,
                          n);
}

// What a layer stores while its area changes is known to first order only. What was put in is known: the work of its forces along
// the material's way. It must not return more than that.
double Contacts::taken_by(const ActiveContact& grip) {
    double sum = grip.is_new ? 0 : grip.memory.stored;
    for (const ActiveContact* t = &grip - grip_number; t != &grip; ++t) {
        if (grip.is_new) sum += stored_energy(t->normal_law, t->depth_before);
        sum += t->mean.force * (t->depth - t->material_before);
    }
    return sum;
}

void Contacts::weaken_patch(uint32_t grip, double energy, Vec3 force) {
    state::ContactMemory& m = touches_[grip].memory;
    m.stored += energy;
    m.force -= force;
}

// The layer as it is at the end of the step, for the next one.
void Contacts::remember_layer(ActiveContact& grip, const ActiveContact* points) const {
    const ActivePatch& p = patches_[grip.patch];
    const contact::Foundation& f = p.foundation;
    const Vec3 n = to_vec3(grip.normal);
    double mean = 0, tilt[2] = {};
    for (int i = 0; i < 4; ++i) {
        const double thickness = thickness_at(f, i, points[i].depth);
        mean += 0.25 * thickness;
        for (int k = 0; k < 2; ++k) tilt[k] += 0.25 * contact::Foundation::sign(i, k) * thickness;
    }
    Vec3 moment;
    for (int k = 0; k < 2; ++k) moment += f.area * f.arm[k] * tilt[k] * f.axis[k];
    const WidePlacement& fb = frame_[slot_of_group_[grip.group_b]];
    grip.memory.volume = f.area * mean;
    grip.memory.roll = to_vec3(coordinates(fb, to_vec4(moment)));
    grip.memory.spin =
        p.grip.spin == ContactLaw::Spin::published ? 0 : dot(n, grip.slide.strain) / p.grip.arm;
}

}  // namespace bristle::lagrange
