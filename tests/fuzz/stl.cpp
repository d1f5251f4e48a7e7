#include "io/mesh_reader.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    return fuzz::tried([&] {
        TriangleMesh mesh = io::read_stl(fuzz::text(data, size), "fuzz.stl");
        io::merge_vertices(mesh, 1e-6);
    });
}
