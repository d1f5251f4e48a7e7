#include "bench/peers/bodies.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

// Maximal coordinates with velocity motors. Bullet is built in single or double precision; the
// report says which one this is.

namespace bristle::bench::peers {
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

    /// From now on this body collides with what is in `with`.
    void set_shape(btRigidBody& body, btCollisionShape& shape, int group, int with) {
        world_.removeRigidBody(&body);
        body.setCollisionShape(&shape);
        world_.addRigidBody(&body, group, with);
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

/// A body without mass is fixed: the ground, and a chassis that is welded.
class Machine : public Simulation {
  public:
    Machine(const MachineModel& machine, double step, Solver solver)
        : Simulation(solver, step, machine.gravity),
          bucket_(machine.bucket()),
          step_(step),
          chassis_start_(machine.bodies[MachineModel::chassis].position) {
        for (const MachineBody& body : machine.bodies) {
            const bool fixed =
                !machine.is_on_wheels && &body == &machine.bodies[MachineModel::chassis];
            btTransform pose = translated(body.position);
            pose.setRotation(btQuaternion(btVector3(0, 1, 0), body.angle));
            add_body(pose, fixed ? 0.0 : body.mass, fixed ? Vec3{} : body.inertia);
        }
        for (const MachineJoint& joint : machine.joints)
            add_joint(joint, *bodies_[joint.a], *bodies_[joint.b]);
        if (machine.is_on_wheels) put_on_the_ground(machine);
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

    /// In the frame of the chassis, placed where the chassis was at the start.
    Vec3 bucket() const {
        const btTransform& chassis = bodies_[MachineModel::chassis]->getWorldTransform();
        const btVector3 world = bodies_[bucket_]->getWorldTransform().getOrigin();
        return chassis_start_ + to_vec3(chassis.inverse() * world);
    }

  private:
    struct Cylinder {
        btSliderConstraint* joint;
        Drive drive;
    };

    /// Bullet multiplies the two coefficients of friction.
    void put_on_the_ground(const MachineModel& machine) {
        constexpr int wheels = 1, ground = 2;
        for (std::size_t k = 0; k < machine.bodies.size(); ++k) {
            if (!MachineModel::is_wheel(machine.bodies[k])) continue;
            set_shape(*bodies_[k], wheel_shape_, wheels, ground);
            bodies_[k]->setFriction(MachineModel::friction);
        }
        btRigidBody& plane = add_body(translated({}), 0.0, {});
        plane.setFriction(1);
        set_shape(plane, ground_shape_, ground, wheels);
    }

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
    Vec3 chassis_start_;
    btSphereShape wheel_shape_{MachineModel::wheel_radius};
    btStaticPlaneShape ground_shape_{btVector3(0, 0, 1), 0};
    std::vector<Cylinder> cylinders_;
    std::vector<btPoint2PointConstraint*> balls_;
};

/// Bullet keeps its pairs from step to step and adds a margin to the boxes; only those of the boxes
/// themselves are counted. It looks for the partners of each box as it moves, or of all at the end.
class FarSet {
  public:
    enum class Search { at_once, deferred };

    FarSet(const far_boxes::Walk& walk, Search search) {
        broadphase_.m_deferedcollide = search == Search::deferred;
        for (const auto& low : walk.lows())
            proxies_.push_back(broadphase_.createProxy(corner(low, 0), corner(low, far_boxes::edge),
                                                       0, nullptr, 1, 1, nullptr));
    }
    FarSet(const FarSet&) = delete;
    FarSet& operator=(const FarSet&) = delete;
    ~FarSet() {
        for (btBroadphaseProxy* proxy : proxies_) broadphase_.destroyProxy(proxy, nullptr);
    }

    void step(const far_boxes::Walk& walk) {
        for (std::size_t i = 0; i < proxies_.size(); ++i) {
            const auto& low = walk.lows()[i];
            broadphase_.setAabb(proxies_[i], corner(low, 0), corner(low, far_boxes::edge), nullptr);
        }
        broadphase_.calculateOverlappingPairs(nullptr);
    }

    std::size_t pair_count() {
        const auto& pairs = broadphase_.getOverlappingPairCache()->getOverlappingPairArray();
        std::size_t count = 0;
        for (int k = 0; k < pairs.size(); ++k) {
            const btBroadphaseProxy &a = *pairs[k].m_pProxy0, &b = *pairs[k].m_pProxy1;
            count += TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax);
        }
        return count;
    }

  private:
    static btVector3 corner(const std::array<double, 3>& low, double edge) {
        return btVector3(low[0] + edge, low[1] + edge, low[2] + edge);
    }

    btDbvtBroadphase broadphase_;
    std::vector<btBroadphaseProxy*> proxies_;
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

void run_machines(const Report& report, std::initializer_list<MachineModel> variants) {
    for (const MachineModel& variant : variants)
        for (const NamedSolver& named : {impulses, direct})
            for (double step : {5e-3, 1e-3})
                run_machine(report, variant, {named.name, step},
                            [&](const MachineModel& m, double h) {
                                return std::make_unique<Machine>(m, h, named.solver);
                            });
}

void run_far_sets(const Report& report) {
    run_far(report, "btDbvtBroadphase", [](const far_boxes::Walk& walk) {
        return std::make_unique<FarSet>(walk, FarSet::Search::at_once);
    });
    run_far(report, "btDbvtBroadphase, deferred", [](const far_boxes::Walk& walk) {
        return std::make_unique<FarSet>(walk, FarSet::Search::deferred);
    });
}

void run(const Arguments& arguments, const MachineModel& machine) {
    const Report report(engine_name(), arguments.suite);
    if (arguments.suite == "far") run_far_sets(report);
    if (arguments.suite == "bodies") run_bodies(report, arguments);
    if (arguments.suite == "machine") run_machines(report, {machine.standing_on_its_wheels()});
    if (arguments.suite != "mechanisms") return;
    // Dantzig's solver gives the four-bars back to the impulses in almost every step, their rows
    // being redundant: a row for it would carry a wrong name.
    for (int count : {10, 40})
        for (double step : {1e-3, 5e-3})
            run_four_bars(
                report, arguments, count, {impulses.name, step, count == 40},
                [](int n, double h) { return std::make_unique<FourBars>(n, h, impulses.solver); });
    run_machines(report, {machine, machine.with_free_bucket_cylinder()});
}

}  // namespace
}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv, bristle::bench::peers::run);
}
