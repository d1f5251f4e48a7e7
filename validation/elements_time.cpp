// What the integrators promise, and that a snapshot leaves nothing out.
#include "validation/elements.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace bristle::validation::elements {
namespace {

// ---- The integrators -------------------------------------------------------------------------------

// How late a rod let go from the horizontal is at 0.8 s, s.
double lateness(const AugmentedLagrangian& settings) {
    Model model;
    const BodyId rod = model.add(Body::rod({}, {1, 0, 0}, 2));
    const JointId pin = model.add(Revolute{.a = ground, .b = rod, .at = {}, .axis = y_axis});
    World world(model, settings);
    world.advance_to(0.8);
    const double k = std::sqrt(0.5), from_bottom = pi / 2 - world.coordinate(pin);
    return world.time()
         - (std::comp_ellint_1(k) - std::ellint_1(k, std::asin(std::sin(from_bottom / 2) / k)))
               * std::sqrt(2 / (3 * gravity));
}

// What is left of the energy of a spring far too stiff for the step, ωh = 100.
double ringing(const AugmentedLagrangian& settings, int steps) {
    Slider slider(x_axis);
    slider.model.add(JointSpring{.joint = slider.rail,
                                 .stiffness = slider.mass * square(100 / settings.step),
                                 .rest = 0.01});
    World world(slider.model, settings);
    const double start = world.energy().total();
    world.advance_to(steps * settings.step);
    return world.energy().total() / start;
}

// The same for the textbook recurrence of an oscillator, Chung and Hulbert (1993).
double promised_ringing(double inertia_share, double force_share, int steps) {
    const double gamma = 0.5 - inertia_share + force_share,
                 beta = square(1 + force_share - inertia_share) / 4, stiffness = square(100);
    double x = -1, v = 0, a = stiffness;
    for (int i = 0; i < steps; ++i) {
        const double coasting = x + v + (0.5 - beta) * a;
        const double next =
            -(inertia_share * a + stiffness * ((1 - force_share) * coasting + force_share * x))
            / (1 - inertia_share + stiffness * (1 - force_share) * beta);
        v += (1 - gamma) * a + gamma * next;
        x = coasting + beta * next;
        a = next;
    }
    return (square(v) + stiffness * square(x)) / stiffness;
}

void integrators(Checks& check) {
    struct Choice {
        const char* name;
        AugmentedLagrangian settings;
        double inertia_share, force_share;  // of the old values in the balance
        int steps;                          // until little is left
    };
    const double delta = AugmentedLagrangian{}.hht_delta;
    const auto alpha = [](double rho) {
        return AugmentedLagrangian{.integrator = Integrator::generalized_alpha,
                                   .rho_infinity = rho};
    };
    const Choice choices[] = {
        {"newmark", {}, 0, 0, 100},
        {"HHT", {.integrator = Integrator::hht}, 0, delta, 100},
        {"generalized-α 0.9", alpha(0.9), 0.8 / 1.9, 0.9 / 1.9, 100},
        {"generalized-α 0.5", alpha(0.5), 0, 0.5 / 1.5, 15},
    };
    for (const Choice& choice : choices) {
        for (Projection projection : {Projection::tangent, Projection::mass}) {
            AugmentedLagrangian settings = choice.settings;
            settings.projection = projection;
            const std::string name = std::string(choice.name)
                                   + (projection == Projection::mass ? ", mass projection" : "");
            AugmentedLagrangian coarse = settings, fine = settings;
            coarse.step = 4e-3;
            fine.step = 2e-3;
            check.between(name, "order of convergence", 1.8,
                          std::log2(lateness(coarse) / lateness(fine)), 2.2);
            check.below(name, "lateness of a pendulum at 0.8 s", lateness(settings),
                        2 * lag(std::sqrt(3 * gravity)) * 0.8);
            check.relative(name, "energy left of a too stiff spring",
                           promised_ringing(choice.inertia_share, choice.force_share, choice.steps),
                           ringing(settings, choice.steps), 1e-6);
        }
    }
}

// ---- Snapshots -------------------------------------------------------------------------------------

void snapshot(Checks& check) {
    Model model;
    const BodyId first = model.add(Body::rod({}, {1, 0, 0}, 1)),
                 second = model.add(Body::rod({1, 0, 0}, {2, 0, 0}, 1));
    const JointId pin = model.add(Revolute{.a = ground, .b = first, .at = {}, .axis = y_axis});
    const JointId elbow =
        model.add(Revolute{.a = first, .b = second, .at = {1, 0, 0}, .axis = y_axis});
    model.add(Limit{.joint = elbow, .min = -0.5, .max = 0.5, .restitution = 0.5});
    model.add(Drive{
        .joint = pin, .control = Drive::Control::speed, .target = constant(2), .max_effort = 20});
    model.add(Spring{.a = ground,
                     .b = second,
                     .at_a = {2, 0, 1},
                     .at_b = {2, 0, 0},
                     .stiffness = 50,
                     .damping = 1,
                     .free_length = 1});
    World world(model), other(model);
    world.advance_to(0.301);
    const Snapshot middle = world.snapshot();
    const uint64_t middle_hash = world.hash();
    world.advance_to(0.8);
    const uint64_t end = world.hash();
    world.restore(middle);
    check.near("snapshot", "same hash when restored", 1, world.hash() == middle_hash, 0);
    world.advance_to(0.8);
    check.near("snapshot", "same hash at the end", 1, world.hash() == end, 0);
    other.restore(middle);
    other.advance_to(0.8);
    check.near("snapshot", "same hash in another world", 1, other.hash() == end, 0);
    check.near("snapshot", "the hash tells states apart", 0, end == middle_hash, 0);
}

}  // namespace

void stepping_in_time(Checks& check) {
    run_cases(check, {{"integrators", integrators}, {"snapshot", snapshot}});
}

}  // namespace bristle::validation::elements
