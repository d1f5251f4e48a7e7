#include "machines/results/forces.h"

#include <bristle/error.h>

#include "machines/results/operate.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

// What the edge presses with along its way, if a cylinder pushes as hard as it can: by virtual work, its force over the edge's
// speed when it lengthens by 1 m/s. The others feel it along their own ways of the edge.
ToolForce force_at(Arm& arm, size_t cylinder) {
    const auto& cylinders = arm.parts().cylinders;
    const Vec3 rate = arm.tip_rate(cylinder);
    const double alone = cylinders[cylinder].working.push / norm(rate);
    ToolForce out{cylinder, alone, alone, cylinders[cylinder].name, arm.lengths()};
    const Vec3 along = normalized(rate);
    for (size_t i = 0; i < arm.count(); ++i) {
        if (i == cylinder) continue;
        // The ground pushes back: −along.
        const double felt = -dot(arm.tip_rate(i), along);
        const CylinderForce& most = cylinders[i].holding;
        // It must push against what pushes it shorter.
        const double limit = felt < 0 ? most.push : most.pull;
        // Where both are at their ends, as they are where the force is greatest, it is told that another limits it.
        if (std::abs(felt) * out.force < 0.999 * limit) continue;
        out.force = std::min(out.force, limit / std::abs(felt));
        out.gives_way = cylinders[i].name;
    }
    return out;
}

enum class Others : unsigned char { hold, do_not_matter };

// The cylinder where its force is greatest, the others as they are: samples, then golden section.
ToolForce greatest(Arm& arm, size_t cylinder, Lengths lengths, Others others) {
    const ArmCylinder& c = arm.parts().cylinders[cylinder];
    constexpr int samples = 24;
    const auto at = [&](double length) {
        lengths[cylinder] = length;
        ToolForce out;
        if (!arm.place(lengths)) return out;
        out = force_at(arm, cylinder);
        if (others == Others::do_not_matter) out.force = out.alone;
        return out;
    };
    const double spacing = (c.longest - c.shortest) / samples;
    double best = c.shortest, most = -1;
    for (int i = 0; i <= samples; ++i) {
        const double length = c.shortest + i * spacing, force = at(length).force;
        if (force > most) {
            most = force;
            best = length;
        }
    }
    double low = std::max(c.shortest, best - spacing), high = std::min(c.longest, best + spacing);
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    while (high - low > 1e-7) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (at(a).force > at(b).force)
            high = b;
        else
            low = a;
    }
    return at(0.5 * (low + high));
}

// Wherever the cylinders before it are: in some places they hold less than it pushes.
ToolForce greatest_anywhere(Arm& arm, size_t cylinder, const Lengths& lengths) {
    constexpr size_t tries = 8;
    size_t places = 1;
    for (size_t i = 0; i < cylinder; ++i) places *= tries + 1;
    ToolForce best;
    for (size_t place = 0; place < places; ++place) {
        Lengths tried = lengths;
        for (size_t i = 0, rest = place; i < cylinder; ++i, rest /= tries + 1) {
            const ArmCylinder& c = arm.parts().cylinders[i];
            tried[i] = c.shortest
                     + static_cast<double>(rest % (tries + 1)) / tries * (c.longest - c.shortest);
        }
        const ToolForce there = greatest(arm, cylinder, tried, Others::hold);
        if (there.force > best.force * (1 + 1e-9)) best = there;
    }
    best.alone = greatest(arm, cylinder, lengths, Others::do_not_matter).force;
    return best;
}

}  // namespace

std::vector<ToolForce> breakout_forces(Arm& arm) {
    if (!arm.parts().has_stick())
        throw InputError(
            "ISO 6015 is about excavators: the machine has no stick pivot and stick cylinder");
    const Lengths began = arm.lengths();
    const ToolForce bucket = greatest_anywhere(arm, 2, arm.at_shares(0.5, 0.5, 0.5));
    const ToolForce stick = greatest_anywhere(arm, 1, bucket.lengths);
    arm.place(began);
    return {bucket, stick};
}

double simulated_pull(const Model& original, const PartsFound& parts, const Settings& settings,
                      size_t cylinder, const Lengths& lengths) {
    Operated machine(in_the_air(original, parts), parts, settings);
    World& world = machine.world();
    machine.run(0.5);
    if (!machine.lead(lengths)) throw SimulationError("the arm does not come to where it pulls");
    machine.run(2);
    const JointId hinge =
        cylinder + 1 == parts.cylinders.size() ? parts.bucket_pivot : *parts.stick_pivot;
    const Joint pivot = original.joints()[hinge.index];
    const Body& holder = original.bodies()[pivot.a.index];
    const Vec3 center = world.point(
        pivot.a, holder.orientation.matrix().transposed() * (pivot.at_a - holder.position));
    const Vec3 axis = world.pose(pivot.a).orientation.matrix()
                    * (holder.orientation.matrix().transposed() * pivot.axis);
    const Vec3 tip = world.point(parts.bucket, parts.tip), arm = tip - center;
    // Which way the edge goes when the cylinder lengthens is seen by trying.
    const Snapshot still = world.snapshot();
    machine.lever(cylinder, 0.5);
    machine.run(0.5);
    const Vec3 gone = world.point(parts.bucket, parts.tip) - tip;
    world.restore(still);
    Vec3 along = normalized(cross(axis, arm));
    if (dot(along, gone) < 0) along = -along;
    constexpr double length = 5;  // m, of the rope
    world.change([&](Model& model) {
        model.gravity = {};
        model.add(Fixed{.a = Model::ground(), .b = pivot.a, .at = center});
        model.add(Spring{.a = Model::ground(),
                         .b = parts.bucket,
                         .at_a = tip - length * along,
                         .at_b = tip,
                         .stiffness = 5e6,
                         .damping = 1e5,
                         .free_length = length,
                         .name = "rope"});
    });
    machine.lever(cylinder, 1);
    machine.run(5);
    return world.tension(world.model().force("rope"));
}

}  // namespace bristle::machines
