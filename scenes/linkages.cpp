#include "scenes/linkages.h"

#include "model/editor.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::scenes {
namespace {

constexpr Vec3 hinge{0, -1, 0};  // angles count from x to z

Vec3 in_plane(double angle, double length) {
    return {length * std::cos(angle), 0, length * std::sin(angle)};
}

}  // namespace

SliderCrank slider_crank(double radius, double length, TimeFunction angle) {
    SliderCrank s;
    Model& m = s.model;
    const Vec3 pin{radius, 0, 0}, wrist{radius + length, 0, 0};
    s.crank = m.add(Body::rod({}, pin, 1).named("crank"));
    s.rod = m.add(Body::rod(pin, wrist, 2).named("rod"));
    s.slider = m.add(Body::box({0.1, 0.1, 0.1}, 3).at(wrist).named("slider"));
    s.pivot = m.add(
        Revolute{.a = m.ground(), .b = s.crank, .at = {}, .axis = hinge, .name = "crank pivot"});
    m.add(Revolute{.a = s.crank, .b = s.rod, .at = pin, .axis = hinge, .name = "crank pin"});
    m.add(Revolute{.a = s.rod, .b = s.slider, .at = wrist, .axis = hinge, .name = "wrist"});
    s.slide = m.add(
        Prismatic{.a = m.ground(), .b = s.slider, .at = wrist, .axis = {1, 0, 0}, .name = "slide"});
    s.drive = m.add(Drive{.joint = s.pivot, .target = std::move(angle), .name = "motor"});
    return s;
}

double FourBar::rocker_angle(double t) const {
    // K₁ cos ψ − K₂ cos θ + K₃ = cos(θ − ψ), as A sin ψ + B cos ψ = C.
    const double k1 = ground / crank, k2 = ground / rocker,
                 k3 = (crank * crank - coupler * coupler + rocker * rocker + ground * ground)
                    / (2 * crank * rocker);
    const double a = std::sin(t), b = std::cos(t) - k1, c = k3 - k2 * std::cos(t);
    return 2 * std::atan2(a + std::sqrt(a * a + b * b - c * c), b + c);
}

FourBarModel four_bar(const FourBar& size, double start, TimeFunction angle) {
    FourBarModel s;
    Model& m = s.model;
    const Vec3 at_d{size.ground, 0, 0},
        at_b = in_plane(start, size.crank),
        at_c = at_d + in_plane(size.rocker_angle(start), size.rocker);
    s.crank = m.add(Body::rod({}, at_b, 1).named("crank"));
    s.coupler = m.add(Body::rod(at_b, at_c, 2).named("coupler"));
    s.rocker = m.add(Body::rod(at_d, at_c, 1.5).named("rocker"));
    s.a = m.add(Revolute{.a = m.ground(), .b = s.crank, .at = {}, .axis = hinge, .name = "A"});
    s.b = m.add(Revolute{.a = s.crank, .b = s.coupler, .at = at_b, .axis = hinge, .name = "B"});
    s.c = m.add(Revolute{.a = s.coupler, .b = s.rocker, .at = at_c, .axis = hinge, .name = "C"});
    s.d = m.add(Revolute{.a = m.ground(), .b = s.rocker, .at = at_d, .axis = hinge, .name = "D"});
    if (angle) s.drive = m.add(Drive{.joint = s.a, .target = std::move(angle), .name = "motor"});
    return s;
}

Model bennett() {
    // Denavit and Hartenberg: turn θ about z, go a along x, twist α about x.
    const double a[] = {1, 1.5}, alpha = 0.6, beta = std::asin(1.5 * std::sin(alpha));
    const double twist[] = {alpha, beta};
    const double t1 = 1.1, t2 = 2
                              * std::atan(std::sin((beta + alpha) / 2)
                                          / std::sin((beta - alpha) / 2) / std::tan(t1 / 2));
    const double theta[] = {t1, t2, -t1, -t2};
    Model m;
    Pose frame;
    std::vector<Vec3> at, axis;
    for (int i = 0; i < 4; ++i) {
        at.push_back(frame.position);
        axis.push_back(frame.orientation.matrix() * Vec3{0, 0, 1});
        frame.orientation = frame.orientation * Quat::about({0, 0, 1}, theta[i]);
        frame.position += frame.orientation.matrix() * Vec3{a[i % 2], 0, 0};
        frame.orientation = frame.orientation * Quat::about({1, 0, 0}, twist[i % 2]);
    }
    std::vector<BodyId> link{m.ground()};
    for (size_t i = 0; i < 3; ++i)
        link.push_back(m.add(Body::box({0.3, 0.2, 0.1}, 1).at(0.5 * (at[i] + at[i + 1]))));
    for (size_t i = 0; i < 4; ++i)
        m.add(Revolute{.a = link[i], .b = link[(i + 1) % 4], .at = at[i], .axis = axis[i]});
    return m;
}

Model sarrus() {
    Model m;
    const BodyId platform = m.add(Body::box({1, 1, 0.1}, 2).at({0, 0, 1}).named("platform"));
    for (int side = 0; side < 2; ++side) {
        const Quat turn = Quat::about({0, 0, 1}, side * pi / 2);
        const auto place = [&](Vec3 v) { return turn.matrix() * v; };
        const Vec3 axis = place({0, 1, 0});
        const BodyId lower = m.add(Body::box({0.2, 0.3, 0.2}, 1).at(place({0.65, 0, 0.25}))),
                     upper = m.add(Body::box({0.2, 0.3, 0.2}, 1).at(place({0.65, 0, 0.75})));
        m.add(Revolute{.a = m.ground(), .b = lower, .at = place({0.5, 0, 0}), .axis = axis});
        m.add(Revolute{.a = lower, .b = upper, .at = place({0.8, 0, 0.5}), .axis = axis});
        m.add(Revolute{.a = upper, .b = platform, .at = place({0.5, 0, 1}), .axis = axis});
    }
    return m;
}

Model rssr() {
    Model m;
    const Vec3 p{0.3, 0, 0.4}, q{1.5, 0.8, 0.6};
    const BodyId crank = m.add(Body::box({0.1, 0.1, 0.4}, 1).at(0.5 * p)),
                 coupler = m.add(Body::box({1, 0.1, 0.1}, 1).at(0.5 * (p + q))),
                 rocker = m.add(Body::box({0.1, 0.4, 0.1}, 1).at({1.5, 0.4, 0.3}));
    m.add(Revolute{.a = m.ground(), .b = crank, .at = {}, .axis = {0, 1, 0}});
    m.add(Spherical{.a = crank, .b = coupler, .at = p});
    m.add(Spherical{.a = coupler, .b = rocker, .at = q});
    m.add(Revolute{.a = m.ground(), .b = rocker, .at = {1.5, 0, 0}, .axis = {1, 0, 0.2}});
    return m;
}

Stewart stewart() {
    Stewart s;
    Model& m = s.model;
    s.platform = m.add(Body::cylinder(0.5, 0.1, 5).at({0, 0, 1}).named("platform"));
    for (int i = 0; i < 6; ++i) {
        const int corner = i / 2;
        const double below = corner * 2 * pi / 3 + (i % 2 ? 0.3 : -0.3),
                     above = corner * 2 * pi / 3 + (i % 2 ? 0.75 : -0.75);
        const Vec3 foot{std::cos(below), std::sin(below), 0},
            head{0.5 * std::cos(above), 0.5 * std::sin(above), 1};
        const Vec3 along = normalized(head - foot);
        const double length = norm(head - foot);
        const BodyId cylinder = m.add(Body::cylinder(0.05, 0.4, 1).at(foot + 0.3 * length * along)),
                     piston = m.add(Body::cylinder(0.03, 0.4, 0.5).at(foot + 0.7 * length * along));
        // A cross below, so that the strut does not spin about itself.
        const Vec3 u = any_perpendicular(along);
        m.add(Universal{
            .a = m.ground(), .b = cylinder, .at = foot, .axis_a = u, .axis_b = cross(along, u)});
        s.struts.push_back(m.add(Prismatic{
            .a = cylinder, .b = piston, .at = foot + 0.5 * length * along, .axis = along}));
        m.add(Spherical{.a = piston, .b = s.platform, .at = head});
    }
    return s;
}

Model roughened(const Model& model, double displacement, double turn, uint64_t seed, Vec3 about) {
    Model out = model;
    std::mt19937_64 random(seed);
    const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
    std::vector<Vec3> shift(1), pivot(1);
    std::vector<Quat> by(1);
    for (uint32_t i = 1; i < out.bodies().size(); ++i) {
        Body& body = ModelEditor::bodies(out)[i];
        const Vec3 any{number(), number(), number()}, axis = norm(about) > 0 ? about : any;
        shift.push_back(displacement * Vec3{number(), number(), number()});
        by.push_back(Quat::about(axis, turn * number()));
        pivot.push_back(body.position);
        body.position += shift[i];
        body.orientation = by[i] * body.orientation;
    }
    const auto point = [&](BodyId b, Vec3 at) {
        const size_t i = b.index;
        return pivot[i] + shift[i] + by[i].matrix() * (at - pivot[i]);
    };
    for (Joint& j : ModelEditor::joints(out)) {
        if (j.type == JointType::gear) continue;
        j.at_a = point(j.a, j.at_a);
        j.at_b = point(j.b, j.at_b);
        j.axis = by[j.a.index].matrix() * j.axis;
        j.axis_b = by[j.b.index].matrix() * j.axis_b;
    }
    for (Spring& s : ModelEditor::springs(out)) {
        s.at_a = point(s.a, s.at_a);
        s.at_b = point(s.b, s.at_b);
    }
    return out;
}

double largest_gap(const Model& rough, const Model& whole) {
    double gap = 0;
    for (const Joint& j : rough.joints()) {
        if (j.type == JointType::gear) continue;
        const auto turn = [&](BodyId b) {
            return whole.bodies()[b.index].orientation
                 * rough.bodies()[b.index].orientation.conjugate();
        };
        const auto point = [&](BodyId b, Vec3 at) {
            return whole.bodies()[b.index].position
                 + turn(b).matrix() * (at - rough.bodies()[b.index].position);
        };
        const Vec3 apart = point(j.b, j.at_b) - point(j.a, j.at_a);
        const Vec3 axis = turn(j.a).matrix() * j.axis, axis_b = turn(j.b).matrix() * j.axis_b;
        switch (j.type) {
            case JointType::distance: gap = std::max(gap, std::abs(norm(apart) - j.length)); break;
            case JointType::prismatic:
            case JointType::cylindrical:
            case JointType::screw:
            case JointType::point_on_line: gap = std::max(gap, norm(cross(apart, axis))); break;
            case JointType::planar:
            case JointType::point_on_plane: gap = std::max(gap, std::abs(dot(apart, axis))); break;
            default: gap = std::max(gap, norm(apart)); break;
        }
        const bool has_parallel_axes = j.type != JointType::universal
                                    && j.type != JointType::point_on_line
                                    && j.type != JointType::point_on_plane;
        if (has_parallel_axes) gap = std::max(gap, norm(axis - axis_b));
        if (j.type == JointType::universal) gap = std::max(gap, std::abs(dot(axis, axis_b)));
    }
    return gap;
}

}  // namespace bristle::scenes
