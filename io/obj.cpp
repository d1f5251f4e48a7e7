#include "io/mesh_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace bristle::io {
namespace {

// Statements that say nothing about triangles; anything else is not OBJ, or a curved surface.
constexpr std::array<std::string_view, 16> ignored = {
    "vt",     "vn",     "vp",     "g", "o", "s",   "mg",    "usemtl",
    "mtllib", "usemap", "maplib", "l", "p", "lod", "bevel", "shadow_obj"};

class Reader {
  public:
    Reader(std::string_view bytes, const std::string& name) : words_(bytes, name) {}

    TriangleMesh read() {
        while (!words_.at_end()) {
            const std::string_view statement = words_.next_in_line();
            if (statement == "v") {
                read_vertex();
            } else if (statement == "f") {
                read_face();
            } else if (statement.empty() || statement[0] == '#') {
                // nothing, or a comment
            } else if (std::find(ignored.begin(), ignored.end(), statement) == ignored.end()) {
                words_.fail(statement,
                            "a statement of OBJ such as \"v\" or \"f\" (free-form curves "
                            "and surfaces are not read)");
            }
            skip_rest();
        }
        return std::move(mesh_);
    }

  private:
    std::string_view next() {
        const std::string_view word = words_.next_in_line();
        return word.empty() || word[0] == '#' ? std::string_view() : word;
    }

    // Word by word, for a line may be continued.
    void skip_rest() {
        while (!words_.next_in_line().empty()) {
        }
        words_.skip_line();
    }

    // A weight or colours may follow.
    void read_vertex() {
        Vec3 p;
        for (int c = 0; c < 3; ++c) p[c] = words_.number(next());
        mesh_.vertices.push_back(p);
    }

    void read_face() {
        const uint32_t first = corner(next());
        uint32_t last = corner(next());
        std::string_view word = next();
        do {
            const uint32_t v = corner(word);
            mesh_.triangles.push_back({first, last, v});
            last = v;
            word = next();
        } while (!word.empty());
    }

    // "v", "v/vt", "v//vn" or "v/vt/vn"; numbers from 1, or backwards from −1.
    uint32_t corner(std::string_view word) const {
        int64_t index = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        if (error != std::errc() || (end != word.data() + word.size() && *end != '/'))
            words_.fail(word, "the number of a vertex, as a face has at least three");
        const auto count = static_cast<int64_t>(mesh_.vertices.size());
        if (index == 0 || index > count || index < -count)
            words_.fail(word,
                        fmt::format("a vertex from 1 to {0} or −1 to −{0}, as many as there are "
                                    "before this line",
                                    count));
        return static_cast<uint32_t>(index > 0 ? index - 1 : count + index);
    }

    Words words_;
    TriangleMesh mesh_;
};

}  // namespace

TriangleMesh read_obj(std::string_view bytes, const std::string& name) {
    return Reader(bytes, name).read();
}

}  // namespace bristle::io
