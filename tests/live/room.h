// A hub with something to show, and clients that talk to it without sockets.
#pragma once

#include "live/hub/hub.h"
#include "live/wire/fields.h"
#include "live/wire/messages.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace bristle::live {

using Json = nlohmann::json;

// Counts its steps; a few bodies that go round.
class CountingShow : public Show {
  public:
    explicit CountingShow(int bodies = 3) : bodies_(bodies) { describe(); }

    double step_length() const override { return 1e-3; }
    double time() const override { return 1e-3 * static_cast<double>(step_); }
    uint64_t step() const override { return step_; }
    double first_time() const override { return 0; }
    double last_time() const override { return 1e-3 * static_cast<double>(last_); }
    bool advance() override {
        last_ = std::max(last_, ++step_);
        return true;
    }
    void go_to(double time) override {
        step_ = std::min(last_, static_cast<uint64_t>(std::max(0.0, time) * 1e3));
    }
    void apply(const Input& input) override {
        if (std::holds_alternative<AddBody>(input)) {
            ++bodies_;
            describe();
        }
        is_held_ = std::holds_alternative<Grab>(input)
                || (is_held_ && !std::holds_alternative<ReleaseGrab>(input));
    }
    bool is_repeating() const override { return step_ < last_; }
    void record(std::shared_ptr<Tape> tape) override { tape_ = std::move(tape); }
    void wish(const Wishes& wishes) override {
        for (const std::string& name : wishes.quantities)
            if (name.find("bad") != std::string::npos)
                throw InputError("there is no quantity '" + name + "'");
        wishes_ = wishes;
    }
    void fill_shared_volumes(Surface& surface) const override {
        surface = {};
        if (wishes_.looks.volumes) surface = {std::vector<float>(12), std::vector<uint32_t>(12)};
    }
    void fill(Frame& frame) const override {
        frame.time = time();
        frame.step = step_;
        frame.revision = scene_->revision();
        frame.poses.assign(static_cast<size_t>(7 * bodies_), static_cast<float>(step_));
        frame.values.assign(wishes_.quantities.size(), time());
        frame.watch = wishes_.number;
        frame.grab.assign(is_held_ ? 6 : 0, 0);
        frame.contours.assign(wishes_.looks.contours ? 6 : 0, 0);
    }
    std::shared_ptr<const wire::Scene> scene() const override { return scene_; }
    uint64_t hash() const override { return step_; }

  private:
    void describe() {
        wire::Scene scene;
        scene.set_protocol(protocol_version);
        scene.set_name("counting");
        scene.set_revision(++revision_);
        for (int i = 0; i < bodies_; ++i) scene.add_bodies()->set_name("body " + std::to_string(i));
        scene_ = std::make_shared<const wire::Scene>(std::move(scene));
    }

    int bodies_;
    uint32_t revision_ = 0;
    uint64_t step_ = 0, last_ = 0;
    bool is_held_ = false;
    Wishes wishes_;
    std::shared_ptr<Tape> tape_;
    std::shared_ptr<const wire::Scene> scene_;
};

class EmptyTape : public Tape {
  public:
    void scene(const std::shared_ptr<const wire::Scene>&) override {}
    void input(const InputAt&) override {}
    void rewind(uint64_t) override {}
    void frame(const Frame&) override {}
    void keyframe(uint64_t, double, uint64_t, Snapshot) override {}
};

inline Opened counting(int bodies = 3) {
    Opened opened;
    opened.show = std::make_unique<CountingShow>(bodies);
    opened.make_tape = [] {
        return RunningTape{std::make_shared<EmptyTape>(), "out/counting-1.mcap"};
    };
    return opened;
}

class CountingLibrary : public Library {
  public:
    std::vector<GalleryEntry> entries() const override {
        return {{"counting", "Counts"}, {"broken", "Cannot be opened"}};
    }
    Opened open(const std::string& name, const std::map<std::string, std::string>& with) override {
        if (name == "broken") throw InputError("broken.yaml:1: nothing but trouble");
        return counting(with.contains("bodies") ? std::stoi(with.at("bodies")) : 3);
    }
};

// Functions that other threads want to run on this one.
class Tasks {
  public:
    void post(std::function<void()> task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    void run() {
        std::deque<std::function<void()>> tasks;
        {
            const std::lock_guard lock(mutex_);
            tasks.swap(tasks_);
        }
        for (const auto& task : tasks) task();
    }

  private:
    std::mutex mutex_;
    std::deque<std::function<void()>> tasks_;
};

class Room {
  public:
    explicit Room(Limits limits = {}) {
        hub = std::make_unique<Hub>(
            Hub::Options{.operator_token = "operator token",
                         .viewer_token = "viewer token",
                         .limits = limits,
                         .session = {},
                         .library = &library,
                         .run_here = [this](std::function<void()> task) { tasks.post(task); },
                         .log = {}});
    }

    Hub::ClientId connect() {
        return hub->connect([] {});
    }

    CountingLibrary library;
    Tasks tasks;
    std::unique_ptr<Hub> hub;
};

// Orders as clients write them, by hand: that the schema's names mean what they say is tested here.
inline std::string order_text(uint32_t id, const char* what, const Json& fields) {
    return Json({{"id", id}, {what, fields}}).dump();
}
inline Json greeting(const std::string& role, const Json& token, const std::string& client) {
    return {{"protocol", protocol_version}, {"token", token}, {"role", role}, {"client", client}};
}

// Whether an answer is an error with this text.
inline bool contains(const Json& answer, const std::string& text) {
    return answer.contains("error")
        && answer["error"].get<std::string>().find(text) != std::string::npos;
}
inline bool is_done(const Json& answer) {
    return answer.contains("id") && !answer.contains("error");
}

// A client that remembers what it was told.
class Guest {
  public:
    explicit Guest(Room& room) : room_(room), id_(room.connect()) {}

    Hub::ClientId id() const { return id_; }
    uint32_t say(const char* what, const Json& fields = Json::object()) {
        room_.hub->receive(id_, order_text(++last_, what, fields));
        return last_;
    }
    // The answer to this order, once it has come.
    Json ask(const char* what, const Json& fields = Json::object()) {
        const uint32_t id = say(what, fields);
        return wait([&] { return answer(id); });
    }
    // What it was welcomed with.
    Json hello(const std::string& role = "OPERATOR", const std::string& token = "operator token",
               const std::string& client = "page") {
        return ask("hello", greeting(role, token, client))["welcome"];
    }
    Json event(const char* name) {
        return wait([&] {
            for (size_t i = 0; i < texts.size(); ++i)
                if (texts[i].contains(name)) {
                    Json found = texts[i][name];
                    texts.erase(texts.begin() + static_cast<long>(i));
                    return found;
                }
            return Json();
        });
    }
    // The newest that has come; nothing: null.
    Json last_answer() const {
        for (size_t i = texts.size(); i > 0; --i)
            if (texts[i - 1].contains("answer")) return texts[i - 1]["answer"];
        return {};
    }
    void read() {
        Outgoing message;
        while (room_.hub->next(id_, message)) {
            if (message.kind == Outgoing::Kind::text) {
                texts.push_back(Json::parse(*message.bytes));
                continue;
            }
            wire::FromServer binary;
            ASSERT_TRUE(binary.ParseFromString(*message.bytes));
            if (binary.has_scene()) {
                scene = binary.scene();
                ++scenes;
                ground = {};
                ground.take(scene);
                was_whole = false;
            } else if (binary.has_ground()) {
                GroundNews news;
                decode(binary.ground(), news);
                EXPECT_TRUE(was_whole || news.is_whole);  // the first after a scene
                was_whole = true;
                ground.take(news);
                ++grounds;
            } else {
                EXPECT_EQ(binary.state().revision(), scene.revision());
                state = binary.state();
                ++states;
            }
        }
    }
    // Until it gives something, for at most 10 s.
    Json wait(const std::function<Json()>& look) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < end) {
            room_.tasks.run();
            room_.hub->tick();
            read();
            if (const Json found = look(); !found.is_null()) return found;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ADD_FAILURE() << "nothing came";
        return Json::object();
    }
    Json wait_for_state(const std::function<bool(const wire::State&)>& is_wanted) {
        return wait([&] { return states > 0 && is_wanted(state) ? Json(true) : Json(); });
    }
    std::string closing() const { return room_.hub->closing(id_); }

    std::vector<Json> texts;
    wire::Scene scene;
    wire::State state;
    int scenes = 0, states = 0;
    GroundMirror ground;
    size_t grounds = 0;
    bool was_whole = false;  // all of the ground came after the scene

  private:
    Json answer(uint32_t id) const {
        for (const Json& text : texts)
            if (text.contains("answer") && text["answer"]["id"] == id) return text["answer"];
        return {};
    }

    Room& room_;
    Hub::ClientId id_;
    uint32_t last_ = 0;
};

}  // namespace bristle::live
