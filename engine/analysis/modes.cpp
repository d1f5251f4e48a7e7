// λ² z + λ C z + K z = 0 in coordinates in which the mass matrix is one.
#include <bristle/analysis.h>

#include "analysis/freedoms.h"
#include "analysis/linearize.h"
#include "step/world_access.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace bristle {

using namespace analysis;
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

struct Pair {
    Complex value;
    VectorXcd vector;
};

bool is_symmetric(const MatrixXd& m) {
    return m.size() == 0 || (m - m.transpose()).norm() <= 1e-9 * m.norm();
}

// Symmetric and undamped: frequencies to the last digits. A stiffness that is mere rounding is none.
std::vector<Pair> undamped(const Resistance& r) {
    if (r.stiffness.size() == 0) return {};
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5
                                                         * (r.stiffness + r.stiffness.transpose()));
    std::vector<Pair> out;
    for (Index k = 0; k < r.stiffness.cols(); ++k) {
        const double stiffness = solver.eigenvalues()[k], omega = std::sqrt(std::abs(stiffness));
        const Complex value = std::abs(stiffness) <= r.rounding ? Complex{0, 0}
                            : stiffness > 0                     ? Complex{0, omega}
                                                                : Complex{omega, 0};
        out.push_back({value, solver.eigenvectors().col(k).cast<Complex>()});
    }
    return out;
}

Index nullity(const MatrixXd& m, double rounding) {
    if (m.cols() == 0) return 0;
    const Eigen::JacobiSVD<MatrixXd> svd(m);
    return (svd.singularValues().array() <= rounding).count();
}

// By the companion matrix, with time measured in periods of the stiffest motion.
std::vector<Pair> damped(const Resistance& r) {
    const Index n = r.stiffness.cols();
    const double rate = std::max({std::sqrt(r.stiffness.norm()), r.damping.norm(), 1e-300});
    MatrixXd companion = MatrixXd::Zero(2 * n, 2 * n);
    companion.topRightCorner(n, n).setIdentity();
    companion.bottomLeftCorner(n, n) = -r.stiffness / (rate * rate);
    companion.bottomRightCorner(n, n) = -r.damping / rate;
    const Eigen::EigenSolver<MatrixXd> solver(companion);
    std::vector<Pair> out;
    for (Index k = 0; k < 2 * n; ++k)
        if (solver.eigenvalues()[k].imag() >= 0)
            out.push_back({rate * solver.eigenvalues()[k], solver.eigenvectors().col(k).head(n)});
    std::sort(out.begin(), out.end(),
              [](const Pair& a, const Pair& b) { return std::abs(a.value) < std::abs(b.value); });
    // What nothing holds has the eigenvalue zero, and twice if nothing damps it; rounding splits such pairs
    // as widely as its square root. Listed once.
    MatrixXd both(2 * n, n);
    both << r.stiffness / (rate * rate), r.damping / rate;
    const double rounding = std::max(r.rounding / (rate * rate), 1e-13 * static_cast<double>(n));
    const Index still = nullity(both, rounding),
                unheld = nullity(r.stiffness / (rate * rate), rounding);
    Index zeros = 0;
    for (const Pair& p : out) zeros += std::abs(p.value) < 1e-5 * rate ? 1 : 0;
    zeros = std::min(zeros, unheld + still);
    const Index kept = std::min(zeros, unheld);
    out.erase(out.begin(), out.begin() + (zeros - kept));
    for (Index k = 0; k < kept; ++k) out[static_cast<size_t>(k)].value = 0;
    return out;
}

}  // namespace

std::vector<Mode> modes(const World& world) {
    const lagrange::System& s = WorldAccess::system(world);
    const SmallMotions small = small_motions(world);
    const bool conservative =
        small.resistance.damping.isZero(0) && is_symmetric(small.resistance.stiffness);
    std::vector<Pair> pairs = conservative ? undamped(small.resistance) : damped(small.resistance);
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return std::abs(a.value) < std::abs(b.value);
    });
    const auto ids = WorldAccess::body_ids(world);
    std::vector<Mode> out;
    for (const Pair& p : pairs) {
        Mode mode;
        mode.eigenvalue = p.value;
        const double size = std::abs(p.value);
        mode.frequency = size / (2 * pi);
        mode.damping_ratio = size > 0 ? -p.value.real() / size : 0;
        const BodyMotion real = body_motion(s, small.state.position.data(),
                                            small.motion * p.vector.real()),
                         imaginary = body_motion(s, small.state.position.data(),
                                                 small.motion * p.vector.imag());
        // Turned in phase so that the largest entry is one; then its real part is shown.
        Complex largest = 0;
        const auto entries = [&](const auto& visit) {
            for (size_t b = 0; b < real.size(); ++b)
                for (int c = 0; c < 3; ++c) {
                    visit(Complex{real[b].linear[c], imaginary[b].linear[c]});
                    visit(s.size * Complex{real[b].angular[c], imaginary[b].angular[c]});
                }
        };
        // The first of those that are equally large, so that the sign does not hang on rounding.
        entries([&](Complex x) {
            if (std::abs(x) > (1 + 1e-6) * std::abs(largest)) largest = x;
        });
        const Complex by = std::abs(largest) > 0 ? 1.0 / largest : Complex{1, 0};
        mode.shape.resize(world.model().bodies().size());
        for (size_t b = 0; b < real.size(); ++b)
            for (int c = 0; c < 3; ++c) {
                Twist& shape = mode.shape[ids[b].index];
                shape.linear[c] = (by * Complex{real[b].linear[c], imaginary[b].linear[c]}).real();
                shape.angular[c] =
                    (by * Complex{real[b].angular[c], imaginary[b].angular[c]}).real();
            }
        out.push_back(std::move(mode));
    }
    return out;
}

}  // namespace bristle
