// Ground that can be dug, column by column.
//
// Every point of a height field is a column: the field's surface over six triangles (fewer at the edge), a sixth of whose area each is
// its own, so that Σ area × height is the integral of the field's own triangles, exactly. From above a column is
//
//     loose or pressed soil     of a mass and a thickness, both zero where nothing happened
//     bank                      of the soil's own density, down to a datum; or hard, if the ground is not to be dug
//
// and the ledger is kept in mass: height, thickness and density may change, mass goes from one place to another. `carried` is how far a
// plate sank that the column has borne (Bekker): less load does not sink again.
//
// Columns that were touched are kept by chunks of 32 × 32; of others there is nothing but their height.
#pragma once

#include <bristle/world.h>

#include "machines/earth/soil.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bristle::machines {

// The heights of a field: a world's, or ones of its own.
class Heights {
  public:
    Heights(World& world, ShapeId shape)
        : now_(&world.height_field(shape)), world_(&world), shape_(shape) {}
    explicit Heights(HeightField& own) : now_(&own), own_(&own) {}
    double operator[](size_t point) const { return now_->heights[point]; }
    void set(size_t point, double height);
    const HeightField& field() const { return *now_; }

  private:
    const HeightField* now_;
    HeightField* own_ = nullptr;
    World* world_ = nullptr;
    ShapeId shape_;
};

// Of a point, in the frame of its field, at height 0.
inline Vec3 place_of(const HeightField& f, size_t point) {
    const size_t row = point / f.columns;
    return {static_cast<double>(point - row * f.columns) * f.spacing_x,
            static_cast<double>(row) * f.spacing_y, 0};
}

struct Column {
    double mass = 0;       // kg
    double thickness = 0;  // m
    double carried = 0;    // m
};

class Ground {
  public:
    enum class Bank : unsigned char { soil, hard };
    Ground(const HeightField&, Soil, Bank, double datum);

    const Soil& soil() const { return soil_; }
    uint32_t columns() const { return columns_; }
    uint32_t rows() const { return rows_; }
    double spacing_x() const { return spacing_x_; }
    double spacing_y() const { return spacing_y_; }
    size_t size() const { return size_t{columns_} * rows_; }
    double area(size_t point) const;  // m²
    const Column& column(size_t point) const;
    // What of its height may be taken away.
    double diggable(size_t point) const;
    // How steep it may be where this is uppermost, as a tangent.
    double loose_slope() const { return loose_slope_; }
    double standing_slope() const { return standing_slope_; }

    // Takes soil off the top; tells its mass. Not more than is diggable.
    double take(Heights&, size_t point, double height);
    void give(Heights&, size_t point, double mass);
    // Presses it down: what lies loose gets denser first, and then the bank below.
    void press(Heights&, size_t point, double way);
    // Mass with no height: what is in the way stays where it is, denser.
    void cram(size_t point, double mass);
    void carry(size_t point, double sinkage) { touched(point).carried = sinkage; }
    // Loose soil as it says, on the bank as it is.
    void set(Heights&, size_t point, double mass, double thickness);
    // A point of another ground: nothing comes there, and nothing slides.
    void block(size_t point) { touched(point).carried = -1; }
    bool is_blocked(size_t point) const { return column(point).carried < 0; }
    // Bare again, wherever it is now.
    void clear();

    double mass(const HeightField& heights) const;  // kg, above the datum
    double loose_mass() const;                      // kg, of columns that were touched
    bool is_bare() const { return !any_chunk_; }

    // Points that something stands on, which nothing slides to or from while it does: told anew in every step.
    void hold(size_t point);
    void settle_holds();
    bool is_held(size_t point) const { return is_held_[point] != 0; }

    // Cells where something may slide, in the order they were touched.
    void disturb(size_t point);
    std::vector<uint32_t>& active() { return active_; }
    size_t active_count() const { return active_.size(); }
    void rest(uint32_t cell) { is_active_[cell] = 0; }

    void write(std::vector<std::byte>&) const;
    bool read(std::span<const std::byte>);
    uint64_t hash() const;

  private:
    static constexpr uint32_t side = 32;
    struct Chunk {
        Column column[side * side];
    };
    size_t chunk_of(size_t point) const;
    static size_t within(uint32_t column, uint32_t row) {
        return size_t{row % side} * side + column % side;
    }
    Column& touched(size_t point);

    Soil soil_;
    Bank bank_;
    double datum_;  // m
    uint32_t columns_, rows_, chunk_columns_;
    double spacing_x_, spacing_y_, loose_slope_, standing_slope_;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    bool any_chunk_ = false;
    mutable std::vector<uint64_t> chunk_hash_;
    mutable std::vector<uint8_t> is_stale_;
    std::vector<uint32_t> active_, held_, next_held_;
    std::vector<uint8_t> is_held_;
    std::vector<uint8_t> is_active_;
};

// Lets what is too steep slide, for at most so many looks at a triangle. `tilt` is the slope of what is level, for ground that leans.
struct Tilt {
    double x = 0, y = 0;
};
void slide(Ground&, Heights&, Tilt, int looks);

}  // namespace bristle::machines
