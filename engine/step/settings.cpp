#include "step/settings.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <cmath>

namespace bristle::step {
namespace {

void fail(const char* what, double value, const char* rule) {
    throw InputError(fmt::format("settings: {} is {}; it must be {}", what, value, rule));
}

void check_step(double step) {
    if (!(step > 0) || !std::isfinite(step)) fail("step", step, "positive");
}

void check_not_negative(const char* what, double value, const char* rule = "zero or positive") {
    if (!(value >= 0) || !std::isfinite(value)) fail(what, value, rule);
}

void check_threads(int threads) {
    if (threads < 1 || threads > 64) fail("threads", threads, "between 1 and 64");
}

void check_stabilization(double frequency, double damping) {
    check_not_negative("frequency", frequency, "zero (for one that suits the step) or positive");
    check_not_negative("damping", damping);
}

}  // namespace

AugmentedLagrangian checked(AugmentedLagrangian s) {
    check_step(s.step);
    if (!(s.rho_infinity >= 0 && s.rho_infinity <= 1))
        fail("rho_infinity", s.rho_infinity, "between 0 and 1");
    if (!(s.hht_delta >= 0 && s.hht_delta <= 1.0 / 3))
        fail("hht_delta", s.hht_delta, "between 0 and 1/3");
    if (!(s.newmark_beta > 0) || !std::isfinite(s.newmark_beta))
        fail("newmark_beta", s.newmark_beta, "positive");
    if (!(s.newmark_gamma >= 0.5) || !std::isfinite(s.newmark_gamma))
        fail("newmark_gamma", s.newmark_gamma, "at least 1/2");
    if (!(s.penalty >= 1e2 && s.penalty <= 1e12))
        fail("penalty", s.penalty, "between 1e2 and 1e12");
    if (s.max_iterations < 1) fail("max_iterations", s.max_iterations, "at least 1");
    if (!(s.take_out_beyond > 0)) fail("take_out_beyond", s.take_out_beyond, "positive");
    check_threads(s.threads);
    return s;
}

Impulse checked(Impulse s) {
    check_step(s.step);
    if (s.iterations < 1 || s.iterations > 10'000)
        fail("iterations", s.iterations, "between 1 and 10000");
    if (!(s.error_reduction >= 0 && s.error_reduction <= 1))
        fail("error_reduction", s.error_reduction, "between 0 and 1");
    check_not_negative("allowed_depth", s.allowed_depth);
    if (s.resting_speed) check_not_negative("resting_speed", *s.resting_speed);
    if (!(s.sleep_after >= 0))
        fail("sleep_after", s.sleep_after, "zero or positive, or unlimited (for never)");
    check_not_negative("sleep_speed", s.sleep_speed);
    check_not_negative("sleep_spin", s.sleep_spin);
    check_threads(s.threads);
    return s;
}

AugmentedLagrangian lagrange_part(const Settings& settings) {
    if (const auto* s = std::get_if<AugmentedLagrangian>(&settings)) return checked(*s);
    AugmentedLagrangian part{.step = step_of(settings)};
    if (const auto* s = std::get_if<Baumgarte>(&settings))
        check_stabilization(s->frequency, s->damping);
    if (const auto* s = std::get_if<Penalty>(&settings)) {
        check_stabilization(s->frequency, s->damping);
        part.penalty = s->penalty;
    }
    if (const auto* s = std::get_if<Impulse>(&settings)) checked(*s);
    return checked(part);
}

}  // namespace bristle::step
