#include "machines/operator/operator.h"

#include <algorithm>

namespace bristle::machines {

Operator::Operator(const Model& model, std::unique_ptr<Manoeuvre> job, const std::string& prefix)
    : machine_(model, prefix), eyes_(machine_), hands_(machine_), job_(std::move(job)) {}

void Operator::take_on(std::unique_ptr<Manoeuvre> job) {
    job_ = std::move(job);
    progress_ = {};
}

const std::vector<Command>& Operator::act(const World& world) {
    const double since = world.time() - looked_;
    // Half a step early is in time. A world that went back is looked at anew.
    if (progress_.state != Progress::State::going
        || (since >= 0 && since < period - 0.5 * step_of(world.settings())))
        return nothing_;
    looked_ = world.time();
    senses_ = eyes_.look(world);
    progress_ = job_->act({machine_, world, senses_, hands_, std::clamp(since, 1e-3, 2 * period)});
    return hands_.take();
}

}  // namespace bristle::machines
