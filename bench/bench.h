// `bristle bench`: time per step and error, ours and the peers'. Returns the exit code.
#pragma once

#include <string>

namespace bristle::bench {

struct Options {
    std::string suite;  // empty: all
    bool json = false, quick = false;
    std::string peers;  // folder of the peers' programs
};
int run(const Options&);

}  // namespace bristle::bench
