// Random pairs of shapes in all the ways that are hard.
#pragma once

#include "geometry/collider.h"
#include "geometry/convex_hull.h"
#include "tests/collision/near_oracle.h"
#include "tests/support/random.h"

#include <memory>
#include <vector>

namespace bristle::testing_support {

enum class Family : uint8_t {
    generic,
    parallel,
    touching,
    coincident,
    tiny,
    huge,
    ratio,
    thin,
    far
};
inline constexpr int families = 9;

struct NearScene {
    Collider collider[2];
    Placed a, b;
    Family family;
    double size;      // m: of the larger
    double rounding;  // m: of world coordinates
};

class NearScenes {
  public:
    explicit NearScenes(uint64_t seed) : random_(seed) {
        for (int decade = 0; decade < 13; ++decade)
            for (int i = 0; i < hulls_per_decade; ++i)
                hulls_.push_back(random_hull(i, std::pow(10, decade - 6)));
    }
    Random& random() { return random_; }

    // The scene is overwritten: its poses point to its colliders.
    void make(ColliderKind a, ColliderKind b, NearScene& s) {
        s.family = static_cast<Family>(random_.integer(0, families - 1));
        double scale = power(-1, 1);
        if (s.family == Family::tiny) scale = power(-6, -4);
        if (s.family == Family::huge) scale = power(4, 6);
        double other = scale * power(-0.5, 0.5);
        if (s.family == Family::ratio) other = scale * power(-6, 6);
        s.collider[0] = collider(a, scale, s.family);
        s.collider[1] = collider(b, other, s.family);
        s.a = {&s.collider[0], random_.rotation().matrix(), random_.vector(3 * scale)};
        if (s.family == Family::far) s.a.position = random_.vector(1e4);
        s.b = {&s.collider[1], rotation_near(s), s.a.position};
        place(s);
        s.size = std::max(extent(s.collider[0]), extent(s.collider[1]));
        s.rounding = 4e-16 * (norm(s.a.position) + norm(s.b.position)) + 1e-15 * s.size;
    }

  private:
    double power(double low, double high) { return std::pow(10, random_.uniform(low, high)); }

    static constexpr int hulls_per_decade = 8;
    std::unique_ptr<ConvexHull> random_hull(int i, double scale) {
        std::vector<Vec3> points;
        const int kind = i % 4;
        const Vec3 stretch = i >= 4 ? Vec3{1, 0.3, 1e-4} : Vec3{1, 1, 1};
        const auto add = [&](Vec3 p) {
            points.push_back(scale * Vec3{p.x * stretch.x, p.y * stretch.y, p.z * stretch.z});
        };
        if (kind == 0)  // a block
            for (int k = 0; k < 8; ++k)
                add({k & 1 ? 1.0 : -1, k & 2 ? 0.7 : -0.7, k & 4 ? 0.4 : -0.4});
        else if (kind == 1)  // a prism
            for (int k = 0; k < 6; ++k)
                for (double z : {-0.5, 0.5}) add({std::cos(pi * k / 3), std::sin(pi * k / 3), z});
        else
            for (int k = 0; k < (kind == 2 ? 5 : 16); ++k) add(random_.direction());
        return std::make_unique<ConvexHull>(points);
    }

    Collider collider(ColliderKind kind, double scale, Family family) {
        const double thin = family == Family::thin ? 1e-4 : 1;
        Collider c{kind};
        c.radius = scale * power(-0.5, 0);
        c.half_length = scale * power(-0.5, 0);
        if (random_.chance(0.5))
            c.radius *= thin;
        else
            c.half_length *= thin;
        if (kind == ColliderKind::box) {
            for (int k = 0; k < 3; ++k) c.half[k] = scale * power(-0.5, 0);
            c.half[random_.integer(0, 2)] *= thin;
            c.radius = c.half_length = 0;
        }
        if (kind == ColliderKind::sphere) c.half_length = 0;
        if (kind == ColliderKind::convex) {
            const int decade =
                std::clamp(static_cast<int>(std::lround(std::log10(scale))) + 6, 0, 12);
            const int shape = random_.integer(0, 3) + (family == Family::thin ? 4 : 0);
            c.hull = hulls_[static_cast<size_t>(hulls_per_decade * decade + shape)].get();
        }
        return c;
    }

    Mat3 rotation_near(const NearScene& s) {
        if (s.family != Family::parallel && !random_.chance(0.15))
            return random_.rotation().matrix();
        const Vec3 x[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const int k = random_.integer(0, 2), sign = random_.chance(0.5) ? 1 : -1;
        const Vec3 u = sign * x[k], v = x[(k + 1) % 3];
        Mat3 turned = s.a.rotation * Mat3::columns(u, v, cross(u, v));
        const int choice = random_.integer(0, 2);
        if (choice > 0)
            turned = turned
                   * Quat::about(choice == 1 ? x[random_.integer(0, 2)] : random_.direction(),
                                 power(-12, -1))
                         .matrix();
        return turned;
    }

    // Along some direction so that they overlap a little, touch, or are a little apart.
    void place(NearScene& s) {
        if (s.family == Family::coincident) {
            if (random_.chance(0.5)) s.b.position += random_.vector(0.01 * extent(s.collider[1]));
            return;
        }
        Vec3 u = random_.direction();
        if (random_.chance(0.4))
            u = s.a.rotation.column(random_.integer(0, 2));
        else if (random_.chance(0.3))
            u = s.b.rotation.column(random_.integer(0, 2));
        const double small = std::min(extent(s.collider[0]), extent(s.collider[1]));
        double gap = small * random_.uniform(-0.6, 0.15);
        if (s.family == Family::touching)
            gap = random_.chance(0.5) ? 0 : (random_.chance(0.5) ? 1 : -1) * small * power(-15, -3);
        Vec3 aside = random_.vector(random_.chance(0.3) ? 0 : 0.5 * small);
        aside -= dot(aside, u) * u;
        s.b.position += aside;
        s.b.position += (overlap(s.a, s.b, u) + gap) * u;
    }

    Random random_;
    std::vector<std::unique_ptr<ConvexHull>> hulls_;
};

}  // namespace bristle::testing_support
