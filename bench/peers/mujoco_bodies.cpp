#include "bench/peers/bodies.h"

#include <mujoco/mujoco.h>

#include <sstream>

// Boxes in MuJoCo, whose contacts are soft: time constant 2h, the stiffest it accepts, and a pyramid of
// friction. It has no restitution. Mechanisms and piles are left out: see README.md.

namespace bristle::bench::peers {
namespace {

using plain::operator*;
using plain::Piece;
using plain::Pose;
using plain::Scene;

std::string numbers(const Vec3& v) {
    std::ostringstream text;
    text.precision(17);
    text << v[0] << ' ' << v[1] << ' ' << v[2];
    return text.str();
}

struct Options {
    const char* solver;
    int iterations;
};

std::string describe(const Scene& scene, double step, const Options& options) {
    std::ostringstream xml;
    xml.precision(17);
    // Room for 9 contacts a box, of 4 rows each; twice as much is more than MuJoCo can allocate for 200.
    const std::size_t contacts = 9 * scene.bodies.size();
    xml << "<mujoco><size njmax='" << 4 * contacts << "' nconmax='" << contacts << "' nstack='"
        << (std::size_t{1} << 26) << "'/><option timestep='" << step << "' solver='"
        << options.solver << "' iterations='" << options.iterations
        << "' jacobian='sparse' gravity='0 0 " << -plain::gravity << "'/><default><geom solref='"
        << 2 * step << " 1' friction='" << scene.friction << "'/></default><worldbody>";
    if (scene.floor == plain::Floor::plane) xml << "<geom type='plane' size='0 0 1'/>";
    for (const Piece& wall : scene.scenery)
        xml << "<geom type='box' size='" << numbers(0.5 * wall.size) << "' pos='"
            << numbers(wall.pose.position) << "'/>";
    for (const plain::Body& body : scene.bodies) {
        const auto& [w, v] = body.pose.orientation;
        xml << "<body pos='" << numbers(body.pose.position) << "' quat='" << w << ' ' << numbers(v)
            << "'><freejoint/><geom type='box' size='" << numbers(0.5 * body.pieces[0].size)
            << "' mass='" << body.inertia.mass << "'/></body>";
    }
    xml << "</worldbody></mujoco>";
    return xml.str();
}

class Bodies {
  public:
    Bodies(const Scene& scene, double step, const Options& options) {
        const std::string xml = describe(scene, step, options);
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
    Bodies(const Bodies&) = delete;
    Bodies& operator=(const Bodies&) = delete;
    ~Bodies() {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }

    void step() { mj_step(model_, data_); }

    /// MuJoCo resets the state when it finds NaN, which would otherwise look like a good result, and
    /// leaves out contacts for which there is no room.
    Pose pose(std::size_t i) const {
        for (const int warning :
             {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC, mjWARN_CONTACTFULL, mjWARN_CNSTRFULL})
            if (data_->warning[warning].number) return {{NAN, NAN, NAN}, {}};
        const mjtNum* q = data_->qpos + 7 * i;
        return {{q[0], q[1], q[2]}, {q[3], {q[4], q[5], q[6]}}};
    }

  private:
    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
};

}  // namespace

void run_bodies(const Report& report, const Arguments& arguments) {
    const Options newton{"Newton", 100}, gradients{"CG", 100};
    std::vector<many_bodies::Case> cases = {many_bodies::stack_case()};
    if (!arguments.quick) cases.push_back(many_bodies::wall_case());
    for (const many_bodies::Case& c : cases)
        for (const Options& options : {newton, gradients})
            run_case(report, c, options.solver, [&](const Scene& scene, double step) {
                return std::make_unique<Bodies>(scene, step, options);
            });
}

}  // namespace bristle::bench::peers
