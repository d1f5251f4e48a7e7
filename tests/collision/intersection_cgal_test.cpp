// What solids share against CGAL's exact result, above all where nothing is in general position: the program
// knows no special cases, and here is every one that it might have needed.
#include "tests/collision/overlap_oracle.h"

#include <functional>

namespace bristle::collision {
namespace {

using namespace testing_support;
using Method = ExactOverlap::Method;

// Both ways round: b is the one that is shifted in thought.
OverlapErrors expect_exact(const TriangleMesh& a, const TriangleMesh& b, const char* what,
                           int number, Method method = Method::corefinement) {
    OverlapErrors all;
    for (const bool swapped : {false, true}) {
        const TriangleMesh &x = swapped ? b : a, &y = swapped ? a : b;
        const OverlapErrors e = compare(x, y, overlap(x, y), exact_overlap(x, y, method));
        EXPECT_TRUE(is_good(e)) << what << ' ' << number << (swapped ? ", b in a: " : ": ")
                                << text_of(e);
        all.take(e);
    }
    return all;
}

TEST(IntersectionAgainstCgal, TheOracleKnowsBoxes) {
    const ExactOverlap e =
        exact_overlap(box_between({0, 0, 0}, {2, 2, 2}), box_between({1, 1, 0}, {3, 4, 2}));
    EXPECT_DOUBLE_EQ(e.volume, 2);
    EXPECT_LT(norm(e.centroid - Vec3{1.5, 1.5, 1}), 1e-15);
    EXPECT_DOUBLE_EQ(e.inertia(0, 0), 2 * (1 + 4) / 12.0);
    EXPECT_DOUBLE_EQ(e.inertia(2, 2), 2 * (1 + 1) / 12.0);
    EXPECT_EQ(e.positive.size(), 1u);
    // Two angles that share two cubes with a common edge: corefinement refuses.
    const TriangleMesh angle = angle_bar();
    const ExactOverlap cubes =
        exact_overlap(angle, moved(angle, Mat3::diagonal({-1, -1, 1}), {2, 2, 0}));
    EXPECT_EQ(cubes.method, ExactOverlap::Method::nef);
    EXPECT_DOUBLE_EQ(cubes.volume, 2);
    EXPECT_LT(norm(cubes.centroid - Vec3{1, 1, 0.5}), 1e-15);
}

TEST(IntersectionAgainstCgal, RandomPairsShareWhatTheyShould) {
    Random random(20);
    OverlapErrors all;
    for (int i = 0; i < 400; ++i) {
        const SolidPair p = random_pair(random);
        all.take(expect_exact(p.a, p.b, "pair", i));
    }
    EXPECT_GT(all.compared, 600) << text_of(all);
}

TEST(IntersectionAgainstCgal, AsManyRegionsAsThereAre) {
    Random random(21);
    int several = 0;
    for (int i = 0; i < 600; ++i) {
        SolidPair p = random_pair(random);
        if (i % 2 == 0) {  // stars and rings through each other
            p.a = ring(8, 4, 0.3);
            p.b = moved(star(7, 0.2), random.rotation().matrix(), random.vector(0.5));
        }
        const ExactOverlap exact = exact_overlap(p.a, p.b);
        if (exact.hollows > 0 || exact.method == ExactOverlap::Method::nef) continue;
        const Overlap ours = overlap(p.a, p.b);
        ASSERT_EQ(ours.regions.size(), exact.positive.size()) << i;
        for (size_t k = 0; k < ours.regions.size(); ++k)
            EXPECT_NEAR(ours.regions[k], exact.positive[k], 1e-9 * exact.positive[0]) << i;
        several += ours.regions.size() > 1;
    }
    EXPECT_GT(several, 100);
}

// ---- Families that are not in general position ---------------------------------------------------

// A body and a partner for it, of which all coordinates are small integers or dyadic fractions where that matters; then both
// stretched alike by a power of two, which keeps all that coincides.
using Family = std::function<SolidPair(Random&)>;

void try_family(const char* what, int repetitions, bool may_be_turned, const Family& make,
                Method method = Method::corefinement) {
    Random random(22);
    OverlapErrors all;
    for (int i = 0; i < repetitions; ++i) {
        SolidPair p = make(random);
        const double scale = std::ldexp(1.0, random.integer(-20, 20));
        Mat3 by = Mat3::diagonal({scale, scale, scale});
        // Turned, planes are planes up to rounding only: the next best thing to being degenerate.
        if (may_be_turned && random.chance(0.5)) by = random.rotation().matrix() * by;
        p.a = moved(p.a, by, {});
        p.b = moved(p.b, by, {});
        all.take(expect_exact(p.a, p.b, what, i, method));
    }
    ::testing::Test::RecordProperty(what, text_of(all));
}

Vec3 integers(Random& random, int low, int high) {
    const auto one = [&] { return static_cast<double>(random.integer(low, high)); };
    const double x = one(), y = one();
    return {x, y, one()};
}
TriangleMesh grid_box(Random& random, int size) {
    const Vec3 low = integers(random, 0, size - 1);
    const Vec3 more = integers(random, 1, size - 1);
    return box_between(low, low + more);
}
TriangleMesh any_solid(Random& random) {
    return random_solid(random, random.integer(0, solid_kinds - 1));
}
double dyadic(Random& random, double low, double high) {
    return std::round(random.uniform(low, high) * 64) / 64;
}

TEST(IntersectionAgainstCgal, IdenticalBodies) {
    try_family("identical", 200, true, [](Random& random) {
        const TriangleMesh body = any_solid(random);
        return SolidPair{body, body};
    });
}

// The same surface, cut into other triangles.
TEST(IntersectionAgainstCgal, TheSameBodyInOtherTriangles) {
    try_family("other diagonals", 60, false, [](Random& random) {
        const TriangleMesh body = block(integers(random, 1, 4));
        TriangleMesh other = body;
        for (size_t t = 0; t < other.triangles.size(); t += 2) {
            if (random.chance(0.3)) continue;
            auto &x = other.triangles[t], &y = other.triangles[t + 1];
            // x = (a, b, c), y = (a, c, d) become (a, b, d) and (b, c, d).
            const uint32_t a = x[0], b = x[1], c = x[2], d = y[2];
            EXPECT_EQ(y[0], a);
            EXPECT_EQ(y[1], c);
            x = {a, b, d};
            y = {b, c, d};
        }
        return SolidPair{body, other};
    });
}

TEST(IntersectionAgainstCgal, BoxesOfAnIntegerGrid) {
    try_family("grid boxes", 300, true, [](Random& random) {
        return SolidPair{grid_box(random, 4), grid_box(random, 4)};
    });
}

TEST(IntersectionAgainstCgal, TetrahedraOfAnIntegerGrid) {
    try_family("grid tetrahedra", 300, true, [](Random& random) {
        const auto make = [&] {
            for (;;) {
                TriangleMesh t = tetrahedron(integers(random, 0, 3), integers(random, 0, 3),
                                             integers(random, 0, 3), integers(random, 0, 3));
                if (volume_of(t) > 0) return t;
            }
        };
        const TriangleMesh a = make();
        return SolidPair{a, make()};
    });
}

TEST(IntersectionAgainstCgal, BoxAndTetrahedronOfAnIntegerGrid) {
    try_family("grid box and tetrahedron", 200, true, [](Random& random) {
        for (;;) {
            const TriangleMesh t = tetrahedron(integers(random, 0, 4), integers(random, 0, 4),
                                               integers(random, 0, 4), integers(random, 0, 4));
            if (volume_of(t) > 0) return SolidPair{grid_box(random, 4), t};
        }
    });
}

TEST(IntersectionAgainstCgal, ABodyShiftedAlongItsFace) {
    try_family("shifted along a face", 200, false, [](Random& random) {
        TriangleMesh body = any_solid(random);
        // So that sums with the shift are exact.
        for (Vec3& p : body.vertices)
            for (int i = 0; i < 3; ++i) p[i] = std::round(p[i] * 1024) / 1024;
        if (!check(body).is_closed || crosses_itself(body)) body = angle_bar();
        const auto& t = body.triangles[static_cast<size_t>(
            random.integer(0, static_cast<int>(body.triangles.size()) - 1))];
        const double u = dyadic(random, -0.5, 0.5),
                     v = random.chance(0.5) ? 0 : dyadic(random, -0.5, 0.5);
        const Vec3 shift = u * (body.vertices[t[1]] - body.vertices[t[0]])
                         + v * (body.vertices[t[2]] - body.vertices[t[0]]);
        return SolidPair{body, moved(body, shift)};
    });
}

TEST(IntersectionAgainstCgal, AnglesOnAngles) {
    try_family("angle bars", 200, true, [](Random& random) {
        TriangleMesh b = angle_bar();
        const int turns = random.integer(0, 3);
        for (Vec3& p : b.vertices)
            for (int k = 0; k < turns; ++k) p = {-p.y, p.x, p.z};
        return SolidPair{angle_bar(), moved(b, 0.5 * integers(random, -3, 3))};
    });
}

// The corner of a tetrahedron in a face, an edge or a corner of a box, from inside and outside.
TEST(IntersectionAgainstCgal, ACornerOnAFaceOrAnEdgeOrACorner) {
    try_family("corner on face", 300, true, [](Random& random) {
        Vec3 corner = {4, dyadic(random, 0, 4), dyadic(random, 0, 4)};
        if (random.chance(0.3)) corner.y = 4;
        if (random.chance(0.2)) corner.z = corner.y;  // on the diagonal of the face
        if (random.chance(0.2)) corner.z = 0;
        for (;;) {
            const double side = random.chance(0.5) ? 1 : -1;
            const auto away = [&] {
                Vec3 v = integers(random, -3, 3);
                v.x = side * random.integer(1, 6);
                return corner + v;
            };
            const Vec3 p = away(), q = away(), r = away();
            const TriangleMesh t = tetrahedron(corner, p, q, r);
            if (volume_of(t) > 0) return SolidPair{box_between({0, 0, 0}, {4, 4, 4}), t};
        }
    });
}

TEST(IntersectionAgainstCgal, AnEdgeOnAnEdge) {
    // A wedge whose edge crosses the edge of a box, or lies along it.
    try_family("edge on edge", 300, true, [](Random& random) {
        const bool along = random.chance(0.4);
        const Vec3 on_edge = {4, 4, dyadic(random, 0, 4)};
        Vec3 direction = along ? Vec3{0, 0, 1} : integers(random, -2, 2);
        if (norm(direction) == 0) direction = {1, -1, 0};
        const Vec3 p = on_edge - dyadic(random, 0.5, 2) * direction,
                   q = on_edge + dyadic(random, 0.5, 2) * direction;
        for (;;) {
            const TriangleMesh t = tetrahedron(p, q, on_edge + integers(random, -3, 3),
                                               on_edge + integers(random, -3, 3));
            if (volume_of(t) > 0) return SolidPair{box_between({0, 0, 0}, {4, 4, 4}), t};
        }
    });
}

TEST(IntersectionAgainstCgal, AFacePartlyOnAFaceFromOutsideAndInside) {
    try_family("face on face", 200, true, [](Random& random) {
        const Vec3 low = {random.chance(0.5) ? 4.0 : dyadic(random, 1, 3), dyadic(random, -2, 3),
                          dyadic(random, -2, 3)};
        const Vec3 high = {low.x == 4.0 ? 6.0 : 4.0, low.y + dyadic(random, 1, 4),
                           low.z + dyadic(random, 1, 4)};
        return SolidPair{box_between({0, 0, 0}, {4, 4, 4}), box_between(low, high)};
    });
}

TEST(IntersectionAgainstCgal, OneBodyInAnother) {
    try_family("containment", 200, true, [](Random& random) {
        const double size = random.uniform(0.1, 0.3);
        return SolidPair{moved(any_solid(random), Mat3::diagonal({size, size, size}), {}),
                         block({1, 1, 1})};
    });
}

// In a hollow, which it may fill, stand in, or stick out of.
TEST(IntersectionAgainstCgal, OneBodyInTheHollowOfAnother) {
    try_family(
        "hollow", 150, true,
        [](Random& random) {
            const TriangleMesh hollow = joined({block({4, 4, 4}), reversed(block({2, 2, 2}))});
            const double size = random.chance(0.3) ? 2 : dyadic(random, 0.5, 5);
            return SolidPair{hollow, moved(block({size, size, size}),
                                           {random.chance(0.5) ? 2 - size : 0, 0, 0})};
        },
        Method::shells);
}

TEST(IntersectionAgainstCgal, BodiesThatTouchFromOutsideShareNothing) {
    Random random(23);
    for (int i = 0; i < 300; ++i) {
        // All of b is where x ≥ 0, all of a where x ≤ 0, and both reach x = 0.
        const auto half_space = [&](double side) {
            TriangleMesh body = moved(any_solid(random), random.rotation().matrix(), {});
            double least = INFINITY;
            for (const Vec3 v : body.vertices) least = std::min(least, side * v.x);
            for (Vec3& v : body.vertices) v.x -= side * least;
            return body;
        };
        const TriangleMesh a = half_space(-1);
        TriangleMesh b = half_space(1);
        const auto touching = [](const TriangleMesh& m) {
            return *std::min_element(m.vertices.begin(), m.vertices.end(),
                                     [](Vec3 x, Vec3 y) { return std::abs(x.x) < std::abs(y.x); });
        };
        if (i % 2 == 0) {  // at the same point
            const Vec3 shift = touching(a) - touching(b);
            b = moved(b, {0, shift.y, shift.z});
        }
        const double bound = 1e-15 * std::min(volume_of(a), volume_of(b));
        EXPECT_LE(overlap(a, b).volume, bound) << i;
        EXPECT_LE(overlap(b, a).volume, bound) << i;
    }
}

// Cells of a grid: whatever touches whatever, also along edges, and the answer is a number of cells.
TEST(IntersectionAgainstCgal, CellsOfAGridAreCounted) {
    Random random(24);
    constexpr int size = 3;
    int four = 0;
    for (int i = 0; i < 400; ++i) {
        const auto make = [&] {
            std::vector<bool> filled(size * size * size);
            const double share = random.uniform(0.2, 0.9);
            for (size_t k = 0; k < filled.size(); ++k) filled[k] = random.chance(share);
            filled[13] = true;
            return filled;
        };
        const std::vector<bool> x = make(), y = make();
        double both = 0;
        Vec3 center;
        for (size_t k = 0; k < x.size(); ++k) {
            if (!x[k] || !y[k]) continue;
            ++both;
            const size_t row = k / 3 % 3, layer = k / 9;
            center += Vec3{static_cast<double>(k % 3), static_cast<double>(row),
                           static_cast<double>(layer)}
                    + Vec3{0.5, 0.5, 0.5};
        }
        const TriangleMesh a = cells(x, size), b = cells(y, size);
        four += check(a).is_closed ? 0 : 1;
        const Overlap ours = overlap(a, b);
        ASSERT_NEAR(ours.volume, both, 1e-12) << i;
        EXPECT_LT(norm(ours.centroid - center / both), 1e-12) << i;
    }
    EXPECT_GT(four, 100);  // with an edge of four triangles
}

// ---- Placement and motion -------------------------------------------------------------------------

TEST(IntersectionAgainstCgal, PlacedBodiesShareTheSame) {
    Random random(25);
    Intersection intersection;  // one for all: nothing is left of the last pair
    OverlapErrors all;
    for (int i = 0; i < 300; ++i) {
        const SolidPair p = random_pair(random);
        const double size = size_of(p.a);
        const Placement at_a{random.rotation().matrix(), random.vector(3 * size)};
        const Mat3 turn = random.rotation().matrix();
        const Vec3 middle = mass_properties(Mesh{share(p.b)}).center;
        // b turned about its middle, both then taken to a's place.
        const Placement at_b{at_a.rotation * turn,
                             at_a.rotation * (middle - turn * middle) + at_a.position};
        const Mat3 back = at_a.rotation.transposed();
        const TriangleMesh b_in_a =
            moved(p.b, back * at_b.rotation, back * (at_b.position - at_a.position));
        const Overlap ours =
            overlap(intersection, Solid(share(p.a)), at_a, Solid(share(p.b)), at_b);
        ExactOverlap exact = exact_overlap(p.a, b_in_a);
        exact.centroid = at_a.rotation * exact.centroid + at_a.position;
        exact.inertia = at_a.rotation * exact.inertia * back;
        const OverlapErrors e = compare(p.a, b_in_a, ours, exact);
        EXPECT_TRUE(is_good(e)) << i << ": " << text_of(e);
        all.take(e);
    }
    EXPECT_GT(all.compared, 180) << text_of(all);
}

// Between two places near each other the volume changes by no more than the surface sweeps.
TEST(IntersectionAgainstCgal, TheVolumeIsContinuousAsBodiesMove) {
    Random random(26);
    for (int i = 0; i < 60; ++i) {
        const TriangleMesh a = any_solid(random), b = any_solid(random);
        const Solid first(share(a)), second(share(b));
        Intersection intersection;
        // Half of them start exactly aligned, and move along an axis: through coplanar faces.
        const bool aligned = i % 2 == 0;
        Placement at;
        if (!aligned) at.rotation = random.rotation().matrix();
        const Vec3 direction = aligned ? Vec3{1, 0, 0} : random.direction();
        const double step = 1.0 / 64;
        const Vec3 aside = aligned ? Vec3{} : random.vector(0.3);
        const double area = std::min(area_of(a), area_of(b));
        double last = 0;
        for (int k = -256; k <= 256; ++k) {
            at.position = aside + k * step * direction;
            const double volume = overlap(intersection, first, {}, second, at).volume;
            if (k > -256) {
                EXPECT_LE(std::abs(volume - last), area / 2 * step * (1 + 1e-12)) << i << ' ' << k;
            }
            // And a motion of nothing changes nothing: the last digits of a coordinate are as continuous.
            if (k % 16 == 0) {
                Placement near = at;
                near.position.x += 1e-13;
                near.position.z -= 1e-13;
                EXPECT_NEAR(overlap(intersection, first, {}, second, near).volume, volume,
                            3e-13 * area)
                    << i << ' ' << k;
            }
            last = volume;
        }
        EXPECT_LE(last, 1e-12);  // it began and ended apart
    }
}

}  // namespace
}  // namespace bristle::collision
