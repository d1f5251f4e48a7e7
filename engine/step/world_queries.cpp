// Questions about where shapes are.
#include "collision/queries.h"
#include "step/world_impl.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle {

// Every collider with what it belongs to; a shape may have several.
struct World::Impl::Placements {
    std::vector<Placement> bodies;
    std::vector<Placed> placed;
    std::vector<const collision::SceneCollider*> colliders;

    template <class Visit> void for_each_of(ShapeId shape, const Visit& visit) const {
        for (size_t i = 0; i < placed.size(); ++i)
            if (colliders[i]->shape == shape) visit(placed[i]);
    }
    std::vector<ShapeId> shapes(const std::vector<uint32_t>& found) const {
        std::vector<ShapeId> out;
        for (uint32_t i : found)
            if (std::find(out.begin(), out.end(), colliders[i]->shape) == out.end())
                out.push_back(colliders[i]->shape);
        return out;
    }
};

// Of all shapes of the model, whoever takes part: in a scene of their own, where bodies are their own owners.
World::Impl::Placements World::Impl::placements() {
    const Model& all = model();
    if (all.shapes().empty()) return {};
    if (!whole_scene) {
        std::vector<uint32_t> owner(all.bodies().size());
        std::iota(owner.begin(), owner.end(), 0u);
        whole_scene = std::make_unique<collision::CollisionScene>(
            all, owner, std::vector<std::pair<uint32_t, uint32_t>>{}, *mesh_trees,
            terrain.fields());
    }
    whole_scene->follow_fields();
    Placements out;
    for (BodyId id : whole_scene->bodies()) {
        const Pose at = model().contains(id) ? pose(id) : Pose{};
        out.bodies.push_back({at.orientation.matrix(), at.position});
    }
    for (uint32_t i = 0; i < whole_scene->colliders().size(); ++i) {
        const collision::SceneCollider& collider = whole_scene->colliders()[i];
        if (!all.contains(collider.shape)) continue;
        out.placed.push_back(whole_scene->placed(i, out.bodies));
        out.colliders.push_back(&collider);
    }
    return out;
}

std::optional<ShapeHit> World::cast_ray(Vec3 origin, Vec3 direction, double length) const {
    if (!is_finite(origin) || !is_finite(direction) || !(norm(direction) > 0) || !(length >= 0))
        throw InputError("cast_ray: give a finite origin, a direction and a length");
    const auto shapes = impl_->placements();
    const auto hit = collision::cast_ray(collision::Ray{origin, direction, length}, shapes.placed);
    if (!hit) return {};
    const collision::SceneCollider& c = *shapes.colliders[hit->collider];
    return ShapeHit{c.shape, c.body, hit->distance, hit->point, hit->normal};
}

std::optional<ShapePoint> World::closest_point(ShapeId id, Vec3 point) const {
    impl_->find(id);
    std::optional<ShapePoint> best;
    impl_->placements().for_each_of(id, [&](const Placed& p) {
        const auto found = collision::nearest_point(point, p);
        if (found && (!best || found->distance < best->distance))
            best = ShapePoint{found->distance, found->point, found->normal};
    });
    return best;
}

std::optional<ShapeDistance> World::closest_points(ShapeId a, ShapeId b, double limit) const {
    impl_->find(a);
    impl_->find(b);
    std::optional<ShapeDistance> best;
    const auto shapes = impl_->placements();
    shapes.for_each_of(a, [&](const Placed& pa) {
        shapes.for_each_of(b, [&](const Placed& pb) {
            const auto found = collision::nearest_points(pa, pb, limit);
            if (found && (!best || found->distance < best->distance))
                best = ShapeDistance{found->distance, found->on_a, found->on_b, found->normal};
        });
    });
    return best;
}

std::vector<ShapeId> World::shapes_in_box(Vec3 low, Vec3 high) const {
    const auto shapes = impl_->placements();
    std::vector<uint32_t> found;
    collision::find_overlaps(Aabb{low, high}, shapes.placed, found);
    return shapes.shapes(found);
}

std::vector<ShapeId> World::shapes_overlapping(ShapeId id) const {
    impl_->find(id);
    const auto shapes = impl_->placements();
    std::vector<uint32_t> found;
    shapes.for_each_of(id,
                       [&](const Placed& p) { collision::find_overlaps(p, shapes.placed, found); });
    auto out = shapes.shapes(found);
    std::erase(out, id);
    return out;
}

const collision::CollisionScene& World::Impl::overlapping_scene() {
    const std::vector<Placement> bodies = placements().bodies;
    whole_scene->detect(bodies, bodies);
    return *whole_scene;
}

std::vector<SharedVolume> World::Impl::shared_volumes() {
    std::vector<std::pair<ShapeId, ShapeId>> pairs;
    for (const Contact& c : contacts())
        if (std::find(pairs.begin(), pairs.end(), std::pair(c.a, c.b)) == pairs.end())
            pairs.emplace_back(c.a, c.b);
    if (pairs.empty()) return {};
    const std::vector<Placement> bodies = placements().bodies;
    return whole_scene->shared_volumes(bodies, pairs);
}

std::vector<SharedVolume> World::shared_volumes() const { return impl_->shared_volumes(); }

}  // namespace bristle
