#include "machines/parts/brake.h"

#include <bristle/error.h>

#include "machines/parts/held.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

enum BrakeMemory : size_t { wound_memory, effort_memory, brake_memory };

class BrakeLaw final : public StatefulLaw {
  public:
    explicit BrakeLaw(Brake brake) : brake_(std::move(brake)) {}
    const Brake& brake() const { return brake_; }
    size_t memory_size() const override { return brake_memory; }
    size_t input_count() const override { return 1; }
    std::vector<LawInput> inputs() const override { return {{"lever", 0, 1}}; }
    std::vector<LawReading> readings() const override { return {{"effort", "N or N m"}}; }
    double read(size_t, std::span<const double> memory) const override {
        return memory[effort_memory];
    }
    void start(std::span<double>, std::span<double> inputs) const override {
        inputs[brake_lever] = brake_.start;
    }
    void step(const LawStep& s) const override {
        const double limit = std::clamp(s.inputs[brake_lever], 0.0, 1.0) * brake_.effort;
        const Held held = hold(s.before[wound_memory], s.end[0] - s.start[0], s.end_rate[0],
                               brake_.effort / brake_.windup, brake_.calming, limit);
        s.memory[wound_memory] = held.wound;
        s.memory[effort_memory] = s.effort[0] = held.effort;
        s.stiffness[0] = held.stiffness;
        s.damping[0] = held.damping;
    }

  private:
    Brake brake_;
};

}  // namespace

ForceId add_brake(Model& model, const Brake& b) {
    const auto fail = [](const std::string& what) { throw InputError("brake: " + what); };
    const auto positive = [&](const char* name, double value) {
        if (!(value > 0) || !std::isfinite(value))
            fail(fmt::format("{} is {}; it must be positive and finite", name, value));
    };
    positive("effort", b.effort);
    positive("windup", b.windup);
    if (!(b.calming >= 0) || !std::isfinite(b.calming))
        fail(fmt::format("calming is {}; it must be finite and not negative", b.calming));
    if (!(b.start >= 0 && b.start <= 1))
        fail(fmt::format("start is {}; it is from 0 to 1", b.start));
    return model.add(StatefulForce{.law = std::make_shared<BrakeLaw>(b),
                                   .joints = {b.joint},
                                   .points = {},
                                   .name = b.name,
                                   .inputs = {b.lever}});
}

std::optional<Brake> brake_of(const StatefulForce& force) {
    const auto* law = dynamic_cast<const BrakeLaw*>(force.law.get());
    if (law == nullptr) return {};
    Brake brake = law->brake();
    brake.joint = force.joints[0];
    brake.name = force.name;
    return brake;
}

}  // namespace bristle::machines
