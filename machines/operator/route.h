// A way for what steers its front wheels: from a place and heading to another, forwards and backwards, around what is in the way.
//
// Hybrid A*: places and headings on a grid, left along arcs of the circles that it can drive, each remembered where it really ends.
// What is still to go is guessed by the distance around obstacles and, where nothing is in the way, by Dubins' shortest way of arcs and
// a straight line, which also ends the search as soon as one is free (docs/sources.md).
#pragma once

#include "machines/operator/site_map.h"

#include <optional>
#include <vector>

namespace bristle::machines {

// Of the middle of the rear axle, which goes where it points.
struct Stand {
    double x = 0, y = 0, heading = 0;
};
struct RoutePoint {
    Stand at;
    double curvature = 0;  // 1/m, left positive, seen forwards
    int direction = 1;     // −1: backwards
};
using Route = std::vector<RoutePoint>;

// What of the ground a machine covers: discs along its middle line.
struct Footprint {
    std::vector<double> ahead;  // m, of the rear axle
    double radius = 1.7;        // m
};

struct RouteWishes {
    double curvature = 0.16;  // 1/m, at most
    double spacing = 0.15;    // m, of the route's points
    int most_looks = 80'000;  // at places, before it gives up
};

std::optional<Route> find_route(const SiteMap&, const Footprint&, const Stand& from,
                                const Stand& to, const RouteWishes& = {});
double length(const Route&);

}  // namespace bristle::machines
