#include "live/show/sight.h"

#include "live/wire/ground_source.h"
#include "live/wire/protocol.pb.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace bristle::live {
namespace {

void put(std::vector<float>& out, Vec3 v) {
    out.insert(out.end(),
               {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
}

void fill_poses(const World& world, Frame& frame) {
    frame.poses.clear();
    for (const Pose& pose : world.poses()) {
        put(frame.poses, pose.position);
        const Quat& q = pose.orientation;
        frame.poses.insert(frame.poses.end(), {static_cast<float>(q.w), static_cast<float>(q.x),
                                               static_cast<float>(q.y), static_cast<float>(q.z)});
    }
}

void fill_contacts(const World& world, Frame& frame) {
    frame.contacts.clear();
    frame.contact_bodies.clear();
    for (const Contact& c : world.contacts()) {
        put(frame.contacts, c.point);
        put(frame.contacts, c.normal);
        put(frame.contacts, c.force);
        frame.contact_bodies.insert(frame.contact_bodies.end(), {c.body_a.index, c.body_b.index});
    }
}

void fill_contours(const World& world, Frame& frame) {
    for (const Patch& patch : world.patches())
        for (const auto& [from, to] : patch.contour) {
            put(frame.contours, from);
            put(frame.contours, to);
        }
}

void fill_grab(const World& world, const std::optional<Hold>& held, Frame& frame) {
    frame.grab.clear();
    if (!held) return;
    put(frame.grab, world.point(held->body, held->at));
    put(frame.grab, held->to);
    put(frame.grab, force_of(*held, world.pose(held->body), world.twist(held->body)));
}

float tension(const World& world, const wire::Link& link) {
    const bool is_spring =
        !link.is_gone() && world.model().forces()[link.force()].kind == Model::ForceKind::spring;
    return is_spring ? static_cast<float>(world.tension(ForceId{link.force()})) : 0.0F;
}

}  // namespace

void Sight::wish(const Model& model, const Wishes& wanted) {
    std::vector<io::Quantity> found;
    for (const std::string& name : wanted.quantities) {
        std::vector<io::Quantity> numbers = io::find_quantities(model, name);
        if (numbers.empty()) throw InputError(fmt::format("there is no quantity '{}'", name));
        if (numbers.size() != 1)
            throw InputError(fmt::format("'{}' is {} numbers; say which one, for example {}", name,
                                         numbers.size(), numbers.front().name));
        found.push_back(std::move(numbers.front()));
    }
    quantities_ = std::move(found);
    wishes_ = wanted;
}

void Sight::fill(const World& world, const wire::Scene& scene, const std::optional<Hold>& held,
                 Frame& frame) const {
    frame.revision = scene.revision();
    fill_poses(world, frame);
    fill_contacts(world, frame);
    frame.contours.clear();
    if (wishes_.looks.contours) fill_contours(world, frame);
    fill_reactions(world, scene, frame);
    fill_values(world, frame);
    fill_grab(world, held, frame);
    fill_grains(world, frame.grains, frame.grain_colors);
}

void Sight::fill_shared_volumes(const World& world, Surface& surface) const {
    surface.vertices.clear();
    surface.triangles.clear();
    if (!wishes_.looks.volumes) return;
    for (const SharedVolume& shared : world.shared_volumes()) {
        const auto first = static_cast<uint32_t>(surface.vertices.size() / 3);
        for (const Vec3 v : shared.mesh.vertices) put(surface.vertices, v);
        for (const auto& triangle : shared.mesh.triangles)
            for (const uint32_t corner : triangle) surface.triangles.push_back(first + corner);
    }
}

void Sight::fill_reactions(const World& world, const wire::Scene& scene, Frame& frame) const {
    frame.reactions.clear();
    frame.tensions.clear();
    if (!wishes_.looks.reactions) return;
    for (uint32_t i = 0; i < static_cast<uint32_t>(scene.joints_size()); ++i) {
        const wire::Joint& joint = scene.joints(static_cast<int>(i));
        const bool has_any = !joint.is_gone() && joint.type() != "gear";
        const Reaction reaction = has_any ? world.reaction(JointId{i}) : Reaction{};
        put(frame.reactions, reaction.force);
        put(frame.reactions, reaction.moment);
    }
    for (const wire::Link& link : scene.links()) frame.tensions.push_back(tension(world, link));
}

void Sight::fill_values(const World& world, Frame& frame) const {
    frame.watch = wishes_.number;
    frame.values.clear();
    for (const io::Quantity& q : quantities_) {
        double value = std::numeric_limits<double>::quiet_NaN();
        try {
            value = q.read(world);
        } catch (const InputError&) {  // its object was removed
        }
        frame.values.push_back(value);
    }
}

}  // namespace bristle::live
