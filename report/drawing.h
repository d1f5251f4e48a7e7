// A drawing to scale, as SVG for a page: a grid of metres, lines, filled outlines, words.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::report {

// What a page shows beside its plots; the text is SVG of ours, not escaped again.
struct Figure {
    std::string title, svg;
    std::string note = {};  // below it
};

// For text and attributes of HTML and SVG.
std::string escaped_html(std::string_view);

class Drawing {
  public:
    using Point = std::array<double, 2>;
    // What is seen, m. As wide as the page allows.
    Drawing(Point low, Point high, std::string label);

    // `style` are classes of the page's style.
    void line(std::span<const Point>, std::string_view style);
    void area(std::span<const Point>, std::string_view style);
    void filled(std::span<const Point>, const std::array<int, 3>& color);  // 0 … 255
    void dot(Point, std::string_view style);
    // anchor: start, middle or end.
    void text(Point, std::string_view words, std::string_view anchor = "middle",
              double pixels_up = 0);
    std::string svg() const;

  private:
    std::string points(std::span<const Point>) const;
    double x(double m) const { return left + (m - low_[0]) * scale_; }
    double y(double m) const { return top + (high_[1] - m) * scale_; }

    static constexpr double width = 900, left = 34, right = 12, top = 8, bottom = 22;  // pixels
    Point low_, high_;
    double scale_, height_;
    std::string label_, inner_;
};

}  // namespace bristle::report
