// Geometry, materials and shapes.
#include "io/mesh_file.h"
#include "python/parts.h"
#include "python/record.h"

#include <pybind11/stl/filesystem.h>

namespace bristle::python {
namespace {

void add_geometries(py::module_& m) {
    Record<Sphere>(m, "Sphere", "A ball about the origin.")
        .needs("radius", &Sphere::radius, "m")
        .constructible();
    Record<Box>(m, "Box", "A box about the origin.")
        .needs("size", &Box::size, "full edges, m")
        .constructible();
    Record<Capsule>(m, "Capsule", "A cylinder along z with round ends.")
        .needs("radius", &Capsule::radius, "m")
        .needs("length", &Capsule::length, "between the centres of its ends, m")
        .constructible();
    Record<Cylinder>(m, "Cylinder", "A cylinder along z about the origin, with flat caps.")
        .needs("radius", &Cylinder::radius, "m")
        .needs("length", &Cylinder::length, "m")
        .constructible();
    Record<Plane>(m, "Plane", "z = 0; everything below is solid.").constructible();
    auto torus = Record<Torus>(m, "Torus", "A ring around z.");
    torus.enumeration<Torus::Arc>("Arc", "How much of a torus there is.")
        .value("full", Torus::Arc::full)
        .value("half", Torus::Arc::half, "the side with y ≥ 0, closed with flat discs");
    torus.needs("radius", &Torus::radius, "to the tube's centre, m")
        .needs("tube", &Torus::tube, "radius of the tube, m")
        .field("arc", &Torus::arc, "the whole ring, or half of it")
        .constructible();
    Record<ConvexPolyhedron>(m, "ConvexPolyhedron", "The convex hull of points.")
        .needs("points", &ConvexPolyhedron::points, "n x 3, m")
        .constructible();
    Record<HeightField>(
        m, "HeightField",
        "Ground of given heights over a grid; everything below is solid. Each cell is two "
        "triangles, split from its lower left to its upper right corner.")
        .needs("columns", &HeightField::columns, "points along x")
        .needs("rows", &HeightField::rows, "points along y")
        .needs("heights", &HeightField::heights,
               "m, rows * columns numbers: heights[row * columns + column] is above the point "
               "(column * spacing_x, row * spacing_y)")
        .field("spacing_x", &HeightField::spacing_x, "m")
        .field("spacing_y", &HeightField::spacing_y, "m")
        .constructible();
    Record<TriangleMesh, std::shared_ptr<TriangleMesh>>(
        m, "TriangleMesh", "Triangles, counter-clockwise seen from outside.")
        .needs("vertices", &TriangleMesh::vertices, "n x 3, m")
        .needs("triangles", &TriangleMesh::triangles, "n x 3 vertex numbers from zero")
        .field("materials", &TriangleMesh::materials, "of every triangle; empty: the shape's")
        .constructible();
    Record<Mesh>(m, "Mesh", "A surface of triangles.")
        .needs("surface", &Mesh::surface, "read by load_mesh, or your own")
        .field("spheres", &Mesh::spheres,
               "for volumetric contact: balls to pack into it instead of its triangles")
        .constructible();
    py::class_<Compound> compound(m, "Compound", "Several geometries as one.");
    Record<CompoundPart>(m, "CompoundPart", "A geometry and its place in a compound.")
        .needs("geometry", &CompoundPart::geometry, "what it is")
        .field("pose", &CompoundPart::pose, "where it is in the compound's frame")
        .constructible();
    compound
        .def(py::init([](std::vector<CompoundPart> parts) { return Compound{std::move(parts)}; }),
             py::arg("parts"), "Of these parts.")
        .def_readwrite("parts", &Compound::parts, "Its parts.");
    m.def("chain_link", &chain_link, py::arg("radius"), py::arg("tube"), py::arg("straight"),
          "A link of a chain in the x-y plane: two half tori of this radius (m, to the tube's "
          "centre) joined "
          "by cylinders of length straight (m) along x.");

    Record<MassProperties>(m, "MassProperties", "Of a geometry at unit density.")
        .field("volume", &MassProperties::volume, "m³")
        .field("center", &MassProperties::center, "of mass, m")
        .field("inertia", &MassProperties::inertia, "about the centre, m⁵")
        .result();
    m.def("mass_properties", &mass_properties, py::arg("geometry"),
          "Volume, centre and inertia at unit density. InputError for what has no volume: planes, "
          "height "
          "fields, meshes that are not closed. Parts of a compound count in full where they "
          "overlap.");
}

void add_mesh_checks(py::module_& m) {
    auto report = Record<MeshReport>(m, "MeshReport", "What is wrong with a mesh.");
    report.enumeration<MeshReport::Kind>("Kind", "Kinds of problem.")
        .value("bad_index", MeshReport::Kind::bad_index,
               "a triangle names a vertex that does not exist")
        .value("not_finite", MeshReport::Kind::not_finite, "a vertex is infinite or NaN")
        .value("degenerate", MeshReport::Kind::degenerate, "a triangle without area")
        .value("duplicate", MeshReport::Kind::duplicate, "the same triangle twice")
        .value("open_edge", MeshReport::Kind::open_edge, "an edge with one triangle")
        .value("shared_edge", MeshReport::Kind::shared_edge, "an edge with more than two triangles")
        .value("flipped", MeshReport::Kind::flipped, "neighbours that disagree about the outside")
        .value("inside_out", MeshReport::Kind::inside_out, "a closed part of negative volume");
    Record<MeshReport::Problem>(report.scope(), "Problem", "One problem of a mesh.")
        .field("kind", &MeshReport::Problem::kind, "which")
        .field("triangle", &MeshReport::Problem::triangle, "the first it was seen on")
        .field("text", &MeshReport::Problem::text, "what, where, and what to do")
        .result();
    report.field("problems", &MeshReport::problems, "all of them")
        .field("is_closed", &MeshReport::is_closed, "and consistently oriented: it has a volume")
        .field("is_usable", &MeshReport::is_usable,
               "as scenery: every triangle has finite corners and an area")
        .result();
    m.def("check", &check, py::arg("mesh"), "What is wrong with a mesh, face by face.");
    m.def(
        "load_mesh",
        [](const std::filesystem::path& file, double merge_distance) {
            const Unlocked unlocked;
            return std::make_shared<TriangleMesh>(
                io::load_mesh(file, {.merge_distance = merge_distance}));
        },
        py::arg("file"), py::arg("merge_distance") = 0.0,
        "The triangles of an STL, OBJ, glTF or GLB file, in metres. Vertices as near as "
        "merge_distance (m) "
        "become one.");
}

void add_materials(py::module_& m) {
    Record<Material>(
        m, "Material",
        "One of a pair; how two make a contact is in ContactLaw. A zero means: estimated from "
        "masses and step.")
        .field("name", &Material::name, "for messages and scene files")
        .field("young", &Material::young, "Young's modulus, Pa")
        .field("poisson", &Material::poisson, "Poisson's ratio")
        .field("restitution", &Material::restitution, "0 stays, 1 returns with the speed it came")
        .field("static_friction", &Material::static_friction, "coefficient")
        .field("kinetic_friction", &Material::kinetic_friction, "coefficient")
        .field("viscous_friction", &Material::viscous_friction, "N s/m")
        .field("rolling_resistance", &Material::rolling_resistance,
               "resisting moment over normal force, m")
        .field("spinning_resistance", &Material::spinning_resistance,
               "the same about the normal, m")
        .field(
            "foundation", &Material::foundation,
            "of an elastic layer, N/m³: two materials that have one press by the volume they share")
        .constructible();
    auto law = Record<ContactLaw>(
        m, "ContactLaw",
        "What happens where two materials touch. Zero stiffness: from the elastic modulus and the "
        "curvatures (Hertz); if that is zero too, from effective mass and step. Zero stick "
        "parameters: "
        "likewise.");
    law.enumeration<ContactLaw::Normal>("Normal", "Laws of the normal force.")
        .value("hunt_crossley", ContactLaw::Normal::hunt_crossley, "F = k d^e (1 + a d')")
        .value("lankarani_nikravesh", ContactLaw::Normal::lankarani_nikravesh,
               "the same with another published damping")
        .value("kelvin_voigt", ContactLaw::Normal::kelvin_voigt, "F = k d + c d'")
        .value("volumetric", ContactLaw::Normal::volumetric,
               "F = k V (1 + a v), V the volume two solids share");
    law.enumeration<ContactLaw::Damping>("Damping", "How damping follows from restitution.")
        .value("exact", ContactLaw::Damping::exact, "returns the restitution asked for")
        .value("published", ContactLaw::Damping::published, "as in the literature");
    law.enumeration<ContactLaw::Spin>("Spin", "How a patch resists turning about its normal.")
        .value("exact", ContactLaw::Spin::exact, "Coulomb's law at every point")
        .value("averaged", ContactLaw::Spin::averaged, "by its radius of gyration")
        .value("published", ContactLaw::Spin::published, "linear in the angular velocity");
    law.field("normal", &ContactLaw::normal, "law of the normal force")
        .field("damping", &ContactLaw::damping, "how damping follows from restitution")
        .field("stiffness", &ContactLaw::stiffness, "N/m^exponent")
        .field("elastic_modulus", &ContactLaw::elastic_modulus,
               "of the pair, Pa: 1/(s1 + s2), s = (1 - poisson²)/young")
        .field("exponent", &ContactLaw::exponent, "of the depth")
        .field("restitution", &ContactLaw::restitution, "0 stays, 1 returns with the speed it came")
        .field("damping_factor", &ContactLaw::damping_factor,
               "s/m: a itself, instead of what restitution and impact speed give")
        .field("static_friction", &ContactLaw::static_friction, "coefficient")
        .field("kinetic_friction", &ContactLaw::kinetic_friction, "coefficient")
        .field("viscous_friction", &ContactLaw::viscous_friction, "N s/m")
        .field("stick_speed", &ContactLaw::stick_speed, "m/s")
        .field("stick_stiffness", &ContactLaw::stick_stiffness, "N/m")
        .field("stick_damping", &ContactLaw::stick_damping, "N s/m")
        .field("stick_strain", &ContactLaw::stick_strain,
               "of the bristle's strain at its limit, kept while sliding")
        .field("rolling_resistance", &ContactLaw::rolling_resistance, "m")
        .field("spinning_resistance", &ContactLaw::spinning_resistance, "m")
        .field("foundation", &ContactLaw::foundation,
               "of volumetric contact, N/m³; zero: estimated")
        .field("spin", &ContactLaw::spin, "how a volumetric contact resists turning")
        .constructible();
    py::enum_<Combine>(m, "Combine", "How two materials' friction and restitution make one.")
        .value("minimum", Combine::minimum)
        .value("geometric_mean", Combine::geometric_mean)
        .value("mean", Combine::mean)
        .value("maximum", Combine::maximum);
    Record<ContactPair>(
        m, "ContactPair",
        "The law of one pair of materials, instead of what the combination rules give.")
        .needs("a", &ContactPair::a, "a material")
        .needs("b", &ContactPair::b, "the other")
        .needs("law", &ContactPair::law, "what happens where they touch")
        .constructible();
    Record<Shape>(
        m, "Shape",
        "Geometry on a body. Two shapes can touch if each one's group is in the other's mask, they "
        "are not on the same body or welded together, and no joint connects their bodies directly "
        "(a joint to the ground does not count).")
        .needs("body", &Shape::body, "it moves with")
        .needs("geometry", &Shape::geometry, "what it is")
        .field("pose", &Shape::pose, "in the body")
        .field("material", &Shape::material, "MaterialId(): the default material")
        .field("group", &Shape::group, "bits")
        .field("mask", &Shape::mask, "bits: groups it can touch")
        .field("name", &Shape::name, "for messages and look-up")
        .constructible();
    Record<NoContact>(m, "NoContact", "These two bodies pass through each other.")
        .needs("a", &NoContact::a, "a body")
        .needs("b", &NoContact::b, "the other")
        .constructible();
}

}  // namespace

void add_shapes(py::module_& m) {
    add_geometries(m);
    add_mesh_checks(m);
    add_materials(m);
}

}  // namespace bristle::python
