#include "collision/volume/sphere_overlap.h"

#include "geometry/sphere_lens.h"

#include <algorithm>
#include <limits>

namespace bristle::collision {
namespace {

constexpr uint32_t none = 0xffffffffu;
constexpr int contour_segments = 24;
// Of a grain: how far solids move before pairs are searched again. More makes longer lists.
constexpr double margin_share = 0.25;
constexpr int most_cells = 32;  // of the grid of regions, along an axis

// Of normals: one if they are opposed, zero from 60° on, and smooth.
constexpr double least_opposed = 0.5;
double facing(double opposed) {
    const double t = std::clamp((opposed - least_opposed) * (1 / 0.3), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}
// Of the depth at which columns end: one up to half of it, then falling to zero.
double reached(double share) {
    const double t = std::clamp(2 - 2 * share, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}
// T over the radius of the balls that line the faces. Measured, for blocks packed `mixed` on each other and on a plane:
// so chosen, area times depth is met to 1 % (pair) and 3 % (plane) down to half a footprint's radius. A wrong one bends the law there, and
// not where h is small.
constexpr double void_of_pair = 0.35, void_on_plane = 0.65;

// t(h) and its slope.
struct MadeUp {
    double depth, slope;
};
// Lenses of two faces begin with h³ …
MadeUp made_up_of_pair(double h, double most) {
    const double s = h / most, root = 1 / std::sqrt(1 + s * s);
    return {h * root, root * root * root};
}
// … and caps of one with h².
MadeUp made_up_on_plane(double h, double most) {
    const double root = 1 / (1 + h / most);
    return {h * root, root * root};
}

// The upper half of weight x xᵀ; full() gives the rest.
inline void add_outer(Mat3& m, double weight, Vec3 x) {
    const Vec3 w = weight * x;
    m.row[0] += w.x * x;
    m.row[1].y += w.y * x.y;
    m.row[1].z += w.y * x.z;
    m.row[2].z += w.z * x.z;
}
Mat3 full(const Mat3& m) {
    return {
        {{m.row[0], {m.row[0].y, m.row[1].y, m.row[1].z}, {m.row[0].z, m.row[1].z, m.row[2].z}}}};
}

}  // namespace

// ---- Pieces ---------------------------------------------------------------------------------------

void SphereOverlap::add_lenses(const PackedSolid& a, const PackedSolid& b) {
    const double scale = 1 / (a.filled() * b.filled());
    for (const auto& [i, j] : near_balls_.pairs()) {
        const Ball &ball = a.tree().balls()[i], &other = b.tree().balls()[j];
        const Vec3 d = position_ + rotation_ * other.center - ball.center;
        const double reach = ball.radius + other.radius, square = dot(d, d);
        if (!(square < reach * reach)) continue;
        const double distance = std::sqrt(square);
        const Vec3 to_b = distance > 0 ? d / distance : Vec3{};
        const Lens l = lens(ball.radius, other.radius, reach - distance);
        if (!(l.volume > 0)) continue;
        pieces_.push_back({scale * l.volume, ball.center + l.centroid * to_b, -to_b,
                           scale * l.axial, scale * l.across, scale * l.rim,
                           ball.center + l.plane * to_b, scale * l.rim * l.rim / (4 * pi), 0});
        ++ball_pairs_;
    }
}

void SphereOverlap::add_columns(const PackedSolid& a, const PackedSolid& b) {
    double largest = 0;
    for (const auto& [k, l] : near_footprints_.pairs()) {
        const Footprint &fa = a.footprints()[k], &fb = b.footprints()[l];
        const Vec3 d = position_ + rotation_ * fb.center - fa.center;
        const Vec3 normal_b = rotation_ * fb.normal, sum = normal_b - fa.normal;
        const double opposed = -dot(fa.normal, normal_b), along = dot(d, sum);
        if (!(opposed > least_opposed && along > 0)) continue;
        const double length = std::sqrt(2 * (1 + opposed)), h = along / length;
        const double wide = PackedSolid::spread * (fa.radius + fb.radius), wide2 = wide * wide;
        const double rho2 = std::max(dot(d, d) - h * h, 0.0);
        if (!(rho2 < wide2 && h < PackedSolid::deep * wide)) continue;
        // Columns that are not parallel reach farther than their spheres (by less than 1 % up to 11°): those pairs
        // must not depend on whether the list has them for its margin.
        if (opposed < 0.98) {
            const Ball &ball = a.footprint_tree().balls()[k],
                       &other = b.footprint_tree().balls()[l];
            const double reach = ball.radius + other.radius;
            const Vec3 e = position_ + rotation_ * other.center - ball.center;
            if (!(dot(e, e) < reach * reach)) continue;
        }
        const Vec3 n = (1 / length) * sum;
        const double q = (wide2 - rho2) / wide2;
        const double o = fa.area * fb.area * 4 / (pi * wide2) * q * q * q * facing(opposed)
                       * reached(h / (PackedSolid::deep * wide));
        const MadeUp t = made_up_of_pair(h, void_of_pair * (fa.lining + fb.lining));
        const double volume = o * t.depth, area = o * t.slope;
        const double across = (fa.radius * fa.radius + fb.radius * fb.radius - wide2 / 5) / 8;
        const Vec3 middle = fa.center + 0.5 * d;
        pieces_.push_back({volume, middle, n, volume * h * h / 12, volume * across, area, middle,
                           area * across, 0});
        if (volume > largest) {
            largest = volume;
            face_a_ = fa.face;
            face_b_ = fb.face;
        }
        ++footprint_pairs_;
    }
}

// The half-space is in a's frame.
void SphereOverlap::add_caps(const PackedSolid& a, const HalfSpace& b) {
    const auto height = [&](Vec3 x) { return dot(b.normal, x) - b.offset; };
    const auto visit = [&](const SphereTree& tree, const auto& each) {
        for (uint32_t i = 0; i < tree.nodes().size();) {
            const SphereTree::Node& node = tree.nodes()[i];
            if (!(height(node.center) < node.radius)) {
                i = node.skip;
                continue;
            }
            for (uint32_t k = node.first; node.is_leaf(i) && k < node.first + node.count; ++k)
                each(k);
            ++i;
        }
    };
    visit(a.tree(), [&](uint32_t i) {
        const Ball& ball = a.tree().balls()[i];
        const double z = height(ball.center), r = ball.radius, h = std::min(r - z, 2 * r);
        if (!(h > 0)) return;
        const CapMoments cap = cap_moments(r, h);
        const double scale = 1 / a.filled(), rim = pi * h * (2 * r - h),
                     mean = cap.volume > 0 ? cap.first / cap.volume : 0;
        const Vec3 foot = ball.center - (r - h) * b.normal;
        pieces_.push_back({scale * cap.volume, foot - mean * b.normal, b.normal,
                           scale * (cap.axial - cap.first * mean), scale * cap.across, scale * rim,
                           foot, scale * rim * rim / (4 * pi), 0});
        ++ball_pairs_;
    });
    double largest = 0;
    visit(a.footprint_tree(), [&](uint32_t k) {
        const Footprint& f = a.footprints()[k];
        const double opposed = -dot(f.normal, b.normal), middle = -height(f.center),
                     deep = 2 * PackedSolid::deep * PackedSolid::spread * f.radius;
        if (!(opposed > least_opposed && middle < deep)) return;
        // Depths are spread evenly about that of the middle, with the variance of a disc that is tilted and bent.
        const double tilt = std::max(1 - opposed * opposed, 0.0),
                     half = std::sqrt(3 * (tilt * f.radius * f.radius / 4 + f.bend));
        if (!(middle > -half)) return;
        const bool is_whole = middle >= half;
        const double wet = is_whole ? 1 : (middle + half) / (2 * half),
                     h = is_whole ? middle : wet * wet * half;
        const double o = f.area * opposed * facing(opposed) * reached(h / deep),
                     // The wet part of a disc is narrower one way.
            across = f.radius * f.radius * (1 + wet * wet) / 8;
        const MadeUp t = made_up_on_plane(h, void_on_plane * f.lining);
        const double volume = o * t.depth, area = o * t.slope * wet;
        const Vec3 foot = f.center + middle * b.normal;
        pieces_.push_back({volume, foot - 0.5 * h * b.normal, b.normal, volume * h * h / 12,
                           volume * across, area, foot, area * across, 0});
        if (volume > largest) {
            largest = volume;
            face_a_ = f.face;
        }
        ++footprint_pairs_;
    });
}

// ---- Regions --------------------------------------------------------------------------------------

// Pieces in one cell of a grid, or in neighbouring ones, are one region. Cells are `link` wide, or more if the pieces
// are spread over more than the grid has.
void SphereOverlap::find_regions(double link) {
    Vec3 low = pieces_[0].centroid, high = low;
    for (const Piece& piece : pieces_)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], piece.centroid[k]);
            high[k] = std::max(high[k], piece.centroid[k]);
        }
    const Vec3 extent = high - low;
    const double cell = std::max(link, std::max({extent.x, extent.y, extent.z}) / (most_cells - 1));
    constexpr int n = most_cells + 1;  // a border of empty cells saves asking for the edge
    constexpr size_t width = static_cast<size_t>(n) + 1;
    cells_.resize(width * width * width, none);
    used_.clear();
    const auto cell_of = [&](Vec3 p) {
        std::array<size_t, 3> c{};
        for (int k = 0; k < 3; ++k)
            c[static_cast<size_t>(k)] =
                1 + std::min(static_cast<size_t>((p[k] - low[k]) / cell), size_t{most_cells - 1});
        return static_cast<uint32_t>((c[2] * width + c[1]) * width + c[0]);
    };
    constexpr uint32_t unseen = none - 1;
    for (Piece& piece : pieces_) {
        piece.region = cell_of(piece.centroid);
        if (cells_[piece.region] == none) {
            cells_[piece.region] = unseen;
            used_.push_back(piece.region);
        }
    }
    regions_.clear();
    for (const uint32_t start : used_) {
        if (cells_[start] != unseen) continue;
        const auto region = static_cast<uint32_t>(regions_.size());
        regions_.emplace_back();
        cells_[start] = region;
        queue_.assign(1, start);
        while (!queue_.empty()) {
            const uint32_t at = queue_.back();
            queue_.pop_back();
            for (uint32_t near = 0; near < 27; ++near) {
                const auto w = static_cast<uint32_t>(width);
                const uint32_t next =
                    at + near % 3 + w * (near / 3 % 3) + w * w * (near / 9) - 1 - w - w * w;
                if (cells_[next] != unseen) continue;
                cells_[next] = region;
                queue_.push_back(next);
            }
        }
    }
    for (Piece& piece : pieces_) {
        piece.region = cells_[piece.region];
        Region& region = regions_[piece.region];
        region.volume += piece.volume;
        region.first += piece.volume * (piece.centroid - low);
        region.area += piece.area * piece.axis;
    }
    for (const uint32_t at : used_) cells_[at] = none;
    for (Region& region : regions_)
        region.centroid = low + (region.volume > 0 ? region.first / region.volume : Vec3{});
}

// A region goes on with the number of the nearest one found last, if that is near; else it takes the least free.
void SphereOverlap::follow_regions(double link) {
    by_volume_.clear();
    for (uint32_t i = 0; i < regions_.size(); ++i)
        if (regions_[i].volume > 0) by_volume_.push_back(i);
    std::sort(by_volume_.begin(), by_volume_.end(), [&](uint32_t i, uint32_t j) {
        return regions_[i].volume != regions_[j].volume ? regions_[i].volume > regions_[j].volume
                                                        : i < j;
    });
    for (const uint32_t i : by_volume_) {
        Region* nearest = nullptr;
        // A single region may be as long as the body: its centroid may jump by much as an edge lifts off.
        double least = by_volume_.size() == 1 && last_.size() == 1
                         ? std::numeric_limits<double>::infinity()
                         : 4 * link;
        for (Region& old : last_) {
            const double distance = norm(old.centroid - regions_[i].centroid);
            if (old.volume > 0 && distance < least) {
                least = distance;
                nearest = &old;
            }
        }
        regions_[i].feature = nearest ? nearest->feature : none;
        if (nearest) nearest->volume = 0;  // taken
    }
    uint32_t free = 0;
    for (const uint32_t i : by_volume_) {
        if (regions_[i].feature != none) continue;
        const auto is_taken = [&] {
            return std::any_of(by_volume_.begin(), by_volume_.end(),
                               [&](uint32_t j) { return regions_[j].feature == free; });
        };
        while (is_taken()) ++free;
        regions_[i].feature = free;
    }
    last_.clear();
    for (const uint32_t i : by_volume_) last_.push_back(regions_[i]);
}

// ---- Patches --------------------------------------------------------------------------------------

// `otherwise`: the normal, in a's frame, where discs look all ways (one solid inside the other).
void SphereOverlap::emit(const Placement& at_a, Vec3 otherwise, Patches& out) {
    for (Region& region : regions_) {
        region.length = norm(region.area);
        region.normal = region.length > 0 ? region.area / region.length : otherwise;
    }
    for (const Piece& p : pieces_) {
        Region& region = regions_[p.region];
        const Vec3 x = p.centroid - region.centroid, y = p.area_center - region.centroid;
        add_outer(region.second, p.volume, x);
        add_outer(region.second, p.axial - p.across, p.axis);
        region.isotropic += p.across;
        // Seen along the normal.
        const double weight = p.area * dot(p.axis, region.normal);
        region.area_first += weight * y;
        add_outer(region.area_second, weight, y);
        region.area_isotropic += weight > 0 ? p.area_across : -p.area_across;
        region.discs += p.area;
    }
    const size_t first_patch = out.patches.size();
    for (const uint32_t i : by_volume_) {
        Region& region = regions_[i];
        const double length = region.length;
        const Vec3 n = region.normal;
        const Mat3 second = full(region.second) + region.isotropic * Mat3::identity();
        ContactPatch patch;
        patch.volume = region.volume;
        patch.feature = region.feature;
        patch.face_a = face_a_;
        patch.face_b = face_b_;
        const Mat3& r = at_a.rotation;
        const Mat3 inertia = second.trace() * Mat3::identity() - second;
        patch.centroid = at_a.position + r * region.centroid;
        patch.inertia = r * inertia * r.transposed();
        // Discs all around a ball inside another solid cancel but for rounding.
        const bool is_open = length > 1e-9 * region.discs;
        patch.normal = r * (is_open ? n : otherwise);
        patch.area_center = patch.centroid;
        if (is_open) {
            patch.area = length;
            const Vec3 mean = region.area_first / length, s = mean - dot(mean, n) * n;
            const Mat3 flat = Mat3::identity() - Mat3::outer(n, n);
            const Mat3 about = full(region.area_second) + region.area_isotropic * Mat3::identity()
                             - length * Mat3::outer(mean, mean);
            const Mat3 moment = flat * about * flat;
            patch.area_center = patch.centroid + r * s;
            patch.area_moment = r * moment * r.transposed();
        }
        out.patches.push_back(patch);
    }
    for (size_t i = first_patch; i < out.patches.size(); ++i) emit_contour(out.patches[i], out);
}

// The ellipse with the area's second moments per area: semi-axes 2 √(M/S).
void SphereOverlap::emit_contour(ContactPatch& patch, Patches& out) const {
    patch.first_segment = static_cast<uint32_t>(out.contour.size());
    if (!(patch.area > 0)) return;
    const Vec3 n = patch.normal, u = any_perpendicular(n), v = cross(n, u);
    const double uu = dot(u, patch.area_moment * u) / patch.area,
                 uv = dot(u, patch.area_moment * v) / patch.area,
                 vv = dot(v, patch.area_moment * v) / patch.area;
    const double angle = 0.5 * std::atan2(2 * uv, uu - vv), mean = (uu + vv) / 2,
                 half = std::hypot((uu - vv) / 2, uv);
    // A polygon of m corners on the ellipse has (2 + cos(2π/m))/3 of its moments per area.
    const double step = 2 * pi / contour_segments, corner = 2 * std::sqrt(3 / (2 + std::cos(step)));
    const Vec3 along = corner * std::sqrt(std::max(mean + half, 0.0))
                     * (std::cos(angle) * u + std::sin(angle) * v),
               beside = corner * std::sqrt(std::max(mean - half, 0.0))
                      * (std::cos(angle) * v - std::sin(angle) * u);
    const auto at = [&](int k) {
        return patch.area_center + std::cos(k * step) * along + std::sin(k * step) * beside;
    };
    Vec3 last = at(0);
    const Vec3 first = last;
    for (int k = 1; k <= contour_segments; ++k) {
        const Vec3 next = k == contour_segments ? first : at(k);
        out.contour.push_back({last, next});
        last = next;
    }
    patch.segments = contour_segments;
}

void SphereOverlap::find(const PackedSolid& a, const Placement& at_a, const PackedSolid& b,
                         const Placement& at_b, Patches& out) {
    pieces_.clear();
    ball_pairs_ = footprint_pairs_ = 0;
    face_a_ = face_b_ = none;
    if (a.tree().is_empty() || b.tree().is_empty() || !is_finite(at_a) || !is_finite(at_b)) {
        last_.clear();
        return;
    }
    const Mat3 back = at_a.rotation.transposed();
    rotation_ = back * at_b.rotation;
    position_ = back * (at_b.position - at_a.position);
    const double margin = margin_share * std::min(a.grain(), b.grain());
    near_balls_.update(a.tree(), b.tree(), rotation_, position_, margin);
    near_footprints_.update(a.footprint_tree(), b.footprint_tree(), rotation_, position_, margin);
    add_lenses(a, b);
    add_columns(a, b);
    if (pieces_.empty()) {
        last_.clear();
        return;
    }
    const double link = 2 * (a.grain() + b.grain());
    find_regions(link);
    follow_regions(link);
    const Vec3 apart =
        a.tree().nodes()[0].center - (position_ + rotation_ * b.tree().nodes()[0].center);
    emit(at_a, norm(apart) > 0 ? normalized(apart) : Vec3{0, 0, 1}, out);
}

void SphereOverlap::find(const PackedSolid& a, const Placement& at_a, const HalfSpace& b,
                         Patches& out) {
    pieces_.clear();
    ball_pairs_ = footprint_pairs_ = 0;
    face_a_ = face_b_ = none;
    if (a.tree().is_empty() || !is_finite(at_a) || !bristle::is_finite(b.normal)
        || !std::isfinite(b.offset)) {
        last_.clear();
        return;
    }
    const Mat3 back = at_a.rotation.transposed();
    const HalfSpace here = {back * b.normal, b.offset - dot(b.normal, at_a.position)};
    add_caps(a, here);
    if (pieces_.empty()) {
        last_.clear();
        return;
    }
    const double link = 4 * a.grain();
    find_regions(link);
    follow_regions(link);
    emit(at_a, here.normal, out);
}

}  // namespace bristle::collision
