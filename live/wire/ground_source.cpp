#include "live/wire/ground_source.h"

#include "io/sketch.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace bristle::live {
namespace {

template <class Sights> void ask_processes(const World& world, ProcessSight what, Sights& sights) {
    const Model& model = world.model();
    for (uint32_t i = 0; i < model.processes().size(); ++i)
        if (model.contains(ProcessId{i}))
            model.processes()[i]->show(world, world.memory(ProcessId{i}), what, sights);
}

struct Soil {
    uint32_t color = 0;
    std::vector<uint8_t> is_seen;
};

struct Lying final : ProcessSights {
    explicit Lying(GroundNews& out) : news(out) {}
    void grain(Vec3, double, Vec3) override {}
    void heap(BodyId body, uint32_t columns, std::span<const Vec3> points, Vec3 color) override {
        GroundNews::Heap heap{.index = count++,
                              .body = body.index,
                              .columns = points.empty() ? 0 : columns,
                              .points = {},
                              .color = packed_color(color)};
        heap.points.reserve(3 * points.size());
        for (const Vec3 p : points)
            for (int k = 0; k < 3; ++k)
                heap.points.push_back(static_cast<int32_t>(std::lround(std::clamp(
                    p[k] * static_cast<double>(wire::HEAP_UNITS), -2147483647.0, 2147483647.0))));
        news.heaps.push_back(std::move(heap));
    }
    void soil(ShapeId field, Vec3 color, std::span<const uint8_t> is_seen) override {
        soils[field.index] = {packed_color(color), {is_seen.begin(), is_seen.end()}};
    }
    GroundNews& news;
    uint32_t count = 0;
    std::map<uint32_t, Soil> soils;  // by fields
};

struct Flying final : ProcessSights {
    Flying(std::vector<float>& to, std::vector<uint32_t>& of) : grains(to), colors(of) {}
    void grain(Vec3 at, double radius, Vec3 color) override {
        grains.insert(grains.end(), {static_cast<float>(at.x), static_cast<float>(at.y),
                                     static_cast<float>(at.z), static_cast<float>(radius)});
        colors.push_back(packed_color(color));
    }
    void heap(BodyId, uint32_t, std::span<const Vec3>, Vec3) override {}
    void soil(ShapeId, Vec3, std::span<const uint8_t>) override {}
    std::vector<float>& grains;
    std::vector<uint32_t>& colors;
};

}  // namespace

void GroundSource::take(const Model& model) {
    fields_.clear();
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        if (const auto* f = std::get_if<HeightField>(&model.shapes()[i].geometry);
            f != nullptr && model.contains(ShapeId{i}))
            fields_.push_back({ShapeId{i}, FieldGrid::of(*f)});
    waiting_level_ = io::waiting_level(model);
    has_processes_ = false;
    for (uint32_t i = 0; i < model.processes().size(); ++i)
        has_processes_ = has_processes_ || model.contains(ProcessId{i});
}

uint64_t GroundSource::tell(const World& world, uint64_t since, GroundNews& news) const {
    uint64_t version = since;
    news.time = world.time();
    Lying lying(news);
    ask_processes(world, ProcessSight::lying, lying);
    for (const Field& f : fields_) {
        if (!world.model().contains(f.shape)) continue;
        const auto soil = lying.soils.find(f.shape.index);
        const bool is_told = soil != lying.soils.end();
        version = tell_field(world, f, since, is_told ? soil->second.color : 0,
                             is_told ? soil->second.is_seen : std::vector<uint8_t>(), news);
    }
    return version;
}

uint64_t GroundSource::tell_field(const World& world, const Field& field, uint64_t since,
                                  uint32_t color, std::span<const uint8_t> is_seen,
                                  GroundNews& news) const {
    const HeightField& f = world.height_field(field.shape);
    const Vec3 at = world.field_pose(field.shape).position;
    const bool is_ground = world.model().shapes()[field.shape.index].body == Model::ground();
    const bool is_away = is_ground && io::waits(f, at, waiting_level_);
    news.places.push_back(
        {.shape = field.shape.index,
         .position = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)},
         .is_away = is_away,
         .color = color});
    std::vector<GridArea> areas;
    const uint64_t version = world.changed_heights(field.shape, since, areas);
    // What is not seen may change beside what changes.
    if (!areas.empty() && !is_seen.empty()) areas = {{0, 0, f.columns, f.rows}};
    if (is_seen.size() != f.heights.size()) is_seen = {};
    std::vector<uint32_t> tiles;
    for (const GridArea& area : areas) field.grid.add_tiles(f, area, tiles);
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    for (const uint32_t tile : tiles) {
        const GridArea area = field.grid.tile(tile);
        news.tiles.push_back(
            {field.shape.index, tile, area.columns, field.grid.heights(f, area, is_seen)});
    }
    return version;
}

void fill_grains(const World& world, std::vector<float>& grains, std::vector<uint32_t>& colors) {
    grains.clear();
    colors.clear();
    Flying flying(grains, colors);
    ask_processes(world, ProcessSight::flying, flying);
}

}  // namespace bristle::live
