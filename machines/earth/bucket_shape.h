// What a bucket holds: the shape of its load, seen from the side.
//
// The inside of a bucket is an outline in the plane of its middle, from the cutting edge A along floor and back to the rim B, times
// its width. Soil lies on what is below it, under a roof that rises from either end of the opening with the angle of repose θ, and not
// through walls:
//
//     surface(s) = min(z_A + |s − s_A| tan θ, z_B + |s − s_B| tan θ) − lowered ,      s horizontal, z up
//
// With `lowered` = 0 that is as much as it can hold as it leans now; less soil lies lower by as much as makes its area right.
#pragma once

#include <bristle/model.h>

#include <array>
#include <vector>

namespace bristle::machines {

struct Bucket {
    std::string name = "bucket";
    BodyId body;
    // All in the body's frame.
    std::vector<Vec3> hull;        // what goes through the soil: convex
    Vec3 edge_left, edge_right;    // ends of the cutting edge
    Vec3 digging{1, 0, 0};         // along the floor, out over the edge
    std::vector<Vec3> inside;      // from the edge along floor and back to the rim, both included
    double edge_thickness = 0.03;  // m: of teeth or lip
};

// Throws InputError.
void check(const Model&, const Bucket&);

class BucketShape {
  public:
    explicit BucketShape(const Bucket&);

    double width() const { return width_; }
    double floor() const { return floor_; }  // m: how far the inside reaches back from the edge
    Vec3 edge() const { return edge_; }      // its middle
    Vec3 rim() const { return rim_; }
    Vec3 digging() const { return along_; }
    Vec3 across() const { return across_; }      // from the left to the right end of the edge
    Vec3 opening() const { return opening_; }    // normal of the mouth, outwards
    double capacity(double repose_slope) const;  // m³, heaped, with the mouth level

    // As it leans now.
    struct Load {
        double volume = 0;  // m³
        Vec3 center;        // in the body's frame
    };
    Load most(Vec3 up_in_body, double repose_slope) const;
    Load load(Vec3 up_in_body, double repose_slope, double volume) const;
    // The surface of that load as it is seen: rows across the bucket of points in the body's frame, its flanks included; as many
    // columns as are handed back, none if there is nothing.
    uint32_t surface(Vec3 up_in_body, double repose_slope, double volume,
                     std::vector<Vec3>& points) const;
    // β of LUA 4.8.1, as spec F4 has it: of the mouth's normal against straight down, growing as the edge rises; a level
    // bucket has π, one that is emptied over its edge comes down from there.
    double angle(Vec3 up_in_body) const;

  private:
    struct Point {
        double x, y;
    };
    // Of a vertical line, where soil may be: from the wall below to the roof, or to a wall above.
    struct Stretch {
        double s, low, high, roof;
    };
    static constexpr size_t lines = 48;
    struct Stretches {
        std::array<Stretch, 4 * lines> list;
        size_t count = 0;
        double step = 0;
        Point up{0, 1};
    };
    Stretches stretches(Vec3 up_in_body, double slope) const;
    Load filled(const Stretches&, double lowered) const;
    // How much lower than the roof so much lies, m: no lower than `low` holds it, and what was tried last.
    struct Lowered {
        double low = 0, tried = 0;
    };
    Lowered lowered_to(const Stretches&, double volume) const;
    Vec3 in_body(Point p) const { return edge_ + p.x * along_ + p.y * normal_; }

    std::vector<Point> outline_;  // from the edge, along `along_` and `normal_`
    Vec3 edge_, rim_, along_, across_, normal_, opening_;
    double width_ = 0, floor_ = 0;
};

}  // namespace bristle::machines
