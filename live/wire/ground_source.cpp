#include "live/wire/ground_source.h"

#include "io/sketch.h"

#include <algorithm>
#include <cmath>

namespace bristle::live {
namespace {

template <class Sights> void ask_processes(const World& world, Sights& sights) {
    const Model& model = world.model();
    for (uint32_t i = 0; i < model.processes().size(); ++i)
        if (model.contains(ProcessId{i}))
            model.processes()[i]->show(world, world.memory(ProcessId{i}), sights);
}

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
                heap.points.push_back(static_cast<int32_t>(
                    std::lround(std::clamp(p[k] * wire::HEAP_UNITS, -2147483647.0, 2147483647.0))));
        news.heaps.push_back(std::move(heap));
    }
    void soil(ShapeId field, Vec3 color) override {
        for (GroundNews::Place& p : news.places)
            if (p.shape == field.index) p.color = packed_color(color);
    }
    GroundNews& news;
    uint32_t count = 0;
};

struct Flying final : ProcessSights {
    Flying(std::vector<float>& to, std::vector<uint32_t>& of) : grains(to), colors(of) {}
    void grain(Vec3 at, double radius, Vec3 color) override {
        grains.insert(grains.end(), {static_cast<float>(at.x), static_cast<float>(at.y),
                                     static_cast<float>(at.z), static_cast<float>(radius)});
        colors.push_back(packed_color(color));
    }
    void heap(BodyId, uint32_t, std::span<const Vec3>, Vec3) override {}
    void soil(ShapeId, Vec3) override {}
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
    for (const Field& f : fields_)
        if (world.model().contains(f.shape))
            tell_field(world, f.shape, f.grid, since, version, news);
    Lying lying(news);
    ask_processes(world, lying);
    return version;
}

void GroundSource::tell_field(const World& world, ShapeId shape, const FieldGrid& grid,
                              uint64_t since, uint64_t& version, GroundNews& news) const {
    const HeightField& f = world.height_field(shape);
    const Vec3 at = world.field_pose(shape).position;
    const bool is_ground = world.model().shapes()[shape.index].body == Model::ground();
    news.places.push_back(
        {.shape = shape.index,
         .position = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)},
         .is_away = is_ground && io::waits(f, at, waiting_level_)});
    std::vector<GridArea> areas;
    version = world.changed_heights(shape, since, areas);
    std::vector<uint32_t> tiles;
    for (const GridArea& area : areas) grid.add_tiles(f, area, tiles);
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    for (const uint32_t tile : tiles) {
        const GridArea area = grid.tile(tile);
        news.tiles.push_back({shape.index, tile, area.columns, grid.heights(f, area)});
    }
}

void fill_grains(const World& world, std::vector<float>& grains, std::vector<uint32_t>& colors) {
    grains.clear();
    colors.clear();
    Flying flying(grains, colors);
    ask_processes(world, flying);
}

}  // namespace bristle::live
