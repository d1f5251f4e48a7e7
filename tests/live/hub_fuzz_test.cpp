// Whatever clients say, in any order: the hub answers, nothing crashes or leaks, and the session goes on.
//
// BRISTLE_FUZZ_SECONDS makes it longer than the usual 10 s.
#include "live/hub/hub.h"
#include "live/show/simulation.h"
#include "tests/live/room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace bristle::live {
namespace {

constexpr const char* scene_text = R"(
title: Two boxes and a spring
bodies:
  one: {type: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 1]}
  two: {type: box, size: [0.2, 0.2, 0.2], mass: 1, position: [1, 0, 1]}
joints:
  pin: {type: revolute, a: ground, b: one, at: [0, 0, 1.5], axis: [0, 1, 0]}
forces:
  coil: {type: spring, a: one, b: two, at_a: [0, 0, 1], at_b: [1, 0, 1], stiffness: 100}
solver: {step: 5 ms}
)";

class FuzzLibrary : public Library {
  public:
    std::vector<GalleryEntry> entries() const override {
        return {{"counting", ""}, {"boxes", ""}, {"broken", ""}};
    }
    Opened open(const std::string& name, const std::map<std::string, std::string>& with) override {
        if (name == "counting") return counting();
        if (name == "broken") throw InputError("nothing but trouble");
        Opened opened;
        opened.show = std::make_unique<Simulation>(io::parse_scene(scene_text, "boxes", ".", with));
        opened.make_tape = [] { return RunningTape{std::make_shared<EmptyTape>(), "x.mcap"}; };
        return opened;
    }
};

class Fuzzer {
  public:
    explicit Fuzzer(uint64_t seed) : random_(seed) {}

    size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
    bool sometimes(size_t one_in) { return below(one_in) == 0; }

    std::string message() {
        Json m = orders_[below(orders_.size())];
        m["id"] = sometimes(30) ? below(5) : ++id_;
        if (sometimes(4)) change(m);
        std::string text = m.dump();
        if (sometimes(6)) damage(text);
        return text;
    }

  private:
    Json value() {
        static const std::vector<Json> values = {
            0,
            1,
            2,
            3,
            -1,
            0.5,
            1e9,
            1e308,
            -1e308,
            4294967296,
            18446744073709551615u,
            "",
            "a",
            "ground",
            "one.position.x",
            std::string(5000, 'x'),
            true,
            false,
            nullptr,
            Json::array(),
            Json::object(),
            {0, 0, 0},
            {1e9, -1e9, 1e9},
            {1, 2},
            {"a", "b"},
            {{"kind", "SPHERE"}, {"size", {0.1}}, {"position", {0, 0, 2}}}};
        return values[below(values.size())];
    }
    void change(Json& object) {
        if (object.empty()) return;
        auto at = object.begin();
        std::advance(at, static_cast<long>(below(object.size())));
        if (at->is_object() && sometimes(2))
            change(*at);
        else if (sometimes(3))
            object.erase(at);
        else
            *at = value();
    }
    void damage(std::string& text) {
        for (size_t i = below(4) + 1; i > 0 && !text.empty(); --i) {
            const size_t at = below(text.size());
            switch (below(5)) {
                case 0: text[at] = static_cast<char>(below(256)); break;
                case 1: text.erase(at, below(8)); break;
                case 2: text.insert(at, text.substr(below(text.size()), 20)); break;
                case 3: text.insert(at, below(300), "[{\"-9\\"[below(6)]); break;
                default: text.resize(at);
            }
        }
    }

    std::mt19937_64 random_;
    uint64_t id_ = 100;
    const std::vector<Json> orders_ = {
        {{"hello",
          {{"protocol", protocol_version},
           {"token", "operator token"},
           {"role", "OPERATOR"},
           {"client", "a"}}}},
        {{"hello",
          {{"protocol", protocol_version},
           {"token", "operator token"},
           {"role", "OPERATOR"},
           {"client", "b"}}}},
        {{"hello",
          {{"protocol", protocol_version},
           {"token", "viewer token"},
           {"role", "VIEWER"},
           {"client", "c"}}}},
        {{"run", Json::object()}},
        {{"run", Json::object()}},
        {{"pause", Json::object()}},
        {{"step", {{"count", 3}}}},
        {{"speed", {{"value", 2}}}},
        {{"seek", {{"time", 0.1}}}},
        {{"restart", Json::object()}},
        {{"command", {{"channel", "x"}, {"value", 1}}}},
        {{"control", {{"device", "KEYBOARD"}, {"control", "w"}, {"value", 1}}}},
        {{"grab", {{"body", 1}, {"at", {0, 0, 0}}, {"to", {0, 0, 2}}}}},
        {{"move", {{"to", {0, 1, 2}}}}},
        {{"release", Json::object()}},
        {{"add_body", {{"kind", "BOX"}, {"size", {0.1, 0.1, 0.1}}, {"position", {3, 0, 2}}}}},
        {{"add_spring", {{"a", 0}, {"b", 2}, {"stiffness", 50}, {"damping", 1}}}},
        {{"add_joint", {{"type", "spherical"}, {"a", 1}, {"b", 2}, {"at", {0.5, 0, 1}}}}},
        {{"remove", {{"kind", "BODY"}, {"index", 3}}}},
        {{"remove", {{"kind", "JOINT"}, {"index", 1}}}},
        {{"remove", {{"kind", "FORCE"}, {"index", 1}}}},
        {{"watch",
          {{"quantities", {"one.position.x", "energy.total"}},
           {"reactions", true},
           {"contours", true},
           {"volumes", true}}}},
        {{"watch", {{"quantities", {"nobody.position.x"}}}}},
        {{"watch", {{"quantities", Json::array()}}}},
        {{"open", {{"scene", "boxes"}}}},
        {{"open", {{"scene", "counting"}, {"parameters", {{"bodies", "4"}}}}}},
        {{"open", {{"scene", "broken"}}}},
        {{"close", Json::object()}},
        {{"record", {{"on", true}}}},
        {{"record", {{"on", false}}}},
        {{"take", Json::object()}},
        {{"ping", Json::object()}},
    };
};

TEST(HubFuzz, AnswersWhateverIsSaid) {
    const char* wanted = std::getenv("BRISTLE_FUZZ_SECONDS");
    const auto end = std::chrono::steady_clock::now()
                   + std::chrono::duration<double>(wanted ? std::atof(wanted) : 10);
    FuzzLibrary library;
    Tasks tasks;
    Hub hub({.operator_token = "operator token",
             .viewer_token = "viewer token",
             .limits = {.clients = 6, .rate = 1e5, .burst = 1e5, .most_waiting = 1u << 20},
             .session = {},
             .library = &library,
             .run_here = [&](std::function<void()> task) { tasks.post(std::move(task)); },
             .log = {}});
    Fuzzer fuzzer(20);
    std::vector<Hub::ClientId> clients;
    uint64_t messages = 0, answers = 0, frames = 0, scenes = 0;
    Outgoing out;
    while (std::chrono::steady_clock::now() < end) {
        if (clients.size() < 6 && fuzzer.sometimes(10)) clients.push_back(hub.connect([] {}));
        if (clients.empty()) continue;
        const size_t who = fuzzer.below(clients.size());
        const Hub::ClientId id = clients[who];
        if (fuzzer.sometimes(500))
            hub.receive_binary(id);
        else
            hub.receive(id, fuzzer.message());
        ++messages;
        if (fuzzer.sometimes(3)) tasks.run();
        if (fuzzer.sometimes(20)) hub.tick();
        // Some never read.
        if (who > 0)
            while (hub.next(id, out)) {
                if (out.kind == Outgoing::Kind::text) {
                    const Json text = Json::parse(*out.bytes);
                    answers += text.contains("answer") ? 1 : 0;
                    scenes += text.contains("opened") ? 1 : 0;
                } else {
                    ++frames;
                }
            }
        ASSERT_LE(hub.waiting_bytes(id), 2u << 20u);
        if (!hub.closing(id).empty() || fuzzer.sometimes(3000)) {
            hub.disconnect(id);
            clients.erase(clients.begin() + static_cast<long>(who));
        }
    }
    RecordProperty("messages", static_cast<int>(messages));
    EXPECT_GT(messages, 1000u);
    EXPECT_GT(answers, messages / 4);
    EXPECT_GT(frames, 10u);
    EXPECT_GT(scenes, 3u);
    for (const auto id : clients) hub.disconnect(id);

    // And after all that, a scene opens and runs as ever.
    const auto id = hub.connect([] {});
    hub.receive(id, order_text(1, "hello", greeting("OPERATOR", "operator token", "z")));
    uint64_t step = 0;
    uint32_t number = 1;
    bool is_open = false;
    const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (step < 100 && std::chrono::steady_clock::now() < last) {
        // Another may still be opening.
        if (!is_open) hub.receive(id, order_text(++number, "open", {{"scene", "boxes"}}));
        tasks.run();
        hub.tick();
        while (hub.next(id, out)) {
            if (out.kind == Outgoing::Kind::text) {
                const Json text = Json::parse(*out.bytes);
                is_open |= text.contains("opened") && text["opened"]["scene"] == "boxes";
                continue;
            }
            wire::FromServer message;
            ASSERT_TRUE(message.ParseFromString(*out.bytes));
            if (message.has_state() && is_open) step = message.state().step();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_GE(step, 100u);
}

}  // namespace
}  // namespace bristle::live
