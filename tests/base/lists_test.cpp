#include "base/lists.h"

#include <gtest/gtest.h>

#include <utility>

namespace bristle {
namespace {

TEST(Lists, KeepItemsInTheOrderTheyWereTold) {
    const std::pair<size_t, int> items[] = {{2, 7}, {0, 5}, {2, 3}, {0, 4}, {2, 9}};
    Lists<int> lists(4, [&](const auto& add) {
        for (auto [list, item] : items) add(list, item);
    });
    const auto as_vector = [&](size_t list) {
        return std::vector(lists[list].begin(), lists[list].end());
    };
    ASSERT_EQ(lists.size(), 4u);
    EXPECT_EQ(as_vector(0), (std::vector{5, 4}));
    EXPECT_TRUE(lists[1].empty());
    EXPECT_EQ(as_vector(2), (std::vector{7, 3, 9}));
    EXPECT_TRUE(lists[3].empty());
    lists[2][1] = 1;
    EXPECT_EQ(as_vector(2), (std::vector{7, 1, 9}));
}

TEST(Lists, AreNoneToBeginWith) { EXPECT_EQ(Lists<int>().size(), 0u); }

}  // namespace
}  // namespace bristle
