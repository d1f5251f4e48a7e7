// The constants of this room: where each comes from, and what happens beyond it. Those of a formulation that is only there
// for comparison are in its file (classic.cpp, independent.cpp).
#pragma once

#include <cstddef>

namespace bristle::lagrange {

// ---- Choice of coordinates (lengths over the model's size) -----------------------------------------

// Joints closer than this share their node. Assembly closes to 1e-12; wider, parts that are really apart would be welded.
inline constexpr double same_place = 1e-10, same_direction = 1e-10;
// Part of a candidate outside the span so far. Less, and points are combinations with coefficients of over 10, whose
// rounding shows; more, and entities are made that a group could do without.
inline constexpr double well_conditioned = 0.1;
// Part of a demand that need not be spanned: below it a direction would cost three unknowns for the rounding of its input.
inline constexpr double negligible = 1e-7;

// ---- Prediction (rad, in a step) ----------------------------------------------------------------------------

// What turns less is right to 1e-4 of its turn without being turned; what turns more, its counted turns are not known any more.
inline constexpr double least_turn = 0.03, most_turn = 2.5;
// Turned by its angular acceleration alone: more is no motion that goes on, but an impact's.
inline constexpr double most_jerk = 0.05;
// Part of a change of angular acceleration that a turn may know nothing of. That part is explicit, and gains energy.
inline constexpr double worth_renewal = 0.01;
inline constexpr int most_renewals = 3;
// Rounds in which a turn and the momentum after it are found.
inline constexpr int path_rounds = 3;

// ---- Newton's method ------------------------------------------------------------------------------------

// Of the model's size, and of its speed: what is left of a constraint. Rounding of q gives 1e-15.
inline constexpr double position_tolerance = 1e-10, velocity_tolerance = 1e-10;
// Of the step's own error that iterations may leave.
inline constexpr double iteration_share = 0.1;
// Of the change of acceleration: in an impact, so that its energy is kept to 1e-7, and where contacts come or go.
inline constexpr double impact_change = 1e-7, contact_change = 1e-5;
// Of the acceleration: enough for what slides steadily.
inline constexpr double contact_share = 1e-9;
// Of the forces that cancel in a residual: a thousand roundings of a double. Less, and a machine whose cylinders carry it
// never converges.
inline constexpr double residual_rounding = 2e-13;
// With more, they may have led anywhere.
inline constexpr int usual_iterations = 3;
// Of a step, at most.
inline constexpr int most_parts = 16;
// Of a projection's correction over the violation: more than any mechanism asks for that is not within a step of a singular
// position (A02 passes them).
inline constexpr double singular_gain = 300;

// ---- Drives and pistons (of the largest speed, but for the first) -------------------------------------

// Of the model's size, that a piston may be behind what it stored: ten times the tolerance of positions.
inline constexpr double piston_behind = 1e-9;
// A rate that changes by more in a step jumps. Only then may velocities jump with it, through the whole mechanism; and a
// valve's slope in time says nothing about the acceleration.
inline constexpr double rate_jump = 0.1;
// That is no motion yet: what projections leave, with room.
inline constexpr double piston_rounding = 1e-7;

// Contacts that there is room for before more has to be made, of so many groups.
constexpr size_t room_for_contacts(size_t groups) { return groups < 8 ? 8 * groups : 64; }

// ---- The convex step ------------------------------------------------------------------------------------

// Iterations, and trials of the search along a direction: some 5 and 3 are usual. What starts deep in what is stiff wants more, and what is
// left before they have ended is no balance: efforts of 1e5 J were told. Iterations in which friction's limits and multipliers are renewed:
// further on the function stays as it is, and ends.
inline constexpr int most_convex_iterations = 40, most_search = 12;
inline constexpr int most_renewed_limits = 12;
// Of the slope at the start, that a search may leave.
inline constexpr double flat_enough = 0.1;
// Of all that velocities changed, in energy, that the last iteration may have done: 3e-3 of the velocity.
inline constexpr double convex_share = 1e-5;
// Of a row's effective mass: what holds a drive's rate in an iteration, a tenth left for the next; and a stop or a closed valve.
inline constexpr double hold_gain = 10, stop_gain = 300;
// Rounds that bring positions back onto the joints: two or three are usual. Each leaves at most such a share, or the matrix is renewed.
inline constexpr int most_closing = 12;
inline constexpr double closes_well = 0.03;
// Of the model's size: joints that inertia may leave open, and a step; with more than that the step is not taken.
inline constexpr double nearly_closed = 1e-3, closed_enough = 1e-8;
// Joints that are opened further than that by a step are closed around its contacts, in so many rounds at most.
inline constexpr double straight_enough = 1e-6;
inline constexpr int most_closing_around = 20;
// Times as far as they were: then it leads nowhere.
inline constexpr double opens_far = 10;
// Share of the size, or an angle: a place is reached if no further away; and no closer, out of reach.
inline constexpr double nearly_there = 1e-5, out_of_reach = 1e-3;
// Steps without events before a calm one is tried again.
inline constexpr double restless_steps = 2;
// m/s, along the model's size: what is beyond a stop returns no faster.
inline constexpr double return_speed = 0.2;

// ---- Contact -----------------------------------------------------------------------------------------------

// Estimated springs take this many steps a radian: LUA's N. The document says 5, and that fewer lead to numerical
// problems; the mean force over the step has none.
inline constexpr double normal_steps_per_radian = 2, stick_steps_per_radian = 2;
// Of the thinner body's thickness: how deep it rests in what it stands on, unless the step asks for more, how deep at most, and from
// where on an estimated stiffness grows.
inline constexpr double natural_share = 1e-3, rest_share = 0.02, hard_share = 0.015;
inline constexpr double slow_impact = 0.1;         // m/s: faster ones are never taken as rest
inline constexpr double least_stick_speed = 0.05;  // of the speed friction takes away in a step
// A force that jumps by this much of the weight, of a spring whose own deflection in a step is this share of it: what is
// struck harder and resolved less is stepped by the midpoint rule.
inline constexpr double hard_impact = 2, soft_enough = 0.005;
// A contact is resolved while the force of its spring moves it less than this share of the spring's own deflection in a
// step: h √(k/m) = 1.
inline constexpr double resolved = 0.5;
// What the end of a step believes of a force that was something else misleads the next prediction; so it is put right,
// which costs a solve, or a factorization if much is wrong.
inline constexpr double negligible_share = 1e-9, wrong_share = 0.01;
// m/s: what was left out of a depth comes back so slowly, twice as fast and things spawned in each other are thrown; and at nobody's
// expense only from deeper than this share of the smaller body's size, and with no more than makes them part with a speed.
inline constexpr double mending_speed = 0.05, deep_share = 0.05, parting_speed = 1;
// Of what there is to pay for it, that one contact may take.
inline constexpr double payment_share = 0.5;
// Of a contact's energy, that a calm step may find more of than there was.
inline constexpr double calm_slack = 0.05;
// Of free fall, whose energy is the least that counts as motion.
inline constexpr double resting_steps = 4;
// Of the energy in motion: what calm steps together may gain that nobody put in.
inline constexpr double calm_surplus = 1e-4;
// s: how long energy in motion is remembered.
inline constexpr double motion_memory = 5;
// Of its energy in motion, that a mechanism that nothing drives, stops or touches is given in a step of what the rule lost.
inline constexpr double most_given = 1;
// Of the same: an error of the rule, in a step that shorter ones could stand for.
inline constexpr double trusted_gain = 0.1;
// Of the work of drives in jumps of the velocity: what the rule may err by there.
inline constexpr double jump_share = 0.1;
// Of the same: what may be saved of losses, for depths that come back.
inline constexpr double credit = 3e-4;
// Depths over speed that an impact lasts: 3.1 of a linear spring, 2.9 of a ball. Steps that it has to last to be resolved, without
// damping: at 8 the restitution is right to 0.02.
inline constexpr double impact_lasts = 3, strike_steps = 8;
// Of the speed, that a contact has taken: no more, and it counts as not yet struck.
inline constexpr double hardly_touched = 0.01;
// Impacts of things that touch each other, found together by impulses; sweeps in which they are found, rounds of what they strike in turn, and of the largest impulse what the last may change.
inline constexpr unsigned most_strikes = 16, most_strikes_in_all = 32;
inline constexpr int strike_sweeps = 60, strike_rounds = 4;
inline constexpr double strike_change = 1e-6;
// Contacts: beyond, their coupling by friction costs more than it gains.
inline constexpr unsigned most_coupled = 24;

// Of the larger curvature: with less in the other direction a side is slender, and its ball goes along it.
inline constexpr double slender_bend = 0.5;
// Of the smaller body's size: how far from where its contacts were looked for a calm step may end.
inline constexpr double strayed_share = 0.25;

// The same of a rough step, whose impulses are found anew, in so many rounds at most.
inline constexpr double moved_share = 0.1;
inline constexpr int most_rounds = 3;

// ---- Islands -----------------------------------------------------------------------------------------------

// Rounds in which what drifts may meet what was calm; in the last, everything drifts.
inline constexpr int most_meetings = 3;
// Times the entities of the model, that islands of several assemblies may have which are kept for when they meet again.
inline constexpr size_t most_kept = 8;
// Entities that are worth handing to a thread: some ten boxes.
inline constexpr size_t worth_a_piece = 48;

}  // namespace bristle::lagrange
