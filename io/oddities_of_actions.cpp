// What is odd about what acts: limits, drives, springs, forces, and materials.
#include "io/told.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace bristle::io {
namespace {

void look_at_limits(const Scene& scene, Sentences& out) {
    Oddity open(scene, out);
    for (const Limit& l : scene.model.limits())
        if (!std::isfinite(l.min) && !std::isfinite(l.max))
            open.add("limit", l.name,
                     fmt::format("limit '{}' stops nothing: it has neither min nor max", l.name));
}

void look_at_names(const Scene& scene, Sentences& out) {
    std::map<std::string, const char*> seen;
    Oddity twice(scene, out);
    const auto look = [&](const auto& list, const char* what) {
        for (const auto& x : list) {
            if (x.name.empty()) continue;
            const auto [at, is_new] = seen.emplace(x.name, what);
            if (!is_new && at->second != what)
                twice.add(what, x.name,
                          fmt::format("a {0} and a {1} are both called '{2}': '{2}.effort' is that "
                                      "of the {0}",
                                      at->second, what, x.name));
        }
    };
    look(scene.model.drives(), "drive");
    look(scene.model.limits(), "limit");
}

void look_at_springs(const Scene& scene, Sentences& out) {
    Oddity idle(scene, out), short_ones(scene, out), stiff(scene, out), pressed(scene, out);
    for (const Spring& s : scene.model.springs()) {
        const double length = norm(s.at_a - s.at_b);
        if (length < 1e-9)
            short_ones.add("force", s.name,
                           fmt::format("spring '{}' starts without a length, and so without a "
                                       "direction; move one of its ends",
                                       s.name));
        else if (s.free_length > 20 * length)
            pressed.add("force", s.name,
                        fmt::format("spring '{0}' starts {1:.3g} m long, with a free length of "
                                    "{2:.4g} m; write {2:.4g} mm, if that is meant",
                                    s.name, length, s.free_length));
        if (s.stiffness == 0 && s.damping == 0 && !s.law)
            idle.add("force", s.name,
                     fmt::format(
                         "spring '{}' does nothing: it has neither stiffness nor damping nor a law",
                         s.name));
        if (s.stiffness > 1e12)
            stiff.add("force", s.name,
                      fmt::format("spring '{}': its stiffness is {:.3g} N/m; a cube of steel with "
                                  "edges of a metre has 2e11",
                                  s.name, s.stiffness));
    }
}

void look_at_materials(const Scene& scene, Sentences& out) {
    Oddity soft(scene, out), hard(scene, out), rough(scene, out);
    for (const Material& m : scene.model.materials()) {
        if (m.young > 0 && m.young < 1e4)
            soft.add("material", m.name,
                     fmt::format("material '{0}': its elastic modulus is {1:.3g} Pa, softer than "
                                 "jelly; write {1:.3g} GPa, if that is meant",
                                 m.name, m.young));
        if (m.young > 2e12)
            hard.add("material", m.name,
                     fmt::format("material '{}': its elastic modulus is {:.3g} Pa; diamond has "
                                 "1.2e12, steel 2.1e11",
                                 m.name, m.young));
        // Racing tyres have 2.
        if (m.static_friction > 5)
            rough.add("material", m.name,
                      fmt::format("material '{0}': its static friction is {1:.3g}; rubber on "
                                  "concrete has 1: write {1:.3g} percent, if that is meant",
                                  m.name, m.static_friction));
    }
}

// ---- Functions of time ----------------------------------------------------------------------------

// What a function is over the run, at a hundred times.
struct Course {
    double least = 0, most = 0;
    double most_at = 0, least_at = 0;  // s
    bool turns_back = false;
    std::optional<double> broken;  // s, where it is no number
};
Course course_of(const TimeFunction& f, double duration) {
    constexpr int looks = 100;
    Course course;
    double before = 0;
    bool rises = false, falls = false;
    for (int i = 0; i <= looks; ++i) {
        const double t = duration * i / looks, value = f(t);
        if (!std::isfinite(value)) {
            course.broken = t;
            return course;
        }
        if (i == 0) course.least = course.most = before = value;
        if (value > course.most) course.most = value, course.most_at = t;
        if (value < course.least) course.least = value, course.least_at = t;
        rises = rises || value > before;
        falls = falls || value < before;
        before = value;
    }
    course.turns_back = rises && falls;
    return course;
}

void look_at_drives(const Scene& scene, Sentences& out) {
    const Model& model = scene.model;
    Oddity fast(scene, out), wide(scene, out), open(scene, out), beyond(scene, out);
    for (const Drive& d : model.drives()) {
        if (!d.target) continue;
        const Course course = course_of(d.target, scene.duration);
        if (course.broken) continue;
        const double largest = std::max(-course.least, course.most);
        const double when = course.most >= -course.least ? course.most_at : course.least_at;
        const bool turns = model::is_angular(model.joints()[d.joint.index]);
        const double step = step_of(scene.solver);
        if (d.control == Drive::Control::speed && turns && largest * step > 2)
            fast.add(
                "drive", d.name,
                fmt::format("the target of '{0}' is {1:.4g} rad/s, {2:.3g} rad in a step of "
                            "{3:.3g} s; write {1:.4g} rpm, if that is meant, or a smaller step",
                            d.name, largest, largest * step, step));
        // What goes round goes on; what comes back and made four turns was meant in degrees.
        if (d.control == Drive::Control::position && turns && course.turns_back
            && course.most - course.least > 8 * pi)
            wide.add(
                "drive", d.name,
                fmt::format("the target of '{}' goes to and fro from {:.3g} to {:.3g} rad, over "
                            "{:.3g} turns; write deg, if degrees are meant",
                            d.name, course.least, course.most,
                            (course.most - course.least) / (2 * pi)));
        if (d.control == Drive::Control::hydraulic && largest > 1 + 1e-9)
            open.add("drive", d.name,
                     fmt::format(
                         "the target of '{}' is {:.3g} at t = {:.3g} s; a valve is open from "
                         "-1 to 1",
                         d.name, course.most >= -course.least ? course.most : course.least, when));
        if (d.control != Drive::Control::position) continue;
        for (const Limit& l : model.limits()) {
            if (l.joint != d.joint) continue;
            const double slack = 1e-6 * std::max(1.0, largest);
            const bool above = course.most > l.max + slack, below = course.least < l.min - slack;
            if (!above && !below) continue;
            beyond.add(
                "drive", d.name,
                fmt::format("the target of '{}' goes to {:.3g} at t = {:.3g} s, beyond {:.3g}, "
                            "where '{}' stops",
                            d.name, above ? course.most : course.least,
                            above ? course.most_at : course.least_at, above ? l.max : l.min,
                            l.name));
        }
    }
}

void look_for_broken_functions(const Scene& scene, Sentences& out) {
    Oddity broken(scene, out);
    const auto look = [&](const char* kind, const char* what, const std::string& name,
                          const TimeFunction& f) {
        if (!f) return;
        if (const auto t = course_of(f, scene.duration).broken)
            broken.add(kind, name,
                       fmt::format("{} of '{}' is no number at t = {:.3g} s: the run fails there",
                                   what, name, *t));
    };
    for (const Drive& d : scene.model.drives()) look("drive", "the target", d.name, d.target);
    for (const Motor& m : scene.model.motors()) look("force", "the effort", m.name, m.effort);
    for (const UserForce& f : scene.model.user_forces()) {
        if (!f.text || !f.bodies.empty()) continue;  // depends on the motion, or is not written
        for (const auto* three : {&f.text->force, &f.text->torque})
            for (const std::string& text : *three)
                look("force", "a component", f.name, time_function(text));
    }
}

}  // namespace

void look_at_what_acts(const Scene& scene, Sentences& out) {
    look_at_limits(scene, out);
    look_at_names(scene, out);
    look_at_springs(scene, out);
    look_at_materials(scene, out);
    look_at_drives(scene, out);
    look_for_broken_functions(scene, out);
}

}  // namespace bristle::io
