// Natural coordinates, chosen by the program (spec A1, A2).
//
// A rigid group (bodies welded together) is described by one point and up to three directions; each
// direction is a unit vector or the difference of two points. Every material point of the group is
// then a constant linear combination of these *nodes*, and its mass matrix is constant.
//
// Joints make nodes common: a revolute joint its point and its axis, a spherical or universal joint
// its point, a prismatic joint every vector. A node is
//   - constant, if the ground has it;
//   - real: an entity, three unknowns;
//   - virtual: a constant linear combination of the nodes of a group that was described before it,
//     and hence of real entities ("anchors are combinations, never new entities").
//
// Groups are described one after the other, outwards from the ground. Each takes the nodes that
// exist already, then makes real those of its joints that it still needs to span its mass and its
// anchors, then adds vectors of its own; its other joint nodes become virtual. What it shares but
// cannot use as a basis (a loop closes) is tied by a *closure*: node = combination, linear. What is
// not needed to carry mass, a constraint or a force is never made: a slender rod is two points.
#pragma once

#include "base/short_list.h"
#include "mechanics/welding.h"

#include <cstdint>
#include <set>
#include <vector>

namespace bristle::lagrange {

inline constexpr uint32_t none = 0xffffffffu;

// constant + Σ coefficient · entity
struct Combination {
    struct Term {
        uint32_t entity;
        double coefficient;
    };
    Vec3 constant;
    ShortList<Term, 4> terms;  // by increasing entity, no zeros; a body alone has four

    bool is_constant() const { return terms.empty(); }
    Combination& add(double factor, const Combination& other);
    friend Combination operator-(Combination a, const Combination& b) { return a.add(-1, b); }
    Vec3 at(const std::vector<Vec3>& entities) const;
};

// Entities that some things depend on. To be cleared and used again: a model of many bodies asks for thousands of them.
class EntitySet {
  public:
    void clear() { entities_.clear(); }
    void add(uint32_t entity) { entities_.push_back(entity); }
    void add(const Combination& c) {
        for (const Combination::Term& t : c.terms) add(t.entity);
    }
    void add(const std::vector<Combination>& list) {
        for (const Combination& c : list) add(c);
    }
    // Each once, by increasing number.
    const std::vector<uint32_t>& sorted();

  private:
    std::vector<uint32_t> entities_;
};

// a·b = target at all times; `scale` turns it into a length (or an angle) with a gradient of order one.
struct DotCondition {
    Combination a, b;
    double target, scale;
    bool is_length;  // a length, to be compared with the model's size; else a number
};

// combination = 0
struct Closure {
    Combination sum;
};

// Bodies that are welded together, and how their common frame follows from the entities.
// Group coordinates: world axes at the start, about the centre of mass.
struct RigidGroup : mechanics::WeldedGroup {
    double size = 1;  // a length typical of the group

    Combination origin;      // the centre of mass
    std::vector<Vec3> axes;  // 1 to 3 orthonormal directions it can represent, at the start …
    std::vector<Combination> axis_now;  // … and what they are now

    Combination base;           // the point that its others are measured from
    std::vector<uint32_t> own;  // entities that were made for it …
    bool base_is_own = false;   // … the base among them
};

struct NaturalCoordinates {
    std::vector<RigidGroup> groups;  // [0] is the ground
    std::vector<uint32_t> outward;   // all groups, in the order they were described
    std::vector<uint32_t> group_of;  // of every body
    std::vector<Vec3> entity_start;  // value of every entity at the start
    std::vector<bool> entity_is_vector;
    std::vector<DotCondition> rigidity;
    std::vector<Closure> closures;
    double size = 1;  // of the model

    // Material point or direction of a body, given at the start; shared nodes are preferred.
    Combination point(BodyId, Vec3 at) const;
    Combination direction(BodyId, Vec3 axis) const;
    // Directions perpendicular to an axis that the body can represent, fewest entities first.
    std::vector<Vec3> perpendiculars(BodyId, Vec3 axis) const;

    struct NamedNode {
        Vec3 start;
        bool is_vector;
        Combination now;
    };
    std::vector<std::vector<NamedNode>> nodes;  // of every group
};

NaturalCoordinates choose_coordinates(const Model&);
// That it is described by.
std::set<uint32_t> entities_of(const RigidGroup&);

}  // namespace bristle::lagrange
