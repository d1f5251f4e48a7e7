#include "report/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace bristle::report {
namespace {

constexpr size_t enough_samples = 4000;
// A frame is a pose of every body.
size_t enough_frames(const Model& model) {
    return std::clamp<size_t>(1'000'000 / model.bodies().size(), 10, 400);
}
constexpr size_t most_objects = 4;  // of a kind, in plots nobody asked for

// At most a few of the objects, from the first to the last.
template <class Id, class List>
std::vector<std::string> some_names(const Model& model, const List& list, uint32_t first) {
    std::vector<std::string> all;
    for (uint32_t i = first; i < list.size(); ++i)
        if (model.contains(Id{i}) && !list[i].name.empty()) all.push_back(list[i].name);
    if (all.size() <= most_objects) return all;
    std::vector<std::string> some;
    for (size_t k = 0; k < most_objects; ++k)
        some.push_back(all[k * (all.size() - 1) / (most_objects - 1)]);
    return some;
}

// What a plot of such a unit shows.
std::string word_for(const std::string& unit) {
    static const std::map<std::string, std::string> words = {
        {"m", "position"}, {"m/s", "speed"},           {"m/s²", "acceleration"}, {"rad", "angle"},
        {"N", "force"},    {"rad/s", "angular speed"}, {"N m", "moment"},        {"J", "energy"}};
    const auto it = words.find(unit);
    return it != words.end() ? it->second : "value";
}

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

std::string capitalized(std::string text) {
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

bool varies(const std::vector<double>& values, double scale) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return low != values.end() && *high - *low > 1e-6 * scale;
}

template <class T> void drop_every_other(std::vector<T>& list) {
    size_t kept = 0;
    for (size_t i = 0; i < list.size(); i += 2) {
        if (i != kept) list[kept] = std::move(list[i]);
        ++kept;
    }
    list.resize(kept);
}

}  // namespace

std::string column_name(const io::Quantity& q) { return with_unit(q.name, q.unit); }

bool is_conservative(const Model& model) {
    const auto damps = [](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [](const auto& s) { return s.damping > 0 || s.law; });
    };
    return model.drives().empty() && model.motors().empty() && model.bushings().empty()
        && model.user_forces().empty() && model.stateful_forces().empty() && model.limits().empty()
        && model.shapes().empty() && !damps(model.springs()) && !damps(model.joint_springs());
}

std::vector<std::string> default_quantities(const Model& model) {
    std::vector<std::string> names;
    for (const auto& body : some_names<BodyId>(model, model.bodies(), 1))
        names.push_back(body + ".center");
    names.insert(names.end(), {"energy.kinetic", "energy.potential", "energy.change"});
    for (const auto& joint : some_names<JointId>(model, model.joints(), 0))
        names.push_back(joint + ".reaction.force.norm");
    for (const auto& drive : some_names<DriveId>(model, model.drives(), 0))
        names.push_back(drive + ".effort");
    if (!model.shapes().empty()) names.emplace_back("contact.count");
    return names;
}

RunHistory::RunHistory(const io::Scene& scene, const std::vector<std::string>& asked,
                       uint64_t steps)
    : stride_(std::clamp<uint64_t>(steps / enough_samples, 1, 20)),
      enough_frames_(enough_frames(scene.model)),
      frame_stride_(stride_ * (enough_samples / enough_frames_)) {
    const Model& model = scene.model;
    energy_change_ = column(io::quantities(model, "energy.change").front());
    for (const io::ScenePlot& plot : scene.plots) add_curves(model, plot, Show::all);
    if (!asked.empty())
        add_by_unit(model, asked, Show::all);
    else if (scene.plots.empty())
        add_by_unit(model, default_quantities(model), Show::what_varies);
    const auto plotted = [&](size_t c) {
        return std::any_of(curves_.begin(), curves_.end(), [&](const Curves& p) {
            return std::find(p.y.begin(), p.y.end(), c) != p.y.end();
        });
    };
    if (!plotted(column(io::quantities(model, "energy.kinetic").front())))
        add_curves(model, {"Energy", "", {"energy.kinetic", "energy.potential"}}, Show::all);
    const char* title = is_conservative(model) ? "Energy error" : "Change of energy";
    for (Curves& p : curves_) std::erase(p.y, energy_change_);
    std::erase_if(curves_, [](const Curves& p) { return p.y.empty(); });
    curves_.push_back({title, -1, {energy_change_}, Show::all});
}

size_t RunHistory::column(const io::Quantity& q) {
    for (size_t i = 0; i < quantities_.size(); ++i)
        if (quantities_[i].name == q.name) return i;
    quantities_.push_back(q);
    values_.emplace_back();
    return quantities_.size() - 1;
}

void RunHistory::add_curves(const Model& model, const io::ScenePlot& plot, Show show) {
    const int x = plot.x.empty() ? -1 : [&] {
        const auto found = io::quantities(model, plot.x);
        if (found.size() != 1)
            throw InputError(fmt::format("a plot's x is one number; write {}.x, .y or .z", plot.x));
        return static_cast<int>(column(found.front()));
    }();
    std::vector<std::string> units;
    std::vector<Curves> by_unit;
    for (const std::string& name : plot.y)
        for (const io::Quantity& q : io::quantities(model, name)) {
            size_t k = 0;
            while (k < units.size() && units[k] != q.unit) ++k;
            if (k == units.size()) {
                units.push_back(q.unit);
                by_unit.push_back(
                    {plot.title.empty() ? capitalized(word_for(q.unit)) : plot.title, x, {}, show});
            }
            by_unit[k].y.push_back(column(q));
        }
    curves_.insert(curves_.end(), by_unit.begin(), by_unit.end());
}

void RunHistory::add_by_unit(const Model& model, const std::vector<std::string>& names, Show show) {
    add_curves(model, {"", "", names}, show);
}

void RunHistory::take(const World& world) {
    time_.push_back(world.time());
    for (size_t i = 0; i < quantities_.size(); ++i)
        values_[i].push_back(quantities_[i].read(world));
}

void RunHistory::halve() {
    drop_every_other(time_);
    for (auto& list : values_) drop_every_other(list);
    stride_ *= 2;
}

void RunHistory::sample(const World& world, uint64_t step) {
    if (step % stride_ == 0) {
        take(world);
        if (time_.size() > 2 * enough_samples) halve();
    }
    if (step % frame_stride_ == 0) {
        const auto poses = world.poses();
        instants_.push_back({world.time(), {poses.begin(), poses.end()}});
        if (instants_.size() > 2 * enough_frames_) {
            drop_every_other(instants_);
            frame_stride_ *= 2;
        }
    }
}

void RunHistory::finish(const World& world) {
    if (time_.empty() || world.time() > time_.back()) take(world);
    const auto poses = world.poses();
    if (instants_.empty() || world.time() > instants_.back().time)
        instants_.push_back({world.time(), {poses.begin(), poses.end()}});
}

double RunHistory::largest_energy_change() const {
    double worst = 0;
    for (const double e : values_[energy_change_]) worst = std::max(worst, std::abs(e));
    return worst;
}

void RunHistory::put_into(Report& report, const Model& model) const {
    for (const Curves& p : curves_) {
        const std::string& unit = quantities_[p.y.front()].unit;
        Plot plot{p.title.empty()
                      ? p.y.size() == 1 ? quantities_[p.y[0]].name : capitalized(word_for(unit))
                      : p.title,
                  p.x < 0 ? "time (s)" : column_name(quantities_[static_cast<size_t>(p.x)]),
                  with_unit(word_for(unit), unit),
                  p.x < 0 ? time_ : values_[static_cast<size_t>(p.x)],
                  {}};
        double scale = 0;
        for (const size_t c : p.y)
            for (const double v : values_[c]) scale = std::max(scale, std::abs(v));
        for (const size_t c : p.y)
            if (p.show == Show::all || varies(values_[c], scale))
                plot.series.push_back({quantities_[c].name, values_[c]});
        if (!plot.series.empty()) report.plots.push_back(std::move(plot));
    }
    draw_motion(model, instants_, report);
}

}  // namespace bristle::report
