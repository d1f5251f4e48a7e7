#include "validation/rough/machines.h"

#include "model/editor.h"
#include "scenes/mechanisms.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {
namespace {

using Control = Drive::Control;

// The drives of a scene follow functions of time; these wait for commands.
Lever by_hand(Model& model, const std::string& joint, Control control, double effort,
              double speed) {
    const JointId on = model.joint(joint);
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (model.contains(DriveId{i}) && model.drives()[i].joint == on) model.remove(DriveId{i});
    const bool is_valve = control == Control::hydraulic;
    const DriveId drive = model.add(Drive{.joint = on,
                                          .control = control,
                                          .max_effort = effort,
                                          .max_speed = is_valve ? speed : 0,
                                          .name = joint + " by hand"});
    return is_valve ? Lever{drive, -1, 1} : Lever{drive, -speed, speed};
}

}  // namespace

std::vector<Lever> Machine::levers() const {
    std::vector<Lever> out = wheels;
    out.insert(out.end(), arm.begin(), arm.end());
    return out;
}

Machine excavator(Random& random) {
    auto scene = scenes::machine15(scenes::Machine15::Variant::on_wheels);
    Machine out{.model = scene.model, .chassis = scene.chassis, .bucket = scene.bucket};
    Model& m = out.model;
    for (uint32_t i = 0; i < m.shapes().size(); ++i)
        if (m.shapes()[i].body == Model::ground()) m.remove(ShapeId{i});
    out.soil = m.material("soil");
    // Its links do not touch each other, but all else.
    const auto data = nlohmann::json::parse(scenes::machine15_data());
    for (const auto& b : data.at("bodies")) {
        const std::string name = b.at("name");
        if (name.starts_with("wheel") || name.ends_with("_cylinder") || name.ends_with("_rod"))
            continue;
        const auto& half = b.at("half_extents");
        const double x = half.at(0), y = half.at(1), z = half.at(2);
        m.add(Shape{.body = m.body(name),
                    .geometry = Box{{2 * x, 2 * y, 2 * z}},
                    .group = 2,
                    .mask = ~2u,
                    .name = name});
    }
    const double turns = random.between(2, 6);  // rad/s
    for (const char* wheel : {"front_left", "front_right", "rear_left", "rear_right"})
        out.wheels.push_back(
            by_hand(m, fmt::format("chassis - wheel_{}", wheel), Control::speed, 20e3, turns));
    out.arm.push_back(by_hand(m, "chassis - platform", Control::speed, 3e5, 0.6));
    const Control control = random.chance(0.5) ? Control::hydraulic : Control::speed;
    const double speed = random.between(0.1, 0.4);
    // Ends of the strokes: those of scenes/machine-by-hand.yaml.
    const struct {
        const char* joint;
        double min, max;
    } cylinders[] = {{"boom_cylinder - boom_rod", -0.5, 0.36},
                     {"stick_cylinder - stick_rod", -0.6, 0.4},
                     {"bucket_cylinder - bucket_rod", -0.36, 0.27}};
    for (const auto& c : cylinders) {
        out.arm.push_back(by_hand(m, c.joint, control, 1e6, speed));
        m.add(Limit{.joint = m.joint(c.joint), .min = c.min, .max = c.max});
    }
    out.mass = 20e3;
    out.half_length = 2.1;
    out.half_width = 1.8;
    out.about = fmt::format("excavator {}", control == Control::hydraulic ? "valves" : "speeds");
    return out;
}

Machine any_machine(Random& random) {
    return random.chance(0.5) ? excavator(random) : digger(random);
}

void move(Model& model, const Pose& pose, const Twist& twist) {
    const Mat3 turn = pose.orientation.matrix();
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        Body& b = ModelEditor::bodies(model)[i];
        const Vec3 arm = turn * b.position;
        b.position = pose.position + arm;
        b.orientation = pose.orientation * b.orientation;
        b.velocity = turn * b.velocity + twist.linear + cross(twist.angular, arm);
        b.angular_velocity = turn * b.angular_velocity + twist.angular;
    }
    for (Joint& j : ModelEditor::joints(model)) {
        if (j.type == JointType::gear) continue;
        j.at_a = pose * j.at_a;
        j.at_b = pose * j.at_b;
        j.axis = turn * j.axis;
        j.axis_b = turn * j.axis_b;
    }
}

}  // namespace bristle::validation::rough
