// Every mistake in shapes, materials and contact pairs, with the words it finds for it; and how materials
// combine.
#include <bristle/model.h>

#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::model {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class F> std::string error(const F& f) {
    try {
        f();
    } catch (const InputError& e) {
        return e.what();
    }
    return "nothing was thrown";
}

class ShapeErrors : public testing::Test {
  protected:
    ShapeErrors() {
        body = model.add(Body::box({1, 1, 1}, 1));
        rubber = model.add(Material{.name = "rubber"});
        plain = model.add(Material{});
    }

    template <class T> std::string refuse(const T& thing) {
        const size_t before = size();
        const std::string message = error([&] { model.add(thing); });
        EXPECT_EQ(size(), before);
        return message;
    }
    std::string refuse_geometry(Geometry g) {
        return refuse(Shape{.body = body, .geometry = std::move(g)});
    }
    std::string refuse_law(ContactLaw law) { return refuse(ContactPair{rubber, plain, law}); }
    size_t size() const {
        return model.materials().size() + model.contact_pairs().size() + model.shapes().size()
             + model.no_contacts().size();
    }

    Model model;
    BodyId body;
    MaterialId rubber, plain;
};

TEST_F(ShapeErrors, OfMaterials) {
    // The first material is the model's own.
    EXPECT_EQ(refuse(Material{.young = -1}),
              "material 3: Young's modulus is -1; it must be at least 0");
    EXPECT_EQ(refuse(Material{.young = not_a_number}),
              "material 3: Young's modulus is nan; it must be at least 0");
    EXPECT_EQ(refuse(Material{.name = "ice", .young = unlimited}),
              "material 'ice': Young's modulus is inf; it must be finite");
    for (const auto& [value, text] :
         {std::pair(-1.0, "-1"), std::pair(0.51, "0.51"), std::pair(not_a_number, "nan")})
        EXPECT_EQ(refuse(Material{.poisson = value}),
                  std::string("material 3: Poisson's ratio is ") + text
                      + "; it must be above -1 and at most 0.5");
    for (const auto& [value, text] :
         {std::pair(-0.1, "-0.1"), std::pair(1.1, "1.1"), std::pair(not_a_number, "nan")})
        EXPECT_EQ(
            refuse(Material{.restitution = value}),
            std::string("material 3: restitution is ") + text + "; it must be between 0 and 1");
    EXPECT_EQ(refuse(Material{.static_friction = -1, .kinetic_friction = -2}),
              "material 3: static friction is -1; it must be at least 0");
    EXPECT_EQ(refuse(Material{.static_friction = not_a_number}),
              "material 3: static friction is nan; it must be at least 0");
    EXPECT_EQ(refuse(Material{.static_friction = unlimited}),
              "material 3: static friction is inf; it must be finite");
    EXPECT_EQ(refuse(Material{.kinetic_friction = -1}),
              "material 3: kinetic friction is -1; it must be at least 0");
    EXPECT_EQ(refuse(Material{.static_friction = 0.5, .kinetic_friction = 0.75}),
              "material 3: kinetic friction 0.75 is larger than static friction 0.5");
    EXPECT_EQ(refuse(Material{.viscous_friction = -1}),
              "material 3: viscous friction is -1; it must be at least 0");
    EXPECT_EQ(refuse(Material{.rolling_resistance = -1}),
              "material 3: rolling resistance is -1; it must be at least 0");
    EXPECT_EQ(refuse(Material{.spinning_resistance = unlimited}),
              "material 3: spinning resistance is inf; it must be finite");
    EXPECT_EQ(refuse(Material{.spinning_resistance = not_a_number}),
              "material 3: spinning resistance is nan; it must be at least 0");
}

TEST_F(ShapeErrors, OfContactPairs) {
    const std::string unknown = "contact pair: names a material that this model does not have";
    EXPECT_EQ(refuse(ContactPair{}), unknown);
    EXPECT_EQ(refuse(ContactPair{rubber, MaterialId{7}, {}}), unknown);
    EXPECT_EQ(refuse(ContactPair{MaterialId{7}, rubber, {}}), unknown);
    const std::string where = "contact of material 'rubber' and material 2: ";
    const auto at_least_0 = [&](const char* what, double value, ContactLaw law) {
        const std::string number = std::isnan(value) ? "nan" : "-1";
        EXPECT_EQ(refuse_law(law), where + what + " is " + number + "; it must be at least 0");
    };
    for (double bad : {-1.0, not_a_number}) {
        at_least_0("stiffness", bad, {.stiffness = bad});
        at_least_0("elastic modulus", bad, {.elastic_modulus = bad});
        at_least_0("damping factor", bad, {.damping_factor = bad});
        at_least_0("static friction", bad, {.static_friction = bad});
        at_least_0("kinetic friction", bad, {.kinetic_friction = bad});
        at_least_0("viscous friction", bad, {.viscous_friction = bad});
        at_least_0("stick speed", bad, {.stick_speed = bad});
        at_least_0("stick stiffness", bad, {.stick_stiffness = bad});
        at_least_0("stick damping", bad, {.stick_damping = bad});
        at_least_0("rolling resistance", bad, {.rolling_resistance = bad});
        at_least_0("spinning resistance", bad, {.spinning_resistance = bad});
    }
    const auto infinite = [&](const char* what, ContactLaw law) {
        EXPECT_EQ(refuse_law(law), where + what + " is inf; it must be finite");
    };
    infinite("stiffness", {.stiffness = unlimited});
    infinite("elastic modulus", {.elastic_modulus = unlimited});
    infinite("exponent", {.exponent = unlimited});
    infinite("damping factor", {.damping_factor = unlimited});
    infinite("static friction", {.static_friction = unlimited});
    infinite("viscous friction", {.viscous_friction = unlimited});
    infinite("stick speed", {.stick_speed = unlimited});
    infinite("stick stiffness", {.stick_stiffness = unlimited});
    infinite("stick damping", {.stick_damping = unlimited});
    infinite("rolling resistance", {.rolling_resistance = unlimited});
    infinite("spinning resistance", {.spinning_resistance = unlimited});
    EXPECT_EQ(refuse_law({.exponent = 0.5}), where + "exponent is 0.5; it must be at least 1");
    EXPECT_EQ(refuse_law({.exponent = not_a_number}),
              where + "exponent is nan; it must be at least 1");
    EXPECT_EQ(refuse_law({.exponent = 10.5}), where + "exponent is 10.5; at most 10");
    EXPECT_EQ(refuse_law({.restitution = 1.5}),
              where + "restitution is 1.5; it must be between 0 and 1");
    EXPECT_EQ(refuse_law({.stick_strain = -0.5}),
              where + "stick strain is -0.5; it must be between 0 and 1");
    EXPECT_EQ(refuse_law({.stick_strain = not_a_number}),
              where + "stick strain is nan; it must be between 0 and 1");
    EXPECT_EQ(refuse_law({.static_friction = 0.25, .kinetic_friction = 0.5}),
              where + "kinetic friction 0.5 is larger than static friction 0.25");
    EXPECT_EQ(refuse_law({.normal = ContactLaw::Normal::kelvin_voigt, .elastic_modulus = 1e9}),
              where + "Kelvin-Voigt is linear: give its stiffness, not an elastic modulus");
}

TEST_F(ShapeErrors, OfBodiesMaterialsAndPoses) {
    const Geometry ball = Sphere{1};
    EXPECT_EQ(refuse(Shape{.body = BodyId{9}, .geometry = ball}),
              "shape 0: is on a body that this model does not have; use the id that add returned");
    EXPECT_EQ(
        refuse(Shape{.geometry = ball, .name = "nose"}),
        "shape 'nose': is on a body that this model does not have; use the id that add returned");
    EXPECT_EQ(refuse(Shape{.body = body, .geometry = ball, .material = MaterialId{3}}),
              "shape 0: is of a material that this model does not have");
    EXPECT_EQ(refuse(Shape{.body = body, .geometry = ball, .pose = {{0, not_a_number, 0}, {}}}),
              "shape 0: position is not finite (0, nan, 0)");
    for (Quat bad : {Quat{0, 0, 0, 0}, Quat{not_a_number, 0, 0, 0}, Quat{unlimited, 0, 0, 0}})
        EXPECT_EQ(refuse(Shape{.body = body, .geometry = ball, .pose = {{}, bad}}),
                  "shape 0: orientation is not a rotation; give a quaternion of length one");
    // What is not quite of length one is made so.
    model.add(Shape{.body = body, .geometry = ball, .pose = {{}, {2, 0, 0, 0}}});
    EXPECT_EQ(model.shapes()[0].pose.orientation, Quat{});
    EXPECT_EQ(model.shapes()[0].material, MaterialId{0});
    const std::string none = "no contact: names a body that this model does not have";
    EXPECT_EQ(refuse(NoContact{body, BodyId{9}}), none);
    EXPECT_EQ(refuse(NoContact{BodyId{9}, body}), none);
    EXPECT_EQ(refuse(NoContact{}), none);
}

TEST_F(ShapeErrors, OfSizes) {
    const auto positive = [](const char* what, const char* value) {
        return std::string("shape 0: ") + what + " is " + value
             + "; it must be positive and finite";
    };
    EXPECT_EQ(refuse_geometry(Sphere{}), positive("radius", "0"));
    EXPECT_EQ(refuse_geometry(Sphere{-1}), positive("radius", "-1"));
    EXPECT_EQ(refuse_geometry(Sphere{not_a_number}), positive("radius", "nan"));
    EXPECT_EQ(refuse_geometry(Sphere{unlimited}), positive("radius", "inf"));
    EXPECT_EQ(refuse_geometry(Box{}), positive("size", "0"));
    EXPECT_EQ(refuse_geometry(Box{{1, -1, 1}}), positive("size", "-1"));
    EXPECT_EQ(refuse_geometry(Box{{1, 1, unlimited}}), positive("size", "inf"));
    EXPECT_EQ(refuse_geometry(Capsule{0, 1}), positive("radius", "0"));
    EXPECT_EQ(refuse_geometry(Capsule{1, -1}), "shape 0: length is -1; it must be at least 0");
    EXPECT_EQ(refuse_geometry(Capsule{1, unlimited}), "shape 0: length is inf; it must be finite");
    EXPECT_EQ(refuse_geometry(Cylinder{0, 1}), positive("radius", "0"));
    EXPECT_EQ(refuse_geometry(Cylinder{1, 0}), positive("length", "0"));
    EXPECT_EQ(refuse_geometry(Torus{1, 0}), positive("tube", "0"));
    EXPECT_EQ(refuse_geometry(Torus{0, 1}), positive("radius", "0"));
    EXPECT_EQ(refuse_geometry(Torus{1, 1}),
              "shape 0: tube 1 is not thinner than the torus' radius 1");
    EXPECT_EQ(refuse_geometry(Torus{1, 2}),
              "shape 0: tube 2 is not thinner than the torus' radius 1");
    // A capsule without length is a ball.
    model.add(Shape{.body = body, .geometry = Capsule{1, 0}});
}

TEST_F(ShapeErrors, OfPolyhedra) {
    EXPECT_EQ(refuse_geometry(ConvexPolyhedron{}),
              "shape 0: a convex polyhedron needs at least four points");
    EXPECT_EQ(refuse_geometry(ConvexPolyhedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}),
              "shape 0: a convex polyhedron needs at least four points");
    EXPECT_EQ(
        refuse_geometry(ConvexPolyhedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, not_a_number}}}),
        "shape 0: point is not finite (0, 0, nan)");
}

// Four points in a plane, or all the same: no hull. Said when it is added, not by the first World.
TEST_F(ShapeErrors, OfFlatPolyhedra) {
    const std::string flat = refuse_geometry(
        ConvexPolyhedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}}});
    EXPECT_EQ(flat.substr(0, 9), "shape 0: ") << flat;
    const std::string point =
        refuse_geometry(ConvexPolyhedron{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}});
    EXPECT_EQ(point.substr(0, 9), "shape 0: ") << point;
}

TEST_F(ShapeErrors, OfHeightFields) {
    EXPECT_EQ(refuse_geometry(HeightField{}),
              "shape 0: a height field of 0 x 0 points has no surface");
    EXPECT_EQ(refuse_geometry(HeightField{1, 5, 1, 1, std::vector<double>(5)}),
              "shape 0: a height field of 1 x 5 points has no surface");
    EXPECT_EQ(refuse_geometry(HeightField{5, 1, 1, 1, std::vector<double>(5)}),
              "shape 0: a height field of 5 x 1 points has no surface");
    EXPECT_EQ(refuse_geometry(HeightField{2, 2, 0, 1, std::vector<double>(4)}),
              "shape 0: spacing is 0; it must be positive and finite");
    EXPECT_EQ(refuse_geometry(HeightField{2, 2, 1, -1, std::vector<double>(4)}),
              "shape 0: spacing is -1; it must be positive and finite");
    EXPECT_EQ(refuse_geometry(HeightField{2, 3, 1, 1, std::vector<double>(5)}),
              "shape 0: 5 heights for 2 columns and 3 rows");
    EXPECT_EQ(refuse_geometry(HeightField{2, 3, 1, 1, {0, 0, 0, 0, not_a_number, 0}}),
              "shape 0: height 4 (column 0, row 2) is nan");
    // 65536² is 0 in 32 bits.
    EXPECT_EQ(refuse_geometry(HeightField{65536, 65536, 1, 1, {}}),
              "shape 0: 0 heights for 65536 columns and 65536 rows");
}

TEST_F(ShapeErrors, OfMeshes) {
    EXPECT_EQ(refuse_geometry(Mesh{}), "shape 0: the mesh has no triangles");
    EXPECT_EQ(refuse_geometry(Mesh{testing_support::share({})}),
              "shape 0: the mesh has no triangles");
    TriangleMesh mesh = testing_support::block({1, 1, 1});
    mesh.triangles[3] = {0, 1, 99};
    const std::string bad = refuse_geometry(Mesh{testing_support::share(mesh)});
    EXPECT_EQ(bad.substr(0, 45), "shape 0: the mesh cannot be used; problems: 1") << bad;
    EXPECT_NE(bad.find("\n  " + check(mesh).problems[0].text), std::string::npos) << bad;
    // Six bad triangles, five of them told.
    mesh = testing_support::block({1, 1, 1});
    for (size_t i = 0; i < 6; ++i) mesh.triangles[i] = {0, 1, 99};
    const std::string many = refuse_geometry(Mesh{testing_support::share(mesh)});
    EXPECT_EQ(std::count(many.begin(), many.end(), '\n'), 5) << many;
    mesh = testing_support::block({1, 1, 1});
    mesh.materials = {rubber, rubber};
    EXPECT_EQ(refuse_geometry(Mesh{testing_support::share(mesh)}),
              "shape 0: 2 materials for 12 triangles");
    mesh.materials.assign(12, rubber);
    mesh.materials[5] = {3};
    EXPECT_EQ(refuse_geometry(Mesh{testing_support::share(mesh)}),
              "shape 0: triangle 5 is of a material that this model does not have");
    mesh.materials[5] = plain;
    model.add(Shape{.body = body, .geometry = Mesh{testing_support::share(mesh)}});
}

TEST_F(ShapeErrors, OfCompounds) {
    EXPECT_EQ(refuse_geometry(Compound{}), "shape 0: the compound has no parts");
    EXPECT_EQ(refuse_geometry(Compound{{{Sphere{1}, {{unlimited, 0, 0}, {}}}}}),
              "shape 0: position of a part is not finite (inf, 0, 0)");
    EXPECT_EQ(refuse_geometry(Compound{{{Sphere{1}, {{}, {0, 0, 0, 0}}}}}),
              "shape 0: orientation of a part is not a rotation; give a quaternion of length one");
    EXPECT_EQ(refuse_geometry(Compound{{{Sphere{1}, {}}, {Sphere{-1}, {}}}}),
              "shape 0: radius is -1; it must be positive and finite");
    // In a compound in a compound, too.
    EXPECT_EQ(refuse_geometry(Compound{{{Compound{{{Box{}, {}}}}, {}}}}),
              "shape 0: size is 0; it must be positive and finite");
    EXPECT_EQ(refuse_geometry(Compound{{{Compound{}, {}}}}), "shape 0: the compound has no parts");
}

// Materials of the triangles of a mesh are checked wherever the mesh is.
TEST_F(ShapeErrors, OfMeshMaterialsInACompound) {
    TriangleMesh mesh = testing_support::block({1, 1, 1});
    mesh.materials = {rubber, rubber};
    EXPECT_EQ(refuse_geometry(Compound{{{Mesh{testing_support::share(mesh)}, {}}}}),
              "shape 0: 2 materials for 12 triangles");
    mesh.materials.assign(12, MaterialId{77});
    EXPECT_EQ(refuse_geometry(Compound{{{Mesh{testing_support::share(mesh)}, {}}}}),
              "shape 0: triangle 0 is of a material that this model does not have");
}

TEST_F(ShapeErrors, OfLawsOfUnknownMaterials) {
    EXPECT_EQ(error([&] { (void)model.contact_law(rubber, {9}); }),
              "contact law: names a material that this model does not have");
    EXPECT_EQ(error([&] { (void)model.contact_law({9}, rubber); }),
              "contact law: names a material that this model does not have");
}

// ---- Combination -----------------------------------------------------------------------------------

TEST(ContactLaws, CombineByTheRulesOfTheModel) {
    Model m;
    const MaterialId a = m.add(Material{.restitution = 0.25,
                                        .static_friction = 0.9,
                                        .kinetic_friction = 0.4,
                                        .viscous_friction = 1,
                                        .rolling_resistance = 0.1,
                                        .spinning_resistance = 0.3});
    const MaterialId b = m.add(Material{.restitution = 0.75,
                                        .static_friction = 0.4,
                                        .kinetic_friction = 0.1,
                                        .viscous_friction = 4,
                                        .rolling_resistance = 0.2,
                                        .spinning_resistance = 0.1});
    EXPECT_DOUBLE_EQ(m.contact_law(a, b).static_friction, 0.6) << "geometric mean by default";
    EXPECT_DOUBLE_EQ(m.contact_law(a, b).restitution, 0.25) << "minimum by default";
    const auto expect = [&](Combine rule, double still, double moving, double viscous,
                            double back) {
        m.friction_rule = m.restitution_rule = rule;
        for (const ContactLaw& law : {m.contact_law(a, b), m.contact_law(b, a)}) {
            EXPECT_DOUBLE_EQ(law.static_friction, still);
            EXPECT_DOUBLE_EQ(law.kinetic_friction, moving);
            EXPECT_DOUBLE_EQ(law.viscous_friction, viscous);
            EXPECT_DOUBLE_EQ(law.restitution, back);
            EXPECT_DOUBLE_EQ(law.rolling_resistance, 0.2);
            EXPECT_DOUBLE_EQ(law.spinning_resistance, 0.3);
        }
    };
    expect(Combine::minimum, 0.4, 0.1, 1, 0.25);
    expect(Combine::geometric_mean, 0.6, 0.2, 2, std::sqrt(0.25 * 0.75));
    expect(Combine::mean, 0.65, 0.25, 2.5, 0.5);
    expect(Combine::maximum, 0.9, 0.4, 4, 0.75);
}

TEST(ContactLaws, HaveAModulusWhereBothMaterialsHaveOne) {
    Model m;
    const MaterialId steel = m.add(Material{.young = 2e11, .poisson = 0.3}),
                     rubber = m.add(Material{.young = 5e6, .poisson = 0.5}),
                     other = m.add(Material{});
    const double known = 1 / ((1 - 0.09) / 2e11 + 0.75 / 5e6);
    EXPECT_NEAR(m.contact_law(steel, rubber).elastic_modulus, known, 1e-9 * known);
    EXPECT_EQ(m.contact_law(steel, other).elastic_modulus, 0);
}

TEST(ContactLaws, OfATableGoBeforeTheRulesAndTheLastCounts) {
    Model m;
    const MaterialId a = m.add(Material{}), b = m.add(Material{});
    m.add(ContactPair{a, b, {.stiffness = 1, .restitution = 0.1}});
    m.add(ContactPair{b, a, {.stiffness = 2, .restitution = 0.2}});
    EXPECT_EQ(m.contact_law(a, b).stiffness, 2);
    EXPECT_EQ(m.contact_law(b, a).restitution, 0.2);
    EXPECT_EQ(m.contact_law(a, a).stiffness, 0);
}

}  // namespace
}  // namespace bristle::model
