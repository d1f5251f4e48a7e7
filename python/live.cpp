// A world in the browser and in a file.
#include <bristle/live.h>

#include "python/parts.h"
#include "python/record.h"
#include "python/world_handle.h"

#include <pybind11/stl/filesystem.h>

#include <cstdio>

namespace bristle::python {

template <> struct PythonType<std::filesystem::path> {
    static std::string name() { return "Path"; }
};

namespace {

constexpr const char* open_views = "_open_views";

// Ending a page waits for its simulation, which may be in a function of Python's.
struct DeleteUnlocked {
    void operator()(LiveView* view) const {
        const Unlocked unlocked;
        delete view;
    }
};
using ViewClass = py::class_<LiveView, std::unique_ptr<LiveView, DeleteUnlocked>>;

// A page stays as long as it is not stopped, whoever holds it: a notebook may hold nothing.
py::list views(const py::module_& m) { return m.attr(open_views); }

void stop(LiveView& view) {
    const Unlocked unlocked;
    view.stop();
}

void warn(const char* what, const std::vector<std::string>& unsaid) {
    if (unsaid.empty()) return;
    std::string text = fmt::format(
        "{}: the recording can be looked at, but not computed again, for its model was made in "
        "code "
        "that no file can say:",
        what);
    for (const std::string& line : unsaid) text += "\n  " + line;
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
}

// Whether nobody pressed Ctrl-C.
bool goes_on() {
    const Locked lock;
    return PyErr_CheckSignals() == 0;
}

ShowOptions options_from(const std::string& title, std::optional<uint16_t> port,
                         const std::string& address, bool paused,
                         const std::optional<std::filesystem::path>& record) {
    ShowOptions options;
    options.title = title;
    options.port = port;
    options.address = address;
    options.frames = ShowOptions::Frames::of_this_machine;
    if (paused) options.begin = ShowOptions::Begin::paused;
    if (record) options.record = *record;
    options.tell = [](const std::string& line) {
        std::fputs(fmt::format("bristle: {}\n", line).c_str(), stderr);
    };
    return options;
}

void add_view(py::module_& m) {
    ViewClass(
        m, "View",
        "A page that is served, until stop() or the end of the program. A notebook shows it where "
        "it is the last line of a cell.")
        .def_property_readonly("address", &LiveView::address,
                               "To open in a browser, and to steer. It holds the word that admits: "
                               "give it to nobody else.")
        .def_property_readonly("viewer_address", &LiveView::viewer_address, "To watch only.")
        .def_property_readonly("is_open", &LiveView::is_open, "Whether it is served.")
        .def(
            "stop",
            [m](py::object self) {
                stop(self.cast<LiveView&>());
                py::list list = views(m);
                if (list.contains(self)) list.attr("remove")(self);
            },
            "No longer: connections are closed, and a recording is finished.")
        .def(
            "wait",
            [](const LiveView& self) {
                const py::object sleep = py::module_::import("time").attr("sleep");
                while (self.is_open()) sleep(0.1);
            },
            "Until it is stopped, or Ctrl-C.")
        .def(
            "_repr_html_",
            [](const LiveView& self) {
                return fmt::format(
                    "<iframe src=\"{}\" width=\"100%\" height=\"560\" style=\"border: 0\" "
                    "allow=\"fullscreen; gamepad\"></iframe>",
                    self.address());
            },
            "The page in a frame, for notebooks.")
        .def(
            "__repr__",
            [](const LiveView& self) {
                return self.is_open() ? fmt::format("View('{}')", self.address())
                                      : std::string("View(stopped)");
            },
            "Its address.");
    m.attr(open_views) = py::list();
    // Before the interpreter ends, which a simulation may call.
    py::module_::import("atexit").attr("register")(py::cpp_function([m] {
        for (const py::handle view : views(m)) stop(view.cast<LiveView&>());
        views(m).attr("clear")();
    }));
}

void add_recording(py::module_& m) {
    Record<Recording>(m, "Recording", "What was recorded.")
        .field("file", &Recording::file, "MCAP: for `bristle replay`, `bristle export` and others")
        .field("steps", &Recording::steps, "that were computed")
        .field("bytes", &Recording::bytes, "of the file")
        .field("hash", &Recording::hash, "of the state at the end")
        .field("unsaid", &Recording::unsaid,
               "what no file can say; if there is some, it cannot be computed again")
        .result();
}

}  // namespace

void add_live(py::module_& m) {
    add_view(m);
    add_recording(m);
    py::reinterpret_borrow<py::class_<WorldHandle>>(m.attr("World"))
        .def(
            "show",
            [m](WorldHandle& self, const std::string& title, std::optional<uint16_t> port,
                const std::string& address, bool paused,
                const std::optional<std::filesystem::path>& record) {
                ShowOptions options = options_from(title, port, address, paused, record);
                options.seen_as = self.seen_as();
                auto view = self.run([&](World& world) {
                    return std::unique_ptr<LiveView, DeleteUnlocked>(
                        new LiveView(bristle::show(world, options)));
                });
                if (record) warn("show", view->unsaid());
                py::object shown = py::cast(std::move(view));
                views(m).append(shown);
                return shown;
            },
            py::arg("title") = "", py::arg("port") = py::none(), py::arg("address") = "127.0.0.1",
            py::arg("paused") = false, py::arg("record") = py::none(),
            "Serves the page of the viewer from this process, and returns the View. What is shown "
            "is "
            "a copy that goes on from where the world is; the world stays as it is. port: none for "
            "the first that is free from 8080 on. record: to this file from the start.")
        .def(
            "record",
            [](WorldHandle& self, const std::filesystem::path& file, double until,
               const std::string& title) {
                const Recording recording = self.run([&](World& world) {
                    return bristle::record(
                        world, file, until,
                        {.title = title, .seen_as = self.seen_as(), .goes_on = goes_on});
                });
                if (PyErr_Occurred() != nullptr) throw py::error_already_set();
                warn("record", recording.unsaid);
                return recording;
            },
            py::arg("file"), py::arg("until"), py::arg("title") = "",
            "Computes until that time (s) as advance_to does, and records it to a new file. "
            "`bristle "
            "replay FILE --check` computes it again.");
}

}  // namespace bristle::python
