#include "io/oddities.h"

#include <bristle/analysis.h>

#include "io/told.h"
#include "machines/earth/earth.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace bristle::io {
namespace {

// ---- How it is run ----------------------------------------------------------------------------------

void look_at_times(const Scene& scene, Sentences& out) {
    const auto say = [&](const char* section, const std::string& sentence) {
        out.push_back(warning_at(scene, section) + sentence);
    };
    const double step = step_of(scene.solver), duration = scene.duration;
    if (step > 0.1)
        say("step",
            fmt::format("a step of {0:.3g} s is hardly meant; steps are about 1 to 10 ms: write "
                        "{0:.3g} ms, if that is meant",
                        step));
    if (duration < step)
        say("duration", fmt::format("its duration of {:.3g} s is shorter than a step of {:.3g} s",
                                    duration, step));
    constexpr double most_steps = 1e8;  // hours, of the smallest models
    if (duration / step > most_steps)
        say("duration", fmt::format("its duration of {:.3g} s, {:.3g} days, takes {:.1e} steps",
                                    duration, duration / 86400, duration / step));
    if (scene.output_step > duration)
        say("every", fmt::format("a row every {:.3g} s of {:.3g} s: the table has one row",
                                 scene.output_step, duration));
    // Half, for numbers that are written as a fraction and as another.
    if (scene.output_step > 0 && scene.output_step < 0.5 * step)
        say("every",
            fmt::format("a row every {:.3g} s is more often than steps of {:.3g} s make one",
                        scene.output_step, step));
}

void look_at_gravity(const Scene& scene, Sentences& out) {
    const auto say = [&](const std::string& sentence) {
        out.push_back(warning_at(scene, "gravity") + sentence);
    };
    const Vec3 g = scene.model.gravity;
    if (norm(g) > 100)
        say(fmt::format("gravity is {:.4g} m/s², {:.0f} times that of the earth", norm(g),
                        norm(g) / 9.81));
    const bool has_floor =
        std::any_of(scene.model.shapes().begin(), scene.model.shapes().end(), [](const Shape& s) {
            return s.body == Model::ground() && std::holds_alternative<Plane>(s.geometry)
                && std::abs((s.pose * Vec3{0, 0, 1} - s.pose.position).z) > 0.999;
        });
    if (has_floor && norm(g) > 0 && std::abs(g.z) < 1e-9 * norm(g))
        say(fmt::format(
            "gravity [{:.3g}, {:.3g}, 0] points along the floor, for z points up; write [0, 0, "
            "{:.3g}], if that is meant",
            g.x, g.y, -norm(g)));
    if (g.z > 0 && g.x == 0 && g.y == 0)
        say(fmt::format("gravity [0, 0, {:.3g}] points up, for z points up; write [0, 0, {:.3g}]",
                        g.z, -g.z));
}

// ---- Bodies and their shapes --------------------------------------------------------------------------

std::optional<double> volume_of(const Geometry& geometry) {
    try {
        return mass_properties(geometry).volume;
    } catch (const InputError&) {
        return {};
    }
}

struct Size {
    double volume = 0;  // m³ of its shapes
    double across = 0;  // m, of its largest shape
    bool has_shape = false;
};

double across(const Geometry& geometry) {
    if (const auto* box = std::get_if<Box>(&geometry))
        return std::max({box->size.x, box->size.y, box->size.z});
    if (const auto* sphere = std::get_if<Sphere>(&geometry)) return 2 * sphere->radius;
    if (const auto* cylinder = std::get_if<Cylinder>(&geometry))
        return std::max(2 * cylinder->radius, cylinder->length);
    if (const auto* capsule = std::get_if<Capsule>(&geometry))
        return 2 * capsule->radius + capsule->length;
    return 0;
}

std::vector<Size> sizes_of(const Model& model) {
    std::vector<Size> sizes(model.bodies().size());
    for (const Shape& s : model.shapes()) {
        Size& size = sizes[s.body.index];
        size.has_shape = true;
        size.across = std::max(size.across, across(s.geometry));
        if (s.body != Model::ground()) size.volume += volume_of(s.geometry).value_or(0);
    }
    return sizes;
}

// Half of how large it is, by its inertia.
double reach_of(const Body& b) { return std::sqrt(b.inertia.trace() / (2 * b.mass)); }

void look_at_masses(const Scene& scene, const std::vector<Size>& sizes, Sentences& out) {
    const Model& model = scene.model;
    double size = 0;
    const Body *lightest = nullptr, *heaviest = nullptr;
    Oddity large(scene, out), dense(scene, out), huge(scene, out), away(scene, out);
    for (const Body& b : model.bodies()) size = std::max(size, norm(b.position));
    for (const Joint& j : model.joints()) size = std::max(size, norm(j.at_a));
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        const Body& b = model.bodies()[i];
        if (lightest == nullptr || b.mass < lightest->mass) lightest = &b;
        if (heaviest == nullptr || b.mass > heaviest->mass) heaviest = &b;
        const double reach = reach_of(b), volume = sizes[i].volume;
        if (size > 0 && reach > 100 * size)
            large.add("body", b.name,
                      fmt::format(
                          "'{}': its inertia is that of a body of {:.3g} m, in a model of {:.3g} m",
                          b.name, 2 * reach, size));
        if (sizes[i].across >= 50)
            huge.add("body", b.name,
                     fmt::format(
                         "'{0}' is {1:.3g} m large, as a house; write {1:.3g} mm, if that is meant",
                         b.name, sizes[i].across));
        if (const double at = norm(b.position); at > 1e5)
            away.add(
                "body", b.name,
                fmt::format("'{0}' starts {1:.3g} m from the origin; write {1:.3g} mm, if that "
                            "is meant",
                            b.name, at));
        // Feet or rollers are not the body: its own size is in its inertia.
        const bool is_the_body = volume > 0 && reach < 2 * std::cbrt(volume);
        const double density = b.mass / volume;
        // Osmium has 22,600 kg/m³; who puts a load into what carries it gives its inertia, too.
        if (is_the_body && (density > 25'000 || density < 0.5))
            dense.add("body", b.name,
                      fmt::format(
                          "'{}': {:.3g} kg in its shapes' volume are {:.3g} kg/m³; steel has 7800, "
                          "water 1000, foam 30",
                          b.name, b.mass, density));
        // No matter, whatever its shape: stars that have burnt out have 1e9 kg/m³, a good vacuum 1e-10.
        const double by_inertia = b.mass / (8 * reach * reach * reach);
        if (reach > 0 && !is_the_body && (by_inertia > 1e12 || by_inertia < 1e-10))
            dense.add("body", b.name,
                      fmt::format("'{}': {:.3g} kg in {:.3g} m, which its inertia says, are {:.3g} "
                                  "kg/m³; steel has 7800, air 1.2",
                                  b.name, b.mass, 2 * reach, by_inertia));
    }
    if (heaviest != nullptr && heaviest->mass > 1e6 * lightest->mass)
        out.push_back(warning_at(scene, "body", heaviest->name)
                      + fmt::format("'{}' is {:.0e} times as heavy as '{}'", heaviest->name,
                                    heaviest->mass / lightest->mass, lightest->name));
}

// Bodies that a joint, spring or other force has to do with.
std::set<uint32_t> held_bodies(const Model& model) {
    std::set<uint32_t> held;
    const auto both = [&](const auto& list) {
        for (const auto& x : list) held.insert({x.a.index, x.b.index});
    };
    both(model.joints());
    both(model.springs());
    both(model.bushings());
    for (const UserForce& f : model.user_forces()) {
        for (const BodyId b : f.bodies) held.insert(b.index);
        if (f.text) held.insert(f.text->body.index);
    }
    return held;
}

bool can_touch_another(const Model& model, BodyId body) {
    for (const Shape& mine : model.shapes()) {
        if (mine.body != body) continue;
        for (const Shape& other : model.shapes())
            if (other.body != body && (mine.group & other.mask) != 0
                && (other.group & mine.mask) != 0)
                return true;
    }
    return false;
}

// Beside bodies that joints hold, one that nothing holds and nothing stops was hardly meant.
void look_for_forgotten(const Scene& scene, const std::set<uint32_t>& held, Sentences& out) {
    const Model& model = scene.model;
    if (model.joints().empty()) return;
    Oddity forgotten(scene, out);
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        const std::string& name = model.bodies()[i].name;
        if (!held.contains(i) && !can_touch_another(model, {i}))
            forgotten.add("body", name,
                          fmt::format("'{}' falls for ever: no joint or force names it, and there "
                                      "is nothing for it to touch",
                                      name));
    }
}

void look_for_falling(const Scene& scene, const std::vector<Size>& sizes, Sentences& out) {
    const Model& model = scene.model;
    if (model.gravity == Vec3{}) return;
    const std::set<uint32_t> held = held_bodies(model);
    if (!sizes[0].has_shape) {
        look_for_forgotten(scene, held, out);
        return;
    }
    const auto floor = std::find_if(model.shapes().begin(), model.shapes().end(),
                                    [](const Shape& s) { return s.body == Model::ground(); });
    const bool all_touch_all = std::all_of(
        model.shapes().begin(), model.shapes().end(),
        [](const Shape& s) { return s.group == Shape{}.group && s.mask == Shape{}.mask; });
    Oddity bare(scene, out), ghosts(scene, out);
    std::set<uint32_t> feels;  // earth, though its shapes leave it out
    if (const auto earth = machines::earth_of(model))
        for (const machines::Bucket& b : earth->earth.buckets) feels.insert(b.body.index);
    for (uint32_t i = 1; i < sizes.size(); ++i) {
        if (held.contains(i)) continue;
        const std::string& name = model.bodies()[i].name;
        if (!sizes[i].has_shape)
            bare.add("body", name,
                     fmt::format("'{}' has no shape that can touch and falls through '{}'; give it "
                                 "`material: default`, or a shape",
                                 name, floor->name));
        else if (!all_touch_all && !feels.contains(i) && !can_touch_another(model, {i}))
            ghosts.add(
                "body", name,
                fmt::format(
                    "'{}' falls through everything: its group and mask leave nothing to touch",
                    name));
    }
}

// Planes and height fields reach as far as they do wherever they are: on what moves they are hardly meant.
void look_at_scenery(const Scene& scene, Sentences& out) {
    const Model& model = scene.model;
    Oddity moving(scene, out);
    for (const Shape& s : model.shapes()) {
        const bool is_scenery = std::holds_alternative<Plane>(s.geometry)
                             || std::holds_alternative<HeightField>(s.geometry);
        if (is_scenery && s.body != Model::ground())
            moving.add(
                "shape", s.name,
                fmt::format(
                    "'{}' is a {} on '{}', which moves; leave out its body, if it is ground",
                    s.name, std::holds_alternative<Plane>(s.geometry) ? "plane" : "height field",
                    model.bodies()[s.body.index].name));
    }
}

// Where a body is after one step tells little of where it was.
void look_at_speeds(const Scene& scene, const std::vector<Size>& sizes, Sentences& out) {
    const double step = step_of(scene.solver);
    Oddity fast(scene, out), spinning(scene, out), tops(scene, out), joints(scene, out);
    for (const Joint& j : scene.model.joints()) {
        const double rate = std::abs(j.rate.value_or(0));
        if (model::is_angular(j) && rate * step > furthest_turn)
            joints.add(
                "joint", j.name,
                fmt::format(
                    "'{0}' starts with {1:.4g} rad/s, {2:.3g} rad in a step of {3:.3g} s, which is "
                    "further than torques follow; make the step smaller",
                    j.name, rate, rate * step, step));
    }
    // What turns about any axis at its joint falls over under impulses, if it is no gyroscope for them.
    std::vector<bool> is_top(scene.model.bodies().size());
    if (std::holds_alternative<Impulse>(scene.solver))
        for (const Joint& j : scene.model.joints())
            if (j.type == JointType::spherical || j.type == JointType::universal)
                is_top[j.a.index] = is_top[j.b.index] = true;
    for (uint32_t i = 1; i < scene.model.bodies().size(); ++i) {
        const Body& b = scene.model.bodies()[i];
        const double size = std::max(2 * reach_of(b), sizes[i].across);
        const double way = norm(b.velocity) * step, turn = norm(b.angular_velocity) * step;
        if (size > 0 && way > 10 * size)
            fast.add(
                "body", b.name,
                fmt::format("'{}' starts with {:.4g} m/s and goes {:.3g} m in a step of {:.3g} "
                            "s, {:.2g} times its size",
                            b.name, norm(b.velocity), way, step, way / size));
        if (turn > 2)
            spinning.add("body", b.name,
                         fmt::format("'{0}' starts with {1:.4g} rad/s and turns by {2:.3g} rad in "
                                     "a step of {3:.3g} s; "
                                     "write {1:.4g} rpm, if that is meant, or a smaller step",
                                     b.name, norm(b.angular_velocity), turn, step));
        else if (is_top[i] && turn > 0.7)
            tops.add(
                "body", b.name,
                fmt::format(
                    "'{}' turns by {:.2g} rad in a step of {:.3g} s; under impulses a gyroscope "
                    "holds up to 0.7 rad a step: make the step smaller, or use the augmented "
                    "Lagrangian",
                    b.name, turn, step));
    }
}

// ---- Joints ---------------------------------------------------------------------------------------------

void look_at_joints(const Scene& scene, const std::vector<Size>& sizes, Sentences& out) {
    const Model& model = scene.model;
    Oddity far(scene, out);
    for (const Joint& j : model.joints()) {
        if (j.type >= JointType::gear || j.type == JointType::distance) continue;
        for (const auto& [id, at] : {std::pair(j.a, j.at_a), std::pair(j.b, j.at_b)}) {
            if (id == Model::ground()) continue;
            const Body& body = model.bodies()[id.index];
            const double size = std::max(2 * reach_of(body), sizes[id.index].across);
            const double away = norm(at - (Pose{body.position, body.orientation} * body.center));
            if (size > 0 && away > 20 * size)
                far.add(
                    "joint", j.name,
                    fmt::format(
                        "joint '{}' is {:.3g} m from the centre of '{}', which is {:.2g} m large",
                        j.name, away, body.name, size));
        }
    }
}

bool is_same(const Joint& a, const Joint& b) {
    constexpr double rounding = 1e-9;  // m, and of a direction
    const auto are_same = [](BodyId p, Vec3 at_p, Vec3 axis_p, BodyId q, Vec3 at_q, Vec3 axis_q) {
        return p == q && norm(at_p - at_q) < rounding && norm(cross(axis_p, axis_q)) < rounding;
    };
    if (a.type != b.type || a.type >= JointType::gear) return false;
    return (are_same(a.a, a.at_a, a.axis, b.a, b.at_a, b.axis)
            && are_same(a.b, a.at_b, a.axis_b, b.b, b.at_b, b.axis_b))
        || (are_same(a.a, a.at_a, a.axis, b.b, b.at_b, b.axis_b)
            && are_same(a.b, a.at_b, a.axis_b, b.a, b.at_a, b.axis));
}
// The second holds what the first one holds already.
void look_for_double_joints(const Scene& scene, Sentences& out) {
    const Model& model = scene.model;
    Oddity twice(scene, out);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<const Joint*>> by_bodies;
    for (const Joint& j : model.joints()) {
        auto& known = by_bodies[std::minmax(j.a.index, j.b.index)];
        for (const Joint* other : known)
            if (is_same(*other, j))
                twice.add("joint", j.name,
                          fmt::format("joints '{}' and '{}' join the same bodies at the same place "
                                      "in the same way; one of them will do",
                                      other->name, j.name));
        // Of thousands between two bodies not each is compared with each.
        if (known.size() < 100) known.push_back(&j);
    }
}

}  // namespace

std::vector<std::string> oddities(const Scene& scene) {
    Sentences out;
    const std::vector<Size> sizes = sizes_of(scene.model);
    look_at_times(scene, out);
    look_at_gravity(scene, out);
    look_at_masses(scene, sizes, out);
    look_for_falling(scene, sizes, out);
    look_at_scenery(scene, out);
    look_at_speeds(scene, sizes, out);
    look_at_joints(scene, sizes, out);
    look_for_double_joints(scene, out);
    look_at_what_acts(scene, out);
    return out;
}

std::string as_warning(const std::string& file, const std::string& odd) {
    const bool has_place = odd.find(": warning: ") != std::string::npos;
    return has_place ? odd : file + ": warning: " + odd;
}

std::vector<std::string> oddities_of_start(const World& world, const Scene& scene) {
    Sentences out;
    Oddity changed(scene, out), slow(scene, out);
    // By impulses velocities are what they are, until the first step mends them: by as much.
    if (std::holds_alternative<Impulse>(scene.solver)) {
        for (const StartChange& change : start_changes(scene.model))
            changed.add("body", scene.model.bodies()[change.body.index].name,
                        describe(change, scene.model));
        return out;
    }
    for (uint32_t i = 1; i < scene.model.bodies().size(); ++i) {
        const Body& b = scene.model.bodies()[i];
        const StartChange change{{i}, {b.velocity, b.angular_velocity}, world.twist({i})};
        if (change.share() >= least_start_change)
            changed.add("body", scene.model.bodies()[change.body.index].name,
                        describe(change, scene.model));
    }
    for (uint32_t i = 0; i < scene.model.joints().size(); ++i) {
        const Joint& j = scene.model.joints()[i];
        if (!j.rate) continue;
        const double rate = world.coordinate_rate({i});
        if (std::abs(rate - *j.rate) > least_start_change * std::abs(*j.rate) + 1e-9)
            slow.add(
                "joint", j.name,
                fmt::format("joint '{}' asks for a start rate of {:.3g} and starts with {:.3g}: a "
                            "drive says so",
                            j.name, *j.rate, rate));
    }
    return out;
}

}  // namespace bristle::io
