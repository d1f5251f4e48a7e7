// Tangents of the users' forces, by differences.
//
// The step needs γh C + βh² K only, and that is one derivative: of Q along a motion in which the
// position moves βh² and the velocity γh for every unit of acceleration. What is added is symmetrized.
#include "lagrange/equations.h"
#include "lagrange/kinematics.h"

#include <algorithm>
#include <cmath>

namespace bristle {

void Equations::add_user_tangents(const State& state, const IntegratorWeights& w,
                                  BlockLdlt& matrix) {
    for (const UserForceElement& u : system.user_forces) {
        const size_t count = u.entities.size(), n = 3 * count;
        if (count == 0) continue;
        evaluate_user_force(u, state.position.data(), state.velocity.data(), user_force_);
        std::copy(state.position.begin(), state.position.end(), moved_position_.begin());
        std::copy(state.velocity.begin(), state.velocity.end(), moved_velocity_.begin());
        for (size_t k = 0; k < count; ++k) {
            const uint32_t e = u.entities[k];
            const double push = 1e-3 * system.scale[e] / w.gamma_h;
            for (int c = 0; c < 3; ++c) {
                moved_position_[e][c] += push * w.beta_h2;
                moved_velocity_[e][c] += push * w.gamma_h;
                evaluate_user_force(u, moved_position_.data(), moved_velocity_.data(),
                                    user_force_moved_);
                for (size_t l = 0; l < count; ++l)
                    for (int d = 0; d < 3; ++d)
                        user_tangent_[(3 * l + static_cast<size_t>(d)) * n + 3 * k
                                      + static_cast<size_t>(c)] =
                            -w.force
                            * (user_force_moved_[u.entities[l]][d] - user_force_[u.entities[l]][d])
                            / push;
                moved_position_[e] = state.position[e];
                moved_velocity_[e] = state.velocity[e];
            }
        }
        for (size_t k = 0; k < n; ++k) {
            double sum = 0;
            for (size_t l = 0; l < n; ++l)
                sum += std::abs(user_tangent_[k * n + l]) * system.scale[u.entities[l / 3]];
            double& rounding = user_rounding_[u.entities[k / 3]];
            rounding = std::max(rounding, sum / w.beta_h2);
        }
        const uint32_t* block = u.blocks.data();
        for (size_t k = 0; k < count; ++k) {
            for (size_t l = 0; l <= k; ++l) {
                Block3& b = matrix.blocks()[*block++];
                for (size_t c = 0; c < 3; ++c)
                    for (size_t d = 0; d < 3; ++d)
                        b.column[c][d] += 0.5
                                        * (user_tangent_[(3 * k + d) * n + 3 * l + c]
                                           + user_tangent_[(3 * l + c) * n + 3 * k + d]);
            }
        }
    }
}

}  // namespace bristle
