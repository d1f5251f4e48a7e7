#include "validation/checks.h"

#include <cmath>

namespace bristle::validation {

void Checks::report(const std::string& name, const std::string& quantity, double reference,
                    double value, double error, double bound) {
    // A NaN fails.
    listener_({suite_, name, quantity, reference, value, error, bound, error <= bound});
}

void Checks::near(const std::string& name, const std::string& quantity, double reference,
                  double value, double bound) {
    report(name, quantity, reference, value, std::abs(value - reference), bound);
}

void Checks::relative(const std::string& name, const std::string& quantity, double reference,
                      double value, double bound) {
    report(name, quantity, reference, value, std::abs(value - reference) / std::abs(reference),
           bound);
}

void Checks::below(const std::string& name, const std::string& quantity, double value,
                   double bound) {
    report(name, quantity, 0, value, std::abs(value), bound);
}

void Checks::between(const std::string& name, const std::string& quantity, double low, double value,
                     double high) {
    const double middle = (low + high) / 2;
    report(name, quantity, middle, value, std::abs(value - middle), (high - low) / 2);
}

const std::vector<Suite>& suites() {
    static const std::vector<Suite> all = {
        {"mechanisms", "published mechanisms, default settings", validate_mechanisms},
        {"elements", "every joint, drive, limit, force and reaction against closed forms",
         validate_elements},
        {"contact", "impacts, friction, rolling and rest against closed forms", validate_contact},
        {"conforming", "blocks, discs and cylinders on the volumes they share with the floor",
         validate_conforming},
        {"formulations", "the other formulations beside the default one, and their weaknesses",
         validate_formulations},
        {"impulse", "stacks, hydraulics and energy under the impulse solver; agreement",
         validate_impulse},
        {"truth",
         "fast rotation and mechanisms under both solvers, against closed forms and tight "
         "integrations",
         validate_truth},
        {"analyses", "assembly, equilibrium, kinematics, inverse dynamics, modes, mobility",
         validate_analyses},
        {"machine",
         "what the excavator weighs, reaches and withstands, against the table of its class",
         validate_machine},
        {"steering", "the excavator under random sticks and pedals, on all kinds of ground",
         validate_steering},
    };
    return all;
}

}  // namespace bristle::validation
