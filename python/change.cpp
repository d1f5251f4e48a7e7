// Changes of the model while it runs.
#include "python/parts.h"
#include "python/record.h"
#include "python/world_handle.h"

namespace bristle::python {
namespace {

// `with world.change() as model:` edits a copy, which becomes the world's model at the end of the block.
class Change {
  public:
    explicit Change(py::object world) : world_(std::move(world)) {}

    std::shared_ptr<Model> enter() {
        if (model_) throw InputError("change: already open");
        const World& world = handle().idle();
        state_ = world.hash();
        model_ = std::make_shared<Model>(world.model_now());
        return model_;
    }
    void exit(bool failed) {
        const std::shared_ptr<Model> edited = std::exchange(model_, nullptr);
        if (!edited || failed) return;
        if (handle().idle().hash() != state_)
            throw InputError(
                "change: the world moved inside the block, and bodies would jump back; step it "
                "after the block");
        handle().run([&](World& world) { world.change([&](Model& now) { now = *edited; }); });
    }

  private:
    WorldHandle& handle() const { return world_.cast<WorldHandle&>(); }

    py::object world_;
    std::shared_ptr<Model> model_;
    uint64_t state_ = 0;
};

void change_by(WorldHandle& self, const py::object& edit) {
    self.run([&](World& world) {
        world.change([&](Model& now) {
            const Locked lock;
            // A copy, for Python may keep it.
            const auto edited = std::make_shared<Model>(now);
            edit(edited);
            now = *edited;
        });
    });
}

}  // namespace

void add_change(py::module_& m) {
    py::class_<Change>(m, "Change",
                       "A block in which a world's model is edited; made by World.change.")
        .def("__enter__", &Change::enter, "The model as it is now, to add to and remove from.")
        .def(
            "__exit__",
            [](Change& self, const py::object& kind, const py::object&, const py::object&) {
                self.exit(!kind.is_none());
            },
            py::arg("kind"), py::arg("error"), py::arg("trace"),
            "The world goes on with the edited model; after an exception nothing has happened.");
    py::class_<WorldHandle>(m.attr("World"))
        .def(
            "change", [](py::object self) { return Change(std::move(self)); },
            "For a block: with world.change() as model: model.remove(pin). The model is as it is "
            "now, bodies and "
            "joints where they are. What is left alone keeps its motion, turns, modes and "
            "contacts. After an "
            "exception, or if the result cannot be simulated, nothing has happened.")
        .def("change", &change_by, py::arg("edit"), "The same by a function of the model.")
        .def(
            "model_now", [](const WorldHandle& self) { return self.idle().model_now(); },
            "The model as it is now: a World of it goes on from here, at time zero.")
        .def(
            "is_asleep",
            [](const WorldHandle& self, BodyId body) { return self.idle().is_asleep(body); },
            py::arg("body"), "Whether it is at rest, and far from all that moves.");
}

}  // namespace bristle::python
