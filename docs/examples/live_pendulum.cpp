// A model made in code becomes a scene file and a recording, both of which give the same motion, and is shown live in the
// browser if the program is called with `show`.
#include <bristle/bristle.h>
#include <bristle/live.h>
#include <bristle/scene.h>

#include <cstdio>
#include <cstring>

using namespace bristle;

int main(int count, char** arguments) {
    Model model;
    const auto arm = model.add(Body::rod(1, 2).named("arm"));
    const auto pin = model.add(
        Revolute{.a = model.ground(), .b = arm, .at = {0, 0, 0}, .axis = {0, 1, 0}, .name = "pin"});
    model.add(
        Drive{.joint = pin, .target = io::time_function("0.5*sin(2*pi*0.25*t)"), .name = "motor"});
    const AugmentedLagrangian settings{.step = 2e-3};

    const io::Scene scene = io::scene_of(model, settings, "Live pendulum");
    io::write_scene(scene, "live-pendulum.yaml");
    std::remove("live-pendulum.mcap");
    World world(model, settings);
    const Recording recording = record(world, "live-pendulum.mcap", 5, {.title = scene.title});

    World again(io::read_scene("live-pendulum.yaml").model, settings);
    again.advance_to(5);
    std::printf("model %016lx, its scene file %016lx\n", recording.hash, again.hash());
    if (recording.hash != again.hash()) return 1;

    if (count > 1 && std::strcmp(arguments[1], "show") == 0) {
        const LiveView view = show(World(model, settings), {.title = scene.title});
        std::printf("Open %s; Ctrl-C ends it.\n", view.address().c_str());
        std::fflush(stdout);
        view.wait();
    }
    return 0;
}
