// Where the built page of the viewer is.
#pragma once

#include <filesystem>

namespace bristle::live {

// $BRISTLE_PAGES, or near the program or the library that this is a part of: `web` of the build, or installed in
// share/bristle/web. Throws InputError that says what to do if there is none.
std::filesystem::path page_folder();

}  // namespace bristle::live
