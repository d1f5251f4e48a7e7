// How far geometry reaches along the axes of its frame.
#pragma once

#include <bristle/model.h>

#include <span>

namespace bristle::validation::rough {

struct Bounds {
    Vec3 low{unlimited, unlimited, unlimited}, high{-unlimited, -unlimited, -unlimited};

    void add(Vec3 p);
    void add(const Bounds&, const Pose&);  // all corners
    Vec3 size() const { return high - low; }
    double thinnest() const;
};
// Planes and height fields reach infinitely far.
Bounds bounds_of(const Geometry&);
// Of all shapes on a body, in its frame; empty without shapes.
Bounds bounds_of(const Model&, BodyId);
// Of all that moves and has a shape, where it starts.
Bounds moving_bounds(const Model&);

}  // namespace bristle::validation::rough
