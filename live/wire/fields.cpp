#include "live/wire/fields.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <cmath>

namespace bristle::live {
namespace {

double checked_number(const Json& value, double low, double high) {
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number >= low && number <= high))
        throw InputError(fmt::format("must be a number from {:g} to {:g}", low, high));
    return number;
}

std::string checked_text(const Json& value, size_t longest) {
    const auto* text = value.get_ptr<const std::string*>();
    if (text == nullptr || text->size() > longest)
        throw InputError(fmt::format("must be a text of at most {} bytes", longest));
    for (const char c : *text)
        if (static_cast<unsigned char>(c) < 0x20)
            throw InputError("must be a text without control characters");
    return *text;
}

}  // namespace

Json parse_message(std::string_view text) {
    const auto not_too_deep = [](int depth, Json::parse_event_t, Json&) {
        if (depth > most_depth)
            throw InputError(fmt::format("the message is nested deeper than {}", most_depth));
        return true;
    };
    Json message;
    try {
        message = Json::parse(text, not_too_deep);
    } catch (const Json::exception& error) {
        // It may quote all of the message.
        throw InputError(
            fmt::format("the message is no JSON: {}", std::string(error.what()).substr(0, 200)));
    }
    if (!message.is_object()) throw InputError("a message is one JSON object");
    return message;
}

std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Fields::fail(const char* key, const std::string& what) const {
    throw InputError(fmt::format("'{}{}' {}", where_, key, what));
}

const Json& Fields::value(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(key, "is missing");
    return *found;
}

double Fields::number(const char* key, double low, double high) const {
    try {
        return checked_number(value(key), low, high);
    } catch (const InputError& error) {
        fail(key, error.what());
    }
}

uint64_t Fields::whole(const char* key, uint64_t low, uint64_t high) const {
    const Json& given = value(key);
    const uint64_t number = given.is_number_unsigned() ? given.get<uint64_t>() : high + 1;
    if (number < low || number > high)
        fail(key, fmt::format("must be a whole number from {} to {}", low, high));
    return number;
}

bool Fields::flag(const char* key) const {
    const Json& given = value(key);
    if (!given.is_boolean()) fail(key, "must be true or false");
    return given.get<bool>();
}

std::string Fields::text(const char* key, size_t longest) const {
    const Json& given = value(key);
    try {
        return checked_text(given, longest);
    } catch (const InputError& error) {
        fail(key, error.what());
    }
}

std::string Fields::text_or_nothing(const char* key) const {
    return has(key) ? text(key) : std::string();
}

Vec3 Fields::vector(const char* key) const {
    const std::vector<double> list = numbers(key, 3);
    if (list.size() != 3) fail(key, "must be three numbers");
    return {list[0], list[1], list[2]};
}

Vec3 Fields::vector_or_zero(const char* key) const { return has(key) ? vector(key) : Vec3{}; }

std::vector<double> Fields::numbers(const char* key, size_t most) const {
    const Json& given = value(key);
    if (!given.is_array() || given.size() > most)
        fail(key, fmt::format("must be a list of at most {} numbers", most));
    std::vector<double> list;
    try {
        for (const Json& item : given) list.push_back(checked_number(item, -largest, largest));
    } catch (const InputError& error) {
        fail(key, fmt::format("[{}] {}", list.size(), error.what()));
    }
    return list;
}

std::vector<std::string> Fields::texts(const char* key, size_t most) const {
    const Json& given = value(key);
    if (!given.is_array() || given.size() > most)
        fail(key, fmt::format("must be a list of at most {} texts", most));
    std::vector<std::string> list;
    try {
        for (const Json& item : given) list.push_back(checked_text(item, longest_text));
    } catch (const InputError& error) {
        fail(key, fmt::format("[{}] {}", list.size(), error.what()));
    }
    return list;
}

Fields Fields::object(const char* key) const {
    const Json& given = value(key);
    if (!given.is_object()) fail(key, "must be an object");
    return Fields(given, fmt::format("{}{}.", where_, key));
}

}  // namespace bristle::live
