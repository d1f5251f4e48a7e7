// Where a contact pushes: how the material there follows from the entities, and forces go back to them, N and Nᵀ.
//
// It presses at its point. Along the surface it rubs there too, but for the corners of a face: those stand for a part of it, and rub
// nearer to its middle (collision/contact_point.h).
#include "lagrange/contacts.h"

#include <algorithm>

namespace bristle::lagrange {

// Rods and points have no moment of a force beside their axis.
void Contacts::add_rubbing(ActiveContact& t) {
    for (uint32_t group : {t.group_a, t.group_b})
        if (group != 0 && system_.frames[group].axis.size() < 3) return;
    t.first_rubbing = static_cast<uint32_t>(coefficient_.size());
    coefficient_.resize(coefficient_.size() + couplings_[t.coupling].entity.size());
}

// Faces press as they did in the last step, evenly about the middle of that; new ones at all their corners.
void Contacts::spread_friction() {
    const auto load = [](const ActiveContact& t, bool is_new) {
        if (t.is_lost || !t.rubs_apart()) return 0.0;
        if (is_new) return t.depth > 0 ? 1.0 : 0.0;
        return std::max(0.0, dot(t.memory.force, t.memory.normal));
    };
    for (size_t first = 0, end = 0; first < touches_.size(); first = end) {
        while (end < touches_.size() && touches_[end].pair == touches_[first].pair) ++end;
        if (!touches_[first].rubs_apart()) continue;
        for (const bool is_new : {false, true}) {
            Vec4 middle{};
            double whole = 0;
            for (size_t i = first; i < end; ++i) {
                const double share = load(touches_[i], is_new);
                middle = fma(share, touches_[i].point, middle);
                whole += share;
            }
            if (!(whole > 0)) continue;
            middle = (1 / whole) * middle;
            for (size_t i = first; i < end; ++i) {
                ActiveContact& t = touches_[i];
                if (t.is_lost || !t.rubs_apart()) continue;
                const Vec4 way = (1 - t.spread) * (middle - t.point);
                t.inward = way - dot(t.normal, way) * t.normal;
                set_coefficients(t);
            }
            break;
        }
    }
}

void Contacts::set_coefficients(ActiveContact& t) {
    set_coefficients(t, Vec4{}, &coefficient_[t.first_coefficient]);
    if (t.rubs_apart()) set_coefficients(t, t.inward, &coefficient_[t.first_rubbing]);
}

// Of the material beside the point by `shift`.
void Contacts::set_coefficients(const ActiveContact& t, Vec4 shift, double* coefficient) const {
    const WidePlacement &fa = frame_[slot_of_group_[t.group_a]],
                        &fb = frame_[slot_of_group_[t.group_b]];
    const Coupling& c = couplings_[t.coupling];
    const auto place = [&](uint32_t group, const WidePlacement& f, Vec4 local, Vec4 at) {
        // A rod or a point has no moment of a force beside its axis: what touches it acts where the ball's
        // centre is.
        if (system_.frames[group].axis.size() < 3) return homogeneous(local);
        // Balls that have passed each other are pushed where they first met.
        const Vec4 arm = shift
                       + (t.normal_of != collision::NormalOf::space ? t.point - at
                          : group == t.group_a                      ? -t.ball_a * t.normal
                                                                    : t.ball_b * t.normal);
        if (!is_midpoint_) return homogeneous(local + coordinates(f, arm));
        const WidePlacement& before = frame_before_[slot_of_group_[group]];
        return homogeneous(local + 0.5 * (coordinates(f, arm) + coordinates(before, arm)));
    };
    const Vec4 wa = place(t.group_a, fa, t.local_a, t.at_a),
               wb = place(t.group_b, fb, t.local_b, t.at_b);
    const Vec4 w1 = t.side > 0 ? wa : wb, w2 = t.side > 0 ? wb : wa;
    for (size_t k = 0; k < c.entity.size(); ++k) coefficient[k] = t.side * sum(c.a[k] * w1);
    if (c.group_b == 0) return;
    for (size_t k = 0; k < c.entity.size(); ++k) coefficient[k] += t.side * sum(c.b[k] * w2);
}

Vec4 Contacts::velocity_of(const ActiveContact& t, const Vec4* v) const {
    const Coupling& c = couplings_[t.coupling];
    Vec4 out{};
    for (size_t k = 0; k < c.entity.size(); ++k)
        out = fma(coefficient_[t.first_coefficient + k], v[c.entity[k]], out);
    if (!t.rubs_apart()) return out;
    Vec4 rubbing{};
    for (size_t k = 0; k < c.entity.size(); ++k)
        rubbing = fma(coefficient_[t.first_rubbing + k], v[c.entity[k]], rubbing);
    return rubbing + dot(t.normal, out - rubbing) * t.normal;
}

// out += Nᵀ force: along the normal at the point, along the face where it rubs.
void Contacts::push(const ActiveContact& t, Vec4 force, Vec4* out) const {
    const Coupling& c = couplings_[t.coupling];
    const double* const coefficient = &coefficient_[t.first_coefficient];
    if (!t.rubs_apart()) {
        for (size_t k = 0; k < c.entity.size(); ++k)
            out[c.entity[k]] = fma(coefficient[k], force, out[c.entity[k]]);
        return;
    }
    const double* const rubbing = &coefficient_[t.first_rubbing];
    const Vec4 pressing = dot(t.normal, force) * t.normal, across = force - pressing;
    for (size_t k = 0; k < c.entity.size(); ++k)
        out[c.entity[k]] = fma(rubbing[k], across, fma(coefficient[k], pressing, out[c.entity[k]]));
}

// ∂(relative rotation)/∂(entity): ½ Σ c [axis]×.
Mat3 Contacts::turning(const ActiveContact& t, size_t k) const {
    const Coupling& c = couplings_[t.coupling];
    const WidePlacement &fa = frame_[slot_of_group_[c.group_a]],
                        &fb = frame_[slot_of_group_[c.group_b]];
    Vec4 axis{};
    for (int i = 0; i < 3; ++i) axis += c.a[k][i + 1] * fa.axis[i] + c.b[k][i + 1] * fb.axis[i];
    const Vec3 v = 0.5 * t.side * to_vec3(axis);
    return {{{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}}};
}

void Contacts::add_outer(const ActiveContact& t, const double* coefficient, const Mat3& along,
                         Block3* out) const {
    const Coupling& c = couplings_[t.coupling];
    Vec4 column[3];
    for (int i = 0; i < 3; ++i) column[i] = to_vec4(along.column(i));
    const uint32_t* block = c.block.data();
    for (size_t k = 0; k < c.entity.size(); ++k)
        for (size_t l = 0; l <= k; ++l) {
            Block3& b = out[*block++];
            const double both = coefficient[k] * coefficient[l];
            for (int i = 0; i < 3; ++i) b.column[i] = fma(both, column[i], b.column[i]);
        }
}

void Contacts::add_resistance(const ActiveContact& t, const Mat3& along, const Mat3& angular,
                              Block3* out) const {
    if (t.rubs_apart()) {
        const Vec3 n = to_vec3(t.normal);
        const Mat3 pressing = dot(n, along * n) * Mat3::outer(n, n), across = along - pressing;
        add_outer(t, &coefficient_[t.first_coefficient], pressing, out);
        if (!(across == Mat3{})) add_outer(t, &coefficient_[t.first_rubbing], across, out);
    } else {
        add_outer(t, &coefficient_[t.first_coefficient], along, out);
    }
    const Coupling& c = couplings_[t.coupling];
    if (angular == Mat3{}) return;
    size_t pair = 0;
    for (size_t k = 0; k < c.entity.size(); ++k)
        for (size_t l = 0; l <= k; ++l, ++pair) {
            Block3& b = out[c.block[pair]];
            Mat3 m = turning(t, k).transposed() * (angular * turning(t, l));
            if (c.is_turned[pair]) m = m.transposed();
            for (int i = 0; i < 3; ++i) b.column[i] += to_vec4(m.column(i));
        }
}

}  // namespace bristle::lagrange
