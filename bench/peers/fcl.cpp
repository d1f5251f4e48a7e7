#include "common.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

// Far detection only: all boxes move, the tree is updated as a whole, and every pair it reports is
// kept, as a user would.

namespace peers {
namespace {

class FarSet {
  public:
    explicit FarSet(const far_boxes::Walk& walk) {
        const auto box =
            std::make_shared<fcl::Boxd>(far_boxes::edge, far_boxes::edge, far_boxes::edge);
        for (std::size_t i = 0; i < walk.count(); ++i)
            objects_.push_back(std::make_unique<fcl::CollisionObjectd>(box));
        move(walk);
        std::vector<fcl::CollisionObjectd*> pointers;
        for (const auto& object : objects_) pointers.push_back(object.get());
        manager_.registerObjects(pointers);
        manager_.setup();
    }

    void step(const far_boxes::Walk& walk) {
        move(walk);
        manager_.update();
        pairs_.clear();
        manager_.collide(&pairs_, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* to) {
            static_cast<Pairs*>(to)->emplace_back(a, b);
            return false;
        });
    }

    std::size_t pair_count() const { return pairs_.size(); }

  private:
    using Pairs = std::vector<std::pair<fcl::CollisionObjectd*, fcl::CollisionObjectd*>>;

    void move(const far_boxes::Walk& walk) {
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            const auto& low = walk.lows()[i];
            constexpr double half = far_boxes::edge / 2;
            objects_[i]->setTranslation({low[0] + half, low[1] + half, low[2] + half});
            objects_[i]->computeAABB();
        }
    }

    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
    fcl::DynamicAABBTreeCollisionManagerd manager_;
    Pairs pairs_;
};

void run(const Arguments& arguments, const MachineModel& /*machine*/) {
    const Report report("fcl " FCL_VERSION, arguments.suite);
    if (arguments.suite != "far") return;
    run_far(report, "DynamicAABBTree",
            [](const far_boxes::Walk& walk) { return std::make_unique<FarSet>(walk); });
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::run_peer(argc, argv, peers::run); }
