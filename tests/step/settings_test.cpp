#include <bristle/world.h>

#include "scenes/mechanisms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace bristle::step {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// What a world says to settings.
std::string error_of(const Settings& settings) {
    try {
        const World world(scenes::pendulum().model, settings);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(Settings, OfTheAugmentedLagrangianAreInRange) {
    const auto error = [](const AugmentedLagrangian& s) { return error_of(s); };
    EXPECT_EQ(error({.step = 0}), "settings: step is 0; it must be positive");
    EXPECT_EQ(error({.step = -1e-3}), "settings: step is -0.001; it must be positive");
    EXPECT_EQ(error({.step = not_a_number}), "settings: step is nan; it must be positive");
    EXPECT_EQ(error({.step = unlimited}), "settings: step is inf; it must be positive");
    EXPECT_EQ(error({.newmark_beta = 0}), "settings: newmark_beta is 0; it must be positive");
    EXPECT_EQ(error({.newmark_gamma = 0.4}),
              "settings: newmark_gamma is 0.4; it must be at least 1/2");
    EXPECT_EQ(error({.hht_delta = 0.5}),
              "settings: hht_delta is 0.5; it must be between 0 and 1/3");
    EXPECT_EQ(error({.hht_delta = -0.1}),
              "settings: hht_delta is -0.1; it must be between 0 and 1/3");
    EXPECT_EQ(error({.rho_infinity = 1.5}),
              "settings: rho_infinity is 1.5; it must be between 0 and 1");
    EXPECT_EQ(error({.rho_infinity = not_a_number}),
              "settings: rho_infinity is nan; it must be between 0 and 1");
    EXPECT_EQ(error({.max_iterations = 0}), "settings: max_iterations is 0; it must be at least 1");
    EXPECT_EQ(error({.penalty = 1}), "settings: penalty is 1; it must be between 1e2 and 1e12");
    EXPECT_EQ(error({.penalty = 1e13}),
              "settings: penalty is 10000000000000; it must be between 1e2 and 1e12");
    // Infinite numbers are no settings either.
    EXPECT_EQ(error({.newmark_beta = unlimited}),
              "settings: newmark_beta is inf; it must be positive");
    EXPECT_EQ(error({.newmark_gamma = unlimited}),
              "settings: newmark_gamma is inf; it must be at least 1/2");
}

TEST(Settings, OfImpulsesAreInRange) {
    const auto error = [](const Impulse& s) { return error_of(s); };
    EXPECT_EQ(error({}), "");
    for (double bad : {0.0, -1.0, not_a_number, unlimited})
        EXPECT_EQ(error({.step = bad}),
                  fmt::format("settings: step is {}; it must be positive", bad));
    for (int bad : {0, -1, 10'001})
        EXPECT_EQ(error({.iterations = bad}),
                  fmt::format("settings: iterations is {}; it must be between 1 and 10000", bad));
    for (double bad : {-0.1, 1.1, not_a_number})
        EXPECT_EQ(error({.error_reduction = bad}),
                  fmt::format("settings: error_reduction is {}; it must be between 0 and 1", bad));
    for (double bad : {-1.0, not_a_number, unlimited}) {
        const auto message = [&](const char* what) {
            return fmt::format("settings: {} is {}; it must be zero or positive", what, bad);
        };
        EXPECT_EQ(error({.allowed_depth = bad}), message("allowed_depth"));
        EXPECT_EQ(error({.resting_speed = bad}), message("resting_speed"));
        EXPECT_EQ(error({.sleep_speed = bad}), message("sleep_speed"));
        EXPECT_EQ(error({.sleep_spin = bad}), message("sleep_spin"));
    }
    for (double bad : {-1.0, not_a_number})
        EXPECT_EQ(error({.sleep_after = bad}),
                  fmt::format("settings: sleep_after is {}; it must be zero or positive, or "
                              "unlimited (for never)",
                              bad));
    for (int bad : {0, -1, 65})
        EXPECT_EQ(error({.threads = bad}),
                  fmt::format("settings: threads is {}; it must be between 1 and 64", bad));
}

// The ends of the ranges belong to them.
TEST(Settings, OfImpulsesMayBeAtTheirEnds) {
    EXPECT_EQ(error_of(Impulse{.iterations = 1,
                               .error_reduction = 0,
                               .allowed_depth = 0,
                               .resting_speed = 0,
                               .sleep_after = 0,
                               .sleep_speed = 0,
                               .sleep_spin = 0,
                               .threads = 64}),
              "");
    EXPECT_EQ(error_of(Impulse{.error_reduction = 1, .sleep_after = unlimited}), "");
}

}  // namespace
}  // namespace bristle::step
