#include "io/mesh_reader.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    return fuzz::tried([&] {
        io::MeshFile out;
        io::read_gltf(fuzz::text(data, size), fuzz::folder() / "fuzz.gltf", out);
    });
}
