#include "bench/peers/bodies.h"

#include <ode/ode.h>

// Maximal coordinates: every joint is a set of rows, planar mechanisms are hinged in space, and
// drives are velocity motors with a force limit.

namespace bristle::bench::peers {
namespace {

enum class Solver { direct, quick };

constexpr int quick_iterations = 50;
constexpr double error_reduction = 0.4;      // ERP
constexpr double constraint_mixing = 1e-10;  // CFM

Vec3 to_vec3(const dReal* v) { return {v[0], v[1], v[2]}; }

class Simulation {
  public:
    Simulation(Solver solver, double step, double gravity)
        : world_(dWorldCreate()), solver_(solver), step_(step) {
        dWorldSetGravity(world_, 0, 0, -gravity);
        dWorldSetERP(world_, error_reduction);
        dWorldSetCFM(world_, constraint_mixing);
        dWorldSetAutoDisableFlag(world_, 0);
        dWorldSetQuickStepNumIterations(world_, quick_iterations);
    }

    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    ~Simulation() { dWorldDestroy(world_); }

    void step() {
        if (solver_ == Solver::direct)
            dWorldStep(world_, step_);
        else
            dWorldQuickStep(world_, step_);
    }

  protected:
    dBodyID add_body(const Vec3& position, double mass, const Vec3& inertia) {
        dMass properties;
        dMassSetParameters(&properties, mass, 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0, 0);
        const dBodyID body = dBodyCreate(world_);
        dBodySetMass(body, &properties);
        dBodySetPosition(body, position[0], position[1], position[2]);
        return body;
    }

    /// The ground is a null body.
    dJointID add_hinge(dBodyID a, dBodyID b, const Vec3& at, const Vec3& axis) {
        const dJointID joint = dJointCreateHinge(world_, nullptr);
        dJointAttach(joint, a, b);
        dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
        dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
        return joint;
    }

    dWorldID world_;
    Solver solver_;
    double step_;
};

class FourBars : public Simulation {
  public:
    FourBars(int count, double step, Solver solver) : Simulation(solver, step, gravity) {
        const Vec3 hinge_axis = {0, 1, 0};
        dBodyID coupler = nullptr;
        for (int i = 0; i <= count; ++i) {
            const Vec3 pin = {i * rod_length, 0, 0}, tip = {i * rod_length, 0, rod_length};
            const dBodyID crank = add_rod({pin[0], 0, rod_length / 2}, tip_speed / 2);
            dBodySetAngularVel(crank, 0, tip_speed / rod_length, 0);
            add_hinge(crank, nullptr, pin, hinge_axis);
            if (coupler) add_hinge(crank, coupler, tip, hinge_axis);
            if (i == count) break;
            coupler = add_rod({pin[0] + rod_length / 2, 0, rod_length}, tip_speed);
            add_hinge(coupler, crank, tip, hinge_axis);
        }
    }

    double energy() const {
        double sum = 0.0;
        for (dBodyID rod : rods_)
            sum += rod_energy(dBodyGetPosition(rod)[2], to_vec3(dBodyGetLinearVel(rod)),
                              to_vec3(dBodyGetAngularVel(rod)));
        return sum;
    }

  private:
    dBodyID add_rod(const Vec3& centre, double speed) {
        const dBodyID rod = add_body(centre, rod_mass, {rod_inertia, rod_inertia, rod_inertia});
        dBodySetLinearVel(rod, speed, 0, 0);
        rods_.push_back(rod);
        return rod;
    }

    std::vector<dBodyID> rods_;
};

class Machine : public Simulation {
  public:
    Machine(const MachineModel& machine, double step, Solver solver)
        : Simulation(solver, step, machine.gravity), bucket_(machine.bucket()) {
        for (const MachineBody& body : machine.bodies) bodies_.push_back(add_machine_body(body));
        if (machine.is_on_wheels) {
            put_on_the_ground(machine);
        } else {
            dBodyDestroy(bodies_[MachineModel::chassis]);
            bodies_[MachineModel::chassis] = nullptr;
        }
        for (const MachineJoint& joint : machine.joints) add_joint(joint);
    }

    void step() {
        for (const Cylinder& cylinder : cylinders_)
            dJointSetSliderParam(cylinder.joint, dParamVel, -cylinder.drive.speed(time_ + step_));
        for (dGeomID wheel : wheels_) touch_ground(wheel);
        Simulation::step();
        dJointGroupEmpty(contacts_);
        time_ += step_;
    }

    double loop_gap() const {
        double gap = 0.0;
        for (dJointID ball : balls_) {
            dVector3 a, b;
            dJointGetBallAnchor(ball, a);
            dJointGetBallAnchor2(ball, b);
            gap = widened(gap, to_vec3(a), to_vec3(b));
        }
        return gap;
    }

    /// In the frame of the chassis, placed where the chassis was at the start.
    Vec3 bucket() const {
        const Vec3 world = to_vec3(dBodyGetPosition(bodies_[bucket_]));
        const dBodyID chassis = bodies_[MachineModel::chassis];
        if (!chassis) return world;
        dVector3 local;
        dBodyGetPosRelPoint(chassis, world[0], world[1], world[2], local);
        return chassis_start_ + to_vec3(local);
    }

    ~Machine() {
        for (dGeomID wheel : wheels_) dGeomDestroy(wheel);
        if (ground_) dGeomDestroy(ground_);
        dJointGroupDestroy(contacts_);
    }

  private:
    struct Cylinder {
        dJointID joint;
        Drive drive;
    };

    void put_on_the_ground(const MachineModel& machine) {
        chassis_start_ = machine.bodies[MachineModel::chassis].position;
        ground_ = dCreatePlane(nullptr, 0, 0, 1, 0);
        for (std::size_t k = 0; k < machine.bodies.size(); ++k) {
            if (!MachineModel::is_wheel(machine.bodies[k])) continue;
            wheels_.push_back(dCreateSphere(nullptr, MachineModel::wheel_radius));
            dGeomSetBody(wheels_.back(), bodies_[k]);
        }
    }

    void touch_ground(dGeomID wheel) {
        dContact contact{};
        if (dCollide(wheel, ground_, 1, &contact.geom, sizeof(dContact)) == 0) return;
        contact.surface.mode = dContactApprox1;  // friction in proportion to the normal force
        contact.surface.mu = MachineModel::friction;
        const dJointID joint = dJointCreateContact(world_, contacts_, &contact);
        dJointAttach(joint, dGeomGetBody(wheel), nullptr);
    }

    dBodyID add_machine_body(const MachineBody& data) {
        const dBodyID body = add_body(data.position, data.mass, data.inertia);
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 1, 0, data.angle);
        dBodySetRotation(body, rotation);
        return body;
    }

    void add_joint(const MachineJoint& joint) {
        switch (joint.type) {
            case JointType::revolute: return add_revolute(joint);
            case JointType::universal: return add_universal(joint);
            case JointType::prismatic: return add_cylinder(joint);
            case JointType::spherical: return add_ball(joint);
        }
    }

    void add_revolute(const MachineJoint& joint) {
        const dJointID hinge = add_hinge(bodies_[joint.a], bodies_[joint.b], joint.at, joint.axis);
        if (!joint.drive) return;
        dJointSetHingeParam(hinge, dParamVel, 0);
        dJointSetHingeParam(hinge, dParamFMax, joint.drive->limit);
    }

    void add_universal(const MachineJoint& data) {
        const dJointID joint = dJointCreateUniversal(world_, nullptr);
        dJointAttach(joint, bodies_[data.a], bodies_[data.b]);
        dJointSetUniversalAnchor(joint, data.at[0], data.at[1], data.at[2]);
        dJointSetUniversalAxis1(joint, data.axis[0], data.axis[1], data.axis[2]);
        dJointSetUniversalAxis2(joint, data.second_axis[0], data.second_axis[1],
                                data.second_axis[2]);
    }

    /// ODE counts a slider's speed as that of its first body, hence the minus sign of the drive.
    void add_cylinder(const MachineJoint& data) {
        const dJointID joint = dJointCreateSlider(world_, nullptr);
        dJointAttach(joint, bodies_[data.a], bodies_[data.b]);
        dJointSetSliderAxis(joint, data.axis[0], data.axis[1], data.axis[2]);
        if (!data.drive) return;
        dJointSetSliderParam(joint, dParamFMax, data.drive->limit);
        cylinders_.push_back({joint, *data.drive});
    }

    void add_ball(const MachineJoint& data) {
        const dJointID joint = dJointCreateBall(world_, nullptr);
        dJointAttach(joint, bodies_[data.a], bodies_[data.b]);
        dJointSetBallAnchor(joint, data.at[0], data.at[1], data.at[2]);
        balls_.push_back(joint);
    }

    int bucket_;
    double time_ = 0.0;
    Vec3 chassis_start_{};
    dGeomID ground_ = nullptr;
    std::vector<dGeomID> wheels_;
    dJointGroupID contacts_ = dJointGroupCreate(0);
    std::vector<dBodyID> bodies_;
    std::vector<Cylinder> cylinders_;
    std::vector<dJointID> balls_;
};

struct NamedSolver {
    const char* name;
    Solver solver;
};

constexpr std::array<NamedSolver, 2> solvers = {
    {{"WorldStep", Solver::direct}, {"QuickStep 50", Solver::quick}}};

void run_machines(const Report& report, std::initializer_list<MachineModel> variants) {
    for (const MachineModel& variant : variants)
        for (const NamedSolver& named : solvers)
            for (double step : {5e-3, 1e-3})
                run_machine(report, variant, {named.name, step},
                            [&](const MachineModel& m, double h) {
                                return std::make_unique<Machine>(m, h, named.solver);
                            });
}

void run(const Arguments& arguments, const MachineModel& machine) {
    dInitODE2(0);
    // The direct solver complains of each singular position; the error shows the effect.
    dSetMessageHandler([](int, const char*, va_list) {});
    const Report report("ode " dODE_VERSION, arguments.suite);
    if (arguments.suite == "bodies") run_bodies(report, arguments);
    if (arguments.suite == "machine") run_machines(report, {machine.standing_on_its_wheels()});
    if (arguments.suite != "mechanisms") return;
    for (int count : {10, 40})
        for (const NamedSolver& named : solvers)
            for (double step : {1e-3, 5e-3})
                run_four_bars(report, arguments, count, {named.name, step, count == 40},
                              [&](int n, double h) {
                                  return std::make_unique<FourBars>(n, h, named.solver);
                              });
    run_machines(report, {machine, machine.with_free_bucket_cylinder()});
    dCloseODE();
}

}  // namespace
}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv, bristle::bench::peers::run);
}
