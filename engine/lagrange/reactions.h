// Joint reactions (spec A12), from the motion and the applied forces.
//
// Points and vectors that joints share have no multiplier of their own, so reactions are read from
// the equilibrium of every body instead: the joints' constraint wrenches w must give
//
//     G w = inertia − applied       six equations a body,  G the transposed rows of the joints
//
// Where reactions are determined, this is exact; where the mechanism is redundant (a door on two
// hinges) it takes the smallest that fit: w = Gᵀ y, (G Gᵀ + ε) y = rhs, refined until nothing is left.
// The same rows count degrees of freedom and redundant constraints.
#pragma once

#include "lagrange/system.h"
#include "state/state.h"

namespace bristle::lagrange {

// The force and moment (about the world's origin) that a unit of a row's multiplier puts on bodies.
struct WrenchRow {
    struct Side {
        BodyId body;
        Vec3 force, moment;
        // How fast the body goes along the row when its frame, which is at `at`, moves so.
        double rate(Vec3 at, const Twist& t) const {
            return dot(force, t.linear) + dot(moment - cross(at, force), t.angular);
        }
    };
    std::vector<Side> sides;
};

// Rows of a joint as it is now. Holds for welded and shared bodies alike.
std::vector<WrenchRow> joint_rows(const System&, const Vec4* position, JointId);
// The row along a joint's coordinate.
WrenchRow coordinate_row(const System&, const Vec4* position, JointId);

struct FreedomCount {
    int degrees_of_freedom, redundant_constraints;
};

class ReactionSolver {
  public:
    explicit ReactionSolver(const System&);
    // Forces and moments of all joints on their body b, moments about the joint's point.
    void solve(const state::State&, std::vector<Reaction>& out);
    FreedomCount mobility(const Vec4* position);

  private:
    struct Entry {
        uint32_t node;
        Vec4 value;
    };
    struct Row {
        uint32_t joint;
        std::vector<Entry> entries;
        WrenchRow wrench;
        double multiplier;
    };
    void gather(const Vec4* position);
    void shift(double share);

    const System& system_;
    std::vector<uint32_t> node_of_;  // of every body: two blocks, force and moment
    std::vector<Vec3> place_;        // of every body now
    double arm_;                     // mean distance of a joint from its bodies' frames
    std::vector<Row> rows_;
    BlockLdlt matrix_;  // G Gᵀ
};

}  // namespace bristle::lagrange
