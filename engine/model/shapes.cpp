// Shapes and materials as the user gives them.
#include <bristle/model.h>

#include "geometry/convex_hull.h"
#include "geometry/mesh_check.h"
#include "geometry/outline.h"
#include "model/input_checks.h"
#include "model/planar.h"

#include <algorithm>

namespace bristle {

using namespace model;
namespace {

void check_fraction(const std::string& where, const char* what, double value) {
    if (!(value >= 0 && value <= 1))
        fail(where, fmt::format("{} is {}; it must be between 0 and 1", what, value));
}

void check_positive(const std::string& where, const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        fail(where, fmt::format("{} is {}; it must be positive and finite", what, value));
}

void check_friction(const std::string& where, double of_rest, double of_motion) {
    check_at_least(where, "static friction", of_rest, 0);
    check_at_least(where, "kinetic friction", of_motion, 0);
    if (of_motion > of_rest)
        fail(where, fmt::format("kinetic friction {} is larger than static friction {}", of_motion,
                                of_rest));
}

// Every geometry's own rules.
struct GeometryCheck {
    const std::string& where;
    size_t materials;  // of the model

    void operator()(const Sphere& s) const { check_positive(where, "radius", s.radius); }
    void operator()(const Box& b) const {
        for (int k = 0; k < 3; ++k) check_positive(where, "size", b.size[k]);
    }
    void operator()(const Capsule& c) const {
        check_positive(where, "radius", c.radius);
        check_at_least(where, "length", c.length, 0);
    }
    void operator()(const Cylinder& c) const {
        check_positive(where, "radius", c.radius);
        check_positive(where, "length", c.length);
    }
    void operator()(const Plane&) const {}
    void operator()(const Torus& t) const {
        check_positive(where, "tube", t.tube);
        check_positive(where, "radius", t.radius);
        if (t.tube >= t.radius)
            fail(where,
                 fmt::format("tube {} is not thinner than the torus' radius {}", t.tube, t.radius));
    }
    void operator()(const ConvexPolyhedron& c) const {
        if (c.points.size() < 4) fail(where, "a convex polyhedron needs at least four points");
        for (Vec3 p : c.points) check_finite(where, "point", p);
        try {
            ConvexHull(c.points);
        } catch (const InputError& error) {
            fail(where, error.what());
        }
    }
    void operator()(const HeightField& f) const {
        if (f.columns < 2 || f.rows < 2)
            fail(where,
                 fmt::format("a height field of {} x {} points has no surface", f.columns, f.rows));
        check_positive(where, "spacing", f.spacing_x);
        check_positive(where, "spacing", f.spacing_y);
        if (f.heights.size() != size_t{f.columns} * f.rows)
            fail(where, fmt::format("{} heights for {} columns and {} rows", f.heights.size(),
                                    f.columns, f.rows));
        for (size_t i = 0; i < f.heights.size(); ++i)
            if (!std::isfinite(f.heights[i]))
                fail(where, fmt::format("height {} (column {}, row {}) is {}", i, i % f.columns,
                                        i / f.columns, f.heights[i]));
    }
    void operator()(const Mesh& m) const {
        if (!m.surface || m.surface->triangles.empty()) fail(where, "the mesh has no triangles");
        check_materials(*m.surface);
        const MeshReport report = check_topology(*m.surface);
        if (report.is_usable) return;
        std::string list;
        for (size_t i = 0; i < std::min<size_t>(report.problems.size(), 5); ++i)
            list += "\n  " + report.problems[i].text;
        const bool helps = check_topology(repaired(*m.surface).mesh).is_usable;
        fail(where,
             fmt::format("the mesh cannot be used; problems: {}{}{}", report.problems.size(), list,
                         helps ? "\nrepaired() mends it, in scenes `repair: safe`" : ""));
    }
    void check_materials(const TriangleMesh& mesh) const {
        if (!mesh.materials.empty() && mesh.materials.size() != mesh.triangles.size())
            fail(where, fmt::format("{} materials for {} triangles", mesh.materials.size(),
                                    mesh.triangles.size()));
        for (size_t i = 0; i < mesh.materials.size(); ++i)
            if (mesh.materials[i].index >= materials)
                fail(where, fmt::format("triangle {} is of a material that this model does not "
                                        "have",
                                        i));
    }
    void operator()(const Compound& c) const {
        if (c.parts.empty()) fail(where, "the compound has no parts");
        for (const CompoundPart& part : c.parts) {
            check_finite(where, "position of a part", part.pose.position);
            checked_rotation(where, "orientation of a part is", part.pose.orientation);
            std::visit(*this, part.geometry);
        }
    }
};

double combined(Combine rule, double a, double b) {
    switch (rule) {
        case Combine::minimum: return std::min(a, b);
        case Combine::geometric_mean: return std::sqrt(a * b);
        case Combine::mean: return 0.5 * (a + b);
        case Combine::maximum: break;
    }
    return std::max(a, b);
}

void check_outlines(const Geometry& geometry, const Mat3& rotation, const PlaneFrame& plane,
                    const std::string& where) {
    if (const auto* compound = std::get_if<Compound>(&geometry))
        for (const CompoundPart& part : compound->parts)
            check_outlines(part.geometry, rotation * part.pose.orientation.matrix(), plane, where);
    else
        outline_of(geometry, rotation, plane, where);
}

}  // namespace

MaterialId Model::add(Material m) {
    const std::string where = label("material", m.name, materials_.size());
    check_at_least(where, "Young's modulus", m.young, 0);
    if (!(m.poisson > -1 && m.poisson <= 0.5))
        fail(where,
             fmt::format("Poisson's ratio is {}; it must be above -1 and at most 0.5", m.poisson));
    check_fraction(where, "restitution", m.restitution);
    check_friction(where, m.static_friction, m.kinetic_friction);
    check_at_least(where, "viscous friction", m.viscous_friction, 0);
    check_at_least(where, "rolling resistance", m.rolling_resistance, 0);
    check_at_least(where, "spinning resistance", m.spinning_resistance, 0);
    check_at_least(where, "foundation", m.foundation, 0);
    materials_.push_back(std::move(m));
    return {static_cast<uint32_t>(materials_.size() - 1)};
}

void Model::add(const ContactPair& pair) {
    for (MaterialId m : {pair.a, pair.b})
        if (m.index >= materials_.size())
            fail("contact pair", "names a material that this model does not have");
    const std::string where = fmt::format(
        "contact of {} and {}", label("material", materials_[pair.a.index].name, pair.a.index),
        label("material", materials_[pair.b.index].name, pair.b.index));
    const ContactLaw& law = pair.law;
    check_at_least(where, "stiffness", law.stiffness, 0);
    check_at_least(where, "elastic modulus", law.elastic_modulus, 0);
    check_at_least(where, "exponent", law.exponent, 1);
    if (law.exponent > 10) fail(where, fmt::format("exponent is {}; at most 10", law.exponent));
    check_fraction(where, "restitution", law.restitution);
    check_at_least(where, "damping factor", law.damping_factor, 0);
    check_friction(where, law.static_friction, law.kinetic_friction);
    check_at_least(where, "viscous friction", law.viscous_friction, 0);
    check_at_least(where, "stick speed", law.stick_speed, 0);
    check_at_least(where, "stick stiffness", law.stick_stiffness, 0);
    check_at_least(where, "stick damping", law.stick_damping, 0);
    check_fraction(where, "stick strain", law.stick_strain);
    check_at_least(where, "rolling resistance", law.rolling_resistance, 0);
    check_at_least(where, "spinning resistance", law.spinning_resistance, 0);
    check_at_least(where, "foundation", law.foundation, 0);
    if (law.normal == ContactLaw::Normal::volumetric
        && (law.stiffness > 0 || law.elastic_modulus > 0))
        fail(where,
             "volumetric contact has a foundation (N/m³), neither a stiffness nor an elastic "
             "modulus");
    if (law.normal != ContactLaw::Normal::volumetric && law.foundation > 0)
        fail(where, "a foundation belongs to volumetric contact: choose that as the normal law");
    if (law.normal == ContactLaw::Normal::kelvin_voigt && law.elastic_modulus > 0)
        fail(where, "Kelvin-Voigt is linear: give its stiffness, not an elastic modulus");
    contact_pairs_.push_back(pair);
}

ShapeId Model::add(Shape shape) {
    const std::string where = label("shape", shape.name, shapes_.size());
    if (!contains(shape.body))
        fail(where, "is on a body that this model does not have; use the id that add returned");
    if (shape.material == MaterialId{}) shape.material = {0};
    if (shape.material.index >= materials_.size())
        fail(where, "is of a material that this model does not have");
    check_finite(where, "position", shape.pose.position);
    shape.pose.orientation = checked_rotation(where, "orientation is", shape.pose.orientation);
    std::visit(GeometryCheck{where, materials_.size()}, shape.geometry);
    if (plane_normal)
        check_outlines(
            shape.geometry,
            bodies_[shape.body.index].orientation.matrix() * shape.pose.orientation.matrix(),
            PlaneFrame(checked_plane_normal(*plane_normal)), where);
    shape_gone_.push_back(false);
    shapes_.push_back(std::move(shape));
    return {static_cast<uint32_t>(shapes_.size() - 1)};
}

void Model::add(NoContact pair) {
    if (!contains(pair.a) || !contains(pair.b))
        fail("no contact", "names a body that this model does not have");
    no_contacts_.push_back(pair);
}

ContactLaw Model::contact_law(MaterialId a, MaterialId b) const {
    if (a.index >= materials_.size() || b.index >= materials_.size())
        fail("contact law", "names a material that this model does not have");
    for (auto pair = contact_pairs_.rbegin(); pair != contact_pairs_.rend(); ++pair)
        if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) return pair->law;
    const Material &ma = materials_[a.index], &mb = materials_[b.index];
    ContactLaw law;
    if (ma.young > 0 && mb.young > 0)
        law.elastic_modulus =
            1
            / ((1 - ma.poisson * ma.poisson) / ma.young + (1 - mb.poisson * mb.poisson) / mb.young);
    law.restitution = combined(restitution_rule, ma.restitution, mb.restitution);
    law.static_friction = combined(friction_rule, ma.static_friction, mb.static_friction);
    law.kinetic_friction = combined(friction_rule, ma.kinetic_friction, mb.kinetic_friction);
    law.viscous_friction = combined(friction_rule, ma.viscous_friction, mb.viscous_friction);
    law.rolling_resistance =
        combined(Combine::maximum, ma.rolling_resistance, mb.rolling_resistance);
    law.spinning_resistance =
        combined(Combine::maximum, ma.spinning_resistance, mb.spinning_resistance);
    if (ma.foundation > 0 && mb.foundation > 0) {
        law.normal = ContactLaw::Normal::volumetric;
        law.foundation = 1 / (1 / ma.foundation + 1 / mb.foundation);
        law.elastic_modulus = 0;
    }
    return law;
}

}  // namespace bristle
