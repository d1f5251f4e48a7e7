// A second opinion: FCL says hit or miss. It is less accurate than we are (1e-6 or so, and worse for
// cylinders), so only pairs that are clearly one or the other count.
#include "collision/near/near.h"
#include "tests/collision/near_scenes.h"

#include <fcl/fcl.h>
#include <gtest/gtest.h>

namespace bristle::collision {
namespace {

using namespace testing_support;
using Shape = std::shared_ptr<fcl::CollisionGeometryd>;

Shape convex_shape(const ConvexHull& hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3 v : hull.vertices()) vertices->emplace_back(v.x, v.y, v.z);
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& face : hull.faces()) {
        faces->push_back(static_cast<int>(face.loop_size));
        for (const uint32_t v : hull.loop(face)) faces->push_back(static_cast<int>(v));
    }
    return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces().size()), faces);
}

Shape fcl_shape(const Collider& c) {
    switch (c.kind) {
        case ColliderKind::sphere: return std::make_shared<fcl::Sphered>(c.radius);
        case ColliderKind::capsule:
            return std::make_shared<fcl::Capsuled>(c.radius, 2 * c.half_length);
        case ColliderKind::box:
            return std::make_shared<fcl::Boxd>(2 * c.half.x, 2 * c.half.y, 2 * c.half.z);
        case ColliderKind::cylinder:
            return std::make_shared<fcl::Cylinderd>(c.radius, 2 * c.half_length);
        default: return convex_shape(*c.hull);
    }
}

fcl::Transform3d fcl_pose(const Placed& p) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) pose.linear()(i, j) = p.rotation(i, j);
        pose.translation()(i) = p.position[i];
    }
    return pose;
}

bool fcl_hits(const Placed& a, const Placed& b) {
    const Shape x = fcl_shape(*a.collider), y = fcl_shape(*b.collider);
    const fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(x.get(), fcl_pose(a), y.get(), fcl_pose(b), request, result) > 0;
}

TEST(NearAgainstFcl, AgreesOnWhatTouches) {
    NearScenes scenes(4242);
    NearScene s;
    ContactPoints contacts;
    int hits = 0, misses = 0;
    for (int i = 0; i < 300000; ++i) {
        const auto kind_a = static_cast<ColliderKind>(scenes.random().integer(0, 4));
        const auto kind_b = static_cast<ColliderKind>(scenes.random().integer(0, 4));
        scenes.make(kind_a, kind_b, s);
        if (s.family != Family::generic && s.family != Family::parallel) continue;
        contacts.clear();
        collide(s.a, s.b, 1e-3 * s.size, contacts);
        double deepest = -1;
        for (const ContactPoint& c : contacts) deepest = std::max(deepest, c.depth / s.size);
        if (std::abs(deepest) < 1e-3) continue;  // touching: FCL may say either
        const bool is_hit = fcl_hits(s.a, s.b);
        (is_hit ? hits : misses)++;
        ASSERT_EQ(is_hit, deepest > 0)
            << "kinds " << static_cast<int>(kind_a) << ' ' << static_cast<int>(kind_b) << ", scene "
            << i << ", depth " << deepest;
    }
    EXPECT_GT(hits, 20000);
    EXPECT_GT(misses, 10000);
}

}  // namespace
}  // namespace bristle::collision
