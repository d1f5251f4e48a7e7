// Contacts where a step is predicted to end.
#include "collision/scene_impl.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {
namespace {

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

}  // namespace

void CollisionScene::detect(std::span<const Placement> before, std::span<const Placement> now,
                            const Scope& scope) {
    follow_fields();
    candidates_.clear();
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
    for (uint32_t i = 0; i < colliders_.size(); ++i) {
        margin_[i] = margin_of(i, fastest);
        store_->box[i] = box_around(i);
    }
    store_->far.update(store_->box);
    if (scope.assemblies > 1) find_margins(scope);
    for (const auto [a, b] : store_->far.pairs()) {
        if (!is_asked(a, b, scope) || !may_meet(a, b)) continue;
        if (store_->solids.is_volumetric(a, b))
            find_patches(a, b);
        else
            meet(a, b, margin_[a] + margin_[b]);
    }
}

// What touched when the step began is found again however far it goes. Whatever strikes it in this
// step, a body does not get further than the fastest one would; but half its size is enough for that.
double CollisionScene::margin_of(uint32_t i, double fastest) const {
    const double radius = colliders_[i].bound_radius;
    if (colliders_[i].owner == static_owner_ || !(radius < infinite)) return 0;
    return std::max(motion_[i], std::min(fastest, 0.5 * radius)) + 1e-4 * radius;
}

bool CollisionScene::is_asked(uint32_t a, uint32_t b, const Scope& scope) const {
    return scope.is_asked.empty() || scope.is_asked[slot_[a]] || scope.is_asked[slot_[b]];
}

// The fastest one counts where it may get to: among those whose boxes, enlarged by its motion, meet.
void CollisionScene::find_margins(const Scope& scope) {
    const auto moves = [&](uint32_t i) {
        return colliders_[i].owner != static_owner_ && scope.assembly[slot_[i]] < scope.assemblies;
    };
    neighbours_.reset(scope.assemblies);
    for (const auto [a, b] : store_->far.pairs())
        if (moves(a) && moves(b))
            neighbours_.unite(scope.assembly[slot_[a]], scope.assembly[slot_[b]]);
    fastest_.assign(scope.assemblies, 0);
    for (uint32_t i = 0; i < colliders_.size(); ++i)
        if (moves(i)) {
            double& fastest = fastest_[neighbours_.find(scope.assembly[slot_[i]])];
            fastest = std::max(fastest, motion_[i]);
        }
    for (uint32_t i = 0; i < colliders_.size(); ++i)
        if (moves(i))
            margin_[i] = margin_of(i, fastest_[neighbours_.find(scope.assembly[slot_[i]])]);
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
    for (const ContactPoint& p : points) candidates_.push_back({a, b, p});
}

}  // namespace bristle::collision
