#include "geometry/mesh_crossings.h"

#include "geometry/collider.h"
#include "geometry/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

namespace bristle::geometry {
namespace {

using Corners = std::array<Vec3, 3>;

int sign(double x) { return (x > 0) - (x < 0); }

// ---- In one plane --------------------------------------------------------------------------------

// The plane seen along an axis that is not in it.
class PlaneView {
  public:
    explicit PlaneView(const Corners& triangle) {
        const Vec3 normal = exact_normal(triangle[0], triangle[1], triangle[2]);
        for (int i = 1; i < 3; ++i)
            if (std::abs(normal[i]) > std::abs(normal[axis_])) axis_ = i;
    }

    int turn(Vec3 a, Vec3 b, Vec3 c) const { return sign(exact_normal(a, b, c)[axis_]); }

    bool contains(const Corners& t, Vec3 p) const {
        const int x = turn(t[0], t[1], p), y = turn(t[1], t[2], p), z = turn(t[2], t[0], p);
        return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
    }

    bool segments_meet(Vec3 p, Vec3 q, Vec3 r, Vec3 s) const {
        const int pr = turn(p, q, r), ps = turn(p, q, s), rp = turn(r, s, p), rq = turn(r, s, q);
        if (pr * ps < 0 && rp * rq < 0) return true;
        return (pr == 0 && is_between(p, q, r)) || (ps == 0 && is_between(p, q, s))
            || (rp == 0 && is_between(r, s, p)) || (rq == 0 && is_between(r, s, q));
    }

  private:
    // For points on one line.
    static bool is_between(Vec3 a, Vec3 b, Vec3 p) {
        for (int i = 0; i < 3; ++i)
            if (p[i] < std::min(a[i], b[i]) || p[i] > std::max(a[i], b[i])) return false;
        return true;
    }
    int axis_ = 0;
};

// ---- Segment and triangle ------------------------------------------------------------------------

// A point of both, ends and edges included. `at_p` and `at_q` are the ends' sides of the triangle.
std::optional<Vec3> meet(Vec3 p, double at_p, Vec3 q, double at_q, const Corners& t) {
    if (sign(at_p) * sign(at_q) > 0) return {};
    if (at_p == 0 && at_q == 0) {
        const PlaneView view(t);
        if (view.contains(t, p)) return p;
        if (view.contains(t, q)) return q;
        for (size_t k = 0; k < 3; ++k)
            if (view.segments_meet(p, q, t[k], t[(k + 1) % 3])) return 0.5 * (p + q);
        return {};
    }
    const int x = sign(orient(p, q, t[0], t[1])), y = sign(orient(p, q, t[1], t[2])),
              z = sign(orient(p, q, t[2], t[0]));
    if (!((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0))) return {};
    return p + at_p / (at_p - at_q) * (q - p);
}

// ---- Two triangles -------------------------------------------------------------------------------

// On which side of a triangle's plane three points are.
struct Sides {
    std::array<double, 3> value;
    size_t in_plane;  // that one is known to be: a corner of both; 3 for none

    Sides(const Corners& t, const Corners& points, size_t known) : value{}, in_plane(known) {
        for (size_t k = 0; k < 3; ++k)
            if (k != in_plane) value[k] = orient(t[0], t[1], t[2], points[k]);
    }
    // The others strictly on one side: there is no more in common.
    bool all_on_one() const {
        bool above = true, below = true;
        for (size_t k = 0; k < 3; ++k) {
            if (k == in_plane) continue;
            above = above && value[k] < 0;
            below = below && value[k] > 0;
        }
        return above || below;
    }
};

// Does the edge of u from corner k meet t?
std::optional<Vec3> edge_meets(const Corners& u, size_t k, const Sides& s, const Corners& t) {
    const size_t next = (k + 1) % 3;
    return meet(u[k], s.value[k], u[next], s.value[next], t);
}

std::optional<Vec3> cross(const Corners& t, const Corners& u) {
    // Corners that both have, and in each the last that it has alone.
    int shared = 0;
    size_t own_t = 3, own_u = 3, common_t = 3, common_u = 3;
    for (size_t i = 0; i < 3; ++i) {
        size_t same = 3;
        for (size_t j = 0; j < 3; ++j)
            if (t[i] == u[j]) same = j;
        if (same == 3) {
            own_t = i;
            continue;
        }
        ++shared;
        common_t = i;
        common_u = same;
    }
    for (size_t j = 0; j < 3; ++j)
        if (u[j] != t[0] && u[j] != t[1] && u[j] != t[2]) own_u = j;
    if (shared == 3) return (t[0] + t[1] + t[2]) / 3;
    if (shared == 2) {
        const Vec3 a = t[(own_t + 1) % 3], b = t[(own_t + 2) % 3], c = t[own_t], d = u[own_u];
        if (orient(a, b, c, d) != 0) return {};
        const PlaneView view(t);
        if (view.turn(a, b, c) != view.turn(a, b, d)) return {};
        return (a + b + c) / 3;
    }
    const Sides of_u(t, u, common_u);
    if (of_u.all_on_one()) return {};
    const Sides of_t(u, t, common_t);
    if (of_t.all_on_one()) return {};
    if (shared == 1) {
        // Only the edges opposite: one of them is in the other triangle if there is more than the vertex.
        if (const auto p = edge_meets(u, (common_u + 1) % 3, of_u, t)) return p;
        return edge_meets(t, (common_t + 1) % 3, of_t, u);
    }
    for (size_t k = 0; k < 3; ++k) {
        if (const auto p = edge_meets(u, k, of_u, t)) return p;
        if (const auto p = edge_meets(t, k, of_t, u)) return p;
    }
    return {};
}

// ---- All pairs -----------------------------------------------------------------------------------

bool overlap(const Aabb& a, const Aabb& b) {
    return a.low.x <= b.high.x && a.low.y <= b.high.y && a.low.z <= b.high.z && a.high.x >= b.low.x
        && a.high.y >= b.low.y && a.high.z >= b.low.z;
}
void enlarge(Aabb& box, const Aabb& by) {
    for (int i = 0; i < 3; ++i) {
        box.low[i] = std::min(box.low[i], by.low[i]);
        box.high[i] = std::max(box.high[i], by.high[i]);
    }
}

class SelfSearch {
  public:
    SelfSearch(const TriangleMesh& mesh, std::span<const uint32_t> triangles, size_t most)
        : mesh_(mesh), most_(most) {
        for (const uint32_t t : triangles) {
            const Corners c = corners(t);
            if (exact_normal(c[0], c[1], c[2]) == Vec3{}) continue;
            Aabb box{c[0], c[0]};
            for (const Vec3 p : c) enlarge(box, {p, p});
            items_.push_back({box, t});
        }
    }

    std::vector<MeshCrossing> run() {
        if (!items_.empty()) {
            nodes_.reserve(items_.size());
            const uint32_t root = build(0, static_cast<uint32_t>(items_.size()));
            within(root);
        }
        std::sort(found_.begin(), found_.end(), [](const MeshCrossing& a, const MeshCrossing& b) {
            return std::tie(a.first, a.second) < std::tie(b.first, b.second);
        });
        return std::move(found_);
    }

  private:
    static constexpr uint32_t leaf_size = 4;
    struct Item {
        Aabb box;
        uint32_t triangle;
    };
    struct Node {
        Aabb box;
        uint32_t first, count;  // items, of a leaf; count = 0 of others
        uint32_t left, right;
    };

    Corners corners(uint32_t t) const {
        const auto& v = mesh_.triangles[t];
        return {mesh_.vertices[v[0]], mesh_.vertices[v[1]], mesh_.vertices[v[2]]};
    }

    // Half of the items to each side, so the tree is never deep.
    uint32_t build(uint32_t first, uint32_t last) {
        Aabb box = items_[first].box;
        for (uint32_t i = first + 1; i < last; ++i) enlarge(box, items_[i].box);
        const auto index = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back({box, first, last - first, 0, 0});
        if (last - first <= leaf_size) return index;
        const Vec3 size = box.high - box.low;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const uint32_t middle = first + (last - first) / 2;
        std::nth_element(items_.begin() + first, items_.begin() + middle, items_.begin() + last,
                         [axis](const Item& a, const Item& b) {
                             const double x = a.box.low[axis] + a.box.high[axis],
                                          y = b.box.low[axis] + b.box.high[axis];
                             return x != y ? x < y : a.triangle < b.triangle;
                         });
        const uint32_t left = build(first, middle), right = build(middle, last);
        nodes_[index].count = 0;
        nodes_[index].left = left;
        nodes_[index].right = right;
        return index;
    }

    bool is_full() const { return found_.size() >= most_; }

    void within(uint32_t n) {
        const Node& node = nodes_[n];
        if (node.count == 0) {
            within(node.left);
            within(node.right);
            between(node.left, node.right);
            return;
        }
        for (uint32_t i = node.first; i < node.first + node.count; ++i)
            for (uint32_t j = i + 1; j < node.first + node.count; ++j) test(items_[i], items_[j]);
    }

    void between(uint32_t m, uint32_t n) {
        const Node &a = nodes_[m], &b = nodes_[n];
        if (is_full() || !overlap(a.box, b.box)) return;
        if (a.count > 0 && b.count > 0) {
            for (uint32_t i = a.first; i < a.first + a.count; ++i)
                for (uint32_t j = b.first; j < b.first + b.count; ++j) test(items_[i], items_[j]);
        } else if (b.count > 0 || (a.count == 0 && extent(a.box) >= extent(b.box))) {
            between(a.left, n);
            between(a.right, n);
        } else {
            between(m, b.left);
            between(m, b.right);
        }
    }

    static double extent(const Aabb& box) { return norm(box.high - box.low); }

    void test(const Item& a, const Item& b) {
        if (is_full() || !overlap(a.box, b.box)) return;
        if (const auto place = cross(corners(a.triangle), corners(b.triangle)))
            found_.push_back(
                {std::min(a.triangle, b.triangle), std::max(a.triangle, b.triangle), *place});
    }

    const TriangleMesh& mesh_;
    size_t most_;
    std::vector<Item> items_;
    std::vector<Node> nodes_;
    std::vector<MeshCrossing> found_;
};

}  // namespace

std::vector<MeshCrossing> crossings_within(const TriangleMesh& mesh,
                                           std::span<const uint32_t> triangles, size_t most) {
    return SelfSearch(mesh, triangles, most).run();
}

}  // namespace bristle::geometry
