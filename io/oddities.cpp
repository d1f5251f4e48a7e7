#include "io/oddities.h"

#include <bristle/analysis.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace bristle::io {
namespace {

using Sentences = std::vector<std::string>;

constexpr size_t most_of_a_kind = 3;

// The first few of a kind, and how many more there are.
class Kind {
  public:
    explicit Kind(Sentences& out) : out_(out) {}
    ~Kind() {
        if (count_ > most_of_a_kind)
            out_.push_back(fmt::format("… and so for {} more", count_ - most_of_a_kind));
    }
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    void add(std::string sentence) {
        if (++count_ <= most_of_a_kind) out_.push_back(std::move(sentence));
    }

  private:
    Sentences& out_;
    size_t count_ = 0;
};

// ---- How it is run ----------------------------------------------------------------------------------

void look_at_times(const Scene& scene, Sentences& out) {
    const double step = step_of(scene.solver);
    if (step > 0.1)
        out.push_back(
            fmt::format("a step of {0:.3g} s is hardly meant; steps are about 1 to 10 ms: write "
                        "{0:.3g} ms, if that is meant",
                        step));
    if (scene.duration < step)
        out.push_back(fmt::format("its duration of {:.3g} s is shorter than a step of {:.3g} s",
                                  scene.duration, step));
    constexpr double most_steps = 1e8;  // hours, of the smallest models
    if (scene.duration / step > most_steps)
        out.push_back(fmt::format("its duration of {:.3g} s, {:.3g} days, takes {:.1e} steps",
                                  scene.duration, scene.duration / 86400, scene.duration / step));
    const Vec3 g = scene.model.gravity;
    if (norm(g) > 100)
        out.push_back(fmt::format("gravity is {:.4g} m/s², {:.0f} times that of the earth", norm(g),
                                  norm(g) / 9.81));
    const bool has_floor =
        std::any_of(scene.model.shapes().begin(), scene.model.shapes().end(), [](const Shape& s) {
            return s.body == Model::ground() && std::holds_alternative<Plane>(s.geometry)
                && std::abs((s.pose * Vec3{0, 0, 1} - s.pose.position).z) > 0.999;
        });
    if (has_floor && norm(g) > 0 && std::abs(g.z) < 1e-9 * norm(g))
        out.push_back(fmt::format(
            "gravity [{:.3g}, {:.3g}, 0] points along the floor, for z points up; write [0, 0, "
            "{:.3g}], if that is meant",
            g.x, g.y, -norm(g)));
    if (g.z > 0 && g.x == 0 && g.y == 0)
        out.push_back(fmt::format(
            "gravity [0, 0, {:.3g}] points up, for z points up; write [0, 0, {:.3g}]", g.z, -g.z));
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

void look_at_masses(const Model& model, const std::vector<Size>& sizes, Sentences& out) {
    double size = 0;
    const Body *lightest = nullptr, *heaviest = nullptr;
    Kind large(out), dense(out), huge(out);
    for (const Body& b : model.bodies()) size = std::max(size, norm(b.position));
    for (const Joint& j : model.joints()) size = std::max(size, norm(j.at_a));
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        const Body& b = model.bodies()[i];
        if (lightest == nullptr || b.mass < lightest->mass) lightest = &b;
        if (heaviest == nullptr || b.mass > heaviest->mass) heaviest = &b;
        const double reach = reach_of(b), volume = sizes[i].volume;
        if (size > 0 && reach > 100 * size)
            large.add(fmt::format(
                "'{}': its inertia is that of a body of {:.3g} m, in a model of {:.3g} m", b.name,
                2 * reach, size));
        if (sizes[i].across >= 50)
            huge.add(fmt::format(
                "'{0}' is {1:.3g} m large, as a house; write {1:.3g} mm, if that is meant", b.name,
                sizes[i].across));
        // Feet or rollers are not the body: its own size is in its inertia.
        const bool is_the_body = volume > 0 && reach < 2 * std::cbrt(volume);
        const double density = b.mass / volume;
        // Osmium has 22,600 kg/m³; who puts a load into what carries it gives its inertia, too.
        if (is_the_body && (density > 25'000 || density < 0.5))
            dense.add(fmt::format(
                "'{}': {:.3g} kg in its shapes' volume are {:.3g} kg/m³; steel has 7800, "
                "water 1000, foam 30",
                b.name, b.mass, density));
    }
    if (heaviest != nullptr && heaviest->mass > 1e6 * lightest->mass)
        out.push_back(fmt::format("'{}' is {:.0e} times as heavy as '{}'", heaviest->name,
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

void look_for_falling(const Model& model, const std::vector<Size>& sizes, Sentences& out) {
    if (model.gravity == Vec3{} || !sizes[0].has_shape) return;
    const std::set<uint32_t> held = held_bodies(model);
    const auto floor = std::find_if(model.shapes().begin(), model.shapes().end(),
                                    [](const Shape& s) { return s.body == Model::ground(); });
    const bool all_touch_all = std::all_of(
        model.shapes().begin(), model.shapes().end(),
        [](const Shape& s) { return s.group == Shape{}.group && s.mask == Shape{}.mask; });
    Kind bare(out), ghosts(out);
    for (uint32_t i = 1; i < sizes.size(); ++i) {
        if (held.contains(i)) continue;
        const std::string& name = model.bodies()[i].name;
        if (!sizes[i].has_shape)
            bare.add(
                fmt::format("'{}' has no shape that can touch and falls through '{}'; give it "
                            "`material: default`, or a shape",
                            name, floor->name));
        else if (!all_touch_all && !can_touch_another(model, {i}))
            ghosts.add(fmt::format(
                "'{}' falls through everything: its group and mask leave nothing to touch", name));
    }
}

// Planes and height fields reach as far as they do wherever they are: on what moves they are hardly meant.
void look_at_scenery(const Model& model, Sentences& out) {
    Kind moving(out);
    for (const Shape& s : model.shapes()) {
        const bool is_scenery = std::holds_alternative<Plane>(s.geometry)
                             || std::holds_alternative<HeightField>(s.geometry);
        if (is_scenery && s.body != Model::ground())
            moving.add(fmt::format(
                "'{}' is a {} on '{}', which moves; leave out its body, if it is ground", s.name,
                std::holds_alternative<Plane>(s.geometry) ? "plane" : "height field",
                model.bodies()[s.body.index].name));
    }
}

// Where a body is after one step tells little of where it was.
void look_at_speeds(const Scene& scene, const std::vector<Size>& sizes, Sentences& out) {
    const double step = step_of(scene.solver);
    Kind fast(out), spinning(out);
    for (uint32_t i = 1; i < scene.model.bodies().size(); ++i) {
        const Body& b = scene.model.bodies()[i];
        const double size = std::max(2 * reach_of(b), sizes[i].across);
        const double way = norm(b.velocity) * step, turn = norm(b.angular_velocity) * step;
        if (size > 0 && way > 10 * size)
            fast.add(
                fmt::format("'{}' starts with {:.4g} m/s and goes {:.3g} m in a step of {:.3g} "
                            "s, {:.2g} times its size",
                            b.name, norm(b.velocity), way, step, way / size));
        if (turn > 2)
            spinning.add(fmt::format(
                "'{0}' starts with {1:.4g} rad/s and turns by {2:.3g} rad in a step of {3:.3g} s; "
                "write {1:.4g} rpm, if that is meant, or a smaller step",
                b.name, norm(b.angular_velocity), turn, step));
    }
}

// ---- Joints and what acts -------------------------------------------------------------------------------

void look_at_joints(const Model& model, const std::vector<Size>& sizes, Sentences& out) {
    Kind far(out);
    for (const Joint& j : model.joints()) {
        if (j.type >= JointType::gear || j.type == JointType::distance) continue;
        for (const auto& [id, at] : {std::pair(j.a, j.at_a), std::pair(j.b, j.at_b)}) {
            if (id == Model::ground()) continue;
            const Body& body = model.bodies()[id.index];
            const double size = std::max(2 * reach_of(body), sizes[id.index].across);
            const double away = norm(at - (Pose{body.position, body.orientation} * body.center));
            if (size > 0 && away > 20 * size)
                far.add(fmt::format(
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
void look_for_double_joints(const Model& model, Sentences& out) {
    Kind twice(out);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<const Joint*>> by_bodies;
    for (const Joint& j : model.joints()) {
        auto& known = by_bodies[std::minmax(j.a.index, j.b.index)];
        for (const Joint* other : known)
            if (is_same(*other, j))
                twice.add(
                    fmt::format("joints '{}' and '{}' join the same bodies at the same place "
                                "in the same way; one of them will do",
                                other->name, j.name));
        // Of thousands between two bodies not each is compared with each.
        if (known.size() < 100) known.push_back(&j);
    }
}

void look_at_limits(const Model& model, Sentences& out) {
    Kind open(out);
    for (const Limit& l : model.limits())
        if (!std::isfinite(l.min) && !std::isfinite(l.max))
            open.add(fmt::format("limit '{}' stops nothing: it has neither min nor max", l.name));
}

void look_at_names(const Model& model, Sentences& out) {
    std::map<std::string, const char*> seen;
    Kind twice(out);
    const auto look = [&](const auto& list, const char* what) {
        for (const auto& x : list) {
            if (x.name.empty()) continue;
            const auto [at, is_new] = seen.emplace(x.name, what);
            if (!is_new && at->second != what)
                twice.add(fmt::format(
                    "a {0} and a {1} are both called '{2}': '{2}.effort' is that of the {0}",
                    at->second, what, x.name));
        }
    };
    look(model.drives(), "drive");
    look(model.limits(), "limit");
}

void look_at_springs(const Model& model, Sentences& out) {
    Kind idle(out), short_ones(out);
    for (const Spring& s : model.springs()) {
        if (norm(s.at_a - s.at_b) < 1e-9)
            short_ones.add(fmt::format(
                "spring '{}' starts without a length, and so without a direction; move one of its "
                "ends",
                s.name));
        if (s.stiffness == 0 && s.damping == 0 && !s.law)
            idle.add(fmt::format(
                "spring '{}' does nothing: it has neither stiffness nor damping nor a law",
                s.name));
    }
}

void look_at_materials(const Model& model, Sentences& out) {
    Kind soft(out);
    for (const Material& m : model.materials())
        if (m.young > 0 && m.young < 1e4)
            soft.add(fmt::format(
                "material '{0}': its elastic modulus is {1:.3g} Pa, softer than jelly; write "
                "{1:.3g} GPa, if that is meant",
                m.name, m.young));
}

// When a function first is no number, of a hundred times of the run; nothing if it always is one.
std::optional<double> first_nan(const TimeFunction& f, double duration) {
    constexpr int looks = 100;
    if (!f) return {};
    for (int i = 0; i <= looks; ++i) {
        const double t = duration * i / looks;
        if (!std::isfinite(f(t))) return t;
    }
    return {};
}

void look_at_functions(const Scene& scene, Sentences& out) {
    Kind broken(out);
    const auto look = [&](const char* what, const std::string& name, const TimeFunction& f) {
        if (const auto t = first_nan(f, scene.duration))
            broken.add(fmt::format("{} of '{}' is no number at t = {:.3g} s: the run fails there",
                                   what, name, *t));
    };
    for (const Drive& d : scene.model.drives()) look("the target", d.name, d.target);
    for (const Motor& m : scene.model.motors()) look("the effort", m.name, m.effort);
    for (const UserForce& f : scene.model.user_forces()) {
        if (!f.text || !f.bodies.empty()) continue;  // depends on the motion, or is not written
        for (const auto* three : {&f.text->force, &f.text->torque})
            for (const std::string& text : *three) look("a component", f.name, time_function(text));
    }
}

}  // namespace

std::vector<std::string> oddities(const Scene& scene) {
    Sentences out;
    const Model& model = scene.model;
    const std::vector<Size> sizes = sizes_of(model);
    look_at_times(scene, out);
    look_at_masses(model, sizes, out);
    look_for_falling(model, sizes, out);
    look_at_scenery(model, out);
    look_at_speeds(scene, sizes, out);
    look_at_joints(model, sizes, out);
    look_for_double_joints(model, out);
    look_at_limits(model, out);
    look_at_names(model, out);
    look_at_springs(model, out);
    look_at_materials(model, out);
    look_at_functions(scene, out);
    return out;
}

std::vector<std::string> oddities_of_start(const World& world, const Scene& scene) {
    Sentences out;
    Kind changed(out), slow(out);
    // By impulses velocities are what they are, until the first step mends them: by as much.
    if (std::holds_alternative<Impulse>(scene.solver)) {
        for (const StartChange& change : start_changes(scene.model))
            changed.add(describe(change, scene.model));
        return out;
    }
    for (uint32_t i = 1; i < scene.model.bodies().size(); ++i) {
        const Body& b = scene.model.bodies()[i];
        const StartChange change{{i}, {b.velocity, b.angular_velocity}, world.twist({i})};
        if (change.share() >= least_start_change) changed.add(describe(change, scene.model));
    }
    for (uint32_t i = 0; i < scene.model.joints().size(); ++i) {
        const Joint& j = scene.model.joints()[i];
        if (!j.rate) continue;
        const double rate = world.coordinate_rate({i});
        if (std::abs(rate - *j.rate) > least_start_change * std::abs(*j.rate) + 1e-9)
            slow.add(
                fmt::format("joint '{}' asks for a start rate of {:.3g} and starts with {:.3g}: a "
                            "drive says so",
                            j.name, *j.rate, rate));
    }
    return out;
}

}  // namespace bristle::io
