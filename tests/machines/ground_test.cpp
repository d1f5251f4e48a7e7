// Columns of soil: what is taken, given and pressed is conserved, and what is too steep slides to its angle.
#include "machines/earth/ground.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace bristle::machines {
namespace {

HeightField flat(uint32_t columns, uint32_t rows, double x, double y) {
    HeightField f{.columns = columns, .rows = rows, .spacing_x = x, .spacing_y = y, .heights = {}};
    f.heights.assign(size_t{columns} * rows, 0);
    return f;
}

// Of the triangles of a field, above zero, one by one.
double volume(const HeightField& f) {
    double sum = 0;
    for (uint32_t r = 0; r + 1 < f.rows; ++r)
        for (uint32_t c = 0; c + 1 < f.columns; ++c) {
            const size_t k = size_t{r} * f.columns + c;
            const double a = f.heights[k], b = f.heights[k + 1], d = f.heights[k + f.columns],
                         e = f.heights[k + f.columns + 1];
            sum += f.spacing_x * f.spacing_y / 6 * (a + b + e + a + e + d);
        }
    return sum;
}

TEST(Ground, ColumnsHaveTheVolumeOfTheFieldsTriangles) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> height(-1, 1);
    HeightField f = flat(9, 6, 0.2, 0.3);
    for (double& h : f.heights) h = height(random);
    const Ground g(f, sand(), Ground::Bank::soil, -10);
    double sum = 0;
    for (size_t k = 0; k < g.size(); ++k) sum += g.area(k) * f.heights[k];
    EXPECT_NEAR(sum, volume(f), 1e-13);
    EXPECT_NEAR(g.mass(f), sand().density * (volume(f) + 10 * 8 * 0.2 * 5 * 0.3), 1e-8);
}

TEST(Ground, TakesGivesAndPressesWithoutLosingMass) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> share(0, 1);
    for (const auto bank : {Ground::Bank::soil, Ground::Bank::hard}) {
        HeightField f = flat(40, 35, 0.1, 0.1);
        Heights heights(f);
        Ground g(f, loam(), bank, -5);
        const double before = g.mass(f);
        double hand = 0;
        if (bank == Ground::Bank::hard)
            for (size_t k = 0; k < g.size(); ++k) {
                g.give(heights, k, 1);
                hand -= 1;
            }
        for (int i = 0; i < 200000; ++i) {
            const size_t k = random() % g.size();
            switch (random() % 4) {
                case 0:
                case 1: hand += g.take(heights, k, 0.05 * share(random)); break;
                case 2: {
                    const double mass = share(random) * std::max(0.0, hand);
                    g.give(heights, k, mass);
                    hand -= mass;
                    break;
                }
                default: g.press(heights, k, 0.02 * share(random)); break;
            }
            const Column& c = g.column(k);
            ASSERT_GE(c.mass, 0);
            ASSERT_GE(c.thickness, 0);
            // Never denser than it can be.
            ASSERT_LE(c.mass,
                      g.area(k) * c.thickness * loam().compacted_density() * (1 + 1e-9) + 1e-9);
        }
        const double scale = bank == Ground::Bank::soil ? before : 1400;
        EXPECT_NEAR(g.mass(f) + hand, before,
                    1e-12 * scale * (bank == Ground::Bank::soil ? 1 : 10));
    }
}

TEST(Ground, HardGroundGivesOnlyWhatLiesOnIt) {
    HeightField f = flat(5, 5, 0.1, 0.1);
    Heights heights(f);
    Ground g(f, sand(), Ground::Bank::hard, 0);
    EXPECT_EQ(g.take(heights, 12, 0.3), 0);
    g.give(heights, 12, 2);
    const double high = f.heights[12];
    EXPECT_NEAR(high, 2 / (0.01 * sand().loose_density()), 1e-15);
    g.press(heights, 12, 1);
    EXPECT_NEAR(f.heights[12], 2 / (0.01 * sand().compacted_density()), 1e-12);
    EXPECT_NEAR(g.take(heights, 12, 5), 2, 1e-15);
    EXPECT_EQ(f.heights[12], 0);
}

TEST(Ground, BytesBringItBackAndDamagedOnesChangeNothing) {
    std::mt19937 random(4);
    HeightField f = flat(70, 40, 0.1, 0.1);
    Heights heights(f);
    Ground g(f, clay(), Ground::Bank::soil, -5), other(f, clay(), Ground::Bank::soil, -5);
    for (int i = 0; i < 500; ++i) g.take(heights, random() % g.size(), 0.02);
    std::vector<std::byte> bytes;
    g.write(bytes);
    EXPECT_NE(other.hash(), g.hash());
    ASSERT_TRUE(other.read(bytes));
    EXPECT_EQ(other.hash(), g.hash());
    const uint64_t hash = other.hash();
    for (size_t length = 0; length < bytes.size(); length += 97)
        EXPECT_FALSE(other.read(std::span(bytes).first(length)));
    for (int i = 0; i < 200; ++i) {
        auto bad = bytes;
        bad[random() % 16] ^= std::byte{0x80};
        other.read(bad);
    }
    ASSERT_TRUE(other.read(bytes));
    EXPECT_EQ(other.hash(), hash);
}

// ---- Sliding -------------------------------------------------------------------------------------------

struct Heap {
    Heap(const Soil& soil, double spacing, double mass, int portions, Vec3 at)
        : field(flat(static_cast<uint32_t>(6 / spacing) + 1, static_cast<uint32_t>(6 / spacing) + 1,
                     spacing, spacing)),
          heights(field),
          ground(field, soil, Ground::Bank::hard, 0) {
        const auto c = static_cast<size_t>(std::lround(at.x / spacing)),
                   r = static_cast<size_t>(std::lround(at.y / spacing));
        for (int i = 0; i < portions; ++i) {
            ground.give(heights, r * field.columns + c, mass / portions);
            for (int k = 0; k < 4; ++k) slide(ground, heights, {}, 100000);
        }
        slide(ground, heights, {}, 100000000);
        centre = {static_cast<double>(c) * spacing, static_cast<double>(r) * spacing, 0};
    }
    double at(Vec3 p) const {
        const double x = p.x / field.spacing_x, y = p.y / field.spacing_y;
        const auto c = static_cast<size_t>(x), r = static_cast<size_t>(y);
        const double u = x - static_cast<double>(c), v = y - static_cast<double>(r);
        const size_t k = r * field.columns + c;
        const auto& h = field.heights;
        return v > u ? h[k] + u * (h[k + field.columns + 1] - h[k + field.columns])
                           + v * (h[k + field.columns] - h[k])
                     : h[k] + u * (h[k + 1] - h[k]) + v * (h[k + field.columns + 1] - h[k + 1]);
    }
    HeightField field;
    Heights heights;
    Ground ground;
    Vec3 centre;
};

// The slope of the middle half of a heap's flank, in 48 directions.
TEST(Slide, HeapsHaveTheAngleOfReposeInEveryDirection) {
    for (const Soil& soil : {sand(), clay()})
        for (const double spacing : {0.05, 0.1}) {
            const Heap heap(soil, spacing, 1500, 40, {3, 3, 0});
            EXPECT_EQ(heap.ground.active_count(), 0u);
            EXPECT_NEAR(heap.ground.loose_mass(), 1500, 1500e-12);
            const double top = heap.at(heap.centre);
            // A cone of that volume.
            const double slope = std::tan(soil.repose),
                         cone = std::cbrt(3 * 1500 / soil.loose_density() * slope * slope / pi);
            EXPECT_NEAR(top, cone, 0.04 * cone + 0.3 * spacing) << soil.name;
            double lowest = 90, highest = 0;
            for (int i = 0; i < 48; ++i) {
                const double angle = 2 * pi * i / 48;
                const Vec3 out{std::cos(angle), std::sin(angle), 0};
                const double radius = top / slope;
                const double inner = heap.at(heap.centre + 0.25 * radius * out),
                             outer = heap.at(heap.centre + 0.75 * radius * out);
                const double found = std::atan((inner - outer) / (0.5 * radius)) * 180 / pi;
                lowest = std::min(lowest, found);
                highest = std::max(highest, found);
            }
            const double repose = soil.repose * 180 / pi;
            EXPECT_GT(lowest, repose - 1) << soil.name << " " << spacing;
            EXPECT_LT(highest, repose + 1) << soil.name << " " << spacing;
        }
}

TEST(Slide, BanksStandAndLooseSoilDoesNot) {
    HeightField f = flat(41, 11, 0.1, 0.1);
    for (size_t k = 0; k < f.heights.size(); ++k) f.heights[k] = k % 41 > 20 ? 0.2 : 0;
    for (const Soil& soil : {clay(), sand()}) {
        HeightField now = f;
        Heights heights(now);
        Ground g(now, soil, Ground::Bank::soil, -3);
        for (size_t k = 0; k < g.size(); ++k) g.disturb(k);
        const double before = g.mass(now);
        slide(g, heights, {}, 10000000);
        EXPECT_NEAR(g.mass(now), before, 1e-12 * before);
        // A step of 0.2 m within a cell of 0.1 m is 63°.
        if (soil.name == "clay")
            EXPECT_EQ(now.heights, f.heights);
        else
            EXPECT_LT(now.heights[5 * 41 + 21], 0.17);
        EXPECT_EQ(g.active_count(), 0u);
    }
}

TEST(Slide, KeepsMassFromWildHeights) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> height(0, 3);
    for (int i = 0; i < 20; ++i) {
        HeightField f = flat(50, 50, 0.1, 0.13);
        Heights heights(f);
        Ground g(f, gravel(), i % 2 == 0 ? Ground::Bank::soil : Ground::Bank::hard, -3);
        double given = 0;
        const double start = g.mass(f);
        for (size_t k = 0; k < g.size(); k += 3) {
            const double mass = 10 * height(random);
            g.give(heights, k, mass);
            given += mass;
        }
        slide(g, heights, {0.1 * i, 0}, 3000000);
        EXPECT_NEAR(g.mass(f), start + given, 1e-12 * (start + given));
    }
}

}  // namespace
}  // namespace bristle::machines
