// How fast a machine works, and what that costs: times of its functions, speeds, a cycle and its fuel. All by simulation, with levers at
// their ends and the engine at full throttle.
#pragma once

#include "machines/results/arm.h"

#include <string>
#include <vector>

namespace bristle::machines {

struct FunctionTime {
    std::string name;  // "boom out": its cylinder gets longer
    double time = 0;   // s, alone, from one end of the way to the other; NaN: it did not come there
    double work = 0;   // J of the engine meanwhile; NaN without a circuit
    double way = 0;    // m or rad: of the stroke what the linkage leaves
};

struct Speed {
    std::string name;  // "travel, range 2"
    double value = 0;
    std::string unit;  // "km/h", "rpm"
};

struct CycleLeg {
    std::string name;
    double begin = 0, end = 0;  // s
};

// Dig, lift, swing, dump and back, function after function, in the air.
struct Cycle {
    std::vector<CycleLeg> legs;
    double time = 0;  // s
    double work = 0,
           idle_power =
               0;  // J of the engine; W when nothing moves, at full throttle. NaN without a circuit
    std::vector<double> at, power;  // s, W: of the engine over the cycle
};

// Fuel of a diesel engine: `consumption`, kg/J of work at its shaft, is not a property of the model. 220 g/kWh is the middle of what
// direct injection reaches away from its best point (Heywood, Internal Combustion Engine Fundamentals, 2.10: about 200 there);
// 835 kg/m³ the middle of EN 590.
struct Fuel {
    double consumption = 220e-3 / 3.6e6;  // kg/J
    double density = 835;                 // kg/m³
    double litres(double work) const { return 1000 * work * consumption / density; }
};

// J that the engine has put in, over the time that is stepped: what the pump takes, what drags, and what turns faster.
class EngineWork {
  public:
    EngineWork(const World&, const PartsFound&);
    double power(const World&) const;  // W of the pump and what drags, now
    void update(const World&, double step);
    double total(const World&) const;

  private:
    std::optional<ForceId> circuit_;
    double begin_ = 0, sum_ = 0, last_ = 0;
};

std::vector<FunctionTime> function_times(const Model&, const PartsFound&, const Settings&);
std::vector<Speed> speeds(const Model&, const PartsFound&, const Settings&);
Cycle working_cycle(const Model&, const PartsFound&, const Settings&);

}  // namespace bristle::machines
