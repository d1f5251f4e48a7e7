#include "machines/operator/dig_and_load.h"

#include <fmt/format.h>

namespace bristle::machines {

DigAndLoad::DigAndLoad(const Model& model, const Wishes& wishes)
    : Manoeuvre("digs and loads", unlimited), wishes_(wishes), site_(model, wishes.depth) {}

std::string DigAndLoad::phase() const {
    return fmt::format("cycle {}: {}", tally_.cycles + 1, now_ ? now_->phase() : "looks around");
}

void DigAndLoad::take_on(Phase phase, std::unique_ptr<Manoeuvre> manoeuvre) {
    phase_ = phase;
    dump_ = nullptr;
    now_ = std::move(manoeuvre);
}

// Stands firm, the bucket empty: what next?
Progress DigAndLoad::look(const Seat& seat) {
    if (wishes_.cycles > 0 && tally_.cycles >= wishes_.cycles) {
        hold_still(seat.hands);
        return Progress::done();
    }
    std::optional<Dig::Line> line = site_.best_line(seat);
    std::optional<DigSite::Place> place;
    if (line) place = site_.best_dump(seat, line->swing);
    if (!line || !place || failures_in_a_row_ > 2) {
        take_on(Phase::leave, std::make_unique<Support>(Support::How::retracted));
        goals_ = site_.stands(seat);
        next_goal_ = 0;
        failures_in_a_row_ = 0;
        return {};
    }
    line->cut = wishes_.cut;
    line->wanted = wishes_.wanted;
    place_ = *place;
    cycle_begin_ = seat.senses.time;
    take_on(Phase::dig, std::make_unique<Dig>(*line));
    return {};
}

Progress DigAndLoad::leave(const Seat& seat) {
    if (next_goal_ == goals_.size()) {
        hold_still(seat.hands);
        return tally_.cycles > 0 ? Progress::done()
                                 : Progress::failed("there is nothing to dig that it could reach");
    }
    take_on(Phase::travel, std::make_unique<Travel>(goals_[next_goal_++]));
    return {};
}

Progress DigAndLoad::go(const Seat& seat) {
    if (!site_.has_ground()) return Progress::failed("there is no earth to dig");
    if (seat.senses.lean > 0.6) return Progress::failed("the machine is tipping");
    if (!now_) {
        // Where it stands, if there is something to do.
        ++tally_.stands;
        take_on(Phase::settle, std::make_unique<Support>(Support::How::wheels_off));
    }
    if (phase_ == Phase::look) return look(seat);
    const Progress progress = now_->act(seat);
    if (progress.state == Progress::State::going) return {};
    const bool failed = progress.state == Progress::State::failed;
    if (failed) {
        ++tally_.failures;
        tally_.last_failure =
            fmt::format("{:.1f} s, {}: {}", seat.senses.time, now_->name(), progress.why);
        ++failures_in_a_row_;
    }
    switch (phase_) {
        case Phase::settle:
        case Phase::look: phase_ = Phase::look; return {};
        case Phase::travel:
            if (failed) return leave(seat);
            ++tally_.stands;
            take_on(Phase::settle, std::make_unique<Support>(Support::How::wheels_off));
            return {};
        case Phase::dig: {
            if (failed) {
                phase_ = Phase::look;
                return {};
            }
            auto dump = std::make_unique<Dump>(place_.target);
            Dump* const seen = dump.get();
            take_on(Phase::dump, std::move(dump));
            dump_ = seen;
            return {};
        }
        case Phase::dump:
            if (!failed) {
                (place_.is_bed ? tally_.loaded : tally_.heaped) += dump_->dumped();
                ++tally_.cycles;
                tally_.cycle_time += seat.senses.time - cycle_begin_;
                failures_in_a_row_ = 0;
            }
            phase_ = Phase::look;
            return {};
        case Phase::leave: return leave(seat);
    }
    return {};
}

}  // namespace bristle::machines
