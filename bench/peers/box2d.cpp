#include "bench/peers/bodies.h"

#include <box2d/box2d.h>

// The x-z plane is Box2D's x-y plane, seen along y, so its angles are those about −y.

namespace bristle::bench::peers {
namespace {

using plain::Joint;
using plain::Piece;
using plain::Pose;
using plain::Scene;

struct Iterations {
    int velocity, position;
};

b2Vec2 to_box2d(const Vec3& v) { return {static_cast<float>(v[0]), static_cast<float>(v[2])}; }

class Bodies {
  public:
    Bodies(const Scene& scene, double step, Iterations iterations)
        : world_(b2Vec2(0, static_cast<float>(-plain::gravity))),
          step_(static_cast<float>(step)),
          iterations_(iterations) {
        world_.SetAllowSleeping(false);
        surface_.friction = static_cast<float>(scene.friction);
        surface_.restitution = static_cast<float>(scene.restitution);
        surface_.density = 1;
        for (const plain::Body& body : scene.bodies) add_box(body);
        ground_ = add_ground(scene.floor);
        for (const Joint& joint : scene.joints) add_joint(joint);
    }

    void step() { world_.Step(step_, iterations_.velocity, iterations_.position); }

    Pose pose(std::size_t i) const {
        const b2Vec2& at = bodies_[i]->GetPosition();
        return {{at.x, 0, at.y}, plain::Quat::about({0, 1, 0}, -bodies_[i]->GetAngle())};
    }

  private:
    /// Of a single box that starts upright. All have one density, which cancels out.
    void add_box(const plain::Body& data) {
        b2BodyDef definition;
        definition.type = b2_dynamicBody;
        definition.position = to_box2d(data.pose.position);
        const b2Vec2 half = 0.5F * to_box2d(data.pieces[0].size);
        b2PolygonShape box;
        box.SetAsBox(half.x, half.y);
        surface_.shape = &box;
        bodies_.push_back(world_.CreateBody(&definition));
        bodies_.back()->CreateFixture(&surface_);
    }

    b2Body* add_ground(plain::Floor floor) {
        const b2BodyDef definition;
        b2Body* ground = world_.CreateBody(&definition);
        if (floor == plain::Floor::none) return ground;
        b2EdgeShape edge;
        edge.SetTwoSided(b2Vec2(-100, 0), b2Vec2(100, 0));
        surface_.shape = &edge;
        ground->CreateFixture(&surface_);
        return ground;
    }

    void add_joint(const Joint& data) {
        b2RevoluteJointDef joint;
        joint.Initialize(
            data.a == Joint::ground ? ground_ : bodies_[static_cast<std::size_t>(data.a)],
            bodies_[static_cast<std::size_t>(data.b)], to_box2d(data.at));
        world_.CreateJoint(&joint);
    }

    b2World world_;
    float step_;
    Iterations iterations_;
    b2FixtureDef surface_;
    b2Body* ground_ = nullptr;
    std::vector<b2Body*> bodies_;
};

}  // namespace

void run_bodies(const Report& report, const Arguments&) {
    for (const many_bodies::Case& spatial :
         {many_bodies::stack_case(), many_bodies::pyramid_case(), many_bodies::joint_grid_case()})
        for (const Iterations iterations : {Iterations{10, 3}, Iterations{50, 15}})
            run_case(
                report, many_bodies::in_plane(spatial),
                std::to_string(iterations.velocity) + "+" + std::to_string(iterations.position),
                [iterations](const Scene& scene, double step) {
                    return std::make_unique<Bodies>(scene, step, iterations);
                });
}

}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv,
                                           [](const bristle::bench::peers::Arguments& arguments,
                                              const bristle::bench::peers::MachineModel&) {
                                               if (arguments.suite != "bodies") return;
                                               const bristle::bench::peers::Report report(
                                                   "box2d " BOX2D_VERSION, arguments.suite);
                                               bristle::bench::peers::run_bodies(report, arguments);
                                           });
}
