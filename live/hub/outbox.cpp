#include "live/hub/outbox.h"

#include <algorithm>

namespace bristle::live {

bool Outbox::push(Entry entry) {
    const size_t size = entry.message.bytes->size();
    if (waiting_ > 0 && waiting_ + size > most_waiting_) return false;
    waiting_ += size;
    list_.push_back(std::move(entry));
    return true;
}

bool Outbox::add(Outgoing message) { return push({std::move(message), false}); }

bool Outbox::add_scene(Outgoing message) {
    const auto older =
        std::find_if(list_.begin(), list_.end(), [](const Entry& e) { return e.is_scene; });
    if (older != list_.end()) {
        waiting_ -= older->message.bytes->size();
        list_.erase(older);
    }
    return push({std::move(message), true});
}

void Outbox::clear() {
    list_.clear();
    slots_ = {};
    waiting_ = 0;
}

bool Outbox::next_reliable(Outgoing& message) {
    if (list_.empty()) return false;
    message = std::move(list_.front().message);
    list_.pop_front();
    waiting_ -= message.bytes->size();
    return true;
}

bool Outbox::next_latest(Outgoing& message) {
    for (Outgoing& slot : slots_)
        if (slot.bytes) {
            message = std::move(slot);
            slot = {};
            return true;
        }
    return false;
}

size_t Outbox::waiting_bytes() const {
    size_t bytes = waiting_;
    for (const Outgoing& slot : slots_) bytes += slot.bytes ? slot.bytes->size() : 0;
    return bytes;
}

}  // namespace bristle::live
