// The page of a study: what was varied, where each number is least and most, curves over the parameter and over time, all
// runs as a table that can be sorted, and what failed.
#pragma once

#include <bristle/scene.h>

#include "report/report.h"

#include <cstddef>
#include <string>
#include <vector>

namespace bristle::cli {

struct Varied {
    std::string name;
    size_t values = 1;
};

// A run over time; of one that failed, up to there.
struct RunCurves {
    size_t run = 0;  // from zero
    std::vector<double> time;
    std::vector<std::vector<double>> values;  // of each quantity
};

struct StudyFailure {
    size_t run = 0;
    std::string why;
};

struct StudyResults {
    std::vector<Varied> varied;
    std::vector<std::string> columns;  // of the rows: what was varied, then the numbers of each run
    std::vector<std::string> quantities;    // with their units
    std::vector<std::vector<double>> rows;  // NaN: it failed
    std::vector<RunCurves> curves;
    std::vector<StudyFailure> failures;
    size_t planned = 0;    // runs
    double computing = 0;  // s
};

// "run 3: length = 0.5, mass = 2"
std::string run_name(const StudyResults& results, size_t run);

// `scene` is that of the first run.
report::Report study_report(const io::Scene& scene, const StudyResults& results);

}  // namespace bristle::cli
