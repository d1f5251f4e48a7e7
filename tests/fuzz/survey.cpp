#include "io/height_file.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    return fuzz::tried([&] {
        const io::Survey survey = io::read_survey(fuzz::text(data, size), "fuzz.csv");
        for (const double height :
             io::heights_of(survey, io::grid_of(survey, 20, 20)).field.heights)
            if (!std::isfinite(height)) std::abort();
    });
}
