// A block on a slope: below the friction angle it stays for good, above it slides as the textbook says.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

namespace {

const double friction = 0.5, g = 9.81;  // holds up to atan 0.5 = 26.57 degrees

struct Slope {
    Model model;
    BodyId block;
    Vec3 down;
};

Slope slope(double degrees) {
    Slope s;
    const double angle = degrees * pi / 180;
    const Quat tilt = Quat::about({0, 1, 0}, angle);
    s.down = {std::cos(angle), 0, -std::sin(angle)};
    const Vec3 up{std::sin(angle), 0, std::cos(angle)}, size{1, 0.5, 0.5};
    const auto dry =
        s.model.add(Material{.static_friction = friction, .kinetic_friction = friction});
    s.block = s.model.add(Body::box(size, 1).at(0.5 * size.z * up, tilt));
    s.model.add(Shape{.body = s.block, .geometry = Box{size}, .material = dry});
    s.model.add(
        Shape{.body = Model::ground(), .geometry = Plane{}, .pose = {{}, tilt}, .material = dry});
    return s;
}

}  // namespace

int main() {
    const Slope gentle = slope(20);
    World rests(gentle.model, AugmentedLagrangian{.step = 5e-3});
    rests.advance_to(5);
    const Vec3 place = rests.pose(gentle.block).position;
    rests.advance_to(65);
    const double creep = norm(rests.pose(gentle.block).position - place);
    std::printf("20 degrees: moves %.1e m in a minute\n", creep);
    for (const Contact& c : rests.contacts())
        std::printf("  corner (%+.2f, %+.2f) carries %.3f N, %s\n", c.point.x, c.point.y,
                    norm(c.force), c.slips ? "slips" : "sticks");

    const Slope steep = slope(30);
    World slides(steep.model, AugmentedLagrangian{.step = 5e-3});
    slides.advance_to(1);  // by then it has sunk in as far as it presses
    const double before = dot(steep.down, slides.twist(steep.block).linear);
    slides.advance_to(4);
    const double gained = dot(steep.down, slides.twist(steep.block).linear) - before;
    const double exact = g * (std::sin(pi / 6) - friction * std::cos(pi / 6));
    std::printf("30 degrees: accelerates with %.6f m/s2, exact %.6f m/s2\n", gained / 3, exact);
    return creep < 1e-9 && std::abs(gained / 3 - exact) < 1e-6 ? 0 : 1;
}
