// Families of jointed bodies that are thrown and swung: ragdolls and chains.
#include "scenes/contacts.h"
#include "validation/rough/bounds.h"
#include "validation/rough/ground.h"
#include "validation/rough/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {
namespace {

// Upright at the origin, looking along x, some 1.8 m tall; then moved as it is thrown.
struct Doll {
    Model& m;
    Random& random;
    Pose pose;
    Twist twist;
    int number;

    BodyId limb(const char* name, double radius, double length, double mass, Vec3 at) {
        const Vec3 arm = pose.orientation.matrix() * at;
        Body body = Body::of(Capsule{radius, length}, 1);
        body = Body::of(Capsule{radius, length}, mass / body.mass)
                   .at(pose.position + arm, pose.orientation)
                   .moving(twist.linear + cross(twist.angular, arm), twist.angular)
                   .named(fmt::format("{} {}", name, number));
        const BodyId id = m.add(body);
        m.add(Shape{.body = id, .geometry = Capsule{radius, length}});
        return id;
    }
    void hinge(const char* name, BodyId a, BodyId b, Vec3 at, Vec3 axis, double min, double max) {
        const JointId joint = m.add(Revolute{.a = a,
                                             .b = b,
                                             .at = pose * at,
                                             .axis = pose.orientation.matrix() * axis,
                                             .name = fmt::format("{} {}", name, number)});
        m.add(Limit{.joint = joint, .min = min, .max = max});
        if (random.chance(0.5))
            m.add(JointSpring{.joint = joint, .damping = random.between(0.1, 3)});
    }
};

void add_doll(Doll d) {
    const Vec3 y{0, 1, 0}, x{1, 0, 0};
    const BodyId pelvis = d.limb("pelvis", 0.11, 0.12, 12, {0, 0, 0}),
                 chest = d.limb("chest", 0.13, 0.24, 22, {0, 0, 0.42}),
                 head = d.limb("head", 0.1, 0.04, 5, {0, 0, 0.85});
    d.hinge("waist", pelvis, chest, {0, 0, 0.18}, y, -0.4, 1.2);
    d.hinge("neck", chest, head, {0, 0, 0.7}, y, -0.6, 0.7);
    for (const double side : {-1.0, 1.0}) {
        const BodyId thigh = d.limb("thigh", 0.075, 0.26, 8, {0, 0.12 * side, -0.38}),
                     shin = d.limb("shin", 0.055, 0.3, 4, {0, 0.12 * side, -0.84}),
                     upper = d.limb("upper arm", 0.05, 0.2, 2.2, {0, 0.22 * side, 0.43}),
                     fore = d.limb("forearm", 0.042, 0.2, 1.6, {0, 0.22 * side, 0.13});
        d.hinge("hip", pelvis, thigh, {0, 0.12 * side, -0.16}, d.random.chance(0.5) ? y : x, -0.5,
                1);
        d.hinge("knee", thigh, shin, {0, 0.12 * side, -0.61}, y, -0.05, 2.4);
        d.hinge("shoulder", chest, upper, {0, 0.22 * side, 0.58}, d.random.chance(0.5) ? y : x,
                -1.5, 1.5);
        d.hinge("elbow", upper, fore, {0, 0.22 * side, 0.28}, y, -2.4, 0.05);
    }
}

// Bars on ball joints between the ceiling, or nothing, and a load.
void add_bar_chain(Case& c, Random& random) {
    Model& m = c.model;
    const int links = random.whole(5, 20);
    const double length = random.between(0.1, 0.4), radius = 0.12 * length,
                 mass = random.magnitude(0.1, 10), load = mass * random.magnitude(1, 1000);
    const Vec3 along =
        normalized({random.between(0.3, 1), random.between(-0.5, 0.5), random.between(-1, 0.3)});
    const double gap = 2.2 * radius;  // between the bodies of neighbours, so that they can turn
    BodyId last = Model::ground();
    Vec3 end{0, 0, 1.2 * links * length + 1};
    const Quat turn = Quat::about(cross({0, 0, 1}, along), std::acos(along.z));
    for (int i = 0; i < links; ++i) {
        const Vec3 next = end + length * along;
        const double core =
            length - gap - 2 * radius > 0 ? length - gap - 2 * radius : 0.1 * length;
        const BodyId link = m.add(Body::cylinder(radius, length, mass)
                                      .at((end + next) / 2, turn)
                                      .named(fmt::format("link {}", i)));
        m.add(Shape{.body = link, .geometry = Capsule{radius, core}});
        m.add(Spherical{.a = last, .b = link, .at = end, .name = fmt::format("joint {}", i)});
        last = link;
        end = next;
    }
    const double size = std::min(0.5, 1.5 * length);
    const BodyId ball =
        m.add(Body::sphere(size, load).at(end + (size + 0.5 * length) * along).named("load"));
    m.add(Shape{.body = ball, .geometry = Sphere{size}});
    m.add(Spherical{.a = last, .b = ball, .at = end, .name = "load"});
    // Something to wind about.
    m.add(Shape{.body = Model::ground(),
                .geometry = Cylinder{0.15, 4},
                .pose = {{-0.6, 0.1, 0.8 * links * length + 1}, Quat::about({1, 0, 0}, pi / 2)},
                .name = "post"});
    c.about = fmt::format("{} bars, load {:.0f} times", links, load / mass);
}

// Links of wire that hang in each other.
void add_wire_chain(Case& c, Random& random) {
    const double tube = random.chance(0.4) ? 5e-3 : random.between(5e-3, 20e-3);
    const int links = random.whole(5, 12);
    auto chain = scenes::chain_links(links, random.between(0.2, 1.3), tube);
    c.model = chain.model;
    Model& m = c.model;
    const BodyId last = chain.links.back();
    const double load = chain.mass * random.magnitude(0.1, 200);
    if (random.chance(0.7)) {
        // The load is welded on where the next link would hang.
        const Body& link = m.bodies()[last.index];
        const Vec3 along = normalized(link.position - chain.top);
        const double size = 3 * tube;
        const Vec3 at = link.position + (chain.pitch / 2 + size + 2 * tube) * along;
        const BodyId weight = m.add(Body::sphere(size, load).at(at).named("load"));
        m.add(Shape{.body = weight, .geometry = Sphere{size}});
        m.add(Fixed{.a = last, .b = weight, .at = at, .name = "weld"});
    }
    c.about = fmt::format("{} links of {:.0f} mm, load {:.1f} kg", links, 1e3 * tube, load);
}

}  // namespace

Case ragdolls(uint64_t seed) {
    Random random(seed);
    Case c;
    const int count = random.whole(1, 4);
    c.about = fmt::format("{} dolls", count);
    if (random.chance(0.5)) {
        add_plane(c, {});
    } else {
        add_bumps(c, Bumps(random, 0.3), GroundKind::height_field, {});
        add_walls(c, field_size / 2 - 1, {});
        c.about += " on bumps";
    }
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * pi * i / count, speed = random.between(2, 10);
        const Vec3 from{1.8 * std::cos(angle), 1.8 * std::sin(angle), random.between(1.8, 4)};
        // At each other.
        const Vec3 velocity = -speed * normalized({from.x, from.y, random.between(-1, 1)});
        add_doll({c.model,
                  random,
                  {from, random.orientation()},
                  {velocity, random.between(0, 8) * random.direction()},
                  i});
    }
    return c;
}

Case chains(uint64_t seed) {
    Random random(seed);
    Case c;
    if (seed % 2)
        add_bar_chain(c, random);
    else
        add_wire_chain(c, random);
    return c;
}

}  // namespace bristle::validation::rough
