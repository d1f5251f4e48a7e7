#include "report/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bristle::report {
namespace {

// 1, 2 or 5 times a power of ten, about a dozen over the way.
double spacing_for(double way) {
    const double raw = way / 12, decade = std::pow(10, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * decade >= raw) return step * decade;
    return 10 * decade;
}

}  // namespace

std::string escaped_html(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

Drawing::Drawing(Point low, Point high, std::string label)
    : low_(low),
      high_(high),
      scale_((width - left - right) / std::max(high[0] - low[0], 1e-9)),
      height_(top + (high[1] - low[1]) * scale_ + bottom),
      label_(std::move(label)) {
    const double step = spacing_for(std::max(high[0] - low[0], high[1] - low[1]));
    const auto tick = [](double v) { return fmt::format("{:.6g}", std::abs(v) < 1e-9 ? 0 : v); };
    auto out = std::back_inserter(inner_);
    for (double v = std::ceil(low[0] / step) * step; v <= high[0] + 1e-9; v += step)
        fmt::format_to(out,
                       "<path class=\"grid\" d=\"M{0:.1f},{1:.1f}V{2:.1f}\"/>"
                       "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>",
                       x(v), top, height_ - bottom, height_ - 6, tick(v));
    for (double v = std::ceil(low[1] / step) * step; v <= high[1] + 1e-9; v += step)
        fmt::format_to(out,
                       "<path class=\"grid\" d=\"M{0:.1f},{1:.1f}H{2:.1f}\"/>"
                       "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
                       left, y(v), width - right, left - 5, y(v) + 4, tick(v));
    fmt::format_to(out, "<text x=\"2\" y=\"{:.1f}\">m</text>\n", height_ - 6);
}

std::string Drawing::points(std::span<const Point> list) const {
    std::string out;
    for (const Point& p : list)
        fmt::format_to(std::back_inserter(out), "{:.1f},{:.1f} ", x(p[0]), y(p[1]));
    return out;
}

void Drawing::line(std::span<const Point> list, std::string_view style) {
    inner_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", style, points(list));
}
void Drawing::area(std::span<const Point> list, std::string_view style) {
    inner_ += fmt::format("<polygon class=\"{}\" points=\"{}\"/>\n", style, points(list));
}
void Drawing::filled(std::span<const Point> list, const std::array<int, 3>& color) {
    inner_ += fmt::format("<polygon class=\"part\" style=\"fill: rgb({},{},{})\" points=\"{}\"/>\n",
                          color[0], color[1], color[2], points(list));
}
void Drawing::dot(Point p, std::string_view style) {
    inner_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", style,
                          x(p[0]), y(p[1]));
}
void Drawing::text(Point p, std::string_view words, std::string_view anchor, double pixels_up) {
    inner_ +=
        fmt::format("<text class=\"word\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                    x(p[0]), y(p[1]) - pixels_up, anchor, escaped_html(words));
}

std::string Drawing::svg() const {
    return fmt::format(
        "<svg class=\"drawing\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "aria-label=\"{}\">\n{}</svg>\n",
        width, height_, escaped_html(label_), inner_);
}

}  // namespace bristle::report
