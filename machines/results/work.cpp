#include "machines/results/work.h"

#include <bristle/error.h>

#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"
#include "machines/results/operate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::machines {
namespace {

constexpr double never = std::numeric_limits<double>::quiet_NaN();
constexpr double near_end = 0.01;  // of a stroke: nobody waits for the rest

Circuit circuit_at(const World& world, ForceId force) {
    const Model& model = world.model();
    return *circuit_of(model.stateful_forces()[model.forces()[force.index].index]);
}

double at_share(const ArmCylinder& c, double share) {
    return c.shortest + share * (c.longest - c.shortest);
}

// "boom cylinder": "boom".
std::string function_name(const ArmCylinder& c) { return c.name.substr(0, c.name.find(' ')); }

// s from rest until the platform has turned so far, and the work meanwhile.
FunctionTime swing_time(Operated& m, double angle) {
    const PartsFound& parts = m.parts();
    World& world = m.world();
    EngineWork work(world, parts);
    const double begin = world.time(), from = world.coordinate(*parts.swing);
    parts.swing_lever->command(world, 1);
    while (world.time() < begin + 60 && std::abs(world.coordinate(*parts.swing) - from) < angle) {
        world.step();
        work.update(world, step_of(world.settings()));
    }
    parts.swing_lever->command(world, 0);
    const bool is_there = std::abs(world.coordinate(*parts.swing) - from) >= angle;
    return {fmt::format("swing {:.0f}°", angle * 180 / pi), is_there ? world.time() - begin : never,
            work.total(world), angle};
}

}  // namespace

EngineWork::EngineWork(const World& world, const PartsFound& parts) : circuit_(parts.circuit) {
    if (!circuit_) return;
    const Circuit c = circuit_at(world, *circuit_);
    const double n = HydraulicsNow(c, world.memory(*circuit_)).engine_speed;
    begin_ = 0.5 * c.engine.inertia * n * n;
    last_ = power(world);
}

double EngineWork::power(const World& world) const {
    if (!circuit_) return never;
    const Circuit c = circuit_at(world, *circuit_);
    const HydraulicsNow now(c, world.memory(*circuit_));
    return now.pump_flow * std::max(now.pump_pressure, 0.0)
         + c.engine.drag / c.engine.rated_speed * now.engine_speed * now.engine_speed;
}

void EngineWork::update(const World& world, double step) {
    const double now = power(world);
    sum_ += 0.5 * step * (last_ + now);
    last_ = now;
}

double EngineWork::total(const World& world) const {
    if (!circuit_) return never;
    const Circuit c = circuit_at(world, *circuit_);
    const double n = HydraulicsNow(c, world.memory(*circuit_)).engine_speed;
    return sum_ + 0.5 * c.engine.inertia * n * n - begin_;
}

namespace {

// The others stand so that a cylinder has the longest way: in the middle, if that is all of its stroke.
struct Way {
    Lengths others{};
    double from = 0, to = 0;  // m
};
Way longest_way(Arm& arm, size_t cylinder) {
    const ArmCylinder& c = arm.parts().cylinders[cylinder];
    Way best;
    constexpr int places = 20;
    for (const double other : {0.5, 0.3, 0.1, 0.7, 0.0}) {
        Lengths l = arm.at_shares(other, other, other);
        Way way{l, never, 0};
        for (int i = 0; i <= places; ++i) {
            l[cylinder] = at_share(c, static_cast<double>(i) / places);
            if (!arm.place(l)) continue;
            if (!std::isfinite(way.from)) way.from = l[cylinder];
            way.to = l[cylinder];
        }
        if (way.to - way.from > best.to - best.from + 1e-9) best = way;
    }
    return best;
}

}  // namespace

std::vector<FunctionTime> function_times(const Model& model, const PartsFound& parts,
                                         const Settings& settings) {
    std::vector<FunctionTime> out;
    Operated m(in_the_air(model, parts), parts, settings);
    World& world = m.world();
    m.run(1);
    Arm arm(model, parts);
    for (size_t i = 0; i < parts.cylinders.size(); ++i) {
        const ArmCylinder& c = parts.cylinders[i];
        const Way way = longest_way(arm, i);
        const double stroke = way.to - way.from;
        for (const bool longer : {true, false}) {
            Lengths begin = way.others;
            begin[i] = longer ? way.from : way.to;
            m.lead(begin);
            m.lever(i, longer ? -1 : 1);
            m.run(0.5);
            m.lever(i, 0);
            m.run(1);
            const double from = m.length(i),
                         to = longer ? way.to - near_end * stroke : way.from + near_end * stroke,
                         start = world.time();
            EngineWork work(world, parts);
            m.lever(i, longer ? 1 : -1);
            while (world.time() < start + 40 && (longer ? m.length(i) < to : m.length(i) > to)) {
                world.step();
                work.update(world, step_of(settings));
            }
            m.lever(i, 0);
            const bool is_there = (longer ? m.length(i) >= to : m.length(i) <= to)
                               && std::abs(m.length(i) - from) >= (1 - 3 * near_end) * stroke;
            out.push_back({fmt::format("{} {}", function_name(c), longer ? "out" : "in"),
                           is_there ? world.time() - start : never, work.total(world), stroke});
        }
    }
    if (parts.swing_lever) {
        m.lead(arm.at_shares(0.7, 0.5, 0.7));
        for (const double angle : {pi / 2, pi}) {
            m.run(4);
            out.push_back(swing_time(m, angle));
        }
    }
    return out;
}

std::vector<Speed> speeds(const Model& model, const PartsFound& parts, const Settings& settings) {
    std::vector<Speed> out;
    if (parts.swing_lever) {
        World world(in_the_air(model, parts), settings);
        world.advance_to(1);
        parts.swing_lever->command(world, 1);
        world.advance_to(10);
        out.push_back({"swing", std::abs(world.coordinate_rate(*parts.swing)) * 30 / pi, "rpm"});
    }
    if (!parts.travel || parts.wheels.empty()) return out;
    const Model ground = on_level_ground(model, parts);
    const auto train =
        *drive_train_of(ground.stateful_forces()[ground.forces()[parts.travel->index].index]);
    for (size_t r = 1; r <= train.ranges.size(); ++r) {
        World world(ground, settings);
        world.advance_to(1);
        world.command(*parts.travel, parking_brake, 0);
        world.command(*parts.travel, range, static_cast<double>(r));
        world.command(*parts.travel, pedal, 1);
        // Until it gains less than a thousandth in a second.
        double before = -1, now = 0;
        while (world.time() < 90 && std::abs(now - before) > 1e-3 * std::max(now, 0.1)) {
            before = now;
            world.advance_to(world.time() + 1);
            now = norm(world.twist(parts.base).linear);
        }
        out.push_back({fmt::format("travel, range {}", r), 3.6 * now, "km/h"});
    }
    return out;
}

Cycle working_cycle(const Model& model, const PartsFound& parts, const Settings& settings) {
    if (!parts.has_stick())
        throw InputError(
            "it is that of an excavator: the machine has no stick pivot and stick cylinder");
    Cycle out;
    Operated m(in_the_air(model, parts), parts, settings);
    World& world = m.world();
    m.run(1);
    const Arm arm(model, parts);
    m.lead(arm.at_shares(0.33, 0.3, 0.15));
    m.run(2);
    EngineWork work(world, parts);
    out.idle_power = work.power(world);
    const double begin = world.time();
    const auto stepped = [&] {
        world.step();
        work.update(world, step_of(settings));
        out.at.push_back(world.time() - begin);
        out.power.push_back(work.power(world));
    };
    const auto rest = [&] {
        for (const double end = world.time() + 0.3; world.time() < end;) stepped();
    };
    const auto lead = [&](const char* name, size_t cylinder, double share) {
        const ArmCylinder& c = parts.cylinders[cylinder];
        const double from = world.time(), to = at_share(c, share),
                     way = to > m.length(cylinder) ? 1 : -1;
        m.lever(cylinder, way);
        while (world.time() < from + 30 && way * (m.length(cylinder) - to) < 0) stepped();
        m.lever(cylinder, 0);
        rest();
        out.legs.push_back({name, from - begin, world.time() - begin});
    };
    const auto swing = [&](const char* name, double to) {
        if (!parts.swing_lever) return;
        const double from = world.time(), way = to > world.coordinate(*parts.swing) ? 1 : -1;
        parts.swing_lever->command(world, way);
        while (world.time() < from + 30 && way * (world.coordinate(*parts.swing) - to) < 0)
            stepped();
        parts.swing_lever->command(world, 0);
        rest();
        out.legs.push_back({name, from - begin, world.time() - begin});
    };
    const double home = parts.swing ? world.coordinate(*parts.swing) : 0;
    lead("stick in", 1, 0.72);
    lead("bucket in", 2, 0.9);
    lead("boom up", 0, 0.8);
    swing("swing 90°", home + pi / 2);
    lead("stick out", 1, 0.3);
    lead("bucket out", 2, 0.15);
    swing("swing back", home);
    lead("boom down", 0, 0.33);
    out.time = world.time() - begin;
    out.work = work.total(world);
    return out;
}

}  // namespace bristle::machines
