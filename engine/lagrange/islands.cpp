#include "lagrange/islands.h"

#include "base/hash.h"
#include "collision/scenery.h"
#include "lagrange/kinematics.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <exception>
#include <tuple>
#include <utility>

namespace bristle::lagrange {
namespace {

bool calls_code(const System& s) {
    const auto is_code = [](const auto& function) { return function && function.text().empty(); };
    return std::any_of(s.forces.begin(), s.forces.end(),
                       [&](const MeasureForce& f) { return is_code(f.law) || is_code(f.effort); })
        || std::any_of(s.model().drives().begin(), s.model().drives().end(),
                       [&](const Drive& d) { return is_code(d.target); })
        || std::any_of(s.model().stateful_forces().begin(), s.model().stateful_forces().end(),
                       [&](const StatefulForce& f) {
                           return std::any_of(f.inputs.begin(), f.inputs.end(), is_code);
                       });
}

}  // namespace

// An island as a system of its own, with its state while it is stepped.
class Islands::Part final : public Finder {
  public:
    Part(Islands& all, std::span<const uint32_t> assemblies)
        : system(all.inventory_.part(assemblies, map)),
          solver(system, all.whole_.equations().contacts.detection(), this),
          state(resting_state(system)),
          all_(all) {}

    Found find(const state::State& begin, const state::State& predicted) override {
        return looks_alone ? all_.find_alone(*this, begin, predicted) : found;
    }
    bool holds(uint32_t assembly) const {
        return std::binary_search(map.assemblies.begin(), map.assemblies.end(), assembly);
    }
    bool is_of(std::span<const uint32_t> assemblies) const {
        return std::equal(assemblies.begin(), assemblies.end(), map.assemblies.begin(),
                          map.assemblies.end());
    }

    PartMap map;
    const System system;
    Solver solver;
    state::State state;
    Found found;  // contacts of this step
    bool looks_alone = false, has_met_others = false, is_calm = false;
    std::exception_ptr error;
    uint64_t key = 0, last_used = 0;

  private:
    Islands& all_;
};

Islands::Islands(Solver& whole)
    : whole_(whole),
      system_(whole.system()),
      detection_(*whole.equations().contacts.detection()),
      inventory_(system_),
      prediction_(system_),
      is_one_(system_.assembly_count < 2 || !inventory_.is_complete()) {
    if (is_one_) return;
    jobs_ = std::make_unique<Jobs>(calls_code(system_) ? 1 : system_.settings.threads);
    const uint32_t count = system_.assembly_count;
    alone_.resize(count);
    is_rough_.resize(count);
    has_drifted_ = is_asked_ = is_rough_;
    iterations_.resize(count);
    island_of_.resize(count);
    calm_.resize(count);
    predicted_ = drifted_ = resting_state(system_);
}

Islands::~Islands() = default;

void Islands::step(state::State& state) {
    if (system_.scenery) system_.scenery->refresh();
    if (is_one_) return whole_.step(state);
    const StageTimer::Step measured(whole_.timer);
    begin(state);
    move_calmly();
    move_roughly();
    end(state);
}

// ---- The step --------------------------------------------------------------------------------------

void Islands::begin(const state::State& state) {
    begin_ = &state;
    ++clock_;
    tally_ = {};
    ended_.clear();
    remembered_.reset(system_.assembly_count);
    for (const state::ContactMemory& m : state.contacts)
        unite(remembered_, static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
    connected_ = remembered_;
    for (uint32_t a = 0; a < system_.assembly_count; ++a) {
        is_rough_[a] = state.restless[a] > 0;
        has_drifted_[a] = 0;
        iterations_[a] = 0;
        calm_[a] = nullptr;
    }
    spread_roughness();
}

void Islands::move_calmly() {
    if (std::find(is_rough_.begin(), is_rough_.end(), 0) == is_rough_.end()) return;
    whole_.enter(Solver::Stage::predict);
    prediction_.predict(*begin_, integrator_weights(system_.settings, system_.settings.step),
                        predicted_);
    Found found;
    if (detection_.can_touch()) {
        whole_.enter(Solver::Stage::detect);
        for (uint32_t a = 0; a < system_.assembly_count; ++a) is_asked_[a] = !is_rough_[a];
        found = detection_.find(begin_->position.data(), predicted_.position.data(), is_asked_);
        connect(found);
        spread_roughness();
    }
    find_islands([&](uint32_t a) { return !is_rough_[a]; });
    share_out(found);
    for_each_island([](Part& p) {
        p.solver.begin_step(p.state);
        p.is_calm = p.solver.try_calm_step(p.state);
    });
    for (const Island& island : islands_) {
        Part& p = *island.part;
        if (!p.is_calm) take_shorter_steps(p);
        absorb(p);
        if (!p.is_calm) tell_place(p);
        for (uint32_t a : p.map.assemblies) {
            iterations_[a] = p.solver.iterations();
            is_rough_[a] = !p.is_calm;
            if (p.is_calm) calm_[a] = &p;
        }
    }
}

// Where joints alone are too fast. Contacts are looked for anew in each: only here, so one after the other. Others that are met on
// another way than the predicted one are of another island; a rough step looks for them.
void Islands::take_shorter_steps(Part& p) {
    p.has_met_others = false;
    p.looks_alone = true;
    try {
        p.is_calm = p.solver.try_shorter_steps(p.state) && !p.has_met_others;
    } catch (...) {
        p.looks_alone = false;
        throw;
    }
    p.looks_alone = false;
}

void Islands::tell_place(const Part& p) {
    RoughPlace& place = whole_.statistics.last_rough;
    if (!p.solver.tell_place(place))
        place.point = body_pose(system_, begin_->position.data(), place.b).position;
}

void Islands::move_roughly() {
    if (std::find(is_rough_.begin(), is_rough_.end(), 1) == is_rough_.end()) return;
    Found found;
    for (int round = 1;; ++round) {
        drift();
        if (!detection_.can_touch()) break;
        whole_.enter(Solver::Stage::detect);
        found = detection_.find(begin_->position.data(), drifted_.position.data(), is_rough_);
        if (!take_back_what_is_met(found, round >= most_meetings)) break;
    }
    connected_ = remembered_;
    connect(found);
    find_islands([&](uint32_t a) { return is_rough_[a] != 0; });
    share_out(found);
    const double h = system_.settings.step;
    for_each_island([&](Part& p) {
        p.solver.begin_step(p.state);
        p.solver.start_rough_step(p.state, h);
        gather_motion(p.map, drifted_, p.state);
        p.solver.end_rough_step(p.state, h);
    });
    for (const Island& island : islands_) {
        Part& p = *island.part;
        absorb(p);
        int before = 0;
        for (uint32_t a : p.map.assemblies) before = std::max(before, iterations_[a]);
        for (uint32_t a : p.map.assemblies) iterations_[a] = before + p.solver.iterations();
        ended_.push_back(&p);
    }
    ++whole_.statistics.rough_steps;
}

// All that are rough, each by itself, and then where everything is.
void Islands::drift() {
    islands_.clear();
    members_.clear();
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        if (is_rough_[a] && !has_drifted_[a]) {
            has_drifted_[a] = 1;
            islands_.push_back({static_cast<uint32_t>(members_.size()), 1, &part_of({&a, 1})});
            members_.push_back(a);
        }
    const double h = system_.settings.step;
    for_each_island([&](Part& p) {
        gather(p.map, *begin_, p.state);
        p.state.contacts.clear();
        p.solver.begin_step(p.state);
        p.solver.start_rough_step(p.state, h);
        p.solver.drift(p.state, h);
        scatter_motion(p.map, p.state, drifted_);
    });
    for (const Island& island : islands_) {
        absorb(*island.part);
        iterations_[members_[island.first]] += island.part->solver.iterations();
    }
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        if (!is_rough_[a] && calm_[a]->map.assemblies[0] == a)
            scatter_motion(calm_[a]->map, calm_[a]->state, drifted_);
}

bool Islands::take_back_what_is_met(const Found& found, bool is_last) {
    bool any = false;
    const auto take_back = [&](uint32_t a) {
        any = true;
        for (uint32_t member : calm_[a]->map.assemblies) is_rough_[member] = 1;
    };
    const auto meet = [&](uint32_t collider_a, uint32_t collider_b) {
        const uint32_t a = detection_.assembly_of(collider_a),
                       b = detection_.assembly_of(collider_b);
        if (a == none || b == none || is_rough_[a] == is_rough_[b]) return;
        take_back(is_rough_[a] ? b : a);
    };
    for (const collision::ContactCandidate& c : found.points) meet(c.a, c.b);
    for (const collision::PatchCandidate& c : found.patches) meet(c.a, c.b);
    // Whoever is left: one more round is the last.
    if (any && is_last)
        for (uint32_t a = 0; a < system_.assembly_count; ++a)
            if (!is_rough_[a]) take_back(a);
    return any;
}

void Islands::end(state::State& state) {
    whole_.enter(Solver::Stage::commit);
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        if (!is_rough_[a] && calm_[a]->map.assemblies[0] == a) ended_.push_back(calm_[a]);
    for (Part* p : ended_) {
        p->solver.end_step(p->state);
        scatter(p->map, p->state, state);
    }
    join_contacts(state);
    state.time += system_.settings.step;
    count_step(state, system_.settings.step);
    StepStatistics& s = whole_.statistics;
    const int worst = *std::max_element(iterations_.begin(), iterations_.end());
    s.steps += 1;
    s.iterations += static_cast<uint64_t>(worst);
    s.worst_iterations = std::max(s.worst_iterations, worst);
    s.factorizations += tally_.factorizations;
    s.impact_steps += tally_.impact_steps > 0 ? 1 : 0;
    s.held_steps += tally_.held_steps > 0 ? 1 : 0;
    s.resting_step = std::min(s.resting_step, tally_.resting_step);
}

void Islands::join_contacts(state::State& state) {
    contact_order_.clear();
    for (uint32_t i = 0; i < ended_.size(); ++i)
        for (uint32_t k = 0; k < ended_[i]->state.contacts.size(); ++k)
            contact_order_.emplace_back(i, k);
    const auto contact = [&](std::pair<uint32_t, uint32_t> at) -> const state::ContactMemory& {
        return ended_[at.first]->state.contacts[at.second];
    };
    const auto before = [&](std::pair<uint32_t, uint32_t> x, std::pair<uint32_t, uint32_t> y) {
        const state::ContactMemory &a = contact(x), &b = contact(y);
        return std::tie(a.pair, a.feature) < std::tie(b.pair, b.feature);
    };
    if (!std::is_sorted(contact_order_.begin(), contact_order_.end(), before))
        std::sort(contact_order_.begin(), contact_order_.end(), before);
    state.contacts.resize(contact_order_.size());
    for (size_t i = 0; i < contact_order_.size(); ++i)
        state.contacts[i] = contact(contact_order_[i]);
}

void Islands::absorb(Part& p) {
    StepStatistics& s = p.solver.statistics;
    tally_.factorizations += s.factorizations;
    tally_.impact_steps += s.impact_steps;
    tally_.held_steps += s.held_steps;
    tally_.resting_step =
        std::min(tally_.resting_step, p.solver.equations().contacts.resting_step());
    s = {};
}

// ---- Who belongs together --------------------------------------------------------------------------

void Islands::unite(UnionFind& sets, uint32_t collider_a, uint32_t collider_b) const {
    const uint32_t a = detection_.assembly_of(collider_a), b = detection_.assembly_of(collider_b);
    if (a != none && b != none) sets.unite(a, b);
}

void Islands::connect(const Found& found) {
    for (const collision::ContactCandidate& c : found.points) unite(connected_, c.a, c.b);
    for (const collision::PatchCandidate& c : found.patches) unite(connected_, c.a, c.b);
}

// One that is rough makes all that are connected with it rough.
void Islands::spread_roughness() {
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        if (is_rough_[a]) is_rough_[connected_.find(a)] = 1;
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        is_rough_[a] = is_rough_[connected_.find(a)];
}

// By their first assemblies, of which all are connected or none.
template <class Belongs> void Islands::find_islands(const Belongs& belongs) {
    islands_.clear();
    for (uint32_t a = 0; a < system_.assembly_count; ++a) {
        island_of_[a] = none;
        if (!belongs(a)) continue;
        const uint32_t root = connected_.find(a);
        if (root == a) {
            island_of_[a] = static_cast<uint32_t>(islands_.size());
            islands_.push_back({});
        }
        island_of_[a] = island_of_[root];
        ++islands_[island_of_[a]].count;
    }
    uint32_t next = 0;
    for (Island& island : islands_) {
        island.first = next;
        next += std::exchange(island.count, 0);
    }
    members_.resize(next);
    for (uint32_t a = 0; a < system_.assembly_count; ++a)
        if (island_of_[a] != none) {
            Island& island = islands_[island_of_[a]];
            members_[island.first + island.count++] = a;
        }
    for (Island& island : islands_) {
        island.part = &part_of({&members_[island.first], island.count});
        gather(island.part->map, *begin_, island.part->state);
        island.part->state.contacts.clear();
    }
    for (const state::ContactMemory& m : begin_->contacts) {
        const uint32_t i =
            island_with(static_cast<uint32_t>(m.pair >> 32), static_cast<uint32_t>(m.pair));
        if (i != none) islands_[i].part->state.contacts.push_back(m);
    }
}

uint32_t Islands::island_with(uint32_t collider_a, uint32_t collider_b) const {
    const uint32_t a = detection_.assembly_of(collider_a), b = detection_.assembly_of(collider_b);
    const uint32_t one = a != none ? a : b;
    return one != none ? island_of_[one] : none;
}

// Everybody's share of what was found, in the order it was.
template <class Candidate>
void Islands::sort_by_island(std::span<const Candidate> found, std::vector<Candidate>& out) {
    start_.assign(islands_.size() + 1, 0);
    for (const Candidate& c : found)
        if (const uint32_t i = island_with(c.a, c.b); i != none) ++start_[i + 1];
    for (size_t i = 0; i < islands_.size(); ++i) start_[i + 1] += start_[i];
    out.resize(start_.back());
    for (const Candidate& c : found)
        if (const uint32_t i = island_with(c.a, c.b); i != none) out[start_[i]++] = c;
}

void Islands::share_out(const Found& found) {
    contour_.assign(found.contour.begin(), found.contour.end());
    sort_by_island(found.points, points_);
    for (size_t i = 0; i < islands_.size(); ++i) {
        const uint32_t first = i == 0 ? 0 : start_[i - 1];
        islands_[i].part->found.points = {points_.data() + first, start_[i] - first};
    }
    sort_by_island(found.patches, patches_);
    for (size_t i = 0; i < islands_.size(); ++i) {
        const uint32_t first = i == 0 ? 0 : start_[i - 1];
        islands_[i].part->found.patches = {patches_.data() + first, start_[i] - first};
        islands_[i].part->found.contour = contour_;
    }
}

// Errors are those of the first that has one.
template <class Work> void Islands::for_each_island(const Work& work) {
    const auto guarded = [&](uint32_t i) {
        Part& p = *islands_[i].part;
        p.error = nullptr;
        try {
            work(p);
        } catch (...) {
            p.error = std::current_exception();
        }
    };
    pieces_.clear();
    size_t entities = worth_a_piece;
    for (uint32_t i = 0; i < islands_.size(); ++i) {
        if (entities >= worth_a_piece) {
            pieces_.push_back(i);
            entities = 0;
        }
        entities += islands_[i].part->system.entity_count;
    }
    const auto count = static_cast<uint32_t>(pieces_.size());
    pieces_.push_back(static_cast<uint32_t>(islands_.size()));
    const auto piece = [&](uint32_t p) {
        for (uint32_t i = pieces_[p]; i < pieces_[p + 1]; ++i) guarded(i);
    };
    // Stages are timed on one thread.
    if (whole_.timer != nullptr)
        for (uint32_t p = 0; p < count; ++p) piece(p);
    else
        jobs_->run(count, piece);
    for (const Island& island : islands_)
        if (const std::exception_ptr error = std::exchange(island.part->error, nullptr))
            std::rethrow_exception(error);
}

// ---- Parts -----------------------------------------------------------------------------------------

Islands::Part& Islands::part_of(std::span<const uint32_t> assemblies) {
    if (assemblies.size() == 1) {
        std::unique_ptr<Part>& alone = alone_[assemblies[0]];
        if (!alone) alone = std::make_unique<Part>(*this, assemblies);
        alone->solver.timer = whole_.timer;
        return *alone;
    }
    const uint64_t key = hash_bytes(std::as_bytes(assemblies));
    const auto by_key = [](const std::unique_ptr<Part>& p, uint64_t k) { return p->key < k; };
    auto place = std::lower_bound(kept_.begin(), kept_.end(), key, by_key);
    while (place != kept_.end() && (*place)->key == key && !(*place)->is_of(assemblies)) ++place;
    if (place == kept_.end() || (*place)->key != key) {
        make_room();
        place = kept_.insert(std::lower_bound(kept_.begin(), kept_.end(), key, by_key),
                             std::make_unique<Part>(*this, assemblies));
        (*place)->key = key;
        kept_entities_ += (*place)->system.entity_count;
    }
    (*place)->last_used = clock_;
    (*place)->solver.timer = whole_.timer;
    return **place;
}

// Those that were not used for the longest time go; never one of this step.
void Islands::make_room() {
    while (kept_entities_ > most_kept * system_.entity_count) {
        const auto oldest = std::min_element(
            kept_.begin(), kept_.end(),
            [](const auto& x, const auto& y) { return x->last_used < y->last_used; });
        if ((*oldest)->last_used == clock_) return;
        kept_entities_ -= (*oldest)->system.entity_count;
        kept_.erase(oldest);
    }
}

// Of a part that takes shorter steps: all others are on their way from where they were to where they are predicted.
Found Islands::find_alone(Part& p, const state::State& begin, const state::State& predicted) {
    here_ = begin_->position;
    there_ = predicted_.position;
    for (size_t i = 0; i < p.map.entities.size(); ++i) {
        here_[p.map.entities[i]] = begin.position[i];
        there_[p.map.entities[i]] = predicted.position[i];
    }
    std::fill(is_asked_.begin(), is_asked_.end(), uint8_t{0});
    for (uint32_t a : p.map.assemblies) is_asked_[a] = 1;
    const Found found = detection_.find(here_.data(), there_.data(), is_asked_);
    const auto is_own = [&](const auto& candidate) {
        const uint32_t a = detection_.assembly_of(candidate.a),
                       b = detection_.assembly_of(candidate.b);
        return (a == none || p.holds(a)) && (b == none || p.holds(b));
    };
    const bool meets_others = !std::all_of(found.points.begin(), found.points.end(), is_own)
                           || !std::all_of(found.patches.begin(), found.patches.end(), is_own);
    p.has_met_others |= meets_others;
    return meets_others ? Found{} : found;
}

}  // namespace bristle::lagrange
