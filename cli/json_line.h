// A line of JSON for other programs.
#pragma once

#include "base/plain.h"

#include <nlohmann/json.hpp>

#include <string>

namespace bristle::cli {

// Names of files and what is in damaged ones may be no UTF-8: such bytes become U+FFFD. What a terminal would obey is written as
// \u009b, which means the same.
template <class Json> std::string json_line(const Json& json) {
    const auto written = [&](bool is_ascii) {
        return json.dump(-1, ' ', is_ascii, Json::error_handler_t::replace);
    };
    std::string line = written(false);
    return plain(line) == line ? line : written(true);
}

}  // namespace bristle::cli
