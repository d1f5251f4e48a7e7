// Scenes with contact, written once: validation, tests and `bristle run` all take them from here.
//
// z is up. Slopes fall towards +x; bodies start where they just touch, with nothing pressed in yet. What
// a scene does not say (stiffness, bristles) is left to the program's estimates.
#pragma once

#include <bristle/model.h>

#include <vector>

namespace bristle::scenes {

// A plane through the origin, tilted about y.
struct Slope {
    double angle = 0;  // rad

    Vec3 down() const;
    Vec3 normal() const;
    Quat frame() const;  // x down the slope, z its normal
    Vec3 at(double down, double across, double above) const;
};

// Something that moves, over something that stands.
struct BodyOnSlope {
    Model model;
    BodyId body;
    Slope slope;
};

// ---- Impacts ---------------------------------------------------------------------------------------

struct Drop {
    ContactLaw law{};
    double mass = 1, radius = 0.1;  // kg, m
    double height = 1;              // m: gap under the ball
    double speed = 0;               // m/s downwards
    double gravity = 9.81;          // m/s²
};
struct FallingBall {
    Model model;
    BodyId ball;
    Drop drop;
    double gap(Vec3 center) const { return center.z - drop.radius; }
};
FallingBall falling_ball(const Drop&);
// The same on a plate of this thickness, with air under it.
FallingBall ball_over_plate(const Drop&, double thickness);
// Reference 11: 1 m onto a Hunt–Crossley floor of constant factor.
FallingBall bouncing_ball();
// Reference 12: a steel sphere of 10 mm radius strikes a steel half-space at 1 m/s.
FallingBall steel_impact();

// A ball of 1 kg at 3 m/s meets one of 2 kg that is at rest, head on, no gravity.
struct TwoBalls {
    Model model;
    BodyId striking, struck;
};
TwoBalls colliding_balls(const ContactLaw&);

// A ball on a rod, let go from the horizontal, meets a wall where the rod hangs down.
struct WallPendulum {
    Model model;
    BodyId rod;
    JointId pin;
    Vec3 ball;    // its centre in the rod's frame
    double wall;  // x of its face
    double radius;
};
WallPendulum pendulum_and_wall(const ContactLaw&);

// Two hinged rods with balls at their ends fall on a floor that the upper one cannot reach.
struct FloorPendulum {
    Model model;
    BodyId upper, lower;
    Vec3 ball;  // centre of the lower ball in the lower rod's frame
    double floor, radius;
};
FloorPendulum double_pendulum_and_floor(const ContactLaw&);

// A box of 1×.5×.5 m and 1 kg with its lowest edge or corner 1 m above the floor.
struct FallingBox {
    enum class Foremost : uint8_t { face, edge, corner };
    Model model;
    BodyId box;
    Vec3 size;
};
FallingBox falling_box(FallingBox::Foremost, const ContactLaw&);

// A slender rod of 1 m and 1 kg, aslant, falls on the ball at its lower end.
struct FallingRod {
    Model model;
    BodyId rod;
};
FallingRod falling_rod(const ContactLaw&);

// A box hung on a ball joint swings into a post.
struct HangingBox {
    Model model;
    BodyId box;
    Vec3 size;
    double post;  // x of its face
};
HangingBox hanging_box(const ContactLaw&);

// ---- Friction --------------------------------------------------------------------------------------

// Reference 13: a block of 1×.5×.5 m and 1 kg, the long side down the slope.
BodyOnSlope block_on_incline(double angle, double friction = 0.5, double speed = 0);

// K1: a block on two contact points, held by a spring whose stiffness goes from 1 to 10 N/m at 10 s.
struct MassSpring {
    Model model;
    BodyId block;
    double free_length;
    double step;
};
MassSpring mass_spring_friction();

// K2: a block on a belt, held by a spring (Bowden–Leben). The law gives way at any load once the bristle
// is strained faster than some c v_stick²/2F, so small stick speeds need a stiffer one: k v = Ḟ, c = √k.
struct StickSlip {
    Model model;
    BodyId block;
    double free_length, belt_speed;
};
StickSlip stick_slip(double stick_speed = 1e-3, double stick_stiffness = 1e5);

// Reference 14: a cylinder (axis across the slope) or a ball of 1 kg and 0.25 m radius.
enum class Round : uint8_t { cylinder, ball };
BodyOnSlope rolling(Round, double angle, double friction, double speed = 0);
BodyOnSlope rolling_cylinder();  // at 15°, friction 0.5
// A ball with rolling resistance; it stands up to the angle atan(resistance / radius).
BodyOnSlope resisted_ball(double angle, double resistance, double radius);
// A ball that spins about the vertical on the floor.
BodyOnSlope spinning_ball(double angular_speed, double resistance, double radius);

// ---- What must stand still -------------------------------------------------------------------------

// A frame of 20 t on four feet.
enum class Feet : uint8_t { balls, boxes };
BodyOnSlope frame_on_slope(Feet, double angle);

struct BoxStack {
    Model model;
    std::vector<BodyId> boxes;  // from the floor up
    double size;
};
BoxStack box_stack(int boxes);

// Two fingers on slides hold a box of 1 kg in the air: pressed by drives of 20 N, or moved 2 mm
// towards it, against pads of known stiffness, by drives that hold their position.
struct Gripper {
    enum class Grip : uint8_t { force, position };
    Model model;
    BodyId box;
    std::vector<BodyId> fingers;
    std::vector<DriveId> drives;
};
Gripper gripper(Gripper::Grip);

// Steel links of a chain in each other, of wire with this radius; the first belongs to the ground. Taut, at
// an angle to the vertical.
struct LinkedChain {
    Model model;
    std::vector<BodyId> links;  // that move
    Vec3 top;                   // centre of the first
    double pitch;               // between centres of taut links
    double tube;                // radius of the wire
    double mass;                // of a link
};
LinkedChain chain_links(int links, double angle, double tube);

// Boxes that lie about: ten in a ring of 1.5 m around a ball that swings to and fro above the floor, the
// others in rings from 20 m on (spec A13).
struct ObjectField {
    Model model;
    BodyId ball;
    std::vector<BodyId> boxes;
};
ObjectField object_field(int boxes);

}  // namespace bristle::scenes
