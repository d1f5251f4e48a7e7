// Ground as it is told: height fields by tiles, where they are, and what lies in or on bodies.
//
// Heights are whole numbers of a unit that suits the field's spacing, so that two of them are the same or they are not. What a
// client, a recording or a page knows is a *mirror*: it begins as the scene says and takes news; what news make other than it was gets
// the number of that change, so that whoever has seen a number can be told what came after.
//
// All fields' heights a frame, the other way considered, are megabytes; differences from state to state need every one of them to
// arrive. Here who falls behind gets the sum of what it missed.
#pragma once

#include <bristle/shape.h>

#include "live/wire/protocol.pb.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace bristle::live {

// The points of a height field that are told.
struct FieldGrid {
    uint32_t columns = 0, rows = 0;
    uint32_t stride = 1, last_x = 1, last_y = 1;  // as in wire::Field
    double unit = 1;                              // m

    static FieldGrid of(const HeightField&);
    bool operator==(const FieldGrid&) const = default;

    uint32_t tile_columns() const;
    uint32_t tiles() const;
    GridArea tile(uint32_t index) const;
    size_t points() const { return size_t{columns} * rows; }
    // The tiles that have points of this area of the model's.
    void add_tiles(const HeightField&, const GridArea&, std::vector<uint32_t>& into) const;
    std::vector<int32_t> heights(const HeightField&, const GridArea&) const;
};

struct GroundNews {
    struct Tile {
        uint32_t shape = 0, tile = 0, columns = 0;
        std::vector<int32_t> heights;
    };
    struct Place {
        uint32_t shape = 0;
        std::array<float, 3> position{};
        bool is_away = false;
        uint32_t color = 0;
        bool operator==(const Place&) const = default;
    };
    struct Heap {
        uint32_t index = 0, body = 0, columns = 0;
        std::vector<int32_t> points;
        uint32_t color = 0;
        bool operator==(const Heap&) const = default;
    };
    double time = 0;
    uint64_t step = 0;
    uint32_t revision = 0;  // of the scene whose fields these are
    bool is_whole = false;
    std::vector<Place> places;
    std::vector<Tile> tiles;
    std::vector<Heap> heaps;

    bool is_empty() const { return places.empty() && tiles.empty() && heaps.empty(); }
    size_t weight() const;  // bytes, about
    void clear();
};

void encode(const HeightField&, const FieldGrid&, wire::Field&);
void encode(const GroundNews&, wire::Ground&);
// Throws InputError for what makes no sense by itself; the mirror leaves out what fits no field.
void decode(const wire::Ground&, GroundNews&);
// The heights of a field, and its triangles with these; at most 400 cells a side.
std::vector<int32_t> heights_of(const wire::Field&);
wire::Surface surface_of(const wire::Field&, std::span<const int32_t> heights);
// Red, green and blue, 0 … 1, as in wire::FieldPlace.
uint32_t packed_color(Vec3);

class GroundMirror {
  public:
    // Fields that it has already stay as they are.
    void take(const wire::Scene&);
    void take(const GroundNews&);
    // Nothing is known that could change.
    bool is_empty() const { return fields_.empty() && heaps_.empty(); }
    // Of the last change; 0: all is as in the scene.
    uint64_t version() const { return version_; }
    // What changed after that version; all that ever did, after none.
    GroundNews since(uint64_t version) const;

    // As it is now, for who draws by itself. Null if there is no such field.
    struct Field {
        FieldGrid grid;
        std::vector<int32_t> base, now;  // heights
        GroundNews::Place base_place, place;
        std::vector<uint64_t> tile_version;
        uint64_t place_version = 0;
    };
    const Field* find(uint32_t shape) const;

  private:
    void revert_what_is_not_in(const GroundNews&);
    static bool set(Field&, const GroundNews::Tile&);
    void add(const wire::Field&, const wire::Part&);

    struct Heap {
        GroundNews::Heap heap;
        uint64_t version = 0;
    };
    std::map<uint32_t, Field> fields_;  // by shapes
    std::vector<Heap> heaps_;
    uint64_t version_ = 0;
    double time_ = 0;
    uint64_t step_ = 0;
};

}  // namespace bristle::live
