#include "collision/volume/half_space_overlap.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {

double HalfSpaceOverlap::height(uint32_t v) {
    if (height_in_[v] != round_) {
        height_in_[v] = round_;
        height_[v] = dot(normal_, solid_->vertices()[v]) - offset_;
    }
    return height_[v];
}

void HalfSpaceOverlap::find(const Solid& solid, const Placement& at, const HalfSpace& half_space,
                            Patches& out) {
    for (uint32_t t : triangles_)
        if (t < place_.size()) place_[t] = Solid::none;
    triangles_.clear();
    segments_.clear();
    regions_.clear();
    if (!is_finite(at.position) || !is_finite(half_space.normal)
        || !std::isfinite(half_space.offset))
        return;
    solid_ = &solid;
    height_.resize(solid.vertices().size());
    height_in_.resize(solid.vertices().size(), 0);
    place_.resize(solid.triangles().size(), Solid::none);
    ++round_;
    normal_ = at.rotation.transposed() * half_space.normal;
    offset_ = half_space.offset - dot(half_space.normal, at.position);
    origin_ = solid.center() - (dot(normal_, solid.center()) - offset_) * normal_;
    visit();
    if (triangles_.empty()) return;

    const auto count = static_cast<uint32_t>(triangles_.size());
    together_.reset(count);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < 3; ++k) {
            const auto& v = solid.triangles()[triangles_[i]];
            if (!(height(v[k]) < 0 || height(v[(k + 1) % 3]) < 0)) continue;
            const uint32_t neighbor = place_[solid.neighbor(3 * triangles_[i] + k)];
            if (neighbor < i) together_.unite(i, neighbor);
        }
    region_of_.assign(count, Solid::none);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t root = together_.find(i);
        if (region_of_[root] == Solid::none) {
            region_of_[root] = static_cast<uint32_t>(regions_.size());
            regions_.push_back({{}, triangles_[i]});
        }
        region_of_[i] = region_of_[root];
    }
    // On the contour, so that what cancels is small.
    if (!segments_.empty()) origin_ = segments_[0].from;
    add_parts();
    write(at, half_space, out);
}

// Triangles with a corner below, and the contour where they pass through the plane.
void HalfSpaceOverlap::visit() {
    const SolidTree& tree = solid_->tree();
    const Vec3 n = normal_;
    const double level = offset_ - dot(normal_, solid_->center());
    const Wide nx = wide(static_cast<float>(n.x)), ny = wide(static_cast<float>(n.y)),
               nz = wide(static_cast<float>(n.z));
    const auto size = [](double x) { return wide(static_cast<float>(std::abs(x)) + 1e-6F); };
    const Wide sx = size(n.x), sy = size(n.y), sz = size(n.z);
    const Wide top = wide(static_cast<float>(level + 1e-6 * (std::abs(level) + solid_->size())));
    stack_.clear();
    stack_.push_back(tree.root());
    while (!stack_.empty()) {
        const uint32_t next = stack_.back();
        stack_.pop_back();
        if (!(next & SolidTree::leaf)) {
            const SolidTree::Node& node = tree.nodes()[next];
            // Negative where the lowest corner is above.
            const Wide lowest =
                fma(nx, node.center[0], fma(ny, node.center[1], nz * node.center[2]))
                - fma(sx, node.half[0], fma(sy, node.half[1], sz * node.half[2]));
            const Wide room = top - lowest;
            for (unsigned m = static_cast<unsigned>(_mm256_movemask_ps((__m256)room)) ^ 0xffu;
                 m != 0; m &= m - 1)
                stack_.push_back(node.child[static_cast<size_t>(__builtin_ctz(m))]);
            continue;
        }
        const uint32_t t = next & ~SolidTree::leaf;
        const auto& v = solid_->triangles()[t];
        const double h[3] = {height(v[0]), height(v[1]), height(v[2])};
        if (!(h[0] < 0 || h[1] < 0 || h[2] < 0)) continue;
        place_[t] = static_cast<uint32_t>(triangles_.size());
        triangles_.push_back(t);
        if (h[0] < 0 && h[1] < 0 && h[2] < 0) continue;
        Segment s{{}, {}, place_[t]};
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t i = k, j = (k + 1) % 3;
            if ((h[i] < 0) == (h[j] < 0)) continue;
            // From the lower to the higher number, so that both triangles of the edge get the same point.
            const bool forward = v[i] < v[j];
            const uint32_t a = forward ? i : j, b = forward ? j : i;
            const Vec3 p = solid_->vertices()[v[a]], q = solid_->vertices()[v[b]];
            const Vec3 point = p + (h[a] / (h[a] - h[b])) * (q - p);
            // Where the edge goes down the contour, run round the plane's part, begins.
            (h[j] < 0 ? s.from : s.to) = point;
        }
        segments_.push_back(s);
    }
}

void HalfSpaceOverlap::add_parts() {
    for (uint32_t i = 0; i < triangles_.size(); ++i) {
        const auto& v = solid_->triangles()[triangles_[i]];
        if (!(height(v[0]) < 0 && height(v[1]) < 0 && height(v[2]) < 0)) continue;
        regions_[region_of_[i]].moments.add_tetrahedron(solid_->vertices()[v[0]] - origin_,
                                                        solid_->vertices()[v[1]] - origin_,
                                                        solid_->vertices()[v[2]] - origin_);
    }
    // Of one that is cut: the corners below, between where the border comes up and where it went down.
    for (const Segment& s : segments_) {
        const auto& v = solid_->triangles()[triangles_[s.triangle]];
        VolumeMoments& sum = regions_[region_of_[s.triangle]].moments;
        const Vec3 down = s.from - origin_, up = s.to - origin_;
        uint32_t first = 0;  // of the corners below, counter-clockwise
        while (!(height(v[first]) < 0) || height(v[(first + 2) % 3]) < 0) ++first;
        const Vec3 a = solid_->vertices()[v[first]] - origin_;
        const uint32_t next = v[(first + 1) % 3];
        if (height(next) < 0) {
            const Vec3 b = solid_->vertices()[next] - origin_;
            sum.add_tetrahedron(down, a, b);
            sum.add_tetrahedron(down, b, up);
        } else {
            sum.add_tetrahedron(down, a, up);
        }
    }
}

void HalfSpaceOverlap::write(const Placement& at, const HalfSpace& half_space, Patches& out) {
    const auto to_world = [&](Vec3 p) { return at.position + at.rotation * p; };
    const auto larger = [&](uint32_t x, uint32_t y) {
        const double vx = regions_[x].moments.volume, vy = regions_[y].moments.volume;
        return vx != vy ? vx > vy : x < y;
    };
    order_.clear();
    for (uint32_t r = 0; r < regions_.size(); ++r) order_.push_back(r);
    std::sort(order_.begin(), order_.end(), larger);
    const uint32_t largest = order_[0];
    for (uint32_t r : order_)
        if (r != largest && regions_[r].moments.volume < 0)
            regions_[largest].moments += regions_[r].moments;
    uint32_t feature = 0;
    for (uint32_t r : order_) {
        const VolumeMoments& m = regions_[r].moments;
        if (!(m.volume > 0)) break;
        ContactPatch p;
        p.volume = m.volume;
        p.centroid = to_world(origin_ + m.first / m.volume);
        p.inertia = at.rotation * m.inertia_about_centroid() * at.rotation.transposed();
        p.feature = feature++;
        p.face_a = solid_->source(regions_[r].face);
        p.first_segment = static_cast<uint32_t>(out.contour.size());
        for (const Segment& s : segments_) {
            const uint32_t of = region_of_[s.triangle];
            if (of != r && !(r == largest && regions_[of].moments.volume < 0)) continue;
            out.contour.push_back({to_world(s.from), to_world(s.to)});
            ++p.segments;
        }
        measure_contour(p, out.contour.data(), half_space.normal);
        out.patches.push_back(p);
    }
}

}  // namespace bristle::collision
