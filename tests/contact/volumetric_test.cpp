// The volumetric law: four points for a layer, and the friction of a patch against sums over its points.
#include "contact/volumetric.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::contact {
namespace {

using testing_support::Random;

// A patch in the plane z = 0 over a polygon, pressed by the thickness t₀ + g · x.
struct Pressed {
    std::vector<Vec2> corner;
    std::vector<collision::ContourSegment> contour;
    collision::ContactPatch patch;
    double mean = 1e-3;
    Vec2 slope;  // of the thickness, over its mean
    Foundation foundation;
    Grip grip;
    std::vector<GripEdge> edges;

    Pressed(std::vector<Vec2> corners, Vec2 relative_slope,
            ContactLaw::Spin spin = ContactLaw::Spin::exact)
        : corner(std::move(corners)), slope(relative_slope) {
        for (size_t i = 0; i < corner.size(); ++i) {
            const Vec2 a = corner[i], b = corner[(i + 1) % corner.size()];
            contour.push_back({{a.x, a.y, 0}, {b.x, b.y, 0}});
        }
        patch.segments = static_cast<uint32_t>(contour.size());
        measure_contour(patch, contour.data(), {0, 0, 1});
        patch.volume = mean * patch.area;
        patch.centroid =
            patch.area_center + patch.area_moment * Vec3{slope.x, slope.y, 0} / patch.area;
        // J of a thin layer about its centroid.
        Mat3 second;
        integrate([&](Vec2 x, double p) {
            const Vec3 r = Vec3{x.x, x.y, 0} - patch.centroid;
            second = second + p * patch.volume * Mat3::outer(r, r);
        });
        patch.inertia = second.trace() * Mat3::identity() - second;
        foundation = foundation_of(patch);
        grip = grip_of(patch, foundation, spin, contour.data(), edges);
        grip.edges = edges;
        measure_grip(grip);
    }

    // Visits (x, pressure · dA of unit force): triangles from the area's centre, each cut into n².
    template <class Visit> void integrate(const Visit& visit, int n = 40) const {
        const Vec2 s{patch.area_center.x, patch.area_center.y};
        for (size_t i = 0; i < corner.size(); ++i) {
            const Vec2 a = corner[i] - s, b = corner[(i + 1) % corner.size()] - s;
            const double part = 0.5 * cross(a, b) / (n * n);
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < 2 * (n - j) - 1; ++k) {
                    const bool upper = k % 2 != 0;
                    const double u = (j + (upper ? 2.0 / 3 : 1.0 / 3)) / n,
                                 v = (k / 2 + (upper ? 2.0 / 3 : 1.0 / 3)) / n;
                    const Vec2 x = u * a + v * b;
                    visit(x + s, part * (1 + dot(slope, x)) / patch.area);
                }
        }
    }

    // ∂D/∂w by that sum, with the basis of the foundation.
    Vec3 summed_direction(Vec3 w, int n) const {
        const Vec2 e0{foundation.axis[0].x, foundation.axis[0].y},
            e1{foundation.axis[1].x, foundation.axis[1].y};
        const double omega = w.z / grip.arm;
        Vec3 sum;
        integrate(
            [&](Vec2 x, double p) {
                const Vec2 r{x.x - grip.center.x, x.y - grip.center.y};
                const Vec2 slip = w.x * e0 + w.y * e1 + omega * left_of(r);
                const Vec2 d = slip / norm(slip);
                sum += p * Vec3{dot(d, e0), dot(d, e1), cross(r, d) / grip.arm};
            },
            n);
        return sum;
    }
};

std::vector<Vec2> regular(int count, double radius, Vec2 at = {}) {
    std::vector<Vec2> out;
    for (int i = 0; i < count; ++i)
        out.push_back(at
                      + radius * Vec2{std::cos(2 * pi * i / count), std::sin(2 * pi * i / count)});
    return out;
}

std::vector<Vec2> random_polygon(Random& random) {
    std::vector<Vec2> out;
    const int count = random.integer(3, 12);
    const Vec2 at{random.uniform(-3, 3), random.uniform(-3, 3)};
    for (int i = 0; i < count; ++i) {
        const double r = random.uniform(0.5, 1);
        out.push_back(at + r * Vec2{std::cos(2 * pi * i / count), std::sin(2 * pi * i / count)});
    }
    return out;
}

Pressed random_pressed(Random& random) {
    const double size = random.uniform(0, 0.4), angle = random.uniform(-pi, pi);
    return {random_polygon(random), size * Vec2{std::cos(angle), std::sin(angle)}};
}

// ---- The layer -------------------------------------------------------------------------------------

TEST(VolumetricTest, FourPointsHaveTheForceMomentAndStiffnessOfTheLayer) {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Pressed p = random_pressed(random);
        const Foundation& f = p.foundation;
        double volume = 0;
        Vec3 moment;
        Mat3 stiffness;
        for (int k = 0; k < 4; ++k) {
            const Vec3 x = f.at(k) - p.patch.area_center;
            volume += f.area / 4 * f.thickness(k);
            moment += f.area / 4 * f.thickness(k) * x;
            stiffness = stiffness + f.area / 4 * Mat3::outer(x, x);
        }
        EXPECT_NEAR(volume, p.patch.volume, 1e-14 * p.patch.volume);
        EXPECT_LE(norm(moment - p.patch.volume * (p.patch.centroid - p.patch.area_center)),
                  1e-13 * p.patch.volume);
        for (int k = 0; k < 3; ++k)
            EXPECT_LE(norm((stiffness - p.patch.area_moment).column(k)), 1e-13);
        // The thickness it was made with is linear, so the points have just that.
        for (int k = 0; k < 4; ++k) {
            const Vec3 x = f.at(k) - p.patch.area_center;
            EXPECT_NEAR(f.thickness(k), p.mean * (1 + p.slope.x * x.x + p.slope.y * x.y), 1e-15);
        }
    }
}

TEST(VolumetricTest, RollingIsDampedByTheInertiaOfTheRegion) {
    // Under a cylinder the thickness is a parabola over −w … w: ∫ t x² = V w²/5, where the area has w²/3.
    collision::ContactPatch patch;
    const double w = 0.01, length = 1;
    patch.normal = {0, 0, 1};
    patch.area = 2 * w * length;
    patch.volume = 1e-6;
    patch.area_moment =
        Mat3::diagonal({patch.area * w * w / 3, patch.area * length * length / 12, 0});
    const double xx = patch.volume * w * w / 5, yy = patch.volume * length * length / 12;
    patch.inertia = Mat3::diagonal({yy, xx, xx + yy});
    const Foundation f = foundation_of(patch);
    // Σ k S/4 t x (a λ ω x) = k a J ω.
    for (int k = 0; k < 2; ++k) {
        const double j = std::abs(f.axis[k].x) > 0.5 ? xx : yy;
        EXPECT_NEAR(f.area * f.mean * f.lever[k] * f.arm[k] * f.arm[k], j, 1e-14 * j);
    }
}

// Flat faces, balls and corners: how deep the region is follows from how its sections shrink.
TEST(VolumetricTest, TheDepthOfARegionFollowsFromItsMoments) {
    const double deep = 0.03;
    for (const int order : {1, 2, 3}) {
        // Sections shrink as (1 − z/δ)ⁿ⁻¹ from an area of one.
        collision::ContactPatch patch;
        patch.normal = {0, 0, 1};
        patch.area = 1;
        patch.area_moment = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}};
        patch.volume = deep / order;
        const double variance = order * deep * deep / ((order + 1) * (order + 1) * (order + 2));
        const double across = 1, along = patch.volume * variance;
        patch.inertia = {{{{across + along, 0, 0}, {0, across + along, 0}, {0, 0, 2 * across}}}};
        const Foundation f = foundation_of(patch);
        EXPECT_NEAR(f.order, order, 1e-9);
        EXPECT_NEAR(f.deepest, deep, 1e-9 * deep);
    }
}

TEST(VolumetricTest, ABodyPiercedRightThroughStillHasItsForce) {
    collision::ContactPatch patch;
    patch.normal = {0, 0, 1};
    patch.volume = 8e-3;
    patch.inertia = Mat3::diagonal({1e-5, 1e-5, 1e-5});
    const Foundation f = foundation_of(patch);
    EXPECT_GT(f.area, 0);
    EXPECT_NEAR(f.area * f.mean, patch.volume, 1e-17);
    EXPECT_EQ(f.thickness(0), f.mean);
    std::vector<GripEdge> store;
    Grip grip = grip_of(patch, f, ContactLaw::Spin::exact, nullptr, store);
    measure_grip(grip);
    EXPECT_NEAR(grip.arm, std::sqrt(1e-5 / 8e-3), 1e-15);
}

// ---- Friction of the patch -------------------------------------------------------------------------

TEST(VolumetricTest, ADiscIsHeldByTwoThirdsOfItsRadius) {
    // A polygon of n sides has R(1 − O(1/n²)).
    const Pressed disc(regular(2000, 0.25), {});
    EXPECT_NEAR(disc.grip.arm, 2.0 / 3 * 0.25, 1e-6);
    EXPECT_NEAR(disc.grip.gyration2, 0.25 * 0.25 / 2, 1e-4);
    const SlipDirection spin = grip_direction(disc.grip, {0, 0, 0.1});
    EXPECT_NEAR(spin.along.z, 1, 1e-14);
    EXPECT_NEAR(norm(Vec3{spin.along.x, spin.along.y, 0}), 0, 1e-12);
    // Turning about a point of its rim: ∫ ρ dA of a disc about it is 32 R³/9.
    const double omega = 2;
    const SlipDirection rim = grip_direction(disc.grip, {0, 0.25 * omega, disc.grip.arm * omega});
    const double arm = 32.0 / 9 * std::pow(0.25, 3) / (pi * 0.25 * 0.25);
    EXPECT_NEAR(rim.along.z * disc.grip.arm + 0.25 * norm(Vec3{rim.along.x, rim.along.y, 0}), arm,
                1e-6);
}

TEST(VolumetricTest, ExactFrictionIsTheSumOverThePatch) {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
        const Pressed p = random_pressed(random);
        // The centre of rotation from the middle of the patch to twenty radii away.
        const double away = i % 3 == 0 ? 0 : std::pow(10, random.uniform(-1, 1.3)),
                     angle = random.uniform(-pi, pi), turn = random.chance(0.5) ? 1 : -1;
        const Vec3 w =
            random.uniform(0.01, 10) * Vec3{away * std::cos(angle), away * std::sin(angle), turn};
        const Vec3 exact = grip_direction(p.grip, w).along;
        // 1e5 points: the sum is good to its cells' size squared, and near the centre to its cell.
        EXPECT_LE(norm(exact - p.summed_direction(w, 150)), 3e-4) << "case " << i;
    }
}

TEST(VolumetricTest, PureSlidingAndPureTurningReachTheirWholeLimits) {
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        const Pressed p = random_pressed(random);
        const double angle = random.uniform(-pi, pi);
        const Vec3 v{std::cos(angle), std::sin(angle), 0};
        EXPECT_LE(norm(grip_direction(p.grip, 0.3 * v).along - v), 1e-14);
        EXPECT_NEAR(grip_direction(p.grip, {0, 0, -2}).along.z, -1, 1e-13);
    }
}

// The gradient of something of first degree is of degree zero, and w is in the kernel of its derivatives.
TEST(VolumetricTest, DerivativesOfTheDirectionAreThoseByDifferences) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const Pressed p = random_pressed(random);
        const double away = std::pow(10, random.uniform(-2, 2.5)), angle = random.uniform(-pi, pi);
        const Vec3 w{away * std::cos(angle), away * std::sin(angle), random.chance(0.5) ? 1. : -1.};
        const SlipDirection at = grip_direction(p.grip, w);
        // The sums of triangles lose the cube of the distance in digits.
        const double noise = 6e-16 * std::pow(std::max(away, 1.0), 3),
                     step = std::max(away, 1.0) * 1e-5;
        for (int k = 0; k < 3; ++k) {
            Vec3 d;
            d[k] = step;
            const Vec3 by =
                (grip_direction(p.grip, w + d).along - grip_direction(p.grip, w - d).along)
                / (2 * step);
            EXPECT_LE(norm(by - at.by_speed.column(k)) * std::max(away, 1.0), 1e-7 + noise / 1e-5)
                << "case " << i << " by " << k << ", centre at " << away;
        }
        EXPECT_LE(norm(at.by_speed * w), 1e-9) << away;
        EXPECT_EQ(at.by_speed, at.by_speed.transposed());
        for (int k = 0; k < 20; ++k) {
            const Vec3 x = random.direction();
            EXPECT_GE(dot(x, at.by_speed * x) * std::max(away, 1.0), -1e-9);
        }
    }
}

TEST(VolumetricTest, FarCentresJoinNearOnes) {
    Random random(5);
    for (int i = 0; i < 50; ++i) {
        const Pressed p = random_pressed(random);
        const double angle = random.uniform(-pi, pi);
        const Vec3 v{std::cos(angle), std::sin(angle), 0};
        const Vec3 near = grip_direction(p.grip, v + Vec3{0, 0, 1.0001e-3}).along,
                   far = grip_direction(p.grip, v + Vec3{0, 0, 0.9999e-3}).along;
        // The torque itself changes by 2e-7 between them.
        EXPECT_LE(norm(near - far), 3e-6);
    }
}

TEST(VolumetricTest, PressureIsNowhereNegative) {
    // A slope that would lift half of a square: lowered until the edge is just pressed.
    const std::vector<Vec2> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    collision::ContactPatch patch;
    std::vector<collision::ContourSegment> contour;
    for (size_t i = 0; i < 4; ++i)
        contour.push_back(
            {{square[i].x, square[i].y, 0}, {square[(i + 1) % 4].x, square[(i + 1) % 4].y, 0}});
    patch.segments = 4;
    measure_contour(patch, contour.data(), {0, 0, 1});
    patch.volume = 4e-3;
    patch.centroid = {0.5, 0, 0};  // beyond the third that a linear pressure can have
    patch.inertia = Mat3::diagonal({1e-3, 1e-3, 2e-3});
    const Foundation f = foundation_of(patch);
    std::vector<GripEdge> store;
    Grip grip = grip_of(patch, f, ContactLaw::Spin::exact, contour.data(), store);
    grip.edges = store;
    double lowest = 1, highest = 0;
    for (const GripEdge& e : store) {
        const double p = grip.pressure + dot(grip.gradient, e.from);
        lowest = std::min(lowest, p);
        highest = std::max(highest, p);
    }
    EXPECT_NEAR(lowest, 0, 1e-15);
    EXPECT_NEAR(highest, 0.5, 1e-14);
    EXPECT_NEAR(grip.center.x, 1.0 / 3, 1e-14);
    measure_grip(grip);
    EXPECT_LE(norm(grip_direction(grip, {1, 0, 0}).along - Vec3{1, 0, 0}), 1e-14);
}

TEST(VolumetricTest, AveragedAndPublishedLawsAreWhatTheySay) {
    Random random(6);
    const Pressed averaged(regular(6, 0.3), {0.1, 0}, ContactLaw::Spin::averaged),
        published(regular(6, 0.3), {0.1, 0}, ContactLaw::Spin::published);
    EXPECT_EQ(averaged.grip.arm, std::sqrt(averaged.grip.gyration2));
    const Vec3 w = random.vector(1);
    EXPECT_LE(norm(grip_direction(averaged.grip, w).along - normalized(w)), 1e-15);
    EXPECT_LE(norm(grip_direction(published.grip, w).along - normalized(Vec3{w.x, w.y, 0})), 1e-15);
}

}  // namespace
}  // namespace bristle::contact
