// A family without contact: links of an arm on hinges and slides, each with a drive and most with stops; some are geared
// to the one before, so that two drives want what cannot be.
#include "validation/rough/case.h"
#include "validation/rough/commands.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::validation::rough {
namespace {

using Control = Drive::Control;

struct Arm {
    Random& random;
    Model model;
    std::vector<Lever> levers;
    double length, lift;  // m of a link; N that lifts the whole arm

    void add_drive(JointId joint, bool slides, Control control, double reach, double stop) {
        const bool is_valve = control == Control::hydraulic;
        const double speed = (slides ? length : 1) * random.between(0.3, 3),
                     effort = lift * random.magnitude(0.3, 5) * (slides ? 1 : reach);
        const DriveId drive = model.add(Drive{.joint = joint,
                                              .control = control,
                                              .max_effort = effort,
                                              .max_speed = is_valve ? speed : 0,
                                              .name = fmt::format("drive {}", levers.size())});
        // Positions beyond the stops, too.
        const double most = is_valve ? 1 : control == Control::position ? 1.5 * stop : speed;
        levers.push_back({drive, -most, most});
    }
    JointId add_joint(int i, BodyId a, BodyId b, Vec3 at, Vec3 along, bool slides) {
        const std::string name = fmt::format("joint {}", i);
        if (slides)
            return model.add(Prismatic{.a = a, .b = b, .at = at, .axis = along, .name = name});
        Vec3 axis = i == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
        if (i > 0 && random.chance(0.3)) axis = random.direction();
        return model.add(Revolute{.a = a, .b = b, .at = at, .axis = axis, .name = name});
    }
};

}  // namespace

Case arms(uint64_t seed) {
    Random random(seed);
    const int links = random.whole(2, 7), kind = random.whole(0, 3);
    const Control kinds[] = {Control::speed, Control::position, Control::hydraulic};
    const char* names[] = {"speeds", "positions", "valves", "mixed"};
    const double mass = random.magnitude(1, 1000), shrinks = random.between(0.5, 1);
    Arm arm{random, {}, {}, random.between(0.3, 2), links * mass * 9.81};
    Model& m = arm.model;
    BodyId last = Model::ground();
    JointId hinge_before;
    int gears = 0;
    Vec3 at{};
    for (int i = 0; i < links; ++i) {
        const Vec3 along{std::cos(0.5 * i), 0, std::sin(0.5 * i)};
        const BodyId link = m.add(
            Body::box({arm.length, 0.2 * arm.length, 0.2 * arm.length}, mass * std::pow(shrinks, i))
                .at(at + arm.length / 2 * along, Quat::about({0, 1, 0}, -0.5 * i))
                .named(fmt::format("link {}", i)));
        const bool slides = i > 0 && random.chance(0.2);
        const JointId joint = arm.add_joint(i, last, link, at, along, slides);
        const double stop = slides ? 0.4 * arm.length : random.between(0.5, 2.5);
        if (i > 0 || random.chance(0.5))
            m.add(Limit{.joint = joint,
                        .min = -stop,
                        .max = stop,
                        .restitution = random.chance(0.3) ? random.between(0, 1) : 0});
        arm.add_drive(joint, slides, kinds[kind == 3 ? random.whole(0, 2) : kind],
                      (links - i) * arm.length, stop);
        if (i > 1 && !slides && m.contains(hinge_before) && random.chance(0.15)) {
            m.add(Gear{.first = hinge_before, .second = joint, .ratio = random.between(-2, 2)});
            ++gears;
        }
        hinge_before = slides ? JointId{} : joint;
        last = link;
        at += arm.length * along;
    }
    Case c{.about = fmt::format("{} links, {}{}", links, names[kind], gears ? ", geared" : ""),
           .model = m};
    // Seven hinges that all go to their positions in 0.1 s add up.
    c.fastest = 1000;
    const bool is_violent = random.chance(0.5);
    c.command = Commands(
        random.next(), is_violent ? Commands::Manner::violent : Commands::Manner::any, arm.levers);
    return c;
}

}  // namespace bristle::validation::rough
