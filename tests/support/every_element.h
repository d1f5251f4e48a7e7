// A model with every kind of joint, coupling, drive, limit and force, in general position: boxes with
// oblique axes, on the ground and on bodies that move; loops that need closures, rods and points too.
#pragma once

#include <bristle/model.h>

#include "tests/support/random.h"

namespace bristle::testing_support {

class EveryElement {
  public:
    explicit EveryElement(uint64_t seed) : random_(seed) {
        couple(model.ground());
        couple(carrier());
        join_every_kind();
        close_loops();
        add_forces();
    }

    Model model;

  private:
    BodyId box(Vec3 at) {
        const Vec3 size{random_.uniform(0.3, 1), random_.uniform(0.3, 1), random_.uniform(0.3, 1)};
        return model.add(Body::box(size, random_.uniform(0.5, 2)).at(at, random_.rotation()));
    }
    BodyId carrier() { return box(random_.vector(2)); }

    // Everything that acts on a coordinate, between a base and new bodies.
    void couple(BodyId base) {
        const auto revolute = [&] {
            const Vec3 at = random_.vector(1);
            return model.add(Revolute{.a = base,
                                      .b = box(at + random_.vector(0.5)),
                                      .at = at,
                                      .axis = random_.direction()});
        };
        const auto prismatic = [&] {
            const Vec3 at = random_.vector(1);
            return model.add(Prismatic{.a = base,
                                       .b = box(at + random_.vector(0.5)),
                                       .at = at,
                                       .axis = random_.direction()});
        };
        const JointId r1 = revolute(), r2 = revolute(), p1 = prismatic(), p2 = prismatic();
        const Vec3 at = random_.vector(1), end = at + random_.direction();
        const JointId d1 = model.add(Distance{.a = base, .b = box(end), .at_a = at, .at_b = end});
        const JointId c1 = model.add(Cylindrical{
            .a = base, .b = box(at), .at = random_.vector(1), .axis = random_.direction()});
        const JointId s1 = model.add(Screw{.a = base,
                                           .b = box(at),
                                           .at = random_.vector(1),
                                           .axis = random_.direction(),
                                           .lead = 0.3});
        model.add(Gear{.first = r1, .second = r2, .ratio = -1.7});
        model.add(Gear{.first = r2, .second = c1, .ratio = 0.4});
        model.add(RackAndPinion{.rack = p1, .pinion = r1, .radius = 0.3});
        model.add(Drive{.joint = r2, .target = [](double) { return 0.0; }});
        model.add(Drive{.joint = p2,
                        .control = Drive::Control::speed,
                        .target = [](double) { return 0.0; },
                        .max_effort = 10});
        model.add(Limit{.joint = r1, .min = -1, .max = 2});
        model.add(Limit{.joint = s1, .min = -1});
        model.add(Coordinate{.joint = r1, .inertia = 0.4, .ratio = 3});
        model.add(Coordinate{.joint = p1, .inertia = 0.7, .ratio = -2});
        model.add(Coordinate{.joint = s1, .inertia = 0.2});
        model.add(Coordinate{.joint = c1, .inertia = 0.6, .ratio = 0.5});
        model.add(JointSpring{.joint = r1, .stiffness = 3, .damping = 0.7, .rest = 0.2});
        model.add(JointSpring{.joint = p2, .stiffness = 4, .damping = 0.2});
        model.add(JointSpring{.joint = d1, .stiffness = 5, .damping = 0.6, .rest = 0.9});
        model.add(JointSpring{
            .joint = r2, .law = [](double x, double v) { return 2 * x + x * x * x + 0.5 * v; }});
        model.add(Motor{.joint = r1, .effort = [](double) { return 1.5; }, .no_load_speed = 20});
        model.add(Motor{.joint = c1, .effort = [](double) { return -2.5; }, .no_load_speed = 10});
    }

    void join_every_kind() {
        const auto place = [&] { return random_.vector(2); };
        const auto pair = [&](auto joint) {
            const Vec3 at = place();
            joint.a = box(at + random_.vector(0.7));
            joint.b = box(at + random_.vector(0.7));
            return std::pair{joint, at};
        };
        const auto along = [&](auto joint) {
            auto [j, at] = pair(joint);
            j.at = at;
            j.axis = random_.direction();
            model.add(j);
        };
        const auto across = [&](auto joint) {
            auto [j, at] = pair(joint);
            j.at = at;
            j.normal = random_.direction();
            model.add(j);
        };
        along(Revolute{});
        along(Prismatic{});
        along(Cylindrical{});
        along(PointOnLine{});
        across(Planar{});
        across(PointOnPlane{});
        const Vec3 u = random_.direction();
        auto [universal, at] = pair(Universal{.axis_a = u, .axis_b = any_perpendicular(u)});
        universal.at = at;
        model.add(universal);
        auto [ball, there] = pair(Spherical{});
        ball.at = there;
        model.add(ball);
        auto [weld, here] = pair(Fixed{});
        weld.at = here;
        model.add(weld);
        const Vec3 from = place(), to = place();
        model.add(Distance{.a = model.add(Body::rod(from, from + random_.direction(), 1)),
                           .b = model.add(Body::point(0.5).at(to)),
                           .at_a = from,
                           .at_b = to});
    }

    // Four boxes in a ring with parallel hinges, and a platform on six legs, which has more points than
    // it can use: those are tied by closures.
    void close_loops() {
        const Vec3 axis = random_.direction(), u = any_perpendicular(axis), v = cross(axis, u);
        const Vec3 corner[4] = {{}, u, u + 1.2 * v, 0.9 * v - 0.3 * u};
        BodyId link[4];
        for (int i = 0; i < 4; ++i) link[i] = box(0.5 * (corner[i] + corner[(i + 1) % 4]));
        for (size_t i = 0; i < 4; ++i)
            model.add(
                Revolute{.a = link[(i + 3) % 4], .b = link[i], .at = corner[i], .axis = axis});
        const BodyId platform = box({0, 0, 2});
        for (int i = 0; i < 6; ++i) {
            const Vec3 foot = random_.vector(1), head = Vec3{0, 0, 2} + random_.vector(0.5);
            const BodyId leg = box(0.5 * (foot + head));
            model.add(Spherical{.a = model.ground(), .b = leg, .at = foot});
            model.add(Spherical{.a = leg, .b = platform, .at = head});
        }
    }

    void add_forces() {
        const BodyId a = carrier(), b = carrier(),
                     c = model.add(Body::point(1).at(random_.vector(2)));
        const auto local = [&](BodyId id) {
            return model.bodies()[id.index].position + random_.vector(0.5);
        };
        model.add(Spring{.a = a,
                         .b = b,
                         .at_a = local(a),
                         .at_b = local(b),
                         .stiffness = 6,
                         .damping = 0.4,
                         .free_length = 0.5});
        model.add(Spring{.a = model.ground(),
                         .b = c,
                         .at_a = random_.vector(1),
                         .at_b = model.bodies()[c.index].position,
                         .stiffness = 3,
                         .free_length = 9});
        model.add(
            Spring{.a = a,
                   .b = c,
                   .at_a = local(a),
                   .at_b = model.bodies()[c.index].position,
                   .law = [](double x, double v) { return 3 * x + 0.2 * x * x * x + 0.3 * v; }});
        model.add(Bushing{.a = a,
                          .b = b,
                          .at = random_.vector(1),
                          .axes = random_.rotation(),
                          .stiffness = {3, 4, 5},
                          .damping = {0.3, 0.4, 0.5},
                          .angular_stiffness = {1, 2, 3},
                          .angular_damping = {0.1, 0.2, 0.3}});
        model.add(Bushing{.a = model.ground(),
                          .b = b,
                          .at = random_.vector(1),
                          .axes = random_.rotation(),
                          .stiffness = {1, 2, 2},
                          .damping = {0.3, 0.2, 0.1},
                          .angular_stiffness = {2, 1, 1},
                          .angular_damping = {0.1, 0.3, 0.1}});
        add_gauges(a, b);
        // Between the frames' origins, which are the centres of mass: its tangent is symmetric.
        model.add(UserForce{.apply =
                                [a, b](const Kinematics& k, ForceSink& sink) {
                                    const Vec3 pa = k.pose(a).position, pb = k.pose(b).position;
                                    const Vec3 f = 7 * (pb - pa)
                                                 + 0.9 * (k.twist(b).linear - k.twist(a).linear);
                                    sink.add_force(a, f, pa);
                                    sink.add_force(b, -f, pb);
                                },
                            .bodies = {a, b}});
    }

    // Coordinates that no joint has, of bodies that are free.
    void add_gauges(BodyId a, BodyId b) {
        const Vec3 axis = random_.direction();
        const JointId turn = model.add(TurnGauge{.a = a, .b = b, .axis = axis});
        const JointId swing = model.add(
            SwingGauge{.a = b, .b = a, .axis = axis, .axis_b = axis + any_perpendicular(axis)});
        const JointId slide =
            model.add(SlideGauge{.a = a, .b = b, .at = random_.vector(1), .axis = axis});
        model.add(JointSpring{.joint = turn, .stiffness = 2, .damping = 0.4, .rest = 0.3});
        model.add(JointSpring{.joint = swing, .stiffness = 3, .damping = 0.2, .rest = 0.5});
        model.add(JointSpring{.joint = slide, .stiffness = 4, .damping = 0.1, .rest = -0.2});
        model.add(Limit{.joint = swing, .max = 2.5});
    }

    Random random_;
};

}  // namespace bristle::testing_support
