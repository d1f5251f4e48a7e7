// A list for each of many things, one after the other in one array: made by counting, so that many short lists cost two pieces of
// memory, and not one each.
#pragma once

#include "base/rooms.h"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace bristle::base {

template <class Item> class Lists {
  public:
    Lists() = default;
    // `tell(add)` calls add(list, item) for every item; it is asked twice, and has to say the same. Items keep their order.
    template <class Tell> Lists(size_t count, const Tell& tell) : start_(count + 1) {
        tell([&](size_t list, const Item&) { ++start_[list + 1]; });
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        items_.resize(start_.back());
        std::vector<uint32_t> next(start_.begin(), start_.end() - 1);
        tell([&](size_t list, const Item& item) { items_[next[list]++] = item; });
    }

    size_t size() const { return start_.size() - 1; }
    std::span<const Item> operator[](size_t list) const {
        return {items_.data() + start_[list], start_[list + 1] - start_[list]};
    }
    std::span<Item> operator[](size_t list) {
        return {items_.data() + start_[list], start_[list + 1] - start_[list]};
    }

  private:
    std::vector<uint32_t> start_{0};  // of every list, and the end
    std::vector<Item> items_;
};

}  // namespace bristle::base
