#include "base/assert.h"

#include <stdexcept>
#include <string>

namespace bristle::base {

void demand_failed(const char* condition, const char* file, int line) {
    throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": internal error, '"
                           + condition
                           + "' does not hold; please report this with the model that caused it");
}

}  // namespace bristle::base
