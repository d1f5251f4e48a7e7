// A world as files for ParaView, one set a frame (spec J1); what is in them is said in docs/inside.md.
//
//     VtkExport out("out", "block");
//     for (…) { world.step(); out.add(world); }
//
//     out/block.pvd                    all layers over time: the file to open
//     out/block-LAYER.pvd              one layer over time
//     out/block/LAYER-000012.vtp       one layer of one frame; one without anything in it is there too
//     out/block/000012.vtm             the layers of one frame
//
// The .pvd files are whole after every frame, also if the program is ended.
#pragma once

#include <bristle/world.h>

#include "io/vtk.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::io {

class VtkExport {
  public:
    static constexpr std::array<const char*, 8> layers = {
        "bodies",
        "contacts",
        "patches",
        "contours",
        "colliding_triangles",  // that meet the other's surface
        "clipped_triangles",    // of those, what is inside the other
        "inner_triangles",      // all inside the other
        "shared_volumes"};      // what two solids share, closed

    // Makes the folder. Throws InputError if it cannot be written, or holds an export of that name.
    VtkExport(std::filesystem::path folder, std::string name);

    // Throws std::runtime_error if there is no room.
    void add(const World&);

    size_t frames() const { return frames_; }
    std::filesystem::path file() const;  // the one to open

  private:
    // Corners of what was there in any frame: as far as planes are drawn.
    struct Extent {
        Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        void add(Vec3);
        double size() const;  // m, of its diagonal; zero: nothing was there
        Vec3 middle() const;
    };
    VtkPolyData bodies(const World&);

    std::filesystem::path folder_;
    std::string name_;
    size_t frames_ = 0;
    Extent seen_;
    double first_size_ = 0;  // m, of all but planes in the first frame: how thick bars are drawn
    PvdFile all_;
    std::vector<PvdFile> each_;  // of every layer
};

}  // namespace bristle::io
