// The excavator with its mapping: levers of forces with a memory are steered, logged, repeated and sent as drives are.
#include <bristle/world.h>

#include "live/devices/channels.h"
#include "live/picture/solid.h"
#include "live/show/simulation.h"
#include "live/wire/messages.h"
#include "live/wire/scene_message.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace bristle::live {
namespace {

const std::filesystem::path file = std::filesystem::path(SCENES_FOLDER) / "excavator.yaml";

struct Seat {
    explicit Seat(const std::string& guided = "0")
        : simulation(io::read_scene(file, {{"guided", guided}})),
          channels(simulation.world().model(), default_mapping(file)) {}
    void move(const char* control, double value) {
        for (const Input& input : channels.control("keyboard", control, value))
            simulation.apply(input);
    }
    void run(double seconds) {
        for (const double end = simulation.time() + seconds; simulation.time() < end - 1e-9;)
            simulation.advance();
    }
    double coordinate(const char* joint) const {
        return simulation.world().coordinate(simulation.world().model().joint(joint));
    }
    Simulation simulation;
    Channels channels;
};

TEST(ExcavatorByHand, MovesAsTheKeysSayByItsCircuitAndGuided) {
    for (const char* guided : {"0", "1"}) {
        Seat seat(guided);
        seat.run(0.5);
        const double boom = seat.coordinate("boom cylinder"),
                     bucket = seat.coordinate("bucket cylinder");
        seat.move("key k", 1);
        seat.run(1.5);
        seat.move("key k", 0);
        EXPECT_GT(seat.coordinate("boom cylinder"), boom + 0.15) << guided;
        seat.move("key l", 1);
        seat.run(1);
        seat.move("key l", 0);
        EXPECT_LT(seat.coordinate("bucket cylinder"), bucket - 0.15) << guided;
        seat.move("key arrowup", 1);
        seat.move("key arrowleft", 1);
        seat.run(3);
        EXPECT_GT(seat.simulation.world()
                      .pose(seat.simulation.world().model().body("undercarriage"))
                      .position.x,
                  2)
            << guided;
        EXPECT_GT(seat.coordinate("left kingpin"), 0.3) << guided;
        EXPECT_GT(seat.simulation.world()
                      .pose(seat.simulation.world().model().body("undercarriage"))
                      .position.y,
                  0.1);
        // Everything that is held is let go.
        for (const Input& input : seat.channels.release("keyboard")) seat.simulation.apply(input);
        seat.run(0.1);
        const World& world = seat.simulation.world();
        EXPECT_EQ(world.inputs(world.model().force("travel"))[0], 0);
        EXPECT_EQ(world.inputs(world.model().force("travel"))[1],
                  1);  // rests in the range it starts in
    }
}

TEST(ExcavatorByHand, ThrottleIsOnlyWhereThereIsAnEngine) {
    const auto has = [](const Seat& seat) {
        for (const ChannelInfo& channel : seat.channels.list())
            if (channel.name == "throttle") return true;
        return false;
    };
    EXPECT_TRUE(has(Seat("0")));
    EXPECT_FALSE(has(Seat("1")));
}

TEST(ExcavatorByHand, InputsOfForcesAreChannelsWithoutAMappingAndMistakesAreTold) {
    const Model model = io::read_scene(file).model;
    bool is_there = false;
    for (const ChannelInfo& channel : Channels(model).list())
        if (channel.name == "travel.range") {
            is_there = true;
            EXPECT_EQ(channel.low, 0);
            EXPECT_EQ(channel.high, 2);
            EXPECT_EQ(channel.value, 1);
        }
    EXPECT_TRUE(is_there);
    try {
        const Channels channels(model, "channels: {lift: {input: oil.bom}}\n", "inputs.yaml");
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "inputs.yaml:1:26: unknown input 'oil.bom'; did you mean 'oil.boom'?");
    }
}

TEST(ExcavatorByHand, ThePastIsThereAgainWithItsLevers) {
    Seat seat;
    const auto force = seat.simulation.world().model().force("oil");
    seat.run(0.5);
    seat.simulation.apply(CommandInput{force, 1, 0.7});
    seat.run(1);
    seat.simulation.apply(CommandInput{force, 1, -0.2});
    seat.run(1);
    const uint64_t then = seat.simulation.hash();
    seat.simulation.go_to(1);
    EXPECT_EQ(seat.simulation.world().inputs(force)[1], 0.7);
    seat.simulation.go_to(2.5);
    EXPECT_EQ(seat.simulation.hash(), then);
    EXPECT_THROW(seat.simulation.apply(CommandInput{force, 99, 1}), InputError);
    EXPECT_THROW(seat.simulation.apply(CommandInput{{9999}, 0, 1}), InputError);
    EXPECT_THROW(seat.simulation.apply(CommandInput{force, 1, NAN}), InputError);
}

TEST(ExcavatorByHand, ALeverIsSentAndReadAgain) {
    const InputAt again = decode(encode(InputAt{7, CommandInput{{3}, 2, 0.25}}));
    EXPECT_EQ(again.step, 7u);
    const auto lever = std::get<CommandInput>(again.input);
    EXPECT_EQ(lever.force.index, 3u);
    EXPECT_EQ(lever.input, 2u);
    EXPECT_EQ(lever.value, 0.25);
}

// Barrels and rods look at each other, however far the cylinder is out.
TEST(ExcavatorByHand, PartsThatLookAtAnotherBodyLieAlongTheirCylinders) {
    const io::Scene scene = io::read_scene(file);
    World world(scene.model, scene.solver);
    world.command(scene.model.force("oil"), 1, 1);
    world.advance_to(2);
    const wire::Scene message = scene_message(scene, scene.model, 0);
    int seen = 0;
    size_t i = 0;
    const std::vector<DrawnPart> drawn = drawn_parts(message);
    for (const wire::Part& part : message.parts()) {
        if (part.kind() == wire::Part::PLANE) continue;
        const DrawnPart& d = drawn[i++];
        if (part.name() != "stick barrel") continue;
        ++seen;
        const Vec3 foot = world.point(scene.model.body("boom"), {2.9, 0, 0.76}),
                   eye = world.point(scene.model.body("stick"), {-0.736, 0, 0.313});
        const Pose pose = d.pose(world.poses());
        const Vec3 along = normalized(eye - foot);
        EXPECT_LT(norm(pose.position - (foot + 0.85 * along)), 1e-6);
        EXPECT_LT(norm(pose.orientation.matrix() * Vec3{0, 0, 1} - along), 1e-6);
    }
    EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace bristle::live
