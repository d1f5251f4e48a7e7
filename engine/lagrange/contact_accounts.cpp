// What the normal springs of contacts have stored, from step to step.
//
// A spring may begin a step with what it ended the last one with, no more. But a body that slides over an edge of a mesh is
// handed from one triangle to the next, a face becomes an edge, a body is spawned in another: a contact is there, and deep, that
// nobody pressed in. Its depth counts from where the energy at hand would have it: that of the contacts of the same two bodies
// which are gone, in proportion to what each new one would like to have. The rest of the depth is left out, and comes back as far as
// energy that was lost elsewhere in the step before (accounts.cpp) pays for it.
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

Contacts::Account& Contacts::account_of(const ActiveContact& t) {
    const uint64_t groups =
        uint64_t{std::min(t.group_a, t.group_b)} << 32 | std::max(t.group_a, t.group_b);
    for (Account& a : accounts_)
        if (a.groups == groups) return a;
    return accounts_.emplace_back(Account{groups, 0, 0});
}

double Contacts::keep_accounts(const state::State& begin, double slack, double budget) {
    accounts_.clear();
    double spent = 0;
    given_ = 0;
    for (const ActiveContact& t : touches_) {
        if (t.part != ActiveContact::Part::whole || t.is_lost) continue;
        const double now = stored_energy(t.normal_law, t.depth_before);
        const double before = t.is_new ? 0 : t.memory.stored;
        (now < before ? account_of(t).released : account_of(t).wanted) += std::abs(now - before);
    }
    for (const state::ContactMemory& m : begin.contacts) {
        const auto found = std::lower_bound(
            touches_.begin(), touches_.end(), m,
            [](const ActiveContact& t, const state::ContactMemory& memory) {
                return std::pair(t.pair, t.feature) < std::pair(memory.pair, memory.feature);
            });
        const bool is_found =
            found != touches_.end() && found->pair == m.pair && found->feature == m.feature;
        if (is_found && !found->is_lost) continue;
        ActiveContact gone;
        gone.group_a = group_of(m.pair >> 32);
        gone.group_b = group_of(m.pair & 0xffffffffu);
        account_of(gone).released += m.stored;
    }
    for (ActiveContact& t : touches_) {
        if (t.part != ActiveContact::Part::whole || t.is_lost || !(t.depth_before > 0)) continue;
        const double now = stored_energy(t.normal_law, t.depth_before);
        const double before = t.is_new ? 0 : t.memory.stored;
        if (!(now > (1 + slack) * before)) continue;
        const Account& account = account_of(t);
        const double share = std::min(account.released / account.wanted, 1.0);
        const double paid = before + share * (now - before);
        double counts = depth_that_stores(t.normal_law, paid);
        // The rest comes back slowly: as far as somebody pays for it, and from deep inside anyway.
        const double mended = std::min(counts + mending_speed * weights_.step, t.depth_before);
        const double price =
            std::min(stored_energy(t.normal_law, mended) - paid, payment_share * (budget - spent));
        if (price > 0) {
            counts = std::max(counts, depth_that_stores(t.normal_law, paid + price));
            spent += price;
        }
        const double earned = stored_energy(t.normal_law, counts);
        if (t.depth_before - counts > deep_share * t.length) {
            // Pressed no further than what makes them part with such a speed.
            const double most = depth_that_stores(
                t.normal_law, 0.5 * t.memory.mass * parting_speed * parting_speed);
            counts = std::max(counts, std::min(mended, most));
        }
        // What overlaps touches.
        counts = std::clamp(counts, std::min(mending_speed * weights_.step, t.depth_before),
                            t.depth_before);
        given_ += std::max(0.0, stored_energy(t.normal_law, counts) - earned);
        t.left_out = t.depth_before - counts;
        t.depth_before = counts;
        t.depth -= t.left_out;
    }
    // More or less than was stored is now begun with.
    double more = -given_;
    for (const ActiveContact& t : touches_)
        if (t.part == ActiveContact::Part::whole && !t.is_lost)
            more += stored_energy(t.normal_law, t.depth_before);
    for (const state::ContactMemory& m : begin.contacts) more -= m.stored;
    return more;
}

// What springs and bristles hold more than when the step began, less as far as that goes. Returns what is still too much.
double Contacts::take_back(double excess) {
    const auto before_of = [](const ActiveContact& t) {
        return std::pair(stored_energy(t.normal_law, t.depth_before), t.strained_before);
    };
    double more = 0;
    for (const ActiveContact& t : touches_) {
        if (t.part != ActiveContact::Part::whole || t.is_lost) continue;
        const auto [stored, strained] = before_of(t);
        more += std::max(0.0, stored_in(t) - stored) + std::max(0.0, strained_in(t) - strained);
    }
    if (!(more > 0)) return excess;
    const double kept = 1 - std::min(excess / more, 1.0);
    for (ActiveContact& t : touches_) {
        if (t.part != ActiveContact::Part::whole || t.is_lost) continue;
        const auto [stored, strained] = before_of(t);
        const double stored_now = stored_in(t), strained_now = strained_in(t);
        if (stored_now > stored)
            t.pressed = depth_that_stores(t.normal_law, stored + kept * (stored_now - stored));
        if (strained_now > strained)
            t.slide.strain *=
                std::sqrt((strained + kept * (strained_now - strained)) / strained_now);
    }
    return std::max(excess - more, 0.0);
}

double Contacts::stored_before() const {
    double sum = 0;
    for (const ActiveContact& t : touches_)
        if (!t.is_lost && t.part != ActiveContact::Part::grip)
            sum += stored_energy(t.normal_law, t.depth_before) + t.strained_before;
    return sum;
}

// While geometry stood still nobody knew how deep the step would end: what is beyond was not pressed in.
double Contacts::stored_in(const ActiveContact& t) {
    return stored_energy(t.normal_law, std::min(t.depth, t.pressed));
}

double Contacts::strained_in(const ActiveContact& t) {
    if (t.part != ActiveContact::Part::whole || t.is_struck || !(t.normal_force > 0)) return 0;
    return 0.5 * t.sliding.stiffness * dot(t.slide.strain, t.slide.strain);
}

double Contacts::stored_now() const {
    double sum = 0;
    for (const ActiveContact& t : touches_)
        if (!t.is_lost && t.part != ActiveContact::Part::grip) sum += stored_in(t) + strained_in(t);
    return sum;
}

}  // namespace bristle::lagrange
