#include "io/mesh_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::io {
namespace {

constexpr size_t header_size = 84;    // 80 bytes of anything and the number of triangles
constexpr size_t triangle_size = 50;  // normal, three corners, and two bytes of anything

size_t size_of_binary(std::string_view bytes) {
    return header_size + triangle_size * size_t{number_at<uint32_t>(bytes, header_size - 4)};
}

bool begins_with_solid(std::string_view bytes) {
    const size_t start = bytes.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && bytes.substr(start, 5) == "solid";
}

bool is_binary(std::string_view bytes) {
    if (bytes.size() >= header_size && size_of_binary(bytes) == bytes.size()) return true;
    // Text has no zeros; what has both a wrong size and the word is a binary file cut short.
    return !begins_with_solid(bytes) || bytes.substr(0, 1024).find('\0') != std::string_view::npos;
}

TriangleMesh read_binary(std::string_view bytes, const std::string& name) {
    if (bytes.size() < header_size)
        throw InputError(
            fmt::format("{}: byte {}: the file ends, expected \"solid\" or the {} bytes "
                        "of a binary STL header",
                        name, bytes.size(), header_size));
    if (size_of_binary(bytes) != bytes.size())
        throw InputError(
            fmt::format("{}: byte {}: {} triangles announced, which makes {} bytes, but the file "
                        "has {}; expected "
                        "a file that is complete",
                        name, header_size - 4, number_at<uint32_t>(bytes, header_size - 4),
                        size_of_binary(bytes), bytes.size()));
    TriangleMesh mesh;
    mesh.vertices.reserve(3 * (bytes.size() / triangle_size));
    for (size_t at = header_size; at < bytes.size(); at += triangle_size) {
        for (size_t i = 0; i < 3; ++i) {
            const size_t corner = at + 12 * (i + 1);
            const Vec3 p{number_at<float>(bytes, corner), number_at<float>(bytes, corner + 4),
                         number_at<float>(bytes, corner + 8)};
            if (!is_finite(p))
                throw InputError(fmt::format(
                    "{}: byte {}: corner {} of triangle {} is ({}, {}, {}), expected finite "
                    "numbers",
                    name, corner, i, (at - header_size) / triangle_size, p.x, p.y, p.z));
            mesh.vertices.push_back(p);
        }
    }
    return mesh;
}

class TextReader {
  public:
    TextReader(std::string_view bytes, const std::string& name) : words_(bytes, name) {}

    TriangleMesh read() {
        for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
            if (word != "solid") words_.fail(word, "\"solid\"");
            words_.skip_line();  // its name
            read_facets();
            words_.skip_line();  // its name again
        }
        return std::move(mesh_);
    }

  private:
    void read_facets() {
        for (;;) {
            const std::string_view word = words_.next();
            if (word == "endsolid") return;
            if (word != "facet") words_.fail(word, "\"facet\" or \"endsolid\"");
            words_.skip_line();  // its normal, which the corners say better
            expect("outer");
            expect("loop");
            for (int i = 0; i < 3; ++i) {
                expect("vertex");
                Vec3 p;
                for (int c = 0; c < 3; ++c) p[c] = words_.number(words_.next_in_line());
                mesh_.vertices.push_back(p);
            }
            expect("endloop");
            expect("endfacet");
        }
    }

    void expect(const char* keyword) {
        const std::string_view word = words_.next();
        if (word != keyword) words_.fail(word, fmt::format("\"{}\"", keyword));
    }

    Words words_;
    TriangleMesh mesh_;
};

}  // namespace

TriangleMesh read_stl(std::string_view bytes, const std::string& name) {
    TriangleMesh mesh =
        is_binary(bytes) ? read_binary(bytes, name) : TextReader(bytes, name).read();
    mesh.triangles.reserve(mesh.vertices.size() / 3);
    for (uint32_t v = 0; v < mesh.vertices.size(); v += 3)
        mesh.triangles.push_back({v, v + 1, v + 2});
    merge_vertices(mesh, 0);
    return mesh;
}

}  // namespace bristle::io
