// Contacts from where a step begins: those that the motion could close.
#include "base/jobs.h"
#include "collision/scene_impl.h"

#include <algorithm>

namespace bristle::collision {
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
    follow_fields();
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
        std::vector<ContactCandidate>& out = pieces_[piece];
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
