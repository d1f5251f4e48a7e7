#include "live/hub/open_scene.h"

#include "io/oddities.h"
#include "live/devices/devices.h"
#include "live/record/new_recording.h"
#include "live/show/simulation.h"

namespace bristle::live {

Opened open_scene(const std::shared_ptr<const io::Scene>& scene, const Recorder::Origin& origin,
                  std::shared_ptr<Channels> channels,
                  std::function<void(const std::string&)> tell) {
    Opened opened;
    opened.channels = std::move(channels);
    opened.files = scene->files;
    opened.warnings = scene->warnings;
    for (std::string& odd : io::oddities(*scene)) opened.warnings.push_back(std::move(odd));
    opened.show = std::make_unique<Simulation>(*scene, origin.start);
    opened.plug_in = [channels = opened.channels, tell = std::move(tell)](const auto& send,
                                                                          const auto& may_steer) {
        return connect_devices(channels, send, tell, may_steer);
    };
    opened.make_tape = [scene, origin] {
        return tape_to(new_recording(scene->name), *scene, origin);
    };
    return opened;
}

RunningTape tape_to(const std::filesystem::path& file, const io::Scene& scene,
                    const Recorder::Origin& origin) {
    return {std::make_shared<Recorder>(file, scene, origin), file.string()};
}

}  // namespace bristle::live
