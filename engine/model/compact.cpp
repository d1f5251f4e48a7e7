#include "model/compact.h"

#include "model/editor.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <memory>

namespace bristle::model {
namespace {

constexpr uint32_t nowhere = IdMap::nowhere;

// Where a user's force finds bodies by the ids it knows.
struct BodyBook {
    std::vector<uint32_t> to_compact;
    std::vector<Pose> standing;
    std::vector<bool> is_there;

    void check(BodyId id) const {
        if (id.index >= is_there.size() || !is_there[id.index])
            throw InputError(
                fmt::format("a user force names body {}, which the model does not have", id.index));
    }
};

class TranslatedKinematics final : public Kinematics {
  public:
    TranslatedKinematics(const BodyBook& book, const Kinematics& inner)
        : book_(book), inner_(inner) {}
    double time() const override { return inner_.time(); }
    Pose pose(BodyId id) const override {
        book_.check(id);
        const uint32_t to = book_.to_compact[id.index];
        return to == nowhere ? book_.standing[id.index] : inner_.pose({to});
    }
    Twist twist(BodyId id) const override {
        book_.check(id);
        const uint32_t to = book_.to_compact[id.index];
        return to == nowhere ? Twist{} : inner_.twist({to});
    }
    double normal_force(BodyId id, std::optional<BodyId> against) const override {
        for (BodyId* body : {&id, against ? &*against : &id}) {
            book_.check(*body);
            if (book_.to_compact[body->index] == nowhere) return 0;
        }
        if (against) against->index = book_.to_compact[against->index];
        return inner_.normal_force({book_.to_compact[id.index]}, against);
    }

  private:
    const BodyBook& book_;
    const Kinematics& inner_;
};

class TranslatedSink final : public ForceSink {
  public:
    TranslatedSink(const BodyBook& book, ForceSink& inner) : book_(book), inner_(inner) {}
    void add_force(BodyId id, Vec3 force, Vec3 at) override {
        book_.check(id);
        if (const uint32_t to = book_.to_compact[id.index]; to != nowhere)
            inner_.add_force({to}, force, at);
    }
    void add_torque(BodyId id, Vec3 torque) override {
        book_.check(id);
        if (const uint32_t to = book_.to_compact[id.index]; to != nowhere)
            inner_.add_torque({to}, torque);
    }

  private:
    const BodyBook& book_;
    ForceSink& inner_;
};

template <class Id, class Keep> IdMap number(size_t count, const Keep& keep) {
    IdMap map;
    map.to_compact.assign(count, nowhere);
    for (uint32_t i = 0; i < count; ++i) {
        if (!keep(Id{i})) continue;
        map.to_compact[i] = static_cast<uint32_t>(map.to_model.size());
        map.to_model.push_back(i);
    }
    return map;
}

class Compactor {
  public:
    Compactor(const Model& model, const std::vector<bool>& left_out) : model_(model) {
        const auto is_in = [&](BodyId id) {
            return model.contains(id) && !(id.index < left_out.size() && left_out[id.index]);
        };
        out_.bodies = number<BodyId>(model.bodies().size(), is_in);
        // A gear needs joints that may be numbered after it.
        std::vector<bool> joint_is_in(model.joints().size());
        for (uint32_t i = 0; i < joint_is_in.size(); ++i) {
            const Joint& j = model.joints()[i];
            joint_is_in[i] =
                model.contains(JointId{i}) && (is_gear(j) || (is_in(j.a) && is_in(j.b)));
        }
        for (uint32_t i = 0; i < joint_is_in.size(); ++i) {
            const Joint& j = model.joints()[i];
            if (is_gear(j))
                joint_is_in[i] =
                    joint_is_in[i] && joint_is_in[j.first.index] && joint_is_in[j.second.index];
        }
        const auto has_joint = [&](JointId id) -> bool { return joint_is_in[id.index]; };
        out_.joints = number<JointId>(model.joints().size(), has_joint);
        out_.drives = number<DriveId>(model.drives().size(), [&](DriveId id) {
            return model.contains(id) && has_joint(model.drives()[id.index].joint);
        });
        out_.limits = number<LimitId>(model.limits().size(), [&](LimitId id) {
            return model.contains(id) && has_joint(model.limits()[id.index].joint);
        });
        out_.coordinates = number<CoordinateId>(model.coordinates().size(), [&](CoordinateId id) {
            return model.contains(id) && has_joint(model.coordinates()[id.index].joint);
        });
        out_.forces = number<ForceId>(model.forces().size(), [&](ForceId id) {
            if (!model.contains(id)) return false;
            const auto [kind, k] = model.forces()[id.index];
            const auto has_ends = [&](const auto& f) { return is_in(f.a) && is_in(f.b); };
            switch (kind) {
                case Model::ForceKind::spring: return has_ends(model.springs()[k]);
                case Model::ForceKind::bushing: return has_ends(model.bushings()[k]);
                case Model::ForceKind::joint_spring:
                    return has_joint(model.joint_springs()[k].joint);
                case Model::ForceKind::motor: return has_joint(model.motors()[k].joint);
                case Model::ForceKind::stateful: {
                    const StatefulForce& f = model.stateful_forces()[k];
                    return std::all_of(f.joints.begin(), f.joints.end(), has_joint)
                        && std::all_of(f.points.begin(), f.points.end(), is_in);
                }
                case Model::ForceKind::user: break;
            }
            return true;
        });
        out_.shapes = number<ShapeId>(model.shapes().size(), [&](ShapeId id) {
            return model.contains(id) && is_in(model.shapes()[id.index].body);
        });
    }

    CompactModel compact() {
        if (is_whole()) {
            out_.model = model_;
            return std::move(out_);
        }
        Model& m = out_.model;
        ModelEditor::copy_materials(model_, m);
        ModelEditor::bodies(m) = picked(model_.bodies(), out_.bodies);
        ModelEditor::joints(m) = picked(model_.joints(), out_.joints);
        for (Joint& j : ModelEditor::joints(m)) {
            if (is_gear(j)) {
                translate(j.first);
                translate(j.second);
            } else {
                translate(j.a);
                translate(j.b);
            }
        }
        ModelEditor::drives(m) = on_joints(model_.drives(), out_.drives);
        ModelEditor::limits(m) = on_joints(model_.limits(), out_.limits);
        ModelEditor::coordinates(m) = on_joints(model_.coordinates(), out_.coordinates);
        ModelEditor::shapes(m) = picked(model_.shapes(), out_.shapes);
        for (Shape& s : ModelEditor::shapes(m)) translate(s.body);
        for (NoContact n : model_.no_contacts()) {
            translate(n.a);
            translate(n.b);
            if (n.a.index != nowhere && n.b.index != nowhere)
                ModelEditor::no_contacts(m).push_back(n);
        }
        forces();
        ModelEditor::nothing_is_gone(m);
        return std::move(out_);
    }

  private:
    bool is_whole() const {
        const auto whole = [](const IdMap& map) {
            return map.to_compact.size() == map.to_model.size();
        };
        return whole(out_.bodies) && whole(out_.joints) && whole(out_.drives) && whole(out_.limits)
            && whole(out_.coordinates) && whole(out_.forces) && whole(out_.shapes);
    }
    template <class T> static std::vector<T> picked(const std::vector<T>& all, const IdMap& map) {
        std::vector<T> out;
        out.reserve(map.to_model.size());
        for (uint32_t i : map.to_model) out.push_back(all[i]);
        return out;
    }
    template <class T> std::vector<T> on_joints(const std::vector<T>& all, const IdMap& map) {
        std::vector<T> out = picked(all, map);
        for (T& x : out) translate(x.joint);
        return out;
    }
    void translate(BodyId& id) const { id.index = out_.bodies.to_compact[id.index]; }
    void translate(JointId& id) const { id.index = out_.joints.to_compact[id.index]; }

    void forces() {
        Model& m = out_.model;
        const auto add = [&](Model::ForceKind kind, auto& list, auto force) {
            list.push_back(std::move(force));
            ModelEditor::forces(m).push_back({kind, static_cast<uint32_t>(list.size() - 1)});
        };
        for (uint32_t i : out_.forces.to_model) {
            const auto [kind, k] = model_.forces()[i];
            switch (kind) {
                case Model::ForceKind::spring: {
                    Spring s = model_.springs()[k];
                    translate(s.a);
                    translate(s.b);
                    add(kind, ModelEditor::springs(m), std::move(s));
                    break;
                }
                case Model::ForceKind::bushing: {
                    Bushing b = model_.bushings()[k];
                    translate(b.a);
                    translate(b.b);
                    add(kind, ModelEditor::bushings(m), std::move(b));
                    break;
                }
                case Model::ForceKind::joint_spring: {
                    JointSpring s = model_.joint_springs()[k];
                    translate(s.joint);
                    add(kind, ModelEditor::joint_springs(m), std::move(s));
                    break;
                }
                case Model::ForceKind::motor: {
                    Motor motor = model_.motors()[k];
                    translate(motor.joint);
                    add(kind, ModelEditor::motors(m), std::move(motor));
                    break;
                }
                case Model::ForceKind::user:
                    add(kind, ModelEditor::user_forces(m), translated(model_.user_forces()[k]));
                    break;
                case Model::ForceKind::stateful: {
                    StatefulForce f = model_.stateful_forces()[k];
                    for (JointId& joint : f.joints) translate(joint);
                    for (BodyId& body : f.points) translate(body);
                    add(kind, ModelEditor::stateful_forces(m), std::move(f));
                    break;
                }
            }
        }
    }

    UserForce translated(const UserForce& force) {
        if (!book_) {
            auto book = std::make_shared<BodyBook>();
            book->to_compact = out_.bodies.to_compact;
            for (uint32_t i = 0; i < model_.bodies().size(); ++i) {
                const Body& b = model_.bodies()[i];
                book->standing.push_back({b.position, b.orientation});
                book->is_there.push_back(model_.contains(BodyId{i}));
            }
            book_ = book;
        }
        UserForce out = force;
        out.text.reset();  // it names a body by the other id
        out.apply = [inner = force.apply, book = book_](const Kinematics& k, ForceSink& sink) {
            TranslatedSink translated(*book, sink);
            inner(TranslatedKinematics(*book, k), translated);
        };
        out.bodies.clear();
        for (BodyId id : force.bodies) {
            translate(id);
            if (id.index != nowhere) out.bodies.push_back(id);
        }
        return out;
    }

    const Model& model_;
    CompactModel out_;
    std::shared_ptr<const BodyBook> book_;
};

}  // namespace

CompactModel compact(const Model& model, const std::vector<bool>& left_out) {
    return Compactor(model, left_out).compact();
}

}  // namespace bristle::model
