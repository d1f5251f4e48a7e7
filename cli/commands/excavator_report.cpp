#include "cli/commands/excavator_report.h"

#include "base/plain.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "report/machine_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::cli {
namespace {

using Json = nlohmann::ordered_json;
using machines::MachineResults;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json lift_as_json(const MachineResults& r) {
    Json out = Json::array();
    for (const machines::LiftTable& lift : r.lift) {
        Json points = Json::array();
        for (const machines::LiftCapacity& c : lift.capacities)
            if (c.is_reached)
                points.push_back({{"radius", c.radius},
                                  {"height", c.height},
                                  {"rated", c.rated()},
                                  {"tipping", number(c.tipping)},
                                  {"hydraulic", number(c.hydraulic)},
                                  {"limited_by", c.is_hydraulic() ? c.gives_way : "tipping"}});
        out.push_back({{"on", lift.stance}, {"over", lift.over}, {"capacities", points}});
    }
    return out;
}

Json as_json(const io::Scene& scene, const MachineResults& r, const machines::Fuel& fuel) {
    Json out{{"scene", scene.name}, {"title", scene.title}, {"mass", r.mass}};
    out["range"] = Json::object();
    if (r.range)
        for (const machines::Extreme& e : r.range->extremes) out["range"][e.name] = e.value;
    out["lift"] = lift_as_json(r);
    out["forces"] = Json::array();
    for (size_t i = 0; i < r.forces.size(); ++i) {
        const machines::ToolForce& f = r.forces[i];
        out["forces"].push_back({{"by", r.parts.cylinders[f.cylinder].name},
                                 {"force", f.force},
                                 {"gives_way", f.gives_way},
                                 {"alone", f.alone},
                                 {"simulated", number(r.pulls[i])}});
    }
    out["stability"] = Json::array();
    for (const machines::StabilityCurve& c : r.stability)
        out["stability"].push_back(
            {{"on", c.stance}, {"arm", c.arm}, {"swing", c.swing}, {"margin", c.margin}});
    out["times"] = Json::array();
    for (const machines::FunctionTime& t : r.times)
        out["times"].push_back(
            {{"function", t.name}, {"time", number(t.time)}, {"work", number(t.work)}});
    out["speeds"] = Json::array();
    for (const machines::Speed& s : r.speeds)
        out["speeds"].push_back({{"name", s.name}, {"value", s.value}, {"unit", s.unit}});
    if (r.cycle)
        out["cycle"] = {
            {"time", r.cycle->time},
            {"work", number(r.cycle->work)},
            {"litres_per_hour", number(3600 * fuel.litres(r.cycle->work) / r.cycle->time)},
            {"idle_litres_per_hour", number(fuel.litres(3600 * r.cycle->idle_power))}};
    out["left_out"] = r.left_out;
    return out;
}

void print_lift(const machines::LiftTable& lift) {
    fmt::print("\nLift capacities, t, over the {}, on {} (ISO 10567; * by its hydraulics)\n{:>8}",
               lift.over, lift.stance, "m");
    for (const double r : lift.radii) fmt::print("{:>9.4g}", r);
    fmt::print("\n");
    for (size_t i = 0; i < lift.heights.size(); ++i) {
        fmt::print("{:>8.4g}", lift.heights[i]);
        for (size_t k = 0; k < lift.radii.size(); ++k) {
            const std::string text = report::lift_text(lift.at(i, k));
            // A dash is three bytes and one place.
            fmt::print("{}{}", std::string(text == "–" ? 8 : 9 - text.size(), ' '), text);
        }
        fmt::print("\n");
    }
}

void print_results(const io::Scene& scene, const MachineResults& r, const machines::Fuel& fuel) {
    fmt::print("{}\n", plain(scene.title.empty() ? scene.name : scene.title));
    const auto fact = [](const std::string& name, double value, const char* unit) {
        fmt::print("  {:<38}{:>9.2f} {}\n", name, value, unit);
    };
    fact("mass", 1e-3 * r.mass, "t");
    if (r.range)
        for (const machines::Extreme& e : r.range->extremes) fact(e.name, e.value, "m");
    for (const machines::Speed& s : r.speeds) fact(s.name, s.value, s.unit.c_str());
    for (const machines::ToolForce& f : r.forces)
        fact("breakout, " + r.parts.cylinders[f.cylinder].name, 1e-3 * f.force, "kN");
    for (const machines::FunctionTime& t : r.times) fact(t.name, t.time, "s");
    if (r.cycle) {
        fact("cycle", r.cycle->time, "s");
        fact("fuel in cycles", 3600 * fuel.litres(r.cycle->work) / r.cycle->time, "l/h");
        fact("fuel when nothing moves", fuel.litres(3600 * r.cycle->idle_power), "l/h");
    }
    for (const machines::StabilityCurve& c : r.stability)
        fact(fmt::format("least margin, {}", c.stance) + (c.arm[0] == 's' ? ", arm out" : ""),
             *std::min_element(c.margin.begin(), c.margin.end()) * 180 / pi, "°");
    for (const machines::LiftTable& lift : r.lift) print_lift(lift);
    for (const std::string& text : r.left_out) fmt::print("left out: {}\n", plain(text));
}

}  // namespace

int excavator_report(const ExcavatorReportOptions& options) {
    const io::Scene scene = load(options, overrides_in(options.set));
    const machines::Fuel fuel{1e-3 * options.consumption / 3.6e6, options.density};
    make_folder(options.out);
    console::catch_interrupts();
    console::Progress progress(options.json || options.quiet
                                   ? console::Progress::To::nowhere
                                   : console::Progress::To::terminal_or_log);
    int part = 0;
    constexpr double parts = 8;
    const MachineResults results = machines::machine_results(
        scene.model, scene.solver, {.spacing = options.spacing, .tell = [&](const char* name) {
                                        if (progress.is_due()) progress.show(part / parts, name);
                                        ++part;
                                        return console::interrupt() == 0;
                                    }});
    progress.finish();
    if (!results.is_complete) return 128 + console::interrupt();
    const std::filesystem::path folder(options.out), page = folder / (scene.name + "-machine.html");
    const auto tables = report::write_machine_tables(folder, scene.name, results);
    report::write_report(report::machine_report(scene, results, fuel), page);
    if (options.json) {
        Json out = as_json(scene, results, fuel);
        out["report"] = page.string();
        out["tables"] = Json::array();
        for (const auto& table : tables) out["tables"].push_back(table.string());
        fmt::print("{}\n", json_line(out));
    } else if (!options.quiet) {
        print_results(scene, results, fuel);
        fmt::print("\n  {:<10} {}\n", "report", page.string());
        for (const auto& table : tables) fmt::print("  {:<10} {}\n", "table", table.string());
    }
    return 0;
}

}  // namespace bristle::cli
