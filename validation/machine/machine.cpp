#include "validation/machine/machine.h"

#include "io/scene/quantities.h"
#include "io/scene/scene_files.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::validation::machine {
namespace {

std::string settings(const io::Overrides& set) {
    std::string text;
    for (const auto& [name, value] : set)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
    return text;
}

// A slope is gravity that leans: what stands on it starts level, and nothing falls into place.
std::string text_of(const Place& p) {
    const double angle = std::atan(p.slope), g = p.gravity;
    std::string text = fmt::format(
        "gravity: [{}, {}, {}]\n"
        "include: [{{file: {}, set: {{{}}}}}]\n"
        "solver: {{type: {}, step: {}}}\n",
        -g * std::sin(angle) * std::cos(p.uphill), -g * std::sin(angle) * std::sin(p.uphill),
        -g * std::cos(angle), p.file, settings(p.set), p.solver, p.step);
    if (!p.held.empty()) {
        text += "joints:\n";
        for (const std::string& body : p.held)
            text += fmt::format("  {0} held: {{type: fixed, b: {0}, on_b: [0, 0, 0]}}\n", body);
    } else if (!p.ground.empty()) {
        text += fmt::format(
            "materials: {{ground: {{restitution: 0, static_friction: {0}, kinetic_friction: "
            "{0}}}}}\n"
            "contact_pairs:\n"
            "  - {{a: steel, b: ground, stiffness: 4e7, restitution: 0, static_friction: {0}, "
            "kinetic_friction: {0}}}\n"
            "  - {{a: rim, b: ground, stiffness: 2e7, restitution: 0, static_friction: {0}, "
            "kinetic_friction: {0}}}\n"
            "{1}",
            p.friction, p.ground);
    }
    return text + p.more;
}

io::Scene scene_of(const Place& p) {
    const std::filesystem::path scenes = io::scene_file("pendulum").parent_path();
    return io::parse_scene(text_of(p), "machine", scenes);
}

}  // namespace

Machine::Machine(const Place& place)
    : scene_(scene_of(place)), world_(scene_.model, scene_.solver) {}

void Machine::command(const std::string& name, double value) {
    for (uint32_t i = 0; i < model().drives().size(); ++i)
        if (model().drives()[i].name == name) return world_.command(DriveId{i}, value);
    for (uint32_t i = 0; i < model().forces().size(); ++i) {
        const auto [kind, k] = model().forces()[i];
        if (kind != Model::ForceKind::stateful) continue;
        const StatefulForce& force = model().stateful_forces()[k];
        const auto inputs = force.law->inputs();
        for (size_t input = 0; input < inputs.size(); ++input)
            if (force.name + "." + inputs[input].name == name)
                return world_.command(ForceId{i}, input, value);
    }
    throw InputError(fmt::format("no input {}", name));
}

void Machine::run(double seconds) { world_.advance_to(world_.time() + seconds); }

double Machine::reading(const std::string& quantity) const {
    return io::quantities(model(), quantity).at(0).read(world_);
}

double Machine::mass() const {
    double sum = 0;
    for (size_t i = 1; i < model().bodies().size(); ++i) sum += model().bodies()[i].mass;
    return sum;
}

}  // namespace bristle::validation::machine
