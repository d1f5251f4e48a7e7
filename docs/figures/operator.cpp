// What docs/operator.md shows: tables of how the teeth follow a line, of a trench and of a drive over the site, as text for
// operator.py; and pictures of a machine that pulls itself up a step.
#include "machines/operator/operator.h"

#include <bristle/picture.h>
#include <bristle/scene.h>

#include "io/scene/scene_files.h"
#include "machines/operator/earthwork.h"
#include "machines/operator/travel.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>

using namespace bristle;
using namespace bristle::machines;

namespace {

void run(World& world, Operator& driver, double seconds, const std::function<void()>& look) {
    const double end = world.time() + seconds;
    while (world.time() < end && driver.progress().state == Progress::State::going) {
        for (const Command& c : driver.act(world)) carry_out(world, c);
        look();
        world.step();
    }
    fmt::print(stderr, "{}: {} at {:.1f} s\n", driver.job().name(),
               driver.progress().why.empty() ? "done" : driver.progress().why, world.time());
}

io::Scene on_plain_ground(const std::string& more) {
    return io::parse_scene(
        "include: [{file: parts/excavator.yaml, set: {boom_angle: 0.9, "
        "stick_angle: -2.3, bucket_angle: -1.4}}, parts/excavator-looks.yaml]\n"
        "solver: {step: 5 ms}\n"
        "materials: {ground: {static_friction: 0.6, kinetic_friction: 0.6}}\n"
            + more,
        "plain", io::scene_file("excavator").parent_path());
}

// ---- A line ------------------------------------------------------------------------------------------------

void line() {
    const io::Scene scene = on_plain_ground("shapes: {ground: {type: plane, material: ground}}\n");
    World world(scene.model, scene.solver);
    std::vector<std::unique_ptr<Manoeuvre>> parts;
    parts.push_back(std::make_unique<Support>(Support::How::wheels_off));
    parts.push_back(std::make_unique<Reach>(0.0, TipPose{7.5, -0.5, -1.4}));
    Operator driver(world.model(), std::make_unique<Sequence>("reaches", std::move(parts)));
    run(world, driver, 60, [] {});
    const Senses s = driver.senses();
    auto follow = std::make_unique<Follow>(
        "follows",
        std::vector<TipPath::Knot>{{s.teeth, s.tip.attack, 0.6},
                                   {s.world_point(driver.machine(), 0, 4.5, -0.5), -1.8, 0.6},
                                   {s.world_point(driver.machine(), 0, 5.5, 1.5), -2.2, 0.6}});
    const Follow& seen = *follow;
    driver.take_on(std::move(follow));
    const double begin = world.time();
    run(world, driver, 60, [&] {
        const Senses& now = driver.senses();
        fmt::print("line {} {} {} {}\n", world.time() - begin, now.tip.reach, now.tip.height,
                   seen.error());
    });
}

// ---- A trench ----------------------------------------------------------------------------------------------

void trench() {
    const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
    World world(scene.model, scene.solver);
    const Trench::Plan plan{.swing = 1.57,
                            .bottom = {{4.2, -0.5}, {6.2, -0.6}, {7.2, 0}},
                            .heap = {{-6.6, 1.2, 2}, 2.6}};
    std::vector<std::unique_ptr<Manoeuvre>> parts;
    parts.push_back(std::make_unique<Support>(Support::How::wheels_off));
    parts.push_back(std::make_unique<Trench>(plan));
    Operator driver(world.model(), std::make_unique<Sequence>("trench", std::move(parts)));
    run(world, driver, 900, [] {});
    const Senses& s = driver.senses();
    for (double reach = 3.6; reach < 7.8; reach += 0.05) {
        const Vec3 p = s.world_point(driver.machine(), plan.swing, reach, 0);
        fmt::print("trench {} {} {}\n", reach, ground_at(world, p.x, p.y),
                   height_of(plan.bottom, reach));
    }
}

// ---- A drive -----------------------------------------------------------------------------------------------

void drive() {
    const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
    World world(scene.model, scene.solver);
    auto travel = std::make_unique<Travel>(Travel::Goal{-2, 20, 0});
    const Travel& seen = *travel;
    Operator driver(world.model(), std::move(travel));
    const SiteMap map(world, driver.machine(), {-26, -20, 20, 30});
    run(world, driver, 240, [&] {
        const Vec3 p = driver.senses().machine.position;
        fmt::print("driven {} {}\n", p.x, p.y);
    });
    for (const RoutePoint& p : *seen.route())
        fmt::print("route {} {} {}\n", p.at.x, p.at.y, p.direction);
    for (double y = -19.9; y < 30; y += SiteMap::cell)
        for (double x = -25.9; x < 20; x += SiteMap::cell)
            fmt::print("map {} {} {}\n", x, y, map.clearance(x, y));
}

// ---- Up a step ---------------------------------------------------------------------------------------------

void pull_up() {
    const io::Scene scene = on_plain_ground(
        "shapes:\n"
        "  ground: {type: box, size: [24, 9, 1], position: [0, 0, -0.5], material: ground}\n"
        "  step: {type: box, size: [9, 9, 0.5], position: [6.7, 0, 0.25], material: ground, color: "
        "grey}\n");
    World world(scene.model, scene.solver);
    Painter painter(scene, {.width = 800, .height = 450, .from = {-0.3, -1, 0.25}, .distance = 17});
    Operator driver(world.model(), std::make_unique<PullUp>(4.5));
    int taken = 0;
    run(world, driver, 90, [&] {
        const Senses& s = driver.senses();
        const bool nose = taken == 0 && s.machine.position.x > 0.6,
                   tail = taken == 1 && s.machine.position.x > 3.4 && std::abs(s.swing) > 3,
                   up = taken == 2 && s.machine.position.x > 4.5;
        if (!nose && !tail && !up) return;
        write_png(painter.paint(world.poses()), fmt::format("pull-up-{}.png", ++taken));
    });
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what.empty() || what == "line") line();
    if (what.empty() || what == "trench") trench();
    if (what.empty() || what == "drive") drive();
    if (what.empty() || what == "pull-up") pull_up();
}
