// Two fingers hold a box by friction: drives with limited effort, pads of a material of their own, and a
// question to the scene before they close.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    const double size = 0.1, squeeze = 20, mass = 1;  // m, N, kg
    Model model;
    const auto pad =
        model.add(Material{.name = "pad", .static_friction = 0.8, .kinetic_friction = 0.8});
    const auto box = model.add(Body::box({size, size, size}, mass).at({0, 0, 1}));
    const auto box_shape =
        model.add(Shape{.body = box, .geometry = Box{{size, size, size}}, .material = pad});
    ShapeId left_shape;
    for (const double side : {-1.0, 1.0}) {
        const Vec3 plate{0.02, 0.08, 0.2}, at{side * (size / 2 + 0.0105), 0, 1};
        const auto finger = model.add(Body::box(plate, 0.5).at(at));
        const auto shape =
            model.add(Shape{.body = finger, .geometry = Box{plate}, .material = pad});
        if (side < 0) left_shape = shape;
        const auto slide =
            model.add(Prismatic{.a = model.ground(), .b = finger, .at = at, .axis = {-side, 0, 0}});
        model.add(Drive{.joint = slide,
                        .control = Drive::Control::speed,
                        .target = [](double) { return 0.1; },
                        .max_effort = squeeze});
    }

    World world(model, AugmentedLagrangian{.step = 1e-3});
    const double gap = world.closest_points(left_shape, box_shape)->distance;
    std::printf("the left finger is %.2f mm from the box\n", 1e3 * gap);

    world.advance_to(1);
    const double held = world.pose(box).position.z;
    world.advance_to(11);
    const double slips = held - world.pose(box).position.z;
    Vec3 carried;
    for (const Contact& c : world.contacts()) {
        if (c.body_a == box) carried += c.force;
        if (c.body_b == box) carried -= c.force;
    }
    std::printf("it hangs %.3f mm lower, slips %.1e m in 10 s; the pads carry %.4f N\n",
                1e3 * (1 - held), slips, carried.z);
    return std::abs(gap - 5e-4) < 1e-9 && std::abs(slips) < 1e-9 && held > 0.99
                && std::abs(carried.z - mass * 9.81) < 1e-6
             ? 0
             : 1;
}
