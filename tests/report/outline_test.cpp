#include "report/outline.h"

#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::report {
namespace {

std::vector<Instant> start_of(const Model& model) {
    Instant now{0, {}};
    for (const Body& b : model.bodies()) now.poses.push_back({b.position, b.orientation});
    return {now};
}

Report drawn(const Model& model, const std::vector<Instant>& instants) {
    Report report;
    draw_motion(model, instants, report);
    return report;
}

Report drawn(const Model& model) { return drawn(model, start_of(model)); }

size_t count(const Report& report, Segment kind) {
    return static_cast<size_t>(
        std::count(report.segment_kinds.begin(), report.segment_kinds.end(), kind));
}

bool has_segment(const Report& report, std::array<double, 4> wanted) {
    const auto near = [](const std::array<double, 4>& a, const std::array<double, 4>& b) {
        for (size_t i = 0; i < 4; ++i)
            if (std::abs(a[i] - b[i]) > 1e-9) return false;
        return true;
    };
    const std::array<double, 4> turned{wanted[2], wanted[3], wanted[0], wanted[1]};
    const auto& all = report.animation[0].segments;
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& s) { return near(s, wanted) || near(s, turned); });
}

TEST(Outline, RodsAreDrawnFromEndToEnd) {
    const Report report = drawn(scenes::four_bars(1).model);
    EXPECT_TRUE(has_segment(report, {0, 0, 0, 1}));
    EXPECT_TRUE(has_segment(report, {1, 0, 1, 1}));
    EXPECT_TRUE(has_segment(report, {0, 1, 1, 1}));
    EXPECT_EQ(count(report, Segment::edge), 0u);
}

TEST(Outline, ABoxWithoutAShapeIsDrawnByItsInertia) {
    Model model;
    model.add(Body::box({4, 2, 3}, 7));
    const Report report = drawn(model);
    EXPECT_EQ(count(report, Segment::edge), 12u);
    EXPECT_TRUE(has_segment(report, {-2, -1.5, 2, -1.5}));
    EXPECT_TRUE(has_segment(report, {2, -1.5, 2, 1.5}));
}

TEST(Outline, ShapesShowABodyUnlessTheyAreOnlyItsFeet) {
    Model model;
    const BodyId table = model.add(Body::box({4, 2, 1}, 7));
    for (const double x : {-1.8, 1.8})
        model.add(Shape{.body = table, .geometry = Box{{0.2, 2, 0.2}}, .pose = {{x, 0, -0.6}, {}}});
    EXPECT_EQ(count(drawn(model), Segment::edge), 3 * 12u);
    model.add(Shape{.body = table, .geometry = Box{{4, 2, 1}}});
    EXPECT_EQ(count(drawn(model), Segment::edge), 3 * 12u);
    Model pendulum;
    const BodyId rod = pendulum.add(Body::rod({}, {1, 0, 0}, 1));
    pendulum.add(Shape{.body = rod, .geometry = Sphere{0.1}, .pose = {{1, 0, 0}, {}}});
    EXPECT_TRUE(has_segment(drawn(pendulum), {0, 0, 1, 0}));
}

TEST(Outline, MasslessBarsAndSpringsAreSeen) {
    Model model = scenes::pendulum().model;
    model.add(Spring{.a = Model::ground(), .b = {1}, .at_a = {0, 0, 1}, .at_b = {-1, 0, 0}});
    const Report report = drawn(model);
    EXPECT_TRUE(has_segment(report, {0, 0, -1, 0}));
    EXPECT_TRUE(has_segment(report, {0, 1, -1, 0}));
    EXPECT_EQ(count(report, Segment::spring), 1u);
}

TEST(Outline, EveryShapeHasOne) {
    const auto tetrahedron =
        std::make_shared<TriangleMesh>(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                                    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                                                    {}});
    const Geometry all[] = {Sphere{1},
                            Box{{1, 1, 1}},
                            Capsule{1, 1},
                            Cylinder{1, 1},
                            Plane{},
                            Torus{1, 0.1},
                            ConvexPolyhedron{tetrahedron->vertices},
                            HeightField{2, 3, 1, 1, std::vector<double>(6, 0.5)},
                            Mesh{tetrahedron},
                            chain_link(0.1, 0.02, 0.1)};
    for (const Geometry& geometry : all) {
        Model model;
        model.add(Shape{.body = Model::ground(), .geometry = geometry});
        EXPECT_GE(count(drawn(model), Segment::edge), 6u) << geometry.index();
    }
    Model model;
    model.add(Shape{.body = Model::ground(), .geometry = Mesh{tetrahedron}});
    EXPECT_EQ(count(drawn(model), Segment::edge), 6u);
}

TEST(Outline, IsSeenFromWhereTheMotionIs) {
    Model model;
    model.add(Body::box({1, 1, 2}, 1));
    const auto view = [&](Vec3 to) {
        std::vector<Instant> instants = start_of(model);
        instants.push_back(instants[0]);
        instants[1].poses[1].position += to;
        return drawn(model, instants).view;
    };
    EXPECT_EQ(view({0, 0, 0}), "x to the right, z up");
    EXPECT_EQ(view({1, 0, 1}), "x to the right, z up");
    EXPECT_EQ(view({0, 1, 1}), "y to the right, z up");
    EXPECT_EQ(view({1, 1, 0}), "from above: x to the right, y up");
    EXPECT_EQ(view({1, 1, 1}), "aslant, z up");
}

TEST(Outline, OfAHugeSceneStaysSmall) {
    Model model;
    for (int i = 0; i < 1000; ++i) {
        const BodyId ball = model.add(Body::sphere(0.1, 1).at({1.0 * i, 0, 0}));
        model.add(Shape{.body = ball, .geometry = Sphere{0.1}});
    }
    EXPECT_LE(drawn(model).segment_kinds.size(), 3000u);
}

}  // namespace
}  // namespace bristle::report
