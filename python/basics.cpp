// Errors, ids, poses, rotations and functions.
#include "python/parts.h"
#include "python/record.h"

#include <pybind11/operators.h>

namespace bristle::python {
namespace {

void add_errors(py::module_& m) {
    py::register_exception<InputError>(m, "InputError", PyExc_ValueError).attr("__doc__") =
        "The input cannot be used: a mistake in a model, a scene file or an argument.";
    py::register_exception<SimulationError>(m, "SimulationError", PyExc_RuntimeError)
        .attr("__doc__") =
        "The simulation cannot go on: it diverged, or the model cannot be assembled. The world "
        "keeps the "
        "last good state.";
}

template <class Name> void add_id(py::module_& m, const char* name, const char* about) {
    py::class_<Name>(m, name, about)
        .def(py::init([](uint32_t index) { return Name{index}; }), py::arg("index") = Name{}.index,
             "The default stands for none.")
        .def_readonly("index", &Name::index, "Place in the model's list, from zero.")
        .def(
            "__eq__",
            [](Name a, const py::object& b) {
                return py::isinstance<Name>(b) && b.cast<Name>() == a;
            },
            py::arg("other"), "Whether both name the same thing.")
        .def(
            "__hash__", [](Name a) { return py::hash(py::int_(a.index)); }, "Of the index.")
        .def(
            "__repr__",
            [name](Name a) {
                return a == Name{} ? fmt::format("{}()", name)
                                   : fmt::format("{}({})", name, a.index);
            },
            "Kind and index.")
        .def(py::pickle([](Name a) { return py::make_tuple(a.index); },
                        [](const py::tuple& t) { return Name{t[0].cast<uint32_t>()}; }));
}

void add_ids(py::module_& m) {
    add_id<BodyId>(m, "BodyId", "Names a body of a model. The ground is BodyId(0).");
    add_id<JointId>(m, "JointId", "Names a joint of a model.");
    add_id<DriveId>(m, "DriveId", "Names a drive of a model.");
    add_id<LimitId>(m, "LimitId", "Names a limit of a model.");
    add_id<ForceId>(m, "ForceId", "Names a spring, bushing, motor or user force of a model.");
    add_id<CoordinateId>(m, "CoordinateId", "Names a rotor of a model.");
    add_id<MaterialId>(m, "MaterialId",
                       "Names a material of a model. MaterialId() is the default one.");
    add_id<ShapeId>(m, "ShapeId", "Names a shape of a model.");
}

struct Rotations {};

void add_geometry(py::module_& m) {
    m.attr("pi") = pi;
    m.attr("unlimited") = unlimited;
    Record<Pose>(m, "Pose", "Where a body is: world = position + orientation * local.")
        .field("position", &Pose::position, "of the frame's origin, m")
        .field("orientation", &Pose::orientation, "unit quaternion (w, x, y, z), body to world")
        .constructible()
        .def(
            "__mul__", [](const Pose& p, Vec3 local) { return p * local; }, py::arg("local"),
            "Where a point of the body is in the world, m.")
        .def(
            "__eq__", [](const Pose& a, const Pose& b) { return a == b; }, py::arg("other"),
            "Equal to the last bit.")
        .def(py::pickle([](const Pose& p) { return py::make_tuple(p.position, p.orientation); },
                        [](const py::tuple& t) {
                            return Pose{t[0].cast<Vec3>(), t[1].cast<Quat>()};
                        }));
    Record<Twist>(m, "Twist", "How a body moves, in world axes.")
        .field("linear", &Twist::linear, "velocity of the frame's origin, m/s")
        .field("angular", &Twist::angular, "angular velocity, rad/s")
        .constructible()
        .def(
            "__eq__", [](const Twist& a, const Twist& b) { return a == b; }, py::arg("other"),
            "Equal to the last bit.");

    py::class_<Rotations>(m, "Quat", "Rotations as arrays of four numbers (w, x, y, z).")
        .def_static("about", &Quat::about, py::arg("axis"), py::arg("angle"),
                    "The turn about an axis by an angle (rad).")
        .def_static("from_matrix", &Quat::from, py::arg("rotation"), "Of a rotation matrix.")
        .def_static(
            "matrix", [](Quat q) { return q.matrix(); }, py::arg("orientation"),
            "The rotation matrix of a quaternion.")
        .def_static(
            "product", [](Quat a, Quat b) { return a * b; }, py::arg("a"), py::arg("b"),
            "First b, then a.")
        .def_static(
            "conjugate", [](Quat q) { return q.conjugate(); }, py::arg("orientation"),
            "The turn back.");
}

void add_functions(py::module_& m) {
    // As a scene file has it.
    const auto text = [](const auto& f) { return f.function.text(); };
    const char* const about_text =
        "As a scene file has it; empty if it is known only by what it computes.";
    const auto shown = [](const char* name, const std::string& text) {
        return text.empty() ? fmt::format("<bristle.{}>", name)
                            : fmt::format("{}('{}')", name, text);
    };
    py::class_<Native<TimeFunction>>(m, "TimeFunction", "A number over time, computed in C++.")
        .def(
            "__call__", [](const Native<TimeFunction>& f, double t) { return f.function(t); },
            py::arg("time"), "The value at a time (s).")
        .def_property_readonly(
            "text", [text](const Native<TimeFunction>& f) { return text(f); }, about_text)
        .def(
            "__repr__",
            [=](const Native<TimeFunction>& f) { return shown("TimeFunction", text(f)); },
            "With its text.");
    py::class_<Native<ForceLaw>>(m, "ForceLaw",
                                 "A force over displacement and rate, computed in C++.")
        .def(
            "__call__",
            [](const Native<ForceLaw>& f, double displacement, double rate) {
                return f.function(displacement, rate);
            },
            py::arg("displacement"), py::arg("rate"),
            "The force (N or N m) at a displacement (m or rad) and a rate (m/s or rad/s).")
        .def_property_readonly(
            "text", [text](const Native<ForceLaw>& f) { return text(f); }, about_text)
        .def(
            "__repr__", [=](const Native<ForceLaw>& f) { return shown("ForceLaw", text(f)); },
            "With its text.");
    py::class_<Native<decltype(UserForce::apply)>>(m, "ForceFunction",
                                                   "A user force computed in C++.");
    m.def(
        "table", [](TableRows rows) { return table(std::move(rows)); }, py::arg("rows"),
        "A force law from rows of (displacement, force), linear between them and beyond the ends.");

    py::class_<BorrowedKinematics>(
        m, "Kinematics", "What a user force may look at. Only while the force is computed.")
        .def_property_readonly(
            "time", [](const BorrowedKinematics& k) { return k.get().time(); }, "s")
        .def(
            "pose", [](const BorrowedKinematics& k, BodyId body) { return k.get().pose(body); },
            py::arg("body"), "Where the body is.")
        .def(
            "twist", [](const BorrowedKinematics& k, BodyId body) { return k.get().twist(body); },
            py::arg("body"), "How the body moves.")
        .def(
            "normal_force",
            [](const BorrowedKinematics& k, BodyId body, std::optional<BodyId> against) {
                return k.get().normal_force(body, against);
            },
            py::arg("body"), py::arg("against") = py::none(),
            "N: of all contacts of the body, or of those with another, over the last step.");
    py::class_<BorrowedSink>(
        m, "ForceSink", "Where a user force puts its forces. Only while the force is computed.")
        .def(
            "add_force",
            [](const BorrowedSink& s, BodyId body, Vec3 force, Vec3 at) {
                s.get().add_force(body, force, at);
            },
            py::arg("body"), py::arg("force"), py::arg("at"),
            "A force (N) on a body at a point (m), both in world axes.")
        .def(
            "add_torque",
            [](const BorrowedSink& s, BodyId body, Vec3 torque) {
                s.get().add_torque(body, torque);
            },
            py::arg("body"), py::arg("torque"), "A torque (N m) on a body, in world axes.");
}

}  // namespace

void add_basics(py::module_& m) {
    add_errors(m);
    add_ids(m);
    add_geometry(m);
    add_functions(m);
}

}  // namespace bristle::python
