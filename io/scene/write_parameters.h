// Other values of parameters in a scene file: only those numbers change, all else stays as it was written.
#pragma once

#include <bristle/scene.h>

namespace bristle::io {

// The text with the values in their places. Throws InputError if a parameter is not there, or its new value is no number.
std::string with_parameters(const std::string& text, const Overrides& values);
// The same of a file, which is replaced as a whole.
void write_parameters(const std::filesystem::path& file, const Overrides& values);

}  // namespace bristle::io
