#include "analysis/linearize.h"

#include <bristle/analysis.h>

#include "analysis/freedoms.h"
#include "step/world_access.h"

#include <fmt/format.h>

namespace bristle {

using namespace analysis;

using Eigen::MatrixXd;
using Eigen::VectorXd;

SmallMotions analysis::small_motions(const World& world) {
    const lagrange::System& s = WorldAccess::system(world);
    if (!s.stateful.empty())
        throw InputError(
            fmt::format("linearize, modes: what force '{}' remembers is not part of small motions; "
                        "take it out, or put a spring for it",
                        s.model().stateful_forces()[0].name));
    for (const Contact& c : world.contacts())
        if (norm(c.force) > 0)
            throw SimulationError(
                "linearize: bodies press on each other, and a contact has no linear law; hold them "
                "by joints or springs instead");
    SmallMotions out{WorldAccess::state(world), {}, {}};
    state::State& state = out.state;
    std::fill(state.velocity.begin(), state.velocity.end(), Vec4{});
    lagrange::Equations equations(s);
    hold_relations(equations, state);
    equations.evaluate_rows(state);
    const TangentSpace space(equations, state);
    const MatrixXd mass = mass_matrix(s);
    out.motion = space.free_motions(mass);
    // What accelerates is no business of the rows.
    const VectorXd force = applied_force(equations, state);
    const VectorXd acceleration = out.motion * (out.motion.transpose() * force);
    store_multipliers(equations, space.multipliers_for(force - mass * acceleration), state);
    out.resistance = resistance_along(equations, state, out.motion);
    return out;
}

Linearization linearize(const World& world) {
    const lagrange::System& s = WorldAccess::system(world);
    const SmallMotions small = small_motions(world);
    const Vec4* const q = small.state.position.data();
    std::vector<BodyMotion> motions;
    for (Eigen::Index k = 0; k < small.motion.cols(); ++k)
        motions.push_back(body_motion(s, q, small.motion.col(k)));
    const MatrixXd by = separated(s, q, motions, s.size);

    Linearization out;
    out.n = static_cast<int>(by.cols());
    const auto by_rows = [&](const MatrixXd& m) {
        const MatrixXd t = (by.transpose() * m * by).transpose();
        return std::vector<double>(t.data(), t.data() + t.size());
    };
    out.mass = by_rows(MatrixXd::Identity(out.n, out.n));
    out.damping = by_rows(small.resistance.damping);
    out.stiffness = by_rows(small.resistance.stiffness);
    const auto ids = WorldAccess::body_ids(world);
    for (const BodyMotion& m : combined(motions, by)) {
        out.basis.emplace_back(world.model().bodies().size());
        for (size_t b = 0; b < m.size(); ++b) out.basis.back()[ids[b].index] = m[b];
    }
    return out;
}

}  // namespace bristle
