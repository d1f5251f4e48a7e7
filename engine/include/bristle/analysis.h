// What can be said of a mechanism without stepping it (spec A14).
//
//     Model whole = assembled(rough);
//     World world(whole);
//     find_equilibrium(world);
//     for (const Mode& mode : modes(world)) std::printf("%g Hz\n", mode.frequency);
//     std::puts(explain(mobility(world), world).c_str());
//
// Kinematics and inverse dynamics are World::guide.
#pragma once

#include <bristle/world.h>

#include <complex>
#include <string>
#include <vector>

namespace bristle {

// ---- Assembly ----------------------------------------------------------------------------------------

struct AssemblyOptions {
    std::vector<BodyId> keep;  // these stay where they are
    int max_iterations = 200;
};
// The model with its bodies moved, as little as possible, until the two sides of every joint are together.
// Throws SimulationError that names the joints that stay apart, and by how much.
Model assembled(const Model& rough, const AssemblyOptions& options = {});

// A body that cannot start as it was given: joints, and rates that joints ask for, leave another motion.
struct StartChange {
    BodyId body;
    Twist given, starts;
    // The change over what was given, of the velocity or of the spin, whichever is more.
    double share() const;
};
// What is given with three digits fits no better.
inline constexpr double least_start_change = 0.02;
// Those that were given a velocity and lose or gain more than that share of it. Drives, which also prescribe rates, are not asked.
std::vector<StartChange> start_changes(const Model&);
// "'crank' was given (0, 0, 0) m/s and (0, 6, 0) rad/s and starts with …: its joints change 94 % of it".
std::string describe(const StartChange&, const Model&);

// ---- State -------------------------------------------------------------------------------------------

// Puts a body elsewhere while the world runs. What is joined to it follows, moved as little as possible; if the joints do not
// let the body there, it goes as near as they do. Velocities stay as far as the joints allow, angles are counted on, time does not
// change. A change of the model like any other (World::change). Throws SimulationError if the joints cannot be brought together,
// the world as it was.
void set_pose(World&, BodyId, const Pose&);
// The velocity of its frame's origin and its angular velocity, world axes; joints share it out as an impact does, so
// that a body that is held gets what they allow.
void set_velocity(World&, BodyId, const Twist&);

// ---- Static equilibrium --------------------------------------------------------------------------------

struct Equilibrium {
    int iterations = 0;
    bool is_stable = false;  // every small motion meets resistance
    double residual = 0;     // of the forces, over the largest of them
};
// Moves the world to where it would rest, going downhill in potential energy from where it is; velocities
// become zero, time stays. Throws SimulationError, the world as it was, if there is no such place near.
// Of models with contacts or limits too: there by letting the motion die out.
Equilibrium find_equilibrium(World&);

// ---- Linearization ---------------------------------------------------------------------------------------

// M z̈ + C ż + K z = 0 for small motions z about the present position at rest. `basis[k]` says how each body
// moves (twist of its frame) when ż is the k-th unit vector. Matrices are n × n, by rows.
struct Linearization {
    int n = 0;
    std::vector<double> mass, damping, stiffness;
    std::vector<std::vector<Twist>> basis;
};
Linearization linearize(const World&);

struct Mode {
    std::complex<double> eigenvalue;  // 1/s; of a pair the one with positive imaginary part
    double frequency = 0;             // Hz, undamped: |eigenvalue| / 2π
    double damping_ratio = 0;         // −Re/|eigenvalue|; 1 and more: no oscillation
    std::vector<Twist> shape;         // of every body, the largest entry one
};
// By increasing frequency.
std::vector<Mode> modes(const World&);

// ---- Degrees of freedom --------------------------------------------------------------------------------

struct Mobility {
    int degrees_of_freedom = 0, redundant_constraints = 0;
    // A joint of whose conditions some follow from those of the joints before it, and which those are.
    struct Redundancy {
        JointId joint;
        int conditions = 0, redundant = 0;
        std::vector<JointId> implied_by;
    };
    std::vector<Redundancy> redundancies;
    // What can move independently: the twist of every body for each freedom, and the joints that move in it.
    struct Freedom {
        std::vector<Twist> motion;
        std::vector<JointId> joints;
        std::vector<BodyId> bodies;
    };
    std::vector<Freedom> freedoms;
};
Mobility mobility(const World&);
// The same in words, a line each.
std::string explain(const Mobility&, const World&);

}  // namespace bristle
