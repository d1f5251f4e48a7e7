#include "scenes/mechanisms.h"

#include <cmath>

namespace bristle::scenes {
namespace {

constexpr Vec3 y_axis{0, 1, 0};

Vec3 in_plane(double x, double z) { return {x, 0, z}; }

}  // namespace

Pendulum pendulum() {
    Pendulum p;
    p.mass = p.model.add(Body::point(1).at({-1, 0, 0}).named("mass"));
    p.model.add(Distance{
        .a = p.model.ground(), .b = p.mass, .at_a = {}, .at_b = {-1, 0, 0}, .name = "bar"});
    return p;
}

FourBars four_bars(int n) {
    FourBars f;
    Model& m = f.model;
    for (int i = 0; i <= n; ++i) {
        const Vec3 foot = in_plane(i, 0), top = in_plane(i, 1);
        f.cranks.push_back(m.add(
            Body::rod(foot, top, 1).moving({}, {0, 1, 0}).named("crank " + std::to_string(i))));
        m.add(Revolute{.a = m.ground(), .b = f.cranks.back(), .at = foot, .axis = y_axis});
    }
    for (int i = 0; i < n; ++i) {
        const Vec3 from = in_plane(i, 1), to = in_plane(i + 1, 1);
        f.couplers.push_back(
            m.add(Body::rod(from, to, 1).moving({1, 0, 0}).named("coupler " + std::to_string(i))));
        m.add(Revolute{.a = f.cranks[static_cast<size_t>(i)],
                       .b = f.couplers.back(),
                       .at = from,
                       .axis = y_axis});
        m.add(Revolute{.a = f.cranks[static_cast<size_t>(i) + 1],
                       .b = f.couplers.back(),
                       .at = to,
                       .axis = y_axis});
    }
    return f;
}

namespace {

// A planar body along the line from `foot` to `head`, its centre `along` and `left` of the foot; inertia about y.
Body link(const char* name, Vec3 foot, Vec3 head, double mass, double inertia, double along,
          double left) {
    Body b;
    b.name = name;
    b.mass = mass;
    b.center = {along, 0, left};
    // Motion stays in the plane: only the moment about y matters; a lamina has it shared by the others.
    b.inertia = Mat3::diagonal({inertia / 2, inertia, inertia / 2});
    // x along the line; turns about y go from z to x.
    const Vec3 line = head - foot;
    return b.at(foot, Quat::about(y_axis, -std::atan2(line.z, line.x)));
}

// Where circles about p and q meet: on the left (+1) or right (−1) of the way from p to q.
Vec3 meet(Vec3 p, double radius_p, Vec3 q, double radius_q, double side) {
    const double d = norm(q - p);
    const Vec3 u = (q - p) / d;
    const double x = (d * d + radius_p * radius_p - radius_q * radius_q) / (2 * d);
    return p + x * u + side * std::sqrt(radius_p * radius_p - x * x) * in_plane(-u.z, u.x);
}

}  // namespace

Andrews andrews() {
    Andrews out;
    Model& m = out.model;
    m.gravity = {};
    const double beta = out.beta_start = -0.0617138900142764;
    const Vec3 o = in_plane(0, 0), a = in_plane(-.06934, -.00227), b = in_plane(-.03635, .03273),
               c = in_plane(.014, .072);
    // O, F and E start in a line. G and H follow from lengths: published angles have nine digits only.
    const Vec3 along = in_plane(std::cos(beta), std::sin(beta));
    const Vec3 f = .007 * along, e = (.007 - .028) * along;
    const Vec3 g = meet(a, .04, e, .02, 1), h = meet(a, .04, e, .02, -1);
    const Vec3 be = normalized(e - b);
    const Vec3 d = b + .018 * be + .02 * in_plane(-be.z, be.x);

    const BodyId of = m.add(link("OF", o, f, .04325, 2.194e-6, .00092, 0));
    const BodyId fe = m.add(link("FE", f, e, .00365, 4.410e-7, .0115, 0));
    const BodyId bde = m.add(link("BDE", b, e, .02373, 5.255e-6, .01874, .01043));
    const BodyId eg = m.add(link("EG", g, e, .00706, 5.667e-7, .00579, 0));
    const BodyId eh = m.add(link("EH", h, e, .00706, 5.667e-7, .00579, 0));
    const BodyId ag = m.add(link("AG", a, g, .0705, 1.169e-5, .02308, .00916));
    const BodyId ah = m.add(link("AH", a, h, .05498, 1.912e-5, .01228, -.00449));
    // β is positive from x to z, which is about −y.
    const Vec3 axis = -y_axis;
    const auto hinge = [&](BodyId p, BodyId q, Vec3 at) {
        return m.add(Revolute{.a = p, .b = q, .at = at, .axis = axis});
    };
    out.pivot = hinge(m.ground(), of, o);
    hinge(of, fe, f);
    hinge(m.ground(), bde, b);
    hinge(bde, fe, e);
    hinge(bde, eg, e);
    hinge(bde, eh, e);
    hinge(m.ground(), ag, a);
    hinge(m.ground(), ah, a);
    hinge(ag, eg, g);
    hinge(ah, eh, h);
    m.add(Spring{
        .a = m.ground(), .b = bde, .at_a = c, .at_b = d, .stiffness = 4530, .free_length = .07785});
    m.add(Motor{.joint = out.pivot, .effort = .033});
    out.crank = of;
    return out;
}

Flyball flyball() {
    Flyball out;
    Model& m = out.model;
    const double omega = 2 * pi, alpha = pi / 6, height = out.slider_start = 0.5;
    const Vec3 spin{0, 0, omega};
    const auto at = [&](const Body& b, Vec3 p, Quat q) {
        return b.at(p, q).moving(cross(spin, p), spin);
    };
    const BodyId shaft = m.add(at(Body::box({.01, .01, 1}, .3), {0, 0, .5}, {}).named("shaft"));
    out.slider = m.add(at(Body::box({.1, .1, .1}, 3), {0, 0, height}, {}).named("slider"));
    m.add(Revolute{.a = m.ground(), .b = shaft, .at = {}, .axis = {0, 0, 1}, .name = "bearing"});
    m.add(Prismatic{
        .a = shaft, .b = out.slider, .at = {0, 0, height}, .axis = {0, 0, 1}, .name = "guide"});
    for (double side : {1.0, -1.0}) {
        const Vec3 pin{side * .05, 0, 1}, u{side * std::cos(alpha), 0, -std::sin(alpha)};
        const Quat turn = Quat::about(y_axis, side > 0 ? alpha : pi - alpha);
        const BodyId rod = m.add(at(Body::box({1, .01, .01}, .3), pin + .5 * u, turn).named("rod"));
        const BodyId ball = m.add(at(Body::point(5), pin + u, {}).named("ball"));
        m.add(Fixed{.a = rod, .b = ball, .at = pin + u});
        m.add(Revolute{.a = shaft, .b = rod, .at = pin, .axis = y_axis});
        m.add(Spring{.a = rod,
                     .b = out.slider,
                     .at_a = pin + .5 * u,
                     .at_b = {side * .05, 0, height},
                     .stiffness = 8e5,
                     .damping = 4e4,
                     .free_length = .5});
    }
    return out;
}

Dzhanibekov dzhanibekov() {
    Dzhanibekov out;
    out.model.gravity = {};
    Body b;
    b.name = "body";
    b.mass = 1;
    b.inertia = Mat3::diagonal({1, 2, 3});
    b.angular_velocity = {.01, 5, .01};
    out.body = out.model.add(b);
    return out;
}

DoublePendulum double_pendulum() {
    DoublePendulum out;
    Model& m = out.model;
    out.first = m.add(Body::point(1).at({1, 0, 0}).named("first"));
    out.second = m.add(Body::point(1).at({2, 0, 0}).named("second"));
    m.add(Distance{.a = m.ground(), .b = out.first, .at_a = {}, .at_b = {1, 0, 0}});
    m.add(Distance{.a = out.first, .b = out.second, .at_a = {1, 0, 0}, .at_b = {2, 0, 0}});
    return out;
}

Chain chain(int links, double tip_ratio, double length, double mass) {
    Chain out;
    Model& m = out.model;
    BodyId last = m.ground();
    for (int i = 0; i < links; ++i) {
        const Vec3 from = in_plane(i * length, 0), to = in_plane((i + 1) * length, 0);
        const double m_i = i + 1 == links ? tip_ratio * mass : mass;
        const BodyId link = m.add(Body::rod(from, to, m_i).named("link " + std::to_string(i)));
        m.add(Spherical{.a = last, .b = link, .at = from});
        out.links.push_back(link);
        last = link;
    }
    return out;
}

}  // namespace bristle::scenes
