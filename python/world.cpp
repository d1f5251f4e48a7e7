// A model in motion.
#include <bristle/analysis.h>

#include "python/parts.h"
#include "python/record.h"
#include "python/world_handle.h"

#include <cstddef>
#include <cstring>

namespace bristle::python {
namespace {

const StatefulForce& stateful(const Model& model, ForceId id) {
    if (!model.contains(id) || model.forces()[id.index].kind != Model::ForceKind::stateful)
        throw InputError("only hydraulics, tyres, drive trains and brakes have that");
    return model.stateful_forces()[model.forces()[id.index].index];
}

size_t input_of(const Model& model, ForceId id, const std::string& name) {
    std::string known;
    const std::vector<LawInput> list = stateful(model, id).law->inputs();
    for (size_t i = 0; i < list.size(); ++i) {
        if (list[i].name == name) return i;
        known += (known.empty() ? "" : ", ") + list[i].name;
    }
    throw InputError("no input '" + name + "'; there are " + known);
}

using WorldClass = py::class_<WorldHandle>;

// A question to the world, with its arguments. Some answers call the user's functions, which must not ask back.
template <class Answer, class... Arguments>
auto ask(Answer (World::*question)(Arguments...) const) {
    return [question](const WorldHandle& self, Arguments... arguments) -> std::decay_t<Answer> {
        const WorldHandle::Busy busy(self);
        return (busy.world().*question)(arguments...);
    };
}

void add_motion(WorldClass& world) {
    world.def("step", &WorldHandle::step, "One step. Other threads run meanwhile.")
        .def(
            "advance_to",
            [](const py::object& self, double time, const py::object& each_step) {
                self.cast<WorldHandle&>().advance_to(time, each_step, self);
            },
            py::arg("time"), py::arg("each_step") = py::none(),
            "Whole steps, until time (s) is reached within half a step. each_step(world) is called "
            "after "
            "every step. Ctrl-C ends it after a whole step; so does an exception of each_step.")
        .def_property_readonly("time", ask(&World::time), "s")
        .def_property_readonly(
            "model", [](const WorldHandle& self) { return Model(self.idle().model()); },
            "The model it is a world of. A copy.")
        .def_property_readonly("settings", ask(&World::settings),
                               "The solver and its settings. A copy.")
        .def(
            "command",
            [](WorldHandle& self, DriveId drive, double target) {
                self.run([&](World& w) { w.command(drive, target); });
            },
            py::arg("drive"), py::arg("target"),
            "Sets the target (m, rad, m/s or rad/s) of a drive that has no function of time.")
        .def(
            "command",
            [](WorldHandle& self, ForceId motor, double effort) {
                self.run([&](World& w) { w.command(motor, effort); });
            },
            py::arg("motor"), py::arg("effort"),
            "Sets the effort (N or N m) of a motor that has no function of time.")
        .def(
            "command",
            [](WorldHandle& self, ForceId force, const std::string& input, double value) {
                self.run(
                    [&](World& w) { w.command(force, input_of(w.model(), force, input), value); });
            },
            py::arg("force"), py::arg("input"), py::arg("value"),
            "Sets an input of hydraulics, a drive train or a brake by its name: a lever, a pedal.")
        .def(
            "inputs",
            [](const WorldHandle& self, ForceId force) {
                std::map<std::string, double> all;
                const World& w = self.idle();
                const std::vector<double> values = w.inputs(force);
                const std::vector<LawInput> list = stateful(w.model(), force).law->inputs();
                for (size_t i = 0; i < list.size(); ++i) all[list[i].name] = values[i];
                return all;
            },
            py::arg("force"),
            "Of hydraulics, a drive train or a brake, by name, as they are set now.")
        .def(
            "readings",
            [](const WorldHandle& self, ForceId force) {
                std::map<std::string, double> all;
                const World& w = self.idle();
                const std::vector<double> memory = w.memory(force);
                const StatefulLaw& law = *stateful(w.model(), force).law;
                const std::vector<LawReading> list = law.readings();
                for (size_t i = 0; i < list.size(); ++i) all[list[i].name] = law.read(i, memory);
                return all;
            },
            py::arg("force"),
            "What hydraulics, a tyre or a brake tells, by name, in SI: pressures, flow, load, "
            "slip.")
        .def(
            "heights",
            [](const WorldHandle& self, ShapeId shape) {
                const HeightField& f = self.idle().height_field(shape);
                py::array_t<double> out({size_t{f.rows}, size_t{f.columns}});
                std::copy(f.heights.begin(), f.heights.end(), out.mutable_data());
                return out;
            },
            py::arg("shape"),
            "Of a height field as it is now, rows x columns, m: what was dug is gone. A copy.")
        .def(
            "set_heights",
            [](WorldHandle& self, ShapeId shape,
               const py::array_t<double, py::array::c_style | py::array::forcecast>& heights,
               uint32_t column, uint32_t row) {
                if (heights.ndim() != 2)
                    throw InputError("heights have " + std::to_string(heights.ndim())
                                     + " dimensions; rows and columns are expected");
                const GridArea area{column, row, static_cast<uint32_t>(heights.shape(1)),
                                    static_cast<uint32_t>(heights.shape(0))};
                const std::vector<double> values(heights.data(), heights.data() + heights.size());
                self.run([&](World& w) { w.set_heights(shape, area, values); });
            },
            py::arg("shape"), py::arg("heights"), py::arg("column") = 0, py::arg("row") = 0,
            "Changes a height field, or the part of it that begins at column and row. What lies "
            "there falls, or is let out slowly.")
        .def(
            "set_pose",
            [](WorldHandle& self, BodyId body, const Pose& pose) {
                self.run([&](World& w) { set_pose(w, body, pose); });
            },
            py::arg("body"), py::arg("pose"),
            "Puts a body elsewhere. What is joined to it follows, moved as little as possible; if "
            "its joints do not let it there, it goes as near as they do: ask pose. Velocities stay "
            "as far as joints allow.")
        .def(
            "set_velocity",
            [](WorldHandle& self, BodyId body, Vec3 linear, Vec3 angular) {
                self.run([&](World& w) { set_velocity(w, body, {linear, angular}); });
            },
            py::arg("body"), py::arg("linear") = Vec3{}, py::arg("angular") = Vec3{},
            "Gives a body another velocity of its frame's origin (m/s) and angular velocity "
            "(rad/s), world axes. Joints share it out as an impact does.");
}

void add_observers(WorldClass& world) {
    world.def("pose", ask(&World::pose), py::arg("body"), "Where a body is.")
        .def("twist", ask(&World::twist), py::arg("body"), "How a body moves.")
        .def_property_readonly(
            "poses", &WorldHandle::poses,
            "Where all bodies are: n x 7 numbers x y z (m), w qx qy qz, by body id, the ground "
            "first. Not a copy and read-only: as long as you hold the array, it is written "
            "anew after every step and shows the present. Use .copy() to keep values. After "
            "bodies were added or removed, ask for it again.")
        .def_property_readonly(
            "twists", &WorldHandle::twists,
            "How all bodies move: n x 6 numbers, velocity (m/s) and angular velocity (rad/s). "
            "Like poses, not a copy.")
        .def("acceleration", ask(&World::acceleration), py::arg("body"),
             "Of the frame's origin, m/s².")
        .def("point", ask(&World::point), py::arg("body"), py::arg("local"),
             "Where a point of the body (m, its frame) is, m.")
        .def("point_velocity", ask(&World::point_velocity), py::arg("body"), py::arg("local"),
             "Of a point of the body (m, its frame), m/s.")
        .def("coordinate", ask(&World::coordinate), py::arg("joint"),
             "Angle (rad), displacement or length (m). Turns are counted where a drive, limit, "
             "spring or gear "
             "acts on it.")
        .def("coordinate_rate", ask(&World::coordinate_rate), py::arg("joint"), "rad/s or m/s.")
        .def("angle", ask(&World::angle), py::arg("joint"),
             "Of b against a about the joint's axis, −π … π rad.")
        .def("reaction", ask(&World::reaction), py::arg("joint"), "What the joint does to body b.")
        .def("effort", ask<double, DriveId>(&World::effort), py::arg("drive"),
             "Force or torque along the coordinate on b, N or N m.")
        .def("effort", ask<double, LimitId>(&World::effort), py::arg("limit"),
             "Force or torque along the coordinate on b, N or N m.")
        .def("work", ask(&World::work), py::arg("drive"),
             "What the drive has put in since the start, J: its effort by its way, step by step.")
        .def("tension", ask(&World::tension), py::arg("force"),
             "Of a spring, N; resisting effort of a joint spring, N or N m.")
        .def("energy", ask(&World::energy),
             "Kinetic and potential energy, and what contacts store.")
        .def("momentum", ask(&World::momentum), "Of all bodies, N s.")
        .def("angular_momentum", ask<Vec3, Vec3>(&World::angular_momentum),
             py::arg("about") = Vec3{}, "Of all bodies about a point (m, world), N m s.")
        .def("angular_momentum", ask<Vec3, BodyId, Vec3>(&World::angular_momentum), py::arg("body"),
             py::arg("about") = Vec3{}, "Of one body about a point (m, world), N m s.")
        .def("center_of_mass", ask(&World::center_of_mass), "Of all bodies, m.");
}

// Contacts as rows of a table, with the same names.
py::array contact_table(const WorldHandle& self) {
    const std::vector<Contact> contacts = self.idle().contacts();
    py::list names, formats, offsets;
    const auto column = [&](const char* name, const char* format, size_t offset) {
        names.append(name), formats.append(format), offsets.append(offset);
    };
    column("a", "<u4", offsetof(Contact, a));
    column("b", "<u4", offsetof(Contact, b));
    column("body_a", "<u4", offsetof(Contact, body_a));
    column("body_b", "<u4", offsetof(Contact, body_b));
    column("point", "(3,)<f8", offsetof(Contact, point));
    column("normal", "(3,)<f8", offsetof(Contact, normal));
    column("depth", "<f8", offsetof(Contact, depth));
    column("force", "(3,)<f8", offsetof(Contact, force));
    column("torque", "(3,)<f8", offsetof(Contact, torque));
    column("slip_speed", "<f8", offsetof(Contact, slip_speed));
    column("slips", "?", offsetof(Contact, slips));
    return {
        py::dtype(names, formats, offsets, sizeof(Contact)), {contacts.size()}, contacts.data()};
}

void add_contacts(WorldClass& world) {
    world.def("contacts", ask(&World::contacts), "Where shapes press on each other, as objects.")
        .def("patches", ask(&World::patches),
             "Regions that solids share, with their forces (volumetric contact).")
        .def("contact_table", &contact_table,
             "The same as a NumPy table with the columns a, b, body_a, body_b (indices of the "
             "ids), point, "
             "normal, depth, force, torque, slip_speed and slips.")
        .def("cast_ray", ask(&World::cast_ray), py::arg("origin"), py::arg("direction"),
             py::arg("length") = unlimited,
             "The first shape on a ray (m), or None; one that starts inside a shape hits it at "
             "once.")
        .def("closest_point", ask(&World::closest_point), py::arg("shape"), py::arg("point"),
             "The point of a shape's surface nearest to a point (m).")
        .def("closest_points", ask(&World::closest_points), py::arg("a"), py::arg("b"),
             py::arg("limit") = unlimited,
             "The nearest points of two shapes; None beyond the limit (m), or for two pieces of "
             "scenery.")
        .def("shapes_in_box", ask(&World::shapes_in_box), py::arg("low"), py::arg("high"),
             "Those that reach into a box between two corners (m).")
        .def("shapes_overlapping", ask(&World::shapes_overlapping), py::arg("shape"),
             "Those that reach into this one.");
}

void add_numbers(WorldClass& world) {
    world
        .def_property_readonly("statistics", ask(&World::statistics),
                               "What the solver did since the start.")
        .def("constraint_error", ask(&World::constraint_error),
             "How far the constraints are from holding now.")
        .def("degrees_of_freedom", ask(&World::degrees_of_freedom), "In this position.")
        .def("redundant_constraints", ask(&World::redundant_constraints), "In this position.")
        .def("entities", ask(&World::entities), "The points and unit vectors the program chose.")
        .def("coordinates", ask(&World::coordinates), "Number of unknowns: three an entity.")
        .def("constraints", ask(&World::constraints), "Number of equations between them.")
        .def("snapshot", ask(&World::snapshot), "All that persists, to return to or to keep.")
        .def(
            "restore",
            [](WorldHandle& self, const Snapshot& snapshot) {
                self.run([&](World& w) { w.restore(snapshot); });
            },
            py::arg("snapshot"), "Returns to a snapshot of the same model; InputError otherwise.")
        .def("hash", ask(&World::hash), "Of all that persists: equal states, equal numbers.")
        .def(
            "__repr__",
            [](const WorldHandle& self) {
                const World& w = self.idle();
                return fmt::format("World({} bodies, {} joints, t = {:.6g} s)",
                                   w.model().bodies().size() - 1, w.model().joints().size(),
                                   w.time());
            },
            "Size and time.");
}

void add_snapshot(py::module_& m) {
    const auto bytes = [](const Snapshot& s) {
        return py::bytes(reinterpret_cast<const char*>(s.bytes().data()), s.bytes().size());
    };
    py::class_<Snapshot>(m, "Snapshot",
                         "The state of a world. Can be pickled; a pickled one can be restored "
                         "where bodies and joints are those the "
                         "world started with, one in memory also undoes changes of the model.")
        .def("bytes", bytes, "The state as bytes.")
        .def(
            "__eq__",
            [](const Snapshot& a, const Snapshot& b) {
                return a.origin() == b.origin() && a.equations() == b.equations()
                    && a.bytes() == b.bytes();
            },
            py::arg("other"), "The same state of the same model.")
        .def(py::pickle(
            [bytes](const Snapshot& s) {
                return py::make_tuple(s.origin(), s.equations(), bytes(s));
            },
            [](const py::tuple& t) {
                const std::string text = t[2].cast<py::bytes>();
                std::vector<std::byte> state(text.size());
                std::memcpy(state.data(), text.data(), text.size());
                return Snapshot(t[0].cast<uint64_t>(), t[1].cast<uint64_t>(), std::move(state));
            }));
}

}  // namespace

void add_world(py::module_& m) {
    add_snapshot(m);
    WorldClass world(
        m, "World",
        "A model in motion. Every step has the same length. A step of second order that does not "
        "converge is taken by a rule of first order that always ends. What no step can mend raises "
        "SimulationError, and the last good state is kept. Worlds may run in several threads, each "
        "in one at a time.");
    world.def(py::init([](const Model& model, const Settings& settings) {
                  return WorldHandle::with_warnings(model, settings);
              }),
              py::arg("model"), py::arg("settings") = AugmentedLagrangian{},
              "Copies the model. If its joints do not meet, it is assembled first.");
    add_motion(world);
    add_observers(world);
    add_contacts(world);
    add_numbers(world);
}

}  // namespace bristle::python
