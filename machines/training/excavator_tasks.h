// Many excavators side by side that programs learn to command (docs/envs.md).
//
//     ExcavatorTasks many(model, settings, {.task = Task::fill, .count = 64, .threads = 2});
//     many.reset(7);
//     many.step(actions);       // count × action_size() levers, −1 … 1
//     many.observations();      // count × observation_size()
//     many.rewards();
//
// Each has a world of its own, and numbers drawn from its own seed: what it does depends on neither threads nor neighbours.
// Nothing is taken from the heap by a step.
#pragma once

#include "machines/results/arm.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bristle::machines {

enum class Task : unsigned char {
    reach,  // the teeth to a point in the air
    level,  // the teeth towards the machine along a level line
    fill    // the bucket with earth, and up with it; the model must have some
};
const char* to_string(Task);

struct TaskOptions {
    Task task = Task::reach;
    size_t count = 1;
    int threads = 1;
    int steps_an_action = 10;
    double time_limit = 12;  // s, of an episode
    // What ended begins anew within the same step: the observation is the new one's, the last of the old in last_observations().
    enum class AtEnd : unsigned char { stays, begins_anew } at_end = AtEnd::stays;
};

// Bounds of a number that is seen or given.
struct TaskNumber {
    std::string name;
    double low = -1, high = 1;
};

class ExcavatorTasks {
  public:
    // Of a scene in which it stands on the ground, z = 0, ready to work. Throws InputError.
    ExcavatorTasks(const Model&, const Settings&, const TaskOptions&);
    ~ExcavatorTasks();
    ExcavatorTasks(const ExcavatorTasks&) = delete;
    ExcavatorTasks& operator=(const ExcavatorTasks&) = delete;

    const TaskOptions& options() const { return options_; }
    size_t count() const { return options_.count; }
    const std::vector<TaskNumber>& observation() const { return observation_; }
    const std::vector<TaskNumber>& action() const { return action_; }
    double action_time() const;  // s, from one action to the next

    void reset(uint64_t seed);  // all, each with a seed that follows from this one
    void reset_one(size_t index, uint64_t seed);
    // Of all, row by row; levers beyond their ends count as at them. Throws InputError if one is no number, or before the first reset,
    // and then nothing has happened. One that has ended stays as it is until it is reset.
    void step(std::span<const float> actions);

    // Written by reset and step, and at the same place as long as this lives.
    std::span<const float> observations() const { return observations_; }
    std::span<const float> last_observations() const { return last_observations_; }
    std::span<const double> rewards() const { return rewards_; }
    std::span<const uint8_t> terminated() const { return terminated_; }  // by what happened …
    std::span<const uint8_t> truncated() const { return truncated_; }    // … or by the time
    // Of the episode that is on, or that ended in this step: sums of rewards; s; whether it did what it should.
    std::span<const double> returns() const { return returns_; }
    std::span<const double> times() const { return times_; }
    std::span<const uint8_t> successes() const { return successes_; }
    std::span<const double> loads() const { return loads_; }  // kg in the bucket

    const World& world(size_t index) const;

  private:
    struct One;
    struct Start;
    void make_starts(const Model&, const Settings&);
    void restart(size_t index, uint64_t seed);
    void begin(One&, size_t index);
    void act(One&, size_t index, std::span<const float> action);
    void observe(One&, std::span<float> into) const;
    double reward(One&, size_t index, std::span<const float> action);
    double load_of(const World&) const;
    void end_of_step(One&, size_t index);
    Vec3 draw_point(One&) const;

    TaskOptions options_;
    PartsFound parts_;
    Axes axes_;
    std::vector<TaskNumber> observation_, action_;
    std::vector<Lever> levers_;
    ProcessId earth_;
    size_t mass_reading_ = 0, depth_reading_ = 0;
    double capacity_ = 0;  // kg, heaped
    std::vector<Start> starts_;
    std::vector<Vec3> points_;  // that the teeth can be led to
    std::vector<std::unique_ptr<One>> all_;
    struct Helpers;
    std::unique_ptr<Helpers> helpers_;

    std::vector<float> observations_, last_observations_;
    std::vector<double> rewards_, returns_, times_, loads_;
    std::vector<uint8_t> terminated_, truncated_, successes_;
};

}  // namespace bristle::machines
