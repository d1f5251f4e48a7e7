// A scene in motion that remembers: keyframes and inputs, so that any moment of its past can be gone back to.
//
// Going back restores the last keyframe before, and computes from there with the inputs there were: the same
// bits. Running on from there repeats the past until somebody gives a new input; then what was ahead
// is forgotten. Keyframes are taken after a tenth of a second of computing, so going back takes no longer;
// when they fill `most_memory`, every other one of the older half is dropped.
#pragma once

#include <bristle/scene.h>

#include "live/show/show.h"

#include <memory>
#include <optional>
#include <vector>

namespace bristle::live {

class Simulation : public Show {
  public:
    static constexpr size_t most_memory = 256u << 20;  // bytes

    // From the start of the scene, or from a state of it: then the time goes on from there. Throws InputError if the
    // state is of another model.
    explicit Simulation(io::Scene, const std::optional<Snapshot>& start = {});
    ~Simulation() override;

    // The past of another run, to be repeated: see is_repeating.
    void repeat(const std::vector<InputAt>&);

    const World& world() const;

    double step_length() const override;
    double time() const override;
    uint64_t step() const override;
    double first_time() const override;
    double last_time() const override;
    bool advance() override;
    void go_to(double time) override;
    void apply(const Input&) override;
    void set_patience(const std::function<bool()>& goes_on) override;
    bool is_repeating() const override;
    void record(std::shared_ptr<Tape>) override;
    void wish(const Wishes&) override;
    void fill(Frame&) const override;
    SolverStatistics solver() const override;
    void fill_shared_volumes(Surface&) const override;
    uint64_t ground(uint64_t since, GroundNews&) const override;
    std::shared_ptr<const wire::Scene> scene() const override;
    uint64_t hash() const override;
    Past past() const override;
    bool catch_up(const Past&, double seconds) override;
    void undo() override;
    Chronicle chronicle() const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
