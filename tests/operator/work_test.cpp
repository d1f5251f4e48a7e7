// Digging, loading and standing firm, by the one who moves only levers.
#include "machines/operator/work.h"

#include "io/scene/scene_files.h"
#include "machines/earth/earth.h"
#include "machines/operator/dig_and_load.h"
#include "machines/operator/operator.h"
#include "tests/operator/run.h"
#include "tests/operator/site.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::machines {
namespace {

using testing_support::run;
using testing_support::Site;

TEST(Support, LiftsAllWheelsAndSetsThemDownAgain) {
    Site site;
    Operator driver(site.world.model(), std::make_unique<Support>(Support::How::wheels_off));
    EXPECT_EQ(run(site.world, driver, 40).state, Progress::State::done);
    for (const double load : driver.senses().wheel_load) EXPECT_LT(load, 4e3);
    EXPECT_LT(driver.senses().lean, 0.05);
    driver.take_on(std::make_unique<Support>(Support::How::retracted));
    EXPECT_EQ(run(site.world, driver, 40).state, Progress::State::done);
    site.world.advance_to(site.world.time() + 3);
    Eyes eyes(site.excavator);
    double sum = 0;
    for (const double load : eyes.look(site.world).wheel_load) sum += load;
    double mass = 0;
    for (size_t i = 1; i < site.world.model().bodies().size(); ++i)
        mass += site.world.model().bodies()[i].mass;
    EXPECT_NEAR(sum, 9.81 * mass, 0.05 * 9.81 * mass);
}

TEST(Work, LoadsATruckBucketByBucket) {
    const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
    World world(scene.model, scene.solver);
    auto job = std::make_unique<DigAndLoad>(world.model(), DigAndLoad::Wishes{.cycles = 2});
    const DigAndLoad& work = *job;
    Operator driver(world.model(), std::move(job));
    const EarthIds& ids = earth_of(world.model())->ids;
    const double before = EarthNow(world, ids).ledger.total();
    const Progress p = run(world, driver, 90);
    EXPECT_EQ(p.state, Progress::State::done) << p.why;
    EXPECT_EQ(work.tally().cycles, 2);
    EXPECT_EQ(work.tally().failures, 0);
    // Two buckets of 1.2 m³ of loose loam are 3 t; a good part of each must arrive.
    const EarthNow now(world, ids);
    EXPECT_GT(now.beds[0], 1800);
    EXPECT_GT(now.beds[0], 0.85 * work.tally().loaded);
    EXPECT_NEAR(now.ledger.total(), before, 1e-12 * before);
    EXPECT_LE(world.statistics().worst_iterations, 11);
    EXPECT_EQ(world.statistics().held_steps, 0U);
}

TEST(Work, GivesTheSameMotionAgain) {
    uint64_t hashes[2] = {};
    for (uint64_t& hash : hashes) {
        const io::Scene scene = io::read_scene(io::scene_file("excavator-site"));
        World world(scene.model, scene.solver);
        Operator driver(world.model(),
                        std::make_unique<DigAndLoad>(world.model(), DigAndLoad::Wishes{}));
        run(world, driver, 15);
        hash = world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// ---- What cannot be done -----------------------------------------------------------------------------------

TEST(Work, SaysThatThereIsNoEarth) {
    Site site;
    Operator driver(site.world.model(),
                    std::make_unique<DigAndLoad>(site.world.model(), DigAndLoad::Wishes{}));
    const Progress p = run(site.world, driver, 5);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_EQ(p.why, "there is no earth to dig");
}

TEST(Dig, SaysThatALineIsOutOfReach) {
    Site site;
    Operator driver(site.world.model(), std::make_unique<Dig>(Dig::Line{.far = 14, .near = 11}));
    const Progress p = run(site.world, driver, 60);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_EQ(p.why, "the line is out of reach");
}

// Rock: a plane that no bucket cuts. It is gone over, less and less deep, and left.
TEST(Dig, GivesUpOnGroundThatIsTooHard) {
    Site site;
    std::vector<std::unique_ptr<Manoeuvre>> parts;
    parts.push_back(std::make_unique<Support>(Support::How::wheels_off));
    parts.push_back(std::make_unique<Dig>(Dig::Line{.far = 7, .near = 4.5}));
    Operator driver(site.world.model(), std::make_unique<Sequence>("rock", std::move(parts)));
    double most = 0;
    const Progress p =
        run(site.world, driver, 120, [&] { most = std::max(most, driver.senses().lean); });
    EXPECT_EQ(p.state, Progress::State::done) << p.why;
    EXPECT_EQ(driver.senses().load, 0);
    EXPECT_LT(most, 0.2);
}

TEST(Follow, IsStalledByAWall) {
    const std::string ground =
        "shapes:\n  ground: {type: plane, material: ground}\n"
        "  wall: {type: box, size: [1, 8, 4], position: [7.2, 0, 2], material: ground}\n";
    Site site("", "", ground);
    Eyes eyes(site.excavator);
    const Senses s = eyes.look(site.world);
    ASSERT_TRUE(site.excavator.arm.reached({s.tip.reach + 2.8, s.tip.height, s.tip.attack}));
    Operator driver(
        site.world.model(),
        std::make_unique<Follow>(
            "pushes", std::vector<TipPath::Knot>{{s.teeth, s.tip.attack, 0.5},
                                                 {s.teeth + Vec3{2.8, 0, 0}, s.tip.attack, 0.5}}));
    const Progress p = run(site.world, driver, 30);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_EQ(p.why, "stalled");
    // The levers are let go, and it stands.
    site.world.advance_to(site.world.time() + 5);
    EXPECT_LT(norm(site.world.twist(site.excavator.undercarriage).linear), 0.02);
}

TEST(Reach, RunsOutOfTimeWhereItIsHeld) {
    // A swing that is braked cannot get there.
    Site site;
    const Senses s = Eyes(site.excavator).look(site.world);
    Hands hands(site.excavator);
    hands.move(Control::swing_brake, 1);
    for (const Command& c : hands.take()) carry_out(site.world, c);
    class Braked : public Reach {
      public:
        using Reach::Reach;
        Progress go(const Seat& seat) override {
            seat.hands.move(Control::swing_brake, 1);
            return Reach::go(seat);
        }
    };
    Operator driver(site.world.model(), std::make_unique<Braked>(1.5, s.tip, 0.05, 6.0));
    const Progress p = run(site.world, driver, 30);
    EXPECT_EQ(p.state, Progress::State::failed);
    EXPECT_NE(p.why.find("not done after 6 s"), std::string::npos) << p.why;
}

TEST(Excavator, SaysWhatIsMissing) {
    const io::Scene scene = io::read_scene(io::scene_file("pendulum"));
    EXPECT_THROW(Excavator{scene.model}, InputError);
}

TEST(Excavator, WorksByGuidedFunctionsToo) {
    Site site("guided: 1");
    const Excavator& e = site.excavator;
    const TipPose pose{6.5, 0.5, -1.6};
    Operator driver(site.world.model(), std::make_unique<Reach>(0.8, pose));
    const Progress p = run(site.world, driver, 30);
    EXPECT_EQ(p.state, Progress::State::done) << p.why;
    const Senses s = Eyes(e).look(site.world);
    EXPECT_NEAR(s.tip.reach, pose.reach, 0.06);
    EXPECT_NEAR(s.tip.height, pose.height, 0.06);
}

}  // namespace
}  // namespace bristle::machines
