// A line of JSON for other programs.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace bristle::cli {

// Names of files and what is in damaged ones may be no UTF-8: such bytes become U+FFFD.
template <class Json> std::string json_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bristle::cli
