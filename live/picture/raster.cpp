#include "live/picture/raster.h"

#include <algorithm>
#include <cmath>

namespace bristle::live {
namespace {

constexpr double nearest =
    1e-3;  // of the distance of the eye's height at 1: nothing nearer is drawn

struct Projected {
    double x, y;     // points of the picture
    double inverse;  // of the depth; 1 of a parallel view
    double depth;
};

}  // namespace

Eye looking_at(Vec3 from, Vec3 at, double tall, double aspect) {
    const Vec3 back = normalized(from - at);
    const Vec3 up = std::abs(back.z) > 0.999 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 right = normalized(cross(up, back));
    return {from, Mat3::columns(right, cross(back, right), back), tall, aspect, false};
}

Vec3 Raster::ray(uint32_t x, uint32_t y) const {
    const double u = (2 * (x + 0.5) / width_ - 1) * eye_.tall * eye_.aspect;
    const double v = (1 - 2 * (y + 0.5) / height_) * eye_.tall;
    return eye_.axes * Vec3{u, v, -1};
}

void Raster::fill(const Solid& solid, const Pose& pose, uint32_t which) {
    const Mat3 turn = pose.orientation.matrix(), to_eye = eye_.axes.transposed();
    const Mat3 both = to_eye * turn;
    const Vec3 origin = to_eye * (pose.position - eye_.position);
    for (size_t i = 0; i < solid.corners.size(); ++i) {
        std::array<Corner, 3> corners;
        for (size_t k = 0; k < 3; ++k)
            corners[k] = {origin + both * solid.corners[i][k], turn * solid.normals[i][k]};
        clip(corners, which);
    }
}

// What reaches behind the eye is cut off before it.
void Raster::clip(const std::array<Corner, 3>& corners, uint32_t which) {
    const double least = eye_.is_parallel ? -std::numeric_limits<double>::infinity() : nearest;
    const auto depth = [](const Corner& c) { return -c.at.z; };
    std::array<Corner, 4> kept;
    size_t count = 0;
    for (size_t k = 0; k < 3; ++k) {
        const Corner &a = corners[k], &b = corners[(k + 1) % 3];
        const bool is_in = depth(a) >= least;
        if (is_in) kept[count++] = a;
        if (is_in == (depth(b) >= least)) continue;
        const double share = (least - depth(a)) / (depth(b) - depth(a));
        kept[count++] = {a.at + share * (b.at - a.at), a.normal + share * (b.normal - a.normal)};
    }
    for (size_t k = 2; k < count; ++k) fill({kept[0], kept[k - 1], kept[k]}, which);
}

void Raster::fill(const std::array<Corner, 3>& corners, uint32_t which) {
    std::array<Projected, 3> p;
    for (size_t k = 0; k < 3; ++k) {
        const Vec3 at = corners[k].at;
        const double inverse = eye_.is_parallel ? 1 : -1 / at.z;
        p[k] = {0.5 * width_ * (1 + at.x * inverse / (eye_.tall * eye_.aspect)),
                0.5 * height_ * (1 - at.y * inverse / eye_.tall), inverse, -at.z};
    }
    const auto edge = [](const Projected& a, const Projected& b, double x, double y) {
        return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    };
    const double area = edge(p[0], p[1], p[2].x, p[2].y);
    if (area == 0 || !std::isfinite(area)) return;
    const auto from = [](double low) { return static_cast<int64_t>(std::ceil(low - 0.5)); };
    const auto [x_low, x_high] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [y_low, y_high] = std::minmax({p[0].y, p[1].y, p[2].y});
    if (x_high < 0 || y_high < 0 || x_low > width_ || y_low > height_) return;
    const int64_t x0 = std::max<int64_t>(0, from(x_low)),
                  x1 = std::min<int64_t>(width_, from(std::min(x_high, 1e9)));
    const int64_t y0 = std::max<int64_t>(0, from(y_low)),
                  y1 = std::min<int64_t>(height_, from(std::min(y_high, 1e9)));
    for (int64_t y = y0; y < y1; ++y)
        for (int64_t x = x0; x < x1; ++x) {
            const double px = double(x) + 0.5, py = double(y) + 0.5;
            const double a = edge(p[1], p[2], px, py) / area, b = edge(p[2], p[0], px, py) / area;
            const double c = 1 - a - b;
            if (a < 0 || b < 0 || c < 0) continue;
            // Depth and normal go evenly along the triangle, not along its picture.
            const double inverse = a * p[0].inverse + b * p[1].inverse + c * p[2].inverse;
            const double depth =
                eye_.is_parallel ? a * p[0].depth + b * p[1].depth + c * p[2].depth : 1 / inverse;
            const size_t at = static_cast<size_t>(y) * width_ + static_cast<size_t>(x);
            if (depth >= depth_[at]) continue;
            depth_[at] = static_cast<float>(depth);
            if (which_.empty()) continue;
            which_[at] = which;
            const Vec3 n = a * p[0].inverse * corners[0].normal
                         + b * p[1].inverse * corners[1].normal
                         + c * p[2].inverse * corners[2].normal;
            normal_[at] = {float(n.x), float(n.y), float(n.z)};
        }
}

}  // namespace bristle::live
