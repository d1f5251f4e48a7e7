// Questions about shapes: a ray, the nearest point, the distance of two shapes, what is in a box.
#include <bristle/bristle.h>

#include <cstdio>

using namespace bristle;

int main() {
    Model model;
    const auto floor =
        model.add(Shape{.body = model.ground(), .geometry = Plane{}, .name = "floor"});
    const auto crate = model.add(Body::box({1, 1, 1}, 20).at({0, 0, 0.5}).named("crate"));
    const auto crate_shape =
        model.add(Shape{.body = crate, .geometry = Box{{1, 1, 1}}, .name = "crate"});
    const auto ball = model.add(Body::sphere(0.3, 2).at({2, 0, 0.3}).named("ball"));
    const auto ball_shape = model.add(Shape{.body = ball, .geometry = Sphere{0.3}, .name = "ball"});
    const World world(model);

    const auto hit = world.cast_ray({-5, 0, 0.4}, {1, 0, 0});
    if (!hit) return 1;
    std::printf("the ray meets %s after %.3f m\n", model.shapes()[hit->shape.index].name.c_str(),
                hit->distance);
    const auto near = world.closest_point(crate_shape, {1, 0, 0.5});
    std::printf("(1, 0, 0.5) is %.3f m from the crate\n", near->distance);
    const auto between = world.closest_points(ball_shape, crate_shape);
    std::printf("ball and crate are %.3f m apart\n", between->distance);
    const auto found = world.shapes_in_box({1.5, -1, 0.1}, {3, 1, 1});
    std::printf("the box holds %zu shape: %s\n", found.size(),
                model.shapes()[found[0].index].name.c_str());
    const bool nothing_up = !world.cast_ray({0, 3, 1}, {0, 0, 1});

    return hit->shape == crate_shape && std::abs(hit->distance - 4.5) < 1e-12
                && std::abs(near->distance - 0.5) < 1e-12
                && std::abs(between->distance - 1.2) < 1e-12 && found.size() == 1
                && found[0] == ball_shape && found[0] != floor && nothing_up
             ? 0
             : 1;
}
