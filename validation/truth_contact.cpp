// Contact against closed forms and integrations written for the case: what rolls, slides, spins, bounces and jams.
#include "validation/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation {
namespace {

constexpr double gravity = 9.81;

// ---- A ball on a turntable --------------------------------------------------------------------------

// Rolling, v' = 2/7 Ω × v: it goes in circles that have nothing to do with the table's.
void turntable(Checks& check) {
    const double radius = 0.1, rate = 3, turn = 2.0 / 7 * rate;
    const Vec3 up{0, 0, 1}, start{0.5, 0, 0}, velocity{0, 0.6, 0};
    const Vec3 exact =
        start + norm(velocity) / turn * Vec3{-(1 - std::cos(turn)), std::sin(turn), 0};
    const auto error = [&](const Settings& settings) {
        Model m;
        const MaterialId grip =
            m.add(Material{.restitution = 0, .static_friction = 1, .kinetic_friction = 1});
        const BodyId table =
            m.add(Body::of(Cylinder{2, 0.1}, 1000).at({0, 0, -0.05}).moving({}, rate * up));
        m.add(Shape{.body = table, .geometry = Cylinder{2, 0.1}, .material = grip});
        const JointId pin = m.add(Revolute{.a = Model::ground(), .b = table, .at = {}, .axis = up});
        m.add(Drive{.joint = pin, .control = Drive::Control::speed, .target = rate});
        const Vec3 spin = cross(up, 1 / radius * (velocity - rate * cross(up, start)));
        const BodyId ball =
            m.add(Body::sphere(radius, 1).at(start + radius * up).moving(velocity, spin));
        m.add(Shape{.body = ball, .geometry = Sphere{radius}, .material = grip});
        World world(m, settings);
        world.advance_to(1);
        const Vec3 at = world.pose(ball).position;
        return norm(Vec3{at.x, at.y, 0} - exact);
    };
    check.below("ball on a turntable", "centre at 1 s, m, 1 ms",
                error(AugmentedLagrangian{.step = 1e-3}), 1e-3);
    check.below("ball on a turntable", "centre at 1 s, m, impulses, 5 ms",
                error(Impulse{.step = 5e-3}), 0.05);
}

// ---- A disc that slides and spins -------------------------------------------------------------------

// Friction of a disc pressed evenly that slides with v and turns with ω: force and torque over μ m g, by summing over rings.
struct Rubbed {
    double force, arm;
};
Rubbed rubbed(double v, double w, double radius) {
    constexpr int rings = 60, parts = 120;
    Rubbed out{0, 0};
    for (int i = 0; i < rings; ++i) {
        const double r = radius * (i + 0.5) / rings, share = 2 * (i + 0.5) / (rings * rings);
        for (int k = 0; k < parts; ++k) {
            const double a = 2 * pi * (k + 0.5) / parts;
            const double x = v - w * r * std::sin(a), y = w * r * std::cos(a);
            const double speed = std::hypot(x, y);
            if (!(speed > 0)) continue;
            out.force += share / parts * x / speed;
            out.arm += share / parts * r * (y * std::cos(a) - x * std::sin(a)) / speed;
        }
    }
    return out;
}

// Both end at the same moment; how far it has come by then depends on both.
void sliding_disc(Checks& check) {
    const double radius = 0.1, height = 0.02, friction = 0.3, mass = 1;
    for (const auto& [v0, w0] : {std::pair{2.0, 20.0}, std::pair{0.5, 30.0}, std::pair{3.0, 5.0}}) {
        double v = v0, w = w0, x = 0, time = 0;
        const double h = 2e-4;
        // Slower than that counts as stopped: friction that sticks ends more softly.
        const double slow = 0.02;
        while (v > slow * v0 || w > slow * w0) {
            const Rubbed now = rubbed(v, w, radius);
            const double dv = friction * gravity * now.force,
                         dw = friction * gravity * now.arm / (0.5 * radius * radius);
            const Rubbed mid = rubbed(v - 0.5 * h * dv, w - 0.5 * h * dw, radius);
            const double nv = v - h * friction * gravity * mid.force,
                         nw = w - h * friction * gravity * mid.arm / (0.5 * radius * radius);
            x += 0.5 * h * (v + nv);
            v = std::max(nv, 0.0);
            w = std::max(nw, 0.0);
            time += h;
        }
        const std::string name = fmt::format("disc, {} m/s and {} rad/s", v0, w0);
        const auto judge_one = [&](const Settings& settings, const std::string& with,
                                   double bound) {
            Model m;
            const MaterialId s = m.add(Material{
                .restitution = 0, .static_friction = friction, .kinetic_friction = friction});
            const BodyId disc =
                m.add(Body::of(Cylinder{radius, height}, mass / (pi * radius * radius * height))
                          .at({0, 0, 0.5 * height})
                          .moving({v0, 0, 0}, {0, 0, w0}));
            m.add(Shape{.body = disc, .geometry = Cylinder{radius, height}, .material = s});
            m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = s});
            World world(m, settings);
            double stopped = 0;
            while (world.time() < 2 * time) {
                world.step();
                const Twist t = world.twist(disc);
                if (stopped == 0 && norm(t.linear) < slow * v0 && std::abs(t.angular.z) < slow * w0)
                    stopped = world.time();
            }
            check.relative(name, "stops after, s" + with, time, stopped, bound);
            check.relative(name, "comes, m" + with, x, world.pose(disc).position.x, bound);
        };
        judge_one(AugmentedLagrangian{.step = 1e-3}, ", 1 ms", 0.12);
        judge_one(AugmentedLagrangian{.step = 5e-3}, ", 5 ms", 0.12);
        judge_one(Impulse{.step = 5e-3}, ", impulses, 5 ms", 0.12);
    }
}

// ---- Volumes ------------------------------------------------------------------------------------------

struct VolumeBall {
    double foundation = 1e8, restitution = 1, radius = 0.1;
    Model model(Vec3 at, Vec3 velocity) const {
        Model m;
        const MaterialId s = m.add(Material{});
        ContactLaw law;
        law.normal = ContactLaw::Normal::volumetric;
        law.foundation = foundation;
        law.restitution = restitution;
        m.add(ContactPair{s, s, law});
        const BodyId ball = m.add(Body::sphere(radius, 1).at(at).moving(velocity));
        m.add(Shape{.body = ball, .geometry = Sphere{radius}, .material = s});
        m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = s});
        return m;
    }
};

void volumes(Checks& check) {
    // Dropped from heights that meet the floor anywhere in a step: how high it comes again.
    for (double restitution : {0.5, 1.0}) {
        double worst = 0;
        for (int i = 0; i < 24; ++i) {
            const VolumeBall ball{.restitution = restitution};
            const double fall = 0.3 + 0.013 * i;
            World world(ball.model({0, 0, ball.radius + fall}, {}),
                        AugmentedLagrangian{.step = 5e-3});
            const double down = std::sqrt(2 * fall / gravity);
            double highest = 0;
            while (world.time() < down * (1 + 2 * restitution)) {
                world.step();
                if (world.time() > down + 0.02)
                    highest = std::max(highest, world.pose(BodyId{1}).position.z - ball.radius);
            }
            worst = std::max(worst, std::abs(std::sqrt(highest / fall) - restitution));
        }
        check.below(fmt::format("ball dropped, by volume, asked {}", restitution),
                    "restitution off at 5 ms", worst, 0.02);
    }
    // At rest k V = m g; in an impact without damping k ∫ V = ½ m v².
    const VolumeBall soft{.foundation = 1e6};
    const double r = soft.radius;
    const auto volume = [&](double d) { return pi * d * d * (r - d / 3); };
    const auto stored = [&](double d) { return pi * d * d * d * (r / 3 - d / 12); };
    const auto depth_of = [](const auto& law, double value) {
        double low = 0, high = 0.1;
        for (int i = 0; i < 60; ++i)
            (law(0.5 * (low + high)) < value ? low : high) = 0.5 * (low + high);
        return low;
    };
    const double rest = depth_of(volume, gravity / soft.foundation);
    World still(soft.model({0, 0, r - rest}, {}), AugmentedLagrangian{.step = 1e-3});
    still.advance_to(1);
    check.relative("ball at rest, by volume", "sinks in, m", rest,
                   r - still.pose(BodyId{1}).position.z, 1e-3);
    Model struck = soft.model({0, 0, r + 1e-3}, {0, 0, -2});
    struck.gravity = {};
    World world(struck, AugmentedLagrangian{.step = 1e-5});
    double deepest = 0;
    while (world.time() < 0.1) {
        world.step();
        deepest = std::max(deepest, r - world.pose(BodyId{1}).position.z);
    }
    check.relative("ball that strikes, by volume", "goes in, m",
                   depth_of(stored, 2.0 / soft.foundation), deepest, 1e-3);
    check.near("ball that strikes, by volume", "leaves, m/s", 2, world.twist(BodyId{1}).linear.z,
               2e-3);
}

// ---- Newton's cradle --------------------------------------------------------------------------------

constexpr int balls = 5;
constexpr double string = 0.5, ball_radius = 0.05;

// Pendulums that exchange their rates when they meet: between meetings each swings by itself.
std::array<double, balls> exact_cradle(double gap, double time) {
    const double apart = 2 * ball_radius + gap, h = 2e-6;
    const double pull = gravity * string / (string * string + 0.4 * ball_radius * ball_radius);
    std::array<double, balls> angle{pi / 6}, rate{};
    for (double t = 0; t < time - 0.5 * h; t += h) {
        for (size_t i = 0; i < balls; ++i) {
            const double half = rate[i] - 0.5 * h * pull * std::sin(angle[i]);
            angle[i] += h * half;
            rate[i] = half - 0.5 * h * pull * std::sin(angle[i]);
        }
        for (int round = 0; round < balls; ++round)
            for (size_t i = 0; i + 1 < balls; ++i) {
                // Positive to the left: i hangs left of i + 1.
                const double x = apart + string * (std::sin(angle[i]) - std::sin(angle[i + 1])),
                             z = string * (std::cos(angle[i + 1]) - std::cos(angle[i]));
                if (x * x + z * z < 4 * ball_radius * ball_radius + 1e-15 && rate[i] < rate[i + 1])
                    std::swap(rate[i], rate[i + 1]);
            }
    }
    return angle;
}

void cradle(Checks& check) {
    for (double gap : {1e-3, 0.0}) {
        const double time = 1;
        const std::array<double, balls> exact = exact_cradle(gap, time);
        const std::string name =
            gap > 0 ? "Newton's cradle, 1 mm apart" : "Newton's cradle, touching";
        const auto error = [&](const Settings& settings) {
            Model m;
            const MaterialId s =
                m.add(Material{.restitution = 1, .static_friction = 0, .kinetic_friction = 0});
            std::array<JointId, balls> pin;
            for (size_t i = 0; i < balls; ++i) {
                const double x = (2 * ball_radius + gap) * static_cast<double>(i),
                             angle = i == 0 ? pi / 6 : 0;
                const BodyId ball =
                    m.add(Body::sphere(ball_radius, 1)
                              .at({x - string * std::sin(angle), 0, -string * std::cos(angle)}));
                m.add(Shape{.body = ball, .geometry = Sphere{ball_radius}, .material = s});
                pin[i] = m.add(
                    Revolute{.a = Model::ground(), .b = ball, .at = {x, 0, 0}, .axis = {0, 1, 0}});
            }
            World world(m, settings);
            world.advance_to(time);
            double worst = 0;
            for (size_t i = 0; i < balls; ++i) {
                const double start = i == 0 ? pi / 6 : 0;
                worst = std::max(worst, std::abs(start + world.angle(pin[i]) - exact[i]));
            }
            return worst;
        };
        check.below(name, "angles at 1 s, rad, 1 ms", error(AugmentedLagrangian{.step = 1e-3}),
                    gap > 0 ? 1e-3 : 0.05);
        check.below(name, "angles at 1 s, rad, 5 ms", error(AugmentedLagrangian{.step = 5e-3}),
                    gap > 0 ? 1e-3 : 0.1);
    }
}

// ---- Painlevé's rod -----------------------------------------------------------------------------------

// A uniform rod of length 2 l slides on its lower end, leaning at θ from the floor against the way it slides. While it slides,
// N pushes the end with N/m (1 + 3 cos θ (cos θ − μ sin θ)): above μ = 4/3 that can be negative, and no force will do. Then the end is
// held as if struck.
struct LeaningRod {
    double half = 0.5, mass = 1, friction, angle, speed;
    double stiffness = 0;  // N/m^1.5; of what is not given it would sink in first
    double thin = 0.01;    // of the ball at its end

    Model model() const {
        Model m;
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s,
                          s,
                          {.stiffness = stiffness,
                           .restitution = 0,
                           .static_friction = friction,
                           .kinetic_friction = friction}});
        const Vec3 along{std::cos(angle), 0, std::sin(angle)};
        Body rod;
        rod.mass = mass;
        const double inertia = mass * half * half / 3;
        rod.inertia = Mat3::diagonal({1e-3 * inertia, inertia, inertia});
        const BodyId id =
            m.add(rod.at(half * along + Vec3{0, 0, thin}, Quat::about({0, 1, 0}, -angle))
                      .moving({-speed, 0, 0}));
        m.add(Shape{.body = id,
                    .geometry = Sphere{thin},
                    .pose = {.position = {-half, 0, 0}},
                    .material = s});
        m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = s});
        m.add(Planar{.a = Model::ground(), .b = id, .at = {}, .normal = {0, 1, 0}});
        return m;
    }
    static Vec3 end_speed(const World& world, double half) {
        const Twist t = world.twist(BodyId{1});
        return t.linear
             + cross(t.angular, world.pose(BodyId{1}).orientation.matrix() * Vec3{-half, 0, 0});
    }
};

// Where it slides as it should, against its equation of motion.
void sliding_rod(Checks& check) {
    const LeaningRod rod{
        .friction = 0.5, .angle = pi / 3, .speed = 3, .stiffness = 1e8, .thin = 1e-4};
    const double time = 0.2;
    const auto exact =
        integrate(std::array<double, 4>{rod.angle, 0, 0, -rod.speed}, time, 20'000,
                  [&](const std::array<double, 4>& y) {
                      const double c = std::cos(y[0]), s = std::sin(y[0]);
                      const double pressed = rod.mass * (gravity - rod.half * s * y[1] * y[1])
                                           / (1 + 3 * c * (c - rod.friction * s));
                      return std::array<double, 4>{
                          y[1], 3 * pressed / (rod.mass * rod.half) * (rod.friction * s - c), y[3],
                          rod.friction * pressed / rod.mass};
                  });
    World world(rod.model(), AugmentedLagrangian{.step = 1e-3});
    const double start = world.pose(BodyId{1}).position.x;
    world.advance_to(time);
    const Vec3 along = world.pose(BodyId{1}).orientation.matrix() * Vec3{1, 0, 0};
    check.near("rod that slides, leaning", "angle, rad, 1 ms", exact[0],
               std::atan2(along.z, along.x), 2e-3);
    check.near("rod that slides, leaning", "way of its middle, m, 1 ms", exact[2],
               world.pose(BodyId{1}).position.x - start, 2e-3);
}

void jamming_rod(Checks& check) {
    double fastest = 0, gained = 0, way = 0;
    int runs = 0;
    for (double angle : {50.0, 54.0, 58.0, 60.0, 62.0, 64.0, 68.0, 72.0})
        for (double speed : {1.0, 3.0}) {
            const LeaningRod rod{.friction = 1.5, .angle = angle * pi / 180, .speed = speed};
            World world(rod.model(), AugmentedLagrangian{.step = 1e-3});
            const double start = world.energy().total(), fall = gravity * rod.half;
            const double motion = start + fall;
            bool has_jammed = false;
            double slid = 0;
            while (world.time() < 0.1) {
                world.step();
                const double end = LeaningRod::end_speed(world, rod.half).x;
                fastest = std::max(fastest, std::abs(end) / speed);
                gained = std::max(gained, (world.energy().total() - start) / motion);
                has_jammed |= end > -0.01 * speed;
                if (!has_jammed) slid -= end * 1e-3;
            }
            // Where no force will do the end is held at once.
            const double c = std::cos(rod.angle), s = std::sin(rod.angle);
            if (1 + 3 * c * (c - rod.friction * s) < 0) way = std::max(way, slid / speed);
            ++runs;
        }
    const std::string name = fmt::format("rod that jams, {} runs", runs);
    check.below(name, "fastest its end ever is, over its start", fastest, 1.01);
    check.below(name, "energy gained, relative", std::max(gained, 0.0), 1e-3);
    check.below(name, "how long the end slides where it cannot, s", way, 0.02);
}

}  // namespace

void validate_truth_contact(Checks& check) {
    attempt(check, "turntable", [&] { turntable(check); });
    attempt(check, "disc", [&] { sliding_disc(check); });
    attempt(check, "volumes", [&] { volumes(check); });
    attempt(check, "cradle", [&] { cradle(check); });
    attempt(check, "sliding rod", [&] { sliding_rod(check); });
    attempt(check, "jamming rod", [&] { jamming_rod(check); });
}

}  // namespace bristle::validation
