#include "live/hub/steering.h"

#include "live/wire/messages.h"

#include <fmt/format.h>

namespace bristle::live {
namespace {

constexpr int most_bodies = 5000;   // a session can hold that many of what is added live
constexpr double most_size = 1000;  // m

BodyId body_in(const Fields& fields, const char* key, const wire::Scene& scene) {
    const auto count = static_cast<uint64_t>(scene.bodies_size());
    const auto index = fields.whole(key, 0, count == 0 ? 0 : count - 1);
    if (count == 0 || scene.bodies(static_cast<int>(index)).is_gone())
        fields.fail(key, fmt::format("names body {}, which is gone", index));
    return {static_cast<uint32_t>(index)};
}

Geometry geometry_in(const Fields& fields) {
    const std::string kind = fields.text("kind");
    const size_t count = kind == "box"                           ? 3
                       : kind == "sphere"                        ? 1
                       : kind == "capsule" || kind == "cylinder" ? 2
                                                                 : 0;
    if (count == 0) fields.fail("kind", "must be box, sphere, capsule or cylinder");
    const std::vector<double> size = fields.numbers("size", 3);
    if (size.size() != count)
        fields.fail("size", fmt::format("of a {} has {} numbers", kind, count));
    for (const double length : size)
        if (!(length >= 1e-4 && length <= most_size))
            fields.fail("size", fmt::format("must be between 0.1 mm and {:g} m", most_size));
    if (kind == "box") return Box{{size[0], size[1], size[2]}};
    if (kind == "sphere") return Sphere{size[0]};
    if (kind == "capsule") return Capsule{size[0], size[1]};
    return Cylinder{size[0], size[1]};
}

Quat orientation_in(const Fields& fields) {
    if (!fields.has("orientation")) return {};
    const std::vector<double> q = fields.numbers("orientation", 4);
    if (q.size() != 4) fields.fail("orientation", "is a quaternion of 4 numbers: w, x, y, z");
    return {q[0], q[1], q[2], q[3]};
}

Input body_to_add(const Fields& fields, const wire::Scene& scene) {
    if (scene.bodies_size() >= most_bodies)
        throw InputError(fmt::format("add: there are {} bodies already, no more can be added",
                                     scene.bodies_size()));
    return AddBody{.geometry = geometry_in(fields),
                   .density = fields.has("density") ? fields.number("density", 1e-3, 1e5) : 1000,
                   .position = fields.vector("position"),
                   .orientation = orientation_in(fields),
                   .velocity = fields.vector_or_zero("velocity"),
                   .name = fields.text_or_nothing("name")};
}

Input spring_to_add(const Fields& fields, const wire::Scene& scene) {
    return AddSpring{.a = body_in(fields, "a", scene),
                     .b = body_in(fields, "b", scene),
                     .at_a = fields.vector_or_zero("at_a"),
                     .at_b = fields.vector_or_zero("at_b"),
                     .stiffness = fields.number("stiffness", 0, 1e12),
                     .damping = fields.has("damping") ? fields.number("damping", 0, 1e12) : 0,
                     .name = fields.text_or_nothing("name")};
}

Input joint_to_add(const Fields& fields, const wire::Scene& scene) {
    return AddJoint{.type = joint_type(fields.text("type")),
                    .a = body_in(fields, "a", scene),
                    .b = body_in(fields, "b", scene),
                    .at = fields.vector("at"),
                    .axis = fields.has("axis") ? fields.vector("axis") : Vec3{0, 0, 1},
                    .name = fields.text_or_nothing("name")};
}

Input to_add(const Fields& fields, const wire::Scene& scene) {
    if (fields.has("body")) return body_to_add(fields.object("body"), scene);
    if (fields.has("spring")) return spring_to_add(fields.object("spring"), scene);
    if (fields.has("joint")) return joint_to_add(fields.object("joint"), scene);
    throw InputError("add: say what, 'body', 'spring' or 'joint'");
}

Input to_remove(const Fields& fields, const wire::Scene& scene) {
    const std::string kind = fields.text("kind");
    if (kind == "body") {
        const BodyId body = body_in(fields, "index", scene);
        if (body == Model::ground()) fields.fail("index", "is the ground, which stays");
        return Remove{body};
    }
    const auto index = static_cast<uint32_t>(fields.whole("index", 0, UINT32_MAX - 1));
    if (kind == "joint") {
        if (index >= static_cast<uint32_t>(scene.joints_size())
            || scene.joints(static_cast<int>(index)).is_gone())
            fields.fail("index", fmt::format("{} is no joint that is there", index));
        return Remove{JointId{index}};
    }
    if (kind != "force") fields.fail("kind", "must be body, joint or force");
    for (const wire::Link& link : scene.links())
        if (link.force() == index && !link.is_gone()) return Remove{ForceId{index}};
    fields.fail("index", fmt::format("{} is no spring, damper or bushing that is there", index));
}

}  // namespace

Input input_in(const std::string& action, const Fields& fields, const wire::Scene& scene) {
    if (action == "grab") {
        const BodyId body = body_in(fields, "body", scene);
        if (body == Model::ground()) fields.fail("body", "is the ground, which cannot be moved");
        return Grab{body, fields.vector("at"), fields.vector("to")};
    }
    if (action == "move") return MoveGrab{fields.vector("to")};
    if (action == "release") return ReleaseGrab{};
    if (action == "add") return to_add(fields, scene);
    return to_remove(fields, scene);
}

}  // namespace bristle::live
