// Names for a file, where every object has one of its own kind: those of the model, as far as they can be.
//
// An object without a name is called after its kind and number. One whose name another has already gets a number
// behind it; brackets, which a file would take for an expression, become round.
#pragma once

#include <bristle/model.h>

#include <string>
#include <vector>

namespace bristle::io {

// By id; of what was removed, empty.
struct FileNames {
    explicit FileNames(const Model&);

    const std::string& of(BodyId id) const { return bodies[id.index]; }
    const std::string& of(JointId id) const { return joints[id.index]; }
    const std::string& of(MaterialId id) const { return materials[id.index]; }

    std::vector<std::string> bodies, joints, drives, limits, rotors, forces, materials, shapes;
};

// One line of text that means itself in a file.
std::string plain_line(const std::string&);

}  // namespace bristle::io
