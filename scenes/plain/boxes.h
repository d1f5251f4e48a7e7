// The scenes with many bodies that our engine and its peers are timed on. Tests take them from
// scenes/bodies.h, which says what each one is.
#pragma once

#include "scenes/plain/box_depth.h"
#include "scenes/plain/scene.h"

#include <algorithm>
#include <array>

namespace bristle::scenes::plain {

// Integer arithmetic makes the numbers, so every program and machine sees the same ones.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    double between(double low, double high) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    Vec3 direction() {
        const double z = between(-1, 1), angle = between(0, 2 * pi), r = std::sqrt(1 - z * z);
        return {r * std::cos(angle), r * std::sin(angle), z};
    }

  private:
    uint64_t state_;
};

constexpr Vec3 x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};

// ---- Boxes that stand on each other ------------------------------------------------------------

constexpr double stack_edge = 0.5;     // m
constexpr double stack_density = 8.0;  // kg/m³; per m² in a plane
constexpr double stack_friction = 0.25, stack_restitution = 0.25;

inline Scene stack(int count) {
    Scene scene{.friction = stack_friction, .restitution = stack_restitution};
    const Piece box = Piece::box({stack_edge, stack_edge, stack_edge});
    for (int i = 0; i < count; ++i)
        scene.bodies.push_back(solid(box, stack_density, {{0, 0, (i + 0.5) * stack_edge}},
                                     "box " + std::to_string(i)));
    return scene;
}

// In the x-z plane; neighbours of a row are a tenth of an edge apart.
inline Scene pyramid(int rows) {
    Scene scene;
    const double edge = stack_edge, pitch = 1.1 * edge;
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row; ++i)
            scene.bodies.push_back(
                solid(Piece::box({edge, edge, edge}), stack_density,
                      {{(i - 0.5 * (rows - row - 1)) * pitch, 0, (row + 0.5) * edge}},
                      "box " + std::to_string(row) + "." + std::to_string(i)));
    return scene;
}

constexpr Vec3 brick = {0.4, 0.2, 0.2};
constexpr double brick_density = 2000;

// Running bond in the x-z plane: every other course begins and ends with half a brick. The joints
// between bricks are open by 1 mm, so that a brick touches only those above and below.
inline Scene wall(int columns, int rows) {
    Scene scene{.friction = 0.6};
    const double joint = 1e-3, pitch = brick[0] + joint, left = -0.5 * columns * pitch;
    const auto add = [&](double from, double length, int row) {
        scene.bodies.push_back(
            solid(Piece::box({length, brick[1], brick[2]}), brick_density,
                  {{left + from + 0.5 * (length + joint), 0, (row + 0.5) * brick[2]}},
                  "brick " + std::to_string(scene.bodies.size())));
    };
    for (int row = 0; row < rows; ++row) {
        const bool is_shifted = row % 2 == 1;
        const double half = 0.5 * pitch;
        if (is_shifted) add(0, half - joint, row);
        for (int i = 0; i < columns - (is_shifted ? 1 : 0); ++i)
            add(i * pitch + (is_shifted ? half : 0), brick[0], row);
        if (is_shifted) add((columns - 0.5) * pitch, half - joint, row);
    }
    return scene;
}

// ---- Piles ------------------------------------------------------------------------------------

constexpr double cube_edge = 0.2, cube_density = 1000;  // m, kg/m³
constexpr double pit_edge = 3.2;                        // m, inside

// The walls of the pit: boxes beside the floor, as high as the highest cube can start.
inline std::vector<Piece> pit_walls(double height) {
    const double thickness = 0.5, at = 0.5 * (pit_edge + thickness);
    const double length = pit_edge + 2 * thickness;
    std::vector<Piece> walls;
    for (const double side : {-1.0, 1.0}) {
        walls.push_back(
            Piece::box({thickness, length, height}, {{side * at, 0, 0.5 * height}, {}}));
        walls.push_back(
            Piece::box({pit_edge, thickness, height}, {{0, side * at, 0.5 * height}, {}}));
    }
    return walls;
}

// The places of count cubes: 100 columns, 0.28 m apart, filled in layers 0.3 m apart. One in 500 would
// start in a neighbour and is drawn again.
inline std::vector<Pose> pile_poses(int count) {
    constexpr int side = 10;
    constexpr double column = 0.28, layer = 0.3, jitter = 0.02, tilt = 0.3;  // m, m, m, rad
    Random random(6);
    std::vector<Pose> poses;
    std::vector<PlacedBox> placed;
    while (static_cast<int>(poses.size()) < count) {
        const int i = static_cast<int>(poses.size()), place = i % (side * side);
        const int row = place / side, floor = i / (side * side);
        const double x = column * (place % side - 0.5 * (side - 1));
        const double y = column * (row - 0.5 * (side - 1));
        const double dx = random.between(-jitter, jitter), dy = random.between(-jitter, jitter);
        const Vec3 axis = random.direction();
        const Pose pose{{x + dx, y + dy, layer * (1 + floor)},
                        Quat::about(axis, random.between(0, tilt))};
        const PlacedBox cube({cube_edge, cube_edge, cube_edge}, pose);
        // Its neighbours are among the last row and the one before; layers are clear of each other.
        const auto near = placed.end() - std::min(i, side + 1);
        if (std::any_of(near, placed.end(),
                        [&](const auto& other) { return depth(other, cube) > 0; }))
            continue;
        poses.push_back(pose);
        placed.push_back(cube);
    }
    return poses;
}

inline Scene pile(int count) {
    Scene scene;
    for (const Pose& pose : pile_poses(count))
        scene.bodies.push_back(solid(Piece::box({cube_edge, cube_edge, cube_edge}), cube_density,
                                     pose, "cube " + std::to_string(scene.bodies.size())));
    const double height = scene.bodies.back().pose.position[2] + 1;
    scene.scenery = pit_walls(height);
    scene.room = {{-0.5 * pit_edge, -0.5 * pit_edge, 0}, {0.5 * pit_edge, 0.5 * pit_edge, height}};
    return scene;
}

// A closed drum, square inside and as deep as the cubes need, that turns about y.
inline Scene tumbler(int count) {
    Scene scene{.floor = Floor::none};
    constexpr int side = 10;
    const double pitch = 0.28, inside = 3.2, thickness = 0.2;  // m
    const int layers = (count + side * side - 1) / (side * side);
    const double depth = layers * pitch + 0.04, half = 0.5 * (inside + thickness);
    const double outside = inside + 2 * thickness, corner = std::sqrt(0.5) * inside;
    scene.room = {{-corner, -0.5 * depth, -corner}, {corner, 0.5 * depth, corner}};
    std::vector<Piece> plates;
    for (const double s : {-1.0, 1.0}) {
        plates.push_back(Piece::box({thickness, depth, inside}, {{s * half, 0, 0}, {}}));
        plates.push_back(Piece::box({outside, depth, thickness}, {{0, 0, s * half}, {}}));
        plates.push_back(
            Piece::box({outside, thickness, outside}, {{0, s * 0.5 * (depth + thickness), 0}, {}}));
    }
    scene.bodies.push_back(symmetric(std::move(plates), 1000, {}, "drum"));
    for (int i = 0; i < count; ++i) {
        const int floor = i / (side * side);
        const double x = pitch * (i % side - 0.5 * (side - 1));
        const double y = pitch * (floor - 0.5 * (layers - 1));
        const double z = pitch * (i / side % side - 0.5 * (side - 1));
        scene.bodies.push_back(solid(Piece::box({cube_edge, cube_edge, cube_edge}), cube_density,
                                     {{x, y, z}}, "cube " + std::to_string(i)));
    }
    scene.joints.push_back({.kind = Joint::Kind::hinge,
                            .a = Joint::ground,
                            .b = 0,
                            .axis = y_axis,
                            .is_driven = true,
                            .speed = 0.5});
    return scene;
}

}  // namespace bristle::scenes::plain
