// Conforming contact by other means: a ball as a polyhedron against the volume of its own cap, and the published cases again
// with bodies packed with balls (inner sphere trees).
#include <bristle/world.h>

#include "bench/cpu_time.h"
#include "geometry/tessellate.h"
#include "scenes/plain/icosphere.h"
#include "validation/checks.h"
#include "validation/conforming.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation {
namespace {

// What of a closed mesh is below z = 0, in extended precision and by a way of its own: triangles are cut, and the cones from
// the origin of what is left are summed; the lid is in the plane of the origin and adds nothing.
double volume_below(const TriangleMesh& mesh, double height) {
    using Point = std::array<long double, 3>;
    long double sum = 0;
    for (const auto& t : mesh.triangles) {
        Point p[3];
        for (size_t k = 0; k < 3; ++k) {
            const Vec3 v = mesh.vertices[t[k]];
            p[k] = {v.x, v.y, static_cast<long double>(v.z) + height};
        }
        std::vector<Point> part;
        for (size_t k = 0; k < 3; ++k) {
            const Point &a = p[k], &b = p[(k + 1) % 3];
            if (a[2] < 0) part.push_back(a);
            if ((a[2] < 0) == (b[2] < 0)) continue;
            const long double s = a[2] / (a[2] - b[2]);
            part.push_back({a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), 0});
        }
        for (size_t k = 1; k + 1 < part.size(); ++k) {
            const Point &a = part[0], &b = part[k], &c = part[k + 1];
            sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0]))
                 / 6;
        }
    }
    return static_cast<double>(sum);
}

TriangleMesh ball_of_triangles(uint32_t frequency) {
    const scenes::icosphere::Mesh made = scenes::icosphere::make(frequency);
    TriangleMesh mesh;
    for (const auto& p : made.vertices) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles = made.triangles;
    return mesh;
}

// A ball held in the floor by a drive.
void ball_on_plane(Checks& check) {
    constexpr double foundation = 1e9;
    for (const auto& [frequency, bound] : {std::pair{22u, 0.02}, {71u, 0.002}}) {
        const auto surface = std::make_shared<const TriangleMesh>(ball_of_triangles(frequency));
        const std::string name = fmt::format("ball of {} triangles", surface->triangles.size());
        for (const double depth : {0.002, 0.064}) {
            attempt(check, name, [&, limit = bound] {
                Model model;
                model.gravity = {};
                const MaterialId material = model.add(Material{.foundation = 2 * foundation});
                const double height = 1 - depth;
                const BodyId ball = model.add(Body::sphere(1, 1).at({0, 0, height}));
                model.add(Shape{.body = ball, .geometry = Mesh{surface}, .material = material});
                model.add(Shape{.body = model.ground(), .geometry = Plane{}, .material = material});
                const JointId rail = model.add(Prismatic{
                    .a = model.ground(), .b = ball, .at = {0, 0, height}, .axis = {0, 0, 1}});
                model.add(Drive{.joint = rail, .target = [](double) { return 0.0; }});
                World world(model, AugmentedLagrangian{.step = 1e-3});
                for (int i = 0; i < 10; ++i) world.step();
                const auto patches = world.patches();
                const double force = patches.empty() ? 0 : patches[0].force.z;
                // Where it was held, to rounding.
                const double held = world.pose(ball).position.z;
                const std::string what = fmt::format("{} mm deep: force, N", 1e3 * depth);
                check.relative(name, what + ", by its own volume",
                               foundation * volume_below(*surface, held), force, 1e-9);
                // At 2 mm a ball of triangles is no ball.
                if (depth > 0.01)
                    check.relative(name, what + ", of a smooth ball",
                                   foundation * pi * depth * depth * (3 - depth) / 3, force, limit);
            });
        }
    }
}

// ---- Balls ---------------------------------------------------------------------------------------------

constexpr double gravity = 9.81, step = 1e-3, foundation = 1.7e6, degree = pi / 180;
constexpr uint32_t balls = 10000;

struct Packed {
    Model model;
    BodyId body;
};

Packed packed(const Geometry& geometry, double friction, double restitution, double angle,
              Vec3 position, Quat orientation, Vec3 spin, std::optional<Vec3> slab) {
    Packed p;
    p.model.gravity = {gravity * std::sin(angle), 0, -gravity * std::cos(angle)};
    const MaterialId material = p.model.add(Material{.name = "dry"});
    ContactLaw law;
    law.normal = ContactLaw::Normal::volumetric;
    law.foundation = foundation;
    law.restitution = restitution;
    law.static_friction = law.kinetic_friction = friction;
    p.model.add(ContactPair{material, material, law});
    const MassProperties solid = mass_properties(geometry);
    p.body = p.model.add(Body{.mass = 1,
                              .inertia = (1 / solid.volume) * solid.inertia,
                              .position = position,
                              .orientation = orientation,
                              .angular_velocity = spin});
    const auto filled = [](const Geometry& g) {
        return Mesh{std::make_shared<const TriangleMesh>(tessellated(g, 64)), balls};
    };
    p.model.add(Shape{.body = p.body, .geometry = filled(geometry), .material = material});
    if (slab)
        p.model.add(Shape{.body = p.model.ground(),
                          .geometry = filled(Box{*slab}),
                          .pose = {{0, 0, -slab->z / 2}, {}},
                          .material = material});
    else
        p.model.add(Shape{.body = p.model.ground(), .geometry = Plane{}, .material = material});
    return p;
}

void check_real_time(Checks& check, const std::string& name, const char* published, double spent,
                     double simulated) {
    check.below(name, fmt::format("real-time ratio (published: {})", published), spent / simulated,
                1);
}

double now() { return bench::cpu_seconds(bench::CpuTimeOf::thread); }

void packed_block(Checks& check) {
    const std::string name = "K3 block of balls on balls";
    attempt(check, name, [&] {
        const double sunk = gravity * std::cos(25 * degree) / (foundation * 0.5);
        Packed p = packed(Box{{1, 0.5, 0.5}}, 0.5, 0.1, 25 * degree, {0, 0, 0.25 - sunk}, {}, {},
                          Vec3{1.6, 1, 0.25});
        World world(p.model, AugmentedLagrangian{.step = step});
        const double start = now();
        world.advance_to(1);
        const double rested = world.pose(p.body).position.x;
        world.advance_to(4);
        check.below(name, "creep in 3 s at 25 deg, m", world.pose(p.body).position.x - rested,
                    1e-6);
        check.below(name, "residual speed at 25 deg, m/s (published: 1e-2)",
                    norm(world.twist(p.body).linear), 1e-6);
        check_real_time(check, name, "6.438", now() - start, 4);
    });
}

void packed_disc(Checks& check) {
    const std::string name = "K4 disc of balls";
    attempt(check, name, [&] {
        constexpr double radius = 0.25, friction = 0.6, speed = 5 * pi;
        const double sunk = gravity / (foundation * pi * radius * radius);
        Packed p = packed(Cylinder{radius, 0.05}, friction, 0.1, 0, {0, 0, 0.025 - sunk}, {},
                          {0, 0, speed}, {});
        World world(p.model, AugmentedLagrangian{.step = step});
        const double start = now();
        double stops = 0;
        while (world.time() < 1 - step / 2) {
            world.step();
            if (stops == 0 && world.twist(p.body).angular.z < 0.005 * speed) stops = world.time();
        }
        check.relative(name, "stops after, s", 0.75 * radius * speed / (friction * gravity), stops,
                       0.05);
        check_real_time(check, name, "24.794", now() - start, 1);
    });
}

void packed_cylinder(Checks& check) {
    const std::string name = "K5 cylinder of balls";
    attempt(check, name, [&] {
        constexpr double angle = 15 * degree, radius = 0.25;
        const double volume = gravity * std::cos(angle) / foundation;
        const double sunk = std::pow(0.75 * volume / std::sqrt(2 * radius), 2.0 / 3);
        Packed p = packed(Cylinder{radius, 1}, 0.5, 1, angle, {0, 0, radius - sunk},
                          Quat::about({1, 0, 0}, pi / 2), {}, {});
        World world(p.model, AugmentedLagrangian{.step = step});
        const double start = now();
        world.advance_to(3.5);
        check.relative(name, "speed after 3.5 s, m/s", 3.5 * 2.0 / 3 * gravity * std::sin(angle),
                       world.twist(p.body).linear.x, 0.02);
        check_real_time(check, name, "3.572", now() - start, 3.5);
    });
}

}  // namespace

void validate_conforming_solids(Checks& check) {
    ball_on_plane(check);
    packed_block(check);
    packed_disc(check);
    packed_cylinder(check);
}

}  // namespace bristle::validation
