#include "live/embed/world_scene.h"

namespace bristle::live {
namespace {

// Whether a world of the scene can go on from that state.
bool continues(const io::Scene& scene, const Snapshot& state) {
    try {
        World(scene.model, scene.solver).restore(state);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

WorldScene scene_of(const World& world, const std::string& title) {
    const Snapshot now = world.snapshot();
    // As bytes it can be kept in a file; a model that was changed needs more than those.
    const Snapshot bytes(now.origin(), now.equations(), now.bytes());
    WorldScene out;
    if (now.origin() == now.equations()) {
        out.scene =
            std::make_shared<const io::Scene>(io::scene_of(world.model(), world.settings(), title));
        const World start(out.scene->model, out.scene->solver);
        if (start.hash() == world.hash()) return out;
        out.origin.start = bytes;
        out.origin.start_time = world.time();
        if (continues(*out.scene, bytes)) return out;
    }
    out = {.begins_anew = true};
    out.scene =
        std::make_shared<const io::Scene>(io::scene_of(world.model_now(), world.settings(), title));
    return out;
}

}  // namespace bristle::live
