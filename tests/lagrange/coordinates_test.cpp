// What the program chooses as coordinates (spec A2).
#include "lagrange/coordinates.h"

#include <bristle/world.h>

#include "lagrange/system.h"
#include "scenes/mechanisms.h"
#include "tests/support/every_element.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <set>

namespace bristle::lagrange {
namespace {

using testing_support::EveryElement;
using testing_support::Random;

size_t entities(const Model& model) { return choose_coordinates(model).entity_start.size(); }

// Carries mass, or is part of a constraint or a force.
void expect_every_entity_used(const Model& model) {
    const System s = build_system(model, {});
    std::set<uint32_t> used;
    for (const auto& f : s.frames) {
        for (const auto& t : f.origin.terms) used.insert(t.entity);
        for (const auto& axis : f.axis)
            for (const auto& t : axis.terms) used.insert(t.entity);
    }
    for (const auto& t : s.dot_terms) used.insert(t.entity);
    for (const auto& t : s.closure_terms) used.insert(t.entity);
    for (const auto& t : s.measure_terms) used.insert(t.entity);
    EXPECT_EQ(used.size(), s.entity_count);
}

TEST(Coordinates, NamedMechanismsNeedWhatTheBookSays) {
    EXPECT_EQ(entities(scenes::pendulum().model), 1u);
    for (int n : {1, 2, 10})
        EXPECT_EQ(entities(scenes::four_bars(n).model), static_cast<size_t>(n) + 1);
    EXPECT_EQ(entities(scenes::machine15().model), 25u);
    EXPECT_EQ(World(scenes::machine15().model).coordinates(), 75u);
    EXPECT_EQ(entities(scenes::double_pendulum().model), 2u);
    EXPECT_EQ(entities(scenes::chain(10, 1).model), 10u);
    EXPECT_EQ(entities(scenes::dzhanibekov().model), 3u);  // inertias 1, 2, 3 are a lamina's
}

TEST(Coordinates, FreeBodiesNeedAsManyAsTheirMassSpans) {
    const auto alone = [](Body body) {
        Model model;
        model.add(std::move(body));
        return entities(model);
    };
    Body lamina;
    lamina.inertia = Mat3::diagonal({1, 2, 3});  // the third is the sum of the others
    EXPECT_EQ(alone(Body::box({1, 2, 3}, 1)), 4u);
    EXPECT_EQ(alone(Body::sphere(1, 1)), 4u);
    EXPECT_EQ(alone(lamina), 3u);
    EXPECT_EQ(alone(Body::rod(1, 1)), 2u);
    EXPECT_EQ(alone(Body::rod({1, 2, 3}, {-1, 0, 2}, 1)), 2u);
    EXPECT_EQ(alone(Body::point(1)), 1u);
}

TEST(Coordinates, BodiesOnTheGroundNeedLess) {
    Model slider;
    const BodyId block = slider.add(Body::box({1, 1, 1}, 1));
    slider.add(Prismatic{.a = slider.ground(), .b = block, .at = {}, .axis = {1, 2, 3}});
    EXPECT_EQ(entities(slider), 1u);

    Model welded;
    const BodyId a = welded.add(Body::box({1, 1, 1}, 1)), b = welded.add(Body::rod(1, 1));
    welded.add(Fixed{.a = a, .b = b, .at = {}});
    welded.add(Fixed{.a = welded.ground(), .b = a, .at = {}});
    EXPECT_EQ(entities(welded), 0u);
    EXPECT_EQ(World(welded).coordinates(), 0u);

    Model door;  // axis and point are constant: two vectors are left
    const BodyId leaf = door.add(Body::box({1, 0.1, 2}, 1).at({0.5, 0, 0}));
    door.add(Revolute{.a = door.ground(), .b = leaf, .at = {}, .axis = {0, 0, 1}});
    EXPECT_EQ(entities(door), 2u);
}

// Ground – box – box, hinges that are neither parallel nor meeting. The first box: its second hinge's
// point and axis, and they span it with the ground's axis (3 directions: axis, axis, point). The second
// shares both and needs two vectors of its own.
TEST(Coordinates, AChainOfTwoBoxesSharesPointAndAxis) {
    Model model;
    const BodyId a = model.add(Body::box({1, 0.2, 0.2}, 1).at({0.5, 0, 0}));
    const BodyId b = model.add(Body::box({1, 0.2, 0.2}, 1).at({1.5, 0, 0}));
    model.add(Revolute{.a = model.ground(), .b = a, .at = {}, .axis = {0, 0, 1}});
    model.add(Revolute{.a = a, .b = b, .at = {1, 0, 0}, .axis = {0, 1, 0}});
    EXPECT_EQ(entities(model), 4u);
    const auto list = World(model).entities();
    size_t shared = 0;
    for (const Entity& e : list) shared += e.bodies.size() == 2;
    EXPECT_EQ(shared, 2u);
}

TEST(Coordinates, WeldedBodiesAreOneGroup) {
    Model model;
    BodyId last = model.add(Body::box({1, 1, 1}, 1));
    for (int i = 1; i < 5; ++i) {
        const BodyId next = model.add(Body::box({1, 1, 1}, 1).at({1.0 * i, 0, 0}));
        model.add(Fixed{.a = last, .b = next, .at = {i - 0.5, 0, 0}});
        last = next;
    }
    const NaturalCoordinates natural = choose_coordinates(model);
    EXPECT_EQ(natural.groups.size(), 2u);
    EXPECT_EQ(natural.entity_start.size(), 4u);
    EXPECT_NEAR(natural.groups[1].mass, 5, 1e-15);
    EXPECT_NEAR(norm(natural.groups[1].center - Vec3{2, 0, 0}), 0, 1e-15);
}

TEST(Coordinates, EveryEntityCarriesMassOrAConstraint) {
    expect_every_entity_used(scenes::machine15().model);
    expect_every_entity_used(scenes::andrews().model);
    expect_every_entity_used(scenes::flyball().model);
    for (uint64_t seed = 1; seed < 6; ++seed) expect_every_entity_used(EveryElement(seed).model);
}

// Points, directions and the frame at the start, of every body, against what they were given as.
void expect_frames_reproduce(const Model& model, Random& random) {
    const NaturalCoordinates natural = choose_coordinates(model);
    for (uint32_t i = 0; i < model.bodies().size(); ++i) {
        const RigidGroup& group = natural.groups[natural.group_of[i]];
        for (size_t k = 0; k < group.axes.size(); ++k) {
            EXPECT_NEAR(norm(group.axis_now[k].at(natural.entity_start) - group.axes[k]), 0, 1e-12);
            for (size_t l = 0; l < group.axes.size(); ++l)
                EXPECT_NEAR(dot(group.axes[k], group.axes[l]), k == l ? 1 : 0, 1e-13);
        }
        EXPECT_NEAR(norm(group.origin.at(natural.entity_start) - group.center), 0,
                    1e-12 * natural.size);
        for (int n = 0; n < 20; ++n) {
            Vec3 arm;  // within what the group spans: a rod has no points beside it
            for (Vec3 axis : group.axes) arm += random.uniform(-1, 1) * axis;
            const Vec3 at = group.center + arm;
            EXPECT_NEAR(norm(natural.point({i}, at).at(natural.entity_start) - at), 0,
                        1e-12 * (1 + natural.size));
            if (!(norm(arm) > 0.1)) continue;
            const Vec3 u = normalized(arm);
            EXPECT_NEAR(norm(natural.direction({i}, u).at(natural.entity_start) - u), 0, 1e-12);
        }
    }
    for (const auto& group : natural.nodes)
        for (const auto& node : group)
            EXPECT_NEAR(norm(node.now.at(natural.entity_start) - node.start), 0,
                        1e-12 * (1 + natural.size));
    for (const Closure& c : natural.closures)
        EXPECT_NEAR(norm(c.sum.at(natural.entity_start)), 0, 1e-12 * (1 + natural.size));
    for (const DotCondition& d : natural.rigidity)
        EXPECT_NEAR(dot(d.a.at(natural.entity_start), d.b.at(natural.entity_start)), d.target,
                    1e-12 * (1 + std::abs(d.target)));
}

TEST(Coordinates, FramesReproduceMaterialPointsAndDirections) {
    Random random(1);
    expect_frames_reproduce(scenes::machine15().model, random);
    expect_frames_reproduce(scenes::andrews().model, random);
    expect_frames_reproduce(scenes::flyball().model, random);
    for (uint64_t seed = 1; seed < 6; ++seed)
        expect_frames_reproduce(EveryElement(seed).model, random);
    for (uint64_t seed = 1; seed < 40; ++seed)
        expect_frames_reproduce(testing_support::random_mechanism(seed).model, random);
}

// The dots and closures remove just what the joints do: unknowns less independent rows is the freedom
// that the bodies' own count gives.
TEST(Coordinates, LeaveTheSameFreedomAsTheBodies) {
    for (uint64_t seed = 1; seed < 40; ++seed) {
        const auto mechanism = testing_support::random_mechanism(seed);
        EXPECT_EQ(testing_support::entity_freedom(mechanism.model),
                  World(mechanism.model).degrees_of_freedom())
            << "seed " << seed;
    }
}

TEST(Combination, AddsAndDropsWhatCancels) {
    Combination a{{1, 2, 3}, {{0, 1.0}, {2, 0.5}}}, b{{1, 0, 0}, {{1, 2.0}, {2, 0.5}}};
    const Combination difference = a - b;
    ASSERT_EQ(difference.terms.size(), 2u);
    EXPECT_EQ(difference.terms[0].entity, 0u);
    EXPECT_EQ(difference.terms[1].entity, 1u);
    EXPECT_EQ(difference.terms[1].coefficient, -2);
    EXPECT_EQ(difference.constant, (Vec3{0, 2, 3}));
    EXPECT_EQ(difference.at({{1, 0, 0}, {0, 1, 0}, {5, 5, 5}}), (Vec3{1, 0, 3}));
    EXPECT_TRUE((a - a).is_constant());
}

}  // namespace
}  // namespace bristle::lagrange
