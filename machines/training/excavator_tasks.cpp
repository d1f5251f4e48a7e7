#include "machines/training/excavator_tasks.h"

#include <bristle/error.h>

#include "base/jobs.h"
#include "machines/earth/earth.h"
#include "machines/parts/brake.h"
#include "machines/parts/drive_train.h"
#include "machines/random.h"
#include "machines/results/operate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace bristle::machines {
namespace {

// Numbers of an episode.
class Draws {
  public:
    explicit Draws(uint64_t seed = 0) : state_(seed) {}
    uint64_t next() { return next_random(state_); }
    double uniform(double low, double high) { return low + (high - low) * next_share(state_); }
    size_t below(size_t count) { return static_cast<size_t>(next() % count); }

  private:
    uint64_t state_;
};

constexpr size_t start_count = 8;
constexpr double most_lean = 0.35;  // rad: then it is lost
constexpr double near = 0.2;        // m, of a point that is reached
constexpr double level_way = 3;     // m
constexpr double off_level = 4;  // 1/s: what a metre beside the line costs, over metres of progress
constexpr double carried_height =
    2.4;  // m: of the bucket's pivot, when its load is up and clear of the ground
constexpr double widest = 10;  // of all that is observed

}  // namespace

const char* to_string(Task task) {
    switch (task) {
        case Task::reach: return "reach";
        case Task::level: return "level";
        case Task::fill: return "fill";
    }
    return "";
}

struct ExcavatorTasks::Start {
    Snapshot state;
    Vec3 tip;
    double time = 0;
};

struct ExcavatorTasks::One {
    World world;
    Draws draws;
    Vec3 goal, tip;
    double begin = 0, load = 0;
    bool was_reset = false, has_ended = false;
    std::exception_ptr failure{};
};

struct ExcavatorTasks::Helpers {
    explicit Helpers(int threads) : jobs(threads) {}
    base::Jobs jobs;
};

ExcavatorTasks::ExcavatorTasks(const Model& model, const Settings& settings,
                               const TaskOptions& options)
    : options_(options), parts_(parts_found(model)), axes_(axes_of(model, parts_)) {
    const auto fail = [](const std::string& what) { throw InputError("excavator tasks: " + what); };
    if (options.count < 1 || options.count > 100000)
        fail(fmt::format("count is {}; it is from 1 to 100000", options.count));
    if (options.threads < 1 || options.threads > 1024)
        fail(fmt::format("threads is {}; it is from 1 to 1024", options.threads));
    if (options.steps_an_action < 1 || options.steps_an_action > 10000)
        fail(fmt::format("steps_an_action is {}; it is from 1 to 10000", options.steps_an_action));
    if (!(options.time_limit > 0) || !std::isfinite(options.time_limit))
        fail(fmt::format("time_limit is {}; it must be positive and finite", options.time_limit));
    if (!parts_.has_stick()) fail("the machine has no stick pivot and stick cylinder");
    for (const ArmCylinder& c : parts_.cylinders) {
        if (!c.lever) fail(fmt::format("nothing moves joint '{}'", c.name));
        levers_.push_back(*c.lever);
        action_.push_back({c.lever->name, -1, 1});
    }
    if (options.task == Task::reach && parts_.swing_lever) {
        levers_.push_back(*parts_.swing_lever);
        action_.push_back({parts_.swing_lever->name, -1, 1});
    }
    for (const char* name :
         {"boom", "stick", "bucket", "boom rate", "stick rate", "bucket rate", "swing",
          "swing rate", "tip ahead", "tip left", "tip up", "bucket sin", "bucket cos", "goal ahead",
          "goal left", "goal up", "load", "depth", "time"})
        observation_.push_back({name, -widest, widest});
    if (options.task == Task::fill) {
        const auto earth = earth_of(model);
        if (!earth || earth->earth.buckets.empty() || earth->earth.patches.empty())
            fail("to fill the bucket the scene must have earth with a bucket and a patch");
        earth_ = earth->ids.process;
        const auto readings = model.processes()[earth_.index]->readings();
        const std::string& bucket = earth->earth.buckets[0].name;
        for (size_t i = 0; i < readings.size(); ++i) {
            if (readings[i].name == bucket + ".mass") mass_reading_ = i;
            if (readings[i].name == bucket + ".depth") depth_reading_ = i;
        }
        const Soil& soil = earth->earth.patches[0].soil;
        capacity_ = BucketShape(earth->earth.buckets[0]).capacity(std::tan(soil.repose))
                  * soil.loose_density();
    }
    make_starts(model, settings);
    for (size_t i = 0; i < options.count; ++i)
        all_.push_back(std::make_unique<One>(
            One{World(model, settings), Draws(0), {}, {}, 0, 0, false, false, {}}));
    helpers_ = std::make_unique<Helpers>(
        static_cast<int>(std::min<size_t>(static_cast<size_t>(options.threads), options.count)));
    observations_.resize(count() * observation_.size());
    last_observations_ = observations_;
    rewards_.resize(count());
    returns_ = times_ = loads_ = rewards_;
    terminated_.resize(count());
    truncated_ = successes_ = terminated_;
}

ExcavatorTasks::~ExcavatorTasks() = default;

double ExcavatorTasks::action_time() const {
    return options_.steps_an_action * step_of(all_.front()->world.settings());
}
const World& ExcavatorTasks::world(size_t index) const { return all_.at(index)->world; }

// ---- Where episodes begin ----------------------------------------------------------------------------------

// Standing, brakes set, the arm led to some places by its levers.
void ExcavatorTasks::make_starts(const Model& model, const Settings& settings) {
    Operated machine(model, parts_, settings);
    World& world = machine.world();
    for (const ForceId brake : parts_.brakes)
        if (options_.task != Task::reach || model.name(brake) != "swing brake")
            world.command(brake, brake_lever, 1);
    if (parts_.travel) world.command(*parts_.travel, parking_brake, 1);
    machine.run(2);
    Arm arm(model, parts_);
    const double origin = axes_.origin.z;
    Draws draws(1);
    for (size_t i = 0; i < start_count; ++i) {
        // The bucket's pivot ahead of the machine, and up.
        double ahead = draws.uniform(5.5, 6.5), up = draws.uniform(2.2, 3.2), curl = 0.5;
        if (options_.task == Task::level) {
            ahead = draws.uniform(6.8, 7.3);
            up = draws.uniform(1.9, 2.6);
            curl = 0.4;
        } else if (options_.task == Task::fill) {
            ahead = draws.uniform(6.3, 7.0);
            up = draws.uniform(1.7, 2.0);
            curl = draws.uniform(0.3, 0.45);
        }
        arm.place(arm.at_shares(0.55, 0.45, curl));
        if (!arm.reach(ahead, up - origin))
            throw InputError(
                fmt::format("excavator tasks: the arm does not come to {:.2f} m ahead, {:.2f} m up",
                            ahead, up));
        if (!machine.lead(arm.lengths()))
            throw SimulationError("excavator tasks: the arm does not come to where episodes begin");
        machine.run(1);
        starts_.push_back(
            {world.snapshot(), axes_.of(world.point(parts_.bucket, parts_.tip)), world.time()});
    }
    if (options_.task != Task::reach) return;
    // Points in the air that the teeth come to, in front of the machine.
    while (points_.size() < 256) {
        const Lengths l = arm.at_shares(draws.uniform(0.3, 0.9), draws.uniform(0.1, 0.8),
                                        draws.uniform(0.2, 0.8));
        if (!arm.place(l)) continue;
        const Vec3 tip = arm.tip();
        if (tip.x > 4 && tip.z + origin > 0.5) points_.push_back(tip);
    }
}

Vec3 ExcavatorTasks::draw_point(One& one) const {
    const Vec3 p = points_[one.draws.below(points_.size())];
    const double angle = parts_.swing ? one.draws.uniform(-0.8, 0.8) : 0;
    return {p.x * std::cos(angle) - p.y * std::sin(angle),
            p.x * std::sin(angle) + p.y * std::cos(angle), p.z};
}

void ExcavatorTasks::begin(One& one, size_t index) {
    const Start& start = starts_[one.draws.below(starts_.size())];
    one.world.restore(start.state);
    one.begin = start.time;
    one.tip = start.tip;
    one.load = load_of(one.world);
    one.has_ended = false;
    switch (options_.task) {
        case Task::reach: one.goal = draw_point(one); break;
        case Task::level: one.goal = start.tip - Vec3{level_way, 0, 0}; break;
        case Task::fill: one.goal = start.tip; break;
    }
    loads_[index] = one.load;
    const size_t size = observation_.size();
    observe(one, std::span(observations_).subspan(index * size, size));
}

void ExcavatorTasks::restart(size_t index, uint64_t seed) {
    One& one = *all_[index];
    one.draws = Draws(seed);
    begin(one, index);
    one.was_reset = true;
    rewards_[index] = returns_[index] = times_[index] = 0;
    terminated_[index] = truncated_[index] = successes_[index] = 0;
}

void ExcavatorTasks::reset_one(size_t index, uint64_t seed) {
    if (index >= count())
        throw InputError(
            fmt::format("excavator tasks: there is no {}; there are {}", index, count()));
    restart(index, seed);
}

void ExcavatorTasks::reset(uint64_t seed) {
    Draws seeds(seed);
    std::vector<uint64_t> of_each(count());
    for (uint64_t& s : of_each) s = seeds.next();
    helpers_->jobs.run(static_cast<uint32_t>(count()), [&](uint32_t i) { restart(i, of_each[i]); });
}

// ---- A step -------------------------------------------------------------------------------------------------

double ExcavatorTasks::load_of(const World& world) const {
    if (options_.task != Task::fill) return 0;
    const Process& earth = *world.model().processes()[earth_.index];
    return earth.read(mass_reading_, world, world.memory(earth_));
}

void ExcavatorTasks::observe(One& one, std::span<float> into) const {
    const World& w = one.world;
    size_t at = 0;
    const auto add = [&](double value) {
        into[at++] =
            static_cast<float>(std::isfinite(value) ? std::clamp(value, -widest, widest) : 0);
    };
    for (const ArmCylinder& c : parts_.cylinders)
        add((w.coordinate(c.joint) - c.shortest) / (c.longest - c.shortest));
    for (const ArmCylinder& c : parts_.cylinders)
        add(w.coordinate_rate(c.joint) / (c.longest - c.shortest));
    add(parts_.swing ? w.coordinate(*parts_.swing) : 0);
    add(parts_.swing ? w.coordinate_rate(*parts_.swing) : 0);
    const Vec3 tip = axes_.of(w.point(parts_.bucket, parts_.tip)),
               pivot = axes_.of(w.point(parts_.stick, parts_.hinge));
    add(tip.x / 10);
    add(tip.y / 10);
    add((tip.z + axes_.origin.z) / 10);
    const Vec3 way = tip - pivot;
    const double flat = std::hypot(way.x, way.y), length = norm(way);
    add(way.z / length);
    add(std::copysign(flat, way.x * pivot.x + way.y * pivot.y) / length);
    add((one.goal.x - tip.x) / 10);
    add((one.goal.y - tip.y) / 10);
    add((one.goal.z - tip.z) / 10);
    double depth = 0;
    if (options_.task == Task::fill) {
        const Process& earth = *w.model().processes()[earth_.index];
        depth = earth.read(depth_reading_, w, w.memory(earth_));
    }
    add(capacity_ > 0 ? one.load / capacity_ : 0);
    add(depth);
    add((w.time() - one.begin) / options_.time_limit);
}

double ExcavatorTasks::reward(One& one, size_t index, std::span<const float> action) {
    const Vec3 before = one.tip;
    one.tip = axes_.of(one.world.point(parts_.bucket, parts_.tip));
    const double load = load_of(one.world), gained = load - one.load, time = action_time();
    one.load = load;
    switch (options_.task) {
        case Task::reach: {
            const double was = norm(one.goal - before), is = norm(one.goal - one.tip);
            double pushed = 0;
            for (const float a : action) pushed += static_cast<double>(a) * a;
            double out = was - is - 0.01 * pushed * time;
            if (is < near) {
                successes_[index] = terminated_[index] = 1;
                out += 1;
            }
            return out;
        }
        case Task::level: {
            const double off = std::hypot(one.tip.y - one.goal.y, one.tip.z - one.goal.z);
            if (one.tip.x <= one.goal.x) {
                terminated_[index] = 1;
                successes_[index] = off < near ? 1 : 0;
            }
            return before.x - one.tip.x - off_level * off * time;
        }
        case Task::fill: return gained / capacity_;
    }
    return 0;
}

// What counts only at the end: a load that is not up was not taken.
void ExcavatorTasks::end_of_step(One& one, size_t index) {
    World& w = one.world;
    times_[index] = w.time() - one.begin;
    loads_[index] = one.load;
    const Mat3 turned = w.pose(parts_.carrier).orientation.matrix()
                      * w.model().bodies()[parts_.carrier.index].orientation.matrix().transposed();
    if (dot(turned * axes_.up, axes_.up) < std::cos(most_lean)) {
        terminated_[index] = 1;
        rewards_[index] -= 1;
    } else if (terminated_[index] == 0
               && times_[index] >= options_.time_limit - 0.5 * action_time()) {
        truncated_[index] = 1;
        if (options_.task == Task::fill) {
            const double pivot = axes_.of(w.point(parts_.stick, parts_.hinge)).z + axes_.origin.z;
            if (pivot > carried_height)
                successes_[index] = one.load > 0.5 * capacity_ ? 1 : 0;
            else
                rewards_[index] -= one.load / capacity_;
        }
    }
}

void ExcavatorTasks::act(One& one, size_t index, std::span<const float> action) {
    const size_t size = observation_.size();
    const std::span<float> seen = std::span(observations_).subspan(index * size, size);
    if (one.has_ended) {
        if (options_.at_end == TaskOptions::AtEnd::stays) {
            rewards_[index] = 0;
            return;
        }
        returns_[index] = times_[index] = 0;
    }
    rewards_[index] = 0;
    terminated_[index] = truncated_[index] = successes_[index] = 0;
    try {
        for (size_t i = 0; i < levers_.size(); ++i)
            levers_[i].command(one.world, std::clamp(static_cast<double>(action[i]), -1.0, 1.0));
        for (int i = 0; i < options_.steps_an_action; ++i) one.world.step();
        rewards_[index] = reward(one, index, action);
        end_of_step(one, index);
    } catch (const SimulationError&) {  // no step could mend it: the episode is lost
        terminated_[index] = 1;
        rewards_[index] -= 1;
    }
    returns_[index] += rewards_[index];
    observe(one, seen);
    one.has_ended = terminated_[index] != 0 || truncated_[index] != 0;
    if (!one.has_ended || options_.at_end == TaskOptions::AtEnd::stays) return;
    std::copy(seen.begin(), seen.end(),
              last_observations_.begin() + static_cast<ptrdiff_t>(index * size));
    const double load = loads_[index];
    begin(one, index);
    loads_[index] = load;
    one.has_ended = true;  // sums begin anew with the next step
}

void ExcavatorTasks::step(std::span<const float> actions) {
    for (const auto& one : all_)
        if (!one->was_reset) throw InputError("excavator tasks: reset before the first step");
    if (actions.size() != count() * action_.size())
        throw InputError(fmt::format("excavator tasks: {} levers for {} machines of {}",
                                     actions.size(), count(), action_.size()));
    for (size_t i = 0; i < actions.size(); ++i)
        if (!std::isfinite(actions[i]))
            throw InputError(fmt::format("excavator tasks: lever {} of machine {} is no number",
                                         action_[i % action_.size()].name, i / action_.size()));
    const auto width = action_.size();
    helpers_->jobs.run(static_cast<uint32_t>(count()), [&](uint32_t i) {
        One& one = *all_[i];
        one.failure = nullptr;
        try {
            act(one, i, actions.subspan(i * width, width));
        } catch (...) {  // of a function of the user's in the model: not on a helper's thread
            one.failure = std::current_exception();
        }
    });
    for (const auto& one : all_)
        if (one->failure) std::rethrow_exception(one->failure);
}

}  // namespace bristle::machines
