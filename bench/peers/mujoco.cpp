#include "bench/peers/bodies.h"

#include <mujoco/mujoco.h>

#include <sstream>

// Reduced coordinates: the tree is exact, and each loop is closed by a soft `connect` equality with
// a time constant of two steps, the stiffest that MuJoCo accepts.

namespace bristle::bench::peers {
namespace {

struct Options {
    const char* integrator;
    const char* impedance;  // at zero and at full violation, and the width between them
};

enum class Contacts { off, on };

// As near to 1 as MuJoCo accepts: hardly softer than a rigid joint, and no slower.
constexpr const char* stiff_impedance = "0.9999 0.9999 0.001";

std::string numbers(const Vec3& v) {
    std::ostringstream text;
    text.precision(17);
    text << v[0] << ' ' << v[1] << ' ' << v[2];
    return text.str();
}

std::ostringstream open_model(const Options& options, double step, double gravity,
                              Contacts contacts = Contacts::off) {
    std::ostringstream xml;
    xml.precision(17);
    xml << "<mujoco><compiler angle='radian'/><option timestep='" << step << "' solver='Newton'"
        << " integrator='" << options.integrator << "' jacobian='sparse' gravity='0 0 " << -gravity
        << "'>" << (contacts == Contacts::off ? "<flag contact='disable'/>" : "") << "</option>"
        << "<default><geom solref='" << 2 * step << " 1' solimp='" << options.impedance
        << "' friction='" << MachineModel::friction << "' contype='0' conaffinity='0'/>"
        << "<equality solref='" << 2 * step << " 1' solimp='" << options.impedance << "'/>"
        << "<joint solreffriction='" << 2 * step << " 1' solimpfriction='" << options.impedance
        << "'/></default>";
    return xml;
}

class Simulation {
  public:
    explicit Simulation(const std::string& xml) {
        mjVFS files;
        mj_defaultVFS(&files);
        if (mj_makeEmptyFileVFS(&files, "model.xml", static_cast<int>(xml.size())) != 0)
            throw std::runtime_error("MuJoCo refuses the file");
        std::copy(xml.begin(), xml.end(), static_cast<char*>(files.filedata[0]));
        char message[500] = "";
        model_ = mj_loadXML("model.xml", &files, message, sizeof message);
        mj_deleteVFS(&files);
        if (!model_) throw std::runtime_error(message);
        data_ = mj_makeData(model_);
    }

    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    ~Simulation() {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }

    void step() { mj_step(model_, data_); }

  protected:
    /// MuJoCo resets the state when it finds NaN, which would otherwise look like a good result.
    bool was_reset() const {
        return data_->warning[mjWARN_BADQPOS].number || data_->warning[mjWARN_BADQVEL].number
            || data_->warning[mjWARN_BADQACC].number;
    }

    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
};

class FourBars : public Simulation {
  public:
    FourBars(int count, double step, const Options& options)
        : Simulation(describe(count, step, options)), count_(count) {
        for (int i = 0; i < count; ++i) {
            data_->qvel[2 * i] = tip_speed / rod_length;
            data_->qvel[2 * i + 1] = -tip_speed / rod_length;
        }
        data_->qvel[2 * count] = tip_speed / rod_length;
    }

    double energy() const {
        if (was_reset()) return NAN;
        const mjtNum *q = data_->qpos, *v = data_->qvel;
        double sum = planar_energy({q[2 * count_], v[2 * count_]}, nullptr);
        for (int i = 0; i < count_; ++i) {
            const PlanarRod crank{q[2 * i], v[2 * i]};
            const PlanarRod coupler{q[2 * i] + q[2 * i + 1], v[2 * i] + v[2 * i + 1]};
            sum += planar_energy(crank, &coupler);
        }
        return sum;
    }

  private:
    static std::string describe(int count, double step, const Options& options) {
        std::ostringstream xml = open_model(options, step, gravity);
        const auto rod = [&](const char* name, int i, const Vec3& at, const Vec3& centre) {
            xml << "<body name='" << name << i << "' pos='" << numbers(at)
                << "'><joint type='hinge' axis='0 1 0'/><inertial pos='" << numbers(centre)
                << "' mass='" << rod_mass << "' diaginertia='"
                << numbers({rod_inertia, rod_inertia, rod_inertia}) << "'/>";
        };
        xml << "<worldbody>";
        for (int i = 0; i <= count; ++i) {
            rod("crank", i, {i * rod_length, 0, 0}, {0, 0, rod_length / 2});
            if (i < count) {
                rod("coupler", i, {0, 0, rod_length}, {rod_length / 2, 0, 0});
                xml << "</body>";
            }
            xml << "</body>";
        }
        xml << "</worldbody><equality>";
        for (int i = 0; i < count; ++i)
            xml << "<connect body1='coupler" << i << "' body2='crank" << i + 1 << "' anchor='"
                << rod_length << " 0 0'/>";
        xml << "</equality></mujoco>";
        return xml.str();
    }

    int count_;
};

/// Cylinders follow the integral of their speed by a soft equality whose target moves each step;
/// brakes and swing are dry friction of the joint.
class Machine : public Simulation {
  public:
    Machine(const MachineModel& machine, double step, const Options& options)
        : Simulation(describe(machine, step, options)),
          bucket_(mj_name2id(model_, mjOBJ_BODY, machine.bodies[machine.bucket()].name.c_str())),
          chassis_(mj_name2id(model_, mjOBJ_BODY, "chassis")),
          chassis_start_(machine.bodies[MachineModel::chassis].position) {
        for (const MachineJoint& joint : machine.joints) {
            const std::string& name = machine.bodies[joint.b].name;
            if (joint.type == JointType::prismatic && joint.drive)
                cylinders_.push_back(
                    {mj_name2id(model_, mjOBJ_EQUALITY, name.c_str()), *joint.drive});
        }
    }

    void step() {
        for (const Cylinder& cylinder : cylinders_)
            model_->eq_data[mjNEQDATA * cylinder.equality] = cylinder.drive.travel(data_->time);
        mj_step(model_, data_);
    }

    double loop_gap() {
        if (was_reset()) return NAN;
        mj_kinematics(model_, data_);
        double gap = 0.0;
        for (int k = 0; k < model_->neq; ++k) {
            if (model_->eq_type[k] != mjEQ_CONNECT) continue;
            const mjtNum* anchors = model_->eq_data + mjNEQDATA * k;
            gap = widened(gap, to_world(model_->eq_obj1id[k], anchors),
                          to_world(model_->eq_obj2id[k], anchors + 3));
        }
        return gap;
    }

    /// In the frame of the chassis, placed where the chassis was at the start.
    Vec3 bucket() const {
        const Vec3 from_chassis = centre(bucket_) - centre(chassis_);
        Vec3 local;
        mju_rotVecMatT(local.data(), from_chassis.data(), data_->xmat + 9 * chassis_);
        return chassis_start_ + local;
    }

  private:
    struct Cylinder {
        int equality;
        Drive drive;
    };

    Vec3 centre(int body) const {
        const mjtNum* position = data_->xpos + 3 * body;
        return {position[0], position[1], position[2]};
    }

    Vec3 to_world(int body, const mjtNum* local) const {
        Vec3 turned;
        mju_rotVecMat(turned.data(), local, data_->xmat + 9 * body);
        return centre(body) + turned;
    }

    static void write_axis(std::ostream& xml, const MachineBody& body, const MachineJoint& joint,
                           const char* type, const Vec3& axis) {
        xml << "<joint type='" << type << "' pos='" << numbers(body.local_point(joint.at))
            << "' axis='" << numbers(body.local_direction(axis)) << "'";
        if (joint.type == JointType::prismatic) xml << " name='" << body.name << "'";
        if (joint.type == JointType::revolute && joint.drive)
            xml << " frictionloss='" << joint.drive->limit << "'";
        xml << "/>";
    }

    static void write_joint(std::ostream& xml, const MachineBody& body, const MachineJoint& joint) {
        write_axis(xml, body, joint, joint.type == JointType::prismatic ? "slide" : "hinge",
                   joint.axis);
        if (joint.type == JointType::universal)
            write_axis(xml, body, joint, "hinge", joint.second_axis);
    }

    static void write_children(std::ostream& xml, const MachineModel& machine, int parent) {
        const MachineBody& from = machine.bodies[parent];
        for (const MachineJoint& joint : machine.joints) {
            if (joint.type == JointType::spherical || joint.a != parent) continue;
            const MachineBody& body = machine.bodies[joint.b];
            xml << "<body name='" << body.name << "' pos='"
                << numbers(from.local_point(body.position)) << "' euler='0 "
                << body.angle - from.angle << " 0'>";
            write_joint(xml, body, joint);
            if (machine.is_on_wheels && MachineModel::is_wheel(body))
                xml << "<geom type='sphere' size='" << MachineModel::wheel_radius
                    << "' conaffinity='1'/>";
            xml << "<inertial pos='0 0 0' mass='" << body.mass << "' diaginertia='"
                << numbers(body.inertia) << "'/>";
            write_children(xml, machine, joint.b);
            xml << "</body>";
        }
    }

    static void write_equalities(std::ostream& xml, const MachineModel& machine) {
        for (const MachineJoint& joint : machine.joints) {
            const MachineBody &a = machine.bodies[joint.a], &b = machine.bodies[joint.b];
            if (joint.type == JointType::spherical)
                xml << "<connect body1='" << a.name << "' body2='" << b.name << "' anchor='"
                    << numbers(a.local_point(joint.at)) << "'/>";
            if (joint.type == JointType::prismatic && joint.drive)
                xml << "<joint name='" << b.name << "' joint1='" << b.name << "'/>";
        }
    }

    static std::string describe(const MachineModel& machine, double step, const Options& options) {
        std::ostringstream xml = open_model(options, step, machine.gravity,
                                            machine.is_on_wheels ? Contacts::on : Contacts::off);
        const MachineBody& chassis = machine.bodies[MachineModel::chassis];
        xml << "<worldbody>";
        if (machine.is_on_wheels) xml << "<geom type='plane' size='0 0 1' contype='1'/>";
        xml << "<body name='chassis' pos='" << numbers(chassis.position) << "'>";
        if (machine.is_on_wheels)
            xml << "<freejoint/><inertial pos='0 0 0' mass='" << chassis.mass << "' diaginertia='"
                << numbers(chassis.inertia) << "'/>";
        write_children(xml, machine, MachineModel::chassis);
        xml << "</body></worldbody><equality>";
        write_equalities(xml, machine);
        xml << "</equality></mujoco>";
        return xml.str();
    }

    int bucket_, chassis_;
    Vec3 chassis_start_;
    std::vector<Cylinder> cylinders_;
};

struct NamedOptions {
    std::string name;
    Options options;
};

std::vector<NamedOptions> four_bar_options() {
    constexpr const char* usual = "0.99 0.999 0.001";
    return {{"Newton, Euler", {"Euler", usual}},
            {"Newton, RK4", {"RK4", usual}},
            {"Newton, Euler, impedance 0.9999", {"Euler", stiff_impedance}},
            {"Newton, RK4, impedance 0.9999", {"RK4", stiff_impedance}}};
}

std::vector<NamedOptions> machine_options() {
    return {{"Newton, Euler", {"Euler", "0.95 0.99 0.001"}},
            {"Newton, Euler, impedance 0.9999", {"Euler", stiff_impedance}}};
}

void run_machines(const Report& report, std::initializer_list<MachineModel> variants) {
    for (const MachineModel& variant : variants)
        for (const NamedOptions& named : machine_options())
            for (double step : {5e-3, 1e-3})
                run_machine(report, variant, {named.name, step},
                            [&](const MachineModel& m, double h) {
                                return std::make_unique<Machine>(m, h, named.options);
                            });
}

void run(const Arguments& arguments, const MachineModel& machine) {
    mju_user_warning = [](const char*) {};
    const Report report(std::string("mujoco ") + mj_versionString(), arguments.suite);
    if (arguments.suite == "bodies") run_bodies(report, arguments);
    if (arguments.suite == "machine") run_machines(report, {machine.standing_on_its_wheels()});
    if (arguments.suite != "mechanisms") return;
    for (int count : {10, 40})
        for (const NamedOptions& named : four_bar_options())
            for (double step : {1e-3, 5e-3})
                run_four_bars(report, arguments, count, {named.name, step}, [&](int n, double h) {
                    return std::make_unique<FourBars>(n, h, named.options);
                });
    run_machines(report, {machine, machine.with_free_bucket_cylinder()});
}

}  // namespace
}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv, bristle::bench::peers::run);
}
