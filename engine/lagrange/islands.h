// A step of what only contact connects: islands, each by a solver of its own.
//
// Joints and forces make assemblies of bodies (system.h). Those that touch, did when the step began, or might within it are an island
// of this step; the ground connects nothing. An impact, a retry, a rough step is its island's alone.
//
// 1. Every assembly that is not restless is predicted, and its contacts are looked for. Islands without a restless member take a calm
//    step.
// 2. Those whose step was refused, and all that are restless, drift by inertia, every assembly by itself. Their contacts are looked for
//    where that ends, also with those that are calm, where they ended: what is met is taken back, and drifts too.
// 3. The islands of those strike.
//
// So every pair is looked at about once, and who is in an island follows from the state alone: a restored state goes on with the same
// bits. An island is a part of the system (part.h); parts are kept for when the same assemblies meet again.
//
// A model of one assembly is stepped as it is. So is one with a user's force, which may read any body, as one island. Functions of the
// model that are known only by what they compute may not bear another thread than the caller's (Python's do not): then there is one.
#pragma once

#include "base/jobs.h"
#include "base/union_find.h"
#include "lagrange/part.h"
#include "lagrange/solver.h"

#include <memory>

namespace bristle::lagrange {

class Islands {
  public:
    explicit Islands(Solver& whole);
    ~Islands();

    // As Solver::step; statistics are those of the whole.
    void step(state::State&);

  private:
    class Part;
    struct Island {
        uint32_t first, count;  // of members_
        Part* part;
    };

    // ---- The step
    void begin(const state::State&);
    void move_calmly();
    void take_shorter_steps(Part&);
    void tell_place(const Part&);
    void move_roughly();
    void drift();
    bool take_back_what_is_met(const Found&, bool is_last);
    void end(state::State&);
    void join_contacts(state::State&);
    void absorb(Part&);

    // ---- Who belongs together
    void unite(UnionFind&, uint32_t collider_a, uint32_t collider_b) const;
    void connect(const Found&);
    void spread_roughness();
    template <class Belongs> void find_islands(const Belongs&);
    uint32_t island_with(uint32_t collider_a, uint32_t collider_b) const;
    template <class Candidate>
    void sort_by_island(std::span<const Candidate> found, std::vector<Candidate>& out);
    void share_out(const Found&);
    template <class Work> void for_each_island(const Work&);

    // ---- Parts
    Part& part_of(std::span<const uint32_t> assemblies);
    void make_room();
    Found find_alone(Part&, const state::State& begin, const state::State& predicted);

    Solver& whole_;
    const System& system_;
    Detection& detection_;
    Inventory inventory_;
    Prediction prediction_;
    std::unique_ptr<Jobs> jobs_;
    bool is_one_;  // and stepped as it is

    // Of every assembly, in this step.
    std::vector<uint8_t> is_rough_, has_drifted_, is_asked_;
    std::vector<int> iterations_;
    std::vector<Part*> calm_;          // that took its calm step
    std::vector<uint32_t> island_of_;  // of the present stage, or none
    UnionFind remembered_, connected_;

    const state::State* begin_ = nullptr;
    state::State predicted_, drifted_;
    std::vector<Island> islands_;    // of the present stage …
    std::vector<uint32_t> members_;  // … and their assemblies
    std::vector<uint32_t> pieces_;   // first islands of pieces of work
    std::vector<Part*> ended_;       // whose step is taken
    StepStatistics tally_;

    // What was found, by island.
    std::vector<collision::ContactCandidate> points_;
    std::vector<collision::PatchCandidate> patches_;
    std::vector<collision::ContourSegment> contour_;
    std::vector<uint32_t> start_;
    std::vector<std::pair<uint32_t, uint32_t>> contact_order_;
    std::vector<Vec4> here_, there_;  // from where to where one looks alone

    std::vector<std::unique_ptr<Part>> alone_;  // of every assembly that was alone once
    std::vector<std::unique_ptr<Part>> kept_;   // of several, by key
    size_t kept_entities_ = 0;
    uint64_t clock_ = 0;  // steps
};

}  // namespace bristle::lagrange
