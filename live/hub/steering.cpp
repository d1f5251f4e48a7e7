#include "live/hub/steering.h"

#include "live/wire/fields.h"
#include "live/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::live {
namespace {

// A session can hold that many of what is added live; what was removed is counted too, for it keeps its number.
constexpr int most_bodies = 5000, most_links = 5000, most_joints = 5000;
constexpr double least_size = 1e-4, most_size = 1000;  // m
constexpr double largest = 1e9;                        // of a coordinate, m
constexpr double stiffest = 1e12;                      // N/m, N s/m

Fields fields_of(const google::protobuf::Message& message) { return Fields(message, largest); }

void check_body(const Fields& fields, int field, const wire::Scene& scene) {
    const int count = scene.bodies_size();
    if (count == 0) fields.fail(field, "names a body, and there are none");
    const uint32_t index = fields.whole(field, 0, static_cast<uint32_t>(count) - 1);
    if (scene.bodies(static_cast<int>(index)).is_gone())
        fields.fail(field, fmt::format("names body {}, which is gone", index));
}

Input checked(const wire::Grab& order, const wire::Scene& scene) {
    check_body(fields_of(order), wire::Grab::kBodyFieldNumber, scene);
    const Grab grab = decode(order, largest);
    if (grab.body == Model::ground())
        fields_of(order).fail(wire::Grab::kBodyFieldNumber, "is the ground, which cannot be moved");
    return grab;
}

void check_count(int count, int most, const char* what) {
    if (count >= most)
        throw InputError(fmt::format("there are {} {} already, no more can be added", count, what));
}

Input checked(const wire::AddBody& order, const wire::Scene& scene) {
    check_count(scene.bodies_size(), most_bodies, "bodies");
    for (const double length : order.size())
        if (!(length >= least_size && length <= most_size))
            fields_of(order).fail(
                wire::AddBody::kSizeFieldNumber,
                fmt::format("must be between {:g} and {:g} m", least_size, most_size));
    if (order.has_mass()) fields_of(order).number(wire::AddBody::kMassFieldNumber, 1e-6, 1e9);
    if (order.has_density()) fields_of(order).number(wire::AddBody::kDensityFieldNumber, 1e-3, 1e5);
    return decode(order, largest);
}

Input checked(const wire::AddSpring& order, const wire::Scene& scene) {
    const Fields fields = fields_of(order);
    check_count(scene.links_size(), most_links, "springs");
    check_body(fields, wire::AddSpring::kAFieldNumber, scene);
    check_body(fields, wire::AddSpring::kBFieldNumber, scene);
    fields.number(wire::AddSpring::kStiffnessFieldNumber, 0, stiffest);
    fields.number(wire::AddSpring::kDampingFieldNumber, 0, stiffest);
    return decode(order, largest);
}

Input checked(const wire::AddJoint& order, const wire::Scene& scene) {
    check_count(scene.joints_size(), most_joints, "joints");
    check_body(fields_of(order), wire::AddJoint::kAFieldNumber, scene);
    check_body(fields_of(order), wire::AddJoint::kBFieldNumber, scene);
    return decode(order, largest);
}

bool has_joint(const wire::Scene& scene, uint32_t index) {
    return index < static_cast<uint32_t>(scene.joints_size())
        && !scene.joints(static_cast<int>(index)).is_gone();
}

bool has_link(const wire::Scene& scene, uint32_t force) {
    return std::any_of(scene.links().begin(), scene.links().end(), [&](const wire::Link& link) {
        return link.force() == force && !link.is_gone();
    });
}

Input checked(const wire::Remove& order, const wire::Scene& scene) {
    constexpr int field = wire::Remove::kIndexFieldNumber;
    const Fields fields = fields_of(order);
    if (order.kind() == wire::Remove::BODY) {
        check_body(fields, field, scene);
        if (order.index() == Model::ground().index)
            fields.fail(field, "is the ground, which stays");
    }
    if (order.kind() == wire::Remove::JOINT && !has_joint(scene, order.index()))
        fields.fail(field, fmt::format("{} is no joint that is there", order.index()));
    if (order.kind() == wire::Remove::FORCE && !has_link(scene, order.index()))
        fields.fail(field,
                    fmt::format("{} is no spring, damper or bushing that is there", order.index()));
    return decode(order);
}

}  // namespace

Input input_in(const wire::Order& order, const wire::Scene& scene) {
    switch (order.kind_case()) {
        case wire::Order::kGrab: return checked(order.grab(), scene);
        case wire::Order::kMove: return decode(order.move(), largest);
        case wire::Order::kRelease: return ReleaseGrab{};
        case wire::Order::kAddBody: return checked(order.add_body(), scene);
        case wire::Order::kAddSpring: return checked(order.add_spring(), scene);
        case wire::Order::kAddJoint: return checked(order.add_joint(), scene);
        case wire::Order::kRemove: return checked(order.remove(), scene);
        default: throw InputError("it changes nothing that moves");
    }
}

}  // namespace bristle::live
