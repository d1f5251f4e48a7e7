#include "machines/earth/earth.h"

#include <bristle/error.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "machines/earth/bucket_laws.h"
#include "machines/earth/earth_memory.h"
#include "machines/parts/tyre.h"
#include "model/editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle::machines {
namespace {

// m: where spare patches wait, below everything, and how far below the lowest height a patch's datum is.
constexpr double waiting_depth = -1e4, datum_depth = 10;
constexpr uint32_t bed_columns = 21, bed_rows = 11;

void need_positive(const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("earth: {} is {}; it must be positive", what, value));
}

std::optional<Tyre> tyre_in(const Model& model, ForceId id) {
    if (!model.contains(id)) return {};
    const auto [kind, index] = model.forces()[id.index];
    if (kind != Model::ForceKind::stateful) return {};
    return tyre_of(model.stateful_forces()[index]);
}

template <class List> void check_names(const List& list, const char* what) {
    std::set<std::string> names;
    for (const auto& item : list)
        if (!names.insert(item.name).second)
            throw InputError(fmt::format("earth: two {} are called '{}'", what, item.name));
}

void check_earth(const Model& model, const Earth& e) {
    if (earth_of(model)) throw InputError("earth: the model has one; there may be only one");
    for (const Earth::Patch& p : e.patches) check(model, p);
    check(e.spare_soil);
    for (const Bucket& b : e.buckets) check(model, b);
    for (const Earth::Bed& b : e.beds) check(model, b);
    for (const Earth::Roller& r : e.rollers) check(model, r);
    for (const Earth::Foot& f : e.feet) check(model, f);
    check_names(e.buckets, "buckets");
    check_names(e.beds, "beds");
    need_positive("spare_spacing", e.spare_spacing);
    if (e.looks < 1) throw InputError("earth: looks must be at least 1");
    if (e.spare_patches > 0 && e.spare_points < 3)
        throw InputError("earth: spare patches need at least 3 points along a side");
    if (e.spare_patches > 1000 || e.spare_points > 2000)
        throw InputError("earth: at most 1000 spare patches of 2000 points along a side");
}

// What buckets feel by their forces is left out by their shapes.
void part_from_buckets(Model& model, const Earth& earth) {
    std::vector<Shape>& shapes = ModelEditor::shapes(model);
    const uint32_t usual = Shape{}.group;
    uint32_t groups = earth.group;
    for (const Earth::Patch& p : earth.patches) {
        uint32_t& group = shapes[p.shape.index].group;
        if (group == usual) group = earth.group;
        groups |= group;
    }
    for (const Bucket& b : earth.buckets)
        for (Shape& shape : shapes)
            if (shape.body == b.body) shape.mask &= ~groups;
}

}  // namespace

void check(const Model& model, const Earth::Patch& p) {
    check(p.soil);
    if (!model.contains(p.shape)) throw InputError("earth: a patch is not of the model");
    const Shape& shape = model.shapes()[p.shape.index];
    if (!std::holds_alternative<HeightField>(shape.geometry) || shape.body != Model::ground())
        throw InputError(
            fmt::format("earth: shape '{}' is no height field of the ground", shape.name));
    const Vec3 up = shape.pose.orientation.matrix().column(2);
    if (!(up.z > 1 - 1e-12))
        throw InputError(fmt::format("earth: shape '{}' leans; a patch is upright", shape.name));
}

void check(const Model& model, const Earth::Bed& b) {
    if (!model.contains(b.body)) throw InputError("earth: a bed has no body of the model");
    for (int k = 0; k < 3; ++k) need_positive("a bed's size", b.high[k] - b.low[k]);
    need_positive("a bed's tail_angle", b.tail_angle);
}

void check(const Model& model, const Earth::Roller& r) {
    if (!tyre_in(model, r.tyre)) throw InputError("earth: a roller has no tyre of the model");
    need_positive("a roller's width", r.width);
}

void check(const Model& model, const Earth::Foot& f) {
    if (!model.contains(f.body) || f.body == Model::ground())
        throw InputError("earth: a foot has no body of the model");
    if (!is_finite(f.center)) throw InputError("earth: a foot's center is not finite");
    need_positive("a foot's length", f.length);
    need_positive("a foot's width", f.width);
}

EarthIds add_earth(Model& model, const Earth& earth) {
    check_earth(model, earth);
    part_from_buckets(model, earth);
    EarthIds ids;
    for (const Bucket& b : earth.buckets) {
        const double stiffness =
            earth.patches.empty() ? earth.spare_soil.stiffness : earth.patches[0].soil.stiffness;
        ids.dig_forces.push_back(add_dig_force(model, b.body, stiffness, b.name + " in the soil"));
        ids.loads.push_back(add_load(model, b.body, b.name + " load"));
    }
    for (const Earth::Bed& b : earth.beds)
        ids.bed_loads.push_back(
            b.body == Model::ground() ? ForceId{} : add_load(model, b.body, b.name + " load"));
    HeightField spare{.columns = earth.spare_points,
                      .rows = earth.spare_points,
                      .spacing_x = earth.spare_spacing,
                      .spacing_y = earth.spare_spacing,
                      .heights = {}};
    spare.heights.assign(size_t{earth.spare_points} * earth.spare_points, 0);
    const double size = (earth.spare_points - 1) * earth.spare_spacing;
    for (uint32_t i = 0; i < earth.spare_patches; ++i)
        ids.spares.push_back(model.add(Shape{.body = Model::ground(),
                                             .geometry = spare,
                                             .pose = {{i * size, 0, waiting_depth}, {}},
                                             .material = earth.material,
                                             .group = earth.group,
                                             .name = fmt::format("spare patch {}", i + 1)}));
    ids.process = {static_cast<uint32_t>(model.processes().size())};
    model.add(std::make_shared<const EarthProcess>(earth, ids, model));
    return ids;
}

// ---- The process ---------------------------------------------------------------------------------------

EarthProcess::EarthProcess(Earth earth, EarthIds ids, const Model& model)
    : earth_(std::move(earth)), ids_(std::move(ids)), gravity_(norm(model.gravity)) {
    for (const Bucket& b : earth_.buckets) {
        shapes_.emplace_back(b);
        hulls_.emplace_back(b.hull);
    }
    for (const Earth::Roller& r : earth_.rollers)
        wheels_.push_back({model.stateful_forces()[model.forces()[r.tyre.index].index].points[0],
                           *tyre_in(model, r.tyre)});
}

std::unique_ptr<ProcessMemory> EarthProcess::start(World& world) const {
    auto m = std::make_unique<EarthMemory>();
    for (const Earth::Patch& p : earth_.patches) {
        const HeightField& f = world.height_field(p.shape);
        m->grounds.emplace_back(
            f, p.soil, Ground::Bank::soil,
            *std::min_element(f.heights.begin(), f.heights.end()) - datum_depth);
    }
    for (const ShapeId id : ids_.spares)
        m->grounds.emplace_back(world.height_field(id), earth_.spare_soil, Ground::Bank::hard, 0);
    for (const Earth::Bed& b : earth_.beds) {
        HeightField f{.columns = bed_columns,
                      .rows = bed_rows,
                      .spacing_x = (b.high.x - b.low.x) / (bed_columns - 1),
                      .spacing_y = (b.high.y - b.low.y) / (bed_rows - 1),
                      .heights = {}};
        f.heights.assign(size_t{bed_columns} * bed_rows, 0);
        m->grounds.emplace_back(f, earth_.spare_soil, Ground::Bank::hard, 0);
        m->bed_fields.push_back(std::move(f));
    }
    for (size_t i = 0; i < earth_.buckets.size(); ++i)
        m->buckets.push_back(BucketState{.mass = 0,
                                         .last = world.pose(earth_.buckets[i].body),
                                         .load_center = shapes_[i].edge(),
                                         .soil = 0,
                                         .depth = 0,
                                         .rake = 0,
                                         .most = 0,
                                         .angle = 0,
                                         .cut = 0,
                                         .gained = 0,
                                         .flow = 0,
                                         .is_told = 0});
    m->spares.assign(ids_.spares.size(), SparePlace{0, 0, 0});
    m->foot_forces.assign(earth_.feet.size() * (patches() + m->spares.size()), 0);
    m->parcels.reserve(most_parcels);
    m->random = uint64_t{earth_.seed} * 0x9e3779b97f4a7c15ull + 1;
    return m;
}

void EarthProcess::step(World& world, ProcessMemory& memory) const {
    auto& m = dynamic_cast<EarthMemory&>(memory);
    for (size_t i = 0; i < earth_.buckets.size(); ++i) {
        if (!world.model().contains(earth_.buckets[i].body)) continue;
        dig(world, m, i);
        spill(world, m, i);
        tell_load(world, m, i);
    }
    if (!m.parcels.empty()) fly(world, m);
    press(world, m);
    for (size_t k = 0; k < patches() + m.spares.size(); ++k) {
        if (!is_there(m, k)) continue;
        m.grounds[k].settle_holds();
        if (m.grounds[k].active().empty()) continue;
        Heights heights(world, site(world, k).shape);
        slide(m.grounds[k], heights, {}, earth_.looks);
    }
    join_spares(world, m);
    carry_beds(world, m);
}

bool EarthProcess::is_there(const EarthMemory& m, size_t ground) const {
    return ground < patches() || m.spares[ground - patches()].is_used > 0;
}

EarthProcess::Site EarthProcess::site(const World& world, size_t ground) const {
    const ShapeId shape =
        ground < patches() ? earth_.patches[ground].shape : ids_.spares[ground - patches()];
    return {ground, shape, world.field_pose(shape)};
}

Ledger EarthProcess::ledger(const World& world, const EarthMemory& m) const {
    Ledger out;
    for (size_t k = 0; k < m.grounds.size(); ++k) {
        if (k < patches())
            out.ground += m.grounds[k].mass(world.height_field(earth_.patches[k].shape));
        else if (k < patches() + m.spares.size())
            out.ground += m.grounds[k].loose_mass();
        else
            out.beds += m.grounds[k].loose_mass();
    }
    for (const BucketState& b : m.buckets) out.buckets += b.mass;
    for (const Parcel& p : m.parcels) out.flight += p.mass;
    out.lost = m.lost;
    return out;
}

// ---- As bytes ------------------------------------------------------------------------------------------

namespace {

template <class T> void write_list(std::vector<std::byte>& out, const std::vector<T>& list) {
    append_bytes(out, uint64_t{list.size()});
    append_bytes(out, std::span<const T>(list));
}
template <class T> bool read_list(ByteReader& in, std::vector<T>& list, size_t most) {
    uint64_t count = 0;
    if (!in.take(count) || count > most) return false;
    list.resize(count);
    return in.take(std::span<T>(list));
}
template <class T> bool are_finite(const std::vector<T>& list) {
    const auto* numbers = reinterpret_cast<const double*>(list.data());
    return std::all_of(numbers, numbers + list.size() * sizeof(T) / sizeof(double),
                       [](double x) { return std::isfinite(x); });
}

}  // namespace

void EarthMemory::write(std::vector<std::byte>& out) const {
    for (const Ground& g : grounds) {
        const size_t at = out.size();
        append_bytes(out, uint64_t{0});
        g.write(out);
        const uint64_t size = out.size() - at - sizeof size;
        std::memcpy(&out[at], &size, sizeof size);
    }
    write_list(out, buckets);
    write_list(out, spares);
    write_list(out, parcels);
    write_list(out, foot_forces);
    append_bytes(out, lost);
    append_bytes(out, random);
}

bool EarthMemory::read(std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    // Grounds are read once everything else is known to fit.
    std::vector<std::vector<std::byte>> parts(grounds.size());
    for (auto& part : parts) {
        uint64_t size = 0;
        if (!in.take(size) || size > in.left()) return false;
        part.resize(size);
        if (!in.take(std::span(part))) return false;
    }
    std::vector<BucketState> new_buckets;
    std::vector<SparePlace> new_spares;
    std::vector<Parcel> new_parcels;
    std::vector<double> new_forces;
    double new_lost = 0;
    uint64_t new_random = 0;
    if (!read_list(in, new_buckets, buckets.size()) || new_buckets.size() != buckets.size()
        || !read_list(in, new_spares, spares.size()) || new_spares.size() != spares.size()
        || !read_list(in, new_parcels, most_parcels)
        || !read_list(in, new_forces, foot_forces.size()) || new_forces.size() != foot_forces.size()
        || !are_finite(new_forces) || !in.take(new_lost) || !in.take(new_random) || !in.is_at_end()
        || !are_finite(new_buckets) || !are_finite(new_spares) || !are_finite(new_parcels)
        || !std::isfinite(new_lost))
        return false;
    for (const Parcel& p : new_parcels)
        if (!(p.mass >= 0)) return false;
    for (const BucketState& b : new_buckets)
        if (!(b.mass >= 0)) return false;
    for (size_t k = 0; k < grounds.size(); ++k) {
        // All or nothing.
        std::vector<std::byte> kept;
        grounds[k].write(kept);
        if (!grounds[k].read(parts[k])) {
            for (size_t i = 0; i < k; ++i) grounds[i].read(parts[i]);
            return false;
        }
        parts[k] = std::move(kept);
    }
    buckets = std::move(new_buckets);
    spares = std::move(new_spares);
    parcels.assign(new_parcels.begin(), new_parcels.end());
    foot_forces = std::move(new_forces);
    lost = new_lost;
    random = new_random;
    for (size_t k = 0; k < bed_fields.size(); ++k) {
        const Ground& g = grounds[grounds.size() - bed_fields.size() + k];
        for (size_t i = 0; i < g.size(); ++i) bed_fields[k].heights[i] = g.column(i).thickness;
    }
    return true;
}

uint64_t EarthMemory::hash() const {
    uint64_t value = hash_bytes({});
    for (const Ground& g : grounds) {
        const uint64_t own = g.hash();
        value = hash_bytes(std::as_bytes(std::span(&own, 1)), value);
    }
    value = hash_bytes(std::as_bytes(std::span(buckets)), value);
    value = hash_bytes(std::as_bytes(std::span(spares)), value);
    value = hash_bytes(std::as_bytes(std::span(parcels)), value);
    value = hash_bytes(std::as_bytes(std::span(foot_forces)), value);
    value = hash_bytes(std::as_bytes(std::span(&lost, 1)), value);
    return hash_bytes(std::as_bytes(std::span(&random, 1)), value);
}

// ---- Looking at it -------------------------------------------------------------------------------------

namespace {

const EarthProcess& process_of(const World& world, const EarthIds& ids) {
    return dynamic_cast<const EarthProcess&>(*world.model().processes()[ids.process.index]);
}

double loose_volume(const EarthMemory& m, const BucketState& b) {
    return m.grounds.empty()
             ? 0
             : b.mass
                   / m.grounds[std::min(m.grounds.size() - 1, static_cast<size_t>(b.soil))]
                         .soil()
                         .loose_density();
}

}  // namespace

std::optional<EarthOf> earth_of(const Model& model) {
    for (uint32_t i = 0; i < model.processes().size(); ++i) {
        const auto* process = dynamic_cast<const EarthProcess*>(model.processes()[i].get());
        if (process != nullptr && model.contains(ProcessId{i}))
            return EarthOf{process->earth(), process->ids()};
    }
    return {};
}

std::vector<LawReading> EarthProcess::readings() const {
    std::vector<LawReading> all = {{"ground", "kg"}, {"buckets", "kg"}, {"beds", "kg"},
                                   {"flight", "kg"}, {"lost", "kg"},    {"total", "kg"}};
    for (const Bucket& b : earth_.buckets) {
        all.push_back({b.name + ".mass", "kg"});
        all.push_back({b.name + ".volume", "m³"});
        all.push_back({b.name + ".most", "m³"});
        all.push_back({b.name + ".depth", "m"});
    }
    for (const Earth::Bed& b : earth_.beds) all.push_back({b.name + ".mass", "kg"});
    return all;
}

double EarthProcess::read(size_t reading, const World& world, const ProcessMemory& memory) const {
    const auto& m = dynamic_cast<const EarthMemory&>(memory);
    if (reading < 6) {
        const Ledger l = ledger(world, m);
        return std::array{l.ground, l.buckets, l.beds, l.flight, l.lost, l.total()}[reading];
    }
    reading -= 6;
    if (reading < 4 * m.buckets.size()) {
        const BucketState& b = m.buckets[reading / 4];
        return std::array{b.mass, loose_volume(m, b), b.most, b.depth}[reading % 4];
    }
    return m.grounds[patches() + m.spares.size() + reading - 4 * m.buckets.size()].loose_mass();
}

EarthNow::EarthNow(const World& world, const EarthIds& ids) {
    const auto& m = dynamic_cast<const EarthMemory&>(world.memory(ids.process));
    const EarthProcess& process = process_of(world, ids);
    ledger = process.ledger(world, m);
    for (size_t i = 0; i < m.buckets.size(); ++i) {
        const BucketState& b = m.buckets[i];
        BucketNow now{.mass = b.mass,
                      .volume = loose_volume(m, b),
                      .most = b.most,
                      .angle = b.angle,
                      .depth = b.depth,
                      .rake = b.rake,
                      .cut = b.cut,
                      .gained = b.gained,
                      .flow = b.flow,
                      .center = b.load_center,
                      .force = {}};
        const std::vector<double> f = world.efforts(ids.dig_forces[i]);
        now.force = {f[0] + f[3], f[1] + f[4], f[2] + f[5]};
        buckets.push_back(now);
    }
    for (size_t k = 0; k < m.bed_fields.size(); ++k)
        beds.push_back(m.grounds[m.grounds.size() - m.bed_fields.size() + k].loose_mass());
    for (const SparePlace& s : m.spares) spares_in_use += s.is_used > 0 ? 1 : 0;
    parcels = m.parcels.size();
    for (const Ground& g : m.grounds) active_cells += g.active_count();
}

HeightField bed_heights(const World& world, const EarthIds& ids, size_t bed) {
    const auto& m = dynamic_cast<const EarthMemory&>(world.memory(ids.process));
    return m.bed_fields.at(bed);
}

}  // namespace bristle::machines
