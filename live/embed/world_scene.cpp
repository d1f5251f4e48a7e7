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

// Looks go by ids, which are closed up where something was removed.
io::Scene dressed(io::Scene scene, const io::Scene* as) {
    if (as == nullptr || as->model.bodies().size() > scene.model.bodies().size()
        || as->model.shapes().size() > scene.model.shapes().size())
        return scene;
    scene.visuals = as->visuals;
    scene.body_looks = as->body_looks;
    scene.shape_looks = as->shape_looks;
    return scene;
}

}  // namespace

WorldScene scene_of(const World& world, const std::string& title, const io::Scene* seen_as) {
    const auto made = [&](const Model& model) {
        return std::make_shared<const io::Scene>(
            dressed(io::scene_of(model, world.settings(), title), seen_as));
    };
    const Snapshot now = world.snapshot();
    // As bytes it can be kept in a file; a model that was changed needs more than those.
    const Snapshot bytes(now.origin(), now.equations(), now.bytes());
    WorldScene out;
    if (now.origin() == now.equations()) {
        out.scene = made(world.model());
        const World start(out.scene->model, out.scene->solver);
        if (start.hash() == world.hash()) return out;
        out.origin.start = bytes;
        out.origin.start_time = world.time();
        if (continues(*out.scene, bytes)) return out;
    }
    out = {.begins_anew = true};
    out.scene = made(world.model_now());
    return out;
}

}  // namespace bristle::live
