// Who takes no part for now (spec A13).
//
// Bodies that joints, springs or users' forces connect are an *assembly*. One that nothing drives, and whose
// fastest point has been slower than 0.1 mm/s for a quarter of a second, is at rest. All others are the
// *action*. Assemblies that touch each other are taken out together, when all of them are at rest and
// further from the action than the distance that was asked for; they are put back as soon as the action
// comes nearer. Distances are between balls around the bodies' shapes, or between boxes around them where those are further
// apart (a boom that reaches over stones is not near them); those of the action are enlarged by how far they get in the
// time until the next look and once more.
#pragma once

#include "step/revision.h"

namespace bristle::step {

class RestingBodies {
  public:
    RestingBodies() = default;
    RestingBodies(const Model&, double distance, double step, collision::MeshTrees&);

    bool is_time_to_look(const state::State& state) const {
        return distance_ < unlimited && state.steps % look_every == 0;
    }
    // Counts the time assemblies have been at rest, and says who should be out.
    std::vector<bool> look(const Revision&, state::State&) const;
    // Those who are out and may reach into this box are not at rest any more; whether there are any.
    bool disturb(const Revision&, const Aabb&, state::State&) const;

  private:
    static constexpr uint64_t look_every = 16;

    // Around all shapes of a body, in its frame.
    struct Extent {
        Vec3 center;  // of the ball
        double radius;
        Aabb box;
    };
    void measure(const Model&, collision::MeshTrees&);
    // Of every body: where its ball and its box are, how fast its ball's centre and its fastest point.
    struct Motion {
        std::vector<Vec3> place;
        std::vector<Aabb> box;
        std::vector<double> speed, rim_speed;  // m/s
    };
    Motion motion(const Revision&, const state::State&) const;
    double distance_ = unlimited, step_ = 0;
    std::vector<uint32_t> assembly_;  // of every body; the ground has none
    std::vector<bool> is_driven_;     // of every assembly
    std::vector<Extent> extent_;      // of every body
};

}  // namespace bristle::step
