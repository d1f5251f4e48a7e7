#include "common.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

// Maximal coordinates with velocity motors. Bullet is built in single or double precision; the
// report says which one this is.

namespace peers {
namespace {

enum class Solver { sequential_impulse, dantzig };

constexpr int iterations = 50;

btVector3 to_bullet(const Vec3& v) { return btVector3(v[0], v[1], v[2]); }
Vec3 to_vec3(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

class Simulation {
  public:
    Simulation(Solver solver, double step, double gravity)
        : dispatcher_(&configuration_),
          solver_(make_solver(solver)),
          world_(&dispatcher_, &broadphase_, solver_.get(), &configuration_),
          step_(step) {
        world_.setGravity(btVector3(0, 0, -gravity));
        world_.getSolverInfo().m_numIterations = iterations;
        // Otherwise Bullet merges islands, and the direct solver's dense matrix holds them all.
        if (solver == Solver::dantzig) world_.getSolverInfo().m_minimumSolverBatchSize = 1;
    }

    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    ~Simulation() {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }

    void step() { world_.stepSimulation(step_, 0, step_); }

  protected:
    btRigidBody& add_body(const btTransform& pose, double mass, const Vec3& inertia) {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape_, to_bullet(inertia));
        info.m_startWorldTransform = pose;
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& body = *bodies_.back();
        body.setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(&body, 0, 0);
        return body;
    }

    template <class Joint> Joint& add(std::unique_ptr<Joint> joint) {
        Joint& added = *joint;
        world_.addConstraint(&added, true);
        joints_.push_back(std::move(joint));
        return added;
    }

    /// A hinge at a world point; to the ground without `b`.
    btHingeConstraint& add_hinge(btRigidBody& a, btRigidBody* b, const Vec3& at, const Vec3& axis) {
        const btTransform from_a = a.getWorldTransform().inverse();
        const btVector3 point = to_bullet(at), direction = to_bullet(axis);
        const btVector3 point_a = from_a * point, axis_a = from_a.getBasis() * direction;
        if (!b) return add(std::make_unique<btHingeConstraint>(a, point_a, axis_a));
        const btTransform from_b = b->getWorldTransform().inverse();
        return add(std::make_unique<btHingeConstraint>(a, *b, point_a, from_b * point, axis_a,
                                                       from_b.getBasis() * direction));
    }

  private:
    std::unique_ptr<btConstraintSolver> make_solver(Solver solver) {
        if (solver == Solver::dantzig) return std::make_unique<btMLCPSolver>(&dantzig_);
        return std::make_unique<btSequentialImpulseConstraintSolver>();
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btDantzigSolver dantzig_;
    std::unique_ptr<btConstraintSolver> solver_;
    btSphereShape shape_{0.1};  // every body needs one; nothing collides
    btDiscreteDynamicsWorld world_;
    double step_;

  protected:
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

btTransform translated(const Vec3& position) {
    return btTransform(btQuaternion::getIdentity(), to_bullet(position));
}

class FourBars : public Simulation {
  public:
    FourBars(int count, double step, Solver solver) : Simulation(solver, step, gravity) {
        const Vec3 hinge_axis = {0, 1, 0};
        btRigidBody* coupler = nullptr;
        for (int i = 0; i <= count; ++i) {
            const Vec3 pin = {i * rod_length, 0, 0}, tip = {i * rod_length, 0, rod_length};
            btRigidBody& crank = add_rod({pin[0], 0, rod_length / 2}, tip_speed / 2);
            crank.setAngularVelocity(btVector3(0, tip_speed / rod_length, 0));
            add_hinge(crank, nullptr, pin, hinge_axis);
            if (coupler) add_hinge(crank, coupler, tip, hinge_axis);
            if (i == count) break;
            coupler = &add_rod({pin[0] + rod_length / 2, 0, rod_length}, tip_speed);
            add_hinge(*coupler, &crank, tip, hinge_axis);
        }
    }

    double energy() const {
        double sum = 0.0;
        for (const auto& rod : bodies_)
            sum +=
                rod_energy(rod->getWorldTransform().getOrigin().z(),
                           to_vec3(rod->getLinearVelocity()), to_vec3(rod->getAngularVelocity()));
        return sum;
    }

  private:
    btRigidBody& add_rod(const Vec3& centre, double speed) {
        btRigidBody& rod =
            add_body(translated(centre), rod_mass, {rod_inertia, rod_inertia, rod_inertia});
        rod.setLinearVelocity(btVector3(speed, 0, 0));
        return rod;
    }
};

/// The chassis is a body without mass, which Bullet takes as fixed.
class Machine : public Simulation {
  public:
    Machine(const MachineModel& machine, double step, Solver solver)
        : Simulation(solver, step, machine.gravity), bucket_(machine.bucket()), step_(step) {
        for (const MachineBody& body : machine.bodies) {
            const bool fixed = &body == &machine.bodies[MachineModel::chassis];
            btTransform pose = translated(body.position);
            pose.setRotation(btQuaternion(btVector3(0, 1, 0), body.angle));
            add_body(pose, fixed ? 0.0 : body.mass, fixed ? Vec3{} : body.inertia);
        }
        for (const MachineJoint& joint : machine.joints)
            add_joint(joint, *bodies_[joint.a], *bodies_[joint.b]);
    }

    void step() {
        for (const Cylinder& cylinder : cylinders_)
            cylinder.joint->setTargetLinMotorVelocity(cylinder.drive.speed(time_ + step_));
        Simulation::step();
        time_ += step_;
    }

    double loop_gap() const {
        double gap = 0.0;
        for (const btPoint2PointConstraint* ball : balls_) {
            const btVector3 a = ball->getRigidBodyA().getWorldTransform() * ball->getPivotInA();
            const btVector3 b = ball->getRigidBodyB().getWorldTransform() * ball->getPivotInB();
            gap = widened(gap, to_vec3(a), to_vec3(b));
        }
        return gap;
    }

    Vec3 bucket() const { return to_vec3(bodies_[bucket_]->getWorldTransform().getOrigin()); }

  private:
    struct Cylinder {
        btSliderConstraint* joint;
        Drive drive;
    };

    void add_joint(const MachineJoint& joint, btRigidBody& a, btRigidBody& b) {
        switch (joint.type) {
            case JointType::revolute: return add_revolute(joint, a, b);
            case JointType::universal: return add_universal(joint, a, b);
            case JointType::prismatic: return add_cylinder(joint, a, b);
            case JointType::spherical: return add_ball(joint, a, b);
        }
    }

    void add_revolute(const MachineJoint& data, btRigidBody& a, btRigidBody& b) {
        btHingeConstraint& hinge = add_hinge(a, &b, data.at, data.axis);
        if (data.drive) hinge.enableAngularMotor(true, 0, data.drive->limit * step_);
    }

    void add_universal(const MachineJoint& data, btRigidBody& a, btRigidBody& b) {
        const btVector3 at = to_bullet(data.at), first = to_bullet(data.axis),
                        second = to_bullet(data.second_axis);
        auto& joint = add(std::make_unique<btUniversalConstraint>(a, b, at, first, second));
        joint.setLowerLimit(-SIMD_PI / 2, -SIMD_PI);
        joint.setUpperLimit(SIMD_PI / 2, SIMD_PI);
    }

    /// Bullet slides along the x axis of a frame in each body, which is a cylinder's own x axis.
    void add_cylinder(const MachineJoint& data, btRigidBody& a, btRigidBody& b) {
        btTransform frame_a = btTransform::getIdentity(), frame_b = btTransform::getIdentity();
        frame_a.setOrigin(a.getWorldTransform().inverse() * to_bullet(data.at));
        frame_b.setOrigin(b.getWorldTransform().inverse() * to_bullet(data.at));
        auto& joint = add(std::make_unique<btSliderConstraint>(a, b, frame_a, frame_b, true));
        joint.setLowerLinLimit(1);
        joint.setUpperLinLimit(-1);
        joint.setLowerAngLimit(0);
        joint.setUpperAngLimit(0);
        if (!data.drive) return;
        joint.setPoweredLinMotor(true);
        joint.setMaxLinMotorForce(data.drive->limit);
        cylinders_.push_back({&joint, *data.drive});
    }

    void add_ball(const MachineJoint& data, btRigidBody& a, btRigidBody& b) {
        const btVector3 at = to_bullet(data.at);
        balls_.push_back(&add(std::make_unique<btPoint2PointConstraint>(
            a, b, a.getWorldTransform().inverse() * at, b.getWorldTransform().inverse() * at)));
    }

    int bucket_;
    double step_;
    double time_ = 0.0;
    std::vector<Cylinder> cylinders_;
    std::vector<btPoint2PointConstraint*> balls_;
};

std::string engine_name() {
    char text[48];
    std::snprintf(text, sizeof text, "bullet %d.%02d %s", BT_BULLET_VERSION / 100,
                  BT_BULLET_VERSION % 100, sizeof(btScalar) == sizeof(double) ? "double" : "float");
    return text;
}

struct NamedSolver {
    const char* name;
    Solver solver;
};

constexpr NamedSolver impulses{"SI 50", Solver::sequential_impulse};
constexpr NamedSolver direct{"MLCP Dantzig", Solver::dantzig};

void run(const Arguments& arguments, const MachineModel& machine) {
    const Report report(engine_name());
    // Dantzig's solver gives the four-bars back to the impulses in almost every step, their rows
    // being redundant: a row for it would carry a wrong name.
    for (int count : {10, 40})
        for (double step : {1e-3, 5e-3})
            run_four_bars(
                report, arguments, count, {impulses.name, step, count == 40},
                [](int n, double h) { return std::make_unique<FourBars>(n, h, impulses.solver); });
    for (const MachineModel& variant : {machine, machine.with_free_bucket_cylinder()})
        for (const NamedSolver& named : {impulses, direct})
            for (double step : {5e-3, 1e-3})
                run_machine(report, variant, {named.name, step},
                            [&](const MachineModel& m, double h) {
                                return std::make_unique<Machine>(m, h, named.solver);
                            });
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::run_peer(argc, argv, peers::run); }
