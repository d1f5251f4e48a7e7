#include "machines/results/stance.h"

#include <bristle/error.h>

#include "machines/parts/brake.h"
#include "machines/parts/drive_train.h"
#include "machines/parts/tyre.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace bristle::machines {
namespace {

constexpr double least_load = 200;  // N: what carries less is about to lift
constexpr double settling = 8;      // s: until it no longer swings on its tyres
constexpr double most_lean = 0.15;  // rad: on blade or outriggers alone it leans by less

double turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

void set_brakes(World& world, const PartsFound& parts) {
    for (const ForceId brake : parts.brakes) world.command(brake, brake_lever, 1);
    if (parts.travel) world.command(*parts.travel, parking_brake, 1);
}

double load_of(const World& world, const Wheel& wheel) {
    return TyreNow(world.memory(wheel.tyre)).load;
}

// Contacts of the machine with the ground, by body.
std::map<uint32_t, std::vector<Contact>> ground_contacts(const World& world) {
    std::map<uint32_t, std::vector<Contact>> out;
    for (const Contact& c : world.contacts()) {
        if (c.body_a == Model::ground() && c.body_b != Model::ground())
            out[c.body_b.index].push_back(c);
        if (c.body_b == Model::ground() && c.body_a != Model::ground())
            out[c.body_a.index].push_back(c);
    }
    return out;
}

double load_of_supports(const World& world) {
    double sum = 0;
    for (const auto& [body, contacts] : ground_contacts(world))
        for (const Contact& c : contacts) sum += norm(c.force);
    return sum;
}

// Supports go down by pushing or by pulling: what carries more is down.
void put_down(World& world, const PartsFound& parts) {
    const Snapshot before = world.snapshot();
    double best = -1;
    std::optional<Snapshot> down;
    for (const double way : {1.0, -1.0}) {
        world.restore(before);
        for (const Lever& lever : parts.supports) lever.command(world, way);
        world.advance_to(world.time() + settling);
        for (const Lever& lever : parts.supports) lever.command(world, 0);
        const double load = load_of_supports(world);
        if (load <= best) continue;
        best = load;
        down.emplace(world.snapshot());
    }
    world.restore(*down);
}

// What the base of the machine has turned and gone since the model's start.
Axes moved_with(const World& world, BodyId base, const Axes& at_start) {
    const Body& body = world.model().bodies()[base.index];
    const Pose now = world.pose(base);
    const Mat3 turned = now.orientation.matrix() * body.orientation.matrix().transposed();
    return {now.position + turned * (at_start.origin - body.position), turned * at_start.ahead,
            turned * at_start.left, turned * at_start.up};
}

}  // namespace

std::vector<PlanePoint> convex_border(std::vector<PlanePoint> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return points;
    std::vector<PlanePoint> border;
    for (const bool upper : {false, true}) {
        const size_t begin = border.size();
        for (const PlanePoint& p : points) {
            while (border.size() >= begin + 2
                   && turn(border[border.size() - 2], border.back(), p) <= 1e-12)
                border.pop_back();
            border.push_back(p);
        }
        border.pop_back();  // the first of the other half
        if (!upper) std::reverse(points.begin(), points.end());
    }
    return border;
}

Stance stance(const Model& original, const PartsFound& parts, const Settings& settings,
              StandOn on) {
    const Model model = on_level_ground(original, parts);
    World world(model, settings);
    Axes axes = axes_of(original, parts);
    if (parts.swing) {
        // Where the arm points ahead at no swing.
        const Joint& swing = model.joints()[parts.swing->index];
        const bool is_turned = (dot(swing.axis, axes.up) < 0) != (swing.a == parts.carrier);
        const double angle = world.coordinate(*parts.swing) * (is_turned ? -1 : 1);
        const Vec3 ahead = std::cos(angle) * axes.ahead - std::sin(angle) * axes.left;
        axes.ahead = ahead;
        axes.left = cross(axes.up, ahead);
    }
    set_brakes(world, parts);
    world.advance_to(settling / 2);
    Stance out;
    out.name = "wheels";
    if (on == StandOn::supports) {
        if (parts.supports.empty())
            throw InputError(
                "the machine has no blade cylinder and no outrigger cylinder to stand on");
        put_down(world, parts);
        out.name = "blade and outriggers";
    }
    world.advance_to(world.time() + settling);

    out.axes = moved_with(world, parts.base, axes);
    if (const double lean = std::acos(std::clamp(dot(out.axes.up, axes.up), -1.0, 1.0));
        lean > most_lean)
        throw InputError(
            fmt::format("on its {} the machine leans by {:.0f} degrees: it does not stand",
                        out.name, lean * 180 / pi));
    double sum = 0, heights = 0;
    std::vector<PlanePoint> points;
    const auto add = [&](const std::string& name, Vec3 at, double load, double stiffness) {
        const Vec3 p = out.axes.of(at);
        out.supports.push_back({name, {p.x, p.y}, load, stiffness});
        points.push_back({p.x, p.y});
        heights -= p.z * load;
        sum += load;
    };
    for (const Wheel& wheel : parts.wheels) {
        const double load = load_of(world, wheel);
        if (load < least_load) continue;
        const auto tyre = tyre_of(model.stateful_forces()[model.forces()[wheel.tyre.index].index]);
        const Vec3 center = world.pose(wheel.body).position;
        add(wheel.name, center - (tyre->radius - load / tyre->stiffness) * axes.up, load,
            tyre->stiffness);
    }
    for (const auto& [body, contacts] : ground_contacts(world))
        for (const Contact& c : contacts)
            if (norm(c.force) >= least_load / 4)
                add(model.bodies()[body].name, c.point, norm(c.force), unlimited);
    out.border = convex_border(points);
    if (out.border.size() < 3)
        throw InputError(fmt::format(
            "on its {} the machine does not stand: nothing, or one line, carries it", out.name));
    out.height = heights / sum;
    for (const BodyId body : parts.machine) {
        const Body& b = model.bodies()[body.index];
        out.mass += b.mass;
        const bool swings =
            body == parts.carrier
            || std::find(parts.moved.begin(), parts.moved.end(), body) != parts.moved.end();
        if (swings) continue;
        out.mass_below += b.mass;
        out.center_below += b.mass * out.axes.of(world.point(body, b.center));
    }
    if (out.mass_below > 0) out.center_below *= 1 / out.mass_below;
    return out;
}

Vec3 center_of_mass(const Stance& s, const Arm& arm, double swing) {
    const Vec3 c = arm.center_of_mass();
    const Vec3 swung{c.x * std::cos(swing) - c.y * std::sin(swing),
                     c.x * std::sin(swing) + c.y * std::cos(swing), c.z};
    return (arm.mass() * swung + s.mass_below * s.center_below) / (arm.mass() + s.mass_below);
}

namespace {

struct TippingLine {
    PlanePoint a, b;
    double length, stiffness, depth;  // of the tyres on it, N/m; m to what is farthest within
    double inside(double x, double y) const { return turn(a, b, {x, y}) / length; }
    // rad, under this load on the line
    double lean(double load) const {
        return std::asin(std::clamp(load / (stiffness * depth), 0.0, 1.0));
    }
};

std::vector<TippingLine> tipping_lines(const Stance& s) {
    std::vector<TippingLine> out;
    for (size_t i = 0; i < s.border.size(); ++i) {
        TippingLine line{s.border[i], s.border[(i + 1) % s.border.size()], 0, 0, 0};
        line.length = std::hypot(line.b[0] - line.a[0], line.b[1] - line.a[1]);
        for (const SupportPoint& support : s.supports) {
            const double inside = line.inside(support.at[0], support.at[1]);
            if (inside < 1e-3) line.stiffness += support.stiffness;
            line.depth = std::max(line.depth, inside);
        }
        out.push_back(line);
    }
    return out;
}

constexpr int iterations = 20;  // of a fixed point that gains a digit or more each time

}  // namespace

double static_margin(const Stance& s, Vec3 center, double gravity) {
    double least = HUGE_VAL;
    for (const TippingLine& line : tipping_lines(s)) {
        const double steep = std::atan2(line.inside(center.x, center.y), center.z + s.height);
        double margin = steep;
        for (int i = 0; i < iterations; ++i)
            margin = steep - line.lean(s.mass * gravity * std::cos(margin));
        least = std::min(least, margin);
    }
    return least;
}

double tipping_load(const Stance& s, Vec3 center, double mass, Vec3 load, double gravity) {
    double least = unlimited;
    for (const TippingLine& line : tipping_lines(s)) {
        const double own = line.inside(center.x, center.y), beyond = -line.inside(load.x, load.y);
        double found = 0;
        for (int i = 0; i < iterations; ++i) {
            const double lean = line.lean((mass + found) * gravity), c = std::cos(lean),
                         n = std::sin(lean);
            const double holds = own * c - (center.z + s.height) * n,
                         tips = beyond * c + (load.z + s.height) * n;
            found = holds <= 0 ? 0 : tips > 0 ? mass * holds / tips : unlimited;
            if (!std::isfinite(found)) break;
        }
        least = std::min(least, found);
    }
    return least;
}

}  // namespace bristle::machines
