// What contacts are told to have done is what bodies felt: the sum over a step, however it was divided.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

// Symptom: a ball that struck within a step was told ten times its impulse, or nothing. Cause: of a step in parts, the last
// part was told as if all had been like it.
TEST(ReportedContacts, AreTheSumOverTheStepOfASweptIsland) {
    for (const auto direct : {Impulse::Direct::never, Impulse::Direct::where_it_pays}) {
        SCOPED_TRACE(static_cast<int>(direct));
        Model model;
        const MaterialId stuff =
            model.add(Material{.restitution = 0, .static_friction = 0.4, .kinetic_friction = 0.4});
        model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = stuff});
        const double mass = 0.57, radius = 0.1;
        const auto ball =
            model.add(Body::of(Sphere{radius}, mass / (4 * pi / 3 * std::pow(radius, 3)))
                          .at({0, 0, radius + 0.0173})
                          .moving({0.4, 0, -1}));
        model.add(Shape{.body = ball, .geometry = Sphere{radius}, .material = stuff});
        World world(model, Impulse{.step = 0.01, .direct = direct});
        const double h = 0.01;
        Vec3 felt, told;
        for (int i = 0; i < 40; ++i) {
            const Vec3 before = world.twist(ball).linear;
            world.step();
            felt += mass * (world.twist(ball).linear - before - h * model.gravity);
            for (const Contact& c : world.contacts())
                told += h * (c.body_a == ball ? c.force : -c.force);
            // Between a flight in whole steps and one that is swept in parts weight acts for half a step more, or less.
            const double fall = direct == Impulse::Direct::never ? 9.81 * h / 2 : 0;
            EXPECT_NEAR(norm(felt - told), 0, (0.01 + fall) * mass) << "after step " << i;
        }
        EXPECT_GT(felt.z, 0.57);
        EXPECT_LT(felt.x, -0.01) << "friction is told, too";
    }
}

}  // namespace
}  // namespace bristle
