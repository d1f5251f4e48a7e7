// Prints the hash of a four-bar linkage's state; tests/python/support.py has the same linkage.
#include <bristle/bristle.h>

#include <cinttypes>
#include <cstdio>

using namespace bristle;

int main() {
    Model model;
    const BodyId ground = Model::ground();
    const auto crank = model.add(
        Body::rod({0, 0, 0}, {0, 0, 0.5}, 1.0).named("crank").moving({0, 0, 0}, {0, 2, 0}));
    const auto coupler =
        model.add(Body::rod({0, 0, 0.5}, {1.5, 0, 1.2}, 2.0).named("coupler").moving({1, 0, 0}));
    const auto rocker = model.add(Body::rod({1.2, 0, 0}, {1.5, 0, 1.2}, 1.5).named("rocker"));
    const Vec3 axis{0, 1, 0};
    const auto pin =
        model.add(Revolute{.a = ground, .b = crank, .at = {0, 0, 0}, .axis = axis, .name = "A"});
    model.add(Revolute{.a = crank, .b = coupler, .at = {0, 0, 0.5}, .axis = axis, .name = "B"});
    model.add(Revolute{.a = coupler, .b = rocker, .at = {1.5, 0, 1.2}, .axis = axis, .name = "C"});
    model.add(Revolute{.a = rocker, .b = ground, .at = {1.2, 0, 0}, .axis = axis, .name = "D"});
    model.add(JointSpring{.joint = pin, .stiffness = 3.0, .damping = 0.1, .name = "return"});
    model.add(Spring{.a = ground,
                     .b = rocker,
                     .at_a = {2.5, 0, 0.5},
                     .at_b = {1.5, 0, 1.2},
                     .stiffness = 40.0,
                     .law = table({{0.0, 0.0}, {1.0, 20.0}, {2.0, 60.0}}),
                     .name = "stay"});
    World world(model, AugmentedLagrangian{.step = 2e-3});
    world.advance_to(3.0);
    std::printf("%" PRIu64 "\n", world.hash());
}
