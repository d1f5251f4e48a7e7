// One writer leaves values, one reader takes the newest; neither ever waits. Three slots: one is written, one is
// read, and the third holds the newest or is free.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace bristle::live {

template <class T> class Latest {
  public:
    // The writer's slot, with what was in it before: fill it, then publish.
    T& slot() { return slots_[writing_]; }
    void publish() { writing_ = between_.exchange(static_cast<uint8_t>(writing_ | fresh)) & index; }
    // The newest value; null if it was taken already.
    const T* take() {
        if ((between_.load() & fresh) == 0) return nullptr;
        reading_ = between_.exchange(reading_) & index;
        return &slots_[reading_];
    }

  private:
    static constexpr uint8_t index = 3, fresh = 4;
    std::array<T, 3> slots_;
    uint8_t writing_ = 0, reading_ = 1;
    std::atomic<uint8_t> between_{2};
};

}  // namespace bristle::live
