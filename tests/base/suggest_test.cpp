#include "base/suggest.h"

#include <gtest/gtest.h>

namespace bristle::base {
namespace {

const std::vector<std::string> keys = {"position", "rotation", "radius", "mass", "x"};

TEST(Suggestion, FindsTheNearest) {
    EXPECT_EQ(nearest_name("posiiton", keys), "position");  // swapped
    EXPECT_EQ(nearest_name("radus", keys), "radius");       // missing
    EXPECT_EQ(nearest_name("masss", keys), "mass");         // added
    EXPECT_EQ(nearest_name("rotatoin", keys), "rotation");
    EXPECT_EQ(nearest_name("POSITION", keys), "position");
    EXPECT_EQ(nearest_name("free-length", {"free_length", "length"}), "free_length");
    EXPECT_EQ(suggestion("radus", keys), "; did you mean 'radius'?");
}

TEST(Suggestion, IsSilentWhereNothingIsNear) {
    EXPECT_EQ(nearest_name("colour", keys), "");
    EXPECT_EQ(nearest_name("y", keys), "");  // all letters changed
    EXPECT_EQ(nearest_name("X", keys), "x");
    EXPECT_EQ(nearest_name("", keys), "");
    EXPECT_EQ(nearest_name("radius", {}), "");
    EXPECT_EQ(nearest_name(std::string(100'000, 'a'), {std::string(100'000, 'b')}), "");
    EXPECT_EQ(suggestion("colour", keys), "");
}

TEST(Suggestion, TakesTheFirstOfEquals) {
    EXPECT_EQ(nearest_name("link 5", {"link 1", "link 2"}), "link 1");
}

}  // namespace
}  // namespace bristle::base
