// The equations of a model: constant while the topology lasts.
//
// Unknowns are entities (points, unit vectors, or three scalars), in the order of elimination. All
// rows are one of three forms:
//
//   dot row       scale · (A·B − target) = 0      A, B combinations: rigidity and most joints
//   closure       Σ c e + constant = 0            three rows at once, linear
//   relation      Σ r y − target(t) = 0           y measured: angle, displacement, length, scalar
//
// and forces act at points (gravity), along measures (springs, motors, bushings) or are the user's.
#pragma once

#include <bristle/world.h>

#include "base/lists.h"
#include "lagrange/coordinates.h"
#include "math/block_ldlt.h"
#include "state/terrain.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace bristle::collision {
class GroundScenery;
class MeshTrees;
}  // namespace bristle::collision
namespace bristle::lagrange {

// ---- Rows --------------------------------------------------------------------------------------

struct DotTerm {
    double a, b;
    uint32_t entity;
};
struct DotRow {
    Vec4 a0, b0;  // constant parts of A and B
    double scale, target;
    double penalty;         // dimensionless penalty times the effective mass of the row
    uint32_t first, count;  // terms, by increasing entity
    uint32_t first_block;   // where the products of its gradient go: (k, l) for all l ≤ k
    double unit;            // turns a violation into a share: one over the size, if it is a length
};

struct ClosureTerm {
    double c;
    uint32_t entity;
};
struct ClosureRow {
    Vec4 constant;
    double penalty;
    uint32_t first, count;
    double unit;
};

// ---- Measures ----------------------------------------------------------------------------------

struct MeasureTerm {
    double c[4];
    uint32_t entity;
};
// A scalar function of the entities:
//   dot     A·B + C·D
//   length  |A|
//   angle   from A to B about C, with A perpendicular to C: atan2(C·(A×B), A·B), turns counted
//   swing   between A and B, unit vectors: acos(A·B)
//   scalar  one component of an entity that holds scalar unknowns
struct Measure {
    enum class Kind : uint8_t { dot, length, angle, swing, scalar } kind;
    uint8_t component;
    Vec4 constant[4];
    double offset;  // taken off the raw value
    double start;   // what a counted angle starts at
    uint32_t first, count;
    uint32_t first_block;  // (k, l) for all l ≤ k
    uint32_t memory;       // where the counted angle is kept, `none` for the others
};
struct MeasureValue {
    double value, rate;
    double curvature;  // ÿ less gradient · q̈
};

// ---- Relations ---------------------------------------------------------------------------------

struct RelationTerm {
    uint32_t entity;
    uint32_t term[2];  // in the term list of measure 0 and 1, or `none`
};
struct Relation {
    enum class Kind : uint8_t { equality, drive, limit_min, limit_max } kind;
    uint32_t measure[2];  // the second may be `none`
    double ratio[2];
    double target;  // of an equality or a limit
    double penalty;
    uint32_t index;    // of the drive or limit
    uint32_t memory;   // where its RelationMemory is …
    uint32_t command;  // … and a drive's command
    uint32_t first, count;
    uint32_t first_block;
    double unit;
};
inline bool is_limit(const Relation& r) {
    return r.kind == Relation::Kind::limit_min || r.kind == Relation::Kind::limit_max;
}
// The way a stop pushes.
inline double side_of(const Relation& limit) {
    return limit.kind == Relation::Kind::limit_min ? 1 : -1;
}
enum class RowMode : uint8_t { inactive, active, saturated };
// What a relation remembers from step to step, counted from Relation::memory: its mode, the reference
// of a drive (the coordinate of a speed drive, that to which a hydraulic drive locks, the offset of a
// position drive), its effort at the end of the step; the effort that is told, which is the mean of
// the step where it jumped within it; and the work it has done.
enum RelationMemory : uint8_t {
    mode_memory,
    reference_memory,
    effort_memory,
    told_effort_memory,
    work_memory,
    relation_memory_size
};

// The effort of a relation at the end of a step is what is told of it, unless it jumped within.
inline void set_effort(std::vector<double>& memory, const Relation& r, double effort) {
    memory[r.memory + effort_memory] = memory[r.memory + told_effort_memory] = effort;
}

// ---- Forces ------------------------------------------------------------------------------------

// An effort along a measure.
struct MeasureForce {
    enum class Kind : uint8_t { spring, motor } kind;
    uint32_t measure;
    double stiffness, damping, rest;
    ForceLaw law;  // instead of stiffness and damping
    TimeFunction effort;
    double no_load_speed;
    uint32_t memory;  // command of a motor
};
struct UserForceElement {
    uint32_t index;                  // in the model
    std::vector<uint32_t> entities;  // that its tangent is taken over
    uint32_t first_block;            // (k, l) for all l ≤ k
};

// A stateful force (mechanics/stateful.h): along these measures, then at its points.
struct StatefulElement {
    uint32_t index;                  // in the model
    uint32_t memory;                 // where the first of its numbers is
    std::vector<uint32_t> measures;  // of its joints
    std::vector<uint32_t> entities;  // that it moves, increasing
    uint32_t first_block;            // (k, l) for all l ≤ k
};

struct MassTerm {
    uint32_t i, j;  // i ≥ j
    double mass;    // times the unit matrix
};
struct ScalarInertia {
    uint32_t entity;
    uint8_t component;
    double inertia;
};

// ---- Bodies ------------------------------------------------------------------------------------

// How to read a body's motion from the entities: a group's frame, in the order of elimination.
struct GroupFrame {
    Combination origin;
    std::vector<Combination> axis;
    std::vector<Vec3> axis_start;
    Vec3 center_start;
};

// Entities that were made for a group, as they turn with it: points about its base, and vectors (prediction.h).
struct Turning {
    uint32_t group;
    Combination base;
    bool base_is_own;
    std::vector<uint32_t> points, vectors;
    // At the start, about the base if that never moves, else about the centre; zero of a rod, which has none about itself.
    Mat3 inertia, inverse_inertia;
};

// Where the products of every row, measure and force go in the matrix. The order of elimination never
// changes; contact between moving bodies adds blocks, and then this is made anew.
struct BlockMap {
    std::shared_ptr<const BlockPattern> pattern;
    std::vector<uint32_t> mass;  // of every mass term
    std::vector<uint32_t>
        rows;  // of dots, relations, measures and users' forces, from their first_block
};

// Of a whole model, or of some of its assemblies (part.h): then entities, rows and groups have numbers of their own, and what is found
// by the ids of the model is only in the whole.
struct System {
    std::shared_ptr<const Model> shared_model;
    const Model& model() const { return *shared_model; }
    AugmentedLagrangian settings;

    uint32_t entity_count = 0;
    double size = 1;  // of the model, m
    std::vector<Vec4> start;
    std::vector<Entity::Kind> kind;
    std::vector<double> scale;          // of an entity: the size for points, 1 for vectors
    std::vector<double> diagonal_mass;  // never zero …
    std::vector<double> added_mass;     // … because of this part of it, which no body has
    std::vector<MassTerm> mass;
    std::vector<ScalarInertia> scalar_inertia;
    std::vector<Vec4> weight;  // gravity's generalized force

    std::vector<DotRow> dots;
    std::vector<DotTerm> dot_terms;
    std::vector<ClosureRow> closures;
    std::vector<ClosureTerm> closure_terms;
    std::vector<Measure> measures;
    std::vector<MeasureTerm> measure_terms;
    std::vector<Relation> relations;
    std::vector<RelationTerm> relation_terms;
    std::vector<MeasureForce> forces;
    std::vector<UserForceElement> user_forces;
    std::vector<StatefulElement> stateful;  // in the order of the model's

    std::vector<uint32_t> measure_of_joint;  // `none` where nothing needs it
    std::vector<uint32_t> drive_relation, coordinate_entity;
    std::vector<std::pair<uint32_t, uint32_t>> limit_relations;  // min and max, or `none`
    std::vector<uint32_t> force_of_model;  // first MeasureForce of every ForceId, or `none`
    uint32_t memory_size = 0;

    std::vector<GroupFrame> frames;
    std::vector<Turning> turnings;  // outwards: bases are made of entities of those before
    std::vector<uint32_t>
        group_of;  // of every body; of a part of those that its stateful forces have points of
    std::vector<uint32_t> groups;  // of a part, by the numbers they have in the whole, sorted
    std::vector<double> group_mass;
    bool has_joints = false;
    base::Lists<BodyId> entity_bodies;

    std::shared_ptr<collision::MeshTrees>
        mesh_trees;            // that other revisions of the model have made, if any
    state::LiveFields fields;  // heights that may change; of the model's shapes
    std::shared_ptr<collision::GroundScenery>
        scenery;               // that points of stateful forces feel, if there are any
    uint64_t fingerprint = 0;  // of the equations: tells snapshots of other models
    std::vector<std::pair<uint32_t, uint32_t>> below;  // blocks that rows and forces need
    std::vector<uint32_t> assembly;  // of every entity: what only contact connects to others
    uint32_t assembly_count = 0;
    std::vector<bool> is_grounded;  // of every assembly: a joint holds it to the ground
    BlockMap blocks;

    // Multipliers: dots first, then relations.
    size_t row_count() const { return dots.size() + relations.size(); }
    // The number a group of the whole has here; it must be one of this part.
    uint32_t own_group(uint32_t of_whole) const {
        if (groups.empty()) return of_whole;
        return static_cast<uint32_t>(std::lower_bound(groups.begin(), groups.end(), of_whole)
                                     - groups.begin());
    }
};

System build_system(Model, const AugmentedLagrangian&);
void find_assemblies(System&);
// `none` of what never moves.
uint32_t assembly_of(const System&, uint32_t group);
// Where the blocks of every row, measure and force begin in the map.
void number_blocks(System&);
// The map with these blocks (row, column) besides those of the rows.
BlockMap map_blocks(const System&, const std::vector<std::pair<uint32_t, uint32_t>>& more);

}  // namespace bristle::lagrange
