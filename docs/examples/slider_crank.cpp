// A driven slider-crank: drives, a closed loop, and the torque the drive needs.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    const double crank = 0.1, rod = 0.3, speed = 2 * pi * 5;  // m, m, rad/s
    Model model;
    const auto ground = model.ground();
    const auto arm = model.add(Body::rod({0, 0, 0}, {crank, 0, 0}, 0.5).named("crank"));
    const auto link =
        model.add(Body::rod({crank, 0, 0}, {crank + rod, 0, 0}, 0.4).named("connecting rod"));
    const auto piston = model.add(Body::box({0.05, 0.05, 0.05}, 0.3).at({crank + rod, 0, 0}));
    const auto main_bearing =
        model.add(Revolute{.a = ground, .b = arm, .at = {0, 0, 0}, .axis = {0, 1, 0}});
    model.add(Revolute{.a = arm, .b = link, .at = {crank, 0, 0}, .axis = {0, 1, 0}});
    model.add(Revolute{.a = link, .b = piston, .at = {crank + rod, 0, 0}, .axis = {0, 1, 0}});
    model.add(Prismatic{.a = ground, .b = piston, .at = {crank + rod, 0, 0}, .axis = {1, 0, 0}});
    const auto drive = model.add(Drive{.joint = main_bearing,
                                       .control = Drive::Control::speed,
                                       .target = [=](double) { return speed; }});

    World world(model, AugmentedLagrangian{.step = 1e-3});
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
        world.step();
        const double angle = world.coordinate(main_bearing), s = crank * std::sin(angle);
        const double exact = crank * std::cos(angle) + std::sqrt(rod * rod - s * s);
        worst = std::max(worst, std::abs(world.pose(piston).position.x - exact));
        if (i % 25 == 24)
            std::printf("crank %6.1f deg   piston %.5f m   torque %+7.3f N m\n", angle * 180 / pi,
                        world.pose(piston).position.x, world.effort(drive));
    }
    std::printf("piston against its closed form: %.1e m at most\n", worst);
    return worst < 1e-9 ? 0 : 1;
}
