#include "lagrange/detection.h"

#include "contact/hertz.h"
#include "contact/normal.h"
#include "lagrange/kinematics.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

bool has_height_field(const Geometry& g) {
    if (const auto* compound = std::get_if<Compound>(&g))
        return std::any_of(compound->parts.begin(), compound->parts.end(),
                           [](const CompoundPart& p) { return has_height_field(p.geometry); });
    return std::holds_alternative<HeightField>(g);
}

// Where volumes count there must be some. A closed mesh is told from an open one when it is made a solid.
void check_volumes(const Model& model) {
    for (size_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& shape = model.shapes()[i];
        if (!has_height_field(shape.geometry)) continue;
        for (const Shape& other : model.shapes())
            if (model.contact_law(shape.material, other.material).normal
                == ContactLaw::Normal::volumetric)
                throw InputError(fmt::format(
                    "shape {}: a height field is a surface, and contact of its material with that "
                    "of "
                    "another shape is volumetric; give one of the two materials no foundation, or "
                    "the "
                    "pair another normal law, or make the ground of a plane or a closed mesh",
                    shape.name.empty() ? std::to_string(i) : "'" + shape.name + "'"));
    }
}

double damping_of(const ContactLaw& law) {
    const double e = law.restitution;
    const bool exact = law.damping == ContactLaw::Damping::exact;
    switch (law.normal) {
        case ContactLaw::Normal::hunt_crossley:
        case ContactLaw::Normal::volumetric:
            return exact ? contact::exact_hertz_damping(e) : 1.5 * (1 - e);
        case ContactLaw::Normal::lankarani_nikravesh:
            return exact ? contact::exact_hertz_damping(e) : 0.75 * (1 - e * e);
        case ContactLaw::Normal::kelvin_voigt:
            return exact ? contact::exact_voigt_damping(e) : contact::decrement_damping(e);
    }
    return 0;
}

Mat3 axes_of(const WidePlacement& f) {
    return Mat3::columns(to_vec3(f.axis[0]), to_vec3(f.axis[1]), to_vec3(f.axis[2]));
}

}  // namespace

void make_orthonormal(WidePlacement& f) {
    const auto unit = [](Vec4 v) { return v / broadcast(std::sqrt(dot(v, v))); };
    const double handed = dot(cross(f.axis[0], f.axis[1]), f.axis[2]) > 0 ? 1 : -1;
    const Vec4 x = unit(f.axis[0]), z = unit(cross(x, f.axis[1]));
    if (!(dot(z, z) > 0.5)) return;
    f.axis[0] = x;
    f.axis[1] = cross(z, x);
    f.axis[2] = handed * z;
}

Detection::Detection(const System& system) : system_(system) {
    const Model& model = system.model();
    if (model.shapes().empty()) return;
    check_volumes(model);
    std::vector<std::pair<uint32_t, uint32_t>> joined;
    for (const Joint& j : model.joints()) {
        if (!model::joins_bodies(j)) continue;
        const uint32_t a = system.group_of[j.a.index], b = system.group_of[j.b.index];
        if (a != 0 && b != 0) joined.emplace_back(a, b);
    }
    collision::MeshTrees own;
    scene_.emplace(model, system.group_of, joined, system.mesh_trees ? *system.mesh_trees : own,
                   system.fields);
    set_laws(model);

    slot_of_group_.assign(system.frames.size(), 0);
    groups_ = {0};
    assembly_ = {none};
    for (BodyId body : scene_->bodies()) {
        const uint32_t group = system.group_of[body.index];
        if (group == 0 || slot_of_group_[group] != 0) continue;
        slot_of_group_[group] = static_cast<uint32_t>(groups_.size());
        groups_.push_back(group);
        assembly_.push_back(lagrange::assembly_of(system, group));
    }
    frames_at(system.start.data(), frames_);
    for (BodyId body : scene_->bodies()) {
        const Body& b = model.bodies()[body.index];
        const uint32_t slot = slot_of_group_[system.group_of[body.index]];
        const Mat3 axes = axes_of(frames_[slot]);
        in_group_.push_back({axes.transposed() * b.orientation.matrix(),
                             axes.transposed() * (b.position - to_vec3(frames_[slot].origin))});
        body_assembly_.push_back(assembly_[slot]);
    }
    body_is_asked_.resize(in_group_.size());
}

void Detection::set_laws(const Model& model) {
    const size_t count = model.materials().size();
    for (uint32_t a = 0; a < count; ++a) {
        laws_.emplace_back();
        damping_.emplace_back();
        for (uint32_t b = 0; b < count; ++b) {
            laws_[a].push_back(model.contact_law({a}, {b}));
            damping_[a].push_back(damping_of(laws_[a][b]));
        }
    }
}

void Detection::frames_at(const Vec4* q, std::vector<WidePlacement>& out) const {
    out.resize(groups_.size());
    for (size_t i = 0; i < groups_.size(); ++i)
        group_axes(system_.frames[groups_[i]], q, out[i].origin, out[i].axis);
}

void Detection::place(const std::vector<WidePlacement>& frames, std::vector<Placement>& out) const {
    out.resize(in_group_.size());
    for (size_t i = 0; i < out.size(); ++i) {
        const BodyId body = scene_->bodies()[i];
        const WidePlacement& f = frames[slot_of_group_[system_.group_of[body.index]]];
        const Mat3 axes = axes_of(f);
        out[i] = {axes * in_group_[i].rotation, to_vec3(f.origin) + axes * in_group_[i].position};
    }
}

Found Detection::find(const Vec4* before, const Vec4* predicted,
                      std::span<const uint8_t> is_asked) {
    frames_at(before, frames_);
    place(frames_, before_);
    frames_at(predicted, frames_);
    for (WidePlacement& f : frames_) make_orthonormal(f);
    place(frames_, now_);
    collision::CollisionScene::Scope scope{
        .assembly = body_assembly_, .assemblies = system_.assembly_count, .is_asked = {}};
    if (!is_asked.empty()) {
        for (size_t i = 0; i < body_assembly_.size(); ++i)
            body_is_asked_[i] = body_assembly_[i] != none && is_asked[body_assembly_[i]] != 0;
        scope.is_asked = body_is_asked_;
    }
    scene_->detect(before_, now_, scope);
    return {scene_->candidates(), scene_->patches(), scene_->contour()};
}

}  // namespace bristle::lagrange
