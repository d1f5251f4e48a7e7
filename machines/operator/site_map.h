// Where a machine can stand, as one sees it from its seat: a grid of what is steep, high or in the way, and how far it is to that.
#pragma once

#include "machines/operator/excavator.h"

#include <cstdint>
#include <vector>

namespace bristle::machines {

struct MapArea {
    double low_x = 0, low_y = 0, high_x = 0, high_y = 0;  // m, world
};

class SiteMap {
  public:
    // By rays from above, through the machine itself. What is steeper than 30 % is in the way, and so is what lies off the area: up
    // 35 % it climbs straight, but does not turn (docs/operator.md).
    SiteMap(const World&, const Excavator&, const MapArea&);

    // m: to the nearest thing in the way.
    double clearance(double x, double y) const;
    // Ground that can be dug: wheels sink in and do not steer well.
    bool is_soft(double x, double y) const;
    // m along the ground from everywhere to a place, for something that needs so much room; infinite where no way leads.
    std::vector<float> distances_to(double x, double y, double room) const;
    float at(const std::vector<float>& distances, double x, double y) const {
        return distances[index(x, y)];
    }

    static constexpr double cell = 0.25;  // m: kerbs are as wide
    const MapArea& area() const { return area_; }
    // As nothing but what was seen now: what was in the way and is gone, or the reverse.
    bool contains(double x, double y) const;

  private:
    size_t index(double x, double y) const;
    void see(const World&, const Excavator&, std::vector<bool>& blocked) const;
    void measure_clearance(const std::vector<bool>& blocked);

    MapArea area_;
    size_t columns_ = 0, rows_ = 0;
    std::vector<float> clearance_;
    struct Field {
        Pose pose;
        double width = 0, depth = 0;  // m
    };
    std::vector<Field> soft_;
};

}  // namespace bristle::machines
