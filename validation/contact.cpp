// Friction: stick-slip, sliding blocks and rolling wheels.
#include "validation/contact.h"

#include "scenes/contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bristle::validation {
namespace {

// Where a value that goes from `before` to `after` in the step that ends at `time` is at `level`.
double crossing(double level, double before, double after, double time, double step) {
    return time - step * (after - level) / (after - before);
}

// ---- K1, ref. 16: a mass on a spring with Coulomb friction ---------------------------------------

// Half a cycle turns the mass from elongation x₀ to −(x₀ ∓ 2F/k); it stays where the spring is weaker than
// friction.
struct ExactMassSpring {
    static constexpr double friction = 0.02 * gravity, mass = 1, change = 10;

    static double elongation(double time) {
        double x = 1, start = 0;
        for (const double k : {1.0, 10.0}) {
            const double omega = std::sqrt(k / mass), half = pi / omega;
            const double end = k == 1 ? change : unlimited;
            while (k * std::abs(x) > friction) {
                const double middle = std::copysign(friction / k, x), next = 2 * middle - x;
                if (time < std::min(start + half, end))
                    return middle + (x - middle) * std::cos(omega * (time - start));
                start += half;
                x = next;
            }
            if (time < end) return x;
            start = end;
        }
        return x;
    }
};

struct Turn {
    double time, elongation;
};

void mass_spring(Checks& check) {
    const std::string name = "K1 mass, spring, friction";
    const auto scene = scenes::mass_spring_friction();
    const double h = scene.step;
    World world(scene.model, {.step = h});
    std::vector<Turn> turns;
    double before = 0, fastest = 0, rest = 0, off_course = 0;
    while (world.time() < 13 - h / 2) {
        world.step();
        const double speed = world.twist(scene.block).linear.x,
                     elongation = world.pose(scene.block).position.x - scene.free_length;
        fastest = std::max(fastest, std::abs(speed));
        // The half-cycle that ends in the stop is slower than this, all others are faster.
        if (speed * before <= 0 && fastest > 0.03) {
            turns.push_back({crossing(0, before, speed, world.time(), h), elongation});
            fastest = 0;
        }
        if (std::abs(world.time() - 9.9) < h / 2) rest = elongation;
        off_course =
            std::max(off_course, std::abs(elongation - ExactMassSpring::elongation(world.time())));
        before = speed;
    }
    // Ref. 16; the first amplitude is 1 m.
    const double half = 0.993458827;
    const Turn exact[] = {{pi, -.6076},
                          {2 * pi, .2152},
                          {10 + half, -.13796},
                          {10 + 2 * half, .09872},
                          {10 + 3 * half, -.05948}};
    check.near(name, "turning points, without the stop", std::size(exact),
               static_cast<double>(turns.size()), 0);
    for (size_t i = 0; i < std::min(turns.size(), std::size(exact)); ++i) {
        check.near(name, fmt::format("turn {}: time, s", i + 1), exact[i].time, turns[i].time,
                   3 * h);
        check.near(name, fmt::format("turn {}: elongation, m", i + 1), exact[i].elongation,
                   turns[i].elongation, 0.01);
    }
    check.near(name, "stop at 3 pi: elongation, m", .1772, rest, 2e-3);
    check.below(name, "largest distance from the exact path, m", off_course, 0.01);
}

// ---- K2, ref. 15: Bowden–Leben --------------------------------------------------------------------

struct StickSlipRun {
    std::vector<double> slips;  // when the block falls behind half the belt's speed
    double period = 0, slip_duration = 0, restick = 0, highest = 0, peak_speed = 0;
};

StickSlipRun run_stick_slip(double stick_speed, double stick_stiffness, double h, double end) {
    const auto scene = scenes::stick_slip(stick_speed, stick_stiffness);
    World world(scene.model, {.step = h});
    StickSlipRun out;
    const double belt = scene.belt_speed, breaking = 0.75;  // F_s / k
    double speed = belt, elongation = 0, loaded = 0;
    bool slips = false;
    while (world.time() < end - h / 2) {
        const double speed_before = speed, elongation_before = elongation;
        world.step();
        const double now = world.time();
        speed = world.twist(scene.block).linear.x;
        elongation = world.pose(scene.block).position.x - scene.free_length;
        if (!slips && elongation >= breaking && elongation_before < breaking)
            loaded = crossing(breaking, elongation_before, elongation, now, h);
        if (!slips && speed < belt / 2) {
            slips = true;
            out.slips.push_back(crossing(belt / 2, speed_before, speed, now, h));
        }
        if (slips && speed > belt - stick_speed) {
            slips = false;
            out.slip_duration = now - loaded;
            out.restick = elongation;
        }
        out.highest = std::max(out.highest, elongation);
        out.peak_speed = std::min(out.peak_speed, speed);
    }
    if (out.slips.size() > 1)
        out.period =
            (out.slips.back() - out.slips.front()) / static_cast<double>(out.slips.size() - 1);
    return out;
}

void stick_slip(Checks& check) {
    struct Reference {  // bowden_leben_stribeck.csv
        double stick_speed, period, slip_duration, highest, restick, peak_speed;
    };
    const Reference references[] = {
        {1e-3, 11.8976920885, 2.48324481186, 0.755023693778, 0.279277636168, -0.338233748417},
        {1e-4, 11.8239103808, 2.44626871382, 0.753055587058, 0.281117916652, -0.335603445877}};
    for (const Reference& r : references) {
        const std::string name = fmt::format("K2 stick-slip, v_stick {}", r.stick_speed);
        attempt(check, name, [&] {
            const double h = 1e-3;
            const StickSlipRun run = run_stick_slip(r.stick_speed, 1e5, h, 120);
            check.near(name, "slips in 120 s", 9, static_cast<double>(run.slips.size()), 0);
            check.relative(name, "period, s", r.period, run.period, 2e-3);
            // The bristle breaks, and takes hold again, some steps late.
            check.near(name, "slip lasts, s", r.slip_duration, run.slip_duration, 10 * h);
            check.near(name, "highest elongation, m", r.highest, run.highest, 1e-3);
            check.near(name, "elongation when it sticks again, m", r.restick, run.restick, 1e-3);
            check.relative(name, "highest speed backwards, m/s", r.peak_speed, run.peak_speed,
                           5e-3);
        });
    }
    const std::string name = "K2 stick-slip, v_stick 1e-5";
    attempt(check, name, [&] {
        const StickSlipRun run = run_stick_slip(1e-5, 1e7, 1e-4, 27.5);
        check.relative(name, "period, s (h 0.1 ms)", 11.8074527712, run.period, 2e-3);
        check.relative(name, "period of the ideal law, s", 11.802859316, run.period, 2e-3);
    });
}

// ---- Ref. 13: a block on an incline ----------------------------------------------------------------

struct SlidingReference {  // block_incline.csv
    double angle, acceleration, speed_at_4s, way_at_4s;
};

void sliding(Checks& check, const SlidingReference& r, double h) {
    const std::string name = fmt::format("block at {} deg, {} ms", r.angle, h * 1e3);
    const auto scene = scenes::block_on_incline(r.angle * degree);
    World world(scene.model, {.step = h});
    const auto way = [&] { return dot(scene.slope.down(), world.pose(scene.body).position); };
    const auto speed = [&] { return dot(scene.slope.down(), world.twist(scene.body).linear); };
    const double start = way(), sunk_in = 0.5;
    world.advance_to(sunk_in);
    const double speed_before = speed();
    world.advance_to(4);
    check.relative(name, "acceleration from 0.5 to 4 s", r.acceleration,
                   (speed() - speed_before) / (4 - sunk_in), 1e-3);
    // The block starts on the surface: until it has sunk in and the bristles are strained, friction is not all
    // there, and it gains a tenth of what falling would give in a step, or in half a radian of what it sinks into: a thousandth of its
    // height. From 30 deg on that is below 0.1 %.
    const double sinking = 0.5 * std::sqrt(1e-3 * 0.5 / (1.5 * gravity));
    const double late =
        r.angle < 30 ? 0.1 * gravity * std::sin(r.angle * degree) * std::max(h, sinking) : 0;
    check.near(name, "speed at 4 s", r.speed_at_4s, speed(), 1e-3 * r.speed_at_4s + late);
    check.near(name, "way in 4 s", r.way_at_4s, way() - start, 1e-3 * r.way_at_4s + 4 * late);
}

void sticking(Checks& check, double angle, double h) {
    const std::string name = fmt::format("block at {} deg, {} ms", angle, h * 1e3);
    const auto scene = scenes::block_on_incline(angle * degree);
    World world(scene.model, {.step = h});
    world.advance_to(2);
    const Vec3 at = world.pose(scene.body).position;
    world.advance_to(4);
    check.below(name, "creeps from 2 to 4 s, m", norm(world.pose(scene.body).position - at), 1e-9);
}

void stopping(Checks& check, double from, double way, double time, double bound, double h) {
    const std::string name = fmt::format("block stops from {} m/s, {} ms", from, h * 1e3);
    const auto scene = scenes::block_on_incline(0, 0.5, from);
    World world(scene.model, {.step = h});
    double speed = from, stopped = 0;
    while (world.time() < 2 * time) {
        const double before = speed;
        world.step();
        speed = world.twist(scene.body).linear.x;
        // Where a line through 2 % of the speed left meets zero: bristles swing out after that.
        const double left = 0.02 * from;
        if (before > left && speed <= left)
            stopped = crossing(left, before, speed, world.time(), h) / 0.98;
    }
    check.relative(name, "way, m", way, world.pose(scene.body).position.x, bound);
    check.near(name, "time, s", time, stopped, std::max(bound * time, h));
}

void blocks(Checks& check) {
    const SlidingReference slides[] = {{26.6, 0.00669012000123, 0.0267604800049, 0.0535209600098},
                                       {27, 0.083259801301, 0.333039205204, 0.666078410408},
                                       {30, 0.657145394437, 2.62858157775, 5.2571631555},
                                       {35, 1.60884406337, 6.43537625347, 12.8707525069},
                                       {45, 3.46835876172, 13.8734350469, 27.7468700938}};
    for (const double h : {1e-3, usual_step}) {
        for (const double angle : {20.0, 26.0, 26.5})
            attempt(check, "block that sticks", [&] { sticking(check, angle, h); });
        for (const SlidingReference& r : slides)
            attempt(check, "block that slides", [&] { sliding(check, r, h); });
        attempt(check, "block that stops", [&] {
            stopping(check, 2, 0.407747197, 0.407747197, 2e-3, h);
            // Chrono's own test: 2.548 m, and v / μg.
            stopping(check, 5, 2.548, 5 / (0.5 * gravity), 5e-3, h);
        });
    }
}

// ---- Ref. 14: rolling -------------------------------------------------------------------------------

// Ways, speeds and turning against rolling_incline.csv: constant accelerations from rest.
void rolls_down(Checks& check, scenes::Round round, double friction, double acceleration,
                double angular_acceleration, double h) {
    const std::string name =
        fmt::format("{} at 15 deg, mu {}, {} ms",
                    round == scenes::Round::ball ? "ball" : "cylinder", friction, h * 1e3);
    const auto scene = scenes::rolling(round, 15 * degree, friction);
    World world(scene.model, {.step = h});
    const double start = dot(scene.slope.down(), world.pose(scene.body).position);
    double off = 0;
    for (int i = 1; i <= 20; ++i) {
        const double time = 0.1 * i;
        world.advance_to(time);
        const double way = dot(scene.slope.down(), world.pose(scene.body).position) - start;
        off = std::max(off, std::abs(way - acceleration * time * time / 2));
    }
    const double bound = h < 2e-3 ? 1e-3 : 2e-3;
    // As far as the contact is pressed in, the lever of the friction that turns the body is shorter.
    const double lever_bound = h < 2e-3 ? 1e-3 : 5e-3;
    const double way = 2 * acceleration;
    check.below(name, "off the path of the table / s(2 s)", off / way, bound);
    check.relative(name, "speed at 2 s", 2 * acceleration,
                   dot(scene.slope.down(), world.twist(scene.body).linear), bound);
    check.relative(name, "turns at 2 s, rad/s", 2 * angular_acceleration,
                   world.twist(scene.body).angular.y, lever_bound);
    double force = 0;
    for (const Contact& c : world.contacts())
        force -= (c.body_a == scene.body ? 1 : -1) * dot(scene.slope.down(), c.force);
    // m g sin 15° less what accelerates it; 0.846338277 N for the cylinder that rolls.
    check.relative(name, "friction force, N", gravity * std::sin(15 * degree) - acceleration, force,
                   lever_bound);
}

void starts_rolling(Checks& check, scenes::Round round, double speed, double time, double h) {
    const std::string name =
        fmt::format("{} slides, then rolls, {} ms",
                    round == scenes::Round::ball ? "ball" : "cylinder", h * 1e3);
    const auto scene = scenes::rolling(round, 0, 0.3, 1);
    World world(scene.model, {.step = h});
    const double radius = 0.25, left = 0.05;
    double slip = 1, rolls = 0;
    while (world.time() < 0.5 - h / 2) {
        const double before = slip;
        world.step();
        slip = world.twist(scene.body).linear.x - radius * world.twist(scene.body).angular.y;
        // Slip falls linearly: what is left of it says when it would be gone.
        if (before > left && slip <= left)
            rolls = crossing(left, before, slip, world.time(), h) / (1 - left);
    }
    check.relative(name, "speed when it rolls", speed, world.twist(scene.body).linear.x,
                   h < 2e-3 ? 1e-3 : 2e-3);
    check.near(name, "rolls from, s", time, rolls, h);
    // Arc and chord of a step's turn differ by (ωh)²/24.
    check.below(name, "slip that is left, m/s", slip, h < 2e-3 ? 1e-6 : 2e-5);
}

void wheels(Checks& check) {
    using scenes::Round;
    const double radius = 0.25;
    for (const double h : {1e-3, usual_step}) {
        attempt(check, "rolling down", [&] {
            rolls_down(check, Round::cylinder, 0.5, 1.692676555, 1.692676555 / radius, h);
            rolls_down(check, Round::ball, 0.5, 1.813582023, 1.813582023 / radius, h);
            rolls_down(check, Round::cylinder, 0.05, 2.065228215, 3.790292942, h);
        });
        attempt(check, "sliding, then rolling", [&] {
            starts_rolling(check, Round::cylinder, 2.0 / 3, 0.113263110, h);
            starts_rolling(check, Round::ball, 5.0 / 7, 0.097082666, h);
        });
    }
}

}  // namespace

void validate_contact_friction(Checks& check) {
    attempt(check, "K1 mass, spring, friction", [&] { mass_spring(check); });
    stick_slip(check);
    blocks(check);
    wheels(check);
}

void validate_contact(Checks& check) {
    validate_contact_friction(check);
    validate_contact_impacts(check);
    validate_contact_rest(check);
}

}  // namespace bristle::validation
