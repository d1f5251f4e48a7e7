// Readers of the sections of a scene file, each in the order of its objects.
#pragma once

#include "io/scene/read_section.h"

namespace bristle::io {

void read_bodies(Context&, const Node&);
void read_materials(Context&, const Node&);
void read_contact_pairs(Context&, const Node&);
void read_shapes(Context&, const Node&);
void read_visuals(Context&, const Node&);
void read_no_contact(Context&, const Node&);
void read_joints(Context&, const Node&);
void read_drives(Context&, const Node&);
void read_limits(Context&, const Node&);
void read_rotors(Context&, const Node&);
void read_forces(Context&, const Node&);
// A part of a machine: hydraulics, tyre, drive train, brake. Nothing if there is a mistake, or if it became drives.
std::optional<uint32_t> read_machine_part(const Object&, const std::string& name);
bool is_machine_part(const std::string& type);
void read_earth(Context&, const Node&);
// Once everything else of the model is there.
void finish_earth(Context&);
void read_solver(Context&, const Node&);
void read_outputs(Context&, const Node&);
// Once the model is complete.
void check_quantities(Context&);

// Of an object whose type is one; nothing, if there is a mistake.
std::optional<Geometry> read_geometry(const Object&);

}  // namespace bristle::io
