// What to draw of bodies that have no shape, or whose shapes do not show them.
//
// A body is drawn as what its inertia says: a slender rod, a box, a ball; or, if it is a lamina, whose inertia
// is often made up for motion in a plane, as bars from its centre to its joints.
#pragma once

#include <bristle/model.h>

#include <variant>
#include <vector>

namespace bristle::io {

struct Bar {
    Vec3 from, to;  // in the body; the same for a body that is a point
};
struct Solid {
    Geometry geometry;
    Pose pose;  // in the body
};
struct SketchPart {
    BodyId body;
    std::variant<Bar, Solid> part;
};
std::vector<SketchPart> sketch(const Model&);

// The same with bars as capsules, and points as balls; `size`, m, is that of the whole scene.
struct SketchSolid {
    BodyId body;
    Geometry geometry;
    Pose pose;  // in the body
};
std::vector<SketchSolid> as_solids(const std::vector<SketchPart>&, double size);

// Points of the surface that reach as far as it does, in its frame; none of a plane, some of a large mesh.
std::vector<Vec3> extent_points(const Geometry&);

// Height fields of the ground that begin below this level, m, a kilometre below all bodies, wait to be placed: they are not drawn, and
// are no part of a scene's size.
double waiting_level(const Model&);
bool waits(const HeightField&, Vec3 position, double waiting_level);

// In the body's frame, of a point of the world where the model stands.
Vec3 to_local(const Body&, Vec3 at);

}  // namespace bristle::io
