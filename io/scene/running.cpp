// How a scene is run: solver and outputs.
#include "base/suggest.h"
#include "io/scene/quantities.h"
#include "io/scene/sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::io {
namespace {

Settings settings_of(const Object& o) {
    const std::string& type = o.type().name;
    if (type == "baumgarte")
        return Baumgarte{o.number("step"), o.number("frequency"), o.number("damping")};
    if (type == "penalty")
        return Penalty{o.number("step"), o.number("penalty"), o.number("frequency"),
                       o.number("damping")};
    if (type == "independent_coordinates") return IndependentCoordinates{o.number("step")};
    if (type == "impulse")
        return Impulse{.step = o.number("step"),
                       .iterations = static_cast<int>(o.integer("iterations")),
                       .correction = o.word<Impulse::Correction>("correction"),
                       .direct = o.word<Impulse::Direct>("direct"),
                       .error_reduction = o.number("error_reduction"),
                       .allowed_depth = o.number("allowed_depth"),
                       .resting_speed = o.has("resting_speed")
                                          ? std::optional(o.number("resting_speed"))
                                          : std::nullopt,
                       .impacts = o.word<Impulse::Impacts>("impacts"),
                       .sleep_after = o.number("sleep_after"),
                       .sleep_speed = o.number("sleep_speed"),
                       .sleep_spin = o.number("sleep_spin"),
                       .threads = static_cast<int>(o.integer("threads"))};
    return AugmentedLagrangian{.step = o.number("step"),
                               .integrator = o.word<Integrator>("integrator"),
                               .newmark_beta = o.number("newmark_beta"),
                               .newmark_gamma = o.number("newmark_gamma"),
                               .hht_delta = o.number("hht_delta"),
                               .rho_infinity = o.number("rho_infinity"),
                               .projection = o.word<Projection>("projection"),
                               .max_iterations = static_cast<int>(o.integer("max_iterations")),
                               .penalty = o.number("penalty"),
                               .take_out_beyond = o.number("take_out_beyond"),
                               .threads = static_cast<int>(o.integer("threads"))};
}

// The curves of a plot.
std::vector<std::string> curves(Context& context, const Node& node, size_t plot) {
    std::vector<std::string> names;
    const auto add = [&](const Node& item) {
        const auto name = context.text(item, "y");
        if (!name) return;
        names.push_back(*name);
        context.asked.push_back({*name, item.mark, plot});
    };
    if (node.kind != Node::Kind::list) {
        add(node);
        return names;
    }
    for (const auto& item : node.entries) add(*item.value);
    if (node.entries.empty())
        context.mistakes.add(node.mark, "y is an empty list; expected a name");
    return names;
}

}  // namespace

void read_solver(Context& context, const Node& node) {
    const Section& solvers = section("solver");
    if (node.kind != Node::Kind::map && node.kind != Node::Kind::scalar) {
        context.mistakes.add(
            node.mark, fmt::format("solver is {}; expected its type, or a map", describe(node)));
        return;
    }
    if (const Type* type = type_of(context, node, solvers))
        context.scene.solver = settings_of(Object(context, node, *type, solvers.short_key));
}

std::vector<std::string> solver_names() {
    std::vector<std::string> names;
    for (const Type& type : section("solver").types) names.push_back(type.name);
    return names;
}

void change_solver(Scene& scene, const std::string& name, double step) {
    if (!name.empty()) {
        std::string word = name;
        std::replace(word.begin(), word.end(), '-', '_');
        const std::vector<std::string> all = solver_names();
        const auto at = static_cast<size_t>(std::find(all.begin(), all.end(), word) - all.begin());
        if (at == all.size())
            throw InputError(fmt::format("there is no solver '{}'{}; there are {}", name,
                                         suggestion(word, all), fmt::join(all, ", ")));
        // In the order of the table.
        const Settings chosen[] = {AugmentedLagrangian{}, Baumgarte{}, Penalty{},
                                   IndependentCoordinates{}, Impulse{}};
        if (step <= 0) step = step_of(scene.solver);
        scene.solver = chosen[at];
    }
    if (step > 0) std::visit([step](auto& settings) { settings.step = step; }, scene.solver);
}

void read_outputs(Context& context, const Node& node) {
    if (node.kind != Node::Kind::map) {
        context.mistakes.add(node.mark,
                             fmt::format("outputs is {}; expected a map", describe(node)));
        return;
    }
    const Object o(context, node, section("outputs").types[0]);
    context.scene.output_step = o.number("every");
    if (const Node* list = o.find("quantities"))
        read_each(context, *list, section("quantities"), [&](const Object& quantity, const Node&) {
            const std::string name = quantity.text("name");
            if (!quantity.is_good()) return;
            context.scene.quantities.push_back(name);
            context.asked.push_back({name, quantity.find("name")->mark});
        });
    size_t plots = 0;
    if (const Node* list = o.find("plots"))
        read_each(context, *list, section("plots"), [&](const Object& plot, const Node&) {
            ScenePlot p{plot.text("title"), plot.text("x"), {}};
            if (p.x == "time" || p.x == "t") p.x.clear();  // as if it had not been said
            if (const Node* x = plot.find("x"); x != nullptr && !p.x.empty())
                context.asked.push_back({p.x, x->mark, 0, true});
            if (const Node* y = plot.find("y")) p.y = curves(context, *y, ++plots);
            if (plot.is_good()) context.scene.plots.push_back(std::move(p));
        });
}

void check_quantities(Context& context) {
    std::map<size_t, std::string> units;  // of the plots
    for (const auto& [name, mark, group, is_single] : context.asked) {
        if (context.mistakes.is_full()) return;
        try {
            const auto found = quantities(context.scene.model, name);
            if (is_single && found.size() > 1)
                context.mistakes.add(mark, fmt::format("x is {} numbers; expected one, as in {}",
                                                       found.size(), found[0].name));
            const std::string& unit = found[0].unit;
            if (group != 0 && units.emplace(group, unit).first->second != unit)
                context.mistakes.add(mark,
                                     fmt::format("{} is in {}; expected {}, as the first of "
                                                 "the plot",
                                                 name, unit.empty() ? "no unit" : unit,
                                                 units[group].empty() ? "no unit" : units[group]));
        } catch (const InputError& error) {
            context.mistakes.add(mark, error.what());
        }
    }
}

}  // namespace bristle::io
