// What a run keeps for its report: curves, and where the bodies were.
//
// How long a run will really be is not known, since it may be interrupted: samples are taken often at first, and
// when there are too many, every other one is dropped and half as many taken from then on.
#pragma once

#include <bristle/scene.h>

#include "io/scene/quantities.h"
#include "report/outline.h"
#include "report/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bristle::report {

// "crank.position.x (m)"
std::string column_name(const io::Quantity&);

class RunHistory {
  public:
    // Plots what the scene says, then the quantities that are `asked` for; if there is neither, what is usual.
    RunHistory(const io::Scene&, const std::vector<std::string>& asked, uint64_t steps);

    void sample(const World&, uint64_t step);
    void finish(const World&);  // the last state belongs to the results, however they ended

    double largest_energy_change() const;
    // Adds plots and animation.
    void put_into(Report&, const Model&) const;

  private:
    enum class Show : uint8_t { all, what_varies };
    struct Curves {
        std::string title;
        int x;  // column; -1: time
        std::vector<size_t> y;
        Show show;
    };
    void add_curves(const Model&, const io::ScenePlot&, Show);
    void add_by_unit(const Model&, const std::vector<std::string>& names, Show);
    size_t column(const io::Quantity&);
    void take(const World&);
    void halve();

    std::vector<io::Quantity> quantities_;
    std::vector<Curves> curves_;
    std::vector<double> time_;
    std::vector<std::vector<double>> values_;  // of each quantity
    std::vector<Instant> instants_;
    size_t energy_change_;
    uint64_t stride_;
    size_t enough_frames_;
    uint64_t frame_stride_;
};

// What is worth a column if the scene does not say: motion, energy, reactions and efforts of some objects.
std::vector<std::string> default_quantities(const Model&);
// Whether the model's energy should stay what it is.
bool is_conservative(const Model&);

}  // namespace bristle::report
