// Somebody in the seat of an excavator, who sees what a person sees and moves what a person moves (docs/operator.md).
//
//     Operator driver(world.model(), std::make_unique<Travel>(Travel::Goal{12, 3, 0}));
//     while (driver.progress().state == Progress::State::going) {
//         for (const Command& c : driver.act(world)) carry_out(world, c);
//         world.step();
//     }
//
// It acts fifty times a second of simulated time. What it moves are ordinary inputs: recorded, they give the same motion again,
// without the operator. It is no part of the world; of two worlds each has one of its own.
#pragma once

#include "machines/operator/manoeuvre.h"

#include <memory>
#include <vector>

namespace bristle::machines {

class Operator {
  public:
    static constexpr double period = 0.02;  // s

    // Of several machines in a scene: the one whose names begin with the prefix.
    Operator(const Model&, std::unique_ptr<Manoeuvre> job, const std::string& prefix = {});

    // What is to be moved before the next step; nothing between two looks, and once the job has ended.
    const std::vector<Command>& act(const World&);
    void take_on(std::unique_ptr<Manoeuvre> job);

    const Progress& progress() const { return progress_; }
    const Manoeuvre& job() const { return *job_; }
    const Excavator& machine() const { return machine_; }
    const Senses& senses() const { return senses_; }

  private:
    Excavator machine_;
    Eyes eyes_;
    Hands hands_;
    std::unique_ptr<Manoeuvre> job_;
    Progress progress_;
    Senses senses_;
    double looked_ = -unlimited;
    std::vector<Command> nothing_;
};

}  // namespace bristle::machines
