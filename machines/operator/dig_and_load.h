// The day's work: dig, load what is there to be loaded or heap it up beside, move on when nothing is left within reach.
#pragma once

#include "machines/operator/dig_site.h"

#include <memory>

namespace bristle::machines {

class DigAndLoad : public Manoeuvre {
  public:
    struct Wishes {
        double depth =
            1.0;  // m: no deeper than this below the first ground; pipes and cables lie below
        double cut = 0.32;     // m: of a pass
        double wanted = 1450;  // kg: of a bucket
        int cycles = 0;        // after so many it is done; 0: as long as there is something
    };
    struct Tally {
        int cycles = 0, stands = 0, failures = 0;
        double loaded = 0, heaped = 0;  // kg: let go over a bed, and elsewhere
        double cycle_time = 0;          // s, of all cycles together
        std::string last_failure = {};
    };
    DigAndLoad(const Model&, const Wishes&);
    std::string phase() const override;
    const Tally& tally() const { return tally_; }

  protected:
    Progress go(const Seat&) override;

  private:
    enum class Phase : uint8_t { settle, look, travel, dig, dump, leave };
    Progress look(const Seat&);
    Progress leave(const Seat&);
    void take_on(Phase, std::unique_ptr<Manoeuvre>);

    Wishes wishes_;
    DigSite site_;
    Tally tally_;
    Phase phase_ = Phase::settle;
    std::unique_ptr<Manoeuvre> now_;
    Dump* dump_ = nullptr;
    DigSite::Place place_;
    std::vector<Travel::Goal> goals_;
    size_t next_goal_ = 0;
    double cycle_begin_ = 0;
    int failures_in_a_row_ = 0;
};

}  // namespace bristle::machines
