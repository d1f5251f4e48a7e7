// An island solved at once: the velocity at the end of the step is where a convex function is least,
//
//   ℓ(v) = ½ (v − v*)ᵀ M (v − v*) + Σ φ(J v),     φ′ = −λ,     λ = clamp(offset − gain · J v, low, high)
//
// with v* what the velocity would be without rows (rows.h). Its gradient is M (v − v*) − Jᵀ λ: the balance of
// momentum. Newton's method with the matrix M + Jᵀ G J (G = gain of the rows that are not at a bound) and a
// search along its direction finds it whatever the start; from the velocity of the last step it takes one
// iteration for joints, and none for a stack at rest.
//
// A contact is a row along its normal with low = 0 and one along each tangent. Its gain is great, s over the
// compliance J M⁻¹ Jᵀ, so that a body rests in s⁻¹ g h² of overlap: a tenth of a micrometre at 10 ms. Because that
// overlap carries the load, nothing has to be iterated from step to step: weight reaches the ground through a
// hundred boxes within the first step, and a thousandfold mass does not matter. Friction is limited by μ times
// the normal impulse of the last iteration, which keeps ℓ convex and is exact when the iteration ends; the
// convex cone that others minimize over makes sliding bodies hover.
//
// Compared with sweeps it costs a factorization, which is cheap while the island is thin (stacks, chains,
// machines, ragdolls, houses of cards) and grows too fast in a pile.
#pragma once

#include <bristle/world.h>

#include "impulse/body_ldlt.h"
#include "impulse/manifolds.h"
#include "impulse/rows.h"

#include <span>

namespace bristle::impulse {

// What an island consists of.
struct IslandView {
    std::span<const uint32_t> groups, manifolds, rows;
};

// What all islands share while a step is made.
struct StepView {
    const Groups& groups;
    std::span<const GroupMotion> motion;             // when the step begins
    std::span<const Mat3> inertia, inverse_inertia;  // world
    std::span<const Vec3> free_velocity, free_spin;  // v*: with gravity and forces, without rows
    std::span<Vec3> velocity, spin;                  // where to start, then the solution …
    std::span<Vec3> way, turn;                       // … and how far it goes in the step
    std::span<uint32_t> local;                       // room for the number of a group in its island
    Manifolds& contacts;
    Rows& mechanism;
    double step;
};

// For one island at a time; keeps its memory, and the order of elimination while the pattern stays.
template <int N> class DirectSolver {
  public:
    static constexpr size_t most_bodies = 512;
    // False, and nothing done, if it would cost more than it is worth.
    bool prepare(const StepView&, const IslandView&);
    // Number of iterations, or `failed`: then nothing is done.
    static constexpr int failed = -1;
    int solve(const StepView&, const IslandView&, int most_iterations, const Vec3& plane_normal);
    // After that, in the velocities: what struck faster than the resting speed leaves, one after the other (in_turn.cpp).
    void strike_in_turn(const StepView&, const IslandView&, double resting_speed,
                        int most_iterations);
    // Joints whose rows ask for J w = −Φ/h, where the step ends, are closed there by ways of h w (of every group) that are as short as
    // can be and take nothing into what it touches (closing.cpp). False if these are not found.
    bool find_closing(const StepView&, const IslandView&, const Vec3& plane_normal,
                      std::span<Twist> ways);
    // After that: velocities without those that only take bodies out of each other; positions have them. Number of iterations, or
    // `failed`: what nothing can take out of each other at that speed, because it is wedged in, finds no rest.
    int calm(const StepView&, const IslandView&, int most_iterations);

  private:
    using Vector = BodyVector<N>;
    struct Entry {
        uint32_t body;
        Vector j;
    };
    struct Pairing {  // of two bodies of one row or manifold
        uint32_t block;
        bool is_transposed;
    };
    struct DirectRow {
        uint32_t first, count;
        double gain, offset, low, high, rate, impulse;
        bool was_free;           // in the last step, of its bounds
        double calm_offset = 0;  // of contacts
        double rate_change = 0;  // along the direction
    };
    struct Friction {
        uint32_t row[2];  // tangents, in a plane one; or axes of turning
        int count;        // of them
        uint32_t normal;  // row of the normal
        double coefficient, bound;
        double pull[2];  // impulses before they are limited
        bool slides;
        bool slid;  // in the last step
    };

    Vector to_vector(Vec3 linear, Vec3 angular) const;
    void set_plane(const Vec3& normal);
    void gather(const StepView&, const IslandView&);
    void gather_rows(const StepView&, const IslandView&);
    void gather_contacts(const StepView&, const IslandView&);
    void add_contact(const StepView&, const Manifold&, const ManifoldPoint&);
    static void bend(const StepView&, const Manifold&, ManifoldPoint&);
    void add_resistances(const StepView&, const IslandView&);
    void add_turning(const StepView&, const IslandView&, const Manifold&,
                     std::span<const Vec3> axes, uint32_t normal, double coefficient,
                     double last_impulse);
    double compliance(const StepView&, const IslandView&, const DirectRow&) const;
    void limit_friction();
    enum class Bounds : uint8_t { as_before, hold };
    void evaluate(const std::vector<Vector>& v, std::vector<Vector>& gradient, Bounds);
    void assemble(Bounds);
    void add_product(const Entry&, const Entry&, double weight, uint32_t block, bool transposed);
    void add_row(const DirectRow&, double weight, uint32_t pairing);
    double unbalanced(const StepView&, const IslandView&,
                      const std::vector<Vector>& gradient) const;
    struct Iterations {
        int count;
        bool is_acceptable;
    };
    Iterations iterate(const StepView&, const IslandView&, double speed, int most, Bounds start);
    double slope_at(double share, double linear, double quadratic) const;
    double search();
    double speed_of(const StepView&, const IslandView&) const;
    double pace_of_solution(const StepView&, const IslandView&) const;
    void store(const StepView&, const IslandView&);
    void store_velocities(const StepView&, const IslandView&);
    void store_ways(const StepView&, const IslandView&);

    Vec3 axis_[3];  // two directions of the plane and its normal
    BodyLdlt<N> matrix_;
    std::vector<uint64_t> pattern_, pairs_;
    bool is_worth_it_ = false;
    std::vector<Entry> entries_;
    std::vector<DirectRow> rows_;
    std::vector<uint32_t> pairing_of_row_;  // first of its pairings
    std::vector<Pairing> pairings_;
    std::vector<Friction> frictions_;
    std::vector<BodyBlock<N>> mass_;
    std::vector<Vector> v_, free_, trial_, gradient_, direction_;
    struct Struck {
        uint32_t row;    // of its normal; those of its tangents follow
        uint32_t point;  // of the contacts
        uint32_t manifold;
        double aim;
        double impulse[3], sum[3];  // of one strike, and of all
    };
    bool find_struck(const StepView&, const IslandView&, double resting_speed);
    void find_mobility();
    void strike(const StepView&, size_t first, double resting_speed);
    void push(size_t number, double impulse);
    std::vector<Struck> struck_;
    std::vector<std::vector<Vector>> columns_;  // of every row of what is struck
    std::vector<double> mobility_, struck_rate_, struck_start_;
};

template <> BodyVector<6> DirectSolver<6>::to_vector(Vec3 linear, Vec3 angular) const;
template <> BodyVector<3> DirectSolver<3>::to_vector(Vec3 linear, Vec3 angular) const;

}  // namespace bristle::impulse
