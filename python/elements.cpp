// Bodies, joints, drives, limits and forces.
#include "python/parts.h"
#include "python/record.h"

namespace bristle::python {
namespace {

constexpr const char* name_text = "for messages, quantities and look-up";
constexpr const char* at_text = "where it is at the start, m, world";
constexpr const char* axis_text = "its axis at the start, world";
constexpr const char* at_b_text = "b's side of it, m, world, where it does not start at a's";
constexpr const char* axis_b_text = "b's side of the axis, world";
constexpr const char* start_angle_text =
    "what its angle starts at, rad: of a motion that goes on from another";

constexpr const char* rate_text =
    "how fast its coordinate starts, rad/s or m/s; None: as the bodies' velocities have it";

void add_body(py::module_& m) {
    Record<Body>(m, "Body", "A rigid body where it starts.")
        .field("name", &Body::name, name_text)
        .field("mass", &Body::mass, "kg, > 0")
        .field("center", &Body::center, "of mass, m, in the body's frame")
        .field("inertia", &Body::inertia, "kg m², about the centre, in body axes; zero for a point")
        .field("position", &Body::position, "of the body's frame, m")
        .field("orientation", &Body::orientation, "quaternion (w, x, y, z), body to world")
        .field("velocity", &Body::velocity, "of the frame's origin, m/s, in world axes")
        .field("angular_velocity", &Body::angular_velocity, "rad/s, in world axes")
        .constructible()
        .def_static("point", &Body::point, py::arg("mass"), "A point mass (kg).")
        .def_static("rod", py::overload_cast<double, double>(&Body::rod), py::arg("length"),
                    py::arg("mass"), "A slender rod (m, kg) from the frame's origin along +x.")
        .def_static("rod", py::overload_cast<Vec3, Vec3, double>(&Body::rod), py::arg("start"),
                    py::arg("end"), py::arg("mass"),
                    "The same between two points of the world (m).")
        .def_static("box", &Body::box, py::arg("size"), py::arg("mass"),
                    "A homogeneous box of full edges size (m) about its centre.")
        .def_static("sphere", &Body::sphere, py::arg("radius"), py::arg("mass"),
                    "A homogeneous ball (m, kg).")
        .def_static("cylinder", &Body::cylinder, py::arg("radius"), py::arg("length"),
                    py::arg("mass"), "A homogeneous cylinder along z (m, kg).")
        .def_static(
            "of", &Body::of, py::arg("geometry"), py::arg("density"),
            "Of a homogeneous material of this density (kg/m³); the frame is that of the geometry.")
        .def("named", &Body::named, py::arg("name"), "The same body with a name.")
        .def("at", &Body::at, py::arg("position"), py::arg("orientation") = Quat{},
             "The same body elsewhere (m).")
        .def("moving", &Body::moving, py::arg("linear"), py::arg("angular") = Vec3{},
             "The same body in motion (m/s, rad/s, world axes).");
}

// Joints with a point and an axis have the same table.
template <class Joint> void add_axis_joint(py::module_& m, const char* name, const char* about) {
    Record<Joint> joint(m, name, about);
    joint.needs("a", &Joint::a, "a body")
        .needs("b", &Joint::b, "the other body")
        .needs("at", &Joint::at, at_text)
        .needs("axis", &Joint::axis, axis_text)
        .field("at_b", &Joint::at_b, at_b_text)
        .field("axis_b", &Joint::axis_b, axis_b_text)
        .field("name", &Joint::name, name_text);
    if constexpr (requires { &Joint::start_angle; })
        joint.field("start_angle", &Joint::start_angle, start_angle_text);
    if constexpr (requires { &Joint::rate; }) joint.field("rate", &Joint::rate, rate_text);
    joint.constructible();
}
template <class Joint> void add_point_joint(py::module_& m, const char* name, const char* about) {
    Record<Joint>(m, name, about)
        .needs("a", &Joint::a, "a body")
        .needs("b", &Joint::b, "the other body")
        .needs("at", &Joint::at, at_text)
        .field("at_b", &Joint::at_b, at_b_text)
        .field("name", &Joint::name, name_text)
        .constructible();
}

void add_joints(py::module_& m) {
    add_point_joint<Fixed>(m, "Fixed", "Welds two bodies together.");
    add_axis_joint<Revolute>(m, "Revolute", "A hinge: b turns about an axis of a.");
    add_axis_joint<Prismatic>(m, "Prismatic",
                              "A slider: b moves along an axis of a and does not turn.");
    add_axis_joint<Cylindrical>(m, "Cylindrical", "b turns about and moves along an axis of a.");
    add_point_joint<Spherical>(m, "Spherical", "A ball and socket.");
    Record<Universal>(m, "Universal",
                      "A cross: axis_a is fixed in a and axis_b in b; they stay perpendicular.")
        .needs("a", &Universal::a, "a body")
        .needs("b", &Universal::b, "the other body")
        .needs("at", &Universal::at, at_text)
        .needs("axis_a", &Universal::axis_a, "the axis in a, world")
        .needs("axis_b", &Universal::axis_b, "the axis in b, world")
        .field("at_b", &Universal::at_b, at_b_text)
        .field("name", &Universal::name, name_text)
        .constructible();
    Record<Planar>(m, "Planar", "b moves in a plane of a and turns about its normal.")
        .needs("a", &Planar::a, "a body")
        .needs("b", &Planar::b, "the other body")
        .needs("at", &Planar::at, at_text)
        .needs("normal", &Planar::normal, "of the plane at the start, world")
        .field("at_b", &Planar::at_b, at_b_text)
        .field("normal_b", &Planar::normal_b, "b's side of the normal, world")
        .field("name", &Planar::name, name_text)
        .field("start_angle", &Planar::start_angle, start_angle_text)
        .constructible();
    Record<PointOnLine>(m, "PointOnLine", "The point of b that starts here stays on a line of a.")
        .needs("a", &PointOnLine::a, "has the line")
        .needs("b", &PointOnLine::b, "has the point")
        .needs("at", &PointOnLine::at, at_text)
        .needs("axis", &PointOnLine::axis, "along the line, world")
        .field("at_b", &PointOnLine::at_b, at_b_text)
        .field("name", &PointOnLine::name, name_text)
        .constructible();
    Record<PointOnPlane>(m, "PointOnPlane",
                         "The point of b that starts here stays on a plane of a.")
        .needs("a", &PointOnPlane::a, "has the plane")
        .needs("b", &PointOnPlane::b, "has the point")
        .needs("at", &PointOnPlane::at, at_text)
        .needs("normal", &PointOnPlane::normal, "of the plane, world")
        .field("at_b", &PointOnPlane::at_b, at_b_text)
        .field("name", &PointOnPlane::name, name_text)
        .constructible();
    Record<Distance>(
        m, "Distance",
        "A massless bar between two points. If a drive, limit, spring, motor or gear acts on its "
        "length, a massless telescopic strut.")
        .needs("a", &Distance::a, "a body")
        .needs("b", &Distance::b, "the other body")
        .needs("at_a", &Distance::at_a, "its end on a at the start, m, world")
        .needs("at_b", &Distance::at_b, "its end on b at the start, m, world")
        .field("length", &Distance::length, "m; None: as they start apart")
        .field("name", &Distance::name, name_text)
        .field("rate", &Distance::rate, rate_text)
        .constructible();
    Record<Screw>(m, "Screw", "A cylindrical joint that advances with its turns.")
        .needs("a", &Screw::a, "a body")
        .needs("b", &Screw::b, "the other body")
        .needs("at", &Screw::at, at_text)
        .needs("axis", &Screw::axis, axis_text)
        .needs("lead", &Screw::lead, "m per turn")
        .field("at_b", &Screw::at_b, at_b_text)
        .field("axis_b", &Screw::axis_b, axis_b_text)
        .field("name", &Screw::name, name_text)
        .field("start_angle", &Screw::start_angle, start_angle_text)
        .field("rate", &Screw::rate, rate_text)
        .constructible();
    Record<Gear>(m, "Gear",
                 "coordinate(second) = ratio * coordinate(first): gears, pulleys, rack and pinion.")
        .needs("first", &Gear::first, "a joint")
        .needs("second", &Gear::second, "the other joint")
        .field("ratio", &Gear::ratio, "of their coordinates")
        .field("name", &Gear::name, name_text)
        .constructible();
    Record<RackAndPinion>(m, "RackAndPinion",
                          "The rack's displacement is radius times the pinion's angle.")
        .needs("rack", &RackAndPinion::rack, "a prismatic joint")
        .needs("pinion", &RackAndPinion::pinion, "a revolute joint")
        .needs("radius", &RackAndPinion::radius, "m")
        .field("name", &RackAndPinion::name, name_text)
        .constructible();
}

void add_gauges(py::module_& m) {
    Record<TurnGauge>(m, "TurnGauge",
                      "Holds nothing: the angle at which b's mark is seen about an axis of a, for "
                      "drives, limits, friction, springs and gears to act on.")
        .needs("a", &TurnGauge::a, "a body")
        .needs("b", &TurnGauge::b, "the other body")
        .needs("axis", &TurnGauge::axis, "of a at the start, world")
        .field("mark", &TurnGauge::mark, "of b, not along the axis; None: some perpendicular")
        .field("name", &TurnGauge::name, name_text)
        .field("start_angle", &TurnGauge::start_angle, start_angle_text)
        .field("rate", &TurnGauge::rate, rate_text)
        .constructible();
    Record<SwingGauge>(
        m, "SwingGauge",
        "Holds nothing: the angle between an axis of a and one of b; a limit of it is a cone.")
        .needs("a", &SwingGauge::a, "a body")
        .needs("b", &SwingGauge::b, "the other body")
        .needs("axis", &SwingGauge::axis, "of a at the start, world")
        .field("axis_b", &SwingGauge::axis_b, "of b; None: along a's")
        .field("name", &SwingGauge::name, name_text)
        .constructible();
    Record<SlideGauge>(m, "SlideGauge", "Holds nothing: how far b's point is along an axis of a.")
        .needs("a", &SlideGauge::a, "a body")
        .needs("b", &SlideGauge::b, "the other body")
        .needs("at", &SlideGauge::at, at_text)
        .needs("axis", &SlideGauge::axis, axis_text)
        .field("at_b", &SlideGauge::at_b, at_b_text)
        .field("name", &SlideGauge::name, name_text)
        .field("rate", &SlideGauge::rate, rate_text)
        .constructible();
}

void add_actuators(py::module_& m) {
    auto drive = Record<Drive>(
        m, "Drive",
        "Prescribes a joint's coordinate, or its rate, within the effort it may use. A "
        "position command does not jump: the drive goes to it with a time constant of 20 steps. A "
        "hydraulic drive is a piston behind a valve: it moves at the valve's share of max_speed, "
        "pushed with at most max_effort; it brakes with any effort, and keeps what it has won.");
    drive.enumeration<Drive::Control>("Control", "What a drive prescribes.")
        .value("position", Drive::Control::position, "the coordinate, m or rad")
        .value("speed", Drive::Control::speed, "its rate, m/s or rad/s")
        .value("hydraulic", Drive::Control::hydraulic, "the opening of its valve, −1 … 1")
        .value("friction", Drive::Control::friction,
               "nothing: dry friction, that holds and resists with max_effort");
    drive
        .needs("joint", &Drive::joint,
               "revolute, prismatic, cylindrical, screw, distance or a gauge")
        .field("control", &Drive::control, "position, speed, hydraulic or friction")
        .field("target", &Drive::target,
               "function of time (s); None: World.command sets it, zero until then")
        .field("max_effort", &Drive::max_effort, "N or N m")
        .field("max_speed", &Drive::max_speed, "of a hydraulic drive, m/s or rad/s")
        .field("name", &Drive::name, name_text)
        .constructible();
    Record<Limit>(m, "Limit", "A stop at either end of a joint's coordinate.")
        .needs("joint", &Limit::joint,
               "revolute, prismatic, cylindrical, screw, distance or a gauge")
        .field("min", &Limit::min, "m or rad")
        .field("max", &Limit::max, "m or rad")
        .field("restitution", &Limit::restitution, "0 stays, 1 returns with the speed it came")
        .field("name", &Limit::name, name_text)
        .constructible();
    Record<Coordinate>(
        m, "Coordinate",
        "An unknown of its own for the coordinate: a rotor that turns ratio times as fast as "
        "the joint.")
        .needs("joint", &Coordinate::joint,
               "revolute, prismatic, cylindrical, screw, distance or a gauge")
        .field("inertia", &Coordinate::inertia, "kg m² or kg")
        .field("ratio", &Coordinate::ratio, "of the rotor's speed to the joint's")
        .field("name", &Coordinate::name, name_text)
        .constructible();
}

void add_forces(py::module_& m) {
    Record<Spring>(m, "Spring", "A spring and damper between two points.")
        .needs("a", &Spring::a, "a body")
        .needs("b", &Spring::b, "the other body")
        .needs("at_a", &Spring::at_a, "its end on a at the start, m, world")
        .needs("at_b", &Spring::at_b, "its end on b at the start, m, world")
        .field("stiffness", &Spring::stiffness, "N/m")
        .field("damping", &Spring::damping, "N s/m")
        .field("free_length", &Spring::free_length, "m")
        .field("law", &Spring::law,
               "instead of stiffness and damping: function of elongation (m) and rate (m/s) that "
               "returns the "
               "tension (N)")
        .field("name", &Spring::name, name_text)
        .constructible();
    Record<JointSpring>(m, "JointSpring", "A spring and damper on a joint's coordinate.")
        .needs("joint", &JointSpring::joint,
               "revolute, prismatic, cylindrical, screw, distance or a gauge")
        .field("stiffness", &JointSpring::stiffness, "N/m or N m/rad")
        .field("damping", &JointSpring::damping, "N s/m or N m s/rad")
        .field("rest", &JointSpring::rest, "m or rad")
        .field("law", &JointSpring::law,
               "instead of stiffness and damping: function of coordinate − rest and rate that "
               "returns the "
               "resisting effort (N or N m)")
        .field("name", &JointSpring::name, name_text)
        .constructible();
    Record<Bushing>(m, "Bushing",
                    "Six springs and dampers between two frames that coincide at the start, along "
                    "axes fixed in a.")
        .needs("a", &Bushing::a, "a body")
        .needs("b", &Bushing::b, "the other body")
        .needs("at", &Bushing::at, at_text)
        .field("axes", &Bushing::axes, "directions of the springs, quaternion (w, x, y, z)")
        .field("at_b", &Bushing::at_b, at_b_text)
        .field("axes_b", &Bushing::axes_b, "b's side of the axes, where they do not start as a's")
        .field("stiffness", &Bushing::stiffness, "N/m along each axis")
        .field("damping", &Bushing::damping, "N s/m along each axis")
        .field("angular_stiffness", &Bushing::angular_stiffness, "N m/rad about each axis")
        .field("angular_damping", &Bushing::angular_damping, "N m s/rad about each axis")
        .field("name", &Bushing::name, name_text)
        .constructible();
    Record<Motor>(m, "Motor",
                  "A force or torque along a joint's coordinate. With a no-load speed it falls "
                  "linearly to zero there.")
        .needs("joint", &Motor::joint,
               "revolute, prismatic, cylindrical, screw, distance or a gauge")
        .field("effort", &Motor::effort,
               "function of time (s) that returns N or N m; None: World.command sets it, zero "
               "until then")
        .field("no_load_speed", &Motor::no_load_speed, "m/s or rad/s")
        .field("name", &Motor::name, name_text)
        .constructible();
    Record<UserForce>(m, "UserForce", "A force of your own.")
        .needs("apply", &UserForce::apply,
               "function of (Kinematics, ForceSink) that looks at the first and adds forces to the "
               "second; "
               "called several times a step, so it should depend on nothing else")
        .field("bodies", &UserForce::bodies,
               "those whose motion it depends on: its tangents are taken by differences over them, "
               "so that "
               "stiff forces stay stable; leave it empty for mild forces")
        .field("name", &UserForce::name, name_text)
        .constructible();
}

void add_joint_form(py::module_& m) {
    py::enum_<JointType>(m, "JointType", "Kinds of joint.")
        .value("fixed", JointType::fixed)
        .value("revolute", JointType::revolute)
        .value("prismatic", JointType::prismatic)
        .value("cylindrical", JointType::cylindrical)
        .value("spherical", JointType::spherical)
        .value("universal", JointType::universal)
        .value("planar", JointType::planar)
        .value("point_on_line", JointType::point_on_line)
        .value("point_on_plane", JointType::point_on_plane)
        .value("distance", JointType::distance)
        .value("screw", JointType::screw)
        .value("gear", JointType::gear)
        .value("turn_gauge", JointType::turn_gauge)
        .value("swing_gauge", JointType::swing_gauge)
        .value("slide_gauge", JointType::slide_gauge);
    Record<Joint>(m, "Joint", "Any joint in one form, as Model.joints lists them.")
        .field("type", &Joint::type, "kind")
        .field("a", &Joint::a, "a body")
        .field("b", &Joint::b, "the other body")
        .field("at_a", &Joint::at_a, "a's side at the start, m, world")
        .field("at_b", &Joint::at_b, "b's side at the start, m, world")
        .field("axis", &Joint::axis, "a's axis, unit, world")
        .field("axis_b", &Joint::axis_b, "b's axis, unit, world")
        .field("length", &Joint::length, "of a distance, m")
        .field("ratio", &Joint::ratio, "gear ratio, or a screw's advance per radian, m")
        .field("first", &Joint::first, "of a gear")
        .field("second", &Joint::second, "of a gear")
        .field("name", &Joint::name, "its name")
        .field("rate", &Joint::rate, "of its coordinate at the start, rad/s or m/s")
        .result();
}

}  // namespace

void add_elements(py::module_& m) {
    add_body(m);
    add_joints(m);
    add_gauges(m);
    add_actuators(m);
    add_forces(m);
    add_joint_form(m);
}

}  // namespace bristle::python
