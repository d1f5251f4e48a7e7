#include "geometry/triangle_tree.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace bristle::geometry {
namespace {

constexpr uint32_t leaf_size = 4;        // boxes are cheaper than triangles, but not by much
constexpr uint32_t balanced_below = 40;  // depth from which on halves are equal: at most 64 in all
constexpr size_t stack_size = 80;
// Height over length of a triangle below which its normal is mostly rounding.
constexpr double sliver = 1e-12;

Vec3 min(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 max(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

// Of the triangle's normal; zero if it has no area.
Vec3 unit_normal(const std::array<Vec3, 3>& c) {
    const Vec3 a = c[1] - c[0], b = c[2] - c[1], d = c[0] - c[2];
    const double aa = dot(a, a), bb = dot(b, b), dd = dot(d, d);
    // The two shorter edges cancel least.
    const Vec3 n = aa >= bb && aa >= dd ? cross(b, d) : bb >= dd ? cross(d, a) : cross(a, b);
    const double length = norm(n);
    return length > sliver * std::max({aa, bb, dd}) ? n / length : Vec3{};
}

// Squared distance of a point from a box.
double distance2(Vec3 low, Vec3 high, Vec3 p) {
    const Vec3 d = max(max(low - p, p - high), {});
    return dot(d, d);
}

// Where the ray enters the box, in lengths of its direction; negative if it does not before `limit`.
double entry(Vec3 low, Vec3 high, Vec3 origin, Vec3 inverse, double limit) {
    double from = 0, to = limit;
    for (int i = 0; i < 3; ++i) {
        const double a = (low[i] - origin[i]) * inverse[i], b = (high[i] - origin[i]) * inverse[i];
        // A ray within a side of the box gives 0·∞ = NaN: such a side does not count against it.
        from = std::fmax(from, std::fmin(a, b));
        to = std::fmin(to, std::fmax(a, b));
    }
    // Rounding must not lose a triangle in the side of its box.
    return from <= to * (1 + 1e-14) ? from : -1;
}

}  // namespace

struct TriangleTree::Item {
    Vec3 low, high, barycentre;
    uint32_t triangle;
};

TriangleTree::TriangleTree(std::shared_ptr<const TriangleMesh> mesh) : mesh_(std::move(mesh)) {
    check_and_number_vertices();
    find_neighbors();
    classify_edges();
    list_around();
    build_tree();
}

void TriangleTree::check_and_number_vertices() {
    if (!mesh_) throw InputError("a mesh has no surface: give it a TriangleMesh");
    const auto& vertices = mesh_->vertices;
    for (size_t i = 0; i < vertices.size(); ++i)
        if (!is_finite(vertices[i]))
            throw InputError(fmt::format("mesh: vertex {} is not finite; check() lists such", i));
    std::vector<uint32_t> order(vertices.size()), number(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto before = [&](Vec3 a, Vec3 b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    };
    std::sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) {
        if (before(vertices[i], vertices[j])) return true;
        return !before(vertices[j], vertices[i]) && i < j;
    });
    uint32_t count = 0;
    for (size_t k = 0; k < order.size(); ++k) {
        if (k > 0 && before(vertices[order[k - 1]], vertices[order[k]])) ++count;
        number[order[k]] = count;
    }
    bool is_usable = false;
    faces_.resize(mesh_->triangles.size());
    for (uint32_t t = 0; t < faces_.size(); ++t) {
        const auto& corner = mesh_->triangles[t];
        for (size_t k = 0; k < 3; ++k) {
            if (corner[k] >= vertices.size())
                throw InputError(fmt::format("mesh: triangle {} names vertex {}, but there are {}",
                                             t, corner[k], vertices.size()));
            faces_[t].vertex[k] = number[corner[k]];
        }
        faces_[t].normal = unit_normal(corners(t));
        is_usable = is_usable || faces_[t].normal != Vec3{};
    }
    if (!is_usable) throw InputError("mesh: no triangle has an area");
    vertex_normals_.assign(count + 1, Vec3{});
}

void TriangleTree::find_neighbors() {
    struct Side {
        uint32_t low, high;  // vertices
        uint32_t triangle;
        int edge;
        bool is_forward;
    };
    std::vector<Side> sides;
    sides.reserve(3 * faces_.size());
    for (uint32_t t = 0; t < faces_.size(); ++t) {
        if (faces_[t].normal == Vec3{}) continue;
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = faces_[t].vertex[static_cast<size_t>(k)],
                           b = faces_[t].vertex[static_cast<size_t>((k + 1) % 3)];
            sides.push_back({std::min(a, b), std::max(a, b), t, k, a < b});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return a.low != b.low   ? a.low < b.low
             : a.high != b.high ? a.high < b.high
                                : a.triangle < b.triangle;
    });
    is_closed_ = true;
    for (size_t i = 0; i < sides.size();) {
        size_t end = i + 1;
        while (end < sides.size() && sides[end].low == sides[i].low
               && sides[end].high == sides[i].high)
            ++end;
        if (end - i == 2 && sides[i].is_forward != sides[i + 1].is_forward) {
            faces_[sides[i].triangle].neighbor[static_cast<size_t>(sides[i].edge)] =
                sides[i + 1].triangle;
            faces_[sides[i + 1].triangle].neighbor[static_cast<size_t>(sides[i + 1].edge)] =
                sides[i].triangle;
        } else {
            is_closed_ = false;
        }
        i = end;
    }
}

void TriangleTree::classify_edges() {
    is_border_.assign(vertex_normals_.size(), 0);
    for (uint32_t t = 0; t < faces_.size(); ++t) {
        Face& face = faces_[t];
        const auto corner = corners(t);
        for (size_t k = 0; k < 3; ++k) {
            if (face.neighbor[k] == none) {
                is_border_[face.vertex[k]] = is_border_[face.vertex[(k + 1) % 3]] = 1;
                continue;
            }
            const Vec3 along = normalized(corner[(k + 1) % 3] - corner[k]);
            const Vec3 other = faces_[face.neighbor[k]].normal;
            const double sine = dot(cross(face.normal, other), along);
            const bool is_folded = dot(face.normal, other) < 0;
            face.edge[k] = sine > flat_sine  ? EdgeKind::convex
                         : sine < -flat_sine ? EdgeKind::concave
                         : is_folded         ? EdgeKind::convex
                                             : EdgeKind::flat;
        }
    }
}

void TriangleTree::list_around() {
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(6 * faces_.size());
    std::vector<Vec3> place(vertex_normals_.size());
    for (uint32_t t = 0; t < faces_.size(); ++t) {
        const Face& face = faces_[t];
        if (face.normal == Vec3{}) continue;
        const auto corner = corners(t);
        for (size_t k = 0; k < 3; ++k) {
            const size_t next = (k + 1) % 3, last = (k + 2) % 3;
            edges.emplace_back(face.vertex[k], face.vertex[next]);
            edges.emplace_back(face.vertex[next], face.vertex[k]);
            place[face.vertex[k]] = corner[k];
            const Vec3 a = corner[next] - corner[k], b = corner[last] - corner[k];
            const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
            vertex_normals_[face.vertex[k]] += angle * face.normal;
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    around_start_.assign(vertex_normals_.size() + 1, 0);
    for (const auto& [from, to] : edges) {
        ++around_start_[from + 1];
        around_.push_back(place[to]);
    }
    std::partial_sum(around_start_.begin(), around_start_.end(), around_start_.begin());
    for (Vec3& n : vertex_normals_)
        if (norm(n) > 0) n = normalized(n);
}

void TriangleTree::build_tree() {
    std::vector<Item> items;
    items.reserve(faces_.size());
    for (uint32_t t = 0; t < faces_.size(); ++t) {
        if (faces_[t].normal == Vec3{}) continue;
        const auto c = corners(t);
        items.push_back(
            {min(min(c[0], c[1]), c[2]), max(max(c[0], c[1]), c[2]), (c[0] + c[1] + c[2]) / 3, t});
    }
    order_.reserve(items.size());
    leaf_boxes_.reserve(items.size());
    nodes_.reserve(items.size());
    build_node(items, 1);
    nodes_.shrink_to_fit();
}

void TriangleTree::build_node(std::span<Item> items, uint32_t depth) {
    depth_ = std::max(depth_, depth);
    const auto index = static_cast<uint32_t>(nodes_.size());
    Vec3 low = items[0].low, high = items[0].high, mean;
    for (const Item& item : items) {
        low = min(low, item.low);
        high = max(high, item.high);
        mean += item.barycentre / static_cast<double>(items.size());
    }
    nodes_.push_back({low, high, 0, static_cast<uint32_t>(order_.size()), 0, 0});
    if (items.size() <= leaf_size) {
        nodes_[index].count = static_cast<uint32_t>(items.size());
        for (const Item& item : items) {
            order_.push_back(item.triangle);
            leaf_boxes_.push_back({item.low, item.high});
        }
        nodes_[index].skip = index + 1;
        return;
    }
    Vec3 deviation;
    for (const Item& item : items) {
        const Vec3 d = item.barycentre - mean;
        deviation += Vec3{d.x * d.x, d.y * d.y, d.z * d.z};
    }
    const int axis = deviation.x >= deviation.y && deviation.x >= deviation.z ? 0
                   : deviation.y >= deviation.z                               ? 1
                                                                              : 2;
    auto middle = std::stable_partition(items.begin(), items.end(), [&](const Item& item) {
        return item.barycentre[axis] < mean[axis];
    });
    if (middle == items.begin() || middle == items.end() || depth >= balanced_below) {
        middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
        std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
            return a.barycentre[axis] < b.barycentre[axis];
        });
    }
    const auto left = static_cast<size_t>(middle - items.begin());
    build_node(items.first(left), depth + 1);
    nodes_[index].right = static_cast<uint32_t>(nodes_.size());
    build_node(items.subspan(left), depth + 1);
    nodes_[index].skip = static_cast<uint32_t>(nodes_.size());
}

TriangleTree::RayHit TriangleTree::first_hit(Vec3 origin, Vec3 direction, double limit) const {
    RayHit best{limit, none};
    const Vec3 inverse = {1 / direction.x, 1 / direction.y, 1 / direction.z};
    std::array<uint32_t, stack_size> stack;
    size_t size = 0;
    stack[size++] = 0;
    const auto entry_of = [&](uint32_t i) {
        return entry(nodes_[i].low, nodes_[i].high, origin, inverse, best.distance);
    };
    while (size > 0) {
        const uint32_t index = stack[--size];
        const Node& node = nodes_[index];
        if (entry_of(index) < 0) continue;
        for (uint32_t k = node.first; k < node.first + node.count; ++k) {
            const double t =
                ray_hits(corners(order_[k]), faces_[order_[k]].normal, origin, direction);
            if (t >= 0 && (t < best.distance || (t == best.distance && best.triangle == none)))
                best = {t, order_[k]};
        }
        if (node.count > 0) continue;
        const double left = entry_of(index + 1), right = entry_of(node.right);
        if (right >= 0) stack[size++] = node.right;
        if (left >= 0) stack[size++] = index + 1;
        if (left >= 0 && right >= 0 && right < left) std::swap(stack[size - 1], stack[size - 2]);
    }
    return best;
}

TriangleTree::Nearest TriangleTree::nearest(Vec3 point, double limit) const {
    Nearest best;
    double least = limit * limit;
    std::array<uint32_t, stack_size> stack;
    size_t size = 0;
    stack[size++] = 0;
    const auto distance_of = [&](uint32_t i) {
        return distance2(nodes_[i].low, nodes_[i].high, point);
    };
    while (size > 0) {
        const uint32_t index = stack[--size];
        const Node& node = nodes_[index];
        if (!(distance_of(index) <= least)) continue;
        for (uint32_t k = node.first; k < node.first + node.count; ++k) {
            if (!(distance2(leaf_boxes_[k].low, leaf_boxes_[k].high, point) <= least)) continue;
            const uint32_t t = order_[k];
            const TrianglePoint near = nearest_on_triangle(corners(t), faces_[t].normal, point);
            const double square = dot(near.point - point, near.point - point);
            if (square < least || (square == least && best.triangle == none)) {
                least = square;
                best = {near.point, std::sqrt(square), t, near.part, near.index};
            }
        }
        if (node.count > 0) continue;
        const bool is_left_first = distance_of(index + 1) <= distance_of(node.right);
        stack[size++] = is_left_first ? node.right : index + 1;
        stack[size++] = is_left_first ? index + 1 : node.right;
    }
    return best;
}

bool TriangleTree::contains(Vec3 point) const {
    if (!is_closed_) return false;
    const Nearest near = nearest(point, std::numeric_limits<double>::max());
    if (near.triangle == none) return false;
    const Face& face = faces_[near.triangle];
    const auto k = static_cast<size_t>(near.index);
    // The normal of the part that is nearest (Bærentzen and Aanæs): a face's own can mislead there.
    const Vec3 normal = near.part == TrianglePoint::Part::face ? face.normal
                      : near.part == TrianglePoint::Part::edge
                          ? face.normal + faces_[face.neighbor[k]].normal
                          : vertex_normals_[face.vertex[k]];
    return dot(normal, point - near.point) < 0;
}

}  // namespace bristle::geometry
