#include "bench/peers/bodies.h"

#include <ode/ode.h>

// Many bodies in ODE by QuickStep: contacts with the friction pyramid in proportion to the normal force,
// at most 8 a pair. Finding them belongs to the step.

namespace bristle::bench::peers {
namespace {

using plain::operator*;
using plain::Joint;
using plain::Piece;
using plain::Pose;
using plain::Scene;

constexpr double bounce_speed = 0.2;  // m/s: what is slower does not bounce

void to_ode(const plain::Quat& q, dQuaternion& out) {
    out[0] = q.w;
    for (int i = 0; i < 3; ++i) out[i + 1] = q.v[static_cast<std::size_t>(i)];
}

class Bodies {
  public:
    Bodies(const Scene& scene, double step, int iterations) : step_(step) {
        dWorldSetGravity(world_, 0, 0, -plain::gravity);
        dWorldSetAutoDisableFlag(world_, 0);
        dWorldSetQuickStepNumIterations(world_, iterations);
        surface_.mode = dContactApprox1 | (scene.restitution > 0 ? dContactBounce : 0);
        surface_.mu = scene.friction;
        surface_.bounce = scene.restitution;
        surface_.bounce_vel = bounce_speed;
        for (const plain::Body& body : scene.bodies) add_body(body);
        for (const Piece& piece : scene.scenery) {
            const dGeomID geom = add_geom(piece);
            dQuaternion q;
            to_ode(piece.pose.orientation, q);
            const Vec3& at = piece.pose.position;
            dGeomSetPosition(geom, at[0], at[1], at[2]);
            dGeomSetQuaternion(geom, q);
        }
        if (scene.floor == plain::Floor::plane) dCreatePlane(space_, 0, 0, 1, 0);
        for (const Joint& joint : scene.joints) add_joint(joint);
    }
    Bodies(const Bodies&) = delete;
    Bodies& operator=(const Bodies&) = delete;
    ~Bodies() {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }

    void step() {
        dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
            static_cast<Bodies*>(self)->touch(a, b);
        });
        dWorldQuickStep(world_, step_);
        dJointGroupEmpty(contacts_);
    }

    Pose pose(std::size_t i) const {
        const dReal *p = dBodyGetPosition(bodies_[i]), *q = dBodyGetQuaternion(bodies_[i]);
        return {{p[0], p[1], p[2]}, {q[0], {q[1], q[2], q[3]}}};
    }

  private:
    void touch(dGeomID a, dGeomID b) {
        const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
        if (!body_a && !body_b) return;
        if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)) return;
        constexpr int most = 8;
        dContact contacts[most];
        const int count = dCollide(a, b, most, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
            contacts[i].surface = surface_;
            dJointAttach(dJointCreateContact(world_, contacts_, &contacts[i]), body_a, body_b);
        }
    }

    dGeomID add_geom(const Piece& piece) {
        switch (piece.kind) {
            case Piece::Kind::ball: return dCreateSphere(space_, piece.radius);
            case Piece::Kind::capsule: return dCreateCapsule(space_, piece.radius, piece.length);
            case Piece::Kind::box: break;
        }
        return dCreateBox(space_, piece.size[0], piece.size[1], piece.size[2]);
    }

    void add_body(const plain::Body& data) {
        const dBodyID body = dBodyCreate(world_);
        bodies_.push_back(body);
        dMass mass;
        const Vec3& moments = data.inertia.moments;
        dMassSetParameters(&mass, data.inertia.mass, 0, 0, 0, moments[0], moments[1], moments[2], 0,
                           0, 0);
        dBodySetMass(body, &mass);
        const Vec3& at = data.pose.position;
        dQuaternion q;
        to_ode(data.pose.orientation, q);
        dBodySetPosition(body, at[0], at[1], at[2]);
        dBodySetQuaternion(body, q);
        for (const Piece& piece : data.pieces) {
            const dGeomID geom = add_geom(piece);
            dGeomSetBody(geom, body);
            const Vec3& offset = piece.pose.position;
            if (data.pieces.size() > 1)
                dGeomSetOffsetPosition(geom, offset[0], offset[1], offset[2]);
        }
    }

    /// The ground is a null body. ODE's angle is that of its first body against its second, so b
    /// comes first.
    void add_joint(const Joint& data) {
        const bool is_ball = data.kind == Joint::Kind::ball;
        const dJointID joint =
            is_ball ? dJointCreateBall(world_, nullptr) : dJointCreateHinge(world_, nullptr);
        const dBodyID a =
            data.a == Joint::ground ? nullptr : bodies_[static_cast<std::size_t>(data.a)];
        dJointAttach(joint, bodies_[static_cast<std::size_t>(data.b)], a);
        if (is_ball) {
            dJointSetBallAnchor(joint, data.at[0], data.at[1], data.at[2]);
            return;
        }
        dJointSetHingeAnchor(joint, data.at[0], data.at[1], data.at[2]);
        dJointSetHingeAxis(joint, data.axis[0], data.axis[1], data.axis[2]);
        if (data.max < plain::unlimited) {
            dJointSetHingeParam(joint, dParamLoStop, data.min);
            dJointSetHingeParam(joint, dParamHiStop, data.max);
        }
        if (!data.is_driven) return;
        dJointSetHingeParam(joint, dParamVel, data.speed);
        dJointSetHingeParam(joint, dParamFMax, 1e9);
    }

    dWorldID world_ = dWorldCreate();
    dSpaceID space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    dJointGroupID contacts_ = dJointGroupCreate(0);
    dSurfaceParameters surface_{};
    double step_;
    std::vector<dBodyID> bodies_;
};

void run_iterations(const Report& report, const many_bodies::Case& c,
                    std::initializer_list<int> numbers) {
    for (const int iterations : numbers)
        run_case(report, c, "QuickStep " + std::to_string(iterations),
                 [iterations](const Scene& scene, double step) {
                     return std::make_unique<Bodies>(scene, step, iterations);
                 });
}

}  // namespace

void run_bodies(const Report& report, const Arguments& arguments) {
    run_iterations(report, many_bodies::stack_case(), {10, 50});
    run_iterations(report, many_bodies::pyramid_case(), {10, 50});
    run_iterations(report, many_bodies::wall_case(), {10, 50});
    run_iterations(report, many_bodies::ragdolls_case(), {10, 50});
    run_iterations(report, many_bodies::chains_case(), {10, 50});
    run_iterations(report, many_bodies::joint_grid_case(), {10, 50});
    run_iterations(report, many_bodies::tumbler_case(), {10});
    run_iterations(report, many_bodies::pile_case(1000), {10});
    if (!arguments.quick) run_iterations(report, many_bodies::pile_case(5000), {10});
}

}  // namespace bristle::bench::peers
