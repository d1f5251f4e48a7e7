// Numbers one can read off a World by name, for tables and plots.
//
//     for (const Quantity& q : quantities(world.model(), "crank.position")) q.read(world);
//
//   <body>.position[.x|.y|.z|.norm]  .velocity  .angular_velocity  .acceleration  .orientation (w x y z)
//   <body>.center              of mass
//   <body>.point(x, y, z)[.x]  a point of the body, in its frame
//   <joint>.coordinate  .rate  .angle  .reaction.force[.x|.norm]  .reaction.moment
//   <drive>.effort  <limit>.effort  <spring>.tension  contact.count  contact.force(<body>)
//   energy.kinetic  .potential  .total  .change (since it was first read)
//   solver.iterations (a step, on average)  .position_error  .velocity_error
//
// Names with blanks are written as they are: `crank 1.position.x`. A name without a component stands for all.
// An object without a name cannot be asked; of two with the same name and property the first answers.
#pragma once

#include <bristle/world.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bristle::io {

struct Quantity {
    std::string name, unit;
    std::function<double(const World&)> read;
};

// One for a scalar, several for a vector. Throws InputError that says what was not understood and what is near.
std::vector<Quantity> quantities(const Model&, const std::string& name);
// The same, and none if there is no such quantity: without looking for what is near, which takes its time in a large model.
std::vector<Quantity> find_quantities(const Model&, const std::string& name);
// Everything that can be asked, of every object: for completion and suggestions. Ends with the object that reaches `most`.
std::vector<std::string> quantity_names(const Model&, size_t most = SIZE_MAX);
struct QuantityUnit {
    std::string name, unit;
};
std::vector<QuantityUnit> quantity_units(const Model&, size_t most = SIZE_MAX);

}  // namespace bristle::io
