#include "machines/operator/manoeuvre.h"

#include <fmt/format.h>

#include <limits>

namespace bristle::machines {

void hold_still(Hands& hands) {
    hands.let_go();
    hands.move(Control::service_brake, 1);
    hands.move(Control::parking_brake, 1);
}

Progress Manoeuvre::act(const Seat& seat) {
    if (begin_ < 0) {
        begin_ = seat.senses.time;
        // Whoever wants to drive lets the brakes go.
        hold_still(seat.hands);
    }
    Progress progress =
        since_begin(seat) > patience_
            ? Progress::failed(fmt::format("not done after {:.0f} s ({})", patience_, phase()))
            : go(seat);
    if (progress.state == Progress::State::done) seat.hands.let_go();
    if (progress.state == Progress::State::failed) hold_still(seat.hands);
    return progress;
}

Sequence::Sequence(std::string name, std::vector<std::unique_ptr<Manoeuvre>> parts)
    : Manoeuvre(std::move(name), std::numeric_limits<double>::infinity()),
      parts_(std::move(parts)) {}

std::string Sequence::phase() const {
    return now_ < parts_.size() ? parts_[now_]->phase() : name();
}

Progress Sequence::go(const Seat& seat) {
    if (now_ == parts_.size()) return Progress::done();
    Progress progress = parts_[now_]->act(seat);
    if (progress.state == Progress::State::failed)
        return Progress::failed(parts_[now_]->name() + ": " + progress.why);
    if (progress.state == Progress::State::done) ++now_;
    return now_ == parts_.size() ? Progress::done() : Progress{};
}

}  // namespace bristle::machines
