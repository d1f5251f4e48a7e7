// What both solvers have in common besides the bodies: heights of the ground, and what processes remember.
//
// In a snapshot they follow the solver's bytes, if there is anything to tell:
//
//   solver | what of the terrain differs from the model | id, size, bytes of every process | sizes of the last two, mark
#include "base/hash.h"
#include "state/parts.h"
#include "step/world_impl.h"

#include <array>
#include <cstring>

namespace bristle {
namespace {

struct Tail {
    uint64_t terrain, processes, mark;
};
constexpr uint64_t surroundings_mark = 0x73676e69646e7573ull;

void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
}

// The solver's bytes, and what follows them.
struct Parts {
    explicit Parts(std::span<const std::byte> all) : solver(all) {
        Tail tail{};
        if (all.size() < sizeof tail) return;
        std::memcpy(&tail, &all[all.size() - sizeof tail], sizeof tail);
        const size_t before = all.size() - sizeof tail;
        if (tail.mark != surroundings_mark || tail.terrain > before
            || tail.processes > before - tail.terrain)
            return;
        solver = all.first(before - tail.terrain - tail.processes);
        terrain = all.subspan(solver.size(), tail.terrain);
        processes = all.subspan(solver.size() + tail.terrain, tail.processes);
    }
    std::span<const std::byte> solver, terrain, processes;
};

}  // namespace

// ---- Heights -------------------------------------------------------------------------------------------

const HeightField& World::height_field(ShapeId id) const {
    impl_->find(id);
    const state::LiveField* live = impl_->terrain.find(id);
    if (live == nullptr) throw InputError("height_field: the shape is none");
    return live->field;
}

Pose World::field_pose(ShapeId id) const {
    static_cast<void>(height_field(id));
    return {impl_->terrain.find(id)->position, model().shapes()[id.index].pose.orientation};
}

void World::set_heights(ShapeId id, const GridArea& area, std::span<const double> heights) {
    impl_->find(id);
    impl_->terrain.set(id, area, heights);
    impl_->tell_changes();
}

void World::place_field(ShapeId id, Vec3 position) {
    impl_->find(id);
    impl_->terrain.place(id, position);
    impl_->tell_changes();
}

uint64_t World::changed_heights(ShapeId id, uint64_t since, std::vector<GridArea>& into) const {
    static_cast<void>(height_field(id));
    return impl_->terrain.changed(id, since, into);
}

void World::Impl::tell_changes() {
    if (is_in_process) return;  // all at once, afterwards
    terrain.take_changes([&](ShapeId id, const Aabb& local) {
        const Shape& shape = model().shapes()[id.index];
        if (shape.body != Model::ground()) return;  // whoever moves is awake
        const Mat3 turn = shape.pose.orientation.matrix();
        wake_in(geometry::box_around(
            terrain.find(id)->position + turn * (0.5 * (local.low + local.high)), turn,
            0.5 * (local.high - local.low)));
    });
}

const Scenery& World::Impl::ground_scenery() {
    if (!scenery)
        scenery =
            std::make_unique<collision::GroundScenery>(model(), *mesh_trees, terrain.fields());
    scenery->refresh();
    return *scenery;
}

const Scenery& World::scenery() const { return impl_->ground_scenery(); }

// ---- Processes -----------------------------------------------------------------------------------------

double Process::read(size_t, const World&, const ProcessMemory&) const { return 0; }

const ProcessMemory& World::memory(ProcessId id) const {
    if (!model().contains(id))
        throw InputError(fmt::format("process id {} is not of this model", id.index));
    return *impl_->processes[id.index];
}

// Those that the model has, and no others.
void World::Impl::start_processes(World& world) {
    processes.resize(model().processes().size());
    for (uint32_t i = 0; i < processes.size(); ++i) {
        if (!model().contains(ProcessId{i}))
            processes[i].reset();
        else if (!processes[i])
            processes[i] = model().processes()[i]->start(world);
    }
}

void World::Impl::run_processes(World& world) {
    if (processes.empty()) return;
    struct Running {
        explicit Running(bool& flag) : is_running(flag) { is_running = true; }
        ~Running() { is_running = false; }
        bool& is_running;
    };
    {
        const Running running(is_in_process);
        for (uint32_t i = 0; i < processes.size(); ++i)
            if (processes[i]) model().processes()[i]->step(world, *processes[i]);
    }
    tell_changes();
}

// ---- Snapshots -----------------------------------------------------------------------------------------

Snapshot World::snapshot() const {
    Snapshot s = impl_->snapshot();
    impl_->append_surroundings(s.bytes_);
    return s;
}

void World::Impl::append_surroundings(std::vector<std::byte>& out) const {
    const size_t start = out.size();
    append(out, terrain.bytes());
    Tail tail{.terrain = out.size() - start, .processes = 0, .mark = surroundings_mark};
    for (uint64_t i = 0; i < processes.size(); ++i) {
        if (!processes[i]) continue;
        append(out, state::bytes_of_part(i));
        const size_t at = out.size();
        append(out, state::bytes_of_part(uint64_t{0}));
        processes[i]->write(out);
        const uint64_t size = out.size() - at - sizeof size;
        std::memcpy(&out[at], &size, sizeof size);
    }
    tail.processes = out.size() - start - tail.terrain;
    if (out.size() > start) append(out, state::bytes_of_part(tail));
}

bool World::Impl::take_surroundings(std::span<const std::byte> of_terrain,
                                    std::span<const std::byte> of_processes) {
    if (!terrain.assign(of_terrain, true)) return false;
    for (uint64_t i = 0; i < processes.size(); ++i) {
        if (!processes[i]) continue;
        std::array<uint64_t, 2> head{};
        if (of_processes.size() < sizeof head) return false;
        std::memcpy(head.data(), of_processes.data(), sizeof head);
        of_processes = of_processes.subspan(sizeof head);
        if (head[0] != i || head[1] > of_processes.size()
            || !processes[i]->read(of_processes.first(head[1])))
            return false;
        of_processes = of_processes.subspan(head[1]);
    }
    return of_processes.empty() && terrain.assign(of_terrain, false);
}

void World::restore(const Snapshot& s) {
    const auto inner = [](const Snapshot& of, std::span<const std::byte> bytes) {
        Snapshot out(of.origin_, of.equations_, {bytes.begin(), bytes.end()});
        out.recipe_ = of.recipe_;
        return out;
    };
    const Parts parts(s.bytes_);
    if (parts.solver.size() == s.bytes_.size() && impl_->processes.empty()
        && impl_->terrain.empty())
        return impl_->restore(s);
    const Snapshot now = snapshot(), then = inner(s, parts.solver);
    impl_->restore(then);
    impl_->start_processes(*this);
    impl_->restore(then);  // whatever those did
    if (impl_->take_surroundings(parts.terrain, parts.processes)) return;
    const Parts before(now.bytes_);
    impl_->restore(inner(now, before.solver));
    impl_->start_processes(*this);
    impl_->restore(inner(now, before.solver));
    impl_->take_surroundings(before.terrain, before.processes);
    throw InputError("restore: the snapshot belongs to another model");
}

uint64_t World::hash() const {
    uint64_t value = impl_->terrain.hash(impl_->hash());
    for (uint64_t i = 0; i < impl_->processes.size(); ++i)
        if (impl_->processes[i]) {
            value = hash_bytes(state::bytes_of_part(i), value);
            value = hash_bytes(state::bytes_of_part(impl_->processes[i]->hash()), value);
        }
    return value;
}

}  // namespace bristle
