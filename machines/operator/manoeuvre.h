// What an operator does with a machine, one thing after the other. Each is a small machine of states that looks, moves levers and says
// how far it is; what fails says why, and leaves the levers in the middle and the brakes on.
#pragma once

#include "machines/operator/excavator.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bristle::machines {

// What somebody in the seat has.
struct Seat {
    const Excavator& machine;
    const World& world;  // to look at: ground, things in the way
    const Senses& senses;
    Hands& hands;
    double dt = 0.02;  // s, since the last look
};

struct Progress {
    enum class State : uint8_t { going, done, failed };
    State state = State::going;
    std::string why = {};  // it failed
    static Progress done() { return {State::done}; }
    static Progress failed(std::string why) { return {State::failed, std::move(why)}; }
};

class Manoeuvre {
  public:
    // s: of simulated time, after which it has failed.
    Manoeuvre(std::string name, double patience) : name_(std::move(name)), patience_(patience) {}
    virtual ~Manoeuvre() = default;
    Manoeuvre(const Manoeuvre&) = delete;
    Manoeuvre& operator=(const Manoeuvre&) = delete;

    Progress act(const Seat&);
    const std::string& name() const { return name_; }
    // What it does now, for those who watch.
    virtual std::string phase() const { return name_; }

  protected:
    virtual Progress go(const Seat&) = 0;
    double since_begin(const Seat& seat) const { return seat.senses.time - begin_; }

  private:
    std::string name_;
    double patience_, begin_ = -1;
};

// One after the other; fails with the first that fails.
class Sequence : public Manoeuvre {
  public:
    Sequence(std::string name, std::vector<std::unique_ptr<Manoeuvre>> parts);
    std::string phase() const override;

  protected:
    Progress go(const Seat&) override;

  private:
    std::vector<std::unique_ptr<Manoeuvre>> parts_;
    size_t now_ = 0;
};

// Levers in the middle, service and parking brake on.
void hold_still(Hands&);

}  // namespace bristle::machines
