#include "impulse/state.h"

#include "state/parts.h"

namespace bristle::impulse {
namespace {

// One list of the parts, for writing, reading and hashing alike.
struct Parts {
    template <class S, class Number, class List>
    static void for_each(S& state, const Number& number, const List& list) {
        number(state.time);
        number(state.steps);
        list(state.motion, state::PartLength::of_the_model);
        list(state.memory, state::PartLength::of_the_model);
        list(state.row_impulses, state::PartLength::of_the_model);
        list(state.contacts, state::PartLength::varies);
        list(state.resting, state::PartLength::varies);
    }
};

}  // namespace

std::vector<std::byte> ImpulseState::bytes() const { return state::bytes_of_state<Parts>(*this); }
bool ImpulseState::assign(const std::vector<std::byte>& bytes) {
    return state::assign_state<Parts>(*this, bytes);
}
uint64_t ImpulseState::hash() const { return state::hash_of_state<Parts>(*this); }

}  // namespace bristle::impulse
