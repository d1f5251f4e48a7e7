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
    for (int i = 0; i < 3; ++i) {
        const auto box =
            model.add(Body::of(Box{{0.2, 0.2, 0.2}}, 1000).at({2, 0.05 * i, 0.15 + 0.25 * i}));
        model.add(Shape{.body = box, .geometry = Box{{0.2, 0.2, 0.2}}});
    }
    World world(model, AugmentedLagrangian{.step = 2e-3});
    world.advance_to(1.0);

    try {
        model.add(Revolute{.a = rod, .b = rod});
        World impossible(model, AugmentedLagrangian{});
        return 1;
    } catch (const InputError&) {
    }
    std::printf("%s %016" PRIx64 "\n", version, world.hash());
    return world.contacts().empty() ? 1 : 0;
}
