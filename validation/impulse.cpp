// What must stand, hang and not pass, under the impulse solver.
#include "validation/impulse.h"

#include "scenes/bodies.h"
#include "scenes/plain/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace bristle::validation {
namespace {

using scenes::Motion;

constexpr double most_drift = 5e-3;  // m, in a minute
constexpr double duration = 60;      // s

double horizontal(Vec3 v) { return std::hypot(v.x, v.y); }

// What is seen of bodies in a minute.
struct Watch {
    double drift = 0;  // m, of any body, horizontally, from where it started
    double sway = 0;   // m/s, of the last body, horizontally, in the last ten seconds
    double loss = 0;   // m, of the last body's height
};

Watch watch(World& world, std::span<const BodyId> bodies) {
    std::vector<Vec3> start;
    for (BodyId b : bodies) start.push_back(world.pose(b).position);
    Watch out;
    while (world.time() < duration - step_of(world.settings()) / 2) {
        world.step();
        for (size_t i = 0; i < bodies.size(); ++i)
            out.drift = std::max(out.drift, horizontal(world.pose(bodies[i]).position - start[i]));
        if (world.time() > duration - 10)
            out.sway = std::max(out.sway, horizontal(world.twist(bodies.back()).linear));
    }
    out.loss = start.back().z - world.pose(bodies.back()).position.z;
    return out;
}

// A perfect stack has no reason to sway: here every box is up to 1 cm off the one below.
void crooked_stack(Checks& check) {
    for (const Motion motion : {Motion::in_plane, Motion::in_space})
        for (const int iterations : {10, 4}) {
            const std::string name =
                fmt::format("crooked {}, {} iterations",
                            motion == Motion::in_plane ? "planar" : "spatial", iterations);
            attempt(check, name, [&] {
                scenes::plain::Scene boxes = scenes::plain::stack(20);
                for (size_t i = 0; i < boxes.bodies.size(); ++i)
                    boxes.bodies[i].pose.position[0] += i % 2 == 0 ? -5e-3 : 5e-3;
                const auto scene = scenes::build(boxes, motion);
                World world(scene.model, Impulse{.iterations = iterations,
                                                 .allowed_depth = 2e-3,
                                                 .sleep_after = unlimited});
                const Watch seen = watch(world, scene.bodies);
                check.below(name, "drift of any box in 60 s, m", seen.drift, most_drift);
                check.below(name, "sway of the top from 50 s on, m/s", seen.sway, 1e-3);
            });
        }
}

// K6 (GRI 5.1): the published stack falls at 10 iterations, and sways at 50 and 100.
void stack_of_twenty(Checks& check) {
    for (const Motion motion : {Motion::in_plane, Motion::in_space})
        for (const int iterations : {10, 4})
            for (const bool sleeps : {true, false}) {
                const std::string name = fmt::format(
                    "K6 {}, {} iterations{}", motion == Motion::in_plane ? "planar" : "spatial",
                    iterations, sleeps ? "" : ", awake");
                attempt(check, name, [&] {
                    Impulse settings{.iterations = iterations, .allowed_depth = 2e-3};
                    if (!sleeps) settings.sleep_after = unlimited;
                    const auto scene = scenes::stack(20, motion);
                    World world(scene.model, settings);
                    const Watch seen = watch(world, scene.bodies);
                    check.below(name, "drift of any box in 60 s, m", seen.drift, most_drift);
                    check.below(name, "sway of the top from 50 s on, m/s", seen.sway, 1e-3);
                    // Every contact may give way by what is allowed.
                    check.between(name, "the top sinks, m", 0, seen.loss,
                                  20 * settings.allowed_depth);
                });
            }
}

void stack_of_hundred(Checks& check) {
    const std::string name = "stack of 100";
    attempt(check, name, [&] {
        const auto scene = scenes::stack(100);
        World world(scene.model, Impulse{});
        const Watch seen = watch(world, scene.bodies);
        check.below(name, "drift of any box in 60 s, m", seen.drift, most_drift);
        check.between(name, "the top sinks, m", 0, seen.loss, 100 * Impulse{}.allowed_depth);
    });
}

void house_of_cards(Checks& check) {
    const std::string name = "house of cards, 5 storeys";
    attempt(check, name, [&] {
        const auto scene = scenes::card_house(5);
        std::vector<BodyId> cards = scene.laid;
        cards.insert(cards.end(), scene.leaning.begin(), scene.leaning.end());
        World world(scene.model, Impulse{});
        const Watch seen = watch(world, cards);
        // Neighbours close their gaps first.
        check.below(name, "drift of any card in 60 s, m", seen.drift, most_drift);
        check.below(name, "the top sinks, m", seen.loss, most_drift);
    });
}

void heavy_on_light(Checks& check) {
    const std::string name = "1000 kg on 1 kg";
    attempt(check, name, [&] {
        const auto scene = scenes::heavy_on_light(1000);
        World world(scene.model, Impulse{});
        const std::vector<BodyId> boxes{scene.light, scene.heavy};
        const Watch seen = watch(world, boxes);
        check.below(name, "drift of either box in 60 s, m", seen.drift, most_drift);
        check.below(name, "the heavy one sinks, m", seen.loss, 2e-3);
    });
}

void hanging_chain(Checks& check) {
    const std::string name = "100 links and their weight";
    attempt(check, name, [&] {
        const auto scene = scenes::weighted_chain(100);
        World world(scene.model, Impulse{});
        std::vector<BodyId> bodies = scene.links;
        bodies.push_back(scene.weight);
        const Watch seen = watch(world, bodies);
        check.below(name, "drift of any link in 60 s, m", seen.drift, most_drift);
        check.below(name, "stretch over length", seen.loss / norm(scene.end), 0.01);
    });
}

// It goes 8.3 m a step; the wall is 1 mm thick.
void bullet(Checks& check) {
    const std::string name = "ball of 1 cm at 500 m/s";
    attempt(check, name, [&] {
        const auto scene = scenes::fast_ball();
        World world(scene.model, Impulse{.step = 1.0 / 60});
        double farthest = 0;
        for (int i = 0; i < 6; ++i) {
            world.step();
            farthest = std::max(farthest, world.pose(scene.ball).position.x);
        }
        check.below(name, "is behind the wall's face, m",
                    std::max(0.0, farthest + scene.radius - scene.wall), scene.thickness);
        check.between(name, "comes back with, m/s", -scene.speed, world.twist(scene.ball).linear.x,
                      0);
    });
}

}  // namespace

void validate_impulse_rest(Checks& check) {
    stack_of_twenty(check);
    crooked_stack(check);
    stack_of_hundred(check);
    house_of_cards(check);
    heavy_on_light(check);
    hanging_chain(check);
    bullet(check);
}

void validate_impulse(Checks& check) {
    validate_impulse_rest(check);
    validate_impulse_motion(check);
}

}  // namespace bristle::validation
