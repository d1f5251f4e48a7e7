// A bug in Bristle itself, checked always. A user's mistake is an InputError instead.
#pragma once

#include "base/rooms.h"

namespace bristle::base {

[[noreturn]] void demand_failed(const char* condition, const char* file, int line);

}  // namespace bristle::base

#define BRISTLE_DEMAND(condition)                                                   \
    do {                                                                            \
        if (!(condition)) ::bristle::base::demand_failed(#condition, __FILE__, __LINE__); \
    } while (false)
