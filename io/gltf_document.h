// A glTF document before it means anything: its container, its JSON by elements, and the bytes of its buffers.
#pragma once

#include "io/mesh_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace bristle::io::gltf {

using Json = nlohmann::json;

// An element of the document and the way to it.
class Element {
  public:
    Element(const Json& json, std::string path, const std::string& file)
        : json_(&json), path_(std::move(path)), file_(&file) {}

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}: {}: {}", *file_, path_.empty() ? "/" : path_, what));
    }
    const std::string& path() const { return path_; }
    std::optional<Element> find(const char* key) const {
        if (!json_->is_object()) fail("not an object, expected one");
        const auto found = json_->find(key);
        if (found == json_->end()) return std::nullopt;
        return Element(*found, path_ + '/' + key, *file_);
    }
    Element at(const char* key) const {
        if (auto element = find(key)) return *std::move(element);
        fail(fmt::format("no \"{}\", expected one", key));
    }
    size_t size() const {
        if (!json_->is_array()) fail("not an array, expected one");
        return json_->size();
    }
    Element at(size_t index) const {
        if (index >= size())
            fail(fmt::format("element {} is asked for, but there are {}", index, size()));
        return {(*json_)[index], fmt::format("{}/{}", path_, index), *file_};
    }
    size_t whole() const {
        if (!json_->is_number_unsigned()) fail("expected a whole number, zero or more");
        return json_->get<size_t>();
    }
    double number() const {
        const double value = json_->is_number() ? json_->get<double>() : std::nan("");
        if (!std::isfinite(value)) fail("expected a finite number");
        return value;
    }
    template <size_t count> std::array<double, count> numbers() const {
        if (size() != count) fail(fmt::format("{} elements, expected {} numbers", size(), count));
        std::array<double, count> values{};
        for (size_t i = 0; i < count; ++i) values[i] = at(i).number();
        return values;
    }
    const std::string& text() const {
        if (!json_->is_string()) fail("expected a text");
        return json_->get_ref<const std::string&>();
    }
    bool flag() const {
        if (!json_->is_boolean()) fail("expected true or false");
        return json_->get<bool>();
    }

  private:
    const Json* json_;
    std::string path_;
    const std::string* file_;
};

inline size_t whole_or(const std::optional<Element>& element, size_t otherwise) {
    return element ? element->whole() : otherwise;
}

// Text, or text and bytes of a binary file.
struct Container {
    std::string_view json;
    std::optional<std::string_view> binary;
    size_t json_start = 0;
};

Container open_container(std::string_view bytes, const std::string& name);
Json parse(const Container&, const std::string& name);

// "%20" is a blank.
std::string without_percents(const std::string& uri);
// Of base64 data, or of a file in the folder, whose path is added to `used`.
std::string bytes_of_uri(const Element& uri, const std::filesystem::path& folder,
                         std::vector<std::filesystem::path>& used);

}  // namespace bristle::io::gltf
