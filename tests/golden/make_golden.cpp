// Prints tests/golden/hashes.txt.
#include "tests/golden/states.h"

int main() {
    for (const std::string& name : bristle::golden::scene_names())
        for (const char* solver : bristle::golden::solvers)
            fmt::print("{} {} {}\n", name, solver, bristle::golden::state_after(name, solver, 1));
}
