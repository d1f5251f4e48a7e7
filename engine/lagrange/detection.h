// All that can touch: the shapes of a model, the laws between their materials, and where they meet.
//
// There is one for a whole model. What a step does with what is found is in contacts.h, for every island by itself.
#pragma once

#include "collision/scene.h"
#include "lagrange/frames.h"
#include "lagrange/system.h"
#include "state/state.h"

#include <optional>
#include <span>
#include <vector>

namespace bristle::lagrange {

// By colliders, then in the order of near detection; what patches are bordered by is in the contour.
struct Found {
    std::span<const collision::ContactCandidate> points;
    std::span<const collision::PatchCandidate> patches;
    std::span<const collision::ContourSegment> contour;
};

class Detection {
  public:
    explicit Detection(const System& whole);

    bool can_touch() const { return scene_ && scene_->can_touch(); }
    const collision::CollisionScene& scene() const { return *scene_; }
    const ContactLaw& law(uint32_t material_a, uint32_t material_b) const {
        return laws_[material_a][material_b];
    }
    // a δ̇₀ or ζ of two materials.
    double damping(uint32_t material_a, uint32_t material_b) const {
        return damping_[material_a][material_b];
    }
    bool has_shape(uint32_t group) const { return slot_of_group_[group] != 0; }
    // `none` of what never moves.
    uint32_t assembly_of(uint32_t collider) const {
        return assembly_[slot_of_group_[scene_->colliders()[collider].owner]];
    }

    // Contacts of a step from one position of all entities to another, as it is predicted. With assemblies asked for, of those with
    // each other and with all others.
    Found find(const Vec4* before, const Vec4* predicted, std::span<const uint8_t> is_asked = {});

  private:
    void set_laws(const Model&);
    void frames_at(const Vec4* position, std::vector<WidePlacement>& out) const;
    void place(const std::vector<WidePlacement>&, std::vector<Placement>& out) const;

    const System& system_;
    std::optional<collision::CollisionScene> scene_;
    std::vector<std::vector<ContactLaw>> laws_;
    std::vector<std::vector<double>> damping_;
    std::vector<uint32_t> groups_;         // the ground, then every group that has a shape
    std::vector<uint32_t> slot_of_group_;  // among those
    std::vector<uint32_t> assembly_;       // of every one of them
    std::vector<Placement> in_group_;      // of every body with a shape
    std::vector<uint32_t> body_assembly_;  // of the same
    std::vector<uint8_t> body_is_asked_;
    std::vector<WidePlacement> frames_;
    std::vector<Placement> before_, now_;
};

// A predicted frame is a rotation only to second order, and after an impact not even that.
void make_orthonormal(WidePlacement&);

}  // namespace bristle::lagrange
