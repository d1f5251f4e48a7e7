// Distance of two convex cores that are apart (Gilbert, Johnson, Keerthi).
//
// v is the point nearest to the origin of a simplex with corners in D = A − B; the next corner is the
// point of D farthest in the direction −v. Then |v| ≥ distance ≥ v·w/|v|, and the two close on each
// other: at once for polyhedra, by about a digit per round for the rims of cylinders.
//
// The nearest point of a simplex is looked for on every face that has the origin outside, and the best is
// taken. Johnson's recursion is quicker by a few products, but decides by the sign of differences
// of cofactors; here every candidate is a point of D, so a wrong decision costs a round, not the result.
#pragma once

#include "collision/near/convex.h"

namespace bristle::collision {

// A point of A − B, and where it comes from; all in a's frame.
struct DifferencePoint {
    Vec3 point, on_a, on_b;
};
DifferencePoint difference_support(const ConvexCore& a, const ConvexCore& b,
                                   const RelativePose& pose, Vec3 direction);
// h(u), the extent of A − B.
double difference_extent(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                         Vec3 direction);

struct GjkResult {
    enum class Outcome : uint8_t { far, apart, touching };  // touching: or nearer than can be told
    Outcome outcome = Outcome::far;
    DifferencePoint nearest;
    double scale = 0;  // m: the largest coordinate met; rounding is 1e-16 of it
};
// `start`: a guess of the direction from b to a, of any length.
GjkResult gjk(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose, Vec3 start,
              double limit);

}  // namespace bristle::collision
