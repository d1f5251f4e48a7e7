#include "base/assert.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace bristle::base {
namespace {

TEST(Demand, ThrowsWithTheConditionAndThePlaceWhenItDoesNotHold) {
    const std::string place = "assert_test.cpp:" + std::to_string(__LINE__ + 2);
    try {
        BRISTLE_DEMAND(1 + 1 == 3);
        FAIL() << "it passed";
    } catch (const std::logic_error& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find(place), std::string::npos) << text;
        EXPECT_NE(text.find("internal error, '1 + 1 == 3' does not hold"), std::string::npos)
            << text;
    }
}

TEST(Demand, LetsTheTruthPass) { EXPECT_NO_THROW(BRISTLE_DEMAND(1 + 1 == 2)); }

}  // namespace
}  // namespace bristle::base
