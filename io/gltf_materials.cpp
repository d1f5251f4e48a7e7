#include "io/gltf_materials.h"

#include <algorithm>

namespace bristle::io::gltf {
namespace {

// Of all images of a file: they are sent to every page that looks at the scene, and kept in every recording.
constexpr size_t most_image_bytes = size_t{64} << 20;

float share(double value) { return static_cast<float>(std::clamp(value, 0.0, 1.0)); }
float share_or(const std::optional<Element>& element, float otherwise) {
    return element ? share(element->number()) : otherwise;
}

bool can_be_drawn(std::string_view bytes) {
    return bytes.starts_with("\x89PNG\r\n\x1a\n") || bytes.starts_with("\xff\xd8\xff")
        || (bytes.starts_with("RIFF") && bytes.size() > 12 && bytes.substr(8, 4) == "WEBP");
}

// The other source that a texture may have, for programs that know it.
std::optional<Element> webp_source(const Element& texture) {
    const auto extensions = texture.find("extensions");
    const auto webp = extensions ? extensions->find("EXT_texture_webp") : std::nullopt;
    return webp ? webp->find("source") : std::nullopt;
}

}  // namespace

bool Materials::has_any() const {
    const auto list = root_.find("materials");
    return list && list->size() > 0;
}

size_t Materials::places_of(size_t material) const {
    const auto surface = root_.at("materials").at(material).find("pbrMetallicRoughness");
    const auto texture = surface ? surface->find("baseColorTexture") : std::nullopt;
    return texture ? whole_or(texture->find("texCoord"), 0) : 0;
}

MeshPaint Materials::paint(size_t material) {
    const Element element = root_.at("materials").at(material);
    MeshPaint paint;
    if (const auto surface = element.find("pbrMetallicRoughness")) {
        if (const auto color = surface->find("baseColorFactor")) {
            const auto values = color->numbers<4>();
            std::transform(values.begin(), values.end(), paint.color.begin(), share);
        }
        paint.metalness = share_or(surface->find("metallicFactor"), 1);
        paint.roughness = share_or(surface->find("roughnessFactor"), 1);
        paint.color_image = image(surface->find("baseColorTexture"));
        paint.surface_image = image(surface->find("metallicRoughnessTexture"));
    }
    if (const auto glow = element.find("emissiveFactor")) {
        const auto values = glow->numbers<3>();
        std::transform(values.begin(), values.end(), paint.glow.begin(), share);
    }
    paint.normal_image = image(element.find("normalTexture"));
    paint.glow_image = image(element.find("emissiveTexture"));
    const auto mode = element.find("alphaMode");
    paint.is_clear = mode && mode->text() == "BLEND";
    if (mode && mode->text() == "MASK")
        paint.least_opacity = share_or(element.find("alphaCutoff"), 0.5F);
    const auto sides = element.find("doubleSided");
    paint.has_two_sides = sides && sides->flag();
    return paint;
}

std::optional<uint32_t> Materials::image(const std::optional<Element>& reference) {
    if (!reference) return {};
    const Element texture = root_.at("textures").at(reference->at("index").whole());
    auto source = texture.find("source");
    if (!source) source = webp_source(texture);
    if (!source) {
        warnings_.push_back(fmt::format(
            "{} has no image that is PNG, JPEG or WebP; it is drawn without", texture.path()));
        return {};
    }
    const size_t index = source->whole();
    const auto [known, is_new] = known_.try_emplace(index);
    if (!is_new) return known->second;
    const Element element = root_.at("images").at(index);
    try {
        std::string bytes = image_bytes(element);
        if (!can_be_drawn(bytes)) element.fail("it is no PNG, JPEG or WebP image");
        if (bytes.size() > most_image_bytes - bytes_)
            element.fail(
                fmt::format("all images of the file have more than {} MB; expected fewer "
                            "or smaller ones",
                            most_image_bytes >> 20));
        bytes_ += bytes.size();
        known->second = static_cast<uint32_t>(images_.size());
        images_.push_back(std::move(bytes));
    } catch (const InputError& error) {
        warnings_.push_back(fmt::format("{}; it is drawn without", error.what()));
    }
    return known->second;
}

std::string Materials::image_bytes(const Element& image) {
    if (const auto uri = image.find("uri")) return bytes_of_uri(*uri, folder_, used_);
    return std::string(view_bytes_(root_.at("bufferViews").at(image.at("bufferView").whole())));
}

}  // namespace bristle::io::gltf
