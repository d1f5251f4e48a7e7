#include "collision/volume/patch.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {
namespace {

// Of the sum of the triangles' sizes: a sum of their vectors smaller than this is rounding, and so would be
// its direction. Larger, and a body that is pierced almost right through would lose its normal.
constexpr double rounding_of_area = 1e-12;
// Of the larger of the two moments. A strip thinner than 1e-6 of its length has no slope across that could be
// told from rounding; cylinders on planes make strips of 1e-4.
constexpr double rounding_of_moment = 1e-12;

}  // namespace

Vec3 thickness_gradient(const ContactPatch& patch) {
    // In the contact plane M = [p r; r q], whose eigenvalues are m ± d along (cos φ, sin φ) and across.
    const Vec3 e1 = any_perpendicular(patch.normal), e2 = cross(patch.normal, e1);
    const Vec3 m1 = patch.area_moment * e1, m2 = patch.area_moment * e2;
    const double p = dot(e1, m1), q = dot(e2, m2), r = 0.5 * (dot(e1, m2) + dot(e2, m1));
    const double mean = 0.5 * (p + q), half = std::hypot(0.5 * (p - q), r);
    const double angle = 0.5 * std::atan2(r, 0.5 * (p - q));
    const Vec3 along = std::cos(angle) * e1 + std::sin(angle) * e2,
               across = cross(patch.normal, along);
    const Vec3 moment = patch.volume * (patch.centroid - patch.area_center);
    const double larger = mean + half, smaller = mean - half;
    Vec3 gradient;
    if (larger > 0) gradient += dot(moment, along) / larger * along;
    if (smaller > rounding_of_moment * larger) gradient += dot(moment, across) / smaller * across;
    return gradient;
}

// By Green's theorem: the polygon is the signed sum of the triangles that the segments make with any
// point, here the centroid, and of a triangle 0 a b of area A
//     ∫ dA = A,   ∫ x dA = A (a + b)/3,   ∫ x xᵀ dA = A/12 (a aᵀ + b bᵀ + (a + b)(a + b)ᵀ).
void measure_contour(ContactPatch& patch, const ContourSegment* contour, Vec3 otherwise) {
    const Vec3 c = patch.centroid;
    const ContourSegment* const first = contour + patch.first_segment;
    const ContourSegment* const end = first + patch.segments;
    Vec3 vector_area;
    double sizes = 0;
    for (const ContourSegment* s = first; s != end; ++s) {
        const Vec3 a = 0.5 * cross(s->from - c, s->to - c);
        vector_area += a;
        sizes += norm(a);
    }
    patch.area = norm(vector_area);
    patch.area_center = c;
    patch.area_moment = {};
    if (!(patch.area > rounding_of_area * sizes)) {
        patch.area = 0;
        patch.normal = otherwise;
        return;
    }
    const Vec3 n = vector_area / patch.area;
    patch.normal = n;
    const auto projected = [&](Vec3 x) { return (x - c) - dot(x - c, n) * n; };
    Vec3 first_moment;
    Mat3 second;
    for (const ContourSegment* s = first; s != end; ++s) {
        const Vec3 a = projected(s->from), b = projected(s->to), sum = a + b;
        const double area = 0.5 * dot(n, cross(a, b));
        first_moment += area / 3 * sum;
        second =
            second + area / 12 * (Mat3::outer(a, a) + Mat3::outer(b, b) + Mat3::outer(sum, sum));
    }
    const Vec3 center = first_moment / patch.area;
    patch.area_center = c + center;
    patch.area_moment = second - patch.area * Mat3::outer(center, center);
}

}  // namespace bristle::collision
