// Height fields that change while the simulation runs, and processes between its steps.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

namespace bristle {
namespace {

std::vector<Settings> solvers() {
    return {AugmentedLagrangian{.step = 5e-3}, Impulse{.step = 5e-3}};
}

HeightField flat(uint32_t columns, uint32_t rows, double spacing, double height = 0) {
    HeightField f{.columns = columns,
                  .rows = rows,
                  .spacing_x = spacing,
                  .spacing_y = spacing,
                  .heights = {}};
    f.heights.assign(size_t{columns} * rows, height);
    return f;
}

struct Site {
    explicit Site(Geometry body_shape = Box{{0.4, 0.4, 0.4}}, Vec3 at = {3, 3, 0.2}) {
        ground = model.add(Shape{.body = model.ground(), .geometry = flat(61, 61, 0.1)});
        body = model.add(Body::of(body_shape, 1000).at(at));
        model.add(Shape{.body = body, .geometry = body_shape});
    }
    Model model;
    ShapeId ground;
    BodyId body;
};

void lower(World& world, ShapeId ground, GridArea area, double to) {
    world.set_heights(ground, area, std::vector<double>(size_t{area.columns} * area.rows, to));
}
constexpr GridArea under{.column = 20, .row = 20, .columns = 21, .rows = 21};

TEST(Terrain, WhatLiesThereFallsAndWakes) {
    for (const Settings& settings : solvers()) {
        Site site;
        World world(site.model, settings);
        world.advance_to(2);
        const double before = world.pose(site.body).position.z;
        EXPECT_NEAR(before, 0.2, 0.005);
        lower(world, site.ground, under, -0.3);
        EXPECT_FALSE(world.is_asleep(site.body));
        world.step();
        EXPECT_LT(world.twist(site.body).linear.z, -0.04);
        world.advance_to(4);
        EXPECT_NEAR(world.pose(site.body).position.z, before - 0.3, 1e-4);
        EXPECT_EQ(world.height_field(site.ground).heights[30 * 61 + 30], -0.3);
    }
}

// Points of a field that are not as in a copy that was kept by what changed.
TEST(Terrain, WhoKeepsACopyIsToldWhereItChanged) {
    for (const Settings& settings : solvers()) {
        Site site;
        World world(site.model, settings);
        std::vector<double> copy = world.height_field(site.ground).heights;
        uint64_t version = 0;
        const auto look = [&] {
            std::vector<GridArea> areas;
            version = world.changed_heights(site.ground, version, areas);
            const HeightField& f = world.height_field(site.ground);
            for (const GridArea& a : areas)
                for (uint32_t r = a.row; r < a.row + a.rows; ++r)
                    for (uint32_t c = a.column; c < a.column + a.columns; ++c)
                        copy[r * f.columns + c] = f.heights[r * f.columns + c];
            EXPECT_EQ(copy, f.heights);
            return areas.size();
        };
        EXPECT_EQ(look(), 0u);
        const Snapshot start = world.snapshot();
        lower(world, site.ground, {.column = 3, .row = 40, .columns = 2, .rows = 2}, -0.1);
        EXPECT_EQ(look(), 1u);
        EXPECT_EQ(look(), 0u);
        const Snapshot dug = world.snapshot();
        lower(world, site.ground, {.column = 30, .row = 0, .columns = 3, .rows = 1}, -0.2);
        world.advance_to(0.1);
        EXPECT_EQ(look(), 2u);
        world.restore(dug);
        EXPECT_GE(look(), 2u);
        world.restore(start);
        look();
        // A change of the model is none of the ground.
        world.change([](Model& m) { m.add(Body::sphere(0.1, 1).at({0, 0, 9})); });
        EXPECT_EQ(look(), 0u);
        world.restore(dug);
        look();
        // Who knows nothing is told all that may differ from the start.
        version = 0;
        copy = flat(61, 61, 0.1).heights;
        look();
    }
}

TEST(Terrain, BodiesThatWereTakenOutComeBack) {
    Site site;
    const BodyId far = site.model.add(Body::sphere(0.2, 10).at({100, 0, 5}).moving({0, 0, 1}));
    World world(site.model, AugmentedLagrangian{.step = 5e-3, .take_out_beyond = 5});
    world.advance_to(2);
    ASSERT_TRUE(world.is_asleep(site.body));
    EXPECT_FALSE(world.is_asleep(far));
    lower(world, site.ground, {.column = 0, .row = 0, .columns = 5, .rows = 5}, -0.3);
    world.step();
    EXPECT_TRUE(world.is_asleep(site.body));
    lower(world, site.ground, under, -0.3);
    world.advance_to(2.5);
    EXPECT_NEAR(world.pose(site.body).position.z, -0.1, 0.005);
}

// What was pressed in by nobody pays nothing: a ball and a box are lifted out slowly.
TEST(Terrain, GroundThatRisesIntoABodyGivesItNoEnergy) {
    for (const Settings& settings : solvers())
        for (const double rise : {0.02, 0.1, 0.19})
            for (const Geometry& shape : {Geometry{Sphere{0.2}}, Geometry{Box{{0.4, 0.4, 0.4}}}}) {
                Site site(shape);
                World world(site.model, settings);
                world.advance_to(1);
                const double mass = world.model().bodies()[1].mass;
                const double start = world.energy().total();
                lower(world, site.ground, under, rise);
                double fastest = 0, most = start;
                for (int i = 0; i < 800; ++i) {
                    world.step();
                    fastest = std::max(fastest, norm(world.twist(site.body).linear));
                    most = std::max(most, world.energy().total());
                }
                EXPECT_LT(fastest, 1.1);
                // Lifted onto the ground that rose, no higher.
                EXPECT_LT(most - start, mass * 9.81 * (rise + 0.005));
            }
}

TEST(Terrain, MatchesAWorldThatBeganWithThoseHeights) {
    std::mt19937 random(3);
    for (const Settings& settings : solvers()) {
        Site site(Sphere{0.2}, {3, 3, 1.5});
        Site other = site;
        World changed(site.model, settings);
        HeightField f = flat(61, 61, 0.1);
        std::uniform_real_distribution<double> height(-0.5, 0.9);
        for (double& h : f.heights) h = height(random);
        changed.set_heights(site.ground, {.columns = 61, .rows = 61}, f.heights);
        Model model;
        model.add(Shape{.body = model.ground(), .geometry = f});
        model.add(Body::of(Sphere{0.2}, 1000).at({3, 3, 1.5}));
        model.add(Shape{.body = BodyId{1}, .geometry = Sphere{0.2}});
        World as_made(model, settings);
        changed.advance_to(1.5);
        as_made.advance_to(1.5);
        EXPECT_EQ(changed.pose(site.body), as_made.pose(BodyId{1}));
    }
}

TEST(Terrain, MovesAndMattersWhereItIs) {
    for (const Settings& settings : solvers()) {
        Site site;
        World world(site.model, settings);
        world.advance_to(1);
        const uint64_t there = world.hash();
        world.place_field(site.ground, {0, 0, -0.25});
        EXPECT_NE(world.hash(), there);
        EXPECT_NEAR(world.scenery().cast_ray({1, 1, 1}, {0, 0, -1}, 5)->distance, 1.25, 1e-12);
        EXPECT_NEAR(world.cast_ray({1, 1, 1}, {0, 0, -1}, 5)->distance, 1.25, 1e-12);
        world.advance_to(3);
        EXPECT_NEAR(world.pose(site.body).position.z, -0.05, 0.005);
        world.place_field(site.ground, {100, 0, 0});
        EXPECT_FALSE(world.scenery().cast_ray({1, 1, 1}, {0, 0, -1}, 5));
        world.advance_to(3.5);
        EXPECT_LT(world.pose(site.body).position.z, -0.5);
    }
}

TEST(Terrain, BoxesFollowHeightsFarAboveTheFirst) {
    for (const Settings& settings : solvers()) {
        Site site(Sphere{0.2}, {3, 3, 20});
        World world(site.model, settings);
        lower(world, site.ground, {.column = 29, .row = 29, .columns = 3, .rows = 3}, 19.5);
        EXPECT_NEAR(world.scenery().cast_ray({3, 3, 30}, {0, 0, -1}, 50)->distance, 10.5, 1e-12);
        world.advance_to(0.4);
        EXPECT_GT(world.pose(site.body).position.z, 19.6);
    }
}

TEST(Terrain, IsInSnapshotsAndTheHash) {
    for (const Settings& settings : solvers()) {
        Site site;
        World world(site.model, settings), other(site.model, settings);
        world.advance_to(1);
        const uint64_t calm = world.hash();
        const size_t small = world.snapshot().bytes().size();
        lower(world, site.ground, {.column = 40, .row = 3, .columns = 2, .rows = 2}, 0.3);
        EXPECT_NE(world.hash(), calm);
        lower(world, site.ground, {.column = 40, .row = 3, .columns = 2, .rows = 2}, 0);
        EXPECT_EQ(world.hash(), calm);
        EXPECT_EQ(world.snapshot().bytes().size(), small);
        lower(world, site.ground, under, -0.1);
        world.advance_to(1.05);
        const Snapshot kept = world.snapshot();
        const Snapshot as_bytes(kept.origin(), kept.equations(), kept.bytes());
        world.advance_to(1.3);
        lower(world, site.ground, {.column = 0, .row = 0, .columns = 61, .rows = 61}, 0.02);
        world.place_field(site.ground, {0.01, 0, 0});
        world.advance_to(1.5);
        const uint64_t then = world.hash();
        for (World* w : {&world, &other})
            for (const Snapshot& s : {kept, as_bytes}) {
                w->restore(s);
                EXPECT_EQ(w->height_field(site.ground).heights[30 * 61 + 30], -0.1);
                EXPECT_EQ(w->height_field(site.ground).heights[0], 0);
                w->advance_to(1.3);
                lower(*w, site.ground, {.column = 0, .row = 0, .columns = 61, .rows = 61}, 0.02);
                w->place_field(site.ground, {0.01, 0, 0});
                w->advance_to(1.5);
                EXPECT_EQ(w->hash(), then);
            }
    }
}

TEST(Terrain, DamagedBytesAreRefusedAndNothingHasHappened) {
    std::mt19937 random(5);
    for (const Settings& settings : solvers()) {
        Site site;
        World world(site.model, settings);
        lower(world, site.ground, under, -0.1);
        world.advance_to(0.1);
        const Snapshot good = world.snapshot();
        const uint64_t hash = world.hash();
        int refused = 0;
        for (int i = 0; i < 300; ++i) {
            std::vector<std::byte> bytes = good.bytes();
            for (int k = 0; k < 3; ++k)
                bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 + random() % 255);
            if (i % 3 == 0) bytes.resize(random() % bytes.size());
            try {
                world.restore(Snapshot(good.origin(), good.equations(), bytes));
                world.step();
                world.restore(good);
            } catch (const InputError&) {
                ++refused;
            } catch (const SimulationError&) {
                world.restore(good);
            }
            ASSERT_EQ(world.hash(), hash);
        }
        EXPECT_GT(refused, 100);
    }
}

TEST(Terrain, OutlivesChangesOfTheModel) {
    for (const Settings& settings : solvers()) {
        Site site;
        World world(site.model, settings);
        lower(world, site.ground, under, -0.1);
        world.place_field(site.ground, {0, 0, -0.05});
        world.advance_to(1);
        const Snapshot before = world.snapshot();
        const uint64_t hash = world.hash();
        ShapeId second;
        world.change([&](Model& m) {
            m.add(Body::sphere(0.1, 5).at({1, 1, 2}));
            second = m.add(Shape{.body = m.ground(), .geometry = flat(11, 11, 0.1, 0.5)});
        });
        EXPECT_EQ(world.height_field(site.ground).heights[30 * 61 + 30], -0.1);
        EXPECT_EQ(world.field_pose(site.ground).position, (Vec3{0, 0, -0.05}));
        lower(world, second, {.column = 1, .row = 1}, 0.7);
        world.advance_to(1.5);
        EXPECT_NEAR(world.pose(site.body).position.z, 0.05, 0.005);
        EXPECT_THROW(world.change([&](Model& m) {
            m.remove(second);
            throw InputError("no");
        }),
                     InputError);
        EXPECT_EQ(world.height_field(second).heights[12], 0.7);
        const Snapshot after = world.snapshot();
        const uint64_t later = world.hash();
        world.restore(before);
        EXPECT_EQ(world.hash(), hash);
        EXPECT_THROW(static_cast<void>(world.height_field(second)), InputError);
        world.restore(after);
        EXPECT_EQ(world.hash(), later);
        EXPECT_EQ(world.height_field(second).heights[12], 0.7);
        // A world of the model as it is now has those heights.
        World again(world.model_now(), settings);
        EXPECT_EQ(again.height_field(site.ground).heights[30 * 61 + 30], -0.1);
        EXPECT_EQ(again.field_pose(site.ground).position, (Vec3{0, 0, -0.05}));
    }
}

TEST(Terrain, RefusesWhatIsNoField) {
    Site site;
    const ShapeId plane = site.model.add(Shape{.body = site.model.ground(), .geometry = Plane{}});
    World world(site.model);
    const std::vector<double> one{0.0}, bad{std::nan("")};
    EXPECT_THROW(world.set_heights(plane, {}, one), InputError);
    EXPECT_THROW(static_cast<void>(world.height_field(ShapeId{99})), InputError);
    EXPECT_THROW(world.set_heights(site.ground, {.column = 61}, one), InputError);
    EXPECT_THROW(world.set_heights(site.ground, {.column = 4294967295u, .columns = 2}, one),
                 InputError);
    EXPECT_THROW(world.set_heights(site.ground, {.columns = 2}, one), InputError);
    EXPECT_THROW(world.set_heights(site.ground, {}, bad), InputError);
    EXPECT_THROW(world.place_field(site.ground, {0, 0, std::nan("")}), InputError);
    world.set_heights(site.ground, {.column = 61, .columns = 0}, {});
}

// ---- Processes -----------------------------------------------------------------------------------------

// Counts steps, and lets the ground under the body sink a little in each.
struct Sinking final : Process {
    struct Memory final : ProcessMemory {
        uint64_t count = 0;
        void write(std::vector<std::byte>& out) const override {
            const auto bytes = std::as_bytes(std::span(&count, 1));
            out.insert(out.end(), bytes.begin(), bytes.end());
        }
        bool read(std::span<const std::byte> bytes) override {
            if (bytes.size() != sizeof count) return false;
            std::memcpy(&count, bytes.data(), sizeof count);
            return true;
        }
        uint64_t hash() const override { return count; }
    };
    explicit Sinking(ShapeId shape) : ground(shape) {}
    std::unique_ptr<ProcessMemory> start(World&) const override {
        return std::make_unique<Memory>();
    }
    void step(World& world, ProcessMemory& memory) const override {
        auto& m = dynamic_cast<Memory&>(memory);
        ++m.count;
        std::array<double, 21> row{};
        row.fill(-1e-3 * static_cast<double>(m.count));
        for (uint32_t r = 20; r < 41; ++r)
            world.set_heights(ground, {.column = 20, .row = r, .columns = 21, .rows = 1}, row);
    }
    ShapeId ground;
};

uint64_t count_of(const World& world, ProcessId id) {
    return dynamic_cast<const Sinking::Memory&>(world.memory(id)).count;
}

struct Meddling final : Process {
    std::unique_ptr<ProcessMemory> start(World&) const override {
        return std::make_unique<Sinking::Memory>();
    }
    void step(World& world, ProcessMemory&) const override {
        EXPECT_THROW(world.step(), InputError);
        EXPECT_THROW(world.change([](Model&) {}), InputError);
    }
};

TEST(Processes, NeitherStepNorChangeTheirWorld) {
    Site site;
    site.model.add(std::make_shared<const Meddling>());
    World world(site.model);
    world.step();
    EXPECT_EQ(world.statistics().steps, 1u);
    world.change([](Model&) {});
}

TEST(Processes, RunAfterEveryStepAndAreState) {
    for (const Settings& settings : solvers()) {
        Site site;
        const ProcessId id = site.model.add(std::make_shared<const Sinking>(site.ground));
        World world(site.model, settings), other(site.model, settings);
        world.advance_to(0.5);
        EXPECT_EQ(count_of(world, id), 100u);
        EXPECT_NEAR(world.height_field(site.ground).heights[30 * 61 + 30], -0.1, 1e-15);
        const Snapshot kept = world.snapshot();
        world.advance_to(1);
        EXPECT_NEAR(world.pose(site.body).position.z, 0, 0.02);
        const uint64_t then = world.hash();
        other.restore(Snapshot(kept.origin(), kept.equations(), kept.bytes()));
        EXPECT_EQ(count_of(other, id), 100u);
        other.advance_to(1);
        EXPECT_EQ(other.hash(), then);

        world.change([](Model& m) { m.add(Body::sphere(0.1, 1).at({0, 0, 9})); });
        EXPECT_EQ(count_of(world, id), 200u);
        world.change([&](Model& m) { m.remove(id); });
        EXPECT_THROW(static_cast<void>(world.memory(id)), InputError);
        world.advance_to(1.1);
        world.restore(kept);
        EXPECT_EQ(count_of(world, id), 100u);
        world.advance_to(1);
        EXPECT_EQ(world.hash(), then);
    }
}

}  // namespace
}  // namespace bristle
