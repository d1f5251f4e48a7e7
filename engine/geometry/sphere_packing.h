// Balls packed into a closed mesh (spec C7; VIL, inner sphere trees): none overlap, none stick out.
//
// Of all points inside, g(x) = min(distance from the surface, distance from every ball placed so far) is the radius of
// the largest ball that fits at x. Placing the largest ball there is, again and again, fills a body quickly but is bad
// for contact: the first balls are as large as the body, each touches a face in one point, and the surface between
// two of them is dust. So no ball is larger than
//
//     R = ratio (V / count)^⅓
//
// and the balls of that radius are laid as a mason lays stones: first a layer along the whole surface, row
// by row, each settled against the surface and two balls that lie already (three distances equal to R, Newton's
// method); then the inside, from one end to the other. What is left are gaps, and these are filled by the largest
// ball each time: g climbs from the best point of a grid to a peak, where four distances are equal.
//
// g is kept on a grid. A new ball changes it only where g was larger than the distance from the ball, near by;
// so all placements together touch each grid point a few times. The grid only says where to start: the radius a
// ball gets is g of the mesh and the balls themselves.
//
// Alternatives that lost: prototypes that move uphill all at once (ProtoSphere) need many rounds for the small balls;
// a lattice clipped by the surface leaves the surface rough, which is where contact is.
#pragma once

#include "base/rooms.h"
#include "geometry/triangle_tree.h"

#include <cstdint>
#include <vector>

namespace bristle::geometry {

struct Ball {
    Vec3 center;
    double radius = 0;
};

enum class PackingStyle : uint8_t {
    largest_first,  // R infinite: fills most, for volumes
    mixed,          // a layer of equal balls along the surface, gaps filled: for contact
    homogeneous     // more of the balls equal, fewer for the gaps
};

struct SpherePacking {
    std::vector<Ball> balls;
    double volume = 0;   // of the mesh, m³
    double filled = 0;   // of it, by balls: 0 to 1
    double largest = 0;  // radius no ball exceeds
    double laid = 0;     // R, of those laid along the surface; zero if none are
};

// At most `count` balls; fewer where the gaps left are smaller than the grid sees. Throws InputError if the mesh is not
// closed, is inside out, or count is zero. The same mesh gives the same bits.
SpherePacking pack_spheres(const TriangleTree&, uint32_t count,
                           PackingStyle style = PackingStyle::mixed);

}  // namespace bristle::geometry
