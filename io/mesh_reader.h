// What the readers of mesh files share: bytes in, a mesh out.
#pragma once

#include <bristle/error.h>
#include <bristle/shape.h>

#include "io/mesh_file.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

// `name` is what errors call the file. The bytes are fewer than 2³², and so is all that is counted in them.
TriangleMesh read_stl(std::string_view bytes, const std::string& name);
TriangleMesh read_obj(std::string_view bytes, const std::string& name);
// Text or binary. Reads further files from the folder of `file`, and from nowhere else, and adds their paths.
void read_gltf(std::string_view bytes, const std::filesystem::path& file, MeshFile& out);

// All counts and offsets then fit into 32 bits.
constexpr uintmax_t largest_mesh_file = (uintmax_t{1} << 32) - 1;  // bytes

// Makes one vertex of those in the same place, or closer than `distance` if that is positive; vertices
// keep their order. Drops the triangles that have fewer than three vertices then.
void merge_vertices(TriangleMesh& mesh, double distance);

// A little-endian number at a place that the caller has checked.
template <class Number> Number number_at(std::string_view bytes, size_t offset) {
    Number number;
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

// A text, word by word, with the number of the line.
class Words {
  public:
    Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    // The next word, of this line or a later one; empty at the end of the text.
    std::string_view next();
    // The next word of this line; empty at its end. A backslash before the end continues the line.
    std::string_view next_in_line();
    void skip_line();
    bool at_end() const { return at_ >= text_.size(); }
    // A finite number.
    double number(std::string_view word) const;

    [[noreturn]] void fail(const std::string& what) const;
    // "what is there, what was expected"
    [[noreturn]] void fail(std::string_view word, const std::string& expected) const;

  private:
    std::string_view word_here();

    std::string_view text_;
    const std::string& name_;
    size_t at_ = 0;
    size_t line_ = 1;
};

}  // namespace bristle::io
