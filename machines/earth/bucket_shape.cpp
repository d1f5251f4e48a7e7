#include "machines/earth/bucket_shape.h"

#include <bristle/error.h>

#include "geometry/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {

void check(const Model& model, const Bucket& b) {
    const auto fail = [&](const std::string& what) {
        throw InputError(fmt::format("bucket '{}': {}", b.name, what));
    };
    if (!model.contains(b.body) || b.body == Model::ground()) fail("has no body of the model");
    for (const auto* list : {&b.hull, &b.inside})
        for (Vec3 p : *list)
            if (!is_finite(p)) fail("a point is not finite");
    if (!is_finite(b.edge_left) || !is_finite(b.edge_right) || !is_finite(b.digging))
        fail("its edge is not finite");
    const Vec3 across = b.edge_right - b.edge_left;
    if (!(norm(across) > 1e-3)) fail("its edge has no length");
    if (!(norm(cross(normalized(across), b.digging)) > 1e-3 * norm(b.digging)))
        fail("`digging` lies along the edge; it points out over it");
    if (b.inside.size() < 3) fail("`inside` needs at least edge, a point within, and rim");
    if (!(norm(b.inside.back() - b.inside.front()) > 1e-3)) fail("its mouth has no width");
    if (!(b.edge_thickness > 0)) fail("edge_thickness must be positive");
    static_cast<void>(ConvexHull(b.hull));
}

BucketShape::BucketShape(const Bucket& b) {
    edge_ = 0.5 * (b.edge_left + b.edge_right);
    width_ = norm(b.edge_right - b.edge_left);
    across_ = normalized(b.edge_right - b.edge_left);
    along_ = normalized(b.digging - dot(b.digging, across_) * across_);
    normal_ = cross(across_, along_);
    double side = 0;
    for (Vec3 p : b.inside) side += dot(p - edge_, normal_);
    if (side < 0) normal_ = -normal_;
    for (Vec3 p : b.inside) {
        outline_.push_back({dot(p - edge_, along_), dot(p - edge_, normal_)});
        floor_ = std::max(floor_, -outline_.back().x);
    }
    rim_ = in_body(outline_.back());
    // Perpendicular to the mouth, away from what is inside.
    const Point a = outline_.front(), z = outline_.back();
    opening_ = normalized((z.y - a.y) * along_ - (z.x - a.x) * normal_);
    Vec3 within;
    for (Point p : outline_) within += in_body(p) - 0.5 * (edge_ + rim_);
    if (dot(within, opening_) > 0) opening_ = -opening_;
}

BucketShape::Stretches BucketShape::stretches(Vec3 up_in_body, double slope) const {
    Stretches out;
    Point up{dot(up_in_body, along_), dot(up_in_body, normal_)};
    const double size = std::hypot(up.x, up.y);
    if (!(size > 1e-6)) return out;  // it lies on its side
    up = {up.x / size, up.y / size};
    out.up = up;
    const auto s_of = [&](Point p) { return p.x * up.y - p.y * up.x; };
    const auto z_of = [&](Point p) { return p.x * up.x + p.y * up.y; };
    double low = s_of(outline_[0]), high = low;
    for (Point p : outline_) {
        low = std::min(low, s_of(p));
        high = std::max(high, s_of(p));
    }
    out.step = (high - low) / lines;
    const Point a = outline_.front(), b = outline_.back();
    for (size_t k = 0; k < lines; ++k) {
        const double s = low + (static_cast<double>(k) + 0.5) * out.step;
        struct Crossing {
            double z;
            bool is_wall;
        };
        std::array<Crossing, 16> crossings{};
        size_t count = 0;
        for (size_t i = 0; i < outline_.size() && count < crossings.size(); ++i) {
            const Point from = outline_[i], to = outline_[(i + 1) % outline_.size()];
            const double s0 = s_of(from), s1 = s_of(to);
            if ((s0 > s) == (s1 > s)) continue;
            const double share = (s - s0) / (s1 - s0);
            crossings[count++] = {z_of(from) + share * (z_of(to) - z_of(from)),
                                  i + 1 < outline_.size()};
        }
        std::sort(crossings.begin(), crossings.begin() + static_cast<std::ptrdiff_t>(count),
                  [](const Crossing& x, const Crossing& y) { return x.z < y.z; });
        const double roof = std::min(z_of(a) + std::abs(s - s_of(a)) * slope,
                                     z_of(b) + std::abs(s - s_of(b)) * slope);
        for (size_t i = 0; i + 1 < count; i += 2)
            if (crossings[i].is_wall && out.count < out.list.size())
                out.list[out.count++] = {s, crossings[i].z,
                                         crossings[i + 1].is_wall ? crossings[i + 1].z : unlimited,
                                         roof};
    }
    return out;
}

BucketShape::Load BucketShape::filled(const Stretches& all, double lowered) const {
    double area = 0, s_sum = 0, z_sum = 0;
    for (size_t i = 0; i < all.count; ++i) {
        const Stretch& t = all.list[i];
        const double top = std::min(t.roof - lowered, t.high), part = (top - t.low) * all.step;
        if (!(part > 0)) continue;
        area += part;
        s_sum += part * t.s;
        z_sum += part * 0.5 * (top + t.low);
    }
    if (!(area > 0)) return {0, edge_};
    const double s = s_sum / area, z = z_sum / area;
    return {area * width_, in_body({s * all.up.y + z * all.up.x, z * all.up.y - s * all.up.x})};
}

BucketShape::Load BucketShape::most(Vec3 up, double slope) const {
    return filled(stretches(up, slope), 0);
}

BucketShape::Load BucketShape::load(Vec3 up, double slope, double volume) const {
    const Stretches all = stretches(up, slope);
    const Load out = filled(all, 0);
    if (out.volume <= volume || all.count == 0) {
        // More than lies there as it leans: what the soil around holds in.
        if (out.volume > 0) return {volume, out.center};
        Point middle{0, 0};
        for (Point p : outline_) middle = {middle.x + p.x, middle.y + p.y};
        const auto n = static_cast<double>(outline_.size());
        return {volume, in_body({middle.x / n, middle.y / n})};
    }
    const Lowered by = lowered_to(all, volume);
    const Load last = filled(all, by.tried);
    return {volume, last.volume > 0 ? last.center : filled(all, by.low).center};
}

BucketShape::Lowered BucketShape::lowered_to(const Stretches& all, double volume) const {
    Lowered by;
    double high = 0;
    for (size_t i = 0; i < all.count; ++i)
        high = std::max(high, all.list[i].roof - all.list[i].low);
    for (int i = 0; i < 40; ++i) {
        by.tried = 0.5 * (by.low + high);
        (filled(all, by.tried).volume > volume ? by.low : high) = by.tried;
    }
    return by;
}

uint32_t BucketShape::surface(Vec3 up, double slope, double volume,
                              std::vector<Vec3>& points) const {
    constexpr std::array<double, 5> across = {-0.5, -0.25, 0, 0.25, 0.5};  // of the width
    points.clear();
    if (!(volume > 0)) return 0;
    const Stretches all = stretches(up, slope);
    const double lowered = filled(all, 0).volume > volume ? lowered_to(all, volume).low : 0;
    std::vector<std::array<Point, 2>> line;  // the surface along the bucket, and the floor below
    const auto add = [&](double s, const Stretch& t) {
        const auto at = [&](double z) {
            return Point{s * all.up.y + z * all.up.x, z * all.up.y - s * all.up.x};
        };
        line.push_back({at(std::min(t.roof - lowered, t.high)), at(t.low)});
    };
    const Stretch* last = nullptr;
    for (size_t i = 0; i < all.count; ++i) {
        const Stretch& t = all.list[i];
        if (!(std::min(t.roof - lowered, t.high) > t.low)) continue;
        // Where walls hang over, what is uppermost is seen.
        if (last != nullptr && last->s == t.s) line.pop_back();
        if (last == nullptr) add(t.s - 0.5 * all.step, t);
        add(t.s, t);
        last = &t;
    }
    if (last == nullptr) return 0;
    add(last->s + 0.5 * all.step, *last);
    const auto row = [&](size_t level, double share) {
        for (const auto& p : line)
            points.push_back(in_body(p.at(level)) + share * width_ * across_);
    };
    row(1, across.front());
    for (const double share : across) row(0, share);
    row(1, across.back());
    return static_cast<uint32_t>(line.size());
}

double BucketShape::capacity(double slope) const { return most(opening_, slope).volume; }

double BucketShape::angle(Vec3 up) const {
    // Of the mouth's normal from straight up, over the edge.
    const Vec3 to_edge = normalized(edge_ - rim_);
    const double turned = std::atan2(-dot(up, to_edge), dot(up, opening_));
    return turned < -pi / 2 + 1e-9 ? -pi - turned : pi - turned;
}

}  // namespace bristle::machines
