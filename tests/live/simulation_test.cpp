#include "live/show/simulation.h"

#include "live/wire/protocol.pb.h"
#include "tests/live/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>

namespace bristle::live {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void run(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.advance();
}

// A minute of somebody's work: every kind of input.
void work(Simulation& s) {
    const auto model = [&s]() -> const Model& { return s.world().model(); };  // a change moves it
    run(s, 100);
    s.apply(CommandDrive{model().drive("push"), 0.5});
    run(s, 200);
    s.apply(Grab{model().body("arm"), {1, 0, 0}, {1, 0, 2.5}});
    run(s, 300);
    s.apply(MoveGrab{{0.5, 0, 2.8}});
    run(s, 300);
    s.apply(ReleaseGrab{});
    run(s, 100);
    s.apply(AddBody{.geometry = Sphere{0.1}, .position = {3, 0, 0.6}, .name = "ball"});
    run(s, 400);
    s.apply(AddSpring{.a = model().body("ball"),
                      .b = Model::ground(),
                      .at_b = {4, 0, 1},
                      .stiffness = 200,
                      .damping = 2});
    s.apply(AddJoint{.type = JointType::spherical,
                     .a = model().body("block"),
                     .b = Model::ground(),
                     .at = s.world().point(model().body("block"), {0.2, 0.15, 0.1})});
    run(s, 300);
    s.apply(CommandMotor{model().force("wind"), 3});
    run(s, 200);
    s.apply(Remove{model().body("ball")});
    run(s, 300);
}

// Keeps all it is told.
struct Notes : Tape {
    int scenes = 0;
    std::vector<InputAt> inputs;
    std::map<uint64_t, uint64_t> hashes;
    std::vector<uint64_t> frames;
    void scene(const std::shared_ptr<const wire::Scene>&) override { ++scenes; }
    void input(const InputAt& i) override { inputs.push_back(i); }
    void rewind(uint64_t to) override {
        std::erase_if(inputs, [to](const InputAt& i) { return i.step > to; });
        std::erase_if(hashes, [to](const auto& h) { return h.first > to; });
        std::erase_if(frames, [to](uint64_t step) { return step > to; });
    }
    void frame(const Frame& f) override { frames.push_back(f.step); }
    void keyframe(uint64_t step, double, uint64_t hash, Snapshot) override { hashes[step] = hash; }
};

TEST(Simulation, IsWhatTheWorldAloneWouldBe) {
    Simulation simulation(workshop());
    const io::Scene scene = workshop();
    World world(scene.model, scene.solver);
    run(simulation, 500);
    for (int i = 0; i < 500; ++i) world.step();
    EXPECT_EQ(simulation.hash(), world.hash());
    EXPECT_EQ(simulation.time(), world.time());
}

// What is shown after a failure is the moment before it, and all before that can be gone to.
TEST(Simulation, AfterAFailureItIsWhereItWasBefore) {
    io::Scene scene = workshop();
    scene.model.add(UserForce{.apply =
                                  [](const Kinematics& k, ForceSink&) {
                                      if (k.time() > 1.0005) throw std::runtime_error("too late");
                                  },
                              .bodies = {scene.model.body("block")},
                              .name = "fuse"});
    Simulation simulation(scene);
    EXPECT_THROW(run(simulation, 2000), std::runtime_error);
    const uint64_t reached = simulation.step();
    EXPECT_NEAR(simulation.time(), 1, 0.01);
    Frame frame;
    simulation.fill(frame);
    const std::vector<float> there = frame.poses;
    simulation.go_to(0.5);
    simulation.go_to(1);
    simulation.go_to(simulation.last_time());
    EXPECT_EQ(simulation.step(), reached);
    simulation.fill(frame);
    EXPECT_EQ(frame.poses, there);
    EXPECT_THROW(simulation.advance(), std::runtime_error);
    EXPECT_EQ(simulation.step(), reached);
}

TEST(Simulation, GoesBackTenSecondsAndComesToTheSameState) {
    Simulation simulation(workshop());
    simulation.apply(CommandMotor{simulation.world().model().force("wind"), 2});
    run(simulation, 6000);
    const double end = simulation.time();
    const uint64_t hash = simulation.hash();
    simulation.go_to(end - 10);
    EXPECT_NEAR(simulation.time(), end - 10, 1e-9);
    EXPECT_NE(simulation.hash(), hash);
    EXPECT_TRUE(simulation.is_repeating());
    run(simulation, 5000);
    EXPECT_EQ(simulation.hash(), hash);
    EXPECT_FALSE(simulation.is_repeating());
}

TEST(Simulation, AnyMomentOfThePastIsThereAgain) {
    Simulation simulation(workshop());
    work(simulation);
    // Computed in one go, by a second one that repeats.
    Simulation second(workshop());
    Notes notes;
    {
        Simulation third(workshop());
        third.record(std::shared_ptr<Tape>(&notes, [](Tape*) {}));
        work(third);
    }
    second.repeat(notes.inputs);
    std::map<uint64_t, uint64_t> hashes;
    while (second.step() < simulation.step()) {
        hashes[second.step()] = second.hash();
        second.advance();
    }
    EXPECT_EQ(second.hash(), simulation.hash());
    std::mt19937 random(7);
    const uint64_t last = simulation.step();
    for (int i = 0; i < 30; ++i) {
        const uint64_t step = random() % last;
        simulation.go_to(static_cast<double>(step) * simulation.step_length());
        ASSERT_EQ(simulation.step(), step);
        EXPECT_EQ(simulation.hash(), hashes[step]) << "at step " << step;
    }
    simulation.go_to(1e9);
    EXPECT_EQ(simulation.hash(), second.hash());
}

TEST(Simulation, ANewInputForgetsWhatWasAhead) {
    Simulation simulation(workshop());
    Notes notes;
    simulation.record(std::shared_ptr<Tape>(&notes, [](Tape*) {}));
    work(simulation);
    simulation.go_to(0.7);
    const Model& model = simulation.world().model();
    simulation.apply(CommandDrive{model.drive("push"), -1});
    EXPECT_FALSE(simulation.is_repeating());
    EXPECT_NEAR(simulation.last_time(), 0.7, 1e-9);
    run(simulation, 1000);
    // What is on the tape is what happened in the end.
    Simulation again(workshop());
    again.repeat(notes.inputs);
    for (const auto& [step, hash] : notes.hashes) {
        while (again.step() < step) again.advance();
        EXPECT_EQ(again.hash(), hash) << "at step " << step;
    }
    EXPECT_GE(notes.hashes.size(), 3u);
    EXPECT_TRUE(std::is_sorted(notes.frames.begin(), notes.frames.end()));
    while (again.step() < simulation.step()) again.advance();
    EXPECT_EQ(again.hash(), simulation.hash());
}

// Each command of a slider that is moved while all stands still leaves its rounding in the state.
TEST(Simulation, RepeatsAllCommandsOfAStep) {
    Simulation simulation(workshop());
    Notes notes;
    simulation.record(std::shared_ptr<Tape>(&notes, [](Tape*) {}));
    const DriveId drive = simulation.world().model().drive("push");
    run(simulation, 20);
    for (int i = 0; i < 200; ++i) simulation.apply(CommandDrive{drive, 0.1 * std::sin(i / 7.0)});
    run(simulation, 200);
    Simulation again(workshop());
    again.repeat(notes.inputs);
    while (again.step() < simulation.step()) again.advance();
    EXPECT_EQ(again.hash(), simulation.hash());
}

TEST(Simulation, RepeatingThePastPutsNothingOnTheTapeTwice) {
    Simulation simulation(workshop());
    Notes notes;
    simulation.record(std::shared_ptr<Tape>(&notes, [](Tape*) {}));
    work(simulation);
    const size_t inputs = notes.inputs.size(), frames = notes.frames.size();
    const int scenes = notes.scenes;
    const double end = simulation.last_time();
    simulation.go_to(0.3);
    while (simulation.time() < end - 1e-9) simulation.advance();
    EXPECT_EQ(notes.inputs.size(), inputs);
    EXPECT_EQ(notes.frames.size(), frames);
    EXPECT_EQ(notes.scenes, scenes);
}

TEST(Simulation, ATapeThatStartsLateStillHasAllInputs) {
    Simulation simulation(workshop());
    work(simulation);
    Notes notes;
    simulation.apply(CommandDrive{simulation.world().model().drive("push"), 0.1});
    simulation.record(std::shared_ptr<Tape>(&notes, [](Tape*) {}));
    run(simulation, 600);
    Simulation again(workshop());
    again.repeat(notes.inputs);
    ASSERT_FALSE(notes.hashes.empty());
    for (const auto& [step, hash] : notes.hashes) {
        while (again.step() < step) again.advance();
        EXPECT_EQ(again.hash(), hash) << "at step " << step;
    }
}

TEST(Simulation, TheHandHoldsABodyWhereThePointerIs) {
    Simulation simulation(workshop());
    const BodyId block = simulation.world().model().body("block");
    simulation.apply(Grab{block, {}, {3, 0, 1}});
    run(simulation, 2000);
    // k = m ω² with ω = 2π · 2 Hz: the weight stretches it by g / ω².
    const double sag = 9.81 / std::pow(4 * pi, 2);
    EXPECT_NEAR(simulation.world().pose(block).position.z, 1 - sag, 1e-4);
    Frame frame;
    simulation.fill(frame);
    ASSERT_EQ(frame.grab.size(), 9u);
    EXPECT_FLOAT_EQ(frame.grab[5], 1.0F);
    // The hand bears the weight, and nothing else.
    EXPECT_NEAR(frame.grab[8], 9.81 * simulation.world().model().bodies()[block.index].mass, 0.02);
    EXPECT_NEAR(frame.grab[6], 0, 1e-3);
    simulation.apply(ReleaseGrab{});
    run(simulation, 2000);
    EXPECT_NEAR(simulation.world().pose(block).position.z, 0.1, 2e-3);
    simulation.fill(frame);
    EXPECT_TRUE(frame.grab.empty());
}

// A ball, a bar and a plate that fall onto a floor, one of them held.
class Hand : public testing::TestWithParam<std::tuple<Settings, Geometry>> {
  protected:
    Hand() : simulation(scene()) {}

    static io::Scene scene() {
        const auto& [solver, geometry] = GetParam();
        io::Scene out;
        out.solver = solver;
        const BodyId body = out.model.add(Body::of(geometry, 1000).named("it").at({0, 0, 1}));
        out.model.add(Shape{.body = body, .geometry = geometry, .name = "it"});
        out.model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .name = "floor"});
        return out;
    }

    Simulation simulation;
    const BodyId it{1};
};

// A hand far outside of a body has a lever that the body's inertia is nothing beside: impulses took a bar that was held a metre
// away to 20,000 rad/s and on to what is no number, and every step after it failed.
TEST_P(Hand, IsRefusedWhereNothingOfTheBodyIs) {
    for (const Vec3 at :
         {Vec3{0.6, 0.5, 0.8}, Vec3{1e6, 0, 0}, Vec3{0, 1e6, 0}, Vec3{0, 0, -1e300}}) {
        const uint64_t hash = simulation.hash();
        try {
            simulation.apply(Grab{it, at, {3, 0, 5}});
            ADD_FAILURE() << "it was taken at " << at.x << ' ' << at.y << ' ' << at.z;
        } catch (const InputError& refused) {
            EXPECT_NE(std::string(refused.what()).find("far outside of 'it'"), std::string::npos)
                << refused.what();
        }
        EXPECT_EQ(simulation.hash(), hash);
    }
    run(simulation, 1000);
}

TEST_P(Hand, HoldsABodyWhereItIsSeenAndNearIt) {
    const Vec3 corner = [&] {
        const auto* box = std::get_if<Box>(&std::get<Geometry>(GetParam()));
        return box != nullptr ? 0.5 * box->size : Vec3{0.1, 0.1, 0.1};
    }();
    for (const double share : {0.0, 1.0, 1.4}) {
        simulation.apply(Grab{it, share * corner, {3, 0, 5}});
        double fastest = 0;
        for (int i = 0; i < 1500; ++i) {
            simulation.advance();
            fastest = std::max(fastest, norm(simulation.world().twist(it).angular));
        }
        EXPECT_LT(fastest, 200) << share << " of the way to its corner, and beyond";
        EXPECT_LT(norm(simulation.world().point(it, share * corner) - Vec3{3, 0, 5}), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, Hand,
    testing::Combine(testing::Values(Settings{AugmentedLagrangian{.step = 0.002}},
                                     Settings{AugmentedLagrangian{.step = 0.01}},
                                     Settings{Impulse{.step = 0.002}},
                                     Settings{Impulse{.step = 0.01}}),
                     testing::Values(Geometry{Sphere{0.1}}, Geometry{Box{{0.2, 0.02, 0.02}}},
                                     Geometry{Box{{0.2, 0.2, 0.002}}})));

// A light link of a heavy machine, by its end: the hand was as strong as the machine is heavy, and shook the link under impulses.
TEST(Simulation, TheHandHoldsALightLinkOfSomethingHeavy) {
    for (const double step : {0.002, 0.01}) {
        io::Scene scene;
        scene.solver = Impulse{.step = step};
        const BodyId block = scene.model.add(Body::box({1, 1, 1}, 5000).at({0, 0, 0.5}));
        scene.model.add(Shape{.body = block, .geometry = Box{{1, 1, 1}}, .name = "block"});
        const BodyId link = scene.model.add(Body::box({0.4, 0.05, 0.05}, 1).at({0.75, 0, 1}));
        scene.model.add(Shape{.body = link, .geometry = Box{{0.4, 0.05, 0.05}}, .name = "link"});
        scene.model.add(Revolute{.a = block, .b = link, .at = {0.55, 0, 1}, .axis = {0, 1, 0}});
        scene.model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .name = "floor"});
        Simulation simulation(scene);
        const Vec3 end{0.2, 0, 0}, to{0.55, 0, 1.4};
        simulation.apply(Grab{link, end, to});
        double fastest = 0;
        for (int i = 0; i < static_cast<int>(4 / step); ++i) {
            simulation.advance();
            fastest = std::max(fastest, norm(simulation.world().twist(link).angular));
        }
        EXPECT_LT(fastest, 30) << step;
        EXPECT_LT(norm(simulation.world().point(link, end) - to), 0.05) << step;
        EXPECT_LT(norm(simulation.world().twist(link).angular), 0.1) << step;
    }
}

TEST(Simulation, InAPlanarSceneAllThatIsAddedStaysInThePlane) {
    Simulation simulation(io::parse_scene(R"(
planar: true
bodies:
  crate: {type: box, size: [1, 1, 1], mass: 2, position: [0, 0, 0.5], material: default}
shapes: {floor: {type: plane}}
solver: {step: 2 ms}
)",
                                          "planar"));
    EXPECT_TRUE(simulation.scene()->is_planar());
    ASSERT_EQ(simulation.scene()->look_along_size(), 3);
    EXPECT_EQ(simulation.scene()->look_along(1), 1.0F);
    const auto body = [&](const char* name) { return simulation.world().model().body(name); };
    // A disc, a box at another height over the plane, a pin and a spring between them, and the hand that
    // pulls out of the plane, too.
    const Quat upright = Quat::about({1, 0, 0}, pi / 2);
    simulation.apply(AddBody{.geometry = Cylinder{0.3, 0.2},
                             .density = 10,
                             .position = {0, 0, 1.5},
                             .orientation = upright,
                             .name = "disc"});
    simulation.apply(
        AddBody{.geometry = Box{{0.4, 0.4, 0.4}}, .position = {1.5, 0.7, 1.5}, .name = "box"});
    simulation.apply(AddJoint{.type = JointType::revolute,
                              .a = body("box"),
                              .b = Model::ground(),
                              .at = {1.5, 0, 2},
                              .axis = {0, 1, 0}});
    simulation.apply(
        AddSpring{.a = body("disc"), .b = body("box"), .stiffness = 300, .damping = 5});
    run(simulation, 500);
    simulation.apply(Grab{body("crate"), {0.5, -0.5, 0.5}, {1, -2, 3}});
    run(simulation, 1000);
    const World& world = simulation.world();
    EXPECT_EQ(world.degrees_of_freedom(), 3 + 3 + 1);
    EXPECT_NEAR(world.pose(body("crate")).position.y, 0, 1e-8);
    EXPECT_NEAR(world.pose(body("disc")).position.y, 0, 1e-8);
    EXPECT_NEAR(world.pose(body("box")).position.y, 0.7, 1e-8);
    EXPECT_GT(world.pose(body("crate")).position.z, 1.5) << "the hand lifts it";
    const uint64_t hash = simulation.hash();
    const Quat oblique = Quat::about({1, 1, 0}, 0.4);
    EXPECT_THROW(simulation.apply(AddBody{.geometry = Box{{1, 1, 1}}, .orientation = oblique}),
                 InputError);
    EXPECT_THROW(simulation.apply(AddJoint{.type = JointType::revolute,
                                           .a = body("crate"),
                                           .b = Model::ground(),
                                           .axis = {1, 0, 0}}),
                 InputError);
    EXPECT_EQ(simulation.hash(), hash);
}

TEST(Simulation, ABodyThatWasTakenOutOfTheComputationCanBeHeld) {
    Simulation simulation(
        io::read_scene(std::filesystem::path(SCENES_FOLDER) / "field.yaml", {{"far", "20"}}));
    const BodyId box = simulation.world().model().body("box 25");
    run(simulation, 400);
    ASSERT_TRUE(simulation.world().is_asleep(box));
    const Vec3 start = simulation.world().pose(box).position;
    simulation.apply(Grab{box, {}, start + Vec3{0, 0, 1}});
    run(simulation, 400);
    EXPECT_NEAR(simulation.world().pose(box).position.z, start.z + 1 - 9.81 / std::pow(4 * pi, 2),
                1e-3);
}

TEST(Simulation, RemovingTheBodyThatIsHeldLetsItGo) {
    Simulation simulation(workshop());
    const BodyId block = simulation.world().model().body("block");
    simulation.apply(Grab{block, {}, {3, 0, 1}});
    run(simulation, 100);
    simulation.apply(Remove{block});
    run(simulation, 100);
    simulation.apply(MoveGrab{{1, 1, 1}});  // of a hand that is late
    run(simulation, 100);
    Frame frame;
    simulation.fill(frame);
    EXPECT_TRUE(frame.grab.empty());
}

TEST(Simulation, BadInputsChangeNothing) {
    Simulation simulation(workshop());
    run(simulation, 50);
    const uint64_t hash = simulation.hash();
    const BodyId arm = simulation.world().model().body("arm"), nobody{99};
    const Input bad[] = {
        CommandDrive{{7}, 1},
        CommandDrive{{0}, nan},
        CommandMotor{{9}, 1},
        Grab{nobody, {}, {}},
        Grab{Model::ground(), {}, {}},
        Grab{arm, {nan, 0, 0}, {}},
        MoveGrab{{0, nan, 0}},
        AddBody{.geometry = Sphere{-1}},
        AddBody{.geometry = Sphere{1}, .density = -1},
        AddBody{.geometry = Plane{}},
        AddBody{.geometry = Sphere{1}, .position = {nan, 0, 0}},
        AddBody{.geometry = Sphere{1}, .orientation = {0, 0, 0, 0}},
        AddBody{.geometry = Sphere{1}, .name = "arm"},
        AddSpring{.a = arm, .b = nobody, .stiffness = 1},
        AddSpring{.a = arm, .b = Model::ground(), .at_b = {1, 1, 1}, .stiffness = nan},
        AddJoint{.type = JointType::revolute, .a = arm, .b = Model::ground()},
        AddJoint{.type = JointType::gear, .a = arm, .b = Model::ground()},
        AddJoint{.type = JointType::fixed, .a = arm, .b = arm},
        Remove{nobody},
        Remove{Model::ground()},
        Remove{JointId{50}},
        Remove{ForceId{50}},
    };
    for (const Input& input : bad) {
        EXPECT_THROW(simulation.apply(input), InputError) << "input " << (&input - bad);
        EXPECT_EQ(simulation.hash(), hash) << "input " << (&input - bad);
    }
    EXPECT_FALSE(simulation.is_repeating());
    run(simulation, 10);
}

io::Scene plotted_workshop() {
    io::Scene scene = workshop();
    scene.quantities = {"pin.angle"};
    scene.plots = {{.title = "both", .x = {}, .y = {"arm.position", "block.position"}},
                   {.title = "turn", .x = {}, .y = {"pin.angle"}}};
    return scene;
}

// A joint that a plot named could be removed, and the message about the scene then threw: the change was there, its
// answer said no, and the next frame ended the program.
TEST(Simulation, WhatAPlotNamesCanBeRemoved) {
    Simulation simulation(plotted_workshop());
    simulation.wish({.quantities = {"pin.angle"}, .looks = {.reactions = true}});
    run(simulation, 5);
    simulation.apply(Remove{JointId{0}});
    simulation.apply(Remove{simulation.world().model().body("block")});
    run(simulation, 5);
    Frame frame;
    simulation.fill(frame);
    EXPECT_EQ(frame.revision, 3u);
    EXPECT_TRUE(std::isnan(frame.values.at(0)));
    ASSERT_EQ(simulation.scene()->plots_size(), 1) << "of the other nothing is left";
    EXPECT_EQ(simulation.scene()->plots(0).quantities_size(), 3);
}

// Whatever is asked for: what is refused leaves no trace, and what is done can be done again.
TEST(Simulation, ARefusedInputHasNotHappened) {
    std::mt19937 random(18);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (int round = 0; round < 6; ++round) {
        Simulation simulation(plotted_workshop());
        int refused = 0;
        for (int i = 0; i < 60; ++i) {
            const BodyId a{below(6)}, b{below(6)};
            const Vec3 somewhere{below(5) - 2.0, below(3) - 1.0, below(4) + 0.0};
            const auto type = static_cast<JointType>(below(8));
            const Input inputs[] = {
                Grab{a, somewhere, somewhere},
                ReleaseGrab{},
                MoveGrab{somewhere},
                CommandDrive{{below(2)}, 0.1},
                CommandMotor{{below(3)}, 0.1},
                AddBody{.geometry = Box{{0.1, 0.1, 0.1}}, .position = somewhere},
                AddSpring{.a = a, .b = b, .at_b = somewhere, .stiffness = 10},
                AddJoint{.type = type, .a = a, .b = b, .at = somewhere, .axis = {0, 0, 1}},
                Remove{a},
                Remove{JointId{below(4)}},
                Remove{ForceId{below(4)}},
            };
            const uint64_t hash = simulation.hash();
            const auto scene = simulation.scene();
            Frame before, after;
            simulation.fill(before);
            try {
                simulation.apply(inputs[below(std::size(inputs))]);
            } catch (const std::exception&) {
                ++refused;
                simulation.fill(after);
                ASSERT_EQ(simulation.hash(), hash);
                ASSERT_EQ(simulation.scene(), scene);
                ASSERT_EQ(after.grab, before.grab);
            }
            simulation.wish({.looks = {.reactions = true}});
            simulation.fill(after);
            try {
                run(simulation, 3);
            } catch (const SimulationError&) {
                break;
            }
        }
        EXPECT_GT(refused, 5);
        const uint64_t end = simulation.hash();
        const double time = simulation.time();
        simulation.go_to(0);
        simulation.go_to(time);
        EXPECT_EQ(simulation.hash(), end);
    }
}

// All edits of a moment are made again when it is passed again: that could take minutes, and nothing stopped it.
TEST(Simulation, StopsBetweenEditsThatAreMadeAgain) {
    Simulation simulation(workshop());
    for (int i = 0; i < 20; ++i)
        simulation.apply(AddBody{.geometry = Sphere{0.01}, .position = {0.1 * i, 0, 50}});
    run(simulation, 5);
    const uint64_t end = simulation.hash();
    const double time = simulation.time();
    simulation.go_to(0);
    int left = 7;
    simulation.set_patience([&] { return left-- > 0; });
    EXPECT_THROW(simulation.advance(), Stopped);
    EXPECT_EQ(simulation.step(), 0u);
    left = 15;
    EXPECT_THROW(simulation.go_to(time), Stopped);
    simulation.set_patience({});
    simulation.go_to(time);
    EXPECT_EQ(simulation.hash(), end);
}

// Each moment kept the description of its scene, all triangles included.
TEST(Simulation, DescribesOlderScenesAgainWhenSomebodyGoesThere) {
    Simulation simulation(workshop());
    const int bodies = simulation.scene()->bodies_size();
    std::weak_ptr<const wire::Scene> early;
    for (int i = 0; i < 40; ++i) {
        simulation.apply(AddBody{.geometry = Sphere{0.01}, .position = {0.1 * i, 0, 50}});
        if (i == 4) early = simulation.scene();
        // A moment is kept after each second.
        simulation.advance();
        while (std::abs(std::remainder(simulation.time(), 1)) > 1e-6) simulation.advance();
    }
    EXPECT_TRUE(early.expired());
    simulation.go_to(5);
    EXPECT_EQ(simulation.scene()->bodies_size(), bodies + 5);
    Frame frame;
    simulation.fill(frame);
    EXPECT_EQ(frame.revision, simulation.scene()->revision());
    EXPECT_EQ(frame.poses.size(), 7u * static_cast<size_t>(bodies + 5));
}

TEST(Simulation, WatchesWhatIsWished) {
    Simulation simulation(workshop());
    simulation.wish({.quantities = {"arm.position.x", "energy.total", "block.position.z"},
                     .looks = {.reactions = true},
                     .number = 4});
    run(simulation, 100);
    Frame frame;
    simulation.fill(frame);
    EXPECT_EQ(frame.watch, 4u);
    ASSERT_EQ(frame.values.size(), 3u);
    EXPECT_EQ(frame.values[1], simulation.world().energy().total());
    EXPECT_EQ(frame.reactions.size(), 6 * simulation.world().model().joints().size());
    EXPECT_EQ(frame.poses.size(), 7 * simulation.world().poses().size());
    EXPECT_GT(frame.contacts.size(), 0u);
    EXPECT_THROW(simulation.wish({.quantities = {"arm.position"}}), InputError);
    EXPECT_THROW(simulation.wish({.quantities = {"nobody.position.x"}}), InputError);
    simulation.apply(Remove{simulation.world().model().body("block")});
    run(simulation, 1);
    simulation.fill(frame);
    EXPECT_EQ(frame.values[0], simulation.world().pose({1}).position.x);
}

TEST(Simulation, TensionsAreThereWhenSomebodyLooksAtForces) {
    Simulation simulation(workshop());
    simulation.apply(AddSpring{.a = simulation.world().model().body("block"),
                               .b = Model::ground(),
                               .at_b = {4, 0, 1},
                               .stiffness = 100});
    simulation.apply(Grab{simulation.world().model().body("block"), {}, {2, 0, 0.5}});
    run(simulation, 100);
    Frame frame;
    simulation.fill(frame);
    EXPECT_TRUE(frame.tensions.empty());
    simulation.wish({.quantities = {}, .looks = {.reactions = true}});
    simulation.fill(frame);
    ASSERT_EQ(frame.tensions.size(), 1u);
    EXPECT_GT(frame.tensions[0], 1);
}

TEST(Simulation, ContoursAndSharedVolumesAreThereForWhomLooks) {
    io::Scene scene;
    const MaterialId rubber = scene.model.add(Material{.foundation = 1e6});
    const BodyId block = scene.model.add(Body::box({1, 0.5, 0.5}, 100).at({0, 0, 0.249}));
    scene.model.add(Shape{.body = block, .geometry = Box{{1, 0.5, 0.5}}, .material = rubber});
    scene.model.add(Shape{.body = Model::ground(),
                          .geometry = Box{{4, 4, 1}},
                          .pose = {{0, 0, -0.5}, {}},
                          .material = rubber});
    Simulation simulation(std::move(scene));
    run(simulation, 5);
    Frame frame;
    Surface volumes;
    simulation.fill(frame);
    simulation.fill_shared_volumes(volumes);
    EXPECT_TRUE(frame.contours.empty());
    EXPECT_TRUE(volumes.vertices.empty());

    simulation.wish({.quantities = {}, .looks = {.contours = true, .volumes = true}});
    simulation.fill(frame);
    simulation.fill_shared_volumes(volumes);
    // Round the block's foot, counter-clockwise seen from above.
    ASSERT_GE(frame.contours.size(), 4 * 6u);
    double area = 0;
    for (size_t i = 0; i < frame.contours.size(); i += 6) {
        const float* p = &frame.contours[i];
        area += 0.5 * double(p[0] * p[4] - p[1] * p[3]);
        EXPECT_NEAR(p[2], 0, 2e-3);
    }
    EXPECT_NEAR(area, 0.5, 1e-6);
    double volume = 0;
    const auto corner = [&](size_t i) {
        const float* p = &volumes.vertices[3 * volumes.triangles[i]];
        return Vec3{p[0], p[1], p[2]};
    };
    for (size_t i = 0; i < volumes.triangles.size(); i += 3)
        volume += dot(corner(i), cross(corner(i + 1), corner(i + 2))) / 6;
    const auto shared = simulation.world().shared_volumes();
    ASSERT_EQ(shared.size(), 1u);
    EXPECT_GT(shared[0].volume, 0);
    EXPECT_NEAR(volume, shared[0].volume, 1e-7);  // of floats, 0.5 m² · 6e-8 of a metre
}

TEST(Simulation, FillingAFrameAgainAllocatesNothingNew) {
    Simulation simulation(workshop());
    run(simulation, 100);
    Frame frame;
    simulation.fill(frame);
    const float* poses = frame.poses.data();
    run(simulation, 10);
    simulation.fill(frame);
    EXPECT_EQ(frame.poses.data(), poses);
}

TEST(SceneMessage, ShowsEveryBodyOfEveryScene) {
    for (const auto& file : std::filesystem::directory_iterator(SCENES_FOLDER)) {
        if (file.path().extension() != ".yaml") continue;
        const Simulation simulation(io::read_scene(file.path()));
        const wire::Scene& scene = *simulation.scene();
        std::vector<bool> is_drawn(static_cast<size_t>(scene.bodies_size()));
        for (const wire::Part& part : scene.parts()) {
            is_drawn[part.body()] = true;
            EXPECT_EQ(part.pose_size(), 7);
            for (const float size : part.size()) EXPECT_TRUE(std::isfinite(size));
        }
        for (size_t i = 1; i < is_drawn.size(); ++i)
            EXPECT_TRUE(is_drawn[i]) << file.path() << ": body " << i;
        ASSERT_EQ(scene.low_size(), 3);
        for (int i = 0; i < 3; ++i) EXPECT_LE(scene.low(i), scene.high(i)) << file.path();
        EXPECT_GT(scene.quantities_size(), 0);
        for (const wire::Plot& plot : scene.plots())
            for (const std::string& name : plot.quantities()) EXPECT_FALSE(name.empty());
    }
}

}  // namespace
}  // namespace bristle::live
