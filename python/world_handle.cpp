#include "python/world_handle.h"

#include <bristle/analysis.h>

#include <chrono>
#include <cmath>

namespace bristle::python {
namespace {

// How often a long run looks for Ctrl-C: too seldom to cost anything, often enough not to be felt.
constexpr auto signal_interval = std::chrono::milliseconds(5);

// The array keeps the numbers alive, and not the other way round.
template <class Row>
py::array view(const std::shared_ptr<std::vector<Row>>& rows, py::ssize_t columns) {
    static_assert(sizeof(Row) % sizeof(double) == 0);
    auto* owner = new std::shared_ptr<std::vector<Row>>(rows);
    const py::capsule base(
        owner, [](void* p) { delete static_cast<std::shared_ptr<std::vector<Row>>*>(p); });
    py::array_t<double> out({py::ssize_t(rows->size()), columns},
                            reinterpret_cast<const double*>(rows->data()), base);
    out.attr("setflags")(py::arg("write") = false);
    return out;
}

template <class Row> void write(std::span<const Row> now, std::shared_ptr<std::vector<Row>>& rows) {
    // Bodies came or went: arrays held from before keep what they had.
    if (!rows || rows->size() != now.size()) rows = std::make_shared<std::vector<Row>>(now.size());
    std::copy(now.begin(), now.end(), rows->begin());
}

}  // namespace

WorldHandle WorldHandle::with_warnings(const Model& model, const Settings& settings,
                                       std::shared_ptr<const io::Scene> seen_as) {
    WorldHandle handle(World(model, settings), std::move(seen_as));
    for (const StartChange& change : start_changes(model))
        if (PyErr_WarnEx(PyExc_UserWarning, describe(change, model).c_str(), 1) != 0)
            throw py::error_already_set();
    return handle;
}

const World& WorldHandle::idle() const {
    if (is_busy_)
        throw SimulationError(
            "the world is in the middle of a step: a force may look only at the Kinematics it is "
            "given, and "
            "another thread must wait");
    return world_;
}

void WorldHandle::refresh() {
    if (poses_ && poses_.use_count() > 1) write(world_.poses(), poses_);
    if (twists_ && twists_.use_count() > 1) write(world_.twists(), twists_);
}

py::array WorldHandle::poses() {
    write(idle().poses(), poses_);
    return view(poses_, 7);
}

py::array WorldHandle::twists() {
    write(idle().twists(), twists_);
    return view(twists_, 6);
}

void WorldHandle::step() {
    run([](World& world) { world.step(); });
}

void WorldHandle::advance_to(double time, const py::object& each_step, const py::object& self) {
    if (!std::isfinite(time)) throw InputError(fmt::format("advance_to: time is {}", time));
    const double h = step_of(idle().settings());
    const auto goes_on = [&] { return world_.time() < time - h / 2; };
    while (goes_on()) {
        if (each_step.is_none())
            run([&](World& world) {
                const auto until = std::chrono::steady_clock::now() + signal_interval;
                do world.step();
                while (goes_on() && std::chrono::steady_clock::now() < until);
            });
        else
            step(), each_step(self);
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

}  // namespace bristle::python
