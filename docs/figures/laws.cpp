// Numbers for the plots of docs/contact.md, one JSON object a line:
//
//     laws restitution    what an impact returns, against what was asked for
//     laws bristle        friction over slip speed, and over the way of a slow pull
//     laws energy         what elastic impacts return at steps of 5 ms, against two other ways to take the force
//     laws long_steps     speed that damped impacts return at steps of 5 ms
#include <bristle/world.h>

#include "contact/bristle.h"
#include "scenes/contacts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace bristle;

namespace {

// ---- restitution -----------------------------------------------------------------------------------

double returned(const ContactLaw& law) {
    const scenes::Drop drop{.law = law, .height = 1e-4, .speed = 3, .gravity = 0};
    const auto scene = scenes::falling_ball(drop);
    World world(scene.model, {.step = 1e-6});
    while (world.time() < 0.1) {
        world.step();
        const double speed = world.twist(scene.ball).linear.z;
        if (speed > 0 && world.contacts().empty()) return speed / drop.speed;
    }
    return 0;
}

void restitution() {
    using Law = ContactLaw;
    const std::pair<const char*, Law::Normal> laws[] = {
        {"Hunt-Crossley", Law::Normal::hunt_crossley},
        {"Lankarani-Nikravesh", Law::Normal::lankarani_nikravesh},
        {"Kelvin-Voigt", Law::Normal::kelvin_voigt}};
    for (const auto& [name, normal] : laws)
        for (const Law::Damping damping : {Law::Damping::exact, Law::Damping::published})
            for (int i = 2; i <= 20; ++i) {
                const double e = 0.05 * i;
                std::printf(
                    "{\"law\":\"%s\",\"damping\":\"%s\",\"asked\":%.4g,\"returned\":%.9g}\n", name,
                    damping == Law::Damping::exact ? "exact" : "published", e,
                    returned({.normal = normal,
                              .damping = damping,
                              .stiffness = 1e7,
                              .restitution = e}));
            }
}

// ---- bristle ---------------------------------------------------------------------------------------

void bristle_plots() {
    const double normal = 1, stick_speed = 1e-3;  // N, m/s
    contact::BristleLaw law{.stiffness = 1e4,
                            .damping = 10,
                            .stick_speed = stick_speed,
                            .static_friction = 0.15,
                            .kinetic_friction = 0.1};
    for (int i = 0; i <= 120; ++i) {
        const double v = i * 0.025 * stick_speed;
        // As the bristle is after sliding for a while: at its limit, along the slip.
        const Vec3 strain{law.static_friction * normal / law.stiffness, 0, 0};
        const contact::BristleForce f = bristle_force(law, strain, {v, 0, 0}, normal, 1e-3);
        std::printf("{\"plot\":\"speed\",\"x\":%.6g,\"y\":%.6g}\n", v / stick_speed, -f.force.x);
    }
    // Pulled slowly to one side, back, and on.
    law.damping = 0;
    for (const double share : {1.0, 0.5}) {
        law.strain_share = share;
        Vec3 strain;
        double way = 0;
        const double speed = 1e-5, step = 0.01;
        for (int i = 0; i < 1800; ++i) {
            const double v = i < 600 || i >= 1200 ? speed : -speed;
            way += v * step;
            const contact::BristleForce f =
                bristle_force(law, strain + Vec3{v * step, 0, 0}, {v, 0, 0}, normal, step);
            strain = f.strain;
            std::printf("{\"plot\":\"way\",\"share\":%g,\"x\":%.6g,\"y\":%.6g}\n", share, 1e6 * way,
                        -f.force.x);
        }
    }
}

// ---- energy ----------------------------------------------------------------------------------------

constexpr double gravity = 9.81, step = 5e-3;

// A ball of 1 kg as one unknown, with the force of each end of the step in its acceleration (Newmark).
double energy_by_newmark(double beta, double gamma, double stiffness, double height) {
    double gap = height, speed = 0, acceleration = -gravity;
    bool touched = false;
    const auto acceleration_at = [&](double z) {
        return -gravity + (z < 0 ? stiffness * std::pow(-z, 1.5) : 0);
    };
    for (int i = 0; i < 1000; ++i) {
        const double known = gap + step * speed + step * step * (0.5 - beta) * acceleration;
        double low = known - step * step * beta * gravity, high = std::max(low, 0.0) + 1;
        for (int round = 0; round < 100; ++round) {
            const double z = 0.5 * (low + high);
            (z < known + beta * step * step * acceleration_at(z) ? low : high) = z;
        }
        gap = low;
        const double end = acceleration_at(gap);
        speed += step * ((1 - gamma) * acceleration + gamma * end);
        acceleration = end;
        if (gap >= 0 && touched) return (0.5 * speed * speed + gravity * gap) / (gravity * height);
        touched |= gap < 0;
    }
    return 0;  // it stays
}

// Energy after the first impact over that before it.
double energy_by_bristle(double restitution, double stiffness, double height) {
    const auto scene = scenes::falling_ball(
        {.law = {.stiffness = stiffness, .restitution = restitution}, .height = height});
    World world(scene.model, {.step = step});
    const double rest = gravity * scene.drop.radius;
    const double start = world.energy().total() - rest;
    bool touched = false;
    while (world.time() < 5) {
        world.step();
        if (touched && world.contacts().empty()) return (world.energy().total() - rest) / start;
        touched |= !world.contacts().empty();
    }
    return 0;  // it stays
}

template <class Ratio> void spread(const char* method, double stiffness, const Ratio& ratio) {
    std::vector<double> ratios;
    for (int i = 0; i <= 100; ++i) ratios.push_back(ratio(stiffness, std::pow(10.0, 0.01 * i)));
    std::sort(ratios.begin(), ratios.end());
    std::printf(
        "{\"method\":\"%s\",\"stiffness\":%g,\"least\":%.9g,\"median\":%.9g,\"most\":%.9g}\n",
        method, stiffness, ratios.front(), ratios[50], ratios.back());
}

void energy() {
    for (double stiffness = 1e5; stiffness < 2e10; stiffness *= 10) {
        spread("mean force", stiffness,
               [](double k, double height) { return energy_by_bristle(1, k, height); });
        spread("trapezoidal rule", stiffness,
               [](double k, double height) { return energy_by_newmark(0.25, 0.5, k, height); });
        spread("end of the step", stiffness,
               [](double k, double height) { return energy_by_newmark(0.5, 1, k, height); });
    }
}

void long_steps() {
    for (double stiffness = 1e5; stiffness < 2e10; stiffness *= 10)
        for (const double asked : {0.8, 0.5, 0.0}) {
            char name[40];
            std::snprintf(name, sizeof name, "asked %g", asked);
            spread(name, stiffness, [asked](double k, double height) {
                return std::sqrt(std::max(energy_by_bristle(asked, k, height), 0.0));
            });
        }
}

}  // namespace

int main(int count, char** arguments) {
    const char* const wanted = count > 1 ? arguments[1] : "";
    if (std::strcmp(wanted, "restitution") == 0)
        restitution();
    else if (std::strcmp(wanted, "bristle") == 0)
        bristle_plots();
    else if (std::strcmp(wanted, "energy") == 0)
        energy();
    else if (std::strcmp(wanted, "long_steps") == 0)
        long_steps();
    else
        return 2;
    return 0;
}
