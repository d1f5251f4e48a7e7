#include "io/scene/expression.h"

#include "tests/fuzz/fuzz.h"

#include <array>
#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    static constexpr std::array<const char*, 2> variables = {"t", "x"};
    static constexpr std::array<double, 2> values = {0.25, -3};
    return fuzz::tried([&] {
        const io::Symbols symbols = {{"length", 2.0}, {"n", 7.0}};
        const io::Expression written(fuzz::text(data, size), symbols, variables);
        const double value = written(values);
        if (written.is_constant()) return;
        // What it says of itself means the same, to the last bit.
        const double again = io::Expression(written.text(), {}, variables)(values);
        if (again != value && !(std::isnan(again) && std::isnan(value))) std::abort();
    });
}
