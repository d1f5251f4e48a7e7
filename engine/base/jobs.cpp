#include "base/jobs.h"

#include <immintrin.h>

namespace bristle {
namespace {

// Some 20 µs of waiting awake: longer than between two passes of a solver, shorter than anything a
// person or a scheduler would notice.
constexpr int patience = 600;

}  // namespace

Jobs::Jobs(int threads) {
    for (int i = 1; i < threads; ++i)
        helpers_.emplace_back([this, i] { help(static_cast<uint32_t>(i)); });
}

Jobs::~Jobs() {
    is_over_.store(true, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void Jobs::take_pieces(uint32_t worker) {
    for (;;) {
        const uint32_t i = next_.fetch_add(1, std::memory_order_relaxed);
        if (i >= pieces_) return;
        call_(work_, i, worker);
    }
}

void Jobs::start(uint32_t pieces, const void* work, Call call) {
    pieces_ = pieces;
    work_ = work;
    call_ = call;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<uint32_t>(helpers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    take_pieces(0);
    // Every helper has to have seen this round before the next one can be written down.
    int tries = 0;
    while (busy_.load(std::memory_order_acquire) != 0) {
        if (++tries < patience)
            _mm_pause();
        else
            std::this_thread::yield();
    }
}

void Jobs::help(uint32_t worker) {
    uint32_t seen = 0;
    for (;;) {
        for (int tries = 0; tries < patience && round_.load(std::memory_order_acquire) == seen;
             ++tries)
            _mm_pause();
        round_.wait(seen, std::memory_order_acquire);
        ++seen;
        if (is_over_.load(std::memory_order_relaxed)) return;
        take_pieces(worker);
        busy_.fetch_sub(1, std::memory_order_release);
    }
}

}  // namespace bristle
