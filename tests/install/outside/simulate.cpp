// A stranger's program: describes, simulates, makes a mistake. Prints the version and the hash of where it ends, which
// must not depend on how this file is compiled.
#include <bristle/bristle.h>

#include <cinttypes>
#include <cstdio>

using namespace bristle;

int main() {
    Model model;
    const auto rod = model.add(Body::rod(1.0, 1.0));
    model.add(Revolute{.a = model.ground(), .b = rod, .at = {0, 0, 0}, .axis = {0, 1, 0}});
    model.add(Shape{.body = model.ground(), .geometry = Plane{}});
    const Box box{{0.2, 0.2, 0.2}};
    for (int i = 0; i < 3; ++i) {
        const Quat turn = Quat::about({1, 2, 3}, 0.3 + i);
        const auto body = model.add(Body::of(box, 1000).at({2, 0.05 * i, 0.3 + 0.4 * i}, turn));
        model.add(Shape{.body = body, .geometry = box});
    }
    World world(model, AugmentedLagrangian{.step = 2e-3});
    world.advance_to(1.0);

    try {
        model.add(Revolute{.a = rod, .b = rod});
        World impossible(model, AugmentedLagrangian{});
        return 1;
    } catch (const InputError&) {
    }
    const Vec3 tip = world.pose(rod) * Vec3{1, 0, 0};
    std::printf("%s %016" PRIx64 " %a %a\n", version, world.hash(), tip.x, tip.z);
    return world.contacts().empty() ? 1 : 0;
}
