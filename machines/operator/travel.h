// Driving to a place: a way around what is in the way, followed by steering, pedal, ranges and brakes.
//
// The middle of the rear axle goes along the route. With e how far it is to the left of it, ϑ its heading less the route's, and d = ±1
// forwards or backwards, e' = d ϑ and ϑ' = d (κ − κ_r) along the way, so
//
//     κ = κ_r − e/ℓ² − 2 d ϑ/ℓ
//
// leads back onto the route without overshoot within some ℓ. The left front wheel is turned to tan δ = b/(1/κ − y_kingpin).
#pragma once

#include "machines/operator/manoeuvre.h"
#include "machines/operator/route.h"

#include <optional>

namespace bristle::machines {

class Travel : public Manoeuvre {
  public:
    struct Goal {
        double x = 0, y = 0;  // m, world: of the swing's axis
        double heading = 0;   // rad, of the undercarriage
    };
    explicit Travel(const Goal&, double patience = 240);
    std::string phase() const override;
    const std::optional<Route>& route() const { return route_; }

  protected:
    Progress go(const Seat&) override;

  private:
    bool plan(const Seat&);
    static bool make_ready(const Seat&);
    Progress drive(const Seat&);
    void steer(const Seat&, const Stand&, const RoutePoint&);
    void press(const Seat&, double wanted);
    double wanted_speed(size_t segment_end, double left) const;

    Goal goal_;
    std::optional<Route> route_;
    size_t at_ = 0;
    double integral_ = 0, steering_ = 0;
    double moved_time_ = 0, moved_way_ = 0, way_ = 0;
    int replans_ = 0;
    double backing_until_ = -1;  // s
    bool is_ready_ = false, is_stopping_ = false, is_backing_ = false;
};

// The steering angle of the left front wheel for a curvature of the rear axle's middle.
double steering_for(const Excavator&, double curvature);
// The tightest circle it can drive either way, with something left to correct by.
double tightest_curvature(const Excavator&);
Footprint footprint(const Excavator&);

}  // namespace bristle::machines
