// The subcommands of `bristle`. Each returns the exit code: 0 good, 1 the simulation (or a check)
// failed, 2 bad usage or bad input.
#pragma once

#include <string>

namespace bristle::cli {

struct RunOptions {
    std::string scene, out = "out";
    double step = 0, duration = 0;  // 0: the scene's own
    bool json = false;
};
int run(const RunOptions&);

struct InfoOptions {
    std::string scene;
    bool json = false;
};
int info(const InfoOptions&);

struct ValidateOptions {
    std::string suite;  // empty: all
    bool json = false;
};
int validate(const ValidateOptions&);

struct BenchOptions {
    std::string suite;  // empty: all
    bool json = false, quick = false;
    std::string peers;  // folder of the peers' programs
};
int bench(const BenchOptions&);

}  // namespace bristle::cli
