// Materials and images of a glTF document.
#pragma once

#include "io/gltf_document.h"
#include "io/painting.h"

#include <functional>
#include <map>

namespace bristle::io::gltf {

class Materials {
  public:
    // `view_bytes`: of a buffer view. `warnings` gets what is drawn without its image, and why.
    Materials(const Element& root, std::filesystem::path folder,
              std::function<std::string_view(const Element& view)> view_bytes,
              std::vector<std::filesystem::path>& used, std::vector<std::string>& warnings)
        : root_(root),
          folder_(std::move(folder)),
          view_bytes_(std::move(view_bytes)),
          used_(used),
          warnings_(warnings) {}

    bool has_any() const;
    MeshPaint paint(size_t material);
    // Which of the sets of places in images its colours use: the number in TEXCOORD_0.
    size_t places_of(size_t material) const;
    std::vector<std::string> take_images() { return std::move(images_); }

  private:
    // Of a reference to a texture, if it is there and can be drawn.
    std::optional<uint32_t> image(const std::optional<Element>& texture);
    std::string image_bytes(const Element& image);

    Element root_;
    std::filesystem::path folder_;
    std::function<std::string_view(const Element&)> view_bytes_;
    std::vector<std::filesystem::path>& used_;
    std::vector<std::string>& warnings_;
    std::map<size_t, std::optional<uint32_t>> known_;  // by the number of the document's image
    std::vector<std::string> images_;
    size_t bytes_ = 0;
};

}  // namespace bristle::io::gltf
