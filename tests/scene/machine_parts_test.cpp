// Parts of machines in scene files: the same as in C++, written back to the same bits, and mistakes told at their place.
#include <bristle/scene.h>

#include "io/scene/quantities.h"
#include "machines/parts/brake.h"
#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"
#include "machines/parts/tyre.h"
#include "tests/scene/malformed.h"
#include "tests/scene/written_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::io {
namespace {

// A cart on two driven wheels with a mast that slides and a table that turns, and everything there is of parts.
const std::string cart = R"(materials: {mud: {}}
shapes: {ground: {type: plane, material: mud}}
bodies:
  cart: {mass: 800, inertia: [60, 90, 120], position: [0, 0, 0.6]}
  mast: {mass: 100, inertia: [9, 9, 3], position: [0, 0, 1.4]}
  table: {mass: 60, inertia: [5, 5, 9], position: [0.5, 0, 0.9]}
  left: {mass: 60, inertia: [4, 7, 4], position: [0, 0.8, 0.5]}
  right: {mass: 60, inertia: [4, 7, 4], position: [0, -0.8, 0.5]}
joints:
  upright: {type: planar, b: cart, at: [0, 0, 0.6], normal: y}
  lift: {type: prismatic, a: cart, b: mast, at: [0, 0, 1.4], axis: z}
  turn: {type: revolute, a: cart, b: table, at: [0.5, 0, 0.9], axis: z}
  left hub: {type: revolute, a: cart, b: left, at: [0, 0.8, 0.5], axis: y}
  right hub: {type: revolute, a: cart, b: right, at: [0, -0.8, 0.5], axis: y}
forces:
  oil:
    type: hydraulics
    engine: {power: 90 kW, throttle: 0.9}
    pump: {relief: 210 bar, margin: 18 bar}
    oil: {bulk_modulus: 1.2e9}
    sharing: none
    parts: 3
    functions:
      mast: {joint: lift, area_a: 2e-3, area_b: 1.1e-3, stroke: 1, retracted: -0.5, start_a: 5 bar, valve: {inlet_a: 1e-3, lag: 50 ms}, lever: 0.4*sin(3*t)}
      table: {joint: turn, area_a: 1e-4, area_b: 1e-4, valve: {inlet_a: 2e-4, inlet_b: 2e-4}}
  left tyre: {type: tyre, wheel: left, axle: [0, 3, 0], stiffness: 3e5, along: {friction: 1.1}, across: {shape: 1.4}, grip: {mud: 0.7}}
  right tyre: {type: tyre, wheel: right, tangential: printed, printed_speed: 0.1}
  train:
    type: drive_train
    power: 40 kW
    axles: [{left: left hub, right: right hub, lock_share: 0.1}]
    ranges: [{torque: 2e3, speed: 9}, {torque: 800, speed: 20}]
    pedal: {table: [[0, 0], [1, 0.7]]}
  table brake: {type: brake, joint: turn, effort: 300, start: 0.5}
)";

const StatefulForce& part(const Model& model, const char* name) {
    return model.stateful_forces()[model.forces()[model.force(name).index].index];
}

TEST(MachineParts, AreReadAsTheyAreMadeInCpp) {
    const Scene scene = parse_scene(cart);
    const auto circuit = machines::circuit_of(part(scene.model, "oil"));
    ASSERT_TRUE(circuit);
    EXPECT_EQ(circuit->engine.power, 90e3);
    EXPECT_EQ(circuit->pump.margin, 18e5);
    EXPECT_EQ(circuit->pump.band, machines::Pump{}.band);
    EXPECT_EQ(circuit->sharing, machines::Circuit::Sharing::none);
    EXPECT_EQ(circuit->parts, 3);
    ASSERT_EQ(circuit->functions.size(), 2u);
    EXPECT_EQ(circuit->functions[0].name, "mast");
    EXPECT_EQ(circuit->functions[0].joint, scene.model.joint("lift"));
    EXPECT_EQ(circuit->functions[0].valve.lag, 0.05);
    EXPECT_EQ(circuit->functions[1].stroke, 0);
    const auto tyre = machines::tyre_of(part(scene.model, "left tyre"));
    ASSERT_TRUE(tyre);
    EXPECT_EQ(tyre->axle, (Vec3{0, 1, 0}));
    EXPECT_EQ(tyre->across.friction, machines::Tyre{}.across.friction);
    EXPECT_EQ(tyre->across.shape, 1.4);
    ASSERT_EQ(tyre->grip.size(), 1u);
    EXPECT_EQ(tyre->grip[0].first, scene.model.material("mud"));
    const auto train = machines::drive_train_of(part(scene.model, "train"));
    ASSERT_TRUE(train);
    EXPECT_EQ(train->ranges.at(1).speed, 20);
    EXPECT_EQ(train->axles.at(0).right, scene.model.joint("right hub"));
    const auto brake = machines::brake_of(part(scene.model, "table brake"));
    ASSERT_TRUE(brake);
    EXPECT_EQ(brake->effort, 300);
    EXPECT_FALSE(machines::tyre_of(part(scene.model, "oil")));

    // The same calls give the same bits.
    Model model = parse_scene(cart.substr(0, cart.find("forces:"))).model;
    for (const StatefulForce& f : scene.model.stateful_forces()) {
        if (auto c = machines::circuit_of(f))
            machines::add_hydraulics(model, *c);
        else if (auto t = machines::tyre_of(f))
            machines::add_tyre(model, f.points[0], *t);
        else if (auto d = machines::drive_train_of(f))
            machines::add_drive_train(model, *d);
        else
            machines::add_brake(model, *machines::brake_of(f));
    }
    EXPECT_EQ(hash_after(model, scene.solver, 50), hash_after(scene.model, scene.solver, 50));
}

TEST(MachineParts, AreWrittenBackToTheSameBits) {
    for (const std::string& solver :
         {std::string("{step: 5 ms}"), std::string("{type: impulse, step: 5 ms}")}) {
        const Scene scene = parse_scene(cart + "solver: " + solver + "\n");
        const Scene again = written_and_read(scene);
        EXPECT_EQ(scene_text(again), scene_text(scene));
        EXPECT_EQ(hash_after(again.model, again.solver, 200),
                  hash_after(scene.model, scene.solver, 200));
    }
}

TEST(MachineParts, KeepTheOrderOfAllForces) {
    // A file of a model made in C++ has its ids: what is commanded by number means the same.
    Model model = parse_scene(cart.substr(0, cart.find("forces:"))).model;
    machines::add_tyre(model, model.body("left"), {.name = "a tyre"});
    model.add(Spring{.a = model.ground(),
                     .b = model.body("cart"),
                     .at_a = {0, 0, 3},
                     .at_b = {0, 0, 0.6},
                     .stiffness = 10,
                     .name = "rope"});
    machines::add_brake(model, {.joint = model.joint("turn")});
    const Model again = io::scene_of(model, AugmentedLagrangian{}).model;
    for (uint32_t i = 0; i < model.forces().size(); ++i)
        EXPECT_EQ(again.name(ForceId{i}), model.name(ForceId{i}));
    EXPECT_EQ(hash_after(again, AugmentedLagrangian{}, 20),
              hash_after(model, AugmentedLagrangian{}, 20));
}

TEST(MachineParts, FollowTheirFunctionsOfTimeAndRefuseCommandsThen) {
    const Scene scene = parse_scene(cart);
    for (const Settings& settings :
         {Settings(AugmentedLagrangian{.step = 5e-3}), Settings(Impulse{.step = 5e-3})}) {
        World world(scene.model, settings);
        const ForceId train = world.model().force("train"), oil = world.model().force("oil");
        EXPECT_THROW(world.command(train, machines::pedal, 1), InputError);
        EXPECT_NO_THROW(world.command(train, machines::service_brake, 0));
        world.advance_to(0.5);
        EXPECT_NEAR(world.inputs(train)[machines::pedal], 0.35, 1e-9);
        EXPECT_NEAR(world.inputs(oil)[machines::lever_of(0)], 0.4 * std::sin(1.5), 1e-9);
        EXPECT_EQ(world.inputs(oil)[machines::throttle], 0.9);
        EXPECT_GT(std::abs(world.coordinate_rate(world.model().joint("left hub"))), 0.1);
    }
}

TEST(MachineParts, CanBeReadByName) {
    const Scene scene = parse_scene(cart);
    World world(scene.model, scene.solver);
    world.advance_to(0.3);
    const auto read = [&](const char* name) {
        return quantities(world.model(), name).at(0).read(world);
    };
    const machines::HydraulicsNow now(*machines::circuit_of(part(scene.model, "oil")),
                                      world.memory(scene.model.force("oil")));
    EXPECT_EQ(read("oil.engine_speed"), now.engine_speed);
    EXPECT_EQ(read("oil.pump_pressure"), now.pump_pressure);
    EXPECT_NEAR(read("oil.pump_flow"), now.pump_flow, 1e-12);
    EXPECT_EQ(read("oil.table.pressure_b"), now.functions[1].pressure_b);
    EXPECT_NEAR(read("oil.mast.effort"),
                2e-3 * now.functions[0].pressure_a - 1.1e-3 * now.functions[0].pressure_b, 1e-9);
    EXPECT_EQ(read("left tyre.load"),
              machines::TyreNow(world.memory(scene.model.force("left tyre"))).load);
    EXPECT_GT(read("left tyre.load"), 0);
    EXPECT_EQ(read("table brake.input.lever"), 0.5);
    EXPECT_EQ(quantities(world.model(), "oil.pump_flow").at(0).unit, "m³/s");
}

TEST(MachineParts, GuidedFunctionsAreDrivesOfBothNames) {
    std::string text = cart;
    text.insert(text.find("    engine:"), "    guided: 1\n");
    const Scene scene = parse_scene(text);
    const DriveId mast = scene.model.drive("oil.mast");
    EXPECT_EQ(scene.model.drives()[mast.index].control, Drive::Control::hydraulic);
    EXPECT_TRUE(scene.model.drives()[mast.index].target);
    EXPECT_THROW(scene.model.force("oil"), InputError);
    EXPECT_EQ(hash_after(written_and_read(scene).model, scene.solver, 50),
              hash_after(scene.model, scene.solver, 50));
}

std::string with_force(const std::string& force) {
    return "bodies: {a: {type: box, size: [1, 1, 1], mass: 1}}\njoints:\n"
           "  slide: {type: prismatic, b: a, at: [0, 0, 0], axis: x}\n"
           "  turn: {type: revolute, b: a, at: [0, 0, 0], axis: x}\nforces:\n  f: "
         + force + "\n";
}

TEST(MachineParts, TellMistakesAtTheirPlace) {
    const Malformed cases[] = {
        {"MisspeltKey", with_force("{type: hydraulics, engin: {}, functions: {}}"),
         "scene.yaml:6:25: unknown key 'engin'; did you mean 'engine'?"},
        {"MisspeltKeyInside", with_force("{type: tyre, wheel: a, along: {fricton: 1}}"),
         "scene.yaml:6:37: unknown key 'fricton'; did you mean 'friction'?"},
        {"NoFunctions", with_force("{type: hydraulics}"),
         "scene.yaml:6:6: functions is missing; expected for example functions: {boom: {joint: "
         "slide, area_a: 0.0227, area_b: 0.0127, stroke: 1.2}}"},
        {"WrongDimension",
         with_force("{type: hydraulics, pump: {relief: 3 m}, functions: {b: {joint: slide, area_a: "
                    "1, area_b: 1, stroke: 1}}}"),
         "scene.yaml:6:40: relief is '3 m', which is in m; expected a number in Pa"},
        {"AreaOfAMotor",
         with_force("{type: hydraulics, functions: {b: {joint: turn, area_a: 1 m^2, area_b: 1}}}"),
         "scene.yaml:6:62: area_a is '1 m^2', which is in m^2; expected a number in m^3/rad"},
        {"StrokeOfAMotor",
         with_force(
             "{type: hydraulics, functions: {b: {joint: turn, area_a: 1, area_b: 1, stroke: 1}}}"),
         "scene.yaml:6:37: a motor has no stroke; leave it out, or name a joint that slides"},
        {"CylinderWithoutAStroke",
         with_force("{type: hydraulics, functions: {b: {joint: slide, area_a: 1, area_b: 1}}}"),
         "scene.yaml:6:37: stroke is missing; expected for example stroke: 1.2"},
        {"UnknownWheel", with_force("{type: tyre, wheel: b}"),
         "scene.yaml:6:26: unknown body 'b'; expected the name of a body that is defined before it "
         "is used"},
        {"UnknownGround", with_force("{type: tyre, wheel: a, grip: {grass: 0.5}}"),
         "scene.yaml:6:36: unknown material 'grass'; expected the name of a material that is "
         "defined before it is used"},
        {"NotAMap", with_force("{type: tyre, wheel: a, along: 1}"),
         "scene.yaml:6:36: along is '1'; expected a map, {…}"},
        {"SharesThatAreNotAll",
         with_force("{type: drive_train, axles: [{left: turn, right: turn, share: 0.5}]}"),
         "scene.yaml:6:3: drive train: the axles' shares are 0.5 together; they are to be 1"},
        {"NegativeEffort", with_force("{type: brake, joint: turn, effort: -1}"),
         "scene.yaml:6:41: effort is -1; expected a number in N*m above 0"},
        {"GuidedByMoreThanOne",
         with_force("{type: hydraulics, guided: 2, functions: {b: {joint: slide, area_a: 1, "
                    "area_b: 1, stroke: 1}}}"),
         "scene.yaml:6:33: guided is 2; expected an integer from 0 to 1"},
        {"LeverThatIsNoNumber", with_force("{type: brake, joint: turn, effort: 1, lever: 1/0}"),
         "scene.yaml:6:51: lever is inf; expected a number, an expression in t, or {table: [[t, "
         "value], …]}"},
    };
    for (const Malformed& c : cases) expect_mistakes(c);
}

}  // namespace
}  // namespace bristle::io
