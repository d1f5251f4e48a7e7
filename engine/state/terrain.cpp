#include "state/terrain.h"

#include <bristle/error.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "model/editor.h"
#include "state/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace bristle::state {
namespace {

// Of a field's height range, that bounds grow beyond what is asked for: boxes are then rarely made anew.
constexpr double spare_share = 0.25;
constexpr double least_spare = 0.5;  // m

const HeightField* field_of(const Shape& shape) {
    return std::get_if<HeightField>(&shape.geometry);
}

// Calls visit(index of the first point, count) for every row of an area.
template <class Area, class Visit>
void for_each_row(const HeightField& f, const Area& area, const Visit& visit) {
    for (uint32_t r = area.row; r < area.row + area.rows; ++r)
        visit(size_t{r} * f.columns + area.column, size_t{area.columns});
}

}  // namespace

// ---- Which fields there are --------------------------------------------------------------------------

void Terrain::prepare(const Model& model) {
    // Who has copies takes what is new, or there again, for changed. At first there are no copies.
    if (version_ > 0) ++version_;
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& shape = model.shapes()[i];
        const HeightField* f = field_of(shape);
        if (f == nullptr || !model.contains(ShapeId{i}) || fields_.contains(i)) continue;
        Field& field = fields_[i];
        const auto [low, high] = std::minmax_element(f->heights.begin(), f->heights.end());
        field.live =
            std::make_shared<LiveField>(LiveField{*f, shape.pose.position, *low, *high, 1});
        field.base = &shape;
        field.tile_columns = (f->columns + tile_points - 1) / tile_points;
        const size_t tiles =
            size_t{field.tile_columns} * ((f->rows + tile_points - 1) / tile_points);
        field.tile_hash.assign(tiles, 0);
        field.is_stale.assign(tiles, 0);
        field.tile_version.assign(tiles, version_);
    }
}

void Terrain::adopt(const Model& model) {
    std::erase_if(fields_,
                  [&](const auto& entry) { return !model.contains(ShapeId{entry.first}); });
    std::erase_if(changed_, [&](uint32_t shape) { return !fields_.contains(shape); });
    prepare(model);
    for (auto& [shape, field] : fields_) {
        field.base = &model.shapes()[shape];
        for (uint32_t tile = 0; tile < field.tile_hash.size(); ++tile) mark(field, tile);
    }
}

LiveFields Terrain::fields(const model::IdMap& shapes) const {
    LiveFields out(shapes.to_model.size());
    for (size_t i = 0; i < out.size(); ++i)
        if (const auto found = fields_.find(shapes.to_model[i]); found != fields_.end())
            out[i] = found->second.live;
    return out;
}

LiveFields Terrain::fields() const {
    LiveFields out(fields_.empty() ? 0 : fields_.rbegin()->first + 1);
    for (const auto& [shape, field] : fields_) out[shape] = field.live;
    return out;
}

const LiveField* Terrain::find(ShapeId shape) const {
    const auto found = fields_.find(shape.index);
    return found == fields_.end() ? nullptr : found->second.live.get();
}

Terrain::Field& Terrain::at(ShapeId shape) {
    const auto found = fields_.find(shape.index);
    if (found == fields_.end())
        throw InputError(fmt::format("shape id {} is no height field of this model", shape.index));
    return found->second;
}

void Terrain::write_to(Model& model) const {
    for (const auto& [id, field] : fields_) {
        Shape& shape = ModelEditor::shapes(model)[id];
        shape.pose.position = field.live->position;
        std::get<HeightField>(shape.geometry).heights = field.live->field.heights;
    }
}

// ---- Changes -------------------------------------------------------------------------------------------

void Terrain::grow(LiveField& live, double low, double high) {
    if (low >= live.low && high <= live.high) return;
    const double spare = std::max(least_spare, spare_share * (live.high - live.low));
    if (low < live.low) live.low = low - spare;
    if (high > live.high) live.high = high + spare;
    ++live.bounds;
}

void Terrain::mark(const Field& f, uint32_t tile) {
    if (f.is_stale[tile]) return;
    f.is_stale[tile] = 1;
    f.stale.push_back(tile);
}

void Terrain::touch(Field& f, uint32_t tile) {
    mark(f, tile);
    f.tile_version[tile] = version_;
}

void Terrain::note(uint32_t shape, Field& f, const geometry::Aabb& box) {
    if (!f.has_changed) {
        f.has_changed = true;
        f.changed = box;
        changed_.push_back(shape);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        f.changed.low[k] = std::min(f.changed.low[k], box.low[k]);
        f.changed.high[k] = std::max(f.changed.high[k], box.high[k]);
    }
}

void Terrain::set(ShapeId shape, const GridArea& area, std::span<const double> heights) {
    Field& field = at(shape);
    HeightField& f = field.live->field;
    if (area.column > f.columns || area.columns > f.columns - area.column || area.row > f.rows
        || area.rows > f.rows - area.row || heights.size() != size_t{area.columns} * area.rows)
        throw InputError(fmt::format(
            "set_heights: {} heights for {} x {} points from column {}, row {} of a field of {} x "
            "{}",
            heights.size(), area.columns, area.rows, area.column, area.row, f.columns, f.rows));
    if (heights.empty()) return;
    double low = heights[0], high = low, sum = 0;
    for (double h : heights) {
        low = std::min(low, h);
        high = std::max(high, h);
        sum += 0 * h;
    }
    if (sum != 0) throw InputError("set_heights: a height is not finite");
    grow(*field.live, low, high);
    const double* from = heights.data();
    for_each_row(f, area, [&](size_t first, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            low = std::min(low, f.heights[first + i]);
            high = std::max(high, f.heights[first + i]);
            f.heights[first + i] = *from++;
        }
    });
    ++version_;
    for (uint32_t r = area.row / tile_points; r <= (area.row + area.rows - 1) / tile_points; ++r)
        for (uint32_t c = area.column / tile_points;
             c <= (area.column + area.columns - 1) / tile_points; ++c)
            touch(field, r * field.tile_columns + c);
    // Cells reach from the points around to the points around.
    note(
        shape.index, field,
        {{(area.column - 1.0) * f.spacing_x, (area.row - 1.0) * f.spacing_y, low},
         {(area.column + area.columns) * f.spacing_x, (area.row + area.rows) * f.spacing_y, high}});
}

void Terrain::place(ShapeId shape, Vec3 position) {
    Field& field = at(shape);
    if (!is_finite(position)) throw InputError("place_field: the position is not finite");
    LiveField& live = *field.live;
    const Vec3 way = position - live.position;
    const Vec3 size{(live.field.columns - 1) * live.field.spacing_x,
                    (live.field.rows - 1) * live.field.spacing_y, 0};
    live.position = position;
    ++live.bounds;
    // Where it is now, and where it was.
    note(shape.index, field, {{0, 0, live.low}, {size.x, size.y, live.high}});
    note(shape.index, field, {Vec3{0, 0, live.low} - way, Vec3{size.x, size.y, live.high} - way});
}

uint64_t Terrain::changed(ShapeId shape, uint64_t since, std::vector<GridArea>& into) const {
    const Field& f = fields_.at(shape.index);
    for (uint32_t tile = 0; tile < f.tile_version.size(); ++tile) {
        if (f.tile_version[tile] <= since) continue;
        const Tile area = tile_of(f, tile);
        into.push_back({area.column, area.row, area.columns, area.rows});
    }
    return version_;
}

// ---- What differs from the model --------------------------------------------------------------------

Terrain::Tile Terrain::tile_of(const Field& f, uint32_t tile) {
    const HeightField& h = f.live->field;
    const uint32_t column = tile % f.tile_columns * tile_points,
                   row = tile / f.tile_columns * tile_points;
    return {column, row, std::min(tile_points, h.columns - column),
            std::min(tile_points, h.rows - row)};
}

void Terrain::refresh(const Field& f) const {
    const HeightField &now = f.live->field, &base = *field_of(*f.base);
    for (const uint32_t tile : f.stale) {
        f.is_stale[tile] = 0;
        bool is_same = true;
        gathered_.clear();
        for_each_row(now, tile_of(f, tile), [&](size_t first, size_t count) {
            is_same = is_same
                   && std::memcmp(&now.heights[first], &base.heights[first], count * sizeof(double))
                          == 0;
            gathered_.insert(gathered_.end(), &now.heights[first], &now.heights[first] + count);
        });
        // Zero means that it is as in the model.
        f.tile_hash[tile] =
            is_same ? 0 : std::max<uint64_t>(1, base::hash_bytes(bytes_of_part(gathered_)));
    }
    f.stale.clear();
}

bool Terrain::differs(const Field& f) const {
    refresh(f);
    return !(f.live->position == f.base->pose.position)
        || std::any_of(f.tile_hash.begin(), f.tile_hash.end(), [](uint64_t h) { return h != 0; });
}

uint64_t Terrain::hash(uint64_t seed) const {
    for (const auto& [shape, f] : fields_) {
        if (!differs(f)) continue;
        seed = base::hash_bytes(bytes_of_part(uint64_t{shape}), seed);
        seed = base::hash_bytes(bytes_of_part(f.live->position), seed);
        for (uint64_t tile = 0; tile < f.tile_hash.size(); ++tile)
            if (f.tile_hash[tile] != 0) {
                seed = base::hash_bytes(bytes_of_part(tile), seed);
                seed = base::hash_bytes(bytes_of_part(f.tile_hash[tile]), seed);
            }
    }
    return seed;
}

std::vector<std::byte> Terrain::bytes() const {
    std::vector<std::byte> out;
    for (const auto& [shape, of_shape] : fields_) {
        const Field& f = of_shape;
        if (!differs(f)) continue;
        const auto tiles = static_cast<uint64_t>(std::count_if(
            f.tile_hash.begin(), f.tile_hash.end(), [](uint64_t h) { return h != 0; }));
        append_bytes(out, std::array<uint64_t, 2>{shape, tiles});
        append_bytes(out, f.live->position);
        for (uint64_t tile = 0; tile < f.tile_hash.size(); ++tile) {
            if (f.tile_hash[tile] == 0) continue;
            append_bytes(out, tile);
            for_each_row(
                f.live->field, tile_of(f, static_cast<uint32_t>(tile)),
                [&](size_t first, size_t count) {
                    append_bytes(
                        out, std::span<const double>(f.live->field.heights).subspan(first, count));
                });
        }
    }
    return out;
}

void Terrain::revert(Field& f) {
    LiveField& live = *f.live;
    const HeightField& base = *field_of(*f.base);
    for (uint32_t tile = 0; tile < f.tile_hash.size(); ++tile) {
        if (f.tile_hash[tile] == 0 && !f.is_stale[tile]) continue;
        for_each_row(live.field, tile_of(f, tile), [&](size_t first, size_t count) {
            std::copy_n(&base.heights[first], count, &live.field.heights[first]);
        });
        touch(f, tile);
    }
    if (live.position == f.base->pose.position) return;
    live.position = f.base->pose.position;
    ++live.bounds;
}

bool Terrain::assign(std::span<const std::byte> bytes, bool is_trial) {
    if (!is_trial) {
        ++version_;
        for (auto& [shape, f] : fields_) revert(f);
    }
    ByteReader in(bytes);
    std::vector<double> heights;
    while (!in.is_at_end()) {
        std::array<uint64_t, 2> head{};
        Vec3 position;
        if (!in.take(head) || !in.take(position) || !is_finite(position)) return false;
        const auto found =
            head[0] <= 0xffffffffu ? fields_.find(static_cast<uint32_t>(head[0])) : fields_.end();
        if (found == fields_.end()) return false;
        Field& f = found->second;
        LiveField& live = *f.live;
        if (!is_trial && !(live.position == position)) {
            live.position = position;
            ++live.bounds;
        }
        for (uint64_t k = 0; k < head[1]; ++k) {
            uint64_t tile = 0;
            if (!in.take(tile) || tile >= f.tile_hash.size()) return false;
            const Tile area = tile_of(f, static_cast<uint32_t>(tile));
            heights.resize(size_t{area.columns} * area.rows);
            if (!in.take(std::span(heights))) return false;
            if (!std::all_of(heights.begin(), heights.end(),
                             [](double h) { return std::isfinite(h); }))
                return false;
            if (is_trial) continue;
            const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
            grow(live, *low, *high);
            const double* from = heights.data();
            for_each_row(live.field, area, [&](size_t first, size_t count) {
                std::copy_n(from, count, &live.field.heights[first]);
                from += count;
            });
            touch(f, static_cast<uint32_t>(tile));
        }
    }
    for (auto& [shape, f] : fields_) f.has_changed = is_trial && f.has_changed;
    if (!is_trial) changed_.clear();
    return true;
}

}  // namespace bristle::state
