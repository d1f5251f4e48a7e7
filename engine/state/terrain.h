// Height fields as they are now.
//
// A model says how high ground is to begin with. From then on its heights, and where it is, are state: whatever looks at a field
// (detection, rays, queries; of all revisions and islands of a world) looks at the one LiveField here. What differs from the model is
// kept by *tiles* of 32 × 32 points: only those are in snapshots, and each has its hash, so that a field of a million points that
// nobody touches costs a step nothing, and one that is dug in costs a snapshot its holes.
#pragma once

#include <bristle/model.h>

#include "base/rooms.h"
#include "geometry/collider.h"
#include "model/compact.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace bristle::state {

struct LiveField {
    HeightField field;
    Vec3 position;             // of its frame in the body: that of the shape's pose
    double low = 0, high = 0;  // m: no height is beyond. They grow, by more than is asked for
    uint64_t bounds = 0;       // counts changes of the last three, so that who keeps boxes notices
};

// By the ids of a compact model's shapes; null of what is no height field.
using LiveFields = std::vector<std::shared_ptr<const LiveField>>;

class Terrain {
  public:
    // Makes fields of shapes that are new in this model.
    void prepare(const Model&);
    // From now on what differs is what differs from this one, which must stay where it is. Fields that it does not have are gone.
    void adopt(const Model&);
    bool empty() const { return fields_.empty(); }

    LiveFields fields(const model::IdMap& shapes) const;
    LiveFields fields() const;
    // None if the shape is no height field.
    const LiveField* find(ShapeId) const;
    // Throws InputError.
    void set(ShapeId, const GridArea&, std::span<const double> heights);
    void place(ShapeId, Vec3 position);
    // The model with heights and places as they are.
    void write_to(Model&) const;

    // Where something changed since this was asked last, in the frames of the fields: visit(shape, box).
    template <class Visit> void take_changes(const Visit& visit) {
        for (const uint32_t shape : changed_) {
            Field& f = fields_.at(shape);
            visit(ShapeId{shape}, f.changed);
            f.has_changed = false;
        }
        changed_.clear();
    }

    // Tiles of a field that changed after that version, appended; the version now. For who keeps a copy: no part of the state.
    uint64_t changed(ShapeId, uint64_t since, std::vector<GridArea>& into) const;

    // Of what differs from the model: nothing if nothing does.
    std::vector<std::byte> bytes() const;
    // False if the bytes belong to other fields; if not `is_trial`, they are then as the bytes say.
    bool assign(std::span<const std::byte>, bool is_trial);
    uint64_t hash(uint64_t seed) const;

  private:
    static constexpr uint32_t tile_points = 32;
    struct Field {
        std::shared_ptr<LiveField> live;
        const Shape* base = nullptr;  // in the model
        uint32_t tile_columns = 0;
        // Of every tile: its hash, zero if it is as in the model; and those whose hash is to be found.
        mutable std::vector<uint64_t> tile_hash;
        mutable std::vector<uint8_t> is_stale;
        mutable std::vector<uint32_t> stale;
        std::vector<uint64_t>
            tile_version;  // when a tile changed last, counted in changes; 0: never
        geometry::Aabb changed;
        bool has_changed = false;
    };
    struct Tile {
        uint32_t column, row, columns, rows;
    };
    static Tile tile_of(const Field&, uint32_t tile);
    static void mark(const Field&, uint32_t tile);
    void note(uint32_t shape, Field&, const geometry::Aabb&);
    static void grow(LiveField&, double low, double high);
    void revert(Field&);
    void touch(Field&, uint32_t tile);
    void refresh(const Field&) const;
    bool differs(const Field&) const;
    Field& at(ShapeId);

    std::map<uint32_t, Field> fields_;  // by the ids of the user's model
    std::vector<uint32_t> changed_;
    uint64_t version_ = 0;
    mutable std::vector<double> gathered_;
};

}  // namespace bristle::state
