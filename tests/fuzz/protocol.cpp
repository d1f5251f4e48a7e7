// What a client may send, as text.
#include "live/wire/json.h"
#include "live/wire/protocol.pb.h"
#include "tests/fuzz/fuzz.h"

#include <google/protobuf/util/message_differencer.h>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    return fuzz::tried([&] {
        wire::Order order, again;
        live::read_json(fuzz::text(data, size), order);
        live::read_json(live::to_json(order), again);
        // Not by their bytes: entries of a map come in any order.
        if (!google::protobuf::util::MessageDifferencer::Equals(order, again)) std::abort();
    });
}
