#include "cli/commands.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "io/output_file.h"
#include "io/scene/scene_files.h"
#include "live/record/playback.h"

#include <fmt/format.h>

namespace bristle::cli {
namespace {

io::Scene scene_in(const ExportOptions& options) {
    if (!is_recording(options.scene)) return load(options, overrides_in(options.set));
    if (!options.set.empty() || options.step > 0 || options.duration > 0 || !options.solver.empty())
        throw InputError(
            "the scene of a recording is as it was: --set, --step, --time and --solver are for "
            "scenes");
    return live::RecordingFile(options.scene).scene();
}

}  // namespace

int export_scene(const ExportOptions& options) {
    if (!options.quantities.empty() || options.every > 0)
        throw InputError("--quantities and --every are for tables: not for --format scene");
    const io::Scene scene = scene_in(options);
    if (options.out == "-") {
        fmt::print("{}", io::scene_text(scene));
        return 0;
    }
    const std::filesystem::path file = options.out.empty()
                                         ? std::filesystem::path("out") / (scene.name + ".yaml")
                                         : std::filesystem::path(options.out);
    if (options.out.empty()) make_folder(file.parent_path());
    io::refuse_to_overwrite(is_recording(options.scene) ? std::filesystem::path(options.scene)
                                                        : io::scene_file(options.scene),
                            file);
    io::write_scene(scene, file);
    fmt::print("{}\n", file.string());
    return 0;
}

}  // namespace bristle::cli
