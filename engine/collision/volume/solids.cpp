#include "collision/volume/solids.h"

#include "collision/scene.h"
#include "geometry/tessellate.h"
#include "model/input_checks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle::collision {
namespace {

// Of a partner's bounding ball: how far the box under a plane reaches, to each side and down.
constexpr double reach_of_plane = 4;

TriangleMesh box_below(double reach) {
    TriangleMesh m = tessellated(Box{{2 * reach, 2 * reach, reach}});
    for (Vec3& v : m.vertices) v.z -= reach / 2;
    return m;
}

HalfSpace half_space(const Placed& at) {
    const Vec3 up = at.rotation.column(2);
    return {up, dot(up, at.position)};
}

// Patches that `find` appends with the plane second, where it comes first.
template <class Find> void turned_round(Patches& out, const Find& find) {
    const size_t first = out.patches.size();
    find();
    for (size_t i = first; i < out.patches.size(); ++i) {
        ContactPatch& p = out.patches[i];
        p.normal = -p.normal;
        std::swap(p.face_a, p.face_b);
        for (uint32_t k = 0; k < p.segments; ++k)
            std::swap(out.contour[p.first_segment + k].from, out.contour[p.first_segment + k].to);
    }
}

std::shared_ptr<const PackedSolid> as_ball(const Geometry& geometry) {
    const auto* sphere = std::get_if<Sphere>(&geometry);
    if (!sphere) return nullptr;
    const Ball whole{{}, sphere->radius};
    return std::make_shared<const PackedSolid>(std::span(&whole, 1), 1);
}

bool is_solid(ColliderKind kind) {
    return kind != ColliderKind::plane && kind != ColliderKind::height_field;
}

}  // namespace

void Solids::build(const Model& model, std::span<const SceneCollider> colliders,
                   std::span<const Geometry* const> geometry, MeshTrees& trees) {
    const size_t count = colliders.size();
    material_count_ = model.materials().size();
    volumetric_.assign(material_count_ * material_count_, 0);
    bool has_law = false;
    for (uint32_t a = 0; a < material_count_; ++a)
        for (uint32_t b = 0; b < material_count_; ++b) {
            const bool is = model.contact_law({a}, {b}).normal == ContactLaw::Normal::volumetric;
            volumetric_[a * material_count_ + b] = is;
            has_law |= is;
        }
    uint32_t meshes = 0;
    for (const SceneCollider& c : colliders) meshes += c.collider.kind == ColliderKind::mesh;
    if (!has_law && meshes < 2) return;

    materials_.resize(count);
    solid_.resize(count);
    ball_.resize(count);
    under_.resize(count);
    bound_center_.resize(count);
    is_plane_.assign(count, 0);
    is_mesh_.assign(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        const SceneCollider& c = colliders[i];
        std::set<uint32_t> materials{c.material.index};
        if (c.mesh)
            for (MaterialId m : c.mesh->materials) materials.insert(m.index);
        materials_[i].assign(materials.begin(), materials.end());
        bound_center_[i] = c.bound_center;
        is_plane_[i] = c.collider.kind == ColliderKind::plane;
    }
    const auto is_needed = [&](uint32_t i) {
        for (uint32_t m : materials_[i])
            for (uint32_t k = 0; k < count; ++k)
                for (uint32_t n : materials_[k])
                    if (volumetric_[m * material_count_ + n]) return true;
        return false;
    };
    for (uint32_t i = 0; i < count; ++i) {
        const SceneCollider& c = colliders[i];
        if (!is_solid(c.collider.kind)) continue;
        const bool counts_volumes = is_needed(i);
        if (const auto* m = std::get_if<Mesh>(geometry[i])) {
            if (!counts_volumes && meshes < 2) continue;
            try {
                solid_[i] = trees.solid_of(m->surface);
                is_mesh_[i] = 1;
            } catch (const InputError& e) {
                if (!counts_volumes) continue;  // scenery that is open touches in points only
                model::fail(
                    model::label("shape", model.shapes()[c.shape.index].name, c.shape.index),
                    fmt::format("its material has a volumetric law, but {}", e.what()));
            }
        } else if (counts_volumes) {
            solid_[i] = std::make_shared<const Solid>(
                std::make_shared<const TriangleMesh>(tessellated(*geometry[i])));
        }
        if (counts_volumes)
            under_[i] = std::make_shared<const Solid>(
                std::make_shared<const TriangleMesh>(box_below(reach_of_plane * c.bound_radius)));
        if (counts_volumes) ball_[i] = as_ball(*geometry[i]);
        is_empty_ = is_empty_ && !solid_[i];
    }
    pack(colliders, geometry, trees);
}

void Solids::pack(std::span<const SceneCollider> colliders,
                  std::span<const Geometry* const> geometry, MeshTrees& trees) {
    const size_t count = colliders.size();
    packed_.resize(count);
    asks_for_balls_.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
        const auto* own = std::get_if<Mesh>(geometry[i]);
        asks_for_balls_[i] = own && own->spheres > 0;
        if (!solid_[i]) continue;
        uint32_t balls = 0;
        for (uint32_t k = 0; k < count; ++k) {
            const auto* m = std::get_if<Mesh>(geometry[k]);
            if (m && m->spheres > 0
                && (k == i || (colliders[k].owner != colliders[i].owner && is_volumetric(i, k))))
                balls = std::max(balls, m->spheres);
        }
        if (balls > 0) packed_[i] = trees.packed(solid_[i]->shared_mesh(), balls);
    }
}

bool Solids::are_packed(uint32_t a, uint32_t b) const {
    return are_balls(a, b)
        || (!is_empty_ && (asks_for_balls_[a] || asks_for_balls_[b]) && (packed_[a] || is_plane_[a])
            && (packed_[b] || is_plane_[b]));
}

bool Solids::are_balls(uint32_t a, uint32_t b) const {
    return !is_empty_ && (ball_[a] || is_plane_[a]) && (ball_[b] || is_plane_[b]);
}

bool Solids::is_volumetric(uint32_t a, uint32_t b) const {
    if (is_empty_ || !(solid_[a] || (is_plane_[a] && under_[b]))
        || !(solid_[b] || (is_plane_[b] && under_[a])))
        return false;
    for (uint32_t m : materials_[a])
        for (uint32_t n : materials_[b])
            if (volumetric_[m * material_count_ + n]) return true;
    return false;
}

bool Solids::are_meshes(uint32_t a, uint32_t b) const {
    return !is_empty_ && is_mesh_[a] && is_mesh_[b];
}

Solids::Part Solids::part(uint32_t i, const Placed& at, uint32_t partner,
                          const Placed& partner_at) const {
    if (!is_plane_[i]) return {solid_[i].get(), {at.rotation, at.position}};
    const Vec3 up = at.rotation.column(2), middle = partner_at.to_world(bound_center_[partner]);
    return {under_[partner].get(), {at.rotation, middle - dot(up, middle - at.position) * up}};
}

void Solids::find(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b,
                  Intersection& intersection, Patches& out) const {
    if (!is_finite(at_a.position) || !is_finite(at_b.position)) return;
    const Part pa = part(a, at_a, b, at_b), pb = part(b, at_b, a, at_a);
    intersection.find(*pa.solid, pa.at, *pb.solid, pb.at, out);
}

void Solids::find(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b,
                  SphereOverlap& overlap, Patches& out) const {
    const Placement pa{at_a.rotation, at_a.position}, pb{at_b.rotation, at_b.position};
    const auto& balls = are_balls(a, b) ? ball_ : packed_;
    if (is_plane_[b])
        overlap.find(*balls[a], pa, half_space(at_b), out);
    else if (is_plane_[a])
        turned_round(out, [&] { overlap.find(*balls[b], pb, half_space(at_a), out); });
    else
        overlap.find(*balls[a], pa, *balls[b], pb, out);
}

void Solids::find(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b,
                  HalfSpaceOverlap& overlap, Patches& out) const {
    if (is_plane_[b])
        overlap.find(*solid_[a], {at_a.rotation, at_a.position}, half_space(at_b), out);
    else
        turned_round(out, [&] {
            overlap.find(*solid_[b], {at_b.rotation, at_b.position}, half_space(at_a), out);
        });
}

void carry(ContactPatch& p, const Placed& before_a, const Placed& before_b, const Placed& now_a,
           const Placed& now_b) {
    if (!(p.area > 0)) return;
    const Mat3 turn_a = now_a.rotation * before_a.rotation.transposed(),
               turn_b = now_b.rotation * before_b.rotation.transposed();
    const auto with_b = [&](Vec3 x) { return now_b.to_world(before_b.to_local(x)); };
    const Vec3 gradient = turn_b * thickness_gradient(p);
    const Vec3 apart = now_a.to_world(before_a.to_local(p.area_center)) - with_b(p.area_center);
    const Mat3 between = turn_a * turn_b.transposed();
    const Vec3 turned = 0.5
                      * Vec3{between(2, 1) - between(1, 2), between(0, 2) - between(2, 0),
                             between(1, 0) - between(0, 1)};
    p.normal = turn_b * p.normal;
    p.area_center = with_b(p.area_center);
    p.area_moment = turn_b * p.area_moment * turn_b.transposed();
    const double volume = p.volume - p.area * dot(p.normal, apart);
    // Never nothing: the centroid is a moment over it.
    const double kept = std::abs(volume) > 1e-9 * p.volume ? volume : -1e-9 * p.volume;
    p.inertia = (kept / p.volume) * (turn_b * p.inertia * turn_b.transposed());
    p.volume = kept;
    const Vec3 slope = gradient - cross(p.normal, turned);
    p.centroid = p.area_center + (1 / kept) * (p.area_moment * slope);
}

void points_of(const ContactPatch& patch, const ContourSegment* contour, const Mat3& axes_of_b,
               ContactPoints& out) {
    if (!(patch.area > 0)) return;
    const Vec3 n = patch.normal;
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(dot(n, axes_of_b.column(k))) < std::abs(dot(n, axes_of_b.column(axis))))
            axis = k;
    const Vec3 e = axes_of_b.column(axis), first = normalized(e - dot(n, e) * n),
               second = cross(n, first);
    const double mean = patch.volume / patch.area;
    const Vec3 slope = thickness_gradient(patch);
    const Vec3 directions[4] = {first + second, second - first, -first - second, first - second};
    for (uint32_t k = 0; k < 4; ++k) {
        Vec3 farthest = contour[patch.first_segment].from;
        for (uint32_t i = 0; i < patch.segments; ++i) {
            const Vec3 p = contour[patch.first_segment + i].from;
            if (dot(directions[k], p) > dot(directions[k], farthest)) farthest = p;
        }
        const Vec3 point = farthest - dot(n, farthest - patch.centroid) * n;
        ContactPoint c;
        c.depth = std::clamp(mean + dot(slope, point - patch.area_center), 0.0, 2 * mean);
        c.normal = n;
        c.on_a = point - 0.5 * c.depth * n;
        c.on_b = point + 0.5 * c.depth * n;
        c.curvature_a = c.curvature_b = {0, 0, first};
        c.normal_of = NormalOf::b;
        c.weight = 0.25;
        c.feature = 4 * patch.feature + k;
        c.face_a = patch.face_a;
        c.face_b = patch.face_b;
        out.push_back(c);
    }
}

}  // namespace bristle::collision
