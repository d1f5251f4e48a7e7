// What bodies look like to each other: geometry that can touch, and the materials it is made of.
//
//     auto rubber = model.add(Material{.young = 5e6, .poisson = 0.45, .static_friction = 0.9});
//     model.add(Shape{.body = wheel, .geometry = Sphere{0.6}, .material = rubber});
//     model.add(Shape{.body = model.ground(), .geometry = Plane{}});
//
// Geometry is given in a frame of its own, which `Shape::pose` places in the body. Lengths in metres.
#pragma once

#include <bristle/math.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace bristle {

template <class Tag> struct Id {
    uint32_t index = std::numeric_limits<uint32_t>::max();
    constexpr bool operator==(const Id&) const = default;
};
using BodyId = Id<struct BodyTag>;
using MaterialId = Id<struct MaterialTag>;
using ShapeId = Id<struct ShapeTag>;

// ---- Geometry ----------------------------------------------------------------------------------

struct Sphere {
    double radius = 0;
};
struct Box {
    Vec3 size;  // full edges, centred
};
// Along z; `length` is between the centres of its ends.
struct Capsule {
    double radius = 0, length = 0;
};
// Along z, centred, with flat caps.
struct Cylinder {
    double radius = 0, length = 0;
};
// z = 0; everything below is solid.
struct Plane {};
// Around z; `half` keeps the side with y ≥ 0 and closes it with flat discs.
struct Torus {
    enum class Arc : uint8_t { full, half };
    double radius = 0, tube = 0;
    Arc arc = Arc::full;
};
// The convex hull of the points.
struct ConvexPolyhedron {
    std::vector<Vec3> points;
};
// heights[row * columns + column] above the point (column * spacing_x, row * spacing_y); everything
// below is solid. Each cell is two triangles, split from its lower left to its upper right corner.
struct HeightField {
    uint32_t columns = 0, rows = 0;
    double spacing_x = 1, spacing_y = 1;
    std::vector<double> heights;
};
// Some of its points: `columns` times `rows` of them, from this one on.
struct GridArea {
    uint32_t column = 0, row = 0, columns = 1, rows = 1;
};
// Triangles counter-clockwise seen from outside.
struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<MaterialId> materials;  // of every triangle, or empty: the shape's
};
struct Mesh {
    std::shared_ptr<const TriangleMesh> surface;
    // Where volumes count (ContactLaw::Normal::volumetric): 0 for the mesh itself, else as many balls packed
    // into it.
    uint32_t spheres = 0;
};
struct CompoundPart;
struct Compound {
    std::vector<CompoundPart> parts;
};
using Geometry = std::variant<Sphere, Box, Capsule, Cylinder, Plane, Torus, ConvexPolyhedron,
                              HeightField, Mesh, Compound>;
struct CompoundPart {
    Geometry geometry;
    Pose pose;
};
// A link of a chain in the x-y plane: two half-tori of this radius (to the tube's centre) joined by
// cylinders of length `straight` along x.
Compound chain_link(double radius, double tube, double straight);

// Volume, centre and inertia about the centre at unit density. Throws InputError for what has no
// volume: planes, height fields, meshes that are not closed. Parts of a compound may overlap; each
// counts in full.
struct MassProperties {
    double volume = 0;
    Vec3 center;
    Mat3 inertia;
};
MassProperties mass_properties(const Geometry&);

// What is wrong with a mesh, face by face.
struct MeshReport {
    enum class Kind : uint8_t {
        bad_index,    // a triangle names a vertex that does not exist
        not_finite,   // a vertex is infinite or NaN
        degenerate,   // a triangle without area
        duplicate,    // the same triangle twice
        open_edge,    // an edge with one triangle
        shared_edge,  // an edge with more than two triangles
        flipped,      // neighbours that disagree about the outside
        inside_out,   // a closed part that encloses a negative volume
        crossing      // two triangles that pass through each other
    };
    struct Problem {
        Kind kind;
        uint32_t triangle;  // the first it was seen on
        std::string text;   // what, where, and what to do
    };
    std::vector<Problem> problems;
    bool is_closed = false;  // and consistently oriented: it has a volume
    bool is_usable = false;  // as scenery: every triangle has finite corners and an area
};
MeshReport check(const TriangleMesh&);

// What can be put right without guessing: vertices at one place become one, triangles without area and
// doubles are dropped, neighbours are made to agree about the outside, parts that are inside out are turned, flat
// holes of a few edges are closed. `done` says what, with the triangles of the mesh that was given; `check` of
// the result says what is left.
struct MeshRepair {
    TriangleMesh mesh;
    std::vector<std::string> done;
};
MeshRepair repaired(const TriangleMesh&);

// ---- Materials ---------------------------------------------------------------------------------

// One of a pair; how two make a contact is in ContactLaw. A zero means: estimated from masses and step.
struct Material {
    std::string name;
    double young = 0;  // Pa
    double poisson = 0.3;
    double restitution = 0.3;
    double static_friction = 0.6, kinetic_friction = 0.6;
    double viscous_friction = 0;     // N s/m
    double rolling_resistance = 0;   // m: resisting moment over normal force
    double spinning_resistance = 0;  // m
    double foundation = 0;  // N/m³: of an elastic layer; see ContactLaw::Normal::volumetric
};

// What happens where two materials touch.
//
//     normal      F = k δᵉ (1 + a δ̇), never negative                                    LUA (3.1)
//     tangential  F = κ F_stick + (1 − κ) F_slide − μ_visc v,  κ = exp(−v²/v_stick²)    LUA (3.6)
//
// Volumetric contact needs solids on both sides: closed meshes, boxes, cylinders, spheres, capsules, convex
// polyhedra, tori, or a plane against one of them. It is the law of two materials that both have a foundation (in
// series, 1/k = 1/k₁ + 1/k₂), and of pairs that say so.
//
// Zero stiffness: from the elastic modulus and the curvatures (Hertz); if that is zero too, from the
// effective mass and the step. Zero stick parameters: likewise.
struct ContactLaw {
    enum class Normal : uint8_t {
        hunt_crossley,        // a = 3(1 − ε) / (2 δ̇₀) if published
        lankarani_nikravesh,  // a = 3(1 − ε²) / (4 δ̇₀) if published
        kelvin_voigt,         // F = k δ + c δ̇, exponent 1
        volumetric  // F = k V (1 + a v), k the foundation and V the volume the solids share
    };
    // The published damping does not return its restitution (0.5 gives 0.66); the exact one does.
    enum class Damping : uint8_t { exact, published };
    // How a patch (volumetric contact) resists being turned about its normal, J being the inertia of V:
    enum class Spin : uint8_t {
        exact,     // Coulomb's law at every point of the patch
        averaged,  // μ F J ω / (V v̄),  v̄² = v² + r² ω²,  r² = J/V
        published  // μ F J ω / V, linear in ω as printed: it does not stick
    };

    Normal normal = Normal::hunt_crossley;
    Damping damping = Damping::exact;
    double stiffness = 0;        // N/m^exponent
    double elastic_modulus = 0;  // Pa: 1/(σ₁ + σ₂), σ = (1 − ν²)/Young
    double exponent = 1.5;
    double restitution = 0.3;
    double damping_factor = 0;  // s/m: a itself, instead of what restitution and impact speed give
    double static_friction = 0.6, kinetic_friction = 0.6;
    double viscous_friction = 0;
    double stick_speed = 0;      // m/s
    double stick_stiffness = 0;  // N/m
    double stick_damping = 0;    // N s/m
    double stick_strain = 1;     // η: of the bristle's strain at its limit, kept while sliding
    double rolling_resistance = 0, spinning_resistance = 0;
    double foundation =
        0;  // N/m³, of volumetric contact; zero: from the mass, the step and the patch
    Spin spin = Spin::exact;
};

// How two materials' friction and restitution make one.
enum class Combine : uint8_t { minimum, geometric_mean, mean, maximum };

// The law of one pair of materials, instead of what the combination rules give.
struct ContactPair {
    MaterialId a, b;
    ContactLaw law;
};

// ---- Shapes ------------------------------------------------------------------------------------

// Geometry on a body. Two shapes can touch if each one's group is in the other's mask, they are not on
// the same body or welded together, and no joint connects their bodies directly. (A joint to the ground
// does not count: a machine that is pinned somewhere still touches the scenery.)
struct Shape {
    BodyId body;
    Geometry geometry;
    Pose pose;            // in the body
    MaterialId material;  // none: the default material
    uint32_t group = 1, mask = 0xffffffffu;
    std::string name;
};

// These two bodies pass through each other.
struct NoContact {
    BodyId a, b;
};

}  // namespace bristle
