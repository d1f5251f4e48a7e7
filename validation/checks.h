// Validation: what we compute against what is known, a line a check.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace bristle::validation {

struct Check {
    std::string suite, name, quantity;
    double reference, value, error, bound;
    bool pass;
};

class Checks {
  public:
    using Listener = std::function<void(const Check&)>;
    explicit Checks(std::string suite, Listener listener)
        : suite_(std::move(suite)), listener_(std::move(listener)) {}

    // |value − reference| ≤ bound
    void near(const std::string& name, const std::string& quantity, double reference, double value,
              double bound);
    // |value − reference| ≤ bound · |reference|
    void relative(const std::string& name, const std::string& quantity, double reference,
                  double value, double bound);
    // An error that was measured otherwise: 0 ≤ value ≤ bound
    void below(const std::string& name, const std::string& quantity, double value, double bound);
    // low ≤ value ≤ high
    void between(const std::string& name, const std::string& quantity, double low, double value,
                 double high);

  private:
    void report(const std::string& name, const std::string& quantity, double reference,
                double value, double error, double bound);

    std::string suite_;
    Listener listener_;
};

// An exception in a case is a failed check, and not the end of the suite.
template <class Case> void attempt(Checks& check, const std::string& name, const Case& run) {
    try {
        run();
    } catch (const std::exception& error) {
        check.near(name, std::string("runs to its end: ") + error.what(), 1, 0, 0);
    }
}

// The suites of `bristle validate`, in the order they run.
struct Suite {
    std::string name, about;
    void (*run)(Checks&);
};
const std::vector<Suite>& suites();

void validate_mechanisms(Checks&);  // published mechanisms, default settings
void validate_elements(
    Checks&);  // every joint, drive, limit, force and reaction against closed forms
void validate_contact(Checks&);       // impacts, friction, rolling and rest against closed forms
void validate_formulations(Checks&);  // the other formulations beside the default one
void validate_conforming(Checks&);    // K3, K4, K5: volumes of solids
void validate_impulse(Checks&);       // K6, K7, stacks, and agreement with the default solver
void validate_truth(Checks&);         // both solvers against cases they were not made for
void validate_machine(Checks&);       // what the excavator can do, against the table of its class
void validate_steering(Checks&);      // the excavator under random sticks and pedals
void validate_analyses(Checks&);  // assembly, equilibrium, kinematics, modes against closed forms

}  // namespace bristle::validation
