// Where contacts are in an iteration, their forces and tangents.
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

// The rotation vector from one frame to the other.
Vec4 rotation_between(const WidePlacement& from, const WidePlacement& to) {
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

}  // namespace

// ---- Where it is ---------------------------------------------------------------------------------

// The normal as the side that has it carries it; not for centres.
Vec4 Contacts::carried_normal(const ActiveContact& t,
                              const std::vector<WidePlacement>& frames) const {
    if (t.normal_of == collision::NormalOf::space) return t.local_normal;
    const uint32_t group = t.normal_of == collision::NormalOf::a ? t.group_a : t.group_b;
    return combine(frames[slot_of_group_[group]], t.local_normal);
}

double Contacts::depth_before(const ActiveContact& t) const {
    const double distance = t.normal_of == collision::NormalOf::centers
                              ? std::sqrt(dot(t.apart_before, t.apart_before))
                              : dot(carried_normal(t, frame_before_), t.before_a - t.before_b);
    return t.ball_a + t.ball_b - distance - t.left_out;
}

void Contacts::sweep(const ActiveContact& t, const std::vector<WidePlacement>& frames,
                     Vec4& center_a, Vec4& center_b) const {
    const Vec4 start_a = center_a, start_b = center_b;
    const auto nearest = [&](const Sweep& s, uint32_t group, Vec4 start, Vec4 other) {
        const WidePlacement& f = frames[slot_of_group_[group]];
        const Vec4 along = combine(f, s.along), outward = combine(f, s.outward),
                   way = other - start;
        const double x = dot(along, way);
        if (std::abs(s.bend) * t.length < 1e-6) return fma(x, along, start);
        // From the middle of the arc.
        const double radius = 1 / s.bend, z = dot(outward, way) + radius,
                     far = std::copysign(std::hypot(x, z), z * radius);
        if (!(std::abs(far) > 0.2 * std::abs(radius))) return start;
        return start + (std::abs(radius) * x / far) * along
             + (std::abs(radius) * z / far - radius) * outward;
    };
    for (int i = 0; i < 2; ++i) {
        if (t.sweep_a.is_swept) center_a = nearest(t.sweep_a, t.group_a, start_a, center_b);
        if (t.sweep_b.is_swept) center_b = nearest(t.sweep_b, t.group_b, start_b, center_a);
    }
    // Where they have gone further than bodies are long, they are no longer on them.
    const Vec4 gone_a = center_a - start_a, gone_b = center_b - start_b;
    if (std::max(dot(gone_a, gone_a), dot(gone_b, gone_b)) < t.length * t.length) return;
    center_a = start_a;
    center_b = start_b;
}

bool Contacts::is_on_a_face(const ActiveContact& t) {
    return t.part == ActiveContact::Part::whole
        && (t.normal_of == collision::NormalOf::a || t.normal_of == collision::NormalOf::b);
}

// Normal, depth, point and the entities' shares in it.
void Contacts::locate(ActiveContact& t) {
    const WidePlacement &fa = frame_[slot_of_group_[t.group_a]],
                        &fb = frame_[slot_of_group_[t.group_b]];
    t.at_a = point_of(fa, t.local_a);
    t.at_b = point_of(fb, t.local_b);
    Vec4 center_a = t.at_a, center_b = t.at_b;
    if (t.normal_of == collision::NormalOf::centers) {
        sweep(t, frame_, center_a, center_b);
        const Vec4 apart = center_a - center_b;
        const double distance = std::sqrt(dot(apart, apart));
        // Over a step the line of centres turns. Along its mean the force does the work −F̄ Δδ, and has no
        // moment about the centres.
        const Vec4 line = is_midpoint_ ? apart + t.apart_before : apart;
        const double length = std::sqrt(dot(line, line));
        if (length > 0) t.normal = line / broadcast(length);
        t.depth = t.ball_a + t.ball_b - distance - t.left_out;
    } else {
        t.normal = carried_normal(t, frame_);
        t.depth = t.ball_a + t.ball_b - dot(t.normal, t.at_a - t.at_b) - t.left_out;
    }
    // Where slip is measured (slip_of): at the ball's surface or the corner where it meets a face, in the middle of the overlap
    // of balls. So friction does the work that it takes, however deep a contact is.
    const double overlap = t.depth + t.left_out;
    const double half = is_on_a_face(t) ? 0 : 0.5 * overlap;
    t.point = t.normal_of == collision::NormalOf::b ? t.at_a - (t.ball_a - half) * t.normal
                                                    : center_b + (t.ball_b - half) * t.normal;
    set_coefficients(t);
}

// Of the balls' centres, or the points of the faces: turning does not count.
double Contacts::approach_speed(const ActiveContact& t, const Vec4* v) const {
    const Coupling& c = couplings_[t.coupling];
    const Vec4 w1 = homogeneous(t.side > 0 ? t.local_a : t.local_b),
               w2 = homogeneous(t.side > 0 ? t.local_b : t.local_a);
    Vec4 velocity{};
    for (size_t k = 0; k < c.entity.size(); ++k)
        velocity = fma(t.side * (sum(c.a[k] * w1) + sum(c.b[k] * w2)), v[c.entity[k]], velocity);
    return -dot(t.normal, velocity);
}

// ---- Forces --------------------------------------------------------------------------------------

void Contacts::place_at(const Vec4* q) {
    frames_at(q, frame_);
    for (size_t i = 1; i < groups_.size(); ++i)
        rotation_[i] = rotation_between(frame_before_[i], frame_[i]);
    for (ActiveContact& t : touches_) locate(t);
}

void Contacts::evaluate(const Vec4* q) {
    place_at(q);
    for (ActiveContact& t : touches_) {
        if (t.part == ActiveContact::Part::whole) evaluate_force(t);
        if (t.part == ActiveContact::Part::grip) evaluate_patch(&t - 4);
    }
    ++iteration_;
}

void Contacts::evaluate_force(ActiveContact& t) {
    if (t.is_struck) return set_end_forces(t);
    press(t, (t.depth - t.depth_before) / weights_.step);
    if (t.normal_force > 0)
        evaluate_friction(t, t.normal_force);
    else
        t.slide = {};
    set_end_forces(t);
}

// The normal part, approaching with a speed.
void Contacts::press(ActiveContact& t, double approach) {
    const double h = weights_.step;
    t.mean = mean_normal_force(t.normal_law, t.depth_before, t.depth, approach, h);
    t.normal_force = t.mean.force;
    if (iteration_ == 0 && t.compliance * t.mean.force > t.depth) {
        // The prediction may be a hundred times too deep. The law is taken where this contact alone would
        // end, and continued as a straight line.
        const double free = t.depth + t.compliance * dot(to_vec4(t.memory.share), t.normal);
        const double depth = local_depth(t.normal_law, t.depth_before, free, t.compliance, h);
        t.mean =
            mean_normal_force(t.normal_law, t.depth_before, depth, (depth - t.depth_before) / h, h);
        t.normal_force = t.mean.force;
        t.mean.force += t.mean.by_depth * (t.depth - depth);
    }
    if (iteration_ == 0) {
        t.expected_force = t.normal_force;
        t.sliding.stick_speed = stick_speed(law_of(t), t.normal_force, t.memory.mass);
    }
    const Vec3 n = to_vec3(t.normal);
    t.force = t.mean.force * n;
    t.tangent = t.mean.by_depth * Mat3::outer(n, n);
    t.torque = {};
    t.angular_tangent = {};
    t.rounding = t.mean.by_depth * std::sqrt(dot(t.point, t.point));
}

void Contacts::set_end_forces(ActiveContact& t) const {
    const double gamma = weights_.gamma_h / weights_.step;
    const double carried = is_midpoint_ ? 0 : 1 - gamma;
    t.end_force = to_vec4((t.force - carried * t.memory.share) / gamma);
    t.end_torque = (t.torque - carried * t.memory.torque_share) / gamma;
}

// The bristle's force, and the stiffness the iteration had better take for it.
Mat3 Contacts::slide(ActiveContact& t, Vec3 slip, Vec3 strain,
                     const contact::SlipDirection& direction) const {
    const double h = weights_.step;
    const bool slipped = t.slide.slips;
    const Vec3 last_force = t.slide.force, last_slip = t.slip;
    t.slip = slip;
    t.strain = norm(strain + slip);
    t.slide = bristle_force(t.sliding, strain + slip, slip / h, t.normal_force, h, direction);
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
    if (t.changes < 2 || t.calm >= 2 || !(dot(way, way) > 0)) return t.slide.newton;
    const double chord = dot(t.other_force - t.slide.force, way) / dot(way, way),
                 tangent = dot(way, t.slide.newton * way) / dot(way, way);
    if (!(chord > tangent)) return t.slide.newton;
    return t.slide.newton + ((chord - tangent) / dot(way, way)) * Mat3::outer(way, way);
}

SlipNow Contacts::slip_of(const ActiveContact& t) const {
    const uint32_t sa = slot_of_group_[t.group_a], sb = slot_of_group_[t.group_b];
    const WidePlacement& fb = frame_[sb];
    const Vec3 n = to_vec3(t.normal);
    SlipNow out;
    out.turn = to_vec3(rotation_[sa] - rotation_[sb]);
    out.strain = in_plane(to_vec3(combine(fb, to_vec4(t.memory.strain))), n);
    out.turn_strain = t.memory.spin * n;
    if (t.part == ActiveContact::Part::grip) {
        out.slip = grip_slip(t);
        return out;
    }
    out.turn_strain += in_plane(to_vec3(combine(fb, to_vec4(t.memory.roll))), n);
    // Of the material of a face, where the other side was halfway through the step.
    const auto way_of_face = [&](uint32_t slot, Vec4 other_way) {
        if (slot == 0) return Vec4{};
        const WidePlacement &now = frame_[slot], &then = frame_before_[slot];
        const Vec4 w = 0.5
                     * (coordinates(now, t.point - now.origin)
                        + coordinates(then, t.point - other_way - then.origin));
        return point_of(now, w) - point_of(then, w);
    };
    const Vec4 moved_a = t.at_a - t.before_a, moved_b = t.at_b - t.before_b;
    const double half =
        t.normal_of == collision::NormalOf::centers ? 0.5 * (t.depth + t.left_out) : 0;
    const bool is_swept = t.sweep_a.is_swept || t.sweep_b.is_swept;
    const Vec4 arm_a = is_swept ? t.point - t.at_a : -(t.ball_a - half) * t.normal,
               arm_b = is_swept ? t.point - t.at_b : (t.ball_b - half) * t.normal;
    const Vec4 way_a = t.normal_of == collision::NormalOf::a
                         ? way_of_face(sa, moved_b)
                         : moved_a + cross(rotation_[sa], arm_a);
    const Vec4 way_b = t.normal_of == collision::NormalOf::b
                         ? way_of_face(sb, moved_a)
                         : moved_b + cross(rotation_[sb], arm_b);
    out.slip = in_plane(to_vec3(way_a - way_b), n);
    if (t.rubs_apart()) out.slip += in_plane(cross(out.turn, to_vec3(t.inward)), n);
    return out;
}

void Contacts::evaluate_friction(ActiveContact& t, double normal_force) {
    const Vec3 n = to_vec3(t.normal);
    const double h = weights_.step;
    const SlipNow now = slip_of(t);
    t.tangent = t.tangent
              + in_plane(slide(t, now.slip, now.strain, contact::plain_direction(now.slip / h)), n);
    t.force += t.slide.force;
    t.rounding += t.slide.newton.trace() / 3 * std::sqrt(dot(t.point, t.point));
    t.slip_speed = norm(now.slip) / h;
    if (t.rolling.stiffness > 0) {
        const Vec3 rolled = in_plane(now.turn, n), before = in_plane(now.turn_strain, n);
        t.roll = bristle_force(t.rolling, before + rolled, rolled / h, normal_force, h);
        t.torque += t.roll.force;
        t.angular_tangent = in_plane(t.roll.newton, n);
    }
    if (t.spinning.stiffness > 0) {
        const Vec3 spun = dot(n, now.turn) * n;
        t.spin = bristle_force(t.spinning, t.memory.spin * n + spun, spun / h, normal_force, h);
        t.torque += t.spin.force;
        t.angular_tangent = t.angular_tangent + dot(n, t.spin.newton * n) * Mat3::outer(n, n);
    }
}

bool Contacts::tell_hardest(RoughPlace& place) const {
    double most = 0;
    for (const ActiveContact& t : touches_) {
        const double change = norm(t.force) / t.memory.mass;
        if (t.is_lost || !(change > most)) continue;
        most = change;
        place.a = {static_cast<uint32_t>(t.memory.bodies >> 32)};
        place.b = {static_cast<uint32_t>(t.memory.bodies)};
        place.point = to_vec3(t.point);
    }
    return most > 0;
}

bool Contacts::strayed() const {
    return std::any_of(touches_.begin(), touches_.end(), [](const ActiveContact& t) {
        return !t.is_lost
            && !(std::abs(t.depth + t.left_out - t.found_depth) < strayed_share * t.length);
    });
}

bool Contacts::is_hard(const ActiveContact& t, double force) const {
    if (t.part == ActiveContact::Part::grip) return false;
    const double g = usual_gravity();
    const bool comes_or_goes = (t.depth > 0) != (t.depth_before > 0);
    const double jump = std::abs(force - dot(t.memory.force, to_vec3(t.normal)));
    return (comes_or_goes || jump > hard_impact * t.memory.mass * g)
        && t.compliance * t.mean.by_depth > soft_enough;
}

bool Contacts::impacts() const {
    return std::any_of(touches_.begin(), touches_.end(), [&](const ActiveContact& t) {
        return (t.memory.flags & state::struck_contact) != 0 || is_hard(t, t.expected_force);
    });
}

bool Contacts::changes() const {
    return std::any_of(touches_.begin(), touches_.end(), [](const ActiveContact& t) {
        if (t.is_struck) return false;
        return (t.depth > 0) != (t.depth_before > 0)
            || t.slide.slips != ((t.memory.flags & state::slipping_contact) != 0) || t.is_lost;
    });
}

void Contacts::subtract_forces(double factor, Vec4* out, Vec4* load) const {
    for (const ActiveContact& t : touches_) {
        const Vec4 force = factor * (is_stepping_ ? t.end_force : to_vec4(t.memory.share));
        const double size = std::sqrt(dot(force, force)) + (is_stepping_ ? t.rounding : 0);
        const Coupling& c = couplings_[t.coupling];
        const double* const coefficient = &coefficient_[t.first_coefficient];
        push(t, -force, out);
        for (size_t k = 0; k < c.entity.size(); ++k)
            load[c.entity[k]] += broadcast(std::abs(coefficient[k]) * size);
        const Vec3 torque = is_stepping_ ? t.end_torque : t.memory.torque_share;
        if (torque == Vec3{}) continue;
        for (size_t k = 0; k < c.entity.size(); ++k)
            out[c.entity[k]] -= factor * to_vec4(turning(t, k).transposed() * torque);
    }
}

void Contacts::add_tangent(double factor, bool with_falling, Block3* out) {
    if (touches_.empty()) return;
    factor *= weights_.beta_h2 / (weights_.gamma_h / weights_.step);
    added_mass_.assign(system_.entity_count, 0);
    for (ActiveContact& t : touches_) {
        t.assembled_stiffness = 0;
        if (!(t.mean.by_depth > 0)) continue;
        t.assembled =
            with_falling ? t.tangent + in_plane(t.slide.falling, to_vec3(t.normal)) : t.tangent;
        t.angular_assembled = t.angular_tangent;
        t.assembled_stiffness = std::max(t.part == ActiveContact::Part::grip ? 0 : t.mean.by_depth,
                                         0.5 * t.slide.newton.trace());
        const Coupling& c = couplings_[t.coupling];
        const double* const coefficient = &coefficient_[t.first_coefficient];
        for (size_t k = 0; k < c.entity.size(); ++k)
            added_mass_[c.entity[k]] +=
                factor * coefficient[k] * coefficient[k] * t.assembled_stiffness;
        add_resistance(t, factor * t.assembled, factor * t.angular_tangent, out);
    }
}

void Contacts::couple_friction(const BlockLdlt& tangent, double factor, Vec4* x) {
    factor *= weights_.beta_h2 / (weights_.gamma_h / weights_.step);
    slipping_.clear();
    for (uint32_t i = 0; i < touches_.size(); ++i)
        if (touches_[i].mean.by_depth > 0 && !(touches_[i].slide.by_normal_force == Vec3{}))
            slipping_.push_back(i);
    const size_t count = slipping_.size(), entities = system_.entity_count;
    if (count == 0 || count > most_coupled) return;
    slip_columns_.assign(count * entities, Vec4{});
    slip_matrix_.assign(count * (count + 1), 0);
    for (size_t j = 0; j < count; ++j) {
        const ActiveContact& t = touches_[slipping_[j]];
        const Coupling& c = couplings_[t.coupling];
        Vec4* const y = &slip_columns_[j * entities];
        push(t, factor * t.mean.by_depth * to_vec4(t.slide.by_normal_force), y);
        if (!(t.torque_by_normal_force == Vec3{}))
            for (size_t k = 0; k < c.entity.size(); ++k)
                y[c.entity[k]] += factor * t.mean.by_depth
                                * to_vec4(turning(t, k).transposed() * t.torque_by_normal_force);
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

}  // namespace bristle::lagrange
