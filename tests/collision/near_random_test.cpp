// A million random pairs of convex shapes, every contact checked on its own and against all others.
#include "collision/near/convex.h"
#include "collision/near/near.h"
#include "tests/collision/near_scenes.h"
#include "tests/support/scaled.h"

#include <gtest/gtest.h>

#include <set>

namespace bristle::collision {
namespace {

using namespace testing_support;

using Kinds = std::pair<ColliderKind, ColliderKind>;
constexpr const char* kind_name[collider_kinds] = {
    "Sphere", "Capsule", "Box", "Cylinder", "Convex", "Torus", "Plane", "Field", "Mesh"};

class NearPairs : public ::testing::TestWithParam<Kinds> {};

// Depth agrees with the geometry to 1e-9 of the size, as the specification asks.
double tolerance(const NearScene& s) { return 1e-9 * s.size + 10 * s.rounding; }

testing::AssertionResult is_sound(const NearScene& s, const ContactPoint& c, double margin) {
    const double t = tolerance(s);
    const auto fail = [&](const char* what, double by) {
        return testing::AssertionFailure() << what << " by " << by / s.size << " of the size";
    };
    if (!(std::abs(norm(c.normal) - 1) < 1e-12))
        return fail("normal is not a unit", norm(c.normal));
    if (!(std::abs(dot(c.normal, c.on_b - c.on_a) - c.depth) < t))
        return fail("depth disagrees with the points", dot(c.normal, c.on_b - c.on_a) - c.depth);
    if (!(surface_error(s.a, c.on_a) < t)) return fail("on_a is off", surface_error(s.a, c.on_a));
    if (!(surface_error(s.b, c.on_b) < t)) return fail("on_b is off", surface_error(s.b, c.on_b));
    if (!(c.depth >= -margin)) return fail("beyond the margin", c.depth);
    return testing::AssertionSuccess();
}

double beside(const ContactPoint& c) { return norm(c.on_b - c.on_a - c.depth * c.normal); }

// Of several that are equally deep, the one whose points are opposite.
const ContactPoint& deepest_of(const NearScene& s, const ContactPoints& contacts) {
    const ContactPoint* best = contacts.data();
    for (const ContactPoint& c : contacts)
        if (c.depth > best->depth) best = &c;
    const double deepest = best->depth;
    for (const ContactPoint& c : contacts)
        if (c.depth > deepest - tolerance(s) && beside(c) < beside(*best)) best = &c;
    return *best;
}

// Moving a by the depth along the normal separates, and nothing shorter does.
testing::AssertionResult is_exact(const NearScene& s, const ContactPoint& c, Effort effort) {
    const double t = tolerance(s), along = overlap(s.a, s.b, -c.normal);
    if (!(along <= c.depth + t))
        return testing::AssertionFailure() << "still overlaps by " << (along - c.depth) / s.size;
    if (c.depth <= 0) {
        if (!(beside(c) <= 1e-7 * s.size))
            return testing::AssertionFailure() << "not the nearest points";
        return testing::AssertionSuccess();
    }
    const double least = DepthOracle(s.a, s.b).depth(effort);
    if (!(c.depth <= least + t))
        return testing::AssertionFailure()
            << "depth " << c.depth / s.size << " could be " << least / s.size;
    return testing::AssertionSuccess();
}

// Of several that are equally deep, one; its own normal counts, and on a shape that is a million times larger its turn does.
testing::AssertionResult has_exact(const NearScene& s, const ContactPoints& contacts,
                                   Effort effort) {
    const ContactPoint& best = deepest_of(s, contacts);
    const testing::AssertionResult first = is_exact(s, best, effort);
    if (first) return first;
    for (const ContactPoint& c : contacts)
        if (&c != &best && c.depth > best.depth - tolerance(s) && is_exact(s, c, effort))
            return testing::AssertionSuccess();
    return first;
}

// Farther apart than the margin: some direction shows it.
bool is_apart(const NearScene& s, double margin) {
    const ConvexCore a = ConvexCore::of(s.collider[0]), b = ConvexCore::of(s.collider[1]);
    const ConvexDistance d = convex_distance(a, b, RelativePose(s.a, s.b), 1e300);
    return -overlap(s.a, s.b, -(s.a.rotation * d.normal)) >= margin - tolerance(s);
}

std::string text(const NearScene& s, const ContactPoints& contacts) {
    std::string out = "family " + std::to_string(static_cast<int>(s.family));
    char line[400];
    for (const Placed* p : {&s.a, &s.b}) {
        const Collider& c = *p->collider;
        const Quat q = Quat::from(p->rotation);
        std::snprintf(line, sizeof line,
                      "\n  half %.17g %.17g %.17g radius %.17g length %.17g at %.17g %.17g %.17g "
                      "turned %.17g %.17g %.17g %.17g",
                      c.half.x, c.half.y, c.half.z, c.radius, c.half_length, p->position.x,
                      p->position.y, p->position.z, q.w, q.x, q.y, q.z);
        out += line;
    }
    for (const ContactPoint& c : contacts) {
        std::snprintf(line, sizeof line, "\n  depth %.17g normal %.9g %.9g %.9g feature %x",
                      c.depth, c.normal.x, c.normal.y, c.normal.z, c.feature);
        out += line;
    }
    return out;
}

TEST_P(NearPairs, AreFoundWithTheSmallestDepthAndPointsOnBothSurfaces) {
    const auto [kind_a, kind_b] = GetParam();
    NearScenes scenes(17 + 100 * static_cast<uint64_t>(kind_a) + static_cast<uint64_t>(kind_b));
    NearScene s;
    ContactPoints contacts, swapped;
    int touching = 0, failures = 0;
    for (int i = 0; i < scaled(50000) && failures < 5; ++i) {
        scenes.make(kind_a, kind_b, s);
        const double margin = 0.02 * s.size * scenes.random().uniform(0, 1);
        contacts.clear();
        collide(s.a, s.b, margin, contacts);
        const auto check = [&](const testing::AssertionResult& r) {
            if (r) return;
            ++failures;
            ADD_FAILURE() << r.message() << "\n  scene " << i << ", " << text(s, contacts);
        };
        if (contacts.empty()) {
            check(testing::AssertionResult(is_apart(s, margin)) << "missed");
            continue;
        }
        ++touching;
        for (const ContactPoint& c : contacts) check(is_sound(s, c, margin));
        check(has_exact(s, contacts, i % 25 == 0 ? Effort::thorough : Effort::quick));

        std::set<uint32_t> features;
        for (const ContactPoint& c : contacts) features.insert(c.feature);
        check(testing::AssertionResult(features.size() == contacts.size()) << "features repeat");

        swapped.clear();
        collide(s.b, s.a, margin, swapped);
        const double other = swapped.empty() ? -1e300 : deepest_of(s, swapped).depth;
        check(testing::AssertionResult(std::abs(other - deepest_of(s, contacts).depth)
                                       <= tolerance(s))
              << "the other way round it is " << other / s.size);
    }
    EXPECT_GT(touching, scaled(20000)) << "the scenes are too easy";
}

TEST_P(NearPairs, AreTheSameInAnyPlaceAndTurnedAnyWay) {
    const auto [kind_a, kind_b] = GetParam();
    NearScenes scenes(7000 + 100 * static_cast<uint64_t>(kind_a) + static_cast<uint64_t>(kind_b));
    NearScene s;
    ContactPoints contacts, moved;
    for (int i = 0; i < scaled(5000); ++i) {
        scenes.make(kind_a, kind_b, s);
        const double margin = 0.01 * s.size;
        contacts.clear();
        moved.clear();
        collide(s.a, s.b, margin, contacts);
        const Mat3 turn = scenes.random().rotation().matrix();
        const Vec3 shift = scenes.random().vector(10 * s.size), center = s.a.position;
        for (Placed* p : {&s.a, &s.b}) {
            p->position = turn * (p->position - center) + shift;
            p->rotation = turn * p->rotation;
        }
        collide(s.a, s.b, margin, moved);
        const double t = 2 * tolerance(s) + 1e-14 * norm(center);
        const double before = contacts.empty() ? -margin : deepest_of(s, contacts).depth;
        const double after = moved.empty() ? -margin : deepest_of(s, moved).depth;
        ASSERT_NEAR(before, after, t) << "scene " << i << ", " << text(s, contacts);
    }
}

std::vector<Kinds> all_pairs() {
    std::vector<Kinds> pairs;
    for (int i = 0; i < 5; ++i)
        for (int j = i; j < 5; ++j)
            pairs.emplace_back(static_cast<ColliderKind>(i), static_cast<ColliderKind>(j));
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(Convex, NearPairs, testing::ValuesIn(all_pairs()), [](const auto& info) {
    return std::string(kind_name[static_cast<int>(info.param.first)])
         + kind_name[static_cast<int>(info.param.second)];
});

// ---- On a plane ------------------------------------------------------------------------------------

class NearPlane : public ::testing::TestWithParam<ColliderKind> {};

TEST_P(NearPlane, IsTouchedByTheLowestPoint) {
    const ColliderKind kind = GetParam();
    NearScenes scenes(900 + static_cast<uint64_t>(kind));
    Random& random = scenes.random();
    const Collider plane{ColliderKind::plane};
    NearScene s;
    ContactPoints contacts;
    int touching = 0;
    for (int i = 0; i < scaled(50000); ++i) {
        scenes.make(kind, kind, s);
        s.b = {&plane, random.rotation().matrix(), s.a.position};
        const Vec3 n = s.b.rotation.column(2);
        if (random.chance(0.3)) {  // a face, an axis or an edge on the plane
            const Mat3 aligned = s.b.rotation * Mat3::columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
            s.a.rotation = random.chance(0.5) ? s.b.rotation : aligned;
            if (random.chance(0.5))
                s.a.rotation =
                    Quat::about(random.direction(), std::pow(10, random.uniform(-12, -1))).matrix()
                    * s.a.rotation;
        }
        const double small = extent(s.collider[0]);
        const double gap = random.chance(0.1) ? 0 : small * random.uniform(-0.5, 0.1);
        s.b.position += (dot(n, farthest(s.a, -n, s.a.position)) - gap) * n
                      + small * cross(n, random.vector(2));
        s.size = small;
        s.rounding = 4e-16 * (norm(s.a.position) + norm(s.b.position)) + 1e-15 * small;
        const double margin = 0.05 * small * random.uniform(0, 1);
        contacts.clear();
        collide(s.a, s.b, margin, contacts);
        const double lowest = dot(n, farthest(s.a, -n, s.b.position));
        if (contacts.empty()) {
            ASSERT_GT(lowest, margin - tolerance(s)) << "missed in scene " << i;
            continue;
        }
        ++touching;
        std::set<uint32_t> features;
        for (const ContactPoint& c : contacts) {
            ASSERT_TRUE(is_sound(s, c, margin)) << "scene " << i << ", " << text(s, contacts);
            ASSERT_EQ(c.normal, n);
            ASSERT_EQ(c.normal_of, NormalOf::b);
            features.insert(c.feature);
        }
        ASSERT_EQ(features.size(), contacts.size());
        ASSERT_LE(contacts.size(), 5u);
        double deepest = contacts[0].depth;
        for (const ContactPoint& c : contacts) deepest = std::max(deepest, c.depth);
        // What stands nearly flat does without the lowest point of its rim.
        const double flat = GetParam() == ColliderKind::cylinder ? 2e-4 * small : 0;
        ASSERT_LE(deepest, -lowest + 1e-2 * tolerance(s)) << i << ", " << text(s, contacts);
        ASSERT_GE(deepest, -lowest - 1e-2 * tolerance(s) - flat) << i << ", " << text(s, contacts);
    }
    EXPECT_GT(touching, scaled(20000)) << "the scenes are too easy";
}

INSTANTIATE_TEST_SUITE_P(All, NearPlane,
                         testing::Values(ColliderKind::sphere, ColliderKind::capsule,
                                         ColliderKind::box, ColliderKind::cylinder,
                                         ColliderKind::convex),
                         [](const auto& info) {
                             return std::string(kind_name[static_cast<int>(info.param)]);
                         });

}  // namespace
}  // namespace bristle::collision
