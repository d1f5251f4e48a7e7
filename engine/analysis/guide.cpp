// Kinematics and inverse dynamics (spec A14): every drive is a row, whatever its effort,
//
//     Φ(q, t) = 0,   J v = −Φt,   J a = −J̇ v − Φ̇t      give the motion,
//     M a + Jᵀ λ = Q                                  the efforts.
#include <bristle/world.h>

#include "analysis/derivatives.h"
#include "analysis/small_motion.h"
#include "mechanics/drives.h"
#include "step/world_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle {

using namespace analysis;
namespace {

constexpr double longest_part = 0.25;  // of a way: rad, or of the model's size

class Guide {
  public:
    explicit Guide(const World& world)
        : system_(WorldAccess::system(world)),
          equations_(system_),
          state_(WorldAccess::state(world)),
          mass_(mass_matrix(system_)) {
        if (!system_.stateful.empty())
            throw InputError(fmt::format(
                "guide: what '{}' remembers follows from steps, and a guided motion has none; "
                "remove it from the model first",
                system_.model().stateful_forces()[0].name));
        state_.contacts.clear();
        for (size_t i = 0; i < system_.relations.size(); ++i) {
            const lagrange::Relation& r = system_.relations[i];
            // Friction resists the motion and does not prescribe it: it is left out.
            const bool is_row = r.kind == lagrange::Relation::Kind::equality
                             || (is_drive(i) && !mechanics::is_friction(drive_of(r)));
            const double held = is_drive(i) ? coordinate(i) : r.target;
            equations_.relation[i] = {
                is_row ? lagrange::RowMode::active : lagrange::RowMode::inactive, held, 0, 0, 0};
        }
    }

    const state::State& state() const { return state_; }
    double coordinate(size_t relation) {
        return equations_.measure_at(state_, system_.relations[relation].measure[0]).value;
    }
    const Drive& drive_of(const lagrange::Relation& r) const {
        return system_.model().drives()[r.index];
    }
    bool is_drive(size_t relation) const {
        return system_.relations[relation].kind == lagrange::Relation::Kind::drive;
    }

    void move(const std::vector<DriveMotion>& motion, double time) {
        state_.time = equations_.time = time;
        // A turn cannot be told from none in one go, and a long way may end on another branch.
        double way = 0;
        for (const DriveMotion& m : motion) {
            const size_t i = system_.drive_relation[m.drive.index];
            way = std::max(way, system_.relations[i].unit
                                    * std::abs(m.position - equations_.relation[i].target));
        }
        const auto parts = std::max(1, static_cast<int>(std::ceil(way / longest_part)));
        int tries = 0;
        for (int finer = 1; !reach(motion, parts * finer); finer *= 4)
            if (++tries == 4)
                throw SimulationError(fmt::format(
                    "guide: the drives' positions at t = {:.6g} s cannot be reached from where the "
                    "mechanism is: {}; it would have to come apart, or lock on the way",
                    time, names(motion)));
        follow(motion);
    }

  private:
    std::string names(const std::vector<DriveMotion>& motion) const {
        std::string out;
        for (const DriveMotion& m : motion) {
            const std::string& name = system_.model().drives()[m.drive.index].name;
            out += fmt::format("{}{} at {:.6g}", out.empty() ? "" : ", ",
                               name.empty() ? fmt::format("drive {}", m.drive.index) : name,
                               m.position);
        }
        return out;
    }

    // Positions in so many equal parts of the way. The state is as before if it does not succeed.
    bool reach(const std::vector<DriveMotion>& motion, int parts) {
        const state::State begin = state_;
        const auto relations = equations_.relation;
        for (int part = 1; part <= parts; ++part) {
            for (const DriveMotion& m : motion) {
                const size_t i = system_.drive_relation[m.drive.index];
                const double from = relations[i].target;
                equations_.relation[i].target =
                    part == parts ? m.position : from + (m.position - from) * part / parts;
            }
            if (!close_rows(equations_, state_)) {
                state_ = begin;
                equations_.relation = relations;
                return false;
            }
            count_turns(equations_, state_);
        }
        return true;
    }

    void follow(const std::vector<DriveMotion>& motion) {
        for (const DriveMotion& m : motion) {
            lagrange::RelationNow& now = equations_.relation[system_.drive_relation[m.drive.index]];
            now.rate = m.rate;
            now.acceleration = m.acceleration;
        }
        const TangentSpace space(equations_, state_);
        refuse_freedom(space);
        const size_t count = system_.entity_count;
        state_.velocity.assign(count, Vec4{});
        equations_.evaluate_velocity_rows(state_);
        state_.velocity = entities_of(-space.motion_with(row_violations(equations_)));
        state_.acceleration.assign(count, Vec4{});
        equations_.evaluate_acceleration_rows(state_);
        const Eigen::VectorXd acceleration = -space.motion_with(row_violations(equations_));
        state_.acceleration = entities_of(acceleration);
        const Eigen::VectorXd force = applied_force(equations_, state_) - mass_ * acceleration;
        for (size_t i = 0; i < system_.relations.size(); ++i)
            state_.memory[system_.relations[i].memory + lagrange::mode_memory] =
                static_cast<double>(equations_.relation[i].mode);
        store_multipliers(equations_, space.multipliers_for(force), state_);
        equations_.evaluate_forces(state_, state_.force);
    }

    void refuse_freedom(const TangentSpace& space) const {
        const auto free = space.free_motions(mass_).cols();
        if (free > 0)
            throw SimulationError(fmt::format(
                "guide: with all drives held, {} degree{} of freedom {} left; give every "
                "free coordinate a drive (mobility and explain tell which are free)",
                free, free == 1 ? "" : "s", free == 1 ? "is" : "are"));
    }

    const lagrange::System& system_;
    lagrange::Equations equations_;
    state::State state_;
    Eigen::MatrixXd mass_;
};

// Where a drive goes on from, once the world is stepped again.
void set_references(World& world, state::State& state, bool on_target) {
    const lagrange::System& s = WorldAccess::system(world);
    lagrange::Equations equations(s);
    for (size_t i = 0; i < s.relations.size(); ++i) {
        const lagrange::Relation& r = s.relations[i];
        if (r.kind != lagrange::Relation::Kind::drive) continue;
        const Drive& drive = s.model().drives()[r.index];
        const double y = equations.measure_at(state, r.measure[0]).value;
        double& reference = state.memory[r.memory + lagrange::reference_memory];
        if (mechanics::asks_for_rate(drive)) {
            reference = y;
        } else {
            const double target = drive.target ? drive.target(state.time) : state.memory[r.command];
            reference = on_target ? 0 : y - target;
        }
    }
}

}  // namespace

void World::guide(std::span<const DriveMotion> motion) {
    const auto ids = WorldAccess::drive_ids(*this);
    std::vector<DriveMotion> wanted;
    for (const DriveMotion& m : motion) {
        const auto known = std::find(ids.begin(), ids.end(), m.drive);
        if (known == ids.end())
            throw InputError(fmt::format("guide: drive id {} is not of this model", m.drive.index));
        if (mechanics::is_friction(model().drives()[m.drive.index]))
            throw InputError(fmt::format("guide: drive {} is friction", m.drive.index));
        for (double x : {m.position, m.rate, m.acceleration})
            if (!std::isfinite(x))
                throw InputError(
                    fmt::format("guide: the motion of drive {} is not finite", m.drive.index));
        wanted.push_back(m);
        wanted.back().drive.index = static_cast<uint32_t>(known - ids.begin());
    }
    Guide guide(*this);
    guide.move(wanted, time());
    state::State state = guide.state();
    set_references(*this, state, false);
    WorldAccess::set_state(*this, state);
}

void World::guide(double to) {
    if (!std::isfinite(to)) throw InputError(fmt::format("guide: time is {}", to));
    const lagrange::System& s = WorldAccess::system(*this);
    Guide guide(*this);
    std::vector<DriveMotion> wanted;
    for (uint32_t i = 0; i < s.model().drives().size(); ++i) {
        const Drive& drive = s.model().drives()[i];
        if (mechanics::is_friction(drive)) continue;
        const double command =
            WorldAccess::state(*this).memory[s.relations[s.drive_relation[i]].command];
        const TimeFunction f = [&](double t) {
            return mechanics::asked_rate(drive, drive.target ? drive.target(t) : command);
        };
        DriveMotion m{.drive = {i}};
        if (mechanics::asks_for_rate(drive)) {
            m.position = guide.coordinate(s.drive_relation[i]) + integral(f, time(), to);
            m.rate = f(to);
            m.acceleration = derivatives(f, to).first;
        } else {
            m.position = f(to);
            const Derivatives d = derivatives(f, to);
            m.rate = d.first;
            m.acceleration = d.second;
        }
        if (!std::isfinite(m.position) || !std::isfinite(m.rate) || !std::isfinite(m.acceleration))
            throw SimulationError(
                fmt::format("guide: the target of drive {} is not finite about t = {:.6g} s",
                            drive.name.empty() ? std::to_string(i) : "'" + drive.name + "'", to));
        wanted.push_back(m);
    }
    guide.move(wanted, to);
    state::State state = guide.state();
    set_references(*this, state, true);
    WorldAccess::set_state(*this, state);
}

}  // namespace bristle
