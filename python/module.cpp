#include <bristle/version.h>

#include "python/interpreter.h"
#include "python/parts.h"

PYBIND11_MODULE(_bristle, m) {
    using namespace bristle::python;
    wait_at_the_end();
    m.doc() = "The compiled part of Bristle; import bristle instead.";
    // Classes say that they are of the package, where users find them.
    const pybind11::object name = m.attr("__name__");
    m.attr("__name__") = "bristle";
    add_basics(m);
    add_shapes(m);
    add_elements(m);
    add_model(m);
    add_results(m);
    add_world(m);
    add_change(m);
    add_analysis(m);
    add_scene(m);
    add_live(m);
    add_picture(m);
    add_training(m);
    m.attr("__name__") = name;
    m.attr("__version__") = bristle::version;
}
