// Eigenvalues and axes of a symmetric 3×3 matrix by Jacobi rotations: slow, exact to rounding, set-up only.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

namespace bristle::math {

struct SymmetricEigen {
    Vec3 values;
    Mat3 axes;  // eigenvectors in its columns, a rotation
};

SymmetricEigen symmetric_eigen(const Mat3&);

}  // namespace bristle::math
