// Parts of a scene file as it is written: a section a heading, an object a line.
#pragma once

#include <bristle/model.h>

#include "io/scene/entry.h"
#include "io/scene/file_names.h"

#include <string>
#include <vector>

namespace bristle::io {

class Lines {
  public:
    // What follows belongs to this section; one that stays empty is not written.
    void begin(const std::string& section) { heading_ = section + ":\n"; }
    void add(const std::string& name, const Entry& entry) {
        put(written(name) + ": " + entry.text());
    }
    void add(const std::string& item) { put("- " + item); }
    void line(const std::string& text) { text_ += text + "\n"; }
    const std::string& text() const { return text_; }

  private:
    void put(const std::string& text) {
        text_ += heading_ + "  " + text + "\n";
        heading_.clear();
    }
    std::string text_, heading_;
};

// [one, another]
template <class List, class Each> std::string listed(const List& list, const Each& each) {
    std::string text = "[";
    for (const auto& item : list) text += (text.size() > 1 ? ", " : "") + each(item);
    return text + "]";
}
inline std::string points_text(const std::vector<Vec3>& points) {
    return listed(points, [](Vec3 p) { return written(p); });
}

void write_materials(Lines&, const Model&, const FileNames&);
void write_bodies(Lines&, const Model&, const FileNames&);
void write_shapes(Lines&, const Model&, const FileNames&);
// With drives, limits and rotors.
void write_joints(Lines&, const Model&, const FileNames&);
void write_forces(Lines&, const Model&, const FileNames&);
// The earth of a model, and whether it made a force or a shape: those are not written.
void write_earth(Lines&, const Model&, const FileNames&);
std::string earth_complaint(const Model&);
bool is_of_earth(const Model&, ForceId);
bool is_of_earth(const Model&, ShapeId);
// A stateful force is written if it is a part of a machine (machines/parts).
bool can_write(const StatefulForce&);
Entry force_entry(const StatefulForce&, const FileNames&);

}  // namespace bristle::io
