// Ten scenes with contact in which nothing is given but restitution and friction: refined, they come to one answer.
//
// Everything's place at ten times is compared with a step of 62.5 µs. What the step cannot resolve is softer than it should be, by
// h²; when something is struck is known to the step's own order. So from 5 to 0.25 ms they come closer by twenty at least.
#include "validation/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation {
namespace {

constexpr double step[] = {5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}, finest_step = 6.25e-5;

struct ContactScene {
    std::string name;
    Model model;
    double time;
};

class Builder {
  public:
    Builder(double restitution, double friction, bool with_floor = true) {
        material_ = scene_.add(Material{
            .restitution = restitution, .static_friction = friction, .kinetic_friction = friction});
        if (with_floor) touch(Model::ground(), Plane{});
    }
    BodyId ball(double radius, double mass, Vec3 at, Vec3 velocity = {}, Vec3 spin = {}) {
        const BodyId id = scene_.add(Body::sphere(radius, mass).at(at).moving(velocity, spin));
        touch(id, Sphere{radius});
        return id;
    }
    BodyId box(Vec3 size, double mass, Vec3 at, Vec3 velocity = {}, Vec3 spin = {}) {
        const BodyId id = scene_.add(Body::box(size, mass).at(at).moving(velocity, spin));
        touch(id, Box{size});
        return id;
    }
    void pin(BodyId a, BodyId b, Vec3 at) {
        scene_.add(Revolute{.a = a, .b = b, .at = at, .axis = {0, 1, 0}});
    }
    void touch(BodyId body, Geometry geometry, Vec3 at = {}) {
        scene_.add(Shape{.body = body,
                         .geometry = std::move(geometry),
                         .pose = {.position = at},
                         .material = material_});
    }
    BodyId add(const Body& body) { return scene_.add(body); }
    ContactScene done(std::string name, double time) {
        return {std::move(name), std::move(scene_), time};
    }

  private:
    Model scene_;
    MaterialId material_;
};

ContactScene bouncing_ball() {
    Builder b(0.6, 0.5);
    b.ball(0.1, 1, {0, 0, 0.5}, {1, 0, 0}, {0, -20, 0});
    return b.done("bouncing ball with spin", 1);
}

ContactScene bowling_ball() {
    Builder b(0.3, 0.2);
    b.ball(0.11, 7, {0, 0, 0.11}, {5, 0, 0});
    return b.done("bowling ball", 1.5);
}

ContactScene sliding_box() {
    Builder b(0.3, 0.4);
    b.box({0.4, 0.4, 0.2}, 10, {0, 0, 0.1}, {3, 0, 0});
    return b.done("box that slides", 1.5);
}

ContactScene sheared_stack() {
    Builder b(0.2, 0.5);
    for (int i = 0; i < 3; ++i) b.box({0.3, 0.3, 0.3}, 5, {0, 0, 0.15 + 0.3 * i}, {1.0 * i, 0, 0});
    return b.done("stack that is sheared", 0.8);
}

ContactScene falling_pole() {
    Builder b(0, 0.8);
    b.box({0.04, 0.04, 1}, 2, {0, 0, 0.5}, {}, {0, 0.5, 0});
    return b.done("pole that wobbles", 1.2);
}

ContactScene cradle() {
    Builder b(1, 0, false);
    const double length = 0.5, raised = pi / 6;
    for (int i = 0; i < 5; ++i) {
        const double x = 0.1 * i, angle = i == 0 ? raised : 0;
        const BodyId id =
            b.ball(0.05, 1, {x - length * std::sin(angle), 0, -length * std::cos(angle)});
        b.pin(Model::ground(), id, {x, 0, 0});
    }
    return b.done("Newton's cradle, touching", 1);
}

ContactScene tippe_top() {
    Builder b(0, 0.3);
    const double radius = 0.02, off = 0.3 * radius, mass = 6e-3, tilt = 0.1;
    Body body;
    body.mass = mass;
    body.inertia = mass * radius * radius * Mat3::diagonal({131.0 / 350, 131.0 / 350, 0.4});
    const Quat turn = Quat::about({0, 1, 0}, tilt);
    const BodyId top =
        b.add(body.at({-off * std::sin(tilt), 0, radius - off * std::cos(tilt)}, turn)
                  .moving({}, {0, 0, 155}));
    b.touch(top, Sphere{radius}, {0, 0, off});
    return b.done("tippe top", 1.5);
}

ContactScene slider_with_clearance() {
    Builder b(0.5, 0.1, false);
    for (double side : {1.0, -1.0})
        b.touch(Model::ground(), Box{{4, 0.2, 0.2}}, {0, 0, side * 0.151});
    b.box({0.2, 0.1, 0.1}, 1, {}, {0.5, 0, 0.3}, {0, 0.2, 0});
    return b.done("slider with clearance", 0.8);
}

ContactScene cart_over_a_sill() {
    Builder b(0.2, 0.7);
    b.touch(Model::ground(), Box{{0.2, 2, 0.06}}, {1.2, 0, 0});
    const BodyId frame = b.box({0.8, 0.4, 0.1}, 20, {0, 0, 0.3}, {2, 0, 0});
    for (double x : {-0.3, 0.3})
        for (double y : {-0.25, 0.25}) {
            const BodyId wheel = b.ball(0.15, 2, {x, y, 0.15}, {2, 0, 0}, {0, 2 / 0.15, 0});
            b.pin(frame, wheel, {x, y, 0.15});
        }
    return b.done("cart over a sill", 1.2);
}

ContactScene ram() {
    Builder b(0.4, 0.5);
    b.box({0.4, 0.4, 0.4}, 5, {0.405, 0, 0.2});
    const double raised = 50 * pi / 180;
    const BodyId ball = b.ball(0.1, 3, {0.1 - std::sin(raised), 0, 1.2 - std::cos(raised)});
    b.pin(Model::ground(), ball, {0.1, 0, 1.2});
    return b.done("pendulum that rams a box", 1.5);
}

ContactScene tumbling_box() {
    Builder b(0.3, 0.5);
    b.box({0.4, 0.3, 0.2}, 3, {0, 0, 0.6}, {1, 0, 0}, {1, 3, 0.5});
    return b.done("box that tumbles", 0.7);
}

std::vector<Vec3> places(const ContactScene& scene, double h) {
    World world(scene.model, AugmentedLagrangian{.step = h});
    std::vector<Vec3> out;
    for (int i = 1; i <= 10; ++i) {
        world.advance_to(scene.time * i / 10);
        for (uint32_t b = 1; b < scene.model.bodies().size(); ++b)
            out.push_back(world.pose(BodyId{b}).position);
    }
    return out;
}

void refine(Checks& check, const ContactScene& scene) {
    const std::vector<Vec3> finest = places(scene, finest_step);
    std::vector<double> off;
    for (double h : step) {
        const std::vector<Vec3> now = places(scene, h);
        double most = 0;
        for (size_t i = 0; i < now.size(); ++i) most = std::max(most, norm(now[i] - finest[i]));
        check.below(scene.name, fmt::format("off at {} ms, m", 1e3 * h), most, 100 * h);
        off.push_back(most);
    }
    check.between(
        scene.name, "observed order", 1,
        std::log(off.front() / off.back()) / std::log(step[0] / step[std::size(step) - 1]), 6);
}

}  // namespace

void validate_truth_convergence(Checks& check) {
    for (const auto& scene :
         {bouncing_ball, bowling_ball, sliding_box, sheared_stack, falling_pole, cradle, tippe_top,
          slider_with_clearance, cart_over_a_sill, ram, tumbling_box}) {
        const ContactScene s = scene();
        attempt(check, s.name, [&] { refine(check, s); });
    }
}

}  // namespace bristle::validation
