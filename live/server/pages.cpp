#include "live/server/pages.h"

#include <bristle/error.h>

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

namespace bristle::live {
namespace {

namespace fs = std::filesystem;

// The folder of the file this function is in: a program, or the Python module.
fs::path own_folder() {
    Dl_info info{};
    std::error_code error;
    if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr)
        return {};
    return fs::canonical(info.dli_fname, error).parent_path();
}

}  // namespace

fs::path page_folder() {
    std::vector<fs::path> folders;
    if (const char* own = std::getenv("BRISTLE_PAGES"); own != nullptr && *own != 0)
        folders.emplace_back(own);
    std::error_code error;
    const fs::path program = fs::canonical("/proc/self/exe", error).parent_path();
    // In a build, programs are beside the page or a folder deeper, and the Python package two; one that pip installed has
    // it inside.
    for (const fs::path& folder : {program, own_folder()})
        for (const char* way :
             {"web", "../share/bristle/web", "../web", "../../web", "share/bristle/web"})
            if (!folder.empty()) folders.push_back(folder / way);
    // For programs that are not where Bristle is.
    for (const char* prefix : {"/usr/local", "/usr"})
        folders.push_back(fs::path(prefix) / "share/bristle/web");
    for (const fs::path& folder : folders)
        if (fs::is_regular_file(folder / "index.html", error)) return folder.lexically_normal();
    throw InputError(fmt::format(
        "the page of the viewer is not built: run ./run, which builds it to '{}', or say with "
        "BRISTLE_PAGES where it is",
        (program / "web").lexically_normal().string()));
}

}  // namespace bristle::live
