// What somebody looks at of a simulation, and what of it goes into a frame.
#pragma once

#include <bristle/world.h>

#include "io/scene/quantities.h"
#include "live/show/hold.h"
#include "live/show/show.h"

#include <optional>
#include <vector>

namespace bristle::live {

class Sight {
  public:
    // Throws InputError for a quantity that does not exist, and then all is as before.
    void wish(const Model&, const Wishes&);

    // All but the time, the step and the transport. `scene` describes the model of the world.
    void fill(const World&, const wire::Scene&, const std::optional<Hold>&, Frame&) const;
    void fill_shared_volumes(const World&, Surface&) const;

  private:
    void fill_reactions(const World&, const wire::Scene&, Frame&) const;
    void fill_values(const World&, Frame&) const;

    Wishes wishes_;
    std::vector<io::Quantity> quantities_;
};

}  // namespace bristle::live
