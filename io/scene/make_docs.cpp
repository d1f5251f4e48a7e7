// Writes what is made from the table of the scene format: make_scene_docs FOLDER

#include <bristle/scene.h>

#include <cstdio>
#include <fstream>

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: make_scene_docs FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    std::ofstream schema(folder / "scene.schema.json"), page(folder / "scene-reference.md");
    schema << bristle::io::scene_schema() << std::flush;
    page << bristle::io::scene_reference() << std::flush;
    return schema && page ? 0 : 1;
}
