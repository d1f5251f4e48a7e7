#include "io/survey.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bristle::io {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

// ---- Inside: over triangles, row by row --------------------------------------------------------------

class Filling {
  public:
    Filling(const Survey& survey, const SurveyGrid& grid) : points_(survey.points), grid_(grid) {
        heights_.assign(size_t{grid.columns} * grid.rows, unset);
        for (const auto& triangle : survey.over.triangles) fill(triangle);
    }
    std::vector<double> heights() && { return std::move(heights_); }

  private:
    // The grid's points of a triangle, its edges with them; what is off by rounding too, so that none is lost between two.
    void fill(const std::array<uint32_t, 3>& triangle) {
        const Vec3 a = points_[triangle[0]], b = points_[triangle[1]], c = points_[triangle[2]];
        const auto [low, high] = std::minmax({a.y, b.y, c.y});
        const auto [first, last] = within(low, high, grid_.y, grid_.spacing_y, grid_.rows);
        for (int64_t row = first; row <= last; ++row) {
            const double y = grid_.y + static_cast<double>(row) * grid_.spacing_y;
            double left = std::numeric_limits<double>::infinity(), right = -left;
            for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
                if (p.y == q.y) {
                    if (std::abs(p.y - y) > slack * grid_.spacing_y) continue;
                    left = std::min({left, p.x, q.x});
                    right = std::max({right, p.x, q.x});
                    continue;
                }
                const double share = (y - p.y) / (q.y - p.y);
                if (share < -slack || share > 1 + slack) continue;
                const double x = p.x + std::clamp(share, 0.0, 1.0) * (q.x - p.x);
                left = std::min(left, x);
                right = std::max(right, x);
            }
            if (left > right) continue;
            const auto [begin, end] = within(left, right, grid_.x, grid_.spacing_x, grid_.columns);
            for (int64_t column = begin; column <= end; ++column)
                heights_[static_cast<size_t>(row) * grid_.columns + static_cast<size_t>(column)] =
                    height(a, b, c, grid_.x + static_cast<double>(column) * grid_.spacing_x, y);
        }
    }

    // Which of the numbers first + i * spacing, i < count, are between two, or nearly.
    static std::pair<int64_t, int64_t> within(double low, double high, double first, double spacing,
                                              uint32_t count) {
        const double begin = std::ceil((low - first) / spacing - slack),
                     end = std::floor((high - first) / spacing + slack);
        return {static_cast<int64_t>(std::clamp(begin, 0.0, static_cast<double>(count))),
                static_cast<int64_t>(std::clamp(end, -1.0, static_cast<double>(count) - 1))};
    }

    // Weights by areas, each at least zero: never above the highest or below the lowest corner. In more digits than ours, for
    // along a hull triangles are so slim that doubles would lose half of theirs.
    static double height(Vec3 a, Vec3 b, Vec3 c, double x, double y) {
        using Digits = long double;
        const auto area = [&](Vec3 p, Vec3 q) {
            return std::max(
                (Digits{q.x} - p.x) * (Digits{y} - p.y) - (Digits{q.y} - p.y) * (Digits{x} - p.x),
                Digits{0});
        };
        const Digits of_a = area(b, c), of_b = area(c, a), of_c = area(a, b);
        const Digits all = of_a + of_b + of_c;
        if (!(all > 0)) return a.z;  // its corners are one point, to rounding
        return static_cast<double>((of_a * a.z + of_b * b.z + of_c * c.z) / all);
    }

    static constexpr double slack = 1e-9;  // of a spacing, or of an edge
    const std::vector<Vec3>& points_;
    const SurveyGrid& grid_;
    std::vector<double> heights_;
};

// ---- Outside: the nearest place of the hull ------------------------------------------------------------

// A convex outline, counter-clockwise. From a place outside, the distance to what is seen of it first falls along it and then
// rises; so the nearest is found by halves, and the cost does not grow with the survey.
class Outline {
  public:
    explicit Outline(const Survey& survey) {
        for (const uint32_t i : survey.over.hull) corners_.push_back(survey.points[i]);
        for (const Vec3& corner : corners_)
            middle_ = middle_ + (1.0 / static_cast<double>(corners_.size())) * corner;
        for (const Vec3& corner : corners_) angles_.push_back(angle(corner));
        // Angles rise from the first corner on but for one fall, from π to −π.
        const auto least = std::min_element(angles_.begin(), angles_.end()) - angles_.begin();
        std::rotate(corners_.begin(), corners_.begin() + least, corners_.end());
        std::rotate(angles_.begin(), angles_.begin() + least, angles_.end());
    }

    double height(double x, double y) const {
        const Vec3 at{x, y, 0};
        const auto count = static_cast<int64_t>(corners_.size());
        // The line from the middle to the place goes through an edge that is seen from there, and backwards through one that
        // is not. Towards the nearest one, what is seen and has it ahead comes first, then all the others.
        const double towards = angle(at);
        const int64_t seen = edge_at(towards),
                      hidden = edge_at(towards > 0 ? towards - pi : towards + pi);
        const int direction = side(seen, at);
        int64_t low = 0, high = 0;  // edges around the nearest, counted from the one that is seen
        if (direction != 0) {
            high = ((hidden - seen) * direction % count + count) % count * direction;
            while (std::abs(high - low) > 1) {
                const int64_t half = low + (high - low) / 2;
                const bool is_ahead =
                    is_seen(seen + half, at) && side(seen + half, at) == direction;
                (is_ahead ? low : high) = half;
            }
        }
        double nearest = std::numeric_limits<double>::infinity(), found = 0;
        for (const int64_t i : {low - 1, low, low + 1, high}) {
            const Vec3 p = corner(seen + i), along = corner(seen + i + 1) - p;
            const double share = std::clamp(level(at - p, along) / level(along, along), 0.0, 1.0);
            const Vec3 place = p + share * along;
            const double distance = std::hypot(place.x - x, place.y - y);
            if (distance >= nearest) continue;
            nearest = distance;
            found = place.z;
        }
        return found;
    }

  private:
    const Vec3& corner(int64_t i) const {
        const auto count = static_cast<int64_t>(corners_.size());
        return corners_[static_cast<size_t>((i % count + count) % count)];
    }
    int64_t edge_at(double direction) const {
        return std::upper_bound(angles_.begin(), angles_.end(), direction) - angles_.begin() - 1;
    }
    double angle(Vec3 at) const { return std::atan2(at.y - middle_.y, at.x - middle_.x); }
    static double level(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y; }
    // Whether the nearest of the line of edge i is before it (−1), on it or after it.
    int side(int64_t i, Vec3 at) const {
        const Vec3 along = corner(i + 1) - corner(i);
        const double share = level(at - corner(i), along) / level(along, along);
        return share < 0 ? -1 : share > 1 ? 1 : 0;
    }
    bool is_seen(int64_t i, Vec3 at) const {
        const Vec3 p = corner(i), q = corner(i + 1);
        return turn({p.x, p.y}, {q.x, q.y}, {at.x, at.y}) <= 0;
    }

    std::vector<Vec3> corners_;
    std::vector<double> angles_;  // seen from the middle
    Vec3 middle_;
};

std::pair<Vec3, Vec3> extent(const Survey& survey) {
    Vec3 low = survey.points.at(0), high = low;
    for (const Vec3& p : survey.points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    return {low, high};
}

void check_spacing(double x, double y) {
    if (!(x > 0) || !(y > 0))
        throw InputError(
            fmt::format("the grid has a spacing of {} m and {} m; expected lengths", x, y));
}

}  // namespace

std::vector<size_t> sticking_out(const Survey& survey) {
    struct Around {
        double sum = 0, count = 0, least_rise = std::numeric_limits<double>::infinity(),
               most_rise = -least_rise;
    };
    const auto& points = survey.points;
    std::vector<Around> around(points.size());
    for (const auto& triangle : survey.over.triangles)
        for (size_t i = 0; i < 3; ++i)
            for (const size_t k : {(i + 1) % 3, (i + 2) % 3}) {
                const Vec3 here = points[triangle[i]], there = points[triangle[k]];
                Around& a = around[triangle[i]];
                a.sum += there.z;
                a.count += 1;
                const double rise =
                    (here.z - there.z) / std::hypot(here.x - there.x, here.y - there.y);
                a.least_rise = std::min(a.least_rise, rise);
                a.most_rise = std::max(a.most_rise, rise);
            }
    const auto off = [&](size_t i) {
        return around[i].count > 0 ? std::abs(points[i].z - around[i].sum / around[i].count) : 0;
    };
    std::vector<double> all(points.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = off(i);
    const auto median = all.begin() + static_cast<ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), median, all.end());
    std::vector<size_t> out;
    for (size_t i = 0; i < points.size(); ++i)
        if (off(i) > 20 * *median && (around[i].least_rise > 1 || around[i].most_rise < -1))
            out.push_back(i);
    return out;
}

SurveyGrid grid_over(const Survey& survey, double spacing_x, double spacing_y) {
    if (spacing_y == 0) spacing_y = spacing_x;
    check_spacing(spacing_x, spacing_y);
    const auto [low, high] = extent(survey);
    const auto count = [](double length, double spacing) {
        constexpr double most = 4e9;  // steps: too many for a field, and not for an integer
        const double steps = std::floor(length / spacing * (1 + 1e-12));
        return static_cast<uint32_t>(std::min(steps, most)) + 1;
    };
    return {low.x,
            low.y,
            spacing_x,
            spacing_y,
            count(high.x - low.x, spacing_x),
            count(high.y - low.y, spacing_y)};
}

SurveyGrid grid_of(const Survey& survey, uint32_t columns, uint32_t rows) {
    const auto [low, high] = extent(survey);
    return {low.x,   low.y, (high.x - low.x) / (columns - 1), (high.y - low.y) / (rows - 1),
            columns, rows};
}

SurveyHeights heights_of(const Survey& survey, const SurveyGrid& grid) {
    check_spacing(grid.spacing_x, grid.spacing_y);
    if (grid.columns < 2 || grid.rows < 2)
        throw InputError(
            fmt::format("{} times {} points over the survey; expected two or more each way: give a "
                        "smaller spacing",
                        grid.columns, grid.rows));
    if (uint64_t{grid.columns} * grid.rows > most_heights)
        throw InputError(
            fmt::format("{} times {} points over the survey; expected at most {}: give a "
                        "larger spacing",
                        grid.columns, grid.rows, most_heights));
    SurveyHeights out;
    out.field = {grid.columns, grid.rows, grid.spacing_x, grid.spacing_y,
                 Filling(survey, grid).heights()};
    const Outline outline(survey);
    for (size_t i = 0; i < out.field.heights.size(); ++i) {
        if (!std::isnan(out.field.heights[i])) continue;
        ++out.outside;
        out.field.heights[i] =
            outline.height(grid.x + static_cast<double>(i % grid.columns) * grid.spacing_x,
                           grid.y + static_cast<double>(i / grid.columns) * grid.spacing_y);
    }
    return out;
}

}  // namespace bristle::io
