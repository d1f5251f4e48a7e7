// A part of a system says of its assemblies what the whole says.
#include "lagrange/part.h"

#include "lagrange/equations.h"
#include "lagrange/observe.h"
#include "tests/support/every_element.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cstring>

namespace bristle::lagrange {
namespace {

using namespace testing_support;

// Some mechanisms of their own, side by side.
Model several(uint64_t seed) {
    Model out;
    for (uint64_t k = 0; k < 3; ++k) {
        const Model one = random_mechanism(10 * seed + k).model;
        std::vector<BodyId> id{Model::ground()};
        for (size_t i = 1; i < one.bodies().size(); ++i) id.push_back(out.add(one.bodies()[i]));
        for (Joint j : one.joints()) {
            if (j.type != JointType::revolute && j.type != JointType::spherical) continue;
            const BodyId a = id[j.a.index], b = id[j.b.index];
            const JointId joint =
                j.type == JointType::spherical
                    ? out.add(Spherical{.a = a, .b = b, .at = j.at_a})
                    : out.add(Revolute{.a = a, .b = b, .at = j.at_a, .axis = j.axis});
            if (j.type != JointType::revolute) continue;
            out.add(JointSpring{.joint = joint, .stiffness = 3, .damping = 0.1});
            out.add(Drive{.joint = joint, .control = Drive::Control::speed, .max_effort = 5});
            out.add(Limit{.joint = joint, .min = -1, .max = 1});
        }
    }
    return out;
}

TEST(Part, HasTheRowsAndForcesOfItsAssemblies) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        const System whole = build_system(several(seed), {});
        const Inventory inventory(whole);
        ASSERT_TRUE(inventory.is_complete());
        ASSERT_GT(whole.assembly_count, 2u);
        Random random(seed);
        state::State state = resting_state(whole);
        for (Vec4& v : state.position) v += to_vec4(random.vector(0.1));
        for (Vec4& v : state.velocity) v = to_vec4(random.vector(1));
        for (double& l : state.multiplier) l = random.uniform(-1, 1);
        for (Vec4& l : state.closure_multiplier) l = to_vec4(random.vector(1));
        Equations all(whole);
        std::vector<Vec4> force(whole.entity_count);
        all.evaluate_rows(state);
        all.evaluate_forces(state, force);

        // Every second assembly, and the others.
        state::State again = resting_state(whole);
        double kinetic = 0;
        for (uint32_t first : {0u, 1u}) {
            std::vector<uint32_t> which;
            for (uint32_t a = first; a < whole.assembly_count; a += 2) which.push_back(a);
            PartMap map;
            const System part = inventory.part(which, map);
            state::State own = resting_state(part);
            gather(map, state, own);
            kinetic += kinetic_energy(part, own);
            Equations equations(part, all.contacts.detection());
            std::vector<Vec4> own_force(part.entity_count);
            equations.evaluate_rows(own);
            equations.evaluate_forces(own, own_force);
            for (size_t e = 0; e < map.entities.size(); ++e)
                for (int k = 0; k < 3; ++k)
                    EXPECT_EQ(own_force[e][k], force[map.entities[e]][k]) << seed;
            for (size_t i = 0; i < map.rows.size(); ++i)
                EXPECT_EQ(equations.violations()[i], all.violations()[map.rows[i]]) << seed;
            for (Vec4& v : own.position) EXPECT_EQ(v[3], 0);
            scatter(map, own, again);
        }
        EXPECT_NEAR(kinetic, kinetic_energy(whole, state), 1e-12 * kinetic);
        again.time = state.time;
        EXPECT_EQ(again.bytes(), state.bytes()) << seed;
    }
}

TEST(Part, IsNoneWhereAUsersForceMayReadAnything) {
    Model m = several(1);
    const BodyId body{1};
    m.add(UserForce{.apply = [](const Kinematics&, ForceSink&) {}, .bodies = {body}, .name = {}});
    EXPECT_FALSE(Inventory(build_system(m, {})).is_complete());
}

}  // namespace
}  // namespace bristle::lagrange
