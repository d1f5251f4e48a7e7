#include <bristle/picture.h>

#include "live/picture/light.h"
#include "live/wire/ground_source.h"
#include "live/wire/scene_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

constexpr uint32_t samples = 2;  // across and down a pixel
constexpr uint32_t shadow_size = 1024;
constexpr double tallness = 0.315;        // half the height over the distance: 35 degrees
constexpr double far_away = 5;            // radii: what flies that far is let go
const Vec3 aslant = {0.62, -0.72, 0.42};  // where one looks from

struct Bounds {
    Vec3 low, high;
    void add(Vec3 p) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    Vec3 middle() const { return 0.5 * (low + high); }
    double radius() const { return std::max(0.5 * norm(high - low), 1e-6); }
};

Vec3 vec(const google::protobuf::RepeatedField<float>& f) {
    return f.size() == 3 ? Vec3{f.Get(0), f.Get(1), f.Get(2)} : Vec3{};
}

// Corners of the box around a solid, in its body.
std::vector<Vec3> corners_of(const live::Solid& solid) {
    if (solid.corners.empty()) return {};
    Bounds box{solid.corners[0][0], solid.corners[0][0]};
    for (const auto& triangle : solid.corners)
        for (const Vec3 p : triangle) box.add(p);
    std::vector<Vec3> out;
    out.reserve(8);
    for (int i = 0; i < 8; ++i)
        out.push_back({i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                       i & 4 ? box.high.z : box.low.z});
    return out;
}

void check(const PictureOptions& options) {
    for (const uint32_t side : {options.width, options.height})
        if (side < 16 || side > 8192)
            throw InputError(fmt::format("a picture of {} × {} pixels; expected 16 … 8192 each",
                                         options.width, options.height));
    if (!is_finite(options.from) || !std::isfinite(options.distance) || options.distance < 0)
        throw InputError(
            "a picture is seen from a direction of finite numbers and a distance "
            "that is not negative");
}

}  // namespace

struct Painter::Ground {
    live::GroundNews news;
    std::vector<float> grains;
    std::vector<uint32_t> grain_colors;
};

struct Painter::Impl {
    Impl(const io::Scene& from, const PictureOptions& wanted)
        : options(wanted),
          scene(live::scene_message(from, from.model, 0)),
          parts(live::drawn_parts(scene)),
          bounds{vec(scene.low()), vec(scene.high())} {
        start_radius = bounds.radius();
        source.take(from.model);
        ground.take(scene);
        for (const live::DrawnPart& part : parts) {
            paints.push_back(part.paint);
            // What looks elsewhere is between two bodies, which are seen themselves.
            corners.push_back(part.aim ? std::vector<Vec3>() : corners_of(part.solid));
        }
        spring = static_cast<uint32_t>(paints.size());
        paints.push_back({.color = {0.42, 0.44, 0.47}, .shine = 0.8, .metal = 0.6});
        std::vector<Pose> start;
        for (const Body& b : from.model.bodies()) start.push_back({b.position, b.orientation});
        keep(start);
    }

    std::shared_ptr<const Ground> ground_of(const World& world) {
        auto out = std::make_shared<Ground>();
        ground_version = source.tell(world, ground_version, out->news);
        live::fill_grains(world, out->grains, out->grain_colors);
        return out;
    }
    void take_ground(const Ground& now) {
        ground.take(now.news);
        const live::GroundNews changed = ground.since(mirrored);
        mirrored = ground.version();
        for (live::DrawnPart& part : parts) redraw(part, changed);
        draw_heaps(ground.since(0).heaps);
        draw_grains(now.grains, now.grain_colors);
    }
    // A field that has changed, as it is now.
    void redraw(live::DrawnPart& drawn, const live::GroundNews& changed) const {
        const wire::Part& part = scene.parts(static_cast<int>(drawn.part));
        if (part.kind() != wire::Part::FIELD) return;
        const wire::Field& field = scene.fields(static_cast<int>(part.surface()));
        const auto* now = field.has_shape() ? ground.find(field.shape()) : nullptr;
        const auto is_it = [&](const auto& news) { return news.shape == field.shape(); };
        if (now == nullptr
            || (std::none_of(changed.tiles.begin(), changed.tiles.end(), is_it)
                && std::none_of(changed.places.begin(), changed.places.end(), is_it)))
            return;
        Pose at = live::pose_of(part);
        for (int k = 0; k < 3; ++k) at.position[k] = now->place.position[k];
        drawn.solid = now->place.is_away ? live::Solid{}
                                         : live::solid_of(live::surface_of(field, now->now), at);
    }
    void draw_heaps(const std::vector<live::GroundNews::Heap>& heaps) {
        loose.clear();
        for (const live::GroundNews::Heap& heap : heaps) {
            wire::Surface sheet;
            for (const int32_t value : heap.points)
                sheet.add_vertices(static_cast<float>(value)
                                   / static_cast<float>(wire::HEAP_UNITS));
            const auto points = static_cast<uint32_t>(heap.points.size() / 3);
            for (uint32_t i = 0; heap.columns > 0 && i + heap.columns + 1 < points; ++i) {
                if (i % heap.columns + 1 == heap.columns) continue;
                const uint32_t above = i + heap.columns;
                for (const uint32_t corner : {i, i + 1, above + 1, i, above + 1, above})
                    sheet.add_triangles(corner);
            }
            loose.push_back({.body = heap.body, .solid = live::solid_of(sheet, {}), .paint = {}});
            loose.back().paint.color = live::unpacked_color(heap.color);
        }
    }
    void draw_grains(const std::vector<float>& grains, const std::vector<uint32_t>& colors) {
        for (size_t i = 0; i < colors.size(); ++i) {
            const Vec3 at{grains[4 * i], grains[4 * i + 1], grains[4 * i + 2]};
            loose.push_back({.body = 0, .solid = live::clod(at, grains[4 * i + 3]), .paint = {}});
            loose.back().paint.color = live::unpacked_color(colors[i]);
        }
    }

    void keep(std::span<const Pose> poses) {
        const Vec3 middle = bounds.middle();
        for (size_t i = 0; i < parts.size(); ++i) {
            const uint32_t body = parts[i].body;
            if (body == 0 || body >= poses.size()) continue;
            const bool is_near =
                norm(poses[body].position - middle) < far_away * start_radius + start_radius;
            for (const Vec3 p : corners[i])
                if (is_near) bounds.add(poses[body] * p);
        }
    }

    std::vector<live::Floor> floors(std::span<const Pose> poses) const {
        std::vector<live::Floor> out;
        bool has_terrain = false;
        for (const wire::Part& part : scene.parts()) {
            has_terrain |= part.body() == 0
                        && (part.kind() == wire::Part::SURFACE
                            || (part.kind() == wire::Part::FIELD
                                && !scene.fields(static_cast<int>(part.surface())).is_away()));
            if (part.kind() != wire::Part::PLANE || part.body() >= poses.size()) continue;
            const Pose &body = poses[part.body()], local = live::pose_of(part);
            const Vec3 normal =
                body.orientation.matrix() * (local.orientation.matrix() * Vec3{0, 0, 1});
            out.push_back({body * local.position, normal, true});
        }
        if (out.empty() && !has_terrain) {
            const Vec3 middle = bounds.middle();
            out.push_back(
                {{middle.x, middle.y, bounds.low.z - 1e-3 * bounds.radius()}, {0, 0, 1}, false});
        }
        return out;
    }

    live::Eye eye() const {
        Vec3 from = options.from;
        const Vec3 along = vec(scene.look_along());
        // A motion in a plane is seen nearly along its normal, the ground still as a surface.
        if (norm(from) == 0 && norm(along) > 0)
            from = -along + (std::abs(along.z) < 0.5 ? Vec3{0, 0, 0.1} : Vec3{});
        if (norm(from) == 0) from = aslant;
        from = normalized(from);
        const double aspect = double(options.width) / options.height;
        const live::Eye there = live::looking_at(from, {}, tallness, aspect);
        double distance = options.distance;
        const Vec3 half = 0.5 * (bounds.high - bounds.low);
        for (int i = 0; i < 8 && options.distance == 0; ++i) {
            const Vec3 corner = there.axes.transposed()
                              * Vec3{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                     i & 4 ? half.z : -half.z};
            distance = std::max({distance, corner.z + std::abs(corner.y) / tallness,
                                 corner.z + std::abs(corner.x) / (tallness * aspect)});
        }
        distance = std::max(options.distance == 0 ? 1.08 * distance : distance, 1e-6);
        return live::looking_at(bounds.middle() + distance * from, bounds.middle(), tallness,
                                aspect);
    }

    live::Eye suns_eye() const {
        const double reach = bounds.radius();
        live::Eye eye = live::looking_at(bounds.middle() + 4 * reach * live::towards_the_sun(),
                                         bounds.middle(), 1.3 * reach, 1);
        eye.is_parallel = true;
        return eye;
    }

    void fill(std::span<const Pose> poses, live::Raster& raster) const {
        for (uint32_t i = 0; i < parts.size(); ++i)
            if (parts[i].body < poses.size()) raster.fill(parts[i].solid, parts[i].pose(poses), i);
        for (uint32_t i = 0; i < loose.size(); ++i)
            if (loose[i].body < poses.size())
                raster.fill(loose[i].solid, loose[i].pose(poses), spring + 1 + i);
        for (const wire::Link& link : scene.links()) {
            if (link.is_gone() || link.a() >= poses.size() || link.b() >= poses.size()) continue;
            const Vec3 from = poses[link.a()] * vec(link.at_a());
            const Vec3 to = poses[link.b()] * vec(link.at_b());
            const double radius = std::min(0.025 * bounds.radius(), 0.12 * norm(to - from));
            raster.fill(live::coil(from, to, radius), {}, spring);
        }
    }

    Picture paint(std::span<const Pose> poses) const {
        live::Raster seen(samples * options.width, samples * options.height, eye());
        seen.keep_surfaces();
        live::Raster shadow(shadow_size, shadow_size, suns_eye());
        fill(poses, seen);
        fill(poses, shadow);
        const std::vector<live::Floor> below = floors(poses);
        std::vector<live::Paint> all = paints;
        for (const live::DrawnPart& part : loose) all.push_back(part.paint);
        const live::Light light(seen, shadow, {bounds.middle(), bounds.radius(), below, all});
        Picture out{options.width, options.height, {}};
        out.rgb.reserve(size_t{3} * out.width * out.height);
        for (uint32_t y = 0; y < out.height; ++y)
            for (uint32_t x = 0; x < out.width; ++x) {
                Vec3 sum;
                for (uint32_t k = 0; k < samples * samples; ++k)
                    sum += light.color(samples * x + k % samples, samples * y + k / samples);
                for (const uint8_t value : live::screen_color(sum / (samples * samples)))
                    out.rgb.push_back(value);
            }
        return out;
    }

    PictureOptions options;
    wire::Scene scene;
    std::vector<live::DrawnPart> parts;
    std::vector<live::Paint> paints;         // of the parts, and of springs
    std::vector<std::vector<Vec3>> corners;  // of the boxes around the parts
    uint32_t spring = 0;
    std::vector<live::DrawnPart> loose;  // what lies or flies, after the springs
    live::GroundSource source;
    live::GroundMirror ground;
    uint64_t ground_version = 0, mirrored = 0;  // of the world, of the mirror
    Bounds bounds;
    double start_radius = 0;
};

Painter::Painter(const io::Scene& scene, const PictureOptions& options) {
    check(options);
    impl_ = std::make_unique<Impl>(scene, options);
}
Painter::~Painter() = default;
Painter::Painter(Painter&&) noexcept = default;
Painter& Painter::operator=(Painter&&) noexcept = default;
void Painter::keep_in_picture(std::span<const Pose> poses) { impl_->keep(poses); }
std::shared_ptr<const Painter::Ground> Painter::ground_of(const World& world) {
    return impl_->ground_of(world);
}
void Painter::take_ground(const Ground& ground) { impl_->take_ground(ground); }
Picture Painter::paint(std::span<const Pose> poses) const { return impl_->paint(poses); }

}  // namespace bristle
