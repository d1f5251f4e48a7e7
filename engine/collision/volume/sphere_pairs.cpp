#include "collision/volume/sphere_pairs.h"

#include "geometry/sphere_lens.h"
#include "math/wide.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace bristle::collision {
namespace {

// visit(ball of a, ball of b) for all pairs not farther apart than `margin`, and some a little farther, in an order that depends on the trees only:
// the larger node is split, and what is on the way is never sorted.
template <class Visit>
void near_pairs(const SphereTree& a, const SphereTree& b, const Mat3& rotation, Vec3 position,
                double margin, const Visit& visit) {
    if (a.is_empty() || b.is_empty()) return;
    // Each level of either tree leaves at most one pair behind.
    std::array<std::array<uint32_t, 2>, 2 * SphereTree::deepest + 2> stack;
    size_t size = 0;
    const SphereTree::Node* const nodes_a = a.nodes().data();
    const SphereTree::Node* const nodes_b = b.nodes().data();
    const SphereTree::Block* const blocks = a.blocks().data();
    const double rounding = a.rounding();
    const Ball* const balls_b = b.balls().data();
    const auto is_near = [margin](Vec3 x, double r, Vec3 y, double s) {
        const Vec3 d = x - y;
        const double reach = r + s + margin;
        return dot(d, d) < reach * reach;
    };
    uint32_t i = 0, j = 0;
    Vec3 center = position + rotation * nodes_b[0].center;  // of node j, in a's frame
    if (!is_near(center, nodes_b[0].radius, nodes_a[0].center, nodes_a[0].radius)) return;
    for (;;) {
        const SphereTree::Node &na = nodes_a[i], &nb = nodes_b[j];
        const bool is_leaf_a = na.is_leaf(i), is_leaf_b = nb.is_leaf(j);
        bool goes_on = false;
        if (is_leaf_a && is_leaf_b) {
            for (uint32_t l = nb.first; l < nb.first + nb.count; ++l) {
                const Vec3 c = position + rotation * balls_b[l].center;
                if (!is_near(c, balls_b[l].radius, na.center, na.radius)) continue;
                const Wide x = wide(static_cast<float>(c.x)), y = wide(static_cast<float>(c.y)),
                           z = wide(static_cast<float>(c.z)),
                           r = wide(static_cast<float>(balls_b[l].radius + margin + rounding));
                for (uint32_t k = 0; 8 * k < na.count; ++k) {
                    const SphereTree::Block& block = blocks[na.block + k];
                    const Wide dx = block.x - x, dy = block.y - y, dz = block.z - z,
                               reach = block.radius + r;
                    const Wide square = fma(dx, dx, fma(dy, dy, dz * dz));
                    auto hits = static_cast<uint32_t>(
                        _mm256_movemask_ps((__m256)less(square, reach * reach)));
                    for (; hits != 0; hits &= hits - 1)
                        visit(na.first + 8 * k + static_cast<uint32_t>(std::countr_zero(hits)), l);
                }
            }
        } else if (is_leaf_b || (!is_leaf_a && na.radius >= nb.radius)) {
            const uint32_t left = i + 1, right = nodes_a[left].skip;
            const bool is_left =
                           is_near(center, nb.radius, nodes_a[left].center, nodes_a[left].radius),
                       is_right =
                           is_near(center, nb.radius, nodes_a[right].center, nodes_a[right].radius);
            if (is_left && is_right) stack[size++] = {right, j};
            goes_on = is_left || is_right;
            i = is_left ? left : right;
        } else {
            const uint32_t left = j + 1, right = nodes_b[left].skip;
            const Vec3 cl = position + rotation * nodes_b[left].center,
                       cr = position + rotation * nodes_b[right].center;
            const bool is_left = is_near(cl, nodes_b[left].radius, na.center, na.radius),
                       is_right = is_near(cr, nodes_b[right].radius, na.center, na.radius);
            if (is_left && is_right) stack[size++] = {i, right};
            goes_on = is_left || is_right;
            j = is_left ? left : right;
            center = is_left ? cl : cr;
        }
        if (goes_on) continue;
        if (size == 0) return;
        i = stack[--size][0];
        j = stack[size][1];
        center = position + rotation * nodes_b[j].center;
    }
}

}  // namespace

bool is_finite(const Placement& p) {
    return is_finite(p.position) && is_finite(p.rotation.row[0]) && is_finite(p.rotation.row[1])
        && is_finite(p.rotation.row[2]);
}

void SpherePairs::update(const SphereTree& a, const SphereTree& b, const Mat3& rotation,
                         Vec3 position, double margin) {
    if (a.is_empty() || b.is_empty()) {
        pairs_.clear();
        a_ = b_ = nullptr;
        return;
    }
    const SphereTree::Node& all = b.nodes()[0];
    const Mat3 turn = rotation - rotation_;
    const double turned = std::sqrt(dot(turn.row[0], turn.row[0]) + dot(turn.row[1], turn.row[1])
                                    + dot(turn.row[2], turn.row[2]));
    // No point of b has moved farther.
    const double moved = norm(position - position_ + turn * all.center) + turned * all.radius;
    if (a_ == a.nodes().data() && b_ == b.nodes().data() && moved < margin_) {
        ++age_;
        return;
    }
    // What moves so fast that the list will not see the next call pays for no margin.
    if (a_ == a.nodes().data() && b_ == b.nodes().data() && age_ == 0 && moved > margin / 2)
        margin = 0;
    age_ = 0;
    pairs_.clear();
    near_pairs(a, b, rotation, position, margin, [&](uint32_t i, uint32_t j) {
        pairs_.push_back({i, j});
    });
    a_ = a.nodes().data();
    b_ = b.nodes().data();
    rotation_ = rotation;
    position_ = position;
    margin_ = margin;
}

// ---- Within a budget ------------------------------------------------------------------------------

VolumeBounds SphereBounds::find(const SphereTree& a, const Placement& at_a, const SphereTree& b,
                                const Placement& at_b, uint32_t budget) {
    VolumeBounds out;
    heap_.clear();
    if (a.is_empty() || b.is_empty() || !is_finite(at_a) || !is_finite(at_b)) return out;
    const Mat3 back = at_a.rotation.transposed(), rotation = back * at_b.rotation;
    const Vec3 position = back * (at_b.position - at_a.position);
    const auto is_less = [](const Candidate& x, const Candidate& y) {
        return x.bound != y.bound ? x.bound < y.bound : x.a != y.a ? x.a > y.a : x.b > y.b;
    };
    double open = 0;  // sum of the bounds in the heap
    const auto push = [&](uint32_t i, uint32_t j) {
        const SphereTree::Node &na = a.nodes()[i], &nb = b.nodes()[j];
        const double distance = norm(position + rotation * nb.center - na.center);
        const double shared = lens_volume(na.radius, nb.radius, na.radius + nb.radius - distance);
        const double most = std::min({shared, na.volume, nb.volume});
        ++out.pairs;
        if (!(most > 0)) return;
        heap_.push_back({most, i, j});
        std::push_heap(heap_.begin(), heap_.end(), is_less);
        open += most;
    };
    push(0, 0);
    // Children's bounds may add up to more than their parent's was, so the least sum ever seen counts.
    double least = open;
    while (!heap_.empty() && out.pairs < budget) {
        const Candidate best = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), is_less);
        heap_.pop_back();
        open -= best.bound;
        const SphereTree::Node &na = a.nodes()[best.a], &nb = b.nodes()[best.b];
        const bool is_leaf_a = na.is_leaf(best.a), is_leaf_b = nb.is_leaf(best.b);
        if (is_leaf_a && is_leaf_b) {
            for (uint32_t j = nb.first; j < nb.first + nb.count; ++j) {
                const Vec3 c = position + rotation * b.balls()[j].center;
                for (uint32_t i = na.first; i < na.first + na.count; ++i) {
                    const double ra = a.balls()[i].radius, rb = b.balls()[j].radius;
                    out.volume += lens_volume(ra, rb, ra + rb - norm(c - a.balls()[i].center));
                }
            }
            out.pairs += na.count * nb.count;
        } else if (is_leaf_b || (!is_leaf_a && na.radius >= nb.radius)) {
            push(best.a + 1, best.b);
            push(a.nodes()[best.a + 1].skip, best.b);
        } else {
            push(best.a, best.b + 1);
            push(best.a, b.nodes()[best.b + 1].skip);
        }
        least = std::min(least, out.volume + open);
    }
    // The sum has been rounded as often as there were pairs.
    const double rounding = std::numeric_limits<double>::epsilon() * out.pairs * least;
    if (!heap_.empty()) out.rest = std::max(least - out.volume, 0.0) + rounding;
    return out;
}

}  // namespace bristle::collision
