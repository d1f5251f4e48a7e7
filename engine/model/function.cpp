#include <bristle/error.h>
#include <bristle/function.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace bristle {
namespace {

std::string text_of(const TableRows& rows) {
    std::string text = "{table: [";
    for (const auto& [x, y] : rows)
        text +=
            fmt::format("{}[{}, {}]", text.back() == '[' ? "" : ", ", exact_text(x), exact_text(y));
    return text + "]}";
}

}  // namespace

std::string exact_text(double value) {
    if (!std::isfinite(value))
        return std::isnan(value) ? "nan" : value < 0 ? "-unlimited" : "unlimited";
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

ForceLaw table(TableRows rows) {
    if (rows.size() < 2) throw InputError("table: a force law needs at least two rows");
    for (size_t i = 0; i < rows.size(); ++i) {
        if (!std::isfinite(rows[i].first) || !std::isfinite(rows[i].second))
            throw InputError(fmt::format("table: row {} is not finite", i));
        if (i > 0 && !(rows[i].first > rows[i - 1].first))
            throw InputError(fmt::format("table: displacement of row {} does not increase", i));
    }
    std::string text = text_of(rows);
    const auto value = [rows = std::move(rows)](double x, double) {
        auto hi = std::upper_bound(rows.begin() + 1, rows.end() - 1, x,
                                   [](double v, const auto& r) { return v < r.first; });
        const auto lo = hi - 1;
        return lo->second + (x - lo->first) * (hi->second - lo->second) / (hi->first - lo->first);
    };
    return {value, std::move(text)};
}

TimeFunction time_table(const TableRows& rows) {
    const ForceLaw values = table(rows);
    return {[values, first = rows.front().first, last = rows.back().first](double t) {
                return values(std::clamp(t, first, last), 0);
            },
            values.text()};
}

}  // namespace bristle
