#include <bristle/scene.h>

#include "cli/commands.h"

#include <fmt/format.h>

namespace bristle::cli {

int print_schema() {
    fmt::print("{}\n", io::scene_schema());
    return 0;
}

}  // namespace bristle::cli
