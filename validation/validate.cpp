#include "validation/validate.h"

#include <bristle/error.h>

#include "validation/checks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace bristle::validation {
namespace {

void print_json(const Check& c) {
    nlohmann::ordered_json line;
    line["suite"] = c.suite;
    line["case"] = c.name;
    line["quantity"] = c.quantity;
    line["reference"] = c.reference;
    line["value"] = c.value;
    line["error"] = c.error;
    line["bound"] = c.bound;
    line["verdict"] = c.pass ? "pass" : "fail";
    fmt::print("{}\n", line.dump());
}

void print_row(const Check& c) {
    fmt::print("{:<30} {:<46} {:>14.7g} {:>14.7g} {:>9.2e} {:>9.2e}  {}\n", c.name, c.quantity,
               c.reference, c.value, c.error, c.bound, c.pass ? "pass" : "FAIL");
}

}  // namespace

int run(const Options& options) {
    int checked = 0, failed = 0;
    bool known = options.suite.empty();
    for (const Suite& suite : suites()) {
        if (!options.suite.empty() && options.suite != suite.name) continue;
        known = true;
        if (!options.json) {
            fmt::print("\n{}: {}\n", suite.name, suite.about);
            fmt::print("{:<30} {:<46} {:>14} {:>14} {:>9} {:>9}  {}\n", "case", "quantity",
                       "reference", "value", "error", "bound", "verdict");
        }
        Checks checks(suite.name, [&](const Check& c) {
            ++checked;
            failed += !c.pass;
            options.json ? print_json(c) : print_row(c);
            std::fflush(stdout);
        });
        suite.run(checks);
    }
    if (!known)
        throw InputError(
            fmt::format("validate: there is no suite '{}'; `bristle validate --help` lists them",
                        options.suite));
    if (!options.json) fmt::print("\n{} checks, {} failed\n", checked, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace bristle::validation
