#include "base/jobs.h"

#include <immintrin.h>

namespace bristle::base {
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
    is_over_.store(true);
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void Jobs::take_pieces(uint32_t worker) {
    uint64_t offer = offer_.load(std::memory_order_acquire);
    while ((offer & piece_mask) < offer >> count_shift) {
        if (!offer_.compare_exchange_weak(offer, offer + 1, std::memory_order_acq_rel,
                                          std::memory_order_acquire))
            continue;
        call_(work_, static_cast<uint32_t>(offer & piece_mask), worker);
        done_.fetch_add(1, std::memory_order_release);
        offer = offer_.load(std::memory_order_acquire);
    }
}

void Jobs::start(uint32_t pieces, const void* work, Call call) {
    // All pieces of the last round are done, so nobody reads these.
    work_ = work;
    call_ = call;
    done_.store(0, std::memory_order_relaxed);
    const uint32_t round = round_.load(std::memory_order_relaxed) + 1;
    offer_.store(uint64_t{pieces} << count_shift | uint64_t{round & 0xffffu} << round_shift,
                 std::memory_order_release);
    round_.store(round);
    if (sleepers_.load() != 0) round_.notify_all();
    take_pieces(0);
    for (int tries = 0; done_.load(std::memory_order_acquire) != pieces; ++tries) {
        if (tries < patience)
            _mm_pause();
        else
            std::this_thread::yield();
    }
}

void Jobs::help(uint32_t worker) {
    uint32_t seen = 0;
    while (!is_over_.load()) {
        take_pieces(worker);
        for (int tries = 0; tries < patience && round_.load() == seen; ++tries) _mm_pause();
        if (round_.load() == seen) {
            sleepers_.fetch_add(1);
            round_.wait(seen);
            sleepers_.fetch_sub(1);
        }
        seen = round_.load();
    }
}

}  // namespace bristle::base
