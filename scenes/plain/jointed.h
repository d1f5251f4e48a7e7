// The scenes with many joints, after those of scenes/plain/boxes.h.
#pragma once

#include "scenes/plain/boxes.h"

namespace bristle::scenes::plain {

// ---- Ragdolls ---------------------------------------------------------------------------------

constexpr int ragdoll_bodies = 11, ragdoll_joints = 10;

// Stands with its arms held out, 1.7 m tall, its hips at the origin of `place`. Knees bend backwards
// and elbows forwards, both from straight to 2.4 rad.
inline void add_ragdoll(Scene& scene, const Pose& place) {
    const int first = static_cast<int>(scene.bodies.size());
    const double density = 1000, bend = 2.4;
    const Quat sideways = Quat::about(x_axis, pi / 2);
    const auto add = [&](const Piece& piece, const Vec3& at, const Quat& turned = {}) {
        scene.bodies.push_back(solid(piece, density, place * Pose{at, turned}));
        return static_cast<int>(scene.bodies.size()) - 1;
    };
    const auto ball = [&](int a, int b, const Vec3& at) {
        scene.joints.push_back({.kind = Joint::Kind::ball, .a = a, .b = b, .at = place * at});
    };
    const auto hinge = [&](int a, int b, const Vec3& at, const Vec3& axis) {
        scene.joints.push_back({.kind = Joint::Kind::hinge,
                                .a = a,
                                .b = b,
                                .at = place * at,
                                .axis = place.orientation * axis,
                                .min = 0,
                                .max = bend});
    };
    const int pelvis = add(Piece::box({0.18, 0.32, 0.16}), {0, 0, 0});
    const int chest = add(Piece::box({0.2, 0.34, 0.42}), {0, 0, 0.31});
    const int head = add(Piece::ball(0.11), {0, 0, 0.67});
    ball(pelvis, chest, {0, 0, 0.09});
    ball(chest, head, {0, 0, 0.54});
    for (const double side : {-1.0, 1.0}) {
        const int upper_arm = add(Piece::capsule(0.05, 0.2), {0, side * 0.33, 0.45}, sideways);
        const int forearm = add(Piece::capsule(0.045, 0.2), {0, side * 0.62, 0.45}, sideways);
        const int thigh = add(Piece::capsule(0.07, 0.28), {0, side * 0.09, -0.3});
        const int shin = add(Piece::capsule(0.06, 0.3), {0, side * 0.09, -0.72});
        ball(chest, upper_arm, {0, side * 0.18, 0.45});
        hinge(upper_arm, forearm, {0, side * 0.475, 0.45}, {0, 0, -side});
        ball(pelvis, thigh, {0, side * 0.09, -0.1});
        hinge(thigh, shin, {0, side * 0.09, -0.51}, {0, 1, 0});
    }
    const char* const names[ragdoll_bodies] = {"pelvis",         "chest",           "head",
                                               "left upper arm", "left forearm",    "left thigh",
                                               "left shin",      "right upper arm", "right forearm",
                                               "right thigh",    "right shin"};
    const std::string number = " " + std::to_string(first / ragdoll_bodies);
    for (int i = 0; i < ragdoll_bodies; ++i)
        scene.bodies[static_cast<std::size_t>(first) + static_cast<std::size_t>(i)].name =
            names[i] + number;
}

// Four to a layer, lying on the air face down and turned in all directions, the layers falling on each other.
inline Scene ragdolls(int count) {
    Scene scene;
    const double room = 2.1, layer = 0.5, tilt = 0.15;  // m: it fits turned any way; m; rad
    const Quat lying = Quat::about(y_axis, pi / 2);
    Random random(11);
    for (int i = 0; i < count; ++i) {
        const int floor = i / 4;
        const Vec3 centre = {0.5 * room * (i % 2 == 0 ? -1 : 1),
                             0.5 * room * (i / 2 % 2 == 0 ? -1 : 1), layer * (1 + floor)};
        const double to = random.between(-pi, pi), yaw = random.between(-pi, pi);
        const Quat turned = Quat::about({std::cos(to), std::sin(to), 0}, random.between(0, tilt))
                          * Quat::about(z_axis, yaw) * lying;
        // The middle of its height is below its hips.
        add_ragdoll(scene, {centre - turned * Vec3{0, 0, -0.08}, turned});
    }
    return scene;
}

// ---- Chains and grids ---------------------------------------------------------------------------

constexpr double link_length = 0.2, link_radius = 0.03, link_density = 1000;

// A link from one joint to the next, along the unit vector in the x-z plane at this angle to the
// downward vertical.
inline Pose link_pose(const Vec3& from, double angle) {
    const Vec3 along = {std::sin(angle), 0, -std::cos(angle)};
    return {from + 0.5 * link_length * along, Quat::about(y_axis, -angle)};
}

// Side by side, let go at 45° to the vertical.
inline Scene chains(int count, int links) {
    Scene scene{.floor = Floor::none};
    const double angle = pi / 4;
    const Vec3 along = {std::sin(angle), 0, -std::cos(angle)};
    // As long as from joint to joint; neighbours do not collide, being joined.
    const Piece link = Piece::capsule(link_radius, link_length - 2 * link_radius);
    for (int chain = 0; chain < count; ++chain)
        for (int i = 0; i < links; ++i) {
            const Vec3 at = Vec3{0, 0.2 * chain, 0} + (i * link_length) * along;
            const int body = static_cast<int>(scene.bodies.size());
            scene.bodies.push_back(
                solid(link, link_density, link_pose(at, angle),
                      "link " + std::to_string(chain) + "." + std::to_string(i)));
            scene.joints.push_back({.kind = Joint::Kind::ball,
                                    .a = i == 0 ? Joint::ground : body - 1,
                                    .b = body,
                                    .at = at});
        }
    return scene;
}

// A net in the x-z plane: cubes hinged to their neighbours half-way between, hung by its upper corners.
// They are too small to touch.
inline Scene joint_grid(int side) {
    Scene scene{.floor = Floor::none};
    const double pitch = 0.5, edge = 0.2, density = 1000;
    const auto place = [&](double column, double row) -> Vec3 {
        return {pitch * (column - 0.5 * (side - 1)), 0, -pitch * row};
    };
    const auto hinge = [&](int a, int b, const Vec3& at) {
        scene.joints.push_back(
            {.kind = Joint::Kind::hinge, .a = a, .b = b, .at = at, .axis = y_axis});
    };
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const int body = row * side + column;
            scene.bodies.push_back(
                solid(Piece::box({edge, edge, edge}), density, {place(column, row)},
                      "knot " + std::to_string(row) + "." + std::to_string(column)));
            if (column > 0) hinge(body - 1, body, place(column - 0.5, row));
            if (row > 0) hinge(body - side, body, place(column, row - 0.5));
            if (row == 0 && (column == 0 || column == side - 1))
                hinge(Joint::ground, body, place(column, row));
        }
    return scene;
}

}  // namespace bristle::scenes::plain
