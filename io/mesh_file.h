// Triangle meshes from files.
//
//     auto bucket = std::make_shared<const TriangleMesh>(io::load_mesh("bucket.stl"));
//     for (const auto& problem : check(*bucket).problems) std::puts(problem.text.c_str());
//
//   .stl          text or binary (told apart by the size a binary one must have, for some of those
//                 begin with "solid", too)
//   .obj          polygons are cut into fans; texture, normals, groups and materials are left out
//   .gltf, .glb   glTF 2.0: all triangles of the default scene, where its nodes put them, and how its materials and
//                 images paint them
//
// Numbers are taken as they are: metres, and the axes of the file (glTF has y up).
//
// STL has no shared vertices, and glTF splits them where normals do; so vertices in exactly the same place
// are merged, in glTF within each node. OBJ keeps its own. Triangles of which two corners became one
// vertex are dropped: they have no area, and the surface is closed without them.
//
// Throws InputError with file, line (byte in a binary file, element in glTF), what is there, and what was
// expected. Memory is taken only for what the file's size can hold, whatever its numbers say.
#pragma once

#include <bristle/shape.h>

#include "io/painting.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace bristle::io {

struct MeshFileOptions {
    double merge_distance = 0;  // m: vertices of the whole mesh as near as this become one
};

TriangleMesh load_mesh(const std::filesystem::path& file, const MeshFileOptions& options = {});
// With all files that were read for it: itself, and the buffers and images of glTF that its triangles use. Those must lie
// in its folder or below.
struct MeshFile {
    TriangleMesh mesh;
    std::vector<std::filesystem::path> files;
    std::shared_ptr<const Painting> painting;  // none if the file says nothing of it
    std::vector<std::string> warnings;         // what is drawn otherwise than the file wants it
};
MeshFile load_mesh_file(const std::filesystem::path& file, const MeshFileOptions& options = {});

}  // namespace bristle::io
