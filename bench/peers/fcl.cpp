#include "bench/peers/common.h"
#include "scenes/plain/icosphere.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>

// Far detection: all boxes move, the tree is updated as a whole, and every pair it reports is kept, as a
// user would. Of meshes: all pairs of triangles that meet, which is where a volume would begin.

namespace bristle::bench::peers {
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

using Surface = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<Surface> surface(const scenes::icosphere::Mesh& mesh) {
    std::vector<fcl::Vector3d> points;
    for (const auto& p : mesh.vertices) points.emplace_back(p[0], p[1], p[2]);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<Surface>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

void run_spheres(const Report& report, const scenes::icosphere::Case& c) {
    const Entry entry{c.name, "OBBRSS, pairs of triangles", "finds no volume"};
    isolated(report, entry, [&] {
        const auto sphere = surface(scenes::icosphere::make(c.frequency));
        const auto turn = scenes::icosphere::rotation();
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                pose.linear()(i, j) =
                    turn[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        std::vector<double> times;
        for (int k = 0; k < c.repetitions; ++k) {
            pose.translation() = fcl::Vector3d(scenes::icosphere::distance(c, k), 0, 0);
            const fcl::CollisionRequestd request(20 * sphere->num_tris);
            fcl::CollisionResultd result;
            CpuStopwatch watch;
            watch.start();
            fcl::collide(sphere.get(), fcl::Transform3d::Identity(), sphere.get(), pose, request,
                         result);
            watch.stop();
            times.push_back(watch.seconds());
            if (result.numContacts() == 0) throw std::runtime_error("no contact");
        }
        report.row(entry, 1e6 * median(times), std::nullopt);
    });
}

void run(const Arguments& arguments, const MachineModel& /*machine*/) {
    const Report report("fcl " FCL_VERSION, arguments.suite);
    if (arguments.suite == "conforming")
        for (const scenes::icosphere::Case& c : scenes::icosphere::cases) run_spheres(report, c);
    if (arguments.suite != "far") return;
    run_far(report, "DynamicAABBTree",
            [](const far_boxes::Walk& walk) { return std::make_unique<FarSet>(walk); });
}

}  // namespace
}  // namespace bristle::bench::peers

int main(int argc, char** argv) {
    return bristle::bench::peers::run_peer(argc, argv, bristle::bench::peers::run);
}
