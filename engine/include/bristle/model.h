// What a user describes: bodies, joints, drives, limits, forces and shapes.
//
//     Model model;
//     auto rod = model.add(Body::rod(1.0, 1.0));
//     auto pin = model.add(Revolute{.a = model.ground(), .b = rod, .at = {0, 0, 0}, .axis = {0, 1, 0}});
//
// Bodies are given where they start, and joints by points and axes in world coordinates at that
// start; a model is therefore assembled by construction. If bodies are only roughly where they belong,
// a joint says where b's side of it is (`at_b`, `axis_b`), and `assembled` (bristle/analysis.h) brings
// the two together. No coordinate is ever chosen by the user: the solver picks points and unit vectors
// and shares them between bodies (see docs/formulation.md). `add` checks what it is given and throws
// InputError at once.
#pragma once

#include <bristle/error.h>
#include <bristle/function.h>
#include <bristle/math.h>
#include <bristle/process.h>
#include <bristle/shape.h>
#include <bristle/stateful.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bristle {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

using DriveId = Id<struct DriveTag>;
using LimitId = Id<struct LimitTag>;
using ForceId = Id<struct ForceTag>;
using CoordinateId = Id<struct CoordinateTag>;

// ---- Bodies ---------------------------------------------------------------------------------

struct Body {
    std::string name;
    double mass = 1;  // kg, > 0
    Vec3 center;      // of mass, in the body's frame
    Mat3 inertia;     // about the centre, in body axes; zero for a point
    Vec3 position;    // of the body's frame
    Quat orientation;
    Vec3 velocity;          // of the frame's origin, in world axes
    Vec3 angular_velocity;  // in world axes

    static Body point(double mass);
    // A slender rod from the frame's origin along +x.
    static Body rod(double length, double mass);
    // The same between two points of the world.
    static Body rod(Vec3 from, Vec3 to, double mass);
    static Body box(Vec3 size, double mass);
    static Body sphere(double radius, double mass);
    static Body cylinder(double radius, double length, double mass);  // along z
    // Of a homogeneous material of this density (kg/m³); the frame is that of the geometry.
    static Body of(const Geometry&, double density);

    Body named(std::string n) const;
    Body at(Vec3 p, Quat q = {}) const;
    Body moving(Vec3 linear, Vec3 angular = {}) const;
};

// ---- Joints: `at` and axes are world coordinates at the start ----------------------------------
// at_b, axis_b: b's side, where it does not start at a's. Turns that a joint does not free (about the
// axis of a prismatic joint, any of a fixed one) stay as they start. start_angle: what the angle about the axis
// starts at, rad; of a world that goes on from another. rate: how fast the joint's coordinate starts, rad/s or m/s;
// the bodies' velocities are brought to it, changed as little as possible (start_changes of bristle/analysis.h tells).

struct Fixed {
    BodyId a, b;
    Vec3 at;
    std::optional<Vec3> at_b = {};
    std::string name;
};
struct Revolute {
    BodyId a, b;
    Vec3 at, axis;
    std::optional<Vec3> at_b = {}, axis_b = {};
    std::string name;
    double start_angle = 0;
    std::optional<double> rate = {};
};
struct Prismatic {
    BodyId a, b;
    Vec3 at, axis;
    std::optional<Vec3> at_b = {}, axis_b = {};
    std::string name;
    std::optional<double> rate = {};
};
struct Cylindrical {
    BodyId a, b;
    Vec3 at, axis;
    std::optional<Vec3> at_b = {}, axis_b = {};
    std::string name;
    double start_angle = 0;
    std::optional<double> rate = {};
};
struct Spherical {
    BodyId a, b;
    Vec3 at;
    std::optional<Vec3> at_b = {};
    std::string name;
};
// `axis_a` is fixed in a and `axis_b` in b; they stay perpendicular (unless at_b is given, they start so).
struct Universal {
    BodyId a, b;
    Vec3 at, axis_a, axis_b;
    std::optional<Vec3> at_b = {};
    std::string name;
};
struct Planar {
    BodyId a, b;
    Vec3 at, normal;
    std::optional<Vec3> at_b = {}, normal_b = {};
    std::string name;
    double start_angle = 0;
};
// The point of b that starts at `at` stays on a line (or plane) of a.
struct PointOnLine {
    BodyId a, b;
    Vec3 at, axis;
    std::optional<Vec3> at_b = {};
    std::string name;
};
struct PointOnPlane {
    BodyId a, b;
    Vec3 at, normal;
    std::optional<Vec3> at_b = {};
    std::string name;
};
// A massless bar between two points, as long as they start apart or as `length` says. If a drive, limit, spring, motor or gear acts on its length, a
// massless telescopic strut: then its length is free but for them.
struct Distance {
    BodyId a, b;
    Vec3 at_a, at_b;
    std::optional<double> length = {};
    std::string name;
    std::optional<double> rate = {};
};
// A cylindrical joint that advances `lead` metres per turn.
struct Screw {
    BodyId a, b;
    Vec3 at, axis;
    double lead = 0;
    std::optional<Vec3> at_b = {}, axis_b = {};
    std::string name;
    double start_angle = 0;
    std::optional<double> rate = {};
};
// coordinate(second) = ratio * coordinate(first): gears, pulleys, rack and pinion.
struct Gear {
    JointId first, second;
    double ratio = 1;
    std::string name;
};
// The rack's displacement is `radius` times the pinion's angle.
struct RackAndPinion {
    JointId rack, pinion;
    double radius = 0;
    std::string name;
};

// Gauges hold nothing. Each is one more coordinate between two bodies, for drives, limits, friction, springs, motors and
// gears to act on: the angle of a cylindrical joint, the angles of a cross, the cone of a ball.
//
// The angle about an axis of a at which b's mark is seen, counted over turns. Exactly that of b against a while the mark
// is perpendicular to the axis: at a revolute or cylindrical joint, and with the mark along axis_b for axis_a of a cross.
struct TurnGauge {
    BodyId a, b;
    Vec3 axis;
    std::optional<Vec3> mark = {};  // of b, not along the axis; left out: some perpendicular
    std::string name;
    double start_angle = 0;
    std::optional<double> rate = {};
};
// The angle between an axis of a and one of b, 0 … π: a limit of it is a cone.
struct SwingGauge {
    BodyId a, b;
    Vec3 axis;
    std::optional<Vec3> axis_b = {};
    std::string name;
};
// How far b's point is along an axis of a.
struct SlideGauge {
    BodyId a, b;
    Vec3 at, axis;
    std::optional<Vec3> at_b = {};
    std::string name;
    std::optional<double> rate = {};
};

// ---- What acts on a joint's coordinate ----------------------------------------------------------
// Angle of a revolute joint (counted over turns), displacement of a prismatic, cylindrical or screw
// joint, length of a distance, what a gauge reads. Angle and displacement start at zero, unless the joint says otherwise.

// Prescribes the coordinate, or its rate; within the effort it may use (N or N m). A position command
// does not jump: the drive goes to it with a time constant of 20 steps.
//
// A hydraulic drive is a piston behind a valve (spec D5). Its target is the valve's opening, −1 … 1 (what is
// beyond opens it fully): the coordinate grows or shrinks at that share of max_speed, pushed with at most
// max_effort; braking is not limited, so that a load does not overrun it. What it has won it keeps: against
// the direction of the command, and both ways at zero, the coordinate is locked.
//
// Friction is dry: it holds the coordinate where it is with up to max_effort, and resists motion with as much. It has no
// target and is not commanded; a joint may have it beside another drive.
struct Drive {
    enum class Control { position, speed, hydraulic, friction };
    JointId joint;
    Control control = Control::position;
    TimeFunction target;  // empty: World::command sets it, zero until then
    double max_effort = unlimited;
    double max_speed = 0;  // of a hydraulic drive, m/s or rad/s
    std::string name;
};
// A stop at either end; restitution 0 stays, 1 returns with the speed it came.
struct Limit {
    JointId joint;
    double min = -unlimited, max = unlimited;
    double restitution = 0;
    std::string name;
};
// An unknown of its own for the coordinate (spec A3): a rotor of this inertia (kg m² or kg) that
// turns `ratio` times as fast as the joint.
struct Coordinate {
    JointId joint;
    double inertia = 0, ratio = 1;
    std::string name;
};

// ---- Forces --------------------------------------------------------------------------------------

struct Spring {
    BodyId a, b;
    Vec3 at_a, at_b;
    double stiffness = 0, damping = 0, free_length = 0;
    ForceLaw law;  // instead of stiffness and damping: tension from elongation and rate
    std::string name;
};
struct JointSpring {
    JointId joint;
    double stiffness = 0, damping = 0, rest = 0;
    ForceLaw
        law;  // instead of stiffness and damping: resisting effort from coordinate − rest, rate
    std::string name;
};
// Six springs and dampers between two frames, along axes fixed in a. The frames coincide at the start,
// unless b's is given.
struct Bushing {
    BodyId a, b;
    Vec3 at;
    Quat axes;
    std::optional<Vec3> at_b = {};
    std::optional<Quat> axes_b = {};
    Vec3 stiffness, damping, angular_stiffness, angular_damping;
    std::string name;
};
// A force or torque along a joint's coordinate. With a no-load speed it falls linearly to zero there.
struct Motor {
    JointId joint;
    TimeFunction effort;  // empty: World::command sets it, zero until then
    double no_load_speed = unlimited;
    std::string name;
};

// What a user force may look at, and where it puts its forces (world axes).
class Kinematics {
  public:
    virtual ~Kinematics() = default;
    virtual double time() const = 0;
    virtual Pose pose(BodyId) const = 0;
    virtual Twist twist(BodyId) const = 0;
    // N: the normal forces of all contacts of the two bodies, or of the one with whatever touches it, as they were at the end of
    // the last step.
    virtual double normal_force(BodyId, std::optional<BodyId> against) const {
        static_cast<void>(against);
        return 0;
    }
    double normal_force(BodyId body) const { return normal_force(body, std::nullopt); }
};
class ForceSink {
  public:
    virtual ~ForceSink() = default;
    virtual void add_force(BodyId, Vec3 force, Vec3 at) = 0;
    virtual void add_torque(BodyId, Vec3 torque) = 0;
};
// A force of the user's own. `bodies` are those whose motion it depends on: its tangents are taken
// by differences over them, so that stiff forces stay stable; leave it empty for mild forces.
struct UserForce {
    std::function<void(const Kinematics&, ForceSink&)> apply;
    std::vector<BodyId> bodies;
    std::string name;

    // How a scene file says it, if it can: three expressions each, of time t, of place x y z and velocity
    // vx vy vz of a point of the body, and of the normal force n it is pressed with; no expressions: none. io::point_force (bristle/scene.h) makes such a force.
    struct Text {
        BodyId body;
        Vec3 at;  // in the body
        std::vector<std::string> force, torque;
    };
    std::optional<Text> text = {};
};

// ---- The model -----------------------------------------------------------------------------------

enum class JointType : uint8_t {
    fixed,
    revolute,
    prismatic,
    cylindrical,
    spherical,
    universal,
    planar,
    point_on_line,
    point_on_plane,
    distance,
    screw,
    gear,
    turn_gauge,
    swing_gauge,
    slide_gauge
};
const char* to_string(JointType);

// Any joint in one form, as the solvers read it.
struct Joint {
    JointType type = JointType::fixed;
    BodyId a, b;
    Vec3 at_a, at_b;         // equal but for a distance, once it is assembled
    Vec3 axis, axis_b;       // unit; equal but for a universal joint and gauges
    double length = 0;       // of a distance
    double start_angle = 0;  // about the axis: a world that goes on from another counts from here
    double ratio = 0;        // gear ratio, or a screw's advance per radian
    JointId first, second;   // of a gear
    std::string name;
    std::optional<double> rate = {};  // of its coordinate at the start
};

class Model {
  public:
    Vec3 gravity{0, 0, -9.81};
    // Of a planar model (spec D6): bodies move in planes of this normal and turn about it alone. Shapes
    // are seen as their outlines in that plane: circles, convex polygons and compounds of them.
    std::optional<Vec3> plane_normal;

    static constexpr BodyId ground() { return {0}; }

    BodyId add(Body);
    JointId add(const Fixed&);
    JointId add(const Revolute&);
    JointId add(const Prismatic&);
    JointId add(const Cylindrical&);
    JointId add(const Spherical&);
    JointId add(const Universal&);
    JointId add(const Planar&);
    JointId add(const PointOnLine&);
    JointId add(const PointOnPlane&);
    JointId add(const Distance&);
    JointId add(const Screw&);
    JointId add(const Gear&);
    JointId add(const RackAndPinion&);
    JointId add(const TurnGauge&);
    JointId add(const SwingGauge&);
    JointId add(const SlideGauge&);
    DriveId add(Drive);
    LimitId add(Limit);
    CoordinateId add(Coordinate);
    ForceId add(Spring);
    ForceId add(JointSpring);
    ForceId add(Bushing);
    ForceId add(Motor);
    ForceId add(UserForce);
    ForceId add(StatefulForce);
    ProcessId add(std::shared_ptr<const Process>);
    MaterialId add(Material);
    void add(const ContactPair&);  // the last one of a pair counts
    ShapeId add(Shape);
    void add(NoContact);

    // With everything that is on a body or acts on a joint. Ids are never used again; what is gone stays
    // in the lists below, and `contains` tells.
    void remove(BodyId);
    void remove(JointId);
    void remove(DriveId);
    void remove(LimitId);
    void remove(CoordinateId);
    void remove(ForceId);
    void remove(ProcessId);
    void remove(ShapeId);
    bool contains(BodyId) const;
    bool contains(JointId) const;
    bool contains(DriveId) const;
    bool contains(LimitId) const;
    bool contains(CoordinateId) const;
    bool contains(ForceId) const;
    bool contains(ProcessId) const;
    bool contains(ShapeId) const;

    // By name; throws InputError with the nearest name there is.
    BodyId body(const std::string& name) const;
    JointId joint(const std::string& name) const;
    DriveId drive(const std::string& name) const;
    LimitId limit(const std::string& name) const;
    CoordinateId rotor(const std::string& name) const;
    ForceId force(const std::string& name) const;
    MaterialId material(const std::string& name) const;
    ShapeId shape(const std::string& name) const;
    const std::string& name(ForceId) const;

    Combine friction_rule = Combine::geometric_mean, restitution_rule = Combine::minimum;

    // In the order they were added; bodies()[0] is the ground.
    const std::vector<Body>& bodies() const { return bodies_; }
    const std::vector<Joint>& joints() const { return joints_; }
    const std::vector<Drive>& drives() const { return drives_; }
    const std::vector<Limit>& limits() const { return limits_; }
    const std::vector<Coordinate>& coordinates() const { return coordinates_; }

    // Forces keep their kind; `forces()` says where each ForceId is.
    enum class ForceKind : uint8_t { spring, joint_spring, bushing, motor, user, stateful };
    struct ForceRef {
        ForceKind kind;
        uint32_t index;
    };
    const std::vector<ForceRef>& forces() const { return forces_; }
    const std::vector<Spring>& springs() const { return springs_; }
    const std::vector<JointSpring>& joint_springs() const { return joint_springs_; }
    const std::vector<Bushing>& bushings() const { return bushings_; }
    const std::vector<Motor>& motors() const { return motors_; }
    const std::vector<UserForce>& user_forces() const { return user_forces_; }
    const std::vector<StatefulForce>& stateful_forces() const { return stateful_forces_; }

    const std::vector<std::shared_ptr<const Process>>& processes() const { return processes_; }

    const std::vector<Material>& materials() const { return materials_; }  // [0] is the default
    const std::vector<ContactPair>& contact_pairs() const { return contact_pairs_; }
    const std::vector<Shape>& shapes() const { return shapes_; }
    const std::vector<NoContact>& no_contacts() const { return no_contacts_; }
    // Of the table, or by the combination rules.
    ContactLaw contact_law(MaterialId a, MaterialId b) const;

    // Whether the two sides of every joint are together, within 1e-9 of the model's size.
    bool is_assembled() const;
    // Whether a drive, limit, spring, motor, stateful force, gear or rotor acts on the joint's coordinate.
    bool is_acted_on(JointId) const;
    // Whether the joint has a single coordinate that drives, limits and springs can act on.
    bool has_coordinate(JointId) const;

    Model();

  private:
    friend struct ModelEditor;
    JointId add_joint(Joint);
    ForceId add_force(ForceKind, size_t index);

    std::vector<Body> bodies_;
    std::vector<Joint> joints_;
    std::vector<Drive> drives_;
    std::vector<Limit> limits_;
    std::vector<Coordinate> coordinates_;
    std::vector<ForceRef> forces_;
    std::vector<Spring> springs_;
    std::vector<JointSpring> joint_springs_;
    std::vector<Bushing> bushings_;
    std::vector<Motor> motors_;
    std::vector<UserForce> user_forces_;
    std::vector<StatefulForce> stateful_forces_;
    std::vector<std::shared_ptr<const Process>> processes_;
    std::vector<Material> materials_;
    std::vector<ContactPair> contact_pairs_;
    std::vector<Shape> shapes_;
    std::vector<NoContact> no_contacts_;
    // Of every id: whether it was removed.
    std::vector<bool> body_gone_, joint_gone_, drive_gone_, limit_gone_, coordinate_gone_,
        force_gone_, process_gone_, shape_gone_;
};

}  // namespace bristle
