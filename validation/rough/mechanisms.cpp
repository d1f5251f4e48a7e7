// A family that nothing drives, stops or touches: joints, links and weight, started fast. What moves in it can never have
// more energy than it began with.
#include "validation/rough/case.h"
#include "validation/rough/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {
namespace {

class Mechanism {
  public:
    explicit Mechanism(uint64_t seed) : random(seed), rate_(random.magnitude(0.5, 30)) {}

    // Between two points: a rod, a beam or a plate, as thin as they come. It moves with its first point and turns about it.
    BodyId link(Vec3 from, Vec3 to, Vec3 spin, Vec3 velocity = {}) {
        const double length = norm(to - from), mass = random.magnitude(0.05, 50);
        const std::string name = fmt::format("link {}", model.bodies().size());
        if (random.chance(0.2))
            return model.add(Body::rod(from, to, mass).moving(velocity, spin).named(name));
        const double thick = length * random.magnitude(1e-3, 0.5),
                     wide = random.chance(0.3) ? length * random.between(0.3, 1) : thick;
        const Vec3 along = (to - from) / length, axis = cross({1, 0, 0}, along);
        const double sine = norm(axis);
        const Quat turn =
            sine > 1e-9 ? Quat::about(axis / sine, std::atan2(sine, along.x)) : Quat{};
        return model.add(Body::box({length, wide, thick}, mass)
                             .at((from + to) / 2, turn)
                             .moving(velocity + cross(spin, (to - from) / 2), spin)
                             .named(name));
    }
    double some_rate() { return rate_ * random.between(-1, 1); }

    void hinge(BodyId a, BodyId b, Vec3 at, Vec3 axis) {
        model.add(Revolute{.a = a, .b = b, .at = at, .axis = axis, .name = next_name()});
    }
    void ball(BodyId a, BodyId b, Vec3 at) {
        model.add(Spherical{.a = a, .b = b, .at = at, .name = next_name()});
    }
    // A link on another, or on the ground, by any joint, turning as that lets it.
    BodyId hang(BodyId base, Vec3 from, Vec3 to) {
        const Vec3 axis = random.chance(0.3) ? Vec3{0, 1, 0} : random.direction(),
                   other = any_perpendicular(axis);
        const int kind = random.whole(0, 3);
        const Body& carrier = model.bodies()[base.index];
        Vec3 spin = carrier.angular_velocity + some_rate() * axis;
        if (kind <= 1) spin += some_rate() * other;
        if (kind == 0) spin += some_rate() * cross(axis, other);
        const Vec3 velocity =
            carrier.velocity + cross(carrier.angular_velocity, from - carrier.position);
        const BodyId body = link(from, to, spin, velocity);
        if (kind == 0)
            ball(base, body, from);
        else if (kind == 1)
            model.add(Universal{.a = base,
                                .b = body,
                                .at = from,
                                .axis_a = axis,
                                .axis_b = other,
                                .name = next_name()});
        else
            hinge(base, body, from, axis);
        return body;
    }

    // Branches hung on the ground, or flying.
    std::string tree(bool flies) {
        const int count = random.whole(1, 7);
        std::vector<Vec3> ends;
        std::vector<BodyId> links;
        for (int i = 0; i < count; ++i) {
            const bool is_root = links.empty() || (!flies && random.chance(0.1));
            const auto parent =
                is_root ? size_t{0}
                        : static_cast<size_t>(random.whole(0, static_cast<int>(links.size()) - 1));
            const Vec3 from = links.empty() ? Vec3{} : is_root ? random.direction() : ends[parent];
            const Vec3 to = from + random.magnitude(0.1, 2) * random.direction();
            links.push_back(is_root && flies
                                ? link(from, to, some_rate() * random.direction())
                                : hang(is_root ? Model::ground() : links[parent], from, to));
            ends.push_back(to);
        }
        return fmt::format("{} tree of {}", flies ? "flying" : "hung", count);
    }

    // Polygons of hinges whose axes are parallel, so that more is said than need be; the next one stands on the last.
    std::string four_bars() {
        const int count = random.whole(1, 3);
        const Vec3 y{0, 1, 0};
        BodyId base = Model::ground();
        Vec3 left{}, right{random.between(0.5, 2), 0, 0};
        for (int i = 0; i < count; ++i) {
            const auto up = [&] {
                return Vec3{random.between(-0.5, 0.5), 0, random.between(0.2, 1.5)};
            };
            const Vec3 p = left + up(), q = right + up(), spin = some_rate() * y;
            const BodyId a = link(left, p, spin), b = link(p, q, {}), c = link(q, right, spin);
            hinge(base, a, left, y);
            hinge(a, b, p, y);
            hinge(b, c, q, y);
            if (random.chance(0.3))
                ball(c, base, right);
            else
                hinge(c, base, right, y);
            base = b;
            left = p;
            right = q;
        }
        return fmt::format("{} four-bars", count);
    }

    // Cranks of one length carry one coupler: all but two are too many.
    std::string parallelogram() {
        const int cranks = random.whole(2, 5);
        const Vec3 y{0, 1, 0}, arm{random.between(-0.7, 0.7), 0, random.between(0.2, 1)};
        const Vec3 spin = some_rate() * y;
        const BodyId coupler = link(arm, arm + Vec3{0.5 * (cranks - 1), 0, 0}, {});
        for (int i = 0; i < cranks; ++i) {
            const Vec3 foot{0.5 * i, 0, 0};
            const BodyId crank = link(foot, foot + arm, spin);
            hinge(Model::ground(), crank, foot, y);
            hinge(crank, coupler, foot + arm, y);
        }
        return fmt::format("{} equal cranks", cranks);
    }

    std::string door() {
        const int hinges = random.whole(2, 4);
        const Vec3 axis = random.direction(), out = any_perpendicular(axis);
        const BodyId leaf = link({}, random.between(0.3, 1.5) * out, some_rate() * axis);
        for (int i = 0; i < hinges; ++i) hinge(Model::ground(), leaf, 0.4 * i * axis, axis);
        const Vec3 tip = 0.2 * out + 0.4 * axis;
        hang(leaf, tip, tip + 0.7 * random.direction());
        return fmt::format("door on {} hinges", hinges);
    }

    // Two hinges on the ground, and a coupler on balls between their cranks: RSSR.
    std::string spatial_loop() {
        const Vec3 left{}, right{random.between(0.5, 2), random.between(-1, 1), 0};
        const Vec3 p = left + random.between(0.2, 0.6) * random.direction(),
                   q = right + random.between(0.6, 1.5) * random.direction();
        const Vec3 axis = cross(p - left, random.direction()),
                   other = cross(q - right, random.direction());
        const BodyId a = link(left, p, some_rate() * normalized(axis)), b = link(p, q, {}),
                     c = link(q, right, {});
        hinge(Model::ground(), a, left, normalized(axis));
        ball(a, b, p);
        ball(b, c, q);
        hinge(Model::ground(), c, right, normalized(other));
        return "loop in space";
    }

    std::string slider_crank() {
        const Vec3 y{0, 1, 0}, tip{random.between(-0.5, 0.5), 0, random.between(0.1, 0.7)},
            pin{random.between(1.2, 2), 0, random.between(-0.2, 0.2)};
        const BodyId crank = link({}, tip, some_rate() * y), rod = link(tip, pin, {}),
                     piston = link(pin - Vec3{0.1, 0, 0}, pin + Vec3{0.1, 0, 0}, {});
        hinge(Model::ground(), crank, {}, y);
        hinge(crank, rod, tip, y);
        hinge(rod, piston, pin, y);
        model.add(Prismatic{
            .a = Model::ground(), .b = piston, .at = pin, .axis = {1, 0, 0}, .name = next_name()});
        return "slider-crank";
    }

    Random random;
    Model model;

  private:
    std::string next_name() const { return fmt::format("joint {}", model.joints().size()); }
    double rate_;  // rad/s, at most
};

}  // namespace

Case mechanisms(uint64_t seed) {
    Mechanism m(seed);
    if (m.random.chance(0.3)) m.model.gravity = {};
    std::string about;
    switch (m.random.whole(0, 7)) {
        case 0:
        case 1: about = m.tree(false); break;
        case 2: about = m.tree(true); break;
        case 3: about = m.four_bars(); break;
        case 4: about = m.parallelogram(); break;
        case 5: about = m.door(); break;
        case 6: about = m.spatial_loop(); break;
        default: about = m.slider_crank();
    }
    Case c{.about = about, .model = m.model};
    // What flies under gravity falls for a minute.
    c.fastest = 2000;
    return c;
}

}  // namespace bristle::validation::rough
