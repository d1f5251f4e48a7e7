#include "machines/earth/bucket_laws.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

Vec3 three(std::span<const double> list, size_t first) {
    return {list[first], list[first + 1], list[first + 2]};
}

// Ways of a point, in the order of its axes; the foot's come after the edge's.
constexpr size_t ahead = 0, up = 1, aside = 2, foot = 3;

class DigLaw final : public StatefulLaw {
  public:
    explicit DigLaw(double stiffness) : stiffness_(stiffness) {}
    size_t memory_size() const override { return dig_memory; }
    size_t input_count() const override { return dig_inputs; }
    // The earth tells them, not people.
    std::vector<LawInput> inputs() const override { return {}; }
    std::vector<LawReading> readings() const override {
        return {{"ahead", "N"}, {"up", "N"}, {"aside", "N"}, {"foot", "N"}};
    }
    double read(size_t reading, std::span<const double> memory) const override {
        return memory[force_memory + (reading < 3 ? reading : foot + up)];
    }
    void start(std::span<double>, std::span<double> inputs) const override {
        inputs[ahead_axis] = 1;
    }

    PointAim aim(size_t index, const Pose& pose, const Twist&, std::span<const double> inputs,
                 std::span<const double>, const Scenery&) const override {
        PointAim aim{.at = pose * three(inputs, index == 0 ? edge_place : foot_place)};
        const Vec3 along = three(inputs, ahead_axis);
        const Vec3 level = cross({0, 0, 1}, along);
        if (!(norm(level) > 1e-9)) return aim;  // straight up or down: axes of the world do
        const Vec3 side = normalized(level), front = normalized(along);
        aim.axis = {front, cross(front, side), side};
        return aim;
    }

    void step(const LawStep&) const override;

  private:
    void stretch(const LawStep&, size_t way, double against_plus, double against_minus) const;

    double stiffness_;
};

void DigLaw::stretch(const LawStep& s, size_t way, double against_plus,
                     double against_minus) const {
    const double force = s.before[bristle_memory + way] - stiffness_ * (s.end[way] - s.start[way]);
    const double held = std::clamp(force, -against_plus, against_minus);
    s.memory[bristle_memory + way] = held;
    s.effort[way] += held;
    if (held == force) s.stiffness[7 * way] += stiffness_;
}

void DigLaw::step(const LawStep& s) const {
    std::copy(s.before.begin(), s.before.end(), s.memory.begin());
    const auto in = s.inputs;
    stretch(s, ahead, in[ahead_limit], in[back_limit]);
    stretch(s, up, in[up_limit], in[down_limit]);
    stretch(s, aside, in[side_limit], in[side_limit]);
    stretch(s, foot + up, 0, in[foot_limit]);
    // As it stood on it in the step before.
    const double grip = in[foot_grip] * std::max(0.0, s.before[force_memory + foot + up]);
    stretch(s, foot + ahead, grip, grip);
    stretch(s, foot + aside, grip, grip);

    if (const double resisted = -s.memory[bristle_memory + ahead]; resisted > 0) {
        s.effort[up] -= in[down_share] * resisted;
        if (s.stiffness[0] > 0) s.stiffness[6 * up + ahead] += in[down_share] * stiffness_;
    }
    if (const double v = s.end_rate[ahead]; v > 0) {
        s.effort[ahead] -= in[speed_factor] * v * v;
        s.damping[0] += 2 * in[speed_factor] * v;
    }
    for (size_t way = 0; way < 3; ++way) {
        const double damping = in[way == ahead ? along_damping : across_damping];
        s.effort[way] -= damping * s.end_rate[way];
        s.damping[7 * way] += damping;
    }
    std::copy_n(s.effort.begin(), 6, s.memory.begin() + force_memory);
}

class LoadLaw final : public StatefulLaw {
  public:
    explicit LoadLaw(Vec3 gravity) : gravity_(gravity) {}
    size_t memory_size() const override { return load_memory; }
    size_t input_count() const override { return load_inputs; }
    std::vector<LawInput> inputs() const override { return {}; }
    std::vector<LawReading> readings() const override { return {{"mass", "kg"}}; }
    double read(size_t, std::span<const double> memory) const override {
        return memory[carried_mass];
    }

    PointAim aim(size_t, const Pose& pose, const Twist&, std::span<const double> inputs,
                 std::span<const double>, const Scenery&) const override {
        return {.at = pose * three(inputs, load_place)};
    }
    void step(const LawStep& s) const override {
        const double mass = s.inputs[load_mass], had = s.before[carried_mass];
        const double kept = had > mass ? mass / had : 1;
        s.memory[carried_mass] = mass;
        for (size_t k = 0; k < 3; ++k) {
            const double momentum = kept * s.before[carried_momentum + k];
            s.memory[carried_momentum + k] = mass * s.end_rate[k];
            s.effort[k] =
                mass * gravity_[static_cast<int>(k)] - (mass * s.end_rate[k] - momentum) / s.step;
            s.damping[4 * k] = mass / s.step;
        }
    }

  private:
    Vec3 gravity_;
};

}  // namespace

ForceId add_dig_force(Model& model, BodyId bucket, double stiffness, std::string name) {
    return model.add(StatefulForce{.law = std::make_shared<DigLaw>(stiffness),
                                   .joints = {},
                                   .points = {bucket, bucket},
                                   .name = std::move(name)});
}

ForceId add_load(Model& model, BodyId body, std::string name) {
    return model.add(StatefulForce{.law = std::make_shared<LoadLaw>(model.gravity),
                                   .joints = {},
                                   .points = {body},
                                   .name = std::move(name)});
}

}  // namespace bristle::machines
