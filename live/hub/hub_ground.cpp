// What changes of the ground: one mirror for all, and for each client the number of the change that it knows.
#include "live/hub/hub_impl.h"

#include <algorithm>

namespace bristle::live {
namespace {

constexpr uint64_t ticks_a_ground = 2;  // 30 times a second
// What was sent is paid for by waiting: who gets all of a large field is told of it less often.
constexpr double most_bytes = 2e6;  // a second, of a client

}  // namespace

bool Hub::Impl::wants_ground(const Client& client, WallClock::time_point now) const {
    return client.role != Role::stranger && client.closing.empty() && !ground.is_empty()
        && client.ground != ground.version() && now >= client.next_ground;
}

void Hub::Impl::gather_ground() {
    if (ticks % ticks_a_ground == 0 && scene
        && session->take_ground(scene->revision(), ground_news))
        ground.take(ground_news);
    const auto now = WallClock::now();
    for (auto& [id, client] : clients)
        if (wants_ground(client, now)) client.wake();
}

bool Hub::Impl::next_ground(Client& client, Outgoing& next) {
    const auto now = WallClock::now();
    if (!session || !wants_ground(client, now)) return false;
    wire::FromServer out;
    encode(ground.since(client.ground.value_or(0)), *out.mutable_ground());
    next = binary_message(out);
    client.ground = ground.version();
    client.next_ground =
        now
        + std::chrono::duration_cast<WallClock::duration>(
            std::chrono::duration<double>(static_cast<double>(next.bytes->size()) / most_bytes));
    return true;
}

}  // namespace bristle::live
