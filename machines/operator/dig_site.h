// What there is to do on a site, as one sees it: ground that can be dug, beds that can be filled, places for heaps.
#pragma once

#include "machines/operator/site_map.h"
#include "machines/operator/travel.h"
#include "machines/operator/work.h"

#include <optional>
#include <vector>

namespace bristle::machines {

class DigSite {
  public:
    // How deep it may be dug below the ground that was there in the beginning, m.
    DigSite(const Model&, double depth);

    bool has_ground() const { return !patches_.empty(); }

    // From where the machine stands: the line with the most to dig, or nothing worth a bucket.
    std::optional<Dig::Line> best_line(const Seat&) const;
    // Where to empty a bucket: over a bed that is not full, or beside. Nothing if all is full or out of reach.
    struct Place {
        Dump::Target target;
        bool is_bed = false;
    };
    std::optional<Place> best_dump(const Seat&, double from_swing) const;
    // Where it could stand instead, the best first.
    std::vector<Travel::Goal> stands(const Seat&) const;

  private:
    struct Patch {
        ShapeId shape;
        Pose pose;
        double width = 0, depth = 0;  // m
    };
    struct Bed {
        Vec3 low, high;
        BodyId body;
        size_t index = 0;
    };
    struct Ground {
        double now = 0, at_first = 0;  // m, world
    };
    std::optional<Ground> ground(const World&, double x, double y, double margin) const;
    // m³ of bank above the lowest it may be dug, along a line at an angle of the world from a place.
    struct Found {
        double near = 0, far = 0, volume = 0, floor = 0, height = 0;
    };
    std::optional<Found> along(const World&, double x, double y, double angle) const;
    std::optional<Dump::Target> in_bed(const Seat&, const Bed&) const;
    bool has_room(const World&, const Bed&) const;
    double worth(const World&, double x, double y) const;

    double depth_;
    std::vector<Patch> patches_;
    std::vector<Bed> beds_;
};

}  // namespace bristle::machines
