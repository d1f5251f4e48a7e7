// A crank that a hydraulic piston pushes to its dead point, where the piston is longest and joints reach no further; its valve
// closes after 4 s.
#pragma once

#include <bristle/model.h>

namespace bristle::testing_support {

struct CrankAndPiston {
    Model model;
    BodyId crank;
    Vec3 pin{0.3, 0, 0.4};
    JointId piston;
    double reach;  // m: largest coordinate of the piston

    CrankAndPiston() {
        const Vec3 base{-0.8, 0, 0}, along = normalized(pin - base), y{0, 1, 0};
        reach = norm(pin) + norm(base) - norm(pin - base);
        crank = model.add(Body::rod({}, pin, 20));
        const BodyId barrel = model.add(Body::rod(base, base + 0.4 * along, 5)),
                     rod = model.add(Body::rod(pin - 0.5 * along, pin, 5));
        model.add(Revolute{.a = Model::ground(), .b = crank, .at = {}, .axis = y});
        model.add(Revolute{.a = Model::ground(), .b = barrel, .at = base, .axis = y});
        model.add(Revolute{.a = crank, .b = rod, .at = pin, .axis = y});
        piston =
            model.add(Prismatic{.a = barrel, .b = rod, .at = base + 0.3 * along, .axis = along});
        model.add(Drive{.joint = piston,
                        .control = Drive::Control::hydraulic,
                        .target = [](double t) { return t < 4 ? 1.0 : 0.0; },
                        .max_effort = 2e4,
                        .max_speed = 0.1});
    }
};

}  // namespace bristle::testing_support
