#include "machines/results/machine_results.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <cmath>

namespace bristle::machines {
namespace {

constexpr int swings = 72;  // round the circle

class Results {
  public:
    Results(const Model& model, const Settings& settings, const ResultsWanted& wanted)
        : model_(model), settings_(settings), wanted_(wanted) {
        out_.parts = parts_found(model);
        for (const BodyId body : out_.parts.machine) out_.mass += model.bodies()[body.index].mass;
    }

    MachineResults go() {
        part("stance", [&] { stand(); });
        part("working range", [&] { range(); });
        part("lift capacities", [&] { lift(); });
        part("breakout forces", [&] { forces(); });
        part("stability", [&] { stability(); });
        part("times of functions",
             [&] { out_.times = function_times(model_, out_.parts, settings_); });
        part("speeds", [&] { out_.speeds = speeds(model_, out_.parts, settings_); });
        part("cycle", [&] { out_.cycle = working_cycle(model_, out_.parts, settings_); });
        return std::move(out_);
    }

  private:
    template <class Do> void part(const char* name, const Do& work) {
        if (!out_.is_complete) return;
        if (wanted_.tell && !wanted_.tell(name)) {
            out_.is_complete = false;
            return;
        }
        try {
            work();
        } catch (const InputError& e) {
            leave_out(name, e.what());
        } catch (const SimulationError& e) {
            leave_out(name, e.what());
        }
    }
    void leave_out(const char* name, const char* why) {
        out_.left_out.push_back(fmt::format("{}: {}", name, why));
    }

    void stand() {
        out_.stances.push_back(stance(model_, out_.parts, settings_, StandOn::wheels));
        if (!out_.parts.supports.empty())
            out_.stances.push_back(stance(model_, out_.parts, settings_, StandOn::supports));
    }
    const Stance& on_wheels() const {
        if (out_.stances.empty()) throw InputError("it does not stand");
        return out_.stances.front();
    }
    void range() {
        Arm arm(model_, out_.parts);
        out_.range = working_range(arm, on_wheels().height);
    }
    void lift() {
        Lifting lifting(model_, out_.parts);
        for (const Stance& s : out_.stances) {
            out_.lift.push_back(lifting.table(s, "front", 0, wanted_.spacing));
            if (out_.parts.swing)
                out_.lift.push_back(lifting.table(s, "side", pi / 2, wanted_.spacing));
        }
    }
    void forces() {
        Arm arm(model_, out_.parts);
        out_.forces = breakout_forces(arm);
        for (const ToolForce& f : out_.forces)
            out_.pulls.push_back(
                simulated_pull(model_, out_.parts, settings_, f.cylinder, f.lengths));
    }
    void stability() {
        Arm arm(model_, out_.parts);
        const double g = norm(model_.gravity);
        struct Posture {
            std::string name;
            Lengths lengths;
        };
        std::vector<Posture> postures{{"as the scene starts", arm.lengths()}};
        if (out_.range)
            for (const Extreme& e : out_.range->extremes)
                if (e.name == "reach on the ground")
                    postures.push_back({"stretched out on the ground", e.lengths});
        for (const Stance& s : out_.stances)
            for (const Posture& posture : postures) {
                arm.place(posture.lengths);
                StabilityCurve curve{s.name, posture.name, {}, {}};
                for (int i = 0; i <= (out_.parts.swing ? swings : 0); ++i) {
                    const double angle = 2 * pi * i / swings;
                    curve.swing.push_back(angle);
                    curve.margin.push_back(static_margin(s, center_of_mass(s, arm, angle), g));
                }
                out_.stability.push_back(std::move(curve));
            }
    }

    const Model& model_;
    const Settings& settings_;
    const ResultsWanted& wanted_;
    MachineResults out_;
};

}  // namespace

MachineResults machine_results(const Model& model, const Settings& settings,
                               const ResultsWanted& wanted) {
    return Results(model, settings, wanted).go();
}

}  // namespace bristle::machines
