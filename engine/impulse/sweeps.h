// Sequential impulses: contacts and joints one after the other, again and again (projected Gauss-Seidel, GRI 2.9).
//
// Contacts are laid out eight manifolds abreast, in float and relative to the bodies' centres, so that nothing
// is lost far from the origin. Manifolds are coloured: no two of a colour share a moving body, so the lanes of
// a register and the threads never meet, and the result does not depend on their number. Bodies that touch more
// things than there are colours (a drum, a pallet) have their other contacts solved one by one at the end.
//
// By default a step is made in `iterations` parts of length h, and in each
//
//   v += h (g + f/m)                       forces
//   λ of the part before                   warm start
//   every row once, with its errors        λ += −m_eff (μ (J v − b) ) − ι λ, clamped; a soft row:
//                                          b = −rate · error, rate = ω/(2ζ + hω), μ = a/(1 + a), ι = 1/(1 + a),
//                                          a = hω (2ζ + hω): the implicit spring of frequency ω and damping ζ
//   x += h v
//   every row once, without errors         takes out the velocity that mending brought in
//
// Many short steps converge better than many iterations of a long one: the error of a row falls with h², and
// positions are looked at again in every part. Or, as in the document (GRI 2.8), Baumgarte's way: one part, all
// iterations in it, errors as velocities that stay in the motion.
//
// Friction holds the two directions of the tangent plane within a circle of radius μ λ_n.
#pragma once

#include "impulse/direct.h"
#include "impulse/mechanism.h"
#include "math/wide.h"

#include <span>
#include <vector>

namespace bristle::impulse {

struct SweepSettings {
    int parts, passes;  // passes in each part
    bool relaxes;
    double error_reduction, allowed_depth;  // of Baumgarte's way
};

class Sweeps {
  public:
    // Elements of the mechanism and manifolds that take part, and the groups they move.
    struct Work {
        std::span<const uint32_t> groups, manifolds, elements;
    };
    void solve(const StepView&, const Work&, Mechanism&, const std::vector<double>& memory,
               double time, double resting_speed, const SweepSettings&, Jobs&);
    size_t colors() const { return colors_.size(); }

  private:
    static constexpr uint32_t lanes = 8, most_colors = 32, none = 0xffffffffu;

    struct alignas(32) BodyFloats {
        float linear[4], angular[4];
    };
    struct alignas(32) Point {
        WideVec3 arm_a, arm_b;
        Wide inward[2];  // along the tangents: where friction acts
        Wide gap, bounce, mass, tangent_mass[2];
        Wide impulse, friction[2], strain[2];
        Wide sum, friction_sum[2];  // of the impulses of all parts of the step
        void count() {
            sum = sum + impulse;
            for (int t = 0; t < 2; ++t) friction_sum[t] = friction_sum[t] + friction[t];
        }
    };
    // Rolling resistance about the two tangents, spinning resistance about the normal: N m s, now and of all parts of the step.
    struct alignas(32) Turning {
        Wide impulse[3], sum[3];
    };
    // What is along the two tangents of a manifold, as one vector.
    static Vec3 across(const Manifold& m, const Wide (&along)[2], uint32_t lane) {
        return double{along[0][lane]} * m.tangent[0] + double{along[1][lane]} * m.tangent[1];
    }
    struct alignas(32) Manifolds8 {
        uint32_t a[lanes], b[lanes];  // bodies; 0 stands still
        uint32_t source[lanes];       // manifold, or none
        WideVec3 normal, tangent[2];
        Wide inverse_mass_a, inverse_mass_b, friction;
        Wide inertia_a[6], inertia_b[6];  // inverse, symmetric: xx yy zz xy xz yz
        uint32_t first, count;            // points
        bool resists;                     // some of them resists turning …
        Wide rolling, spinning;           // … by so much, m
        Wide turning_mass[3];             // kg m²
    };
    struct Motion8 {
        WideVec3 va, wa, vb, wb;
    };
    struct Softness {
        float rate, mass_scale, impulse_scale, fastest, allowed;
    };
    struct Range {
        uint32_t begin, end;
    };

    void load_bodies(const StepView&, const Work&, int parts);
    static Softness softness(const SweepSettings&, double h);
    void paint(const StepView&, const Work&);
    void fill(const StepView&, uint32_t index, double parts);
    void unload(const StepView&, uint32_t index, double parts) const;
    Motion8 load(const std::vector<BodyFloats>&, const Manifolds8&) const;
    void save(const Motion8&, const Manifolds8&);
    void warm_start(const Manifolds8&);
    void resist_turning(const Manifolds8&, Motion8&);
    template <bool mends> void solve_manifolds(Manifolds8&, float inverse_h, const Softness&);
    template <class Each> void for_each_color(Jobs&, const Each&);

    void prepare_rows(const StepView&, const Work&, Mechanism&, const std::vector<double>& memory,
                      double h, double time, double resting_speed);
    void warm_start_rows(const Mechanism&);
    void solve_rows(Mechanism&, bool mends);
    void apply(const Mechanism&, const Row&, double impulse);
    double rate_of(const Mechanism&, const Row&) const;
    void count_work(Mechanism&) const;

    std::vector<BodyFloats> velocity_, moved_, push_;  // by number in the work, 0 is the ground
    std::vector<BodyFloats>
        carry_;  // of velocities: what rounding has left out of forces and joints
    std::vector<uint32_t> number_;       // of every group
    std::vector<uint32_t> used_colors_;  // of every body, a bit each
    struct Painted {
        uint32_t manifold, color;
    };
    std::vector<Painted> painted_;
    std::vector<uint32_t> sorted_, bucket_;
    std::vector<Manifolds8> blocks_;
    std::vector<Point> points_;
    std::vector<Turning> turnings_;  // of every point, if any resists
    std::vector<Range> colors_;      // of blocks; the last one is solved in order
    bool has_rest_ = false;
    std::vector<uint32_t> rows_;
    std::vector<double> start_rates_;  // of them, where a part begins
    std::vector<Mat3> row_inverse_inertia_;
};

}  // namespace bristle::impulse
