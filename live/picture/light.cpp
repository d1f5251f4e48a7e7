#include "live/picture/light.h"

#include <algorithm>
#include <cmath>

namespace bristle::live {
namespace {

// Of light, over that which makes white of white.
constexpr double sun = 0.78, sky_above = 0.5, sky_below = 0.26;
const Vec3 warm{1.05, 1.0, 0.92}, cool{0.94, 0.99, 1.08};
const Vec3 sky_top = linear_color({0.81, 0.86, 0.91});
const Vec3 sky_bottom = linear_color({0.965, 0.973, 0.98});
const Vec3 ground = linear_color({0.89, 0.9, 0.918});
const Vec3 ground_line = linear_color({0.545, 0.592, 0.647});
constexpr double shadow_of_floor = 0.45;
constexpr double cells = 5;  // of the grid in the radius of the scene, at most twice as many

Vec3 mix(Vec3 a, Vec3 b, double share) { return a + share * (b - a); }
Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
double smooth(double from, double to, double x) {
    const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

// 1, 2 or 5 times a power of ten, not above.
double round_down(double x) {
    const double power = std::pow(10, std::floor(std::log10(x)));
    return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
}

// How much of a pixel lines at whole numbers cover; none where they would be a haze.
double lines(double a, double b, double pixel, double width) {
    const auto cover = [&](double at) {
        const double gap = std::abs(at - std::round(at)) / pixel;
        return std::clamp(0.5 * width + 0.5 - gap, 0.0, 1.0);
    };
    return std::max(cover(a), cover(b)) * (1 - smooth(0.1, 0.4, pixel));
}

}  // namespace

Vec3 towards_the_sun() { return normalized({0.45, -0.55, 1}); }

std::array<uint8_t, 3> screen_color(Vec3 linear) {
    std::array<uint8_t, 3> out;
    for (int i = 0; i < 3; ++i) {
        // What is brighter than white becomes it gently.
        const double v = linear[i] < 0.8 ? linear[i] : 1 - 0.2 * std::exp(-(linear[i] - 0.8) / 0.2);
        const double s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
        out[i] = static_cast<uint8_t>(std::lround(255 * std::clamp(s, 0.0, 1.0)));
    }
    return out;
}

Vec3 Light::sky(uint32_t y) const {
    return mix(sky_top, sky_bottom, std::min(1.0, y / (0.75 * seen_.height())));
}

double Light::sunlit(Vec3 at, Vec3 normal) const {
    const Eye& eye = sun_.eye();
    const double texel = 2 * eye.tall / sun_.height();
    const Vec3 p = eye.local(at + 2 * texel * normal);
    const auto x = static_cast<int64_t>(std::floor(0.5 * sun_.width() * (1 + p.x / eye.tall)));
    const auto y = static_cast<int64_t>(std::floor(0.5 * sun_.height() * (1 - p.y / eye.tall)));
    // The mean of neighbours: a soft edge.
    int bright = 0;
    for (int64_t j = y - 1; j <= y + 1; ++j)
        for (int64_t i = x - 1; i <= x + 1; ++i) {
            const bool is_outside = i < 0 || j < 0 || i >= sun_.width() || j >= sun_.height();
            bright += is_outside
                   || -p.z <= sun_.depth(static_cast<size_t>(j) * sun_.width()
                                         + static_cast<size_t>(i))
                                  + texel;
        }
    return bright / 9.0;
}

Vec3 Light::lit(const Paint& paint, Vec3 at, Vec3 normal, Vec3 way) const {
    const Vec3 to_sun = towards_the_sun();
    const double cosine = dot(normal, to_sun);
    const double sunshine = cosine > 0 ? sun * cosine * sunlit(at, normal) : 0;
    const double up = 0.5 + 0.5 * normal.z;
    const Vec3 ambient = (sky_below + up * (sky_above - sky_below)) * cool;
    Vec3 color = times(paint.color, sunshine * warm + ambient);
    const Vec3 mirrored = way - 2 * dot(way, normal) * normal;
    if (paint.metal > 0) {
        // A horizon is all that there is to mirror.
        const Vec3 mirror = mix(0.32 * cool, 1.15 * cool, smooth(-0.15, 0.3, mirrored.z));
        color = mix(color, times(paint.color, mirror), 0.55 * paint.metal);
    }
    if (sunshine > 0 && paint.shine > 0) {
        const double gleam = std::pow(std::max(0.0, dot(mirrored, to_sun)), 24 + 60 * paint.shine);
        color += 0.5 * paint.shine * gleam * Vec3{1, 1, 1};
    }
    return color;
}

Vec3 Light::of_floor(const Floor& floor, Vec3 at, double away, Vec3 behind, double pixel) const {
    const Vec3 u = any_perpendicular(floor.normal), v = cross(floor.normal, u);
    const double cell = round_down(around_.radius / (0.5 * cells));
    const double a = dot(at - floor.point, u) / cell, b = dot(at - floor.point, v) / cell;
    const double line = std::max(0.35 * lines(a, b, pixel / cell, 1),
                                 0.6 * lines(a / 5, b / 5, pixel / (5 * cell), 1.4));
    const double shadow = shadow_of_floor * (1 - sunlit(at, floor.normal));
    const double fade = 1 - smooth(0.18, 0.95, away / (14 * around_.radius));
    if (!floor.is_solid) {
        const Vec3 lined = mix(behind, ground_line, 0.5 * line * fade);
        return mix(lined, Vec3{}, 0.6 * shadow * fade);
    }
    const Vec3 base = (1 - shadow) * mix(ground, ground_line, 0.45 * line);
    return mix(behind, base, fade);
}

Vec3 Light::color(uint32_t x, uint32_t y) const {
    const size_t i = size_t{y} * seen_.width() + x;
    const Vec3 ray = seen_.ray(x, y), eye = seen_.eye().position;
    const double stretch = norm(ray);  // of a ray, m for a depth of 1 m
    double depth = seen_.depth(i);
    Vec3 out = sky(y);
    if (std::isfinite(depth)) {
        const auto& n = seen_.normal(i);
        Vec3 normal = normalized({n[0], n[1], n[2]});
        if (dot(normal, ray) > 0) normal = -normal;  // its back
        out = lit(around_.paints[seen_.which(i)], eye + depth * ray, normal, ray / stretch);
    }
    // From the farthest floor to the nearest, as far as they are before what is seen.
    const double pixel = 2 * seen_.eye().tall / seen_.height();
    std::vector<std::pair<double, const Floor*>> crossed;
    for (const Floor& floor : around_.floors) {
        const double down = -dot(ray, floor.normal);
        if (down <= 0) continue;
        const double t = dot(eye - floor.point, floor.normal) / down;
        if (t > 0 && t < depth) crossed.push_back({t, &floor});
    }
    std::sort(crossed.begin(), crossed.end(), [](auto& a, auto& b) { return a.first > b.first; });
    for (const auto& [t, floor] : crossed) {
        // A pixel covers more of what it is seen along.
        const double lean = std::max(0.02, -dot(ray, floor->normal) / stretch);
        out = of_floor(*floor, eye + t * ray, t * stretch, out, pixel * t * stretch / lean);
    }
    return out;
}

}  // namespace bristle::live
