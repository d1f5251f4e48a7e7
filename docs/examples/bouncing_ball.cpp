// A ball on a floor: a contact law for a pair of materials, and what the contact reports.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    const double radius = 0.1, height = 1, restitution = 0.7;
    Model model;
    const auto rubber = model.add(Material{.name = "rubber"});
    const auto concrete = model.add(Material{.name = "concrete"});
    model.add(ContactPair{rubber, concrete, {.stiffness = 1e8, .restitution = restitution}});

    const auto ball = model.add(Body::sphere(radius, 0.5).at({0, 0, radius + height}));
    model.add(Shape{.body = ball, .geometry = Sphere{radius}, .material = rubber});
    model.add(Shape{.body = model.ground(), .geometry = Plane{}, .material = concrete});

    World world(model, AugmentedLagrangian{.step = 2e-5});
    double highest = height, worst = 0, last_speed = 0, push = 0;
    for (int bounce = 0; bounce < 4;) {
        world.step();
        for (const Contact& c : world.contacts()) push = std::max(push, norm(c.force));
        const double speed = world.twist(ball).linear.z;
        if (last_speed > 0 && speed <= 0) {  // it turns: the top of a bounce
            const double now = world.pose(ball).position.z - radius, ratio = now / highest;
            std::printf("t = %.3f s   bounces to %.4f m   pushed with up to %.0f N\n", world.time(),
                        now, push);
            worst = std::max(worst, std::abs(std::sqrt(ratio) - restitution));
            highest = now;
            push = 0;
            ++bounce;
        }
        last_speed = speed;
    }
    // Heights go with the square of the speeds.
    std::printf("restitution %.2f is off by %.4f at most\n", restitution, worst);
    return worst < 0.01 ? 0 : 1;
}
