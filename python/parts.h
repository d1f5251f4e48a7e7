// The parts of the module, in the order they are put in: types before what mentions them.
#pragma once

#include <pybind11/pybind11.h>

namespace bristle::python {

void add_basics(pybind11::module_&);    // errors, ids, poses, functions
void add_shapes(pybind11::module_&);    // geometry, materials
void add_elements(pybind11::module_&);  // bodies, joints, drives, forces
void add_model(pybind11::module_&);
void add_results(pybind11::module_&);  // settings, and what a world answers
void add_world(pybind11::module_&);
void add_change(pybind11::module_&);
void add_analysis(pybind11::module_&);
void add_scene(pybind11::module_&);
void add_live(pybind11::module_&);      // show and record
void add_picture(pybind11::module_&);   // drawn without a browser
void add_training(pybind11::module_&);  // for bristle.envs

}  // namespace bristle::python
