// How the excavator stands, slips, lifts itself, tips and works, against what its weights, tyres and cylinders say (spec G4).
#include "validation/machine_behaviour.h"

#include "machines/parts/tyre.h"
#include "validation/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace bristle::validation {
namespace {

using machine::Machine;
using machine::Place;

constexpr double g = 9.81;

// ---- On slopes ----

double creep(double slope, const char* grip, double seconds) {
    Machine m({.set = {{"grip", grip}}, .slope = slope});
    m.command("travel.parking_brake", 1);
    m.run(40);  // until it no longer swings on its oil
    const Vec3 then = m.position("undercarriage");
    m.run(seconds);
    return norm(m.position("undercarriage") - then);
}

void slopes(Checks& checks) {
    checks.below("60 %, parked", "creep in a minute, m", creep(0.6, "1", 60), 1e-8);
    checks.below("35 %, dry, parked", "creep in a minute, m", creep(0.35, "1", 60), 1e-8);
    // Friction of 0.85 · 0.38 = 0.32 at most is less than the slope: locked wheels slide, κ = −1.
    const machines::MagicFormula wet{.friction = 0.85 * 0.38};
    const double angle = std::atan(0.35),
                 a = g * (std::sin(angle) - wet.force(1, 1) * std::cos(angle));
    Machine m({.set = {{"grip", "0.38"}}, .slope = 0.35});
    m.command("travel.parking_brake", 1);
    m.run(2);
    const double before = m.world().twist(m.model().body("undercarriage")).linear.x;
    m.run(3);
    const double after = m.world().twist(m.model().body("undercarriage")).linear.x;
    checks.relative("35 %, wet, parked", "slides, m/s²", a, (before - after) / 3, 0.05);
}

// ---- On blade and outriggers ----

void supports(Checks& checks) {
    for (const auto& [blade, outriggers] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1)}) {
        Machine m({});
        m.run(0.5);
        if (blade != 0) m.command("oil.blade", 1);
        if (outriggers != 0) m.command("oil.outriggers", 1);
        m.run(8);
        m.command("oil.blade", 0);
        m.command("oil.outriggers", 0);
        m.run(4);
        const auto load = [&](const char* end) {
            return 1e-3
                 * (m.reading(fmt::format("{} left tyre.load", end))
                    + m.reading(fmt::format("{} right tyre.load", end)));
        };
        const std::string name = blade == 0      ? "on outriggers"
                               : outriggers == 0 ? "on the blade"
                                                 : "on both";
        checks.near(name, "wheels in front, kN", blade != 0 ? 0 : load("front"), load("front"), 1);
        checks.near(name, "wheels behind, kN", outriggers != 0 ? 0 : load("rear"), load("rear"), 1);
        if (blade == 0 || outriggers == 0)
            checks.between(name, "what the other wheels carry, kN", 60,
                           load("front") + load("rear"), 200);
        const double weight = 1e-3 * m.mass() * g;
        double held = 0;
        for (const char* body : {"blade", "left outrigger", "right outrigger"})
            held += 1e-3 * m.reading(fmt::format("contact.force({}).z", body));
        checks.relative(name, "carried together, kN", weight, held + load("front") + load("rear"),
                        0.01);
    }
}

// ---- Tipping ----

// 1.5 t in the bucket, arm up, axle locked.
Place loaded(double slope) {
    return {.set = {{"boom_angle", "0.95"}, {"stick_angle", "-1.1"}, {"bucket_angle", "-1.2"}},
            .more =
                "bodies: {load: {mass: 1500, inertia: [200, 200, 200], position: [7, 0, 6]}}\n"
                "joints: {heap: {type: fixed, a: bucket, b: load, on_a: [0.75, 0, 0.4], on_b: [0, "
                "0, 0]}}\n",
            .slope = slope,
            .uphill = -pi / 2};
}

double lean(const Machine& m) {
    const Vec3 up = m.point("undercarriage", {0, 0, 1}) - m.position("undercarriage");
    return std::acos(std::clamp(up.z, -1.0, 1.0));
}

// Swings its load slowly from ahead over the low side, +y.
Machine swung(double slope) {
    Machine m(loaded(slope));
    m.command("travel.parking_brake", 1);
    m.command("axle lock.lever", 1);
    m.run(1);
    m.command("oil.swing", 0.25);
    m.run_until(40, [&] { return m.coordinate("swing") > 1.45 || lean(m) > 0.5; });
    m.command("oil.swing", 0);
    m.run(8);
    return m;
}

void tipping(Checks& checks) {
    // Where its weight is with the load over the side, on the level.
    Machine level = swung(0);
    const Vec3 center = level.world().center_of_mass();
    // All of it on the tyres of that side when it tips: they give way, and it leans besides the slope. One step of the fixed point is
    // enough for a tenth of a degree.
    const double wheel = 1.07, stiffness = 1.6e6, weight = level.mass() * g;
    double slope = 0;
    for (int i = 0; i < 3; ++i) {
        const double given_way = weight * std::cos(slope) / (2 * stiffness),
                     leaning = std::asin(given_way / (2 * wheel));
        slope = std::atan((wheel - center.y) / center.z) - leaning;
    }
    checks.between("tipping", "margin on the level, degrees", 2, slope * 180 / pi, 40);
    const double two = 2 * pi / 180;
    Machine stands = swung(std::tan(slope - two)), falls = swung(std::tan(slope + two));
    checks.between("tipping", "leans 2° below the margin, degrees", 0, lean(stands) * 180 / pi, 10);
    checks.between("tipping", "leans 2° beyond it, degrees", 25, lean(falls) * 180 / pi, 180);
    falls.run(20);
    checks.below("tipping", "speed when it lies, m/s",
                 norm(falls.world().twist(falls.model().body("undercarriage")).linear), 0.02);
}

// ---- A cycle, by the circuit and guided ----

struct Leg {
    const char* input;
    double lever;
    const char* joint;
    double until;
};

// From lever to lever, each until its cylinder (or the platform) is there: dig position, lifted, swung, dumped, and back.
double cycle(const char* guided) {
    Machine m({.set = {{"guided", guided}}});
    m.run(1);
    const double begin = m.world().time();
    for (const auto& [input, lever, joint, until] :
         std::initializer_list<Leg>{{"oil.boom", -1, "boom cylinder", 2.1},
                                    {"oil.stick", 1, "stick cylinder", 2.9},
                                    {"oil.bucket", 1, "bucket cylinder", 2.75},
                                    {"oil.boom", 1, "boom cylinder", 2.7},
                                    {"oil.swing", 1, "swing", 1.5},
                                    {"oil.stick", -1, "stick cylinder", 2.3},
                                    {"oil.bucket", -1, "bucket cylinder", 1.8},
                                    {"oil.swing", -1, "swing", 0},
                                    {"oil.boom", -1, "boom cylinder", 2.1}}) {
        m.command(input, lever);
        m.run_until(30, [&, lever = lever, joint = joint, until = until] {
            return lever > 0 ? m.coordinate(joint) >= until : m.coordinate(joint) <= until;
        });
        m.command(input, 0);
        m.run(0.3);
    }
    return m.world().time() - begin;
}

double seconds_of(const std::array<double, 3>& levers) {
    Machine m({.set = {{"boom_angle", "0.1"}, {"stick_angle", "-0.9"}, {"bucket_angle", "-0.3"}}});
    m.run(1);
    const double begin = m.world().time();
    m.command("oil.boom", levers[0]);
    m.command("oil.stick", levers[1]);
    m.command("oil.bucket", levers[2]);
    m.run_until(20, [&] { return m.coordinate("boom cylinder") > 2.8; });
    return m.world().time() - begin;
}

void work(Checks& checks) {
    const double circuit = cycle("0"), guided = cycle("1");
    checks.relative("cycle", "by the circuit, s, against guided", guided, circuit, 0.05);
    const double alone = seconds_of({1, 0, 0}), together = seconds_of({1, 1, 1});
    // The pump gives 6 l/s; boom, stick and bucket ask for 14 together.
    checks.between("shared flow", "boom beside stick and bucket, over alone", 1.5, together / alone,
                   3);
}

}  // namespace

void validate_machine_behaviour(Checks& checks) {
    attempt(checks, "slopes", [&] { slopes(checks); });
    attempt(checks, "supports", [&] { supports(checks); });
    attempt(checks, "tipping", [&] { tipping(checks); });
    attempt(checks, "work", [&] { work(checks); });
}

}  // namespace bristle::validation
