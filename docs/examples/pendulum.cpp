// A rod on a pin: the smallest model there is.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    Model model;
    auto rod = model.add(Body::rod(1.0 /*m*/, 1.0 /*kg*/));
    auto pin =
        model.add(Revolute{.a = model.ground(), .b = rod, .at = {0, 0, 0}, .axis = {0, 1, 0}});

    World world(model, AugmentedLagrangian{.step = 5e-3});
    for (int i = 0; i <= 4; ++i) {
        world.advance_to(0.25 * i);
        const Vec3 tip = world.point(rod, {1, 0, 0});
        const Vec3 force = world.reaction(pin).force;
        std::printf("t = %.2f s   tip (%+.4f, %+.4f) m   pin carries (%+.2f, %+.2f) N\n",
                    world.time(), tip.x, tip.z, force.x, force.z);
    }
    // Swinging without friction, it keeps its energy.
    return std::abs(world.energy().total()) < 1e-3 ? 0 : 1;
}
