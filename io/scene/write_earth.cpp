// Earth, as a file says it.
#include "io/scene/exact.h"
#include "io/scene/machine_fields.h"
#include "io/scene/writing.h"
#include "machines/earth/earth.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace bristle::io {
namespace {

using namespace machines;

Entry entry_in(const char* name) { return Entry(section(name).types[0]); }

// Soils by their names in the file: the four there are, and those that are written down.
class Soils {
  public:
    std::string name_of(const Soil& soil) {
        for (const Soil& known : {loam(), sand(), clay(), gravel()})
            if (soil == known) return known.name;
        for (const auto& [name, other] : written_)
            if (soil == other) return name;
        const std::string wanted = soil.name.empty() ? "soil" : plain_line(soil.name);
        std::string name = wanted;
        for (int n = 2; is_taken(name); ++n) name = fmt::format("{} {}", wanted, n);
        written_.emplace_back(name, soil);
        return name;
    }
    std::string text() const {
        std::string text;
        for (const auto& [name, soil] : written_) {
            // Like one of the same colour, which a file cannot say by itself. As the words of `like` go.
            const Soil known[] = {loam(), sand(), clay(), gravel()};
            const auto* like =
                std::find_if(std::begin(known), std::end(known),
                             [&, &s = soil](const Soil& k) { return k.color == s.color; });
            if (like == std::end(known)) like = known;
            Entry entry = entry_in("soils");
            entry.word("like", like - known);
            write_fields(entry, soil, *like);
            entry.word("digging", soil.digging);
            text += (text.empty() ? "" : ", ") + io::written(name) + ": " + entry.text();
        }
        return text;
    }

  private:
    bool is_taken(const std::string& name) const {
        return name == "loam" || name == "sand" || name == "clay" || name == "gravel"
            || std::any_of(written_.begin(), written_.end(),
                           [&](const auto& one) { return one.first == name; });
    }
    std::vector<std::pair<std::string, Soil>> written_;
};

std::string bucket_text(const Bucket& b, const FileNames& names) {
    Entry entry = entry_in("buckets");
    entry.name("body", names.of(b.body))
        .put("hull", points_text(b.hull))
        .vector("edge_left", b.edge_left)
        .vector("edge_right", b.edge_right)
        .put("digging", written(before_direction(b.digging)))
        .put("inside", points_text(b.inside))
        .number("edge_thickness", b.edge_thickness);
    return written(plain_line(b.name)) + ": " + entry.text();
}

std::string bed_text(const Earth::Bed& b, const FileNames& names) {
    Entry entry = entry_in("beds");
    entry.name("body", names.of(b.body))
        .vector("low", b.low)
        .vector("high", b.high)
        .number("tail_angle", b.tail_angle);
    return written(plain_line(b.name)) + ": " + entry.text();
}

template <class List, class Each> std::string mapped(const List& list, const Each& each) {
    std::string text = listed(list, each);
    text.front() = '{';
    text.back() = '}';
    return text;
}

// What a file makes of earth comes after everything else.
template <class Id, class List> bool are_last(const List& own, size_t count, const Model& model) {
    uint32_t first = UINT32_MAX;
    size_t there = 0, after = 0;
    for (const Id id : own)
        if (model.contains(id)) {
            first = std::min(first, id.index);
            ++there;
        }
    for (uint32_t i = first; i < count; ++i) after += model.contains(Id{i}) ? 1 : 0;
    return after == there;
}

std::vector<ForceId> forces_of(const EarthIds& ids) {
    std::vector<ForceId> all = ids.dig_forces;
    all.insert(all.end(), ids.loads.begin(), ids.loads.end());
    all.insert(all.end(), ids.bed_loads.begin(), ids.bed_loads.end());
    return all;
}

}  // namespace

bool is_of_earth(const Model& model, ForceId id) {
    const auto earth = earth_of(model);
    if (!earth) return false;
    const std::vector<ForceId> own = forces_of(earth->ids);
    return std::find(own.begin(), own.end(), id) != own.end();
}

bool is_of_earth(const Model& model, ShapeId id) {
    const auto earth = earth_of(model);
    if (!earth) return false;
    const std::vector<ShapeId>& own = earth->ids.spares;
    return std::find(own.begin(), own.end(), id) != own.end();
}

std::string earth_complaint(const Model& model) {
    const auto earth = earth_of(model);
    for (uint32_t i = 0; i < model.processes().size(); ++i)
        if (model.contains(ProcessId{i}) && !(earth && earth->ids.process == ProcessId{i}))
            return fmt::format("{}: a process is code, which no file can say",
                               model.processes()[i]->name());
    if (!earth) return {};
    const auto is_there = [&](auto id) { return model.contains(id); };
    const Earth& e = earth->earth;
    const bool is_whole = std::all_of(e.patches.begin(), e.patches.end(),
                                      [&](const Earth::Patch& p) { return is_there(p.shape); })
                       && std::all_of(e.buckets.begin(), e.buckets.end(),
                                      [&](const Bucket& b) { return is_there(b.body); })
                       && std::all_of(e.beds.begin(), e.beds.end(),
                                      [&](const Earth::Bed& b) { return is_there(b.body); })
                       && std::all_of(e.rollers.begin(), e.rollers.end(),
                                      [&](const Earth::Roller& r) { return is_there(r.tyre); })
                       && std::all_of(e.feet.begin(), e.feet.end(),
                                      [&](const Earth::Foot& f) { return is_there(f.body); })
                       && std::all_of(earth->ids.spares.begin(), earth->ids.spares.end(), is_there);
    if (!is_whole) return "earth: something it acts on was removed, which no file can say";
    if (e.group != Earth{}.group)
        return "earth: its group is not the usual one, which no file can say";
    if (!are_last<ForceId>(forces_of(earth->ids), model.forces().size(), model)
        || !are_last<ShapeId>(earth->ids.spares, model.shapes().size(), model))
        return "earth: forces or shapes were added after it, and a file adds it last; do so, too";
    return {};
}

void write_earth(Lines& lines, const Model& model, const FileNames& names) {
    const auto found = earth_of(model);
    if (!found) return;
    const Earth& e = found->earth;
    Soils soils;
    const std::string patches = listed(e.patches, [&](const Earth::Patch& p) {
        return entry_in("patches")
            .name("shape", names.shapes[p.shape.index])
            .name("soil", soils.name_of(p.soil))
            .text();
    });
    Entry spare = entry_in("spare");
    spare.number("patches", e.spare_patches)
        .number("points", e.spare_points)
        .number("spacing", e.spare_spacing)
        .name("soil", soils.name_of(e.spare_soil))
        .name("material", names.of(e.material));
    lines.line("earth:");
    const auto put = [&](const char* key, const std::string& text) {
        if (text.size() > 2) lines.line(fmt::format("  {}: {}", key, text));
    };
    put("soils", "{" + soils.text() + "}");
    lines.line("  patches: " + patches);
    put("buckets", mapped(e.buckets, [&](const Bucket& b) { return bucket_text(b, names); }));
    put("beds", mapped(e.beds, [&](const Earth::Bed& b) { return bed_text(b, names); }));
    put("rollers", listed(e.rollers, [&](const Earth::Roller& r) {
            return entry_in("rollers")
                .name("tyre", names.forces[r.tyre.index])
                .number("width", r.width)
                .text();
        }));
    put("feet", listed(e.feet, [&](const Earth::Foot& f) {
            return entry_in("feet")
                .name("body", names.of(f.body))
                .vector("center", f.center)
                .number("length", f.length)
                .number("width", f.width)
                .text();
        }));
    put("spare", spare.text());
    if (e.seed != Earth{}.seed) lines.line(fmt::format("  seed: {}", e.seed));
    if (e.looks != Earth{}.looks) lines.line(fmt::format("  looks: {}", e.looks));
}

}  // namespace bristle::io
