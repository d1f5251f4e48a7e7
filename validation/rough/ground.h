// What machines drive on, and into.
#pragma once

#include "validation/rough/case.h"
#include "validation/rough/random.h"

namespace bristle::validation::rough {

inline constexpr double field_size = 60;  // m, of a side

// Bumps of this height on a square of 60 m about the origin.
class Bumps {
  public:
    Bumps(Random&, double height);
    double operator()(double x, double y) const;
    // The highest within a square.
    double highest(Vec3 centre, double half) const;
    HeightField field() const;
    TriangleMesh mesh() const;
    static Vec3 corner() { return {-field_size / 2, -field_size / 2, 0}; }

  private:
    static constexpr uint32_t count = 121;  // points a side
    static constexpr double spacing = field_size / (count - 1);
    double at(uint32_t column, uint32_t row) const { return heights_[row * count + column]; }
    std::vector<double> heights_;
};

enum class GroundKind : uint8_t { height_field, mesh };
void add_bumps(Case&, const Bumps&, GroundKind, MaterialId);
void add_plane(Case&, MaterialId);
// Four walls about a square of this half side, 12 m high, and nobody's centre beyond them.
void add_walls(Case&, double half, MaterialId);
// Boxes, cylinders, steps and pieces of wall that do not move, not within `clear` of the origin.
void add_obstacles(Case&, Random&, int count, double clear, double half, MaterialId);
// A loose box, ball, cylinder or convex lump of about this size.
BodyId add_thing(Model&, Random&, double size, double density, Vec3 at, MaterialId = {});

}  // namespace bristle::validation::rough
