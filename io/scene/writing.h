// Parts of a scene file as it is written: a section a heading, an object a line.
#pragma once

#include <bristle/model.h>

#include "io/scene/entry.h"
#include "io/scene/file_names.h"

#include <string>

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

void write_materials(Lines&, const Model&, const FileNames&);
void write_bodies(Lines&, const Model&, const FileNames&);
void write_shapes(Lines&, const Model&, const FileNames&);
// With drives, limits and rotors.
void write_joints(Lines&, const Model&, const FileNames&);
void write_forces(Lines&, const Model&, const FileNames&);
// A stateful force is written if it is a part of a machine (machines/parts).
bool can_write(const StatefulForce&);
Entry force_entry(const StatefulForce&, const FileNames&);

}  // namespace bristle::io
