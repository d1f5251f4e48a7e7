#include "live/devices/channels.h"

#include <bristle/error.h>

#include "live/show/simulation.h"
#include "tests/live/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>

namespace bristle::live {
namespace {

// A cart on a rail with a stop, a wheel, a drive that follows a function, and a motor of each kind.
Model model() {
    return io::parse_scene(R"(
bodies:
  cart: {type: box, size: [1, 1, 1], mass: 10, position: [0, 0, 1]}
  wheel: {type: cylinder, radius: 0.5, length: 0.1, mass: 2, position: [3, 0, 1]}
  clock: {type: rod, from: [5, 0, 0], to: [6, 0, 0], mass: 1}
joints:
  rail: {type: prismatic, b: cart, at: [0, 0, 1], axis: x}
  axle: {type: revolute, b: wheel, at: [3, 0, 1], axis: z}
  pin: {type: revolute, b: clock, at: [5, 0, 0], axis: y}
drives:
  place: {joint: rail, control: position}
  turn: {joint: axle, control: speed}
  tick: {joint: pin, control: speed, target: 2*pi}
limits:
  stops: {joint: rail, min: -0.2, max: 1.5}
forces:
  push: {type: motor, joint: rail}
  twist: {type: motor, joint: axle}
  wind: {type: motor, joint: axle, effort: sin(t)}
)",
                           "test")
        .model;
}

Channels channels(const std::string& text) { return {model(), text, "test.yaml"}; }

// The messages of a mapping that is wrong.
std::string mistakes(const std::string& text) {
    try {
        channels(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

double drive_value(const Input& input) { return std::get<CommandDrive>(input).value; }
double only_value(const std::vector<Input>& inputs) {
    EXPECT_EQ(inputs.size(), 1u);
    return inputs.size() == 1 ? drive_value(inputs[0]) : std::nan("");
}
double value_of(const Channels& all, const std::string& name) {
    for (const ChannelInfo& channel : all.list())
        if (channel.name == name) return channel.value;
    ADD_FAILURE() << "no channel " << name;
    return 0;
}

TEST(Channels, OfAValveGoFromMinusOneToOne) {
    const Channels all{
        io::parse_scene("bodies: {a: {type: box, size: [1, 1, 1], mass: 1}}\n"
                        "joints: {rail: {type: prismatic, b: a, at: [0, 0, 0], axis: z}}\n"
                        "drives: {lift: {joint: rail, control: hydraulic, max_speed: 2}}\n")
            .model};
    ASSERT_EQ(all.list().size(), 1u);
    EXPECT_EQ(all.list()[0].unit, "");
    EXPECT_EQ(all.list()[0].low, -1);
    EXPECT_EQ(all.list()[0].high, 1);
    EXPECT_EQ(all.list()[0].value, 0);
}

TEST(Channels, AreAllDrivesAndMotorsThatTakeCommands) {
    const Channels all{model()};
    const std::vector<ChannelInfo> list = all.list();
    ASSERT_EQ(list.size(), 4u);
    EXPECT_EQ(list[0].name, "place");
    EXPECT_EQ(list[0].unit, "m");
    EXPECT_EQ(list[0].low, -0.2);  // of the stops
    EXPECT_EQ(list[0].high, 1.5);
    EXPECT_EQ(list[1].name, "turn");
    EXPECT_EQ(list[1].unit, "rad/s");
    EXPECT_EQ(list[2].name, "push");
    EXPECT_EQ(list[2].unit, "N");
    EXPECT_EQ(list[2].high, 200);  // 13 kg weigh 128 N
    EXPECT_EQ(list[3].unit, "N*m");
    EXPECT_TRUE(Channels(Model{}).list().empty());
}

TEST(Channels, AreSetInTheirUnitAndClipped) {
    Channels all{model()};
    const Input input = all.set("turn", 0.25);
    EXPECT_EQ(std::get<CommandDrive>(input).drive, model().drive("turn"));
    EXPECT_EQ(drive_value(input), 0.25);
    EXPECT_EQ(drive_value(all.set("place", 7)), 1.5);
    EXPECT_EQ(drive_value(all.set("place", -7)), -0.2);
    EXPECT_EQ(value_of(all, "place"), -0.2);
    EXPECT_EQ(std::get<CommandMotor>(all.set("push", 3)).motor, model().force("push"));
    EXPECT_FALSE(std::signbit(drive_value(all.set("turn", -0.0))));

    Channels in_rpm = channels("channels: {turn: {drive: turn, unit: rpm, scale: 2*pi}}");
    EXPECT_NEAR(in_rpm.list()[0].high, 60, 1e-12);
    EXPECT_NEAR(drive_value(in_rpm.set("turn", 30)), M_PI, 1e-12);
}

TEST(Channels, RefuseWhatIsNotFiniteOrNotThere) {
    Channels all{model()};
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(all.set("turn", value), InputError);
        EXPECT_TRUE(all.control("keyboard", "key w", value).empty());
    }
    try {
        all.set("tunr", 1);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "there is no channel 'tunr'; did you mean 'turn'?");
    }
    EXPECT_TRUE(all.control("gamepad", "axis 0", 1).empty());
    EXPECT_TRUE(all.release("gamepad").empty());
}

TEST(Channels, AddUpTheirControlsAndReturnToTheCenter) {
    Channels all = channels(R"(
channels:
  turn: {drive: turn, scale: 2}
devices:
  keyboard: {w: turn, key s: -turn}
  gamepad: {axis 1: -0.5 turn, button 0: [0.25 turn]}
)");
    EXPECT_EQ(all.controls("keyboard"), (std::vector<std::string>{"key s", "key w"}));
    EXPECT_EQ(all.controls("gamepad"), (std::vector<std::string>{"axis 1", "button 0"}));
    EXPECT_TRUE(all.controls("mouse").empty());
    EXPECT_EQ(only_value(all.control("keyboard", "key w", 1)), 2);
    EXPECT_TRUE(all.control("keyboard", "key w", 1).empty());  // it repeats
    EXPECT_EQ(only_value(all.control("gamepad", "axis 1", 0.5)), 1.5);
    EXPECT_TRUE(all.control("keyboard", "key x", 1).empty());
    EXPECT_EQ(only_value(all.control("gamepad", "axis 1", -1)), 2);  // 1 + 0.5, clipped
    EXPECT_EQ(only_value(all.control("keyboard", "key s", 1)), 1);
    EXPECT_EQ(only_value(all.control("keyboard", "key w", 0)), -1);
    EXPECT_EQ(only_value(all.release("keyboard")), 1);
    EXPECT_TRUE(all.release("keyboard").empty());
    EXPECT_EQ(only_value(all.control("gamepad", "axis 1", 1e9)), -1);  // as far as it goes
    EXPECT_EQ(only_value(all.release("gamepad")), 0);
}

TEST(Channels, ShapeTheDeflection) {
    Channels all = channels(R"(
channels:
  turn: {drive: turn, center: 1, scale: 4, deadband: 0.2, curve: 2, low: -2}
devices:
  gamepad: {axis 0: turn}
)");
    EXPECT_EQ(value_of(all, "turn"), 1);
    const auto at = [&](double x) {
        all.control("gamepad", "axis 0", x);
        return value_of(all, "turn");
    };
    EXPECT_EQ(at(0.2), 1);
    EXPECT_EQ(at(-0.19), 1);
    EXPECT_NEAR(at(0.6), 1 + 4 * 0.25, 1e-12);
    EXPECT_NEAR(at(-0.6), 1 - 4 * 0.25, 1e-12);
    EXPECT_EQ(at(1), 5);
    EXPECT_EQ(at(-1), -2);
    EXPECT_EQ(at(0), 1);
}

TEST(Channels, ReleaseOnlyWhatADeviceHolds) {
    Channels all = channels(R"(
channels: {turn: {drive: turn, scale: 2}, place: {drive: place}}
devices:
  keyboard: {w: turn}
  program: {type: udp, port: 9000}
)");
    all.set("turn", 0.5);
    EXPECT_TRUE(all.release("keyboard").empty());
    EXPECT_EQ(value_of(all, "turn"), 0.5);
    EXPECT_EQ(only_value(all.control("program", "turn", 1.5)), 1.5);  // in its unit, not a position
    EXPECT_EQ(only_value(all.control("program", "place", 1)), 1);
    all.set("place", 0.25);  // somebody else has it now
    EXPECT_EQ(only_value(all.release("program")), 0);
    EXPECT_EQ(value_of(all, "place"), 0.25);
}

TEST(Mapping, UsesTheDefaultChannelsIfItNamesNone) {
    Channels all = channels("devices: {keyboard: {arrowup: turn, 1: push}}");
    EXPECT_EQ(all.list().size(), 4u);
    EXPECT_EQ(all.control("keyboard", "key arrowup", 1).size(), 1u);
    EXPECT_EQ(all.control("keyboard", "key 1", 1).size(), 1u);
}

TEST(Mapping, ReadsDevices) {
    const Channels all = channels(R"(
devices:
  wheel: {type: evdev, name: Racing Wheel, controls: {axis wheel: turn}}
  panel: {type: serial, path: /dev/ttyUSB0, baud: 9600, columns: [lever, pedal], controls: {lever: turn}}
  program: {type: udp, port: 9000, address: 0.0.0.0, timeout: 200 ms}
)");
    ASSERT_EQ(all.devices().size(), 3u);
    EXPECT_EQ(all.devices()[0].name, "wheel");
    EXPECT_EQ(std::get<EvdevSettings>(all.devices()[0].kind).name, "Racing Wheel");
    const auto& serial = std::get<SerialSettings>(all.devices()[1].kind);
    EXPECT_EQ(serial.path, "/dev/ttyUSB0");
    EXPECT_EQ(serial.baud, 9600u);
    EXPECT_EQ(serial.columns, (std::vector<std::string>{"lever", "pedal"}));
    EXPECT_EQ(serial.timeout, never);
    const auto& udp = std::get<UdpSettings>(all.devices()[2].kind);
    EXPECT_EQ(udp.port, 9000);
    EXPECT_EQ(udp.address, "0.0.0.0");
    EXPECT_EQ(udp.timeout, 0.2);
    EXPECT_EQ(all.controls("program").size(), 4u);
}

TEST(Mapping, TellsMistakesWithTheirPlace) {
    const struct {
        const char *text, *message;
    } cases[] = {
        {"chanels: {}", "test.yaml:1:1: unknown key 'chanels'; did you mean 'channels'?"},
        {"channels:\n  a: {drive: trun}",
         "test.yaml:2:14: unknown drive 'trun'; did you mean 'turn'?"},
        {"channels:\n  a: {drive: tick}",
         "test.yaml:2:14: drive 'tick' follows a function of time; expected one without target "
         "(leave it out in "
         "the scene)"},
        {"channels:\n  a: {motor: wind}",
         "test.yaml:2:14: motor 'wind' follows a function of time; expected one without effort "
         "(leave it out in "
         "the scene)"},
        {"channels:\n  a: {drive: turn, motor: push}",
         "test.yaml:2:6: drive and motor are both given; expected one of them"},
        {"channels:\n  a: {drive: turn, unit: mps}", "test.yaml:2:26: unit: "},
        {"channels:\n  a: {drive: turn, low: 2, high: 1}",
         "goes from 2 to 1; expected low below high"},
        {"channels:\n  a: {drive: turn, center: 9}", "rests at 9; expected a center from -1 to 1"},
        {"channels:\n  a: {drive: turn, deadband: 1}", "test.yaml:2:30: deadband is 1; expected"},
        {"channels:\n  a: {drive: turn, scale: -1}", "test.yaml:2:27: scale is -1; expected"},
        {"channels:\n  a: {drive: turn, scale: 0/0}", "test.yaml:2:27: scale is not a number"},
        {"channels: {a: {drive: turn}, b: {drive: turn}}", "channel 'a' commands the same"},
        {"devices:\n  keybord: {w: turn}",
         "test.yaml:2:3: unknown device 'keybord'; did you mean 'keyboard'?"},
        {"devices:\n  keyboard: {w: -trun}",
         "test.yaml:2:17: unknown channel 'trun'; did you mean 'turn'?"},
        {"devices:\n  keyboard: {w: {turn: 1}}",
         "test.yaml:2:17: 'key w' is a map; expected a channel"},
        {"devices:\n  p: {type: upd, port: 1}",
         "test.yaml:2:13: unknown type of device 'upd'; did you mean 'udp'?"},
        {"devices:\n  p: {type: udp, port: 70000}", "test.yaml:2:24: port is 70000; expected"},
        {"devices:\n  p: {type: udp}", "port is missing"},
        {"devices:\n  p: {type: serial, path: /dev/x, baud: 123}",
         "baud is 123; expected one of 1200, "},
        {"devices:\n  p: {type: evdev, controls: {axis x: turn}}", "name or path is missing"},
        {"devices:\n  p: {type: evdev, name: x}", "controls is missing"},
        {"devices:\n  mouse: {type: udp, port: 9}", "test.yaml:2:3: 'mouse' is the page's"},
        {"devices: [a]", "test.yaml:1:10: devices is a list of 1; expected a map"},
        {"[1]", "test.yaml:1:1: the file is a list of 1; expected channels and devices"},
        {"channels: {", "this is not YAML"},
    };
    for (const auto& [text, message] : cases)
        EXPECT_NE(mistakes(text).find(message), std::string::npos) << text << "\n"
                                                                   << mistakes(text);
    EXPECT_THROW(Channels(model(), std::filesystem::path("nowhere.yaml")), InputError);
}

TEST(Channels, MayBeUsedFromManyThreads) {
    Channels all = channels("devices: {keyboard: {w: turn}, gamepad: {axis 0: turn}}");
    {
        std::vector<std::jthread> threads;
        for (const char* device : {"keyboard", "gamepad"})
            threads.emplace_back([&all, device] {
                const std::string control = device == std::string("keyboard") ? "key w" : "axis 0";
                for (int i = 0; i < 2000; ++i) {
                    all.control(device, control, i % 3 * 0.5);
                    all.set("turn", 0.1);
                    all.list();
                }
                all.release(device);
            });
    }
    all.control("keyboard", "key w", 1);
    EXPECT_EQ(only_value(all.release("keyboard")), 0);
}

// A human, a program that sets channels and one that sends datagrams: the same commands, the same bits.
TEST(Channels, AreTheSameToTheSimulationWhoeverSteers) {
    const std::string mapping = R"(
channels: {cart: {drive: push, scale: 0.3 m/s}, arm: {motor: wind, scale: 15}}
devices:
  keyboard: {d: cart, a: -cart, w: arm}
  program: {type: udp, port: 9000}
)";
    const auto hash =
        [&](const std::function<void(Channels&, int, const std::function<void(Input)>&)>& steer) {
            Simulation simulation(workshop());
            Channels all(simulation.world().model(), mapping, "mapping");
            for (int i = 0; i < 200; ++i) {
                steer(all, i, [&](const Input& input) { simulation.apply(input); });
                simulation.advance();
            }
            return simulation.hash();
        };
    const auto each = [](const std::vector<Input>& inputs,
                         const std::function<void(Input)>& apply) {
        for (const Input& input : inputs) apply(input);
    };
    const uint64_t human = hash([&](Channels& all, int i, const auto& apply) {
        if (i == 10) each(all.control("keyboard", "key d", 1), apply);
        if (i == 20) each(all.control("keyboard", "key w", 1), apply);
        if (i == 80) each(all.control("keyboard", "key d", 0), apply);
        if (i == 90) each(all.control("keyboard", "key a", 1), apply);
        if (i == 150) each(all.release("keyboard"), apply);
    });
    const uint64_t program = hash([&](Channels& all, int i, const auto& apply) {
        if (i == 10) apply(all.set("cart", 0.3));
        if (i == 20) apply(all.set("arm", 15));
        if (i == 80) apply(all.set("cart", 0));
        if (i == 90) apply(all.set("cart", -0.3));
        if (i == 150) {
            apply(all.set("cart", 0));
            apply(all.set("arm", 0));
        }
    });
    const uint64_t datagrams = hash([&](Channels& all, int i, const auto& apply) {
        if (i == 10) each(all.control("program", "cart", 0.3), apply);
        if (i == 20) each(all.control("program", "arm", 15), apply);
        if (i == 80) each(all.control("program", "cart", 0), apply);
        if (i == 90) each(all.control("program", "cart", -0.3), apply);
        if (i == 150) each(all.release("program"), apply);
    });
    EXPECT_EQ(human, program);
    EXPECT_EQ(human, datagrams);
    EXPECT_NE(human, hash([](Channels&, int, const auto&) {}));
}

}  // namespace
}  // namespace bristle::live
