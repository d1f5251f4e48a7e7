#include "bench/suites/live.h"

#include "bench/cpu_time.h"
#include "live/hub/hub.h"
#include "live/show/simulation.h"
#include "live/wire/json.h"
#include "live/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <mutex>
#include <thread>

namespace bristle::bench {
namespace {

using Wall = std::chrono::steady_clock;

constexpr int bodies = 1000, clients = 3;
constexpr auto tick = std::chrono::nanoseconds(1'000'000'000 / 60);

// Every box on a soft spring of its own, swinging.
io::Scene boxes() {
    io::Scene scene;
    scene.name = "boxes";
    scene.solver = AugmentedLagrangian{.step = 1e-3};
    for (int i = 0; i < bodies; ++i) {
        const Vec3 place{static_cast<double>(i % 40), std::floor(i / 40.0), 1 + 0.01 * i};
        const BodyId box = scene.model.add(
            Body::box({0.3, 0.3, 0.3}, 1).at(place).named(fmt::format("box {}", i)));
        scene.model.add(Shape{.body = box, .geometry = Box{{0.3, 0.3, 0.3}}});
        scene.model.add(Spring{.a = scene.model.ground(),
                               .b = box,
                               .at_a = place + Vec3{0, 0, 2},
                               .at_b = place,
                               .stiffness = 50,
                               .free_length = 1.5,
                               .name = fmt::format("spring {}", i)});
    }
    return scene;
}

struct Spent {
    double all = 0, stepping = 0;  // s of CPU time
    double steps = 0;
};

struct Cost {
    double step;    // s of CPU time
    double beside;  // s of CPU time a second of wall time, beside steps: frames and orders
};

// A simulation that notes what its thread spends.
class Watched : public live::Simulation {
  public:
    using Simulation::Simulation;

    bool advance() override {
        const double start = cpu_seconds(CpuTimeOf::thread);
        const bool goes_on = Simulation::advance();
        const double end = cpu_seconds(CpuTimeOf::thread);
        const std::lock_guard lock(mutex_);
        spent_.all = end;
        spent_.stepping += end - start;
        spent_.steps += 1;
        return goes_on;
    }
    Spent spent() const {
        const std::lock_guard lock(mutex_);
        return spent_;
    }

  private:
    mutable std::mutex mutex_;
    Spent spent_;
};

// A hub without sockets; what it has for clients is copied, as a socket would.
class Stage {
  public:
    Stage()
        : hub_({.operator_token = "operator",
                .viewer_token = "viewer",
                .limits = {},
                .session = {},
                .library = nullptr,
                .run_here =
                    [this](std::function<void()> task) {
                        const std::lock_guard lock(mutex_);
                        tasks_.push_back(std::move(task));
                    },
                .log = {}}) {
        auto show = std::make_unique<Watched>(boxes());
        show_ = show.get();
        live::Opened opened;
        opened.show = std::move(show);
        hub_.open("boxes", std::move(opened));
        // So fast that it is always late: the thread never sleeps.
        connect("operator", wire::OPERATOR, "operator");
        wire::Order faster;
        faster.set_id(2);
        faster.mutable_speed()->set_value(100);
        hub_.receive(ids_.front(), live::to_json(faster));
        serve(0.5);
        disconnect();
    }

    void connect_viewers() {
        for (int i = 0; i < clients; ++i)
            connect("viewer", wire::VIEWER, fmt::format("viewer {}", i));
    }
    void disconnect() {
        for (const auto id : ids_) hub_.disconnect(id);
        ids_.clear();
    }

    Cost serve(double seconds) {
        const Spent before = show_->spent();
        const auto start = Wall::now();
        const auto end = start + std::chrono::duration<double>(seconds);
        for (auto next = Wall::now(); next < end; next += tick) {
            std::this_thread::sleep_until(next);
            run_tasks();
            hub_.tick();
            for (const auto id : ids_) read(id);
        }
        const Spent after = show_->spent();
        const double stepping = after.stepping - before.stepping, all = after.all - before.all,
                     wall = std::chrono::duration<double>(Wall::now() - start).count();
        return {stepping / std::max(1.0, after.steps - before.steps), (all - stepping) / wall};
    }
    size_t states() const { return states_; }

  private:
    void connect(const char* token, wire::Role role, const std::string& name) {
        ids_.push_back(hub_.connect([] {}));
        wire::Order order;
        order.set_id(1);
        wire::Hello& hello = *order.mutable_hello();
        hello.set_protocol(live::protocol_version);
        hello.set_token(token);
        hello.set_role(role);
        hello.set_client(name);
        hub_.receive(ids_.back(), live::to_json(order));
    }
    void run_tasks() {
        std::deque<std::function<void()>> tasks;
        {
            const std::lock_guard lock(mutex_);
            tasks.swap(tasks_);
        }
        for (const auto& task : tasks) task();
    }
    void read(live::Hub::ClientId id) {
        live::Outgoing message;
        while (hub_.next(id, message)) {
            socket_.assign(*message.bytes);
            states_ += message.kind == live::Outgoing::Kind::binary ? 1 : 0;
        }
    }

    std::mutex mutex_;
    std::deque<std::function<void()>> tasks_;
    live::Hub hub_;
    Watched* show_ = nullptr;
    std::vector<live::Hub::ClientId> ids_;
    std::string socket_;
    size_t states_ = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

}  // namespace

std::vector<LiveRow> bench_live(LiveEffort effort) {
    // In turns, so that whatever else the machine does falls on both.
    const int rounds = effort == LiveEffort::quick ? 5 : 20;
    const double seconds = 0.5;
    Stage stage;
    std::vector<double> alone, watched, ratios, beside_alone, beside_watched;
    for (int i = 0; i < rounds; ++i) {
        const Cost without = stage.serve(seconds);
        stage.connect_viewers();
        const Cost with = stage.serve(seconds);
        stage.disconnect();
        alone.push_back(without.step);
        watched.push_back(with.step);
        ratios.push_back(with.step / without.step);
        beside_alone.push_back(without.beside);
        beside_watched.push_back(with.beside);
    }
    const double rate = static_cast<double>(stage.states()) / (clients * rounds * seconds);
    const double lost = median(beside_watched);
    return {{"nobody looks", 1e6 * median(alone), median(beside_alone),
             "share of its time the thread spends beside steps"},
            {fmt::format("{} clients, {:.0f} states/s each", clients, rate), 1e6 * median(watched),
             lost, "the same; must be below 0.02"},
            {"the same, against nobody", 1e6 * median(watched), median(ratios) - 1,
             "how much longer a step takes"}};
}

}  // namespace bristle::bench
