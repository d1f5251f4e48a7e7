#include <bristle/scene.h>

#include "io/scene/quantities.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    return fuzz::tried([&] {
        const std::string text(fuzz::text(data, size));
        const io::Scene scene =
            io::parse_scene(text, "fuzz.yaml", fuzz::folder(), {}, {.most_turns = 50});
        for (const std::string& name : scene.quantities) io::quantities(scene.model, name);
        // What can be read can be written, and read again.
        if (io::unwritable(scene.model).empty()) io::parse_scene(io::scene_text(scene), "again");
    });
}
