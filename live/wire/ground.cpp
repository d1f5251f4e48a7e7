#include "live/wire/ground.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::live {
namespace {

constexpr uint32_t tile_points = wire::TILE_POINTS;
constexpr size_t most_points = size_t{1} << 20;  // of a field that are told: larger ones have gaps
constexpr uint32_t most_cells = 400;             // a side, of triangles
constexpr uint32_t most_side = 4096;             // of a texture, on any machine
constexpr double units_a_cell = 200;             // so that slopes are told to a quarter of a degree
constexpr uint32_t most_heap_points = 10'000, most_heaps = 1024;  // that are taken from a file

using Packed = google::protobuf::RepeatedField<int32_t>;

uint32_t drawn(uint32_t count, uint32_t stride) { return (count - 2) / stride + 2; }

// Of a grid of `columns`: what neighbours make likely is left out, which leaves small numbers.
uint32_t expected(std::span<const int32_t> h, size_t columns, size_t i) {
    const auto at = [&](size_t k) { return static_cast<uint32_t>(h[k]); };
    const bool has_left = i % columns > 0, has_below = i >= columns;
    return (has_left ? at(i - 1) : 0) + (has_below ? at(i - columns) : 0)
         - (has_left && has_below ? at(i - columns - 1) : 0);
}

void pack(std::span<const int32_t> heights, size_t columns, Packed& out) {
    out.Clear();
    out.Reserve(static_cast<int>(heights.size()));
    for (size_t i = 0; i < heights.size(); ++i)
        out.Add(static_cast<int32_t>(static_cast<uint32_t>(heights[i])
                                     - expected(heights, columns, i)));
}

std::vector<int32_t> unpack(const Packed& packed, size_t columns) {
    std::vector<int32_t> heights(packed.begin(), packed.end());
    for (size_t i = 0; i < heights.size(); ++i)
        heights[i] =
            static_cast<int32_t>(static_cast<uint32_t>(heights[i]) + expected(heights, columns, i));
    return heights;
}

template <class Visit>
void for_each_row(const FieldGrid& grid, const GridArea& area, const Visit& visit) {
    for (uint32_t r = 0; r < area.rows; ++r)
        visit(size_t{area.row + r} * grid.columns + area.column, size_t{r} * area.columns);
}

}  // namespace

// ---- Grids -------------------------------------------------------------------------------------------

FieldGrid FieldGrid::of(const HeightField& f) {
    FieldGrid grid;
    while (size_t{drawn(f.columns, grid.stride)} * drawn(f.rows, grid.stride) > most_points
           || drawn(std::max(f.columns, f.rows), grid.stride) > most_side)
        ++grid.stride;
    grid.columns = drawn(f.columns, grid.stride);
    grid.rows = drawn(f.rows, grid.stride);
    grid.last_x = f.columns - 1 - (grid.columns - 2) * grid.stride;
    grid.last_y = f.rows - 1 - (grid.rows - 2) * grid.stride;
    grid.unit = std::exp2(std::floor(std::log2(std::min(f.spacing_x, f.spacing_y) / units_a_cell)));
    return grid;
}

uint32_t FieldGrid::tile_columns() const { return (columns + tile_points - 1) / tile_points; }
uint32_t FieldGrid::tiles() const {
    return tile_columns() * ((rows + tile_points - 1) / tile_points);
}

GridArea FieldGrid::tile(uint32_t index) const {
    const uint32_t column = index % tile_columns() * tile_points,
                   row = index / tile_columns() * tile_points;
    return {column, row, std::min(tile_points, columns - column),
            std::min(tile_points, rows - row)};
}

void FieldGrid::add_tiles(const HeightField& f, const GridArea& area,
                          std::vector<uint32_t>& into) const {
    // From the first that is told of those points to the last; none may be.
    const auto range = [this](uint32_t from, uint32_t count, uint32_t all, uint32_t told) {
        const uint32_t end = from + count;
        const uint32_t first = std::min((from + stride - 1) / stride, told - 1);
        const uint32_t last = end == all ? told - 1 : (end - 1) / stride;
        return std::pair{first, last};
    };
    const auto [left, right] = range(area.column, area.columns, f.columns, columns);
    const auto [low, high] = range(area.row, area.rows, f.rows, rows);
    if (left > right || low > high) return;
    for (uint32_t r = low / tile_points; r <= high / tile_points; ++r)
        for (uint32_t c = left / tile_points; c <= right / tile_points; ++c)
            into.push_back(r * tile_columns() + c);
}

std::vector<int32_t> FieldGrid::heights(const HeightField& f, const GridArea& area) const {
    constexpr double most = 2147483647;
    std::vector<int32_t> out;
    out.reserve(size_t{area.columns} * area.rows);
    for (uint32_t r = area.row; r < area.row + area.rows; ++r) {
        const double* row = &f.heights[size_t{std::min(r * stride, f.rows - 1)} * f.columns];
        for (uint32_t c = area.column; c < area.column + area.columns; ++c)
            out.push_back(static_cast<int32_t>(std::lround(
                std::clamp(row[std::min(c * stride, f.columns - 1)] / unit, -most, most))));
    }
    return out;
}

// ---- Messages ------------------------------------------------------------------------------------------

void encode(const HeightField& f, const FieldGrid& grid, wire::Field& field) {
    field.set_columns(grid.columns);
    field.set_rows(grid.rows);
    field.set_spacing_x(static_cast<float>(f.spacing_x));
    field.set_spacing_y(static_cast<float>(f.spacing_y));
    field.set_stride(grid.stride);
    field.set_last_x(grid.last_x);
    field.set_last_y(grid.last_y);
    field.set_unit(grid.unit);
    pack(grid.heights(f, {0, 0, grid.columns, grid.rows}), grid.columns, *field.mutable_heights());
}

void encode(const GroundNews& news, wire::Ground& message) {
    message.Clear();
    message.set_time(news.time);
    message.set_step(news.step);
    message.set_is_whole(news.is_whole);
    for (const GroundNews::Place& p : news.places) {
        wire::FieldPlace& place = *message.add_places();
        place.set_shape(p.shape);
        place.mutable_position()->Assign(p.position.begin(), p.position.end());
        place.set_is_away(p.is_away);
        place.set_color(p.color);
    }
    for (const GroundNews::Tile& t : news.tiles) {
        wire::FieldTile& tile = *message.add_tiles();
        tile.set_shape(t.shape);
        tile.set_tile(t.tile);
        tile.set_columns(t.columns);
        pack(t.heights, t.columns, *tile.mutable_heights());
    }
    for (const GroundNews::Heap& h : news.heaps) {
        wire::Heap& heap = *message.add_heaps();
        heap.set_index(h.index);
        heap.set_body(h.body);
        heap.set_columns(h.columns);
        heap.set_color(h.color);
        for (size_t i = 0; i < h.points.size(); ++i)
            heap.add_points(
                static_cast<int32_t>(static_cast<uint32_t>(h.points[i])
                                     - (i < 3 ? 0 : static_cast<uint32_t>(h.points[i - 3]))));
    }
}

void decode(const wire::Ground& message, GroundNews& news) {
    news.clear();
    news.time = message.time();
    news.step = message.step();
    news.is_whole = message.is_whole();
    for (const wire::FieldPlace& p : message.places()) {
        if (p.position_size() != 3)
            throw InputError(fmt::format("the place of field {} has no position", p.shape()));
        news.places.push_back({.shape = p.shape(),
                               .position = {p.position(0), p.position(1), p.position(2)},
                               .is_away = p.is_away(),
                               .color = p.color()});
    }
    for (const wire::FieldTile& t : message.tiles()) {
        if (t.columns() == 0) throw InputError(fmt::format("tile {} has no columns", t.tile()));
        news.tiles.push_back({t.shape(), t.tile(), t.columns(), unpack(t.heights(), t.columns())});
    }
    for (const wire::Heap& h : message.heaps()) {
        const auto size = static_cast<size_t>(h.points_size());
        if (h.index() >= most_heaps || size > size_t{3} * most_heap_points
            || (h.columns() == 0 ? size != 0 : size % (size_t{3} * h.columns()) != 0))
            throw InputError(fmt::format("heap {} makes no sense", h.index()));
        GroundNews::Heap heap{.index = h.index(),
                              .body = h.body(),
                              .columns = h.columns(),
                              .points = {h.points().begin(), h.points().end()},
                              .color = h.color()};
        for (size_t i = 3; i < size; ++i)
            heap.points[i] = static_cast<int32_t>(static_cast<uint32_t>(heap.points[i])
                                                  + static_cast<uint32_t>(heap.points[i - 3]));
        news.heaps.push_back(std::move(heap));
    }
}

std::vector<int32_t> heights_of(const wire::Field& field) {
    return unpack(field.heights(), std::max(1u, field.columns()));
}

wire::Surface surface_of(const wire::Field& f, std::span<const int32_t> heights) {
    wire::Surface out;
    if (f.columns() < 2 || f.rows() < 2 || heights.size() != size_t{f.columns()} * f.rows())
        return out;
    const uint32_t stride = (std::max(f.columns(), f.rows()) + most_cells - 1) / most_cells;
    // The last row and column belong to it, whatever the stride.
    const auto taken = [stride](uint32_t count) {
        std::vector<uint32_t> list;
        for (uint32_t i = 0; i + 1 < count; i += stride) list.push_back(i);
        list.push_back(count - 1);
        return list;
    };
    const auto place = [&](uint32_t i, uint32_t count, uint32_t last) {
        return i + 1 < count ? i * f.stride() : (count - 2) * f.stride() + last;
    };
    const std::vector<uint32_t> columns = taken(f.columns()), rows = taken(f.rows());
    for (const uint32_t r : rows)
        for (const uint32_t c : columns) {
            out.add_vertices(place(c, f.columns(), f.last_x()) * f.spacing_x());
            out.add_vertices(place(r, f.rows(), f.last_y()) * f.spacing_y());
            out.add_vertices(static_cast<float>(f.unit() * heights[size_t{r} * f.columns() + c]));
        }
    const auto width = static_cast<uint32_t>(columns.size());
    for (uint32_t r = 0; r + 1 < rows.size(); ++r)
        for (uint32_t c = 0; c + 1 < width; ++c) {
            const uint32_t a = r * width + c, d = a + width;
            for (const uint32_t corner : {a, a + 1, d + 1, a, d + 1, d}) out.add_triangles(corner);
        }
    return out;
}

uint32_t packed_color(Vec3 color) {
    uint32_t out = 0;
    for (int k = 0; k < 3; ++k)
        out = out << 8 | static_cast<uint32_t>(std::lround(255 * std::clamp(color[k], 0.0, 1.0)));
    return out;
}

size_t GroundNews::weight() const {
    size_t bytes = sizeof *this + places.size() * sizeof(Place);
    for (const Tile& t : tiles) bytes += sizeof t + t.heights.size() * sizeof(int32_t);
    for (const Heap& h : heaps) bytes += sizeof h + h.points.size() * sizeof(int32_t);
    return bytes;
}

void GroundNews::clear() {
    is_whole = false;
    places.clear();
    tiles.clear();
    heaps.clear();
}

// ---- Mirrors -------------------------------------------------------------------------------------------

void GroundMirror::take(const wire::Scene& scene) {
    for (const wire::Part& part : scene.parts()) {
        if (part.kind() != wire::Part::FIELD
            || part.surface() >= static_cast<uint32_t>(scene.fields_size()))
            continue;
        const wire::Field& field = scene.fields(static_cast<int>(part.surface()));
        if (field.has_shape()) add(field, part);
    }
}

void GroundMirror::add(const wire::Field& from, const wire::Part& part) {
    const FieldGrid grid{.columns = from.columns(),
                         .rows = from.rows(),
                         .stride = from.stride(),
                         .last_x = from.last_x(),
                         .last_y = from.last_y(),
                         .unit = from.unit()};
    const auto known = fields_.find(from.shape());
    if (known != fields_.end() && known->second.grid == grid) return;
    if (grid.columns < 2 || grid.rows < 2
        || static_cast<size_t>(from.heights_size()) != grid.points())
        return;
    Field field{.grid = grid};
    field.base = field.now = unpack(from.heights(), grid.columns);
    field.base_place.shape = from.shape();
    field.base_place.is_away = from.is_away();
    if (part.pose_size() == 7)
        field.base_place.position = {part.pose(0), part.pose(1), part.pose(2)};
    field.place = field.base_place;
    field.tile_version.assign(grid.tiles(), 0);
    fields_.insert_or_assign(from.shape(), std::move(field));
}

const GroundMirror::Field* GroundMirror::find(uint32_t shape) const {
    const auto found = fields_.find(shape);
    return found == fields_.end() ? nullptr : &found->second;
}

// Whether they are others than before.
bool GroundMirror::set(Field& f, const GroundNews::Tile& tile) {
    const GridArea area = f.grid.tile(tile.tile);
    if (tile.columns != area.columns || tile.heights.size() != size_t{area.columns} * area.rows)
        return false;
    bool is_other = false;
    for_each_row(f.grid, area, [&](size_t first, size_t from) {
        const int32_t* row = &tile.heights[from];
        is_other = is_other || !std::equal(row, row + area.columns, &f.now[first]);
        std::copy_n(row, area.columns, &f.now[first]);
    });
    return is_other;
}

void GroundMirror::take(const GroundNews& news) {
    const uint64_t next = version_ + 1;
    const auto changed = [&](uint64_t& version) { version = version_ = next; };
    time_ = news.time;
    step_ = news.step;
    if (news.is_whole) revert_what_is_not_in(news);
    for (const GroundNews::Place& p : news.places) {
        const auto found = fields_.find(p.shape);
        if (found == fields_.end() || found->second.place == p) continue;
        found->second.place = p;
        changed(found->second.place_version);
    }
    for (const GroundNews::Tile& t : news.tiles) {
        const auto found = fields_.find(t.shape);
        if (found == fields_.end() || t.tile >= found->second.tile_version.size()) continue;
        if (set(found->second, t)) changed(found->second.tile_version[t.tile]);
    }
    for (const GroundNews::Heap& h : news.heaps) {
        if (h.index >= heaps_.size()) {
            heaps_.resize(h.index + 1);
            for (uint32_t i = 0; i < heaps_.size(); ++i) heaps_[i].heap.index = i;
        }
        if (heaps_[h.index].heap == h) continue;
        heaps_[h.index].heap = h;
        changed(heaps_[h.index].version);
    }
}

// What is in it is set afterwards: that it was otherwise for a moment nobody sees.
void GroundMirror::revert_what_is_not_in(const GroundNews& news) {
    std::map<uint32_t, std::vector<uint8_t>> named;
    for (const GroundNews::Tile& t : news.tiles) {
        const auto found = fields_.find(t.shape);
        if (found == fields_.end() || t.tile >= found->second.tile_version.size()) continue;
        auto& list = named[t.shape];
        list.resize(found->second.tile_version.size());
        list[t.tile] = 1;
    }
    const uint64_t next = version_ + 1;
    for (auto& [shape, f] : fields_) {
        const auto& list = named[shape];
        for (uint32_t tile = 0; tile < f.tile_version.size(); ++tile) {
            if (f.tile_version[tile] == 0 || (!list.empty() && list[tile] != 0)) continue;
            const GridArea area = f.grid.tile(tile);
            bool is_other = false;
            for_each_row(f.grid, area, [&](size_t first, size_t) {
                const int32_t* from = &f.base[first];
                is_other = is_other || !std::equal(from, from + area.columns, &f.now[first]);
                std::copy_n(from, area.columns, &f.now[first]);
            });
            if (is_other) f.tile_version[tile] = version_ = next;
        }
        const bool is_named = std::any_of(news.places.begin(), news.places.end(),
                                          [&](const auto& p) { return p.shape == shape; });
        if (is_named || f.place == f.base_place) continue;
        f.place = f.base_place;
        f.place_version = version_ = next;
    }
    for (Heap& h : heaps_) {
        const bool is_named = std::any_of(news.heaps.begin(), news.heaps.end(),
                                          [&](const auto& n) { return n.index == h.heap.index; });
        if (is_named || h.heap.columns == 0) continue;
        h.heap = {.index = h.heap.index, .body = 0, .columns = 0, .points = {}, .color = 0};
        h.version = version_ = next;
    }
}

GroundNews GroundMirror::since(uint64_t version) const {
    GroundNews news{.time = time_, .step = step_, .is_whole = version == 0};
    for (const auto& [shape, f] : fields_) {
        if (f.place_version > version) news.places.push_back(f.place);
        for (uint32_t tile = 0; tile < f.tile_version.size(); ++tile) {
            if (f.tile_version[tile] <= version) continue;
            const GridArea area = f.grid.tile(tile);
            GroundNews::Tile out{shape, tile, area.columns, {}};
            for_each_row(f.grid, area, [&, &now = f.now](size_t first, size_t) {
                out.heights.insert(out.heights.end(), &now[first], &now[first] + area.columns);
            });
            news.tiles.push_back(std::move(out));
        }
    }
    for (const Heap& h : heaps_)
        if (h.version > version) news.heaps.push_back(h.heap);
    return news;
}

}  // namespace bristle::live
