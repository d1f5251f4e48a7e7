// How a scene is run: solver and outputs.
#include "io/scene/sections.h"

#include <fmt/format.h>

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
    return AugmentedLagrangian{.step = o.number("step"),
                               .integrator = o.word<Integrator>("integrator"),
                               .newmark_beta = o.number("newmark_beta"),
                               .newmark_gamma = o.number("newmark_gamma"),
                               .hht_delta = o.number("hht_delta"),
                               .rho_infinity = o.number("rho_infinity"),
                               .projection = o.word<Projection>("projection"),
                               .max_iterations = static_cast<int>(o.integer("max_iterations")),
                               .penalty = o.number("penalty"),
                               .take_out_beyond = o.number("take_out_beyond")};
}

std::vector<std::string> names_of(Context& context, const Node& node, std::string_view what) {
    std::vector<std::string> names;
    if (node.kind != Node::Kind::list) {
        if (const auto name = context.text(node, what)) names.push_back(*name);
        return names;
    }
    for (const auto& item : node.entries)
        if (const auto name = context.text(*item.value, what)) names.push_back(*name);
    if (node.entries.empty())
        context.mistakes.add(node.mark, fmt::format("{} is an empty list; expected a name", what));
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
            if (quantity.is_good()) context.scene.quantities.push_back(name);
        });
    if (const Node* list = o.find("plots"))
        read_each(context, *list, section("plots"), [&](const Object& plot, const Node&) {
            ScenePlot p{plot.text("title"), plot.text("x"), {}};
            if (const Node* y = plot.find("y")) p.y = names_of(context, *y, "y");
            if (plot.is_good()) context.scene.plots.push_back(std::move(p));
        });
}

}  // namespace bristle::io
