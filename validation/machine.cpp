// What the excavator can do, by simulation, against the table of its class (docs/excavator.md).
#include "validation/machine/machine.h"

#include <bristle/analysis.h>

#include "validation/checks.h"
#include "validation/machine_behaviour.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::validation {
namespace {

using machine::Machine;
using machine::Place;

constexpr double g = 9.81, tip = 1.55, share = 0.05;
const Vec3 teeth{tip, 0, 0};
constexpr std::array wheels = {"front left", "front right", "rear left", "rear right"};

// ---- What it is ----

void counts(Checks& checks) {
    Machine m({});
    const Mobility found = mobility(m.world());
    // 14 bodies, 13 revolute joints and 17 degrees of freedom of LUA chapter 6; besides the axle that oscillates, and the rocker of the
    // bucket's four-bar, which adds none.
    int revolutes = 0;
    for (const Joint& j : m.model().joints()) revolutes += j.type == JointType::revolute;
    checks.near("counts", "bodies", 14 + 2, static_cast<double>(m.model().bodies().size() - 1), 0);
    checks.near("counts", "revolute joints", 13 + 2, revolutes, 0);
    checks.near("counts", "degrees of freedom", 17 + 1, found.degrees_of_freedom, 0);
    m.run(4);
    double load = 0;
    for (const char* wheel : wheels) load += m.reading(std::string(wheel) + " tyre.load");
    checks.between("weight", "operating weight, t", 21.8, 1e-3 * load / g, 25);
    checks.relative("weight", "on the tyres, t", 1e-3 * m.mass(), 1e-3 * load / g, 1e-3);
    const double front = m.reading("front left tyre.load") + m.reading("front right tyre.load");
    checks.between("weight", "share of the front axle", 0.25, front / load, 0.75);
}

// ---- Working range: the undercarriage is held, and there is no ground ----

Machine held(double boom_angle, double stick_angle, double bucket_angle) {
    return Machine({.set = {{"height", "0"},
                            {"boom_angle", std::to_string(boom_angle)},
                            {"stick_angle", std::to_string(stick_angle)},
                            {"bucket_angle", std::to_string(bucket_angle)}},
                    .held = {"undercarriage"}});
}

// Above the horizontal, in the plane of the boom.
double angle_of(const Machine& m, const char* body) {
    const Vec3 way = m.point(body, {1, 0, 0}) - m.position(body),
               ahead = m.point("platform", {1, 0, 0}) - m.position("platform");
    return std::atan2(way.z, dot(way, ahead));
}

void reach(Checks& checks) {
    Machine m = held(0.4, -0.5, -0.2);
    m.command("oil.stick", -1);
    m.run(4);  // to its stop
    const double stick = angle_of(m, "stick") - angle_of(m, "boom");
    checks.relative("range", "stick out, rad", -0.209, stick, share);
    m.command("oil.bucket", -1);
    m.run_until(4, [&] { return angle_of(m, "bucket") - angle_of(m, "stick") > 0; });
    m.command("oil.bucket", 0);
    m.run(0.5);
    m.command("oil.boom", -0.6);
    m.run_until(20, [&] { return m.point("bucket", teeth).z < 0; });
    checks.relative("range", "reach on the ground, m", 10.2, m.point("bucket", teeth).x, share);
}

void depth(Checks& checks) {
    // Over the side: in front are the blade and the wheels.
    Machine m = held(0.2, -0.4, -0.1);
    m.command("oil.swing", 0.5);
    m.run_until(10, [&] { return m.coordinate("swing") > 1.1; });
    m.command("oil.swing", 0);
    m.run(3);
    m.command("oil.boom", -1);
    m.run(8);  // to its stop
    m.command("oil.stick", 0.4);
    double lowest = 0;
    m.run_until(12, [&] {
        lowest = std::min(lowest, m.point("bucket", teeth).z);
        return angle_of(m, "stick") < -1.7;
    });
    checks.relative("range", "digging depth, m", 6.6, -lowest, share);
}

void height(Checks& checks) {
    Machine m = held(0.9, -0.9, -1.2);
    m.command("oil.boom", 1);
    m.command("oil.stick", -1);
    m.run(8);
    checks.relative("range", "loading height, m", 7.5, m.position("bucket").z - tip, share);
}

// ---- Speeds ----

void speeds(Checks& checks) {
    Machine m({});
    m.run(1);
    m.command("oil.swing", 1);
    m.run(8);
    checks.relative("speed", "swing, rpm", 8.6, m.rate("swing") * 30 / pi, share);
    for (const auto& [range, speed] : {std::pair(1.0, 9.0), std::pair(2.0, 30.0)}) {
        Machine travels({});
        travels.run(1);
        travels.command("travel.range", range);
        travels.command("travel.pedal", 1);
        travels.run(range == 1 ? 8 : 30);
        checks.relative(
            "speed", range == 1 ? "travel, slow, km/h" : "travel, fast, km/h", speed,
            3.6 * norm(travels.world().twist(travels.model().body("undercarriage")).linear), share);
    }
}

// ---- Breakout forces, after ISO 6015: the teeth are held while a cylinder pulls ----

// All but what the cylinder moves is held, and weighs nothing.
double pull(const char* input, const char* holder, double stick_angle, double bucket_angle) {
    Machine m({.set = {{"height", "0"},
                       {"boom_angle", "0.85"},
                       {"stick_angle", std::to_string(stick_angle)},
                       {"bucket_angle", std::to_string(bucket_angle)}},
               .held = {holder},
               .gravity = 0});
    const Vec3 at = m.point("bucket", teeth),
               hinge = m.position(std::string(input) == "oil.bucket" ? "bucket" : "stick");
    // Along the circle of the teeth, against the cylinder's pull.
    const Vec3 arm = at - hinge, along = normalized(cross({0, 1, 0}, arm));
    m.world().change([&](Model& model) {
        model.add(Spring{.a = model.ground(),
                         .b = model.body("bucket"),
                         .at_a = at - 5.0 * along,
                         .at_b = at,
                         .stiffness = 5e6,
                         .damping = 1e5,
                         .free_length = 5,
                         .name = "rope"});
    });
    m.command(input, 1);
    m.run(5);
    return m.world().tension(m.model().force("rope"));
}

void breakout(Checks& checks) {
    // Area times pressure times the cylinder's lever over the radius of the teeth, from the layout alone.
    const double bucket = pi / 4 * 0.12 * 0.12 * 350e5 * 0.553 / tip;
    checks.relative("breakout", "bucket, kN", 1e-3 * bucket,
                    1e-3 * pull("oil.bucket", "stick", -2.3, -0.1), share);
    const double radius = std::sqrt(2.9 * 2.9 + tip * tip + 2 * 2.9 * tip * std::cos(1.0));
    const double stick = pi / 4 * 0.14 * 0.14 * 350e5 * 0.79 / radius;
    checks.relative("breakout", "stick, kN", 1e-3 * stick,
                    1e-3 * pull("oil.stick", "boom", -1.3, -1.0), share);
}

}  // namespace

void validate_machine(Checks& checks) {
    attempt(checks, "counts", [&] { counts(checks); });
    attempt(checks, "reach", [&] { reach(checks); });
    attempt(checks, "depth", [&] { depth(checks); });
    attempt(checks, "height", [&] { height(checks); });
    attempt(checks, "speeds", [&] { speeds(checks); });
    attempt(checks, "breakout", [&] { breakout(checks); });
    validate_machine_behaviour(checks);
    validate_machine_earth(checks);
}

}  // namespace bristle::validation
