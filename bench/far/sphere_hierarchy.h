// Spheres around the parts, sub-assemblies and whole of each machine (LUA 4.4.4).
//
//     machine ── sub-assembly ── body ── box       a sphere each, around those below it
//
// Which parts belong together is given: boxes of one owner make a body, and the constructor is told which
// assembly a body's boxes are in and which assembly that one is part of. What is in none is a machine of
// its own. Spheres are updated from the leaves up, each by enclosing one child after the other:
//
//     d = |c₁ − c₂|,  r = (d + r₁ + r₂) / 2,  c = (c₁ (d + r₁ − r₂) + c₂ (d − r₁ + r₂)) / (2 d)
//
// LUA (4.12) to (4.14), whose last line lacks the 2; if one sphere is inside the other, it is the result.
// Two machines meet as in the document: roots first, then all combinations of children of what touches.
// Parts of one machine meet each other too. Which roots meet is found by sweep and prune.
//
// Long machines fill little of their sphere, so this pays when most machines are apart: then a machine of
// a hundred boxes costs one test.
#pragma once

#include "bench/far/sweep_and_prune.h"
#include "bench/far/types.h"

namespace bristle::bench {

struct BoundingSphere {
    Vec3 center;
    double radius = -1;  // negative: nothing inside
};
BoundingSphere enclosing(const BoundingSphere& a, const BoundingSphere& b);

class SphereHierarchy {
  public:
    static constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

    // The parent of each assembly, or none, before its children; the assembly of each box, or none, which is that of
    // boxes beyond the end. Throws InputError for a parent or an assembly that is not there.
    explicit SphereHierarchy(std::vector<uint32_t> parents = {},
                             std::vector<uint32_t> assemblies = {});

    void reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin);
    void update(const FarView& view);

    void append_pairs(const FarView& view, FoundPairs& pairs);
    void append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const;
    void append_hits(const FarRay& ray, std::vector<uint32_t>& found) const;

    // Sphere pairs tested by the last append_pairs.
    uint64_t test_count() const { return tests_; }

  private:
    // Assemblies, then bodies, then boxes, so that children always come after their parents.
    struct Node {
        uint32_t parent = none;
        uint32_t first_child = 0, last_child = 0;  // in children_
        uint32_t member = none;                    // of a box
        bool is_body = false;                      // its children never meet each other
    };

    uint32_t assembly_of(uint32_t box) const {
        return box < assemblies_.size() ? assemblies_[box] : none;
    }
    void list_children();
    void meet(uint32_t a, uint32_t b, const FarView& view, FoundPairs& pairs);
    void meet_within(uint32_t node, const FarView& view, FoundPairs& pairs);
    std::span<const uint32_t> children_of(uint32_t node) const;
    Aabb box_around(uint32_t node) const;
    template <class Touches>
    void append(uint32_t node, const Touches& touches, std::vector<uint32_t>& found) const;

    std::vector<uint32_t> parents_, assemblies_;
    std::vector<Node> nodes_;
    std::vector<BoundingSphere> spheres_;  // of the nodes
    std::vector<uint32_t> children_, roots_;
    uint64_t tests_ = 0;

    // The roots as boxes, each its own owner.
    SweepAndPrune root_sweep_;
    std::vector<Aabb> root_boxes_;
    std::vector<FarObject> root_objects_;
    FoundPairs root_pairs_;
};

}  // namespace bristle::bench
