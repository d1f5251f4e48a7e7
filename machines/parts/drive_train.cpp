#include "machines/parts/drive_train.h"

#include <bristle/error.h>

#include "machines/parts/held.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

// Of the range's speed: from where on the torque falls, to nothing at its end.
constexpr double fades = 0.1;

class DriveTrainLaw final : public StatefulLaw {
  public:
    explicit DriveTrainLaw(DriveTrain train) : train_(std::move(train)) {}
    // How far the brake of every hub is wound, then the lock of every axle.
    size_t memory_size() const override { return 3 * train_.axles.size(); }
    size_t input_count() const override { return drive_inputs; }
    std::vector<LawInput> inputs() const override {
        return {{"pedal", -1, 1},
                {"range", 0, static_cast<double>(train_.ranges.size())},
                {"service_brake", 0, 1},
                {"parking_brake", 0, 1}};
    }
    const DriveTrain& train() const { return train_; }
    void start(std::span<double>, std::span<double> inputs) const override {
        inputs[range] = train_.start_range;
        inputs[parking_brake] = train_.start_parked;
    }
    void step(const LawStep&) const override;

  private:
    struct Torque {
        double value, by_speed;
    };
    Torque source(std::span<const double> inputs, double speed) const;

    DriveTrain train_;
};

// Of all hubs together, by their mean speed.
DriveTrainLaw::Torque DriveTrainLaw::source(std::span<const double> inputs, double speed) const {
    const auto chosen = static_cast<size_t>(
        std::clamp(std::round(inputs[range]), 0.0, static_cast<double>(train_.ranges.size())));
    if (chosen == 0) return {0, 0};
    const Range& r = train_.ranges[chosen - 1];
    const double pressed = std::clamp(inputs[pedal], -1.0, 1.0), size = std::abs(speed);
    // Power bounds the torque beyond the speed where both meet; the governor takes it away at the end of the range. Against the
    // motion it pulls with all its torque.
    double most = r.torque, by_size = 0;
    if (pressed * speed > 0) {
        if (size * r.torque > train_.power) {
            most = train_.power / size;
            by_size = -most / size;
        }
        const double left = (r.speed - size) / (fades * r.speed);
        if (left < 1) {
            const double share = std::max(left, 0.0);
            by_size = left > 0 ? share * by_size - most / (fades * r.speed) : 0;
            most *= share;
        }
    }
    const double retarding = (1 - std::abs(pressed)) * train_.retarding / r.speed;
    return {pressed * most - retarding * speed,
            pressed * by_size * (speed < 0 ? -1 : 1) - retarding};
}

void DriveTrainLaw::step(const LawStep& s) const {
    const size_t axles = train_.axles.size(), hubs = 2 * axles;
    double mean = 0;
    for (size_t i = 0; i < axles; ++i)
        mean += 0.5 * train_.axles[i].share * (s.end_rate[2 * i] + s.end_rate[2 * i + 1]);
    const Torque torque = source(s.inputs, mean);
    const double service = std::clamp(s.inputs[service_brake], 0.0, 1.0) * train_.service_torque,
                 parking = std::clamp(s.inputs[parking_brake], 0.0, 1.0) * train_.parking_torque;
    const auto resist = [&](size_t a, size_t b, double stiffness, double damping) {
        s.stiffness[a * hubs + b] += stiffness;
        s.damping[a * hubs + b] += damping;
    };
    for (size_t i = 0; i < axles; ++i) {
        const Axle& axle = train_.axles[i];
        const size_t left = 2 * i, right = left + 1;
        for (size_t hub : {left, right}) {
            s.effort[hub] += 0.5 * axle.share * torque.value;
            for (size_t j = 0; j < hubs; ++j)
                resist(hub, j, 0, -0.25 * axle.share * train_.axles[j / 2].share * torque.by_speed);
            const Held brake =
                hold(s.before[hub], s.end[hub] - s.start[hub], s.end_rate[hub],
                     std::max(train_.service_torque, train_.parking_torque) / train_.brake_windup,
                     train_.brake_calming, std::max(service, parking));
            s.memory[hub] = brake.wound;
            s.effort[hub] += brake.effort;
            resist(hub, hub, brake.stiffness, brake.damping);
        }
        const double limit =
            axle.lock_preload + axle.lock_share * axle.share * std::abs(torque.value);
        const double stiffness = axle.lock_preload / train_.lock_windup;
        const Held lock =
            hold(s.before[hubs + i], s.end[left] - s.start[left] - (s.end[right] - s.start[right]),
                 s.end_rate[left] - s.end_rate[right], stiffness, train_.brake_calming, limit);
        s.memory[hubs + i] = lock.wound;
        s.effort[left] += lock.effort;
        s.effort[right] -= lock.effort;
        for (size_t a : {left, right})
            for (size_t b : {left, right})
                resist(a, b, (a == b ? 1 : -1) * lock.stiffness, (a == b ? 1 : -1) * lock.damping);
    }
}

}  // namespace

ForceId add_drive_train(Model& model, const DriveTrain& t) {
    const auto fail = [](const std::string& what) { throw InputError("drive train: " + what); };
    const auto positive = [&](const char* name, double value) {
        if (!(value > 0) || !std::isfinite(value))
            fail(fmt::format("{} is {}; it must be positive and finite", name, value));
    };
    if (t.axles.empty()) fail("it has no axles");
    if (t.ranges.empty()) fail("it has no ranges");
    double share = 0;
    for (const Axle& axle : t.axles) {
        positive("lock_preload", axle.lock_preload);
        if (!(axle.share >= 0 && axle.lock_share >= 0) || !std::isfinite(axle.lock_share))
            fail("shares are finite and not negative");
        share += axle.share;
    }
    if (!(std::abs(share - 1) < 1e-9))
        fail(fmt::format("the axles' shares are {} together; they are to be 1", share));
    for (const Range& r : t.ranges) {
        positive("a range's torque", r.torque);
        positive("a range's speed", r.speed);
    }
    positive("power", t.power);
    positive("service_torque", t.service_torque);
    positive("parking_torque", t.parking_torque);
    positive("brake_windup", t.brake_windup);
    positive("lock_windup", t.lock_windup);
    if (!(t.start_range >= 0 && t.start_range <= static_cast<double>(t.ranges.size())))
        fail(fmt::format("start_range is {}; there are {} ranges", t.start_range, t.ranges.size()));
    if (!(t.start_parked >= 0 && t.start_parked <= 1))
        fail(fmt::format("start_parked is {}; it is from 0 to 1", t.start_parked));
    if (!(t.retarding >= 0 && t.brake_calming >= 0)
        || !std::isfinite(t.retarding + t.brake_calming))
        fail("retarding and calming are finite and not negative");
    StatefulForce force{.law = std::make_shared<DriveTrainLaw>(t),
                        .joints = {},
                        .points = {},
                        .name = t.name,
                        .inputs = {t.inputs.begin(), t.inputs.end()}};
    for (const Axle& axle : t.axles) {
        force.joints.push_back(axle.left);
        force.joints.push_back(axle.right);
    }
    return model.add(std::move(force));
}

std::optional<DriveTrain> drive_train_of(const StatefulForce& force) {
    const auto* law = dynamic_cast<const DriveTrainLaw*>(force.law.get());
    if (law == nullptr) return {};
    DriveTrain train = law->train();
    for (size_t i = 0; i < train.axles.size(); ++i) {
        train.axles[i].left = force.joints[2 * i];
        train.axles[i].right = force.joints[2 * i + 1];
    }
    train.name = force.name;
    return train;
}

}  // namespace bristle::machines
