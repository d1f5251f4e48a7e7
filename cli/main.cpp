#include <bristle/error.h>
#include <bristle/scene.h>
#include <bristle/version.h>

#include "base/plain.h"
#include "bench/bench.h"
#include "cli/commands.h"
#include "cli/commands/excavator_report.h"
#include "cli/prepare.h"
#include "io/scene/expression.h"
#include "io/scene/format.h"
#include "io/scene/scene_files.h"
#include "validation/checks.h"
#include "validation/rough/rough.h"
#include "validation/validate.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <exception>
#include <filesystem>

namespace bristle::cli {
namespace {

std::string scene_list() {
    std::string text = "Scenes that come with Bristle:\n";
    for (const io::KnownScene& scene : io::known_scenes())
        text += fmt::format("  {:<27}{}\n", scene.name, scene.title);
    return text;
}

std::string suite_list() {
    std::string text = "Suites:\n";
    for (const auto& suite : validation::suites())
        text += fmt::format("  {:<22}{}\n", suite.name, suite.about);
    return text;
}

std::string solver_list() { return io::joined(io::solver_names(), "or"); }

void add_allow(CLI::App& command, std::vector<std::string>& allow) {
    command
        .add_option("--allow", allow, "A folder besides the scene's own that it may name files of")
        ->allow_extra_args(false);
}

void add_scene(CLI::App& command, std::string& scene, std::vector<std::string>& set,
               std::vector<std::string>& allow, const char* about_set) {
    command.add_option("scene", scene, "A YAML file, or the name of a scene")->required();
    // One value each, so that a scene may follow.
    command.add_option("--set", set, about_set)->allow_extra_args(false);
    add_allow(command, allow);
    command.footer(scene_list);
}

// The library's own takes what is no number for one above 0.
CLI::Validator positive() {
    return {[](std::string& text) -> std::string {
                double number = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), number);
                const bool is_good = error == std::errc() && end == text.data() + text.size()
                                  && number > 0 && std::isfinite(number);
                return is_good ? "" : fmt::format("'{}' is no number above 0", text);
            },
            "POSITIVE"};
}

// "5 ms" as well as 0.005.
CLI::Validator seconds() {
    return {[](std::string& text) -> std::string {
                try {
                    const io::Expression time(text, {});
                    if (time.dimension() && !io::fits(*time.dimension(), *io::dimension_of("s")))
                        return fmt::format("'{}' is in {}; expected a time, as in 5 ms", text,
                                           io::unit_of(*time.dimension()));
                    if (!(time() > 0)) return fmt::format("'{}' is no time above 0", text);
                    text = fmt::format("{}", time());
                    return {};
                } catch (const io::ExpressionError& error) {
                    return fmt::format("'{}': {}; expected a time, as in 0.005 or '5 ms'", text,
                                       error.what());
                }
            },
            "TIME", "time"};
}

void add_changes(CLI::App& command, SceneOptions& options) {
    command.add_option("--step", options.step, "Time step in s (default: the scene's)")
        ->transform(seconds());
    command.add_option("--time", options.duration, "Simulated time in s (default: the scene's)")
        ->transform(seconds());
    command.add_option("--solver", options.solver, solver_list());
}

void add_run(CLI::App& app, RunOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "run",
        "Simulate a scene; CSV and an HTML report with plots.\n"
        "Ctrl-C stops it and keeps the results: exit code 130 (143 after SIGTERM)");
    add_scene(command, options.scene, options.set, options.allow, "A parameter: name=value");
    add_changes(command, options);
    command.add_option("--out", options.out, "Folder for the results")->capture_default_str();
    command.add_option("--quantities", options.quantities,
                       "Columns of the CSV, with commas; with a + before them, besides the scene's "
                       "(`bristle info SCENE --quantities` lists all)");
    command.add_option("--every", options.every, "Time between rows in s (default: the scene's)")
        ->transform(seconds());
    command.add_flag("--json", options.json, "Summary as one JSON object");
    command.add_flag("--profile", options.profile,
                     "Where the time of a step goes, stage by stage, also of the worst one");
    command.add_flag("--quiet", options.quiet, "Say nothing unless something is wrong");
    command.callback([&] { code = run(options); });
}

// What all commands that show something in the browser have in common.
void add_server(CLI::App& command, ViewOptions& options) {
    command.add_option("--listen", options.listen,
                       "Address to listen on, 0.0.0.0 for all: open to the network, with TLS "
                       "(default: this machine only)");
    command.add_option("--port", options.port, "Port (default: the first free one from 8080)");
    command.add_option("--certificate", options.certificate,
                       "PEM file (default: one of this machine's own is made)");
    command.add_option("--key", options.key, "PEM file of the certificate's key");
    command.add_flag("--paused", options.paused, "Stand still at first");
    command.add_flag("--open-browser", options.open_browser, "Open the page");
}

void add_view(CLI::App& app, ViewOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "view", "Show a scene, a recording or the gallery in the browser, and let it be steered");
    add_scene(command, options.scene, options.set, options.allow, "A parameter: name=value");
    command.get_option("scene")->required(false)->description(
        "A YAML file, a recording, or the name of a scene (default: the gallery)");
    command.add_option("--step", options.step, "Time step in s (default: the scene's)")
        ->transform(seconds());
    command.add_option("--solver", options.solver, solver_list());
    command.add_option("--inputs", options.inputs,
                       "Mapping of devices to channels (default: inputs/<scene>.yaml beside it)");
    command.add_option("--record", options.record, "MCAP file to record to from the start");
    command.add_flag("--realtime", options.realtime, "Ask for real-time scheduling");
    add_server(command, options);
    command.callback([&] { code = view(options); });
}

CLI::App& add_excavator(CLI::App& app, ExcavatorOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "excavator",
        "A wheeled excavator on its site: to drive in the browser; or with --autopilot, as fast as "
        "it\n"
        "can be computed, with figures of how long steps took and what was dug.\n"
        "Ctrl-C stops it and tells what there is: exit code 130 (143 after SIGTERM)");
    options.scene = "excavator-site";
    command.add_option("--scene", options.scene, "Another scene with an excavator")
        ->capture_default_str();
    command.add_option("--set", options.set, "A parameter: name=value")->allow_extra_args(false);
    add_allow(command, options.allow);
    command.add_option("--step", options.step, "Time step in s (default: the scene's)")
        ->transform(seconds());
    command.add_option("--solver", options.solver, solver_list());
    command.add_option("--record", options.record, "MCAP file to record to from the start");
    CLI::Option* autopilot =
        command
            .add_option(
                "--autopilot", options.autopilot,
                "dig-and-load: stands firm, digs, loads what is there to be loaded, moves on")
            ->check(CLI::IsMember({"dig-and-load"}));
    command.add_option("--minutes", options.minutes, "Simulated, at most")
        ->check(positive())
        ->capture_default_str()
        ->needs(autopilot);
    command.add_flag("--json", options.json, "Summary as one JSON object")->needs(autopilot);
    command.add_flag("--quiet", options.quiet, "Say nothing unless something is wrong")
        ->needs(autopilot);
    add_server(command, options);
    command.callback([&] {
        if (command.get_subcommands().empty())
            code = options.autopilot.empty() ? view(options) : excavator(options);
    });
    return command;
}

void add_record(CLI::App& app, RecordOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "record",
        "Simulate a scene and record it: an MCAP file that can be watched and computed again.\n"
        "Ctrl-C stops it and keeps what is there: exit code 130 (143 after SIGTERM)");
    add_scene(command, options.scene, options.set, options.allow, "A parameter: name=value");
    add_changes(command, options);
    command.add_option("--out", options.out, "File (default: out/SCENE-NUMBER.mcap)");
    command.add_option("--inputs-from", options.inputs_from,
                       "Give the inputs of this recording again");
    command
        .add_option("--speed", options.speed,
                    "Simulated seconds a second (default: as fast as it can)")
        ->check(positive());
    command.add_flag("--json", options.json, "Summary as one JSON object");
    command.add_flag("--quiet", options.quiet, "Say nothing unless something is wrong");
    command.callback([&] { code = record(options); });
}

void add_replay(CLI::App& app, ReplayOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "replay", "Show a recording in the browser, or check it; the file is never changed");
    command.add_option("file", options.scene, "A recording (.mcap)")->required();
    add_server(command, options);
    command.add_flag("--check", options.check,
                     "Show nothing: compute the motion again and compare the state hash at every "
                     "keyframe (exit code 1 if one differs, or anything is damaged)");
    command.add_flag("--json", options.json, "With --check: one JSON object");
    command.callback([&] { code = replay(options); });
}

void add_repair(CLI::App& app, RepairOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "repair", "Write the end of a recording that was not finished; cuts only what is torn");
    command.add_option("file", options.file, "A recording (.mcap)")->required();
    command.callback([&] { code = repair(options); });
}

void add_export(CLI::App& app, ExportOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "export",
        "A table of a recording: the poses in it, or quantities that are computed again;\n"
        "or a recording or scene as files for ParaView (--format vtk): surfaces, contacts and "
        "what\n"
        "solids share, over time. Ctrl-C stops it and keeps what is there: exit code 130.\n"
        "--format foxglove is a file for Foxglove: frames, what is seen, and values to plot.\n"
        "--format scene writes one scene file: parameters, loops and includes filled in, the same "
        "motion");
    add_scene(command, options.scene, options.set, options.allow,
              "Of a scene, a parameter: name=value");
    command.get_option("scene")->description(
        "A recording (.mcap); for vtk, foxglove and scene also a scene");
    command
        .add_option("--format", options.format,
                    "csv; json: an object a row; vtk: for ParaView, foxglove: for Foxglove, both "
                    "computed again; scene: a scene file")
        ->check(CLI::IsMember({"csv", "json", "vtk", "foxglove", "scene"}))
        ->capture_default_str();
    add_changes(command, options);
    command.add_option("--quantities", options.quantities,
                       "Columns, with commas (default: the poses of all bodies)");
    command.add_option("--every", options.every, "Time between rows or frames in s")
        ->transform(seconds());
    command.add_option("--out", options.out,
                       "File, or - for standard output; of vtk the folder (default: beside the "
                       "recording; of a scene: out)");
    command.callback([&] {
        code = options.format == "vtk"      ? export_vtk(options)
             : options.format == "foxglove" ? export_foxglove(options)
             : options.format == "scene"    ? export_scene(options)
                                            : export_recording(options);
    });
}

void add_study(CLI::App& app, StudyOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "study", "Simulate a scene for many values of its parameters; a CSV row of each");
    add_scene(command, options.scene, options.set, options.allow,
              "Values of a parameter: name=from:to:count, or name=value,value,…; "
              "several make a grid");
    add_changes(command, options);
    command.add_option("--out", options.out, "Folder for the results")->capture_default_str();
    command.add_option("--quantities", options.quantities,
                       "What to keep of each run, with commas (default: the scene's)");
    command.add_flag("--final", options.final, "Values at the end (if nothing else is asked)");
    command.add_flag("--max", options.max, "Largest values");
    command.add_flag("--min", options.min, "Smallest values");
    command.add_flag("--json", options.json, "Summary as one JSON object");
    command.add_flag("--quiet", options.quiet, "Say nothing unless something is wrong");
    command.callback([&] { code = study(options); });
}

void add_info(CLI::App& app, InfoOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "info",
        "Parameters, bodies, joints, coordinates and degrees of freedom of a scene;\n"
        "duration, channels and state of a recording");
    add_scene(command, options.scene, options.set, options.allow, "A parameter: name=value");
    command.add_flag("--quantities", options.quantities,
                     "What can be plotted and written, a name a line");
    command.add_flag("--json", options.json, "One JSON object");
    command.callback([&] { code = info(options); });
}

void add_check(CLI::App& app, CheckOptions& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "check", "Read and build scenes; say what is wrong or looks wrong (exit code 2)");
    command.add_option("scenes", options.scenes, "YAML files, or names of scenes")->required();
    command.add_option("--set", options.set, "A parameter: name=value")->allow_extra_args(false);
    add_allow(command, options.allow);
    command.add_flag("--json", options.json, "One JSON object a scene");
    command.callback([&] { code = check(options); });
}

void add_lists(CLI::App& app, ScenesOptions& scenes, CompletionOptions& completion_options,
               WordsOptions& words_options, int& code) {
    CLI::App& list = *app.add_subcommand("scenes", "The scenes that come with Bristle");
    list.add_flag("--json", scenes.json, "One JSON object a scene, with its file");
    list.callback([&] { code = list_scenes(scenes); });

    app.add_subcommand("schema", "The JSON Schema of scene files, for editors")->callback([&] {
        code = print_schema();
    });

    CLI::App& shells = *app.add_subcommand(
        "completion", "A script that completes commands: source <(bristle completion bash)");
    shells.add_option("shell", completion_options.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    shells.callback([&] { code = completion(completion_options); });

    // For those scripts; not shown.
    CLI::App& helper = *app.add_subcommand("words", "")->group("");
    helper.add_option("kind", words_options.kind)->required();
    helper.add_option("scene", words_options.scene);
    helper.callback([&] { code = words(words_options); });
}

void add_rough(CLI::App& app, validation::rough::Options& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "rough", "Machines and heaps of things used roughly, from seeds: nothing may fail");
    command.add_option("--family", options.families, "These only; --list shows them");
    command.add_option("--seeds", options.seeds, "FIRST:LAST, or one");
    command.add_option("--time", options.seconds, "Simulated time of every run in s")
        ->transform(seconds());
    command.add_option("--step", options.step, "Time step in s")->transform(seconds());
    command.add_option("--solver", options.solver, "augmented_lagrangian or impulse")
        ->check(CLI::IsMember({"augmented_lagrangian", "impulse"}));
    command.add_option("--cases", options.cases, "Folder with scene files to run too")
        ->check(CLI::ExistingDirectory);
    command.add_option("--jobs", options.jobs, "Runs at a time (default: 1)")->check(positive());
    command.add_option("--json", options.json, "File for one JSON object a run");
    command.add_option("--csv", options.csv, "File for the table (default: out/rough.csv)");
    command.add_flag("--all", options.all, "The whole battery, more than 100 simulated hours");
    command.add_flag(
        "--strict", options.strict,
        "Count as work of drives only their efforts at the end of steps times the way");
    command.add_flag("--list", options.list, "What there is to run, and how long it simulates");
    command.callback([&] { code = validation::rough::run(options); });
}

void add_validate(CLI::App& app, validation::Options& options,
                  validation::rough::Options& rough_options, int& code) {
    CLI::App& command =
        *app.add_subcommand("validate", "Compare with published and closed-form results");
    command.add_option("suite", options.suite, "One suite only (default: all)");
    command.add_flag("--json", options.json, "One JSON object a check");
    command.footer(suite_list());
    add_rough(command, rough_options, code);
    command.callback([&] {
        if (!command.got_subcommand("rough")) code = validation::run(options);
    });
}

void add_bench(CLI::App& app, bench::Options& options, int& code) {
    CLI::App& command = *app.add_subcommand(
        "bench", "Time per step and error, with the peers installed on this machine");
    command.add_option("suite", options.suite,
                       "mechanisms, machine (on its wheels), far, bodies, conforming, field or "
                       "live (default: all)");
    command.add_flag("--json", options.json, "One JSON object a row");
    command.add_flag("--quick", options.quick, "Shorter runs");
    options.peers = std::filesystem::weakly_canonical(std::filesystem::path("/proc/self/exe"))
                        .parent_path()
                        .string();
    command.add_option("--peers", options.peers,
                       "Folder of the peers' programs (default: beside bristle)");
    command.callback([&] { code = bench::run(options); });
}

void add_excavator_report(CLI::App& excavator, ExcavatorReportOptions& options, int& code) {
    CLI::App& command = *excavator.add_subcommand(
        "report",
        "What a machine can do, computed from its scene: working range, lift capacities (ISO "
        "10567),\nbreakout forces (ISO 6015), stability, times, speeds, fuel. A page, CSV tables, "
        "a table here");
    options.scene = "excavator";
    command
        .add_option("--scene", options.scene,
                    "A YAML file, or the name of a scene, with joints of these names: boom pivot, "
                    "boom cylinder, bucket pivot, bucket cylinder …")
        ->capture_default_str();
    command.add_option("--set", options.set, "A parameter: name=value")->allow_extra_args(false);
    add_allow(command, options.allow);
    command.add_option("--out", options.out, "Folder for the results")->capture_default_str();
    command.add_option("--spacing", options.spacing, "m, of the lift capacities")
        ->check(positive())
        ->capture_default_str();
    command.add_option("--consumption", options.consumption, "g/kWh, of the engine")
        ->check(positive())
        ->capture_default_str();
    command.add_option("--density", options.density, "kg/m³, of its fuel")
        ->check(positive())
        ->capture_default_str();
    command.add_flag("--json", options.json, "One JSON object");
    command.add_flag("--quiet", options.quiet, "Say nothing unless something is wrong");
    command.callback([&] { code = excavator_report(options); });
}

// What to say to a first word that is no command; empty if it is one.
std::string command_meant(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return {};
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return std::find(names.begin(), names.end(), argv[1]) == names.end()
             ? no_such_command(argv[1], names)
             : "";
}

// A recording that is opened where a standard stream was closed would get its number, and what is said would be written into it.
// What is opened here instead can do neither: it fails as before.
void hold_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int start(int argc, char** argv) {
    hold_closed_streams();
    CLI::App app{
        "Bristle: real-time multibody dynamics with contact.\n"
        "Exit codes: 0 good; 1 a simulation or a check failed; 2 bad usage or bad input;\n"
        "130 interrupted, with the results up to there."};
    app.require_subcommand(1);
    app.set_version_flag("--version", fmt::format("bristle {}", bristle::version));
    int code = 0;

    RunOptions run_options;
    ViewOptions view_options;
    RecordOptions record_options;
    ExcavatorOptions excavator_options;
    ReplayOptions replay_options;
    RepairOptions repair_options;
    ExportOptions export_options;
    StudyOptions study_options;
    InfoOptions info_options;
    CheckOptions check_options;
    ScenesOptions scenes_options;
    CompletionOptions completion_options;
    WordsOptions words_options;
    validation::Options validate_options;
    validation::rough::Options rough_options;
    bench::Options bench_options;
    ExcavatorReportOptions excavator_report_options;
    add_run(app, run_options, code);
    add_view(app, view_options, code);
    add_record(app, record_options, code);
    add_replay(app, replay_options, code);
    add_repair(app, repair_options, code);
    add_export(app, export_options, code);
    add_study(app, study_options, code);
    add_info(app, info_options, code);
    add_check(app, check_options, code);
    add_lists(app, scenes_options, completion_options, words_options, code);
    add_validate(app, validate_options, rough_options, code);
    add_bench(app, bench_options, code);
    add_excavator_report(add_excavator(app, excavator_options, code), excavator_report_options,
                         code);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (const std::string meant = command_meant(app, argc, argv); !meant.empty()) {
            fmt::print(stderr, "bristle: {}\n", meant);
            return 2;
        }
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const io::SceneError& error) {
        for (const std::string& message : error.messages)
            fmt::print(stderr, "{}\n", plain(message));
        return 2;
    } catch (const InputError& error) {
        fmt::print(stderr, "bristle: {}\n", plain(error.what()));
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "bristle: {}\n", plain(error.what()));
        return 1;
    }
    return code;
}

}  // namespace
}  // namespace bristle::cli

int main(int argc, char** argv) { return bristle::cli::start(argc, argv); }
