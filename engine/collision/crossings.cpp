#include "collision/crossings.h"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

// Two boxes about their own axes: no separating axis among the fifteen. `turn` takes b's axes into a's, `size` is its
// absolute value, enlarged so that parallel edges do no harm.
struct BoxPair {
    float turn[3][3], size[3][3], shift[3];

    BoxPair(const Mat3& rotation, Vec3 from_a_to_b) {
        for (int i = 0; i < 3; ++i) {
            shift[i] = static_cast<float>(from_a_to_b[i]);
            for (int j = 0; j < 3; ++j) {
                turn[i][j] = static_cast<float>(rotation(i, j));
                size[i][j] = std::abs(turn[i][j]) + 1e-6F;
            }
        }
    }

    bool meet(const SolidTree::Node& a, const SolidTree::Node& b) const {
        float d[3];
        for (size_t i = 0; i < 3; ++i)
            d[i] = shift[i] + turn[i][0] * b.center[0] + turn[i][1] * b.center[1]
                 + turn[i][2] * b.center[2] - a.center[i];
        for (size_t i = 0; i < 3; ++i)
            if (std::abs(d[i]) > a.half[i] + size[i][0] * b.half[0] + size[i][1] * b.half[1]
                                     + size[i][2] * b.half[2])
                return false;
        for (size_t j = 0; j < 3; ++j)
            if (std::abs(d[0] * turn[0][j] + d[1] * turn[1][j] + d[2] * turn[2][j])
                > b.half[j] + size[0][j] * a.half[0] + size[1][j] * a.half[1]
                      + size[2][j] * a.half[2])
                return false;
        for (size_t i = 0; i < 3; ++i) {
            const size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (size_t j = 0; j < 3; ++j) {
                const size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const float reach = a.half[i1] * size[i2][j] + a.half[i2] * size[i1][j]
                                  + b.half[j1] * size[i][j2] + b.half[j2] * size[i][j1];
                if (std::abs(d[i2] * turn[i1][j] - d[i1] * turn[i2][j]) > reach) return false;
            }
        }
        return true;
    }
};

float extent(const SolidTree::Node& n) { return std::max({n.half[0], n.half[1], n.half[2]}); }

}  // namespace

void Crossings::find(const Solid& a, const Solid& b, const SolidPlacement& b_in_a) {
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
    const BoxPair boxes(b_in_a.rotation, from_a_to_b);
    const auto nodes_a = a.tree().nodes(), nodes_b = b.tree().nodes();
    stack_.assign(1, {0, 0});
    while (!stack_.empty()) {
        const auto [i, j] = stack_.back();
        stack_.pop_back();
        const SolidTree::Node &na = nodes_a[i], &nb = nodes_b[j];
        if (!boxes.meet(na, nb)) continue;
        if (na.is_leaf && nb.is_leaf) {
            cross(na.child, nb.child);
        } else if (nb.is_leaf || (!na.is_leaf && extent(na) >= extent(nb))) {
            stack_.push_back({na.child + 1, j});
            stack_.push_back({na.child, j});
        } else {
            stack_.push_back({i, nb.child + 1});
            stack_.push_back({i, nb.child});
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
    for (int k = 0; k < 3; ++k) below_t[k] = side_of(p, q[k], Shift::second);
    if (below_t[0].is_positive == below_t[1].is_positive
        && below_t[1].is_positive == below_t[2].is_positive)
        return;
    for (int k = 0; k < 3; ++k) below_u[k] = side_of(q, p[k], Shift::first);
    if (below_u[0].is_positive == below_u[1].is_positive
        && below_u[1].is_positive == below_u[2].is_positive)
        return;

    // passes(edge of t, edge of u): the same for both ways to ask.
    int8_t known[3][3] = {};
    const auto pass = [&](int k, int j) {
        int8_t& sign = known[k][j];
        if (sign == 0)
            sign = passes(p[k], p[(k + 1) % 3], q[j], q[(j + 1) % 3], Shift::second) ? 1 : -1;
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
    const Shift shift = side == 0 ? Shift::first : Shift::second;
    int inside = 0;
    other.tree().along(back * (point - center), back * direction, [&](uint32_t t) {
        const auto& triangle = other.triangles()[t];
        Vec3 c[3];
        for (size_t k = 0; k < 3; ++k) c[k] = vertex(1 - side, triangle[k]);
        const bool from = side_of(c, point, shift).is_positive;
        if (from == side_of(c, far, shift).is_positive) return;
        const bool first = passes(c[0], c[1], point, far, shift);
        if (first == passes(c[1], c[2], point, far, shift)
            && first == passes(c[2], c[0], point, far, shift))
            inside += from ? 1 : -1;
    });
    return inside > 0;
}

}  // namespace bristle
