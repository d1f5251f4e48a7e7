// A scene that is written says the same as the model it was made of, bit by bit.
#include "scenes/bodies.h"
#include "scenes/contacts.h"
#include "scenes/linkages.h"
#include "scenes/mechanisms.h"
#include "tests/scene/model_text.h"
#include "tests/scene/written_scene.h"
#include "tests/support/every_element.h"

#include <gtest/gtest.h>

namespace bristle::io {
namespace {

constexpr int steps = 20;

Scene made_of(const Model& model, const Settings& settings = AugmentedLagrangian{}) {
    Scene scene;
    scene.model = model;
    scene.solver = settings;
    return scene;
}

void expect_same_motion(const Model& model, const Settings& settings, const char* what) {
    const Scene read = written_and_read(made_of(model, settings));
    EXPECT_EQ(hash_after(read.model, read.solver, steps), hash_after(model, settings, steps))
        << what;
}

// What a file cannot say is taken out, which leaves gaps between the ids.
Model without_code(Model model) {
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (model.drives()[i].target && model.drives()[i].target.text().empty())
            model.remove(DriveId{i});
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        const auto [kind, k] = model.forces()[i];
        if ((kind == Model::ForceKind::user && !model.user_forces()[k].text)
            || (kind == Model::ForceKind::motor && model.motors()[k].effort
                && model.motors()[k].effort.text().empty())
            || (kind == Model::ForceKind::joint_spring && model.joint_springs()[k].law)
            || (kind == Model::ForceKind::spring && model.springs()[k].law))
            model.remove(ForceId{i});
    }
    return model;
}

TEST(SceneWriter, KeepsEveryBitOfTheScenesThatComeWithBristle) {
    for (const auto& file : all_scene_files()) {
        const Scene scene = read_scene(file), again = written_and_read(scene);
        EXPECT_EQ(text_of(again.model), text_of(scene.model)) << file;
        EXPECT_EQ(again.title, scene.title) << file;
        EXPECT_EQ(again.duration, scene.duration) << file;
        EXPECT_EQ(again.output_step, scene.output_step) << file;
        EXPECT_EQ(again.quantities, scene.quantities) << file;
        ASSERT_EQ(again.plots.size(), scene.plots.size()) << file;
        for (size_t i = 0; i < scene.plots.size(); ++i) {
            EXPECT_EQ(again.plots[i].x, scene.plots[i].x) << file;
            EXPECT_EQ(again.plots[i].y, scene.plots[i].y) << file;
        }
        EXPECT_EQ(scene_text(again), scene_text(scene)) << file;
    }
}

TEST(SceneWriter, KeepsTheMotionOfModelsMadeInCode) {
    const AugmentedLagrangian lagrangian{.step = 2e-3};
    const Impulse impulse{.step = 5e-3};
    const auto expect_same = [&](const Model& made, const char* what) {
        const Model model = without_code(made);
        expect_same_motion(model, lagrangian, what);
        expect_same_motion(model, impulse, what);
    };
    expect_same(scenes::pendulum().model, "pendulum");
    expect_same(scenes::four_bars(3).model, "four-bars");
    expect_same(scenes::andrews().model, "andrews");
    expect_same(scenes::flyball().model, "flyball");
    expect_same(scenes::dzhanibekov().model, "dzhanibekov");
    expect_same(scenes::double_pendulum().model, "double pendulum");
    expect_same(scenes::chain(10, 100).model, "chain");
    expect_same(scenes::machine15().model, "machine");
    expect_same(scenes::machine15(scenes::Machine15::Variant::on_wheels).model, "on wheels");
    expect_same(scenes::slider_crank(0.3, 1, time_function("2*pi*t")).model, "slider-crank");
    expect_same(scenes::bennett(), "bennett");
    expect_same(scenes::sarrus(), "sarrus");
    expect_same(scenes::rssr(), "rssr");
    expect_same(scenes::stewart().model, "stewart");
    expect_same(scenes::bouncing_ball().model, "bouncing ball");
    expect_same(scenes::ball_over_plate({}, 0.1).model, "plate");
    expect_same(scenes::colliding_balls({}).model, "balls");
    expect_same(scenes::pendulum_and_wall({}).model, "wall");
    expect_same(scenes::double_pendulum_and_floor({}).model, "floor");
    expect_same(scenes::falling_box(scenes::FallingBox::Foremost::corner, {}).model, "box");
    expect_same(scenes::falling_rod({}).model, "rod");
    expect_same(scenes::hanging_box({}).model, "hanging box");
    expect_same(scenes::block_on_incline(0.3).model, "incline");
    expect_same(scenes::stick_slip().model, "stick-slip");
    expect_same(scenes::rolling_cylinder().model, "cylinder");
    expect_same(scenes::resisted_ball(0.1, 1e-3, 0.1).model, "resisted ball");
    expect_same(scenes::spinning_ball(10, 1e-3, 0.1).model, "spinning ball");
    expect_same(scenes::box_stack(3).model, "box stack");
    expect_same(scenes::gripper(scenes::Gripper::Grip::force).model, "gripper");
    expect_same(scenes::chain_links(3, 0.1, 0.005).model, "chain links");
    for (const auto& [model, what] :
         {std::pair{scenes::stack(5).model, "stack"},
          std::pair{scenes::pyramid(4).model, "pyramid"},
          std::pair{scenes::stack(5, scenes::Motion::in_plane).model, "planar stack"},
          std::pair{scenes::ragdolls(1).model, "ragdoll"},
          std::pair{scenes::tumbler(5).model, "tumbler"},
          std::pair{scenes::joint_grid(3).model, "grid"}})
        expect_same_motion(model, impulse, what);
}

TEST(SceneWriter, KeepsTheMotionOfEveryKindOfJointInAnyPlaceWithIdsThatAreGone) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        Model model = without_code(testing_support::EveryElement(seed).model);
        model.remove(JointId{static_cast<uint32_t>(seed % model.joints().size())});
        model.remove(BodyId{1 + static_cast<uint32_t>(seed * 7 % (model.bodies().size() - 1))});
        expect_same_motion(model, AugmentedLagrangian{.step = 1e-3}, "augmented Lagrangian");
        expect_same_motion(model, Impulse{.step = 1e-3}, "impulse");
    }
}

TEST(SceneWriter, GoesOnWhereAWorldIs) {
    World world(without_code(testing_support::EveryElement(3).model), {.step = 1e-3});
    for (int i = 0; i < 50; ++i) world.step();
    const Model now = world.model_now();
    const Scene read = written_and_read(made_of(now));
    World again(read.model), own(now);
    // A solver's rotations may be an ulp off length one, which a file cannot say.
    for (uint32_t i = 1; i < again.poses().size(); ++i) {
        const uint32_t known = i;
        EXPECT_LT(norm(again.pose({i}).position - own.pose({known}).position), 1e-14);
    }
}

TEST(SceneWriter, WritesEveryGeometry) {
    Model model;
    const MaterialId steel = model.add(Material{.name = "steel", .young = 2e11}),
                     rubber = model.add(Material{.name = "rubber {soft}", .foundation = 1e7});
    model.add(ContactPair{steel,
                          rubber,
                          {.normal = ContactLaw::Normal::kelvin_voigt,
                           .damping = ContactLaw::Damping::published,
                           .stiffness = 1234.5,
                           .exponent = 1,
                           .spin = ContactLaw::Spin::published}});
    model.friction_rule = Combine::mean;
    model.restitution_rule = Combine::maximum;
    model.gravity = {0.1, 0, -1.6};
    const auto surface = std::make_shared<const TriangleMesh>(
        TriangleMesh{{{0, 0, 0}, {1.0 / 3, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                     {steel, steel, rubber, MaterialId{0}}});
    const BodyId body =
        model.add(Body::box({1, 2, 3}, 4).at({1, 1, 1}, Quat::about({1, 2, 3}, -1)));
    const Geometry all[] = {Sphere{0.1},
                            Box{{0.1, 0.2, 0.3}},
                            Capsule{0.1, 0},
                            Cylinder{0.1, 0.7},
                            Torus{0.5, 0.1, Torus::Arc::half},
                            ConvexPolyhedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.1}}},
                            Mesh{surface},
                            Mesh{surface, 50},
                            chain_link(0.02, 0.005, 0.03)};
    for (const Geometry& geometry : all)
        model.add(Shape{.body = body,
                        .geometry = geometry,
                        .pose = {{0, 0.1, 0}, Quat::about({0.3, 0.1, 2}, 0.1)},
                        .material = rubber,
                        .group = 2,
                        .mask = 5,
                        .name = "piece"});
    model.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    model.add(Shape{.body = Model::ground(),
                    .geometry = HeightField{2, 3, 0.5, 0.25, {0, 0.1, 0.2, 0.3, 0.4, 0.5}}});
    model.add(NoContact{Model::ground(), body});
    const std::string text = scene_text(made_of(model));
    const Scene read = parse_scene(text);
    const Scene named = scene_of(model, AugmentedLagrangian{});
    EXPECT_EQ(text_of(read.model), text_of(named.model));
    EXPECT_EQ(read.model.shapes()[1].name, "piece 2");
    EXPECT_EQ(read.model.materials()[2].name, "rubber (soft)");
    EXPECT_EQ(std::get<Mesh>(read.model.shapes()[6].geometry).surface,
              std::get<Mesh>(read.model.shapes()[7].geometry).surface)
        << "shapes of one mesh share it";
    const auto& original = model.shapes();
    for (size_t i = 0; i < original.size(); ++i) {
        EXPECT_EQ(std::visit(GeometryText{}, read.model.shapes()[i].geometry),
                  std::visit(GeometryText{}, original[i].geometry));
        EXPECT_EQ(text_of(read.model.shapes()[i].pose), text_of(original[i].pose));
    }
}

TEST(SceneWriter, WritesSettings) {
    const AugmentedLagrangian lagrangian{.step = 1.0 / 3000,
                                         .integrator = Integrator::generalized_alpha,
                                         .newmark_beta = 0.3,
                                         .newmark_gamma = 0.6,
                                         .hht_delta = 0.1,
                                         .rho_infinity = 0.7,
                                         .projection = Projection::mass,
                                         .max_iterations = 7,
                                         .penalty = 1e7,
                                         .take_out_beyond = 3,
                                         .threads = 2};
    const Impulse impulse{.step = 1.0 / 60,
                          .iterations = 7,
                          .correction = Impulse::Correction::baumgarte,
                          .direct = Impulse::Direct::never,
                          .error_reduction = 0.3,
                          .allowed_depth = 1e-3,
                          .resting_speed = 0.5,
                          .impacts = Impulse::Impacts::in_turn,
                          .sleep_after = unlimited,
                          .sleep_speed = 0.1,
                          .sleep_spin = 0.2,
                          .threads = 2};
    for (const Settings& settings : std::initializer_list<Settings>{
             lagrangian, impulse, Baumgarte{2e-3, 30, 0.7}, Penalty{2e-3, 1e6, 10, 0.5},
             IndependentCoordinates{3e-3}}) {
        const std::string text = scene_text(made_of({}, settings));
        const Scene read = parse_scene(text);
        EXPECT_EQ(read.solver.index(), settings.index());
        EXPECT_EQ(scene_text(read), text);
        EXPECT_EQ(step_of(read.solver), step_of(settings));
    }
    const Scene read = parse_scene(scene_text(made_of({}, impulse)));
    EXPECT_EQ(std::get<Impulse>(read.solver).sleep_after, unlimited);
    EXPECT_EQ(std::get<Impulse>(read.solver).threads, 2);
}

TEST(SceneWriter, WritesFunctionsWithTheValuesOfParameters) {
    const Scene scene = parse_scene(R"(
parameters: {size: -0.3, rate: 2*pi/3}
bodies: {arm: {type: rod, length: 0.8, mass: 2}}
joints: {pin: {type: revolute, b: arm, at: [0, 0, 0], axis: y}}
drives: {turn: {joint: pin, target: "size^2*sin(rate*t) + 5 deg"}}
forces:
  wind: {type: force, body: arm, at: [0.8, 0, 0], force: [size*vx, rate, 0], torque: [0, 0, "t > 1"]}
  table: {type: joint_spring, joint: pin, law: {table: [[-1, size], [1, rate]]}}
  motor: {type: motor, joint: pin, effort: {table: [[0, 0], [1, rate]]}}
  law: {type: spring, b: arm, at_a: [0, 0, 1], at_b: [0.8, 0, 0], law: rate*x + v*abs(v)}
)");
    EXPECT_EQ(scene.model.drives()[0].target.text(), "(-0.3)^2*sin(2.0943951023931953*t) + 5 deg");
    EXPECT_EQ(text_of(written_and_read(scene).model), text_of(scene.model));
}

TEST(SceneWriter, NamesWhatNoFileCanSay) {
    Model model;
    const BodyId arm = model.add(Body::rod(1, 1).named("arm"));
    const JointId pin =
        model.add(Revolute{.a = Model::ground(), .b = arm, .at = {}, .axis = {0, 1, 0}});
    model.add(Drive{.joint = pin, .target = [](double t) { return t; }, .name = "turn"});
    model.add(UserForce{.apply = [](const Kinematics&, ForceSink&) {}});
    const std::vector<std::string> list = unwritable(model);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_TRUE(list[0].starts_with("drive 'turn': its target is a function in code")) << list[0];
    EXPECT_TRUE(list[1].starts_with("force 0: it is a function in code")) << list[1];
    EXPECT_THROW(scene_text(made_of(model)), InputError);
    const Scene scene = scene_of(model, Impulse{}, "An arm");
    EXPECT_EQ(scene.unsaid, list);
    EXPECT_EQ(scene.name, "an-arm");
    EXPECT_EQ(scene.model.joints()[0].name, "joint 0");
}

TEST(SceneWriter, GivesNamesThatDoNotClash) {
    Model model;
    for (const char* name : {"", "body 1", "two\nlines", "ground", "a: b, \"c\" \\", "true", "7"})
        model.add(Body::point(1).named(name));
    const Scene read = written_and_read(made_of(model));
    const char* const names[] = {"ground",   "body 1",         "body 1 2", "two lines",
                                 "ground 2", "a: b, \"c\" \\", "true",     "7"};
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(read.model.bodies()[i].name, names[i]);
}

TEST(Functions, ComeFromExpressionsAndSayThem) {
    const TimeFunction f = time_function("0.1*sin(2*pi*t)");
    EXPECT_EQ(f(0.3), 0.1 * std::sin(2 * pi * 0.3));
    EXPECT_EQ(f.text(), "0.1*sin(2*pi*t)");
    EXPECT_EQ(force_law("100*x + 5*v")(0.2, 3), 100 * 0.2 + 5 * 3.0);
    EXPECT_THROW(time_function("sin(t"), InputError);
    EXPECT_THROW(point_force({1}, {}, {"1", "2"}), InputError);
    EXPECT_THROW(point_force({1}, {}, {}), InputError);
    EXPECT_EQ(TimeFunction(0.1).text(), "0.1");
    EXPECT_EQ(time_table({{0, 1}, {2, 3}})(5), 3);
    EXPECT_EQ(time_table({{0, 1}, {2, 3}}).text(), "{table: [[0, 1], [2, 3]]}");
}

}  // namespace
}  // namespace bristle::io
