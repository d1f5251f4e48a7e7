// What contacts hold pressed: bounds on an energy that World::energy() leaves out.
//
// Of a contact only the mean force of the step and the depth at its end are known. For an elastic law F = k δᵖ the mean
// force along the way from δ₀ to δ₁ gives the energy at its end,
//
//     U₁ = F̄ (δ₁ − δ₀) δ₁ⁿ/(δ₁ⁿ − δ₀ⁿ),   n = p + 1,
//
// which is F̄ δ₁ for a contact that is new and F̄ δ/n for one that rests (2/5 of force times depth by Hertz' law). Damping
// makes F̄ larger while the contact is pressed and smaller while it is let go, so this is too much in the one case and too
// little in the other. What the contact took in and gave back, F̄ (δ₁ − δ₀), bounds it from above. Together:
//
//                 at most                          at least
//     pressed     min(most + F̄ (δ₁ − δ₀), U₁)     what it was: it can only have grown
//     let go      most − F̄ (δ₀ − δ₁)              min(U₁, most)
#pragma once

#include <bristle/world.h>

#include <vector>

namespace bristle::validation::rough {

class StoredEnergy {
  public:
    explicit StoredEnergy(const Model& model) : model_(model) {}
    void update(const std::vector<Contact>& contacts);
    double most() const { return most_; }
    double least() const { return least_; }

  private:
    struct Spring {
        ShapeId a, b;
        Vec3 point;
        double depth = 0, most = 0, least = 0;
        bool is_taken = false;
    };
    double exponent(const Contact&) const;
    Spring* before(const Contact&);

    const Model& model_;
    std::vector<Spring> springs_, now_;
    double most_ = 0, least_ = 0;
};

}  // namespace bristle::validation::rough
