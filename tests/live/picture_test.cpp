#include <bristle/picture.h>

#include <gtest/gtest.h>

namespace bristle {
namespace {

io::Scene ball_above_a_floor() {
    io::Scene scene;
    const BodyId ball = scene.model.add(Body::sphere(0.5, 1).at({0, 0, 1}).named("ball"));
    scene.model.add(Shape{.body = ball, .geometry = Sphere{0.5}});
    scene.model.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    scene.body_looks[ball.index] = {.color = {1, 0, 0}};
    return scene;
}
std::array<int, 3> pixel(const Picture& p, uint32_t x, uint32_t y) {
    const uint8_t* at = p.rgb.data() + 3 * (size_t{y} * p.width + x);
    return {at[0], at[1], at[2]};
}
std::vector<Pose> poses_of(const Model& model) {
    std::vector<Pose> out;
    for (const Body& b : model.bodies()) out.push_back({b.position, b.orientation});
    return out;
}

TEST(Painter, DrawsABodyInItsColourBeforeTheGround) {
    const io::Scene scene = ball_above_a_floor();
    const Picture picture =
        Painter(scene, {.width = 200, .height = 100}).paint(poses_of(scene.model));
    ASSERT_EQ(picture.rgb.size(), 3u * 200 * 100);
    const auto [red, green, blue] = pixel(picture, 100, 50);
    EXPECT_GT(red, 150);
    EXPECT_LT(green, 80);
    const auto [r, g, b] = pixel(picture, 5, 95);  // the ground is grey
    EXPECT_NEAR(r, b, 20);
    EXPECT_GT(g, 120);
}

TEST(Painter, CastsAShadowWhereTheSunDoesNotCome) {
    io::Scene scene = ball_above_a_floor();
    const PictureOptions from_above{.width = 160, .height = 160, .from = {0, 0, 1}, .distance = 4};
    const Painter painter(scene, from_above);
    std::vector<Pose> poses = poses_of(scene.model);
    const Picture with = painter.paint(poses);
    poses[1].position.z = 1000;  // out of the way
    const Picture without = painter.paint(poses);
    int darker = 0;
    for (uint32_t y = 0; y < 160; ++y)
        for (uint32_t x = 0; x < 160; ++x) {
            const auto a = pixel(with, x, y), b = pixel(without, x, y);
            const bool is_ball = a[0] > a[2] + 60;
            darker += !is_ball && a[1] + 20 < b[1];
        }
    EXPECT_GT(darker, 100);
}

TEST(Painter, SeesAllOfTheMotionThatIsToBeInThePicture) {
    const io::Scene scene = ball_above_a_floor();
    Painter painter(scene, {.width = 200, .height = 100, .from = {0, -1, 0}});
    std::vector<Pose> away = poses_of(scene.model);
    away[1].position.x = 3;
    painter.keep_in_picture(away);
    const Picture picture = painter.paint(away);
    int red = 0;
    for (uint32_t y = 0; y < 100; ++y)
        for (uint32_t x = 100; x < 200; ++x) {
            const auto p = pixel(picture, x, y);
            red += p[0] > p[1] + 60;
        }
    EXPECT_GT(red, 50);
}

// It was that of the model, whatever had been dug since.
TEST(Painter, DrawsGroundAsItIsNow) {
    io::Scene scene;
    HeightField hill{.columns = 21, .rows = 21, .spacing_x = 0.1, .spacing_y = 0.1, .heights = {}};
    hill.heights.assign(21 * 21, 0);
    const ShapeId ground = scene.model.add(
        Shape{.body = Model::ground(), .geometry = hill, .pose = {{-1, -1, 0}, {}}});
    scene.shape_looks[ground.index] = {.color = {0, 0.4F, 1}};
    const std::vector<Pose> poses = poses_of(scene.model);
    World world(scene.model);
    Painter painter(scene, {.width = 200, .height = 100, .from = {0, -1, 0}, .distance = 6});
    const auto blue = [](const Picture& p) {
        int count = 0;
        for (uint32_t y = 0; y < p.height; ++y)
            for (uint32_t x = 0; x < p.width; ++x) {
                const auto [r, g, b] = pixel(p, x, y);
                count += b > 2 * r && b > 80;
            }
        return count;
    };
    painter.take_ground(*painter.ground_of(world));
    const int edge_on = blue(painter.paint(poses));
    // A ridge of half a metre across the view.
    world.set_heights(ground, {.column = 0, .row = 10, .columns = 21, .rows = 1},
                      std::vector<double>(21, 0.5));
    const auto raised = painter.ground_of(world);
    EXPECT_EQ(blue(painter.paint(poses)), edge_on);
    painter.take_ground(*raised);
    EXPECT_GT(blue(painter.paint(poses)), edge_on + 300);
    world.place_field(ground, {-1, -1, -5000});
    painter.take_ground(*painter.ground_of(world));
    EXPECT_EQ(blue(painter.paint(poses)), 0);
}

TEST(Painter, RefusesWhatIsNoPicture) {
    const io::Scene scene = ball_above_a_floor();
    EXPECT_THROW(Painter(scene, {.width = 3}), InputError);
    EXPECT_THROW(Painter(scene, {.height = 100'000}), InputError);
    EXPECT_THROW(Painter(scene, {.from = {NAN, 0, 0}}), InputError);
}

}  // namespace
}  // namespace bristle
