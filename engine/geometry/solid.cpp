#include "geometry/solid.h"

#include <bristle/error.h>

#include "geometry/mesh_check.h"
#include "geometry/shifted_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bristle::geometry {

// ---- Moments ---------------------------------------------------------------------------------------

VolumeMoments& VolumeMoments::operator+=(const VolumeMoments& o) {
    volume += o.volume;
    first += o.first;
    square += o.square;
    mixed += o.mixed;
    return *this;
}

VolumeMoments& VolumeMoments::operator-=(const VolumeMoments& o) {
    volume -= o.volume;
    first -= o.first;
    square -= o.square;
    mixed -= o.mixed;
    return *this;
}

void VolumeMoments::add_tetrahedron(Vec3 a, Vec3 b, Vec3 c) {
    const double d = dot(a, cross(b, c));
    const Vec3 s = a + b + c;
    volume += d / 6;
    first += (d / 24) * s;
    const double f = d / 120;
    square += f
            * Vec3{s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x,
                   s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y,
                   s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z};
    mixed += f
           * Vec3{s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z,
                  s.z * s.x + a.z * a.x + b.z * b.x + c.z * c.x,
                  s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y};
}

VolumeMoments VolumeMoments::about(Vec3 t) const {
    // x' = x − t
    VolumeMoments out;
    out.volume = volume;
    out.first = first - volume * t;
    const Vec3 f = first;
    out.square = square
               + Vec3{-2 * t.x * f.x + t.x * t.x * volume, -2 * t.y * f.y + t.y * t.y * volume,
                      -2 * t.z * f.z + t.z * t.z * volume};
    out.mixed = mixed
              + Vec3{-t.y * f.z - t.z * f.y + t.y * t.z * volume,
                     -t.z * f.x - t.x * f.z + t.z * t.x * volume,
                     -t.x * f.y - t.y * f.x + t.x * t.y * volume};
    return out;
}

Mat3 VolumeMoments::inertia_about_centroid() const {
    const VolumeMoments m = about(first / volume);
    const double xx = m.square.x, yy = m.square.y, zz = m.square.z;
    return {{{{yy + zz, -m.mixed.z, -m.mixed.y},
              {-m.mixed.z, zz + xx, -m.mixed.x},
              {-m.mixed.y, -m.mixed.x, xx + yy}}}};
}

void Solid::Sum::add(const Sum& o, double sign) {
    count += sign > 0 ? o.count : -o.count;
    const auto both = [sign](double& h, double& l, double oh, double ol) {
        oh *= sign;
        ol *= sign;
        const double sum = h + oh, of_o = sum - h, error = (h - (sum - of_o)) + (oh - of_o);
        const double rest = error + l + ol;
        h = sum + rest;
        l = rest - (h - sum);
    };
    both(high.volume, low.volume, o.high.volume, o.low.volume);
    for (int k = 0; k < 3; ++k) {
        both(high.first[k], low.first[k], o.high.first[k], o.low.first[k]);
        both(high.square[k], low.square[k], o.high.square[k], o.low.square[k]);
        both(high.mixed[k], low.mixed[k], o.high.mixed[k], o.low.mixed[k]);
    }
}

VolumeMoments Solid::Sum::value() const {
    VolumeMoments m = high;
    return m += low;
}

// ---- Building --------------------------------------------------------------------------------------

Solid::Solid(std::shared_ptr<const TriangleMesh> mesh) : mesh_(std::move(mesh)) {
    for (const auto& t : mesh_->triangles)
        for (uint32_t v : t)
            if (v >= mesh_->vertices.size() || !is_finite(mesh_->vertices[v]))
                refuse("it has corners that are not there");
    if (mesh_->triangles.empty()) refuse("it has no triangles");
    weld();
    pair_edges();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Vec3 low{infinite, infinite, infinite}, high = -low;
    for (Vec3 v : vertices_)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], v[k]);
            high[k] = std::max(high[k], v[k]);
        }
    center_ = 0.5 * (low + high);
    size_ = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    span_shells();
    double volume = 0;
    for (const Shell& s : shells_) volume += s.moments.volume;
    if (!(volume > 0)) refuse("the volume it encloses is not positive");
    tree_ = SolidTree(vertices_, triangles_, center_, size_);
}

void Solid::refuse(const char* why) const {
    std::string text =
        fmt::format("this mesh of {} triangles is no solid: {}", mesh_->triangles.size(), why);
    const MeshReport report = check_topology(*mesh_);
    for (size_t i = 0; i < report.problems.size() && i < 3; ++i)
        text += fmt::format("; {}", report.problems[i].text);
    throw InputError(text);
}

void Solid::weld() {
    const auto& all = mesh_->vertices;
    std::vector<uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto before = [&](uint32_t i, uint32_t j) {
        const Vec3 &a = all[i], &b = all[j];
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : i < j;
    };
    std::sort(order.begin(), order.end(), before);
    // The first of each place stands for all; numbered in the order of the mesh.
    std::vector<uint32_t> same(all.size());
    for (size_t i = 0; i < order.size(); ++i)
        same[order[i]] =
            i > 0 && all[order[i]] == all[order[i - 1]] ? same[order[i - 1]] : order[i];
    std::vector<uint32_t> number(all.size(), none);
    for (uint32_t t = 0; t < mesh_->triangles.size(); ++t) {
        std::array<uint32_t, 3> triangle{};
        for (size_t k = 0; k < 3; ++k) triangle[k] = same[mesh_->triangles[t][k]];
        if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0])
            continue;
        for (uint32_t& v : triangle) {
            if (number[v] == none) {
                number[v] = static_cast<uint32_t>(vertices_.size());
                vertices_.push_back(all[v]);
            }
            v = number[v];
        }
        triangles_.push_back(triangle);
        source_.push_back(t);
    }
    if (triangles_.empty()) refuse("its triangles have no area");
}

void Solid::pair_edges() {
    struct Key {
        uint64_t edge;
        uint32_t half_edge;
        bool forward;
    };
    std::vector<Key> keys;
    keys.reserve(3 * triangles_.size());
    for (uint32_t t = 0; t < triangles_.size(); ++t)
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
            keys.push_back({uint64_t{std::min(a, b)} << 32 | std::max(a, b), 3 * t + k, a < b});
        }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        return a.edge != b.edge       ? a.edge < b.edge
             : a.forward != b.forward ? a.forward
                                      : a.half_edge < b.half_edge;
    });
    twin_.assign(3 * triangles_.size(), none);
    for (size_t i = 0; i < keys.size();) {
        size_t end = i, forward = 0;
        for (; end < keys.size() && keys[end].edge == keys[i].edge; ++end)
            forward += keys[end].forward;
        if (2 * forward != end - i) refuse("it is not closed");
        for (size_t k = 0; k < forward; ++k) {
            twin_[keys[i + k].half_edge] = keys[i + forward + k].half_edge;
            twin_[keys[i + forward + k].half_edge] = keys[i + k].half_edge;
        }
        i = end;
    }
}

void Solid::span_shells() {
    const auto count = static_cast<uint32_t>(triangles_.size());
    shell_of_.assign(count, none);
    parent_edge_.assign(count, none);
    below_.resize(count);
    std::vector<uint32_t> order;
    order.reserve(count);
    for (uint32_t root = 0; root < count; ++root) {
        if (shell_of_[root] != none) continue;
        const auto shell = static_cast<uint32_t>(shells_.size());
        const size_t first = order.size();
        order.push_back(root);
        shell_of_[root] = shell;
        for (size_t i = first; i < order.size(); ++i)
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t half_edge = 3 * order[i] + k, t = neighbor(half_edge);
                if (shell_of_[t] != none) continue;
                shell_of_[t] = shell;
                parent_edge_[t] = twin_[half_edge];
                order.push_back(t);
            }
        for (size_t i = order.size(); i-- > first;) {
            const uint32_t t = order[i];
            Sum own;
            own.count = 1;
            own.high.add_tetrahedron(vertices_[triangles_[t][0]] - center_,
                                     vertices_[triangles_[t][1]] - center_,
                                     vertices_[triangles_[t][2]] - center_);
            below_[t].add(own, 1);
            if (parent_edge_[t] != none) below_[neighbor(parent_edge_[t])].add(below_[t], 1);
        }
        shells_.push_back(
            {root, static_cast<uint32_t>(order.size() - first), below_[root].value()});
    }
}

bool Solid::contains(Vec3 point) const {
    if (!is_finite(point)) return false;
    // To a point that is outside, in a direction that no face has by design.
    const Vec3 direction{3 * (norm(point - center_) + size_), 1.1 * size_, 0.7 * size_};
    const Vec3 far = point + direction;
    int inside = 0;
    tree_.along(point - center_, direction, [&](uint32_t t) {
        const Vec3 corners[3] = {vertices_[triangles_[t][0]], vertices_[triangles_[t][1]],
                                 vertices_[triangles_[t][2]]};
        inside += passage(corners, point, far, Shift::second);
    });
    return inside > 0;
}

}  // namespace bristle::geometry
