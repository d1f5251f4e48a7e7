// What can be said of a mechanism without stepping it.
#include <bristle/analysis.h>

#include "python/parts.h"
#include "python/record.h"
#include "python/world_handle.h"

#include <pybind11/complex.h>

namespace bristle::python {
namespace {

py::array square(const std::vector<double>& values, int n) {
    return make_array(values.data(), static_cast<size_t>(n), static_cast<size_t>(n))
        .reshape({n, n});
}

// Twists of all bodies, or of all bodies in several motions, as numbers in the last axis.
py::array rows_of(const std::vector<Twist>& twists) {
    static_assert(sizeof(Twist) == 6 * sizeof(double));
    py::array_t<double> out({twists.size(), size_t{6}});
    std::copy_n(reinterpret_cast<const double*>(twists.data()), 6 * twists.size(),
                out.mutable_data());
    return out;
}
py::array rows_of(const std::vector<std::vector<Twist>>& motions, size_t bodies) {
    py::array_t<double> out({motions.size(), bodies, size_t{6}});
    for (size_t k = 0; k < motions.size(); ++k)
        std::copy_n(reinterpret_cast<const double*>(motions[k].data()), 6 * bodies,
                    out.mutable_data(py::ssize_t(k), 0, 0));
    return out;
}

void add_assembly(py::module_& m) {
    m.def(
        "assembled",
        [](const Model& rough, std::vector<BodyId> keep, int max_iterations) {
            const Unlocked unlocked;
            return assembled(rough, {.keep = std::move(keep), .max_iterations = max_iterations});
        },
        py::arg("rough"), py::arg("keep") = std::vector<BodyId>{}, py::arg("max_iterations") = 200,
        "The model with its bodies moved, as little as possible, until the two sides of every "
        "joint are "
        "together; those in keep stay where they are. SimulationError names the joints that stay "
        "apart.");
    Record<StartChange>(m, "StartChange",
                        "A body that cannot start as it was given: joints, and rates that joints "
                        "ask for, leave another motion.")
        .field("body", &StartChange::body, "which")
        .field("given", &StartChange::given, "velocity and angular velocity as given")
        .field("starts", &StartChange::starts, "the ones it starts with")
        .result()
        .def("share", &StartChange::share,
             "The change over what was given, of the velocity or of the spin, whichever is more.");
    m.def("start_changes", &start_changes, py::arg("model"),
          "Bodies that were given a velocity of which joints change more than 2 %. World(model) "
          "warns "
          "of them.");
}

void add_equilibrium(py::module_& m) {
    Record<Equilibrium>(m, "Equilibrium", "How a world came to rest.")
        .field("iterations", &Equilibrium::iterations, "number")
        .field("is_stable", &Equilibrium::is_stable, "every small motion meets resistance")
        .field("residual", &Equilibrium::residual, "of the forces, over the largest of them")
        .result();
    m.def(
        "find_equilibrium",
        [](WorldHandle& world) { return world.run([](World& w) { return find_equilibrium(w); }); },
        py::arg("world"),
        "Moves the world to where it would rest, going downhill in potential energy; velocities "
        "become zero, "
        "time stays. SimulationError, the world as it was, if there is no such place near.");
}

void add_linearization(py::module_& m) {
    py::class_<Linearization>(
        m, "Linearization",
        "mass z'' + damping z' + stiffness z = 0 for small motions z about the present "
        "position at rest.")
        .def_readonly("n", &Linearization::n, "Number of freedoms.")
        .def_property_readonly(
            "mass", [](const Linearization& l) { return square(l.mass, l.n); },
            "n x n, kg, kg m or kg m².")
        .def_property_readonly(
            "damping", [](const Linearization& l) { return square(l.damping, l.n); }, "n x n, SI.")
        .def_property_readonly(
            "stiffness", [](const Linearization& l) { return square(l.stiffness, l.n); },
            "n x n, SI.")
        .def_property_readonly(
            "basis",
            [](const Linearization& l) {
                return rows_of(l.basis, l.basis.empty() ? 0 : l.basis[0].size());
            },
            "n x bodies x 6: basis[k] is how each body moves (velocity of its frame, angular "
            "velocity) when "
            "z' is the k-th unit vector.");
    m.def(
        "linearize",
        [](WorldHandle& world) { return world.run([](World& w) { return linearize(w); }); },
        py::arg("world"), "Small motions about the present position at rest.");
    py::class_<Mode>(m, "Mode", "A small motion in which all bodies swing together.")
        .def_readonly("eigenvalue", &Mode::eigenvalue,
                      "1/s; of a pair the one with positive imaginary part.")
        .def_readonly("frequency", &Mode::frequency, "Hz, undamped.")
        .def_readonly("damping_ratio", &Mode::damping_ratio, "1 and more: no oscillation.")
        .def_property_readonly(
            "shape", [](const Mode& mode) { return rows_of(mode.shape); },
            "bodies x 6: velocity (m/s) and angular velocity (rad/s) of every body; the "
            "largest entry is one, turns counted times the model's size.")
        .def(
            "__repr__",
            [](const Mode& mode) {
                return fmt::format("Mode(frequency={:.6g}, damping_ratio={:.6g})", mode.frequency,
                                   mode.damping_ratio);
            },
            "Frequency (Hz) and damping ratio.");
    m.def(
        "modes", [](WorldHandle& world) { return world.run([](World& w) { return modes(w); }); },
        py::arg("world"), "Of the present position at rest, by increasing frequency.");
}

void add_mobility(py::module_& m) {
    py::class_<Mobility> mobility_class(m, "Mobility",
                                        "What can move, and which joints say the same twice.");
    using Redundancy = Mobility::Redundancy;
    Record<Redundancy>(mobility_class, "Redundancy",
                       "A joint some of whose conditions follow from others'.")
        .field("joint", &Redundancy::joint, "which")
        .field("conditions", &Redundancy::conditions, "that it has")
        .field("redundant", &Redundancy::redundant, "of those")
        .field("implied_by", &Redundancy::implied_by, "the joints from which they follow")
        .result();
    using Freedom = Mobility::Freedom;
    py::class_<Freedom>(mobility_class, "Freedom", "Something that can move independently.")
        .def_property_readonly(
            "motion", [](const Freedom& f) { return rows_of(f.motion); },
            "bodies x 6: velocity (m/s) and angular velocity (rad/s) of every body.")
        .def_readonly("joints", &Freedom::joints, "That move in it.")
        .def_readonly("bodies", &Freedom::bodies, "That move in it.");
    mobility_class
        .def_readonly("degrees_of_freedom", &Mobility::degrees_of_freedom, "In this position.")
        .def_readonly("redundant_constraints", &Mobility::redundant_constraints,
                      "In this position.")
        .def_readonly("redundancies", &Mobility::redundancies, "Joint by joint.")
        .def_readonly("freedoms", &Mobility::freedoms, "What can move independently.");
    m.def(
        "mobility",
        [](WorldHandle& world) { return world.run([](World& w) { return mobility(w); }); },
        py::arg("world"), "What can move, and which joints say the same twice.");
    m.def(
        "explain",
        [](const Mobility& found, const WorldHandle& world) {
            return explain(found, world.idle());
        },
        py::arg("mobility"), py::arg("world"), "The same in words, a line each.");
}

void add_guide(py::module_& m) {
    py::class_<WorldHandle>(m.attr("World"))
        .def(
            "guide",
            [](WorldHandle& self, double time) { self.run([&](World& w) { w.guide(time); }); },
            py::arg("time"),
            "Kinematics and inverse dynamics at a time (s), for a mechanism whose drives leave it "
            "no freedom: "
            "positions, velocities and accelerations follow from the drives alone, reactions and "
            "efforts from "
            "equilibrium. SimulationError if the drives' positions cannot be reached from here.")
        .def(
            "guide",
            [](WorldHandle& self, const std::vector<DriveMotion>& motion) {
                self.run([&](World& w) { w.guide(motion); });
            },
            py::arg("motion"), "The same, with the motion of every drive given.");
}

}  // namespace

void add_analysis(py::module_& m) {
    add_assembly(m);
    add_equilibrium(m);
    add_linearization(m);
    add_mobility(m);
    add_guide(m);
}

}  // namespace bristle::python
