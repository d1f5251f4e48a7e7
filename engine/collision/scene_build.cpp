// The shapes of a model become colliders.
#include "collision/scene_impl.h"
#include "model/input_checks.h"

#include <algorithm>
#include <set>

namespace bristle::collision {
namespace {

Aabb box_of(Vec3 half) { return {-half, half}; }

template <class Points> Aabb bounds_of(const Points& points) {
    Aabb box{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
    for (Vec3 p : points)
        for (int k = 0; k < 3; ++k) {
            box.low[k] = std::min(box.low[k], p[k]);
            box.high[k] = std::max(box.high[k], p[k]);
        }
    return box;
}

// Solid far below; a body deeper than this is lost anyway.
Aabb box_of_field(const HeightField& f, double low, double high) {
    const double x = (f.columns - 1) * f.spacing_x, y = (f.rows - 1) * f.spacing_y;
    return {{0, 0, low - 100 * (x + y)}, {x, y, high}};
}

double least_extent(const Aabb& box) {
    const Vec3 size = box.high - box.low;
    return std::min({size.x, size.y, size.z});
}

// A ball around it, and how thick it is.
void set_bounds(const Aabb& box, SceneCollider& c) {
    const ColliderKind kind = c.collider.kind;
    if (kind == ColliderKind::plane) {
        c.bound_radius = infinite;
        return;
    }
    c.bound_center = 0.5 * (box.low + box.high);
    c.bound_radius = 0.5 * norm(box.high - box.low);
    if (kind != ColliderKind::mesh && kind != ColliderKind::height_field)
        c.thickness = kind == ColliderKind::torus ? 2 * c.collider.tube : least_extent(box);
}

}  // namespace

CollisionScene::CollisionScene(const Model& model, std::span<const uint32_t> owner,
                               const std::vector<std::pair<uint32_t, uint32_t>>& joined,
                               MeshTrees& trees, const state::LiveFields& fields)
    : store_(std::make_unique<Store>()), static_owner_(owner[0]) {
    if (model.plane_normal) store_->plane.emplace(*model.plane_normal);
    std::vector<const Geometry*> geometry;
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        if (i < fields.size() && fields[i])
            store_->fields.push_back(
                {static_cast<uint32_t>(colliders_.size()), fields[i], fields[i]->bounds});
        add(model, {i}, s.geometry, {s.pose.orientation.matrix(), s.pose.position},
            owner[s.body.index], trees, geometry);
    }
    std::set<uint32_t> bodies;
    for (const SceneCollider& c : colliders_) bodies.insert(c.body.index);
    for (uint32_t b : bodies) bodies_.push_back({b});
    for (const SceneCollider& c : colliders_)
        slot_.push_back(static_cast<uint32_t>(
            std::lower_bound(bodies_.begin(), bodies_.end(), c.body.index,
                             [](BodyId body, uint32_t index) { return body.index < index; })
            - bodies_.begin()));

    std::set<std::pair<uint32_t, uint32_t>> apart;
    const auto separate = [&](uint32_t a, uint32_t b) { apart.insert(std::minmax(a, b)); };
    for (auto [a, b] : joined) separate(a, b);
    store_->apart.assign(apart.begin(), apart.end());
    std::set<std::pair<uint32_t, uint32_t>> untouched;
    for (const NoContact& n : model.no_contacts())
        untouched.insert(std::minmax(n.a.index, n.b.index));
    store_->untouched.assign(untouched.begin(), untouched.end());

    for (const SceneCollider& c : colliders_) can_touch_ |= c.owner != colliders_.front().owner;
    motion_.resize(colliders_.size());
    margin_.resize(colliders_.size());
    store_->box.resize(colliders_.size());
    for (const SceneCollider& c : colliders_)
        store_->objects.push_back({.owner = c.owner,
                                   .group = c.group,
                                   .mask = c.mask,
                                   .is_static = c.owner == static_owner_});
    store_->far.reset(store_->objects);
    if (!store_->plane) store_->solids.build(model, colliders_, geometry, trees);
    workspaces_.resize(1);
    for (const Store::FollowedField& f : store_->fields) follow(f.collider, *f.live);
}

void CollisionScene::follow(uint32_t i, const state::LiveField& live) {
    SceneCollider& c = colliders_[i];
    c.collider.field = &live.field;
    c.collider.top = live.high;
    c.in_body.position = live.position;
    store_->local_box[i] = box_of_field(live.field, live.low, live.high);
    set_bounds(store_->local_box[i], c);
}

bool CollisionScene::follow_fields() {
    bool any = false;
    for (Store::FollowedField& f : store_->fields) {
        if (f.bounds == f.live->bounds) continue;
        f.bounds = f.live->bounds;
        follow(f.collider, *f.live);
        any = true;
    }
    if (any) store_->far.reset(store_->objects);
    return any;
}

void CollisionScene::add(const Model& model, ShapeId id, const Geometry& geometry,
                         const Placement& at, uint32_t owner, MeshTrees& trees,
                         std::vector<const Geometry*>& parts) {
    if (const auto* compound = std::get_if<Compound>(&geometry)) {
        for (const CompoundPart& part : compound->parts)
            add(model, id, part.geometry,
                {at.rotation * part.pose.orientation.matrix(),
                 at.position + at.rotation * part.pose.position},
                owner, trees, parts);
        return;
    }
    const Shape& shape = model.shapes()[id.index];
    SceneCollider c{{},         id, shape.body, owner, shape.material, shape.group,
                    shape.mask, at, {},         0,     infinite,       nullptr};
    Aabb box = store_->set_shape(geometry, trees, c);
    const bool is_followed =
        !store_->fields.empty() && store_->fields.back().collider == colliders_.size();
    if (c.collider.field != nullptr && !is_followed) {
        store_->fixed_fields.push_back(std::make_unique<HeightField>(*c.collider.field));
        c.collider.field = store_->fixed_fields.back().get();
    }
    set_bounds(box, c);
    if (store_->plane) flatten(model, geometry, c, box);
    colliders_.push_back(c);
    parts.push_back(&geometry);
    store_->local_box.push_back(box);
}

Aabb CollisionScene::Store::set_shape(const Geometry& geometry, MeshTrees& meshes,
                                      SceneCollider& c) {
    Collider& k = c.collider;
    if (const auto* s = std::get_if<Sphere>(&geometry)) {
        k.kind = ColliderKind::sphere;
        k.radius = s->radius;
        return box_of({s->radius, s->radius, s->radius});
    }
    if (const auto* b = std::get_if<Box>(&geometry)) {
        k.kind = ColliderKind::box;
        k.half = 0.5 * b->size;
        return box_of(k.half);
    }
    if (const auto* p = std::get_if<Capsule>(&geometry)) {
        k.kind = ColliderKind::capsule;
        k.radius = p->radius;
        k.half_length = p->length / 2;
        return box_of({k.radius, k.radius, k.half_length + k.radius});
    }
    if (const auto* y = std::get_if<Cylinder>(&geometry)) {
        k.kind = ColliderKind::cylinder;
        k.radius = y->radius;
        k.half_length = y->length / 2;
        return box_of({k.radius, k.radius, k.half_length});
    }
    if (const auto* t = std::get_if<Torus>(&geometry)) {
        k.kind = ColliderKind::torus;
        k.radius = t->radius;
        k.tube = t->tube;
        k.is_half_torus = t->arc == Torus::Arc::half;
        const double outer = t->radius + t->tube;
        Aabb around = box_of({outer, outer, t->tube});
        if (k.is_half_torus) around.low.y = -t->tube;
        return around;
    }
    if (const auto* v = std::get_if<ConvexPolyhedron>(&geometry)) {
        k.kind = ColliderKind::convex;
        hulls.push_back(std::make_unique<ConvexHull>(v->points));
        k.hull = hulls.back().get();
        return bounds_of(k.hull->vertices());
    }
    if (const auto* f = std::get_if<HeightField>(&geometry)) {
        k.kind = ColliderKind::height_field;
        const auto [low, high] = std::minmax_element(f->heights.begin(), f->heights.end());
        k.top = *high;
        k.field = f;
        return box_of_field(*f, *low, *high);
    }
    if (const auto* m = std::get_if<Mesh>(&geometry)) {
        k.kind = ColliderKind::mesh;
        trees.push_back(meshes.of(m->surface));
        k.tree = trees.back().get();
        c.mesh = m->surface.get();
        return k.tree->bounds();
    }
    k.kind = ColliderKind::plane;
    return {{-infinite, -infinite, -infinite}, {infinite, infinite, infinite}};
}

void CollisionScene::flatten(const Model& model, const Geometry& geometry, SceneCollider& c,
                             Aabb& box) {
    const PlaneFrame& plane = *store_->plane;
    const Body& body = model.bodies()[c.body.index];
    const Mat3 turn = body.orientation.matrix();
    Outline o =
        outline_of(geometry, turn * c.in_body.rotation, plane,
                   model::label("shape", model.shapes()[c.shape.index].name, c.shape.index));
    box = {{o.low.x, o.low.y, 0}, {o.high.x, o.high.y, 0}};
    c.thickness = o.thickness;
    if (o.kind != Outline::Kind::half_plane) {
        const Vec2 middle = 0.5 * (o.low + o.high);
        c.bound_center = middle.x * o.x + middle.y * o.y;
        c.bound_radius = 0;
        for (const Outline::Edge& e : o.edges)
            c.bound_radius = std::max(c.bound_radius, norm(e.from - middle) + o.radius);
    }
    store_->outlines.push_back(std::move(o));
    store_->heights.push_back(c.owner == static_owner_
                                  ? infinite
                                  : dot(plane.normal, body.position + turn * body.center));
}

}  // namespace bristle::collision
