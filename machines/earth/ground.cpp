#include "machines/earth/ground.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

constexpr Column untouched;

// A sum of very different numbers that loses nothing to speak of (Neumaier).
class Sum {
  public:
    void add(double x) {
        const double t = sum_ + x;
        lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
        sum_ = t;
    }
    double value() const { return sum_ + lost_; }

  private:
    double sum_ = 0, lost_ = 0;
};

}  // namespace

void Heights::set(size_t point, double height) {
    if (own_ != nullptr) {
        own_->heights[point] = height;
        return;
    }
    const uint32_t columns = now_->columns;
    world_->set_heights(shape_,
                        {.column = static_cast<uint32_t>(point % columns),
                         .row = static_cast<uint32_t>(point / columns)},
                        {&height, 1});
}

Ground::Ground(const HeightField& f, Soil soil, Bank bank, double datum)
    : soil_(std::move(soil)),
      bank_(bank),
      datum_(datum),
      columns_(f.columns),
      rows_(f.rows),
      chunk_columns_((f.columns + side - 1) / side),
      spacing_x_(f.spacing_x),
      spacing_y_(f.spacing_y),
      loose_slope_(std::tan(soil_.repose)),
      standing_slope_(std::tan(soil_.standing_angle)) {
    const size_t chunks = size_t{chunk_columns_} * ((rows_ + side - 1) / side);
    chunks_.resize(chunks);
    chunk_hash_.assign(chunks, 0);
    is_stale_.assign(chunks, 0);
    is_active_.assign(size_t{columns_ - 1} * (rows_ - 1), 0);
    is_held_.assign(size(), 0);
}

// Six triangles meet at a point within; at the edge three; at the corners two where a diagonal ends, and one.
double Ground::area(size_t point) const {
    const auto c = static_cast<uint32_t>(point % columns_),
               r = static_cast<uint32_t>(point / columns_);
    const bool at_x = c == 0 || c + 1 == columns_, at_y = r == 0 || r + 1 == rows_;
    const int triangles = at_x && at_y ? ((c == 0) == (r == 0) ? 2 : 1) : at_x || at_y ? 3 : 6;
    return triangles * spacing_x_ * spacing_y_ / 6;
}

size_t Ground::chunk_of(size_t point) const {
    return point / columns_ / side * chunk_columns_ + point % columns_ / side;
}

const Column& Ground::column(size_t point) const {
    const auto& chunk = chunks_[chunk_of(point)];
    return chunk ? chunk->column[within(static_cast<uint32_t>(point % columns_),
                                        static_cast<uint32_t>(point / columns_))]
                 : untouched;
}

Column& Ground::touched(size_t point) {
    const size_t k = chunk_of(point);
    if (!chunks_[k]) chunks_[k] = std::make_unique<Chunk>();
    any_chunk_ = true;
    is_stale_[k] = 1;
    return chunks_[k]->column[within(static_cast<uint32_t>(point % columns_),
                                     static_cast<uint32_t>(point / columns_))];
}

double Ground::diggable(size_t point) const {
    return bank_ == Bank::hard ? column(point).thickness : unlimited;
}

double Ground::take(Heights& heights, size_t point, double height) {
    Column& c = touched(point);
    const double before = heights[point], after = before - std::min(height, diggable(point));
    const double way = before - after;  // as far as numbers go
    if (!(way > 0)) return 0;
    double mass = 0;
    if (way < c.thickness) {
        mass = c.mass * (way / c.thickness);
        c.thickness -= way;
        c.mass -= mass;
    } else {
        mass = c.mass;
        if (bank_ == Bank::soil) mass += area(point) * soil_.density * (way - c.thickness);
        c.mass = c.thickness = 0;
    }
    c.carried = std::max(0.0, c.carried - way);
    heights.set(point, after);
    disturb(point);
    return mass;
}

void Ground::give(Heights& heights, size_t point, double mass) {
    if (!(mass > 0)) return;
    Column& c = touched(point);
    const double before = heights[point],
                 after = before + mass / (area(point) * soil_.loose_density());
    c.mass += mass;
    c.thickness += after - before;
    c.carried = std::max(0.0, c.carried - (after - before));
    heights.set(point, after);
    disturb(point);
}

void Ground::press(Heights& heights, size_t point, double way) {
    Column& c = touched(point);
    const double dense = area(point) * soil_.compacted_density();
    // So much of the bank is pressed too: (m + ρ δ)/ρ_c = t + δ − way.
    double more =
        (c.mass / dense + way - c.thickness) / (1 - soil_.density / soil_.compacted_density());
    if (bank_ == Bank::hard) {
        way = std::min(way, std::max(0.0, c.thickness - c.mass / dense));
        more = 0;
    }
    const double before = heights[point], after = before - way;
    if (!(before > after)) return;
    if (more > 0) {
        c.thickness += more;
        c.mass += area(point) * soil_.density * more;
    }
    c.thickness = std::max(0.0, c.thickness - (before - after));
    heights.set(point, after);
    disturb(point);
}

void Ground::set(Heights& heights, size_t point, double mass, double thickness) {
    Column& c = touched(point);
    heights.set(point, heights[point] - c.thickness + thickness);
    c.mass = mass;
    c.thickness = thickness;
    disturb(point);
}

void Ground::cram(size_t point, double mass) { touched(point).mass += mass; }

void Ground::clear() {
    for (auto& chunk : chunks_) chunk.reset();
    std::fill(is_stale_.begin(), is_stale_.end(), uint8_t{1});
    any_chunk_ = false;
    for (const uint32_t cell : active_) is_active_[cell] = 0;
    active_.clear();
}

double Ground::mass(const HeightField& now) const {
    const std::vector<double>& heights = now.heights;
    Sum sum;
    for (size_t k = 0; k < size(); ++k) {
        const Column& c = column(k);
        if (bank_ == Bank::soil)
            sum.add(area(k) * soil_.density * (heights[k] - c.thickness - datum_));
        sum.add(c.mass);
    }
    return sum.value();
}

double Ground::loose_mass() const {
    Sum sum;
    for (const auto& chunk : chunks_)
        if (chunk)
            for (const Column& c : chunk->column) sum.add(c.mass);
    return sum.value();
}

void Ground::disturb(size_t point) {
    const auto c = static_cast<uint32_t>(point % columns_),
               r = static_cast<uint32_t>(point / columns_);
    for (uint32_t row = r > 0 ? r - 1 : 0; row <= r && row + 1 < rows_; ++row)
        for (uint32_t column = c > 0 ? c - 1 : 0; column <= c && column + 1 < columns_; ++column) {
            const uint32_t cell = row * (columns_ - 1) + column;
            if (is_active_[cell]) continue;
            is_active_[cell] = 1;
            active_.push_back(cell);
        }
}

void Ground::hold(size_t point) {
    if (is_held_[point] & 2) return;
    is_held_[point] |= 2;
    next_held_.push_back(static_cast<uint32_t>(point));
}

void Ground::settle_holds() {
    for (const uint32_t point : held_)
        if (!(is_held_[point] & 2)) {
            is_held_[point] = 0;
            disturb(point);
        }
    for (const uint32_t point : next_held_) is_held_[point] = 1;
    std::swap(held_, next_held_);
    next_held_.clear();
}

// ---- As bytes ------------------------------------------------------------------------------------------

void Ground::write(std::vector<std::byte>& out) const {
    const auto count = static_cast<uint64_t>(
        std::count_if(chunks_.begin(), chunks_.end(), [](const auto& c) { return c != nullptr; }));
    append_bytes(out, count);
    for (uint64_t k = 0; k < chunks_.size(); ++k) {
        if (!chunks_[k]) continue;
        append_bytes(out, k);
        append_bytes(out, *chunks_[k]);
    }
    append_bytes(out, uint64_t{active_.size()});
    append_bytes(out, std::span<const uint32_t>(active_));
    append_bytes(out, std::span<const uint32_t>(held_));
}

bool Ground::read(std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    uint64_t count = 0;
    if (!in.take(count) || count > chunks_.size()) return false;
    std::vector<std::unique_ptr<Chunk>> chunks(chunks_.size());
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t k = 0;
        auto chunk = std::make_unique<Chunk>();
        if (!in.take(k) || k >= chunks.size() || !in.take(*chunk)) return false;
        for (const Column& c : chunk->column)
            if (!(c.mass >= 0 && c.thickness >= 0 && c.carried >= -1
                  && std::isfinite(c.mass + c.thickness + c.carried)))
                return false;
        chunks[k] = std::move(chunk);
    }
    uint64_t active = 0;
    if (!in.take(active) || active > is_active_.size() || active * sizeof(uint32_t) > in.left()
        || in.left() % sizeof(uint32_t) != 0)
        return false;
    std::vector<uint32_t> cells(active), held(in.left() / sizeof(uint32_t) - active);
    if (held.size() > size() || !in.take(std::span(cells)) || !in.take(std::span(held)))
        return false;
    std::vector<uint8_t> is_held(size());
    for (uint32_t point : held) {
        if (point >= is_held.size() || is_held[point]) return false;
        is_held[point] = 1;
    }
    std::vector<uint8_t> is_active(is_active_.size());
    for (uint32_t cell : cells) {
        if (cell >= is_active.size() || is_active[cell]) return false;
        is_active[cell] = 1;
    }
    chunks_ = std::move(chunks);
    active_ = std::move(cells);
    is_active_ = std::move(is_active);
    held_ = std::move(held);
    is_held_ = std::move(is_held);
    any_chunk_ = count > 0;
    std::fill(is_stale_.begin(), is_stale_.end(), uint8_t{1});
    return true;
}

uint64_t Ground::hash() const {
    uint64_t value = hash_bytes(std::as_bytes(std::span(active_)));
    value = hash_bytes(std::as_bytes(std::span(held_)), value);
    for (uint64_t k = 0; k < chunks_.size(); ++k) {
        if (is_stale_[k]) {
            is_stale_[k] = 0;
            chunk_hash_[k] =
                chunks_[k] ? hash_bytes(std::as_bytes(std::span(chunks_[k]->column))) : 0;
        }
        if (!chunks_[k]) continue;
        const uint64_t pair[2] = {k, chunk_hash_[k]};
        value = hash_bytes(std::as_bytes(std::span(pair)), value);
    }
    return value;
}

}  // namespace bristle::machines
