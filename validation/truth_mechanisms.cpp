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

// ---- Bricard's mechanism -------------------------------------------------------------------------------

// Five rods and the ground along edges of a cube, six hinges across them: closed although hinges ask for more than there is. With the
// hinges at the ground's ends turned by θ, every second one turns by θ, the others by −ψ, sin ψ = sin θ/(1 + sin θ).
struct Bricard {
    static constexpr int rods = 5;
    static constexpr Vec3 axis[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static constexpr Vec3 way[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};

    static std::array<Vec3, rods + 1> points(double angle) {
        const double other = -std::asin(std::sin(angle) / (1 + std::sin(angle)));
        std::array<Vec3, rods + 1> out{};
        Mat3 turn = Mat3::identity();
        for (size_t i = 0; i < rods; ++i) {
            turn = turn * Quat::about(axis[i], i % 2 == 0 ? angle : other).matrix();
            out[i + 1] = out[i] + turn * way[i];
        }
        return out;
    }
    // Of slender rods of 1 kg: kinetic energy at θ' = 1, and potential energy.
    static double inertia(double angle) {
        const double h = 1e-5;
        const auto before = points(angle - h), after = points(angle + h);
        double sum = 0;
        for (size_t i = 0; i < rods; ++i) {
            const Vec3 a = 0.5 / h * (after[i] - before[i]),
                       b = 0.5 / h * (after[i + 1] - before[i + 1]);
            sum += (dot(a, a) + dot(a, b) + dot(b, b)) / 6;
        }
        return sum;
    }
    static double height(double angle) {
        const auto p = points(angle);
        double sum = 0;
        for (size_t i = 0; i < rods; ++i) sum += 0.5 * (p[i].z + p[i + 1].z);
        return sum;
    }
};

// From rest: T(θ) θ'² + g z(θ) stays.
void bricard(Checks& check) {
    const double time = 1, h = 1e-4;
    const auto exact =
        integrate(std::array<double, 2>{0, 0}, time, 4'000, [&](const std::array<double, 2>& y) {
            const double slope =
                             (Bricard::inertia(y[0] + h) - Bricard::inertia(y[0] - h)) / (2 * h),
                         pull = gravity * (Bricard::height(y[0] + h) - Bricard::height(y[0] - h))
                              / (2 * h);
            return std::array<double, 2>{
                y[1], -(slope * y[1] * y[1] + pull) / (2 * Bricard::inertia(y[0]))};
        });
    const Vec3 corner = Bricard::points(exact[0])[3];
    judge(
        check, "Bricard's mechanism", "third corner at 1 s, m",
        [&](const Settings& settings) {
            Model m;
            const auto p = Bricard::points(0);
            BodyId last = Model::ground();
            std::array<BodyId, Bricard::rods> rod;
            for (size_t i = 0; i < Bricard::rods; ++i) {
                rod[i] = m.add(Body::rod(p[i], p[i + 1], 1));
                m.add(Revolute{.a = last, .b = rod[i], .at = p[i], .axis = Bricard::axis[i]});
                last = rod[i];
            }
            m.add(Revolute{.a = last, .b = Model::ground(), .at = p[5], .axis = {1, 0, 0}});
            World world(m, settings);
            world.advance_to(time);
            return norm(world.pose(rod[3]).position - corner);
        },
        // A rod is given a millionth of inertia about itself, and a millionth of a metre off is what that comes to.
        1e-3, 0.05, 3e-6);
}

}  // namespace

void validate_truth_mechanisms(Checks& check) {
    attempt(check, "slider-crank", [&] { slider_crank(check); });
    attempt(check, "trammel", [&] { trammel(check); });
    attempt(check, "hoop", [&] { hoop(check); });
    attempt(check, "Bricard", [&] { bricard(check); });
}

}  // namespace bristle::validation
