#include "collision/scene.h"

#include "collision/near/near.h"
#include "collision/scene_impl.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {

uint32_t part_of(std::span<const SceneCollider> colliders, uint32_t collider) {
    uint32_t part = 0;
    while (collider > part && colliders[collider - part - 1].shape == colliders[collider].shape)
        ++part;
    return part;
}

CollisionScene::CollisionScene(CollisionScene&&) noexcept = default;
CollisionScene::~CollisionScene() = default;

MaterialId CollisionScene::material_of(const SceneCollider& c, uint32_t face) const {
    if (c.mesh == nullptr || face >= c.mesh->materials.size()) return c.material;
    return c.mesh->materials[face];
}

Placed CollisionScene::placed(uint32_t index, std::span<const Placement> bodies) const {
    const SceneCollider& c = colliders_[index];
    const Placement& body = bodies[slot_[index]];
    return {&c.collider, body.rotation * c.in_body.rotation,
            body.position + body.rotation * c.in_body.position};
}

bool CollisionScene::may_meet(uint32_t a, uint32_t b) const {
    const auto among = [](const auto& pairs, uint32_t i, uint32_t j) {
        return std::binary_search(pairs.begin(), pairs.end(),
                                  std::pair(std::min(i, j), std::max(i, j)));
    };
    const SceneCollider &ca = colliders_[a], &cb = colliders_[b];
    return !among(store_->apart, ca.owner, cb.owner)
        && !among(store_->untouched, ca.body.index, cb.body.index);
}

Aabb CollisionScene::box_in_body(uint32_t i) const {
    const SceneCollider& c = colliders_[i];
    const Aabb& local = store_->local_box[i];
    if (!(c.bound_radius < infinite)) return local;
    return geometry::box_around(c.in_body.position + c.in_body.rotation * c.bound_center,
                                c.in_body.rotation, 0.5 * (local.high - local.low));
}

// With its margin.
Aabb CollisionScene::box_at(uint32_t i, const Placed& p) const {
    const Aabb& local = store_->local_box[i];
    if (!(colliders_[i].bound_radius < infinite)) return local;
    const Vec3 half = 0.5 * (local.high - local.low);
    const double margin = margin_[i];
    if (store_->plane) {
        const FlatPlaced flat = flattened(store_->outlines[i], p, *store_->plane);
        const Vec2 middle =
            flat.position
            + flat.turn({0.5 * (local.low.x + local.high.x), 0.5 * (local.low.y + local.high.y)});
        const double c = std::abs(flat.direction.x), s = std::abs(flat.direction.y);
        const Vec2 extent{c * half.x + s * half.y + margin, s * half.x + c * half.y + margin};
        return {{middle.x - extent.x, middle.y - extent.y, 0},
                {middle.x + extent.x, middle.y + extent.y, 0}};
    }
    return geometry::box_around(p.to_world(colliders_[i].bound_center), p.rotation, half, margin);
}

void carry(ContactPoint& p, const Placed& at_a, const Placed& at_b, const Placed& now_a,
           const Placed& now_b) {
    const auto moved = [](const Placed& from, const Placed& to, Vec3 x) {
        return to.to_world(from.to_local(x));
    };
    const auto ball = [](const Curvature& c) {
        const double radius = c.ball_radius();
        return radius < infinite ? radius : 0;
    };
    // Balls go with their centres, so that their rolling does not take the contact along.
    const double ra = ball(p.curvature_a), rb = ball(p.curvature_b);
    const Vec3 center_a = moved(at_a, now_a, p.on_a + ra * p.normal),
               center_b = moved(at_b, now_b, p.on_b - rb * p.normal);
    if (p.normal_of == NormalOf::a)
        p.normal = now_a.rotation * (at_a.rotation.transposed() * p.normal);
    else if (p.normal_of == NormalOf::b)
        p.normal = now_b.rotation * (at_b.rotation.transposed() * p.normal);
    else
        p.normal_of = NormalOf::space;
    p.on_a = center_a - ra * p.normal;
    p.on_b = center_b + rb * p.normal;
    p.depth = dot(p.normal, p.on_b - p.on_a);
}

void CollisionScene::touch(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b,
                           double margin, Workspace& work, ContactPoints& out) const {
    if (store_->solids.are_meshes(a, b)) {
        work.patches.clear();
        store_->solids.find(a, b, at_a, at_b, work.intersection, work.patches);
        for (const ContactPatch& p : work.patches.patches)
            points_of(p, work.patches.contour.data(), at_b.rotation, out);
        return;
    }
    if (!store_->plane) {
        collide(at_a, at_b, margin, out);
        return;
    }
    // In the middle between the two bodies, so that neither is turned out of the plane more than the other;
    // scenery has no say.
    const double ha = store_->heights[a], hb = store_->heights[b];
    const double height = !(hb < infinite) ? ha : !(ha < infinite) ? hb : 0.5 * (ha + hb);
    const PlaneFrame& plane = *store_->plane;
    collide_flat(flattened(store_->outlines[a], at_a, plane),
                 flattened(store_->outlines[b], at_b, plane), plane, height, margin, out);
}

std::vector<SharedVolume> CollisionScene::shared_volumes(
    std::span<const Placement> bodies, std::span<const std::pair<ShapeId, ShapeId>> pairs) const {
    std::vector<SharedVolume> out;
    Workspace work;
    for (uint32_t a = 0; a < colliders_.size(); ++a)
        for (uint32_t b = 0; b < colliders_.size(); ++b) {
            const SceneCollider &ca = colliders_[a], &cb = colliders_[b];
            if (std::find(pairs.begin(), pairs.end(), std::pair(ca.shape, cb.shape)) == pairs.end()
                || !(store_->solids.is_volumetric(a, b) || store_->solids.are_meshes(a, b)))
                continue;
            work.patches.clear();
            store_->solids.find(a, b, placed(a, bodies), placed(b, bodies), work.intersection,
                                work.patches);
            if (work.patches.patches.empty() || !work.intersection.has_mesh()) continue;
            IntersectionMesh m = work.intersection.mesh();
            SharedVolume v{ca.shape,
                           cb.shape,
                           0,
                           std::move(m.mesh),
                           std::move(m.source),
                           std::move(m.side),
                           std::move(m.crossed[0]),
                           std::move(m.crossed[1]),
                           std::move(m.inner[0]),
                           std::move(m.inner[1]),
                           std::move(m.contours)};
            for (const ContactPatch& p : work.patches.patches) v.volume += p.volume;
            out.push_back(std::move(v));
        }
    return out;
}

}  // namespace bristle::collision
