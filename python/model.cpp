// The model: what is added to it, removed from it and found in it.
#include "python/parts.h"
#include "python/record.h"

namespace bristle::python {
namespace {

using ModelClass = py::class_<Model, std::shared_ptr<Model>>;

template <class Part> void add_overload(ModelClass& model, const char* what, const char* about) {
    model.def(
        "add", [](Model& self, const Part& part) { return self.add(part); }, py::arg(what), about);
}

template <class Name>
void add_look_up(ModelClass& model, const char* what, Name (Model::*find)(const std::string&) const,
                 const char* about) {
    model.def(what, find, py::arg("name"), about);
    model.def("remove", py::overload_cast<Name>(&Model::remove), py::arg("id"),
              "Takes it out, with everything that is on it or acts on it.");
    model.def("contains", py::overload_cast<Name>(&Model::contains, py::const_), py::arg("id"),
              "Whether it is there, and not removed.");
}

template <class Part>
void add_list(ModelClass& model, const char* name, const std::vector<Part>& (Model::*list)() const,
              const char* about) {
    model.def_property_readonly(
        name, [list](const Model& self) { return (self.*list)(); }, about);
}

void add_parts(ModelClass& model) {
    add_overload<Body>(model, "body", "A body; returns its id.");
    add_overload<Fixed>(model, "joint", "A joint; returns its id.");
    add_overload<Revolute>(model, "joint", "A joint; returns its id.");
    add_overload<Prismatic>(model, "joint", "A joint; returns its id.");
    add_overload<Cylindrical>(model, "joint", "A joint; returns its id.");
    add_overload<Spherical>(model, "joint", "A joint; returns its id.");
    add_overload<Universal>(model, "joint", "A joint; returns its id.");
    add_overload<Planar>(model, "joint", "A joint; returns its id.");
    add_overload<PointOnLine>(model, "joint", "A joint; returns its id.");
    add_overload<PointOnPlane>(model, "joint", "A joint; returns its id.");
    add_overload<Distance>(model, "joint", "A joint; returns its id.");
    add_overload<Screw>(model, "joint", "A joint; returns its id.");
    add_overload<Gear>(model, "joint", "A relation between two joints; returns its id.");
    add_overload<RackAndPinion>(model, "joint", "A relation between two joints; returns its id.");
    add_overload<TurnGauge>(model, "joint", "A gauge between two bodies; returns its id.");
    add_overload<SwingGauge>(model, "joint", "A gauge between two bodies; returns its id.");
    add_overload<SlideGauge>(model, "joint", "A gauge between two bodies; returns its id.");
    add_overload<Drive>(model, "drive", "A drive; returns its id.");
    add_overload<Limit>(model, "limit", "A limit; returns its id.");
    add_overload<Coordinate>(model, "rotor", "A rotor; returns its id.");
    add_overload<Spring>(model, "force", "A spring; returns its id.");
    add_overload<JointSpring>(model, "force", "A spring on a joint; returns its id.");
    add_overload<Bushing>(model, "force", "A bushing; returns its id.");
    add_overload<Motor>(model, "force", "A motor; returns its id.");
    add_overload<UserForce>(model, "force", "A force of your own; returns its id.");
    add_overload<Material>(model, "material", "A material; returns its id.");
    add_overload<ContactPair>(model, "pair",
                              "The law of a pair of materials; the last one of a pair counts.");
    add_overload<Shape>(model, "shape", "A shape on a body; returns its id.");
    add_overload<NoContact>(model, "pair", "Two bodies that pass through each other.");
}

void add_names(ModelClass& model) {
    add_look_up<BodyId>(model, "body", &Model::body, "The body of this name.");
    add_look_up<JointId>(model, "joint", &Model::joint, "The joint of this name.");
    add_look_up<DriveId>(model, "drive", &Model::drive, "The drive of this name.");
    add_look_up<LimitId>(model, "limit", &Model::limit, "The limit of this name.");
    add_look_up<CoordinateId>(model, "rotor", &Model::rotor, "The rotor of this name.");
    add_look_up<ForceId>(model, "force", &Model::force,
                         "The spring, bushing, motor or user force of this name.");
    add_look_up<ShapeId>(model, "shape", &Model::shape, "The shape of this name.");
    model.def("material", &Model::material, py::arg("name"), "The material of this name.");
    model.def(
        "name", [](const Model& self, ForceId id) { return self.name(id); }, py::arg("force"),
        "The name of a force.");
}

void add_lists(ModelClass& model) {
    add_list(model, "bodies", &Model::bodies, "By id; the first is the ground. Copies.");
    add_list(model, "joints", &Model::joints, "By id. Copies.");
    add_list(model, "drives", &Model::drives, "By id. Copies.");
    add_list(model, "limits", &Model::limits, "By id. Copies.");
    add_list(model, "coordinates", &Model::coordinates, "Rotors by id. Copies.");
    add_list(model, "springs", &Model::springs, "In the order they were added. Copies.");
    add_list(model, "joint_springs", &Model::joint_springs,
             "In the order they were added. Copies.");
    add_list(model, "bushings", &Model::bushings, "In the order they were added. Copies.");
    add_list(model, "motors", &Model::motors, "In the order they were added. Copies.");
    add_list(model, "user_forces", &Model::user_forces, "In the order they were added. Copies.");
    add_list(model, "materials", &Model::materials, "By id; the first is the default. Copies.");
    add_list(model, "contact_pairs", &Model::contact_pairs,
             "In the order they were added. Copies.");
    add_list(model, "shapes", &Model::shapes, "By id. Copies.");
    add_list(model, "no_contacts", &Model::no_contacts, "In the order they were added. Copies.");
}

}  // namespace

void add_model(py::module_& m) {
    ModelClass model(
        m, "Model",
        "What you describe: bodies, joints, drives, limits, forces and shapes. Bodies are given "
        "where they start, and joints by points and axes in world coordinates at that start. add "
        "checks what it is given and raises InputError at once.");
    model.def(py::init<>(), "An empty model: the ground, and gravity along -z.")
        .def_static("ground", &Model::ground, "The body that does not move.")
        .def_property(
            "gravity", [](const Model& self) { return py::array(frozen(py::cast(self.gravity))); },
            [](Model& self, Vec3 gravity) { self.gravity = gravity; }, "m/s²")
        .def_readwrite("plane_normal", &Model::plane_normal,
                       "Of a planar model: bodies move in planes of this normal and turn about it "
                       "alone, and shapes are seen as their outlines. None: a model in space.")
        .def_readwrite("friction_rule", &Model::friction_rule,
                       "How two materials' friction makes one (Combine).")
        .def_readwrite("restitution_rule", &Model::restitution_rule,
                       "How two materials' restitution makes one (Combine).")
        .def("contact_law", &Model::contact_law, py::arg("a"), py::arg("b"),
             "What happens where two materials touch: of the table, or by the combination rules.")
        .def("is_assembled", &Model::is_assembled,
             "Whether the two sides of every joint are together, within 1e-9 of the model's size.")
        .def("is_acted_on", &Model::is_acted_on, py::arg("joint"),
             "Whether a drive, limit, spring, motor, gear or rotor acts on the joint's coordinate.")
        .def(
            "has_coordinate", &Model::has_coordinate, py::arg("joint"),
            "Whether the joint has a single coordinate that drives, limits and springs can act on.")
        .def(
            "copy", [](const Model& self) { return Model(self); }, "The same model once more.")
        .def(
            "__copy__", [](const Model& self) { return Model(self); }, "The same model once more.")
        .def(
            "__repr__",
            [](const Model& self) {
                return fmt::format("Model({} bodies, {} joints, {} drives, {} forces, {} shapes)",
                                   self.bodies().size() - 1, self.joints().size(),
                                   self.drives().size(), self.forces().size(),
                                   self.shapes().size());
            },
            "How much is in it.");
    add_parts(model);
    add_names(model);
    add_lists(model);
}

}  // namespace bristle::python
