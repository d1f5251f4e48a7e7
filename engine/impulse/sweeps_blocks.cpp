// Contacts go into blocks of eight, and what sweeps found comes back from there.
#include "impulse/sweeps.h"

#include <algorithm>

namespace bristle::impulse {
namespace {

float single(double x) { return static_cast<float>(x); }

void set(WideVec3& to, uint32_t lane, Vec3 from) {
    to.x[lane] = single(from.x);
    to.y[lane] = single(from.y);
    to.z[lane] = single(from.z);
}

}  // namespace

void Sweeps::fill(const StepView& step, uint32_t index, double parts) {
    Manifolds8& block = blocks_[index];
    Point* const points = &points_[block.first];
    block.inverse_mass_a = block.inverse_mass_b = block.friction = Wide{};
    block.normal = block.tangent[0] = block.tangent[1] = WideVec3{};
    for (int k = 0; k < 6; ++k) block.inertia_a[k] = block.inertia_b[k] = Wide{};
    block.resists = false;
    block.rolling = block.spinning = Wide{};
    for (Wide& w : block.turning_mass) w = Wide{};
    for (uint32_t i = 0; i < block.count; ++i) points[i] = Point{};
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        block.a[lane] = block.b[lane] = 0;
        if (block.source[lane] == none) continue;
        const Manifold& m = step.contacts.manifolds[block.source[lane]];
        set(block.normal, lane, m.normal);
        for (int t = 0; t < 2; ++t) set(block.tangent[t], lane, m.tangent[t]);
        bool slides = true;
        for (uint32_t i = 0; i < m.count; ++i) slides &= step.contacts.points[m.first + i].slides;
        block.friction[lane] = single(slides ? m.kinetic_friction : m.static_friction);
        const auto side = [&](uint32_t group, uint32_t(&number)[lanes], Wide& mass,
                              Wide(&inertia)[6]) {
            if (group == 0) return;
            number[lane] = number_[group];
            mass[lane] = single(step.groups[group].inverse_mass);
            const Mat3& j = step.inverse_inertia[group];
            const double values[6] = {j(0, 0), j(1, 1), j(2, 2), j(0, 1), j(0, 2), j(1, 2)};
            for (int k = 0; k < 6; ++k) inertia[k][lane] = single(values[k]);
        };
        side(m.a, block.a, block.inverse_mass_a, block.inertia_a);
        side(m.b, block.b, block.inverse_mass_b, block.inertia_b);
        if (m.resists()) {
            block.resists = true;
            block.rolling[lane] = single(m.rolling_resistance);
            block.spinning[lane] = single(m.spinning_resistance);
            const Vec3 axes[3] = {m.tangent[0], m.tangent[1], m.normal};
            for (int k = 0; k < 3; ++k) {
                const double gives = (m.a ? dot(axes[k], step.inverse_inertia[m.a] * axes[k]) : 0)
                                   + (m.b ? dot(axes[k], step.inverse_inertia[m.b] * axes[k]) : 0);
                // In a plane nothing turns about its directions.
                block.turning_mass[k][lane] = single(gives > 0 ? 1 / gives : 0);
            }
        }
        const double inverse_masses =
            (m.a ? step.groups[m.a].inverse_mass : 0) + (m.b ? step.groups[m.b].inverse_mass : 0);
        for (uint32_t i = 0; i < m.count; ++i) {
            const ManifoldPoint& p = step.contacts.points[m.first + i];
            Point& to = points[i];
            set(to.arm_a, lane, p.arm_a);
            set(to.arm_b, lane, p.arm_b);
            const auto mass_along = [&](Vec3 e, Vec3 beside) {
                const Vec3 a = cross(p.arm_a + beside, e), b = cross(p.arm_b + beside, e);
                double k = inverse_masses;
                if (m.a) k += dot(a, step.inverse_inertia[m.a] * a);
                if (m.b) k += dot(b, step.inverse_inertia[m.b] * b);
                return single(1 / k);
            };
            // What leaves has arrived.
            to.gap[lane] = single(p.leaving > 0 ? std::min(p.gap, 0.0) : p.gap);
            const double slower = p.pull * step.step / (2 * parts);
            to.bounce[lane] = single(p.leaving > 0 ? std::max(0.0, p.leaving - slower) : 0);
            to.mass[lane] = mass_along(m.normal, {});
            to.impulse[lane] = single(p.impulse / parts);
            for (int t = 0; t < 2; ++t) {
                to.tangent_mass[t][lane] = mass_along(m.tangent[t], p.inward);
                to.inward[t][lane] = single(dot(p.inward, m.tangent[t]));
                to.friction[t][lane] = single(dot(p.friction, m.tangent[t]) / parts);
                to.strain[t][lane] = single(dot(p.strain, m.tangent[t]));
            }
        }
    }
}

void Sweeps::unload(const StepView& step, uint32_t index, double parts) const {
    const Manifolds8& block = blocks_[index];
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        if (block.source[lane] == none) continue;
        const Manifold& m = step.contacts.manifolds[block.source[lane]];
        const uint32_t a = block.a[lane], b = block.b[lane];
        const auto moved = [&](uint32_t body, Vec3 arm) {
            const BodyFloats& d = moved_[body];
            return Vec3{d.linear[0], d.linear[1], d.linear[2]}
                 + cross(Vec3{d.angular[0], d.angular[1], d.angular[2]}, arm);
        };
        for (uint32_t i = 0; i < m.count; ++i) {
            ManifoldPoint& p = step.contacts.points[m.first + i];
            const Point& from = points_[block.first + i];
            p.impulse = parts * double{from.impulse[lane]};
            p.friction = parts * across(m, from.friction, lane);
            p.part = step.step / parts;
            p.pressed = double{from.sum[lane]};
            p.total = p.pressed * m.normal + across(m, from.friction_sum, lane);
            const double bound = double{block.friction[lane]} * p.impulse;
            p.slides = !(norm(p.friction) < 0.999 * bound);
            const Vec3 drag = moved(a, p.arm_a + p.inward) - moved(b, p.arm_b + p.inward);
            if (block.resists) {
                const Wide* const turned = turnings_[block.first + i].sum;
                p.torque = double{turned[0][lane]} * m.tangent[0]
                         + double{turned[1][lane]} * m.tangent[1]
                         + double{turned[2][lane]} * m.normal;
            }
            p.strain = p.slides ? Vec3{} : p.strain + (drag - dot(drag, m.normal) * m.normal);
        }
    }
}

}  // namespace bristle::impulse
