// `bristle validate rough`: machines and heaps of things used roughly, from seeds, and what must never happen to them:
// docs/rough.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bristle::validation::rough {

struct Options {
    std::vector<std::string> families;  // empty: all
    std::string seeds;                  // "first:last", or one; empty: the battery's own
    double seconds = 0;                 // of every run; 0: the battery's own
    double step = 0;                    // s; 0: the battery's own
    std::string solver;                 // empty: the battery's own
    std::string cases;                  // folder of scene files
    std::string json;                   // file; empty: none
    std::string csv = "out/rough.csv";
    int jobs = 1;
    bool all = false, list = false;
    bool strict =
        false;  // work is effort at the end of steps times way, whatever drives did within them
};
// Returns the exit code: 1 if a check failed.
int run(const Options&);

}  // namespace bristle::validation::rough
