// The lists of a model, for those who make one model from another: no checks.
#pragma once

#include <bristle/model.h>

namespace bristle {

struct ModelEditor {
    static std::vector<Body>& bodies(Model& m) { return m.bodies_; }
    static std::vector<Joint>& joints(Model& m) { return m.joints_; }
    static std::vector<Drive>& drives(Model& m) { return m.drives_; }
    static std::vector<Limit>& limits(Model& m) { return m.limits_; }
    static std::vector<Coordinate>& coordinates(Model& m) { return m.coordinates_; }
    static std::vector<Model::ForceRef>& forces(Model& m) { return m.forces_; }
    static std::vector<Spring>& springs(Model& m) { return m.springs_; }
    static std::vector<JointSpring>& joint_springs(Model& m) { return m.joint_springs_; }
    static std::vector<Bushing>& bushings(Model& m) { return m.bushings_; }
    static std::vector<Motor>& motors(Model& m) { return m.motors_; }
    static std::vector<UserForce>& user_forces(Model& m) { return m.user_forces_; }
    static std::vector<StatefulForce>& stateful_forces(Model& m) { return m.stateful_forces_; }
    static std::vector<Shape>& shapes(Model& m) { return m.shapes_; }
    static std::vector<NoContact>& no_contacts(Model& m) { return m.no_contacts_; }
    // What has no id of its own is taken as it is.
    static void copy_materials(const Model& from, Model& to) {
        to.materials_ = from.materials_;
        to.contact_pairs_ = from.contact_pairs_;
        to.gravity = from.gravity;
        to.plane_normal = from.plane_normal;
        to.friction_rule = from.friction_rule;
        to.restitution_rule = from.restitution_rule;
    }
    // Of the joints those are there that are there in the other.
    static void joints_are(Model& m, const Model& as) { m.joint_gone_ = as.joint_gone_; }
    // Everything in the lists is there.
    static void nothing_is_gone(Model& m) {
        m.body_gone_.assign(m.bodies_.size(), false);
        m.joint_gone_.assign(m.joints_.size(), false);
        m.drive_gone_.assign(m.drives_.size(), false);
        m.limit_gone_.assign(m.limits_.size(), false);
        m.coordinate_gone_.assign(m.coordinates_.size(), false);
        m.force_gone_.assign(m.forces_.size(), false);
        m.shape_gone_.assign(m.shapes_.size(), false);
    }
};

}  // namespace bristle
