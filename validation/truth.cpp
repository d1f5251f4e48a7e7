#include "validation/truth.h"

#include <cmath>

namespace bristle::validation {

void judge(Checks& check, const std::string& name, const std::string& quantity,
           const ErrorWith& error, double bound, double impulse_bound, double rounding) {
    const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
    const double coarse = error(AugmentedLagrangian{.step = 2e-3}),
                 fine = error(AugmentedLagrangian{.step = 1e-3});
    check.below(name, quantity + ", 1 ms", fine, bound);
    // More than two is luck: errors of different sign that meet.
    if (fine > rounding) check.between(name, "observed order", 1.8, order(coarse, fine), 4);
    const double by_impulses = error(Impulse{.step = 5e-3});
    check.below(name, quantity + ", impulses, 5 ms", by_impulses, impulse_bound);
    if (by_impulses > rounding)
        check.between(name, "observed order, impulses", 0.9,
                      order(error(Impulse{.step = 2e-3}), error(Impulse{.step = 1e-3})), 2.3);
}

void validate_truth(Checks& check) {
    attempt(check, "rotation", [&] { validate_truth_rotation(check); });
    attempt(check, "mechanisms", [&] { validate_truth_mechanisms(check); });
    attempt(check, "contact", [&] { validate_truth_contact(check); });
    attempt(check, "impacts", [&] { validate_truth_impacts(check); });
    attempt(check, "convergence", [&] { validate_truth_convergence(check); });
}

}  // namespace bristle::validation
