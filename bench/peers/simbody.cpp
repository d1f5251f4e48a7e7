#include "bench/peers/common.h"

#include <Simbody.h>

// Reduced coordinates with exact loop constraints on accelerations; positions and velocities are
// projected when they drift. Every integrator is held to a fixed step.

namespace bristle::bench::peers {
namespace {

enum class Method { euler, euler2, rk3 };

constexpr double accuracy = 1e-4;  // decides only when to project, since the step is fixed

std::unique_ptr<SimTK::Integrator> make_integrator(Method method, const SimTK::System& system,
                                                   double step) {
    switch (method) {
        case Method::euler:
            return std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system, step);
        case Method::euler2: return std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system);
        case Method::rk3: return std::make_unique<SimTK::RungeKutta3Integrator>(system);
    }
    throw std::logic_error("unknown method");
}

SimTK::Vec3 to_simbody(const Vec3& v) { return SimTK::Vec3(v[0], v[1], v[2]); }

class Simulation {
  public:
    explicit Simulation(double gravity)
        : matter_(system_), forces_(system_), gravity_(forces_, matter_, -SimTK::ZAxis, gravity) {}

    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    void step() {
        ++steps_done_;
        integrator_->stepTo(steps_done_ * step_);
    }

  protected:
    void start(SimTK::State& state, Method method, double step) {
        step_ = step;
        integrator_ = make_integrator(method, system_, step);
        integrator_->setAccuracy(accuracy);
        integrator_->setFixedStepSize(step);
        integrator_->setAllowInterpolation(false);
        integrator_->initialize(state);
    }

    const SimTK::State& state() const { return integrator_->getState(); }

    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_;
    SimTK::GeneralForceSubsystem forces_;
    SimTK::Force::Gravity gravity_;

  private:
    double step_ = 0.0;
    long steps_done_ = 0;
    std::unique_ptr<SimTK::Integrator> integrator_;
};

// A pin mobilizer turns about its frame's z axis: this puts that axis along y.
const SimTK::Rotation z_to_y(-SimTK::Pi / 2, SimTK::XAxis);

class FourBars : public Simulation {
  public:
    FourBars(int count, double step, Method method) : Simulation(gravity) {
        using SimTK::Transform, SimTK::Vec3;
        const SimTK::Body::Rigid crank(rod(Vec3(0, 0, rod_length / 2)));
        const SimTK::Body::Rigid coupler(rod(Vec3(rod_length / 2, 0, 0)));
        const Transform pin(z_to_y), tip(z_to_y, Vec3(0, 0, rod_length));
        for (int i = 0; i <= count; ++i) {
            const Transform ground_pin(z_to_y, Vec3(i * rod_length, 0, 0));
            cranks_.emplace_back(matter_.Ground(), ground_pin, crank, pin);
            if (i > 0) close_loop(couplers_.back(), cranks_.back());
            if (i < count) couplers_.emplace_back(cranks_.back(), tip, coupler, pin);
        }
        SimTK::State state = system_.realizeTopology();
        for (auto& body : cranks_) body.setRate(state, tip_speed / rod_length);
        for (auto& body : couplers_) body.setRate(state, -tip_speed / rod_length);
        start(state, method, step);
    }

    double energy() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < cranks_.size(); ++i) {
            const PlanarRod crank{cranks_[i].getAngle(state()), cranks_[i].getRate(state())};
            if (i == couplers_.size()) return sum + planar_energy(crank, nullptr);
            const PlanarRod coupler{crank.angle + couplers_[i].getAngle(state()),
                                    crank.rate + couplers_[i].getRate(state())};
            sum += planar_energy(crank, &coupler);
        }
        return sum;
    }

  private:
    static SimTK::MassProperties rod(const SimTK::Vec3& centre) {
        const SimTK::Inertia central(rod_inertia, rod_inertia, rod_inertia);
        return {rod_mass, centre, central.shiftFromMassCenter(centre, rod_mass)};
    }

    /// Two planes fixed in the crank, not a ball, whose third row would be redundant here. The
    /// subsystem keeps the constraints; these are handles.
    void close_loop(SimTK::MobilizedBody& coupler, SimTK::MobilizedBody& crank) {
        const SimTK::Vec3 end(rod_length, 0, 0);
        const SimTK::Constraint::PointInPlane along(crank, SimTK::XAxis, 0, coupler, end);
        const SimTK::Constraint::PointInPlane across(crank, SimTK::ZAxis, rod_length, coupler, end);
    }

    std::vector<SimTK::MobilizedBody::Pin> cranks_, couplers_;
};

/// Cylinders follow a prescribed motion; brakes and swing, never near their limits, are locked.
class Machine : public Simulation {
  public:
    Machine(const MachineModel& machine, double step, Method method)
        : Simulation(machine.gravity), machine_(machine), bodies_(machine.bodies.size()) {
        for (std::size_t k = 0; k < bodies_.size(); ++k) bodies_[k] = matter_.Ground();
        std::vector<SimTK::MobilizedBody> held;
        add_children(MachineModel::chassis, held);
        for (const MachineJoint& joint : machine.joints)
            if (joint.type == JointType::spherical) close_loop(joint);
        SimTK::State state = system_.realizeTopology();
        for (const SimTK::MobilizedBody& body : held) body.lock(state);
        start(state, method, step);
    }

    double loop_gap() {
        system_.realize(state(), SimTK::Stage::Position);
        double gap = 0.0;
        for (const Loop& loop : loops_)
            gap = widened(gap, to_world(loop.a, loop.point_a), to_world(loop.b, loop.point_b));
        return gap;
    }

    Vec3 bucket() const { return to_world(machine_.bucket(), SimTK::Vec3(0)); }

  private:
    struct Loop {
        int a, b;
        SimTK::Vec3 point_a, point_b;
    };

    Vec3 to_world(int body, const SimTK::Vec3& local) const {
        const SimTK::Vec3 point = bodies_[body].findStationLocationInGround(state(), local);
        return {point[0], point[1], point[2]};
    }

    class Travel : public SimTK::Function {
      public:
        explicit Travel(const Drive& drive) : drive_(drive) {}
        SimTK::Real calcValue(const SimTK::Vector& time) const override {
            return drive_.travel(time[0]);
        }
        SimTK::Real calcDerivative(const SimTK::Array_<int>& order,
                                   const SimTK::Vector& time) const override {
            const double omega = drive_.angular_frequency();
            if (order.size() == 1) return drive_.speed(time[0]);
            return drive_.amplitude * omega * std::cos(omega * time[0]);
        }
        int getArgumentSize() const override { return 1; }
        int getMaxDerivativeOrder() const override { return 2; }

      private:
        Drive drive_;
    };

    /// Axes of a joint in the world: a pin turns about z, a slider moves along x, a universal joint
    /// turns about x and then y.
    static SimTK::Rotation axes(const MachineJoint& joint) {
        const SimTK::UnitVec3 axis(to_simbody(joint.axis));
        if (joint.type == JointType::prismatic)
            return SimTK::Rotation(axis, SimTK::XAxis, SimTK::Vec3(0, 1, 0), SimTK::YAxis);
        if (joint.type == JointType::universal)
            return SimTK::Rotation(axis, SimTK::XAxis, to_simbody(joint.second_axis), SimTK::YAxis);
        return SimTK::Rotation(axis, SimTK::ZAxis);
    }

    SimTK::Transform frame(int body, const MachineJoint& joint) const {
        return ~pose(body) * SimTK::Transform(axes(joint), to_simbody(joint.at));
    }

    SimTK::Transform pose(int body) const {
        if (body == MachineModel::chassis) return {};
        const MachineBody& data = machine_.bodies[body];
        return {SimTK::Rotation(data.angle, SimTK::YAxis), to_simbody(data.position)};
    }

    void add_children(int parent, std::vector<SimTK::MobilizedBody>& held) {
        for (const MachineJoint& joint : machine_.joints) {
            if (joint.type == JointType::spherical || joint.a != parent) continue;
            add_body(joint);
            if (joint.type == JointType::revolute && joint.drive) held.push_back(bodies_[joint.b]);
            add_children(joint.b, held);
        }
    }

    void add_body(const MachineJoint& joint) {
        const MachineBody& data = machine_.bodies[joint.b];
        const SimTK::Body::Rigid body(SimTK::MassProperties(
            data.mass, SimTK::Vec3(0), SimTK::Inertia(to_simbody(data.inertia))));
        SimTK::MobilizedBody& parent = bodies_[joint.a];
        const SimTK::Transform in_parent = frame(joint.a, joint), in_body = frame(joint.b, joint);
        switch (joint.type) {
            case JointType::revolute:
                bodies_[joint.b] = SimTK::MobilizedBody::Pin(parent, in_parent, body, in_body);
                return;
            case JointType::universal:
                bodies_[joint.b] =
                    SimTK::MobilizedBody::Universal(parent, in_parent, body, in_body);
                return;
            case JointType::prismatic:
                bodies_[joint.b] = SimTK::MobilizedBody::Slider(parent, in_parent, body, in_body);
                if (joint.drive)
                    SimTK::Constraint::PrescribedMotion(matter_, new Travel(*joint.drive),
                                                        bodies_[joint.b],
                                                        SimTK::MobilizerQIndex(0));
                return;
            case JointType::spherical: return;
        }
    }

    void close_loop(const MachineJoint& joint) {
        const SimTK::Vec3 at = to_simbody(joint.at);
        const Loop loop{joint.a, joint.b, ~pose(joint.a) * at, ~pose(joint.b) * at};
        const SimTK::Constraint::Ball ball(bodies_[loop.a], loop.point_a, bodies_[loop.b],
                                           loop.point_b);
        loops_.push_back(loop);
    }

    MachineModel machine_;
    std::vector<SimTK::MobilizedBody> bodies_;
    std::vector<Loop> loops_;
};

std::string engine_name() {
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    return "simbody " + std::to_string(major) + "." + std::to_string(minor);
}

struct NamedMethod {
    const char* name;
    Method method;
};

constexpr NamedMethod euler{"semi-explicit Euler", Method::euler};
constexpr NamedMethod euler2{"semi-explicit Euler 2", Method::euler2};
constexpr NamedMethod rk3{"RK3", Method::rk3};

void four_bars(const Report& report, const Arguments& arguments, int count,
               const NamedMethod& named) {
    for (double step : {1e-3, 5e-3})
        run_four_bars(
            report, arguments, count, {named.name, step, count == 40},
            [&](int n, double h) { return std::make_unique<FourBars>(n, h, named.method); });
}

void run(const Arguments& arguments, const MachineModel& machine) {
    const Report report(engine_name(), arguments.suite);
    if (arguments.suite != "mechanisms") return;
    // The loops become singular twice a turn, which RK3 and its like do not survive for 10 s.
    for (const NamedMethod& named : {euler, euler2, rk3}) four_bars(report, arguments, 10, named);
    for (const NamedMethod& named : {euler, euler2}) four_bars(report, arguments, 40, named);
    for (const MachineModel& variant : {machine, machine.with_free_bucket_cylinder()})
        for (const NamedMethod& named : {euler, euler2, rk3})
            for (double step : {5e-3, 1e-3})
                run_machine(report, variant, {named.name, step},
                            [&](const MachineModel& m, double h) {
                                return std::make_unique<Machine>(m, h, named.method);
                            });
}

}  // namespace
}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv, bristle::bench::peers::run);
}
