// A model in motion.
//
//     World world(model, AugmentedLagrangian{.step = 5e-3});
//     world.advance_to(10.0);
//     world.reaction(pin).force;
//
// The first step starts from consistent velocities, accelerations and multipliers. Every step has
// the same length and a bounded number of iterations. One of second order that does not converge is taken by a rule of first
// order that always ends (docs/rough.md). What no step can mend throws SimulationError; the last good state is kept.
#pragma once

#include <bristle/model.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace bristle {

enum class Integrator : uint8_t { newmark, hht, generalized_alpha };
enum class Projection : uint8_t {
    tangent,  // with the factorization of the step: costs two solves
    mass      // orthogonal in the mass matrix: costs a factorization more
};

// The index-3 augmented Lagrangian; the defaults need no tuning.
struct AugmentedLagrangian {
    double step = 1e-3;  // s
    Integrator integrator = Integrator::newmark;
    double newmark_beta = 0.25, newmark_gamma = 0.5;  // the trapezoidal rule
    double hht_delta = 0.05;                          // 0 … 1/3, 0 dissipates nothing
    double rho_infinity = 0.9;  // generalized-α: 1 dissipates nothing, towards 0 most
    Projection projection = Projection::tangent;
    int max_iterations = 11;
    double penalty = 1e8;  // dimensionless: times the effective mass of each constraint
    // m: bodies at rest, and further than this from all that moves, are taken out of the computation
    // until something comes near (spec A13).
    double take_out_beyond = unlimited;
    // For islands, which only contact connects; the results do not depend on it. One is used while a function of the model is known
    // only by what it computes (bristle/function.h): that may not bear being called on another thread.
    int threads = 1;
};

// ---- Other formulations, for comparison and teaching (spec A10): see docs/formulations.md ----------
// All are explicit, by the classical Runge-Kutta rule of fourth order. They know joints, springs, motors,
// user forces and drives of unlimited effort, but neither contacts nor limits.

// Lagrange multipliers on accelerations: M q̈ + Jᵀλ = Q,  Φ̈ + 2ζω Φ̇ + ω² Φ = 0.
struct Baumgarte {
    double step = 1e-3;
    double frequency = 0;  // ω, rad/s; zero: 1/(2 step)
    double damping = 1;    // ζ; stable for ωζ · step < 1 and ω · step < 4ζ
};
// Springs and dampers instead of multipliers: M q̈ + Jᵀ α (Φ̈ + 2ζω Φ̇ + ω² Φ) = Q.
struct Penalty {
    double step = 1e-3;
    double penalty = 1e7;               // α over the effective mass of each constraint
    double frequency = 0, damping = 1;  // as Baumgarte's
};
// The projection matrix R: q̇ = R ż with independent velocities ż, Rᵀ M R z̈ = Rᵀ (Q − M Ṙ ż). Positions
// are brought back onto the constraints after every step.
struct IndependentCoordinates {
    double step = 1e-3;
};

// ---- Impulses (spec D): see docs/impulse.md ---------------------------------------------------------

// Velocities that satisfy joints and contacts at the end of every step, for many bodies at once: piles,
// stacks, ragdolls. Contacts are rigid: of a material, friction and restitution count.
struct Impulse {
    // How errors of position are mended.
    enum class Correction : uint8_t {
        substeps,  // the step in `iterations` parts, each solved once with constraints that give a little
        baumgarte  // the whole step `iterations` times, errors as velocities (GRI 2.8)
    };
    // Islands with few loops can be solved at once, by a factorization, instead of row by row.
    enum class Direct : uint8_t { where_it_pays, never };
    // Which law holds where several contacts of bodies that hang together are struck within a step (docs/impulse.md, 3).
    enum class Impacts : uint8_t {
        together,  // all leave at the same moment, each with its restitution (Newton's law)
        in_turn  // one after the other, the fastest first, as if there were a little room between them
    };

    double step = 0.01;  // s
    int iterations = 10;
    Correction correction = Correction::substeps;
    Direct direct = Direct::where_it_pays;
    double error_reduction = 0.4;   // of Baumgarte's correction, per step
    double allowed_depth = 0.0005;  // m, that it leaves
    // m/s: what touches more slowly does not bounce. Not given: what falls for four steps, 4 g h.
    std::optional<double> resting_speed = {};
    Impacts impacts = Impacts::together;
    // An island slower than this for so long falls asleep until something touches it; `unlimited`: never.
    double sleep_after = 0.5;                      // s
    double sleep_speed = 0.03, sleep_spin = 0.06;  // m/s, rad/s
    int threads = 1;                               // the results do not depend on it
};

using Settings =
    std::variant<AugmentedLagrangian, Baumgarte, Penalty, IndependentCoordinates, Impulse>;
double step_of(const Settings&);

struct Reaction {
    Vec3 force;   // on body b, in world axes
    Vec3 moment;  // on body b about the joint's point
};

// Potential energy is of gravity and springs. What contacts store while they are pressed is beside it: it belongs to nobody for
// long.
struct Energy {
    double kinetic = 0, potential = 0;
    double contact = 0;  // by normal springs and bristles
    double total() const { return kinetic + potential; }
};

// A place where two shapes press on each other, over the last step.
struct Contact {
    ShapeId a, b;
    BodyId body_a, body_b;
    Vec3 point, normal;  // world; the normal points from b to a
    double depth = 0;    // m, at the end of the step
    Vec3 force;          // on a, mean of the step
    Vec3 torque;         // on a: rolling and spinning resistance
    double slip_speed = 0;
    bool slips = false;
};

// A region two solids share, over the last step (volumetric contact). The force acts at the centroid; `contacts`
// has it too, as one contact there.
struct Patch {
    ShapeId a, b;
    BodyId body_a, body_b;
    double volume = 0;  // m³
    Vec3 centroid;
    Mat3 inertia;                     // of the region about its centroid, unit density
    Vec3 normal;                      // from b to a
    double area = 0;                  // m²: of the contour, seen along the normal
    double pressure = 0;              // Pa: mean, normal force over area
    Vec3 force, torque;               // on a, mean of the step; the torque about the centroid
    double slip_speed = 0, spin = 0;  // m/s at the centroid, rad/s about the normal
    bool slips = false;
    std::vector<std::array<Vec3, 2>>
        contour;  // segments, counter-clockwise seen against the normal
};

// Where two surfaces pass through each other: a closed line, the plane that fits it best, and how far the bodies reach
// through that plane.
struct ContactContour {
    std::vector<Vec3> points;         // in order, counter-clockwise seen against the normal
    Vec3 plane_point, normal;         // least squares; from b to a
    double depth_a = 0, depth_b = 0;  // m: of a below the plane, of b above it
    double indentation() const { return depth_a + depth_b; }
};

// What two solids share now, for looking inside: which triangles meet, which are inside, and the region itself.
struct SharedVolume {
    ShapeId a, b;
    double volume = 0;
    TriangleMesh mesh;             // closed, world coordinates
    std::vector<uint32_t> source;  // of every triangle of `mesh`: that of a or b it is a part of …
    std::vector<uint8_t> side;     // … 0 for a, 1 for b
    std::vector<uint32_t> crossed_a, crossed_b;  // triangles that meet the other surface
    std::vector<uint32_t> inner_a, inner_b;      // triangles all inside the other solid
    std::vector<ContactContour> contours;
};

// Answers to questions about where shapes are now.
struct ShapeHit {
    ShapeId shape;
    BodyId body;
    double distance = 0;  // m, along the ray
    Vec3 point, normal;   // the normal points against the ray
};
struct ShapePoint {
    double distance = 0;  // m, negative inside
    Vec3 point, normal;   // of the surface, the normal outward
};
struct ShapeDistance {
    double distance = 0;  // m, negative: how deep they are in each other
    Vec3 on_a, on_b;
    Vec3 normal;  // from b to a
};

// Where a calm step would not do, and why (docs/rough.md).
struct RoughPlace {
    enum class Why : uint8_t { nothing, no_convergence, energy, strayed };
    Why why = Why::nothing;
    double time = 0;  // s, when that step began
    BodyId a, b;      // that touch there; the ground and a body, if nothing does
    Vec3 point;       // m, world
};

// For people: "at 1.25 s, bucket and crate at (1.2, 0, 0.3) m: gained energy".
std::string describe(const RoughPlace&, const Model&);

// What the solver did since the start.
struct StepStatistics {
    uint64_t steps = 0, iterations = 0, factorizations = 0;
    uint64_t impact_steps =
        0;  // with contacts struck so hard that the midpoint rule or impulses were taken
    uint64_t rough_steps = 0;  // taken by the convex step, of first order: docs/rough.md
    uint64_t held_steps =
        0;  // of those: joints could not follow, everything stayed and slowed down
    RoughPlace last_rough;
    // s: the longest step at which no contact would be softer than its bodies are expected to be (docs/contact.md, 5). Infinite if
    // none was, at the step that was taken.
    double resting_step = unlimited;
    // m/s: the fastest that something should have left with after an impact, and did not: Impulse::resting_speed.
    double lost_bounce = 0;
    uint64_t coordinate_changes = 0;  // IndependentCoordinates: how often others were taken
    int worst_iterations = 0;
    double average_iterations() const { return steps ? double(iterations) / double(steps) : 0; }
};

// Where the time of steps goes, stage by stage in the order a step has them; which stages there are depends on the solver.
struct StepProfile {
    struct Stage {
        std::string name;
        double total = 0;  // s, over all steps …
        double worst = 0;  // … and in the longest
    };
    std::vector<Stage> stages;
    uint64_t steps = 0;
    uint64_t worst_step = 0;  // its number, from the first that was measured
};

// How far the constraints are from holding now: lengths and unit vectors at the model's own scale.
struct ConstraintError {
    double position = 0;  // largest violation over the model's size
    double velocity = 0;  // largest violation rate over the model's fastest point
};

// One point or unit vector the program chose, for those who want to look (spec A2).
struct Entity {
    enum class Kind : uint8_t { point, vector, scalars } kind;
    Vec3 value;
    std::vector<BodyId> bodies;  // that share it
};

// What a drive's coordinate does at an instant.
struct DriveMotion {
    DriveId drive;
    double position = 0, rate = 0, acceleration = 0;
};

// The state of a world. Kept as numbers (in a file, for another process) it can be restored where bodies and
// joints are those the world started with; in memory it also undoes changes of the model.
class Snapshot {
  public:
    Snapshot(uint64_t origin, uint64_t equations, std::vector<std::byte> bytes)
        : origin_(origin), equations_(equations), bytes_(std::move(bytes)) {}
    uint64_t origin() const { return origin_; }        // fingerprint of the model at the start …
    uint64_t equations() const { return equations_; }  // … and of what the bytes are a state of
    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    friend class World;
    uint64_t origin_, equations_;
    std::shared_ptr<const void> recipe_;  // how to make the equations the bytes belong to
    std::vector<std::byte> bytes_;
};

class World {
  public:
    // A model whose joints do not meet is assembled first.
    explicit World(const Model& model, const AugmentedLagrangian& settings = {});
    World(const Model& model, const Settings& settings);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    void step();
    void advance_to(double time);  // whole steps, until time is reached within half a step
    double time() const;
    const Model& model() const;
    const Settings& settings() const;

    // Run-time changes (spec A13): `edit` gets the model as it is now, bodies and joints where they are, and
    // may add and remove. What it leaves alone keeps its motion, turns, modes and contacts. If it throws,
    // or what it made cannot be simulated, nothing has happened.
    void change(const std::function<void(Model&)>& edit);
    // The model as it is now: a World of it goes on from here, at time zero.
    Model model_now() const;
    // At rest, and not computed until something comes near or touches it.
    bool is_asleep(BodyId) const;

    Pose pose(BodyId) const;
    Twist twist(BodyId) const;
    // Of all bodies by their ids, the ground first; valid until the world steps or changes.
    std::span<const Pose> poses() const;
    std::span<const Twist> twists() const;
    Vec3 acceleration(BodyId) const;       // of the frame's origin
    Vec3 point(BodyId, Vec3 local) const;  // where a point of the body is
    Vec3 point_velocity(BodyId, Vec3 local) const;
    // Angle, displacement or length. Turns are counted where a drive, limit, spring or gear acts on it.
    double coordinate(JointId) const;
    double coordinate_rate(JointId) const;
    double angle(JointId) const;  // of b against a about the joint's axis, −π … π
    Reaction reaction(JointId) const;
    double effort(DriveId) const;  // force or torque along the coordinate, on b
    double work(DriveId)
        const;  // J that it has put in since the start; its effort by its way, step by step
    double effort(LimitId) const;
    double tension(ForceId) const;  // of a spring; resisting effort of a joint spring
    std::vector<Contact> contacts() const;
    std::vector<Patch> patches() const;
    // Of all pairs of solids that have patches now; of meshes, not of sphere trees.
    std::vector<SharedVolume> shared_volumes() const;
    Energy energy() const;
    // Of the bodies, rotors not counted: Σ m v, and Σ (r − about) × m v + I ω, of one body or of all.
    Vec3 momentum() const;
    Vec3 angular_momentum(Vec3 about) const;
    Vec3 angular_momentum(BodyId, Vec3 about) const;
    Vec3 center_of_mass() const;  // of all bodies

    // The first shape on a ray; one that starts inside a shape hits it at once.
    std::optional<ShapeHit> cast_ray(Vec3 origin, Vec3 direction, double length = unlimited) const;
    std::optional<ShapePoint> closest_point(ShapeId, Vec3 point) const;
    // Nothing beyond the limit, or for two pieces of scenery.
    std::optional<ShapeDistance> closest_points(ShapeId a, ShapeId b,
                                                double limit = unlimited) const;
    std::vector<ShapeId> shapes_in_box(Vec3 low, Vec3 high) const;
    std::vector<ShapeId> shapes_overlapping(ShapeId) const;

    // Targets of drives and efforts of motors that have no function of time.
    void command(DriveId, double target);
    void command(ForceId motor, double effort);
    // An input of a stateful force.
    void command(ForceId stateful, size_t input, double value);

    // Height fields are state: their heights, and where they are, change between steps without a change of the model. What lies on
    // them notices: it falls, is pushed out slowly where ground rises into it, and wakes. Costs go with what is changed. Throws
    // InputError if the shape is no height field (on its own, not within a compound).
    const HeightField& height_field(ShapeId) const;
    Pose field_pose(ShapeId) const;  // of its frame, in its body
    void set_heights(ShapeId, const GridArea&, std::span<const double> heights);  // row by row
    void place_field(ShapeId, Vec3 position);                                     // in its body
    // For who keeps a copy of a field: appends where its heights may have changed after that version, and tells the version now.
    // After version 0 that is where they may be other than those of the model at the start.
    uint64_t changed_heights(ShapeId, uint64_t since, std::vector<GridArea>& into) const;
    // Rays against the shapes of the ground alone; until the world steps or its heights change.
    const Scenery& scenery() const;
    // What a process remembers.
    const ProcessMemory& memory(ProcessId) const;

    // Of a stateful force: what was commanded; its law's numbers; and the mean efforts of the last step, of its joints, then of its
    // points as vectors of the world.
    std::vector<double> inputs(ForceId) const;
    std::vector<double> memory(ForceId) const;
    // The same without taking from the heap: what fits into the list, which is handed back as far as it is filled.
    std::span<const double> memory(ForceId, std::span<double> into) const;
    std::vector<double> efforts(ForceId) const;

    // Kinematics and inverse dynamics (spec A14), for a mechanism whose drives leave it no freedom:
    // positions, velocities and accelerations follow from theirs alone, reactions and efforts from
    // equilibrium. Throws SimulationError if the drives' positions cannot be reached from here, or leave
    // freedom.
    void guide(double time);  // as the drives' functions of time say
    void guide(std::span<const DriveMotion> motion);

    StepStatistics statistics() const;
    // Measures stages from now on, at some hundred nanoseconds a step; empty if nobody asked for it, and for the
    // formulations that are there for comparison.
    void measure_stages();
    StepProfile profile() const;
    ConstraintError constraint_error() const;
    int degrees_of_freedom() const;  // in this position
    int redundant_constraints() const;
    std::vector<Entity> entities() const;
    size_t coordinates() const;  // unknowns: three an entity
    size_t constraints() const;  // equations between them

    Snapshot snapshot() const;
    // Of the same model, also from before a change: that is then undone. Throws InputError otherwise.
    void restore(const Snapshot&);
    uint64_t hash() const;  // of all that persists

    struct Impl;  // what is behind it

  private:
    friend struct WorldAccess;  // analyses
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle
