#include "validation/elements.h"

namespace bristle::validation {

void elements::run_cases(Checks& check, std::initializer_list<Case> cases) {
    for (const Case& c : cases) attempt(check, c.name, [&] { c.run(check); });
}

void validate_elements(Checks& check) {
    elements::joints(check);
    elements::mechanisms(check);
    elements::drives(check);
    elements::forces(check);
    elements::stepping_in_time(check);
}

}  // namespace bristle::validation
