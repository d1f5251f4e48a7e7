// Settings of a world, and what it answers.
#include <bristle/world.h>

#include "python/parts.h"
#include "python/record.h"

namespace bristle::python {
namespace {

void add_impulse(py::module_& m) {
    auto impulse = Record<Impulse>(
        m, "Impulse",
        "Impulses at velocities, with rigid contact: for piles, stacks and ragdolls of many "
        "bodies. Of a material, friction and restitution count.");
    impulse.enumeration<Impulse::Correction>("Correction", "How errors of position are mended.")
        .value("substeps", Impulse::Correction::substeps,
               "the step in `iterations` parts, each solved once with constraints that give a "
               "little")
        .value("baumgarte", Impulse::Correction::baumgarte,
               "the whole step `iterations` times, errors as velocities");
    impulse
        .enumeration<Impulse::Direct>("Direct",
                                      "Whether islands with few loops are solved at once.")
        .value("where_it_pays", Impulse::Direct::where_it_pays, "by a factorization")
        .value("never", Impulse::Direct::never, "row by row");
    impulse
        .enumeration<Impulse::Impacts>(
            "Impacts", "Which law holds where several contacts are struck within a step.")
        .value("together", Impulse::Impacts::together,
               "all leave at the same moment, each with its restitution")
        .value("in_turn", Impulse::Impacts::in_turn, "one after the other, the fastest first");
    impulse.field("step", &Impulse::step, "s")
        .field("iterations", &Impulse::iterations, "of a step")
        .field("correction", &Impulse::correction, "how errors of position are mended")
        .field("direct", &Impulse::direct, "whether islands with few loops are solved at once")
        .field("error_reduction", &Impulse::error_reduction,
               "of Baumgarte's correction, per step: 0 … 1")
        .field("allowed_depth", &Impulse::allowed_depth,
               "m, of a contact, that baumgarte's correction leaves")
        .field(
            "resting_speed", &Impulse::resting_speed,
            "m/s: what touches more slowly does not bounce; None: what falls for four steps, 4 g "
            "step")
        .field("impacts", &Impulse::impacts,
               "which law holds where several contacts are struck within a step")
        .field("sleep_after", &Impulse::sleep_after,
               "s: an island that is slow for so long falls asleep until something touches it; "
               "unlimited: never")
        .field("sleep_speed", &Impulse::sleep_speed, "m/s, below which it is slow")
        .field("sleep_spin", &Impulse::sleep_spin, "rad/s, below which it is slow")
        .field("threads", &Impulse::threads, "1 … 64; the results do not depend on it")
        .constructible();
}

void add_settings(py::module_& m) {
    py::enum_<Integrator>(m, "Integrator", "Rules of integration.")
        .value("newmark", Integrator::newmark,
               "the trapezoidal rule, unless beta and gamma say otherwise")
        .value("hht", Integrator::hht, "Hilber-Hughes-Taylor")
        .value("generalized_alpha", Integrator::generalized_alpha, "Chung-Hulbert");
    py::enum_<Projection>(m, "Projection", "How velocities and accelerations are made consistent.")
        .value("tangent", Projection::tangent,
               "with the factorization of the step: costs two solves")
        .value("mass", Projection::mass,
               "orthogonal in the mass matrix: costs a factorization more");
    Record<AugmentedLagrangian>(m, "AugmentedLagrangian",
                                "The index-3 augmented Lagrangian; the defaults need no tuning.")
        .field("step", &AugmentedLagrangian::step, "s")
        .field("integrator", &AugmentedLagrangian::integrator, "rule of integration")
        .field("newmark_beta", &AugmentedLagrangian::newmark_beta, "of the Newmark rule")
        .field("newmark_gamma", &AugmentedLagrangian::newmark_gamma, "of the Newmark rule")
        .field("hht_delta", &AugmentedLagrangian::hht_delta, "0 … 1/3, 0 dissipates nothing")
        .field("rho_infinity", &AugmentedLagrangian::rho_infinity,
               "generalized-α: 1 dissipates nothing, towards 0 most")
        .field("projection", &AugmentedLagrangian::projection,
               "how velocities and accelerations are made consistent")
        .field("max_iterations", &AugmentedLagrangian::max_iterations, "in a step")
        .field("penalty", &AugmentedLagrangian::penalty,
               "times the effective mass of each constraint")
        .field("take_out_beyond", &AugmentedLagrangian::take_out_beyond,
               "m: bodies at rest, and further than this from all that moves, are taken out of the "
               "computation")
        .field("threads", &AugmentedLagrangian::threads,
               "1 … 64, for islands; the results do not depend on it. One is used where a function "
               "of Python's is called")
        .constructible();
    Record<Baumgarte>(m, "Baumgarte",
                      "Lagrange multipliers on accelerations, stabilized; explicit.")
        .field("step", &Baumgarte::step, "s")
        .field("frequency", &Baumgarte::frequency, "rad/s; zero: 1/(10 step)")
        .field("damping", &Baumgarte::damping, "ratio")
        .constructible();
    Record<Penalty>(m, "Penalty", "Springs and dampers instead of multipliers; explicit.")
        .field("step", &Penalty::step, "s")
        .field("penalty", &Penalty::penalty, "over the effective mass of each constraint")
        .field("frequency", &Penalty::frequency, "rad/s; zero: 1/(10 step)")
        .field("damping", &Penalty::damping, "ratio")
        .constructible();
    Record<IndependentCoordinates>(m, "IndependentCoordinates",
                                   "Independent velocities by the projection matrix; explicit.")
        .field("step", &IndependentCoordinates::step, "s")
        .constructible();
    add_impulse(m);
}

void add_forces(py::module_& m) {
    Record<Reaction>(m, "Reaction", "What a joint does to body b.")
        .field("force", &Reaction::force, "on body b, N, in world axes")
        .field("moment", &Reaction::moment, "on body b about the joint's point, N m")
        .result();
    Record<Energy>(
        m, "Energy",
        "Kinetic, and potential of gravity and springs; what contacts store is not in it.")
        .field("kinetic", &Energy::kinetic, "J")
        .field("potential", &Energy::potential, "J")
        .field("contact", &Energy::contact, "J: stored by pressed contacts, not in the total")
        .result()
        .def_property_readonly("total", &Energy::total, "J");
    Record<Contact>(m, "Contact",
                    "A place where two shapes press on each other, over the last step.")
        .field("a", &Contact::a, "a shape")
        .field("b", &Contact::b, "the other shape")
        .field("body_a", &Contact::body_a, "of a")
        .field("body_b", &Contact::body_b, "of b")
        .field("point", &Contact::point, "m, world")
        .field("normal", &Contact::normal, "world, from b to a")
        .field("depth", &Contact::depth, "m, at the end of the step")
        .field("force", &Contact::force, "on a, N, mean of the step")
        .field("torque", &Contact::torque, "on a, N m: rolling and spinning resistance")
        .field("slip_speed", &Contact::slip_speed, "m/s")
        .field("slips", &Contact::slips, "whether it slides")
        .result();
    Record<Patch>(m, "Patch", "A region two solids share, over the last step (volumetric contact).")
        .field("a", &Patch::a, "a shape")
        .field("b", &Patch::b, "the other shape")
        .field("body_a", &Patch::body_a, "of a")
        .field("body_b", &Patch::body_b, "of b")
        .field("volume", &Patch::volume, "m³")
        .field("centroid", &Patch::centroid, "m, world")
        .field("inertia", &Patch::inertia, "of the region about its centroid, unit density, m⁵")
        .field("normal", &Patch::normal, "world, from b to a")
        .field("area", &Patch::area, "of the contour seen along the normal, m²")
        .field("pressure", &Patch::pressure, "normal force over area, Pa")
        .field("force", &Patch::force, "on a, N, mean of the step")
        .field("torque", &Patch::torque, "on a about the centroid, N m")
        .field("slip_speed", &Patch::slip_speed, "m/s at the centroid")
        .field("spin", &Patch::spin, "of a against b about the normal, rad/s")
        .field("slips", &Patch::slips, "whether it slides")
        .field("contour", &Patch::contour, "segments: pairs of points, m, world")
        .result();
}

void add_answers(py::module_& m) {
    Record<ShapeHit>(m, "ShapeHit", "The first shape on a ray.")
        .field("shape", &ShapeHit::shape, "that was hit")
        .field("body", &ShapeHit::body, "of the shape")
        .field("distance", &ShapeHit::distance, "m, along the ray")
        .field("point", &ShapeHit::point, "m, world")
        .field("normal", &ShapeHit::normal, "against the ray")
        .result();
    Record<ShapePoint>(m, "ShapePoint", "The point of a surface nearest to a point.")
        .field("distance", &ShapePoint::distance, "m, negative inside")
        .field("point", &ShapePoint::point, "of the surface, m, world")
        .field("normal", &ShapePoint::normal, "outward")
        .result();
    Record<ShapeDistance>(m, "ShapeDistance", "The nearest points of two shapes.")
        .field("distance", &ShapeDistance::distance, "m, negative: how deep they are in each other")
        .field("on_a", &ShapeDistance::on_a, "m, world")
        .field("on_b", &ShapeDistance::on_b, "m, world")
        .field("normal", &ShapeDistance::normal, "from b to a")
        .result();
    py::enum_<RoughPlace::Why>(m, "RoughWhy", "Why a calm step would not do.")
        .value("nothing", RoughPlace::Why::nothing)
        .value("no_convergence", RoughPlace::Why::no_convergence)
        .value("energy", RoughPlace::Why::energy)
        .value("strayed", RoughPlace::Why::strayed);
    Record<RoughPlace>(m, "RoughPlace", "Where a calm step would not do, and why.")
        .field("why", &RoughPlace::why,
               "no convergence, energy gained, or far from where contacts were found")
        .field("time", &RoughPlace::time, "s, when that step began")
        .field("a", &RoughPlace::a, "body that touches there, or the ground")
        .field("b", &RoughPlace::b, "the other")
        .field("point", &RoughPlace::point, "m, world")
        .result();
    Record<StepStatistics>(m, "StepStatistics", "What the solver did since the start.")
        .field("steps", &StepStatistics::steps, "number")
        .field("iterations", &StepStatistics::iterations, "of all steps")
        .field("factorizations", &StepStatistics::factorizations, "of all steps")
        .field("impact_steps", &StepStatistics::impact_steps,
               "with contacts struck so hard that the midpoint rule was taken")
        .field("rough_steps", &StepStatistics::rough_steps,
               "taken by the convex step, of first order")
        .field("held_steps", &StepStatistics::held_steps,
               "of those: joints could not follow, everything stayed and slowed down")
        .field("last_rough", &StepStatistics::last_rough, "where a calm step would not do last")
        .field("resting_step", &StepStatistics::resting_step,
               "s: the longest at which no contact would be softer than its bodies are expected to "
               "be; infinite if none was")
        .field("lost_bounce", &StepStatistics::lost_bounce,
               "m/s: the fastest that something should have left with after an impact, and did not "
               "for the resting speed of Impulse")
        .field("worst_iterations", &StepStatistics::worst_iterations, "of one step")
        .result()
        .def_property_readonly("average_iterations", &StepStatistics::average_iterations, "a step");
    Record<ConstraintError>(m, "ConstraintError", "How far the constraints are from holding.")
        .field("position", &ConstraintError::position, "largest violation over the model's size")
        .field("velocity", &ConstraintError::velocity,
               "largest violation rate over the model's fastest point")
        .result();
    auto entity =
        Record<Entity>(m, "Entity", "A point or unit vector the program chose as an unknown.");
    entity.enumeration<Entity::Kind>("Kind", "Kinds of unknown.")
        .value("point", Entity::Kind::point, "m")
        .value("vector", Entity::Kind::vector, "unit")
        .value("scalars", Entity::Kind::scalars, "of rotors");
    entity.field("kind", &Entity::kind, "point, vector or scalars")
        .field("value", &Entity::value, "now, world")
        .field("bodies", &Entity::bodies, "that share it")
        .result();
    Record<DriveMotion>(m, "DriveMotion", "What a drive's coordinate does at an instant.")
        .needs("drive", &DriveMotion::drive, "which")
        .field("position", &DriveMotion::position, "m or rad")
        .field("rate", &DriveMotion::rate, "m/s or rad/s")
        .field("acceleration", &DriveMotion::acceleration, "m/s² or rad/s²")
        .constructible();
}

}  // namespace

void add_results(py::module_& m) {
    add_settings(m);
    add_forces(m);
    add_answers(m);
}

}  // namespace bristle::python
