// What a world has to tell of its ground, for those who have what it was before.
#pragma once

#include <bristle/world.h>

#include "live/wire/ground.h"

#include <cstdint>
#include <vector>

namespace bristle::live {

class GroundSource {
  public:
    // From now on of worlds of this model.
    void take(const Model&);
    bool is_empty() const { return fields_.empty() && !has_processes_; }
    // Adds what may have changed after that version, and tells the version now.
    uint64_t tell(const World&, uint64_t since, GroundNews&) const;

  private:
    void tell_field(const World&, ShapeId, const FieldGrid&, uint64_t since, uint64_t& version,
                    GroundNews&) const;

    struct Field {
        ShapeId shape;
        FieldGrid grid;
    };
    std::vector<Field> fields_;
    double waiting_level_ = 0;
    bool has_processes_ = false;
};

// What flies, as frames have it.
void fill_grains(const World&, std::vector<float>& grains, std::vector<uint32_t>& colors);

}  // namespace bristle::live
