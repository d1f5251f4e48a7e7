// Taking things out of a model, and finding them by name.
#include <bristle/model.h>

#include "base/suggest.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle {
namespace {

template <class Tag> bool is_there(const std::vector<bool>& gone, Id<Tag> id) {
    return id.index < gone.size() && !gone[id.index];
}

template <class Tag> void take_out(std::vector<bool>& gone, Id<Tag> id, const char* kind) {
    if (!is_there(gone, id))
        throw InputError(fmt::format("remove: the model has no {} {}", kind, id.index));
    gone[id.index] = true;
}

// The first that is there and has this name. Names of a list are read by `name_of`.
template <class Tag, class NameOf>
Id<Tag> find(const char* kind, const std::string& name, const std::vector<bool>& gone,
             const NameOf& name_of) {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < gone.size(); ++i) {
        if (gone[i]) continue;
        if (name_of(i) == name) return {i};
        names.push_back(name_of(i));
    }
    throw InputError(fmt::format("there is no {} '{}'{}", kind, name, suggestion(name, names)));
}

template <class List> auto names_of(const List& list) {
    return [&list](uint32_t i) -> const std::string& { return list[i].name; };
}

template <class Id> bool has(const std::vector<Id>& list, Id id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

}  // namespace

bool Model::contains(BodyId id) const { return is_there(body_gone_, id); }
bool Model::contains(JointId id) const { return is_there(joint_gone_, id); }
bool Model::contains(DriveId id) const { return is_there(drive_gone_, id); }
bool Model::contains(LimitId id) const { return is_there(limit_gone_, id); }
bool Model::contains(CoordinateId id) const { return is_there(coordinate_gone_, id); }
bool Model::contains(ForceId id) const { return is_there(force_gone_, id); }
bool Model::contains(ProcessId id) const { return is_there(process_gone_, id); }
bool Model::contains(ShapeId id) const { return is_there(shape_gone_, id); }

void Model::remove(DriveId id) { take_out(drive_gone_, id, "drive"); }
void Model::remove(LimitId id) { take_out(limit_gone_, id, "limit"); }
void Model::remove(CoordinateId id) { take_out(coordinate_gone_, id, "coordinate"); }
void Model::remove(ForceId id) { take_out(force_gone_, id, "force"); }
void Model::remove(ProcessId id) { take_out(process_gone_, id, "process"); }
void Model::remove(ShapeId id) { take_out(shape_gone_, id, "shape"); }

void Model::remove(JointId id) {
    take_out(joint_gone_, id, "joint");
    for (uint32_t i = 0; i < joints_.size(); ++i)
        if (!joint_gone_[i] && model::is_gear(joints_[i])
            && (joints_[i].first == id || joints_[i].second == id))
            remove(JointId{i});
    const auto clear = [&](const auto& list, std::vector<bool>& gone) {
        for (uint32_t i = 0; i < list.size(); ++i)
            if (list[i].joint == id) gone[i] = true;
    };
    clear(drives_, drive_gone_);
    clear(limits_, limit_gone_);
    clear(coordinates_, coordinate_gone_);
    for (uint32_t i = 0; i < forces_.size(); ++i) {
        const auto [kind, k] = forces_[i];
        if ((kind == ForceKind::joint_spring && joint_springs_[k].joint == id)
            || (kind == ForceKind::motor && motors_[k].joint == id)
            || (kind == ForceKind::stateful && has(stateful_forces_[k].joints, id)))
            force_gone_[i] = true;
    }
}

void Model::remove(BodyId id) {
    if (id == ground()) throw InputError("remove: the ground stays");
    take_out(body_gone_, id, "body");
    for (uint32_t i = 0; i < joints_.size(); ++i)
        if (!joint_gone_[i] && !model::is_gear(joints_[i])
            && (joints_[i].a == id || joints_[i].b == id))
            remove(JointId{i});
    for (uint32_t i = 0; i < shapes_.size(); ++i)
        if (shapes_[i].body == id) shape_gone_[i] = true;
    for (uint32_t i = 0; i < forces_.size(); ++i) {
        const auto [kind, k] = forces_[i];
        const auto ends_here = [&](const auto& force) { return force.a == id || force.b == id; };
        if ((kind == ForceKind::spring && ends_here(springs_[k]))
            || (kind == ForceKind::bushing && ends_here(bushings_[k]))
            || (kind == ForceKind::stateful && has(stateful_forces_[k].points, id)))
            force_gone_[i] = true;
        // A user's force may act on others too: it stays, without this one.
        if (kind == ForceKind::user) std::erase(user_forces_[k].bodies, id);
    }
    std::erase_if(no_contacts_, [&](const NoContact& n) { return n.a == id || n.b == id; });
}

BodyId Model::body(const std::string& n) const {
    return find<struct BodyTag>("body", n, body_gone_, names_of(bodies_));
}
JointId Model::joint(const std::string& n) const {
    return find<struct JointTag>("joint", n, joint_gone_, names_of(joints_));
}
DriveId Model::drive(const std::string& n) const {
    return find<struct DriveTag>("drive", n, drive_gone_, names_of(drives_));
}
LimitId Model::limit(const std::string& n) const {
    return find<struct LimitTag>("limit", n, limit_gone_, names_of(limits_));
}
CoordinateId Model::rotor(const std::string& n) const {
    return find<struct CoordinateTag>("rotor", n, coordinate_gone_, names_of(coordinates_));
}
ForceId Model::force(const std::string& n) const {
    return find<struct ForceTag>("force", n, force_gone_,
                                 [this](uint32_t i) { return name(ForceId{i}); });
}
MaterialId Model::material(const std::string& n) const {
    return find<struct MaterialTag>("material", n, std::vector<bool>(materials_.size()),
                                    names_of(materials_));
}
ShapeId Model::shape(const std::string& n) const {
    return find<struct ShapeTag>("shape", n, shape_gone_, names_of(shapes_));
}

const std::string& Model::name(ForceId id) const {
    if (id.index >= forces_.size())
        throw InputError(fmt::format("force id {} is not of this model", id.index));
    const auto [kind, k] = forces_[id.index];
    switch (kind) {
        case ForceKind::spring: return springs_[k].name;
        case ForceKind::joint_spring: return joint_springs_[k].name;
        case ForceKind::bushing: return bushings_[k].name;
        case ForceKind::motor: return motors_[k].name;
        case ForceKind::stateful: return stateful_forces_[k].name;
        case ForceKind::user: break;
    }
    return user_forces_[k].name;
}

bool Model::is_assembled() const {
    double size = 0;
    for (uint32_t i = 1; i < bodies_.size(); ++i)
        if (!body_gone_[i]) size = std::max(size, norm(bodies_[i].position));
    for (uint32_t i = 0; i < joints_.size(); ++i)
        if (!joint_gone_[i]) size = std::max({size, norm(joints_[i].at_a), norm(joints_[i].at_b)});
    for (uint32_t i = 0; i < joints_.size(); ++i) {
        if (joint_gone_[i]) continue;
        const Joint& j = joints_[i];
        const Vec3 apart = j.at_b - j.at_a;
        if (model::is_gauge(j)) continue;
        const model::JointKind& kind = model::kind_of(j);
        const double turn = kind.turn == model::Turn::crossed ? std::abs(dot(j.axis, j.axis_b))
                                                              : norm(j.axis_b - j.axis);
        double gap = 0;
        switch (kind.place) {
            case model::Place::point: gap = norm(apart); break;
            case model::Place::line: gap = norm(cross(apart, j.axis)); break;
            case model::Place::plane: gap = std::abs(dot(apart, j.axis)); break;
            case model::Place::distance: gap = std::abs(norm(apart) - j.length); break;
            case model::Place::anywhere: break;
        }
        if (gap > 1e-9 * size || turn > 1e-9) return false;
    }
    return true;
}

}  // namespace bristle
