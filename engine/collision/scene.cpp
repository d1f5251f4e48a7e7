#include "collision/scene.h"

#include "base/jobs.h"
#include "collision/far/far_detection.h"
#include "collision/near/near.h"
#include "collision/near/planar.h"
#include "collision/volume/solids.h"
#include "geometry/convex_hull.h"
#include "geometry/triangle_tree.h"
#include "model/input_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace bristle::collision {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double frobenius(const Mat3& m) {
    double sum = 0;
    for (const Vec3& row : m.row) sum += dot(row, row);
    return std::sqrt(sum);
}

// Part of the way from one placement to the other; rotations are made orthonormal again.
Placed between(const Placed& from, const Placed& to, double share) {
    Placed out = to;
    out.position = from.position + share * (to.position - from.position);
    const Mat3 mixed = (1 - share) * from.rotation + share * to.rotation;
    const Vec3 x = mixed.column(0), y = mixed.column(1);
    if (!(norm(cross(x, y)) > 1e-3)) return out;
    const Vec3 ex = normalized(x), ez = normalized(cross(x, y));
    out.rotation = Mat3::columns(ex, cross(ez, ex), ez);
    return out;
}

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

double least_extent(const Aabb& box) {
    const Vec3 size = box.high - box.low;
    return std::min({size.x, size.y, size.z});
}

}  // namespace

// What colliders point to, and the boxes of all of them.
struct CollisionScene::Store {
    std::vector<std::unique_ptr<ConvexHull>> hulls;
    std::vector<std::shared_ptr<const TriangleTree>> trees;
    std::vector<std::unique_ptr<HeightField>> fields;
    std::vector<Aabb> local_box, box;
    std::vector<std::pair<uint32_t, uint32_t>> apart;      // owners that do not touch, sorted
    std::vector<std::pair<uint32_t, uint32_t>> untouched;  // bodies that do not, sorted
    FarDetection far;
    Solids solids;
    std::map<std::pair<uint32_t, uint32_t>, SphereOverlap> overlaps;  // of packed pairs

    // Of a planar model, and of every collider in it …
    std::optional<PlaneFrame> plane;
    std::vector<Outline> outlines;
    std::vector<double> heights;  // … how high the centre of its body is; none of scenery
};

struct CollisionScene::Workspace {
    ContactPoints points, ends;
    Intersection intersection;
    HalfSpaceOverlap half_space;
    Patches patches;
};

CollisionScene::CollisionScene(CollisionScene&&) noexcept = default;
CollisionScene::~CollisionScene() = default;

std::shared_ptr<const TriangleTree> MeshTrees::of(
    const std::shared_ptr<const TriangleMesh>& surface) {
    std::weak_ptr<const TriangleTree>& known = trees_[surface.get()];
    auto tree = known.lock();
    if (!tree) known = tree = std::make_shared<const TriangleTree>(surface);
    return tree;
}

std::shared_ptr<const Solid> MeshTrees::solid_of(
    const std::shared_ptr<const TriangleMesh>& surface) {
    std::weak_ptr<const Solid>& known = solids_[surface.get()];
    auto solid = known.lock();
    if (!solid) known = solid = std::make_shared<const Solid>(surface);
    return solid;
}

std::shared_ptr<const PackedSolid> MeshTrees::packed(
    const std::shared_ptr<const TriangleMesh>& surface, uint32_t balls) {
    std::weak_ptr<const PackedSolid>& known = packed_[{surface.get(), balls}];
    auto solid = known.lock();
    if (!solid) known = solid = std::make_shared<const PackedSolid>(*of(surface), balls);
    return solid;
}

CollisionScene::CollisionScene(const Model& model, std::span<const uint32_t> owner,
                               const std::vector<std::pair<uint32_t, uint32_t>>& joined,
                               MeshTrees& trees)
    : store_(std::make_unique<Store>()), static_owner_(owner[0]) {
    if (model.plane_normal) store_->plane.emplace(*model.plane_normal);
    std::vector<const Geometry*> geometry;
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        add(model, {i}, s.geometry, {s.pose.orientation.matrix(), s.pose.position},
            owner[s.body.index], trees, geometry);
    }
    std::set<uint32_t> bodies;
    for (const SceneCollider& c : colliders_) bodies.insert(c.body.index);
    for (uint32_t b : bodies) bodies_.push_back({b});
    for (const SceneCollider& c : colliders_)
        slot_.push_back(
            static_cast<uint32_t>(std::distance(bodies.begin(), bodies.find(c.body.index))));

    std::set<std::pair<uint32_t, uint32_t>> apart;
    const auto separate = [&](uint32_t a, uint32_t b) { apart.insert(std::minmax(a, b)); };
    for (auto [a, b] : joined) separate(a, b);
    store_->apart.assign(apart.begin(), apart.end());
    std::set<std::pair<uint32_t, uint32_t>> untouched;
    for (const NoContact& n : model.no_contacts())
        untouched.insert(std::minmax(n.a.index, n.b.index));
    store_->untouched.assign(untouched.begin(), untouched.end());

    for (const SceneCollider& a : colliders_)
        for (const SceneCollider& b : colliders_) can_touch_ |= a.owner != b.owner;
    motion_.resize(colliders_.size());
    margin_.resize(colliders_.size());
    store_->box.resize(colliders_.size());
    std::vector<FarObject> objects;
    for (const SceneCollider& c : colliders_)
        objects.push_back({.owner = c.owner,
                           .group = c.group,
                           .mask = c.mask,
                           .is_static = c.owner == static_owner_});
    store_->far.reset(objects);
    if (!store_->plane) store_->solids.build(model, colliders_, geometry, trees);
    workspaces_.resize(1);
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
    Aabb box{};
    Collider& k = c.collider;
    if (const auto* s = std::get_if<Sphere>(&geometry)) {
        k.kind = ColliderKind::sphere;
        k.radius = s->radius;
        box = box_of({s->radius, s->radius, s->radius});
    } else if (const auto* b = std::get_if<Box>(&geometry)) {
        k.kind = ColliderKind::box;
        k.half = 0.5 * b->size;
        box = box_of(k.half);
    } else if (const auto* p = std::get_if<Capsule>(&geometry)) {
        k.kind = ColliderKind::capsule;
        k.radius = p->radius;
        k.half_length = p->length / 2;
        box = box_of({k.radius, k.radius, k.half_length + k.radius});
    } else if (const auto* y = std::get_if<Cylinder>(&geometry)) {
        k.kind = ColliderKind::cylinder;
        k.radius = y->radius;
        k.half_length = y->length / 2;
        box = box_of({k.radius, k.radius, k.half_length});
    } else if (const auto* t = std::get_if<Torus>(&geometry)) {
        k.kind = ColliderKind::torus;
        k.radius = t->radius;
        k.tube = t->tube;
        k.is_half_torus = t->arc == Torus::Arc::half;
        const double outer = t->radius + t->tube;
        box = box_of({outer, outer, t->tube});
        if (k.is_half_torus) box.low.y = -t->tube;
    } else if (const auto* v = std::get_if<ConvexPolyhedron>(&geometry)) {
        k.kind = ColliderKind::convex;
        store_->hulls.push_back(std::make_unique<ConvexHull>(v->points));
        k.hull = store_->hulls.back().get();
        box = bounds_of(k.hull->vertices());
    } else if (const auto* f = std::get_if<HeightField>(&geometry)) {
        k.kind = ColliderKind::height_field;
        store_->fields.push_back(std::make_unique<HeightField>(*f));
        k.field = store_->fields.back().get();
        const auto [low, high] = std::minmax_element(f->heights.begin(), f->heights.end());
        const double x = (f->columns - 1) * f->spacing_x, y = (f->rows - 1) * f->spacing_y;
        // Solid far below; a body deeper than this is lost anyway.
        box = {{0, 0, *low - 100 * (x + y)}, {x, y, *high}};
    } else if (const auto* m = std::get_if<Mesh>(&geometry)) {
        k.kind = ColliderKind::mesh;
        store_->trees.push_back(trees.of(m->surface));
        k.tree = store_->trees.back().get();
        c.mesh = m->surface.get();
        box = k.tree->bounds();
    } else {
        k.kind = ColliderKind::plane;
        box = {{-infinite, -infinite, -infinite}, {infinite, infinite, infinite}};
        c.bound_radius = infinite;
    }
    if (k.kind != ColliderKind::plane) {
        c.bound_center = 0.5 * (box.low + box.high);
        c.bound_radius = 0.5 * norm(box.high - box.low);
        if (k.kind != ColliderKind::mesh && k.kind != ColliderKind::height_field)
            c.thickness = k.kind == ColliderKind::torus ? 2 * k.tube : least_extent(box);
    }
    if (store_->plane) flatten(model, geometry, c, box);
    colliders_.push_back(c);
    parts.push_back(&geometry);
    store_->local_box.push_back(box);
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

void CollisionScene::detect(std::span<const Placement> before, std::span<const Placement> now) {
    encounters_.clear();
    patches_.clear();
    contour_.clear();
    before_.clear();
    now_.clear();
    double fastest = 0;
    for (uint32_t i = 0; i < colliders_.size(); ++i) {
        const SceneCollider& c = colliders_[i];
        before_.push_back(placed(i, before));
        now_.push_back(placed(i, now));
        motion_[i] = norm(now_[i].to_world(c.bound_center) - before_[i].to_world(c.bound_center));
        if (c.bound_radius < infinite)
            motion_[i] += c.bound_radius * frobenius(now_[i].rotation - before_[i].rotation);
        fastest = std::max(fastest, motion_[i]);
    }
    // What touched when the step began is found again however far it goes. Whatever strikes it in this
    // step, a body does not get further than the fastest one would; but half its size is enough for that.
    for (uint32_t i = 0; i < colliders_.size(); ++i) {
        const double radius = colliders_[i].bound_radius;
        margin_[i] = colliders_[i].owner == static_owner_ || !(radius < infinite)
                       ? 0
                       : std::max(motion_[i], std::min(fastest, 0.5 * radius)) + 1e-4 * radius;
        store_->box[i] = box_around(i);
    }
    store_->far.update(store_->box);
    for (const auto [a, b] : store_->far.pairs()) {
        if (!may_meet(a, b)) continue;
        if (store_->solids.is_volumetric(a, b))
            find_patches(a, b);
        else
            meet(a, b, margin_[a] + margin_[b]);
    }
}

void CollisionScene::find_patches(uint32_t a, uint32_t b) {
    Workspace& work = workspaces_[0];
    work.patches.clear();
    const Solids& solids = store_->solids;
    const auto find_at = [&](const std::vector<Placed>& at) {
        if (solids.are_packed(a, b))
            solids.find(a, b, at[a], at[b], store_->overlaps[{a, b}], work.patches);
        else if (solids.is_plane(a) || solids.is_plane(b))
            solids.find(a, b, at[a], at[b], work.half_space, work.patches);
        else
            solids.find(a, b, at[a], at[b], work.intersection, work.patches);
    };
    find_at(now_);
    // What touched when the step began may go on touching: the prediction does not know.
    if (work.patches.patches.empty()) {
        find_at(before_);
        for (ContactPatch& p : work.patches.patches)
            carry(p, before_[a], before_[b], now_[a], now_[b]);
    }
    const auto first = static_cast<uint32_t>(contour_.size());
    contour_.insert(contour_.end(), work.patches.contour.begin(), work.patches.contour.end());
    for (ContactPatch p : work.patches.patches) {
        p.first_segment += first;
        patches_.push_back({a, b, p});
    }
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

bool CollisionScene::may_meet(uint32_t a, uint32_t b) const {
    const auto among = [](const auto& pairs, uint32_t i, uint32_t j) {
        return std::binary_search(pairs.begin(), pairs.end(),
                                  std::pair(std::min(i, j), std::max(i, j)));
    };
    const SceneCollider &ca = colliders_[a], &cb = colliders_[b];
    return !among(store_->apart, ca.owner, cb.owner)
        && !among(store_->untouched, ca.body.index, cb.body.index);
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
    const Vec3 center = p.to_world(colliders_[i].bound_center);
    Vec3 extent;
    for (int k = 0; k < 3; ++k)
        extent[k] = std::abs(p.rotation(k, 0)) * half.x + std::abs(p.rotation(k, 1)) * half.y
                  + std::abs(p.rotation(k, 2)) * half.z + margin;
    return {center - extent, center + extent};
}

// The way of a moving one through the step; scenery just as it is.
Aabb CollisionScene::box_around(uint32_t i) const {
    Aabb box = box_at(i, now_[i]);
    if (!(colliders_[i].bound_radius < infinite && motion_[i] > 0)) return box;
    const Aabb start = box_at(i, before_[i]);
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], start.low[k]);
        box.high[k] = std::max(box.high[k], start.high[k]);
    }
    return box;
}

namespace {

// A contact found on the way, carried by its bodies to where the step ends.
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

}  // namespace

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

// Replaces what was found by what is there at the end of the step, if they still touch then and from the
// same side.
bool CollisionScene::touches_at_end(uint32_t a, uint32_t b, double margin) {
    Workspace& work = workspaces_[0];
    work.ends.clear();
    touch(a, b, now_[a], now_[b], margin, work, work.ends);
    const bool touches =
        std::any_of(work.ends.begin(), work.ends.end(), [&](const ContactPoint& end) {
            return end.depth > 0
                && std::any_of(work.points.begin(), work.points.end(), [&](const ContactPoint& p) {
                       return dot(p.normal, end.normal) > 0.5;
                   });
        });
    if (touches) std::swap(work.points, work.ends);
    return touches;
}

void CollisionScene::meet(uint32_t a, uint32_t b, double margin) {
    Workspace& work = workspaces_[0];
    ContactPoints& points = work.points;
    points.clear();
    const double piece = 0.5 * std::min(colliders_[a].thickness, colliders_[b].thickness);
    const double way = motion_[a] + motion_[b];
    if (!(piece > 0 && way > piece)) {
        touch(a, b, now_[a], now_[b], margin, work, points);
    } else {
        const auto pieces = static_cast<int>(std::min(std::ceil(way / piece), 1e3));
        for (int i = 0; i < pieces && points.empty(); ++i) {
            const double share = static_cast<double>(i) / pieces;
            const Placed at_a = between(before_[a], now_[a], share),
                         at_b = between(before_[b], now_[b], share);
            touch(a, b, at_a, at_b, 0, work, points);
            // What touched before and still does is best looked at where it ends.
            if (i == 0 && !points.empty() && touches_at_end(a, b, margin)) break;
            for (ContactPoint& p : points) carry(p, at_a, at_b, now_[a], now_[b]);
        }
        if (points.empty()) touch(a, b, now_[a], now_[b], margin, work, points);
    }
    for (const ContactPoint& p : points) encounters_.push_back({a, b, p});
}

// ---- From where a step begins --------------------------------------------------------------------------

namespace {

// Of a body's radius: contacts that are no further apart are described, so that what comes to rest, or is
// pushed by a neighbour within the step, finds its contacts there.
constexpr double reach = 0.01;
constexpr uint32_t colliders_in_piece = 128, pairs_in_piece = 32;

}  // namespace

Placed CollisionScene::moved(uint32_t i, double share) const {
    const Motion& m = motions_[slot_[i]];
    const double angle = share * norm(m.turn);
    if (!(angle > 0)) {
        Placed p = before_[i];
        p.position += share * m.way;
        return p;
    }
    // The collider's frame is somewhere on the body; both turn about the body's.
    const SceneCollider& c = colliders_[i];
    const Mat3 turn = Quat::about(m.turn, angle).matrix();
    const Vec3 arm = before_[i].rotation * (c.in_body.rotation.transposed() * c.in_body.position);
    return {&c.collider, turn * before_[i].rotation,
            before_[i].position - arm + share * m.way + turn * arm};
}

void CollisionScene::detect_ahead(std::span<const Placement> start, std::span<const Motion> motion,
                                  std::span<const uint8_t> is_awake, Jobs& jobs) {
    const auto count = static_cast<uint32_t>(colliders_.size());
    motions_ = motion;
    before_.resize(count);
    jobs.run((count + colliders_in_piece - 1) / colliders_in_piece, [&](uint32_t piece) {
        const uint32_t end = std::min(count, (piece + 1) * colliders_in_piece);
        for (uint32_t i = piece * colliders_in_piece; i < end; ++i) {
            const SceneCollider& c = colliders_[i];
            before_[i] = placed(i, start);
            const Motion& m = motion[slot_[i]];
            motion_[i] = 0;
            margin_[i] = 0;
            if (c.owner != static_owner_ && c.bound_radius < infinite) {
                motion_[i] =
                    norm(m.way)
                    + norm(m.turn)
                          * (c.bound_radius + norm(c.in_body.position) + norm(c.bound_center));
                margin_[i] = motion_[i] + reach * c.bound_radius;
            }
            store_->box[i] = box_at(i, before_[i]);
        }
    });
    store_->far.update(store_->box);
    pairs_.clear();
    for (const auto [a, b] : store_->far.pairs())
        if ((is_awake[slot_[a]] || is_awake[slot_[b]]) && may_meet(a, b)) pairs_.emplace_back(a, b);

    piece_count_ = (pairs_.size() + pairs_in_piece - 1) / pairs_in_piece;
    if (pieces_.size() < piece_count_) {
        pieces_.resize(piece_count_);
        workspaces_.resize(piece_count_);
    }
    jobs.run(static_cast<uint32_t>(piece_count_), [&](uint32_t piece) {
        std::vector<Encounter>& out = pieces_[piece];
        Workspace& work = workspaces_[piece];
        out.clear();
        const size_t end = std::min(pairs_.size(), size_t{piece + 1} * pairs_in_piece);
        for (size_t k = size_t{piece} * pairs_in_piece; k < end; ++k) {
            const auto [a, b] = pairs_[k];
            work.points.clear();
            meet_ahead(a, b, work);
            for (const ContactPoint& p : work.points) out.push_back({a, b, p});
        }
    });
}

// Something so fast that it could be on the other side when the step ends is moved ahead by the distance that
// separates the two, over the longest way any of their points goes (conservative advancement), until they
// touch. There is nothing it could miss on the way.
void CollisionScene::meet_ahead(uint32_t a, uint32_t b, Workspace& work) const {
    ContactPoints& points = work.points;
    const double margin = margin_[a] + margin_[b], way = motion_[a] + motion_[b];
    const double thickness = std::min(colliders_[a].thickness, colliders_[b].thickness);
    if (!(way > 0.5 * thickness)) {
        touch(a, b, before_[a], before_[b], margin, work, points);
        return;
    }
    const double near_enough = 0.05 * std::min(thickness, way);
    double share = 0;
    for (int i = 0; i < 100 && share <= 1; ++i) {
        const Placed at_a = moved(a, share), at_b = moved(b, share);
        points.clear();
        touch(a, b, at_a, at_b, 2 * way, work, points);
        if (points.empty()) return;
        double distance = infinite;
        for (const ContactPoint& p : points) distance = std::min(distance, -p.depth);
        if (distance < near_enough) {
            points.clear();
            touch(a, b, at_a, at_b, share > 0 ? 2 * near_enough : margin, work, points);
            for (ContactPoint& p : points) carry(p, at_a, at_b, before_[a], before_[b]);
            return;
        }
        share += distance / way;
    }
    points.clear();
}

}  // namespace bristle::collision
