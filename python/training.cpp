// Excavators side by side to be commanded by programs: what bristle.envs is made of.

#include <bristle/scene.h>

#include "machines/training/excavator_tasks.h"
#include "python/casters.h"
#include "python/parts.h"

namespace bristle::python {
namespace {

using machines::ExcavatorTasks;
using machines::Task;
using machines::TaskOptions;

// Steps run without the interpreter's lock, so another thread could come in the middle of one.
class Tasks {
  public:
    Tasks(const io::Scene& scene, const std::string& task, size_t count, int threads,
          int steps_an_action, double time_limit, bool begins_anew)
        : tasks_(made(scene, task, count, threads, steps_an_action, time_limit, begins_anew)) {}

    ExcavatorTasks& idle() const {
        if (is_busy_) throw SimulationError("the environments are in the middle of a step");
        return *tasks_;
    }
    template <class Work> void run(const Work& work) {
        ExcavatorTasks& tasks = idle();
        struct Busy {
            bool& is_busy;
            explicit Busy(bool& b) : is_busy(b) { is_busy = true; }
            ~Busy() { is_busy = false; }
        } busy(is_busy_);
        const Unlocked unlocked;
        work(tasks);
    }
    // Of memory that stays where it is, and as long as an array of it lives.
    template <class T>
    py::array view(std::span<const T> values, std::vector<py::ssize_t> shape) const {
        auto* owner = new std::shared_ptr<ExcavatorTasks>(tasks_);
        const py::capsule base(
            owner, [](void* p) { delete static_cast<std::shared_ptr<ExcavatorTasks>*>(p); });
        py::array_t<T> out(std::move(shape), values.data(), base);
        out.attr("setflags")(py::arg("write") = false);
        return out;
    }

  private:
    static std::shared_ptr<ExcavatorTasks> made(const io::Scene& scene, const std::string& name,
                                                size_t count, int threads, int steps_an_action,
                                                double time_limit, bool begins_anew) {
        TaskOptions options{
            .count = count,
            .threads = threads,
            .steps_an_action = steps_an_action,
            .time_limit = time_limit,
            .at_end = begins_anew ? TaskOptions::AtEnd::begins_anew : TaskOptions::AtEnd::stays};
        bool is_known = false;
        for (const Task task : {Task::reach, Task::level, Task::fill})
            if (name == machines::to_string(task)) {
                options.task = task;
                is_known = true;
            }
        if (!is_known)
            throw InputError(
                fmt::format("there is no task '{}'; there are reach, level and fill", name));
        const Unlocked unlocked;
        return std::make_shared<ExcavatorTasks>(scene.model, scene.solver, options);
    }

    std::shared_ptr<ExcavatorTasks> tasks_;
    mutable bool is_busy_ = false;  // written and read only with the lock
};

py::list numbers_of(const std::vector<machines::TaskNumber>& numbers) {
    py::list out;
    for (const machines::TaskNumber& n : numbers) out.append(py::make_tuple(n.name, n.low, n.high));
    return out;
}

}  // namespace

void add_training(py::module_& m) {
    const auto rows = [](const Tasks& t) { return static_cast<py::ssize_t>(t.idle().count()); };
    py::class_<Tasks> c(m, "_ExcavatorTasks");
    c.def(py::init<const io::Scene&, const std::string&, size_t, int, int, double, bool>(),
          py::arg("scene"), py::arg("task"), py::arg("count"), py::arg("threads"),
          py::arg("steps_an_action"), py::arg("time_limit"), py::arg("begins_anew"));
    c.def_property_readonly("observation",
                            [](const Tasks& t) { return numbers_of(t.idle().observation()); });
    c.def_property_readonly("action", [](const Tasks& t) { return numbers_of(t.idle().action()); });
    c.def_property_readonly("action_time", [](const Tasks& t) { return t.idle().action_time(); });
    c.def("reset", [](Tasks& t, uint64_t seed) {
        t.run([seed](ExcavatorTasks& tasks) { tasks.reset(seed); });
    });
    c.def("reset_one", [](Tasks& t, size_t index, uint64_t seed) {
        t.run([index, seed](ExcavatorTasks& tasks) { tasks.reset_one(index, seed); });
    });
    c.def("step", [](Tasks& t,
                     const py::array_t<float, py::array::c_style | py::array::forcecast>& actions) {
        const std::span given(actions.data(), static_cast<size_t>(actions.size()));
        t.run([given](ExcavatorTasks& tasks) { tasks.step(given); });
    });
    const auto seen = [rows](const Tasks& t,
                             std::span<const float> (ExcavatorTasks::*get)() const) {
        const auto columns = static_cast<py::ssize_t>(t.idle().observation().size());
        return t.view((t.idle().*get)(), {rows(t), columns});
    };
    c.def_property_readonly(
        "observations", [seen](const Tasks& t) { return seen(t, &ExcavatorTasks::observations); });
    c.def_property_readonly("last_observations", [seen](const Tasks& t) {
        return seen(t, &ExcavatorTasks::last_observations);
    });
    const auto column = [&](const char* name, auto get) {
        c.def_property_readonly(
            name, [rows, get](const Tasks& t) { return t.view((t.idle().*get)(), {rows(t)}); });
    };
    column("rewards", &ExcavatorTasks::rewards);
    column("terminated", &ExcavatorTasks::terminated);
    column("truncated", &ExcavatorTasks::truncated);
    column("returns", &ExcavatorTasks::returns);
    column("times", &ExcavatorTasks::times);
    column("successes", &ExcavatorTasks::successes);
    column("loads", &ExcavatorTasks::loads);
    c.def("hash", [](const Tasks& t, size_t index) { return t.idle().world(index).hash(); });
}

}  // namespace bristle::python
