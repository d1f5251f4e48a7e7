#include <bristle/error.h>

#include "cli/checks.h"
#include "cli/commands.h"
#include "scenes/catalog.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <exception>
#include <filesystem>

namespace {

std::string scene_list() {
    std::string text = "Scenes:\n";
    for (const auto& entry : bristle::scenes::catalog())
        text += fmt::format("  {:<22}{}\n", entry.name, entry.about);
    return text;
}

std::string suite_list() {
    std::string text = "Suites:\n";
    for (const auto& suite : bristle::cli::suites())
        text += fmt::format("  {:<22}{}\n", suite.name, suite.about);
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace bristle::cli;
    CLI::App app{
        "Bristle: real-time multibody dynamics with contact.\n"
        "Exit codes: 0 good; 1 a simulation or a check failed; 2 bad usage or bad input."};
    app.require_subcommand(1);
    app.set_version_flag("--version", "bristle 0.1.0");
    int code = 0;

    RunOptions run_options;
    CLI::App* run_command =
        app.add_subcommand("run", "Simulate a scene; CSV and an HTML report with plots");
    run_command->add_option("scene", run_options.scene, "Name of a scene")->required();
    run_command->add_option("--out", run_options.out, "Folder for the results")
        ->capture_default_str();
    run_command->add_option("--step", run_options.step, "Time step in s (default: the scene's)")
        ->check(CLI::PositiveNumber);
    run_command
        ->add_option("--time", run_options.duration, "Simulated time in s (default: the scene's)")
        ->check(CLI::PositiveNumber);
    run_command->add_flag("--json", run_options.json, "Summary as one JSON object");
    run_command->footer(scene_list());
    run_command->callback([&] { code = run(run_options); });

    InfoOptions info_options;
    CLI::App* info_command =
        app.add_subcommand("info", "Bodies, joints, coordinates and degrees of freedom of a scene");
    info_command->add_option("scene", info_options.scene, "Name of a scene")->required();
    info_command->add_flag("--json", info_options.json, "One JSON object");
    info_command->footer(scene_list());
    info_command->callback([&] { code = info(info_options); });

    ValidateOptions validate_options;
    CLI::App* validate_command =
        app.add_subcommand("validate", "Compare with published and closed-form results");
    validate_command->add_option("suite", validate_options.suite, "One suite only (default: all)");
    validate_command->add_flag("--json", validate_options.json, "One JSON object a check");
    validate_command->footer(suite_list());
    validate_command->callback([&] { code = validate(validate_options); });

    BenchOptions bench_options;
    CLI::App* bench_command = app.add_subcommand(
        "bench", "Time per step and error, with the peers installed on this machine");
    bench_command->add_option("suite", bench_options.suite,
                              "mechanisms, machine (on its wheels) or far (default: all)");
    bench_command->add_flag("--json", bench_options.json, "One JSON object a row");
    bench_command->add_flag("--quick", bench_options.quick, "Shorter runs");
    bench_options.peers = std::filesystem::weakly_canonical(std::filesystem::path("/proc/self/exe"))
                              .parent_path()
                              .string();
    bench_command->add_option("--peers", bench_options.peers,
                              "Folder of the peers' programs (default: beside bristle)");
    bench_command->callback([&] { code = bench(bench_options); });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const bristle::InputError& error) {
        fmt::print(stderr, "bristle: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "bristle: {}\n", error.what());
        return 1;
    }
    return code;
}
