// Scene files, and numbers read off a world by name.

#include <bristle/scene.h>

#include "io/scene/quantities.h"
#include "python/parts.h"
#include "python/record.h"
#include "python/world_handle.h"

#include <pybind11/stl/filesystem.h>

namespace bristle::python {
namespace {

io::Overrides overrides_from(const py::kwargs& parameters) {
    io::Overrides out;
    for (const auto& [name, value] : parameters) {
        const bool is_text = PyUnicode_Check(value.ptr());
        // repr of a float gives back the same float.
        out[name.cast<std::string>()] =
            (is_text ? py::str(value)
                     : py::repr(py::float_(py::reinterpret_borrow<py::object>(value))))
                .cast<std::string>();
    }
    return out;
}

void add_scene_error(py::module_& m) {
    static py::object scene_error = py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
        "bristle.SceneError",
        "What is wrong with a scene file: messages has every mistake, as file:line:column: text.",
        m.attr("InputError").ptr(), nullptr));
    m.attr("SceneError") = scene_error;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const io::SceneError& e) {
            py::object error = scene_error(e.what());
            error.attr("messages") = e.messages;
            PyErr_SetObject(scene_error.ptr(), error.ptr());
        }
    });
}

void add_scene_class(py::module_& m) {
    using io::Parameter, io::Scene, io::ScenePlot;
    Record<Parameter>(m, "Parameter", "A number of a scene that can be given another value.")
        .field("name", &Parameter::name, "as read_scene takes it")
        .field("about", &Parameter::about, "what it is")
        .field("unit", &Parameter::unit, "of the value")
        .field("value", &Parameter::value, "it had")
        .result();
    Record<ScenePlot>(m, "ScenePlot", "Curves over time, or over another quantity.")
        .field("title", &ScenePlot::title, "of the plot")
        .field("x", &ScenePlot::x, "quantity; empty: time")
        .field("y", &ScenePlot::y, "quantities, with the same unit")
        .result();
    py::class_<Scene>(m, "Scene", "What a scene file says, ready to run.")
        .def_readonly("name", &Scene::name, "Of the file, without its ending.")
        .def_readonly("title", &Scene::title, "A line about it.")
        .def_property_readonly(
            "model", [](const Scene& s) { return Model(s.model); },
            "Every object has a name of its own kind. A copy.")
        .def_readonly("solver", &Scene::solver, "Settings. A copy.")
        .def_readonly("duration", &Scene::duration, "s")
        .def_readonly("parameters", &Scene::parameters, "With the values they had.")
        .def_readonly("quantities", &Scene::quantities, "Names of what simulate records.")
        .def_readonly("plots", &Scene::plots, "Of the report.")
        .def_readonly("output_step", &Scene::output_step,
                      "s between rows; zero: at most 4,000 rows.")
        .def_readonly("files", &Scene::files, "That were read: itself, includes, meshes.")
        .def_readonly("unsaid", &Scene::unsaid,
                      "Of a scene made in code: what no file can say, an object a line.")
        .def("text", &io::scene_text,
             "The file of it: what parameters, loops and includes made, as one text that gives the "
             "same motion to the last bit. InputError names what no file can say.")
        .def(
            "save",
            [](const Scene& s, const std::filesystem::path& file) { io::write_scene(s, file); },
            py::arg("file"), "Writes text to a file.")
        .def(
            "world",
            [](const Scene& s) {
                return WorldHandle::with_warnings(s.model, s.solver,
                                                  std::make_shared<const Scene>(s));
            },
            "A world of its model with its settings.")
        .def(
            "__repr__",
            [](const Scene& s) {
                return fmt::format("Scene('{}', {} bodies)", s.name, s.model.bodies().size() - 1);
            },
            "Name and size.");
    m.def(
        "read_scene",
        [](const std::filesystem::path& file, const py::kwargs& parameters) {
            const io::Overrides overrides = overrides_from(parameters);
            const Unlocked unlocked;
            return io::read_scene(file, overrides);
        },
        py::arg("file"),
        "The scene of a YAML file. Keywords give its parameters other values: numbers, or "
        "expressions in "
        "other parameters as text (\"2*pi/3\"). SceneError tells every mistake with line and "
        "column.");
    m.def(
        "parse_scene",
        [](const std::string& text, const py::kwargs& parameters) {
            return io::parse_scene(text, "scene", ".", overrides_from(parameters));
        },
        py::arg("text"), "The same of a text; relative paths start at the current folder.");
}

io::Scene scene_of(const Model& model, const Settings& settings, const std::string& title,
                   double duration) {
    io::Scene scene = io::scene_of(model, settings, title);
    scene.duration = duration;
    return scene;
}

TableRows rows_of(const py::object& rows) { return rows.cast<TableRows>(); }

void add_functions(py::module_& m) {
    m.def(
        "function",
        [](const py::object& what) {
            if (PyUnicode_Check(what.ptr()))
                return Native<TimeFunction>{io::time_function(what.cast<std::string>())};
            if (PyFloat_Check(what.ptr()) || PyLong_Check(what.ptr()))
                return Native<TimeFunction>{what.cast<double>()};
            return Native<TimeFunction>{time_table(rows_of(what))};
        },
        py::arg("what"),
        "A function of time that a scene file can say: an expression in t (\"0.1*sin(2*pi*t)\"), a "
        "number, or rows of (time, value), linear between them and held outside.");
    m.def(
        "law",
        [](const py::object& what) {
            if (PyUnicode_Check(what.ptr()))
                return Native<ForceLaw>{io::force_law(what.cast<std::string>())};
            return Native<ForceLaw>{table(rows_of(what))};
        },
        py::arg("what"),
        "A force law that a scene file can say: an expression in displacement x and rate v "
        "(\"100*x "
        "+ 5*v\"), or rows as table takes them.");
    m.def(
        "point_force",
        [](BodyId body, const std::vector<std::string>& force,
           const std::vector<std::string>& torque, Vec3 at, const std::string& name) {
            UserForce made = io::point_force(body, at, force, torque);
            made.name = name;
            return made;
        },
        py::arg("body"), py::arg("force") = std::vector<std::string>{},
        py::arg("torque") = std::vector<std::string>{}, py::arg("at") = Vec3{},
        py::arg("name") = "",
        "A force (N) and a torque (N m) on a point of a body (m, its frame) that a scene file can "
        "say: three expressions each, world axes, in time t and the point's place x y z and "
        "velocity vx vy vz, and in n, the normal force of the body's contacts over the last step.");
    m.def("scene_of", &scene_of, py::arg("model"), py::arg("settings") = AugmentedLagrangian{},
          py::arg("title") = "", py::arg("duration") = 10.0,
          "A model as a scene: what reading its file gives, with names for all. If no file can say "
          "it, the model itself, and Scene.unsaid tells why.");
    py::reinterpret_borrow<py::class_<Model, std::shared_ptr<Model>>>(m.attr("Model"))
        .def(
            "save",
            [](const Model& model, const std::filesystem::path& file, const Settings& settings,
               const std::string& title, double duration) {
                io::Scene scene;
                scene.model = model;
                scene.solver = settings;
                scene.title = title;
                scene.duration = duration;
                io::write_scene(scene, file);
            },
            py::arg("file"), py::arg("settings") = AugmentedLagrangian{}, py::arg("title") = "",
            py::arg("duration") = 10.0,
            "Writes a scene file that gives the same motion, to the last bit. InputError names "
            "what "
            "no file can say (functions in code), and what to give instead.");
}

void add_quantities(py::module_& m) {
    using io::Quantity;
    py::class_<Quantity>(m, "Quantity", "A number that can be read off a world.")
        .def_readonly("name", &Quantity::name, "Such as crank.position.x.")
        .def_readonly("unit", &Quantity::unit, "Of the number.")
        .def(
            "read",
            [](const Quantity& q, const WorldHandle& world) { return q.read(world.idle()); },
            py::arg("world"), "Its value now.")
        .def(
            "__repr__",
            [](const Quantity& q) { return fmt::format("Quantity('{}', '{}')", q.name, q.unit); },
            "Name and unit.");
    m.def("quantities", &io::quantities, py::arg("model"), py::arg("name"),
          "What a name stands for: one quantity for a scalar, several for a vector. InputError "
          "says what was not "
          "understood and what is near.");
    m.def(
        "quantity_names", [](const Model& model) { return io::quantity_names(model); },
        py::arg("model"), "Everything that can be asked.");
}

}  // namespace

void add_scene(py::module_& m) {
    add_scene_error(m);
    add_scene_class(m);
    add_functions(m);
    add_quantities(m);
}

}  // namespace bristle::python
