// A control message, read with care: it comes from a stranger.
//
// Everything throws InputError that names the field and what it should be.
#pragma once

#include <bristle/math.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::live {

using Json = nlohmann::json;

// One object, in valid UTF-8, with finite numbers, nested no deeper than `most_depth`.
inline constexpr int most_depth = 8;
Json parse_message(std::string_view text);

// On one line. What is no valid UTF-8 (a file's name may be anything) is replaced.
std::string to_text(const Json&);

class Fields {
  public:
    static constexpr size_t longest_text = 200;  // bytes
    static constexpr double largest = 1e9;       // of a number, unless the field says otherwise

    explicit Fields(const Json& object, std::string where = {})
        : object_(object), where_(std::move(where)) {}

    bool has(const char* key) const { return object_.contains(key); }
    double number(const char* key, double low = -largest, double high = largest) const;
    uint64_t whole(const char* key, uint64_t low, uint64_t high) const;
    bool flag(const char* key) const;
    std::string text(const char* key, size_t longest = longest_text) const;
    std::string text_or_nothing(const char* key) const;
    Vec3 vector(const char* key) const;
    Vec3 vector_or_zero(const char* key) const;
    std::vector<double> numbers(const char* key, size_t most) const;
    std::vector<std::string> texts(const char* key, size_t most) const;
    Fields object(const char* key) const;

    const Json& value(const char* key) const;
    [[noreturn]] void fail(const char* key, const std::string& what) const;

  private:
    const Json& object_;
    std::string where_;  // "add.body.", for messages
};

}  // namespace bristle::live
