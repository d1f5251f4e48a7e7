#include "math/symmetric_eigen.h"

namespace bristle::math {

SymmetricEigen symmetric_eigen(const Mat3& matrix) {
    Mat3 a = 0.5 * (matrix + matrix.transposed()), axes = Mat3::identity();
    for (int sweep = 0; sweep < 60; ++sweep) {
        const double off = std::abs(a(0, 1)) + std::abs(a(0, 2)) + std::abs(a(1, 2));
        if (!(off > 1e-300)) break;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (a(p, q) == 0) continue;
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t =
                    (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                Mat3 g = Mat3::identity();
                g(p, p) = c;
                g(q, q) = c;
                g(p, q) = s;
                g(q, p) = -s;
                a = g.transposed() * a * g;
                a(p, q) = a(q, p) = 0;
                axes = axes * g;
            }
        }
    }
    return {{a(0, 0), a(1, 1), a(2, 2)}, axes};
}

}  // namespace bristle::math
