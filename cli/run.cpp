#include <bristle/world.h>

#include "cli/commands.h"
#include "cli/report.h"
#include "scenes/catalog.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace bristle::cli {
namespace {

std::atomic<bool> interrupted = false;

class InterruptHandler {
  public:
    InterruptHandler() : previous_(std::signal(SIGINT, [](int) { interrupted = true; })) {}
    ~InterruptHandler() { std::signal(SIGINT, previous_); }
    InterruptHandler(const InterruptHandler&) = delete;
    InterruptHandler& operator=(const InterruptHandler&) = delete;

  private:
    void (*previous_)(int);
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// One line that is rewritten on a terminal; a few plain lines elsewhere.
class Progress {
  public:
    explicit Progress(double duration)
        : duration_(duration), on_terminal_(isatty(STDERR_FILENO) != 0) {}

    void show(double time) {
        const double elapsed = seconds_since(start_);
        const double every = on_terminal_ ? 0.1 : 2.0;
        if (elapsed < next_) return;
        next_ = elapsed + every;
        const double part = time / duration_;
        if (on_terminal_) {
            const auto filled = static_cast<size_t>(30 * part);
            fmt::print(stderr, "\r[{}{}] t = {:.3f} of {:.3g} s, {:.0f}x real time, {:.0f} s left ",
                       std::string(filled, '='), std::string(30 - filled, ' '), time, duration_,
                       time / elapsed, elapsed / std::max(part, 1e-9) * (1 - part));
        } else {
            fmt::print(stderr, "t = {:.3f} of {:.3g} s\n", time, duration_);
        }
        shown_ = true;
    }
    void finish() const {
        if (on_terminal_ && shown_) fmt::print(stderr, "\n");
    }

  private:
    double duration_, next_ = 0;
    bool on_terminal_, shown_ = false;
    Clock::time_point start_ = Clock::now();
};

// Whether the model's energy should stay what it is.
bool is_conservative(const Model& model) {
    const auto damps = [](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [](const auto& s) { return s.damping > 0 || s.law; });
    };
    return model.drives().empty() && model.motors().empty() && model.bushings().empty()
        && model.user_forces().empty() && model.limits().empty() && model.shapes().empty()
        && !damps(model.springs()) && !damps(model.joint_springs());
}

// Everything that is plotted and written, a value a sample.
struct Recording {
    std::vector<double> time;
    std::vector<Series> columns;
    std::vector<Frame> frames;
};

class Recorder {
  public:
    Recorder(const scenes::Scene& scene, const World& world)
        : scene_(scene), energy_(world.energy().total()) {
        for (const auto& p : scene.points)
            for (const char* axis : {"x", "y", "z"}) add(fmt::format("{} {} (m)", p.name, axis));
        add("kinetic energy (J)");
        add("potential energy (J)");
        add(is_conservative(world.model()) ? "energy error (J)" : "energy change (J)");
        for (JointId j : scene.joints) add(fmt::format("reaction of {} (N)", label(world, j)));
        for (DriveId d : scene.drives)
            add(fmt::format("effort of {} (N)", world.model().drives()[d.index].name));
    }

    void sample(const World& world, bool with_frame) {
        out.time.push_back(world.time());
        size_t column = 0;
        const auto put = [&](double value) { out.columns[column++].values.push_back(value); };
        for (const auto& p : scene_.points) {
            const Vec3 at = world.point(p.body, p.local);
            put(at.x);
            put(at.y);
            put(at.z);
        }
        const Energy e = world.energy();
        put(e.kinetic);
        put(e.potential);
        put(e.total() - energy_);
        for (JointId j : scene_.joints) put(norm(world.reaction(j).force));
        for (DriveId d : scene_.drives) put(world.effort(d));
        if (!with_frame) return;
        Frame frame{world.time(), {}};
        for (const auto& link : scene_.links) {
            const Vec3 a = world.point(link.body, link.from), b = world.point(link.body, link.to);
            frame.segments.push_back({a.x, a.z, b.x, b.z});
        }
        out.frames.push_back(std::move(frame));
    }

    Recording out;

  private:
    void add(std::string name) { out.columns.push_back({std::move(name), {}}); }
    static std::string label(const World& world, JointId j) {
        const Joint& joint = world.model().joints()[j.index];
        return joint.name.empty() ? fmt::format("joint {}", j.index) : joint.name;
    }

    const scenes::Scene& scene_;
    double energy_;
};

void write_csv(const Recording& r, const std::filesystem::path& path) {
    std::ofstream file(path);
    file << "time (s)";
    for (const Series& s : r.columns) file << ',' << s.name;
    file << '\n';
    for (size_t i = 0; i < r.time.size(); ++i) {
        file << fmt::format("{:.9g}", r.time[i]);
        for (const Series& s : r.columns) file << fmt::format(",{:.12g}", s.values[i]);
        file << '\n';
    }
    if (!file.flush()) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

Plot plot_of(const Recording& r, const char* title, const char* y_label,
             const std::function<bool(const std::string&)>& wanted) {
    Plot plot{title, "time (s)", y_label, r.time, {}};
    for (const Series& s : r.columns)
        if (wanted(s.name)) plot.series.push_back({s.name.substr(0, s.name.rfind(" (")), s.values});
    return plot;
}

Report make_report(const std::string& name, const std::string& about, const Recording& r,
                   const std::vector<Fact>& facts) {
    Report report{.title = name,
                  .subtitle = about,
                  .facts = facts,
                  .plots = {},
                  .animation = r.frames,
                  .traces = {}};
    const auto starts = [](const char* word) {
        return [word](const std::string& s) { return s.starts_with(word); };
    };
    const Plot plots[] = {
        plot_of(r, "Position", "position (m)",
                [](const std::string& s) { return s.ends_with("(m)"); }),
        plot_of(r, "Energy", "energy (J)",
                [](const std::string& s) {
                    return s.starts_with("kinetic") || s.starts_with("potential");
                }),
        plot_of(r, "Energy error", "error (J)", starts("energy error")),
        plot_of(r, "Change of energy", "energy (J)", starts("energy change")),
        plot_of(r, "Joint reaction", "force (N)", starts("reaction")),
        plot_of(r, "Drive effort", "effort (N)", starts("effort")),
    };
    for (const Plot& plot : plots)
        if (!plot.series.empty()) report.plots.push_back(plot);
    return report;
}

}  // namespace

int run(const RunOptions& options) {
    const scenes::CatalogEntry* entry = scenes::find_scene(options.scene);
    if (entry == nullptr)
        throw InputError(fmt::format("run: there is no scene '{}'; `bristle run --help` lists them",
                                     options.scene));
    scenes::Scene scene = entry->build();
    const double duration = options.duration > 0 ? options.duration : scene.duration;
    const double step = options.step > 0 ? options.step : scene.step;
    const std::filesystem::path folder(options.out);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(
            fmt::format("run: cannot make the folder '{}': {}", options.out, error.message()));

    World world(scene.model, AugmentedLagrangian{.step = step});
    Recorder recorder(scene, world);
    const auto steps = static_cast<uint64_t>(std::llround(duration / step));
    // At most some thousand samples and some hundred frames, whatever the step.
    const uint64_t sample_every = std::max<uint64_t>(1, steps / 4000),
                   frame_every = sample_every * std::max<uint64_t>(1, steps / sample_every / 400);
    recorder.sample(world, true);
    const InterruptHandler handler;
    interrupted = false;
    Progress progress(duration);
    const auto start = Clock::now();
    double stepping = 0;
    std::string failure;
    uint64_t i = 0;
    for (; i < steps && !interrupted; ++i) {
        const auto before = Clock::now();
        try {
            world.step();
        } catch (const SimulationError& e) {
            failure = e.what();
            break;
        }
        stepping += seconds_since(before);
        if ((i + 1) % sample_every == 0) recorder.sample(world, (i + 1) % frame_every == 0);
        if (i % 64 == 0 && !options.json) progress.show(world.time());
    }
    progress.finish();
    // However it ended, the last state belongs to the results.
    if (world.time() > recorder.out.time.back()) recorder.sample(world, true);
    const StepStatistics stats = world.statistics();
    const double per_step = stats.steps ? 1e6 * stepping / static_cast<double>(stats.steps) : 0;
    double worst = 0;
    for (const Series& s : recorder.out.columns)
        if (s.name.starts_with("energy error") || s.name.starts_with("energy change"))
            for (double e : s.values) worst = std::max(worst, std::abs(e));
    const ConstraintError held = world.constraint_error();

    std::vector<Fact> facts = {
        {"simulated time", fmt::format("{:.4g} s in steps of {:.3g} ms", world.time(), step * 1e3)},
        {"computed in", fmt::format("{:.3g} s, {:.2f} µs a step", seconds_since(start), per_step)},
        {"real-time factor", fmt::format("{:.0f}", world.time() / std::max(stepping, 1e-12))},
        {"bodies, joints",
         fmt::format("{}, {}", scene.model.bodies().size() - 1, scene.model.joints().size())},
        {"unknowns", fmt::format("{}", world.coordinates())},
        {"degrees of freedom now", fmt::format("{}", world.degrees_of_freedom())},
        {"redundant constraints now", fmt::format("{}", world.redundant_constraints())},
        {"iterations a step", fmt::format("{:.2f} on average, {} at most",
                                          stats.average_iterations(), stats.worst_iterations)},
        {"constraints hold to",
         fmt::format("{:.1e} of the size, {:.1e} of the speed", held.position, held.velocity)},
    };
    if (is_conservative(scene.model))
        facts.push_back({"largest energy error", fmt::format("{:.3g} J", worst)});
    if (interrupted)
        facts.push_back({"stopped", "by the user; the results are complete up to there"});
    if (!failure.empty()) facts.push_back({"failed", failure});

    write_csv(recorder.out, folder / (entry->name + ".csv"));
    write_report(make_report(entry->name, entry->about, recorder.out, facts),
                 folder / (entry->name + ".html"));
    if (options.json) {
        nlohmann::ordered_json line;
        line["scene"] = entry->name;
        line["time"] = world.time();
        line["steps"] = stats.steps;
        line["time_us"] = per_step;
        line["iterations"] = stats.average_iterations();
        line["energy_change"] = worst;
        line["hash"] = fmt::format("{:016x}", world.hash());
        line["csv"] = (folder / (entry->name + ".csv")).string();
        line["report"] = (folder / (entry->name + ".html")).string();
        fmt::print("{}\n", line.dump());
    } else {
        fmt::print("{}: {}\n", entry->name, entry->about);
        for (const Fact& fact : facts) fmt::print("  {:<26} {}\n", fact.name, fact.value);
        fmt::print("  {:<26} {}\n  {:<26} {}\n", "table",
                   (folder / (entry->name + ".csv")).string(), "report",
                   (folder / (entry->name + ".html")).string());
    }
    if (!failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", failure);
        return 1;
    }
    return 0;
}

}  // namespace bristle::cli
