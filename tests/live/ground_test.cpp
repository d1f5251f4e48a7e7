// Ground that changes is told as it is, whoever asks and whenever.
#include "live/wire/ground.h"

#include <bristle/error.h>

#include "live/record/playback.h"
#include "live/record/recorder.h"
#include "live/show/simulation.h"
#include "tests/live/digging.h"
#include "tests/live/recordings.h"
#include "tests/live/room.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace bristle::live {
namespace {

HeightField random_field(std::mt19937& random, uint32_t columns, uint32_t rows, double spacing) {
    std::uniform_real_distribution<double> height(-3, 3);
    HeightField f{.columns = columns,
                  .rows = rows,
                  .spacing_x = spacing,
                  .spacing_y = 2 * spacing,
                  .heights = {}};
    for (size_t i = 0; i < size_t{columns} * rows; ++i) f.heights.push_back(height(random));
    return f;
}

// A scene with these fields, as the wire has it.
wire::Scene scene_of(const std::vector<HeightField>& fields) {
    wire::Scene scene;
    for (uint32_t i = 0; i < fields.size(); ++i) {
        wire::Part& part = *scene.add_parts();
        part.set_kind(wire::Part::FIELD);
        part.set_surface(i);
        for (const float p : {1.F, 2.F, 3.F, 1.F, 0.F, 0.F, 0.F}) part.add_pose(p);
        wire::Field& field = *scene.add_fields();
        encode(fields[i], FieldGrid::of(fields[i]), field);
        field.set_shape(10 * i);
    }
    return scene;
}

void expect_same(const GroundMirror& a, const GroundMirror& b,
                 const std::vector<uint32_t>& shapes) {
    for (const uint32_t shape : shapes) {
        ASSERT_NE(a.find(shape), nullptr);
        EXPECT_EQ(a.find(shape)->now, b.find(shape)->now);
        EXPECT_EQ(a.find(shape)->place, b.find(shape)->place);
    }
    const auto heaps = [](const GroundMirror& m) {
        std::vector<GroundNews::Heap> out;
        for (GroundNews::Heap heap : m.since(0).heaps)
            if (heap.columns > 0) out.push_back(std::move(heap));
        return out;
    };
    EXPECT_EQ(heaps(a), heaps(b));
}

// As it goes over the wire.
GroundNews sent(const GroundNews& news) {
    wire::Ground message, arrived;
    encode(news, message);
    EXPECT_TRUE(arrived.ParseFromString(message.SerializeAsString()));
    GroundNews out;
    decode(arrived, out);
    return out;
}

// ---- Grids -------------------------------------------------------------------------------------------

TEST(FieldGrid, TellsAllPointsUpToAMillionAndEndsWithTheField) {
    const auto grid = [](uint32_t columns, uint32_t rows) {
        return FieldGrid::of({.columns = columns, .rows = rows, .heights = {}});
    };
    EXPECT_EQ(grid(2, 2).points(), 4u);
    EXPECT_EQ(grid(1000, 1000).stride, 1u);
    EXPECT_EQ(grid(1024, 1024).stride, 1u);
    for (const auto& [columns, rows] :
         {std::pair{1025u, 1025u}, {2000u, 2001u}, {2u, 100'000u}, {5000u, 3u}}) {
        const FieldGrid g = grid(columns, rows);
        EXPECT_GT(g.stride, 1u);
        EXPECT_LE(g.points(), size_t{1} << 20);
        EXPECT_LE(std::max(g.columns, g.rows), 4096u);
        EXPECT_EQ((g.columns - 2) * g.stride + g.last_x, columns - 1);
        EXPECT_EQ((g.rows - 2) * g.stride + g.last_y, rows - 1);
        EXPECT_GE(g.last_x, 1u);
        EXPECT_LE(g.last_x, g.stride);
    }
}

TEST(FieldGrid, EveryChangedPointIsInATileThatIsTold) {
    std::mt19937 random(1);
    const auto below = [&](uint32_t n) { return std::uniform_int_distribution(0u, n - 1)(random); };
    for (int i = 0; i < 200; ++i) {
        const uint32_t columns = 2 + below(i % 4 == 0 ? 3000 : 90),
                       rows = 2 + below(i % 4 == 0 ? 1500 : 90);
        HeightField f{.columns = columns, .rows = rows, .heights = {}};
        f.heights.assign(size_t{columns} * rows, 0);
        const FieldGrid grid = FieldGrid::of(f);
        const uint32_t c = below(columns), r = below(rows);
        const GridArea area{c, r, 1 + below(columns - c), 1 + below(rows - r)};
        std::vector<int32_t> before = grid.heights(f, {0, 0, grid.columns, grid.rows});
        for (uint32_t y = 0; y < area.rows; ++y)
            for (uint32_t x = 0; x < area.columns; ++x)
                f.heights[size_t{r + y} * columns + c + x] = 1;
        std::vector<uint32_t> tiles;
        grid.add_tiles(f, area, tiles);
        for (const uint32_t tile : tiles) {
            ASSERT_LT(tile, grid.tiles());
            const GridArea a = grid.tile(tile);
            for (uint32_t y = 0; y < a.rows; ++y)
                for (uint32_t x = 0; x < a.columns; ++x)
                    before[size_t{a.row + y} * grid.columns + a.column + x] =
                        grid.heights(f, {a.column + x, a.row + y, 1, 1})[0];
        }
        ASSERT_EQ(before, told_heights(f)) << columns << " x " << rows;
    }
}

TEST(FieldGrid, TellsHeightsToATwoHundredthOfACellAndBoundsThem) {
    std::mt19937 random(2);
    const HeightField f = random_field(random, 20, 10, 0.05);
    const FieldGrid grid = FieldGrid::of(f);
    EXPECT_LE(grid.unit, 0.05 / 200);
    EXPECT_GT(grid.unit, 0.05 / 400);
    const std::vector<int32_t> told = told_heights(f);
    for (size_t i = 0; i < told.size(); ++i)
        EXPECT_NEAR(grid.unit * told[i], f.heights[i], grid.unit);
    const HeightField high{.columns = 2,
                           .rows = 2,
                           .spacing_x = 1e-6,
                           .spacing_y = 1e-6,
                           .heights = {1e9, -1e9, 0, 1}};
    EXPECT_EQ(told_heights(high)[0], 2147483647);
    EXPECT_EQ(told_heights(high)[1], -2147483647);
}

// ---- Messages ------------------------------------------------------------------------------------------

TEST(GroundNews, GoOverTheWireAndBack) {
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
        GroundNews news{.time = 1.5, .step = 7, .is_whole = i % 2 == 0};
        GroundNews::Tile tile{.shape = 3, .tile = 5, .columns = 1 + random() % 16, .heights = {}};
        for (uint32_t k = 0; k < tile.columns * (1 + random() % 16); ++k)
            tile.heights.push_back(static_cast<int32_t>(i < 50 ? random() : random() % 100));
        news.tiles = {tile};
        news.places = {{.shape = 1, .position = {1, -2, 3}, .is_away = true, .color = 0xabcdef}};
        GroundNews::Heap heap{.index = 2, .body = 4, .columns = 3, .points = {}, .color = 1};
        for (int k = 0; k < 18; ++k) heap.points.push_back(static_cast<int32_t>(random()));
        news.heaps = {heap};
        const GroundNews back = sent(news);
        EXPECT_EQ(back.step, 7u);
        EXPECT_EQ(back.is_whole, news.is_whole);
        EXPECT_EQ(back.tiles.at(0).heights, tile.heights);
        EXPECT_EQ(back.places, news.places);
        EXPECT_EQ(back.heaps, news.heaps);
    }
}

TEST(GroundNews, WhateverBytesSayChangesNoSizes) {
    std::mt19937 random(4);
    const wire::Scene scene =
        scene_of({random_field(random, 33, 20, 1), random_field(random, 5, 70, 1)});
    GroundMirror mirror;
    mirror.take(scene);
    const std::vector<int32_t> base = mirror.find(0)->now;
    int decoded = 0;
    for (int i = 0; i < 20000; ++i) {
        GroundNews news{.is_whole = random() % 4 == 0};
        for (uint32_t k = random() % 3; k > 0; --k) {
            const uint32_t columns = random() % 20;
            news.tiles.push_back(
                {10 * (random() % 3), static_cast<uint32_t>(random() % 12), columns, {}});
            news.tiles.back().heights.resize(columns * (random() % 20));
        }
        news.heaps.push_back({.index = static_cast<uint32_t>(random() % 4),
                              .columns = static_cast<uint32_t>(random() % 3),
                              .points = {}});
        news.heaps.back().points.resize(3 * (random() % 8));
        wire::Ground message;
        for (auto& t : news.tiles) t.columns = std::max(1u, t.columns);
        encode(news, message);
        std::string bytes = message.SerializeAsString();
        for (uint32_t k = random() % 4; k > 0 && !bytes.empty(); --k)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        wire::Ground arrived;
        if (!arrived.ParseFromString(bytes)) continue;
        try {
            decode(arrived, news);
        } catch (const InputError&) {
            continue;
        }
        ++decoded;
        mirror.take(news);
        ASSERT_EQ(mirror.find(0)->now.size(), size_t{33 * 20});
        ASSERT_EQ(mirror.find(10)->now.size(), size_t{5 * 70});
        ASSERT_EQ(mirror.find(20), nullptr);
    }
    EXPECT_GT(decoded, 5000);
    mirror.take(GroundNews{.is_whole = true});
    EXPECT_EQ(mirror.find(0)->now, base);
}

// ---- Mirrors -------------------------------------------------------------------------------------------

TEST(GroundMirror, WhoComesLateOrListensSeldomSeesTheSame) {
    std::mt19937 random(5);
    const auto below = [&](uint32_t n) { return std::uniform_int_distribution(0u, n - 1)(random); };
    const std::vector<HeightField> fields = {random_field(random, 50, 70, 1),
                                             random_field(random, 17, 3, 0.1)};
    const wire::Scene scene = scene_of(fields);
    struct Listener {
        GroundMirror mirror;
        uint64_t known = 0;
    };
    GroundMirror first;
    first.take(scene);
    EXPECT_EQ(first.find(0)->now, told_heights(fields[0]));
    std::vector<Listener> listeners(3);
    size_t most = 0;
    for (int i = 0; i < 3000; ++i) {
        GroundNews news{.time = 0.1 * i};
        const uint32_t k = below(2);
        const FieldGrid& grid = first.find(10 * k)->grid;
        const uint32_t tile = below(grid.tiles());
        const GridArea area = grid.tile(tile);
        GroundNews::Tile t{10 * k, tile, area.columns, {}};
        for (uint32_t p = 0; p < area.columns * area.rows; ++p)
            t.heights.push_back(static_cast<int32_t>(below(3)));
        news.tiles.push_back(std::move(t));
        if (below(10) == 0)
            news.places.push_back(
                {.shape = 10 * k, .position = {float(i), 0, 0}, .is_away = below(2) == 0});
        if (below(10) == 0) {
            GroundNews::Heap heap{
                .index = below(3), .body = 1, .columns = below(2) * 2, .points = {}};
            heap.points.assign(heap.columns * 6, static_cast<int32_t>(below(5)));
            news.heaps.push_back(std::move(heap));
        }
        if (below(300) == 0) news = {.is_whole = true};
        first.take(news);
        for (size_t l = 0; l < listeners.size(); ++l) {
            // One begins late, one is slow, one starts again now and then.
            if ((l == 0 && i < 1500) || (l == 1 && below(50) != 0)) continue;
            Listener& listener = listeners[l];
            if (l == 2 && below(200) == 0) listener = {};
            if (listener.known == 0) listener.mirror.take(scene);
            const GroundNews missed = sent(first.since(listener.known));
            most = std::max(most, missed.tiles.size());
            EXPECT_EQ(missed.is_whole, listener.known == 0);
            listener.mirror.take(missed);
            listener.known = first.version();
            expect_same(listener.mirror, first, {0, 10});
        }
    }
    // However long nobody listened, each tile comes once.
    EXPECT_LE(most, first.find(0)->grid.tiles() + first.find(10)->grid.tiles());
    EXPECT_TRUE(first.since(first.version()).is_empty());
}

// ---- Sessions ------------------------------------------------------------------------------------------

TEST(Ground, IsToldAsItIsForwardAndBack) {
    const Digging digging;
    Simulation simulation(digging.scene);
    GroundMirror mirror;
    mirror.take(*simulation.scene());
    uint64_t version = 0;
    size_t most_tiles = 0;
    const auto look = [&] {
        GroundNews news;
        version = simulation.ground(version, news);
        most_tiles = std::max(most_tiles, news.tiles.size());
        mirror.take(sent(news));
        const HeightField& now = simulation.world().height_field(digging.ground);
        EXPECT_EQ(mirror.find(digging.ground.index)->now, told_heights(now)) << simulation.time();
    };
    EXPECT_EQ(mirror.find(digging.ground.index)->now,
              told_heights(simulation.world().height_field(digging.ground)));
    for (int i = 0; i < 800; ++i) {
        simulation.advance();
        if (i % 7 == 0) look();
    }
    look();
    EXPECT_NE(mirror.find(digging.ground.index)->now, mirror.find(digging.ground.index)->base);
    // A small part of the field's 121 tiles.
    EXPECT_LT(most_tiles, 40u);
    for (const double time : {2.0, 0.5, 3.0, 0.0, 3.9}) {
        simulation.go_to(time);
        look();
        if (time == 0)
            EXPECT_EQ(mirror.find(digging.ground.index)->now,
                      mirror.find(digging.ground.index)->base);
    }
    // The scene tells what it was at the start, also after a change of the model.
    const std::vector<int32_t> base = mirror.find(digging.ground.index)->base;
    simulation.apply(AddBody{.geometry = Sphere{0.1}, .position = {0, 0, 3}});
    GroundMirror anew;
    anew.take(*simulation.scene());
    EXPECT_EQ(anew.find(digging.ground.index)->base, base);
    GroundNews all;
    simulation.ground(0, all);
    anew.take(all);
    EXPECT_EQ(anew.find(digging.ground.index)->now, mirror.find(digging.ground.index)->now);
    look();
}

TEST(Ground, WhatWaitsFarBelowIsAwayUntilItIsPlaced) {
    const Digging digging;
    Simulation simulation(digging.scene);
    const auto& scene = *simulation.scene();
    EXPECT_GT(scene.low(2), -100);
    GroundNews news;
    simulation.ground(0, news);
    int away = 0;
    for (const GroundNews::Place& p : news.places) {
        away += p.is_away ? 1 : 0;
        EXPECT_NE(p.color, 0u);  // the process says what it is made of
    }
    EXPECT_EQ(away, 8);
    EXPECT_FALSE(news.places.at(0).is_away);
}

TEST(Ground, ProcessesShowWhatFliesAndWhatLies) {
    const Digging digging;
    Simulation simulation(digging.scene);
    Frame frame;
    size_t most_grains = 0;
    bool was_in_bucket = false, was_in_bed = false;
    while (simulation.time() < Digging::period) {
        simulation.advance();
        if (simulation.step() % 20 != 0) continue;
        simulation.fill(frame);
        ASSERT_EQ(frame.grains.size(), 4 * frame.grain_colors.size());
        const machines::EarthNow now(simulation.world(), digging.ids);
        EXPECT_EQ(frame.grain_colors.size(), now.parcels);
        most_grains = std::max(most_grains, now.parcels);
        GroundNews news;
        simulation.ground(0, news);
        ASSERT_EQ(news.heaps.size(), 2u);
        EXPECT_EQ(news.heaps[0].body, digging.bucket.index);
        EXPECT_EQ(news.heaps[0].columns > 0, now.buckets[0].mass > 1) << simulation.time();
        EXPECT_EQ(news.heaps[1].columns > 0, now.beds[0] > 0) << simulation.time();
        was_in_bucket |= now.buckets[0].mass > 100;
        was_in_bed |= now.beds[0] > 100;
        // Within the bucket, or heaped over it by less than half a metre.
        for (size_t i = 0; i + 2 < news.heaps[0].points.size(); i += 3) {
            const double x = news.heaps[0].points[i] / double(wire::HEAP_UNITS),
                         y = news.heaps[0].points[i + 1] / double(wire::HEAP_UNITS);
            EXPECT_GT(x, -1.15);
            EXPECT_LT(x, 0.05);
            EXPECT_LE(std::abs(y), 0.501);
        }
    }
    EXPECT_GT(most_grains, 5u);
    EXPECT_TRUE(was_in_bucket);
    EXPECT_TRUE(was_in_bed);
}

// ---- Hub -----------------------------------------------------------------------------------------------

TEST(Ground, ComesToAllWhoLookAndToWhoComesLate) {
    Room room;
    Guest first(room);
    first.hello();
    const Digging digging;
    Opened opened;
    opened.show = std::make_unique<Simulation>(digging.scene);
    room.hub->open("digging", std::move(opened));
    first.ask("pause");
    first.ask("seek", {{"time", 0.0}});
    first.ask("step", {{"count", 400}});
    first.wait_for_state([](const wire::State& s) { return s.step() == 400; });
    Guest late(room);
    late.hello("VIEWER", "viewer token", "late");
    late.wait([&] { return late.grounds > 0 ? Json(true) : Json(); });
    const auto shape = digging.ground.index;
    // The same as one that computes it.
    Simulation own(digging.scene);
    while (own.step() < 400) own.advance();
    const auto now = told_heights(own.world().height_field(digging.ground));
    for (Guest* guest : {&first, &late}) {
        guest->wait([&] { return guest->ground.find(shape)->now == now ? Json(true) : Json(); });
        EXPECT_EQ(guest->ground.find(shape)->now, now);
    }
    EXPECT_TRUE(late.was_whole);
    EXPECT_EQ(late.grounds, 1u);
    // Back to the start, for both; and one that reads nothing meanwhile is told the sum once.
    Guest slow(room);
    slow.hello("VIEWER", "viewer token", "slow");
    slow.wait([&] { return slow.grounds > 0 ? Json(true) : Json(); });
    first.ask("seek", {{"time", 0.0}});
    first.ask("step", {{"count", 300}});
    first.ask("seek", {{"time", 2.0}});
    const size_t before = slow.grounds;
    first.wait([&] { return first.ground.find(shape)->now == now ? Json(true) : Json(); });
    slow.read();
    EXPECT_LE(slow.grounds, before + 1);
    slow.wait([&] { return slow.ground.find(shape)->now == now ? Json(true) : Json(); });
    // A scene with a body more begins with all of it again.
    first.ask("add_body", {{"kind", "SPHERE"}, {"size", {0.1}}, {"position", {0, 0, 3}}});
    first.wait([&] { return first.scenes >= 2 && first.was_whole ? Json(true) : Json(); });
    EXPECT_EQ(first.ground.find(shape)->now, now);
}

// ---- Recordings ----------------------------------------------------------------------------------------

TEST(Ground, OfARecordingIsThatOfTheMoment) {
    const TemporaryFolder folder;
    const Digging digging;
    Simulation simulation(digging.scene);
    const auto recorder = std::make_shared<Recorder>(folder / "a.mcap", digging.scene,
                                                     Recorder::Origin{}, Recorder::Behind::wait);
    simulation.record(recorder);
    // By steps: what was, and in the end still counts.
    std::map<uint64_t, std::vector<int32_t>> heights;
    const auto run = [&](uint64_t steps) {
        for (uint64_t i = 0; i < steps; ++i) {
            simulation.advance();
            // Every fourth frame of three steps.
            if (simulation.step() % 12 == 0)
                heights[simulation.step()] =
                    told_heights(simulation.world().height_field(digging.ground));
        }
    };
    run(700);
    simulation.go_to(2.5);
    // Another motion from there on: the ground in between did not come to be.
    simulation.apply(AddBody{.geometry = Box{{1, 1, 1}}, .position = {0.2, 0, 2}});
    heights.erase(heights.upper_bound(simulation.step()), heights.end());
    run(900);
    simulation.record(nullptr);
    recorder->finish();

    Playback playback(folder / "a.mcap");
    GroundMirror mirror;
    mirror.take(*playback.scene());
    uint64_t version = 0;
    const auto look = [&] {
        GroundNews news;
        version = playback.ground(version, news);
        mirror.take(*playback.scene());
        mirror.take(news);
        Frame frame;
        playback.fill(frame);
        const auto wanted = heights.upper_bound(frame.step);
        if (wanted == heights.begin()) return;
        EXPECT_EQ(mirror.find(digging.ground.index)->now, std::prev(wanted)->second)
            << "step " << frame.step;
    };
    while (playback.advance()) look();
    std::mt19937 random(6);
    std::uniform_real_distribution<double> anywhere(0, playback.last_time());
    for (int i = 0; i < 100; ++i) {
        playback.go_to(anywhere(random));
        look();
        for (int k = 0; k < 3 && playback.advance(); ++k) look();
    }
    playback.go_to(0);
    GroundNews news;
    playback.ground(version, news);
    mirror.take(news);
    EXPECT_EQ(mirror.find(digging.ground.index)->now, mirror.find(digging.ground.index)->base);
}

}  // namespace
}  // namespace bristle::live
