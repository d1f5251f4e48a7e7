// What a machine can do, against statics and kinematics of the excavator written down a second time: plane trigonometry in the
// parameters of its scene, and moments about lines.
#include <bristle/error.h>
#include <bristle/scene.h>

#include "machines/parts/hydraulics.h"
#include "machines/parts/tyre.h"
#include "machines/results/machine_results.h"
#include "machines/results/operate.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace bristle::machines {
namespace {

constexpr double g = 9.81;

const io::Scene& excavator() {
    static const io::Scene scene = io::read_scene(std::string(SCENES_FOLDER) + "/excavator.yaml");
    return scene;
}
const PartsFound& parts() {
    static const PartsFound found = parts_found(excavator().model);
    return found;
}
const Stance& wheels() {
    static const Stance s = stance(excavator().model, parts(), excavator().solver, StandOn::wheels);
    return s;
}
const Stance& supports() {
    static const Stance s =
        stance(excavator().model, parts(), excavator().solver, StandOn::supports);
    return s;
}

// ---- The excavator once more, in the plane ----------------------------------------------------------------

struct P {
    double x = 0, z = 0;
};
P operator+(P a, P b) { return {a.x + b.x, a.z + b.z}; }
P operator-(P a, P b) { return {a.x - b.x, a.z - b.z}; }
P turned(P p, double a) {
    return {p.x * std::cos(a) - p.z * std::sin(a), p.x * std::sin(a) + p.z * std::cos(a)};
}
double length(P p) { return std::hypot(p.x, p.z); }

struct Weight {
    double mass = 0;  // kg
    P at;
};

class Plane2 {
  public:
    Plane2() {
        const io::Scene scene =
            io::read_scene(std::string(SCENES_FOLDER) + "/parts/excavator.yaml");
        for (const io::Parameter& p : scene.parameters) value_[p.name] = p.value;
        for (const Body& b : scene.model.bodies()) body_[b.name] = b;
    }
    double operator()(const char* name) const { return value_.at(name); }

    // Above the turntable's middle; angles of boom above the horizontal, of the stick against it, of the bucket against the stick.
    P foot() const { return {value("pivot_x"), value("pivot_z")}; }
    P elbow(double a) const { return foot() + turned({value("boom"), 0}, a); }
    P wrist(double a, double b) const { return elbow(a) + turned({value("stick"), 0}, a + b); }
    P tip(double a, double b, double c) const {
        return wrist(a, b) + turned({value("tip"), 0}, a + b + c);
    }
    double boom_length(double a) const {
        const P fixed = foot() + P{value("boom_foot_x"), value("boom_foot_z")};
        return length(foot() + turned({value("boom_eye_x"), value("boom_eye_z")}, a) - fixed);
    }
    double stick_length(double b) const {
        const P eye = P{value("boom"), 0} + turned({value("stick_eye_x"), value("stick_eye_z")}, b);
        return length(eye - P{value("stick_foot_x"), value("stick_foot_z")});
    }
    // Angle of the rocker in the stick, by its cylinder: the larger of both.
    double rocker_angle(double cylinder) const {
        const P pivot{value("rocker_x"), value("rocker_z")},
            fixed{value("bucket_foot_x"), value("bucket_foot_z")};
        const P d = fixed - pivot;
        const double r = value("rocker"), l = length(d),
                     opening = std::acos((r * r + l * l - cylinder * cylinder) / (2 * r * l));
        return std::atan2(d.z, d.x) - opening;
    }
    // Of the bucket against the stick, by its cylinder: from the rocker's end over the coupler to the pin.
    double bucket_angle(double cylinder) const {
        const double angle = rocker_angle(cylinder);
        const P end = P{value("rocker_x"), value("rocker_z")} + turned({value("rocker"), 0}, angle)
                    - P{value("stick"), 0};
        const P pin{value("coupler_x"), value("coupler_z")};
        const double r = length(pin), l = length(end), k = value("coupler");
        const double opening = std::acos((r * r + l * l - k * k) / (2 * r * l));
        return std::atan2(end.z, end.x) - opening - std::atan2(pin.z, pin.x);
    }

    // Of the arm without bucket, the rocker where its cylinder puts it.
    std::vector<Weight> weights(double a, double b, double rocker) const {
        const auto center = [&](const char* name) {
            return P{body_.at(name).center.x, body_.at(name).center.z};
        };
        const P pivot = elbow(a) + turned({value("rocker_x"), value("rocker_z")}, a + b);
        return {{body_.at("platform").mass, center("platform")},
                {body_.at("boom").mass, foot() + turned(center("boom"), a)},
                {body_.at("stick").mass, elbow(a) + turned(center("stick"), a + b)},
                {body_.at("rocker").mass, pivot + turned(center("rocker"), a + b + rocker)}};
    }
    double value(const char* name) const { return value_.at(name); }
    const Body& body(const char* name) const { return body_.at(name); }

  private:
    std::map<std::string, double> value_;
    std::map<std::string, Body> body_;
};

const Plane2& plane() {
    static const Plane2 p;
    return p;
}

// Angles that have the stick's end there, the elbow up.
std::array<double, 2> angles_to(P wrist) {
    const Plane2& p = plane();
    const P d = wrist - p.foot();
    const double l = length(d), a = p("boom"), b = p("stick");
    const double at_foot = std::acos((a * a + l * l - b * b) / (2 * a * l)),
                 at_elbow = std::acos((a * a + b * b - l * l) / (2 * a * b));
    return {std::atan2(d.z, d.x) + at_foot, at_elbow - pi};
}

template <class F> double derivative(const F& f, double x) {
    constexpr double h = 1e-5;
    return (f(x + h) - f(x - h)) / (2 * h);
}

// ---- Where it comes ---------------------------------------------------------------------------------------

TEST(MachineResults, ReadTheArmFromTheModel) {
    ASSERT_EQ(parts().cylinders.size(), 3U);
    EXPECT_NEAR(norm(parts().tip - Vec3{1.55, 0, 0}), 0, 1e-9);
    EXPECT_EQ(parts().wheels.size(), 4U);
    EXPECT_EQ(parts().supports.size(), 2U);
    EXPECT_EQ(parts().machine.size(), 16U);
    EXPECT_NEAR(parts().cylinders[1].working.push, pi / 4 * 0.14 * 0.14 * 350e5, 1);
    EXPECT_NEAR(parts().cylinders[1].holding.push, pi / 4 * 0.14 * 0.14 * 380e5, 1);
}

TEST(MachineResults, TheArmIsWherePlaneTrigonometryHasIt) {
    Arm arm(excavator().model, parts());
    const Plane2& p = plane();
    for (const double i : {0.1, 0.5, 0.9})
        for (const double j : {0.2, 0.8})
            for (const double k : {0.0, 0.4, 1.0}) {
                ASSERT_TRUE(arm.place(arm.at_shares(i, j, k)));
                const Vec3 e = arm.pose(parts().boom).orientation.matrix() * Vec3{1, 0, 0},
                           s = arm.pose(parts().stick).orientation.matrix() * Vec3{1, 0, 0};
                const double a = std::atan2(e.z, e.x), b = std::atan2(s.z, s.x) - a;
                EXPECT_NEAR(p.boom_length(a), arm.lengths()[0], 1e-9);
                EXPECT_NEAR(p.stick_length(b), arm.lengths()[1], 1e-9);
                const P tip = p.tip(a, b, p.bucket_angle(arm.lengths()[2]));
                EXPECT_NEAR(arm.tip().x, tip.x, 1e-8);
                EXPECT_NEAR(arm.tip().z, tip.z, 1e-8);
            }
}

bool is_inside(const std::vector<PlanePoint>& border, PlanePoint p) {
    bool inside = false;
    for (size_t i = 0, j = border.size() - 1; i < border.size(); j = i++)
        if ((border[i][1] > p[1]) != (border[j][1] > p[1])
            && p[0] < (border[j][0] - border[i][0]) * (p[1] - border[i][1])
                              / (border[j][1] - border[i][1])
                          + border[i][0])
            inside = !inside;
    return inside;
}
double distance_to(const std::vector<PlanePoint>& border, PlanePoint p) {
    double least = HUGE_VAL;
    for (size_t i = 0, j = border.size() - 1; i < border.size(); j = i++) {
        const double x = border[i][0] - border[j][0], y = border[i][1] - border[j][1],
                     u = p[0] - border[j][0], v = p[1] - border[j][1],
                     t = std::clamp((u * x + v * y) / (x * x + y * y), 0.0, 1.0);
        least = std::min(least, std::hypot(u - t * x, v - t * y));
    }
    return least;
}

TEST(MachineResults, TheEnvelopeIsThatOfAllPlaces) {
    Arm arm(excavator().model, parts());
    const WorkingRange range = working_range(arm, 0);
    const Plane2& p = plane();
    // Every angle a cylinder's length allows, by tables of them.
    const auto angle_table = [](double from, double to, const auto& length_at, double low,
                                double high) {
        std::vector<double> out;
        for (int i = 0; i <= 4000; ++i) {
            const double a = from + (to - from) * i / 4000, l = length_at(a);
            if (l >= low && l <= high) out.push_back(a);
        }
        return out;
    };
    const auto booms = angle_table(
        -1.2, 1.5, [&](double a) { return p.boom_length(a); }, p("boom_low"), p("boom_high"));
    const auto sticks = angle_table(
        -2.6, 0, [&](double b) { return p.stick_length(b); }, p("stick_out"), p("stick_folded"));
    std::vector<double> buckets;
    for (int i = 0; i <= 1000; ++i)
        buckets.push_back(
            p.bucket_angle(p("bucket_open") + (p("bucket_curled") - p("bucket_open")) * i / 1000));
    testing_support::Random random(7);
    std::vector<double> nearest(range.envelope.size(), HUGE_VAL);
    double farthest = 0, lowest = 0, highest = 0, outside = 0;
    const auto any = [&](const std::vector<double>& list) {
        // Ends more often: the border is made of them.
        const double u = random.uniform(-0.3, 1.3);
        return list[static_cast<size_t>(std::clamp(u, 0.0, 1.0)
                                        * static_cast<double>(list.size() - 1))];
    };
    for (int i = 0; i < 300000; ++i) {
        const P tip = p.tip(any(booms), any(sticks), any(buckets));
        farthest = std::max(farthest, tip.x);
        lowest = std::min(lowest, tip.z);
        highest = std::max(highest, tip.z);
        const PlanePoint at{tip.x, tip.z};
        if (i < 20000 && !is_inside(range.envelope, at))
            outside = std::max(outside, distance_to(range.envelope, at));
        for (size_t k = 0; k < nearest.size(); ++k)
            nearest[k] = std::min(
                nearest[k], std::hypot(at[0] - range.envelope[k][0], at[1] - range.envelope[k][1]));
    }
    EXPECT_LT(outside, range.accuracy);  // no place is outside …
    EXPECT_LT(range.accuracy, 0.035);
    // … and the border is nowhere away from places: random ones lie some centimetres apart.
    EXPECT_LT(*std::max_element(nearest.begin(), nearest.end()), 0.06);
    const auto extreme = [&](const char* name) {
        for (const Extreme& e : range.extremes)
            if (e.name == name) return e.value;
        return 0.0;
    };
    // What is searched for is at least what is found by chance, and hardly more.
    EXPECT_GE(extreme("reach of the teeth"), farthest - 1e-9);
    EXPECT_NEAR(extreme("reach of the teeth"), farthest, 5e-3);
    EXPECT_GE(extreme("digging depth"), -lowest - 1e-9);
    EXPECT_NEAR(extreme("digging depth"), -lowest, 5e-3);
    EXPECT_GE(extreme("height of the teeth"), highest - 1e-9);
    EXPECT_NEAR(extreme("height of the teeth"), highest, 5e-3);
}

// ---- What it lifts ----------------------------------------------------------------------------------------

// The cylinder's force by virtual work: by how much all weights rise when it gets longer.
double force_of(const std::vector<Weight>& up, const std::vector<Weight>& down, double way) {
    double work = 0;
    for (size_t i = 0; i < up.size(); ++i) work += up[i].mass * g * (up[i].at.z - down[i].at.z);
    return work / way;
}

struct Expected {
    double tipping, hydraulic;  // kg
};
Expected expected_lift(const Stance& s, double swing, double radius, double height) {
    const Plane2& p = plane();
    const auto [a, b] = angles_to({radius, height - s.height});
    const double rocker =
        p.rocker_angle(0.5 * (p("bucket_open") + p("bucket_curled")));  // bare arms have it there
    const auto load_at = [&](double x, double y) { return p.wrist(x, y).z; };
    constexpr double h = 1e-5;
    double hydraulic = HUGE_VAL;
    const auto limit = [&](double carries, double by_load, double area, double ring,
                           double pressure) {
        const double load = by_load > 0 ? (area * pressure - carries) / by_load
                                        : (-ring * pressure - carries) / by_load;
        hydraulic = std::min(hydraulic, load);
    };
    const double boom_way = p.boom_length(a + h) - p.boom_length(a - h);
    limit(force_of(p.weights(a + h, b, rocker), p.weights(a - h, b, rocker), boom_way),
          g * (load_at(a + h, b) - load_at(a - h, b)) / boom_way, p("boom_area"), p("boom_ring"),
          p("pressure"));
    const double stick_way = p.stick_length(b + h) - p.stick_length(b - h);
    limit(force_of(p.weights(a, b + h, rocker), p.weights(a, b - h, rocker), stick_way),
          g * (load_at(a, b + h) - load_at(a, b - h)) / stick_way, p("stick_area"), p("stick_ring"),
          380e5);

    // Moments about each line: what swings turned by the swing, and what stands below from the scene's file.
    std::vector<std::array<double, 4>> weights;  // kg, x, y, z above the ground
    for (const Weight& w : p.weights(a, b, rocker))
        weights.push_back(
            {w.mass, w.at.x * std::cos(swing), w.at.x * std::sin(swing), w.at.z + s.height});
    weights.push_back(
        {s.mass_below, s.center_below.x, s.center_below.y, s.center_below.z + s.height});
    double tipping = HUGE_VAL;
    for (size_t i = 0; i < s.border.size(); ++i) {
        const auto from = s.border[i], to = s.border[(i + 1) % s.border.size()];
        const double x = to[0] - from[0], y = to[1] - from[1], l = std::hypot(x, y);
        const auto inside = [&](double u, double v) {
            return (x * (v - from[1]) - y * (u - from[0])) / l;
        };
        double own = 0, raised = 0, mass = 0, k = 0, depth = 0;
        for (const auto& w : weights) {
            own += w[0] * inside(w[1], w[2]);
            raised += w[0] * w[3];
            mass += w[0];
        }
        for (const SupportPoint& support : s.supports) {
            const double d = inside(support.at[0], support.at[1]);
            if (d < 1e-3) k += support.stiffness;
            depth = std::max(depth, d);
        }
        const double out = -inside(radius * std::cos(swing), radius * std::sin(swing));
        // Bisection for the load at which moments are even on the tyres that give way.
        double low = 0, high = 6e4;
        while (high - low > 1e-6) {
            const double m = 0.5 * (low + high),
                         lean = std::asin(std::min(1.0, (mass + m) * g / (k * depth)));
            const double moment = own * std::cos(lean) - raised * std::sin(lean)
                                - m * (out * std::cos(lean) + height * std::sin(lean));
            (moment > 0 ? low : high) = m;
        }
        tipping = std::min(tipping, low);
    }
    return {tipping, hydraulic};
}

TEST(MachineResults, LiftsWhatPlaneStaticsSay) {
    Lifting lifting(excavator().model, parts());
    int hydraulic = 0, tipping = 0;
    for (const Stance* s : {&wheels(), &supports()})
        for (const double swing : {0.0, pi / 2})
            for (const double radius : {3.0, 4.5, 6.0, 7.5})
                for (const double height : {-3.0, 0.0, 3.0, 4.5}) {
                    const LiftCapacity c = lifting.at(*s, swing, radius, height);
                    if (!c.is_reached) continue;
                    const Expected e = expected_lift(*s, swing, radius, height);
                    EXPECT_NEAR(c.tipping, e.tipping, 1e-5 * e.tipping) << radius << ' ' << height;
                    EXPECT_NEAR(c.hydraulic, e.hydraulic, 1e-4 * e.hydraulic)
                        << radius << ' ' << height;
                    EXPECT_EQ(c.rated(), std::min(0.75 * c.tipping, 0.87 * c.hydraulic));
                    (c.is_hydraulic() ? hydraulic : tipping) += 1;
                }
    EXPECT_GT(hydraulic, 8);
    EXPECT_GT(tipping, 20);
}

TEST(MachineResults, StandsOnItsTyresAsLeversSay) {
    const Stance& s = wheels();
    ASSERT_EQ(s.supports.size(), 4U);
    double front = 0, all = 0, moment = 0;
    Arm arm(excavator().model, parts());
    const Vec3 center = center_of_mass(s, arm, 0);
    for (const SupportPoint& support : s.supports) {
        all += support.load;
        moment += support.load * support.at[0];
        if (support.at[0] > 0) front += support.load;
    }
    EXPECT_NEAR(all, s.mass * g, 1e-3 * all);
    EXPECT_NEAR(moment / all, center.x, 1e-2);  // the arm sinks on its oil while it comes to rest
    EXPECT_NEAR(front / all, (center.x - plane()("rear")) / plane()("wheelbase"), 4e-3);
}

// The machine itself, with a force at the end of its stick that grows: the wheels beyond lift when the load tips it.
TEST(MachineResults, TipsInMotionUnderTheLoadThatTipsItInStatics) {
    Lifting lifting(excavator().model, parts());
    const LiftCapacity c = lifting.at(wheels(), pi / 2, 6, 3);
    ASSERT_TRUE(c.is_reached);
    ASSERT_FALSE(c.is_hydraulic());
    Operated machine(on_level_ground(excavator().model, parts()), parts(), excavator().solver);
    World& world = machine.world();
    for (const ForceId brake : parts().brakes) world.command(brake, 0, 0);
    world.command(*parts().travel, 3, 1);  // parked
    for (const ForceId brake : parts().brakes)
        if (world.model().name(brake) == "axle lock") world.command(brake, 0, 1);
    parts().swing_lever->command(world, 0.4);
    while (world.coordinate(*parts().swing) < 1.5) world.step();
    parts().swing_lever->command(world, 0);
    ASSERT_TRUE(machine.lead(c.lengths));
    for (const ForceId brake : parts().brakes) world.command(brake, 0, 1);
    machine.run(8);
    const double began = world.time(), rate = 0.015 * c.tipping * g;  // N/s
    const BodyId stick = parts().stick;
    const Vec3 hinge = parts().hinge;
    // The bucket hangs there as well; its weight counts as load.
    world.change([&](Model& model) {
        UserForce load;
        load.apply = [=](const Kinematics& now, ForceSink& out) {
            out.add_force(stick, {0, 0, -rate * (now.time() - began)}, now.pose(stick) * hinge);
        };
        model.add(load);
    });
    // Which wheels are on the other side.
    const auto beyond = [&] {
        double sum = 0;
        for (const Wheel& w : parts().wheels)
            if (w.name.find("right") != std::string::npos)
                sum += TyreNow(world.memory(w.tyre)).load;
        return sum;
    };
    while (beyond() > 500 && world.time() < began + 100) world.step();
    const double load = rate * (world.time() - began) / g;
    // The bucket's moment about the line of the wheels, as a load at the stick's end.
    const double line = plane()("wheel_y"), swing = world.coordinate(*parts().swing),
                 out = norm(Vec3{world.point(stick, hinge).x, world.point(stick, hinge).y, 0});
    const Vec3 bucket = world.point(parts().bucket, plane().body("bucket").center);
    const double instead =
        plane().body("bucket").mass * (bucket.y - line) / (world.point(stick, hinge).y - line);
    EXPECT_NEAR(swing, pi / 2, 0.12);
    // Where it really stands: the arm has sunk on its oil, and it has not swung to the last degree.
    const Vec3 pivot = world.point(stick, hinge);
    const double expected = expected_lift(wheels(), swing, out, pivot.z).tipping;
    EXPECT_NEAR(load + instead, expected, 0.03 * expected);
    EXPECT_NEAR(expected, c.tipping, 0.1 * c.tipping);
}

// ---- Corners of the rules ----------------------------------------------------------------------------------

Stance square() {
    Stance s;
    s.border = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (const PlanePoint& p : s.border) s.supports.push_back({"foot", p, 1, unlimited});
    s.height = 1;
    s.mass = 100;
    return s;
}

TEST(MachineResults, ALoadBetweenItsFeetTipsNothing) {
    EXPECT_EQ(tipping_load(square(), {}, 100, {0.5, 0.5, 0}, g), unlimited);
    LiftCapacity c;
    c.tipping = unlimited;
    c.hydraulic = 1000;
    EXPECT_TRUE(c.is_hydraulic());
    EXPECT_DOUBLE_EQ(c.rated(), 870);
}

TEST(MachineResults, TheLesserShareRates) {
    LiftCapacity c;
    c.tipping = 1000;
    c.hydraulic = 1000;
    EXPECT_FALSE(c.is_hydraulic());
    EXPECT_DOUBLE_EQ(c.rated(), 750);
    c.hydraulic = 862;  // 0.87 of it is just less
    EXPECT_TRUE(c.is_hydraulic());
    EXPECT_DOUBLE_EQ(c.rated(), 0.87 * 862);
}

TEST(MachineResults, WhatTipsByItselfLiftsNothing) {
    EXPECT_EQ(tipping_load(square(), {1.1, 0, 0}, 100, {3, 0, 0}, g), 0);
    EXPECT_LT(static_margin(square(), {1.1, 0, 0}, g), 0);
}

TEST(MachineResults, LeversAboutRigidFeet) {
    // 100 kg a metre inside the line, a load two metres beyond it: 50 kg. Over a corner, the nearer line counts.
    EXPECT_NEAR(tipping_load(square(), {}, 100, {3, 0, 0}, g), 50, 1e-9);
    EXPECT_NEAR(tipping_load(square(), {}, 100, {3, 2, 0}, g), 50, 1e-9);
    EXPECT_NEAR(static_margin(square(), {0, 0, 0}, g), pi / 4, 1e-12);
    EXPECT_NEAR(static_margin(square(), {0, 0.5, 0}, g), std::atan2(0.5, 1), 1e-12);
}

TEST(MachineResults, TyresThatGiveWayLowerTheMargin) {
    Stance s = square();
    for (SupportPoint& support : s.supports) support.stiffness = 2e4;
    // All weight on two of them, the others two metres away carry nothing.
    double margin = pi / 4;
    for (int i = 0; i < 50; ++i)
        margin = pi / 4 - std::asin(100 * g * std::cos(margin) / (4e4 * 2));
    EXPECT_NEAR(static_margin(s, {}, g), margin, 1e-9);
    EXPECT_LT(tipping_load(s, {}, 100, {3, 0, 0}, g), 50);
    // So soft that it lies on its side before.
    for (SupportPoint& support : s.supports) support.stiffness = 1;
    EXPECT_EQ(tipping_load(s, {}, 100, {3, 0, 0}, g), 0);
}

TEST(MachineResults, BordersAreConvexAndTakeAnything) {
    EXPECT_EQ(convex_border({}).size(), 0U);
    EXPECT_EQ(convex_border({{1, 2}, {1, 2}}).size(), 1U);
    EXPECT_EQ(convex_border({{0, 0}, {1, 1}, {2, 2}, {3, 3}}).size(), 2U);
    const auto border = convex_border({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 1}, {0, 2}});
    ASSERT_EQ(border.size(), 4U);
    double area = 0;
    for (size_t i = 0; i < 4; ++i)
        area +=
            0.5 * (border[i][0] * border[(i + 1) % 4][1] - border[i][1] * border[(i + 1) % 4][0]);
    EXPECT_DOUBLE_EQ(area, 4);  // counter-clockwise
}

// ---- Forces, times, work ------------------------------------------------------------------------------------

TEST(MachineResults, BreakoutForcesAreAreaTimesPressureTimesLevers) {
    Arm arm(excavator().model, parts());
    const auto forces = breakout_forces(arm);
    const Plane2& p = plane();
    // Work of the cylinder over the way of the edge: the lever over the radius, by differences.
    double alone = 0, stick = 0;
    for (int i = 1; i < 2000; ++i) {
        const double l = p("bucket_open") + (p("bucket_curled") - p("bucket_open")) * i / 2000;
        const double turns = std::abs(derivative([&](double x) { return p.bucket_angle(x); }, l));
        alone = std::max(alone, p("bucket_area") * p("pressure") / (turns * p("tip")));
    }
    EXPECT_NEAR(forces[0].alone, alone, 1e-4 * alone);
    // The stick's: its longest lever, about its pivot, with the bucket where the first is.
    const double c = p.bucket_angle(forces[0].lengths[2]);
    const P tip = P{p("stick"), 0} + turned({p("tip"), 0}, c);
    for (int i = 1; i < 4000; ++i) {
        const double b = -2.5 + 2.5 * i / 4000, l = p.stick_length(b);
        if (l < p("stick_out") || l > p("stick_folded")) continue;
        const double lever = std::abs(derivative([&](double x) { return p.stick_length(x); }, b));
        stick = std::max(stick, p("stick_area") * p("pressure") * lever / length(tip));
    }
    EXPECT_NEAR(forces[1].alone, stick, 1e-3 * stick);
    for (const ToolForce& f : forces) {
        EXPECT_LE(f.force, f.alone * (1 + 1e-9));
        // Held at its edge by a rope, with its oil: within what the relief valves let rise.
        const double pull =
            simulated_pull(excavator().model, parts(), excavator().solver, f.cylinder, f.lengths);
        EXPECT_NEAR(pull, f.force, 0.04 * f.force);
    }
}

// The engine's torque by its governor, integrated, against what pump, drag and flywheel take.
TEST(MachineResults, TheWorkOfTheEngineIsThatOfItsTorque) {
    Operated m(in_the_air(excavator().model, parts()), parts(), excavator().solver);
    World& world = m.world();
    m.run(1);
    const Circuit c = *circuit_of(
        world.model().stateful_forces()[world.model().forces()[parts().circuit->index].index]);
    EngineWork work(world, parts());
    double by_torque = 0;
    m.lever(0, 1);
    m.lever(1, 1);
    m.lever(2, 1);
    const double step = step_of(world.settings());
    for (int i = 0; i < 400; ++i) {
        if (i == 250) m.let_go();
        world.step();
        work.update(world, step);
        const double n = HydraulicsNow(c, world.memory(*parts().circuit)).engine_speed,
                     asked = c.engine.rated_speed;
        const double most = std::min(c.engine.peak_torque, c.engine.power / n),
                     share = std::clamp(1 + (asked - n) / (c.engine.droop * asked), 0.0, 1.0);
        by_torque += step * most * share * n;
    }
    EXPECT_GT(by_torque, 50e3);
    EXPECT_NEAR(work.total(world), by_torque, 0.02 * by_torque);
}

TEST(MachineResults, FuelFollowsFromWork) {
    // 1 kWh at 220 g/kWh and 835 kg/m³.
    EXPECT_NEAR(Fuel{}.litres(3.6e6), 0.220 / 0.835, 1e-12);
}

TEST(MachineResults, FunctionsTakeAsLongAsTheirOilFlows) {
    const auto times = function_times(excavator().model, parts(), excavator().solver);
    ASSERT_EQ(times.size(), 8U);
    for (const FunctionTime& t : times) {
        EXPECT_GT(t.time, 1) << t.name;
        EXPECT_LT(t.time, 10) << t.name;
        EXPECT_GT(t.work, 0) << t.name;
    }
    // Not faster than the pump's flow fills the cylinder.
    EXPECT_GT(times[0].time, plane()("boom_area") * times[0].way / plane()("pump_flow"));
    EXPECT_LT(times[6].time, times[7].time);  // 90° and 180° of swing
}

// ---- Other machines, and mistakes --------------------------------------------------------------------------

TEST(MachineResults, ALoaderIsToldWhatApplies) {
    const io::Scene scene = io::read_scene(std::string(SCENES_FOLDER) + "/loader.yaml");
    const MachineResults r = machine_results(scene.model, scene.solver);
    EXPECT_TRUE(r.range);
    EXPECT_TRUE(r.lift.empty());
    EXPECT_EQ(r.left_out.size(), 3U);  // lift capacities, breakout forces, cycle
    EXPECT_EQ(r.times.size(), 4U);
    for (const FunctionTime& t : r.times) EXPECT_TRUE(std::isfinite(t.time)) << t.name;
}

TEST(MachineResults, GuidedMachinesHaveNoFuel) {
    const io::Scene scene =
        io::read_scene(std::string(SCENES_FOLDER) + "/excavator.yaml", {{"guided", "1"}});
    const PartsFound found = parts_found(scene.model);
    EXPECT_FALSE(found.circuit);
    const auto times = function_times(scene.model, found, scene.solver);
    EXPECT_FALSE(times.empty());
    EXPECT_TRUE(std::isfinite(times[0].time));
    EXPECT_TRUE(std::isnan(times[0].work));
}

TEST(MachineResults, MistakesAreTold) {
    const auto told = [](const Model& model) -> std::string {
        try {
            parts_found(model);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(told(Model()).find("no joint named 'boom pivot' or 'arm pivot'"), std::string::npos);
    Model no_stroke = excavator().model;
    no_stroke.remove(no_stroke.limit("boom stop"));
    EXPECT_NE(told(no_stroke).find("'boom cylinder' has no stroke"), std::string::npos);
    Model no_teeth = excavator().model;
    for (uint32_t i = 0; i < no_teeth.shapes().size(); ++i)
        if (no_teeth.contains(ShapeId{i}) && no_teeth.shapes()[i].body == parts().bucket)
            no_teeth.remove(ShapeId{i});
    EXPECT_NE(told(no_teeth).find("where its teeth are"), std::string::npos);
    Model no_oil = excavator().model;
    no_oil.remove(*parts().circuit);
    EXPECT_THROW(function_times(no_oil, parts_found(no_oil), excavator().solver), InputError);
}

TEST(MachineResults, WhatFallsOverHasNoStance) {
    // A counterweight of 60 t beyond the wheels behind.
    const io::Scene scene = io::parse_scene(
        "include: [parts/excavator.yaml]\n"
        "shapes: {ground: {type: plane}}\n"
        "bodies: {lead: {mass: 60000, inertia: [9e3, 9e3, 9e3], position: [-4, 0, 1.6]}}\n"
        "joints: {bolts: {type: fixed, a: platform, b: lead, on_b: [0, 0, 0]}}\n",
        "falls", SCENES_FOLDER);
    const MachineResults r = machine_results(scene.model, scene.solver);
    EXPECT_TRUE(r.stances.empty());
    ASSERT_FALSE(r.left_out.empty());
    EXPECT_EQ(r.left_out[0].substr(0, 7), "stance:");
    EXPECT_FALSE(r.times.empty());  // what does not need it is told
}

TEST(MachineResults, BothSolversStandAlike) {
    const Stance by_impulses =
        stance(excavator().model, parts(), Impulse{.step = 5e-3}, StandOn::wheels);
    ASSERT_EQ(by_impulses.supports.size(), wheels().supports.size());
    for (size_t i = 0; i < wheels().supports.size(); ++i)
        EXPECT_NEAR(by_impulses.supports[i].load, wheels().supports[i].load,
                    0.01 * wheels().supports[i].load);
    EXPECT_NEAR(by_impulses.height, wheels().height, 1e-3);
}

TEST(MachineResults, CanBeStopped) {
    int told = 0;
    const MachineResults r = machine_results(excavator().model, excavator().solver,
                                             {.tell = [&](const char*) { return ++told < 2; }});
    EXPECT_FALSE(r.is_complete);
    EXPECT_FALSE(r.range);
    EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace bristle::machines
