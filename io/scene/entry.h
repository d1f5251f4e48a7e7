// One object of a scene file, as it is written: {type: sphere, radius: 0.1}. What the table of the format says
// anyway is left out.
#pragma once

#include <bristle/function.h>
#include <bristle/math.h>

#include "io/scene/format.h"

#include <string>
#include <string_view>

namespace bristle::io {

// A number that is read back to the last bit; three and four of them in brackets.
std::string written(Vec3);
std::string written(Quat);
// A name or other text: in quotes, unless it is a simple word.
std::string written(const std::string&);

class Entry {
  public:
    explicit Entry(const Type& type);

    // As it is.
    Entry& put(std::string_view key, const std::string& text);
    Entry& name(std::string_view key, const std::string& name);
    Entry& number(std::string_view key, double value);
    Entry& vector(std::string_view key, Vec3 value);
    Entry& rotation(std::string_view key, Quat value);
    // By its place among the words of the key.
    template <class Enum> Entry& word(std::string_view key, Enum value) {
        return word_at(key, static_cast<size_t>(value));
    }
    // One that has a text, or none.
    template <class Signature>
    Entry& function(std::string_view key, const Described<Signature>& f) {
        return f ? put(key, f.text().starts_with("{") ? f.text() : written(f.text())) : *this;
    }

    std::string text() const { return "{" + text_ + "}"; }

  private:
    Entry& word_at(std::string_view key, size_t index);
    const Key& key(std::string_view name) const;

    const Type& type_;
    std::string text_;
};

}  // namespace bristle::io
