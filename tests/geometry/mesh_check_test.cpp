#include <bristle/shape.h>

#include "tests/support/random.h"
#include "tests/support/scaled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>
#include <random>

namespace bristle::geometry {
namespace {

using testing_support::Random;
using testing_support::scaled;
using Kind = MeshReport::Kind;

TriangleMesh box(Vec3 half, Vec3 center = {}) {
    TriangleMesh mesh;
    for (double x : {-1, 1})
        for (double y : {-1, 1})
            for (double z : {-1, 1})
                mesh.vertices.push_back(center + Vec3{x * half.x, y * half.y, z * half.z});
    mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                      {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    return mesh;
}

TriangleMesh reversed(TriangleMesh mesh) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

TriangleMesh joined(std::initializer_list<TriangleMesh> parts) {
    TriangleMesh mesh;
    for (const TriangleMesh& part : parts) {
        const auto start = static_cast<uint32_t>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
        for (const auto& t : part.triangles)
            mesh.triangles.push_back({t[0] + start, t[1] + start, t[2] + start});
    }
    return mesh;
}

// A closed grid on a torus: 2 around across triangles.
TriangleMesh torus(uint32_t around, uint32_t across) {
    TriangleMesh mesh;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t j = 0; j < across; ++j) {
            const double phi = 2 * pi * i / around, psi = 2 * pi * j / across;
            const double rho = 1 + 0.3 * std::cos(psi);
            mesh.vertices.push_back(
                {rho * std::cos(phi), rho * std::sin(phi), 0.3 * std::sin(psi)});
            const uint32_t i1 = (i + 1) % around, j1 = (j + 1) % across;
            mesh.triangles.push_back({i * across + j, i1 * across + j, i1 * across + j1});
            mesh.triangles.push_back({i * across + j, i1 * across + j1, i * across + j1});
        }
    return mesh;
}

size_t count(const MeshReport& report, Kind kind) {
    return static_cast<size_t>(std::count_if(report.problems.begin(), report.problems.end(),
                                             [&](const auto& p) { return p.kind == kind; }));
}

std::string text_of(const MeshReport& report) {
    std::string text;
    for (const auto& p : report.problems) text += p.text + '\n';
    return text;
}

void expect_only(const TriangleMesh& mesh, Kind kind, size_t number) {
    const MeshReport report = check(mesh);
    EXPECT_EQ(count(report, kind), number) << text_of(report);
    EXPECT_EQ(report.problems.size(), number) << text_of(report);
}

TEST(MeshCheck, FindsNothingWrongWithClosedMeshes) {
    for (const TriangleMesh& mesh :
         {box({1, 2, 3}), torus(30, 20), joined({box({1, 1, 1}), box({1, 1, 1}, {3, 0, 0})}),
          joined({box({3, 3, 3}), reversed(box({2, 2, 2})), box({1, 1, 1})}),
          box({1e-6, 1e-6, 1e-6}), box({1e6, 1e6, 1e6}), box({1, 1, 1}, {1e6, -1e6, 1e6}),
          box({1, 1e-6, 1e-6})}) {
        const MeshReport report = check(mesh);
        EXPECT_TRUE(report.problems.empty()) << text_of(report);
        EXPECT_TRUE(report.is_closed);
        EXPECT_TRUE(report.is_usable);
    }
}

TEST(MeshCheck, HasNoUseForAnEmptyMesh) {
    const MeshReport report = check({});
    EXPECT_FALSE(report.is_closed);
    EXPECT_FALSE(report.is_usable);
}

TEST(MeshCheck, NamesBadIndicesAndVertices) {
    TriangleMesh mesh = box({1, 1, 1});
    mesh.triangles[3][1] = 8;
    mesh.vertices[7].y = std::nan("");
    const MeshReport report = check(mesh);
    EXPECT_FALSE(report.is_closed);
    EXPECT_FALSE(report.is_usable);
    ASSERT_EQ(count(report, Kind::bad_index), 1u);
    EXPECT_GE(count(report, Kind::not_finite), 3u);
    const auto bad = std::find_if(report.problems.begin(), report.problems.end(),
                                  [](const auto& p) { return p.kind == Kind::bad_index; });
    EXPECT_EQ(bad->triangle, 3u);
    EXPECT_NE(bad->text.find("vertex 8"), std::string::npos);
    EXPECT_NE(text_of(report).find("vertex 7 (1, nan, 1)"), std::string::npos) << text_of(report);
}

TEST(MeshCheck, FindsTheThreeEdgesOfAMissingTriangle) {
    for (size_t missing = 0; missing < 12; ++missing) {
        TriangleMesh mesh = box({1, 1, 1});
        mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(missing));
        expect_only(mesh, Kind::open_edge, 3);
        EXPECT_FALSE(check(mesh).is_closed);
        EXPECT_TRUE(check(mesh).is_usable);  // as scenery
    }
}

TEST(MeshCheck, NamesTheTriangleThatIsTurnedRound) {
    for (uint32_t turned = 0; turned < 12; ++turned) {
        TriangleMesh mesh = box({1, 1, 1});
        std::swap(mesh.triangles[turned][1], mesh.triangles[turned][2]);
        expect_only(mesh, Kind::flipped, 3);
        const MeshReport report = check(mesh);
        for (const auto& p : report.problems) {
            EXPECT_EQ(p.triangle, turned);
            EXPECT_NE(p.text.find("reverse triangle " + std::to_string(turned)), std::string::npos);
        }
        EXPECT_FALSE(report.is_closed);
    }
}

TEST(MeshCheck, SaysThatAMoebiusBandIsOneSided) {
    TriangleMesh band;
    const uint32_t n = 20;
    for (uint32_t i = 0; i < n; ++i) {
        const double phi = 2 * pi * i / n;
        for (double s : {-0.3, 0.3})
            band.vertices.push_back({(1 + s * std::cos(phi / 2)) * std::cos(phi),
                                     (1 + s * std::cos(phi / 2)) * std::sin(phi),
                                     s * std::sin(phi / 2)});
        const uint32_t a = 2 * i, b = a + 1, c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? a + 3 : 0;
        band.triangles.push_back({a, c, b});
        band.triangles.push_back({b, c, d});
    }
    const MeshReport report = check(band);
    EXPECT_GE(count(report, Kind::flipped), 1u);
    EXPECT_NE(text_of(report).find("one-sided"), std::string::npos);
    EXPECT_FALSE(report.is_closed);
}

TEST(MeshCheck, NamesEdgesOfMoreThanTwoTriangles) {
    TriangleMesh mesh = box({1, 1, 1});  // with an inner wall along a diagonal
    mesh.triangles.push_back({0, 1, 7});
    mesh.triangles.push_back({0, 7, 6});
    const MeshReport report = check(mesh);
    EXPECT_EQ(count(report, Kind::shared_edge), 4u) << text_of(report);  // all around it
    EXPECT_NE(text_of(report).find("3 triangles (0, 5, 12)"), std::string::npos) << text_of(report);
    EXPECT_FALSE(report.is_closed);
}

TEST(MeshCheck, FindsPartsInsideOutButNotCavities) {
    expect_only(reversed(box({1, 1, 1})), Kind::inside_out, 1);
    expect_only(joined({box({1, 1, 1}), reversed(box({1, 1, 1}, {5, 0, 0}))}), Kind::inside_out, 1);
    EXPECT_EQ(
        check(joined({box({1, 1, 1}), reversed(box({1, 1, 1}, {5, 0, 0}))})).problems[0].triangle,
        12u);
    // Around an inside-out part there is no material, whatever is around that.
    expect_only(joined({reversed(box({3, 3, 3})), box({1, 1, 1})}), Kind::inside_out, 1);
    expect_only(joined({box({3, 3, 3}), reversed(box({2, 2, 2})), reversed(box({1, 1, 1}))}),
                Kind::inside_out, 1);
    EXPECT_FALSE(check(reversed(box({1, 1, 1}))).is_closed);
}

TEST(MeshCheck, TellsCavitiesByTheHundredInAnyPlace) {
    Random random(1);
    for (double scale : {1e-6, 1.0, 1e6}) {
        // A torus with bubbles in its tube (cavities) and some in its hole (inside out).
        TriangleMesh mesh = torus(60, 40);
        size_t outside = 0;
        for (int i = 0; i < 400; ++i) {
            const double phi = 0.01 + 2 * pi * i / 400, rho = random.chance(0.8) ? 1 : 0.55;
            outside += rho < 0.6;
            mesh = joined({mesh, reversed(box({2e-3, 2e-3, 2e-3},
                                              {rho * std::cos(phi), rho * std::sin(phi), 0}))});
        }
        const Mat3 turn = random.rotation().matrix();
        for (Vec3& p : mesh.vertices) p = scale * (turn * p);
        expect_only(mesh, Kind::inside_out, outside);
    }
}

TEST(MeshCheck, FindsTrianglesWithoutAnArea) {
    for (double scale : {1e-6, 1.0, 1e6})
        for (double height : {0.0, 1e-12, 1e-6}) {
            TriangleMesh mesh;
            mesh.vertices = {{0, 0, 0}, {scale, 0, 0}, {0.3 * scale, height * scale, 0}};
            mesh.triangles = {{0, 1, 2}};
            const MeshReport report = check(mesh);
            EXPECT_EQ(count(report, Kind::degenerate), height < 1e-9 ? 1u : 0u)
                << scale << ' ' << height;
            EXPECT_EQ(report.is_usable, height > 1e-9);
        }
}

TEST(MeshCheck, StillFindsAMeshClosedThatHasFoldedTriangles) {
    TriangleMesh mesh = box({1, 1, 1});
    mesh.triangles.push_back({0, 0, 1});
    mesh.triangles.push_back({5, 5, 5});
    expect_only(mesh, Kind::degenerate, 2);
    EXPECT_TRUE(check(mesh).is_closed);
    EXPECT_FALSE(check(mesh).is_usable);
}

TEST(MeshCheck, FindsDuplicatesEitherWayRound) {
    for (bool same_way : {true, false}) {
        TriangleMesh mesh = box({1, 1, 1});
        const auto t = mesh.triangles[4];
        mesh.triangles.push_back(same_way ? std::array{t[1], t[2], t[0]}
                                          : std::array{t[1], t[0], t[2]});
        expect_only(mesh, Kind::duplicate, 1);
        EXPECT_EQ(check(mesh).problems[0].triangle, 4u);
        EXPECT_FALSE(check(mesh).is_closed);
    }
}

TEST(MeshCheck, TakesAMillionTrianglesInSeconds) {
    TriangleMesh mesh = torus(static_cast<uint32_t>(scaled(1000)), 500);
    std::shuffle(mesh.triangles.begin(), mesh.triangles.end(), std::mt19937(1));
    const auto seconds_for = [](const TriangleMesh& m, bool closed) {
        const std::clock_t start = std::clock();
        const MeshReport report = check(m);
        const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_EQ(report.is_closed, closed);
        EXPECT_LE(report.problems.size(), 1001u);
        return taken;
    };
    EXPECT_LT(seconds_for(mesh, true), 10);  // 2 s; sanitizers take longer
    TriangleMesh soup;                       // the same without shared vertices
    for (const auto& t : mesh.triangles) {
        const auto start = static_cast<uint32_t>(soup.vertices.size());
        for (const uint32_t v : t) soup.vertices.push_back(mesh.vertices[v]);
        soup.triangles.push_back({start, start + 1, start + 2});
    }
    EXPECT_LT(seconds_for(soup, false), 10);
    const MeshReport report = check(soup);
    const size_t more = 3 * soup.triangles.size() - 1000;
    EXPECT_NE(report.problems.back().text.find(std::to_string(more) + " more"), std::string::npos);
}

// Any mesh at all, also one made of random numbers: an answer, no crash.
TEST(MeshCheck, SurvivesRandomMeshes) {
    Random random(2);
    for (int repeat = 0; repeat < scaled(3000); ++repeat) {
        TriangleMesh mesh;
        const int vertices = random.integer(0, 8), triangles = random.integer(0, 14);
        for (int i = 0; i < vertices; ++i) mesh.vertices.push_back(random.vector(1));
        for (int i = 0; i < triangles; ++i) {
            std::array<uint32_t, 3> t{};
            for (uint32_t& v : t)
                v = static_cast<uint32_t>(
                    random.integer(0, random.chance(0.02) ? 20 : std::max(0, vertices - 1)));
            mesh.triangles.push_back(t);
        }
        if (random.chance(0.1) && vertices > 0) mesh.vertices[0].x = std::nan("");
        const MeshReport report = check(mesh);
        if (report.is_closed) {
            EXPECT_EQ(count(report, Kind::open_edge), 0u);
        }
        if (report.problems.empty() && triangles > 0) {
            EXPECT_TRUE(report.is_closed && report.is_usable);
        }
    }
}

}  // namespace
}  // namespace bristle::geometry
