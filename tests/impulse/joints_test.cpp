// Derivatives of joints against differences.
#include "impulse/joints.h"

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace bristle::impulse {
namespace {

using testing_support::add_joint;
using testing_support::Random;
using testing_support::random_body;

constexpr JointType every_type[] = {
    JointType::revolute,  JointType::prismatic, JointType::cylindrical,   JointType::spherical,
    JointType::universal, JointType::planar,    JointType::point_on_line, JointType::point_on_plane,
    JointType::distance,  JointType::screw};

constexpr int rows_in_space(JointType type) {
    switch (type) {
        case JointType::revolute:
        case JointType::prismatic: return 5;
        case JointType::cylindrical:
        case JointType::universal:
        case JointType::screw: return 4;  // but for its advance, which is a row of the mechanism's
        case JointType::spherical:
        case JointType::planar: return 3;
        case JointType::point_on_line: return 2;
        default: return 1;
    }
}

struct Frame {
    Vec3 position;
    Quat orientation;
    Placement at() const { return {orientation.matrix(), position}; }
    Frame moved(const Twist& t, double h) const {
        return {position + h * t.linear, turned_by(h * t.angular) * orientation};
    }
};

// A joint between two bodies that stand and turn as the seed says, seen after a motion of theirs.
struct Joined {
    Joined(JointType type, uint64_t seed, std::optional<Vec3> plane = {}, Vec3 axis = {})
        : random(seed) {
        model.plane_normal = plane;
        const auto at_rest = [&](Vec3 near) { return random_body(random, near).moving({}, {}); };
        const BodyId a = model.add(at_rest({})), b = model.add(at_rest({1, 0, 0}));
        const Vec3 at = random.vector(0.5);
        joint =
            plane ? add_in_plane(type, a, b, at, axis) : add_joint(model, type, a, b, at, random);
        groups.emplace(model);
        geometry.emplace(model, *groups, model.joints()[joint.index], false);
        const auto start = groups->start(model);
        for (uint32_t i : {0u, 1u}) frame[i] = {start[i + 1].position, start[i + 1].orientation};
    }
    JointId add_in_plane(JointType type, BodyId a, BodyId b, Vec3 at, Vec3 axis) {
        switch (type) {
            case JointType::revolute:
                return model.add(Revolute{.a = a, .b = b, .at = at, .axis = *model.plane_normal});
            case JointType::prismatic:
                return model.add(Prismatic{.a = a, .b = b, .at = at, .axis = axis});
            case JointType::point_on_line:
                return model.add(PointOnLine{.a = a, .b = b, .at = at, .axis = axis});
            case JointType::point_on_plane:
                return model.add(PointOnPlane{.a = a, .b = b, .at = at, .normal = axis});
            default:
                return model.add(Distance{.a = a, .b = b, .at_a = at, .at_b = at + 0.7 * axis});
        }
    }
    std::array<double, 6> errors(const std::array<Frame, 2>& f) const {
        std::array<double, 6> out{};
        geometry->errors(f[0].at(), f[1].at(), out.data());
        return out;
    }
    double coordinate(const std::array<Frame, 2>& f) const {
        return geometry->coordinate(f[0].at(), f[1].at());
    }
    std::array<Frame, 2> moved(const std::array<Twist, 2>& t, double h) const {
        return {frame[0].moved(t[0], h), frame[1].moved(t[1], h)};
    }

    Random random;
    Model model;
    JointId joint;
    std::optional<Groups> groups;
    std::optional<JointGeometry> geometry;
    std::array<Frame, 2> frame;
};

double along(const JointGeometry::Sides& s, const std::array<Twist, 2>& t) {
    return dot(s.linear_a, t[0].linear) + dot(s.angular_a, t[0].angular)
         + dot(s.linear_b, t[1].linear) + dot(s.angular_b, t[1].angular);
}

// Central differences: an error of h² times the third derivative, and of rounding over h.
constexpr double h = 1e-5, close = 2e-9;

void expect_jacobian_is_the_derivative(Joined& j, const std::array<Twist, 2>& t, const char* name) {
    std::array<JointGeometry::Sides, 6> rows{};
    j.geometry->jacobian(j.frame[0].at(), j.frame[1].at(), rows.data());
    const auto before = j.errors(j.moved(t, -h)), after = j.errors(j.moved(t, h));
    for (size_t r = 0; r < static_cast<size_t>(j.geometry->rows()); ++r)
        EXPECT_NEAR(along(rows[r], t), (after[r] - before[r]) / (2 * h), close)
            << name << ", row " << r;
}

void expect_coordinate_row_is_the_derivative(Joined& j, const std::array<Twist, 2>& t,
                                             const char* name) {
    if (!j.model.has_coordinate({0})) return;
    const auto row = j.geometry->coordinate_row(j.frame[0].at(), j.frame[1].at());
    const double change = j.coordinate(j.moved(t, h)) - j.coordinate(j.moved(t, -h));
    EXPECT_NEAR(along(row, t), std::remainder(change, 2 * pi) / (2 * h), close) << name;
}

TEST(JointGeometry, HasNoErrorsWhereItStarts) {
    for (JointType type : every_type) {
        const Joined j(type, 5);
        EXPECT_EQ(j.geometry->rows(), rows_in_space(type)) << to_string(type);
        for (double e : j.errors(j.frame)) EXPECT_NEAR(e, 0, 1e-15) << to_string(type);
        if (j.model.has_coordinate({0})) {
            EXPECT_NEAR(j.coordinate(j.frame), j.model.joints()[0].length, 1e-15)
                << to_string(type);
        }
    }
}

// Where the joint is broken: bodies anywhere. Rows about directions (of prismatic joints) are derivatives where
// nothing has turned, which is where they are used; they follow below.
TEST(JointGeometry, HasTheDerivativesOfItsErrorsAnywhere) {
    for (JointType type : every_type) {
        if (type == JointType::prismatic) continue;
        for (uint64_t seed = 1; seed <= 50; ++seed) {
            Joined j(type, seed);
            for (Frame& f : j.frame) f = f.moved({j.random.vector(1), j.random.vector(1)}, 1);
            const std::array<Twist, 2> t{Twist{j.random.vector(1), j.random.vector(1)},
                                         Twist{j.random.vector(1), j.random.vector(1)}};
            expect_jacobian_is_the_derivative(j, t, to_string(type));
        }
    }
}

// A prismatic joint that has slid and gone with a; its angles' derivative is right to first order in the error.
TEST(JointGeometry, HasTheDerivativesOfItsErrorsWhereItHolds) {
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        Joined j(JointType::prismatic, seed);
        const Twist together{{}, j.random.vector(1)};
        const Vec3 from = j.frame[0].position;
        const Quat turn = turned_by(together.angular);
        for (Frame& f : j.frame)
            f = {from + turn.matrix() * (f.position - from), turn * f.orientation};
        j.frame[1].position += 0.4 * j.geometry->axis_a(j.frame[0].at());
        for (double e : j.errors(j.frame)) ASSERT_NEAR(e, 0, 1e-14);
        const std::array<Twist, 2> t{Twist{j.random.vector(1), j.random.vector(1)},
                                     Twist{j.random.vector(1), j.random.vector(1)}};
        expect_jacobian_is_the_derivative(j, t, "prismatic");
        expect_coordinate_row_is_the_derivative(j, t, "prismatic");
    }
}

// Displacements and lengths anywhere; an angle where the axes are one, moved as the joint lets it.
TEST(JointGeometry, HasTheDerivativeOfItsCoordinate) {
    for (JointType type : every_type)
        for (uint64_t seed = 1; seed <= 50; ++seed) {
            Joined j(type, seed);
            std::array<Twist, 2> t{Twist{j.random.vector(1), j.random.vector(1)},
                                   Twist{j.random.vector(1), j.random.vector(1)}};
            if (j.geometry->is_counted()) {
                const Vec3 axis = j.geometry->axis_a(j.frame[0].at());
                j.frame[1] = j.frame[1].moved({{}, j.random.uniform(-3, 3) * axis}, 1);
                t[1].angular = t[0].angular + j.random.uniform(-1, 1) * axis;
            } else {
                for (Frame& f : j.frame) f = f.moved({j.random.vector(1), j.random.vector(1)}, 1);
            }
            expect_coordinate_row_is_the_derivative(j, t, to_string(type));
        }
}

TEST(JointGeometry, CountsAnglesAboutTheAxisOfA) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        Joined j(JointType::revolute, seed);
        const double angle = j.random.uniform(-3, 3);
        j.frame[1] = j.frame[1].moved({{}, angle * j.geometry->axis_a(j.frame[0].at())}, 1);
        EXPECT_NEAR(j.coordinate(j.frame), angle, 1e-14);
    }
}

TEST(JointGeometry, InAPlaneHasTheRowsItLeavesAndTheirDerivatives) {
    struct Case {
        JointType type;
        int rows;
    };
    const Case cases[] = {{JointType::revolute, 2},
                          {JointType::prismatic, 2},
                          {JointType::point_on_line, 1},
                          {JointType::point_on_plane, 1},
                          {JointType::distance, 1}};
    for (const Case& c : cases)
        for (uint64_t seed = 1; seed <= 50; ++seed) {
            Random random(seed);
            const Vec3 n = random.direction(), e = any_perpendicular(n);
            const auto in_plane = [&] {
                return random.uniform(-1, 1) * e + random.uniform(-1, 1) * cross(n, e);
            };
            Joined j(c.type, seed, n, normalized(in_plane()));
            EXPECT_EQ(j.geometry->rows(), c.rows) << to_string(c.type);
            for (double error : j.errors(j.frame))
                EXPECT_NEAR(error, 0, 1e-15) << to_string(c.type);
            const bool keeps_turn = c.type == JointType::prismatic;
            for (Frame& f : j.frame)
                f = f.moved({in_plane(), keeps_turn ? Vec3{} : random.uniform(-1, 1) * n}, 1);
            const std::array<Twist, 2> t{Twist{in_plane(), random.uniform(-1, 1) * n},
                                         Twist{in_plane(), random.uniform(-1, 1) * n}};
            expect_jacobian_is_the_derivative(j, t, to_string(c.type));
            expect_coordinate_row_is_the_derivative(j, t, to_string(c.type));
        }
}

TEST(JointGeometry, BetweenWeldedBodiesHoldsNothing) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1)),
                 b = m.add(Body::box({1, 1, 1}, 1).at({1, 0, 0}));
    m.add(Fixed{.a = a, .b = b, .at = {0.5, 0, 0}});
    const JointId pin = m.add(Revolute{.a = a, .b = b, .at = {0.5, 0, 0}, .axis = {0, 1, 0}});
    const Groups groups(m);
    EXPECT_EQ(groups.size(), 2u);
    EXPECT_EQ(JointGeometry(m, groups, m.joints()[pin.index], false).rows(), 0);
}

TEST(JointGeometry, OfAFreeLengthHasNoRowButACoordinate) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1).at({2, 0, 0}));
    m.add(Distance{.a = m.ground(), .b = a, .at_a = {}, .at_b = {2, 0, 0}});
    const JointGeometry strut(m, Groups(m), m.joints()[0], true);
    EXPECT_EQ(strut.rows(), 0);
    EXPECT_NEAR(strut.coordinate({Mat3::identity(), {}}, {Mat3::identity(), {2, 0, 0}}), 2, 1e-15);
}

}  // namespace
}  // namespace bristle::impulse
