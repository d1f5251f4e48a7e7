// The region is that of patches: tips for two cylinders that move while the third stands, for many of its lengths, and so for
// each of the three. Patches are filled into a picture, and its border is followed.
#include "machines/results/range.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace bristle::machines {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
// Of two cylinders more, for they may lock somewhere.
constexpr std::array<size_t, most_cylinders> samples_of_three{33, 33, 17},
    samples_of_two{129, 129, 1};
constexpr double sagging = 0.01;  // m: of arcs between samples, at most
constexpr size_t picture = 1600;  // cells along its longer side

// ---- Samples ---------------------------------------------------------------------------------------------

struct Samples {
    std::array<size_t, most_cylinders> counts{1, 1, 1};
    std::vector<PlanePoint> tips, pivots;  // NaN where the arm cannot be
    std::vector<Lengths> lengths;
    size_t index(size_t i, size_t j, size_t k) const { return (i * counts[1] + j) * counts[2] + k; }
};

Samples sampled(Arm& arm, double height) {
    Samples s;
    s.counts = arm.count() == 3 ? samples_of_three : samples_of_two;
    const size_t total = s.counts[0] * s.counts[1] * s.counts[2];
    s.tips.assign(total, {not_a_number, not_a_number});
    s.pivots = s.tips;
    s.lengths.resize(total);
    const auto share = [&](size_t c, size_t i) {
        return s.counts[c] > 1 ? static_cast<double>(i) / static_cast<double>(s.counts[c] - 1) : 0;
    };
    for (size_t i = 0; i < s.counts[0]; ++i)
        for (size_t jj = 0; jj < s.counts[1]; ++jj)
            for (size_t kk = 0; kk < s.counts[2]; ++kk) {
                // To and fro, so that the next place is never far.
                const size_t j = i % 2 == 0 ? jj : s.counts[1] - 1 - jj;
                const size_t k = jj % 2 == 0 ? kk : s.counts[2] - 1 - kk, at = s.index(i, j, k);
                s.lengths[at] = arm.count() == 3
                                  ? arm.at_shares(share(0, i), share(1, j), share(2, k))
                                  : arm.at_shares(share(0, i), 0, share(1, j));
                if (!arm.place(s.lengths[at])) continue;
                const Vec3 tip = arm.tip(), pivot = arm.bucket_pivot();
                s.tips[at] = {tip.x, tip.z + height};
                s.pivots[at] = {pivot.x, pivot.z + height};
            }
    return s;
}

// ---- The picture ------------------------------------------------------------------------------------------

class Picture {
  public:
    Picture(const std::vector<PlanePoint>& points) {
        PlanePoint low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
        for (const PlanePoint& p : points)
            for (size_t k = 0; k < 2; ++k)
                if (std::isfinite(p[k])) {
                    low[k] = std::min(low[k], p[k]);
                    high[k] = std::max(high[k], p[k]);
                }
        cell_ = std::max({high[0] - low[0], high[1] - low[1], 1e-6}) / static_cast<double>(picture);
        for (size_t k = 0; k < 2; ++k) {
            origin_[k] = low[k] - 1.5 * cell_;
            count_[k] = static_cast<size_t>((high[k] - low[k]) / cell_) + 5;
        }
        filled_.assign(count_[0] * count_[1], 0);
    }
    double cell() const { return cell_; }

    // Cells whose middle is in the triangle.
    void fill(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
        for (const PlanePoint* p : {&a, &b, &c})
            if (!std::isfinite((*p)[0])) return;
        const auto [low_y, high_y] = std::minmax({a[1], b[1], c[1]});
        for (size_t row = first(low_y, 1); row < count_[1]; ++row) {
            const double y = middle(row, 1);
            if (y > high_y) break;
            double from = HUGE_VAL, to = -HUGE_VAL;
            for (const auto& [p, q] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&c, &a)}) {
                if (((*p)[1] <= y) == ((*q)[1] <= y)) continue;
                const double x =
                    (*p)[0] + ((*q)[0] - (*p)[0]) * (y - (*p)[1]) / ((*q)[1] - (*p)[1]);
                from = std::min(from, x);
                to = std::max(to, x);
            }
            for (size_t column = first(from, 0); column < count_[0] && middle(column, 0) <= to;
                 ++column)
                filled_[row * count_[0] + column] = 1;
        }
    }

    // The outer border of the largest region that is filled, by the middles of cells' edges, counter-clockwise.
    std::vector<PlanePoint> border() {
        const size_t start = keep_largest();  // its lowest row has the outer border
        if (start == filled_.size()) return {};
        // Corners of cells; the region is to the left of the way.
        long x = static_cast<long>(start % count_[0]), y = static_cast<long>(start / count_[0]);
        const long x0 = x, y0 = y;
        int heading = 0;  // east, north, west, south
        std::vector<PlanePoint> out;
        constexpr int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
        do {
            out.push_back({origin_[0] + cell_ * (static_cast<double>(x) + 0.5 * dx[heading]),
                           origin_[1] + cell_ * (static_cast<double>(y) + 0.5 * dy[heading])});
            x += dx[heading];
            y += dy[heading];
            // The cells ahead, to the left and to the right.
            const bool left = at(x, y, heading, 1), right = at(x, y, heading, -1);
            heading = !left ? (heading + 1) % 4 : right ? (heading + 3) % 4 : heading;
        } while (x != x0 || y != y0);
        return out;
    }

  private:
    // Of cells that share an edge. Where it begins.
    size_t keep_largest() {
        std::vector<unsigned> region(filled_.size(), 0);
        std::vector<size_t> open;
        unsigned regions = 0, largest = 0;
        size_t most = 0, start = filled_.size();
        for (size_t seed = 0; seed < filled_.size(); ++seed) {
            if (filled_[seed] == 0 || region[seed] != 0) continue;
            region[seed] = ++regions;
            open.assign(1, seed);
            size_t size = 0;
            while (!open.empty()) {
                const size_t cell = open.back();
                open.pop_back();
                ++size;
                // The border of the picture is empty.
                for (const size_t next : {cell + 1, cell - 1, cell + count_[0], cell - count_[0]})
                    if (filled_[next] != 0 && region[next] == 0) {
                        region[next] = regions;
                        open.push_back(next);
                    }
            }
            if (size <= most) continue;
            most = size;
            largest = regions;
            start = seed;
        }
        for (size_t i = 0; i < filled_.size(); ++i)
            if (region[i] != largest) filled_[i] = 0;
        return start;
    }
    double middle(size_t i, size_t k) const {
        return origin_[k] + cell_ * (static_cast<double>(i) + 0.5);
    }
    size_t first(double from, size_t k) const {
        if (!(from < HUGE_VAL)) return SIZE_MAX;
        return static_cast<size_t>(std::max(0.0, std::ceil((from - origin_[k]) / cell_ - 0.5)));
    }
    bool at(long x, long y, int heading, int side) const {
        // Of the four cells around a corner, the one ahead and to the side.
        const bool is_left = side > 0;
        static constexpr long left_x[4] = {0, -1, -1, 0}, left_y[4] = {0, 0, -1, -1};
        static constexpr long right_x[4] = {0, 0, -1, -1}, right_y[4] = {-1, 0, 0, -1};
        const long column = x + (is_left ? left_x : right_x)[heading],
                   row = y + (is_left ? left_y : right_y)[heading];
        if (column < 0 || row < 0 || column >= static_cast<long>(count_[0])
            || row >= static_cast<long>(count_[1]))
            return false;
        return filled_[static_cast<size_t>(row) * count_[0] + static_cast<size_t>(column)] != 0;
    }

    PlanePoint origin_{};
    std::array<size_t, 2> count_{};
    double cell_ = 1;
    std::vector<unsigned char> filled_;
};

void fill(Picture& into, const Samples& s) {
    const auto [n0, n1, n2] = s.counts;
    const auto quad = [&](size_t a, size_t b, size_t c, size_t d) {
        into.fill(s.tips[a], s.tips[b], s.tips[c]);
        into.fill(s.tips[b], s.tips[d], s.tips[c]);
    };
    for (size_t i = 0; i < n0; ++i)
        for (size_t j = 0; j < n1; ++j)
            for (size_t k = 0; k < n2; ++k) {
                const size_t here = s.index(i, j, k);
                if (i + 1 < n0 && j + 1 < n1)
                    quad(here, s.index(i + 1, j, k), s.index(i, j + 1, k),
                         s.index(i + 1, j + 1, k));
                if (j + 1 < n1 && k + 1 < n2)
                    quad(here, s.index(i, j + 1, k), s.index(i, j, k + 1),
                         s.index(i, j + 1, k + 1));
                if (i + 1 < n0 && k + 1 < n2)
                    quad(here, s.index(i + 1, j, k), s.index(i, j, k + 1),
                         s.index(i + 1, j, k + 1));
            }
}

// m: between a place that is not reached and one beside it that is, as far as its other neighbours tell.
double widest_gap(const Samples& s) {
    double widest = 0;
    const auto look = [&](size_t before, size_t here, size_t there) {
        const PlanePoint &a = s.tips[before], &b = s.tips[here];
        if (std::isfinite(s.tips[there][0]) || !std::isfinite(a[0]) || !std::isfinite(b[0])) return;
        widest = std::max(widest, std::hypot(b[0] - a[0], b[1] - a[1]));
    };
    const std::array<size_t, 3> stride{s.counts[1] * s.counts[2], s.counts[2], 1};
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i + 2 * stride[c] < s.tips.size(); ++i) {
            if (i / stride[c] % s.counts[c] + 2 >= s.counts[c]) continue;
            look(i, i + stride[c], i + 2 * stride[c]);
            look(i + 2 * stride[c], i + stride[c], i);
        }
    return widest;
}

// Fewer points, none of them left out farther away than this (Douglas and Peucker).
void simplify(const std::vector<PlanePoint>& line, size_t from, size_t to, double tolerance,
              std::vector<bool>& kept) {
    const double x = line[to][0] - line[from][0], y = line[to][1] - line[from][1],
                 length = std::hypot(x, y);
    double most = tolerance;
    size_t farthest = from;
    for (size_t i = from + 1; i < to; ++i) {
        const double u = line[i][0] - line[from][0], v = line[i][1] - line[from][1];
        const double away = length > 0 ? std::abs(u * y - v * x) / length : std::hypot(u, v);
        if (away > most) {
            most = away;
            farthest = i;
        }
    }
    if (farthest == from) return;
    kept[farthest] = true;
    simplify(line, from, farthest, tolerance, kept);
    simplify(line, farthest, to, tolerance, kept);
}

std::vector<PlanePoint> simplified(std::vector<PlanePoint> line, double tolerance) {
    if (line.size() < 3) return line;
    line.push_back(line.front());
    std::vector<bool> kept(line.size(), false);
    const size_t half = line.size() / 2, last = line.size() - 1;
    kept[0] = kept[half] = true;
    simplify(line, 0, half, tolerance, kept);
    simplify(line, half, last, tolerance, kept);
    std::vector<PlanePoint> out;
    for (size_t i = 0; i < last; ++i)
        if (kept[i]) out.push_back(line[i]);
    return out;
}

// ---- Largest dimensions ------------------------------------------------------------------------------------

// From the best sample on, lengths are moved one by one, by ever smaller ways.
class Search {
  public:
    using Goal = std::function<double()>;  // of where the arm is; NaN where it must not be
    using Rough = std::function<double(const PlanePoint& tip, const PlanePoint& pivot)>;
    Search(Arm& arm, const Samples& s) : arm_(arm), samples_(s) {}

    // Cylinders before the first are set by the goal itself.
    Extreme most(const char* name, const Goal& goal, size_t first, const Rough& rough) {
        double best = -HUGE_VAL;
        Lengths at{};
        for (size_t i = 0; i < samples_.tips.size(); ++i) {
            if (!std::isfinite(samples_.tips[i][0])) continue;
            const double value = rough(samples_.tips[i], samples_.pivots[i]);
            if (value > best) {
                best = value;
                at = samples_.lengths[i];
            }
        }
        arm_.place(at);
        best = goal();
        for (double share = 1.0 / 16; share > 1e-8; share /= 2)
            for (bool better = true; better;) {
                better = false;
                for (size_t c = first; c < arm_.count(); ++c)
                    for (const double side : {-1.0, 1.0}) {
                        const ArmCylinder& cylinder = arm_.parts().cylinders[c];
                        Lengths tried = at;
                        tried[c] = std::clamp(
                            at[c] + side * share * (cylinder.longest - cylinder.shortest),
                            cylinder.shortest, cylinder.longest);
                        if (!arm_.place(tried)) continue;
                        const double value = goal();
                        if (!(value > best + 1e-12)) continue;
                        best = value;
                        at = arm_.lengths();
                        better = true;
                    }
            }
        arm_.place(at);
        Extreme out{name, goal(), {}, arm_.lengths()};
        return out;
    }

  private:
    Arm& arm_;
    const Samples& samples_;
};

}  // namespace

WorkingRange working_range(Arm& arm, double height) {
    WorkingRange out;
    const Lengths began = arm.lengths();
    const Samples s = sampled(arm, height);
    Picture drawn(s.tips);
    fill(drawn, s);
    out.envelope = simplified(drawn.border(), drawn.cell());
    out.accuracy = std::max(2 * drawn.cell() + sagging, widest_gap(s));

    // The boom is let down or lifted until the teeth are on the ground: by halves of its stroke.
    const ArmCylinder& boom = arm.parts().cylinders[0];
    const auto on_ground = [&] {
        Lengths l = arm.lengths();
        double low = boom.shortest, high = boom.longest;
        const auto above = [&](double length) {
            l[0] = length;
            return arm.place(l) ? arm.tip().z + height : not_a_number;
        };
        if (!(above(low) < 0 && above(high) > 0)) return not_a_number;
        while (high - low > 1e-9) {
            const double middle = 0.5 * (low + high);
            (above(middle) < 0 ? low : high) = middle;
        }
        return arm.tip().x;
    };
    Search search(arm, s);
    const auto add = [&](const char* name, const Search::Goal& goal, size_t first,
                         const Search::Rough& rough, bool of_pivot) {
        Extreme e = search.most(name, goal, first, rough);
        const Vec3 p = of_pivot ? arm.bucket_pivot() : arm.tip();
        e.at = {p.x, p.z + height};
        if (std::isfinite(e.value)) out.extremes.push_back(e);
    };
    using P = const PlanePoint&;
    const double radius = norm(arm.tip() - arm.bucket_pivot());
    add(
        "reach of the teeth", [&] { return arm.tip().x; }, 0, [](P tip, P) { return tip[0]; },
        false);
    add(
        "reach on the ground", on_ground, 1,
        [](P tip, P) { return std::abs(tip[1]) < 0.6 ? tip[0] : -HUGE_VAL; }, false);
    add(
        "digging depth", [&] { return -arm.tip().z - height; }, 0, [](P tip, P) { return -tip[1]; },
        false);
    add(
        "height of the teeth", [&] { return arm.tip().z + height; }, 0,
        [](P tip, P) { return tip[1]; }, false);
    if (arm.parts().has_stick())
        add(
            "dumping height, teeth straight down",
            [&] { return arm.bucket_pivot().z + height - radius; }, 0,
            [](P, P pivot) { return pivot[1]; }, true);
    arm.place(began);
    return out;
}

}  // namespace bristle::machines
