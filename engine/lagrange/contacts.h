// Contacts in the augmented Lagrangian.
//
// A contact is carried through the iterations of a step by its two bodies (see contact_point.h). With
// q₀ where the step began, its mean force over the step is a function of where it ends,
//
//     F̄(q) = F̄ₙ(δ₀, δ) n + F_t(u₀ + Δ, Δ/h)        normal.h, bristle.h
//
// δ₀ and δ being the depths at both ends and Δ the slip on the way: of the material points for a face, a
// corner or an edge; for a ball of radius r centre's way less rotation × r, so that rolling is no slip.
// The strain u is remembered in b's frame: it belongs to both bodies and goes with the contact.
//
// Newmark takes forces at both ends of a step. A contact has its *share* f in the acceleration of each
// end, and the step that ends must have
//
//     (1 − γ) f₀ + γ f = F̄    →    f = (F̄ − (1 − γ) f₀)/γ
//
// so that velocities change by h F̄ exactly, whatever f₀ was. Smooth contact makes f the force at the end
// of the step, but for h². Where it does not (a strike, a release, an impact shorter than the step) f would
// alternate about it; then it is replaced, and the accelerations with it: by the force at the end if
// the step resolves the contact, h² k/m ≤ 1; else by F̄ if it lasts, or nothing. Positions and velocities
// see F̄ only.
//
// A patch (volumetric.h) is five of them in a row: four points that press, and its grip, which rubs with the sum
// of their forces. How thick the layer was when the step began is remembered, not carried back by the bodies: a
// cylinder that rolls turns its material through a layer that stays as it is. Only the damping sees the
// material's motion.
#pragma once

#include "contact/bristle.h"
#include "contact/normal.h"
#include "contact/volumetric.h"
#include "lagrange/detection.h"
#include "lagrange/frames.h"
#include "lagrange/integrator.h"
#include "lagrange/system.h"
#include "state/state.h"

#include <memory>
#include <span>

namespace bristle::lagrange {

// The entities of two groups and how material points follow from them: p = Σ (c · (1, w)) e, with w the
// point's coordinates in the group's frame. Coefficients of b are negative: of a difference a − b.
struct Coupling {
    uint32_t group_a, group_b;
    std::vector<uint32_t> entity;
    std::vector<Vec4> a, b;
    std::vector<uint32_t> block;  // (k, l) for all l ≤ k …
    std::vector<uint8_t>
        is_turned;  // … and whether it is that of (l, k), which is eliminated earlier
};

// Of a side that is slender where it touches (a bar, the wire of a ring): centres of its balls lie on an arc, and the one that
// touches is the nearest to the other side. Directions are in the group's frame; the bend is one over the radius, positive where
// the arc turns inwards.
struct Sweep {
    bool is_swept = false;
    Vec4 along, outward;
    double bend = 0;
};

struct ActiveContact {
    enum class Part : uint8_t { whole, point, grip };  // of a patch

    // ---- Constant in a step
    uint64_t pair, feature;
    Part part;
    uint32_t patch;  // of points and grips
    uint32_t coupling;
    double side;  // 1, or −1 if the coupling has b first
    uint32_t group_a, group_b;
    uint32_t material_a, material_b;
    collision::Curvature curvature_a, curvature_b;
    double weight, length, thickness;
    collision::NormalOf normal_of;
    Vec4 local_a, local_b;  // ball's centre, or point of the face, in the groups' frames
    Vec4 local_normal;      // in the frame of the side that has it
    double ball_a, ball_b;
    Sweep sweep_a, sweep_b;  // of balls whose centres have the normal
    double spread;  // of a corner of a face that rubs nearer to its middle (contact_point.h) …
    Vec4 inward;    // … by this, from the point
    contact::NormalLaw normal_law;
    contact::BristleLaw sliding, rolling, spinning;
    double compliance;  // displacement at the end of the step a unit of mean force makes
    state::ContactMemory memory;
    bool is_new;
    bool is_lost;     // no longer there
    bool is_struck;   // for less than the step resolves (strikes.h): no force until its end
    double left_out;  // of the depth, because nobody pressed it in (contact_accounts.cpp)
    double depth_before, found_depth;  // when the step began, and where it was found
    double strained_before;            // J, by the bristle
    Vec4 before_a, before_b;           // those points when the step began
    Vec4 apart_before;                 // from b's ball to a's, then
    double material_before;            // depth of them then; of a patch's points
    Vec4 point_before;  // of a grip: where the patch was, whatever material was there

    // ---- Where the iteration is
    Vec4 normal, point, at_a, at_b;
    double depth, slip_speed;
    double
        pressed;  // as deep as an impulse has pressed it, where the step ended deeper than that; else unlimited
    double rounding;  // of the force, from that of the positions
    contact::MeanNormalForce mean;
    double normal_force;
    double expected_force;              // normal, from the first evaluation
    Vec3 force, torque;                 // F̄ on a
    Vec4 end_force;                     // f of the end of the step …
    Vec3 end_torque;                    // … and its torque
    Vec3 share, torque_share;           // what they should be, for the next step
    Mat3 tangent, angular_tangent;      // − ∂F̄/∂(a − b), symmetric positive semidefinite
    Mat3 assembled, angular_assembled;  // those of the last assembly
    double assembled_stiffness;
    Vec3 slip;      // in the contact plane, since the step began
    double strain;  // of the bristle, before any slipping
    contact::BristleForce slide, roll, spin;
    Vec3 torque_by_normal_force;
    int changes;  // between sticking and slipping, or of the force's sign, in this step's iterations
    int calm;     // iterations since the last of them
    Vec3 other_slip, other_force;  // before it
    uint32_t first_coefficient;    // in Contacts::coefficient …
    uint32_t first_rubbing;        // … and those of where it rubs: the same, or others
    bool rubs_apart() const { return first_rubbing != first_coefficient; }

    // A patch has eight features, of which its points have 0 … 3 and its grip 4; they are in a row.
    static constexpr uint64_t features = 8, grip_number = 4;
    const ActiveContact& grip() const { return this[grip_number - feature % features]; }
};

struct ActivePatch {
    contact::Foundation foundation;
    contact::Grip grip;
    uint32_t first_edge, edges;
    double rocks[2];  // share of what its material does over the arms that the layer does, too
    // The last direction asked for, and its answer at unit speed: what turns in place or slides straight on asks
    // for the same again.
    Vec3 asked;
    contact::SlipDirection answer;
};

// How far the surfaces of a contact have slipped and turned against each other since the step began, and how far its bristles
// were strained then; all in the axes of now.
struct SlipNow {
    Vec3 slip, strain, turn, turn_strain;
};

class Contacts {
  public:
    // Of a whole model, or of a part of what can be detected.
    Contacts(const System&, std::shared_ptr<Detection>);

    bool can_touch() const { return detection_->can_touch(); }
    bool empty() const { return touches_.empty(); }
    bool has_patches() const { return !patches_.empty(); }
    const std::shared_ptr<Detection>& detection() const { return detection_; }
    const collision::CollisionScene& scene() const { return detection_->scene(); }
    std::span<const ActiveContact> touches() const { return touches_; }

    // What was found between `begin` and the predicted state, in place of the contacts of the last step.
    void take(const Found&, const state::State& begin, const state::State& predicted,
              const IntegratorWeights&);
    // Whether other pairs of moving groups touch than those that have a place in the matrix. (Which, only the state decides:
    // a state that is restored goes on with the same bits.)
    bool needs_blocks() const { return wanted_ != placed_; }
    std::vector<std::pair<uint32_t, uint32_t>> blocks_below();
    void find_blocks(const BlockPattern& pattern);
    // Effective mass of new ones, and all parameters that come from it. The matrix is M + Jᵀ p J, factorized.
    bool has_new() const { return has_new_; }
    double resting_step() const { return resting_step_; }  // world.h; since the start
    void weigh(const BlockLdlt& mass, std::vector<Vec4>& scratch);

    // Depths that nobody pressed in are left out; with slack, small ones are not. Some come back within a budget. Returns how much
    // more than was stored the step begins with, but for what was given away to take bodies out of each other.
    double keep_accounts(const state::State& begin, double slack, double budget);
    // Of that what was given at nobody's expense, beside what is returned.
    double given() const { return given_; }
    double stored_before() const;  // J: by normal springs and bristles, when the step began
    double stored_now() const;
    static double stored_in(const ActiveContact&);    // by the normal spring
    static double strained_in(const ActiveContact&);  // by the bristle
    double take_back(double excess);
    // What a patch returned more than it took, J; once its step is settled. Less is given back, and a mean force with it.
    static double overdrawn(const ActiveContact& grip) { return -grip.memory.stored; }
    void weaken_patch(uint32_t grip, double energy, Vec3 force);

    // Which were struck so that the step will not resolve it, if it ends as predicted.
    void find_strikes(const state::State& begin);
    bool find_further_strikes(const state::State& begin, const Vec4* velocity,
                              const BlockLdlt& mass, std::vector<Vec4>& scratch);
    bool has_strikes() const { return has_strikes_; }
    // Of what is struck, at its deepest.
    double struck_depth(const ActiveContact&) const;
    double restitution_of(const ActiveContact&, double speed) const;
    void store_strike(uint32_t touch, Vec3 mean_force);
    void weaken_strikes(double by);
    // Wherever impulses move them from here: no spring presses deeper.
    void hold_pressed();

    // In between steps: the contacts of a state, with their shares.
    void recall(const state::State&);
    // None, until they are detected.
    void forget() { clear(); }
    void pause_step(bool paused) { is_stepping_ = !paused; }

    // The one whose force changes the speed of its bodies most. False if nothing touches.
    bool tell_hardest(RoughPlace&) const;
    // Whether the step ends so far from where contacts were looked for that they are not its contacts.
    bool strayed() const;
    // Whether one is struck so hard that the step does not resolve it, or was in the last step; after the
    // first evaluation.
    bool impacts() const;
    // ---- With geometry that stands still (convex.h) ----
    // Where contacts are at a position, without their forces.
    void place_at(const Vec4* position);
    SlipNow slip_of(const ActiveContact&) const;
    double arm_of(const ActiveContact& grip) const { return patches_[grip.patch].grip.arm; }
    Vec4 velocity_of(const ActiveContact&, const Vec4* velocity) const;
    double approach_speed(const ActiveContact&, const Vec4* velocity) const;
    Vec3 spin_of(const ActiveContact&, const Vec4* velocity) const;
    // out −= Nᵀ impulse.
    void subtract_impulse(const ActiveContact&, Vec3 impulse, Vec3 torque_impulse, Vec4* out) const;
    void add_resistance(const ActiveContact&, const Mat3& along, const Mat3& turning,
                        Block3* out) const;
    struct Pressed {
        Vec3 force, torque;
        double normal_force, depth;
        Vec3 strain, turn_strain;
        bool slips;
    };
    void store_impulse(uint32_t touch, const Pressed&);
    // The step ended with these forces, here.
    void settle_impulses();

    // From now on shares count for nothing, and forces act on balls as seen from the midpoint: then a turn of
    // the ball does no work.
    void use_midpoint();
    // Whether one strikes, opens, or changes between sticking and slipping in this step.
    bool changes() const;

    // The next evaluation is the first of an iteration: stiff contacts start where each alone would end.
    void start_iterations() { iteration_ = 0; }
    void evaluate(const Vec4* position);
    // out −= factor · Nᵀ(end-of-step share); in between steps, that of the state.
    void subtract_forces(double factor, Vec4* out, Vec4* load) const;
    void add_tangent(double factor, bool with_falling, Block3* out);
    // Friction follows the normal force, which is not symmetric and so is not in the tangent:
    //     T + Σ s (Nᵀ b)(Nᵀ n)ᵀ,   b = ∂F_t/∂F_n,  s the factor of the tangent times ∂F_n/∂δ.
    // From x = T⁻¹ r makes what the whole matrix would have given, by Woodbury's formula: a solve for each
    // contact that slips.
    void couple_friction(const BlockLdlt& tangent, double factor, Vec4* x);
    // What the last tangent added to the mass of each entity, at most.
    double added_mass(uint32_t entity) const { return added_mass_[entity]; }

    // The step is accepted as it is. Are the shares in its accelerations what they should be?
    enum class Shares : uint8_t { right, off, far_off };  // the worse the later
    Shares settle(const state::State& state);
    // out += Nᵀ(what they should be − what they are). The accelerations follow by x: by M⁻¹ of that, or
    // by what the tangent with this factor on the contacts makes of it, and the rest is left for later.
    void add_share_changes(Vec4* out) const;
    void accept_share_changes(const Vec4* x, double factor);
    void commit(state::State&) const;

  private:
    void frames_at(const Vec4* position, std::vector<WidePlacement>& out) const;
    const collision::SceneCollider& collider(uint64_t id) const { return scene().colliders()[id]; }
    uint32_t group_of(uint64_t collider_id) const {
        return system_.own_group(collider(collider_id).owner);
    }
    const ContactLaw& law_of(const ActiveContact& t) const {
        return detection_->law(t.material_a, t.material_b);
    }
    double damping_of(const ActiveContact& t) const {
        return detection_->damping(t.material_a, t.material_b);
    }
    uint32_t coupling_of(uint32_t group_a, uint32_t group_b);
    void want_blocks(const state::State& begin);
    void clear();
    ActiveContact& add_touch(uint32_t collider_a, uint32_t collider_b);
    void add_point(const collision::ContactCandidate&, const state::State& begin);
    void add_patches(const Found&, const state::State& begin);
    uint32_t number_of(const collision::PatchCandidate&,
                       std::span<const state::ContactMemory> of_pair) const;
    void add_patch(const collision::PatchCandidate&, const collision::ContourSegment* contour,
                   const state::State& begin);
    ActiveContact& add_part(const collision::PatchCandidate&, ActiveContact::Part, uint64_t number,
                            Vec3 at, double depth, const state::State& begin);
    void spread_memory(ActiveContact* points, const contact::Foundation&) const;
    double kept_depth(const ActiveContact* points) const;
    void sort_touches();
    void hand_on_strains(const state::State& begin);
    void release_lost(const state::State& begin);
    void remember(ActiveContact&, const state::State& begin) const;
    void set_parameters(ActiveContact&) const;
    void set_patch_parameters(ActiveContact* parts) const;
    double damping_factor(const ActiveContact&, double stiffness, double exponent) const;
    bool is_estimated(const ActiveContact&) const;  // how stiff it is, nobody said
    bool is_resolved(const ActiveContact&, double impact_speed) const;
    double deepest_of_impact(const ActiveContact&, double speed) const;
    void set_struck(ActiveContact&, bool is_struck);
    double estimated_rest(const ActiveContact&, double exponent) const;
    static double natural_rest(const ActiveContact&);
    double resting_step(const ActiveContact&) const;  // infinite if this one is short enough
    contact::BristleLaw sliding_law(const ActiveContact&) const;
    double usual_gravity() const;  // the model's, or 9.81 m/s² if it has none: a scale of loads
    bool is_hard(const ActiveContact&, double force) const;
    bool is_strike(const ActiveContact&, const state::State& begin, const Vec4* velocity) const;
    static bool is_pressed(const ActiveContact&);
    uint32_t root_of(const ActiveContact&);
    void find_clusters();
    double stick_speed(const ContactLaw&, double normal_force, double mass) const;
    Vec4 carried_normal(const ActiveContact&, const std::vector<WidePlacement>&) const;
    void sweep(const ActiveContact&, const std::vector<WidePlacement>&, Vec4& center_a,
               Vec4& center_b) const;
    double depth_before(const ActiveContact&) const;
    static bool is_on_a_face(const ActiveContact&);
    void locate(ActiveContact&);
    void set_coefficients(ActiveContact&);
    void set_coefficients(const ActiveContact&, Vec4 shift, double* out) const;
    void add_rubbing(ActiveContact&);
    void spread_friction();
    void push(const ActiveContact&, Vec4 force, Vec4* out) const;
    void add_outer(const ActiveContact&, const double* coefficient, const Mat3& along,
                   Block3* out) const;
    Vec3 share_after(const ActiveContact&, Vec3 velocity) const;
    void evaluate_force(ActiveContact&);
    void press(ActiveContact&, double approach);
    void set_end_forces(ActiveContact&) const;
    Mat3 slide(ActiveContact&, Vec3 slip, Vec3 strain, const contact::SlipDirection&) const;
    void evaluate_friction(ActiveContact&, double normal_force);
    void evaluate_patch(ActiveContact* parts);
    Vec3 grip_slip(const ActiveContact&) const;
    void evaluate_grip(ActiveContact&);
    contact::SlipDirection direction_of(const ActiveContact&, Vec3 speed);
    void find_patch_shares(ActiveContact* parts, const state::State&);
    void remember_layer(ActiveContact& grip, const ActiveContact* points) const;
    static double taken_by(const ActiveContact& grip);
    double along_normal(const ActiveContact&, const Vec4* y) const;
    bool is_unresolved(const ActiveContact&, double stiffness) const;
    Shares shares_of(const ActiveContact&, double force, double torque) const;
    static void keep_in_cone(ActiveContact&);
    void settle_one(ActiveContact&);
    Mat3 turning(const ActiveContact&, size_t entity) const;

    const System& system_;
    std::shared_ptr<Detection> detection_;
    std::vector<uint32_t> groups_;  // the ground, then every group that has a shape
    std::vector<uint32_t> slot_of_group_;
    std::vector<Coupling> couplings_;
    EntitySet entities_;                                         // of the one that is being made
    std::vector<std::pair<uint64_t, uint32_t>> coupling_index_;  // by both groups, sorted
    std::vector<uint64_t> wanted_,
        placed_;  // pairs of groups: that touch, and that have blocks; sorted
    bool has_new_ = false, has_strikes_ = false, is_stepping_ = false;
    double resting_step_ = unlimited;
    bool is_midpoint_ = false;
    int iteration_ = 0;
    IntegratorWeights weights_{};

    std::vector<WidePlacement> frame_before_, frame_;
    std::vector<Vec4> rotation_;  // since the step began, of every group with a shape
    std::vector<ActiveContact> touches_, sorted_;
    struct Place {
        uint64_t pair, feature;
        uint32_t index;
    };
    std::vector<Place> order_;
    struct Account {
        uint64_t groups;
        double released, wanted;
    };
    Account& account_of(const ActiveContact&);
    std::vector<Account> accounts_;
    double given_ = 0;                           // J
    std::vector<uint32_t> cluster_, struck_in_;  // of every assembly
    std::vector<uint32_t> taken_;                // numbers of the present pair's patches
    std::vector<ActivePatch> patches_;
    std::vector<contact::GripEdge> grip_edges_;
    std::vector<double> coefficient_;
    std::vector<double> added_mass_;
    std::vector<Vec4> slip_columns_;  // T⁻¹ s Nᵀ b of every slipping contact
    std::vector<double> slip_matrix_;
    std::vector<uint32_t> slipping_;
};

}  // namespace bristle::lagrange
