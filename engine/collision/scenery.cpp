#include "collision/scenery.h"

#include "collision/queries.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle::collision {
namespace {

// Every body its own owner: nothing is left out.
CollisionScene whole_scene(const Model& model, MeshTrees& trees, const state::LiveFields& fields) {
    std::vector<uint32_t> owner(model.bodies().size());
    std::iota(owner.begin(), owner.end(), 0u);
    return {model, owner, {}, trees, fields};
}

// Whether a stretch of a line comes as near to a point.
bool comes_near(Vec3 origin, Vec3 direction, double length, Vec3 point, double radius) {
    const Vec3 to = point - origin;
    const double along = std::min(std::max(dot(to, direction), 0.0), length);
    const Vec3 apart = to - along * direction;
    return dot(apart, apart) <= radius * radius;
}

}  // namespace

std::shared_ptr<GroundScenery> scenery_of(const Model& model, MeshTrees& trees,
                                          const state::LiveFields& fields) {
    const auto& all = model.stateful_forces();
    const bool has_points = std::any_of(all.begin(), all.end(),
                                        [](const StatefulForce& f) { return !f.points.empty(); });
    return has_points ? std::make_shared<GroundScenery>(model, trees, fields) : nullptr;
}

GroundScenery::GroundScenery(const Model& model, MeshTrees& trees, const state::LiveFields& fields)
    : scene_(whole_scene(model, trees, fields)),
      standing_(scene_.bodies().size(), Placement{Mat3::identity(), {}}) {
    for (uint32_t i = 0; i < scene_.colliders().size(); ++i)
        if (scene_.colliders()[i].body == Model::ground()
            && model.contains(scene_.colliders()[i].shape))
            place(pieces_.emplace_back(Piece{i, {}, {}, 0}));
}

void GroundScenery::place(Piece& piece) const {
    const SceneCollider& c = scene_.colliders()[piece.collider];
    piece.placed = scene_.placed(piece.collider, standing_);
    piece.center = piece.placed.to_world(c.bound_center);
    piece.radius = c.bound_radius;
}

void GroundScenery::refresh() {
    if (!scene_.follow_fields()) return;
    for (Piece& piece : pieces_) place(piece);
}

std::optional<SceneryHit> GroundScenery::cast_ray(Vec3 origin, Vec3 direction,
                                                  double length) const {
    const Vec3 u = normalized(direction);
    std::optional<SceneryHit> best;
    for (const Piece& piece : pieces_) {
        if (!comes_near(origin, u, length, piece.center, piece.radius)) continue;
        const auto hit =
            collision::cast_ray(Ray{origin, u, best ? best->distance : length}, piece.placed);
        if (!hit || (best && hit->distance >= best->distance)) continue;
        best = {hit->distance, hit->point, hit->normal,
                scene_.material_of(scene_.colliders()[piece.collider], hit->face)};
    }
    return best;
}

}  // namespace bristle::collision
