// Scenes with many bodies, or hard ones, for the impulse solver: tests and `bristle bench bodies` take them
// from here. Those that other engines are timed on too come from scenes/plain/boxes.h and
// scenes/plain/jointed.h, in plain numbers, so that all start from the same poses.
//
// z is up; everything starts at rest unless it says otherwise.
#pragma once

#include <bristle/model.h>

#include "scenes/plain/scene.h"

#include <vector>

namespace bristle::scenes {

// A planar model has the same bodies seen along y, as thick as 1 m: densities count per m².
enum class Motion : uint8_t { in_space, in_plane };

struct ManyBodies {
    Model model;
    std::vector<BodyId> bodies;
    std::vector<JointId> joints;
};
ManyBodies build(const plain::Scene&, Motion = Motion::in_space);

// ---- What must stand: boxes, from the floor up ---------------------------------------------------

// K6: boxes of 0.5 m, density 8, friction and restitution 0.25.
ManyBodies stack(int boxes, Motion = Motion::in_space);
// Boxes of 0.5 m in the x-z plane, `rows` of them in the lowest row.
ManyBodies pyramid(int rows, Motion = Motion::in_space);
// Bricks of 0.4×0.2×0.2 m in running bond, in the x-z plane.
ManyBodies wall(int columns, int rows);

// Pairs of cards that lean on each other, `storeys` pairs in the lowest storey and one fewer in each above,
// which stand on cards laid from ridge to ridge. Neighbours are `gap` apart at the start.
struct CardHouse {
    Model model;
    std::vector<BodyId> leaning;  // left and right card of a pair, from the floor up
    std::vector<BodyId> laid;
    Vec3 card;     // edges: height, width, thickness of a card that stands
    double angle;  // rad, from the vertical
    double gap;    // m
    double ridge;  // m: height of the topmost
};
CardHouse card_house(int storeys);

// A box of 0.5 m and 1 kg under one of the same size that is `ratio` times as heavy.
struct HeavyOnLight {
    Model model;
    BodyId light, heavy;
    double size;
};
HeavyOnLight heavy_on_light(double ratio);

// ---- What falls and tumbles ----------------------------------------------------------------------

// Cubes of 0.2 m in a pit, 3.2 m square, falling in 100 loose columns.
ManyBodies pile(int cubes);
// Figures of 11 bodies, lying on the air four to a layer, falling on the floor and each other. Ball joints in
// spine, neck, shoulders and hips; hinges with limits in elbows and knees.
ManyBodies ragdolls(int count);
// bodies[0] is a closed drum driven at 0.5 rad/s about y; the others are cubes of 0.2 m inside.
ManyBodies tumbler(int cubes);

// ---- What hangs ----------------------------------------------------------------------------------

// Links of 0.2 m, let go at 45° to the vertical; those of a chain follow each other.
ManyBodies chains(int count, int links);
// A net of side × side cubes in the x-z plane, hinged to their neighbours and hung by its upper corners.
ManyBodies joint_grid(int side, Motion = Motion::in_space);

// Links of 0.2 m, hanging straight down, with a ball at the end that weighs as much as all of them.
struct WeightedChain {
    Model model;
    std::vector<BodyId> links;  // from the top
    BodyId weight;
    std::vector<JointId> joints;  // from the top; the last one holds the weight
    double link_mass, link_length;
    double weight_mass;
    Vec3 end;  // where the weight hangs: its joint
};
WeightedChain weighted_chain(int links);

// ---- What must not pass --------------------------------------------------------------------------

// A ball of 1 cm flies at 500 m/s towards a wall 1 mm thick, without gravity.
struct FastBall {
    Model model;
    BodyId ball;
    double radius, speed;
    double wall;  // x of its near face
    double thickness;
};
FastBall fast_ball();

}  // namespace bristle::scenes
