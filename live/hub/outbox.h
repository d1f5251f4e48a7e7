// What waits to be sent to one client: a list of what must arrive, and a slot each for what only counts
// when it is new.
#pragma once

#include <google/protobuf/message.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace bristle::live {

// One message to be sent; shared, since many get the same bytes.
struct Outgoing {
    enum class Kind : uint8_t { text, binary };
    Kind kind = Kind::text;
    std::shared_ptr<const std::string> bytes;
};

inline Outgoing text_message(std::string text) {
    return {Outgoing::Kind::text, std::make_shared<const std::string>(std::move(text))};
}

inline Outgoing binary_message(const google::protobuf::Message& message) {
    return {Outgoing::Kind::binary,
            std::make_shared<const std::string>(message.SerializeAsString())};
}

class Outbox {
  public:
    explicit Outbox(size_t most_waiting) : most_waiting_(most_waiting) {}

    // False if too much waits already. A single message always fits.
    bool add(Outgoing);
    // A scene replaces one that waits: nobody needs what is no longer so.
    bool add_scene(Outgoing);
    void set_timing(Outgoing message) { slots_[0] = std::move(message); }
    void set_state(Outgoing message) { slots_[1] = std::move(message); }
    void drop_slots() { slots_ = {}; }
    void clear();

    bool next_reliable(Outgoing&);
    bool next_latest(Outgoing&);
    size_t waiting_bytes() const;

  private:
    struct Entry {
        Outgoing message;
        bool is_scene;
    };
    bool push(Entry);

    size_t most_waiting_, waiting_ = 0;  // bytes
    std::deque<Entry> list_;
    std::array<Outgoing, 2> slots_;
};

}  // namespace bristle::live
