#include "cli/gallery.h"

#include "cli/recordings.h"
#include "io/scene/scene_files.h"
#include "io/scene/write_parameters.h"
#include "live/devices/devices.h"
#include "live/hub/open_scene.h"
#include "live/record/new_recording.h"
#include "live/record/playback.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using live::Input;

std::vector<live::GalleryEntry> recordings() {
    std::vector<live::GalleryEntry> found;
    std::error_code error;
    for (fs::directory_iterator it(live::recordings_folder, error), end; !error && it != end;
         it.increment(error))
        if (is_recording(it->path()))
            found.push_back({it->path().string(), "Recording " + it->path().stem().string()});
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
}

live::Opened open_recording(const fs::path& file) {
    live::Opened opened;
    opened.show = std::make_unique<live::Playback>(file);
    return opened;
}

}  // namespace

Gallery::Gallery(const ViewOptions& options, std::function<void(const std::string&)> tell)
    : options_(options), tell_(std::move(tell)) {
    for (const io::KnownScene& scene : io::known_scenes())
        scenes_.push_back({scene.name, scene.title});
    if (options.scene.empty()) return;
    given_name_ = options.scene;
    const fs::path file =
        is_recording(options.scene) ? fs::path(options.scene) : io::scene_file(options.scene);
    is_own_ = !is_recording(options.scene);
    for (const io::KnownScene& scene : io::known_scenes())
        if (fs::equivalent(scene.file, file)) {
            given_name_ = scene.name;
            is_own_ = false;
        }
    given_title_ = file.filename().string();
}

std::vector<live::GalleryEntry> Gallery::entries() const {
    std::vector<live::GalleryEntry> all = scenes_;
    for (live::GalleryEntry& recording : recordings()) all.push_back(std::move(recording));
    const bool is_listed =
        std::any_of(all.begin(), all.end(), [&](const auto& e) { return e.name == given_name_; });
    if (!given_name_.empty() && !is_listed) all.insert(all.begin(), {given_name_, given_title_});
    return all;
}

live::Opened Gallery::open(const std::string& name,
                           const std::map<std::string, std::string>& parameters) {
    if (name == given_name_) return open_given(parameters);
    if (is_recording(name)) return open_recording(name);
    return open_scene({.scene = name}, parameters, {}, AskedBy::page);
}

live::Opened Gallery::open_given(const std::map<std::string, std::string>& parameters) {
    if (is_recording(options_.scene)) return open_recording(options_.scene);
    io::Overrides overrides = overrides_in(options_.set);
    for (const auto& [parameter, value] : parameters) overrides[parameter] = value;
    live::Opened opened = open_scene(options_, overrides, options_.inputs,
                                     parameters.empty() ? AskedBy::command_line : AskedBy::page);
    opened.may_write = is_own_;
    return opened;
}

void Gallery::write_back(const std::string& name,
                         const std::map<std::string, std::string>& parameters) {
    if (!is_own_ || name != given_name_)
        throw InputError("only a scene of your own, named on the command line, is written to");
    io::write_parameters(io::scene_file(options_.scene), parameters);
}

live::Opened Gallery::open_given() {
    live::Opened opened = open_given({});
    if (options_.record.empty()) return opened;
    if (!opened.make_tape) throw InputError("--record: a recording cannot be recorded again");
    opened.tape = live::tape_to(options_.record, load(options_, overrides_in(options_.set)),
                                {.overrides = overrides_in(options_.set),
                                 .step = options_.step,
                                 .solver = options_.solver});
    return opened;
}

live::Opened Gallery::open_scene(const SceneOptions& options, const io::Overrides& overrides,
                                 const fs::path& given_mapping, AskedBy who) {
    const auto scene = std::make_shared<const io::Scene>(load(options, overrides, who));
    const fs::path mapping = given_mapping.empty()
                               ? live::default_mapping(io::scene_file(options.scene))
                               : given_mapping;
    return live::open_scene(
        scene, {.overrides = overrides, .step = options.step, .solver = options.solver},
        mapping.empty() ? std::make_shared<live::Channels>(scene->model)
                        : std::make_shared<live::Channels>(scene->model, mapping),
        tell_);
}

}  // namespace bristle::cli
