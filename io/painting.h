// How a mesh's file paints it: its triangles by their paints, with the images these are made of. As glTF 2.0 has it.
//
// Beside the mesh that touches, and not in it: where colours meet, what is seen has several vertices in one place, and
// what touches has one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bristle::io {

struct MeshPaint {
    std::array<float, 4> color = {1, 1, 1, 1};  // red, green, blue, opacity; linear, 0 … 1
    float metalness = 1, roughness = 1;         // 0 … 1
    std::array<float, 3> glow = {0, 0, 0};      // linear
    // Indices of images, whose values are multiplied with the numbers above: of colour and opacity; rough in green and
    // metallic in blue; of how normals lean; of what glows.
    std::optional<uint32_t> color_image, surface_image, normal_image, glow_image;
    float least_opacity = 0;  // what has less is not there; zero: all is
    bool is_clear = false;    // what is behind it is seen through it, by its opacity
    bool has_two_sides = false;
};

struct PaintedSurface {
    MeshPaint paint;
    std::vector<std::array<float, 3>> vertices;  // m
    std::vector<std::array<float, 2>>
        image_places;  // of the vertices, from the upper left; or none
    std::vector<std::array<uint32_t, 3>> triangles;
};

struct Painting {
    std::vector<PaintedSurface> surfaces;
    std::vector<std::string> images;  // PNG, JPEG or WebP, as their files are
};

}  // namespace bristle::io
