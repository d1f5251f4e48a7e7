#include "io/mesh_file.h"

#include "io/mesh_reader.h"
#include "io/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

namespace bristle::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// For messages: short, and without what a terminal would obey.
std::string quoted(std::string_view word) {
    std::string text;
    for (const char c : word.substr(0, 40))
        text += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return '"' + text + (word.size() > 40 ? "...\"" : "\"");
}

// For every vertex the first one in the same place.
std::vector<uint32_t> equal_vertices(std::span<const Vec3> vertices) {
    std::vector<uint32_t> order(vertices.size()), same(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](uint32_t i) {
        return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z);
    };
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return std::tuple_cat(key(a), std::tuple(a)) < std::tuple_cat(key(b), std::tuple(b));
    });
    for (size_t i = 0; i < order.size(); ++i) {
        const bool repeats = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
        same[order[i]] = repeats ? same[order[i - 1]] : order[i];
    }
    return same;
}

// For every vertex the first one that is kept and near. Vertices are compared along a skew line, on
// which hardly any two of a regular body meet unless they are neighbours.
std::vector<uint32_t> near_vertices(std::span<const Vec3> vertices, double distance) {
    const Vec3 line = normalized({0.5477, 0.7141, 0.4359});
    std::vector<std::pair<double, uint32_t>> sorted;
    for (uint32_t i = 0; i < vertices.size(); ++i)
        sorted.emplace_back(dot(line, vertices[i] - vertices[0]), i);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::pair<double, uint32_t>> kept;
    std::vector<uint32_t> same(vertices.size());
    for (const auto& [at, i] : sorted) {
        same[i] = i;
        for (size_t k = kept.size(); k-- > 0 && at - kept[k].first <= distance;)
            if (norm(vertices[i] - vertices[kept[k].second]) <= distance) same[i] = kept[k].second;
        if (same[i] == i) kept.emplace_back(at, i);
    }
    return same;
}

void replace_vertices(TriangleMesh& mesh, std::span<const uint32_t> same) {
    std::vector<uint32_t> number(same.size());
    std::vector<Vec3> kept;
    for (size_t i = 0; i < same.size(); ++i) {
        if (same[i] != i) continue;
        number[i] = static_cast<uint32_t>(kept.size());
        kept.push_back(mesh.vertices[i]);
    }
    for (auto& triangle : mesh.triangles)
        for (uint32_t& v : triangle) v = number[same[v]];
    mesh.vertices = std::move(kept);
    std::erase_if(mesh.triangles,
                  [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
}

// By its ending, in small letters.
std::string kind_of(const std::filesystem::path& file) {
    std::string kind = file.extension().string();
    std::transform(kind.begin(), kind.end(), kind.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return kind;
}

}  // namespace

void merge_vertices(TriangleMesh& mesh, double distance) {
    replace_vertices(mesh, equal_vertices(mesh.vertices));
    if (distance > 0 && !mesh.vertices.empty())
        replace_vertices(mesh, near_vertices(mesh.vertices, distance));
}

TriangleMesh load_mesh(const std::filesystem::path& file, const MeshFileOptions& options) {
    return load_mesh_file(file, options).mesh;
}

MeshFile load_mesh_file(const std::filesystem::path& file, const MeshFileOptions& options) {
    if (!(options.merge_distance >= 0))
        throw InputError(fmt::format("{}: merge_distance is {} m; it must be zero or positive",
                                     file.string(), options.merge_distance));
    const std::string kind = kind_of(file);
    if (kind != ".stl" && kind != ".obj" && kind != ".gltf" && kind != ".glb")
        throw InputError(
            fmt::format("{}: meshes are read from .stl, .obj, .gltf and .glb files, by "
                        "their ending",
                        file.string()));
    const std::string bytes = read_file(file, largest_mesh_file);
    MeshFile out{.files = {file}};
    if (kind == ".stl")
        out.mesh = read_stl(bytes, file.string());
    else if (kind == ".obj")
        out.mesh = read_obj(bytes, file.string());
    else
        read_gltf(bytes, file, out);
    if (options.merge_distance > 0) merge_vertices(out.mesh, options.merge_distance);
    if (out.mesh.triangles.empty())
        throw InputError(fmt::format(
            "{}: it holds no triangle with an area, at least one was expected", file.string()));
    return out;
}

// ---- Words -------------------------------------------------------------------------------------

std::string_view Words::word_here() {
    const size_t start = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '\n') ++at_;
    return text_.substr(start, at_ - start);
}

std::string_view Words::next() {
    for (; at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '\n'); ++at_)
        line_ += text_[at_] == '\n';
    return word_here();
}

std::string_view Words::next_in_line() {
    for (; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\\') {
            size_t end = at_ + 1;
            while (end < text_.size() && is_space(text_[end])) ++end;
            if (end == text_.size() || text_[end] != '\n') break;
            at_ = end;
            ++line_;
        } else if (!is_space(text_[at_])) {
            break;
        }
    }
    return word_here();
}

void Words::skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (at_ == text_.size()) return;
    ++at_;
    ++line_;
}

double Words::number(std::string_view word) const {
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        fail(word, "a finite number");
    return value;
}

void Words::fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line_, what));
}

void Words::fail(std::string_view word, const std::string& expected) const {
    fail(fmt::format("{}, expected {}", word.empty() ? "end of the line" : quoted(word), expected));
}

}  // namespace bristle::io
