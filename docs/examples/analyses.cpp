// A rough sketch of a four-bar crane becomes a mechanism: assembled, explained, brought to rest, its
// swing, and the torque that its motor needs as it is lowered.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    Model sketch;
    const auto ground = sketch.ground();
    // Lengths are right, places only about: joints say where each side of them is.
    const auto crank = sketch.add(Body::rod(0.5, 4).at({0, 0, 0}).named("crank"));
    const auto boom = sketch.add(Body::rod(1.6, 10).at({0.6, 0, 0.3}).named("boom"));
    const auto strut = sketch.add(Body::rod(0.9, 5).at({1.0, 0, -0.2}).named("strut"));
    const auto hinge = [&](const char* name, BodyId a, BodyId b, Vec3 at, Vec3 at_b) {
        return sketch.add(
            Revolute{.a = a, .b = b, .at = at, .axis = {0, -1, 0}, .at_b = at_b, .name = name});
    };
    const auto motor_shaft = hinge("shaft", ground, crank, {0, 0, 0}, {0, 0, 0});
    hinge("elbow", crank, boom, {0.5, 0, 0}, {0.6, 0, 0.3});
    hinge("knee", boom, strut, {1.6, 0, 0.3}, {1.9, 0, -0.2});
    hinge("foot", ground, strut, {1.2, 0, -0.1}, {1.0, 0, -0.2});
    sketch.add(
        JointSpring{.joint = motor_shaft, .stiffness = 900, .damping = 3, .name = "counterweight"});

    const Model crane = assembled(sketch);
    World world(crane);
    std::printf("%s\n", explain(mobility(world), world).c_str());

    const Equilibrium rest = find_equilibrium(world);
    std::printf("rests with the boom's tip at z = %.4f m (%s)\n", world.point(boom, {1.6, 0, 0}).z,
                rest.is_stable ? "stable" : "not stable");
    const Mode swing = modes(world).at(0);
    std::printf("swings at %.3f Hz with %.1f %% of critical damping\n\n", swing.frequency,
                100 * swing.damping_ratio);

    // The same crane with a motor: what torque lowers it smoothly by 0.4 rad in two seconds?
    Model driven = crane;
    const auto motor = driven.add(Drive{.joint = motor_shaft, .target = [](double t) {
                                            return 0.4 * (t / 2 - std::sin(pi * t) / (2 * pi));
                                        }});
    World moving(driven);
    for (int i = 0; i <= 4; ++i) {
        moving.guide(0.5 * i);
        std::printf("t = %.1f s   shaft %5.3f rad   tip z = %.4f m   motor %+8.3f N m\n",
                    moving.time(), moving.coordinate(motor_shaft),
                    moving.point(boom, {1.6, 0, 0}).z, moving.effort(motor));
    }
    return rest.is_stable && swing.frequency > 0 ? 0 : 1;
}
