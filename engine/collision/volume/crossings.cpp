#include "collision/volume/crossings.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {
namespace {

// One box against eight that have other axes: no separating axis among the fifteen. `turn` takes the one's axes into those
// of the eight, `size` is its absolute value, enlarged so that parallel edges do no harm.
struct BoxMeeting {
    float turn[3][3], size[3][3], shift[3];

    BoxMeeting(const Mat3& rotation, Vec3 position) {
        for (int i = 0; i < 3; ++i) {
            shift[i] = static_cast<float>(position[i]);
            for (int j = 0; j < 3; ++j) {
                turn[i][j] = static_cast<float>(rotation(i, j));
                size[i][j] = std::abs(turn[i][j]) + 1e-6F;
            }
        }
    }

    // A bit for each of the eight that may meet it.
    unsigned operator()(const SolidTree::Node& eight, const TreeBox& one) const {
        const auto magnitude = [](Wide x) { return max(x, -x); };
        Wide d[3];
        // Negative where something separates.
        Wide room = wide(0);
        for (size_t i = 0; i < 3; ++i) {
            d[i] = wide(shift[i] + turn[i][0] * one.center[0] + turn[i][1] * one.center[1]
                        + turn[i][2] * one.center[2])
                 - eight.center[i];
            const float reach =
                size[i][0] * one.half[0] + size[i][1] * one.half[1] + size[i][2] * one.half[2];
            room = min(room, eight.half[i] + wide(reach) - magnitude(d[i]));
        }
        if (const auto separate = static_cast<unsigned>(_mm256_movemask_ps((__m256)room));
            separate == 0xffu)
            return 0;
        for (size_t j = 0; j < 3; ++j) {
            const Wide along =
                fma(d[0], wide(turn[0][j]), fma(d[1], wide(turn[1][j]), d[2] * wide(turn[2][j])));
            const Wide reach =
                fma(eight.half[0], wide(size[0][j]),
                    fma(eight.half[1], wide(size[1][j]), eight.half[2] * wide(size[2][j])));
            room = min(room, reach + wide(one.half[j]) - magnitude(along));
        }
        for (size_t i = 0; i < 3; ++i) {
            const size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (size_t j = 0; j < 3; ++j) {
                const size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const Wide along = fnma(d[i1], wide(turn[i2][j]), d[i2] * wide(turn[i1][j]));
                const Wide reach =
                    fma(eight.half[i1], wide(size[i2][j]), eight.half[i2] * wide(size[i1][j]));
                const float own = one.half[j1] * size[i][j2] + one.half[j2] * size[i][j1];
                room = min(room, reach + wide(own) - magnitude(along));
            }
        }
        return static_cast<unsigned>(_mm256_movemask_ps((__m256)room)) ^ 0xffu;
    }
};

float extent(const TreeBox& b) { return std::max({b.half[0], b.half[1], b.half[2]}); }

TreeBox lane(const SolidTree::Node& n, size_t i) {
    return {{n.center[0][i], n.center[1][i], n.center[2][i]},
            {n.half[0][i], n.half[1][i], n.half[2][i]}};
}

}  // namespace

void Crossings::find(const Solid& a, const Solid& b, const Placement& b_in_a, Shift shift_of_b) {
    shift_ = shift_of_b;
    had_ties_ = false;
    solid_[0] = &a;
    solid_[1] = &b;
    place_ = b_in_a;
    segments_.clear();
    moved_.resize(b.vertices().size());
    moved_in_.resize(b.vertices().size(), 0);
    ++round_;
    const Vec3 from_a_to_b = b_in_a.rotation * b.center() + b_in_a.position - a.center();
    if (!(norm(from_a_to_b) <= 2 * (a.size() + b.size()))) return;
    // The boxes of either are enlarged by its own size; what is rounded here goes with the larger.
    const Mat3 back = b_in_a.rotation.transposed();
    const BoxMeeting in_a(b_in_a.rotation, from_a_to_b), in_b(back, back * -from_a_to_b);
    const SolidTree &tree_a = a.tree(), &tree_b = b.tree();
    constexpr uint32_t leaf = SolidTree::leaf;
    stack_.clear();
    stack_.push_back({tree_a.root(), tree_b.root(), tree_a.bounds(), tree_b.bounds()});
    while (!stack_.empty()) {
        const NodePair pair = stack_.back();
        stack_.pop_back();
        if ((pair.a & leaf) && (pair.b & leaf)) {
            cross(pair.a & ~leaf, pair.b & ~leaf);
        } else if ((pair.b & leaf)
                   || (!(pair.a & leaf) && extent(pair.box_a) >= extent(pair.box_b))) {
            const SolidTree::Node& n = tree_a.nodes()[pair.a];
            for (unsigned m = in_a(n, pair.box_b); m != 0; m &= m - 1) {
                const auto i = static_cast<size_t>(__builtin_ctz(m));
                stack_.push_back({n.child[i], pair.b, lane(n, i), pair.box_b});
            }
        } else {
            const SolidTree::Node& n = tree_b.nodes()[pair.b];
            for (unsigned m = in_b(n, pair.box_a); m != 0; m &= m - 1) {
                const auto i = static_cast<size_t>(__builtin_ctz(m));
                stack_.push_back({pair.a, n.child[i], pair.box_a, lane(n, i)});
            }
        }
    }
}

void Crossings::cross(uint32_t t, uint32_t u) {
    const auto &tv = solid_[0]->triangles()[t], &uv = solid_[1]->triangles()[u];
    Vec3 p[3], q[3];
    for (size_t k = 0; k < 3; ++k) q[k] = moved(uv[k]);
    for (size_t k = 0; k < 3; ++k) p[k] = solid_[0]->vertices()[tv[k]];
    // b is shifted: it is the second where a's triangle is named first.
    Side below_t[3], below_u[3];
    for (int k = 0; k < 3; ++k) below_t[k] = side_of(p, q[k], shift_);
    if (below_t[0].is_positive == below_t[1].is_positive
        && below_t[1].is_positive == below_t[2].is_positive)
        return;
    for (int k = 0; k < 3; ++k) below_u[k] = side_of(q, p[k], -shift_);
    if (below_u[0].is_positive == below_u[1].is_positive
        && below_u[1].is_positive == below_u[2].is_positive)
        return;

    for (int k = 0; k < 3; ++k) had_ties_ |= below_t[k].value == 0 || below_u[k].value == 0;

    // passes(edge of t, edge of u): the same for both ways to ask.
    int8_t known[3][3] = {};
    const auto pass = [&](int k, int j) {
        int8_t& sign = known[k][j];
        if (sign == 0) sign = passes(p[k], p[(k + 1) % 3], q[j], q[(j + 1) % 3], shift_) ? 1 : -1;
        return sign;
    };
    CrossingSegment s{{t, u}, {}};
    int ends = 0;
    bool has[2] = {};
    const auto add = [&](size_t side, uint32_t half_edge, const Side& from, const Side& to) {
        const bool enters = to.is_positive;
        // Entering, a's edge is where the segment ends; for b's triangle it is run the other way.
        const size_t place = enters == (side == 0) ? 1 : 0;
        s.end[place] = end_of(side, half_edge, enters, from.value, to.value);
        has[place] = true;
        ++ends;
    };
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        if (below_u[k].is_positive == below_u[next].is_positive) continue;
        if (pass(k, 0) == pass(k, 1) && pass(k, 1) == pass(k, 2))
            add(0, 3 * t + static_cast<uint32_t>(k), below_u[k], below_u[next]);
    }
    for (int j = 0; j < 3; ++j) {
        const int next = (j + 1) % 3;
        if (below_t[j].is_positive == below_t[next].is_positive) continue;
        if (pass(0, j) == pass(1, j) && pass(1, j) == pass(2, j))
            add(1, 3 * u + static_cast<uint32_t>(j), below_t[j], below_t[next]);
    }
    if (ends == 2 && has[0] && has[1]) segments_.push_back(s);
}

CrossingSegment::End Crossings::end_of(size_t side, uint32_t half_edge, bool enters, double from,
                                       double to) {
    const auto& triangle = solid_[side]->triangles()[half_edge / 3];
    uint32_t v = triangle[half_edge % 3], w = triangle[(half_edge % 3 + 1) % 3];
    // Always from the lower vertex, so that both triangles of the edge get the same point.
    if (v > w) {
        std::swap(v, w);
        std::swap(from, to);
    }
    const Vec3 low = vertex(side, v), high = vertex(side, w);
    const double share = std::clamp(from / (from - to), 0.0, 1.0);
    const double rest = std::clamp(to / (to - from), 0.0, 1.0);
    const Vec3 point = share < 0.5 ? low + share * (high - low) : high + rest * (low - high);
    return {point, static_cast<uint8_t>(side), enters, half_edge, share};
}

bool Crossings::is_inside(size_t side, uint32_t v) {
    const Solid& other = *solid_[1 - side];
    const Vec3 point = vertex(side, v);
    const Vec3 center =
        side == 0 ? place_.rotation * other.center() + place_.position : other.center();
    const double size = other.size();
    const Vec3 direction{3 * (norm(point - center) + size), 1.1 * size, 0.7 * size};
    const Vec3 far = point + direction;
    const Mat3 back = side == 0 ? place_.rotation.transposed() : Mat3::identity();
    const Shift shift = side == 0 ? -shift_ : shift_;
    int inside = 0;
    other.tree().along(back * (point - center), back * direction, [&](uint32_t t) {
        const auto& triangle = other.triangles()[t];
        Vec3 c[3];
        for (size_t k = 0; k < 3; ++k) c[k] = vertex(1 - side, triangle[k]);
        inside += passage(c, point, far, shift);
    });
    return inside > 0;
}

}  // namespace bristle::collision
