#include "report/machine_report.h"

#include "report/csv_file.h"
#include "report/drawing.h"
#include "report/side_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::report {
namespace {

using machines::Arm;
using machines::MachineResults;
using machines::PlanePoint;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

TableCell number(double value, const char* format = "{:.3g}") {
    return {std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "–",
            std::isfinite(value) ? value : unknown};
}

// ---- The diagram of the range ----------------------------------------------------------------------------

// All bodies where the model starts, and the arm by its cylinders, in the axes of the arm.
std::vector<Pose> poses_of(const io::Scene& scene, const MachineResults& r, Arm& arm) {
    const machines::Axes axes = machines::axes_of(scene.model, r.parts);
    const Mat3 turn = Mat3::columns(axes.ahead, axes.left, axes.up).transposed();
    std::vector<Pose> poses;
    for (const Body& b : scene.model.bodies())
        poses.push_back({axes.of(b.position), Quat::from(turn * b.orientation.matrix())});
    for (const BodyId body : r.parts.moved) poses[body.index] = arm.pose(body);
    return poses;
}

Figure range_figure(const io::Scene& scene, const MachineResults& r) {
    const double height = r.stances.front().height;
    Arm arm(scene.model, r.parts);
    for (const machines::Extreme& e : r.range->extremes)
        if (e.name == "reach on the ground") arm.place(e.lengths);
    const auto parts =
        side_view(scene, r.parts.machine, poses_of(scene, r, arm), {1, 0, 0}, {0, 0, 1});
    PlanePoint low{HUGE_VAL, 0}, high{0, 0};
    const auto widen = [&](double x, double y) {
        low = {std::min(low[0], x), std::min(low[1], y)};
        high = {std::max(high[0], x), std::max(high[1], y)};
    };
    for (const PlanePoint& p : r.range->envelope) widen(p[0], p[1]);
    for (const SeenPart& part : parts)
        for (const PlanePoint& p : part.outline) widen(p[0], p[1] + height);
    Drawing drawing({low[0] - 0.5, low[1] - 0.7}, {high[0] + 0.7, high[1] + 0.7},
                    "Working range, from the side");
    drawing.area(r.range->envelope, "region");
    drawing.line(std::vector<PlanePoint>{{low[0] - 0.5, 0}, {high[0] + 0.7, 0}}, "ground");
    for (const SeenPart& part : parts) {
        std::vector<PlanePoint> outline = part.outline;
        for (PlanePoint& p : outline) p[1] += height;
        drawing.filled(outline, part.color);
    }
    for (const machines::Extreme& e : r.range->extremes) {
        const bool is_dumping = e.name.starts_with("dumping");
        const PlanePoint at{e.at[0], is_dumping ? e.value : e.at[1]};
        const bool is_reach = e.name.starts_with("reach");
        const double beside =
            e.name == "digging depth" || e.name == "reach on the ground" ? -18 : 8;
        drawing.line(
            std::vector<PlanePoint>{is_reach ? PlanePoint{0, at[1]} : PlanePoint{at[0], 0}, at},
            "measure");
        drawing.dot(at, "mark");
        drawing.text(at, fmt::format("{} {:.2f} m", e.name, e.value), is_reach ? "end" : "middle",
                     beside);
    }
    return {
        "Working range", drawing.svg(),
        fmt::format("Of the teeth, on wheels, the swing's axis at 0; within {:.0f} mm. All that "
                    "the cylinders allow: the machine's own parts are not in the way here.",
                    1e3 * r.range->accuracy)};
}

// ---- Tables ----------------------------------------------------------------------------------------------

Table lift_table(const machines::LiftTable& lift) {
    Table table{fmt::format("Lift capacities over the {}, on {} (t)", lift.over, lift.stance),
                {"height, m"},
                {},
                "ISO 10567, at the end of the stick, without bucket: take its weight and that of "
                "slings off. * 87 % of what the hydraulics lift, else 75 % of what tips it; firm, "
                "level ground, axle locked."};
    for (const double r : lift.radii) table.columns.push_back(fmt::format("{:.4g} m", r));
    for (size_t i = 0; i < lift.heights.size(); ++i) {
        auto& row = table.rows.emplace_back();
        row.push_back(number(lift.heights[i], "{:.4g}"));
        for (size_t k = 0; k < lift.radii.size(); ++k) {
            const machines::LiftCapacity& c = lift.at(i, k);
            row.push_back(
                {lift_text(c), c.is_reached ? 1e-3 * c.rated() : 0});  // to the right, as numbers
        }
    }
    return table;
}

Table force_table(const MachineResults& r) {
    Table table{"Breakout forces (kN)",
                {"by", "after ISO 6015", "gives way", "cylinder alone", "with its oil, simulated"},
                {},
                "At the edge of the bucket, along its way, without weights. ISO 6015: working "
                "pressure in one cylinder, no other beyond what it holds. Alone: if the others "
                "held everything."};
    for (size_t i = 0; i < r.forces.size(); ++i) {
        const machines::ToolForce& f = r.forces[i];
        table.rows.push_back({{r.parts.cylinders[f.cylinder].name},
                              number(1e-3 * f.force, "{:.1f}"),
                              {f.gives_way},
                              number(1e-3 * f.alone, "{:.1f}"),
                              number(1e-3 * r.pulls[i], "{:.1f}")});
    }
    return table;
}

Table time_table(const MachineResults& r, const machines::Fuel& fuel) {
    Table table{"Functions, each alone",
                {"function", "way", "time, s", "work of the engine, kJ", "fuel, ml"},
                {},
                "Full lever and throttle, from one end of the way to a hundredth before the other; "
                "in the air. Out: the cylinder gets longer."};
    for (const machines::FunctionTime& t : r.times) {
        const bool turns = t.name.starts_with("swing");
        table.rows.push_back(
            {{t.name},
             {turns ? fmt::format("{:.0f}°", t.way * 180 / pi) : fmt::format("{:.3f} m", t.way),
              t.way},
             number(t.time, "{:.2f}"),
             number(1e-3 * t.work, "{:.0f}"),
             number(1000 * fuel.litres(t.work), "{:.1f}")});
    }
    return table;
}

void add_cycle(Report& out, const machines::Cycle& c, const machines::Fuel& fuel) {
    Table legs{"A cycle, function after function", {"what", "from, s", "to, s"}, {}};
    for (const machines::CycleLeg& leg : c.legs)
        legs.rows.push_back({{leg.name}, number(leg.begin, "{:.2f}"), number(leg.end, "{:.2f}")});
    if (std::isfinite(c.work)) {
        legs.note = fmt::format(
            "{:.3g} MJ of the engine and {:.0f} ml of fuel a cycle: {:.1f} l/h, {:.1f} l/h when "
            "nothing moves, at full throttle and {:.0f} g/kWh.",
            1e-6 * c.work, 1000 * fuel.litres(c.work), 3600 * fuel.litres(c.work) / c.time,
            fuel.litres(3600 * c.idle_power), 3.6e9 * fuel.consumption);
        Plot plot{"The engine in a cycle", "time (s)", "power of pump and drag (kW)", c.at, {}};
        Series power{"power", {}};
        for (const double w : c.power) power.values.push_back(1e-3 * w);
        plot.series.push_back(std::move(power));
        out.plots.push_back(std::move(plot));
    }
    out.tables.push_back(std::move(legs));
}

void add_stability(Report& out, const MachineResults& r) {
    if (r.stability.empty()) return;
    Table table{"Static stability (°)",
                {"stands on", "arm", "ahead", "least", "at a swing of"},
                {},
                "How steep level ground may become, any way, until it tips."};
    Plot plot{"Static stability while it swings around", "swing (°)", "margin (°)", {}, {}};
    for (const machines::StabilityCurve& c : r.stability) {
        const auto least = std::min_element(c.margin.begin(), c.margin.end());
        const auto degrees = [](double a) { return a * 180 / pi; };
        table.rows.push_back(
            {{c.stance},
             {c.arm},
             number(degrees(c.margin.front()), "{:.1f}"),
             number(degrees(*least), "{:.1f}"),
             number(degrees(c.swing[static_cast<size_t>(least - c.margin.begin())]), "{:.0f}")});
        Series series{fmt::format("{}, {}", c.stance, c.arm), {}};
        plot.x.clear();
        for (const double a : c.swing) plot.x.push_back(degrees(a));
        for (const double a : c.margin) series.values.push_back(degrees(a));
        plot.series.push_back(std::move(series));
    }
    out.tables.push_back(std::move(table));
    if (plot.x.size() > 1) out.plots.push_back(std::move(plot));
}

}  // namespace

std::string lift_text(const machines::LiftCapacity& c) {
    if (!c.is_reached) return "–";
    return fmt::format("{:.2f}{}", 1e-3 * c.rated(), c.is_hydraulic() ? " *" : "");
}

Report machine_report(const io::Scene& scene, const MachineResults& r, const machines::Fuel& fuel) {
    Report out{.title = scene.title.empty() ? scene.name : scene.title,
               .subtitle = fmt::format("{}: what it can do, computed from its model", scene.name)};
    out.facts.push_back({"mass", fmt::format("{:.2f} t", 1e-3 * r.mass)});
    if (r.range)
        for (const machines::Extreme& e : r.range->extremes)
            out.facts.push_back({e.name, fmt::format("{:.2f} m", e.value)});
    for (const machines::Speed& s : r.speeds)
        out.facts.push_back({s.name, fmt::format("{:.2f} {}", s.value, s.unit)});
    for (size_t i = 0; i < r.forces.size(); ++i)
        out.facts.push_back({"breakout, " + r.parts.cylinders[r.forces[i].cylinder].name,
                             fmt::format("{:.1f} kN", 1e-3 * r.forces[i].force)});
    if (r.cycle) out.facts.push_back({"cycle", fmt::format("{:.1f} s", r.cycle->time)});
    for (const std::string& text : r.left_out) out.facts.push_back({"left out", text});
    if (r.range && !r.stances.empty()) out.figures.push_back(range_figure(scene, r));
    for (const machines::LiftTable& lift : r.lift) out.tables.push_back(lift_table(lift));
    if (!r.forces.empty()) out.tables.push_back(force_table(r));
    add_stability(out, r);
    if (!r.times.empty()) out.tables.push_back(time_table(r, fuel));
    if (r.cycle) add_cycle(out, *r.cycle, fuel);
    return out;
}

std::vector<std::filesystem::path> write_machine_tables(const std::filesystem::path& folder,
                                                        const std::string& name,
                                                        const MachineResults& r) {
    std::vector<std::filesystem::path> out;
    const auto write = [&](const std::string& what, const std::vector<std::string>& header,
                           const std::vector<std::vector<double>>& rows) {
        out.push_back(folder / fmt::format("{}-{}.csv", name, what));
        CsvFile file(out.back(), header);
        for (const auto& row : rows) file.add(row);
        file.finish();
    };
    if (r.range) {
        std::vector<std::vector<double>> rows;
        for (const PlanePoint& p : r.range->envelope) rows.push_back({p[0], p[1]});
        write("range", {"ahead [m]", "height [m]"}, rows);
    }
    for (const machines::LiftTable& lift : r.lift) {
        std::vector<std::vector<double>> rows;
        for (const machines::LiftCapacity& c : lift.capacities)
            if (c.is_reached)
                rows.push_back({c.radius, c.height, c.rated(),
                                std::isfinite(c.tipping) ? c.tipping : unknown,
                                std::isfinite(c.hydraulic) ? c.hydraulic : unknown,
                                c.is_hydraulic() ? 1.0 : 0.0});
        write(fmt::format("lift-{}-{}", lift.over, lift.stance == "wheels" ? "wheels" : "supports"),
              {"radius [m]", "height [m]", "rated [kg]", "tipping [kg]", "hydraulic [kg]",
               "limited by hydraulics"},
              rows);
    }
    if (!r.stability.empty() && r.stability.front().swing.size() > 1) {
        std::vector<std::string> header{"swing [rad]"};
        std::vector<std::vector<double>> rows;
        for (const double a : r.stability.front().swing) rows.push_back({a});
        for (const machines::StabilityCurve& c : r.stability) {
            header.push_back(fmt::format("margin, {}, {} [rad]", c.stance, c.arm));
            for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(c.margin[i]);
        }
        write("stability", header, rows);
    }
    if (r.cycle && !r.cycle->at.empty()) {
        std::vector<std::vector<double>> rows;
        for (size_t i = 0; i < r.cycle->at.size(); ++i)
            rows.push_back({r.cycle->at[i], r.cycle->power[i]});
        write("cycle", {"time [s]", "power of pump and drag [W]"}, rows);
    }
    return out;
}

}  // namespace bristle::report
