// Some assemblies of a system as a system of their own.
//
// Entities, rows, groups and what they remember keep their order and get numbers from zero on; bodies, drives, limits and colliders
// keep their ids, and the model is shared. What is found by an id of the model (drive_relation, group_of, …) is only in the whole; of
// drives there is the list of their relations, and group_of is there for forces with a memory, which act on bodies.
#pragma once

#include "lagrange/system.h"
#include "state/state.h"

#include <span>
#include <vector>

namespace bristle::lagrange {

// The numbers that a part's things have in the whole.
struct PartMap {
    std::vector<uint32_t> assemblies, entities, closures, memory;
    std::vector<uint32_t> rows;  // of multipliers: dots, then relations
};

// What every assembly of a system has.
class Inventory {
  public:
    explicit Inventory(const System& whole);

    // False if something has no assembly (a row of what never moves), or could have any (a user's force).
    bool is_complete() const { return is_complete_; }
    System part(std::span<const uint32_t> assemblies, PartMap&) const;

  private:
    using Lists = base::Lists<uint32_t>;  // of every assembly, increasing
    static std::vector<uint32_t> collect(const Lists&, std::span<const uint32_t> assemblies);
    void take_entities(System&, const PartMap&) const;
    void take_rows(System&, PartMap&) const;
    void take_measures(System&, PartMap&) const;
    void take_relations(System&, PartMap&, const std::vector<uint32_t>& measures) const;
    void take_forces(System&, PartMap&, const std::vector<uint32_t>& measures) const;
    void take_stateful(System&, PartMap&, const std::vector<uint32_t>& measures) const;
    void take_groups(System&, const PartMap&) const;

    const System& whole_;
    bool is_complete_ = true;
    Lists entities_, mass_, scalar_inertia_, dots_, closures_, measures_, relations_, forces_,
        stateful_, groups_, turnings_, below_;
    std::vector<uint32_t> fixed_groups_;  // that never move
    std::vector<bool> has_joints_;
};

// All of a part's state but its contacts.
void gather(const PartMap&, const state::State& whole, state::State& part);
void scatter(const PartMap&, const state::State& part, state::State& whole);
// Of that, what the drift of a rough step changes.
void gather_motion(const PartMap&, const state::State& whole, state::State& part);
void scatter_motion(const PartMap&, const state::State& part, state::State& whole);

}  // namespace bristle::lagrange
