// The subcommands of `bristle`, each in a file of its own in cli/commands/; validation/validate.h and
// bench/bench.h have the other two. Each returns the exit code: 0 good, 1 the simulation (or a check) failed,
// 2 bad usage or bad input; 128 + the signal for what was interrupted and kept its results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bristle::cli {

// What all commands that load a scene can change about it.
struct SceneOptions {
    std::string scene;              // name or file
    std::vector<std::string> set;   // name=value
    double step = 0, duration = 0;  // 0: the scene's own
    std::string solver;             // empty: the scene's own
    std::vector<std::string> allow =
        {};  // folders that the scene may name files of, besides its own
};

struct RunOptions : SceneOptions {
    std::string out = "out";
    std::string quantities;  // columns instead of the scene's; after a +, besides them
    double every = 0;        // s between rows; 0: the scene's own
    bool profile = false;
    bool json = false, quiet = false;
};
int run(const RunOptions&);

struct ViewOptions : SceneOptions {  // no scene: the gallery
    std::string listen;              // address; empty: this machine only
    std::optional<uint16_t> port;    // none: the first that is free
    std::string certificate, key;    // PEM files
    std::string inputs;              // mapping file
    std::string record;              // file
    bool paused = false, realtime = false, open_browser = false;
};
int view(const ViewOptions&);

struct RecordOptions : SceneOptions {
    std::string out;          // file; empty: out/<scene>-<number>.mcap
    std::string inputs_from;  // a recording whose inputs are given again
    double speed = 0;         // times real time; 0: as fast as it can
    bool json = false, quiet = false;
};
int record(const RecordOptions&);

struct ExcavatorOptions : ViewOptions {  // `record` is of the headless run, too
    std::string autopilot;               // empty: it is shown, for a person to drive
    double minutes = 10;
    bool json = false, quiet = false;
};
int excavator(const ExcavatorOptions&);  // with an autopilot

struct ReplayOptions : ViewOptions {  // the scene is a recording
    bool check = false, json = false;
};
int replay(const ReplayOptions&);

struct RepairOptions {
    std::string file;
};
int repair(const RepairOptions&);  // of a recording whose end is missing

struct ExportOptions
    : SceneOptions {             // the scene is a recording; for vtk, foxglove and scene either
    std::string format = "csv";  // json, vtk, foxglove or scene
    std::string quantities;      // empty: the poses that were recorded
    double every = 0;            // s between rows or frames; 0: as recorded, or the scene's own
    // Empty: the recording's name with another ending; "-": standard output. Of vtk: a folder. Of scene: a file.
    std::string out;
};
int export_recording(const ExportOptions&);  // a table
int export_vtk(const ExportOptions&);
int export_foxglove(const ExportOptions&);
int export_scene(const ExportOptions&);

struct StudyOptions : SceneOptions {
    std::string out = "out";
    std::string quantities;
    bool final = false, max = false, min = false;
    bool json = false, quiet = false;
};
int study(const StudyOptions&);

struct InfoOptions {
    std::string scene;
    std::vector<std::string> set, allow;
    bool json = false, quantities = false;
};
int info(const InfoOptions&);
int info_about_recording(const InfoOptions&);

struct CheckOptions {
    std::vector<std::string> scenes;
    std::vector<std::string> set, allow;
    bool json = false;
};
int check(const CheckOptions&);

struct ScenesOptions {
    bool json = false;
};
int list_scenes(const ScenesOptions&);

int print_schema();

struct CompletionOptions {
    std::string shell;  // bash, zsh or fish
};
int completion(const CompletionOptions&);
// Words for the completion scripts, one a line: scenes, suites, parameters or quantities of a scene.
struct WordsOptions {
    std::string kind, scene;
};
int words(const WordsOptions&);

}  // namespace bristle::cli
