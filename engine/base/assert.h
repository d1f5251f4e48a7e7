// Bugs in Bristle itself: BRISTLE_DEMAND is checked always, BRISTLE_ASSERT in builds that are not a release, where it may
// cost. A user's mistake is an InputError instead.
#pragma once

#include "base/rooms.h"

namespace bristle::base {

[[noreturn]] void demand_failed(const char* condition, const char* file, int line);

}  // namespace bristle::base

#define BRISTLE_DEMAND(condition)                                                         \
    do {                                                                                  \
        if (!(condition)) ::bristle::base::demand_failed(#condition, __FILE__, __LINE__); \
    } while (false)

#ifdef NDEBUG
#define BRISTLE_ASSERT(condition) static_cast<void>(0)
#else
#define BRISTLE_ASSERT(condition) BRISTLE_DEMAND(condition)
#endif
