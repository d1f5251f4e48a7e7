// The words that every room of the engine may use as its own: those of base, math and geometry. All other rooms are
// named where they are used: collision::Scene, lagrange::System.
#pragma once

namespace bristle {

namespace base {}
namespace math {}
namespace geometry {}
using namespace base;
using namespace math;
using namespace geometry;

}  // namespace bristle
