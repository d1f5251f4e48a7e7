#include "base/short_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace bristle {
namespace {

using Numbers = ShortList<int, 3>;

std::vector<int> all_of(const Numbers& list) { return {list.begin(), list.end()}; }

TEST(ShortList, KeepsItsItemsInPlaceAndElsewhere) {
    Numbers list;
    EXPECT_TRUE(list.empty());
    std::vector<int> expected;
    for (int i = 0; i < 9; ++i) {
        list.push_back(10 - i);
        expected.push_back(10 - i);
        EXPECT_EQ(all_of(list), expected);
    }
    std::sort(list.begin(), list.end());
    EXPECT_EQ(list[0], 2);
    EXPECT_EQ(list[8], 10);
}

TEST(ShortList, IsCopiedAndMoved) {
    for (const Numbers& list : {Numbers{1, 2}, Numbers{1, 2, 3}, Numbers{1, 2, 3, 4}}) {
        Numbers copy = list;
        EXPECT_EQ(all_of(copy), all_of(list));
        copy.push_back(5);
        EXPECT_NE(all_of(copy), all_of(list));
        Numbers moved = std::move(copy);
        EXPECT_EQ(moved.size(), list.size() + 1);
        EXPECT_TRUE(copy.empty());  // NOLINT(bugprone-use-after-move): it is none, as of a vector
        copy.push_back(7);
        EXPECT_EQ(all_of(copy), std::vector{7});
        moved = list;
        EXPECT_EQ(all_of(moved), all_of(list));
    }
}

}  // namespace
}  // namespace bristle
