// A queue of fixed room between two threads, without locks: one puts in, the other takes out. Elements are not made
// and destroyed but used again, so what they hold keeps its room.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace bristle::live {

template <class Element> class Ring {
  public:
    explicit Ring(size_t room) : elements_(room) {}

    // Where the next element goes; null if there is no room. It is there for the other thread after `push`.
    Element* back() {
        const size_t pushed = pushed_.load(std::memory_order_relaxed);
        if (pushed - popped_.load(std::memory_order_acquire) == elements_.size()) return nullptr;
        return &elements_[pushed % elements_.size()];
    }
    void push() {
        pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

    // The oldest element; null if there is none.
    Element* front() {
        const size_t popped = popped_.load(std::memory_order_relaxed);
        if (popped == pushed_.load(std::memory_order_acquire)) return nullptr;
        return &elements_[popped % elements_.size()];
    }
    void pop() {
        popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

  private:
    std::vector<Element> elements_;
    // Each on a cache line of its own, for each is written by another thread.
    alignas(64) std::atomic<size_t> pushed_ = 0;
    alignas(64) std::atomic<size_t> popped_ = 0;
};

}  // namespace bristle::live
