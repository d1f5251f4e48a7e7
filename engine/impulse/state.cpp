#include "impulse/state.h"

#include "state/parts.h"

namespace bristle {
namespace {

// One list of the parts, for writing, reading and hashing alike.
struct Parts {
    template <class S, class Number, class List>
    static void for_each(S& state, const Number& number, const List& list) {
        number(state.time);
        number(state.steps);
        list(state.motion, PartLength::of_the_model);
        list(state.memory, PartLength::of_the_model);
        list(state.row_impulses, PartLength::of_the_model);
        list(state.contacts, PartLength::varies);
        list(state.resting, PartLength::varies);
    }
};

}  // namespace

std::vector<std::byte> ImpulseState::bytes() const { return bytes_of_state<Parts>(*this); }
bool ImpulseState::assign(const std::vector<std::byte>& bytes) {
    return assign_state<Parts>(*this, bytes);
}
uint64_t ImpulseState::hash() const { return hash_of_state<Parts>(*this); }

}  // namespace bristle
