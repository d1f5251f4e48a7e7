// A list that is nearly always short: as many items as there is room for are kept in place, more of them elsewhere.
#pragma once

#include "base/rooms.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace bristle::base {

template <class Item, uint32_t room> class ShortList {
    static_assert(std::is_trivially_copyable_v<Item>);

  public:
    ShortList() = default;
    ShortList(std::initializer_list<Item> items) {
        for (const Item& item : items) push_back(item);
    }
    ShortList(const ShortList&) = default;
    ShortList& operator=(const ShortList&) = default;
    ShortList(ShortList&& other) noexcept { *this = std::move(other); }
    ShortList& operator=(ShortList&& other) noexcept {
        for (uint32_t i = 0; i < room; ++i) few_[i] = other.few_[i];
        many_ = std::move(other.many_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~ShortList() = default;

    uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Item* begin() const { return size_ <= room ? few_ : many_.data(); }
    const Item* end() const { return begin() + size_; }
    Item* begin() { return size_ <= room ? few_ : many_.data(); }
    Item* end() { return begin() + size_; }
    const Item& operator[](size_t i) const { return begin()[i]; }
    Item& operator[](size_t i) { return begin()[i]; }

    void push_back(const Item& item) {
        if (size_ < room) {
            few_[size_] = item;
        } else {
            if (size_ == room) many_.assign(few_, few_ + room);
            many_.push_back(item);
        }
        ++size_;
    }

  private:
    uint32_t size_ = 0;
    Item few_[room] = {};
    std::vector<Item> many_;  // all of them, if they are more
};

}  // namespace bristle::base
