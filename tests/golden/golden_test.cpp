// Every scene ends in the same state, to the last bit, as when tests/golden/hashes.txt was written: in every build, under both
// solvers, with any number of threads. After a change that is meant to change results, make_golden prints the file anew, and
// the change says which scenes differ and why.
#include "tests/golden/states.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace bristle::golden {
namespace {

using Hashes = std::map<std::string, std::string>;  // of "scene solver"

const Hashes& known_hashes() {
    static const Hashes known = [] {
        Hashes out;
        std::ifstream file(BRISTLE_SOURCE "/tests/golden/hashes.txt");
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::string scene, solver, hash;
            words >> scene >> solver;
            std::getline(words >> std::ws, hash);
            out[scene + " " + solver] = hash;
        }
        return out;
    }();
    return known;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, StateIsTheSame) {
    for (const char* solver : solvers) {
        const std::string name = GetParam() + " " + solver;
        const std::string hash = state_after(GetParam(), solver, 1);
        ASSERT_TRUE(known_hashes().count(name)) << name << " is not in hashes.txt: " << hash;
        EXPECT_EQ(hash, known_hashes().at(name)) << name;
        if (solver == std::string("impulse")) {
            EXPECT_EQ(state_after(GetParam(), solver, 2), hash) << name << " with two threads";
            EXPECT_EQ(state_after(GetParam(), solver, 4), hash) << name << " with four threads";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Golden, testing::ValuesIn(scene_names()), [](const auto& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace bristle::golden
