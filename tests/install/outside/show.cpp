// A stranger's program that shows its world.
#include <bristle/bristle.h>
#include <bristle/live.h>

#include <cstdio>

using namespace bristle;

int main() {
    Model model;
    const auto rod = model.add(Body::rod(1.0, 1.0));
    model.add(Revolute{.a = model.ground(), .b = rod, .at = {0, 0, 0}, .axis = {0, 1, 0}});
    const World world(model, AugmentedLagrangian{.step = 5e-3});
    const LiveView view = show(world, {.port = 0});
    std::printf("Open %s\n", view.address().c_str());
    std::fflush(stdout);
    view.wait();
}
