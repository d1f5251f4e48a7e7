// Work in pieces, on several threads.
//
//     Jobs jobs(2);
//     jobs.run(pieces, [&](uint32_t i) { ... });   // i = 0 … pieces − 1, each once; returns when all are done
//     jobs.run(pieces, [&](uint32_t i, uint32_t worker) { ... });   // with the number of who does it
//
// Which thread takes which piece depends on timing, so a piece may write only what is its own; how the work
// is cut must not depend on the number of threads. Helpers wait for the next work for some microseconds
// awake, because the steps of a solver follow each other closely, and then sleep. Nobody waits for a helper that has
// not taken a piece: on a busy machine work is just shared less.
#pragma once

#include "base/rooms.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace bristle::base {

class Jobs {
  public:
    explicit Jobs(int threads);
    ~Jobs();
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    int threads() const { return static_cast<int>(helpers_.size()) + 1; }

    template <class Work> void run(uint32_t pieces, const Work& work) {
        const Call call = [](const void* w, uint32_t i, uint32_t worker) {
            if constexpr (std::is_invocable_v<const Work&, uint32_t, uint32_t>)
                (*static_cast<const Work*>(w))(i, worker);
            else
                (*static_cast<const Work*>(w))(i);
        };
        if (helpers_.empty() || pieces < 2) {
            for (uint32_t i = 0; i < pieces; ++i) call(&work, i, 0);
        } else {
            start(pieces, &work, call);
        }
    }

  private:
    using Call = void (*)(const void*, uint32_t piece, uint32_t worker);
    void start(uint32_t pieces, const void* work, Call call);
    void help(uint32_t worker);
    void take_pieces(uint32_t worker);

    std::vector<std::thread> helpers_;
    const void* work_ = nullptr;
    Call call_ = nullptr;
    // How many pieces there are (above) and which is the next (below), and the round in between, so that a piece can
    // only be taken of the work that is being done.
    static constexpr int round_shift = 24, count_shift = 40;
    static constexpr uint64_t piece_mask = (uint64_t{1} << round_shift) - 1;
    alignas(64) std::atomic<uint64_t> offer_{0};
    alignas(64) std::atomic<uint32_t> done_{0};
    alignas(64) std::atomic<uint32_t> round_{0};  // to sleep on
    std::atomic<uint32_t> sleepers_{0};
    std::atomic<bool> is_over_{false};
};

}  // namespace bristle::base
