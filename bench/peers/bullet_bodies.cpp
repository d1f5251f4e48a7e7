#include "bench/peers/bodies.h"

#include <btBulletDynamicsCommon.h>

// Many bodies in Bullet, as shipped but for the number of iterations and sleeping.

namespace bristle::bench::peers {
namespace {

using plain::operator*;
using plain::Joint;
using plain::Piece;
using plain::Pose;
using plain::Scene;

btVector3 to_bullet(const Vec3& v) { return btVector3(v[0], v[1], v[2]); }
btTransform to_bullet(const Pose& pose) {
    const auto& [w, v] = pose.orientation;
    return btTransform(btQuaternion(v[0], v[1], v[2], w), to_bullet(pose.position));
}

class Bodies {
  public:
    Bodies(const Scene& scene, double step, int iterations)
        : dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
          step_(step),
          friction_(std::sqrt(scene.friction)),
          restitution_(std::sqrt(scene.restitution)) {
        world_.setGravity(btVector3(0, 0, -plain::gravity));
        world_.getSolverInfo().m_numIterations = iterations;
        for (const plain::Body& body : scene.bodies)
            add_body(shape_of(body.pieces), body.inertia, body.pose);
        for (const Piece& piece : scene.scenery) add_body(shape_of(piece), {}, piece.pose);
        if (scene.floor == plain::Floor::plane)
            add_body(keep(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0)), {}, {});
        for (const Joint& joint : scene.joints) add_joint(joint);
    }
    Bodies(const Bodies&) = delete;
    Bodies& operator=(const Bodies&) = delete;
    ~Bodies() {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }

    void step() { world_.stepSimulation(step_, 0, step_); }

    Pose pose(std::size_t i) const {
        const btTransform& at = bodies_[i]->getWorldTransform();
        const btVector3& p = at.getOrigin();
        const btQuaternion q = at.getRotation();
        return {{p.x(), p.y(), p.z()}, {q.w(), {q.x(), q.y(), q.z()}}};
    }

  private:
    btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
        shapes_.push_back(std::move(shape));
        return shapes_.back().get();
    }

    btCollisionShape* shape_of(const Piece& piece) {
        switch (piece.kind) {
            case Piece::Kind::ball: return keep(std::make_unique<btSphereShape>(piece.radius));
            case Piece::Kind::capsule:
                return keep(std::make_unique<btCapsuleShapeZ>(piece.radius, piece.length));
            case Piece::Kind::box: break;
        }
        return keep(std::make_unique<btBoxShape>(to_bullet(0.5 * piece.size)));
    }

    btCollisionShape* shape_of(const std::vector<Piece>& pieces) {
        if (pieces.size() == 1) return shape_of(pieces[0]);
        auto compound = std::make_unique<btCompoundShape>();
        for (const Piece& piece : pieces)
            compound->addChildShape(to_bullet(piece.pose), shape_of(piece));
        return keep(std::move(compound));
    }

    /// One without mass stands still. Bullet multiplies the coefficients of the two that touch.
    void add_body(btCollisionShape* shape, const plain::Inertia& inertia, const Pose& pose) {
        btRigidBody::btRigidBodyConstructionInfo info(inertia.mass, nullptr, shape,
                                                      to_bullet(inertia.moments));
        info.m_startWorldTransform = to_bullet(pose);
        info.m_friction = friction_;
        info.m_restitution = restitution_;
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
    }

    void add_joint(const Joint& joint) {
        if (joint.kind == Joint::Kind::ball)
            add_ball(joint);
        else
            add_hinge(joint);
        world_.addConstraint(joints_.back().get(), true);
    }

    void add_ball(const Joint& joint) {
        btRigidBody& b = *bodies_[static_cast<std::size_t>(joint.b)];
        const btVector3 at = to_bullet(joint.at), at_b = b.getWorldTransform().inverse() * at;
        if (joint.a == Joint::ground) {
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(b, at_b));
            return;
        }
        btRigidBody& a = *bodies_[static_cast<std::size_t>(joint.a)];
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(
            b, a, at_b, a.getWorldTransform().inverse() * at));
    }

    /// Bullet's angle is that of its first body against its second, so b comes first.
    void add_hinge(const Joint& joint) {
        btRigidBody& b = *bodies_[static_cast<std::size_t>(joint.b)];
        const btVector3 at = to_bullet(joint.at), axis = to_bullet(joint.axis);
        const btTransform to_b = b.getWorldTransform().inverse();
        std::unique_ptr<btHingeConstraint> hinge;
        if (joint.a == Joint::ground) {
            hinge = std::make_unique<btHingeConstraint>(b, to_b * at, to_b.getBasis() * axis);
        } else {
            btRigidBody& a = *bodies_[static_cast<std::size_t>(joint.a)];
            const btTransform to_a = a.getWorldTransform().inverse();
            hinge = std::make_unique<btHingeConstraint>(
                b, a, to_b * at, to_a * at, to_b.getBasis() * axis, to_a.getBasis() * axis);
        }
        if (joint.max < plain::unlimited) hinge->setLimit(joint.min, joint.max);
        if (joint.is_driven) hinge->enableAngularMotor(true, joint.speed, 1e9);
        joints_.push_back(std::move(hinge));
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    double step_, friction_, restitution_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

void run_iterations(const Report& report, const many_bodies::Case& c,
                    std::initializer_list<int> numbers) {
    for (const int iterations : numbers)
        run_case(report, c, "SI " + std::to_string(iterations),
                 [iterations](const Scene& scene, double step) {
                     return std::make_unique<Bodies>(scene, step, iterations);
                 });
}

}  // namespace

void run_bodies(const Report& report, const Arguments& arguments) {
    run_iterations(report, many_bodies::stack_case(), {10, 50, 100});
    run_iterations(report, many_bodies::pyramid_case(), {10, 50});
    run_iterations(report, many_bodies::wall_case(), {10, 50});
    run_iterations(report, many_bodies::ragdolls_case(), {10, 50});
    run_iterations(report, many_bodies::chains_case(), {10, 50});
    run_iterations(report, many_bodies::joint_grid_case(), {10, 50});
    run_iterations(report, many_bodies::tumbler_case(), {10});
    run_iterations(report, many_bodies::pile_case(1000), {10, 50});
    if (!arguments.quick) run_iterations(report, many_bodies::pile_case(5000), {10, 50});
}

}  // namespace bristle::bench::peers
