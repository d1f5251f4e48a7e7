// `bristle validate`: prints every check of the suites. Returns the exit code, 1 if one fails.
#pragma once

#include <string>

namespace bristle::validation {

struct Options {
    std::string suite;  // empty: all
    bool json = false;
};
int run(const Options&);

}  // namespace bristle::validation
