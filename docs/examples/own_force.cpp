// A force of one's own (drag that grows with the square of the speed), a snapshot, and a replay.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    Model model;
    const auto ball = model.add(Body::sphere(0.1, 0.5).at({0, 0, 100}));
    const double drag = 0.02;  // N per (m/s)²
    model.add(UserForce{.apply =
                            [=](const Kinematics& now, ForceSink& out) {
                                const Vec3 v = now.twist(ball).linear;
                                out.add_force(ball, -drag * norm(v) * v, now.pose(ball).position);
                            },
                        .bodies = {ball},
                        .name = "drag"});

    World world(model, AugmentedLagrangian{.step = 1e-3});
    world.advance_to(2);
    const Snapshot half_way = world.snapshot();
    world.advance_to(6);
    const uint64_t first = world.hash();
    const double terminal = std::sqrt(0.5 * 9.81 / drag), speed = -world.twist(ball).linear.z;
    std::printf("falls at %.4f m/s, terminal speed is %.4f m/s\n", speed, terminal);

    world.restore(half_way);
    world.advance_to(6);
    const bool same = world.hash() == first;
    std::printf("again from 2 s: %s to the last bit\n", same ? "the same" : "NOT the same");
    return same && std::abs(speed - terminal * std::tanh(9.81 * 6 / terminal)) < 1e-5 ? 0 : 1;
}
