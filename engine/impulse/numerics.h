// The constants of this room: where each comes from, and what happens beyond it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bristle::impulse {

// ---- Rows ---------------------------------------------------------------------------------------------------

// Gain of a hard row over its effective mass: what is left of a violation is a hundred-millionth. Of a stop or a piston, which may press as
// hard as they like, it is less, lest they do so at a fold of a linkage, where they have no lever; of a contact still less. The effective
// mass is that of the bodies at the joint alone: with 1e5 a piston under a loaded scissor lift was 7 % too slow.
inline constexpr double hardness = 1e8, stop_hardness = 1e5, piston_hardness = 1e6,
                        contact_hardness = 1e4;
// Of an error, mended per step in joints under great tension; and (h ω)² up to which they are closed exactly, and from which on
// they are not at all: SHAKE is unstable beyond 4.
inline constexpr double joint_error_reduction = 0.2, calm_tension = 1, great_tension = 3;
// Of its arms: a joint's error at which it counts as closed; and how often it is tried.
inline constexpr double closed = 1e-7;
// An error with which a mechanism that only joints and weight move does not go there.
inline constexpr double still_closed = 1e-4;
inline constexpr int most_linearizations = 4;
// m/s or rad/s: what is left of the velocity that a stateful force asks for, when its law counts as followed; and how often that is
// tried: a relief valve that opens changes its slope a thousandfold.
inline constexpr double settled = 1e-7;
inline constexpr int most_law_linearizations = 16;
// Of the largest resistance along a way: what is less counts as none.
inline constexpr double no_pivot = 1e-12;
// How often positions are closed where the step ends, and iterations to find each way: contacts may stand in it. The least share of
// one that is gone. And of the sum of its moments of inertia, what is added to each: about the axis of a rod a turn would cost nothing.
inline constexpr int most_closing_rounds = 20, most_closing_iterations = 8;
inline constexpr double least_closing_share = 0.1, least_stoutness = 0.1;

// ---- Motion: iterations for a body's spin, two or three are usual --------------------------------------------

inline constexpr int most_spin_iterations = 8;
inline constexpr double longest_spin_part = 0.25;  // rad
// Of a spin: what another solution may change by the gyroscopic term.
inline constexpr double same_spin = 1e-7;
// rad a step: up to which the gyroscopic term is found together with the impulses.
inline constexpr double fastest_renewed = 0.7;

// Of what weight does to a velocity in a step: up to which other changes leave it a fall.
inline constexpr double same_fall = 1e-3;

// Of its kinetic energy, that an island is given in a step of what the rule lost: more would be a mechanism thrown from a dead point.
inline constexpr double most_given = 1;
// Of its kinetic energy, what an island may owe; of one that flies, and what its common turn may pay. With more it does not go there.
inline constexpr double owed_share = 1e-4, paid_share = 1e-2;
// Of the speed of what cannot go where it would, what is left.
inline constexpr double left_when_held = 0.9;

// ---- Direct solution -----------------------------------------------------------------------------------------

// Products of blocks for each body of an island: beyond that sweeps are cheaper by more than the better solution is
// worth.
inline constexpr size_t products_per_body = 24;
// Of an overlap, mended in one step; and how fast at most (m/s), so that nothing shoots out of a bad start.
inline constexpr double mended = 0.5, fastest_direct_mending = 2;
// m/s: of that, what may be left in the velocities. More is found without it once more.
inline constexpr double calm_direct_mending = 0.01;
// rad, of a step: what turns less bends no arms.
inline constexpr double unseen_turn = 1e-9;
// Of the strain of a stuck point, taken back in one step.
inline constexpr double strain_taken_back = 0.5;
// Of the velocities that matter in a step: what is left of the balance of momentum. With more than `acceptable` left after
// all iterations, sweeps do better.
inline constexpr double balance = 1e-6, acceptable = 0.02;
// Trials of the search along a direction, and of the slope at the start what it may leave.
inline constexpr int most_search = 40;
inline constexpr double flat_enough = 0.1;
// m/s: what matters at least where bodies only touch. What rests without weight has no speed to compare with, only the rounding of its
// places. (What turns in place on a joint, without weight, is left to sweeps: their parts are shorter.)
inline constexpr double slowest = 1e-6;
// Of the former: rounding.
inline constexpr double nothing_to_do = 1e-6;
// Iterations in which friction's bounds follow what presses. Where they swing to and fro with it, the balance is found with those of the last:
// of machines, of which three steps in a hundred were given up and half then swept, 30 steps each time.
inline constexpr int renewing_iterations = 10;
// How many more of them mechanisms are worth than what only touches: sweeps leave their joints open, and their energy to chance.
inline constexpr int mechanism_factor = 6;
// After a direct solution failed, or was too dear to try; and of mechanisms.
inline constexpr uint64_t steps_swept = 30, mechanism_steps_swept = 1;

// ---- Sweeps ----------------------------------------------------------------------------------------------------

// Stiffness of soft contacts: periods in a part of the step, and damping (of the critical one).
inline constexpr double periods = 0.25, contact_damping = 10, joint_damping = 2;
inline constexpr double fastest_mending = 3;  // m/s
inline constexpr float pulled_back = 0.2f;    // of the strain of a stuck point, in a part
// Groups of an island that is swept with more care, and how many times more: a house of cards falls with 20 parts and
// stands with 40.
inline constexpr size_t small_island = 128;
inline constexpr int careful_factor = 4;

// ---- Restitution: how many steps something must fall to be faster than what rests, unless its speed is given ------------

inline constexpr double resting_steps = 4;
// Of a joint's rate, by which what pulls it to a stop may change it in a step: what is slower rests.
inline constexpr double most_pull = 1 / resting_steps;
// One after the other: how many points at most (all at once beyond), strikes for each of them, sweeps over the points of a manifold,
// and the speed, over the fastest, that counts as none.
inline constexpr size_t most_struck_in_turn = 200, most_strikes = 50;
inline constexpr int sweeps_of_a_strike = 30;
inline constexpr double slow_strike = 1e-6;

// ---- Manifolds: cosine and share of the arms within which a point is the one of the step before -----------------

inline constexpr double same_normal = 0.9999, same_place = 0.02;

// ---- Pieces of work for threads. The bits do not depend on them; too small, and handing them out costs more. ------

inline constexpr uint32_t groups_in_piece = 256, manifolds_in_piece = 64, blocks_in_piece = 8,
                          bodies_in_piece = 512;
inline constexpr size_t groups_in_lot = 100;

}  // namespace bristle::impulse
