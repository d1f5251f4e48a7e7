#pragma once

#include <map>
#include <string>

namespace bristle::io {

// What the examples of the table speak of, by section.
inline const std::map<std::string, std::string> example_context = {
    {"include", ""},
    {"parameters", "  length: 1\n"},
    {"materials", "  steel: {}\n  rubber: {}\n"},
    {"bodies",
     "  crank: {type: point, mass: 1}\n  frame: {type: point, mass: 1}\n  plate: {type: point, "
     "mass: 1}\n"
     "  ball: {type: point, mass: 1}\n  bead: {type: point, mass: 1}\n  arm: {type: point, mass: "
     "1}\n"
     "  input: {type: point, mass: 1}\n  output: {type: point, mass: 1}\n"},
    {"joints",
     "  A: {type: revolute, b: crank, at: [0, 0, 0], axis: y}\n  B: {type: revolute, b: arm, at: "
     "[0, 0, 0], axis: y}\n"
     "  slide: {type: prismatic, b: plate, at: [0, 0, 0], axis: y}\n"
     "  wheel: {type: revolute, b: input, at: [0, 0, 0], axis: y}\n"},
    {"shapes", "  field: {type: height_field, columns: 3, rows: 3, spacing: 1, height: \"0\"}\n"},
    {"forces", "  front tyre: {type: tyre, wheel: input}\n"},
};

}  // namespace bristle::io
