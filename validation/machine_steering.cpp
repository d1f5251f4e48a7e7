// An operator who knows nothing: random levers, pedals and switches, on flat, sloping and obstructed ground.
#include "machines/earth/earth.h"
#include "validation/checks.h"
#include "validation/machine/machine.h"
#include "validation/rough/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace bristle::validation {
namespace {

using machine::Machine;
using machine::Place;
using rough::Random;

// Walls, kerbs, posts and stones around it, within reach and in its way.
std::string obstacles() {
    return "shapes:\n"
           "  ground: {type: plane, material: ground}\n"
           "  kerb {i}: {for: {i: 4}, type: box, size: [0.4, 8, 0.24], position: [5 + 6*i, -2 + "
           "3*i, 0.0], material: ground}\n"
           "  wall: {type: box, size: [16, 0.3, 3], position: [4, 7, 1.5], material: ground}\n"
           "  block: {type: box, size: [2, 2, 1.2], position: [-6, -3, 0.6], material: ground}\n"
           "  post {i}: {for: {i: 5}, type: cylinder, radius: 0.15, length: 2, position: [-4 + "
           "3*i, -6, 1], material: ground}\n"
           "bodies:\n"
           "  stone {i}: {for: {i: 6}, type: box, size: [0.7, 0.6, 0.5], density: 2500, position: "
           "[4 + 0.9*i, 3 - 1.1*i, 0.26], material: ground}\n";
}

struct Channel {
    const char* input;
    double low, high;
    double dwell;  // s, how long a value is held at most
};
constexpr Channel channels[] = {{"oil.boom", -1, 1, 3},
                                {"oil.stick", -1, 1, 3},
                                {"oil.bucket", -1, 1, 2},
                                {"oil.swing", -1, 1, 4},
                                {"oil.blade", -1, 1, 6},
                                {"oil.outriggers", -1, 1, 6},
                                {"travel.pedal", -1, 1, 5},
                                {"travel.range", 0, 2, 20},
                                {"travel.service_brake", -3, 1, 3},
                                {"travel.parking_brake", -8, 1, 4},
                                {"steering", -0.56, 0.56, 4},
                                {"swing brake.lever", -6, 1, 4},
                                {"axle lock.lever", -1, 1, 6}};

// What levers put in, through joints: mean efforts by their ways, step by step; and what a load that is lowered does. Tyres push
// against ground that stands.
class Work {
  public:
    explicit Work(const World& world) : world_(world), before_(coordinates()) {}
    void update() {
        const std::vector<double> now = coordinates();
        const Model& m = world_.model();
        for (uint32_t i = 0; i < m.forces().size(); ++i) {
            const auto [kind, k] = m.forces()[i];
            if (kind != Model::ForceKind::stateful) continue;
            const auto efforts = world_.efforts(ForceId{i});
            const StatefulForce& force = m.stateful_forces()[k];
            if (force.name == "bucket load") sum_ += work_of_load(ForceId{i}, force, efforts);
            const auto& joints = force.joints;
            for (size_t j = 0; j < joints.size(); ++j)
                sum_ += efforts[j] * (now[joints[j].index] - before_[joints[j].index]);
        }
        drives_ = 0;
        for (uint32_t i = 0; i < m.drives().size(); ++i) drives_ += world_.work(DriveId{i});
        before_ = now;
    }
    double sum() const { return sum_ + drives_; }

  private:
    double work_of_load(ForceId id, const StatefulForce& force,
                        const std::vector<double>& efforts) {
        const std::vector<double> in = world_.inputs(id);
        const BodyId bucket = force.points[0];
        const Pose pose = world_.pose(bucket);
        const Twist twist = world_.twist(bucket);
        const Vec3 arm = pose.orientation.matrix() * Vec3{in[0], in[1], in[2]};
        const Vec3 velocity = twist.linear + cross(twist.angular, arm);
        return step_of(world_.settings())
             * dot({efforts[0], efforts[1], efforts[2]},
                   0.5 * (velocity + load_velocity(velocity)));
    }
    Vec3 load_velocity(Vec3 now) { return std::exchange(load_velocity_, now); }

    std::vector<double> coordinates() const {
        const Model& m = world_.model();
        std::vector<double> all(m.joints().size());
        for (uint32_t i = 0; i < all.size(); ++i)
            if (m.has_coordinate(JointId{i}) && m.is_acted_on(JointId{i}))
                all[i] = world_.coordinate(JointId{i});
        return all;
    }
    const World& world_;
    std::vector<double> before_;
    Vec3 load_velocity_;
    double sum_ = 0, drives_ = 0;
};

struct Result {
    double gain = 0, fastest = 0;  // J, m/s
    double mean = 0, worst = 0;    // s of a step
    double astray = 0;             // share of all earth that came or went
};

// Of this thread, so that others on the machine do not count.
double cpu_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Result steer(const Place& place, uint64_t seed, double seconds) {
    Machine m(place);
    Random random(seed);
    std::array<double, std::size(channels)> until{};
    Work work(m.world());
    // Without what levers put in it only falls, but for what tyres and contacts give back: 4 kJ of tyres at rest, more where it lands.
    double lowest = m.world().energy().total();
    Result result;
    const auto earth = machines::earth_of(m.model());
    const auto earth_mass = [&] {
        return earth ? machines::EarthNow(m.world(), earth->ids).ledger.total() : 1;
    };
    const double earth_before = earth_mass();
    double total = 0;
    const auto steps = static_cast<int>(seconds / place.step);
    for (int i = 0; i < steps; ++i) {
        const double now = m.world().time();
        for (size_t c = 0; c < std::size(channels); ++c) {
            if (now < until[c] || now < 0.5) continue;
            const Channel& channel = channels[c];
            // A third of the time let go, a third at an end.
            double value = channel.low + (channel.high - channel.low) * random.between(0, 1);
            const double mood = random.between(0, 1);
            if (channel.low < 0) {
                if (mood < 0.33)
                    value = 0;
                else if (mood < 0.66)
                    value = value < 0 ? channel.low : channel.high;
                if (channel.low < -1) value = std::max(value, 0.0);
            } else {
                value = std::floor(value + 0.5);
            }
            m.command(channel.input, value);
            until[c] = now + channel.dwell * random.between(0, 1);
        }
        const double begin = cpu_time();
        m.world().step();
        const double took = cpu_time() - begin;
        total += took;
        result.worst = std::max(result.worst, took);
        work.update();
        const Energy e = m.world().energy();
        if (!std::isfinite(e.total())) throw std::runtime_error("energy is not finite");
        lowest = std::min(lowest, e.total() - work.sum());
        result.gain = std::max(result.gain, e.total() - work.sum() - lowest);
        for (const Twist& t : m.world().twists())
            result.fastest = std::max(result.fastest, norm(t.linear));
    }
    result.mean = total / steps;
    result.astray = std::abs(earth_mass() / earth_before - 1);
    return result;
}

}  // namespace

void validate_steering(Checks& checks) {
    const char* const seeds_text = std::getenv("BRISTLE_SEEDS");
    const char* const first_text = std::getenv("BRISTLE_FIRST_SEED");
    const char* const seconds_text = std::getenv("BRISTLE_SECONDS");
    const int seeds = seeds_text != nullptr ? std::atoi(seeds_text) : 2,
              first = first_text != nullptr ? std::atoi(first_text) : 1;
    const double seconds = seconds_text != nullptr ? std::atof(seconds_text) : 20;
    const std::pair<const char*, Place> grounds[] = {
        {"flat", {}},
        {"slope 35 %", {.slope = 0.35, .uphill = 0.7}},
        {"obstacles", {.ground = obstacles()}},
        {"site", {.file = "excavator-site.yaml", .ground = ""}}};
    for (const char* solver : {"augmented_lagrangian", "impulse"})
        for (const auto& [ground, place] : grounds)
            for (int seed = first; seed < first + seeds; ++seed) {
                Place p = place;
                p.solver = solver;
                if (p.solver == "augmented_lagrangian" && p.ground.empty())
                    p.solver += ", take_out_beyond: 1";
                const std::string name = fmt::format(
                    "{} {} seed {}", solver == std::string("impulse") ? "impulse" : "lagrange",
                    ground, seed);
                attempt(checks, name, [&] {
                    const Result r = steer(p, static_cast<uint64_t>(seed), seconds);
                    checks.between(name, "energy from nothing, kJ", 0, 1e-3 * r.gain, 30);
                    checks.between(name, "fastest, m/s", 0, r.fastest, 40);
                    checks.between(name, "mean step, share of its length", 0, r.mean / p.step, 0.2);
                    checks.between(name, "worst step, ms", 0, 1e3 * r.worst, 50);
                    checks.below(name, "earth that came or went, share", r.astray, 1e-12);
                });
            }
}

}  // namespace bristle::validation
