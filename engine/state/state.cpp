#include "state/state.h"

#include "state/parts.h"

#include <algorithm>

namespace bristle::state {
namespace {

struct Parts {
    template <class S, class Number, class List>
    static void for_each(S& state, const Number& number, const List& list) {
        number(state.time);
        number(state.steps);
        list(state.position, PartLength::of_the_model);
        list(state.velocity, PartLength::of_the_model);
        list(state.acceleration, PartLength::of_the_model);
        list(state.force, PartLength::of_the_model);
        list(state.multiplier, PartLength::of_the_model);
        list(state.closure_multiplier, PartLength::of_the_model);
        list(state.memory, PartLength::of_the_model);
        list(state.motion, PartLength::of_the_model);
        list(state.surplus, PartLength::of_the_model);
        list(state.astray, PartLength::of_the_model);
        list(state.restless, PartLength::of_the_model);
        list(state.still, PartLength::varies);
        list(state.contacts, PartLength::varies);
    }
};

}  // namespace

bool is_finite(const std::vector<Vec4>& list) {
    Vec4 sum{};
    for (const Vec4& v : list) sum += v * 0.0;
    return sum[0] == 0 && sum[1] == 0 && sum[2] == 0;
}

bool is_padded(const std::vector<Vec4>& list) {
    return std::all_of(list.begin(), list.end(), [](Vec4 v) { return v[3] == 0; });
}

std::vector<std::byte> State::bytes() const { return bytes_of_state<Parts>(*this); }
bool State::assign(const std::vector<std::byte>& bytes) {
    return assign_state<Parts>(*this, bytes);
}
uint64_t State::hash() const { return hash_of_state<Parts>(*this); }

}  // namespace bristle::state
