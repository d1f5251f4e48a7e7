// Mechanisms with an equation of motion of one coordinate.
#include "validation/truth.h"

#include <cmath>

namespace bristle::validation {
namespace {

constexpr double gravity = 9.81;

// A crank with a flywheel drives a piston along x by a slender rod; nothing else acts, so that M(θ) θ'² stays.
void slider_crank(Checks& check) {
    struct Case {
        const char* name;
        double rate, impulse_bound, rounding;
    };
    const double crank = 0.1, rod = 0.3, flywheel = 0.02, rod_mass = 0.5, piston_mass = 1;
    // Half of M: kinetic energy at θ' = 1. The rod turns by φ' = −r cos θ / (l cos φ).
    const auto inertia = [&](double t) {
        const double s = crank / rod * std::sin(t), c = std::sqrt(1 - s * s);
        const double turn = -crank * std::cos(t) / (rod * c);
        const double piston = -crank * std::sin(t) + rod * s * turn;
        const double x = -crank * std::sin(t) + 0.5 * rod * s * turn, z = 0.5 * crank * std::cos(t);
        return 0.5
             * (flywheel + rod_mass * (x * x + z * z) + rod_mass * rod * rod / 12 * turn * turn
                + piston_mass * piston * piston);
    };
    for (const Case& c : {Case{"slider-crank, 10 rad/s", 10, 2e-4, 1e-7},
                          Case{"slider-crank, 40 rad/s", 40, 1e-2, 1e-3}}) {
        const double energy = inertia(0) * c.rate * c.rate;
        const double angle =
            integrate(std::array<double, 1>{0}, 1, 200'000, [&](const std::array<double, 1>& y) {
                return std::array<double, 1>{std::sqrt(energy / inertia(y[0]))};
            })[0];
        const double s = crank / rod * std::sin(angle);
        const double exact = crank * std::cos(angle) + rod * std::sqrt(1 - s * s);
        judge(
            check, c.name, "piston at 1 s, m",
            [&](const Settings& settings) {
                Model m;
                m.gravity = {};
                Body wheel;
                wheel.mass = 5;
                wheel.inertia = Mat3::diagonal({0.01, flywheel, 0.01});
                // z = r sin θ upwards: turning about −y.
                const BodyId w = m.add(wheel.moving({}, {0, -c.rate, 0}));
                const Vec3 pin{crank, 0, 0}, end{crank + rod, 0, 0};
                const double turn = crank * c.rate / rod;
                const BodyId r = m.add(
                    Body::rod(pin, end, rod_mass).moving({0, 0, crank * c.rate}, {0, turn, 0}));
                Body block;
                block.mass = piston_mass;
                block.inertia = Mat3::diagonal({1e-3, 1e-3, 1e-3});
                const BodyId p = m.add(block.at(end));
                m.add(Revolute{.a = Model::ground(), .b = w, .at = {}, .axis = {0, 1, 0}});
                m.add(Revolute{.a = w, .b = r, .at = pin, .axis = {0, 1, 0}});
                m.add(Revolute{.a = r, .b = p, .at = end, .axis = {0, 1, 0}});
                m.add(Prismatic{.a = Model::ground(), .b = p, .at = end, .axis = {1, 0, 0}});
                World world(m, settings);
                world.advance_to(1);
                return std::abs(world.pose(p).position.x - exact);
            },
            1e-3, c.impulse_bound, c.rounding);
    }
}

// A slender rod whose ends slide on two lines that cross: θ'' = −3g/2l cos θ, θ from the horizontal.
void trammel(Checks& check) {
    const double length = 1, start = 1.2;
    const auto y =
        integrate(std::array<double, 2>{start, 0}, 1, 100'000, [&](const std::array<double, 2>& s) {
            return std::array<double, 2>{s[1], -1.5 * gravity / length * std::cos(s[0])};
        });
    judge(
        check, "trammel", "lower end at 1 s, m",
        [&](const Settings& settings) {
            Model m;
            const Vec3 low{length * std::cos(start), 0, 0}, high{0, 0, length * std::sin(start)};
            const BodyId rod = m.add(Body::rod(low, high, 2));
            m.add(PointOnLine{.a = Model::ground(), .b = rod, .at = low, .axis = {1, 0, 0}});
            m.add(PointOnLine{.a = Model::ground(), .b = rod, .at = high, .axis = {0, 0, 1}});
            World world(m, settings);
            world.advance_to(1);
            return norm(world.pose(rod).position - Vec3{length * std::cos(y[0]), 0, 0});
        },
        1e-4, 5e-3);
}

// A ball swings in the plane of a hoop that turns about the vertical:
// (mR² + i) θ'' = mR² ω² sin θ cos θ − mgR sin θ, θ from below.
void hoop(Checks& check) {
    const double radius = 0.5, rate = 7, mass = 1, own = 0.01, start = 1.9;
    const double all = mass * radius * radius + own;
    const auto y =
        integrate(std::array<double, 2>{start, 0}, 1, 100'000, [&](const std::array<double, 2>& s) {
            return std::array<double, 2>{
                s[1], (mass * radius * radius * rate * rate * std::sin(s[0]) * std::cos(s[0])
                       - mass * gravity * radius * std::sin(s[0]))
                          / all};
        });
    judge(
        check, "hoop that turns", "height of the ball at 1 s, m",
        [&](const Settings& settings) {
            Model m;
            Body ring;
            ring.mass = 3;
            ring.inertia = Mat3::diagonal({0.2, 0.2, 0.3});
            const BodyId h = m.add(ring.moving({}, {0, 0, rate}));
            Body ball;
            ball.mass = mass;
            ball.inertia = Mat3::diagonal({own, own, own});
            const Vec3 at{radius * std::sin(start), 0, -radius * std::cos(start)};
            const BodyId b = m.add(ball.at(at).moving({0, rate * at.x, 0}, {0, 0, rate}));
            const JointId shaft =
                m.add(Revolute{.a = Model::ground(), .b = h, .at = {}, .axis = {0, 0, 1}});
            m.add(Revolute{.a = h, .b = b, .at = {}, .axis = {0, 1, 0}});
            m.add(Drive{.joint = shaft, .control = Drive::Control::speed, .target = rate});
            World world(m, settings);
            world.advance_to(1);
            return std::abs(world.pose(b).position.z + radius * std::cos(y[0]));
        },
        1e-4, 5e-3);
}

}  // namespace

void validate_truth_mechanisms(Checks& check) {
    attempt(check, "slider-crank", [&] { slider_crank(check); });
    attempt(check, "trammel", [&] { trammel(check); });
    attempt(check, "hoop", [&] { hoop(check); });
}

}  // namespace bristle::validation
