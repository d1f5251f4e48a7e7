#include <bristle/error.h>
#include <bristle/shape.h>

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace bristle::geometry {
namespace {

using testing_support::Random;

double largest(const Mat3& m) {
    double size = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) size = std::max(size, std::abs(m(i, j)));
    return size;
}

// `length` is what errors of the centre are measured by.
void expect_same(const MassProperties& a, const MassProperties& b, double tolerance,
                 double length) {
    EXPECT_NEAR(a.volume / b.volume, 1, tolerance);
    EXPECT_LE(norm(a.center - b.center), tolerance * length);
    EXPECT_LE(largest(a.inertia - b.inertia), tolerance * largest(b.inertia));
}

MassProperties placed(const Geometry& geometry, const Pose& pose) {
    return mass_properties(Compound{{{geometry, pose}}});
}

// The midpoint rule on slices of a body that is round a curve: ∫ over z, ρ and φ, with φ from 0 to `turn`
// and ρ between the two bounds at z.
MassProperties by_quadrature(double low, double high, double turn,
                             const std::function<std::pair<double, double>(double)>& rho_at) {
    const int n = 400;
    MassProperties sum;
    Vec3 first;
    Mat3 second;
    for (int i = 0; i < n; ++i) {
        // z = −cos t: the midpoint rule then converges as for a smooth function at the round ends.
        const double t = pi * (i + 0.5) / n;
        const double z = (low + high) / 2 - (high - low) / 2 * std::cos(t);
        const double dz = (high - low) / 2 * std::sin(t) * pi / n;
        const auto [inner, outer] = rho_at(z);
        for (int j = 0; j < n; ++j) {
            const double rho = inner + (outer - inner) * (j + 0.5) / n, drho = (outer - inner) / n;
            const double area = rho * drho * dz;
            sum.volume += turn * area;
            first += area * Vec3{std::sin(turn) * rho, (1 - std::cos(turn)) * rho, turn * z};
            const double cc = turn / 2 + std::sin(2 * turn) / 4,
                         ss = turn / 2 - std::sin(2 * turn) / 4;
            second = second + area * Mat3::diagonal({cc * rho * rho, ss * rho * rho, turn * z * z});
        }
    }
    sum.center = first / sum.volume;
    second = second - sum.volume * Mat3::outer(sum.center, sum.center);
    sum.inertia = second.trace() * Mat3::identity() - second;
    return sum;
}

TriangleMesh box_mesh(Vec3 size, Vec3 center = {}) {
    TriangleMesh mesh;
    for (double x : {-0.5, 0.5})
        for (double y : {-0.5, 0.5})
            for (double z : {-0.5, 0.5})
                mesh.vertices.push_back(center + Vec3{x * size.x, y * size.y, z * size.z});
    mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                      {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    return mesh;
}

void append(TriangleMesh& mesh, const TriangleMesh& more, bool reversed = false) {
    const auto start = static_cast<uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
    for (auto t : more.triangles) {
        if (reversed) std::swap(t[1], t[2]);
        mesh.triangles.push_back({t[0] + start, t[1] + start, t[2] + start});
    }
}

Mesh shared(TriangleMesh mesh) { return {std::make_shared<const TriangleMesh>(std::move(mesh))}; }

void move(std::vector<Vec3>& points, const Pose& pose) {
    for (Vec3& p : points) p = pose * p;
}

// A surface of revolution about z with many sides, around the given profile (closed, counter-clockwise
// in the plane of ρ and z).
TriangleMesh torus_mesh(double radius, double tube, uint32_t around, uint32_t across) {
    TriangleMesh mesh;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t j = 0; j < across; ++j) {
            const double phi = 2 * pi * i / around, psi = 2 * pi * j / across;
            const double rho = radius + tube * std::cos(psi);
            mesh.vertices.push_back(
                {rho * std::cos(phi), rho * std::sin(phi), tube * std::sin(psi)});
            const uint32_t i1 = (i + 1) % around, j1 = (j + 1) % across;
            mesh.triangles.push_back({i * across + j, i1 * across + j, i1 * across + j1});
            mesh.triangles.push_back({i * across + j, i1 * across + j1, i * across + j1});
        }
    return mesh;
}

std::string error_of(const Geometry& geometry) {
    try {
        mass_properties(geometry);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(MassProperties, OfPrimitivesAgreeWithQuadrature) {
    const auto round = [](double r) {
        return [r](double z) { return std::pair(0.0, std::sqrt(std::max(0.0, r * r - z * z))); };
    };
    // The midpoint rule of n points is right to about 1/n² of the integrand: 400 points give 1e-5.
    expect_same(mass_properties(Sphere{0.7}), by_quadrature(-0.7, 0.7, 2 * pi, round(0.7)), 2e-5,
                1);
    expect_same(mass_properties(Cylinder{0.3, 1.1}),
                by_quadrature(-0.55, 0.55, 2 * pi, [](double) { return std::pair(0.0, 0.3); }),
                2e-5, 1);
    for (double length : {0.0, 0.2, 3.0}) {
        const double r = 0.4;
        expect_same(mass_properties(Capsule{r, length}),
                    by_quadrature(-length / 2 - r, length / 2 + r, 2 * pi,
                                  [&](double z) {
                                      return round(r)(std::max(0.0, std::abs(z) - length / 2));
                                  }),
                    1e-4, 1);
    }
    for (double tube : {0.01, 0.3, 1.0})
        for (auto arc : {Torus::Arc::full, Torus::Arc::half}) {
            const auto ring = [&](double z) {
                const double half = std::sqrt(std::max(0.0, tube * tube - z * z));
                return std::pair(1 - half, 1 + half);
            };
            expect_same(mass_properties(Torus{1, tube, arc}),
                        by_quadrature(-tube, tube, arc == Torus::Arc::full ? 2 * pi : pi, ring),
                        2e-5, 1);
        }
}

TEST(MassProperties, OfABallAreThoseOfACapsuleWithoutLength) {
    expect_same(mass_properties(Capsule{0.3, 0}), mass_properties(Sphere{0.3}), 1e-15, 0.3);
}

TEST(MassProperties, OfTwoHalfToriAreThoseOfTheWhole) {
    const Torus half{0.5, 0.2, Torus::Arc::half};
    const Compound both{{{half, {}}, {half, {{}, Quat::about({0, 0, 1}, pi)}}}};
    expect_same(mass_properties(both), mass_properties(Torus{0.5, 0.2}), 1e-14, 0.5);
}

TEST(MassProperties, OfBoxesAgreeWhicheverWayTheyAreDescribed) {
    Random random(1);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const double scale = std::pow(10, random.uniform(-6, 6));
        const Vec3 size =
            scale * Vec3{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
        const double distance = random.chance(0.5) ? 1 : 1e6;
        const Pose pose{distance * scale * random.direction(), random.rotation()};
        const MassProperties known = placed(Box{size}, pose);
        TriangleMesh mesh = box_mesh(size);
        move(mesh.vertices, pose);
        // Corners are rounded to half a unit of their distance, ten times in a size at the thinnest.
        const double tolerance = 1e-14 + 2e-15 * distance;
        expect_same(mass_properties(ConvexPolyhedron{mesh.vertices}), known, tolerance, scale);
        expect_same(mass_properties(shared(mesh)), known, tolerance, scale);
        expect_same(placed(ConvexPolyhedron{box_mesh(size).vertices}, pose), known,
                    1e-14 + 2e-16 * distance, scale);
    }
}

TEST(MassProperties, OfNeedlesKeepTheirDigits) {
    Random random(2);
    for (double thin : {1e-3, 1e-6})
        for (Vec3 size : {Vec3{1, thin, thin}, Vec3{1, 1, thin}}) {
            const Pose pose{{}, random.rotation()};
            TriangleMesh mesh = box_mesh(size);
            move(mesh.vertices, pose);
            const MassProperties known = placed(Box{size}, pose);
            // Corners are rounded to 1e-16 of the length.
            expect_same(mass_properties(shared(mesh)), known, 1e-14 + 2e-15 / thin, 1);
            expect_same(mass_properties(ConvexPolyhedron{mesh.vertices}), known,
                        1e-14 + 2e-15 / thin, 1);
        }
}

TEST(MassProperties, OfATetrahedronAreTheTextbooks) {
    // Corner at the origin, edges a, b, c along the axes: V = abc/6, centre a/4, ∫x² = V a²/10,
    // ∫xy = V ab/20 about the corner.
    const double a = 1, b = 2, c = 3, v = a * b * c / 6;
    const auto p = mass_properties(ConvexPolyhedron{{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}});
    EXPECT_NEAR(p.volume, v, 1e-15);
    EXPECT_LE(norm(p.center - Vec3{a / 4, b / 4, c / 4}), 1e-15);
    EXPECT_NEAR(p.inertia(0, 0), v * 3 * (b * b + c * c) / 80, 1e-14);
    EXPECT_NEAR(p.inertia(1, 1), v * 3 * (a * a + c * c) / 80, 1e-14);
    EXPECT_NEAR(p.inertia(2, 2), v * 3 * (b * b + a * a) / 80, 1e-14);
    EXPECT_NEAR(p.inertia(0, 1), v * a * b * (1.0 / 16 - 1.0 / 20), 1e-14);
    EXPECT_NEAR(p.inertia(1, 2), v * c * b * (1.0 / 16 - 1.0 / 20), 1e-14);
}

TEST(MassProperties, OfAFineMeshApproachThoseOfItsTorusWithTheSquareOfTheEdges) {
    const Torus torus{0.5, 0.2};
    const MassProperties known = mass_properties(torus);
    double before = 0;
    for (uint32_t n : {40u, 80u, 160u}) {
        const double error =
            std::abs(mass_properties(shared(torus_mesh(torus.radius, torus.tube, n, n))).volume
                         / known.volume
                     - 1);
        if (before != 0) {
            EXPECT_NEAR(before / error, 4, 0.1);
        }
        before = error;
    }
    expect_same(mass_properties(shared(torus_mesh(torus.radius, torus.tube, 160, 160))), known,
                2e-3, 0.5);
}

TEST(MassProperties, SubtractACavity) {
    TriangleMesh mesh = box_mesh({2, 2, 2});
    append(mesh, box_mesh({1, 1, 1}, {0.3, 0, 0}), true);
    const auto hollow = mass_properties(shared(mesh));
    EXPECT_NEAR(hollow.volume, 7, 1e-14);
    EXPECT_NEAR(hollow.center.x, -0.3 / 7, 1e-15);
    const double outer = 8.0 / 12 * 8, inner = 1.0 / 12 * 2;
    EXPECT_NEAR(hollow.inertia(0, 0), outer - inner, 1e-13);
    EXPECT_NEAR(hollow.inertia(1, 1), outer - inner - 0.09 - 7 * std::pow(0.3 / 7, 2), 1e-13);
}

TEST(MassProperties, OfCompoundsFollowTheParallelAxes) {
    Random random(3);
    // A box cut into eight unequal ones, which are turned in their frames and nested.
    const double x[] = {-0.5, 0.1, 0.5}, y[] = {-1, -0.2, 1}, z[] = {-0.3, 0.25, 0.3};
    Compound outer;
    for (int i = 0; i < 2; ++i) {
        Compound inner;
        for (int j = 0; j < 4; ++j) {
            const int a = j / 2, b = j % 2;
            const Vec3 size{y[a + 1] - y[a], z[b + 1] - z[b], x[i + 1] - x[i]};  // turned: y, z, x
            const Vec3 center{(x[i + 1] + x[i]) / 2, (y[a + 1] + y[a]) / 2, (z[b + 1] + z[b]) / 2};
            const Mat3 turn = Mat3::columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
            inner.parts.push_back({Box{size}, {center, Quat::from(turn)}});
        }
        outer.parts.push_back({inner, {}});
    }
    expect_same(mass_properties(outer), mass_properties(Box{{1, 2, 0.6}}), 1e-14, 1);
    const Pose pose{random.vector(3), random.rotation()};
    expect_same(placed(outer, pose), placed(Box{{1, 2, 0.6}}, pose), 1e-14, 1);
}

TEST(ChainLink, IsTwoBendsAndTwoBars) {
    const double radius = 0.05, tube = 0.01, straight = 0.08;
    const Compound link = chain_link(radius, tube, straight);
    ASSERT_EQ(link.parts.size(), 4u);
    const auto p = mass_properties(link);
    const double bar = pi * tube * tube * straight, bend = pi * pi * radius * tube * tube;
    EXPECT_NEAR(p.volume / (2 * bar + 2 * bend), 1, 1e-14);
    EXPECT_LE(norm(p.center), 1e-17);
    // The bends open towards each other: every part's centre is where the drawing has it.
    const double bend_at = straight / 2 + 2 * (radius * radius + tube * tube / 4) / (pi * radius);
    const Vec3 expected[] = {{bend_at, 0, 0}, {-bend_at, 0, 0}, {0, radius, 0}, {0, -radius, 0}};
    for (size_t i = 0; i < 4; ++i)
        EXPECT_LE(norm(placed(link.parts[i].geometry, link.parts[i].pose).center - expected[i]),
                  1e-16);
    // Its bars lie along x: no product of inertia, and the ends reach as far as they should.
    EXPECT_LE(
        largest(p.inertia - Mat3::diagonal({p.inertia(0, 0), p.inertia(1, 1), p.inertia(2, 2)})),
        1e-14 * largest(p.inertia));
    EXPECT_LT(p.inertia(0, 0), p.inertia(1, 1));
    EXPECT_EQ(chain_link(radius, tube, 0).parts.size(), 2u);
    expect_same(mass_properties(chain_link(radius, tube, 0)), mass_properties(Torus{radius, tube}),
                1e-14, radius);
    for (Vec3 bad : {Vec3{0.05, 0.06, 1}, Vec3{0.05, 0, 1}, Vec3{0.05, 0.01, -1},
                     Vec3{NAN, 0.01, 1}, Vec3{0.05, NAN, 1}, Vec3{0.05, 0.01, NAN}})
        EXPECT_THROW(chain_link(bad.x, bad.y, bad.z), InputError);
}

TEST(MassProperties, AreRefusedWithReasonsForWhatHasNoVolume) {
    EXPECT_NE(error_of(Plane{}).find("plane"), std::string::npos);
    EXPECT_NE(error_of(HeightField{}).find("height field"), std::string::npos);
    EXPECT_NE(error_of(Mesh{}).find("no triangles"), std::string::npos);
    EXPECT_NE(error_of(Compound{}).find("no parts"), std::string::npos);
    EXPECT_NE(error_of(ConvexPolyhedron{{{0, 0, 0}}}).find("1 points"), std::string::npos);
    const Compound nested{{{Sphere{1}, {}}, {Compound{{{Plane{}, {}}}}, {}}}};
    EXPECT_NE(error_of(nested).find("part 1: compound, part 0: plane"), std::string::npos);
    EXPECT_NE(error_of(Compound{{{Sphere{1}, {{}, {0, 0, 0, 0}}}}}).find("pose"),
              std::string::npos);
    EXPECT_NE(error_of(Compound{{{Sphere{1}, {{NAN, 0, 0}, {}}}}}).find("pose"), std::string::npos);

    TriangleMesh open = box_mesh({1, 1, 1});
    open.triangles.erase(open.triangles.begin() + 7);
    EXPECT_NE(error_of(shared(open)).find("has no neighbour"), std::string::npos)
        << error_of(shared(open));
    TriangleMesh inverted;
    append(inverted, box_mesh({1, 1, 1}), true);
    EXPECT_NE(error_of(shared(inverted)).find("inside out"), std::string::npos);

    for (double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        for (const Geometry& g :
             {Geometry(Sphere{bad}), Geometry(Box{{1, bad, 1}}), Geometry(Capsule{bad, 1}),
              Geometry(Cylinder{bad, 1}), Geometry(Cylinder{1, bad}), Geometry(Torus{bad, 1}),
              Geometry(Torus{1, bad})})
            EXPECT_NE(error_of(g).find("must be"), std::string::npos) << bad;
    EXPECT_NE(error_of(Capsule{1, -1}).find("length"), std::string::npos);
    EXPECT_NE(error_of(Torus{1, 1.1}).find("cuts itself"), std::string::npos);
}

}  // namespace
}  // namespace bristle::geometry
